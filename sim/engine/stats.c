#include "engine/stats.h"

#include <assert.h>
#include <math.h>

#include "engine/approx.h"

#define ONE_OVER_PI 0x1.45f306dc9c883p-2

enum { EXPANSION_DF = 10000, FRACTION_TERMS = 300, NEWTON_STEPS = 200 };

/* 1 / B(df/2, 1/2): 1/pi for 1, 1/2 for 2, and by the recurrence of the gamma function. */
static double one_over_beta(uint32_t df)
{
    double v = df % 2 ? ONE_OVER_PI : 0.5;
    for (uint32_t k = df % 2 ? 1 : 2; k < df; k += 2)
        v = v * (k + 1) / k;
    return v;
}

/* The continued fraction of I_x(a, b) without its factor, 1/(1 + d1/(1 + d2/(1 + ...))),
 * from the innermost term outwards. It converges well for x < (a + 1) / (a + b + 2), with
 * about sqrt(a) terms: 70 for 10000 degrees of freedom. */
static double fraction(double a, double b, double x)
{
    double v = 1;
    for (int m = FRACTION_TERMS; m >= 1; m--) {
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        v = 1 + even / (1 + odd / v);
    }
    return 1 / (1 - (a + b) * x / (a + 1) / v);
}

/* P(|T| > t), t > 0, and the density of |T| at t. */
static double tail_of_t(double t, uint32_t df, double beta_inverse, double *density)
{
    double a = df / 2.0, square = t * t;
    double x = df / (df + square), y = square / (df + square);
    double power = vsg_exp(-a * vsg_log1p(square / df)); /* x^a */
    double factor = power * sqrt(y) * beta_inverse;

    *density = 2 * power * sqrt(x) * beta_inverse / sqrt(df);
    if (x < (a + 1) / (a + 2.5))
        return factor / a * fraction(a, 0.5, x);
    return 1 - factor / 0.5 * fraction(0.5, a, y);
}

/* Fisher's expansion; at 10000 degrees the next term is below 10^-9 up to z = 7. */
static double expansion(double z, double n)
{
    double s = z * z;
    double g1 = (s + 1) * z / 4;
    double g2 = ((5 * s + 16) * s + 3) * z / 96;
    double g3 = (((3 * s + 19) * s + 17) * s - 15) * z / 384;
    return z + (g1 + (g2 + g3 / n) / n) / n;
}

double vsg_t_quantile(double level, uint32_t df)
{
    double z, t, inverse, tail = 1 - level;

    assert(level > 0 && level < 1);
    assert(df >= 1);
    z = -vsg_normal_quantile(tail / 2);
    if (df > EXPANSION_DF)
        return expansion(z, df);

    /* P(|T| > t) falls and is convex, so Newton's steps from below approach the root from
     * below and never pass it: the first step that does not rise is rounding. */
    inverse = one_over_beta(df);
    t = z;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double density;
        double next = t + (tail_of_t(t, df, inverse, &density) - tail) / density;
        if (!(next > t))
            break;
        t = next;
    }
    return t;
}

enum vsg_status vsg_mean_interval(const double *value, size_t n, double level,
                                  struct vsg_interval *out)
{
    double shift = 0, square = 0, mean, count = (double)n;

    if (n < 2)
        return VSG_ENODATA;
    if (!(level > 0 && level < 1))
        return VSG_ERANGE;
    /* About the first value: small numbers are summed, and equal ones give exactly 0. */
    for (size_t i = 1; i < n; i++)
        shift += value[i] - value[0];
    mean = value[0] + shift / count;
    for (size_t i = 0; i < n; i++)
        square += (value[i] - mean) * (value[i] - mean);
    out->mean = mean;
    out->stddev = sqrt(square / (count - 1));
    out->half_width = vsg_t_quantile(level, n > UINT32_MAX ? UINT32_MAX : (uint32_t)(n - 1)) *
                      out->stddev / sqrt(count);
    return VSG_OK;
}

double vsg_lag1_z(const double *value, size_t n)
{
    double shift = 0, mean, square = 0, steps = 0, count = (double)n;

    assert(n >= 3);
    for (size_t i = 1; i < n; i++)
        shift += value[i] - value[0];
    mean = value[0] + shift / count;
    for (size_t i = 0; i < n; i++)
        square += (value[i] - mean) * (value[i] - mean);
    for (size_t i = 1; i < n; i++)
        steps += (value[i] - value[i - 1]) * (value[i] - value[i - 1]);
    if (!(square > 0))
        return 0;
    return (1 - steps / (2 * square)) / sqrt((count - 2) / (count * count - 1));
}

uint64_t vsg_stats_isqrt(unsigned __int128 x)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1) {
        uint64_t next = root | bit;
        if ((unsigned __int128)next * next <= x)
            root = next;
    }
    return root;
}

enum vsg_status vsg_stats_variance(uint64_t n, unsigned __int128 sum, unsigned __int128 square_sum,
                                   double *variance)
{
    unsigned __int128 floor_mean, rest, about_floor, whole;
    double part;

    if (n < 2)
        return VSG_ENODATA;
    /* n * square_sum - sum^2 needs up to 256 bits. With sum = n q + r the sum of (x - q)^2
     * is square_sum - 2 q sum + n q^2; the three may wrap, the result is exact modulo
     * 2^128 and small. About the mean it is less by r^2 / n, r < n. */
    floor_mean = sum / n;
    rest = sum % n;
    about_floor = square_sum - 2 * floor_mean * sum + n * floor_mean * floor_mean;
    whole = rest * rest / n;
    part = (double)(uint64_t)(rest * rest % n) / (double)n;
    if (about_floor >> 127 || about_floor < whole || (about_floor == whole && part > 0))
        return VSG_EINVAL;
    *variance = ((double)(about_floor - whole) - part) / (double)(n - 1);
    return VSG_OK;
}

enum vsg_status vsg_stats_stddev_ns(uint64_t n, unsigned __int128 sum_ps,
                                    unsigned __int128 square_sum_ps2, double *stddev_ns)
{
    double variance_ps2;
    enum vsg_status status = vsg_stats_variance(n, sum_ps, square_sum_ps2, &variance_ps2);
    if (status == VSG_OK)
        *stddev_ns = sqrt(variance_ps2) / 1000.0;
    return status;
}

uint32_t vsg_stats_accept_min(uint32_t n)
{
    double all = 0, probability;
    uint32_t misses;

    assert(n <= 10000); /* 0.95^n is still a normal double */
    probability = vsg_exp(n * vsg_log(0.95));
    for (misses = 0; misses < n; misses++) {
        all += probability; /* P(at most this many misses) */
        if (1 - all < 1e-4)
            break;
        probability *= (double)(n - misses) * 0.05 / ((misses + 1) * 0.95);
    }
    return n - misses;
}
