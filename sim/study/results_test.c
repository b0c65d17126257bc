/* Goal: points and comparisons as results.h promises. Method: replications whose means are whole
 * numbers, intervals from printed t tables. */
#include <setjmp.h>
#include <stdarg.h>
#include "study/made_up.h"

#include <cmocka.h> /* last: it has a macro named fail */

static struct vsg_results results_of(const struct made_up *m)
{
    struct vsg_results r;
    assert_int_equal(vsg_results_make(&m->study, &m->outcome, "0.0", &r), VSG_OK);
    return r;
}

/* Half widths for 5 values a ns apart: deviation 1.5811 ns, of their mean 0.70711 ns; t with 4
 * degrees of freedom is 2.7764 (95 %) and 3.4954 (97.5 %, two comparisons). */
enum { HALF_1 = 1963, HALF_2 = 2472 };

static void a_mean_over_five_replications_has_an_interval(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 5);
    made_up_random(&m);
    for (uint32_t i = 0; i < 5; i++)
        made_run(&m, i, 10 + i, NS(100 + i)); /* unequal counts: each replication weighs the same */
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.point_count, 1);
    assert_int_equal(r.point[0].n, 5);
    const struct vsg_latency_figures *l = &r.point[0].figures.latency;
    assert_int_equal(l->mean_ps, NS(102));
    assert_int_equal(l->ci95_low_ps, NS(102) - HALF_1);
    assert_int_equal(l->ci95_high_ps, NS(102) + HALF_1);
    assert_int_equal(l->method, VSG_METHOD_T);
    assert_int_equal(l->count, 60);
    assert_int_equal(l->min_ps, NS(100));
    assert_int_equal(l->max_ps, NS(104));
    assert_int_equal(r.point[0].figures.stage_ps[VSG_STAGE_TRAP], NS(102));
    assert_int_equal(r.comparison_count, 0);
    /* A single run of something random claims no interval. */
    assert_int_equal(r.run[0].figures.latency.method, VSG_METHOD_SINGLE_RUN);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void fewer_than_five_have_none(void **state)
{
    (void)state;
    struct made_up m;
    for (uint32_t n = 1; n <= 4; n += 3) {
        made_up(&m, 1, 1, n);
        made_up_random(&m);
        for (uint32_t i = 0; i < n; i++)
            made_run(&m, i, 10, NS(100 + i));
        struct vsg_results r = results_of(&m);
        assert_true(r.point[0].figures.latency.ci95_low_ps == VSG_NO_FIGURE);
        assert_int_equal(r.point[0].figures.latency.method,
                         n == 1 ? VSG_METHOD_SINGLE_RUN : VSG_METHOD_TOO_FEW);
        vsg_results_free(&r);
        made_up_free(&m);
    }
}

/* Run i of random m has 20 batches, 99 and 101 ns in turn plus `more`. */
static void give_batches(struct made_up *m, uint32_t i, uint64_t more_ps)
{
    made_batches(&m->run[i].result, 10, (uint64_t[]){NS(99) + more_ps, NS(101) + more_ps}, 2);
}

/* t with 19 degrees 2.0930, deviation sqrt(20/19) ns over sqrt(20). */
static void one_run_has_the_interval_of_its_batches(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 2, 1);
    made_up_random(&m);
    for (uint32_t i = 0; i < 2; i++) {
        made_run(&m, i, 10, NS(100 - i));
        give_batches(&m, i, 0);
    }
    struct vsg_results r = results_of(&m);
    const struct vsg_latency_figures *l = &r.point[0].figures.latency;
    assert_int_equal(l->method, VSG_METHOD_BATCHES);
    assert_int_equal(l->ci95_low_ps, NS(100) - 480);
    assert_int_equal(l->ci95_high_ps, NS(100) + 480);
    assert_int_equal(r.run[1].figures.latency.ci95_high_ps, NS(99) + 480);
    /* Batch by batch both are the same, so the difference is sure. */
    assert_int_equal(r.comparison[0].method, VSG_METHOD_PAIRED_BATCHES);
    assert_int_equal(r.comparison[0].ci95_low_ps, -(int64_t)NS(1));
    assert_int_equal(r.comparison[0].verdict, VSG_FASTER);
    assert_int_equal(r.comparison[0].needed, 1);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void correlated_batches_are_warned_of(void **state)
{
    (void)state;
    struct made_up m;
    uint64_t rising[VSG_BATCHES];
    for (uint64_t i = 0; i < VSG_BATCHES; i++)
        rising[i] = NS(100 + i);
    made_up(&m, 1, 1, 1);
    made_up_random(&m);
    made_run(&m, 0, 10, NS(100));
    made_batches(&m.run[0].result, 10, rising, VSG_BATCHES);
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.point[0].figures.latency.method, VSG_METHOD_CORRELATED);
    assert_true(r.point[0].figures.latency.ci95_low_ps == VSG_NO_FIGURE);
    assert_int_equal(r.warning_count, 1);
    assert_string_equal(r.warning[0],
                        "global-first: no interval: the run's 20 batches are correlated; make it "
                        "longer, or set run.replications to 5 or more");
    vsg_results_free(&r);
    made_up_free(&m);
}

/* Medians 1000 .. 1004 ps (exact in the histogram), deviation 1.5811: half width 1.963, rounded. */
static void percentiles_have_the_interval_of_the_replications(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 5);
    made_up_random(&m);
    for (uint32_t i = 0; i < 5; i++)
        made_run(&m, i, i == 4 ? 299 : 300, 1000 + i);
    struct vsg_results r = results_of(&m);
    const struct vsg_latency_figures *l = &r.point[0].figures.latency;
    assert_int_equal(l->percentile_ps[0], 1002);
    assert_int_equal(l->percentile_low_ps[0], 1000);
    assert_int_equal(l->percentile_high_ps[0], 1004);
    /* p90: all together have 149 above it, but the last replication 29.9. */
    assert_int_equal(l->percentile_ps[1], 1004);
    assert_true(l->percentile_low_ps[1] == VSG_NO_FIGURE);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void a_point_is_not_steady_when_half_of_its_replications_are(void **state)
{
    (void)state;
    for (uint32_t unsteady = 1; unsteady <= 3; unsteady++) {
        struct made_up m;
        made_up(&m, 1, 2, 5);
        made_up_random(&m);
        for (uint32_t i = 0; i < 10; i++) {
            made_run(&m, i, 10, NS(100 + i));
            m.run[i].result.not_steady = i < unsteady;
        }
        struct vsg_results r = results_of(&m);
        bool claims = unsteady < 3;
        assert_int_equal(r.point[0].figures.not_steady, !claims);
        assert_int_equal(r.point[0].figures.latency.method,
                         claims ? VSG_METHOD_T : VSG_METHOD_NOT_STEADY);
        assert_int_equal(r.point[0].figures.latency.mean_ps,
                         claims ? (int64_t)NS(102) : VSG_NO_FIGURE);
        assert_int_equal(r.run[0].figures.latency.method, VSG_METHOD_NOT_STEADY);
        assert_true(r.run[0].figures.latency.mean_ps == VSG_NO_FIGURE);
        assert_false(r.point[1].figures.not_steady);
        assert_int_equal(r.comparison[0].method,
                         claims ? VSG_METHOD_PAIRED_T : VSG_METHOD_NOT_STEADY);
        assert_int_equal(r.warning_count, 1);
        assert_non_null(strstr(r.warning[0], "not steady in"));
        vsg_results_free(&r);
        made_up_free(&m);
    }
}

static void percentiles_are_merged_not_averaged(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 2);
    made_run(&m, 0, 100, 1000); /* below 2,048 ps a bucket is one value */
    made_run(&m, 1, 100, 2000);
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.point[0].figures.latency.percentile_ps[0], 1000); /* rank 100 of 200 */
    assert_int_equal(r.point[0].figures.latency.mean_ps, 1500);
    assert_int_equal(r.point[0].figures.window_ps, 300000); /* both windows */
    assert_int_equal(r.point[0].figures.vm[0].count, 200);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void failed_replications_are_left_out(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 2, 2);
    made_run(&m, 0, 10, NS(100));
    m.run[1].state = VSG_RUN_FAILED;
    m.run[2].state = VSG_RUN_FAILED;
    made_run(&m, 3, 10, NS(90)); /* the other replication of the other policy: no pair */
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.point[0].n, 1);
    assert_int_equal(r.point[0].figures.latency.mean_ps, NS(100));
    assert_int_equal(r.point[1].n, 1);
    assert_false(r.run[1].has_figures);
    assert_int_equal(r.comparison_count, 1);
    assert_int_equal(r.comparison[0].n, 0);
    assert_true(r.comparison[0].diff_ps == VSG_NO_FIGURE);
    assert_int_equal(r.comparison[0].verdict, VSG_NO_DIFFERENCE);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void the_seeds_comparison(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 2, 2, 1);
    made_run(&m, 0, 100, NS(850)); /* node 0, global-first */
    made_run(&m, 1, 100, NS(750)); /* node 0, local */
    made_run(&m, 2, 100, NS(750));
    made_run(&m, 3, 100, NS(750));
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.comparison_count, 2);
    const struct vsg_comparison *c = r.comparison;
    assert_int_equal(c[0].point, 0);
    assert_int_equal(c[0].a, 0);
    assert_int_equal(c[0].b, 1);
    assert_int_equal(c[0].diff_ps, -(int64_t)NS(100));
    assert_int_equal(c[0].ratio_ppm, 882353); /* 750 / 850: -11.8 % */
    assert_int_equal(c[0].verdict, VSG_FASTER);
    assert_int_equal(c[0].method, VSG_METHOD_DETERMINISTIC);
    assert_true(c[0].ci95_low_ps == VSG_NO_FIGURE && c[0].ci95_high_ps == VSG_NO_FIGURE);
    assert_int_equal(c[1].diff_ps, 0);
    assert_int_equal(c[1].ratio_ppm, 1000000);
    assert_int_equal(c[1].verdict, VSG_NO_DIFFERENCE);
    assert_int_equal(r.point[3].point, 1);
    assert_int_equal(r.point[3].policy, 1);
    vsg_results_free(&r);
    made_up_free(&m);
}

/* Replication i of global-first takes 200 + 7 i ns and local as much plus diff[i]: the noise that
 * both share must not widen the interval. */
static void paired(struct made_up *m, uint32_t points, const int *diff)
{
    made_up(m, points, 2, 5);
    made_up_random(m);
    for (uint32_t p = 0; p < points; p++)
        for (uint32_t i = 0; i < 5; i++) {
            made_run(m, p * 10 + i, 10, NS(200 + 7 * i));
            made_run(m, p * 10 + 5 + i, 10, NS(200 + 7 * i + (uint32_t)(diff[i] + 100) - 100));
        }
}

static void paired_differences(void **state)
{
    (void)state;
    struct made_up m;
    paired(&m, 1, (const int[]){-10, -11, -12, -13, -14});
    struct vsg_results r = results_of(&m);
    const struct vsg_comparison *c = r.comparison;
    assert_int_equal(c[0].n, 5);
    assert_int_equal(c[0].diff_ps, -12000);
    assert_int_equal(c[0].ci95_low_ps, -12000 - HALF_1);
    assert_int_equal(c[0].ci95_high_ps, -12000 + HALF_1);
    assert_int_equal(c[0].ratio_ppm, 943925); /* 202 / 214 */
    assert_int_equal(c[0].verdict, VSG_FASTER);
    assert_int_equal(c[0].method, VSG_METHOD_PAIRED_T);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void two_comparisons_hold_together(void **state)
{
    (void)state;
    struct made_up m;
    /* 2 ns on average: shown by one comparison (1.96), not by two at once (2.47). */
    paired(&m, 2, (const int[]){0, 1, 2, 3, 4});
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.comparison[0].diff_ps, 2000);
    assert_int_equal(r.comparison[0].ci95_low_ps, 2000 - HALF_2);
    assert_int_equal(r.comparison[1].ci95_high_ps, 2000 + HALF_2);
    assert_int_equal(r.comparison[0].verdict, VSG_NO_DIFFERENCE);
    vsg_results_free(&r);
    made_up_free(&m);
    paired(&m, 1, (const int[]){0, 1, 2, 3, 4}); /* alone: 2 - 1.96 > 0 */
    r = results_of(&m);
    assert_int_equal(r.comparison[0].verdict, VSG_SLOWER);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void no_verdict_by_chance(void **state)
{
    (void)state;
    struct made_up m;
    paired(&m, 1, (const int[]){-2, -1, 0, 1, 2});
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.comparison[0].diff_ps, 0);
    assert_int_equal(r.comparison[0].verdict, VSG_NO_DIFFERENCE);
    vsg_results_free(&r);
    made_up_free(&m);
    made_up(&m, 1, 2, 1); /* one replication of something random */
    made_up_random(&m);
    made_run(&m, 0, 10, NS(850));
    made_run(&m, 1, 10, NS(750));
    r = results_of(&m);
    assert_int_equal(r.comparison[0].diff_ps, -(int64_t)NS(100));
    assert_int_equal(r.comparison[0].method, VSG_METHOD_SINGLE_RUN);
    assert_int_equal(r.comparison[0].verdict, VSG_NO_DIFFERENCE);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void one_unstable_replication_makes_the_point_so(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 2, 5);
    m.vm[0].workload = (struct vsg_workload_config){.kind = VSG_WORKLOAD_POISSON, .rate_per_s = 10};
    for (uint32_t i = 0; i < 10; i++)
        made_run(&m, i, 10, NS(100));
    m.run[3].result.open = true;
    m.run[3].result.backlog_end = 1000;
    struct vsg_results r = results_of(&m);
    assert_true(r.any_unstable);
    assert_true(r.point[0].figures.unstable);
    assert_non_null(r.point[0].figures.unstable_reason);
    assert_true(r.point[0].figures.latency.mean_ps == VSG_NO_FIGURE);
    assert_false(r.point[1].figures.unstable);
    assert_int_equal(r.comparison[0].method, VSG_METHOD_UNSTABLE);
    assert_true(r.comparison[0].diff_ps == VSG_NO_FIGURE);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void of_two_engines_the_first_counts_once(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 2);
    made_run(&m, 0, 10, NS(100));
    made_run(&m, 1, 10, NS(999));
    m.run[0].index = m.run[1].index = 0;
    m.run[1].replication = 0;
    m.run[1].engine = VSG_ENGINE_SIMGRID;
    m.study.replications = 1;
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.run_count, 2);
    assert_int_equal(r.point[0].n, 1);
    assert_int_equal(r.point[0].figures.latency.mean_ps, NS(100));
    vsg_results_free(&r);
    made_up_free(&m);
}

static void each_warning_once(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 2);
    made_run(&m, 0, 10, NS(100));
    made_run(&m, 1, 10, NS(100));
    vsg_diag_add(&m.study.warnings, VSG_WARNING, NULL, "of the study");
    vsg_diag_add(&m.run[0].diag, VSG_WARNING, NULL, "of a run");
    vsg_diag_add(&m.run[0].diag, VSG_NOTE, NULL, "of the execution");
    vsg_diag_add(&m.run[1].diag, VSG_WARNING, NULL, "of a run");
    struct vsg_results r = results_of(&m);
    assert_int_equal(r.warning_count, 2);
    assert_string_equal(r.warning[0], "of the study");
    assert_string_equal(r.warning[1], "of a run");
    vsg_results_free(&r);
    vsg_diag_clear(&m.study.warnings);
    made_up_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mean_over_five_replications_has_an_interval),
        cmocka_unit_test(fewer_than_five_have_none),
        cmocka_unit_test(one_run_has_the_interval_of_its_batches),
        cmocka_unit_test(correlated_batches_are_warned_of),
        cmocka_unit_test(percentiles_have_the_interval_of_the_replications),
        cmocka_unit_test(a_point_is_not_steady_when_half_of_its_replications_are),
        cmocka_unit_test(percentiles_are_merged_not_averaged),
        cmocka_unit_test(failed_replications_are_left_out),
        cmocka_unit_test(the_seeds_comparison),
        cmocka_unit_test(paired_differences),
        cmocka_unit_test(two_comparisons_hold_together),
        cmocka_unit_test(no_verdict_by_chance),
        cmocka_unit_test(one_unstable_replication_makes_the_point_so),
        cmocka_unit_test(of_two_engines_the_first_counts_once),
        cmocka_unit_test(each_warning_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
