#include "study/exact.h"

#include <assert.h>

#include "engine/stats.h"

static int64_t clamp(vsg_i128 x)
{
    if (x > INT64_MAX)
        return INT64_MAX;
    return x < -INT64_MAX ? -INT64_MAX : (int64_t)x;
}

int64_t vsg_div_round(vsg_i128 a, vsg_i128 b)
{
    assert(b > 0);
    vsg_i128 size = a < 0 ? -a : a;
    vsg_i128 q = size / b, r = size % b;
    if (r >= b - r)
        q++;
    return clamp(a < 0 ? -q : q);
}

int64_t vsg_scale_round(vsg_u128 a, uint64_t scale, vsg_u128 b)
{
    assert(b > 0);
    /* Long multiplication and division bit by bit where the product would not fit. */
    if (a == 0 || scale <= ~(vsg_u128)0 / a / 2) {
        vsg_u128 product = a * scale, q = product / b, r = product % b;
        if (r >= b - r)
            q++;
        return q > INT64_MAX ? INT64_MAX : (int64_t)q;
    }
    vsg_u128 whole = a / b, rest = a % b;
    if (whole > (vsg_u128)INT64_MAX / scale)
        return INT64_MAX;
    vsg_u128 q = whole * scale, r = 0; /* then rest * scale / b, from the top bit of scale down */
    vsg_u128 part = 0;
    for (int bit = 63; bit >= 0; bit--) {
        part <<= 1;
        bool twice = r >= b - r; /* r < b, so 2 r < 2 b */
        r = twice ? r - (b - r) : r + r;
        part += twice;
        if (scale >> bit & 1) {
            bool carry = r >= b - rest;
            r = carry ? r - (b - rest) : r + rest;
            part += carry;
        }
    }
    q += part + (r >= b - r);
    return q > INT64_MAX ? INT64_MAX : (int64_t)q;
}

int64_t vsg_stddev(uint64_t n, vsg_u128 sum, vsg_u128 square_sum)
{
    assert(n >= 2);
    /* About q, the mean rounded down, so that nothing large is subtracted: with r = sum - n q,
     * the sum of (x - q)^2 is square_sum - 2 q sum + n q^2, exact modulo 2^128; about the
     * mean it is r^2 / n less. */
    vsg_u128 q = sum / n, r = sum % n;
    vsg_u128 about_q = square_sum - 2 * q * sum + n * q * q;
    vsg_u128 about_mean = about_q - r * r / n;
    /* floor(2 s), so that half a unit can be seen; s below 2^61. */
    uint64_t twice = about_mean >> 125 ? vsg_stats_isqrt(about_mean / (n - 1)) * 2
                                       : vsg_stats_isqrt(about_mean * 4 / (n - 1));
    return clamp((vsg_i128)(twice / 2) + twice % 2);
}
