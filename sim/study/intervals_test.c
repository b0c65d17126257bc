/* Goal: intervals by batches, and of percentiles. Method: batches whose deviation is a whole
 * number, t from printed tables. */
#include <setjmp.h>
#include <stdarg.h>
#include "study/intervals.h"
#include "study/made_up.h"

#include <cmocka.h> /* last: it has a macro named fail */

static void free_result(struct vsg_run_result *r)
{
    vsg_run_result_free(r);
}

/* 99 and 101 in turn: deviation sqrt(20/19) ns, of the mean 0.22942; t with 19 degrees 2.0930. */
enum { HALF_19 = 480 };
static const uint64_t turns[] = {NS(99), NS(101)};

static void batches_of_one_run_give_an_interval(void **state)
{
    struct vsg_run_result r;
    const struct vsg_run_result *run[] = {&r};
    int64_t half_ps = 0;
    (void)state;
    made_result(&r);
    made_batches(&r, 50, turns, 2);
    assert_int_equal(vsg_batch_interval(run, NULL, 1, VSG_BATCHES_OF_MEAN, 0.95, &half_ps),
                     VSG_BATCHED);
    assert_int_equal(half_ps, HALF_19);
    /* Of the 99 %: 2.8609. */
    assert_int_equal(vsg_batch_interval(run, NULL, 1, VSG_BATCHES_OF_MEAN, 0.99, &half_ps),
                     VSG_BATCHED);
    assert_int_equal(half_ps, 656);
    free_result(&r);
}

/* Batches of few and of many IPIs with one mean vary in nothing that matters. */
static void a_batch_weighs_as_many_ipis_as_it_has(void **state)
{
    struct vsg_run_result r;
    const struct vsg_run_result *run[] = {&r};
    int64_t half_ps = 1;
    (void)state;
    made_result(&r);
    made_batches(&r, 10, (uint64_t[]){NS(100)}, 1);
    for (int i = 0; i < VSG_BATCHES; i += 3) {
        r.batch[i].count = 1000;
        r.batch[i].sum_ps = 1000 * NS(100);
    }
    assert_int_equal(vsg_batch_interval(run, NULL, 1, VSG_BATCHES_OF_MEAN, 0.95, &half_ps),
                     VSG_BATCHED);
    assert_int_equal(half_ps, 0);
    free_result(&r);
}

static void batches_that_follow_each_other_give_none(void **state)
{
    uint64_t rising[VSG_BATCHES];
    struct vsg_run_result r;
    const struct vsg_run_result *run[] = {&r};
    struct vsg_latency_figures f = {.mean_ps = NS(110), .ci95_low_ps = VSG_NO_FIGURE};
    int64_t half_ps = 77;
    (void)state;
    for (uint64_t i = 0; i < VSG_BATCHES; i++)
        rising[i] = NS(100 + i);
    made_result(&r);
    made_batches(&r, 50, rising, VSG_BATCHES);
    assert_int_equal(vsg_batch_interval(run, NULL, 1, VSG_BATCHES_OF_MEAN, 0.95, &half_ps),
                     VSG_CORRELATED);
    assert_int_equal(half_ps, 77);
    vsg_batch_figures(run, 1, &f);
    assert_int_equal(f.method, VSG_METHOD_CORRELATED);
    assert_true(f.ci95_low_ps == VSG_NO_FIGURE);
    free_result(&r);
}

static void a_run_without_whole_batches_has_none(void **state)
{
    struct vsg_run_result r;
    const struct vsg_run_result *run[] = {&r};
    int64_t half_ps = 77;
    (void)state;
    made_result(&r);
    assert_int_equal(vsg_batch_interval(run, NULL, 1, VSG_BATCHES_OF_MEAN, 0.95, &half_ps),
                     VSG_UNBATCHED);
    made_batches(&r, 50, turns, 2);
    r.batch[19].count = 0;
    assert_int_equal(vsg_batch_interval(run, NULL, 1, VSG_BATCHES_OF_MEAN, 0.95, &half_ps),
                     VSG_UNBATCHED);
    assert_int_equal(half_ps, 77);
    free_result(&r);
}

/* Two runs: 40 values, deviation sqrt(40/39), t with 39 degrees 2.0227: 0.32390 ns. */
static void batches_of_two_runs_are_pooled(void **state)
{
    struct vsg_run_result r[2];
    const struct vsg_run_result *run[] = {&r[0], &r[1]};
    int64_t half_ps = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        made_result(&r[i]);
        made_batches(&r[i], 50, turns, 2);
    }
    assert_int_equal(vsg_batch_interval(run, NULL, 2, VSG_BATCHES_OF_MEAN, 0.95, &half_ps),
                     VSG_BATCHED);
    assert_int_equal(half_ps, 324);
    for (int i = 0; i < 2; i++)
        free_result(&r[i]);
}

/* Both swing by 50 ns together, and differ by -9 and -11 in turn: what both have cancels out. */
static void a_difference_is_paired_batch_by_batch(void **state)
{
    struct vsg_run_result a, b;
    const struct vsg_run_result *run_a[] = {&a}, *run_b[] = {&b};
    int64_t half_ps = 0;
    (void)state;
    made_result(&a);
    made_result(&b);
    made_batches(&a, 50, (uint64_t[]){NS(100), NS(150)}, 2);
    made_batches(&b, 50, (uint64_t[]){NS(91), NS(139)}, 2);
    assert_int_equal(vsg_batch_interval(run_a, run_b, 1, VSG_BATCHES_OF_MEAN, 0.95, &half_ps),
                     VSG_BATCHED);
    assert_int_equal(half_ps, HALF_19);
    free_result(&a);
    free_result(&b);
}

/* The p99 of a batch needs 30 IPIs above it: 3000 in all. */
static void a_percentile_needs_thirty_ipis_above_it_in_every_batch(void **state)
{
    struct vsg_run_result r;
    const struct vsg_run_result *run[] = {&r};
    (void)state;
    for (uint64_t count = 2999; count <= 3000; count++) {
        struct vsg_latency_figures f = {.mean_ps = NS(100)};
        for (int i = 0; i < VSG_PERCENTILE_COUNT; i++) {
            f.percentile_ps[i] = NS(200);
            f.percentile_low_ps[i] = f.percentile_high_ps[i] = VSG_NO_FIGURE;
        }
        made_result(&r);
        made_batches(&r, count, turns, 2);
        vsg_batch_figures(run, 1, &f);
        assert_int_equal(f.method, VSG_METHOD_BATCHES);
        assert_int_equal(f.ci95_low_ps, NS(100) - HALF_19);
        assert_int_equal(f.ci95_high_ps, NS(100) + HALF_19);
        assert_int_equal(f.percentile_low_ps[1], NS(200) - HALF_19);
        if (count == 3000)
            assert_int_equal(f.percentile_high_ps[2], NS(200) + HALF_19);
        else
            assert_true(f.percentile_high_ps[2] == VSG_NO_FIGURE);
        assert_true(f.percentile_high_ps[3] == VSG_NO_FIGURE);
        assert_true(f.percentile_high_ps[4] == VSG_NO_FIGURE);
        free_result(&r);
    }
}

/* From 5 values of deviation 1, half width 2.7764 / sqrt(5) = 1.2416: for 0.5 it takes 18, since
 * 2.1098 / sqrt(18) is 0.4973 and 2.1199 / sqrt(17) 0.5141. */
static void how_many_replications_it_takes(void **state)
{
    (void)state;
    assert_int_equal(vsg_replications_needed(1241638, 5, 5, 0.95, 500000), 18);
    assert_int_equal(vsg_replications_needed(1241638, 5, 5, 0.95, 1241700), 5);
    assert_int_equal(vsg_replications_needed(1241638, 5, 5, 0.95, 9999999), 5);
    /* 20 batches of one run: t 2.0930, so a replication's deviation is half / 2.0930; with half =
     * 2.0930 again 18. */
    assert_int_equal(vsg_replications_needed(2093024, 20, 1, 0.95, 500000), 18);
    assert_int_equal(vsg_replications_needed(1000, 5, 5, 0.95, 0), UINT32_MAX);
    assert_int_equal(vsg_replications_needed(INT64_MAX, 5, 5, 0.95, 1), UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_of_one_run_give_an_interval),
        cmocka_unit_test(a_batch_weighs_as_many_ipis_as_it_has),
        cmocka_unit_test(batches_that_follow_each_other_give_none),
        cmocka_unit_test(a_run_without_whole_batches_has_none),
        cmocka_unit_test(batches_of_two_runs_are_pooled),
        cmocka_unit_test(a_difference_is_paired_batch_by_batch),
        cmocka_unit_test(a_percentile_needs_thirty_ipis_above_it_in_every_batch),
        cmocka_unit_test(how_many_replications_it_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
