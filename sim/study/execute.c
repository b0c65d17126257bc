#include "study/execute.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "models/interconnect/interconnect.h"
#include "study/agreement.h"
#include "study/effort.h"
#include "study/precision.h"
#include "study/run_model.h"
#include "study/text.h"
#include "study/worker.h"

enum { TICK_MS = 100 };
#define LOOK_NS UINT64_C(50000000) /* between two looks at what workers use */

const char *const vsg_engine_name[2] = {"parallel", "simgrid"};

/* Routes are asked for once per distinct interconnect, when the first run needs them. */
struct known_routes {
    const struct vsg_config *config; /* of the point that asked first */
    struct vsg_routes routes;
    enum vsg_status status;
    char *error; /* NULL: fine */
};

struct pool {
    const struct vsg_study *study;
    const struct vsg_execute_options *options;
    struct vsg_diag *diag;
    struct vsg_outcome *out;
    struct vsg_worker *worker; /* [jobs] */
    unsigned jobs, threads, live;
    struct known_routes *known;
    size_t known_count;
    struct vsg_progress progress;
    struct vsg_effort effort;
    uint64_t started_ns, looked_ns;
    uint64_t sample_cap;
    bool quiet; /* a second look at runs: no callbacks, no counting */
};

/* ---- routes -----------------------------------------------------------------------------------
 */

static enum vsg_status routes_for(struct pool *p, uint32_t point, const struct known_routes **out)
{
    const struct vsg_config *config = &p->study->point[point].config;
    for (size_t i = 0; i < p->known_count; i++)
        if (vsg_interconnect_same_routes(&p->known[i].config->interconnect,
                                         p->known[i].config->machine.nodes, &config->interconnect,
                                         config->machine.nodes)) {
            *out = &p->known[i];
            return VSG_OK;
        }
    struct known_routes *known = realloc(p->known, (p->known_count + 1) * sizeof *known);
    if (!known)
        return VSG_ENOMEM;
    p->known = known;
    known += p->known_count;
    *known = (struct known_routes){.config = config};
    struct vsg_diag diag = VSG_DIAG_INIT;
    known->status = vsg_interconnect_routes(&config->interconnect, config->machine.nodes,
                                            p->options->module_dir, &known->routes, &diag);
    if (known->status != VSG_OK) {
        struct vsg_text text = {0};
        for (size_t i = 0; i < diag.count; i++)
            if (diag.item[i].severity == VSG_ERROR)
                vsg_text_add(&text, "%s%s", text.length > 0 ? "; " : "", diag.item[i].text);
        if (text.length == 0)
            vsg_text_add(&text, "routes: %s", vsg_status_text(known->status));
        (void)vsg_text_take(&text, &known->error);
    }
    vsg_diag_clear(&diag);
    p->known_count++;
    *out = known;
    return VSG_OK;
}

/* ---- the end of a run
 * ---------------------------------------------------------------------------- */

/* "seed-two-socket, run 3 (vms.guest.placement.node 1, local, replication 0, simgrid): " */
static void say_which(const struct vsg_study *s, const struct vsg_run *run, struct vsg_text *text)
{
    const struct vsg_point *point = &s->point[run->point];
    vsg_text_add(text, "%s, run %u (", s->name, run->index);
    for (uint32_t i = 0; i < point->axis_count; i++)
        vsg_text_add(text, "%s %s, ", point->axis[i].name, point->axis[i].text);
    vsg_text_add(text, "%s, replication %u, %s): ", vsg_policy_name[s->policy[run->policy]],
                 run->replication, vsg_engine_name[run->engine]);
}

static enum vsg_status run_ended(struct pool *p, struct vsg_run *run, const char *cause)
{
    if (run->state == VSG_RUN_FAILED) {
        struct vsg_text text = {0};
        say_which(p->study, run, &text);
        vsg_text_add(&text, "%s", cause ? cause : vsg_status_text(VSG_ENOMEM));
        if (vsg_text_take(&text, &run->error) != VSG_OK)
            return VSG_ENOMEM;
    }
    if (p->quiet)
        return VSG_OK;
    vsg_effort_ended(&p->effort, run);
    if (run->state == VSG_RUN_DONE) {
        p->progress.done++;
        p->progress.ipis += run->result.latency.count;
        p->progress.events += run->result.events;
    } else {
        p->progress.failed++;
    }
    return p->options->ended ? p->options->ended(p->options->user, run) : VSG_OK;
}

static void tell_progress(struct pool *p)
{
    uint64_t now_ns = vsg_wall_ns();
    p->progress.running = p->live;
    p->progress.wall_ns = now_ns - p->started_ns;
    p->progress.knows_left = vsg_effort_left(&p->effort, p->jobs, &p->progress.left_ns);
    if (!p->quiet && p->options->progress)
        p->options->progress(p->options->user, &p->progress);
}

/* ---- the pool
 * --------------------------------------------------------------------------------------- */

static bool stopped(const struct pool *p)
{
    return p->options->stop && *p->options->stop;
}

static bool gave_up(const struct pool *p)
{
    return p->options->fail_fast && p->progress.failed > 0 && !p->quiet;
}

/* Starts a run in a free place. *started is false when the system has no process or
 * descriptor to spare but one of ours will end. */
static enum vsg_status start(struct pool *p, struct vsg_run *run, bool *started)
{
    struct vsg_config config = {0};
    const struct known_routes *known = NULL;
    struct vsg_worker_task task = {.config = &config,
                                   .threads = p->threads,
                                   .sample_cap = p->sample_cap,
                                   .limit_time_ns = p->options->limit_time_ns,
                                   .limit_memory_bytes = p->options->limit_memory_bytes,
                                   .do_run =
                                       p->options->do_run ? p->options->do_run : vsg_run_model};
    enum vsg_status status = VSG_OK;
    *started = true;
    if (!p->options->do_run) {
        status = routes_for(p, run->point, &known);
        if (status != VSG_OK)
            return status;
        if (known->status == VSG_EINTR)
            return VSG_EINTR; /* stopped, which is no failure of the run */
        if (known->status != VSG_OK) {
            run->state = VSG_RUN_FAILED;
            run->status = known->status;
            return run_ended(p, run, known->error);
        }
        task.routes = &known->routes;
    }
    status = vsg_study_run_config(p->study, run->index, &config);
    if (status != VSG_OK)
        return status;
    struct vsg_worker *free_place = p->worker;
    while (free_place->run)
        free_place++;
    status = vsg_worker_start(free_place, run, &task, p->worker, p->jobs);
    vsg_config_free(&config);
    if (status == VSG_OK) {
        p->live++;
    } else if (p->live > 0) {
        *started = false;
        status = VSG_OK;
    } else {
        vsg_diag_error(p->diag, "cannot start a worker process: %s", strerror(errno));
    }
    return status;
}

static void look_at_limits(struct pool *p)
{
    uint64_t now_ns = vsg_wall_ns();
    if ((p->options->limit_time_ns == 0 && p->options->limit_memory_bytes == 0) ||
        now_ns - p->looked_ns < LOOK_NS)
        return;
    p->looked_ns = now_ns;
    for (unsigned i = 0; i < p->jobs; i++)
        if (p->worker[i].run)
            vsg_worker_check_limits(&p->worker[i]);
}

/* Waits up to a tick for workers' output; handles what came. */
static enum vsg_status attend(struct pool *p)
{
    struct pollfd fd[2 * VSG_JOBS_MAX];
    nfds_t count = 0;
    for (unsigned i = 0; i < p->jobs; i++)
        if (p->worker[i].run) {
            fd[count++] = (struct pollfd){.fd = p->worker[i].result_fd, .events = POLLIN};
            fd[count++] = (struct pollfd){.fd = p->worker[i].words_fd, .events = POLLIN};
        }
    look_at_limits(p);
    if (poll(fd, count, TICK_MS) <= 0)
        return VSG_OK; /* a tick, or a signal: the loop looks at the flag */
    count = 0;
    for (unsigned i = 0; i < p->jobs; i++) {
        struct vsg_worker *w = &p->worker[i];
        if (!w->run)
            continue;
        short result = fd[count++].revents, words = fd[count++].revents;
        if (words)
            vsg_worker_read_words(w);
        if (!result || !vsg_worker_read_result(w))
            continue;
        struct vsg_run *run = w->run;
        char *cause = NULL;
        vsg_worker_finish(w, &cause);
        p->live--;
        enum vsg_status status = run_ended(p, run, cause);
        free(cause);
        if (status != VSG_OK)
            return status;
    }
    return VSG_OK;
}

/* Runs all of run[0..count). No worker is left when it returns. */
static enum vsg_status run_all(struct pool *p, struct vsg_run *run, uint32_t count)
{
    enum vsg_status status = VSG_OK;
    uint32_t next = 0;
    while (status == VSG_OK && !gave_up(p) && (next < count || p->live > 0)) {
        bool started = true;
        while (status == VSG_OK && started && next < count && p->live < p->jobs && !stopped(p) &&
               !gave_up(p)) {
            if (run[next].recalled)
                next++;
            else if ((status = start(p, &run[next], &started)) == VSG_OK && started)
                next++;
        }
        if (status == VSG_OK && stopped(p))
            status = VSG_EINTR;
        if (status == VSG_OK && p->live > 0)
            status = attend(p);
        tell_progress(p);
    }
    for (unsigned i = 0; i < p->jobs; i++)
        if (p->worker[i].run)
            vsg_worker_kill(&p->worker[i]);
    p->live = 0;
    return status;
}

/* ---- setting up
 * ------------------------------------------------------------------------------------- */

static unsigned cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

static enum vsg_status choose_size(const struct vsg_execute_options *o, uint32_t runs,
                                   unsigned *jobs, unsigned *threads, struct vsg_diag *diag)
{
    if (o->jobs > VSG_JOBS_MAX || o->threads > VSG_THREADS_MAX) {
        vsg_diag_error(diag, "--jobs is at most %d and --threads at most %d", VSG_JOBS_MAX,
                       VSG_THREADS_MAX);
        return VSG_ERANGE;
    }
    *threads = o->threads > 0 ? o->threads : 1;
    *jobs = o->jobs > 0 ? o->jobs : (cores() + *threads - 1) / *threads;
    if (*jobs > runs)
        *jobs = runs;
    if (*jobs > VSG_JOBS_MAX)
        *jobs = VSG_JOBS_MAX;
    if (*jobs == 0)
        *jobs = 1;
    return VSG_OK;
}

static enum vsg_status make_pool(struct pool *p)
{
    enum vsg_status status =
        choose_size(p->options, p->out->run_count, &p->jobs, &p->threads, p->diag);
    if (status != VSG_OK)
        return status;
    p->worker = calloc(p->jobs, sizeof *p->worker);
    if (!p->worker)
        return VSG_ENOMEM;
    for (unsigned i = 0; i < p->jobs; i++)
        p->worker[i].result_fd = p->worker[i].words_fd = -1;
    return VSG_OK;
}

/* Fluid contention exists in SimGrid only: with both engines, such a point runs there alone. */
bool vsg_engine_takes_part(const struct vsg_study *s, enum vsg_engine_choice choice, uint32_t point,
                           enum vsg_engine engine)
{
    if (choice != VSG_USE_BOTH)
        return (choice == VSG_USE_SIMGRID) == (engine == VSG_ENGINE_SIMGRID);
    return engine == VSG_ENGINE_SIMGRID ||
           s->point[point].config.interconnect.contention != VSG_CONTENTION_FLUID;
}

static bool is_wanted(const struct vsg_execute_options *o, uint32_t index, size_t *at)
{
    if (!o->only)
        return true;
    while (*at < o->only_count && o->only[*at] < index)
        ++*at;
    return *at < o->only_count && o->only[*at] == index;
}

/* Of each point, the replications that are to be listed: from the first to before the second. */
struct stretch {
    uint32_t from, to;
};

static void add_runs(const struct vsg_study *s, const struct vsg_execute_options *o, uint32_t index,
                     struct vsg_outcome *out)
{
    enum vsg_engine_choice choice = o->engine;
    for (int e = VSG_ENGINE_PARALLEL; e <= VSG_ENGINE_SIMGRID; e++) {
        struct vsg_run run = {.index = index, .engine = (enum vsg_engine)e};
        vsg_study_run_coordinates(s, index, &run.point, &run.policy, &run.replication);
        run.twin = choice == VSG_USE_BOTH &&
                   vsg_engine_takes_part(s, choice, run.point, VSG_ENGINE_PARALLEL);
        if (vsg_engine_takes_part(s, choice, run.point, run.engine))
            out->run[out->run_count++] = run;
    }
}

/* Appends runs, in order of their indices. */
static enum vsg_status append_runs(const struct vsg_study *s, const struct vsg_execute_options *o,
                                   const struct stretch *of, struct vsg_outcome *out)
{
    size_t more = 0, at = 0;
    for (uint32_t i = 0; i < s->point_count; i++)
        more += (size_t)(of[i].to - of[i].from) * s->policy_count * 2;
    struct vsg_run *grown = realloc(out->run, (out->run_count + more + 1) * sizeof *grown);
    if (!grown)
        return VSG_ENOMEM;
    out->run = grown;
    for (uint32_t i = 0; i < s->point_count; i++)
        for (uint32_t policy = 0; policy < s->policy_count; policy++)
            for (uint32_t k = of[i].from; k < of[i].to; k++) {
                uint32_t index = (i * s->policy_count + policy) * s->replications + k;
                if (is_wanted(o, index, &at))
                    add_runs(s, o, index, out);
            }
    return VSG_OK;
}

/* All runs; with a precision to reach, those that every point begins with. Runs asked for by index
 * are all there are. */
static enum vsg_status list_runs(const struct vsg_study *s, const struct vsg_execute_options *o,
                                 struct vsg_outcome *out)
{
    struct stretch *of = calloc((size_t)s->point_count + 1, sizeof *of);
    if (!of)
        return VSG_ENOMEM;
    for (uint32_t i = 0; i < s->point_count; i++)
        of[i].to = s->precision_ppm && !o->only ? vsg_precision_begin(s, i) : s->replications;
    enum vsg_status status = append_runs(s, o, of, out);
    free(of);
    return status;
}

enum vsg_status vsg_execute_size(const struct vsg_study *study,
                                 const struct vsg_execute_options *options, uint32_t *runs,
                                 unsigned *jobs, unsigned *threads, struct vsg_diag *diag)
{
    struct vsg_outcome out = {.run = NULL};
    enum vsg_status status = list_runs(study, options, &out);
    *runs = out.run_count;
    vsg_outcome_free(&out);
    return status == VSG_OK ? choose_size(options, *runs, jobs, threads, diag) : status;
}

/* Takes over what is known of earlier. */
static enum vsg_status recall_from(struct pool *p, uint32_t first)
{
    enum vsg_status status = VSG_OK;
    for (uint32_t i = first; p->options->recall && i < p->out->run_count; i++) {
        struct vsg_run *run = &p->out->run[i];
        status = stopped(p) ? VSG_EINTR : p->options->recall(p->options->user, run);
        if (status != VSG_OK)
            return status;
        run->recalled = run->state == VSG_RUN_DONE;
        if (!run->recalled)
            continue;
        vsg_effort_ended(&p->effort, run);
        p->progress.done++;
        p->progress.recalled++;
        tell_progress(p);
    }
    return VSG_OK;
}

/* A second look at a run that differs, with samples, to find the first IPI that does. */
static enum vsg_status look_closer(struct pool *p, uint32_t at)
{
    struct vsg_run again[2] = {p->out->run[at], p->out->run[at + 1]};
    for (int i = 0; i < 2; i++) {
        again[i].state = VSG_RUN_NOT_RUN;
        again[i].recalled = false;
        again[i].diag = (struct vsg_diag)VSG_DIAG_INIT;
        again[i].result = (struct vsg_run_result){0};
    }
    p->quiet = true;
    p->sample_cap = VSG_AGREEMENT_SAMPLES;
    enum vsg_status status = run_all(p, again, 2);
    if (again[0].state == VSG_RUN_DONE && again[1].state == VSG_RUN_DONE)
        vsg_agreement_first(&p->out->agreement, &again[0], &again[1]);
    for (int i = 0; i < 2; i++) {
        free(again[i].error);
        vsg_diag_clear(&again[i].diag);
        vsg_run_result_free(&again[i].result);
    }
    return status;
}

static enum vsg_status compare_engines(struct pool *p)
{
    uint32_t differs = 0;
    enum vsg_status status = vsg_agreement_compare(p->study, p->out, &differs);
    if (status == VSG_OK && p->out->agreement.known && !p->out->agreement.equal)
        status = look_closer(p, differs);
    return status;
}

static int by_index(const void *a, const void *b)
{
    const struct vsg_run *x = a, *y = b;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->engine < y->engine ? -1 : x->engine > y->engine;
}

/* The next replications of points that want more. */
static enum vsg_status run_stretch(struct pool *p, const struct stretch *of)
{
    struct vsg_outcome *out = p->out;
    uint32_t first = out->run_count;
    enum vsg_status status = append_runs(p->study, p->options, of, out);
    if (status != VSG_OK)
        return status;
    vsg_effort_more(&p->effort, out->run + first, out->run_count - first);
    p->progress.total = out->run_count;
    status = recall_from(p, first);
    if (status == VSG_OK)
        status = run_all(p, out->run + first, out->run_count - first);
    qsort(out->run, out->run_count, sizeof *out->run, by_index);
    return status;
}

/* Twice as many replications, again and again, of the points that are not known well enough. */
static enum vsg_status reach_precision(struct pool *p)
{
    const struct vsg_study *s = p->study;
    uint32_t *done = calloc((size_t)s->point_count + 1, sizeof *done);
    struct stretch *of = calloc((size_t)s->point_count + 1, sizeof *of);
    enum vsg_status status = done && of ? VSG_OK : VSG_ENOMEM;
    bool more = true;
    for (uint32_t i = 0; status == VSG_OK && i < s->point_count; i++)
        done[i] = vsg_precision_begin(s, i);
    while (status == VSG_OK && !gave_up(p)) {
        for (uint32_t i = 0; i < s->point_count; i++)
            of[i].from = done[i];
        status = vsg_precision_next(s, p->out->run, p->out->run_count, done, &more);
        if (status != VSG_OK || !more)
            break;
        for (uint32_t i = 0; i < s->point_count; i++)
            of[i].to = done[i];
        status = run_stretch(p, of);
    }
    free(done);
    free(of);
    return status;
}

enum vsg_status vsg_study_execute(const struct vsg_study *study,
                                  const struct vsg_execute_options *options,
                                  struct vsg_outcome *out, struct vsg_diag *diag)
{
    struct pool p = {.study = study,
                     .options = options,
                     .diag = diag,
                     .out = out,
                     .started_ns = vsg_wall_ns(),
                     .sample_cap = options->sample_cap};
    *out = (struct vsg_outcome){.engine = options->engine, .partial = options->only != NULL};
    out->agreement.asked = options->engine == VSG_USE_BOTH;
    enum vsg_status status = list_runs(study, options, out);
    if (status == VSG_OK)
        status = make_pool(&p);
    if (status == VSG_OK)
        status = vsg_effort_begin(&p.effort, study, out->run, out->run_count);
    if (status == VSG_OK && options->engine != VSG_USE_PARALLEL && !options->do_run)
        status = vsg_simgrid_load(options->module_dir, diag); /* once, before the forks */
    if (status == VSG_OK) {
        p.progress.total = out->run_count;
        status = recall_from(&p, 0);
    }
    if (status == VSG_OK) {
        if (options->begin)
            options->begin(options->user, &p.progress);
        vsg_simgrid_routes_stop(options->stop);
        status = run_all(&p, out->run, out->run_count);
    }
    if (status == VSG_OK && study->precision_ppm && !options->only)
        status = reach_precision(&p);
    out->done = p.progress.done;
    out->failed = p.progress.failed;
    out->recalled = p.progress.recalled;
    out->gave_up = gave_up(&p) && out->done + out->failed < out->run_count;
    out->jobs = p.jobs;
    out->threads = p.threads;
    if (status == VSG_OK && options->engine == VSG_USE_BOTH && !out->gave_up)
        status = compare_engines(&p);
    out->wall_ns = vsg_wall_ns() - p.started_ns;
    vsg_simgrid_routes_stop(NULL);
    for (size_t i = 0; i < p.known_count; i++) {
        vsg_routes_free(&p.known[i].routes);
        free(p.known[i].error);
    }
    free(p.known);
    free(p.worker);
    vsg_effort_end(&p.effort);
    return status;
}

void vsg_outcome_free(struct vsg_outcome *o)
{
    for (uint32_t i = 0; i < o->run_count; i++) {
        free(o->run[i].error);
        vsg_diag_clear(&o->run[i].diag);
        vsg_run_result_free(&o->run[i].result);
    }
    free(o->run);
    free(o->agreement.reason);
    *o = (struct vsg_outcome){0};
}
