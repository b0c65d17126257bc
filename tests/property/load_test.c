/* One ITS under an open load: its wait against M/D/1, and when a run is called unstable.
 *
 * VSG_SEEDS=100 in the environment asks for that many seeds (default: a short form). */
#include "engine/stats.h"
#include "study/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SENDERS = 32, ITS_PS = 20000, LOADS = 5 };

static unsigned seeds(unsigned otherwise)
{
    const char *asked = getenv("VSG_SEEDS");
    return asked ? (unsigned)atoi(asked) : otherwise;
}

/* One replication per seed, load in percent of the ITS's capacity of 50 M/s. */
static void run(unsigned load_percent, unsigned sends, unsigned replications, const char *warmup,
                struct vsg_study *study, struct vsg_outcome *out, struct vsg_results *results)
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
    struct vsg_diag d = VSG_DIAG_INIT;
    enum vsg_status status = vsg_study_load(text, strlen(text), NULL, 0, study, &d);
    for (size_t i = 0; i < d.count; i++)
        print_error("%s\n", d.item[i].text);
    assert_int_equal(status, VSG_OK);
    struct vsg_execute_options o = {.threads = 1, .module_dir = VSG_MODULE_DIR};
    assert_int_equal(vsg_study_execute(study, &o, out, &d), VSG_OK);
    assert_int_equal(out->failed, 0);
    assert_int_equal(vsg_results_make(study, out, "test", results), VSG_OK);
    vsg_diag_clear(&d);
}

static void free_all(struct vsg_study *study, struct vsg_outcome *out, struct vsg_results *results)
{
    vsg_results_free(results);
    vsg_outcome_free(out);
    vsg_study_free(study);
}

static bool holds(const struct vsg_interval *ci, double truth)
{
    return ci->mean - ci->half_width <= truth && truth <= ci->mean + ci->half_width;
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
        struct vsg_study study;
        struct vsg_outcome out;
        struct vsg_results results;
        run(load[k], sends[k], n, "auto", &study, &out, &results);
        double *wait_ps = calloc(n, sizeof *wait_ps);
        assert_non_null(wait_ps);
        for (unsigned i = 0; i < n; i++)
            wait_ps[i] = (double)results.run[i].figures.stage_ps[VSG_STAGE_ITS_WAIT];
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
        free_all(&study, &out, &results);
    }
    print_message("%u of %u 95 %% intervals hold the truth; at least %u must\n", hits, checks,
                  vsg_stats_accept_min(checks));
    assert_true(hits >= vsg_stats_accept_min(checks));
}

static unsigned unstable_runs(unsigned load_percent, unsigned sends, unsigned n)
{
    struct vsg_study study;
    struct vsg_outcome out;
    struct vsg_results results;
    run(load_percent, sends, n, "auto", &study, &out, &results);
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        count += results.run[i].figures.unstable;
    free_all(&study, &out, &results);
    return count;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wait_is_that_of_md1),
        cmocka_unit_test(overload_is_always_seen_and_never_cried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
