/* Arithmetic of figures: integers in, integers out, nothing lost on the way.
 * Saturates at INT64_MAX instead of wrapping. */
#ifndef VSG_STUDY_EXACT_H
#define VSG_STUDY_EXACT_H

#include <stdint.h>

#include "models/result.h"

typedef __int128 vsg_i128;

/* a / b, half away from zero, b > 0. */
int64_t vsg_div_round(vsg_i128 a, vsg_i128 b);

/* a * scale / b, half up; b > 0. Exact as long as the quotient is below 2^63, whatever a
 * and scale (< 2^64) are. */
int64_t vsg_scale_round(vsg_u128 a, uint64_t scale, vsg_u128 b);

/* Standard deviation of n >= 2 values from their sum and sum of squares, divisor n - 1,
 * rounded to the nearest integer. */
int64_t vsg_stddev(uint64_t n, vsg_u128 sum, vsg_u128 square_sum);

#endif
