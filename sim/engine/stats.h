/* Statistics of replications and of integer sums, the same bits on every machine.
 *
 * Doubles are added in the order given and never by threads; elementary functions
 * come from approx.h. Pure functions: any thread may call them. */
#ifndef VSG_ENGINE_STATS_H
#define VSG_ENGINE_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/status.h"

/* The t with P(|T| <= t) = level for Student's T with df degrees of freedom, 0 < level < 1,
 * df >= 1 (UINT32_MAX: the normal distribution in all but the last digits). For m
 * intervals that shall all hold with probability 1 - a, take the level 1 - a / m
 * (Bonferroni). Error below 10^-9 relative for levels up to 1 - 10^-9.
 *
 * Method: P(|T| > t) is the incomplete beta function I_x(df/2, 1/2), x = df/(df+t^2), by its
 * continued fraction (NIST DLMF 8.17.22); Newton's method from the normal quantile,
 * which lies below t. Above 10000 degrees, Fisher's expansion of t in 1/df (Abramowitz
 * and Stegun 26.7.5). A few microseconds to a fraction of a millisecond. */
double vsg_t_quantile(double level, uint32_t df);

/* A mean and its t interval [mean - half_width, mean + half_width]. */
struct vsg_interval {
    double mean, half_width;
    double stddev; /* of the values, divisor n - 1 */
};

/* Of n values in their order, which must be independent and of one distribution, e.g. the
 * means of n replications, or n paired differences. In the values' unit. Equal values
 * give exactly their value and 0. Fails with VSG_ENODATA (n < 2) or VSG_ERANGE (level
 * outside 0 < level < 1); *out is then untouched. */
enum vsg_status vsg_mean_interval(const double *value, size_t n, double level,
                                  struct vsg_interval *out);

/* How alike neighbours are, as von Neumann's ratio tells: c = 1 - sum (v[i] - v[i+1])^2 / (2 sum
 * (v[i] - mean)^2), divided by its deviation sqrt((n - 2) / (n^2 - 1)) among independent normal
 * values, of which it is then nearly standard normal. Positive: they follow each other.
 * Equal values give 0. n >= 3.
 * Source: J. von Neumann, Annals of Mathematical Statistics 12 (1941); for batch means G. S.
 * Fishman, Management Science 24 (1978). */
double vsg_lag1_z(const double *value, size_t n);

/* The largest r with r * r <= x. */
uint64_t vsg_stats_isqrt(unsigned __int128 x);

/* Variance (divisor n - 1) of n integers from their exact sum and sum of squares, in the square of
 * their unit; exact up to the final rounding, a relative 2^-52. Fails with VSG_ENODATA
 * (n < 2) or VSG_EINVAL (no n integers have these sums, seen by a negative variance).
 * The sums of squares about the mean must stay below 2^127. */
enum vsg_status vsg_stats_variance(uint64_t n, unsigned __int128 sum, unsigned __int128 square_sum,
                                   double *variance);

/* The same as a standard deviation in ns, of integers in ps. */
enum vsg_status vsg_stats_stddev_ns(uint64_t n, unsigned __int128 sum_ps,
                                    unsigned __int128 square_sum_ps2, double *stddev_ns);

/* Acceptance of random checks: of n independent 95 % intervals of a right program, at least
 * how many must hold the true value. The largest k with P(Bin(n, 0.95) < k) < 10^-4: 10 of
 * 15, 12 of 18, 55 of 66, 175 of 198. Below n = 4 it is 0, so that such a check says nothing;
 * use n >= 15. n up to 10000 (assert). */
uint32_t vsg_stats_accept_min(uint32_t n);

#endif
