/* Open loads: the wait at one ITS against M/D/1, and when a run is called unstable, whatever is
 * overloaded.
 *
 * VSG_SEEDS=100 in the environment asks for that many seeds (default: a short form). */
#include "study_run.h"

enum { SENDERS = 32, ITS_PS = 20000, LOADS = 5 };

static unsigned seeds(unsigned otherwise)
{
    const char *asked = getenv("VSG_SEEDS");
    return asked ? (unsigned)atoi(asked) : otherwise;
}

/* One replication per seed, load in percent of the ITS's capacity of 50 M/s. */
static void run(unsigned load_percent, unsigned sends, unsigned replications, const char *warmup,
                struct study_run *r)
{
    char text[900];
    snprintf(
        text, sizeof text,
        "format: 1\n"
        "name: one-its\n"
        "machine: {nodes: 1, cpus_per_node: %u, its_per_node: 1}\n"
        "costs: {prepare: 0ns, trap: 0ns, dispatch: 0ns, store: 0ns, mmio: 0ns, its: 20ns,\n"
        "        message: 0ns, deliver: 0ns, handle: 0ns, observe: 0ns, return: 0ns, line: 0ns}\n"
        "vms: [{name: guest, vcpus: %u, placement: {kind: packed}}]\n"
        "workload: {kind: poisson, rate: %u/s, sends: %u}\n"
        "policies: [local]\n"
        "run: {replications: %u, warmup: %s}\n",
        SENDERS, SENDERS, load_percent * 500000 / SENDERS, sends, replications, warmup);
    run_study(text, r);
}

/* wait = rho / (2 (1 - rho)) x service (Pollaczek-Khinchine). Each load is one check, accepted
 * within its 99.99 % interval; of all the 95 % intervals, as many as chance allows may miss. */
static void the_wait_is_that_of_md1(void **state)
{
    (void)state;
    const unsigned load[LOADS] = {30, 50, 70, 80, 90};
    const unsigned sends[LOADS] = {2000, 3000, 4000, 6000, 12000};
    unsigned n = seeds(12), hits = 0, checks = 0;
    for (size_t k = 0; k < LOADS; k++) {
        double rho = load[k] / 100.0, theory_ps = rho / (2 * (1 - rho)) * ITS_PS;
        struct study_run r;
        run(load[k], sends[k], n, "auto", &r);
        double *wait_ps = calloc(n, sizeof *wait_ps);
        assert_non_null(wait_ps);
        for (unsigned i = 0; i < n; i++)
            wait_ps[i] = (double)r.results.run[i].figures.stage_ps[VSG_STAGE_ITS_WAIT];
        struct vsg_interval wide;
        assert_int_equal(vsg_mean_interval(wait_ps, n, 0.9999, &wide), VSG_OK);
        print_message("load %.2f: wait %.3f ns, M/D/1 %.3f ns, bias %+.3f %%\n", rho,
                      wide.mean / 1e3, theory_ps / 1e3, (wide.mean / theory_ps - 1) * 100);
        assert_true(holds(&wide, theory_ps));
        assert_true(2 * wide.half_width < 0.12 * theory_ps);   /* narrow enough to mean something */
        for (unsigned first = 0; first + 4 <= n; first += 4) { /* 95 % intervals of 4 seeds each */
            struct vsg_interval ci;
            assert_int_equal(vsg_mean_interval(wait_ps + first, 4, 0.95, &ci), VSG_OK);
            hits += holds(&ci, theory_ps);
            checks++;
        }
        free(wait_ps);
        free_study_run(&r);
    }
    print_message("%u of %u 95 %% intervals hold the truth; at least %u must\n", hits, checks,
                  vsg_stats_accept_min(checks));
    assert_true(hits >= vsg_stats_accept_min(checks));
}

static unsigned count_unstable(struct study_run *r)
{
    unsigned count = 0;
    for (unsigned i = 0; i < r->results.run_count; i++)
        count += r->results.run[i].figures.unstable;
    free_study_run(r);
    return count;
}

static unsigned unstable_runs(unsigned load_percent, unsigned sends, unsigned n)
{
    struct study_run r;
    run(load_percent, sends, n, "auto", &r);
    return count_unstable(&r);
}

static void overload_is_always_seen_and_never_cried(void **state)
{
    (void)state;
    unsigned n = seeds(40);
    for (unsigned sends = 100; sends <= 2500; sends *= 5) {
        assert_int_equal(unstable_runs(105, sends, n), n);
        assert_int_equal(unstable_runs(95, sends, n), 0);
    }
}

/* Costs in ns, of which the one under test takes 100 (acknowledgement: 500) per IPI: a sender
 * 50 + 20 + 10 + 20 from trap to return; a handler; a link 6,400 bytes at 64 GB/s; and a sender
 * whose stores (40) wait for the acknowledgement of a far ITS, 60 + 2 x 200. */
static const struct {
    const char *name, *costs, *interconnect, *placement, *who;
    unsigned senders; /* that share what is under test */
    unsigned busy_ns;
} bound[] = {
    {"sender", "trap: 50ns, dispatch: 20ns, store: 10ns, return: 20ns", "{}", "[0, 1, 2, 3]",
     "senders: [0], targets: [2, 3]", 1, 100},
    {"handler", "handle: 100ns", "{}", "[0, 1, 2, 3]", "senders: [0, 1], targets: [2]", 2, 100},
    {"link", "deliver: 10ns", "{store_bytes: 6400}", "[0, 1, 2, 4]",
     "senders: [0, 1, 2], targets: [3]", 3, 100},
    {"acknowledgement", "trap: 50ns, dispatch: 25ns, store: 40ns, mmio: 60ns, return: 25ns",
     "{store_ack: its, link: {latency: 200ns}, contention: none}", "[0, 1, 4, 5]",
     "senders: [0, 1], targets: [2, 3]", 1, 500},
};

static void overload_is_seen_wherever_it_is(void **state)
{
    (void)state;
    unsigned n = seeds(10);
    for (size_t k = 0; k < sizeof bound / sizeof bound[0]; k++)
        for (unsigned load_percent = 95; load_percent <= 105; load_percent += 10)
            for (unsigned sends = 100; sends <= 2500; sends *= 5) {
                static const char *const zero[] = {"trap",    "dispatch", "store",  "mmio",  "its",
                                                   "message", "deliver",  "handle", "return"};
                char text[1200], costs[400];
                int at = snprintf(costs, sizeof costs, "%s", bound[k].costs);
                for (size_t z = 0; z < sizeof zero / sizeof zero[0]; z++)
                    if (!strstr(bound[k].costs, zero[z]))
                        at += snprintf(costs + at, sizeof costs - (size_t)at, ", %s: 0ns", zero[z]);
                snprintf(text, sizeof text,
                         "format: 1\n"
                         "machine: {nodes: 2, cpus_per_node: 4, its_per_node: 1}\n"
                         "interconnect: %s\n"
                         "costs: {%s}\n"
                         "vms: [{name: guest, vcpus: 4, placement: {kind: pinned, cpus: %s}}]\n"
                         "workload: {kind: poisson, rate: %u/s, sends: %u, %s}\n"
                         "policies: [global-first]\n"
                         "run: {replications: %u}\n",
                         bound[k].interconnect, costs, bound[k].placement,
                         load_percent * 10000000 / bound[k].busy_ns / bound[k].senders, sends,
                         bound[k].who, n);
                struct study_run r;
                run_study(text, &r);
                unsigned unstable = count_unstable(&r);
                if (unstable != (load_percent > 100 ? n : 0))
                    print_error("%s at %u %%, %u sends: %u of %u unstable\n", bound[k].name,
                                load_percent, sends, unstable, n);
                assert_int_equal(unstable, load_percent > 100 ? n : 0);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wait_is_that_of_md1),
        cmocka_unit_test(overload_is_always_seen_and_never_cried),
        cmocka_unit_test(overload_is_seen_wherever_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
