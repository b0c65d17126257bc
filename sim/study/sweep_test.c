/* Goal: sweep.h and sweep_range.h: lists, ranges, groups, sections as axes. Method: values worked
 * out by hand, read back from the points of a study. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* A scenario with this sweep, and settings. */
static void load(const char *sweep, const struct vsg_setting *setting, size_t count,
                 struct vsg_study *s)
{
    char text[2000];
    struct vsg_diag diag = VSG_DIAG_INIT;
    int n = snprintf(text, sizeof text,
                     "format: 1\nmachine: {nodes: 2, cpus_per_node: 8, its_per_node: 1}\n"
                     "vms: [{name: a, vcpus: 2}]\nworkload: {kind: closed, sends: 10}\n%s%s\n",
                     *sweep ? "sweep: " : "", sweep);
    enum vsg_status status = vsg_study_load(text, (size_t)n, setting, count, s, &diag);
    if (status != VSG_OK)
        fail_msg("%s: %s", sweep, diag.count ? diag.item[0].text : "no message");
    vsg_diag_clear(&diag);
}

/* The values of an axis at all points, with blanks between. */
static const char *values(const struct vsg_study *s, uint32_t axis)
{
    static char text[2000];
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < s->point_count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "",
                                 s->point[i].axis[axis].text);
    return text;
}

static void ranges_have_exact_ends_and_rounded_steps(void **state)
{
    static const struct {
        const char *sweep, *name, *values;
    } row[] = {
        {"{costs.its: {from: 10ns, to: 30ns, steps: 3}}", "costs.its_ns", "10 20 30"},
        {"{costs.its: {from: 30ns, to: 10ns, steps: 3, scale: linear}}", "costs.its_ns",
         "30 20 10"},
        /* 10/3 = 3.3.., 20/3 = 6.7; a half goes up */
        {"{costs.its: {from: 0ns, to: 10ps, steps: 4}}", "costs.its_ns", "0 0.003 0.007 0.01"},
        {"{costs.its: {from: 1ps, to: 4ps, steps: 3}}", "costs.its_ns", "0.001 0.003 0.004"},
        {"{costs.its: {from: 1ns, to: 1us, steps: 4, scale: log}}", "costs.its_ns",
         "1 10 100 1000"},
        {"{costs.its: {from: 40ns, to: 10ns, steps: 3, scale: log}}", "costs.its_ns", "40 20 10"},
        /* sqrt(200) = 14.14.. */
        {"{costs.its: {from: 10ps, to: 20ps, steps: 3, scale: log}}", "costs.its_ns",
         "0.01 0.014 0.02"},
        {"{vms.a.vcpus: {from: 2, to: 16, steps: 4, scale: log}}", "vms.a.vcpus", "2 4 8 16"},
        {"{machine.gic.svpet: {from: 1, to: 3, steps: 3}}", "machine.gic.svpet", "1 2 3"},
        {"{interconnect.store_bytes: {from: 8, to: 32, steps: 4}}", "interconnect.store_bytes",
         "8 16 24 32"},
        {"{interconnect.link.bandwidth: {from: 1GB/s, to: 100GB/s, steps: 3, scale: log}}",
         "interconnect.link.bandwidth_bytes_per_s", "1000000000 10000000000 100000000000"},
        {"{interconnect.mmio_weight: {from: 0.5, to: 1.5, steps: 3}}", "interconnect.mmio_weight",
         "0.5 1 1.5"},
        {"{run.seed: {from: 0, to: 18446744073709551615, steps: 2}}", "run.seed",
         "0 18446744073709551615"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct vsg_study s;
        load(row[i].sweep, NULL, 0, &s);
        assert_string_equal(s.point[0].axis[0].name, row[i].name);
        assert_string_equal(values(&s, 0), row[i].values);
        vsg_study_free(&s);
    }
}

/* Steps of a log range are alike in ratio: each is the mean of its neighbours, within the
 * rounding of all three. */
static void steps_of_a_log_range_are_alike(void **state)
{
    struct vsg_study s;
    uint64_t ps[101];
    (void)state;
    load("{interconnect.link.latency: {from: 1ns, to: 90us, steps: 101, scale: log}}", NULL, 0, &s);
    for (uint32_t i = 0; i < 101; i++)
        ps[i] = s.point[i].config.interconnect.link_latency_ps;
    assert_int_equal(ps[0], 1000);
    assert_int_equal(ps[100], 90000000);
    for (uint32_t i = 1; i < 100; i++) {
        unsigned __int128 square = (unsigned __int128)ps[i] * ps[i];
        unsigned __int128 product = (unsigned __int128)ps[i - 1] * ps[i + 1];
        unsigned __int128 apart = square > product ? square - product : product - square;
        assert_true(apart <= ps[i - 1] + ps[i + 1] + 2 * ps[i]);
    }
    vsg_study_free(&s);
}

static void keys_of_a_group_advance_together(void **state)
{
    struct vsg_study s;
    (void)state;
    load("{run.seed: [1, 2], zip: {costs.its: [1ns, 2ns, 3ns], costs.mmio: {from: 10ns, to: 30ns, "
         "steps: 3}}, costs.store: [7ns, 8ns]}",
         NULL, 0, &s);
    assert_int_equal(s.point_count, 12);
    assert_int_equal(s.point[0].axis_count, 4);
    assert_string_equal(values(&s, 0), "1 1 1 1 1 1 2 2 2 2 2 2");
    assert_string_equal(values(&s, 1), "1 1 2 2 3 3 1 1 2 2 3 3");
    assert_string_equal(values(&s, 2), "10 10 20 20 30 30 10 10 20 20 30 30");
    assert_string_equal(values(&s, 3), "7 8 7 8 7 8 7 8 7 8 7 8");
    for (uint32_t i = 0; i < 12; i++) {
        const struct vsg_config *c = &s.point[i].config;
        assert_int_equal(c->cost[VSG_COST_MMIO].mean_ps, 10 * c->cost[VSG_COST_ITS].mean_ps);
        assert_int_equal(c->seed, i / 6 + 1);
    }
    vsg_study_free(&s);
    load("{zip: [{costs.its: [1ns, 2ns], costs.mmio: [3ns, 4ns]}, {costs.store: [5ns, 6ns]}]}",
         NULL, 0, &s);
    assert_string_equal(values(&s, 0), "1 1 2 2");
    assert_string_equal(values(&s, 1), "3 3 4 4");
    assert_string_equal(values(&s, 2), "5 6 5 6");
    vsg_study_free(&s);
}

static void sections_and_lists_are_values(void **state)
{
    struct vsg_study s;
    (void)state;
    load("{vms.a.placement: [{kind: node, node: 1}, {kind: spread}, {kind: pinned, cpus: [3, 5]}], "
         "interconnect: [{topology: full}, {topology: star, contention: none}]}",
         NULL, 0, &s);
    assert_int_equal(s.point_count, 6);
    assert_string_equal(s.point[0].axis[0].text, "{kind: node, node: 1}");
    assert_false(s.point[0].axis[0].is_number);
    assert_int_equal(s.point[1].config.vm[0].placement.kind, VSG_PLACE_NODE);
    assert_int_equal(s.point[1].config.vm[0].placement.node, 1);
    assert_int_equal(s.point[1].config.interconnect.topology, VSG_TOPOLOGY_STAR);
    assert_int_equal(s.point[2].config.vm[0].placement.kind, VSG_PLACE_SPREAD);
    assert_string_equal(s.point[4].axis[0].text, "{kind: pinned, cpus: [3, 5]}");
    assert_int_equal(s.point[4].config.vm[0].placement.cpu[1], 5);
    assert_int_equal(s.point[4].config.interconnect.contention, VSG_CONTENTION_FIFO);
    assert_int_equal(s.point[5].config.interconnect.contention, VSG_CONTENTION_NONE);
    vsg_study_free(&s);
    const struct vsg_setting pinned = {"vms.a.placement", "{kind: pinned, cpus: [0, 1]}"};
    load("{vms.a.placement.cpus: [[0, 1], [2, 4]]}", &pinned, 1, &s);
    assert_string_equal(values(&s, 0), "[0, 1] [2, 4]");
    assert_int_equal(s.point[1].config.vm[0].placement.cpu[1], 4);
    vsg_study_free(&s);
    load("{\"vms.a.placement.cpus[1]\": {from: 1, to: 7, steps: 3}}", &pinned, 1, &s);
    assert_string_equal(values(&s, 0), "1 4 7");
    assert_int_equal(s.point[2].config.vm[0].placement.cpu[1], 7);
    vsg_study_free(&s);
    load("{vms: [[{name: b, vcpus: 2}], [{name: b, vcpus: 3}, {name: c, vcpus: 4}]]}", NULL, 0, &s);
    assert_int_equal(s.point[0].config.vm_count, 1);
    assert_int_equal(s.point[1].config.vm_count, 2);
    assert_int_equal(s.point[1].config.vm[1].vcpus, 4);
    vsg_study_free(&s);
}

/* Policies are run at every point; among the axes they are the scenario's. */
static void policies_among_the_axes_are_the_scenarios(void **state)
{
    const struct vsg_setting set[] = {{"policies", "[numa-v1]"}, {"sweep.policies", "[local]"}};
    struct vsg_study s;
    (void)state;
    load("{policies: [local, global-first], run.seed: [1, 2]}", NULL, 0, &s);
    assert_int_equal(s.point_count, 2);
    assert_int_equal(s.policy_count, 2);
    assert_int_equal(s.policy[0], VSG_POLICY_LOCAL);
    assert_int_equal(s.point[0].axis_count, 1);
    assert_int_equal(vsg_study_run_count(&s), 4);
    vsg_study_free(&s);
    load("{policies: [local, global-first]}", &set[0], 1, &s); /* the command line has its way */
    assert_int_equal(s.policy_count, 1);
    assert_int_equal(s.policy[0], VSG_POLICY_NUMA_V1);
    vsg_study_free(&s);
    load("{run.seed: [1]}", &set[1], 1, &s);
    assert_int_equal(s.policy_count, 1);
    assert_int_equal(s.policy[0], VSG_POLICY_LOCAL);
    vsg_study_free(&s);
}

/* --set gives a range as well as a list, and replaces what the file has. */
static void ranges_come_from_the_command_line(void **state)
{
    const struct vsg_setting set = {"sweep.costs.its", "{from: 1ns, to: 9ns, steps: 3}"};
    struct vsg_study s;
    (void)state;
    load("{costs.its: [5ns]}", &set, 1, &s);
    assert_string_equal(values(&s, 0), "1 5 9");
    vsg_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_have_exact_ends_and_rounded_steps),
        cmocka_unit_test(steps_of_a_log_range_are_alike),
        cmocka_unit_test(keys_of_a_group_advance_together),
        cmocka_unit_test(sections_and_lists_are_values),
        cmocka_unit_test(policies_among_the_axes_are_the_scenarios),
        cmocka_unit_test(ranges_come_from_the_command_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
