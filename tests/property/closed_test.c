/* Closed loops and queues in line against closed forms: mean value analysis of exponential
 * networks, a tandem of constant servers, Little's law; and that warm-up changes no rate.
 *
 * VSG_SEEDS=100 in the environment asks for that many seeds (default 12). */
#include "study_run.h"

enum { LOOPS = 5 };

static unsigned seeds(void)
{
    const char *asked = getenv("VSG_SEEDS");
    return asked ? (unsigned)atoi(asked) : 12;
}

/* What is not named costs nothing. */
#define FREE                                                                                       \
    "prepare: 0ns, trap: 0ns, dispatch: 0ns, store: 0ns, mmio: 0ns, message: 0ns, "                \
    "deliver: 0ns, observe: 0ns, return: 0ns, line: 0ns"

static const struct loop {
    unsigned senders, handlers, think_ns, its_ns, handle_ns;
} loop[LOOPS] = {{2, 1, 20, 20, 0},
                 {4, 1, 100, 20, 0},
                 {16, 1, 100, 20, 0},
                 {32, 1, 600, 20, 0},
                 {16, 4, 200, 20, 100}};

/* Exact mean value analysis (Reiser and Lavenberg 1980): one ITS, handlers that are drawn alike,
 * and think time. */
struct mva {
    double its_ns, handlers_ns, ipis_per_ns;
};

static struct mva solve(const struct loop *l)
{
    double its_queue = 0, handler_queue = 0;
    struct mva m = {0};
    for (unsigned n = 1; n <= l->senders; n++) {
        m.its_ns = l->its_ns * (1 + its_queue);
        m.handlers_ns = l->handle_ns * (1 + handler_queue);
        m.ipis_per_ns = n / (l->think_ns + m.its_ns + m.handlers_ns);
        its_queue = m.ipis_per_ns * m.its_ns;
        handler_queue = m.ipis_per_ns * m.handlers_ns / l->handlers;
    }
    return m;
}

static void run_loop(const struct loop *l, unsigned sends, unsigned replications,
                     const char *warmup, struct study_run *r)
{
    char text[1500], handle[60] = "0ns", list[2][200];
    if (l->handle_ns)
        snprintf(handle, sizeof handle, "{exponential: {mean: %uns}}", l->handle_ns);
    for (unsigned side = 0; side < 2; side++) {
        unsigned first = side ? l->senders : 0, count = side ? l->handlers : l->senders;
        int at = 0;
        for (unsigned i = 0; i < count; i++)
            at += snprintf(list[side] + at, sizeof list[side] - (size_t)at, "%s%u", i ? ", " : "",
                           first + i);
    }
    snprintf(text, sizeof text,
             "format: 1\n"
             "machine: {nodes: 1, cpus_per_node: 64, its_per_node: 1}\n"
             "costs: {" FREE ", its: {exponential: {mean: %uns}}, handle: %s}\n"
             "vms: [{name: guest, vcpus: %u}]\n"
             "workload: {kind: closed, sends: %u, think: {exponential: {mean: %uns}},\n"
             "           senders: [%s], targets: [%s]}\n"
             "policies: [local]\n"
             "run: {replications: %u, warmup: %s}\n",
             l->its_ns, handle, l->senders + l->handlers, sends, l->think_ns, list[0], list[1],
             replications, warmup);
    run_study(text, r);
}

struct check {
    const char *what;
    double truth;
    double *value; /* [runs] */
};

/* One check within its 99.99 % interval, which must be narrower than `width` of the truth. */
static void accept(const struct check *c, unsigned n, double width, unsigned *hits)
{
    struct vsg_interval wide, ci;
    assert_int_equal(vsg_mean_interval(c->value, n, 0.9999, &wide), VSG_OK);
    assert_int_equal(vsg_mean_interval(c->value, n, 0.95, &ci), VSG_OK);
    print_message("%s: %.6g, theory %.6g, %+.3f %%\n", c->what, wide.mean, c->truth,
                  (wide.mean / c->truth - 1) * 100);
    assert_true(holds(&wide, c->truth));
    assert_true(2 * wide.half_width < width * c->truth);
    *hits += holds(&ci, c->truth);
}

static void closed_loops_are_those_of_mva(void **state)
{
    (void)state;
    enum { FIGURES = 4 };
    unsigned n = seeds(), hits = 0;
    for (size_t k = 0; k < LOOPS; k++) {
        struct mva m = solve(&loop[k]);
        double latency_ns = m.its_ns + m.handlers_ns;
        struct check c[FIGURES] = {
            {.what = "latency", .truth = latency_ns},
            {.what = "IPIs/s", .truth = m.ipis_per_ns * 1e9},
            {.what = "utilisation", .truth = m.ipis_per_ns * loop[k].its_ns},
            {.what = "waiting at the ITS", .truth = m.ipis_per_ns * (m.its_ns - loop[k].its_ns)}};
        struct study_run r;
        run_loop(&loop[k], 4000, n, "5%", &r);
        for (size_t i = 0; i < FIGURES; i++)
            assert_non_null(c[i].value = calloc(n, sizeof *c[i].value));
        for (unsigned i = 0; i < n; i++) {
            const struct vsg_figures *f = &r.results.run[i].figures;
            c[0].value[i] = (double)f->latency.mean_ps / 1e3;
            c[1].value[i] = (double)f->throughput_milli_per_s / 1e3;
            c[2].value[i] = (double)f->its[0].utilisation_ppm / 1e6;
            c[3].value[i] = (double)f->its[0].queue_mean_ppm / 1e6;
        }
        for (size_t i = 0; i < FIGURES; i++) {
            accept(&c[i], n, 0.12, &hits);
            free(c[i].value);
        }
        free_study_run(&r);
    }
    print_message("%u of %u 95 %% intervals hold the truth\n", hits, LOOPS * FIGURES);
    assert_true(hits >= vsg_stats_accept_min(LOOPS * FIGURES));
}

/* 64 loops whose period is 64 x 20 = 1280 ns once the ITS is full (750 ns without a queue): any
 * warm-up leaves 50 million IPIs/s, a sender that is in KVM for 204 + 96 + 5 + 102 ns of each
 * period, and a bound that the mean does not fall below. */
static void warm_up_changes_no_rate(void **state)
{
    (void)state;
    static const char *const warmup[] = {"auto", "50%", "{sends: 900}", "20us"};
    for (size_t i = 0; i < sizeof warmup / sizeof warmup[0]; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "format: 1\n"
                 "machine: {nodes: 1, cpus_per_node: 128, its_per_node: 1}\n"
                 "vms: [{name: guest, vcpus: 128}]\n"
                 "workload: {kind: pairs, sends: 1000}\n"
                 "policies: [local]\n"
                 "run: {warmup: %s}\n",
                 warmup[i]);
        struct study_run r;
        run_study(text, &r);
        const struct vsg_figures *f = &r.results.run[0].figures;
        assert_true(f->throughput_milli_per_s <= INT64_C(50000000000));
        assert_true(f->throughput_milli_per_s > INT64_C(49900000000)); /* it starts empty */
        assert_int_equal(f->stall_ps, 407000);
        assert_in_range(f->pcpu_share_ppm, 317400, 318400); /* 407 / 1280 = 0.317969 */
        assert_int_equal(f->analytic.theory, VSG_THEORY_BOUND);
        assert_in_range(f->analytic.mean_ps, 1277000, 1280000);
        assert_in_range(f->analytic.error_ppm, 0, 2000);
        free_study_run(&r);
    }
}

/* The open load plans 1000 / 100 k/s = 10 ms, of which warm-up is a fifth; the closed loops end
 * after 4000 x 750 ns = 3 ms. */
static void warm_up_that_takes_most_of_a_run_is_told(void **state)
{
    (void)state;
    for (unsigned share = 5; share <= 20; share += 15) {
        char text[600];
        snprintf(
            text, sizeof text,
            "format: 1\n"
            "machine: {nodes: 1, cpus_per_node: 8, its_per_node: 1}\n"
            "vms:\n"
            "  - {name: open, vcpus: 2, workload: {kind: poisson, rate: 100k/s, sends: 1000}}\n"
            "  - {name: loop, vcpus: 2, workload: {kind: pairs, sends: 4000}}\n"
            "policies: [local]\n"
            "run: {warmup: %u%%}\n",
            share);
        struct study_run r;
        run_study(text, &r);
        assert_int_equal(r.results.warning_count, share == 20);
        if (share == 20)
            assert_non_null(strstr(r.results.warning[0], "more than half of a run"));
        free_study_run(&r);
    }
}

/* Constant servers in line wait, all together, as long as the slowest would alone (Friedman 1965):
 * here up and down a star, the ITS, up and down again, the handler. 64 bytes are 1 ns. */
static void a_tandem_waits_at_its_slowest(void **state)
{
    (void)state;
    static const struct {
        unsigned store_bytes, its_ns, message_bytes, handle_ns, slowest_ns, load_percent;
    } line[] = {{4096, 20, 16, 0, 64, 70},
                {640, 20, 6400, 0, 100, 50},
                {640, 60, 640, 0, 60, 80},
                {640, 20, 640, 50, 50, 70}};
    unsigned n = seeds(), hits = 0; /* four checks are too few to count hits */
    for (size_t k = 0; k < sizeof line / sizeof line[0]; k++) {
        char text[1200];
        unsigned rate = line[k].load_percent * 10000000 / line[k].slowest_ns / 8;
        double rho = rate * 8.0 * line[k].slowest_ns / 1e9;
        snprintf(text, sizeof text,
                 "format: 1\n"
                 "machine: {nodes: 3, cpus_per_node: 8, its_per_node: 1, probe_order: [0, 2, 1]}\n"
                 "interconnect: {topology: star, link: {latency: 25ns, bandwidth: 64GB/s},\n"
                 "               store_bytes: %u, message_bytes: %u}\n"
                 "costs: {" FREE ", its: %uns, handle: %uns}\n"
                 "vms: [{name: guest, vcpus: 9,\n"
                 "       placement: {kind: pinned, cpus: [0, 1, 2, 3, 4, 5, 6, 7, 16]}}]\n"
                 "workload: {kind: poisson, rate: %u/s, sends: 12000,\n"
                 "           senders: [0, 1, 2, 3, 4, 5, 6, 7], targets: [8]}\n"
                 "policies: [global-first]\n"
                 "run: {replications: %u}\n",
                 line[k].store_bytes, line[k].message_bytes, line[k].its_ns, line[k].handle_ns,
                 rate, n);
        struct study_run r;
        run_study(text, &r);
        struct check c = {.what = "wait in line",
                          .truth = rho / (2 * (1 - rho)) * line[k].slowest_ns,
                          .value = calloc(n, sizeof *c.value)};
        assert_non_null(c.value);
        for (unsigned i = 0; i < n; i++) {
            const int64_t *stage_ps = r.results.run[i].figures.stage_ps;
            c.value[i] = (double)(stage_ps[VSG_STAGE_LINK_WAIT] + stage_ps[VSG_STAGE_ITS_WAIT] +
                                  stage_ps[VSG_STAGE_DELIVER]) /
                         1e3;
        }
        accept(&c, n, 0.2, &hits);
        free(c.value);
        free_study_run(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_loops_are_those_of_mva),
        cmocka_unit_test(warm_up_changes_no_rate),
        cmocka_unit_test(warm_up_that_takes_most_of_a_run_is_told),
        cmocka_unit_test(a_tandem_waits_at_its_slowest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
