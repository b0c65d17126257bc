/* How fast the parallel engine runs the seed's loop: pairs with trap, ITS, deliver + handle and
 * observe only, four visits per IPI, all statistics on.
 *
 *   ninja -C build/release bench && build/release/tests/bench/loop [nodes cpus sends threads]
 *
 * Without arguments: a table of sizes and policies on one thread. Process CPU time, the median
 * of five; figures of two programs are comparable only when taken in turn. */
#include "models/interconnect/interconnect.h"
#include "models/machine/machine.h"
#include "models/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS UINT64_C(1000)
enum { REPEATS = 5 };

static void check(enum vsg_status status, const struct vsg_diag *d)
{
    if (status == VSG_OK)
        return;
    fprintf(stderr, "%s\n", d->count ? d->item[0].text : vsg_status_text(status));
    exit(1);
}

static struct vsg_config make_config(uint32_t nodes, uint32_t cpus, uint64_t sends,
                                     enum vsg_policy policy)
{
    struct vsg_config c = {.name = strdup("loop"),
                           .interconnect = {.link_latency_ps = 50 * NS,
                                            .link_bytes_per_s = UINT64_C(64000000000),
                                            .contention = VSG_CONTENTION_NONE,
                                            .mmio_weight_ppm = 1000000,
                                            .message_weight_ppm = 1000000,
                                            .store_bytes = 8,
                                            .message_bytes = 16,
                                            .line_bytes = 64},
                           .seed = 1,
                           .policy = policy};
    struct vsg_machine_short s = {.nodes = nodes,
                                  .cpus_per_node = cpus,
                                  .its_per_node = 1,
                                  .v41 = true,
                                  .svpet = 1,
                                  .common_lpi_aff = 1,
                                  .vpe_table = true};
    struct vsg_diag d = VSG_DIAG_INIT;
    check(vsg_machine_expand(&s, &c.machine), &d);
    for (int i = 0; i < VSG_COST_COUNT; i++)
        c.cost[i] = vsg_dist_constant(0);
    c.cost[VSG_COST_TRAP] = vsg_dist_constant(300 * NS);
    c.cost[VSG_COST_ITS] = vsg_dist_constant(20 * NS);
    c.cost[VSG_COST_HANDLE] = vsg_dist_constant(120 * NS);
    c.cost[VSG_COST_OBSERVE] = vsg_dist_constant(60 * NS);
    c.vm = calloc(nodes, sizeof *c.vm);
    c.vm_count = nodes;
    for (uint32_t n = 0; n < nodes; n++) {
        char name[32];
        snprintf(name, sizeof name, "vm%u", n);
        c.vm[n] = (struct vsg_vm_config){.name = strdup(name),
                                         .vcpus = cpus,
                                         .placement = {.kind = VSG_PLACE_NODE, .node = n},
                                         .memory_node = -1,
                                         .workload = {.kind = VSG_WORKLOAD_PAIRS, .sends = sends}};
    }
    return c;
}

/* A full mesh, as SimGrid would report it: the benchmark is of the engine, not of routing. */
static struct vsg_routes make_routes(uint32_t n)
{
    struct vsg_routes r = {.host_count = n, .link_count = n * n};
    r.link_name = calloc(r.link_count, sizeof *r.link_name);
    r.link_latency_ps = calloc(r.link_count, sizeof *r.link_latency_ps);
    r.link_bytes_per_s = calloc(r.link_count, sizeof *r.link_bytes_per_s);
    r.first = calloc((size_t)n * n + 1, sizeof *r.first);
    r.link = calloc((size_t)n * n, sizeof *r.link);
    uint32_t at = 0;
    for (uint32_t i = 0; i < n * n; i++) {
        char name[32];
        snprintf(name, sizeof name, "n%u-n%u", i / n, i % n);
        r.link_name[i] = strdup(name);
        r.link_latency_ps[i] = 50 * NS;
        r.link_bytes_per_s[i] = UINT64_C(64000000000);
        r.first[i] = at;
        if (i / n != i % n)
            r.link[at++] = i;
    }
    r.first[n * n] = at;
    return r;
}

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void measure(uint32_t nodes, uint32_t cpus, uint64_t sends, unsigned threads,
                    enum vsg_policy policy)
{
    struct vsg_config c = make_config(nodes, cpus, sends, policy);
    struct vsg_routes routes = make_routes(nodes);
    double ns[REPEATS];
    uint64_t events = 0, ipis = 0;
    for (int i = 0; i < REPEATS; i++) {
        struct vsg_diag d = VSG_DIAG_INIT;
        struct vsg_model_options o = {.workers = threads};
        struct vsg_model *m = NULL;
        struct vsg_report report;
        struct vsg_run_result r;
        check(vsg_model_new(&c, &routes, &o, &m, &d), &d);
        double start = cpu_ns();
        check(vsg_parallel_run(vsg_model_world(m), threads, &report, &d), &d);
        ns[i] = cpu_ns() - start;
        check(vsg_model_result(m, &report, &r, &d), &d);
        events = r.events;
        ipis = r.latency.count;
        vsg_run_result_free(&r);
        vsg_report_free(&report);
        vsg_model_free(m);
    }
    qsort(ns, REPEATS, sizeof *ns, by_value);
    printf("%3u x %-5u %-13s %8llu IPIs  %4.2f visits/IPI  %6.1f ns/event (%5.1f-%5.1f)  %6.1f M "
           "events/s\n",
           nodes, cpus, vsg_policy_name[policy], (unsigned long long)ipis,
           (double)events / (double)ipis, ns[REPEATS / 2] / (double)events, ns[0] / (double)events,
           ns[REPEATS - 1] / (double)events, (double)events / ns[REPEATS / 2] * 1e3);
    vsg_routes_free(&routes);
    vsg_config_free(&c);
}

int main(int argc, char **argv)
{
    if (argc == 5) {
        for (int p = VSG_POLICY_GLOBAL_FIRST; p <= VSG_POLICY_LOCAL; p++)
            measure((uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]), strtoull(argv[3], NULL, 10),
                    (unsigned)atoi(argv[4]), (enum vsg_policy)p);
        return 0;
    }
    const uint32_t size[][2] = {{2, 4}, {2, 32}, {2, 64}, {8, 128}, {64, 128}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        for (int p = VSG_POLICY_GLOBAL_FIRST; p <= VSG_POLICY_LOCAL; p++)
            measure(size[i][0], size[i][1], 2000000 / (size[i][0] * size[i][1]) + 10, 1,
                    (enum vsg_policy)p);
    return 0;
}
