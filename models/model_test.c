/* The path of an IPI against latencies derived by hand (docs/validation.md), and the queue of
 * one ITS against M/D/1. Engine: parallel. */
#include "models/interconnect/interconnect.h"
#include "models/machine/machine.h"
#include "models/model.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define NS UINT64_C(1000)

static const uint64_t default_cost_ns[VSG_COST_COUNT] = {
    [VSG_COST_PREPARE] = 10, [VSG_COST_TRAP] = 204,   [VSG_COST_DISPATCH] = 96,
    [VSG_COST_STORE] = 5,    [VSG_COST_MMIO] = 60,    [VSG_COST_ITS] = 20,
    [VSG_COST_MESSAGE] = 60, [VSG_COST_DELIVER] = 80, [VSG_COST_HANDLE] = 100,
    [VSG_COST_OBSERVE] = 10, [VSG_COST_RETURN] = 102, [VSG_COST_LINE] = 35};

/* Routes as SimGrid would give them: full, one link a pair; star, up and down. */
static struct vsg_routes make_routes(uint32_t n, bool star, uint64_t latency_ps)
{
    struct vsg_routes r = {.host_count = n, .link_count = star ? 2 * n : n * n};
    r.link_name = calloc(r.link_count, sizeof *r.link_name);
    r.link_latency_ps = calloc(r.link_count, sizeof *r.link_latency_ps);
    r.link_bytes_per_s = calloc(r.link_count, sizeof *r.link_bytes_per_s);
    r.first = calloc((size_t)n * n + 1, sizeof *r.first);
    r.link = calloc(2 * (size_t)n * n, sizeof *r.link);
    for (uint32_t i = 0; i < r.link_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "l%u", i);
        r.link_name[i] = strdup(name);
        r.link_latency_ps[i] = latency_ps;
        r.link_bytes_per_s[i] = UINT64_C(64000000000);
    }
    uint32_t at = 0;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            r.first[a * n + b] = at;
            if (a == b)
                continue;
            if (star) {
                r.link[at++] = 2 * a;
                r.link[at++] = 2 * b + 1;
            } else {
                r.link[at++] = a * n + b;
            }
        }
    r.first[n * n] = at;
    return r;
}

static struct vsg_config make_config(uint32_t nodes, uint32_t cpus, enum vsg_policy policy)
{
    struct vsg_config c = {.name = strdup("test"),
                           .interconnect = {.link_latency_ps = 50 * NS,
                                            .link_bytes_per_s = UINT64_C(64000000000),
                                            .contention = VSG_CONTENTION_FIFO,
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
    assert_int_equal(vsg_machine_expand(&s, &c.machine), VSG_OK);
    for (int i = 0; i < VSG_COST_COUNT; i++)
        c.cost[i] = vsg_dist_constant(default_cost_ns[i] * NS);
    return c;
}

static void add_vm(struct vsg_config *c, uint32_t vcpus, const uint32_t *cpu,
                   struct vsg_workload_config w)
{
    c->vm = realloc(c->vm, (c->vm_count + 1) * sizeof *c->vm);
    char name[16];
    snprintf(name, sizeof name, "vm%u", c->vm_count);
    struct vsg_vm_config *vm = &c->vm[c->vm_count++];
    *vm = (struct vsg_vm_config){.name = strdup(name),
                                 .vcpus = vcpus,
                                 .placement = {.kind = cpu ? VSG_PLACE_PINNED : VSG_PLACE_PACKED},
                                 .memory_node = -1,
                                 .workload = w};
    if (cpu) {
        vm->placement.cpu = malloc(vcpus * sizeof *cpu);
        memcpy(vm->placement.cpu, cpu, vcpus * sizeof *cpu);
        vm->placement.cpu_count = vcpus;
    }
}

static struct vsg_run_result run(const struct vsg_config *c, bool star, unsigned threads)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes routes = make_routes(c->machine.nodes, star, c->interconnect.link_latency_ps);
    struct vsg_model_options o = {.workers = threads};
    struct vsg_model *m = NULL;
    struct vsg_report report;
    struct vsg_run_result r = {0};
    enum vsg_status status = vsg_model_new(c, &routes, &o, &m, &d);
    if (status == VSG_OK)
        status = vsg_parallel_run(vsg_model_world(m), threads, &report, &d);
    if (status == VSG_OK)
        status = vsg_model_result(m, &report, &r, &d);
    if (d.count)
        print_error("%s\n", d.item[0].text);
    assert_int_equal(status, VSG_OK);
    vsg_report_free(&report);
    vsg_model_free(m);
    vsg_routes_free(&routes);
    return r;
}

static void the_seed_is_reproduced(void **state)
{
    (void)state;
    const struct {
        enum vsg_policy policy;
        uint32_t node, latency_ns;
    } row[] = {{VSG_POLICY_GLOBAL_FIRST, 0, 850},
               {VSG_POLICY_GLOBAL_FIRST, 1, 750},
               {VSG_POLICY_LOCAL, 0, 750},
               {VSG_POLICY_LOCAL, 1, 750}};
    for (size_t i = 0; i < 4; i++) {
        struct vsg_config c = make_config(2, 32, row[i].policy);
        uint32_t cpu[4] = {32 * row[i].node, 32 * row[i].node + 1, 32 * row[i].node + 2,
                           32 * row[i].node + 3};
        add_vm(&c, 4, cpu,
               (struct vsg_workload_config){.kind = VSG_WORKLOAD_IPI_HW, .sends = 65536});
        struct vsg_run_result r = run(&c, false, 1);
        assert_int_equal(r.latency.count, 65536);
        assert_int_equal(r.latency.min_ps, row[i].latency_ns * NS);
        assert_int_equal(r.latency.max_ps, row[i].latency_ns * NS);
        /* The loop's period is the latency, so the window is all of the loops. */
        assert_int_equal(r.window_end_ps, 65536 * row[i].latency_ns * NS);
        assert_true(r.return_sum_ps == (vsg_u128)65536 * 102 * NS);
        vsg_run_result_free(&r);
        vsg_config_free(&c);
    }
}

/* Each row of the table, with an idle machine: one sender, one target, a few sends. */
static void idle_latencies_are_those_derived_by_hand(void **state)
{
    (void)state;
    FILE *f = fopen(VSG_TEST_DATA "/idle-latencies.tsv", "r");
    assert_non_null(f);
    char line[200];
    unsigned rows = 0;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        unsigned nodes, from, to, home, latency_ns;
        char topology[16], policy[16], ack[16];
        assert_int_equal(sscanf(line, "%u %15s %u %u %u %15s %15s %u", &nodes, topology, &from, &to,
                                &home, policy, ack, &latency_ns),
                         8);
        enum vsg_policy which = 0;
        while (strcmp(vsg_policy_name[which], policy) != 0)
            which++;
        struct vsg_config c = make_config(nodes, 16, which);
        c.interconnect.store_ack = strcmp(ack, "its") == 0 ? VSG_ACK_ITS : VSG_ACK_LOCAL;
        uint32_t cpu[2] = {16 * from, 16 * to + 1};
        add_vm(&c, 2, cpu, (struct vsg_workload_config){.kind = VSG_WORKLOAD_IPI_HW, .sends = 3});
        c.vm[0].memory_node = (int32_t)home;
        for (int contention = VSG_CONTENTION_NONE; contention <= VSG_CONTENTION_FIFO;
             contention++) {
            c.interconnect.contention = (enum vsg_contention)contention;
            struct vsg_run_result r = run(&c, strcmp(topology, "star") == 0, 2);
            if (r.latency.max_ps != latency_ns * NS)
                print_error("%s: got %" PRIu64 " ps\n", line, r.latency.max_ps);
            assert_int_equal(r.latency.min_ps, latency_ns * NS);
            assert_int_equal(r.latency.max_ps, latency_ns * NS);
            vsg_run_result_free(&r);
        }
        vsg_config_free(&c);
        rows++;
    }
    fclose(f);
    assert_true(rows > 100);
}

/* The sender is back only after the flag is there: the loop waits for the later one. */
static void a_slow_return_bounds_the_loop(void **state)
{
    (void)state;
    struct vsg_config c = make_config(1, 4, VSG_POLICY_LOCAL);
    c.cost[VSG_COST_RETURN] = vsg_dist_constant(1000 * NS);
    add_vm(&c, 2, NULL, (struct vsg_workload_config){.kind = VSG_WORKLOAD_IPI_HW, .sends = 10});
    struct vsg_run_result r = run(&c, false, 1);
    /* prepare 45, trap 204, dispatch 96, store 5, then 1000 of return. */
    assert_int_equal(r.latency.max_ps, 1350 * NS);
    /* The flag is seen 750 ns after the start, so 600 ns are the sender's own. */
    assert_true(r.stage_sum_ps[VSG_STAGE_SELF_WAIT] == (vsg_u128)10 * 600 * NS);
    vsg_run_result_free(&r);
    vsg_config_free(&c);
}

static struct vsg_config one_its(uint32_t vcpus, uint64_t rate_per_s, uint64_t sends)
{
    struct vsg_config c = make_config(1, vcpus, VSG_POLICY_LOCAL);
    for (int i = 0; i < VSG_COST_COUNT; i++)
        c.cost[i] = vsg_dist_constant(0);
    c.cost[VSG_COST_ITS] = vsg_dist_constant(20 * NS);
    add_vm(&c, vcpus, NULL,
           (struct vsg_workload_config){
               .kind = VSG_WORKLOAD_POISSON, .rate_per_s = rate_per_s, .sends = sends});
    return c;
}

/* 32 senders, one ITS of 20 ns: wait = load / (2 (1 - load)) x 20 ns. The window ends with the
 * first exhausted sender, which keeps the bias below what 20 runs can show. */
static void waiting_at_one_its_is_md1(void **state)
{
    (void)state;
    const unsigned load_percent[] = {30, 50, 70, 80, 90};
    for (size_t k = 0; k < 5; k++) {
        double load = load_percent[k] / 100.0;
        double theory_ns = load / (2 * (1 - load)) * 20;
        double sum = 0, square = 0;
        enum { RUNS = 20 };
        for (uint32_t seed = 0; seed < RUNS; seed++) {
            struct vsg_config c =
                one_its(32, (uint64_t)(load * 50e6 / 32 + 0.5), k == 4 ? 12000 : 4000);
            c.seed = 1000 + seed;
            struct vsg_run_result r = run(&c, false, 1);
            double wait_ns =
                (double)r.stage_sum_ps[VSG_STAGE_ITS_WAIT] / 1e3 / (double)r.latency.count;
            sum += wait_ns;
            square += wait_ns * wait_ns;
            uint64_t offered_ppm = r.offered ? r.offered[0].load_ppm : 0;
            assert_in_range(offered_ppm, load_percent[k] * 10000 - 10,
                            load_percent[k] * 10000 + 10);
            vsg_run_result_free(&r);
            vsg_config_free(&c);
        }
        double mean = sum / RUNS;
        double se2 = (square / RUNS - mean * mean) / (RUNS - 1);
        double off = mean - theory_ns;
        print_message("load %.2f: wait %.3f ns, M/D/1 %.3f ns, %.2f standard errors\n", load, mean,
                      theory_ns, off / (se2 > 0 ? __builtin_sqrt(se2) : 1));
        /* A 99.99 % interval with 19 degrees of freedom: t = 4.90. */
        assert_true(off * off < 4.90 * 4.90 * se2);
        /* And the runs are long enough for the check to mean something: 2 % at the most. */
        assert_true(4.90 * 4.90 * se2 < 0.05 * 0.05 * theory_ns * theory_ns);
    }
}

/* pairs under global-first: N senders in a closed loop over one 20 ns ITS. When N x 20 ns exceeds
 * the loop, throughput is the ITS's and the period N x 20 ns, exactly. */
static void a_closed_loop_saturates_its_server(void **state)
{
    (void)state;
    struct vsg_config c = make_config(1, 128, VSG_POLICY_LOCAL);
    add_vm(&c, 128, NULL, (struct vsg_workload_config){.kind = VSG_WORKLOAD_PAIRS, .sends = 200});
    struct vsg_run_result r = run(&c, false, 1);
    /* 64 senders x 20 ns = 1280 ns > 750 ns. From the second loop on each takes 1280 ns. */
    assert_int_equal(r.latency.max_ps, (750 + 63 * 20) * NS); /* the first loop's last in line */
    assert_int_equal(r.latency.hist != NULL, 1);
    uint64_t p50 = 0;
    assert_int_equal(vsg_hist_quantile(r.latency.hist, 500000, &p50), VSG_OK);
    assert_in_range(p50, 1280 * NS, 1280 * NS + 1280 * NS / 1024);
    vsg_run_result_free(&r);
    vsg_config_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seed_is_reproduced),
        cmocka_unit_test(idle_latencies_are_those_derived_by_hand),
        cmocka_unit_test(a_slow_return_bounds_the_loop),
        cmocka_unit_test(waiting_at_one_its_is_md1),
        cmocka_unit_test(a_closed_loop_saturates_its_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
