/* Goal: quantity.h. The expected values are the definitions of the units. */
#include "study/quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

struct good {
    enum vsg_quantity kind;
    const char *text;
    uint64_t value;
};

static void reads_exact_values(void **state)
{
    static const struct good good[] = {
        {VSG_Q_TIME, "50ns", 50000},
        {VSG_Q_TIME, "0.05us", 50000},
        {VSG_Q_TIME, "1ps", 1},
        {VSG_Q_TIME, "0.001ns", 1},
        {VSG_Q_TIME, "1e3ns", 1000000},
        {VSG_Q_TIME, "1E+3ns", 1000000},
        {VSG_Q_TIME, "5e-3ns", 5},
        {VSG_Q_TIME, "1.50us", 1500000},
        {VSG_Q_TIME, "2s", UINT64_C(2000000000000)},
        {VSG_Q_TIME, "0ns", 0},
        {VSG_Q_TIME, "0.0000000000000000000000000000000000000000000000000ns", 0},
        {VSG_Q_TIME, "0e99999999999999999999ns", 0},
        {VSG_Q_TIME, "18446744073709551615ps", UINT64_MAX},
        {VSG_Q_TIME, "1.00000000000000000000000000000000000000000000000000ns", 1000},
        {VSG_Q_TIME, "100000000000000000000e-20s", UINT64_C(1000000000000)},
        {VSG_Q_BYTES, "64B", 64},
        {VSG_Q_BYTES, "1kB", 1000},
        {VSG_Q_BYTES, "1KiB", 1024},
        {VSG_Q_BYTES, "0.5KiB", 512},
        {VSG_Q_BYTES, "0.0009765625KiB", 1},
        {VSG_Q_BYTES, "3MB", 3000000},
        {VSG_Q_BYTES, "1MiB", 1048576},
        {VSG_Q_BYTES, "1GiB", 1073741824},
        {VSG_Q_BANDWIDTH, "64GB/s", UINT64_C(64000000000)},
        {VSG_Q_BANDWIDTH, "1GiB/s", 1073741824},
        {VSG_Q_RATE, "500/s", 500},
        {VSG_Q_RATE, "2M/s", 2000000},
        {VSG_Q_RATE, "1.5k/s", 1500},
        {VSG_Q_RATE, "1G/s", 1000000000},
        {VSG_Q_SHARE, "5%", 50000},
        {VSG_Q_SHARE, "0.0001%", 1},
        {VSG_Q_SHARE, "100%", 1000000},
        {VSG_Q_RATIO, "0.3", 300000},
        {VSG_Q_RATIO, "2", 2000000},
        {VSG_Q_COUNT, "65536", 65536},
        {VSG_Q_COUNT, "1e6", 1000000},
        {VSG_Q_COUNT, "0", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        uint64_t value = 12345;
        char why[256] = "";
        if (vsg_quantity_parse(good[i].kind, good[i].text, &value, why, sizeof why) != VSG_OK)
            fail_msg("%s: %s", good[i].text, why);
        if (value != good[i].value)
            fail_msg("%s is %llu", good[i].text, (unsigned long long)value);
    }
}

struct bad {
    enum vsg_quantity kind;
    const char *text;
    enum vsg_status status;
    const char *words; /* part of the message */
};

static void refuses_and_says_why(void **state)
{
    static const struct bad bad[] = {
        {VSG_Q_TIME, "50", VSG_EINVAL,
         "'50' has no unit; write 50ns, 0.05us (units: ps ns us ms s)"},
        {VSG_Q_TIME, "50 ns", VSG_EINVAL, "write '50ns'"},
        {VSG_Q_TIME, "50fs", VSG_EINVAL, "unknown unit 'fs'; units of a time: ps ns us ms s"},
        {VSG_Q_TIME, "50NS", VSG_EINVAL, "did you mean 'ns'?"},
        {VSG_Q_TIME, "1.ns", VSG_EINVAL, "unknown unit '.ns'"},
        {VSG_Q_TIME, "1ens", VSG_EINVAL, "unknown unit 'ens'"},
        {VSG_Q_TIME, "-5ns", VSG_ERANGE, "-5ns is below 0ns"},
        {VSG_Q_TIME, "-0ns", VSG_EINVAL, "without leading '-'"},
        {VSG_Q_TIME, "+5ns", VSG_EINVAL, "leave out the '+'"},
        {VSG_Q_TIME, "007ns", VSG_EINVAL, "without leading zeros"},
        {VSG_Q_TIME, "0.5ps", VSG_ERANGE, "finer than 1ps"},
        {VSG_Q_TIME, "1e-400ns", VSG_ERANGE, "finer than 1ps"},
        {VSG_Q_TIME, "1e400ns", VSG_ERANGE, "1e400ns is too large"},
        {VSG_Q_TIME, "1e99999999999999999999ns", VSG_ERANGE, "too large"},
        {VSG_Q_TIME, "99999999999999999999ns", VSG_ERANGE, "too large"},
        {VSG_Q_TIME, "18446744073709551616ps", VSG_ERANGE, "too large"},
        {VSG_Q_TIME, "1.00000000000000000000000000000000000000001ns", VSG_ERANGE, "38 digits"},
        {VSG_Q_TIME, "nan", VSG_EINVAL, "'nan' is not a time"},
        {VSG_Q_TIME, ".nan", VSG_EINVAL, "is not a time"},
        {VSG_Q_TIME, "-.inf", VSG_EINVAL, "is not a time"},
        {VSG_Q_TIME, "inf", VSG_EINVAL, "is not a time"},
        {VSG_Q_TIME, "", VSG_EINVAL, "no value"},
        {VSG_Q_TIME, "0x10ns", VSG_EINVAL, "unknown unit 'x10ns'"},
        {VSG_Q_BANDWIDTH, "64Gb/s", VSG_EINVAL, "(bytes, not bits)"},
        {VSG_Q_BANDWIDTH, "64GB", VSG_EINVAL, "unknown unit 'GB'; did you mean 'GB/s'?"},
        {VSG_Q_BYTES, "0.5B", VSG_ERANGE, "finer than 1B"},
        {VSG_Q_RATE, "2M", VSG_EINVAL, "did you mean 'M/s'? (units: /s k/s M/s G/s)"},
        {VSG_Q_RATE, "2Hz", VSG_EINVAL, "units of a rate: /s k/s M/s G/s"},
        {VSG_Q_SHARE, "0.05", VSG_EINVAL, "has no unit; write one such as 5%"},
        {VSG_Q_SHARE, "0.00001%", VSG_ERANGE, "finer than 0.0001%"},
        {VSG_Q_RATIO, "30%", VSG_EINVAL, "is not a number; write one such as 0.3, without a unit"},
        {VSG_Q_COUNT, "1.5", VSG_EINVAL, "'1.5' is not a whole number"},
        {VSG_Q_COUNT, "four", VSG_EINVAL, "'four' is not a whole number"},
        {VSG_Q_COUNT, "-1", VSG_ERANGE, "-1 is below 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t value = 12345;
        char why[256] = "";
        enum vsg_status status =
            vsg_quantity_parse(bad[i].kind, bad[i].text, &value, why, sizeof why);
        if (status != bad[i].status || value != 12345 || !strstr(why, bad[i].words))
            fail_msg("%s: status %d, '%s'", bad[i].text, status, why);
    }
}

static void writes_what_it_reads(void **state)
{
    static const uint64_t values[] = {0,
                                      1,
                                      9,
                                      10,
                                      999,
                                      1000,
                                      1024,
                                      1500,
                                      10000,
                                      123456,
                                      1000000,
                                      1048576,
                                      1500000,
                                      1000000000,
                                      1073741824,
                                      UINT64_C(1000000000000),
                                      UINT64_C(1234567890123456789),
                                      UINT64_MAX};
    (void)state;
    for (int kind = 0; kind < VSG_Q_KINDS; kind++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            char text[VSG_QUANTITY_TEXT], why[256] = "";
            uint64_t back = 0;
            vsg_quantity_format((enum vsg_quantity)kind, values[i], text, sizeof text);
            if (vsg_quantity_parse((enum vsg_quantity)kind, text, &back, why, sizeof why) !=
                    VSG_OK ||
                back != values[i])
                fail_msg("kind %d: %s: %s", kind, text, why);
        }
}

static void chooses_the_largest_whole_unit(void **state)
{
    char text[VSG_QUANTITY_TEXT];
    (void)state;
    assert_string_equal(vsg_quantity_format(VSG_Q_TIME, 1500, text, sizeof text), "1500ps");
    assert_string_equal(vsg_quantity_format(VSG_Q_TIME, 2000, text, sizeof text), "2ns");
    assert_string_equal(vsg_quantity_format(VSG_Q_TIME, 0, text, sizeof text), "0ns");
    assert_string_equal(vsg_quantity_format(VSG_Q_BANDWIDTH, UINT64_C(64000000000), text, 40),
                        "64GB/s");
    assert_string_equal(vsg_quantity_format(VSG_Q_SHARE, 125000, text, sizeof text), "12.5%");
}

static void writes_plain_decimals_for_results(void **state)
{
    char text[VSG_QUANTITY_TEXT];
    (void)state;
    assert_string_equal(vsg_quantity_decimal(VSG_Q_TIME, 1500, text, sizeof text), "1.5");
    assert_string_equal(vsg_quantity_decimal(VSG_Q_TIME, 50000, text, sizeof text), "50");
    assert_string_equal(vsg_quantity_decimal(VSG_Q_TIME, 1, text, sizeof text), "0.001");
    assert_string_equal(vsg_quantity_decimal(VSG_Q_SHARE, 50000, text, sizeof text), "0.05");
    assert_string_equal(vsg_quantity_decimal(VSG_Q_RATE, 2000000, text, sizeof text), "2000000");
    assert_string_equal(vsg_quantity_decimal(VSG_Q_COUNT, 7, text, sizeof text), "7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_exact_values),
        cmocka_unit_test(refuses_and_says_why),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(chooses_the_largest_whole_unit),
        cmocka_unit_test(writes_plain_decimals_for_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
