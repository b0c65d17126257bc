#include "engine/dist.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "engine/approx.h"
#include "engine/world.h"

#define MEAN_MAX_PS UINT64_C(1000000000000000)
#define TWO_TO_32 4294967296.0

/* A word w is taken by its distance t from the nearer end of its range: t = w in the
 * lower half, ~w in the upper, 31 bits. Each octave of t, [2^k, 2^(k+1)), has STEPS
 * points, as the buckets of a histogram have; below STEPS every t has its own. The
 * quantile functions used are smooth in log t, so the error of
 * interpolation is the same in every octave. */
enum { STEP_BITS = 7, STEPS = 1 << STEP_BITS, T_BITS = 31 };
enum { POINTS = (T_BITS - STEP_BITS + 1) * STEPS + 1 }; /* the last one: t = 2^31 */
enum { FRACTION_BITS_MAX = 40, VALUE_BITS = 62 };

_Static_assert(VSG_TIME_MAX_PS == UINT64_C(1) << VALUE_BITS, "a table value may be any time");

struct vsg_sampler {
    enum vsg_dist_kind kind;
    uint64_t low_ps;        /* of a constant: its value */
    uint64_t values;        /* uniform: how many integers */
    unsigned fraction_bits; /* table values are in ps / 2^fraction_bits */
    uint64_t half;          /* 1/2 ps in that unit, for rounding */
    uint64_t point[];       /* [2 * POINTS] lower half, upper half; none if not needed */
};

static uint32_t point_t(uint32_t i)
{
    uint32_t row = i >> STEP_BITS, shift = row ? row - 1 : 0;
    return (i - (shift << STEP_BITS)) << shift;
}

uint64_t vsg_dist_lower_ps(const struct vsg_dist *d)
{
    switch (d->kind) {
    case VSG_DIST_CONSTANT:
        return d->mean_ps;
    case VSG_DIST_UNIFORM:
        return d->low_ps;
    case VSG_DIST_EXPONENTIAL:
    case VSG_DIST_LOGNORMAL:
        break;
    }
    return 0;
}

/* The quantile of the standard shape: exponential with mean 1; lognormal with
 * median 1. tail: probability below (lower half) or above (upper half), at most 1/2 (and the
 * half word more of the last point). Both tail and 1 - tail are exact in a double. */
static double shape_quantile(enum vsg_dist_kind kind, double sigma, int upper, double tail)
{
    if (kind == VSG_DIST_EXPONENTIAL)
        return upper ? -vsg_log(tail) : -vsg_log1p(-tail);
    return vsg_exp(sigma * (upper ? -vsg_normal_quantile(tail) : vsg_normal_quantile(tail)));
}

/* Fills point[2 * POINTS] of the standard shape, each word standing for the middle of its
 * 2^-32, and returns the mean over all words, interpolated ones included. */
static double fill_shape(enum vsg_dist_kind kind, double sigma, double *point)
{
    double sum = 0;
    for (int upper = 0; upper < 2; upper++, point += POINTS) {
        for (uint32_t i = 0; i < POINTS; i++)
            point[i] = shape_quantile(kind, sigma, upper, (point_t(i) + 0.5) / TWO_TO_32);
        for (uint32_t i = 0; i + 1 < POINTS; i++) {
            /* n words at a, a + (b - a) / n, ..., short of b */
            double n = point_t(i + 1) - point_t(i);
            sum += n * point[i] + (point[i + 1] - point[i]) * (n - 1) / 2;
        }
    }
    return sum / TWO_TO_32;
}

/* Scales the shape so that its mean over all words is mean_ps (this makes up for
 * the cut-off tail and for interpolation), in as fine a unit as 62 bits allow. */
static enum vsg_status make_table(const struct vsg_dist *d, struct vsg_sampler *s)
{
    double sigma = 0, scale, *shape = calloc(2 * POINTS, sizeof *shape);
    enum vsg_status status = VSG_OK;

    if (!shape)
        return VSG_ENOMEM;
    if (d->kind == VSG_DIST_LOGNORMAL) {
        double cv = d->cv_ppm / 1e6;
        sigma = sqrt(vsg_log1p(cv * cv)); /* cv^2 = e^(sigma^2) - 1 */
    }
    scale = (double)d->mean_ps / fill_shape(d->kind, sigma, shape);
    /* The largest draw is the first point of the upper half. */
    if (shape[POINTS] * scale >= (double)VSG_TIME_MAX_PS) {
        status = VSG_ERANGE;
        goto out;
    }
    while (s->fraction_bits < FRACTION_BITS_MAX &&
           shape[POINTS] * scale * 2 < (double)VSG_TIME_MAX_PS) {
        scale *= 2;
        s->fraction_bits++;
    }
    s->half = s->fraction_bits ? UINT64_C(1) << (s->fraction_bits - 1) : 0;
    for (size_t i = 0; i < 2 * POINTS; i++)
        s->point[i] = (uint64_t)(shape[i] * scale + 0.5);
out:
    free(shape);
    return status;
}

enum vsg_status vsg_sampler_new(const struct vsg_dist *d, struct vsg_sampler **out)
{
    struct vsg_sampler *s;
    enum vsg_status status = VSG_OK;
    int table = 0;

    assert(out);
    switch (d->kind) {
    case VSG_DIST_CONSTANT:
        break;
    case VSG_DIST_UNIFORM:
        if (d->low_ps > d->high_ps || d->high_ps > 2 * MEAN_MAX_PS ||
            d->low_ps + d->high_ps > 2 * MEAN_MAX_PS)
            return VSG_ERANGE;
        break;
    case VSG_DIST_LOGNORMAL:
        if (d->cv_ppm < 1 || d->cv_ppm > 10000000)
            return VSG_ERANGE;
        table = 1;
        break;
    case VSG_DIST_EXPONENTIAL:
        table = 1;
        break;
    default:
        return VSG_EINVAL;
    }
    if (d->kind != VSG_DIST_UNIFORM && d->mean_ps > MEAN_MAX_PS)
        return VSG_ERANGE;

    if (d->mean_ps == 0)
        table = 0; /* always 0 */
    s = calloc(1, sizeof *s + (table ? 2 * POINTS * sizeof s->point[0] : 0));
    if (!s)
        return VSG_ENOMEM;
    s->kind = table || d->kind == VSG_DIST_UNIFORM ? d->kind : VSG_DIST_CONSTANT;
    s->low_ps = vsg_dist_lower_ps(d); /* without a table and without spread: 0, the mean */
    if (d->kind == VSG_DIST_UNIFORM) {
        s->values = d->high_ps - d->low_ps + 1;
        if (s->values == 1)
            s->kind = VSG_DIST_CONSTANT;
    }
    if (table)
        status = make_table(d, s);
    if (status != VSG_OK) {
        free(s);
        return status;
    }
    *out = s;
    return VSG_OK;
}

void vsg_sampler_free(struct vsg_sampler *s)
{
    free(s);
}

int vsg_sampler_is_constant(const struct vsg_sampler *s)
{
    return s->kind == VSG_DIST_CONSTANT;
}

static uint64_t draw_from_table(const struct vsg_sampler *s, uint32_t word)
{
    int upper = word >> T_BITS != 0;
    uint32_t t = upper ? ~word : word;
    unsigned shift = t < STEPS ? 0 : 31u - (unsigned)__builtin_clz(t) - STEP_BITS;
    const uint64_t *p = &s->point[(shift << STEP_BITS) + (t >> shift)] + (upper ? POINTS : 0);
    uint64_t rest = t & ((UINT32_C(1) << shift) - 1);
    /* Up to 62 + 24 bits. The quantile rises with t in the lower half and falls in the upper. */
    uint64_t value = upper ? p[0] - (uint64_t)((unsigned __int128)(p[0] - p[1]) * rest >> shift)
                           : p[0] + (uint64_t)((unsigned __int128)(p[1] - p[0]) * rest >> shift);
    return (value + s->half) >> s->fraction_bits;
}

uint64_t vsg_sampler_draw(const struct vsg_sampler *s, uint32_t word)
{
    if (s->kind == VSG_DIST_CONSTANT)
        return s->low_ps;
    if (s->kind == VSG_DIST_UNIFORM)
        return s->low_ps + (uint64_t)((unsigned __int128)s->values * word >> 32);
    return draw_from_table(s, word);
}
