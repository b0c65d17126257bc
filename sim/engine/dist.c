#include "engine/dist.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/approx.h"
#include "engine/gamma.h"
#include "engine/world.h"

#define MEAN_MAX_PS UINT64_C(1000000000000000)
#define TWO_TO_32 4294967296.0
#define PPM UINT64_C(1000000)

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
    uint32_t steps;         /* measured ones: how many points */
    /* [2 * POINTS] lower half, upper half; or [2 * steps] each step's first word, then each
     * step's value; none if not needed */
    uint64_t point[];
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
    case VSG_DIST_VALUES:
        for (uint32_t i = 0; i < d->point_count; i++)
            if (d->point[i].at > 0)
                return d->point[i].value_ps;
        break;
    case VSG_DIST_QUANTILES:
        return d->point[0].value_ps;
    case VSG_DIST_EXPONENTIAL:
    case VSG_DIST_LOGNORMAL:
    case VSG_DIST_GAMMA:
        break;
    }
    return 0;
}

int vsg_dist_is_random(const struct vsg_dist *d)
{
    switch (d->kind) {
    case VSG_DIST_CONSTANT:
        return 0;
    case VSG_DIST_UNIFORM:
        return d->low_ps < d->high_ps;
    case VSG_DIST_VALUES:
    case VSG_DIST_QUANTILES:
        for (uint32_t i = 0; i < d->point_count; i++)
            if ((d->point[i].at > 0 || d->kind == VSG_DIST_QUANTILES) &&
                d->point[i].value_ps > vsg_dist_lower_ps(d))
                return 1;
        return 0;
    case VSG_DIST_EXPONENTIAL:
    case VSG_DIST_LOGNORMAL:
    case VSG_DIST_GAMMA:
        break;
    }
    return d->mean_ps > 0;
}

enum vsg_status vsg_dist_copy(const struct vsg_dist *from, struct vsg_dist *out)
{
    *out = *from;
    if (!from->point)
        return VSG_OK;
    out->point = malloc((from->point_count ? from->point_count : 1) * sizeof *out->point);
    if (!out->point) {
        out->point_count = 0;
        return VSG_ENOMEM;
    }
    memcpy(out->point, from->point, from->point_count * sizeof *out->point);
    return VSG_OK;
}

void vsg_dist_free(struct vsg_dist *d)
{
    free(d->point);
    *d = (struct vsg_dist){.kind = VSG_DIST_CONSTANT};
}

/* ---- measured values ----------------------------------------------------------------------- */

static uint64_t all_weights(const struct vsg_dist *d)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < d->point_count; i++)
        sum += d->point[i].at;
    return sum;
}

uint64_t vsg_dist_points_mean_ps(const struct vsg_dist *d)
{
    unsigned __int128 sum = 0, whole = d->kind == VSG_DIST_VALUES ? all_weights(d) : 2 * PPM;
    for (uint32_t i = 0; i < d->point_count; i++)
        if (d->kind == VSG_DIST_VALUES)
            sum += (unsigned __int128)d->point[i].value_ps * d->point[i].at;
        else if (i > 0)
            sum += (unsigned __int128)(d->point[i - 1].value_ps + d->point[i].value_ps) *
                   (d->point[i].at - d->point[i - 1].at);
    return whole ? (uint64_t)((sum + whole / 2) / whole) : 0;
}

static int points_are_right(const struct vsg_dist *d)
{
    int quantiles = d->kind == VSG_DIST_QUANTILES;
    if (!d->point || d->point_count < 1u + (unsigned)quantiles ||
        d->point_count > VSG_DIST_POINTS_MAX)
        return 0;
    for (uint32_t i = 0; i < d->point_count; i++) {
        const struct vsg_dist_point *p = &d->point[i];
        if (p->value_ps > MEAN_MAX_PS || p->at > (quantiles ? PPM : UINT32_MAX) ||
            (i > 0 && p->value_ps < p[-1].value_ps) || (i > 0 && quantiles && p->at <= p[-1].at))
            return 0;
    }
    return quantiles ? d->point[0].at == 0 && d->point[d->point_count - 1].at == PPM
                     : all_weights(d) > 0;
}

/* The words of a step: values, ceil(2^32 x weights before it / all); quantiles, where it begins. */
static void make_steps(const struct vsg_dist *d, struct vsg_sampler *s)
{
    uint64_t whole = d->kind == VSG_DIST_VALUES ? all_weights(d) : PPM, before = 0;
    assert(whole > 0); /* vsg_sampler_new() refuses weights that are all 0 */
    assert(whole > 0); /* points_are_right() */
    s->steps = d->point_count;
    for (uint32_t i = 0; i < d->point_count; i++) {
        uint64_t at = d->kind == VSG_DIST_VALUES ? before : d->point[i].at;
        s->point[i] = (uint64_t)((((unsigned __int128)at << 32) + whole - 1) / whole);
        s->point[d->point_count + i] = d->point[i].value_ps;
        before += d->point[i].at;
    }
}

/* The quantiles of the standard shape: exponential and gamma with mean 1; lognormal with
 * median 1. tail: probability below (lower half) or above (upper half), at most 1/2 (and the
 * half word more of the last point). Both tail and 1 - tail are exact in a double. */
static void shape_quantiles(const struct vsg_dist *d, int upper, const double *tail, double *point)
{
    double cv = d->cv_ppm / 1e6;
    if (d->kind == VSG_DIST_GAMMA) {
        vsg_gamma_quantiles(cv, upper, POINTS, tail, point);
        return;
    }
    if (d->kind == VSG_DIST_EXPONENTIAL) {
        for (uint32_t i = 0; i < POINTS; i++)
            point[i] = upper ? -vsg_log(tail[i]) : -vsg_log1p(-tail[i]);
        return;
    }
    double sigma = sqrt(vsg_log1p(cv * cv)); /* cv^2 = e^(sigma^2) - 1 */
    for (uint32_t i = 0; i < POINTS; i++) {
        double z = vsg_normal_quantile(tail[i]);
        point[i] = vsg_exp(sigma * (upper ? -z : z));
    }
}

/* Both halves end in the middle of the distribution, and each is integrated by itself: what is
 * between them, some 10^-9 of the deviation, must not make draws fall where words rise. */
static void join_halves(double *lower, double *upper)
{
    double middle = (lower[POINTS - 1] + upper[POINTS - 1]) / 2;
    for (uint32_t i = 0; i < POINTS; i++) {
        lower[i] = lower[i] < middle ? lower[i] : middle;
        upper[i] = upper[i] > middle ? upper[i] : middle;
    }
}

/* Fills point[2 * POINTS] of the standard shape, each word standing for the middle of its
 * 2^-32, and returns the mean over all words, interpolated ones included. tail: scratch,
 * [POINTS]. */
static double fill_shape(const struct vsg_dist *d, double *tail, double *point)
{
    double sum = 0;
    for (uint32_t i = 0; i < POINTS; i++)
        tail[i] = (point_t(i) + 0.5) / TWO_TO_32;
    for (int upper = 0; upper < 2; upper++)
        shape_quantiles(d, upper, tail, point + (size_t)upper * POINTS);
    if (d->kind == VSG_DIST_GAMMA)
        join_halves(point, point + POINTS);
    for (int upper = 0; upper < 2; upper++, point += POINTS) {
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
    double scale, *shape = calloc(3 * POINTS, sizeof *shape);
    enum vsg_status status = VSG_OK;

    if (!shape)
        return VSG_ENOMEM;
    scale = (double)d->mean_ps / fill_shape(d, shape + 2 * POINTS, shape);
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

static enum vsg_status new_measured(const struct vsg_dist *d, struct vsg_sampler **out)
{
    struct vsg_sampler *s = calloc(1, sizeof *s + (size_t)d->point_count * 2 * sizeof s->point[0]);
    if (!s)
        return VSG_ENOMEM;
    s->kind = vsg_dist_is_random(d) ? d->kind : VSG_DIST_CONSTANT;
    s->low_ps = vsg_dist_lower_ps(d);
    make_steps(d, s);
    *out = s;
    return VSG_OK;
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
    case VSG_DIST_VALUES:
    case VSG_DIST_QUANTILES:
        if (!points_are_right(d))
            return VSG_ERANGE;
        return new_measured(d, out);
    case VSG_DIST_LOGNORMAL:
    case VSG_DIST_GAMMA:
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

/* The last step that begins at or before the word. */
static uint32_t step_of(const struct vsg_sampler *s, uint32_t word)
{
    uint32_t low = 0, high = s->steps - 1;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (s->point[middle] <= word)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static uint64_t draw_measured(const struct vsg_sampler *s, uint32_t word)
{
    uint32_t i = step_of(s, word);
    const uint64_t *first = &s->point[i], *value = first + s->steps;
    if (s->kind == VSG_DIST_VALUES)
        return value[0];
    /* The middle of the word on the line to the next quantile, rounded to the nearest ps. */
    uint64_t width = 2 * (first[1] - first[0]), at = 2 * (word - first[0]) + 1;
    return value[0] +
           (uint64_t)(((unsigned __int128)(value[1] - value[0]) * at + width / 2) / width);
}

uint64_t vsg_sampler_draw(const struct vsg_sampler *s, uint32_t word)
{
    if (s->kind == VSG_DIST_CONSTANT)
        return s->low_ps;
    if (s->kind == VSG_DIST_UNIFORM)
        return s->low_ps + (uint64_t)((unsigned __int128)s->values * word >> 32);
    if (s->steps)
        return draw_measured(s, word);
    return draw_from_table(s, word);
}
