#include "engine/approx.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LN2_HIGH 0x1.62e42fefa0000p-1 /* 33 bits, so that k * LN2_HIGH is exact for |k| < 2^20 */
#define LN2_LOW 0x1.cf79abc9e3b3ap-40
#define SQRT_HALF 0x1.6a09e667f3bcdp-1

/* 2 atanh(s) = log((1 + s) / (1 - s)) = 2 (s + s^3/3 + s^5/5 + ...), |s| <= 0.21: the
 * terms fall by 0.044, so 13 of them reach 2^-53. */
static double log_of_ratio(double s)
{
    double square = s * s, sum = 0;
    for (int k = 25; k >= 3; k -= 2)
        sum = square * (1.0 / k + sum);
    return 2 * s + 2 * s * sum;
}

/* 2^k, -1022 <= k <= 1023. */
static double power_of_two(int k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double vsg_log(double x)
{
    uint64_t bits;
    int exponent;
    double m;

    memcpy(&bits, &x, sizeof bits);
    exponent = (int)(bits >> 52) - 1022;
    bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3fe0000000000000);
    memcpy(&m, &bits, sizeof m); /* x = m * 2^exponent, 1/2 <= m < 1 */
    if (m < SQRT_HALF) {
        m *= 2; /* around 1, so that log 1 is 0 and its neighbours keep their digits */
        exponent--;
    }
    return exponent * LN2_HIGH + (exponent * LN2_LOW + log_of_ratio((m - 1) / (m + 1)));
}

double vsg_log1p(double x)
{
    return x > -0.25 && x < 0.5 ? log_of_ratio(x / (2 + x)) : vsg_log(1 + x);
}

double vsg_exp(double x)
{
    double r, sum = 0;
    int k;

    if (x < -700)
        return 0;
    if (x > 709)
        return (double)INFINITY;
    k = (int)(x / LN2_HIGH + (x < 0 ? -0.5 : 0.5));
    r = x - k * LN2_HIGH - k * LN2_LOW; /* |r| <= 0.347 */
    for (int i = 14; i >= 1; i--)       /* r^15 / 15! is below 2^-60 */
        sum = r / i * (1 + sum);
    /* Two steps, since 2^k alone may be 2^1023 too soon. */
    return (1 + sum) * power_of_two(k / 2) * power_of_two(k - k / 2);
}

static double polynomial(const double c[8], double x)
{
    double y = c[7];
    for (int i = 6; i >= 0; i--)
        y = y * x + c[i];
    return y;
}

/* Numerators and denominators of AS 241: |p - 1/2| <= 0.425; then by
 * r = sqrt(-log(tail)) up to 5, and beyond. */
static const double centre_over[8] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                      1.9715909503065514427e3, 1.3731693765509461125e4,
                                      4.5921953931549871457e4, 6.7265770927008700853e4,
                                      3.3430575583588128105e4, 2.5090809287301226727e3};
static const double centre_under[8] = {1.0,
                                       4.2313330701600911252e1,
                                       6.8718700749205790830e2,
                                       5.3941960214247511077e3,
                                       2.1213794301586595867e4,
                                       3.9307895800092710610e4,
                                       2.8729085735721942674e4,
                                       5.2264952788528545610e3};
static const double near_over[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                    5.76949722146069140550e0,  3.64784832476320460504e0,
                                    1.27045825245236838258e0,  2.41780725177450611770e-1,
                                    2.27238449892691845833e-2, 7.74545014278341407640e-4};
static const double near_under[8] = {1.0,
                                     2.05319162663775882187e0,
                                     1.67638483018380384940e0,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};
static const double far_over[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                   1.78482653991729133580e0,  2.96560571828504891230e-1,
                                   2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                   2.71155556874348757815e-5, 2.01033439929228813265e-7};
static const double far_under[8] = {1.0,
                                    5.99832206555887937690e-1,
                                    1.36929880922735805310e-1,
                                    1.48753612908506148525e-2,
                                    7.86869131145613259100e-4,
                                    1.84631831751005468180e-5,
                                    1.42151175831644588870e-7,
                                    2.04426310338993978564e-15};

double vsg_normal_quantile(double p)
{
    double q = p - 0.5, r, z;

    if (q <= 0.425 && q >= -0.425) {
        r = 0.180625 - q * q;
        return q * polynomial(centre_over, r) / polynomial(centre_under, r);
    }
    r = sqrt(-vsg_log(q < 0 ? p : 1 - p));
    if (r <= 5)
        z = polynomial(near_over, r - 1.6) / polynomial(near_under, r - 1.6);
    else
        z = polynomial(far_over, r - 5) / polynomial(far_under, r - 5);
    return q < 0 ? -z : z;
}
