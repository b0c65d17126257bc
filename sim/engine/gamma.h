/* Quantiles of the gamma distribution, the same bits on every machine. Used by dist.c only. */
#ifndef VSG_ENGINE_GAMMA_H
#define VSG_ENGINE_GAMMA_H

#include <stddef.h>

/* Quantiles of the gamma distribution with mean 1 and this coefficient of variation, 10^-6 to
 * 10. tail: [n] ascending probabilities between 10^-11 and 1/2, each to be found below
 * (upper 0) or above (upper 1) the quantile; out: [n]. Relative error below 10^-6, in the
 * distribution's own scale: of the quantile's distance from the mean where cv is small. A
 * quantile below 10^-300 is 0.
 *
 * Method: with shape k = cv^-2, x = k e^s and T(x) the tail up to x, d s / d ln T = T / (x f(x)), f
 * being the density. Integrated inwards from the outermost tail by Runge and Kutta's fourth-order
 * steps: a tail's absolute error stays, so its relative error falls on the way. The start
 * comes from the series or continued fraction of the incomplete gamma function (Abramowitz and
 * Stegun 6.5.29, 6.5.31) by Newton's method on its logarithm, for k above 1000 from Cornish and
 * Fisher's expansion; below x = 10^-9 the first term of the series is the answer. Some 0.7 ms
 * for 3200 tails. */
void vsg_gamma_quantiles(double cv, int upper, size_t n, const double *tail, double *out);

#endif
