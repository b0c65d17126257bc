/* Goal: every wrong scenario of tests/data/bad is refused with exactly the errors, and at
 * exactly the places, that stand beside it. VSG_REWRITE=1 in the environment writes what was
 * found beside them instead: read the difference before it is committed. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char folder[] = VSG_TEST_DATA "/bad";

static char *read_file(const char *name, const char *suffix, size_t *size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot open %s", path);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    *size = fread(text, 1, (1 << 16) - 1, f);
    fclose(f);
    return text;
}

static char *print_errors(const struct vsg_diag *diag)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < diag->count; i++)
        fprintf(out, "%u:%u+%u %s\n", diag->item[i].pos.line, diag->item[i].pos.column,
                diag->item[i].pos.length, diag->item[i].text);
    fclose(out);
    return text;
}

static void rewrite(const char *name, const char *found)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(found, f);
    fclose(f);
}

/* False when the errors are others; says which. */
static bool check(const char *name)
{
    size_t size, wanted_size;
    char *text = read_file(name, ".yaml", &size);
    char *wanted = read_file(name, ".txt", &wanted_size);
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_study study = {0};

    enum vsg_status status = vsg_study_load(text, size, NULL, 0, &study, &diag);
    char *found = print_errors(&diag);
    bool same = status == VSG_ESCENARIO && strcmp(found, wanted) == 0;
    if (!same && getenv("VSG_REWRITE"))
        rewrite(name, found);
    else if (!same)
        print_error("%s: status %d\n-- wanted\n%s-- found\n%s", name, status, wanted, found);
    assert_int_equal(vsg_diag_count(&diag, VSG_ERROR), diag.count);
    assert_null(study.point);
    free(found);
    free(wanted);
    free(text);
    vsg_diag_clear(&diag);
    return same;
}

static void every_wrong_scenario_is_refused_as_written(void **state)
{
    DIR *dir = opendir(folder);
    unsigned count = 0, others = 0;
    (void)state;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char name[256];
        size_t n = strlen(entry->d_name);
        if (n < 6 || strcmp(entry->d_name + n - 5, ".yaml") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(n - 5), entry->d_name);
        others += !check(name);
        count++;
    }
    closedir(dir);
    assert_int_equal(others, 0);
    assert_true(count >= 60); /* the folder was found, and is what we think */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wrong_scenario_is_refused_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
