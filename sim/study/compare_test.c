/* Goal: differences, intervals, limits and refusals as compare.h promises. Method: results written
 * by hand, intervals from printed t tables. */
#include "study/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define NO VSG_NO_FIGURE

/* Results of one policy and point: runs with these means (p99 1000 higher), and a point. */
struct made {
    const char *policy, *axes, *method;
    unsigned runs;
    double mean_ns[6];
    double half_ns; /* of the point's own interval; 0: it has none */
};

static json_t *latency(double mean_ns, const char *method, double half_ns)
{
    json_t *l =
        json_pack("{s:f, s:f, s:f, s:f, s:n, s:f, s:s}", "mean", mean_ns, "p50", mean_ns, "p90",
                  mean_ns, "p99", mean_ns + 1000, "p99_9", "max", mean_ns + 5000, "method", method);
    if (half_ns > 0)
        json_object_set_new(l, "ci95", json_pack("[f, f]", mean_ns - half_ns, mean_ns + half_ns));
    return l;
}

static void add(json_t *results, const struct made *m)
{
    json_t *axes = json_loads(m->axes, 0, NULL);
    double sum = 0;
    assert_non_null(axes);
    for (unsigned i = 0; i < m->runs; i++) {
        sum += m->mean_ns[i];
        json_array_append_new(json_object_get(results, "runs"),
                              json_pack("{s:O, s:s, s:i, s:s, s:o}", "point", axes, "policy",
                                        m->policy, "replication", i, "status", "done", "latency_ns",
                                        latency(m->mean_ns[i], "single run", 0)));
    }
    json_array_append_new(json_object_get(results, "points"),
                          json_pack("{s:O, s:s, s:o}", "point", axes, "policy", m->policy,
                                    "latency_ns", latency(sum / m->runs, m->method, m->half_ns)));
    json_decref(axes);
}

static json_t *begin(const char *version)
{
    return json_pack("{s:s, s:s, s:[], s:[], s:[]}", "scenario", "s", "version", version, "runs",
                     "points", "comparisons");
}

static json_t *results_of(const struct made *m, unsigned count)
{
    json_t *r = begin("1");
    for (unsigned i = 0; i < count; i++)
        add(r, &m[i]);
    return r;
}

static const struct made five = {"local", "{}", "t", 5, {100, 120, 110, 130, 140, 0}, 0};
/* 10 .. 14 ns less, replication by replication: deviation 1.5811, half width 1.9632 (t 2.7764). */
static const struct made five_less = {"local", "{}", "t", 5, {90, 109, 98, 117, 126, 0}, 0};

static void replications_are_paired(void **state)
{
    json_t *ra = results_of(&five, 1), *rb = results_of(&five_less, 1);
    struct vsg_side a = {"A", ra, "local"}, b = {"B", rb, "local"};
    struct vsg_comparison_of c;
    char why[400];
    (void)state;
    assert_int_equal(vsg_compare(&a, &b, &c, why, sizeof why), VSG_OK);
    assert_int_equal(c.count, 1);
    assert_int_equal(c.point[0].n, 5);
    const struct vsg_difference *d = &c.point[0].of[VSG_METRIC_MEAN];
    assert_int_equal(d->a_ps, 120000);
    assert_int_equal(d->b_ps, 108000);
    assert_int_equal(d->diff_ps, -12000);
    assert_int_equal(d->ratio_ppm, 900000);
    assert_int_equal(d->low_ps, -13963);
    assert_int_equal(d->high_ps, -10037);
    assert_int_equal(d->verdict, VSG_FASTER);
    assert_int_equal(d->method, VSG_METHOD_PAIRED_T);
    assert_int_equal(c.point[0].of[VSG_METRIC_P99].low_ps, -13963);
    /* The largest has no interval, and p99.9 is not known: null in both. */
    assert_true(c.point[0].of[VSG_METRIC_MAX].diff_ps == -12000);
    assert_true(c.point[0].of[VSG_METRIC_MAX].low_ps == NO);
    assert_true(c.point[0].of[VSG_METRIC_P99_9].diff_ps == NO);
    vsg_compare_free(&c);
    json_decref(ra);
    json_decref(rb);
}

/* Two points: t with 4 degrees at 97.5 % is 3.4954, so 2.4716. */
static void two_points_hold_together(void **state)
{
    struct made a2[2] = {five, five}, b2[2] = {five_less, five};
    struct vsg_comparison_of c;
    char why[400];
    (void)state;
    a2[0].axes = b2[0].axes = "{\"x\": 1}";
    a2[1].axes = b2[1].axes = "{\"x\": 2}";
    json_t *ra = results_of(a2, 2), *rb = results_of(b2, 2);
    struct vsg_side a = {"A", ra, "local"}, b = {"B", rb, "local"};
    assert_int_equal(vsg_compare(&a, &b, &c, why, sizeof why), VSG_OK);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.point[0].of[0].high_ps, -12000 + 2472);
    assert_int_equal(c.point[1].of[0].diff_ps, 0);
    assert_int_equal(c.point[1].of[0].verdict, VSG_NO_DIFFERENCE);
    assert_int_equal(c.point[1].of[0].needed, 5);
    vsg_compare_free(&c);
    json_decref(ra);
    json_decref(rb);
}

/* Single runs, +-3 and +-4 ns by batches: +-5 ns of the difference. */
static void single_runs_are_compared_by_their_batches(void **state)
{
    static const struct made one = {"local", "{}", "batch means", 1, {100}, 3};
    static const struct made other = {"local", "{}", "batch means", 1, {106}, 4};
    json_t *ra = results_of(&one, 1), *rb = results_of(&other, 1);
    struct vsg_side a = {"A", ra, "local"}, b = {"B", rb, "local"};
    struct vsg_comparison_of c;
    char why[400];
    (void)state;
    assert_int_equal(vsg_compare(&a, &b, &c, why, sizeof why), VSG_OK);
    assert_int_equal(c.point[0].of[0].low_ps, 1000);
    assert_int_equal(c.point[0].of[0].high_ps, 11000);
    assert_int_equal(c.point[0].of[0].verdict, VSG_SLOWER);
    assert_int_equal(c.point[0].of[0].method, VSG_METHOD_BATCHES);
    assert_true(c.point[0].of[VSG_METRIC_P99].low_ps == NO); /* it has none in the results */
    vsg_compare_free(&c);
    json_decref(ra);
    json_decref(rb);
}

/* Of two policies of one study, the study knows the paired interval. */
static void two_policies_of_one_run_keep_its_own_interval(void **state)
{
    static const struct made both[2] = {{"global-first", "{}", "batch means", 1, {100}, 30},
                                        {"local", "{}", "batch means", 1, {90}, 30}};
    struct vsg_comparison_of c;
    char why[400];
    (void)state;
    json_t *r = results_of(both, 2);
    json_array_append_new(json_object_get(r, "comparisons"),
                          json_pack("{s:{}, s:s, s:s, s:[f, f]}", "point", "a", "global-first", "b",
                                    "local", "ci95", -12.0, -8.0));
    for (int turned = 0; turned < 2; turned++) {
        struct vsg_side a = {"A", r, turned ? "local" : "global-first"};
        struct vsg_side b = {"B", r, turned ? "global-first" : "local"};
        assert_int_equal(vsg_compare(&a, &b, &c, why, sizeof why), VSG_OK);
        assert_int_equal(c.point[0].of[0].high_ps - c.point[0].of[0].low_ps, 4000);
        assert_int_equal(c.point[0].of[0].verdict, turned ? VSG_SLOWER : VSG_FASTER);
        vsg_compare_free(&c);
    }
    json_decref(r);
}

static void what_is_not_random_is_exact(void **state)
{
    static const struct made one = {"local", "{}", "deterministic", 1, {850}, 0};
    static const struct made other = {"local", "{}", "deterministic", 1, {849.999}, 0};
    json_t *ra = results_of(&one, 1), *rb = results_of(&other, 1);
    struct vsg_side a = {"A", ra, "local"}, b = {"B", rb, "local"};
    struct vsg_comparison_of c;
    char why[400];
    (void)state;
    assert_int_equal(vsg_compare(&a, &b, &c, why, sizeof why), VSG_OK);
    assert_int_equal(c.point[0].of[0].diff_ps, -1);
    assert_int_equal(c.point[0].of[0].verdict, VSG_FASTER);
    assert_int_equal(c.point[0].of[VSG_METRIC_MAX].verdict, VSG_FASTER);
    vsg_compare_free(&c);
    json_decref(ra);
    json_decref(rb);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct made x = five, y = five, more[2] = {five, five};
    x.axes = "{\"x\": 1}";
    y.axes = "{\"y\": 1}";
    more[0].axes = "{\"x\": 1}";
    more[1].axes = "{\"x\": 2}";
    json_t *none = results_of(&five, 1), *of_x = results_of(&x, 1), *of_y = results_of(&y, 1),
           *two = results_of(more, 2), *old = begin("0.9");
    const struct {
        const json_t *a, *b;
        const char *policy, *why;
    } bad[] = {
        {none, old, "local", "A is of version 1 and B of 0.9"},
        {of_x, of_y, "local", "A has x, B has y: their points cannot be matched"},
        {none, of_x, "local", "A has no axes, B has x"},
        {of_x, two, "local", "A has no point {\"x\": 2} of policy local, which B has"},
        {two, of_x, "local", "B has no point {\"x\": 2} of policy local, which A has"},
        {none, none, "nearest", "A has no policy nearest; it has local"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct vsg_side a = {"A", bad[i].a, bad[i].policy}, b = {"B", bad[i].b, bad[i].policy};
        struct vsg_comparison_of c;
        char why[400] = "";
        assert_int_equal(vsg_compare(&a, &b, &c, why, sizeof why), VSG_EINVAL);
        if (!strstr(why, bad[i].why))
            fail_msg("%s", why);
    }
    json_decref(none);
    json_decref(of_x);
    json_decref(of_y);
    json_decref(two);
    json_decref(old);
}

static void what_is_no_results(void **state)
{
    static const char *const bad[] = {"[]",
                                      "3",
                                      "{}",
                                      "{\"version\": \"1\"}",
                                      "{\"version\": \"1\", \"runs\": [], \"points\": {}}",
                                      "{\"version\": \"1\", \"runs\": [], \"points\": [{}]}",
                                      ("{\"version\": \"1\", \"runs\": [{\"point\": {}}], "
                                       "\"points\": []}")};
    char why[100];
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *r = json_loads(bad[i], JSON_DECODE_ANY, NULL);
        assert_non_null(r);
        assert_false(vsg_compare_is_results(r, why, sizeof why));
        json_decref(r);
    }
    json_t *r = results_of(&five, 1);
    assert_true(vsg_compare_is_results(r, why, sizeof why));
    json_decref(r);
}

static void limits_are_read(void **state)
{
    static const struct {
        const char *text;
        struct vsg_limit right;
    } good[] = {
        {"p99 > +5%", {.metric = VSG_METRIC_P99, .relative = true, .limit = 50000}},
        {"mean<-20ns", {.metric = VSG_METRIC_MEAN, .below = true, .limit = -20000}},
        {" p99.9 >  1.5us ", {.metric = VSG_METRIC_P99_9, .limit = 1500000}},
        {"p99_9 > 0%", {.metric = VSG_METRIC_P99_9, .relative = true}},
        {"max > - 3%", {.metric = VSG_METRIC_MAX, .relative = true, .limit = -30000}},
    };
    static const char *const bad[] = {"",          "p98 > 5%",   "p99",     "p99 5%",
                                      "p99 > ",    "p99 >= 5%",  "p99 > 5", "p99 > 5% x",
                                      "p99 > 5GB", "mean > +-5%"};
    struct vsg_limit l;
    char why[300];
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(vsg_limit_parse(good[i].text, &l, why, sizeof why), VSG_OK);
        assert_string_equal(l.text, good[i].text);
        assert_int_equal(l.metric, good[i].right.metric);
        assert_int_equal(l.below, good[i].right.below);
        assert_int_equal(l.relative, good[i].right.relative);
        assert_int_equal(l.limit, good[i].right.limit);
        vsg_limit_free(&l);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(vsg_limit_parse(bad[i], &l, why, sizeof why), VSG_EINVAL);
}

static void a_limit_counts_what_is_no_noise(void **state)
{
    struct vsg_limit above = {.relative = true, .limit = 50000},
                     below = {.below = true, .limit = -10};
    struct vsg_difference d = {
        .diff_ps = 60, .ratio_ppm = 1060000, .low_ps = 20, .high_ps = 100, .verdict = VSG_SLOWER};
    (void)state;
    assert_int_equal(vsg_limit_check(&above, &d), VSG_BEYOND);
    assert_int_equal(vsg_limit_check(&below, &d), VSG_WITHIN);
    d.low_ps = -20;
    d.verdict = VSG_NO_DIFFERENCE;
    assert_int_equal(vsg_limit_check(&above, &d), VSG_BEYOND_NOT_SHOWN);
    d.low_ps = d.high_ps = NO; /* no interval: what is seen counts */
    assert_int_equal(vsg_limit_check(&above, &d), VSG_BEYOND);
    d.ratio_ppm = 1050000; /* exactly the limit is not beyond it */
    assert_int_equal(vsg_limit_check(&above, &d), VSG_WITHIN);
    d.diff_ps = -11;
    assert_int_equal(vsg_limit_check(&below, &d), VSG_BEYOND);
    d.diff_ps = NO;
    assert_int_equal(vsg_limit_check(&below, &d), VSG_UNJUDGED);
}

static void words_and_json(void **state)
{
    json_t *ra = results_of(&five, 1), *rb = results_of(&five_less, 1);
    struct vsg_side a = {"A", ra, "local"}, b = {"B", rb, "local"};
    struct vsg_comparison_of c;
    struct vsg_limit l[2];
    char why[400], *text = NULL;
    (void)state;
    assert_int_equal(vsg_compare(&a, &b, &c, why, sizeof why), VSG_OK);
    assert_int_equal(vsg_limit_parse("mean < -5%", &l[0], why, sizeof why), VSG_OK);
    assert_int_equal(vsg_limit_parse("p99.9 > 1%", &l[1], why, sizeof why), VSG_OK);
    assert_int_equal(vsg_compare_table(&c, 1, l, 2, 80, &text), VSG_OK);
    assert_string_equal(text,
                        "B is faster than A by 12.0 +- 2.0 ns (-10.0 %).\n"
                        "\n"
                        "figure           A           B   change       difference  verdict\n"
                        "mean      120.0 ns    108.0 ns  -10.0 %  -12.0 +- 2.0 ns  faster\n"
                        "p50       120.0 ns    108.0 ns  -10.0 %  -12.0 +- 2.0 ns  faster\n"
                        "p99     1,120.0 ns  1,108.0 ns   -1.1 %  -12.0 +- 2.0 ns  faster\n"
                        "p99.9            -           -        -                -  too few IPIs\n"
                        "max     5,120.0 ns  5,108.0 ns   -0.2 %         -12.0 ns  no interval\n"
                        "\n"
                        "+-: 95 % intervals, t over paired replications (5 or more).\n"
                        "\n"
                        "mean < -5%: FAILED, -10.0 %\n"
                        "p99.9 > 1%: FAILED, A has no p99.9 here (too few IPIs)\n");
    free(text);
    assert_true(vsg_compare_fails(&c, 1, l, 2));
    assert_false(vsg_compare_fails(&c, 1, l, 0));
    assert_int_equal(vsg_compare_json(&c, 1, l, 2, &text), VSG_OK);
    json_t *j = json_loads(text, 0, NULL);
    assert_non_null(j);
    const json_t *point = json_array_get(
        json_object_get(json_array_get(json_object_get(j, "pairs"), 0), "points"), 0);
    assert_true(json_real_value(json_object_get(json_object_get(point, "mean"), "diff_ns")) == -12);
    assert_true(json_is_null(json_object_get(json_object_get(point, "p99_9"), "diff_ns")));
    assert_true(json_is_true(json_object_get(j, "failed")));
    assert_int_equal(json_array_size(json_object_get(j, "limits")), 2);
    json_decref(j);
    free(text);
    vsg_limit_free(&l[0]);
    vsg_limit_free(&l[1]);
    vsg_compare_free(&c);
    json_decref(ra);
    json_decref(rb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replications_are_paired),
        cmocka_unit_test(two_points_hold_together),
        cmocka_unit_test(single_runs_are_compared_by_their_batches),
        cmocka_unit_test(two_policies_of_one_run_keep_its_own_interval),
        cmocka_unit_test(what_is_not_random_is_exact),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(what_is_no_results),
        cmocka_unit_test(limits_are_read),
        cmocka_unit_test(a_limit_counts_what_is_no_noise),
        cmocka_unit_test(words_and_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
