/* Intents against what the processes promise: rates in the long run, exact times through load
 * steps. */
#include "models/guest/arrivals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define MS UINT64_C(1000000000)
#define US UINT64_C(1000000)

static void make(const struct vsg_workload_config *w, uint32_t vcpus, struct vsg_arrivals *a)
{
    assert_int_equal(vsg_arrivals_make(w, vcpus, a), VSG_OK);
}

/* Intents before end_ps of `streams` vCPUs. */
static uint64_t count(const struct vsg_arrivals *a, uint32_t streams, uint32_t index,
                      uint64_t end_ps)
{
    uint64_t total = 0;
    for (uint32_t k = 0; k < streams; k++) {
        struct vsg_stream stream = vsg_stream_make(7, 0, k);
        struct vsg_arrival_state s = {0};
        uint64_t last = 0;
        for (uint64_t n = 0;; n++) {
            uint64_t t = vsg_arrival_next(a, index, stream, n, &s);
            assert_true(t >= last);
            last = t;
            if (t >= end_ps)
                break;
            total++;
        }
    }
    return total;
}

static void bursty_has_the_mean_rate_of_its_two_states(void **state)
{
    (void)state;
    struct vsg_workload_config w = {.kind = VSG_WORKLOAD_BURSTY,
                                    .rate_per_s = 4000000,
                                    .off_rate_per_s = 500000,
                                    .on_ps = 10 * US,
                                    .off_ps = 30 * US};
    struct vsg_arrivals a;
    make(&w, 1, &a);
    /* (4 x 10 + 0.5 x 30) / 40 = 1.375 per us; 200 vCPUs over 2 ms: 550,000. The index of
     * dispersion of this MMPP is 1 + 2 p q (r1 - r2)^2 / (mean (s1 + s2)) with p = 1/4, switching
     * rates 1/10 and 1/30 per us: 1 + 2 x 0.1875 x 12.25 / (1.375 x 0.1333) = 26.06, so 1 sd is
     * 3,786. */
    uint64_t n = count(&a, 200, 0, 2 * MS);
    assert_in_range(n, 550000 - 4 * 3786, 550000 + 4 * 3786);
    assert_true(vsg_arrival_rate(&a, 0, VSG_NEVER) == 1375000);
    vsg_arrivals_free(&a);
}

static void a_silent_state_sends_nothing(void **state)
{
    (void)state;
    struct vsg_workload_config w = {
        .kind = VSG_WORKLOAD_BURSTY, .rate_per_s = 1000000, .on_ps = 10 * US, .off_ps = 10 * US};
    struct vsg_arrivals a;
    make(&w, 1, &a);
    /* 0.5 per us; dispersion 1 + 2 x 0.25 x 1 / (0.5 x 0.2) = 6; 100 x 2 ms: 100,000, sd 775. */
    assert_in_range(count(&a, 100, 0, 2 * MS), 100000 - 4 * 775, 100000 + 4 * 775);
    vsg_arrivals_free(&a);
}

static void matrix_has_a_rate_per_pair(void **state)
{
    (void)state;
    uint32_t rate[9] = {0, 300000, 700000, 2000000, 0, 0, 0, 0, 0};
    struct vsg_workload_config w = {
        .kind = VSG_WORKLOAD_MATRIX, .pair_rate_per_s = rate, .pair_rate_count = 9};
    struct vsg_arrivals a;
    make(&w, 3, &a);
    assert_in_range(count(&a, 100, 0, MS), 100000 - 4 * 316, 100000 + 4 * 316);
    assert_in_range(count(&a, 100, 1, MS), 200000 - 4 * 447, 200000 + 4 * 447);
    /* Words below 0.3 of the range pick vCPU 1, the others vCPU 2. */
    assert_int_equal(vsg_arrival_target(&a, 0, 0), 1);
    assert_int_equal(vsg_arrival_target(&a, 0, (uint32_t)(0.2999 * 4294967296.0)), 1);
    assert_int_equal(vsg_arrival_target(&a, 0, (uint32_t)(0.3001 * 4294967296.0)), 2);
    assert_int_equal(vsg_arrival_target(&a, 0, UINT32_MAX), 2);
    assert_int_equal(vsg_arrival_target(&a, 1, UINT32_MAX), 0);
    vsg_arrivals_free(&a);
}

/* The same stream with and without steps: each intent moves to where the integral of the factor
 * reaches its operational time. */
static void load_steps_stretch_time_exactly(void **state)
{
    (void)state;
    struct vsg_load_step step[] = {{10 * US, 2000000}, {20 * US, 0}, {50 * US, 500000}};
    struct vsg_workload_config plain = {.kind = VSG_WORKLOAD_POISSON, .rate_per_s = 1000000};
    struct vsg_workload_config stepped = plain;
    stepped.step = step;
    stepped.step_count = 3;
    struct vsg_arrivals a, b;
    make(&plain, 1, &a);
    make(&stepped, 1, &b);
    struct vsg_stream stream = vsg_stream_make(3, 0, 0);
    struct vsg_arrival_state s = {0}, t = {0};
    for (uint64_t n = 0; n < 200; n++) {
        uint64_t u = vsg_arrival_next(&a, 0, stream, n, &s);
        uint64_t got = vsg_arrival_next(&b, 0, stream, n, &t);
        uint64_t want;
        if (u < 10 * US) /* factor 1 */
            want = u;
        else if (u < 30 * US) /* 10 us at factor 2 are worth 20 us */
            want = 10 * US + (u - 10 * US) / 2;
        else /* nothing for 30 us, then half as fast */
            want = 50 * US + 2 * (u - 30 * US);
        assert_int_equal(got, want);
    }
    /* Over 100 us: 10 x 1 + 10 x 2 + 30 x 0 + 50 x 0.5 = 55. */
    assert_true(vsg_arrival_factor(&stepped, 100 * US) == 0.55);
    vsg_arrivals_free(&a);
    vsg_arrivals_free(&b);
}

static void a_last_factor_of_zero_ends_the_load(void **state)
{
    (void)state;
    struct vsg_load_step step[] = {{10 * US, 0}};
    struct vsg_workload_config w = {
        .kind = VSG_WORKLOAD_POISSON, .rate_per_s = 10000000, .step = step, .step_count = 1};
    struct vsg_arrivals a;
    make(&w, 1, &a);
    struct vsg_arrival_state s = {0};
    uint64_t t = 0, n = 0;
    while (t != VSG_NEVER) {
        t = vsg_arrival_next(&a, 0, vsg_stream_make(1, 0, 0), n++, &s);
        assert_true(t < 10 * US || t == VSG_NEVER);
    }
    assert_in_range(n, 60, 150);
    vsg_arrivals_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursty_has_the_mean_rate_of_its_two_states),
        cmocka_unit_test(a_silent_state_sends_nothing),
        cmocka_unit_test(matrix_has_a_rate_per_pair),
        cmocka_unit_test(load_steps_stretch_time_exactly),
        cmocka_unit_test(a_last_factor_of_zero_ends_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
