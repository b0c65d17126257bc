/* Goal: batches and bins as batches.h promises. Method: IPIs whose sums are known by arithmetic;
 * the same ones spread over several workers. */
#include "models/batches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void a_known_window_has_twenty_equal_batches(void **state)
{
    struct vsg_batches b;
    struct vsg_batch batch[VSG_BATCHES];
    uint64_t width_ps = 0;
    (void)state;
    /* 1000..3019: 2019 ps are 20 batches of 100 ps and 19 more, which the last one gets. */
    assert_int_equal(vsg_batches_init_known(&b, 1000, 3019, true), VSG_OK);
    for (uint64_t t = 1000; t < 3019; t++)
        vsg_batches_add(&b, t, t - 1000);
    assert_true(vsg_batches_result(&b, 3019, false, batch, &width_ps));
    assert_int_equal(width_ps, 100);
    for (uint64_t i = 0; i < VSG_BATCHES; i++) {
        uint64_t count = i == 19 ? 119 : 100, first = 100 * i;
        assert_int_equal(batch[i].count, count);
        assert_true(batch[i].sum_ps == count * first + count * (count - 1) / 2);
        /* Rank 50 of 100 (60 of 119), rank 90 (108), rank 99 (118), rank 100 (119): the histogram
         * is exact below 2048 ps. */
        assert_int_equal(batch[i].quantile_ps[0], first + (i == 19 ? 59 : 49));
        assert_int_equal(batch[i].quantile_ps[1], first + (i == 19 ? 107 : 89));
        assert_int_equal(batch[i].quantile_ps[2], first + (i == 19 ? 117 : 98));
        assert_int_equal(batch[i].quantile_ps[3], first + count - 1);
    }
    vsg_batches_free(&b);
}

static void an_empty_batch_and_one_without_histogram_have_no_quantiles(void **state)
{
    (void)state;
    for (int quantiles = 0; quantiles < 2; quantiles++) {
        struct vsg_batches b;
        struct vsg_batch batch[VSG_BATCHES];
        uint64_t width_ps = 0;
        assert_int_equal(vsg_batches_init_known(&b, 0, 2000, quantiles), VSG_OK);
        vsg_batches_add(&b, 150, 7);
        assert_true(vsg_batches_result(&b, 2000, false, batch, &width_ps));
        assert_int_equal(batch[0].count, 0);
        assert_true(batch[0].quantile_ps[0] == UINT64_MAX);
        assert_true(batch[1].quantile_ps[0] == (quantiles ? 7 : UINT64_MAX));
        vsg_batches_free(&b);
    }
}

/* 5000 IPIs, 3 ps apart, the k-th of them taking k + 1 ps. */
enum { IPIS = 5000, APART = 3, START = 500 };

static void add_all(struct vsg_batches *b, unsigned worker, unsigned workers)
{
    for (unsigned k = worker; k < IPIS; k += workers)
        vsg_batches_add(b, START + k * APART, k + 1);
}

/* The last is meant at 14997 ps after the start: bins of 8 ps reach up to 16384 ps. */
static void bins_double_until_all_fit(void **state)
{
    struct vsg_batches b;
    (void)state;
    assert_int_equal(vsg_batches_init_bins(&b, START), VSG_OK);
    add_all(&b, 0, 1);
    assert_int_equal(b.shift, 3);
    uint64_t count = 0;
    vsg_u128 sum_ps = 0;
    for (uint32_t i = 0; i < VSG_BINS; i++) {
        uint64_t in_bin = 0;
        for (uint64_t t = 8 * i; t < 8 * (i + 1); t++)
            in_bin += t % APART == 0 && t / APART < IPIS;
        assert_int_equal(b.sum[i].count, in_bin);
        count += b.sum[i].count;
        sum_ps += b.sum[i].sum_ps;
    }
    assert_int_equal(count, IPIS);
    assert_true(sum_ps == (vsg_u128)IPIS * (IPIS + 1) / 2);
    vsg_batches_free(&b);
}

static void any_number_of_workers_gives_the_same(void **state)
{
    struct vsg_batches one;
    (void)state;
    assert_int_equal(vsg_batches_init_bins(&one, START), VSG_OK);
    add_all(&one, 0, 1);
    /* Of 6000 workers all but 5000 see nothing, most of them one early or one late IPI. */
    for (unsigned workers = 1; workers <= 6000; workers += workers < 5 ? 1 : 5995) {
        struct vsg_batches all, part;
        assert_int_equal(vsg_batches_init_bins(&all, START), VSG_OK);
        for (unsigned w = workers; w-- > 0;) {
            assert_int_equal(vsg_batches_init_bins(&part, START), VSG_OK);
            add_all(&part, w, workers);
            vsg_batches_merge(&all, &part);
            vsg_batches_free(&part);
        }
        assert_int_equal(all.shift, one.shift);
        for (uint32_t i = 0; i < VSG_BINS; i++) {
            assert_int_equal(all.sum[i].count, one.sum[i].count);
            assert_true(all.sum[i].sum_ps == one.sum[i].sum_ps);
        }
        vsg_batches_free(&all);
    }
    vsg_batches_free(&one);
}

static void batches_of_bins_take_as_many_whole_ones_each(void **state)
{
    struct vsg_batches b;
    struct vsg_batch batch[VSG_BATCHES];
    uint64_t width_ps = 0;
    (void)state;
    assert_int_equal(vsg_batches_init_bins(&b, START), VSG_OK);
    add_all(&b, 0, 1);
    /* A window of 15000 ps has 1875 bins of 8 ps, 93 for each batch: 744 ps with 248 IPIs. */
    assert_true(vsg_batches_result(&b, START + 15000, false, batch, &width_ps));
    assert_int_equal(width_ps, 744);
    for (uint64_t i = 0; i < VSG_BATCHES; i++) {
        assert_int_equal(batch[i].count, 248);
        assert_true(batch[i].sum_ps == 248 * (248 * i + 1) + 248 * 247 / 2);
        assert_true(batch[i].quantile_ps[0] == UINT64_MAX);
    }
    /* An end before the last IPI: 100 bins, 5 each. */
    assert_true(vsg_batches_result(&b, START + 807, false, batch, &width_ps));
    assert_int_equal(width_ps, 40);
    /* 19 whole bins are too few. */
    assert_false(vsg_batches_result(&b, START + 159, false, batch, &width_ps));
    assert_false(vsg_batches_result(&b, START, false, batch, &width_ps));
    vsg_batches_free(&b);
}

/* Counting began 100 ps after the start: bin 12 (96..103) is not whole. */
static void a_late_start_leaves_out_the_torn_bin(void **state)
{
    struct vsg_batches b;
    struct vsg_batch batch[VSG_BATCHES];
    uint64_t width_ps = 0;
    (void)state;
    assert_int_equal(vsg_batches_init_bins(&b, 0), VSG_OK);
    for (uint64_t t = 100; t < 16384; t++)
        vsg_batches_add(&b, t, 1);
    /* Bins 13..2047 are 2035: 101 each. */
    assert_true(vsg_batches_result(&b, 16384, true, batch, &width_ps));
    assert_int_equal(width_ps, 808);
    for (int i = 0; i < VSG_BATCHES; i++)
        assert_int_equal(batch[i].count, 808);
    vsg_batches_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_window_has_twenty_equal_batches),
        cmocka_unit_test(an_empty_batch_and_one_without_histogram_have_no_quantiles),
        cmocka_unit_test(bins_double_until_all_fit),
        cmocka_unit_test(any_number_of_workers_gives_the_same),
        cmocka_unit_test(batches_of_bins_take_as_many_whole_ones_each),
        cmocka_unit_test(a_late_start_leaves_out_the_torn_bin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
