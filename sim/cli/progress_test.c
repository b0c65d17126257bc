/* Goal: the progress line says what the figures say, also for huge ones. */
#include "cli/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void expect(struct vsg_progress p, const char *wanted)
{
    char text[200];
    vsg_progress_text(&p, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void the_line_names_runs_failures_rate_and_time_left(void **state)
{
    (void)state;
    /* 33,292 M IPIs and 349,160 M events in 812 s; 1,188 s = 19 m 48 s. */
    expect((struct vsg_progress){.total = 2000,
                                 .done = 809,
                                 .failed = 3,
                                 .ipis = UINT64_C(33292000000),
                                 .events = UINT64_C(349160000000),
                                 .wall_ns = UINT64_C(812000000000),
                                 .knows_left = true,
                                 .left_ns = UINT64_C(1188000000000)},
           "[  812/2,000]  3 failed   41 M IPI/s   430 M events/s   19 m 48 s left");
    expect((struct vsg_progress){.total = 4, .wall_ns = 1}, "[0/4]");
    expect((struct vsg_progress){.total = 4, .done = 4, .ipis = 8300, .wall_ns = 1000000000},
           "[4/4]   8.3 k IPI/s   0 events/s");
    /* Runs of an earlier command say nothing of this one's speed. */
    expect((struct vsg_progress){.total = 4, .done = 2, .recalled = 2, .wall_ns = 1000000000},
           "[2/4]");
}

static void large_figures_do_not_overflow(void **state)
{
    (void)state;
    /* 10^12 IPIs in 10^6 s, half of the runs: IPIs times nanoseconds is 10^21. */
    expect((struct vsg_progress){.total = 2000000000,
                                 .done = 1000000000,
                                 .ipis = UINT64_C(1000000000000),
                                 .events = UINT64_C(10000000000000),
                                 .wall_ns = UINT64_C(1000000000000000),
                                 .knows_left = true,
                                 .left_ns = UINT64_C(1000000000000000)},
           "[1,000,000,000/2,000,000,000]   1.0 M IPI/s   10 M events/s   277 h 46 m left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_names_runs_failures_rate_and_time_left),
        cmocka_unit_test(large_figures_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
