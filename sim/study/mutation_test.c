/* Goal: no text, however damaged, makes the loader crash, hang or leak; run it under the
 * sanitizers. Method: good scenarios with bytes changed, lines doubled or dropped, pieces of
 * one inside another; a fixed generator, so that a failure repeats. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *const good[] = {
    "format: 1\nname: seed\nmachine: {nodes: 2, cpus_per_node: 32, its_per_node: 1}\n"
    "interconnect: {topology: full, link: {latency: 50ns, bandwidth: 64GB/s}, contention: fifo}\n"
    "vms:\n  - {name: guest, vcpus: 4, placement: {kind: node, node: 0}}\n"
    "workload: {kind: ipi_hw, sends: 65536}\npolicies: [global-first, local]\n"
    "run: {seed: 1, replications: 1}\nsweep:\n  vms.guest.placement.node: [0, 1]\n",
    "format: 1\nmachine:\n  its: [{id: 0, mpidr: 0.0.0.0, numa_node: 0}]\n"
    "  cpus: [{id: 0, mpidr: 0.0.0.0}, {id: 1, mpidr: 0.0.0.1, numa_node: 1}]\n"
    "  boot_order: [1, 0]\n  events: [{op: offline, cpu: 0}, {op: online, cpu: 0}]\n"
    "interconnect: {matrix: {slit: [[10, 20], [20, 10]], scale: 5ns}}\n"
    "vms: [{name: a, vcpus: 2, placement: {kind: pinned, cpus: [0, 1]}}]\n"
    "workload: &w {kind: closed, sends: 5, think: {uniform: {low: 1ns, high: 2ns}}, targets: [1],\n"
    "  senders: [0]}\n",
    "format: 1\ndescription: |\n  two\n  lines\nmachine: {nodes: 4, cpus_per_node: 2,\n"
    "  probe_order: [3, 2, 1, 0], gic: {svpet: 0}}\n"
    "costs: {its: &d {lognormal: {mean: 20ns, cv: 0.3}}, trap: *d, line: \"35ns\"}\n"
    "vms:\n- name: x\n  count: 2\n  vcpus: 2\n  workload: {kind: poisson, rate: 2M/s}\n"
    "run: {duration: 1ms, warmup: {sends: 3}}\n"
    "sweep: {costs.its.lognormal.cv: [0.1, 0.2], vms.x.count: [1, 3], run.seed: [1, 2]}\n",
};
enum { GOOD = sizeof good / sizeof good[0], ROOM = 4096, ROUNDS = 6000 };

static uint64_t state_word = 0x9e3779b97f4a7c15;

/* xorshift64 (Marsaglia, 2003). */
static size_t below(size_t n)
{
    state_word ^= state_word << 13;
    state_word ^= state_word >> 7;
    state_word ^= state_word << 17;
    return (size_t)(state_word % n);
}

static size_t cut_and_paste(char *text, size_t size)
{
    size_t from = below(size), n = below(size - from) + 1, to = below(size);
    char piece[ROOM];
    if (size + n > ROOM)
        return size;
    memcpy(piece, text + from, n);
    memmove(text + to + n, text + to, size - to);
    memcpy(text + to, piece, n);
    return size + n;
}

static size_t damage(char *text, size_t size)
{
    static const char marks[] = "{}[]:,&*!|>'\"#-? \n\t%@`~.0129eE+pnus/";
    switch (below(6)) {
    case 0:
        text[below(size)] = (char)below(256);
        return size;
    case 1:
        text[below(size)] ^= (char)(1 << below(8));
        return size;
    case 2:
        text[below(size)] = marks[below(sizeof marks - 1)];
        return size;
    case 3: {
        size_t at = below(size), n = below(size - at) + 1;
        n = n > 20 ? 20 : n;
        memmove(text + at, text + at + n, size - at - n);
        return size > n ? size - n : size;
    }
    case 4:
        return cut_and_paste(text, size);
    default: { /* a number where another was */
        size_t at = below(size);
        at += strcspn(text + at, "0123456789");
        if (at < size)
            text[at] = (char)('0' + below(10));
        return size;
    }
    }
}

static void damaged_scenarios_never_crash(void **state)
{
    unsigned loaded = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        char text[ROOM + 1] = {0};
        struct vsg_diag diag = VSG_DIAG_INIT;
        struct vsg_study s = {0};
        size_t size = strlen(good[round % GOOD]);
        memcpy(text, good[round % GOOD], size);
        for (size_t i = below(4) + 1; i > 0; i--) {
            size = damage(text, size);
            text[size] = 0;
        }
        enum vsg_status status = vsg_study_load(text, size, NULL, 0, &s, &diag);
        if (status == VSG_OK) {
            assert_int_equal(vsg_diag_count(&diag, VSG_ERROR), 0);
            assert_true(s.point_count > 0);
            loaded++;
            vsg_study_free(&s);
        } else {
            assert_int_equal(status, VSG_ESCENARIO);
            assert_true(vsg_diag_count(&diag, VSG_ERROR) > 0); /* never a bare "no" */
        }
        vsg_diag_clear(&diag);
    }
    assert_in_range(loaded, ROUNDS / 100, ROUNDS / 2); /* neither all nor none */
}

static void damaged_settings_never_crash(void **state)
{
    static const char *const keys[] = {"vms.guest.placement.node", "costs.its.lognormal.cv",
                                       "interconnect.matrix.latency[0][1]",
                                       "vms[0].workload.targets[1]", "sweep.run.seed"};
    static const char *const values[] = {"3", "{lognormal: {mean: 20ns, cv: 0.3}}", "[1, 2]",
                                         "50ns", "{kind: node, node: 1}"};
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        char key[ROOM + 1] = {0}, value[ROOM + 1] = {0};
        struct vsg_diag diag = VSG_DIAG_INIT;
        struct vsg_study s = {0};
        snprintf(key, sizeof key, "%s", keys[below(5)]);
        snprintf(value, sizeof value, "%s", values[below(5)]);
        if (below(2))
            key[damage(key, strlen(key))] = 0;
        if (below(2))
            value[damage(value, strlen(value))] = 0;
        struct vsg_setting setting = {key, value};
        if (vsg_study_load(good[0], strlen(good[0]), &setting, 1, &s, &diag) == VSG_OK)
            vsg_study_free(&s);
        else
            assert_true(diag.count > 0);
        vsg_diag_clear(&diag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_scenarios_never_crash),
        cmocka_unit_test(damaged_settings_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
