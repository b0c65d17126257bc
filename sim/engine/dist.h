/* Distributions of a duration, and drawing from them without libm.
 *
 * A distribution becomes an inverse-CDF table when a run starts: TABLE points
 * of the quantile function, made with + - * / and sqrt only, so that every
 * compiler and machine makes the same table; between points a draw
 * interpolates in integers. One draw takes one 32-bit random word. */
#ifndef VSG_ENGINE_DIST_H
#define VSG_ENGINE_DIST_H

#include <stdint.h>

#include "engine/status.h"

enum vsg_dist_kind {
    VSG_DIST_CONSTANT,
    VSG_DIST_UNIFORM,
    VSG_DIST_EXPONENTIAL,
    VSG_DIST_LOGNORMAL
};

struct vsg_dist {
    enum vsg_dist_kind kind;
    uint64_t mean_ps;         /* of all kinds; uniform: (low + high) / 2, rounded down */
    uint64_t low_ps, high_ps; /* uniform */
    uint32_t cv_ppm; /* lognormal: standard deviation / mean, 1..10^7 (cv 0.000001 to 10) */
};

static inline struct vsg_dist vsg_dist_constant(uint64_t ps)
{
    return (struct vsg_dist){.kind = VSG_DIST_CONSTANT, .mean_ps = ps};
}

/* The greatest duration that no draw goes below: lookahead may count on it.
 * 0 for exponential and lognormal. */
uint64_t vsg_dist_lower_ps(const struct vsg_dist *d);

struct vsg_sampler; /* opaque, immutable once made: may be shared by threads */

/* Makes a sampler. The mean of the table is within 10^-5 of mean_ps, the
 * coefficient of variation within 10^-3 of the asked one (checked in the
 * unit test). On success *out is the caller's, to free with vsg_sampler_free().
 * Fails with VSG_ERANGE (mean above 10^15 ps, low > high, cv out of range) or
 * VSG_ENOMEM. A constant needs no random word: vsg_sampler_is_constant(). */
enum vsg_status vsg_sampler_new(const struct vsg_dist *d, struct vsg_sampler **out);
void vsg_sampler_free(struct vsg_sampler *s); /* NULL is allowed */
int vsg_sampler_is_constant(const struct vsg_sampler *s);

/* The duration for a random word, in ps; monotone in word. */
uint64_t vsg_sampler_draw(const struct vsg_sampler *s, uint32_t word);

#endif
