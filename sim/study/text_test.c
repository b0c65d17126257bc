#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "study/exact.h"
#include "study/text.h"

#include <cmocka.h> /* last: it has a macro named fail */

static void assert_decimal(int64_t value, unsigned decimals, const char *right)
{
    struct vsg_text t = {0};
    vsg_text_decimal(&t, value, decimals);
    assert_string_equal(t.bytes, right);
    vsg_text_free(&t);
}

static void decimals_are_exact(void **state)
{
    (void)state;
    assert_decimal(0, 0, "0");
    assert_decimal(0, 3, "0.000");
    assert_decimal(850000, 3, "850.000");
    assert_decimal(-5, 3, "-0.005");
    assert_decimal(-1234567, 6, "-1.234567");
    assert_decimal(INT64_MAX, 3, "9223372036854775.807");
    assert_decimal(INT64_MIN, 0, "-9223372036854775808");
}

static void assert_rounded(int64_t value, unsigned decimals, unsigned keep, const char *right)
{
    struct vsg_text t = {0};
    vsg_text_rounded(&t, value, decimals, keep, true);
    assert_string_equal(t.bytes, right);
    vsg_text_free(&t);
}

static void rounding_is_half_away_from_zero(void **state)
{
    (void)state;
    assert_rounded(750449, 3, 1, "750.4");
    assert_rounded(750450, 3, 1, "750.5");
    assert_rounded(-750450, 3, 1, "-750.5");
    assert_rounded(-49, 3, 1, "0.0"); /* no minus before a zero */
    assert_rounded(262144, 0, 0, "262,144");
    assert_rounded(1234567891, 0, 0, "1,234,567,891");
    assert_rounded(999950, 3, 1, "1,000.0");
    assert_rounded(5, 1, 0, "1");
    assert_rounded(4, 1, 0, "0");
}

static void json_nests_and_escapes(void **state)
{
    (void)state;
    struct vsg_text t = {0};
    struct vsg_json j = {.text = &t};
    vsg_json_open(&j, NULL, '{', false);
    vsg_json_text(&j, "name", "a \"b\" \\ \n\t\x01");
    vsg_json_open(&j, "list", '[', true);
    vsg_json_decimal(&j, NULL, 1500, 3);
    vsg_json_null(&j, NULL);
    vsg_json_open(&j, NULL, '{', false); /* inside a flat level all is flat */
    vsg_json_bool(&j, "on", true);
    vsg_json_uint(&j, "n", UINT64_MAX);
    vsg_json_close(&j, '}');
    vsg_json_close(&j, ']');
    vsg_json_open(&j, "empty", '{', false);
    vsg_json_close(&j, '}');
    vsg_json_raw(&j, "raw", "0.05");
    vsg_json_close(&j, '}');
    assert_string_equal(t.bytes, "{\n"
                                 "  \"name\": \"a \\\"b\\\" \\\\ \\n\\t\\u0001\",\n"
                                 "  \"list\": [1.500, null, {\"on\": true, \"n\": "
                                 "18446744073709551615}],\n"
                                 "  \"empty\": {},\n"
                                 "  \"raw\": 0.05\n"
                                 "}");
    vsg_text_free(&t);
}

static void nothing_added_is_an_empty_string(void **state)
{
    (void)state;
    struct vsg_text t = {0};
    char *text = NULL;
    assert_int_equal(vsg_text_take(&t, &text), VSG_OK);
    assert_string_equal(text, "");
    free(text);
}

static void lost_memory_is_reported_once_at_the_end(void **state)
{
    (void)state;
    struct vsg_text t = {0};
    char *text = NULL;
    vsg_text_add(&t, "some");
    t.failed = true; /* as after a failed realloc */
    vsg_text_add(&t, "more");
    assert_int_equal(vsg_text_take(&t, &text), VSG_ENOMEM);
    assert_null(text);
    assert_null(t.bytes);
}

static void division_rounds_half_away(void **state)
{
    (void)state;
    assert_int_equal(vsg_div_round(7, 2), 4);
    assert_int_equal(vsg_div_round(-7, 2), -4);
    assert_int_equal(vsg_div_round(1, 3), 0);
    assert_int_equal(vsg_div_round(2, 3), 1);
    assert_int_equal(vsg_div_round((vsg_i128)1 << 100, 1), INT64_MAX);
    assert_int_equal(vsg_scale_round(1, 1000000, 3), 333333);
    assert_int_equal(vsg_scale_round(2, 1000000, 3), 666667);
    /* 2^120 * 10^6 / 2^120: the product does not fit 128 bits, the quotient does. */
    assert_int_equal(vsg_scale_round((vsg_u128)1 << 120, 1000000, (vsg_u128)1 << 120), 1000000);
    assert_int_equal(vsg_scale_round((vsg_u128)3 << 120, 1000000, (vsg_u128)7 << 120), 428571);
    /* 10^6 * 2^120 / (2^121 - 2^101) = 500000 * 2^20 / (2^20 - 1/2) = 500000.2384...; */
    assert_int_equal(
        vsg_scale_round((vsg_u128)1 << 120, 1000000, ((vsg_u128)1 << 121) - ((vsg_u128)1 << 101)),
        500000);
    assert_int_equal(vsg_scale_round((vsg_u128)1 << 120, 1000000, 1), INT64_MAX);
}

static void stddev_has_no_cancellation(void **state)
{
    (void)state;
    /* 1, 2, 3, 4: variance 5/3, deviation 1.29. */
    assert_int_equal(vsg_stddev(4, 10, 30), 1);
    /* The same a million apart: 1290994 to the nearest. */
    assert_int_equal(vsg_stddev(4, 10000000, (vsg_u128)30 * 1000000000000), 1290994);
    /* 65,536 times 850 ns: zero. */
    assert_int_equal(vsg_stddev(65536, (vsg_u128)65536 * 850000, (vsg_u128)65536 * 850000 * 850000),
                     0);
    /* 10^15 and 10^15 + 2: variance 2, deviation 1.41, far below the squares' last bits in double.
     */
    vsg_u128 a = 1000000000000000, b = a + 2;
    assert_int_equal(vsg_stddev(2, a + b, a * a + b * b), 1);
    /* 0 and 3: variance 4.5, 2.12; 0 and 5: 12.5, 3.54. */
    assert_int_equal(vsg_stddev(2, 3, 9), 2);
    assert_int_equal(vsg_stddev(2, 5, 25), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_exact),
        cmocka_unit_test(rounding_is_half_away_from_zero),
        cmocka_unit_test(json_nests_and_escapes),
        cmocka_unit_test(nothing_added_is_an_empty_string),
        cmocka_unit_test(lost_memory_is_reported_once_at_the_end),
        cmocka_unit_test(division_rounds_half_away),
        cmocka_unit_test(stddev_has_no_cancellation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
