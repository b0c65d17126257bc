/* Goal: the plots' data files, to the byte, and what the pictures say. Method: runs made up by
 * hand; every figure follows from them by arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "study/made_up.h"
#include "study/plots.h"

#include <cmocka.h> /* last: it has a macro named fail */

typedef enum vsg_status (*writer)(const struct vsg_results *r, char **text);

static void results_of(const struct made_up *m, struct vsg_results *r)
{
    assert_int_equal(vsg_results_make(&m->study, &m->outcome, "1.2.3", r), VSG_OK);
}

static void gives(const struct vsg_results *r, writer w, const char *right)
{
    char *text = NULL;
    assert_int_equal(w(r, &text), VSG_OK);
    assert_string_equal(text, right);
    free(text);
}

static void holds(const struct vsg_results *r, writer w, const char *part)
{
    char *text = NULL;
    assert_int_equal(w(r, &text), VSG_OK);
    if (!strstr(text, part))
        fail_msg("'%s' is not in\n%s", part, text);
    free(text);
}

/* Two nodes for the guest, two policies: 850 ns on node 0 under the first, else 750 ns. */
static void seed(struct made_up *m)
{
    static const uint64_t latency_ns[4] = {850, 750, 750, 750};
    made_up(m, 2, 2, 1);
    for (uint32_t i = 0; i < 4; i++) {
        made_run(m, i, 4000, NS(latency_ns[i]));
        m->run[i].result.its[0].stats =
            (struct vsg_server_stats){.served = 4000, .busy_ps = 4000 * NS(20)};
    }
}

#define NODE "vms.guest.placement.node"

static void along_the_axis(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_results r;
    seed(&m);
    results_of(&m, &r);
    gives(&r, vsg_plot_latency_tsv,
          "axis\tseries\tx\tmean_ns\tlow_ns\thigh_ns\tp99_ns\tsteady\n" /* as many as columns */
          NODE "\tglobal-first\t0\t850.000\t\t\t850.000\t1\n"           /* no chance, no interval */
          NODE "\tglobal-first\t1\t750.000\t\t\t750.000\t1\n" NODE
          "\tlocal\t0\t750.000\t\t\t750.000\t1\n" NODE "\tlocal\t1\t750.000\t\t\t750.000\t1\n");
    gives(&r, vsg_plot_gain_tsv,
          "axis\tseries\tx\tgain\tlow\thigh\tgain_ns\tverdict\n"               /* 100 / 850 */
          NODE "\tlocal over global-first\t0\t0.117647\t\t\t100.000\tfaster\n" /**/
          NODE "\tlocal over global-first\t1\t0.000000\t\t\t0.000\tno difference shown\n");
    vsg_results_free(&r);
    made_up_free(&m);
}

/* A line along 10, 9 would go back: rows are in the order of numbers, not of texts or the file. */
static void rows_are_in_the_order_of_x(void **state)
{
    (void)state;
    static char ten[] = "10", nine[] = "9";
    struct made_up m;
    struct vsg_results r;
    seed(&m);
    m.axis[0].text = ten;
    m.axis[1].text = nine;
    results_of(&m, &r);
    holds(&r, vsg_plot_latency_tsv,
          NODE "\tglobal-first\t9\t750.000\t\t\t750.000\t1\n" NODE "\tglobal-first\t10\t850.000\t");
    holds(&r, vsg_plot_gain_tsv,
          NODE "\tlocal over global-first\t10\t0.117647\t\t\t100.000\tfaster\n");
    vsg_results_free(&r);
    made_up_free(&m);
}

static void utilisation_names_what_was_busy(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_results r;
    seed(&m);
    results_of(&m, &r);
    gives(&r, vsg_plot_utilisation_tsv,
          "series\tkind\tserver\tutilisation\twait_ns\tsteady\n" /* 20 / 850, 20 / 750; no link */
          "global-first, " NODE " 0\tits\t1\t0.023529\t0.000\t1\n"
          "local, " NODE " 0\tits\t1\t0.026667\t0.000\t1\n"
          "global-first, " NODE " 1\tits\t1\t0.026667\t0.000\t1\n"
          "local, " NODE " 1\tits\t1\t0.026667\t0.000\t1\n");
    vsg_results_free(&r);
    made_up_free(&m);
}

static void one_run(struct made_up *m, uint64_t at_2_ns)
{
    made_up(m, 1, 1, 1);
    made_run(m, 0, 100, 1000); /* below 2^11 ps the histogram is exact */
    made_ipis(&m->run[0].result, 40, 1500);
    made_ipis(&m->run[0].result, at_2_ns, 2000);
}

static void ccdf_ends_where_too_few_are_above(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_results r;
    one_run(&m, 29);
    results_of(&m, &r);
    gives(&r, vsg_plot_ccdf_tsv,
          "series\tlatency_ns\tshare_above\n"
          "global-first\t1.000\t1.000000000\n"
          "global-first\t1.000\t0.408284024\n"); /* 69 / 169; 29 above 1.5 ns are too few */
    vsg_results_free(&r);
    made_up_free(&m);
}

static void ccdf_of_30_goes_to_0(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_results r;
    one_run(&m, 30);
    results_of(&m, &r);
    gives(&r, vsg_plot_ccdf_tsv,
          "series\tlatency_ns\tshare_above\n"
          "global-first\t1.000\t1.000000000\n"
          "global-first\t1.000\t0.411764706\n" /* 70 / 170 */
          "global-first\t1.500\t0.176470588\n" /* 30 / 170 */
          "global-first\t2.000\t0.000000000\n");
    vsg_results_free(&r);
    made_up_free(&m);
}

static void heat_map_has_every_pair(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_results r;
    one_run(&m, 30);
    m.point[0].config.machine.nodes = 2;
    results_of(&m, &r);
    gives(&r, vsg_plot_heatmap_tsv,
          "series\tfrom_node\tto_node\tcount\tmean_ns\n"
          "global-first\t0\t0\t170\t1.294\n" /* (100 + 60 + 60) / 170 */
          "global-first\t0\t1\t0\t\n"
          "global-first\t1\t0\t0\t\n"
          "global-first\t1\t1\t0\t\n");
    vsg_results_free(&r);
    made_up_free(&m);
}

static void the_index_says_what_and_why_not(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_results r;
    seed(&m);
    results_of(&m, &r);
    holds(&r, vsg_plot_index_tsv,
          "plot\ttitle\tleft_out\npercentiles\tp99 is 750 ns (local, " NODE
          " 0) to 850 ns (global-first, " NODE " 0)\t\n");
    holds(&r, vsg_plot_index_tsv, "\nccdf\t99 IPIs in 100 take at most 750 ns (local, ");
    holds(&r, vsg_plot_index_tsv,
          "\nlatency\tMean latency: global-first 750.0 to 850.0 ns; local 750.0 ns everywhere\t\n");
    holds(&r, vsg_plot_index_tsv,
          "\ngain\tlocal gains 0.0 % to 11.8 % over global-first; "
          "a difference is shown at 1 of 2 points\t\n");
    holds(&r, vsg_plot_index_tsv, "\nheatmap\t\tthe machine has one node\n");
    holds(&r, vsg_plot_index_tsv, "\nutilisation\tBusiest ITS: 1, 2.7 % (local, " NODE " 0)\t\n");
    vsg_results_free(&r);
    made_up_free(&m);

    one_run(&m, 30);
    results_of(&m, &r);
    holds(&r, vsg_plot_index_tsv, "\nlatency\t\tthe sweep has no numeric axis with two values\n");
    holds(&r, vsg_plot_index_tsv, "\ngain\t\tthere is one policy only\n");
    holds(&r, vsg_plot_index_tsv, "\nutilisation\t\tno ITS and no link was ever busy\n");
    vsg_results_free(&r);
    made_up_free(&m);
}

/* Axes d, which is no number and has one value, c, and a with b in a zip group. */
static void the_axis_and_what_follows_it(void **state)
{
    (void)state;
    static char a[] = "a", b[] = "b", c[] = "c", d[] = "d", x[] = "x",
                number[4][2] = {"1", "2", "3", "4"};
    struct vsg_axis_value axis[6][4];
    struct vsg_point point[6];
    struct vsg_study s = {.point = point, .point_count = 6};
    struct vsg_text t = {0};
    for (int i = 0; i < 6; i++) {
        axis[i][0] = (struct vsg_axis_value){d, x, false, 1, 0};
        axis[i][1] = (struct vsg_axis_value){c, number[i / 3], true, 2, 1};
        axis[i][2] = (struct vsg_axis_value){a, number[i % 3], true, 3, 2};
        axis[i][3] = (struct vsg_axis_value){b, number[i % 3 + 1], true, 3, 2};
        point[i] = (struct vsg_point){.axis = axis[i], .axis_count = 4};
    }
    assert_int_equal(vsg_plot_axis(&s), 2);
    vsg_plot_series(&t, &s, "local", 4, 2);
    assert_string_equal(t.bytes, "local, c 2");
    vsg_text_free(&t);
    t = (struct vsg_text){0};
    vsg_plot_series(&t, &s, "local", 1, 1);
    assert_string_equal(t.bytes, "local, a 2, b 3");
    vsg_text_free(&t);
    for (int i = 0; i < 4; i++)
        axis[0][i].values = 1;
    s.point_count = 1;
    assert_int_equal(vsg_plot_axis(&s), VSG_PLOT_NO_AXIS);
}

static void every_column_is_in_the_documents(void **state)
{
    (void)state;
    struct vsg_plot_column c;
    static char text[65536];
    FILE *f = fopen(VSG_SOURCE_DIR "/docs/plots.md", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    for (size_t i = 0; vsg_plot_column(i, &c); i++) {
        char row[300];
        snprintf(row, sizeof row, "| `%s.tsv` | `%s` | %s | %s |", c.file, c.column,
                 c.unit ? c.unit : "text", c.doc);
        if (!strstr(text, row))
            fail_msg("docs/plots.md has no line\n%s", row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(along_the_axis),
        cmocka_unit_test(rows_are_in_the_order_of_x),
        cmocka_unit_test(utilisation_names_what_was_busy),
        cmocka_unit_test(ccdf_ends_where_too_few_are_above),
        cmocka_unit_test(ccdf_of_30_goes_to_0),
        cmocka_unit_test(heat_map_has_every_pair),
        cmocka_unit_test(the_index_says_what_and_why_not),
        cmocka_unit_test(the_axis_and_what_follows_it),
        cmocka_unit_test(every_column_is_in_the_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
