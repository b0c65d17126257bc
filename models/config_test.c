/* Goal: a copy of a config shares nothing with its original, and every enum value
 * has a name of its own. Method: copy, wreck and free the original, compare. */
#include "models/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *list_of(const void *values, size_t bytes)
{
    void *list = malloc(bytes);
    assert_non_null(list);
    memcpy(list, values, bytes);
    return list;
}
#define LIST(type, ...) list_of((const type[]){__VA_ARGS__}, sizeof(const type[]){__VA_ARGS__})

static struct vsg_config two_vms(void)
{
    struct vsg_config c = {.name = strdup("full of lists")};
    c.machine.nodes = 2;
    c.machine.its = LIST(struct vsg_its_config, {.id = 7, .svpet = 1, .at = 1});
    c.machine.its_count = 1;
    c.machine.cpu = LIST(struct vsg_cpu_config, {.id = 3, .mpidr = 3}, {.id = 5, .mpidr = 5});
    c.machine.cpu_count = 2;
    c.machine.boot_order = LIST(uint32_t, 5, 3);
    c.machine.boot_count = 2;
    c.machine.event = LIST(struct vsg_cpu_event, {VSG_CPU_OFFLINE, 3});
    c.machine.event_count = 1;
    c.interconnect.topology = VSG_TOPOLOGY_MATRIX;
    c.interconnect.matrix_latency_ps = LIST(uint64_t, 0, 50000, 60000, 0);
    c.cost[VSG_COST_TRAP] = vsg_dist_constant(204000);
    c.vm = calloc(2, sizeof *c.vm);
    assert_non_null(c.vm);
    c.vm_count = 2;
    c.vm[0].name = strdup("a");
    c.vm[0].vcpus = 2;
    c.vm[0].placement.cpu = LIST(uint32_t, 3, 5);
    c.vm[0].placement.cpu_count = 2;
    c.vm[1].name = strdup("b");
    c.vm[1].workload.target = LIST(uint32_t, 1);
    c.vm[1].workload.target_count = 1;
    c.vm[1].workload.sender = LIST(uint32_t, 0, 1);
    c.vm[1].workload.sender_count = 2;
    c.seed = 42;
    return c;
}

static void a_copy_outlives_its_original(void **state)
{
    (void)state;
    struct vsg_config from = two_vms(), to;
    assert_int_equal(vsg_config_copy(&from, &to), VSG_OK);
    from.machine.boot_order[0] = 99; /* a shared list would show this, or be freed below */
    vsg_config_free(&from);

    assert_string_equal(to.name, "full of lists");
    assert_int_equal(to.machine.its[0].id, 7);
    assert_int_equal(to.machine.its[0].at, 1);
    assert_int_equal(to.machine.cpu[1].mpidr, 5);
    assert_int_equal(to.machine.boot_order[0], 5);
    assert_int_equal(to.machine.event[0].op, VSG_CPU_OFFLINE);
    assert_int_equal(to.interconnect.matrix_latency_ps[2], 60000);
    assert_int_equal(to.cost[VSG_COST_TRAP].mean_ps, 204000);
    assert_int_equal(to.vm_count, 2);
    assert_string_equal(to.vm[0].name, "a");
    assert_int_equal(to.vm[0].placement.cpu[1], 5);
    assert_null(to.vm[0].workload.target); /* NULL means "all others" */
    assert_int_equal(to.vm[1].workload.target[0], 1);
    assert_int_equal(to.vm[1].workload.sender[1], 1);
    assert_int_equal(to.seed, 42);
    vsg_config_free(&to);
    assert_null(to.vm);
    assert_null(to.name);
}

static void an_empty_config_copies_and_frees(void **state)
{
    (void)state;
    struct vsg_config from = {0}, to;
    assert_int_equal(vsg_config_copy(&from, &to), VSG_OK);
    assert_null(to.vm);
    vsg_config_free(&to);
    vsg_config_free(&to);
}

static void all_differ(const char *const *name, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_non_null(name[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(name[i], name[j]);
    }
}

static void every_value_has_its_own_name(void **state)
{
    (void)state;
    all_differ(vsg_topology_name, VSG_TOPOLOGY_COUNT);
    all_differ(vsg_cost_name, VSG_COST_COUNT);
    all_differ(vsg_workload_name, VSG_WORKLOAD_COUNT);
    all_differ(vsg_placement_name, VSG_PLACE_COUNT);
    all_differ(vsg_policy_name, VSG_POLICY_COUNT);
    all_differ(vsg_contention_name, 3);
    all_differ(vsg_tie_name, 3);
    all_differ(vsg_store_ack_name, 2);
    assert_string_equal(vsg_policy_name[VSG_POLICY_NUMA_V1], "numa-v1");
    assert_string_equal(vsg_cost_name[VSG_COST_LINE], "line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_outlives_its_original),
        cmocka_unit_test(an_empty_config_copies_and_frees),
        cmocka_unit_test(every_value_has_its_own_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
