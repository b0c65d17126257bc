/* Goal: the order, the counting and the texts that diag.h and status.h promise. */
#include "engine/diag.h"
#include "engine/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct vsg_pos at(unsigned line, unsigned column)
{
    return (struct vsg_pos){.line = line, .column = column, .length = 1};
}

static void add(struct vsg_diag *d, enum vsg_severity s, unsigned line, unsigned column,
                const char *text)
{
    struct vsg_pos pos = at(line, column);
    vsg_diag_add(d, s, &pos, "%s", text);
}

static void adds_in_order_and_counts(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    (void)state;
    for (int i = 0; i < 100; i++) /* crosses several growths */
        vsg_diag_add(&d, i % 4 == 0 ? VSG_WARNING : VSG_NOTE, NULL, "item %d of %s", i, "many");
    vsg_diag_error(&d, "%u%%", 7u);
    assert_int_equal(d.count, 101);
    assert_int_equal(d.lost, 0);
    assert_int_equal(vsg_diag_count(&d, VSG_WARNING), 25);
    assert_int_equal(vsg_diag_count(&d, VSG_NOTE), 75);
    assert_int_equal(vsg_diag_count(&d, VSG_ERROR), 1);
    assert_string_equal(d.item[37].text, "item 37 of many");
    assert_string_equal(d.item[100].text, "7%");
    assert_int_equal(d.item[100].pos.line, 0);
    vsg_diag_clear(&d);
    assert_int_equal(d.count, 0);
    assert_null(d.item);
    vsg_diag_clear(&d); /* twice is harmless */
    vsg_diag_add(NULL, VSG_ERROR, NULL, "goes nowhere");
}

static void sorts_by_line_then_column_and_is_stable(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    const char *const expected[] = {"b", "d", "c", "z", "a", "e"};
    (void)state;
    vsg_diag_error(&d, "a"); /* no position: after all others */
    add(&d, VSG_ERROR, 2, 9, "z");
    add(&d, VSG_ERROR, 1, 4, "b");
    add(&d, VSG_NOTE, 2, 3, "d"); /* same place as c: the order of addition stays */
    add(&d, VSG_ERROR, 2, 3, "c");
    vsg_diag_add(&d, VSG_NOTE, NULL, "e");
    vsg_diag_sort(&d);
    assert_int_equal(d.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(d.item[i].text, expected[i]);
    vsg_diag_clear(&d);
}

static void sort_drops_exact_duplicates_only(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    (void)state;
    add(&d, VSG_ERROR, 5, 1, "same");
    add(&d, VSG_ERROR, 5, 1, "between");
    add(&d, VSG_ERROR, 5, 1, "same");
    add(&d, VSG_WARNING, 5, 1, "same"); /* another severity */
    add(&d, VSG_ERROR, 5, 2, "same");   /* another place */
    vsg_diag_error(&d, "same");
    vsg_diag_error(&d, "same");
    vsg_diag_sort(&d);
    assert_int_equal(d.count, 5);
    assert_string_equal(d.item[0].text, "same");
    assert_string_equal(d.item[1].text, "between");
    assert_int_equal(d.item[2].severity, VSG_WARNING);
    assert_int_equal(d.item[3].pos.column, 2);
    assert_int_equal(d.item[4].pos.line, 0);
    vsg_diag_clear(&d);
    vsg_diag_sort(&d); /* an empty one */
    assert_int_equal(d.count, 0);
}

static void every_status_has_its_own_words(void **state)
{
    (void)state;
    for (int i = 0; i < VSG_STATUS_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(vsg_status_text((enum vsg_status)i),
                                    vsg_status_text((enum vsg_status)j));
    for (int i = 0; i < VSG_STATUS_COUNT; i++)
        assert_string_not_equal(vsg_status_text((enum vsg_status)i), "unknown status");
    assert_string_equal(vsg_status_text(VSG_STATUS_COUNT), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_in_order_and_counts),
        cmocka_unit_test(sorts_by_line_then_column_and_is_stable),
        cmocka_unit_test(sort_drops_exact_duplicates_only),
        cmocka_unit_test(every_status_has_its_own_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
