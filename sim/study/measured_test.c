/* Goal: measured durations from CSV files, and what is wrong with them, to the line. Method: small
 * files in a temporary directory. */
#include "study/measured.h"
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define MAX_PS UINT64_C(1000000000000) /* 1 s */

static char path[] = "/tmp/vsgisim-measured-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0 ? -1 : 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static enum vsg_status read_text(const char *text, struct vsg_dist *d, char *why, size_t size)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    return vsg_measured_read(path, MAX_PS, d, why, size);
}

static void values_are_sorted_and_joined(void **state)
{
    struct vsg_dist d;
    char why[300] = "";
    (void)state;
    /* Without a final newline, with comments, blanks, carriage returns, and a value twice. */
    assert_int_equal(
        read_text("# of 2026\r\nweight , value_ns\r\n\n7, 50\n90,20.5\n 3,\t50.000\n0,9", &d, why,
                  sizeof why),
        VSG_OK);
    assert_int_equal(d.kind, VSG_DIST_VALUES);
    assert_int_equal(d.point_count, 3);
    assert_true(d.point[0].value_ps == 9000 && d.point[0].at == 0);
    assert_true(d.point[1].value_ps == 20500 && d.point[1].at == 90);
    assert_true(d.point[2].value_ps == 50000 && d.point[2].at == 10);
    assert_int_equal(d.mean_ps, 23450); /* (90 x 20.5 + 10 x 50) / 100 */
    vsg_dist_free(&d);
    /* One measurement a line. */
    assert_int_equal(read_text("value_ns\n30\n10\n30\n", &d, why, sizeof why), VSG_OK);
    assert_int_equal(d.point_count, 2);
    assert_true(d.point[1].value_ps == 30000 && d.point[1].at == 2);
    vsg_dist_free(&d);
}

static void quantiles_are_read_as_they_stand(void **state)
{
    struct vsg_dist d;
    char why[300] = "";
    (void)state;
    assert_int_equal(
        read_text("quantile,value_ns\n0,10\n0.5,20\n0.999999,20\n1,90\n", &d, why, sizeof why),
        VSG_OK);
    assert_int_equal(d.kind, VSG_DIST_QUANTILES);
    assert_int_equal(d.point_count, 4);
    assert_int_equal(d.point[2].at, 999999);
    assert_int_equal(d.mean_ps, 17500); /* 15 on one half, 20 on the other; 35 fs more */
    vsg_dist_free(&d);
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", ": holds no value"},
        {"value_ns\n", ": holds no value"},
        {"value\n1\n", ":1: the first line names the columns"},
        {"value_ns,value_ns\n1,1\n", ":1: the first line names the columns"},
        {"weight,quantile\n1,1\n", ":1: the first line names the columns"},
        {"value_ns,weight,quantile\n1,1,1\n", ":1: the first line names the columns"},
        {"value_ns,weight\n\n20\n", ":3: 1 cells; the first line has 2"},
        {"value_ns\n20,1\n", ":2: 2 cells; the first line has 1"},
        {"value_ns\n20ns\n", ":2: value_ns: '20ns' is not a plain number"},
        {"value_ns\n-20\n", ":2: value_ns: '-20' is not a plain number"},
        {"value_ns,weight\n20,\n", ":2: weight: '' is not a plain number"},
        {"value_ns,weight\n20,1.5\n", ":2: weight: "},
        {"value_ns\n0.0001\n", ":2: value_ns: "},
        {"value_ns\n1000000000.001\n", ":2: value_ns is above 1000000000"},
        {"value_ns,weight\n20,4294967296\n", ":2: weight is above 4294967295"},
        {"value_ns,weight\n20,4294967295\n20,1\n", ": the weights of one value add up"},
        {"value_ns,weight\n20,0\n", ": all weights are 0"},
        {"quantile,value_ns\n0.1,5\n1,6\n", ":2: quantiles go from 0 to 1"},
        {"quantile,value_ns\n0,5\n0.9,6\n", ": quantiles go from 0 to 1"},
        {"quantile,value_ns\n0,5\n", ": quantiles go from 0 to 1"},
        {"quantile,value_ns\n0,5\n0.5,4\n1,6\n", ":3: quantiles rise"},
        {"quantile,value_ns\n0,5\n0,6\n1,6\n", ":3: quantiles rise"},
        {"quantile,value_ns\n0,5\n1.1,6\n", ":3: quantile is above 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct vsg_dist d = {.mean_ps = 7};
        char why[300] = "";
        assert_int_equal(read_text(bad[i].text, &d, why, sizeof why), VSG_ESCENARIO);
        if (strncmp(why, path, strlen(path)) != 0 ||
            strncmp(why + strlen(path), bad[i].why, strlen(bad[i].why)) != 0)
            fail_msg("%s: %s", bad[i].text, why);
        assert_int_equal(d.mean_ps, 7);
    }
}

static void a_long_line_and_no_file_are_errors(void **state)
{
    struct vsg_dist d;
    char why[300] = "", text[400];
    (void)state;
    memset(text, '1', sizeof text);
    memcpy(text, "value_ns\n", 9);
    text[sizeof text - 1] = '\0';
    assert_int_equal(read_text(text, &d, why, sizeof why), VSG_ESCENARIO);
    assert_non_null(strstr(why, ":2: the line is longer than"));
    assert_int_equal(vsg_measured_read("/nowhere/x.csv", MAX_PS, &d, why, sizeof why), VSG_EIO);
    assert_string_equal(why, "/nowhere/x.csv: No such file or directory");
    assert_int_equal(vsg_measured_read("/", MAX_PS, &d, why, sizeof why), VSG_EIO);
    assert_string_equal(why, "/: Is a directory");
}

/* The file is named relative to the scenario's folder, in costs, in a VM, and in a sweep. */
static void a_file_stands_beside_its_scenario(void **state)
{
    struct vsg_dist d;
    char why[300], text[900];
    const char *name = strrchr(path, '/') + 1;
    struct vsg_study s;
    struct vsg_diag diag = VSG_DIAG_INIT;
    (void)state;
    assert_int_equal(read_text("value_ns\n30\n10\n", &d, why, sizeof why), VSG_OK);
    vsg_dist_free(&d);
    snprintf(text, sizeof text,
             "format: 1\nmachine: {nodes: 1, cpus_per_node: 2}\n"
             "costs: {its: {empirical: {file: %s}}}\n"
             "vms: [{name: a, vcpus: 2, workload: {kind: closed, sends: 1,\n"
             "  think: {empirical: {file: %s}}}}]\n"
             "sweep: {costs.trap: [5ns, {empirical: {file: %s}}]}\n",
             name, name, path);
    for (int slash = 0; slash < 2; slash++) {
        assert_int_equal(
            vsg_study_load_in(slash ? "/tmp/" : "/tmp", text, strlen(text), NULL, 0, &s, &diag),
            VSG_OK);
        assert_int_equal(s.point[0].config.cost[VSG_COST_ITS].mean_ps, 20000);
        assert_int_equal(s.point[0].config.vm[0].workload.think.point_count, 2);
        assert_int_equal(s.point[0].config.cost[VSG_COST_TRAP].mean_ps, 5000);
        assert_int_equal(s.point[1].config.cost[VSG_COST_TRAP].mean_ps, 20000);
        vsg_study_free(&s);
    }
    /* Without a folder it is the current one, which has no such file. */
    assert_int_equal(vsg_study_load(text, strlen(text), NULL, 0, &s, &diag), VSG_ESCENARIO);
    vsg_diag_clear(&diag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_sorted_and_joined),
        cmocka_unit_test(quantiles_are_read_as_they_stand),
        cmocka_unit_test(what_is_wrong_is_told_with_its_line),
        cmocka_unit_test(a_long_line_and_no_file_are_errors),
        cmocka_unit_test(a_file_stands_beside_its_scenario),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
