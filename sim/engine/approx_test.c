/* Goal: the errors promised in approx.h. Method: libm as the oracle, in this test only; the
 * normal quantile through erfc, that is by inserting it in the equation it solves. */
#include "engine/approx.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NEAR(got, want, tolerance)                                                                 \
    do {                                                                                           \
        double g_ = (got), w_ = (want), t_ = (tolerance);                                          \
        if (!(fabs(g_ - w_) <= t_ * fabs(w_)))                                                     \
            fail_msg("%.17g is not %.17g within %g", g_, w_, t_);                                  \
    } while (0)

static void log_agrees_with_libm(void **state)
{
    (void)state;
    assert_true(vsg_log(1) == 0);
    for (int i = 0; i <= 104000; i++) { /* 2^-1022 to 2^1018 */
        double x = exp2(i * 2040.0 / 104000 - 1022);
        NEAR(vsg_log(x), log(x), 4e-16 + 0x1p-53 / fabs(log(x)));
    }
    for (int i = 0; i < 480; i++) { /* close to 1, where digits get lost */
        double d = 0.4 * exp2(-i / 10.0);
        NEAR(vsg_log(1 + d), log(1 + d), 1e-15);
        NEAR(vsg_log(1 - d), log(1 - d), 1e-15);
    }
}

static void log1p_agrees_with_libm(void **state)
{
    (void)state;
    assert_true(vsg_log1p(0) == 0);
    for (int i = -100000; i < 100000; i++) {
        double x = exp2(i / 100.0);
        NEAR(vsg_log1p(x), log1p(x), 1e-15);
        if (x < 0.5)
            NEAR(vsg_log1p(-x), log1p(-x), 1e-15);
    }
}

static void exp_agrees_with_libm(void **state)
{
    (void)state;
    assert_true(vsg_exp(0) == 1);
    assert_true(vsg_exp(-701) == 0);
    assert_true(isinf(vsg_exp(710)));
    for (int i = -70000; i <= 70900; i++) {
        double x = i / 100.0;
        NEAR(vsg_exp(x), exp(x), 1e-15 * (1 + fabs(x)));
    }
    for (int i = 0; i < 600; i++) {
        double x = exp2(-i / 10.0);
        NEAR(vsg_exp(-x), exp(-x), 1e-15);
    }
}

/* An error dz of the quantile moves the tail by density * dz: compared so, the bound is one
 * for z itself. */
static void check_quantile(double p)
{
    double z = vsg_normal_quantile(p);
    double tail = 0.5 * erfc(-z / sqrt(2));
    double density = exp(-z * z / 2) / sqrt(2 * acos(-1));
    double dz = fabs(tail - p) / density;
    if (!(dz <= 1e-14 * fabs(z) + 4 * DBL_EPSILON * p / density))
        fail_msg("quantile(%.17g) = %.17g is off by %g", p, z, dz);
}

static void normal_quantile_solves_its_equation(void **state)
{
    (void)state;
    assert_true(vsg_normal_quantile(0.5) == 0);
    for (int i = 0; i < 19900; i++) /* 1e-300 to 1/2, and evenly */
        check_quantile(0.5 * exp2(-i / 20.0));
    for (int i = 1; i < 1000; i++)
        check_quantile(i / 2000.0);
    for (int k = 1; k < 1024; k++) /* symmetric: p and 1 - p are both exact here */
        assert_true(vsg_normal_quantile(k / 1024.0) == -vsg_normal_quantile(1 - k / 1024.0));
    NEAR(vsg_normal_quantile(0.975), 1.959963984540054, 1e-14); /* any table */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_agrees_with_libm),
        cmocka_unit_test(log1p_agrees_with_libm),
        cmocka_unit_test(exp_agrees_with_libm),
        cmocka_unit_test(normal_quantile_solves_its_equation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
