/* Every IPI equal in both engines, 0 ps apart, on every topology: with switches as places of
 * their own, links that carry a lot, ways of many links, and a user's platforms, among them one
 * whose half-duplex links share a queue for both directions. */
#include "study/execute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define SLOW_LINKS "link: {latency: 30ns, bandwidth: 1GB/s}"

static const char scenario[] = "format: 1\n"
                               "name: %s\n"
                               "machine: {nodes: %u, cpus_per_node: 2, its_per_node: 1}\n"
                               "interconnect: {%s}\n"
                               "costs:\n"
                               "  its: {lognormal: {mean: 20ns, cv: 0.5}}\n"
                               "  deliver: {lognormal: {mean: 80ns, cv: 1}}\n"
                               "vms: [{name: guest, vcpus: %u, placement: {kind: packed}}]\n"
                               "workload: {kind: %s}\n"
                               "policies: [global-first, local, min-path]\n";

static const char poisson[] = "poisson, rate: 500k/s, sends: 30", pairs[] = "pairs, sends: 20";

static unsigned compared;

static void compare(const char *name, uint32_t nodes, const char *interconnect,
                    const char *workload, const char *contention, const char *tie)
{
    char text[2000];
    snprintf(text, sizeof text, scenario, name, nodes, interconnect, 2 * nodes, workload);
    struct vsg_setting setting[] = {{"interconnect.contention", contention}, {"run.tie", tie}};
    struct vsg_study study;
    struct vsg_diag d = VSG_DIAG_INIT;
    enum vsg_status status =
        vsg_study_load_in(VSG_TEST_DATA, text, strlen(text), setting, 2, &study, &d);
    for (size_t i = 0; i < d.count; i++)
        print_error("%u:%u: %s\n", d.item[i].pos.line, d.item[i].pos.column, d.item[i].text);
    assert_int_equal(status, VSG_OK);
    struct vsg_execute_options o = {.engine = VSG_USE_BOTH,
                                    .jobs = 2,
                                    .threads = nodes == 8 ? 2 : 1,
                                    .module_dir = VSG_MODULE_DIR};
    struct vsg_outcome out;
    status = vsg_study_execute(&study, &o, &out, &d);
    assert_int_equal(status, VSG_OK);
    for (uint32_t i = 0; i < out.run_count; i++)
        if (out.run[i].error)
            print_error("%s\n", out.run[i].error);
    assert_int_equal(out.failed, 0);
    if (!out.agreement.equal)
        print_error("%s, %s, %s: %s\n", name, contention, tie,
                    out.agreement.reason ? out.agreement.reason : "?");
    assert_true(out.agreement.asked && out.agreement.known && out.agreement.equal);
    assert_int_equal(out.agreement.runs, 3);
    compared += out.agreement.runs;
    vsg_outcome_free(&out);
    vsg_study_free(&study);
    vsg_diag_clear(&d);
}

/* Pairs tie at every step; open loads queue at links. */
static void compare_all(const char *name, uint32_t nodes, const char *interconnect)
{
    compare(name, nodes, interconnect, pairs, "fifo", "hash");
    compare(name, nodes, interconnect, pairs, "fifo", "reverse");
    compare(name, nodes, interconnect, poisson, "fifo", "hash");
    compare(name, nodes, interconnect, poisson, "none", "hash");
}

static void rings(void **state)
{
    (void)state;
    compare_all("ring-8", 8, "topology: ring, " SLOW_LINKS);
    compare_all("ring-2", 2, "topology: ring, " SLOW_LINKS);
}

static void tori(void **state)
{
    (void)state;
    compare_all("torus-4x4", 16, "topology: torus, " SLOW_LINKS);
    compare_all("torus-3x2x2", 12, "topology: torus, dims: [3, 2, 2], " SLOW_LINKS);
}

static void fat_trees(void **state)
{
    (void)state;
    compare_all("fat-tree-4x4", 16, "topology: fat-tree, " SLOW_LINKS);
    compare_all(
        "fat-tree-thin", 8,
        "topology: fat-tree, down: [2, 2, 2], up: [1, 1, 1], count: [1, 2, 1], " SLOW_LINKS);
}

static void dragonflies(void **state)
{
    (void)state;
    compare_all("dragonfly-2x4x2", 16, "topology: dragonfly, " SLOW_LINKS);
    compare_all("dragonfly-2x2x2x2", 16, "topology: dragonfly, chassis: 2, " SLOW_LINKS);
}

#define HOSTS "nodes: [socket-a, socket-b, socket-c, socket-d]"

static void platform_of_a_floyd_zone(void **state)
{
    (void)state;
    compare_all("floyd-ring", 4, "platform: {file: platforms/floyd-ring.xml, " HOSTS "}");
}

/* At 1/100 of its bandwidth the bus queues: 64 bytes take 200 ns of it. */
static void platform_with_half_duplex_links(void **state)
{
    (void)state;
    compare_all("dijkstra-bus", 4, "platform: {file: platforms/dijkstra-bus.xml, " HOSTS "}");
    compare_all("dijkstra-slow", 4,
                "platform: {file: platforms/dijkstra-slow.xml, scale: 1ns, " HOSTS "}");
}

static int report(void **state)
{
    (void)state;
    print_message("%u pairs of runs, every IPI equal\n", compared);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings),
        cmocka_unit_test(tori),
        cmocka_unit_test(fat_trees),
        cmocka_unit_test(dragonflies),
        cmocka_unit_test(platform_of_a_floyd_zone),
        cmocka_unit_test(platform_with_half_duplex_links),
    };
    return cmocka_run_group_tests(tests, NULL, report);
}
