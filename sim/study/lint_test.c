/* Goal: keys without influence are named, and no others. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct lint_case {
    const char *nodes, *rest;
    const char *warning[4]; /* all of them, in order */
};

#define VM "vms: [{name: a, vcpus: 4}]\n"
#define IPI_HW "workload: {kind: ipi_hw}\n"
#define POISSON "workload: {kind: poisson, rate: 1M/s, sends: 10}\n"
#define CLOSED "workload: {kind: closed, sends: 10}\n"
#define NO_TIME "interconnect.contention is none, so bytes take no time"
#define ONE_NODE "the machine has one node, and nothing crosses a link"

static const struct lint_case cases[] = {
    {"2", VM IPI_HW "interconnect: {link: {latency: 1ns, bandwidth: 1GB/s}}\n", {0}},
    {"2",
     VM IPI_HW "interconnect: {contention: none, link: {bandwidth: 1GB/s}, store_bytes: 9}\n",
     {"interconnect.link.bandwidth has no influence: " NO_TIME,
      "interconnect.store_bytes has no influence: " NO_TIME}},
    {"1",
     VM IPI_HW "interconnect: {link: {latency: 1ns}}\n",
     {"interconnect has no influence: " ONE_NODE}},
    {"1", VM IPI_HW "interconnect: {contention: fluid}\n", {0}},
    {"2",
     VM IPI_HW "interconnect: {store_ack: its}\n",
     {0}}, /* no latency changes, but the acknowledgement is on the link */
    {"2", VM "workload: {kind: pairs}\ninterconnect: {store_ack: its}\n", {0}},
    {"2", VM IPI_HW "interconnect: {store_ack: its, mmio_weight: 4}\n", {0}},
    {"2", VM POISSON "interconnect: {store_ack: its}\n", {0}},
    {"2", VM IPI_HW "costs: {prepare: 1ns, line: 1ns, observe: 1ns}\n", {0}},
    {"2",
     VM POISSON "costs: {prepare: 1ns, line: 1ns, observe: 1ns}\n",
     {"costs.prepare has no influence: it belongs to the workloads ipi_hw and pairs",
      "costs.line has no influence: lines of memory move in the workloads ipi_hw and pairs",
      "costs.observe has no influence: in the workload poisson nobody waits for the answer"}},
    {"2", VM CLOSED "costs: {observe: 1ns}\n", {0}},
    {"2",
     "vms: [{name: a, vcpus: 4, memory_node: 1}]\n" CLOSED,
     {"vms[0].memory_node has no influence: flags in memory belong to the workloads ipi_hw and "
      "pairs"}},
    {"2", "vms: [{name: a, vcpus: 4, memory_node: 1}]\n" IPI_HW, {0}},
    {"2",
     "vms: [{name: a, vcpus: 4, workload: {kind: pairs}}]\n" IPI_HW,
     {"workload has no influence: every VM has a workload of its own"}},
    {"2", "vms: [{name: a, vcpus: 4, workload: {kind: pairs}}, {name: b, vcpus: 2}]\n" IPI_HW, {0}},
    {"2", IPI_HW, {"workload has no influence: there are no VMs"}},
    {"2",
     VM IPI_HW "run: {replications: 5}\n",
     {"run.replications has no influence: nothing is random, so all replications are equal"}},
    {"2", VM POISSON "run: {replications: 5}\n", {0}},
    {"2", VM CLOSED "run: {replications: 5}\n", {0}}, /* draws its targets */
    {"2",
     "vms: [{name: a, vcpus: 2}]\n" CLOSED "run: {replications: 5}\n",
     {"run.replications has no influence: nothing is random, so all replications are equal"}},
    {"2", VM IPI_HW "run: {replications: 5}\ncosts: {its: {exponential: {mean: 20ns}}}\n", {0}},
    /* A warning of one point only is none; an axis is told of at its key. */
    {"2", VM IPI_HW "sweep: {machine.nodes: [1, 2], interconnect.link.latency: [1ns, 2ns]}\n", {0}},
    {"1",
     VM IPI_HW "sweep: {interconnect.link.latency: [1ns, 2ns]}\n",
     {"interconnect has no influence: " ONE_NODE}},
    {"2",
     VM IPI_HW "interconnect: {contention: none}\nsweep: {interconnect.line_bytes: [1, 2]}\n",
     {"interconnect.line_bytes has no influence: " NO_TIME}},
};

static void idle_keys_are_named_and_no_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        struct vsg_diag diag = VSG_DIAG_INIT;
        struct vsg_study s = {0};
        size_t wanted = 0;
        snprintf(text, sizeof text, "format: 1\nmachine: {nodes: %s, cpus_per_node: 8}\n%s",
                 cases[i].nodes, cases[i].rest);
        if (vsg_study_load(text, strlen(text), NULL, 0, &s, &diag) != VSG_OK)
            fail_msg("%s: %s", text, diag.item[0].text);
        while (wanted < 4 && cases[i].warning[wanted])
            wanted++;
        if (s.warnings.count != wanted)
            fail_msg("%s: %zu warnings, first: %s", text, s.warnings.count,
                     s.warnings.count ? s.warnings.item[0].text : "none");
        for (size_t k = 0; k < wanted; k++) {
            assert_string_equal(s.warnings.item[k].text, cases[i].warning[k]);
            assert_int_equal(s.warnings.item[k].severity, VSG_WARNING);
        }
        vsg_study_free(&s);
    }
}

static void a_warning_stands_at_the_key(void **state)
{
    const char *text = "format: 1\nmachine: {nodes: 2, cpus_per_node: 8}\n" VM POISSON
                       "costs: {trap: 1ns, prepare: 1ns}\n";
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_study s = {0};
    (void)state;
    assert_int_equal(vsg_study_load(text, strlen(text), NULL, 0, &s, &diag), VSG_OK);
    assert_int_equal(s.warnings.count, 1);
    assert_int_equal(s.warnings.item[0].pos.line, 5);
    assert_int_equal(s.warnings.item[0].pos.column, 20);
    assert_int_equal(s.warnings.item[0].pos.length, 7);
    vsg_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_keys_are_named_and_no_others),
        cmocka_unit_test(a_warning_stands_at_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
