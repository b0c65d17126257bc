/* Goal: the error bound, the exact ranks, the merging and the .hgrm text promised in hist.h.
 * Method: compare with the exact answer by arithmetic, never with a number an
 * earlier run printed. */
#include "engine/hist.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct vsg_hist *new_hist(unsigned sub_bits)
{
    struct vsg_hist *h = NULL;
    assert_int_equal(vsg_hist_new(sub_bits, &h), VSG_OK);
    return h;
}

static uint64_t quantile(const struct vsg_hist *h, uint32_t q_ppm)
{
    uint64_t ps = UINT64_MAX;
    assert_int_equal(vsg_hist_quantile(h, q_ppm, &ps), VSG_OK);
    return ps;
}

static void quantile_is_at_most_one_part_in_2_to_the_b_above(void **state)
{
    (void)state;
    for (unsigned b = 1; b <= 14; b++)
        for (unsigned bit = 0; bit <= 50; bit++) /* 2^bit - 1, 2^bit, 2^bit + 1: */
            for (uint64_t d = 0; d < 3; d++) {   /* where a bucket index can slip */
                uint64_t true_ps = (UINT64_C(1) << bit) + d - 1;
                struct vsg_hist *h = new_hist(b);
                if (true_ps > VSG_HIST_LIMIT_PS)
                    true_ps = VSG_HIST_LIMIT_PS;
                vsg_hist_record(h, true_ps);
                assert_int_equal(vsg_hist_clipped(h), 0);
                if (true_ps < UINT64_C(2) << b)
                    assert_true(quantile(h, 500000) == true_ps);
                else
                    assert_in_range(quantile(h, 500000), true_ps, true_ps + ((true_ps - 1) >> b));
                vsg_hist_free(h);
            }
}

static void buckets_tile_the_range(void **state)
{
    (void)state;
    for (unsigned b = 1; b <= 14; b++) {
        struct vsg_hist *h = new_hist(b);
        size_t n = vsg_hist_bucket_count(h);
        uint64_t low_ps = 0;
        assert_int_equal(vsg_hist_sub_bits(h), b);
        for (size_t i = 0; i < n; i++) { /* both ends of each bucket land in it */
            uint64_t top_ps = vsg_hist_bucket_top_ps(h, i);
            assert_true(top_ps >= low_ps);
            vsg_hist_record(h, low_ps);
            vsg_hist_record(h, top_ps);
            assert_int_equal(vsg_hist_bucket(h, i), 2);
            low_ps = top_ps + 1;
        }
        assert_true(low_ps == VSG_HIST_LIMIT_PS + 1);
        assert_int_equal(vsg_hist_count(h), 2 * n);
        vsg_hist_free(h);
    }
}

static void rank_is_the_ceiling_of_q_times_count(void **state)
{
    struct vsg_hist *h = new_hist(10);
    (void)state;
    for (uint64_t v = 1; v <= 100; v++)
        vsg_hist_record(h, 101 - v); /* the samples 1..100: the k-th is k */
    assert_int_equal(quantile(h, 0), 1);
    assert_int_equal(quantile(h, 1), 1);
    assert_int_equal(quantile(h, 10000), 1);
    assert_int_equal(quantile(h, 10001), 2);
    for (uint32_t k = 1; k <= 100; k++)
        assert_int_equal(quantile(h, k * 10000), k); /* 0.55 among them */
    assert_int_equal(quantile(h, 550001), 56);
    vsg_hist_free(h);

    h = new_hist(10); /* 2^60 samples: count * q needs 80 bits */
    assert_int_equal(vsg_hist_add_bucket(h, 5, UINT64_C(1) << 59), VSG_OK);
    assert_int_equal(vsg_hist_add_bucket(h, 9, UINT64_C(1) << 59), VSG_OK);
    assert_int_equal(quantile(h, 500000), 5);
    assert_int_equal(quantile(h, 500001), 9);
    vsg_hist_free(h);
}

static void long_samples_are_clipped(void **state)
{
    struct vsg_hist *h = new_hist(5);
    (void)state;
    vsg_hist_record(h, VSG_HIST_LIMIT_PS + 1);
    vsg_hist_record(h, UINT64_MAX);
    vsg_hist_record(h, 3);
    vsg_hist_add_clipped(h, 1);
    assert_int_equal(vsg_hist_clipped(h), 3);
    assert_int_equal(vsg_hist_count(h), 4);
    assert_int_equal(quantile(h, 250000), 3);
    assert_true(quantile(h, 250001) == VSG_HIST_LIMIT_PS);
    vsg_hist_free(h);
}

static void merging_in_any_order_gives_the_same(void **state)
{
    struct vsg_hist *part[3], *whole = new_hist(6), *forward = new_hist(6), *back = new_hist(6);
    (void)state;
    for (int i = 0; i < 3; i++)
        part[i] = new_hist(6);
    for (uint64_t k = 0; k < 3000; k++) {
        uint64_t v = k * k * k * 1009 + (k % 500 == 0 ? VSG_HIST_LIMIT_PS + 1 : 0);
        vsg_hist_record(part[k % 3], v);
        vsg_hist_record(whole, v);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(vsg_hist_merge(forward, part[i]), VSG_OK);
        assert_int_equal(vsg_hist_merge(back, part[2 - i]), VSG_OK);
    }
    assert_int_equal(vsg_hist_count(whole), 3000);
    assert_int_equal(vsg_hist_clipped(whole), 6);
    assert_int_equal(vsg_hist_clipped(forward), 6);
    assert_int_equal(vsg_hist_count(back), 3000);
    for (size_t i = 0; i < vsg_hist_bucket_count(whole); i++) {
        assert_int_equal(vsg_hist_bucket(forward, i), vsg_hist_bucket(whole, i));
        assert_int_equal(vsg_hist_bucket(back, i), vsg_hist_bucket(whole, i));
    }
    for (uint32_t q = 0; q <= 1000000; q += 1000)
        assert_true(quantile(forward, q) == quantile(whole, q));
    for (int i = 0; i < 3; i++)
        vsg_hist_free(part[i]);
    vsg_hist_free(whole);
    vsg_hist_free(forward);
    vsg_hist_free(back);
}

static void a_transported_histogram_is_the_same(void **state)
{
    struct vsg_hist *h = new_hist(10), *copy = new_hist(10);
    char *a = NULL, *b = NULL;
    (void)state;
    for (uint64_t k = 1; k < 500; k++)
        vsg_hist_record(h, k * k * 777);
    for (size_t i = 0; i < vsg_hist_bucket_count(h); i++)
        assert_int_equal(vsg_hist_add_bucket(copy, i, vsg_hist_bucket(h, i)), VSG_OK);
    assert_int_equal(vsg_hist_hgrm(h, &a), VSG_OK);
    assert_int_equal(vsg_hist_hgrm(copy, &b), VSG_OK);
    assert_string_equal(a, b);
    free(a);
    free(b);
    vsg_hist_free(h);
    vsg_hist_free(copy);
}

static void hgrm_of_ten_samples_by_hand(void **state)
{
    /* 1..10 ns; with 14 sub-bits all are exact (below 32768 ps). The percentiles
     * are 5 to each half of the rest; their ranks are ceil(10 p), at least 1. Mean 5.5,
     * variance (10^2 - 1) / 12 = 8.25, deviation 2.872. */
    static const char expected[] = "       Value     Percentile TotalCount 1/(1-Percentile)\n"
                                   "\n"
                                   "       1.000 0.000000000000          1           1.00\n"
                                   "       1.000 0.100000000000          1           1.11\n"
                                   "       2.000 0.200000000000          2           1.25\n"
                                   "       3.000 0.300000000000          3           1.43\n"
                                   "       4.000 0.400000000000          4           1.67\n"
                                   "       5.000 0.500000000000          5           2.00\n"
                                   "       6.000 0.550000000000          6           2.22\n"
                                   "       6.000 0.600000000000          6           2.50\n"
                                   "       7.000 0.650000000000          7           2.86\n"
                                   "       7.000 0.700000000000          7           3.33\n"
                                   "       8.000 0.750000000000          8           4.00\n"
                                   "       8.000 0.775000000000          8           4.44\n"
                                   "       8.000 0.800000000000          8           5.00\n"
                                   "       9.000 0.825000000000          9           5.71\n"
                                   "       9.000 0.850000000000          9           6.67\n"
                                   "       9.000 0.875000000000          9           8.00\n"
                                   "       9.000 0.887500000000          9           8.89\n"
                                   "       9.000 0.900000000000          9          10.00\n"
                                   "      10.000 1.000000000000         10\n"
                                   "#[Mean    =        5.500, StdDeviation   =        2.872]\n"
                                   "#[Max     =       10.000, Total count    =           10]\n"
                                   "#[Buckets =           37, SubBuckets     =        16384]\n";
    struct vsg_hist *h = new_hist(14);
    char *text = NULL;
    (void)state;
    for (uint64_t ns = 1; ns <= 10; ns++)
        vsg_hist_record(h, ns * 1000);
    assert_int_equal(vsg_hist_hgrm(h, &text), VSG_OK);
    assert_string_equal(text, expected);
    free(text);
    vsg_hist_free(h);
}

static void mean_of_one_exact_sample_is_the_sample(void **state)
{
    struct vsg_hist *h = new_hist(14);
    char *text = NULL;
    (void)state;
    vsg_hist_record(h, 5); /* half a ps less would print as 0.004 */
    assert_int_equal(vsg_hist_hgrm(h, &text), VSG_OK);
    assert_non_null(strstr(text, "#[Mean    =        0.005, StdDeviation   =        0.000]"));
    free(text);
    vsg_hist_free(h);
}

/* Read back as a plotter does: values and counts never fall, the last line is 1 and all. */
static void hgrm_reads_back(void **state)
{
    struct vsg_hist *h = new_hist(10);
    char *text = NULL, *save = NULL;
    double value, p = 0, last_value = 0, last_p = 0, mean = 0, sd = 0;
    unsigned long long covered = 0, last_covered = 0;
    int lines = 0;
    (void)state;
    for (uint64_t k = 0; k < 100000; k++) /* evenly over 0..1 ms */
        vsg_hist_record(h, k * 10000);
    vsg_hist_record(h, VSG_HIST_LIMIT_PS + 5);
    assert_int_equal(vsg_hist_hgrm(h, &text), VSG_OK);
    assert_non_null(strstr(text, "#[Clipped =            1,"));
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (sscanf(line, "#[Mean = %lf, StdDeviation = %lf", &mean, &sd) == 2)
            continue;
        if (sscanf(line, "%lf %lf %llu", &value, &p, &covered) != 3)
            continue;
        assert_true(value >= last_value && p > last_p - (lines == 0) && covered >= last_covered);
        assert_true((double)covered >= p * 100001 * 0.999999);
        if (p > 0 && p < 0.9999) /* the sample of rank r is (r - 1) * 10 ns */
            assert_true(fabs(value / (p * 1e6) - 1) < 0.0011);
        last_value = value;
        last_p = p;
        last_covered = covered;
        lines++;
    }
    /* ticks for halves 0..16 while 100001 * (10 - t) / 10 / 2^half >= 1, then the last:
     * all 5 of 0..15; of half 16 (1.53 * (10 - t) / 10 >= 1) t = 0, 1, 2, 3. */
    assert_int_equal(lines, 16 * 5 + 4 + 1);
    assert_true(last_p == 1.0 && last_covered == 100001);
    /* The clipped sample counts as 2^50 ps: mean (499995 * 10^5 + 2^50 / 10^3) / 100001. */
    assert_true(fabs(mean / ((499995e5 + 1125899906842.624) / 100001) - 1) < 1e-3);
    assert_true(fabs(sd / (1125899906842.624 / sqrt(100001)) - 1) < 1e-3);
    free(text);
    vsg_hist_free(h);
}

static void every_error_is_provoked(void **state)
{
    struct vsg_hist *h = NULL, *other = new_hist(6);
    uint64_t ps = 42;
    char *text = NULL;
    (void)state;
    assert_int_equal(vsg_hist_new(0, &h), VSG_ERANGE);
    assert_int_equal(vsg_hist_new(15, &h), VSG_ERANGE);
    assert_null(h);
    h = new_hist(5);
    assert_int_equal(vsg_hist_quantile(h, 500000, &ps), VSG_ENODATA);
    assert_int_equal(vsg_hist_hgrm(h, &text), VSG_ENODATA);
    assert_null(text);
    vsg_hist_record(h, 1);
    assert_int_equal(vsg_hist_quantile(h, 1000001, &ps), VSG_ERANGE);
    assert_int_equal(ps, 42);
    vsg_hist_record(other, 7);
    assert_int_equal(vsg_hist_merge(h, other), VSG_EINVAL);
    assert_int_equal(vsg_hist_count(h), 1);
    assert_int_equal(quantile(h, 1000000), 1);
    assert_int_equal(vsg_hist_add_bucket(h, vsg_hist_bucket_count(h), 1), VSG_ERANGE);
    assert_int_equal(vsg_hist_count(h), 1);
    vsg_hist_free(h);
    vsg_hist_free(other);
    vsg_hist_free(NULL);
}

static void a_trimmed_histogram_reads_the_same(void **state)
{
    (void)state;
    struct vsg_hist *h = new_hist(10), *whole = new_hist(10), *sum = new_hist(10);
    const uint64_t sample_ps[] = {1, 700000, 700000, 900001, 2 * VSG_HIST_LIMIT_PS};
    assert_int_equal(vsg_hist_trim(&h), VSG_OK); /* an empty one */
    assert_int_equal(vsg_hist_count(h), 0);
    assert_int_equal(vsg_hist_end(h), 0);
    vsg_hist_free(h);
    for (size_t from = 0; from < 2; from++) { /* with and without the very first buckets */
        h = new_hist(10);
        for (size_t i = from; i < sizeof sample_ps / sizeof sample_ps[0]; i++) {
            vsg_hist_record(h, sample_ps[i]);
            vsg_hist_record(whole, sample_ps[i]);
        }
        assert_int_equal(vsg_hist_trim(&h), VSG_OK);
        assert_int_equal(vsg_hist_count(h), 5 - from);
        assert_int_equal(vsg_hist_clipped(h), 1);
        assert_int_equal(quantile(h, 0), from ? 700000 / 512 * 512 + 511 : 1);
        assert_int_equal(quantile(h, 1000000), VSG_HIST_LIMIT_PS);
        assert_int_equal(vsg_hist_merge(sum, h), VSG_OK);
        vsg_hist_free(h);
    }
    for (size_t i = 0; i < vsg_hist_bucket_count(sum); i++)
        assert_int_equal(vsg_hist_bucket(sum, i), vsg_hist_bucket(whole, i));
    assert_int_equal(vsg_hist_end(sum), vsg_hist_end(whole));
    vsg_hist_free(whole);
    vsg_hist_free(sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantile_is_at_most_one_part_in_2_to_the_b_above),
        cmocka_unit_test(buckets_tile_the_range),
        cmocka_unit_test(rank_is_the_ceiling_of_q_times_count),
        cmocka_unit_test(long_samples_are_clipped),
        cmocka_unit_test(merging_in_any_order_gives_the_same),
        cmocka_unit_test(a_transported_histogram_is_the_same),
        cmocka_unit_test(a_trimmed_histogram_reads_the_same),
        cmocka_unit_test(hgrm_of_ten_samples_by_hand),
        cmocka_unit_test(mean_of_one_exact_sample_is_the_sample),
        cmocka_unit_test(hgrm_reads_back),
        cmocka_unit_test(every_error_is_provoked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
