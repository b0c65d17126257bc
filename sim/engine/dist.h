/* Distributions of a duration, and drawing from them without libm.
 *
 * An exponential, lognormal or gamma distribution becomes an inverse-CDF table when a run
 * starts: 6402 points of the quantile function, made with + - * / and sqrt only
 * (approx.h), so that every compiler and machine makes the same table; between
 * points a draw interpolates in integers. One draw takes one 32-bit random word.
 * The points stand closer together the nearer they are to either end: each halving of
 * the tail has 128 of them, down to the last word, which stands for a tail of 2^-33. A
 * draw is within 3 * 10^-5 of the true quantile, plus half a ps; of a gamma distribution with a cv
 * above 1.5, whose small quantiles rise with a high power of the probability, plus 10^-4 of the
 * mean. Measured distributions are exact. */
#ifndef VSG_ENGINE_DIST_H
#define VSG_ENGINE_DIST_H

#include <stdint.h>

#include "engine/status.h"

enum vsg_dist_kind {
    VSG_DIST_CONSTANT,
    VSG_DIST_UNIFORM,
    VSG_DIST_EXPONENTIAL,
    VSG_DIST_LOGNORMAL,
    VSG_DIST_GAMMA,
    VSG_DIST_VALUES,   /* measured ones, by weight */
    VSG_DIST_QUANTILES /* measured quantiles, straight lines between */
};

/* Of VSG_DIST_VALUES: a value and its weight. Of VSG_DIST_QUANTILES: a quantile and its
 * probability in ppm. */
struct vsg_dist_point {
    uint64_t value_ps; /* never falls from point to point */
    uint64_t at;       /* weight, 0..2^32 - 1, not all 0; or ppm, rising from 0 to 10^6 */
};
#define VSG_DIST_POINTS_MAX 65536

struct vsg_dist {
    enum vsg_dist_kind kind;
    uint64_t mean_ps;         /* of all kinds; uniform: (low + high) / 2, rounded down */
    uint64_t low_ps, high_ps; /* uniform */
    uint32_t cv_ppm; /* lognormal, gamma: standard deviation / mean, 1..10^7 (0.000001 to 10) */
    uint32_t point_count;
    struct vsg_dist_point *point; /* [point_count] of the last two kinds, owned; else NULL */
};

static inline struct vsg_dist vsg_dist_constant(uint64_t ps)
{
    return (struct vsg_dist){.kind = VSG_DIST_CONSTANT, .mean_ps = ps};
}

/* The greatest duration that no draw goes below: lookahead may count on it.
 * 0 for exponential, lognormal and gamma. */
uint64_t vsg_dist_lower_ps(const struct vsg_dist *d);

/* The mean of measured values or quantiles, rounded to the nearest ps: what belongs into
 * mean_ps. The points must be as described above. */
uint64_t vsg_dist_points_mean_ps(const struct vsg_dist *d);

/* Deep copy; on VSG_ENOMEM *out has no points. */
enum vsg_status vsg_dist_copy(const struct vsg_dist *from, struct vsg_dist *out);
void vsg_dist_free(struct vsg_dist *d); /* leaves a constant 0 */

/* True when draws can differ. */
int vsg_dist_is_random(const struct vsg_dist *d);

struct vsg_sampler; /* opaque, immutable once made: may be shared by threads */

/* Makes a sampler (100 KiB, a millisecond or two; a constant or uniform one, nothing; 16 bytes
 * per point of measured ones).
 *
 * Over all 2^32 words and before each draw is rounded to the nearest ps, the mean is
 * within 10^-5 of mean_ps and the coefficient of variation within 10^-3 of the asked one.
 * A lognormal's cv above 5 is the exception: part of its variance lies in values rarer than
 * 1 in 2^32, which no word reaches. Its mean and quantiles hold; its cv is lower than asked
 * by up to 1 % (0.6 % at 10). All this is checked in the unit test. A uniform draw
 * takes each integer of low_ps..high_ps alike. Measured values come in the proportion of
 * their weights, to the last word.
 *
 * On success *out is the caller's, to free with vsg_sampler_free().
 * Fails with VSG_ERANGE (mean above 10^15 ps, low > high, cv out of range, points not as
 * described or a value above 10^15 ps, or a largest draw beyond VSG_TIME_MAX_PS, possible at cv 10
 * from a mean of 5 * 10^13 ps on), VSG_EINVAL (no such kind) or VSG_ENOMEM. A constant needs no
 * random word: vsg_sampler_is_constant(). */
enum vsg_status vsg_sampler_new(const struct vsg_dist *d, struct vsg_sampler **out);
void vsg_sampler_free(struct vsg_sampler *s); /* NULL is allowed */
int vsg_sampler_is_constant(const struct vsg_sampler *s);

/* The duration for a random word, in ps; monotone in word. */
uint64_t vsg_sampler_draw(const struct vsg_sampler *s, uint32_t word);

#endif
