/* Goal: quantiles, mean and cv of the tables as dist.h promises, monotone draws, exact
 * uniform draws. Method: closed-form quantiles from libm (in this test only); moments
 * over all 2^32 words, exactly: between two of a table's points the draws lie on a line,
 * so that the sum over such a stretch is that of an arithmetic series. */
#include "engine/dist.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct vsg_sampler *make(struct vsg_dist d)
{
    struct vsg_sampler *s = NULL;
    assert_int_equal(vsg_sampler_new(&d, &s), VSG_OK);
    return s;
}

static struct vsg_dist exponential(uint64_t mean_ps)
{
    return (struct vsg_dist){.kind = VSG_DIST_EXPONENTIAL, .mean_ps = mean_ps};
}

static struct vsg_dist lognormal(uint64_t mean_ps, uint32_t cv_ppm)
{
    return (struct vsg_dist){.kind = VSG_DIST_LOGNORMAL, .mean_ps = mean_ps, .cv_ppm = cv_ppm};
}

static struct vsg_dist uniform(uint64_t low_ps, uint64_t high_ps)
{
    return (struct vsg_dist){.kind = VSG_DIST_UNIFORM,
                             .mean_ps = (low_ps + high_ps) / 2,
                             .low_ps = low_ps,
                             .high_ps = high_ps};
}

/* Sum over n words of a line from a to b: values a + (b - a) k / (n - 1), and their squares. */
static void add_line(long double a, long double b, long double n, long double *sum,
                     long double *square)
{
    long double slope = n > 1 ? (b - a) / (n - 1) : 0;
    *sum += n * (a + b) / 2;
    *square += n * a * a + a * slope * n * (n - 1) + slope * slope * (n - 1) * n * (2 * n - 1) / 6;
}

/* Mean and cv over all words. A stretch never crosses a table point: in each half, t and
 * t + n lie in one octave and n divides its 128th part. A mean of 10^11 ps or more makes the
 * rounding to whole ps invisible. */
static void moments(const struct vsg_sampler *s, long double *mean, long double *cv)
{
    long double sum = 0, square = 0;
    for (int upper = 0; upper < 2; upper++)
        for (uint64_t t = 0; t < UINT64_C(1) << 31;) {
            uint64_t n = 1;
            while (n * 256 <= t)
                n *= 2;
            uint32_t first = (uint32_t)t, last = (uint32_t)(t + n - 1);
            add_line((long double)vsg_sampler_draw(s, upper ? ~first : first),
                     (long double)vsg_sampler_draw(s, upper ? ~last : last), (long double)n, &sum,
                     &square);
            t += n;
        }
    *mean = sum / 4294967296.0L;
    *cv = sqrtl(square / 4294967296.0L / *mean / *mean - 1);
}

static void mean_and_cv_hold(void **state)
{
    static const struct {
        uint32_t cv_ppm;
        double tolerance;
    } promise[] = {{1000, 1e-3},    {10000, 1e-3},   {100000, 1e-3},  {300000, 1e-3},
                   {500000, 1e-3},  {1000000, 1e-3}, {2000000, 1e-3}, {3000000, 1e-3},
                   {5000000, 1e-3}, {7000000, 1e-2}, {10000000, 1e-2}};
    const uint64_t mean_ps = UINT64_C(1000000000000);
    long double mean, cv;
    (void)state;
    for (size_t i = 0; i < sizeof promise / sizeof promise[0]; i++) {
        struct vsg_sampler *s = make(lognormal(mean_ps, promise[i].cv_ppm));
        long double asked = promise[i].cv_ppm / 1e6L;
        moments(s, &mean, &cv);
        assert_true(fabsl(mean / (long double)mean_ps - 1) < 1e-5L);
        assert_true(fabsl(cv / asked - 1) < promise[i].tolerance);
        vsg_sampler_free(s);
    }
    struct vsg_sampler *s = make(exponential(mean_ps));
    moments(s, &mean, &cv);
    assert_true(fabsl(mean / (long double)mean_ps - 1) < 1e-5L);
    assert_true(fabsl(cv - 1) < 1e-3L);
    vsg_sampler_free(s);
}

/* A cv of a millionth needs the fraction bits: on a mean of 10^15 its sd is 10^9 ps. */
static void the_smallest_cv_holds(void **state)
{
    struct vsg_sampler *s = make(lognormal(UINT64_C(1000000000000000), 1));
    long double square = 0;
    (void)state;
    for (uint32_t i = 0; i < 65536; i++) {
        long double d = (long double)vsg_sampler_draw(s, i << 16 | 0x8000) - 1e15L;
        square += d * d;
    }
    /* Of a normal variable cut into 65536 equal parts, 1e-4 of the variance is lost. */
    assert_true(fabsl(sqrtl(square / 65536) / 1e9L - 1) < 1e-3L);
    vsg_sampler_free(s);
}

/* The word's own probability: the middle of its 2^-32. */
static double tail_of(uint32_t word, int *upper)
{
    *upper = word >> 31 != 0;
    return ((*upper ? ~word : word) + 0.5) / 4294967296.0;
}

/* Newton on erfc: the z with tail probability p above it. */
static double normal_above(double p)
{
    double z = 0;
    for (int i = 0; i < 200; i++) {
        double f = 0.5 * erfc(z / sqrt(2)) - p;
        double step = f / (exp(-z * z / 2) / sqrt(2 * acos(-1)));
        z += step > 0.5 ? 0.5 : step < -0.5 ? -0.5 : step;
    }
    return z;
}

static double true_quantile(struct vsg_dist d, uint32_t word)
{
    int upper;
    double p = tail_of(word, &upper), mean = (double)d.mean_ps, sigma_squared;
    if (d.kind == VSG_DIST_EXPONENTIAL)
        return upper ? -log(p) * mean : -log1p(-p) * mean;
    sigma_squared = log1p(d.cv_ppm / 1e6 * (d.cv_ppm / 1e6));
    return mean * exp((upper ? 1 : -1) * normal_above(p) * sqrt(sigma_squared) - sigma_squared / 2);
}

static void check_quantiles(struct vsg_dist d)
{
    struct vsg_sampler *s = make(d);
    uint32_t word = 0;
    double worst = 0;
    for (int i = 0; i < 4000; i++) {
        double want, got, allowed;
        if (i < 1300) /* 40 words in each octave of both tails, the last ones included */
            word = (uint32_t)(exp2(i / 41.0) - 1);
        else if (i < 2600)
            word = ~(uint32_t)(exp2((i - 1300) / 41.0) - 1);
        else /* evenly over all */
            word += UINT32_C(3067833783);
        want = true_quantile(d, word);
        got = (double)vsg_sampler_draw(s, word);
        allowed = want * 3e-5 + 0.5001;
        worst = fmax(worst, fabs(got - want) / allowed);
        if (!(fabs(got - want) <= allowed))
            fail_msg("cv %u word %u: %.17g is not %.17g", d.cv_ppm, word, got, want);
    }
    print_message("worst %.3f\n", worst);
    vsg_sampler_free(s);
}

static void draws_are_the_true_quantiles(void **state)
{
    static const uint32_t cv_ppm[] = {1, 1000, 100000, 500000, 1000000, 2000000, 5000000, 10000000};
    (void)state;
    check_quantiles(exponential(UINT64_C(1000000000)));
    check_quantiles(exponential(1000));
    check_quantiles(exponential(3));
    for (size_t i = 0; i < sizeof cv_ppm / sizeof cv_ppm[0]; i++) {
        check_quantiles(lognormal(UINT64_C(1000000000), cv_ppm[i]));
        check_quantiles(lognormal(50000, cv_ppm[i]));
    }
}

static void check_monotone(struct vsg_dist d)
{
    struct vsg_sampler *s = make(d);
    uint64_t last_ps = vsg_sampler_draw(s, 0), ps;
    assert_true(last_ps >= vsg_dist_lower_ps(&d));
    /* All words near the ends, the middle, and every power of two from either end. */
    for (unsigned bit = 1; bit <= 63; bit++) {
        uint32_t centre = bit < 32    ? UINT32_C(1) << bit
                          : bit == 32 ? UINT32_MAX - 600
                                      : ~(UINT32_C(1) << (63 - bit));
        last_ps = 0;
        for (int64_t w = (int64_t)centre - 600; w <= (int64_t)centre + 600; w++) {
            if (w < 0 || w > UINT32_MAX)
                continue;
            ps = vsg_sampler_draw(s, (uint32_t)w);
            assert_true(ps >= last_ps);
            last_ps = ps;
        }
    }
    last_ps = 0;
    for (uint64_t w = 0; w <= UINT32_MAX; w += 4093) {
        ps = vsg_sampler_draw(s, (uint32_t)w);
        assert_true(ps >= last_ps);
        last_ps = ps;
    }
    vsg_sampler_free(s);
}

static void draws_never_fall_as_the_word_rises(void **state)
{
    (void)state;
    check_monotone(exponential(1000000));
    check_monotone(exponential(UINT64_C(1000000000000000)));
    check_monotone(lognormal(UINT64_C(1000000000000000), 1));
    check_monotone(lognormal(1000000, 300000));
    check_monotone(lognormal(UINT64_C(10000000000000), 10000000));
    check_monotone(uniform(5, 500000));
}

static void uniform_takes_every_integer_alike(void **state)
{
    const struct vsg_dist d = uniform(10, 16);
    struct vsg_sampler *s = make(d);
    (void)state;
    assert_int_equal(vsg_dist_lower_ps(&d), 10);
    assert_false(vsg_sampler_is_constant(s));
    for (uint64_t k = 0; k < 7; k++) { /* the first word of k is ceil(k 2^32 / 7) */
        uint64_t first = ((k << 32) + 6) / 7;
        assert_int_equal(vsg_sampler_draw(s, (uint32_t)first), 10 + k);
        if (k)
            assert_int_equal(vsg_sampler_draw(s, (uint32_t)first - 1), 9 + k);
    }
    assert_int_equal(vsg_sampler_draw(s, UINT32_MAX), 16);
    vsg_sampler_free(s);

    s = make(uniform(0, UINT64_C(2000000000000000)));
    assert_int_equal(vsg_sampler_draw(s, 0), 0);
    assert_int_equal(vsg_sampler_draw(s, UINT32_C(1) << 31), UINT64_C(1000000000000000));
    vsg_sampler_free(s);
}

static void constants_need_no_word(void **state)
{
    const struct vsg_dist same[] = {vsg_dist_constant(77), uniform(77, 77)};
    const struct vsg_dist zero[] = {vsg_dist_constant(0), exponential(0), lognormal(0, 500000)};
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        struct vsg_sampler *s = make(same[i]);
        assert_true(vsg_sampler_is_constant(s));
        assert_int_equal(vsg_sampler_draw(s, 12345), 77);
        assert_int_equal(vsg_dist_lower_ps(&same[i]), 77);
        vsg_sampler_free(s);
    }
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++) {
        struct vsg_sampler *s = make(zero[i]);
        assert_true(vsg_sampler_is_constant(s));
        assert_int_equal(vsg_sampler_draw(s, UINT32_MAX), 0);
        vsg_sampler_free(s);
    }
    assert_int_equal(vsg_dist_lower_ps(&zero[1]), 0);
    assert_int_equal(vsg_dist_lower_ps(&zero[2]), 0);
    vsg_sampler_free(NULL);
}

static void every_error_is_provoked(void **state)
{
    const uint64_t too_long = UINT64_C(1000000000000001);
    struct vsg_dist bad[] = {
        vsg_dist_constant(too_long),
        exponential(too_long),
        lognormal(too_long, 500000),
        lognormal(1000, 0),
        lognormal(1000, 10000001),
        lognormal(too_long - 1, 10000000), /* a draw of 7 * 10^19 ps */
        uniform(2, 1),
        uniform(0, 2 * too_long),
        uniform(UINT64_MAX, UINT64_MAX), /* the sum wraps */
        uniform(too_long, too_long + 1),
    };
    struct vsg_sampler *s = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(vsg_sampler_new(&bad[i], &s), VSG_ERANGE);
    bad[0].kind = (enum vsg_dist_kind)9;
    assert_int_equal(vsg_sampler_new(&bad[0], &s), VSG_EINVAL);
    assert_null(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_and_cv_hold),
        cmocka_unit_test(the_smallest_cv_holds),
        cmocka_unit_test(draws_are_the_true_quantiles),
        cmocka_unit_test(draws_never_fall_as_the_word_rises),
        cmocka_unit_test(uniform_takes_every_integer_alike),
        cmocka_unit_test(constants_need_no_word),
        cmocka_unit_test(every_error_is_provoked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
