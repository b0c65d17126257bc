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

static struct vsg_dist gamma_of(uint64_t mean_ps, uint32_t cv_ppm)
{
    return (struct vsg_dist){.kind = VSG_DIST_GAMMA, .mean_ps = mean_ps, .cv_ppm = cv_ppm};
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
    for (size_t i = 0; i < sizeof promise / sizeof promise[0]; i++) {
        struct vsg_sampler *s = make(gamma_of(mean_ps, promise[i].cv_ppm));
        moments(s, &mean, &cv);
        assert_true(fabsl(mean / (long double)mean_ps - 1) < 1e-5L);
        assert_true(fabsl(cv / (promise[i].cv_ppm / 1e6L) - 1) < 1e-3L); /* all tails are light */
        vsg_sampler_free(s);
    }
    struct vsg_sampler *s = make(exponential(mean_ps));
    moments(s, &mean, &cv);
    assert_true(fabsl(mean / (long double)mean_ps - 1) < 1e-5L);
    assert_true(fabsl(cv - 1) < 1e-3L);
    vsg_sampler_free(s);
}

/* A cv of a millionth needs the fraction bits: on a mean of 10^15 its sd is 10^9 ps. */
static void check_smallest_cv(struct vsg_dist d)
{
    struct vsg_sampler *s = make(d);
    long double square = 0;
    for (uint32_t i = 0; i < 65536; i++) {
        long double off = (long double)vsg_sampler_draw(s, i << 16 | 0x8000) - 1e15L;
        square += off * off;
    }
    /* Of a normal variable cut into 65536 equal parts, 1e-4 of the variance is lost. */
    assert_true(fabsl(sqrtl(square / 65536) / 1e9L - 1) < 1e-3L);
    vsg_sampler_free(s);
}

static void the_smallest_cv_holds(void **state)
{
    (void)state;
    check_smallest_cv(lognormal(UINT64_C(1000000000000000), 1));
    check_smallest_cv(gamma_of(UINT64_C(1000000000000000), 1));
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

/* The incomplete gamma function with shape k, below or above x, by its series or its continued
 * fraction (NIST DLMF 8.11.4, 8.9.2), in long double. */
static long double gamma_tail(long double k, long double x, int upper)
{
    long double density = expl(k * logl(x) - x - lgammal(k)), term = 1 / k, sum = term, v = 0;
    if (x < k + 1) {
        for (int i = 1; i < 100000 && term > sum * 1e-20L; i++) {
            term *= x / (k + i);
            sum += term;
        }
        return upper ? 1 - density * sum : density * sum;
    }
    for (int i = 5000; i >= 1; i--)
        v = i * (i - k) / (x + 2 * i + 1 - k - v);
    sum = density / (x + 1 - k - v);
    return upper ? sum : 1 - sum;
}

/* By bisection of log x. */
static double gamma_quantile(double mean, double cv, double p, int upper)
{
    long double k = 1.0L / cv / cv, low = -1e4L, high = logl(k + 60 * sqrtl(k) + 60);
    for (int i = 0; i < 90; i++) {
        long double middle = (low + high) / 2;
        if ((gamma_tail(k, expl(middle), upper) < p) == (upper == 0))
            low = middle;
        else
            high = middle;
    }
    return (double)(mean * expl(low) / k);
}

static double true_quantile(struct vsg_dist d, uint32_t word)
{
    int upper;
    double p = tail_of(word, &upper), mean = (double)d.mean_ps, sigma_squared;
    if (d.kind == VSG_DIST_EXPONENTIAL)
        return upper ? -log(p) * mean : -log1p(-p) * mean;
    if (d.kind == VSG_DIST_GAMMA)
        return gamma_quantile(mean, d.cv_ppm / 1e6, p, upper);
    sigma_squared = log1p(d.cv_ppm / 1e6 * (d.cv_ppm / 1e6));
    return mean * exp((upper ? 1 : -1) * normal_above(p) * sqrt(sigma_squared) - sigma_squared / 2);
}

static void check_quantiles(struct vsg_dist d, int checks)
{
    struct vsg_sampler *s = make(d);
    uint32_t word = 0;
    double worst = 0;
    int part = checks * 13 / 40;
    for (int i = 0; i < checks; i++) {
        double want, got, allowed;
        if (i < part) /* of 4000, 40 words in each octave of both tails, the last ones included */
            word = (uint32_t)(exp2(1300.0 * i / part / 41) - 1);
        else if (i < 2 * part)
            word = ~(uint32_t)(exp2(1300.0 * (i - part) / part / 41) - 1);
        else /* evenly over all */
            word += UINT32_C(3067833783);
        want = true_quantile(d, word);
        got = (double)vsg_sampler_draw(s, word);
        allowed = want * 3e-5 + 0.5001;
        if (d.kind == VSG_DIST_GAMMA && d.cv_ppm > 1500000)
            allowed += (double)d.mean_ps * 1e-4;
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
    /* On both sides of a shape of 1000 and of 1; an exponential one (cv 1). */
    static const uint32_t gamma_cv_ppm[] = {10000,   31000,   33000,   100000,  500000,
                                            1000000, 1500000, 3000000, 10000000};
    (void)state;
    check_quantiles(exponential(UINT64_C(1000000000)), 4000);
    check_quantiles(exponential(1000), 4000);
    check_quantiles(exponential(3), 4000);
    for (size_t i = 0; i < sizeof cv_ppm / sizeof cv_ppm[0]; i++) {
        check_quantiles(lognormal(UINT64_C(1000000000), cv_ppm[i]), 4000);
        check_quantiles(lognormal(50000, cv_ppm[i]), 4000);
    }
    for (size_t i = 0; i < sizeof gamma_cv_ppm / sizeof gamma_cv_ppm[0]; i++)
        check_quantiles(gamma_of(UINT64_C(1000000000), gamma_cv_ppm[i]), 400);
}

/* Points for one check at a time. */
static struct vsg_dist measured(enum vsg_dist_kind kind, uint32_t n, const uint64_t *value_ps,
                                const uint64_t *at)
{
    static struct vsg_dist_point point[8];
    for (uint32_t i = 0; i < n; i++)
        point[i] = (struct vsg_dist_point){value_ps[i], at[i]};
    return (struct vsg_dist){.kind = kind, .point_count = n, .point = point};
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
    check_monotone(gamma_of(1000000, 300000));
    check_monotone(gamma_of(UINT64_C(10000000000000), 10000000));
    check_monotone(gamma_of(UINT64_C(1000000000000000), 1));
    check_monotone(
        measured(VSG_DIST_VALUES, 4, (uint64_t[]){5, 90, 90, 4000}, (uint64_t[]){3, 0, 1, 9}));
    check_monotone(measured(VSG_DIST_QUANTILES, 4, (uint64_t[]){7, 7, 900, 100000},
                            (uint64_t[]){0, 400000, 990000, 1000000}));
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

/* 90 words of 100 read 20 ps, 9 read 50, 1 reads 800: as many as the weights say, to the word. */
static void measured_values_come_by_weight(void **state)
{
    const struct vsg_dist d =
        measured(VSG_DIST_VALUES, 4, (uint64_t[]){20, 30, 50, 800}, (uint64_t[]){90, 0, 9, 1});
    struct vsg_sampler *s = make(d);
    uint64_t nine_tenths = ((UINT64_C(90) << 32) + 99) / 100;
    uint64_t last = ((UINT64_C(99) << 32) + 99) / 100;
    (void)state;
    assert_false(vsg_sampler_is_constant(s));
    assert_int_equal(vsg_sampler_draw(s, 0), 20);
    assert_int_equal(vsg_sampler_draw(s, (uint32_t)nine_tenths - 1), 20);
    assert_int_equal(vsg_sampler_draw(s, (uint32_t)nine_tenths), 50);
    assert_int_equal(vsg_sampler_draw(s, (uint32_t)last - 1), 50);
    assert_int_equal(vsg_sampler_draw(s, (uint32_t)last), 800);
    assert_int_equal(vsg_sampler_draw(s, UINT32_MAX), 800);
    assert_int_equal(vsg_dist_lower_ps(&d), 20);
    assert_int_equal(vsg_dist_points_mean_ps(&d), 31); /* (1800 + 450 + 800) / 100 = 30.5 */
    vsg_sampler_free(s);
}

/* Median 100 ps, then a line up to 1100 ps: quarter words are at 50, 100 and 600 ps. */
static void measured_quantiles_are_joined_by_lines(void **state)
{
    const struct vsg_dist d = measured(VSG_DIST_QUANTILES, 3, (uint64_t[]){0, 100, 1100},
                                       (uint64_t[]){0, 500000, 1000000});
    struct vsg_sampler *s = make(d);
    (void)state;
    assert_int_equal(vsg_sampler_draw(s, 0), 0);
    assert_int_equal(vsg_sampler_draw(s, UINT32_C(1) << 30), 50);
    assert_int_equal(vsg_sampler_draw(s, UINT32_C(1) << 31), 100);
    assert_int_equal(vsg_sampler_draw(s, UINT32_C(3) << 30), 600);
    assert_int_equal(vsg_sampler_draw(s, UINT32_MAX), 1100);
    assert_int_equal(vsg_dist_lower_ps(&d), 0);
    assert_int_equal(vsg_dist_points_mean_ps(&d), 325); /* half of 50, half of 600 */
    vsg_sampler_free(s);
}

static void a_copy_has_points_of_its_own(void **state)
{
    struct vsg_dist d = measured(VSG_DIST_VALUES, 2, (uint64_t[]){1, 2}, (uint64_t[]){1, 1}), copy;
    (void)state;
    assert_int_equal(vsg_dist_copy(&d, &copy), VSG_OK);
    assert_ptr_not_equal(copy.point, d.point);
    assert_int_equal(copy.point[1].value_ps, 2);
    vsg_dist_free(&copy);
    assert_null(copy.point);
    d = vsg_dist_constant(5);
    assert_int_equal(vsg_dist_copy(&d, &copy), VSG_OK);
    assert_int_equal(copy.mean_ps, 5);
    vsg_dist_free(&copy);
}

static void what_is_random(void **state)
{
    struct vsg_dist d = vsg_dist_constant(5);
    (void)state;
    assert_false(vsg_dist_is_random(&d));
    d = uniform(5, 5);
    assert_false(vsg_dist_is_random(&d));
    d = uniform(5, 6);
    assert_true(vsg_dist_is_random(&d));
    d = exponential(0);
    assert_false(vsg_dist_is_random(&d));
    d = gamma_of(1, 1);
    assert_true(vsg_dist_is_random(&d));
    d = measured(VSG_DIST_VALUES, 3, (uint64_t[]){1, 2, 3}, (uint64_t[]){0, 1, 0});
    assert_false(vsg_dist_is_random(&d));
    struct vsg_sampler *s = make(d);
    assert_true(vsg_sampler_is_constant(s));
    assert_int_equal(vsg_sampler_draw(s, 7), 2);
    vsg_sampler_free(s);
    d = measured(VSG_DIST_VALUES, 2, (uint64_t[]){1, 2}, (uint64_t[]){1, 1});
    assert_true(vsg_dist_is_random(&d));
    d = measured(VSG_DIST_QUANTILES, 2, (uint64_t[]){4, 4}, (uint64_t[]){0, 1000000});
    assert_false(vsg_dist_is_random(&d));
    d = measured(VSG_DIST_QUANTILES, 2, (uint64_t[]){4, 5}, (uint64_t[]){0, 1000000});
    assert_true(vsg_dist_is_random(&d));
}

static void wrong_points_are_refused(void **state)
{
    const uint64_t too_long = UINT64_C(1000000000000001);
    static const struct {
        enum vsg_dist_kind kind;
        uint32_t count;
        uint64_t value_ps[3], at[3];
    } bad[] = {
        {VSG_DIST_VALUES, 0, {0}, {0}},
        {VSG_DIST_VALUES, 2, {1, 2}, {0, 0}},
        {VSG_DIST_VALUES, 2, {2, 1}, {1, 1}},
        {VSG_DIST_VALUES, 1, {1}, {UINT64_C(1) << 32}},
        {VSG_DIST_QUANTILES, 1, {1}, {0}},
        {VSG_DIST_QUANTILES, 2, {1, 2}, {1, 1000000}},
        {VSG_DIST_QUANTILES, 2, {1, 2}, {0, 999999}},
        {VSG_DIST_QUANTILES, 2, {1, 2}, {0, 1000001}},
        {VSG_DIST_QUANTILES, 3, {1, 2, 3}, {0, 0, 1000000}},
        {VSG_DIST_QUANTILES, 3, {1, 3, 2}, {0, 5, 1000000}},
    };
    struct vsg_sampler *s = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct vsg_dist d = measured(bad[i].kind, bad[i].count, bad[i].value_ps, bad[i].at);
        assert_int_equal(vsg_sampler_new(&d, &s), VSG_ERANGE);
    }
    struct vsg_dist d = measured(VSG_DIST_VALUES, 1, &too_long, (uint64_t[]){1});
    assert_int_equal(vsg_sampler_new(&d, &s), VSG_ERANGE);
    assert_null(s);
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
        gamma_of(1000, 0),
        gamma_of(1000, 10000001),
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
        cmocka_unit_test(measured_values_come_by_weight),
        cmocka_unit_test(measured_quantiles_are_joined_by_lines),
        cmocka_unit_test(a_copy_has_points_of_its_own),
        cmocka_unit_test(what_is_random),
        cmocka_unit_test(wrong_points_are_refused),
        cmocka_unit_test(constants_need_no_word),
        cmocka_unit_test(every_error_is_provoked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
