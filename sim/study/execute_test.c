/* Goal: runs in worker processes, whatever becomes of them. Method: the real pool with a made-up
 * run in place of the model; what must happen in an order waits on pipes, never on time. */
#include <setjmp.h>
#include <stdarg.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/agreement.h"
#include "study/made_up.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* ---- made-up runs, told apart by replication ---------------------------------------------------
 */

static enum vsg_status answer(const struct vsg_config *c, struct vsg_run_result *out)
{
    made_result(out);
    made_ipis(out, 10, NS(100 + c->replication));
    return VSG_OK;
}

static enum vsg_status plain_run(const struct vsg_config *c, enum vsg_engine engine,
                                 const struct vsg_routes *routes, unsigned threads,
                                 uint64_t sample_cap, struct vsg_run_result *out,
                                 struct vsg_diag *diag)
{
    (void)engine, (void)routes, (void)threads, (void)sample_cap;
    vsg_diag_add(diag, VSG_WARNING, NULL, "replication %u warns", c->replication);
    return answer(c, out);
}

static int gate[2]; /* a pipe that runs wait at */

static enum vsg_status first_ends_last(const struct vsg_config *c, enum vsg_engine engine,
                                       const struct vsg_routes *routes, unsigned threads,
                                       uint64_t sample_cap, struct vsg_run_result *out,
                                       struct vsg_diag *diag)
{
    char token = 0;
    (void)engine, (void)routes, (void)threads, (void)sample_cap, (void)diag;
    for (int i = 0; c->replication == 0 && i < 3; i++) /* until we are told of the others */
        if (read(gate[0], &token, 1) != 1)
            return VSG_EIO;
    return answer(c, out);
}

static enum vsg_status ways_to_die(const struct vsg_config *c, enum vsg_engine engine,
                                   const struct vsg_routes *routes, unsigned threads,
                                   uint64_t sample_cap, struct vsg_run_result *out,
                                   struct vsg_diag *diag)
{
    static const char words[] = "[simgrid] Cannot parse the platform\nBacktrace:\n  0x1234 main\n";
    (void)engine, (void)routes, (void)threads, (void)sample_cap;
    switch (c->replication) {
    case 1:
        if (write(STDERR_FILENO, words, sizeof words - 1) > 0)
            abort();
        break;
    case 2:
        raise(SIGKILL);
        break;
    case 3:
        _exit(3);
    case 4:
        vsg_diag_error(diag, "the first cause");
        vsg_diag_error(diag, "the second");
        return VSG_EMODEL;
    case 5:
        return VSG_ENOMEM;
    default:
        break;
    }
    return answer(c, out);
}

static enum vsg_status waits_for_ever(const struct vsg_config *c, enum vsg_engine engine,
                                      const struct vsg_routes *routes, unsigned threads,
                                      uint64_t sample_cap, struct vsg_run_result *out,
                                      struct vsg_diag *diag)
{
    (void)engine, (void)routes, (void)threads, (void)sample_cap, (void)diag;
    while (c->replication > 0)
        pause();
    return answer(c, out);
}

static enum vsg_status many_samples(const struct vsg_config *c, enum vsg_engine engine,
                                    const struct vsg_routes *routes, unsigned threads,
                                    uint64_t sample_cap, struct vsg_run_result *out,
                                    struct vsg_diag *diag)
{
    (void)engine, (void)routes, (void)diag;
    assert_int_equal(threads, 3);
    enum vsg_status status = answer(c, out);
    out->sample = calloc(sample_cap, sizeof *out->sample);
    out->sample_count = sample_cap;
    for (uint64_t i = 0; i < sample_cap; i++)
        out->sample[i].n = i;
    return status;
}

/* ---- what the pool told us ----------------------------------------------------------------------
 */

struct told {
    uint32_t index[16], count;
    volatile sig_atomic_t stop;
    bool opens_gate;
    enum vsg_status give;
    struct vsg_progress last;
};

static enum vsg_status on_end(void *user, const struct vsg_run *run)
{
    struct told *t = user;
    t->index[t->count++] = run->index;
    if (t->opens_gate && write(gate[1], "", 1) != 1)
        return VSG_EIO;
    if (t->give != VSG_OK)
        t->stop = 1;
    return t->give == VSG_EINTR ? VSG_OK : t->give; /* VSG_EINTR: only the flag */
}

static void on_progress(void *user, const struct vsg_progress *p)
{
    ((struct told *)user)->last = *p;
}

static struct vsg_execute_options options(struct told *t, vsg_do_run_fn run, unsigned jobs)
{
    return (struct vsg_execute_options){.jobs = jobs,
                                        .threads = 1,
                                        .stop = &t->stop,
                                        .ended = on_end,
                                        .progress = on_progress,
                                        .user = t,
                                        .do_run = run};
}

static unsigned open_descriptors(void)
{
    unsigned count = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* Executes and checks what must always hold: no process, no descriptor left. */
static enum vsg_status execute(const struct made_up *m, const struct vsg_execute_options *o,
                               struct vsg_outcome *out)
{
    unsigned before = open_descriptors();
    struct vsg_diag diag = VSG_DIAG_INIT;
    enum vsg_status status = vsg_study_execute(&m->study, o, out, &diag);
    vsg_diag_clear(&diag);
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return status;
}

/* ---- tests
 * ------------------------------------------------------------------------------------------ */

static void results_come_in_order_whatever_ends_first(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {.opens_gate = true};
    struct vsg_outcome out;
    assert_int_equal(pipe(gate), 0);
    made_up(&m, 1, 1, 4);
    struct vsg_execute_options o = options(&t, first_ends_last, 4);
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    assert_int_equal(t.count, 4);
    assert_int_equal(t.index[3], 0); /* run 0 ended last */
    assert_int_equal(out.run_count, 4);
    assert_int_equal(out.done, 4);
    assert_int_equal(out.jobs, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(out.run[i].index, i);
        assert_int_equal(out.run[i].replication, i);
        assert_int_equal(out.run[i].state, VSG_RUN_DONE);
        assert_int_equal(out.run[i].result.latency.max_ps, NS(100 + i));
    }
    assert_int_equal(t.last.done, 4);
    assert_int_equal(t.last.ipis, 40);
    assert_int_equal(t.last.running, 0);
    vsg_outcome_free(&out);
    close(gate[0]);
    close(gate[1]);
}

static void policies_and_points_reach_their_runs(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {0};
    struct vsg_outcome out;
    made_up(&m, 2, 2, 2);
    struct vsg_execute_options o = options(&t, plain_run, 0);
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    assert_int_equal(out.run_count, 8);
    assert_int_equal(out.run[6].point, 1);
    assert_int_equal(out.run[6].policy, 1);
    assert_int_equal(out.run[6].replication, 0);
    assert_int_equal(out.run[7].diag.count, 1);
    assert_string_equal(out.run[7].diag.item[0].text, "replication 1 warns");
    assert_int_equal(out.run[7].diag.item[0].severity, VSG_WARNING);
    vsg_outcome_free(&out);
}

static void a_dead_worker_is_one_failed_run(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {0};
    struct vsg_outcome out;
    made_up(&m, 1, 1, 7);
    m.point[0].axis_count = 1;
    struct vsg_execute_options o = options(&t, ways_to_die, 2);
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    assert_int_equal(out.done, 2);
    assert_int_equal(out.failed, 5);
    assert_int_equal(out.run[0].state, VSG_RUN_DONE);
    assert_int_equal(out.run[6].state, VSG_RUN_DONE);
    assert_null(out.run[6].error);
    assert_string_equal(out.run[1].error,
                        "made-up, run 1 (vms.guest.placement.node 0, global-first, replication 1, "
                        "parallel): the worker process was killed by signal 6 (Aborted): [simgrid] "
                        "Cannot parse the platform");
    assert_int_equal(out.run[1].status, VSG_ECHILD);
    assert_non_null(
        strstr(out.run[2].error, "killed by signal 9 (Killed); memory may have run out"));
    assert_non_null(strstr(out.run[3].error, "the worker process ended early with status 3"));
    assert_non_null(strstr(out.run[4].error, "parallel): the first cause; the second"));
    assert_int_equal(out.run[4].status, VSG_EMODEL);
    assert_non_null(strstr(out.run[5].error, vsg_status_text(VSG_ENOMEM)));
    vsg_outcome_free(&out);
}

static void a_stop_ends_all_workers_and_keeps_what_is_done(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {.give = VSG_EINTR};
    struct vsg_outcome out;
    made_up(&m, 1, 1, 8);
    struct vsg_execute_options o = options(&t, waits_for_ever, 3);
    assert_int_equal(execute(&m, &o, &out), VSG_EINTR);
    assert_int_equal(out.done, 1);
    assert_int_equal(out.failed, 0);
    assert_int_equal(out.run[0].state, VSG_RUN_DONE);
    assert_int_equal(out.run[0].result.latency.count, 10);
    for (uint32_t i = 1; i < 8; i++)
        assert_int_equal(out.run[i].state, VSG_RUN_NOT_RUN);
    vsg_outcome_free(&out);
    t = (struct told){.stop = 1}; /* before anything began */
    assert_int_equal(execute(&m, &o, &out), VSG_EINTR);
    assert_int_equal(out.done, 0);
    vsg_outcome_free(&out);
}

static void a_callback_that_fails_ends_the_study(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {.give = VSG_EIO};
    struct vsg_outcome out;
    made_up(&m, 1, 1, 8);
    struct vsg_execute_options o = options(&t, waits_for_ever, 3);
    assert_int_equal(execute(&m, &o, &out), VSG_EIO);
    assert_int_equal(t.count, 1);
    vsg_outcome_free(&out);
}

static void a_result_larger_than_a_pipe_arrives(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {0};
    struct vsg_outcome out;
    made_up(&m, 1, 1, 2);
    struct vsg_execute_options o = options(&t, many_samples, 2);
    o.threads = 3;
    o.sample_cap = 20000; /* some 3 MB */
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(out.run[i].result.sample_count, 20000);
        assert_int_equal(out.run[i].result.sample[19999].n, 19999);
    }
    vsg_outcome_free(&out);
}

static enum vsg_status open_gate(void *user, const struct vsg_run *run)
{
    (void)user, (void)run;
    return write(gate[1], "", 1) == 1 ? VSG_OK : VSG_EIO;
}

static void no_worker_outlives_its_parent(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 2);
    int alive[2], ready[2]; /* `alive` ends when the last process that holds it does */
    assert_int_equal(pipe(alive), 0);
    assert_int_equal(pipe(ready), 0);
    pid_t parent = fork();
    if (parent == 0) {
        struct told t = {0};
        struct vsg_outcome out;
        struct vsg_diag diag = VSG_DIAG_INIT;
        struct vsg_execute_options o = options(&t, waits_for_ever, 2);
        close(alive[0]);
        gate[1] = ready[1];
        o.ended = open_gate; /* run 0 ends by itself, while run 1 is at work */
        o.progress = NULL;
        vsg_study_execute(&m.study, &o, &out, &diag);
        _exit(0);
    }
    close(alive[1]);
    char token;
    assert_int_equal(read(ready[0], &token, 1), 1);
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(read(alive[0], &token, 1), 0); /* returns only when no worker is left */
    close(alive[0]);
    close(ready[0]);
    close(ready[1]);
}

static void jobs_and_threads_have_bounds(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {0};
    struct vsg_outcome out;
    made_up(&m, 1, 1, 2);
    struct vsg_execute_options o = options(&t, plain_run, VSG_JOBS_MAX + 1);
    assert_int_equal(execute(&m, &o, &out), VSG_ERANGE);
    vsg_outcome_free(&out);
    o = options(&t, plain_run, 1);
    o.threads = VSG_THREADS_MAX + 1;
    assert_int_equal(execute(&m, &o, &out), VSG_ERANGE);
    vsg_outcome_free(&out);
    o = options(&t, plain_run, 0); /* auto: never more than there are runs */
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    assert_in_range(out.jobs, 1, 2);
    vsg_outcome_free(&out);
}

/* ---- both engines
 * ---------------------------------------------------------------------------------- */

/* simgrid gets the third IPI of sender 1 wrong by 1 ps in replication 1. */
static enum vsg_status engines_differ(const struct vsg_config *c, enum vsg_engine engine,
                                      const struct vsg_routes *routes, unsigned threads,
                                      uint64_t sample_cap, struct vsg_run_result *out,
                                      struct vsg_diag *diag)
{
    (void)routes, (void)threads, (void)diag;
    enum vsg_status status = answer(c, out);
    bool wrong = engine == VSG_ENGINE_SIMGRID && c->replication == 1;
    out->fingerprint = 5 + wrong;
    if (wrong)
        out->latency.sum_ps++;
    out->executed = engine == VSG_ENGINE_SIMGRID ? 99 : 1; /* may differ */
    if (sample_cap == 0)
        return status;
    out->sample = calloc(6, sizeof *out->sample);
    out->sample_count = 6;
    for (uint32_t i = 0; i < 6; i++)
        out->sample[i] = (struct vsg_sample){.sender = i / 3,
                                             .n = i % 3,
                                             .intent_ps = 1000 * (i % 3) + 7,
                                             .latency_ps = wrong && i >= 4 ? 51 : 50};
    return status;
}

static void engines_are_compared_to_the_first_different_ipi(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {0};
    struct vsg_outcome out;
    made_up(&m, 1, 1, 2);
    struct vsg_execute_options o = options(&t, engines_differ, 2);
    o.engine = VSG_USE_BOTH;
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    assert_int_equal(out.run_count, 4);
    assert_int_equal(t.count, 4); /* the second look is not told */
    assert_int_equal(out.run[1].index, 0);
    assert_int_equal(out.run[1].engine, VSG_ENGINE_SIMGRID);
    assert_true(out.run[1].twin);
    const struct vsg_agreement *a = &out.agreement;
    assert_true(a->asked && a->known);
    assert_false(a->equal);
    assert_int_equal(a->runs, 2);
    assert_int_equal(a->ipis, 20);
    assert_string_equal(a->reason, "run 1 (global-first): latency.sum_ps: 1010000 against 1010001");
    assert_true(a->has_first);
    assert_int_equal(a->run, 1);
    assert_int_equal(a->sender, 1);
    assert_int_equal(a->n, 1);
    assert_int_equal(a->intent_ps, 1007);
    assert_int_equal(a->latency_ps[VSG_ENGINE_PARALLEL], 50);
    assert_int_equal(a->latency_ps[VSG_ENGINE_SIMGRID], 51);
    assert_int_equal(out.run[2].result.sample_count, 0);
    vsg_outcome_free(&out);
    m.study.replications = 1; /* without the bad one */
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    assert_true(out.agreement.equal);
    assert_null(out.agreement.reason);
    vsg_outcome_free(&out);
}

static void fluid_runs_in_simgrid_alone_and_is_not_compared(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {0};
    struct vsg_outcome out;
    made_up(&m, 1, 1, 2);
    m.point[0].config.interconnect.contention = VSG_CONTENTION_FLUID;
    struct vsg_execute_options o = options(&t, plain_run, 2);
    o.engine = VSG_USE_BOTH;
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    assert_int_equal(out.run_count, 2);
    assert_int_equal(out.run[0].engine, VSG_ENGINE_SIMGRID);
    assert_false(out.run[0].twin);
    assert_false(out.agreement.known);
    assert_non_null(strstr(out.agreement.reason, "only distributions could be compared"));
    vsg_outcome_free(&out);
}

static void a_pair_with_a_failed_run_is_not_compared(void **state)
{
    (void)state;
    struct made_up m;
    struct told t = {0};
    struct vsg_outcome out;
    made_up(&m, 1, 1, 4);
    struct vsg_execute_options o = options(&t, ways_to_die, 2);
    o.engine = VSG_USE_BOTH;
    assert_int_equal(execute(&m, &o, &out), VSG_OK);
    assert_true(out.agreement.known && out.agreement.equal);
    assert_int_equal(out.agreement.runs, 1); /* replication 0 */
    assert_non_null(strstr(out.agreement.reason, "3 pairs of runs not compared"));
    vsg_outcome_free(&out);
}

/* ---- every integer
 * ------------------------------------------------------------------------------------ */

static void every_integer_counts(void **state)
{
    (void)state;
    struct vsg_run_result a, b;
    char text[160];
    made_result(&a);
    made_result(&b);
    made_ipis(&a, 10, NS(100));
    made_ipis(&b, 10, NS(100));
    made_batches(&a, 1, (uint64_t[]){NS(100)}, 1);
    made_batches(&b, 1, (uint64_t[]){NS(100)}, 1);
    assert_false(vsg_run_result_differs(&a, &b, text, sizeof text));
    assert_string_equal(text, "");
    b.executed = b.windows = 7; /* of the execution */
    b.lps = b.workers = 7;
    assert_false(vsg_run_result_differs(&a, &b, text, sizeof text));
#define DIFFERS(member, words)                                                                     \
    do {                                                                                           \
        (member)++;                                                                                \
        assert_true(vsg_run_result_differs(&a, &b, text, sizeof text));                            \
        assert_non_null(strstr(text, words));                                                      \
        (member)--;                                                                                \
    } while (0)
    DIFFERS(b.latency.count, "latency.count: 10 against 11");
    DIFFERS(b.latency.square_ps2, "latency.square_ps2");
    DIFFERS(b.stage_sum_ps[VSG_STAGE_MMIO], "stage.mmio: 0 against 1");
    DIFFERS(b.return_sum_ps, "return_sum_ps");
    DIFFERS(b.fingerprint, "fingerprint");
    DIFFERS(b.window_start_ps, "window_start_ps");
    DIFFERS(b.window_end_ps, "window_end_ps");
    DIFFERS(b.events, "events");
    DIFFERS(b.ties, "ties");
    DIFFERS(b.sent, "sent");
    DIFFERS(b.completed, "completed");
    DIFFERS(b.sender_busy_ps, "sender_busy_ps");
    DIFFERS(b.backlog_half, "backlog_half");
    DIFFERS(b.backlog_end, "backlog_end");
    DIFFERS(b.batch_ps, "batch_ps");
    DIFFERS(b.batch[19].count, "batch[19].count: 1 against 2");
    DIFFERS(b.batch[7].sum_ps, "batch[7].sum_ps");
    DIFFERS(b.batch[0].quantile_ps[3], "batch[0].quantile_ps");
    DIFFERS(b.pair[0].sum_ps, "pair[0].sum_ps");
    DIFFERS(b.vm[0].max_ps, "vm[0].max_ps");
    DIFFERS(b.its[0].stats.queue_max, "its[0].queue_max: 0 against 1");
    DIFFERS(b.its[0].node, "its[0].node");
    DIFFERS(b.link[0].stats.busy_ps, "link[0].busy_ps");
    DIFFERS(b.link[0].name[0], "link[0].name: n0-n1 against o0-n1");
#undef DIFFERS
    vsg_hist_record(b.latency.hist, NS(100));
    assert_true(vsg_run_result_differs(&a, &b, text, sizeof text));
    assert_string_equal(text, "latency.histogram.bucket: 10 against 11");
    vsg_run_result_free(&a);
    vsg_run_result_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_in_order_whatever_ends_first),
        cmocka_unit_test(policies_and_points_reach_their_runs),
        cmocka_unit_test(a_dead_worker_is_one_failed_run),
        cmocka_unit_test(a_stop_ends_all_workers_and_keeps_what_is_done),
        cmocka_unit_test(a_callback_that_fails_ends_the_study),
        cmocka_unit_test(a_result_larger_than_a_pipe_arrives),
        cmocka_unit_test(no_worker_outlives_its_parent),
        cmocka_unit_test(jobs_and_threads_have_bounds),
        cmocka_unit_test(engines_are_compared_to_the_first_different_ipi),
        cmocka_unit_test(fluid_runs_in_simgrid_alone_and_is_not_compared),
        cmocka_unit_test(a_pair_with_a_failed_run_is_not_compared),
        cmocka_unit_test(every_integer_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
