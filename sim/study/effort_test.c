/* Goal: time left, from what finished runs took. Method: made-up runs whose weights are known. */
#include <setjmp.h>
#include <stdarg.h>

#include "study/effort.h"
#include "study/made_up.h"

#include <cmocka.h> /* last: it has a macro named fail */

static void time_left_goes_by_the_length_of_runs(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_effort e;
    uint64_t left_ns = 7;
    made_up(&m, 2, 1, 2); /* runs 0, 1 of a short point; 2, 3 of one 100 times as long */
    m.vm[0].workload.sends = 1000000;
    m.vm[1].workload.sends = 100000000;
    double one = vsg_config_weight(&m.point[0].config), two = vsg_config_weight(&m.point[1].config);
    assert_true(two / one > 99 && two / one < 100); /* a start costs something too */
    assert_int_equal(vsg_effort_begin(&e, &m.study, m.run, 4), VSG_OK);
    assert_false(vsg_effort_left(&e, 1, &left_ns));
    m.run[0].state = VSG_RUN_FAILED; /* says nothing */
    vsg_effort_ended(&e, &m.run[0]);
    assert_false(vsg_effort_left(&e, 1, &left_ns));
    m.run[1].state = VSG_RUN_DONE;
    m.run[1].wall_ns = 1000000;
    vsg_effort_ended(&e, &m.run[1]);
    assert_true(vsg_effort_left(&e, 1, &left_ns));
    assert_in_range(left_ns, 198000000, 200000000);
    assert_true(vsg_effort_left(&e, 4, &left_ns));
    assert_in_range(left_ns, 49500000, 50000000);
    m.run[2].state = VSG_RUN_DONE;
    m.run[2].recalled = true; /* of an earlier command, whose clock is not ours */
    vsg_effort_ended(&e, &m.run[2]);
    assert_true(vsg_effort_left(&e, 1, &left_ns));
    assert_in_range(left_ns, 99000000, 100000000);
    vsg_effort_end(&e);
    made_up_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_left_goes_by_the_length_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
