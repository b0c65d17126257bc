/* A scenario's text, run: for the tests of this folder. */
#ifndef VSG_TESTS_PROPERTY_STUDY_RUN_H
#define VSG_TESTS_PROPERTY_STUDY_RUN_H

#include "engine/stats.h"
#include "study/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct study_run {
    struct vsg_study study;
    struct vsg_outcome outcome;
    struct vsg_results results;
};

static inline void run_study(const char *text, struct study_run *r)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    enum vsg_status status = vsg_study_load(text, strlen(text), NULL, 0, &r->study, &d);
    for (size_t i = 0; i < d.count; i++)
        print_error("%s\n", d.item[i].text);
    assert_int_equal(status, VSG_OK);
    struct vsg_execute_options o = {.threads = 1, .module_dir = VSG_MODULE_DIR};
    assert_int_equal(vsg_study_execute(&r->study, &o, &r->outcome, &d), VSG_OK);
    assert_int_equal(r->outcome.failed, 0);
    assert_int_equal(vsg_results_make(&r->study, &r->outcome, "test", &r->results), VSG_OK);
    vsg_diag_clear(&d);
}

static inline void free_study_run(struct study_run *r)
{
    vsg_results_free(&r->results);
    vsg_outcome_free(&r->outcome);
    vsg_study_free(&r->study);
}

static inline bool holds(const struct vsg_interval *ci, double truth)
{
    return ci->mean - ci->half_width <= truth && truth <= ci->mean + ci->half_width;
}

#endif
