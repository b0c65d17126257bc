/* Goal: yaml_tree.h: what is read, what is refused, and where. */
#include "study/yaml_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct vsg_yaml *read_ok(const char *text)
{
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_yaml *y = NULL;
    enum vsg_status status = vsg_yaml_parse(text, strlen(text), &y, &diag);
    if (status != VSG_OK || diag.count)
        fail_msg("%s: %s", text, diag.count ? diag.item[0].text : "no message");
    return y;
}

static void keeps_values_and_positions(void **state)
{
    (void)state;
    struct vsg_yaml *y = read_ok("# comment\na: 1\nb: {c: two, d: [x, 'y z']}\n");
    const struct vsg_yaml_node *d = vsg_yaml_at(vsg_yaml_root(y), "b.d");
    char path[64];
    assert_non_null(d);
    assert_int_equal(d->count, 2);
    assert_string_equal(d->child[1]->text, "y z");
    assert_true(d->child[1]->quoted);
    assert_int_equal(d->child[1]->pos.line, 3);
    assert_int_equal(d->child[1]->pos.column, 20);
    assert_int_equal(d->child[1]->pos.length, 5);
    assert_int_equal(d->key_pos.column, 13);
    assert_int_equal(d->pos.column, 16);
    assert_int_equal(d->pos.length, 10);
    assert_string_equal(vsg_yaml_path(d->child[1], path, sizeof path), "b.d[1]");
    assert_null(vsg_yaml_at(vsg_yaml_root(y), "b.e"));
    assert_null(vsg_yaml_at(vsg_yaml_root(y), "a.b"));
    vsg_yaml_free(y);
}

static void no_final_newline_and_a_byte_order_mark_are_fine(void **state)
{
    (void)state;
    struct vsg_yaml *y = read_ok("\xef\xbb\xbf"
                                 "format: 1");
    assert_string_equal(vsg_yaml_at(vsg_yaml_root(y), "format")->text, "1");
    vsg_yaml_free(y);
}

static void columns_count_characters(void **state)
{
    (void)state;
    struct vsg_yaml *y = read_ok("{d: \"\xc3\xa9\xe2\x82\xac\", n: 1}");
    assert_int_equal(vsg_yaml_at(vsg_yaml_root(y), "n")->key_pos.column, 11);
    vsg_yaml_free(y);
}

static void aliases_are_copied(void **state)
{
    (void)state;
    struct vsg_yaml *y = read_ok("a: &x {k: [1, 2]}\nb: *x\n");
    const struct vsg_yaml_node *k = vsg_yaml_at(vsg_yaml_root(y), "b.k");
    char path[64];
    assert_non_null(k);
    assert_string_equal(k->child[1]->text, "2");
    assert_string_equal(vsg_yaml_path(k->child[1], path, sizeof path), "b.k[1]");
    vsg_yaml_free(y);
}

struct bad {
    const char *text;
    unsigned line, column;
    const char *words;
};

static void refuses_with_position(void **state)
{
    static const struct bad bad[] = {
        {"", 0, 0, "the file is empty"},
        {"# only a comment\n", 0, 0, "the file is empty"},
        {"a: 1\n---\nb: 2\n", 2, 1, "a second document"},
        {"a: 1\nb: 2\na: 3\n", 3, 1, "key 'a' is here twice (first in line 1)"},
        {"x: {b: 1, b: 2}\n", 1, 11, "key 'b' is here twice"},
        {"a: &x {k: 1}\nb:\n  <<: *x\n", 3, 3, "'<<' merges are not applied"},
        {"a: !!int 3\n", 1, 4, "tags"},
        {"a: !custom {b: 1}\n", 1, 4, "tags"},
        {"a: &x [*x]\n", 1, 8, "inside its own anchor"},
        {"a: *nowhere\n", 1, 4, "has no anchor"},
        {"? [a]\n: b\n", 1, 3, "a key must be a plain word, not a list"},
        {"a:\n\tb: 1\n", 2, 1, "tab used as indentation"},
        {"a: [1, 2\nb: 3\n", 2, 2, "not valid YAML"},
        {"a: \"\\0\"\n", 1, 4, "NUL"},
        {"a: \x01\n", 1, 4, "control character 0x01"},
        {"a: \x7f"
         "ELF\n",
         1, 4, "control character 0x7f"},
        {"a: \xff\n", 1, 4, "byte 0xff is not UTF-8"},
        {"a: \xed\xa0\x80\n", 1, 4, "is not UTF-8"},
        {"\xff\xfe"
         "a",
         1, 1, "UTF-16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct vsg_diag diag = VSG_DIAG_INIT;
        struct vsg_yaml *y = NULL;
        vsg_yaml_parse(bad[i].text, strlen(bad[i].text), &y, &diag);
        if (diag.count != 1 || !strstr(diag.item[0].text, bad[i].words) ||
            diag.item[0].pos.line != bad[i].line || diag.item[0].pos.column != bad[i].column)
            fail_msg("%s: %zu errors, %u:%u %s", bad[i].text, diag.count,
                     diag.count ? diag.item[0].pos.line : 0,
                     diag.count ? diag.item[0].pos.column : 0, diag.count ? diag.item[0].text : "");
        vsg_diag_clear(&diag);
        vsg_yaml_free(y);
    }
}

static void a_nul_byte_is_refused(void **state)
{
    const char text[] = "a: 1\n\0b: 2\n";
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_yaml *y = NULL;
    (void)state;
    assert_int_equal(vsg_yaml_parse(text, sizeof text - 1, &y, &diag), VSG_ESCENARIO);
    assert_non_null(strstr(diag.item[0].text, "NUL byte"));
    assert_int_equal(diag.item[0].pos.line, 2);
    vsg_diag_clear(&diag);
}

/* Duplicates, tags and merges do not hide each other. */
static void several_errors_are_told_at_once(void **state)
{
    const char *text = "a: !t 1\na: 2\nb: 1\nb: 2\n<<: {c: 1}\n";
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_yaml *y = NULL;
    (void)state;
    assert_int_equal(vsg_yaml_parse(text, strlen(text), &y, &diag), VSG_OK);
    assert_int_equal(diag.count, 4);
    assert_int_equal(vsg_yaml_root(y)->count, 2);
    vsg_diag_clear(&diag);
    vsg_yaml_free(y);
}

static void expect_refusal(const char *text, size_t size, const char *words)
{
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_yaml *y = NULL;
    assert_int_equal(vsg_yaml_parse(text, size, &y, &diag), VSG_ESCENARIO);
    assert_int_equal(diag.count, 1);
    if (!strstr(diag.item[0].text, words))
        fail_msg("%s", diag.item[0].text);
    vsg_diag_clear(&diag);
}

static void hostile_sizes_are_refused(void **state)
{
    size_t size = 1 << 20;
    char *text = malloc(VSG_YAML_BYTES_MAX + 1);
    (void)state;
    assert_non_null(text);
    memset(text, '[', size);
    expect_refusal(text, size, "nested deeper than 64");
    memset(text, '{', size);
    expect_refusal(text, size, "a key must be a plain word");
    for (size_t i = 0; i + 2 <= size; i += 2)
        memcpy(text + i, "- ", 2);
    expect_refusal(text, size, "nested deeper than 64");
    memset(text, '#', VSG_YAML_BYTES_MAX + 1);
    expect_refusal(text, VSG_YAML_BYTES_MAX + 1, "16 MiB");
    free(text);
}

static void alias_bombs_are_refused(void **state)
{
    char text[2048];
    int n = snprintf(text, sizeof text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    (void)state;
    for (int i = 1; i < 10; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, "*a%d%s", i - 1, k < 9 ? ", " : "]\n");
    }
    expect_refusal(text, (size_t)n, "aliases add more than 100000 values");
    /* Deep instead of wide: each layer adds 30 levels. */
    n = 0;
    for (int i = 0; i < 4; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "a%d: &a%d ", i, i);
        for (int k = 0; k < 30; k++)
            text[n++] = '[';
        n += snprintf(text + n, sizeof text - (size_t)n, i ? "*a%d" : "x", i - 1);
        for (int k = 0; k < 30; k++)
            text[n++] = ']';
        text[n++] = '\n';
    }
    expect_refusal(text, (size_t)n, "nested deeper than 64");
}

static void many_keys_are_fast(void **state)
{
    enum { KEYS = 200000, EACH = 12 };
    char *text = malloc(KEYS * EACH + 1);
    size_t n = 0;
    (void)state;
    assert_non_null(text);
    for (int i = 0; i < KEYS; i++)
        n += (size_t)snprintf(text + n, EACH + 1, "k%06d: 1\n", i);
    struct vsg_yaml *y = read_ok(text);
    assert_int_equal(vsg_yaml_root(y)->count, KEYS);
    vsg_yaml_free(y);
    free(text);
}

static void a_thousand_errors_are_enough(void **state)
{
    enum { KEYS = 5000, EACH = 5 };
    char *text = malloc(KEYS * EACH + 1);
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_yaml *y = NULL;
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < KEYS; i++)
        memcpy(text + i * EACH, "k: 1\n", EACH + 1);
    assert_int_equal(vsg_yaml_parse(text, KEYS * EACH, &y, &diag), VSG_OK);
    assert_int_equal(vsg_diag_count(&diag, VSG_ERROR), VSG_YAML_ERRORS_MAX);
    assert_int_equal(diag.count, VSG_YAML_ERRORS_MAX + 1);
    assert_int_equal(diag.item[VSG_YAML_ERRORS_MAX].severity, VSG_NOTE);
    assert_non_null(strstr(diag.item[VSG_YAML_ERRORS_MAX].text, "not shown"));
    vsg_diag_clear(&diag);
    vsg_yaml_free(y);
    free(text);
}

static void values_of_settings_name_the_setting(void **state)
{
    struct vsg_yaml *y = read_ok("a: 1");
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_yaml_node *value = NULL;
    (void)state;
    assert_int_equal(vsg_yaml_parse_value(y, "[1, 2", "k=[1, 2", &value, &diag), VSG_ESCENARIO);
    assert_non_null(strstr(diag.item[0].text, "--set k=[1, 2: not valid YAML"));
    assert_int_equal(diag.item[0].pos.line, 0);
    vsg_diag_clear(&diag);
    assert_int_equal(vsg_yaml_parse_value(y, "{x: 2M/s}", "k={x: 2M/s}", &value, &diag), VSG_OK);
    assert_string_equal(vsg_yaml_at(value, "x")->text, "2M/s");
    assert_int_equal(vsg_yaml_put(y, vsg_yaml_root(y), "a", value), VSG_OK);
    vsg_yaml_say(&diag, VSG_ERROR, vsg_yaml_at(vsg_yaml_root(y), "a.x"), false, "wrong");
    assert_string_equal(diag.item[0].text, "--set k={x: 2M/s}: wrong");
    vsg_diag_clear(&diag);
    vsg_yaml_free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_values_and_positions),
        cmocka_unit_test(no_final_newline_and_a_byte_order_mark_are_fine),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(aliases_are_copied),
        cmocka_unit_test(refuses_with_position),
        cmocka_unit_test(a_nul_byte_is_refused),
        cmocka_unit_test(several_errors_are_told_at_once),
        cmocka_unit_test(hostile_sizes_are_refused),
        cmocka_unit_test(alias_bombs_are_refused),
        cmocka_unit_test(many_keys_are_fast),
        cmocka_unit_test(a_thousand_errors_are_enough),
        cmocka_unit_test(values_of_settings_name_the_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
