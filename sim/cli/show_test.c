/* Goal: a diagnostic points at the right character, whatever the line holds. Method: whole
 * outputs, worked out by hand. */
#include "cli/show.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* What is shown of one diagnostic in a text named a.yaml. Not inlined: gcc 12 would take the
 * result for a pointer into the local that it was read from. */
__attribute__((noinline)) static char *shown(const char *text, unsigned line, unsigned column,
                                             unsigned length, const char *message)
{
    char *out = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&out, &size);
    struct vsg_source source = {.name = "a.yaml", .text = (char *)text, .size = strlen(text)};
    struct vsg_diag diag = VSG_DIAG_INIT;
    vsg_diag_add(&diag, VSG_ERROR, &(struct vsg_pos){line, column, length}, "%s", message);
    vsg_show_diag(to, &source, &diag, VSG_SHOW_USUAL);
    fclose(to);
    vsg_diag_clear(&diag);
    return out;
}

static void expect(const char *text, unsigned line, unsigned column, unsigned length,
                   const char *wanted)
{
    char *out = shown(text, line, column, length, "no");
    assert_string_equal(out, wanted);
    free(out);
}

static void the_mark_covers_the_word(void **state)
{
    (void)state;
    expect("a: 1\n  link: {latency: 50, x: 1}\n", 2, 19, 2,
           "a.yaml:2:19: error: no\n"
           "  2 |   link: {latency: 50, x: 1}\n"
           "    |                   ^~\n");
    expect("a: 1", 1, 4, 1, "a.yaml:1:4: error: no\n  1 | a: 1\n    |    ^\n");
}

static void tabs_are_shown_as_blanks(void **state)
{
    (void)state;
    /* The tab runs from screen column 1 to 7, so the b stands in column 8. */
    expect("a\tbcd", 1, 3, 2,
           "a.yaml:1:3: error: no\n"
           "  1 | a       bcd\n"
           "    |         ^~\n");
    expect("\tb", 1, 1, 1, "a.yaml:1:1: error: no\n  1 |         b\n    | ^~~~~~~~\n");
}

static void columns_count_characters_and_marks_count_width(void **state)
{
    (void)state;
    expect("é: x", 1, 4, 1, "a.yaml:1:4: error: no\n  1 | é: x\n    |    ^\n");
    /* A CJK character is two columns wide; length is in bytes: 3 + 3. */
    expect("a: 中文 b", 1, 4, 6, "a.yaml:1:4: error: no\n  1 | a: 中文 b\n    |    ^~~~\n");
    expect("a: 中文 b", 1, 7, 1, "a.yaml:1:7: error: no\n  1 | a: 中文 b\n    |         ^\n");
}

static void what_a_terminal_would_obey_is_escaped(void **state)
{
    (void)state;
    expect("a: \33[2J", 1, 4, 1, "a.yaml:1:4: error: no\n  1 | a: \\x1b[2J\n    |    ^~~~\n");
    expect("\xff b", 1, 3, 1, "a.yaml:1:3: error: no\n  1 | \\xff b\n    |      ^\n");
    expect("\xe2\x80\xae b", 1, 3, 1, "a.yaml:1:3: error: no\n  1 | \\u202e b\n    |        ^\n");
    char *out = shown("", 0, 0, 0, "key 'a\nb\33'");
    assert_string_equal(out, "a.yaml: error: key 'a\\x0ab\\x1b'\n");
    free(out);
}

static void a_long_line_is_cut_around_the_mark(void **state)
{
    char text[301];
    (void)state;
    memset(text, 'a', 300);
    text[300] = '\0';
    text[200] = 'X';
    char *out = shown(text, 1, 201, 1, "no");
    char *mark = strchr(out, '^'), *row = strstr(out, "  1 | "), *last = strrchr(out, '|');
    assert_non_null(mark);
    assert_int_equal(row[mark - (last - 4)], 'X');
    assert_true(strlen(out) < 300);
    assert_non_null(strstr(row, "| ..."));
    assert_non_null(strstr(row, "a...\n"));
    free(out);
}

static void a_mark_behind_the_line_stands_at_its_end(void **state)
{
    (void)state;
    expect("ab\r\ncd\r\n", 2, 9, 1, "a.yaml:2:9: error: no\n  2 | cd\n    |   ^\n");
    expect("", 1, 1, 1, "a.yaml:1:1: error: no\n  1 | \n    | ^\n");
    expect("a\n", 7, 1, 1, "a.yaml:7:1: error: no\n");
}

static void quiet_and_verbose_choose_what_is_shown(void **state)
{
    static const char *const wanted[] = {
        [VSG_SHOW_ERRORS] = "a: error: e\na: note: of e\n",
        [VSG_SHOW_USUAL] = "a: warning: w\na: note: of w\na: error: e\na: note: of e\n",
        [VSG_SHOW_VERBOSE] =
            "a: note: alone\na: warning: w\na: note: of w\na: error: e\na: note: of e\n",
    };
    struct vsg_source source = {.name = "a"};
    struct vsg_diag diag = VSG_DIAG_INIT;
    (void)state;
    vsg_diag_add(&diag, VSG_NOTE, NULL, "alone");
    vsg_diag_add(&diag, VSG_WARNING, NULL, "w");
    vsg_diag_add(&diag, VSG_NOTE, NULL, "of w");
    vsg_diag_add(&diag, VSG_ERROR, NULL, "e");
    vsg_diag_add(&diag, VSG_NOTE, NULL, "of e");
    for (int how = VSG_SHOW_ERRORS; how <= VSG_SHOW_VERBOSE; how++) {
        char *out = NULL;
        size_t size = 0;
        FILE *to = open_memstream(&out, &size);
        vsg_show_diag(to, &source, &diag, (enum vsg_show)how);
        fclose(to);
        assert_string_equal(out, wanted[how]);
        free(out);
    }
    vsg_diag_clear(&diag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mark_covers_the_word),
        cmocka_unit_test(tabs_are_shown_as_blanks),
        cmocka_unit_test(columns_count_characters_and_marks_count_width),
        cmocka_unit_test(what_a_terminal_would_obey_is_escaped),
        cmocka_unit_test(a_long_line_is_cut_around_the_mark),
        cmocka_unit_test(a_mark_behind_the_line_stands_at_its_end),
        cmocka_unit_test(quiet_and_verbose_choose_what_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
