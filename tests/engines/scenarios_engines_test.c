/* Every IPI equal in both engines, 0 ps apart: the scenarios that issue after issue asks for,
 * under every policy, rule of ties and contention, for several seeds.
 *
 * VSG_SEEDS=10 in the environment asks for that many seeds (default 2). */
#include "study/execute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Every step ties: all pairs start together and nothing is random. */
static const char pairs[] = "format: 1\n"
                            "name: pairs\n"
                            "machine: {nodes: 2, cpus_per_node: 32, its_per_node: 1}\n"
                            "interconnect: {topology: full}\n"
                            "vms:\n"
                            "  - {name: a, vcpus: 40, placement: {kind: spread}}\n"
                            "  - {name: b, vcpus: 20, placement: {kind: packed}}\n"
                            "workload: {kind: pairs, sends: 60}\n"
                            "policies: [global-first, local, numa-v1]\n";

/* 64 senders on 4 nodes at 60 % of one ITS, everything jittered. */
#define JITTER                                                                                     \
    "costs:\n"                                                                                     \
    "  trap: {lognormal: {mean: 204ns, cv: 0.3}}\n"                                                \
    "  dispatch: {uniform: {low: 60ns, high: 130ns}}\n"                                            \
    "  its: {lognormal: {mean: 20ns, cv: 0.5}}\n"                                                  \
    "  message: {exponential: {mean: 60ns}}\n"                                                     \
    "  deliver: {lognormal: {mean: 80ns, cv: 1}}\n"                                                \
    "  handle: {lognormal: {mean: 100ns, cv: 0.2}}\n"                                              \
    "  return: {lognormal: {mean: 102ns, cv: 0.3}}\n"
#define POISSON                                                                                    \
    "vms: [{name: guest, vcpus: 64, placement: {kind: packed}}]\n"                                 \
    "workload: {kind: poisson, rate: 468750/s, sends: 60}\n"                                       \
    "policies: [global-first, local, numa-v1]\n"

static const char poisson_star[] =
    "format: 1\n"
    "name: poisson-star\n"
    "machine: {nodes: 4, cpus_per_node: 16, its_per_node: 1}\n"
    "interconnect: {topology: star, link: {latency: 25ns, bandwidth: 2GB/s}}\n" JITTER POISSON;

static const char poisson_matrix[] =
    "format: 1\n"
    "name: poisson-matrix\n"
    "machine: {nodes: 4, cpus_per_node: 16, its_per_node: 1}\n"
    "interconnect:\n"
    "  topology: matrix\n"
    "  link: {bandwidth: 2GB/s}\n"
    "  matrix: {latency: [[0ns, 40ns, 70ns, 70ns], [40ns, 0ns, 70ns, 70ns],\n"
    "                     [70ns, 70ns, 0ns, 41ns], [70ns, 70ns, 43ns, 0ns]]}\n" JITTER POISSON;

/* A closed loop with far acknowledgements, uneven weights and a think time. */
static const char closed_far[] =
    "format: 1\n"
    "name: closed-far\n"
    "machine: {nodes: 4, cpus_per_node: 4, its_per_node: 1}\n"
    "interconnect: {topology: star, link: {latency: 30ns, bandwidth: 1GB/s}, store_ack: its,\n"
    "               mmio_weight: 1.5, message_weight: 0.5}\n"
    "vms: [{name: guest, vcpus: 16, placement: {kind: spread}}]\n"
    "workload: {kind: closed, sends: 80, think: {exponential: {mean: 300ns}}}\n"
    "policies: [global-first, local, numa-v1]\n";

/* The policies that choose per send, on several ITSs per node. */
#define CHOOSING                                                                                   \
    "policies: [nearest, target-node, min-path, round-robin, hash, least-outstanding]\n"

static const char what_ifs_open[] =
    "format: 1\n"
    "name: what-ifs-open\n"
    "machine: {nodes: 3, cpus_per_node: 8, its_per_node: 2}\n"
    "interconnect: {topology: full, link: {latency: 60ns, bandwidth: 1GB/s}, store_ack: "
    "its}\n" JITTER "vms: [{name: guest, vcpus: 24, placement: {kind: packed}}]\n"
    "workload: {kind: poisson, rate: 1M/s, sends: 60}\n" CHOOSING;

static const char what_ifs_closed[] = "format: 1\n"
                                      "name: what-ifs-closed\n"
                                      "machine: {nodes: 4, cpus_per_node: 8, its_per_node: 2}\n"
                                      "interconnect: {topology: star, link: {latency: 20ns}}\n"
                                      "vms: [{name: guest, vcpus: 32, placement: {kind: spread}}]\n"
                                      "workload: {kind: pairs, sends: 40}\n" CHOOSING;

/* Open loads of every kind side by side, in time and space. */
static const char open_mix[] =
    "format: 1\n"
    "name: open-mix\n"
    "machine: {nodes: 4, cpus_per_node: 8, its_per_node: 1}\n"
    "interconnect: {topology: star, link: {latency: 40ns, bandwidth: 4GB/s}}\n" JITTER "vms:\n"
    "  - {name: a, vcpus: 8, placement: {kind: interleaved}, workload: {kind: bursty, rate: "
    "1.5M/s,\n"
    "     on: 20us, off: 10us, off_rate: 100k/s, sends: 60}}\n"
    "  - {name: b, vcpus: 3, placement: {kind: random}, workload: {kind: matrix, sends: 60,\n"
    "     rates: [[0/s, 1M/s, 20k/s], [500k/s, 0/s, 500k/s], [0/s, 1/s, 0/s]]}}\n"
    "  - {name: c, vcpus: 6, placement: {kind: interleaved}, workload: {kind: poisson, rate: "
    "1M/s,\n"
    "     sends: 90, steps: [{at: 10us, factor: 3}, {at: 30us, factor: 0.2}]}}\n"
    "  - {name: d, vcpus: 4, placement: {kind: random}, workload: {kind: closed, sends: 50}}\n"
    "policies: [global-first, local, least-outstanding]\n";

/* No lookahead: the whole distance on the way to the ITS. */
static const char one_sided[] =
    "format: 1\n"
    "name: one-sided\n"
    "machine: {nodes: 2, cpus_per_node: 4, its_per_node: 1}\n"
    "interconnect: {topology: full, mmio_weight: 2, message_weight: 0}\n"
    "vms: [{name: guest, vcpus: 8, placement: {kind: spread}}]\n"
    "workload: {kind: pairs, sends: 50}\n"
    "policies: [global-first, local, numa-v1]\n";

static unsigned compared;

/* Two threads in one case of six: on a busy machine they wait for each other's turn on a core. */
static void compare(const char *text, const char *contention, const char *tie, unsigned seed)
{
    bool alone = strcmp(tie, "hash") == 0 && strcmp(contention, "fifo") == 0;
    char number[16];
    snprintf(number, sizeof number, "%u", seed);
    struct vsg_setting setting[] = {
        {"interconnect.contention", contention}, {"run.tie", tie}, {"run.seed", number}};
    struct vsg_study study;
    struct vsg_diag d = VSG_DIAG_INIT;
    enum vsg_status status = vsg_study_load(text, strlen(text), setting, 3, &study, &d);
    for (size_t i = 0; i < d.count; i++)
        print_error("%u:%u: %s\n", d.item[i].pos.line, d.item[i].pos.column, d.item[i].text);
    assert_int_equal(status, VSG_OK);
    struct vsg_execute_options o = {.engine = VSG_USE_BOTH,
                                    .jobs = alone ? 1 : 2,
                                    .threads = alone ? 2 : 1,
                                    .module_dir = VSG_MODULE_DIR};
    struct vsg_outcome out;
    status = vsg_study_execute(&study, &o, &out, &d);
    assert_int_equal(status, VSG_OK);
    for (uint32_t i = 0; i < out.run_count; i++)
        if (out.run[i].error)
            print_error("%s\n", out.run[i].error);
    assert_int_equal(out.failed, 0);
    if (!out.agreement.equal)
        print_error("%s, %s, %s, seed %u: %s\n", study.name, contention, tie, seed,
                    out.agreement.reason ? out.agreement.reason : "?");
    assert_true(out.agreement.asked && out.agreement.known && out.agreement.equal);
    assert_int_equal(out.agreement.runs, study.policy_count);
    compared += out.agreement.runs;
    vsg_outcome_free(&out);
    vsg_study_free(&study);
    vsg_diag_clear(&d);
}

static unsigned seeds(void)
{
    const char *asked = getenv("VSG_SEEDS");
    return asked ? (unsigned)atoi(asked) : 2;
}

static void compare_all(const char *text, unsigned seed_count)
{
    static const char *const tie[] = {"hash", "id", "reverse"};
    static const char *const contention[] = {"none", "fifo"};
    for (unsigned seed = 1; seed <= seed_count; seed++)
        for (size_t t = 0; t < 3; t++)
            for (size_t c = 0; c < 2; c++)
                compare(text, contention[c], tie[t], seed);
}

static void pairs_in_which_every_step_ties(void **state)
{
    (void)state;
    compare_all(pairs, 1);
}

static void poisson_on_a_star(void **state)
{
    (void)state;
    compare_all(poisson_star, seeds());
}

static void poisson_on_a_matrix(void **state)
{
    (void)state;
    compare_all(poisson_matrix, seeds());
}

static void closed_loops_with_far_acknowledgements(void **state)
{
    (void)state;
    compare_all(closed_far, seeds());
}

static void nodes_without_lookahead(void **state)
{
    (void)state;
    compare_all(one_sided, 1);
}

static void policies_that_choose_for_each_send(void **state)
{
    (void)state;
    compare_all(what_ifs_open, 1);
    compare_all(what_ifs_closed, 1);
}

static void open_loads_of_every_kind(void **state)
{
    (void)state;
    compare_all(open_mix, 1);
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
        cmocka_unit_test(pairs_in_which_every_step_ties),
        cmocka_unit_test(poisson_on_a_star),
        cmocka_unit_test(poisson_on_a_matrix),
        cmocka_unit_test(closed_loops_with_far_acknowledgements),
        cmocka_unit_test(nodes_without_lookahead),
        cmocka_unit_test(policies_that_choose_for_each_send),
        cmocka_unit_test(open_loads_of_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, report);
}
