/* Goal: the errors and exact answers promised in stats.h. Method: published tables; the
 * distribution of T in closed form (Abramowitz and Stegun 26.7.3, 26.7.4, with libm, in this
 * test only); integers small enough to be added by hand, and large enough to overflow. */
#include "engine/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void published_tables_agree(void **state)
{
    static const struct {
        double level;
        uint32_t df;
        double t, half_digit; /* as printed in the tables, and half of the last digit */
    } row[] = {
        {0.95, 1, 12.706, 5e-4},   {0.95, 2, 4.303, 5e-4},    {0.95, 3, 3.182, 5e-4},
        {0.95, 4, 2.776, 5e-4},    {0.95, 5, 2.571, 5e-4},    {0.95, 6, 2.447, 5e-4},
        {0.95, 7, 2.365, 5e-4},    {0.95, 8, 2.306, 5e-4},    {0.95, 9, 2.262, 5e-4},
        {0.95, 10, 2.228, 5e-4},   {0.95, 14, 2.145, 5e-4},   {0.95, 15, 2.131, 5e-4},
        {0.95, 19, 2.093, 5e-4},   {0.95, 20, 2.086, 5e-4},   {0.95, 29, 2.045, 5e-4},
        {0.95, 30, 2.042, 5e-4},   {0.95, 40, 2.021, 5e-4},   {0.95, 60, 2.000, 5e-4},
        {0.95, 80, 1.990, 5e-4},   {0.95, 100, 1.984, 5e-4},  {0.95, 120, 1.980, 5e-4},
        {0.95, 1000, 1.962, 5e-4}, {0.99, 1, 63.657, 5e-4},   {0.99, 2, 9.925, 5e-4},
        {0.99, 5, 4.032, 5e-4},    {0.99, 10, 3.169, 5e-4},   {0.99, 30, 2.750, 5e-4},
        {0.999, 1, 636.619, 5e-4}, {0.999, 2, 31.599, 5e-4},  {0.999, 3, 12.924, 5e-4},
        {0.999, 5, 6.869, 5e-4},   {0.999, 10, 4.587, 5e-4},  {0.999, 30, 3.646, 5e-4},
        {0.999, 60, 3.460, 5e-4},  {0.999, 120, 3.373, 6e-4}, {0.50, 1, 1.000, 5e-4},
        {0.80, 5, 1.476, 5e-4},    {0.90, 20, 1.725, 5e-4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        if (fabs(vsg_t_quantile(row[i].level, row[i].df) - row[i].t) > row[i].half_digit)
            fail_msg("t(%g, %u) = %.7f is not %.3f", row[i].level, row[i].df,
                     vsg_t_quantile(row[i].level, row[i].df), row[i].t);
    assert_true(fabs(vsg_t_quantile(0.95, UINT32_MAX) - 1.959963984540) < 1e-9);
    assert_true(fabs(vsg_t_quantile(0.9999, UINT32_MAX) - 3.890591886413) < 1e-8);
}

/* P(|T| > t) as a finite sum, in the angle whose tangent is t / sqrt(df). */
static long double tail_by_sum(long double t, uint32_t df)
{
    long double pi = acosl(-1), angle = atanl(t / sqrtl(df));
    long double c = cosl(angle), s = sinl(angle), sum = 0, term;
    if (df % 2) {
        term = c;
        for (uint32_t k = 1; k + 2 <= df; k += 2) {
            sum += term;
            term *= c * c * (k + 1) / (k + 2);
        }
        return 2 / pi * (atanl(sqrtl(df) / t) - s * sum);
    }
    term = 1;
    for (uint32_t k = 0; k + 2 <= df; k += 2) {
        sum += term;
        term *= c * c * (k + 1) / (k + 2);
    }
    return 1 - s * sum;
}

/* The step of long double at 1, as it is computed here: valgrind has 53 bits for it, not 64. */
static long double rounding(void)
{
    volatile long double step = 1, sum = 1.5L;
    while (sum > 1) {
        step /= 2;
        sum = 1 + step / 2;
    }
    return step;
}

static void quantiles_solve_the_closed_form(void **state)
{
    static const double tail[] = {0.999, 0.9,  0.5,        0.2,  0.1,  0.05, 0.05 / 3,
                                  0.01,  1e-3, 0.05 / 100, 1e-4, 1e-6, 1e-9};
    static const uint32_t large[] = {500, 501, 1000, 2001, 5000, 9999, 10000, 10001, 20000, 100001};
    (void)state;
    for (size_t i = 0; i < sizeof tail / sizeof tail[0]; i++)
        for (uint32_t k = 0; k < 200 + sizeof large / sizeof large[0]; k++) {
            uint32_t df = k < 200 ? k + 1 : large[k - 200];
            double level = 1 - tail[i];
            long double t = vsg_t_quantile(level, df), want = 1 - (long double)level;
            /* The tail must be right within what an error of 1e-9 of t makes of it, and the
             * rounding of the sum. */
            long double slack = rounding() * (100 + df);
            long double low = tail_by_sum(t * (1 + 1e-9L), df);
            long double high = tail_by_sum(t * (1 - 1e-9L), df);
            if (!(low <= want + slack && want <= high + slack))
                fail_msg("t(1 - %g, %u) = %.12Lf: tail %.17Lg..%.17Lg, not %.17Lg", tail[i], df, t,
                         low, high, want);
        }
}

static void one_and_two_degrees_are_elementary(void **state)
{
    (void)state;
    for (int percent = 1; percent < 100; percent++) {
        double level = percent / 100.0;
        double one = tan(acos(-1) * level / 2), two = level * sqrt(2 / (1 - level * level));
        assert_true(fabs(vsg_t_quantile(level, 1) / one - 1) < 1e-12);
        assert_true(fabs(vsg_t_quantile(level, 2) / two - 1) < 1e-12);
    }
}

static void interval_of_five_values_by_hand(void **state)
{
    const double value[] = {752, 748, 750, 749, 751};
    struct vsg_interval v;
    (void)state;
    /* Mean 750, squares 4 + 4 + 0 + 1 + 1 = 10, stddev sqrt(10 / 4), t(0.95, 4) = 2.7764451,
     * half width 2.7764451 * sqrt(2.5 / 5). */
    assert_int_equal(vsg_mean_interval(value, 5, 0.95, &v), VSG_OK);
    assert_true(v.mean == 750);
    assert_true(v.stddev == sqrt(2.5));
    assert_true(fabs(v.half_width - 2.7764451052 * sqrt(0.5)) < 1e-8);
    /* Three such intervals at once. */
    assert_int_equal(vsg_mean_interval(value, 5, 1 - 0.05 / 3, &v), VSG_OK);
    assert_true(fabs(v.half_width / sqrt(0.5) - vsg_t_quantile(1 - 0.05 / 3, 4)) < 1e-12);
}

static void equal_values_have_no_width(void **state)
{
    double value[7];
    struct vsg_interval v;
    (void)state;
    for (int i = 0; i < 7; i++)
        value[i] = 0.1; /* 0.1 * 7 / 7 is not 0.1 in doubles */
    assert_int_equal(vsg_mean_interval(value, 7, 0.95, &v), VSG_OK);
    assert_true(v.mean == 0.1 && v.stddev == 0 && v.half_width == 0);
}

static void interval_errors_leave_the_result_alone(void **state)
{
    const double value[] = {1, 2};
    struct vsg_interval v = {.mean = 42};
    (void)state;
    assert_int_equal(vsg_mean_interval(value, 0, 0.95, &v), VSG_ENODATA);
    assert_int_equal(vsg_mean_interval(value, 1, 0.95, &v), VSG_ENODATA);
    assert_int_equal(vsg_mean_interval(value, 2, 0, &v), VSG_ERANGE);
    assert_int_equal(vsg_mean_interval(value, 2, 1, &v), VSG_ERANGE);
    assert_int_equal(vsg_mean_interval(value, 2, (double)NAN, &v), VSG_ERANGE);
    assert_true(v.mean == 42);
}

static void isqrt_is_the_floor(void **state)
{
    (void)state;
    assert_true(vsg_stats_isqrt(0) == 0);
    assert_true(vsg_stats_isqrt(~(unsigned __int128)0) == UINT64_MAX);
    for (uint64_t r = 1; r < UINT64_MAX / 3; r = r * 3 + 1) {
        unsigned __int128 square = (unsigned __int128)r * r;
        assert_true(vsg_stats_isqrt(square) == r);
        assert_true(vsg_stats_isqrt(square - 1) == r - 1);
        assert_true(vsg_stats_isqrt(square + 2 * r) == r);
        assert_true(vsg_stats_isqrt(square + 2 * r + 1) == r + 1);
    }
}

static void variance_is_exact(void **state)
{
    double v = -1, sd = -1;
    unsigned __int128 sum = 0, square = 0;
    (void)state;
    /* 1, 2, 4: mean 7/3, variance 7/3. */
    assert_int_equal(vsg_stats_variance(3, 7, 21, &v), VSG_OK);
    assert_true(fabs(v - 7.0 / 3) < 1e-15);
    /* The same on top of 10^15: in doubles, the squares (10^30) would swallow it all. */
    for (uint64_t k = 1; k <= 4; k *= 2) {
        uint64_t x = UINT64_C(1000000000000000) + k;
        sum += x;
        square += (unsigned __int128)x * x;
    }
    assert_int_equal(vsg_stats_variance(3, sum, square, &v), VSG_OK);
    assert_true(fabs(v - 7.0 / 3) < 1e-15);
    assert_int_equal(vsg_stats_stddev_ns(3, sum, square, &sd), VSG_OK);
    assert_true(fabs(sd - sqrt(7.0 / 3) / 1000) < 1e-18);
    /* Equal values: 0, whatever their size; n * square_sum has 180 bits here. */
    sum = (unsigned __int128)999999999999 * UINT64_C(100000000000000);
    square = sum * 999999999999;
    assert_int_equal(vsg_stats_variance(UINT64_C(100000000000000), sum, square, &v), VSG_OK);
    assert_true(v == 0);
    /* n zeros and n ones: n / 2 * (1 / 2)^2 * 2 = n / 2 about the mean, over 2 n - 1. */
    for (uint64_t n = 1; n < UINT64_C(1) << 62; n *= 5) {
        assert_int_equal(vsg_stats_variance(2 * n, n, n, &v), VSG_OK);
        assert_true(fabs(v / ((double)n / 2 / (double)(2 * n - 1)) - 1) < 1e-15);
    }
    /* 1..1000: (n^2 - 1) / 12 * n / (n - 1) = n (n + 1) / 12. */
    assert_int_equal(vsg_stats_variance(1000, 500500, 333833500, &v), VSG_OK);
    assert_true(fabs(v - 1001000.0 / 12) < 1e-10);
}

static void variance_errors(void **state)
{
    double v = 42, sd = 42;
    (void)state;
    assert_int_equal(vsg_stats_variance(0, 0, 0, &v), VSG_ENODATA);
    assert_int_equal(vsg_stats_variance(1, 5, 25, &v), VSG_ENODATA);
    assert_int_equal(vsg_stats_stddev_ns(1, 5, 25, &sd), VSG_ENODATA);
    assert_int_equal(vsg_stats_variance(2, 10, 49, &v), VSG_EINVAL); /* 5, 5 have 50 */
    assert_int_equal(vsg_stats_variance(2, 11, 60, &v), VSG_EINVAL); /* 5, 6 have 61 */
    assert_int_equal(vsg_stats_stddev_ns(2, 10, 49, &sd), VSG_EINVAL);
    assert_true(v == 42 && sd == 42);
}

/* P(Bin(n, 0.95) < k) with libm's logarithm of the gamma function. */
static double fewer_than(uint32_t n, uint32_t k)
{
    double p = 0;
    for (uint32_t j = 0; j < k; j++)
        p += exp(lgamma(n + 1.0) - lgamma(j + 1.0) - lgamma(n - j + 1.0) + j * log(0.95) +
                 (n - j) * log(0.05));
    return p;
}

static void acceptance_counts(void **state)
{
    (void)state;
    assert_int_equal(vsg_stats_accept_min(15), 10);
    assert_int_equal(vsg_stats_accept_min(18), 12);
    assert_int_equal(vsg_stats_accept_min(66), 55);
    assert_int_equal(vsg_stats_accept_min(198), 175);
    assert_int_equal(vsg_stats_accept_min(0), 0);
    for (uint32_t n = 1; n <= 1000; n += 1 + n / 10) {
        uint32_t k = vsg_stats_accept_min(n);
        assert_true(fewer_than(n, k) < 1e-4);
        assert_true(fewer_than(n, k + 1) >= 1e-4);
    }
    /* The bound of the normal approximation: mean - 3.72 sd, within two. */
    assert_in_range(vsg_stats_accept_min(10000), 9419 - 4, 9419 + 2);
}

/* By hand. Up and down by 1: 19 steps of 2, squares 20: c = 1 - 76/40. One up each time: squares
 * 20 * 399 / 12 = 665, c = 1 - 19/1330. Deviation of c: sqrt(18/399) = 0.212399. */
static void neighbours_are_compared(void **state)
{
    double value[20];
    (void)state;
    for (int i = 0; i < 20; i++)
        value[i] = 1e9 + (i % 2 ? 1 : -1);
    assert_true(fabs(vsg_lag1_z(value, 20) + 0.9 / 0.2123977) < 1e-4);
    for (int i = 0; i < 20; i++)
        value[i] = -3 * i;
    assert_true(fabs(vsg_lag1_z(value, 20) - 0.9857143 / 0.2123977) < 1e-4);
    for (int i = 0; i < 20; i++)
        value[i] = 0.1;
    assert_true(vsg_lag1_z(value, 20) == 0);
    /* 0, 0, 3: squares 6, one step of 3: c = 1 - 9/12, deviation sqrt(1/8). */
    assert_true(fabs(vsg_lag1_z((double[]){0, 0, 3}, 3) - 0.25 * sqrt(8)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_tables_agree),
        cmocka_unit_test(quantiles_solve_the_closed_form),
        cmocka_unit_test(one_and_two_degrees_are_elementary),
        cmocka_unit_test(interval_of_five_values_by_hand),
        cmocka_unit_test(equal_values_have_no_width),
        cmocka_unit_test(interval_errors_leave_the_result_alone),
        cmocka_unit_test(isqrt_is_the_floor),
        cmocka_unit_test(variance_is_exact),
        cmocka_unit_test(variance_errors),
        cmocka_unit_test(acceptance_counts),
        cmocka_unit_test(neighbours_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
