#include "engine/gamma.h"

#include <assert.h>
#include <math.h>

#include "engine/approx.h"

#define LOG_2PI 0x1.d67f1c864beb5p+0
#define TINY_X 1e-9 /* below it x^k / Gamma(k + 1) is the distribution function */
#define STEP 0.03   /* longest step in ln T and in s */

enum { EXPANSION_SHAPE = 1000, TERMS = 2000, NEWTON_STEPS = 60, LEAP = 4 };

struct gamma {
    double k;
    double peak; /* x f(x) at x = k, as a logarithm: k log k - k - log Gamma(k) */
    int upper;
};

/* e^s - 1 - s, with its digits where s is small. */
static double curve(double s)
{
    double sum = 0;
    if (s < -0.5 || s > 0.5)
        return vsg_exp(s) - 1 - s;
    for (int i = 16; i >= 2; i--) /* s^2/2 (1 + s/3 (1 + s/4 (...))) */
        sum = s / i * (1 + sum);
    return s * sum;
}

/* log Gamma(m) - ((m - 1/2) log m - m + log(2 pi) / 2), m >= 10: Stirling's series. */
static double stirling(double m)
{
    double r = 1 / (m * m);
    return (1 / 12.0 - r * (1 / 360.0 - r * (1 / 1260.0 - r / 1680.0))) / m;
}

static double log_peak(double k)
{
    double m = k, factors = 0;
    if (k >= 10)
        return (vsg_log(k) - LOG_2PI) / 2 - stirling(k);
    for (int i = 0; i < 10; i++) { /* beyond 10 */
        factors += vsg_log(m);
        m += 1;
    }
    /* log Gamma(k) = log Gamma(m) - factors */
    return k * vsg_log(k) - k - ((m - 0.5) * vsg_log(m) - m + LOG_2PI / 2 + stirling(m) - factors);
}

/* log(x f(x)) at x = k e^s. */
static double log_density(const struct gamma *g, double s)
{
    return g->peak - g->k * curve(s);
}

/* |d s / d ln T| at tail T = e^u. */
static double slope(const struct gamma *g, double u, double s)
{
    return vsg_exp(u - log_density(g, s));
}

/* ---- the outermost quantile -------------------------------------------------------------- */

/* log of the probability below x = k e^s. */
static double log_below(const struct gamma *g, double s)
{
    double x = g->k * vsg_exp(s), term = 1, sum = 1;
    for (int i = 1; i < TERMS && term > sum * 1e-17; i++) {
        term *= x / (g->k + i);
        sum += term;
    }
    return log_density(g, s) - vsg_log(g->k) + vsg_log(sum);
}

/* log of the probability above x = k e^s, x > k: the continued fraction from inside. */
static double log_above(const struct gamma *g, double s)
{
    double x = g->k * vsg_exp(s), v = 0;
    for (int i = TERMS; i >= 1; i--)
        v = i * (i - g->k) / (x + 2 * i + 1 - g->k - v);
    return log_density(g, s) - vsg_log(x + 1 - g->k - v);
}

/* Both logarithms are concave in s, so after its first step Newton's method stays on one side. */
static double newton(const struct gamma *g, double u, double s)
{
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double value = g->upper ? log_above(g, s) : log_below(g, s);
        double rise = vsg_exp(log_density(g, s) - value);
        double step = (value - u) / rise;
        s += g->upper ? step : -step;
        if (g->upper && s < 1e-3)
            s = 1e-3;
        if (step < 1e-14 && step > -1e-14)
            break;
    }
    return s;
}

/* s where x < TINY_X: below it lies x^k / Gamma(k + 1) = e^u. */
static double tiny(const struct gamma *g, double u)
{
    /* log Gamma(k + 1) = log k + log Gamma(k) = log k + k log k - k - peak; minus k log k. */
    return (u + vsg_log(g->k) - g->k - g->peak) / g->k;
}

/* Cornish and Fisher's expansion of the quantile in 1/sqrt(k), as log(x / k). */
static double expansion(double k, double z)
{
    double z2 = z * z, r = 1 / sqrt(k);
    double c3 = z * (z2 - 7) / 36, c4 = ((3 * z2 + 7) * z2 - 16) / 810;
    double c5 = z * ((9 * z2 + 256) * z2 - 433) / 38880;
    return vsg_log1p(r * (z + r * ((z2 - 1) / 3 + r * (c3 + r * (-c4 + r * c5)))));
}

static double outermost(const struct gamma *g, double tail)
{
    double u = vsg_log(tail), z = vsg_normal_quantile(tail);
    if (g->k > EXPANSION_SHAPE)
        return expansion(g->k, g->upper ? -z : z);
    if (!g->upper) {
        double s = tiny(g, u);
        return g->k * vsg_exp(s) < TINY_X ? s : newton(g, u, s);
    }
    double x = g->k + 7 * sqrt(g->k) + 20; /* beyond it: P(above) < 10^-9 for k down to 0 */
    return newton(g, u, vsg_log(x / g->k));
}

/* ---- inwards ------------------------------------------------------------------------------- */

/* From (u, s) to u + length, in steps that neither u nor s makes long. */
static double advance(const struct gamma *g, double u, double s, double length)
{
    double sign = g->upper ? -1 : 1;
    while (length > 0) {
        double k1 = slope(g, u, s), h = length < STEP ? length : STEP;
        if (k1 * h > STEP)
            h = STEP / k1;
        if (length - h < 1e-9 * length)
            h = length;
        double k2 = slope(g, u + h / 2, s + sign * h / 2 * k1);
        double k3 = slope(g, u + h / 2, s + sign * h / 2 * k2);
        double k4 = slope(g, u + h, s + sign * h * k3);
        s += sign * h * (k1 + 2 * (k2 + k3) + k4) / 6;
        u += h;
        length -= h;
        if (g->upper && g->k * vsg_exp(s) < TINY_X)
            break;
    }
    return s;
}

/* Points between two of known value and slope, by Hermite's cubic in ln T. */
static void fill(const struct gamma *g, size_t n, const double *u, const double *s, double *out)
{
    double width = u[n] - u[0], sign = g->upper ? -1 : 1;
    double d0 = sign * slope(g, u[0], s[0]) * width, d1 = sign * slope(g, u[n], s[1]) * width;
    for (size_t i = 1; i < n; i++) {
        double t = (u[i] - u[0]) / width, r = 1 - t;
        double value = r * r * (1 + 2 * t) * s[0] + r * r * t * d0 + t * t * (1 + 2 * r) * s[1] -
                       t * t * r * d1;
        out[i] = vsg_exp(value);
    }
}

/* How many points the next leap takes: several where they stand close together. */
static size_t leap(const struct gamma *g, size_t left, const double *u, double s)
{
    if (left < LEAP)
        return 1;
    double width = u[LEAP] - u[0];
    return width < STEP && slope(g, u[0], s) * width < STEP ? LEAP : 1;
}

void vsg_gamma_quantiles(double cv, int upper, size_t n, const double *tail, double *out)
{
    struct gamma g = {.k = 1 / (cv * cv), .upper = upper};
    double u[LEAP + 1], s[2], least;
    size_t i = 0;

    assert(n > 0 && cv >= 1e-6 && cv <= 10);
    g.peak = log_peak(g.k);
    least = vsg_log(TINY_X / g.k);
    s[0] = outermost(&g, tail[0]);
    out[0] = vsg_exp(s[0]);
    while (i + 1 < n) {
        if (s[0] < least) { /* upper: 1 - tail lies below; from here on inwards it stays so */
            i++;
            s[0] = tiny(&g, upper ? vsg_log1p(-tail[i]) : vsg_log(tail[i]));
            if (!upper && s[0] >= least)
                s[0] = newton(&g, vsg_log(tail[i]), s[0]);
            out[i] = vsg_exp(s[0]);
            continue;
        }
        for (size_t j = 0; j <= LEAP && i + j < n; j++)
            u[j] = vsg_log(tail[i + j]);
        size_t m = leap(&g, n - 1 - i, u, s[0]);
        s[1] = advance(&g, u[0], s[0], u[m] - u[0]);
        if (s[1] < least && upper) { /* on the way it became tiny */
            s[0] = s[1];
            continue;
        }
        fill(&g, m, u, s, out + i);
        s[0] = s[1];
        i += m;
        out[i] = vsg_exp(s[0]);
    }
}
