/* Goal: what is generated from the parameter table and stored in docs/ is today's.
 * VSG_REWRITE=1 in the environment writes the files instead. */
#include "study/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void is_todays(const char *path, const char *text, const char *end)
{
    assert_non_null(text);
    size_t size = strlen(text) + strlen(end);
    char *wanted = malloc(size + 1), *found = malloc(size + 2);
    assert_non_null(wanted);
    assert_non_null(found);
    snprintf(wanted, size + 1, "%s%s", text, end);
    if (getenv("VSG_REWRITE")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(wanted, 1, size, f), size);
        assert_int_equal(fclose(f), 0);
    }
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("%s is missing; VSG_REWRITE=1 writes it", path);
    size_t got = fread(found, 1, size + 1, f);
    fclose(f);
    if (got != size || memcmp(wanted, found, size) != 0)
        fail_msg("%s is stale; VSG_REWRITE=1 writes it again", path);
    free(wanted);
    free(found);
}

static void the_reference_is_todays(void **state)
{
    char *text = vsg_reference_markdown();
    (void)state;
    is_todays(VSG_SOURCE_DIR "/docs/scenario-reference.md", text, "");
    free(text);
}

static void the_schema_is_todays(void **state)
{
    char *text = vsg_schema_json();
    (void)state;
    is_todays(VSG_SOURCE_DIR "/docs/scenario.schema.json", text, "\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_todays),
        cmocka_unit_test(the_schema_is_todays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
