/* Goal: the figures that results.h promises of one run. Method: integers whose answers are known by
 * arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include "study/made_up.h"
#include "study/theory.h"

#include <cmocka.h> /* last: it has a macro named fail */

static struct vsg_config config_of(struct vsg_vm_config *vm, enum vsg_workload_kind kind)
{
    *vm = (struct vsg_vm_config){.vcpus = 2, .workload = {.kind = kind}};
    return (struct vsg_config){.machine = {.nodes = 1}, .vm = vm, .vm_count = 1};
}

static struct vsg_figures figures_of(const struct vsg_run_result *r, const struct vsg_config *c)
{
    struct vsg_figures f = {0};
    assert_int_equal(vsg_figures_of_run(r, c, &f), VSG_OK);
    return f;
}

static void the_seeds_loop(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_IPI_HW);
    struct vsg_run_result r;
    made_result(&r);
    made_ipis(&r, 65536, NS(850));
    r.fingerprint = 7;
    r.sender_busy_ps = 65536 * NS(425);
    struct vsg_figures f = figures_of(&r, &c);
    assert_int_equal(f.latency.count, 65536);
    assert_int_equal(f.latency.mean_ps, NS(850));
    assert_int_equal(f.latency.stddev_ps, 0);
    assert_int_equal(f.latency.min_ps, NS(850));
    assert_int_equal(f.latency.max_ps, NS(850));
    for (int i = 0; i < 4; i++) /* not the bucket's upper edge: nothing was above 850 ns */
        assert_int_equal(f.latency.percentile_ps[i], NS(850));
    /* 65,536 * 0.0001 = 6.6 IPIs above p99.99, fewer than 30. */
    assert_true(f.latency.percentile_ps[4] == VSG_NO_FIGURE);
    assert_int_equal(f.latency.method, VSG_METHOD_DETERMINISTIC);
    assert_true(f.latency.ci95_low_ps == VSG_NO_FIGURE && f.latency.ci95_high_ps == VSG_NO_FIGURE);
    assert_int_equal(f.throughput_milli_per_s, 1176470588); /* 1 / 850 ns */
    assert_int_equal(f.stage_ps[VSG_STAGE_TRAP], NS(850));
    assert_int_equal(f.stage_ps[VSG_STAGE_ITS], 0);
    assert_int_equal(f.stall_ps, NS(425));
    assert_int_equal(f.pcpu_share_ppm, 500000);
    assert_int_equal(f.pair_count, 1);
    assert_int_equal(f.pair[0].mean_ps, NS(850));
    assert_int_equal(f.pair[0].p99_ps, NS(850));
    assert_string_equal(f.vm[0].name, "guest");
    assert_false(f.unstable);
    assert_null(f.bottleneck);
    assert_int_equal(f.analytic.theory, VSG_THEORY_BOUND);
    assert_int_equal(f.analytic.mean_ps, NS(850));
    assert_int_equal(f.analytic.error_ppm, 0);
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static void a_mean_is_rounded_to_a_picosecond(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_IPI_HW);
    struct vsg_run_result r;
    made_result(&r);
    made_ipis(&r, 1, 1);
    made_ipis(&r, 1, 2); /* 1.5 ps */
    struct vsg_figures f = figures_of(&r, &c);
    assert_int_equal(f.latency.mean_ps, 2);
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static void a_percentile_needs_30_above(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_IPI_HW);
    struct vsg_run_result r;
    made_result(&r);
    made_ipis(&r, 2970, 100);
    made_ipis(&r, 29, 200);
    struct vsg_figures f = figures_of(&r, &c); /* 2,999 * 0.01 < 30 */
    assert_true(f.latency.percentile_ps[2] == VSG_NO_FIGURE);
    assert_int_equal(f.latency.percentile_ps[1], 100);
    vsg_figures_free(&f);
    made_ipis(&r, 1, 200); /* 3,000 * 0.01 = 30: rank 2,970 is the last of 100 ps */
    f = figures_of(&r, &c);
    assert_int_equal(f.latency.percentile_ps[2], 100);
    assert_true(f.latency.percentile_ps[3] == VSG_NO_FIGURE);
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static void no_ipis_no_figures(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_IPI_HW);
    struct vsg_run_result r;
    made_result(&r);
    struct vsg_figures f = figures_of(&r, &c);
    assert_true(f.latency.mean_ps == VSG_NO_FIGURE && f.latency.stddev_ps == VSG_NO_FIGURE);
    assert_true(f.latency.min_ps == VSG_NO_FIGURE && f.latency.max_ps == VSG_NO_FIGURE);
    assert_true(f.throughput_milli_per_s == VSG_NO_FIGURE);
    assert_true(f.its[0].utilisation_ppm == VSG_NO_FIGURE);
    assert_true(f.its[0].wait_mean_ps == VSG_NO_FIGURE);
    assert_int_equal(f.analytic.theory, VSG_THEORY_NONE);
    assert_int_equal(f.pair_count, 0);
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static void servers_by_little(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_IPI_HW);
    struct vsg_run_result r;
    made_result(&r);
    made_ipis(&r, 10, NS(100)); /* a window of 1,000 ns */
    r.its[0].stats = (struct vsg_server_stats){
        .served = 10, .busy_ps = NS(192), .wait_sum_ps = NS(2500), .queue_max = 4};
    r.link[0].stats = (struct vsg_server_stats){.served = 4, .busy_ps = NS(1), .wait_sum_ps = 2};
    struct vsg_figures f = figures_of(&r, &c);
    assert_int_equal(f.its[0].utilisation_ppm, 192000);
    assert_int_equal(f.its[0].queue_mean_ppm, 2500000); /* 2.5 waiting */
    assert_int_equal(f.its[0].wait_mean_ps, NS(250));
    assert_int_equal(f.its[0].queue_max, 4);
    assert_int_equal(f.link[0].utilisation_ppm, 1000);
    assert_int_equal(f.link[0].wait_mean_ps, 1); /* 0.5 ps */
    assert_string_equal(f.link[0].id, "n0-n1");
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static void a_bottleneck_is_above_95_percent(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_IPI_HW);
    struct vsg_run_result r;
    made_result(&r);
    made_ipis(&r, 10, NS(100));
    r.its[0].stats.busy_ps = NS(950);
    struct vsg_figures f = figures_of(&r, &c);
    assert_null(f.bottleneck);
    vsg_figures_free(&f);
    r.its[0].stats.busy_ps = NS(950) + 1;
    f = figures_of(&r, &c);
    assert_string_equal(f.bottleneck, "its1");
    vsg_figures_free(&f);
    r.link[0].stats.busy_ps = NS(951);
    f = figures_of(&r, &c);
    assert_string_equal(f.bottleneck, "n0-n1");
    assert_false(f.unstable); /* a closed loop at 1 is a steady state */
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static void offer(struct vsg_run_result *r, uint64_t load_ppm)
{
    r->open = true;
    r->offered = calloc(1, sizeof *r->offered);
    r->offered[0] = (struct vsg_offered){strdup("its1"), load_ppm};
    r->offered_count = 1;
}

static void an_offered_load_of_1_is_unstable(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_POISSON);
    vm.vcpus = 4;
    vm.workload.rate_per_s = 1000000;
    struct vsg_run_result r;
    made_result(&r);
    made_ipis(&r, 1000, NS(100));
    offer(&r, 1050000);
    struct vsg_figures f = figures_of(&r, &c);
    assert_true(f.unstable);
    /* 4 senders * 1 M/s / 1.05 = 3,809,523.81 per s. */
    assert_int_equal(f.sustainable_milli_per_s, 3809523810);
    assert_string_equal(f.unstable_reason,
                        "offered load of its1 is 1.050; sustainable is less than 3,809,524 IPIs/s "
                        "of all senders, 952,381/s of each");
    assert_true(f.latency.mean_ps == VSG_NO_FIGURE); /* no steady state, no mean */
    assert_true(f.latency.percentile_ps[0] == VSG_NO_FIGURE);
    assert_int_equal(f.latency.method, VSG_METHOD_UNSTABLE);
    assert_int_equal(f.latency.count, 1000);
    assert_int_equal(f.analytic.theory, VSG_THEORY_NONE);
    vsg_figures_free(&f);
    r.offered[0].load_ppm = 1000000; /* exactly 1 */
    f = figures_of(&r, &c);
    assert_true(f.unstable);
    vsg_figures_free(&f);
    r.offered[0].load_ppm = 999999;
    f = figures_of(&r, &c);
    assert_false(f.unstable);
    assert_true(f.sustainable_milli_per_s == VSG_NO_FIGURE);
    assert_int_equal(f.latency.mean_ps, NS(100));
    assert_int_equal(f.latency.method, VSG_METHOD_SINGLE_RUN);
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static bool grows(uint64_t ipis, uint64_t half, uint64_t end)
{
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_POISSON);
    struct vsg_run_result r;
    made_result(&r);
    made_ipis(&r, ipis, 1000);
    offer(&r, 500000);
    r.backlog_half = half;
    r.backlog_end = end;
    struct vsg_figures f = figures_of(&r, &c);
    bool unstable = f.unstable;
    if (unstable) /* what it could do is what it did */
        assert_true(f.sustainable_milli_per_s == f.throughput_milli_per_s);
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
    return unstable;
}

static void a_growing_backlog_is_unstable(void **state)
{
    (void)state;
    /* 4 standard deviations of half of 2,812 arrivals are 4 * sqrt(1406) = 149.99; of 2,814,
     * 150.04. */
    assert_true(grows(2812, 100, 250));
    assert_false(grows(2814, 100, 250));
    assert_false(grows(200, 100, 200)); /* not more than twice */
    assert_true(grows(200, 100, 201));
    assert_false(grows(1000000, 10, 30)); /* a queue that breathes */
}

static void set_all_costs(struct vsg_config *c, uint64_t its_ps)
{
    for (int i = 0; i < VSG_COST_COUNT; i++)
        c->cost[i] = vsg_dist_constant(0);
    c->cost[VSG_COST_ITS] = vsg_dist_constant(its_ps);
}

static void md1_beside_the_simulated_wait(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_POISSON);
    struct vsg_run_result r;
    vm.vcpus = 7;
    vm.workload.rate_per_s = 1000000;
    set_all_costs(&c, NS(100)); /* load 0.7 */
    made_result(&r);
    r.open = true;
    r.its[0].stats.served = 1000;
    made_ipis(&r, 1000, NS(217));
    r.stage_sum_ps[VSG_STAGE_TRAP] = 0;
    r.stage_sum_ps[VSG_STAGE_ITS] = 1000 * NS(100);
    r.stage_sum_ps[VSG_STAGE_ITS_WAIT] = 1000 * NS(117);
    struct vsg_figures f = figures_of(&r, &c);
    assert_int_equal(f.analytic.theory, VSG_THEORY_MD1);
    /* 0.7 * 100 / (2 * 0.3) = 116.667 ns; 117 is 333 ps or 0.2854 % more; of 216.667, 0.1537 %. */
    assert_int_equal(f.analytic.wait_ps, 116667);
    assert_int_equal(f.analytic.wait_error_ppm, 2854);
    assert_int_equal(f.analytic.mean_ps, 216667);
    assert_int_equal(f.analytic.error_ppm, 1537);
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static void md1_only_where_it_holds(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config good = config_of(&vm, VSG_WORKLOAD_POISSON), c = good;
    struct vsg_run_result r;
    set_all_costs(&good, NS(100));
    made_result(&r);
    r.its[0].stats.served = 1;
    assert_true(vsg_theory_is_md1(&r, &good));
    for (int i = 0; i < VSG_COST_COUNT; i++) {
        c = good;
        c.cost[i] = (struct vsg_dist){.kind = VSG_DIST_EXPONENTIAL, .mean_ps = 5};
        /* `poisson` moves no line and waits for no answer. */
        bool idle = i == VSG_COST_LINE || i == VSG_COST_PREPARE || i == VSG_COST_OBSERVE;
        assert_true(vsg_theory_is_md1(&r, &c) == idle);
    }
    c = good;
    c.cost[VSG_COST_MMIO] = c.cost[VSG_COST_MESSAGE] = vsg_dist_constant(NS(5));
    assert_true(vsg_theory_is_md1(&r, &c)); /* a constant delay moves a Poisson stream only */
    c.cost[VSG_COST_TRAP] = vsg_dist_constant(1);
    assert_false(vsg_theory_is_md1(&r, &c)); /* a busy sender spaces its sends */
    c = good;
    c.machine.nodes = 2;
    assert_true(vsg_theory_is_md1(&r, &c));
    c.interconnect.contention = VSG_CONTENTION_FIFO;
    assert_false(vsg_theory_is_md1(&r, &c));
    r.its[0].stats.served = 0;
    assert_false(vsg_theory_is_md1(&r, &good));
    vm.workload.kind = VSG_WORKLOAD_CLOSED;
    r.its[0].stats.served = 1;
    assert_false(vsg_theory_is_md1(&r, &good));
    vsg_run_result_free(&r);
}

static void the_bottleneck_bounds_a_closed_loop(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_CLOSED);
    struct vsg_run_result r;
    vm.workload.think = vsg_dist_constant(NS(200));
    made_result(&r);
    made_ipis(&r, 1000, NS(660)); /* of it 360 ns wait: 300 ns are demand */
    r.stage_sum_ps[VSG_STAGE_TRAP] = 1000 * NS(300);
    r.stage_sum_ps[VSG_STAGE_ITS_WAIT] = 1000 * NS(360);
    r.its[0].stats.busy_ps = 1000 * NS(100);
    r.sender_count = 8;
    struct vsg_figures f = figures_of(&r, &c);
    assert_int_equal(f.analytic.theory, VSG_THEORY_BOUND);
    assert_int_equal(f.analytic.mean_ps, NS(600)); /* 8 * 100 - 200 */
    assert_int_equal(f.analytic.error_ppm, 100000);
    vsg_figures_free(&f);
    r.sender_count = 4; /* 4 * 100 - 200 is less than the demand */
    f = figures_of(&r, &c);
    assert_int_equal(f.analytic.mean_ps, NS(300));
    vsg_figures_free(&f);
    vsg_run_result_free(&r);
}

static void what_is_random(void **state)
{
    (void)state;
    struct vsg_vm_config vm;
    struct vsg_config c = config_of(&vm, VSG_WORKLOAD_IPI_HW);
    assert_false(vsg_config_is_random(&c));
    c.cost[VSG_COST_LINE] = (struct vsg_dist){.kind = VSG_DIST_UNIFORM, .low_ps = 5, .high_ps = 5};
    assert_false(vsg_config_is_random(&c));
    c.cost[VSG_COST_LINE].high_ps = 6;
    assert_true(vsg_config_is_random(&c));
    c.cost[VSG_COST_LINE] = (struct vsg_dist){.kind = VSG_DIST_LOGNORMAL, .mean_ps = 0};
    assert_false(vsg_config_is_random(&c));
    vm.workload.kind = VSG_WORKLOAD_POISSON;
    assert_true(vsg_config_is_random(&c));
    /* Closed loops draw only where there is a choice of targets. */
    uint32_t two[2] = {0, 1}, sender[1] = {0};
    vm.workload.kind = VSG_WORKLOAD_CLOSED;
    assert_false(vsg_config_is_random(&c));
    vm.vcpus = 3;
    assert_true(vsg_config_is_random(&c));
    vm.workload.target = two;
    vm.workload.target_count = 1;
    assert_false(vsg_config_is_random(&c));
    vm.workload.target_count = 2; /* vCPU 2 may send to 0 or 1 */
    assert_true(vsg_config_is_random(&c));
    vm.workload.sender = sender;
    vm.workload.sender_count = 1; /* vCPU 0 has only 1 */
    assert_false(vsg_config_is_random(&c));
    vm.workload.think = (struct vsg_dist){.kind = VSG_DIST_EXPONENTIAL, .mean_ps = 1};
    assert_true(vsg_config_is_random(&c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seeds_loop),
        cmocka_unit_test(a_mean_is_rounded_to_a_picosecond),
        cmocka_unit_test(a_percentile_needs_30_above),
        cmocka_unit_test(no_ipis_no_figures),
        cmocka_unit_test(servers_by_little),
        cmocka_unit_test(a_bottleneck_is_above_95_percent),
        cmocka_unit_test(an_offered_load_of_1_is_unstable),
        cmocka_unit_test(a_growing_backlog_is_unstable),
        cmocka_unit_test(md1_beside_the_simulated_wait),
        cmocka_unit_test(md1_only_where_it_holds),
        cmocka_unit_test(the_bottleneck_bounds_a_closed_loop),
        cmocka_unit_test(what_is_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
