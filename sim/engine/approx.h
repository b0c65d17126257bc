/* Elementary functions in + - * / and sqrt, so that they give the same bits everywhere.
 *
 * A libm rounds exp and log as it likes, and another version as it likes
 * better; whatever ends in simulated time or in a printed figure takes
 * them from here. IEEE 754 rounds the five operations used, and -ffp-contract=off
 * keeps compilers from fusing them. Errors below are relative and checked in
 * approx_test.c. Pure functions: any thread may call them. */
#ifndef VSG_ENGINE_APPROX_H
#define VSG_ENGINE_APPROX_H

/* Natural logarithm; x > 0, normal. Error below 4e-16 + 2^-53 / |log x|. */
double vsg_log(double x);

/* log(1 + x) without forming 1 + x where x is small; x > -0.5. Error below 1e-15. */
double vsg_log1p(double x);

/* e^x; 0 below -700, infinity above 709. Error below 1e-15 * (1 + |x|). */
double vsg_exp(double x);

/* The z below which a standard normal variable lies with probability p, 0 < p < 1, p
 * at least 1e-300. Error below 1e-14. For a small probability q above z, take minus
 * the quantile of q: 1 - q would lose its digits.
 * Source: M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988), PPND16. */
double vsg_normal_quantile(double p);

#endif
