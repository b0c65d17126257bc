/* Goal: the rules that all rows of the parameter table keep (params.h), and finding them. */
#include "study/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "study/suggest.h"

static void every_row_says_what_it_is_and_where_it_comes_from(void **state)
{
    (void)state;
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        if (!p->doc || strlen(p->doc) < 8 || p->doc[strlen(p->doc) - 1] != '.')
            fail_msg("%s: no doc, or one that is no sentence", p->key);
        if (!p->source || strlen(p->source) < 8)
            fail_msg("%s: no source", p->key);
        bool assumed = p->source && strncmp(p->source, "assumed", 7) == 0;
        if (assumed != (p->basis == VSG_ASSUMED))
            fail_msg("%s: basis and source disagree", p->key);
        if (p->required && p->has_default)
            fail_msg("%s: required, but has a default", p->key);
        if (p->kind == VSG_SECTION || p->has_default)
            continue;
        if (!p->dflt_text || !*p->dflt_text)
            fail_msg("%s: no default and no word about it", p->key);
    }
}

static void defaults_are_in_range(void **state)
{
    (void)state;
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        if (p->min > p->max)
            fail_msg("%s: min above max", p->key);
        if (!p->has_default || p->kind == VSG_INDEX) /* -1 is beside the range */
            continue;
        uint64_t max = p->choice ? p->choice_count - 1 : p->kind == VSG_BOOL ? 1 : p->max;
        if (p->dflt < p->min || p->dflt > max)
            fail_msg("%s: default out of range", p->key);
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* STYLE: the unit stands last in a field's name. */
static void fields_carry_their_unit(void **state)
{
    static const char *const suffix[VSG_PARAM_KINDS] = {
        [VSG_TIME] = "_ps",    [VSG_BYTES] = "_bytes", [VSG_BANDWIDTH] = "_bytes_per_s",
        [VSG_RATE] = "_per_s", [VSG_RATIO] = "_ppm",   [VSG_TIME_MATRIX] = "_ps"};
    (void)state;
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        if (!p->field)
            continue;
        assert_int_not_equal(p->base, VSG_IN_NOTHING);
        if (suffix[p->kind] && !ends_with(p->field, suffix[p->kind]))
            fail_msg("%s: field %s does not end with %s", p->key, p->field, suffix[p->kind]);
    }
}

static void numbers_fit_their_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        if (!p->field || p->kind > VSG_CHOICE)
            continue;
        if (p->width != 1 && p->width != 4 && p->width != 8)
            fail_msg("%s: width %zu", p->key, p->width);
        uint64_t highest = p->width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * p->width) - 1;
        if (p->max > highest)
            fail_msg("%s: max does not fit %zu bytes", p->key, p->width);
    }
}

static void keys_are_unique_and_their_sections_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        char section[128];
        assert_ptr_equal(vsg_param_find(p->key), p);
        snprintf(section, sizeof section, "%s", p->key);
        char *dot = strrchr(section, '.');
        if (!dot)
            continue;
        *dot = 0;
        if (ends_with(section, "[]"))
            section[strlen(section) - 2] = 0;
        if (!vsg_param_find(section))
            fail_msg("%s: no row for its section", p->key);
    }
}

static void every_cost_has_a_row(void **state)
{
    (void)state;
    for (int i = 0; i < VSG_COST_COUNT; i++) {
        const struct vsg_param *p = vsg_param_child("costs", vsg_cost_name[i]);
        bool right = p && p->offset == offsetof(struct vsg_config, cost) +
                                           (size_t)i * sizeof(struct vsg_dist);
        if (!right)
            fail_msg("costs.%s has no row, or the wrong field", vsg_cost_name[i]);
    }
}

static void keys_are_found_as_users_write_them(void **state)
{
    static const struct {
        const char *written, *key;
    } rows[] = {
        {"workload.rate", "workload.rate"},
        {"vms.guest.vcpus", "vms[].vcpus"},
        {"vms[3].vcpus", "vms[].vcpus"},
        {"vms.guest.placement.node", "vms[].placement.node"},
        {"vms.guest.workload.rate", "workload.rate"},
        {"vms[0].workload", "vms[].workload"},
        {"machine.its[12].svpet", "machine.its[].svpet"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct vsg_param *p = vsg_param_find(rows[i].written);
        if (!p || strcmp(p->key, rows[i].key) != 0)
            fail_msg("%s: found %s", rows[i].written, p ? p->key : "nothing");
    }
    assert_null(vsg_param_find("workload.rte"));
    assert_null(vsg_param_find(""));
    assert_null(vsg_param_find("vms.guest"));
    assert_string_equal(vsg_param_suggest("workload.rte"), "workload.rate");
    assert_string_equal(vsg_param_suggest("interconect.link.latency"), "interconnect.link.latency");
    assert_null(vsg_param_suggest("zzzzzzzz"));
}

static void texts_are_those_of_scenarios(void **state)
{
    char text[VSG_PARAM_TEXT];
    const struct vsg_param *p = vsg_param_find("interconnect.link.latency");
    (void)state;
    assert_string_equal(vsg_param_default_text(p, text, sizeof text), "50ns");
    assert_string_equal(vsg_param_range_text(p, text, sizeof text), "0ns to 100us");
    assert_string_equal(vsg_param_unit_text(p), "ps ns us ms s");
    assert_string_equal(vsg_basis_text(p->basis), "published");
    p = vsg_param_find("interconnect.contention");
    assert_string_equal(vsg_param_default_text(p, text, sizeof text), "fifo");
    assert_string_equal(vsg_param_choices_text(p, text, sizeof text), "none, fifo, fluid");
    assert_string_equal(vsg_param_range_text(p, text, sizeof text), "");
}

static void slips_are_counted(void **state)
{
    static const struct {
        const char *a, *b;
        size_t slips;
    } rows[] = {{"", "", 0},
                {"abc", "abc", 0},
                {"abc", "", 3},
                {"abc", "acb", 1},
                {"bandwith", "bandwidth", 1},
                {"kitten", "sitting", 3},
                {"ca", "abc", 3},
                {"ab", "ba", 1},
                {"loacl", "local", 1}};
    struct vsg_suggestion s;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(vsg_suggest_distance(rows[i].a, rows[i].b), rows[i].slips);
        assert_int_equal(vsg_suggest_distance(rows[i].b, rows[i].a), rows[i].slips);
    }
    vsg_suggest_begin(&s, "abc");
    vsg_suggest_try(&s, "xyz");
    assert_null(s.found);
    vsg_suggest_try(&s, "abd");
    vsg_suggest_try(&s, "abe"); /* as near: the first wins */
    assert_string_equal(s.found, "abd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_says_what_it_is_and_where_it_comes_from),
        cmocka_unit_test(defaults_are_in_range),
        cmocka_unit_test(fields_carry_their_unit),
        cmocka_unit_test(numbers_fit_their_fields),
        cmocka_unit_test(keys_are_unique_and_their_sections_exist),
        cmocka_unit_test(every_cost_has_a_row),
        cmocka_unit_test(keys_are_found_as_users_write_them),
        cmocka_unit_test(texts_are_those_of_scenarios),
        cmocka_unit_test(slips_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
