#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exits.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/run_dry.h"
#include "cli/run_output.h"
#include "cli/input.h"
#include "cli/signals.h"
#include "cli/verbs.h"
#include "study/outdir.h"
#include "version.h"

/* --samples keeps this many IPIs of each run one by one: some 20 MB of CSV. */
enum { SAMPLES_PER_RUN = 100000 };

struct job {
    struct vsg_study study;
    struct vsg_source source;
    uint32_t *only; /* [only_count] runs to do; NULL: all */
    size_t only_count;
};

/* All FILEs of one command. */
struct session {
    const struct vsg_command *c;
    struct vsg_progress_line progress;
    struct vsg_outdir *outdir; /* of the study in hand, NULL without --out */
    struct vsg_run_texts texts;
    struct vsg_diag diag; /* of the study in hand */
    bool may_grow;        /* it has a precision to reach, and may want more runs than it lists */
    uint64_t done, failed;
    bool broken, apart; /* a model invariant; the engines disagree */
};

static enum vsg_status on_end(void *user, const struct vsg_run *run)
{
    struct session *s = user;
    s->broken |= run->state == VSG_RUN_FAILED && run->status == VSG_EMODEL;
    return s->outdir ? vsg_outdir_write_run(s->outdir, run) : VSG_OK;
}

static enum vsg_status on_recall(void *user, struct vsg_run *run)
{
    struct session *s = user;
    return vsg_outdir_recall(s->outdir, run);
}

/* What --resume found. */
static void on_begin(void *user, const struct vsg_progress *p)
{
    struct session *s = user;
    uint32_t unwanted = vsg_outdir_unwanted(s->outdir);
    if (s->c->value[VSG_OPT_QUIET])
        return;
    vsg_progress_clear(&s->progress);
    fprintf(stderr, "note: %" PRIu32 " of %" PRIu32 " runs are done and kept, %" PRIu32 " to do\n",
            p->recalled, p->total, p->total - p->recalled);
    if (unwanted > 0 && !s->may_grow)
        fprintf(stderr,
                "note: %" PRIu32
                " other finished run%s in %s: not of this scenario as it is now, or "
                "not of this version or engine; replaced when the study is complete\n",
                unwanted, unwanted == 1 ? "" : "s", s->c->value[VSG_OPT_OUT]);
}

static void on_progress(void *user, const struct vsg_progress *p)
{
    struct session *s = user;
    if (vsg_signal_tell) {
        char text[200];
        vsg_signal_tell = 0;
        vsg_progress_clear(&s->progress);
        vsg_progress_text(p, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    vsg_progress_show(&s->progress, p);
}

static enum vsg_engine_choice engine_of(const struct vsg_command *c)
{
    static const char *const engines[] = {"parallel", "simgrid", "both"};
    unsigned i = 0;
    while (c->value[VSG_OPT_ENGINE] && i < 2 && strcmp(c->value[VSG_OPT_ENGINE], engines[i]) != 0)
        i++;
    return (enum vsg_engine_choice)i;
}

/* What the options say of executing a study; the module's folder is still to come. */
static struct vsg_execute_options options_of(struct session *s, const struct job *j)
{
    const struct vsg_command *c = s->c;
    return (struct vsg_execute_options){
        .engine = engine_of(c),
        .jobs = vsg_command_count(c, VSG_OPT_JOBS, 0),
        .threads = vsg_command_count(c, VSG_OPT_THREADS, 0),
        .sample_cap = c->value[VSG_OPT_SAMPLES] ? SAMPLES_PER_RUN : 0,
        .limit_time_ns = (vsg_command_quantity(c, VSG_OPT_LIMIT_TIME) + 999) / 1000,
        .limit_memory_bytes = vsg_command_quantity(c, VSG_OPT_LIMIT_MEMORY),
        .fail_fast = c->value[VSG_OPT_FAIL_FAST] != NULL,
        .only = j->only,
        .only_count = j->only_count,
        .recall = c->value[VSG_OPT_RESUME] ? on_recall : NULL,
        .begin = c->value[VSG_OPT_RESUME] ? on_begin : NULL,
        .stop = &vsg_signal_came,
        .ended = on_end,
        .progress = on_progress,
        .user = s,
    };
}

static enum vsg_status execute(struct session *s, const struct job *j, struct vsg_outcome *outcome)
{
    const struct vsg_command *c = s->c;
    struct vsg_execute_options o = options_of(s, j);
    char *module = vsg_module_dir();
    s->may_grow = j->study.precision_ppm > 0;
    if (!module)
        return VSG_ENOMEM;
    o.module_dir = module;
    vsg_progress_start(&s->progress,
                       c->value[VSG_OPT_QUIET] ? "never" : c->value[VSG_OPT_PROGRESS]);
    enum vsg_status status = vsg_study_execute(&j->study, &o, outcome, &s->diag);
    vsg_progress_clear(&s->progress);
    free(module);
    return status;
}

static void say_how(const struct vsg_outcome *o)
{
    fprintf(stderr,
            "note: %" PRIu32 " runs, %u at a time with %u thread%s each, took %" PRIu64
            ".%03" PRIu64 " s\n",
            o->run_count, o->jobs, o->threads, o->threads == 1 ? "" : "s",
            o->wall_ns / UINT64_C(1000000000), o->wall_ns / 1000000 % 1000);
}

/* A study that was stopped keeps what it finished, and prints no results: they would look
 * like those of a whole one. */
static void say_stopped(const struct session *s, const struct vsg_outcome *o)
{
    fprintf(stderr,
            "vsgisim: stopped by signal %d; %" PRIu32 " of %" PRIu32 " runs were done%s%s\n",
            (int)vsg_signal_came, o->done, o->run_count, s->outdir ? " and are in " : "",
            s->outdir ? s->c->value[VSG_OPT_OUT] : "");
}

static void say_gave_up(const struct session *s, const struct vsg_outcome *o)
{
    fprintf(stderr,
            "vsgisim: stopped at the first failure (--fail-fast); %" PRIu32 " of %" PRIu32
            " runs were done%s%s\n",
            o->done, o->run_count, s->outdir ? " and are in " : "",
            s->outdir ? s->c->value[VSG_OPT_OUT] : "");
}

static enum vsg_status give_out(struct session *s, const struct job *j,
                                const struct vsg_outcome *outcome, bool stopped)
{
    struct vsg_results results;
    enum vsg_status status = vsg_results_make(&j->study, outcome, VSG_VERSION, &results);
    if (status != VSG_OK)
        return status;
    if (s->outdir)
        status = vsg_outdir_finish(
            s->outdir, &results,
            &(struct vsg_manifest){
                .argc = s->c->argc,
                .argv = (const char *const *)s->c->argv,
                .scenario_path = strcmp(j->source.name, "<stdin>") == 0 ? "-" : j->source.name});
    if (status == VSG_OK && !stopped) {
        status = vsg_run_output(s->c, &results, &s->texts);
        fflush(stdout); /* the table before what is said about it */
    }
    vsg_run_say_failures(s->c, &j->source, &results);
    vsg_run_say_agreement(&results);
    vsg_results_free(&results);
    return status;
}

/* Runs one study. Returns VSG_EXIT_OK when it went to its end, however its runs did. */
static int run_one(struct session *s, const struct job *j)
{
    struct vsg_outcome outcome = {0};
    enum vsg_status status = VSG_OK;
    vsg_diag_clear(&s->diag);
    if (s->c->value[VSG_OPT_OUT])
        status = vsg_outdir_open(s->c->value[VSG_OPT_OUT],
                                 s->c->value[VSG_OPT_FORCE]    ? VSG_OUTDIR_FORCE
                                 : s->c->value[VSG_OPT_RESUME] ? VSG_OUTDIR_RESUME
                                                               : VSG_OUTDIR_NEW,
                                 &j->study, VSG_VERSION, &s->outdir, &s->diag);
    if (status == VSG_OK)
        status = execute(s, j, &outcome);
    bool stopped = status == VSG_EINTR && vsg_signal_came;
    if (status == VSG_OK || stopped) {
        enum vsg_status given = give_out(s, j, &outcome, stopped || outcome.gave_up);
        status = given == VSG_OK ? status : given;
    }
    if (stopped)
        say_stopped(s, &outcome);
    if (outcome.gave_up)
        say_gave_up(s, &outcome);
    if (status == VSG_OK && s->c->value[VSG_OPT_VERBOSE])
        say_how(&outcome);
    s->done += outcome.done;
    s->failed += outcome.failed;
    s->apart |= outcome.agreement.asked && outcome.agreement.known && !outcome.agreement.equal;
    vsg_show_diag(stderr, NULL, &s->diag, vsg_input_show(s->c));
    if (status != VSG_OK && !stopped && vsg_diag_count(&s->diag, VSG_ERROR) == 0)
        fprintf(stderr, "vsgisim: %s: %s\n", j->source.name, vsg_status_text(status));
    vsg_outdir_close(s->outdir);
    s->outdir = NULL;
    vsg_outcome_free(&outcome);
    return stopped ? VSG_EXIT_SIGNAL + (int)vsg_signal_came : (int)vsg_exit_of(status);
}

/* Says what one study would take, and runs nothing of it. */
static int dry_run(struct session *s, const struct job *j)
{
    struct vsg_execute_options o = options_of(s, j);
    char *module = vsg_module_dir();
    vsg_diag_clear(&s->diag);
    o.module_dir = module;
    enum vsg_status status =
        module ? vsg_run_dry(s->c, &j->study, &o, &s->texts, &s->diag) : VSG_ENOMEM;
    free(module);
    bool stopped = status == VSG_EINTR && vsg_signal_came;
    vsg_show_diag(stderr, NULL, &s->diag, vsg_input_show(s->c));
    if (status != VSG_OK && !stopped && vsg_diag_count(&s->diag, VSG_ERROR) == 0)
        fprintf(stderr, "vsgisim: %s: %s\n", j->source.name, vsg_status_text(status));
    return stopped ? VSG_EXIT_SIGNAL + (int)vsg_signal_came : (int)vsg_exit_of(status);
}

static int finish(struct session *s)
{
    vsg_diag_clear(&s->diag);
    enum vsg_status status = vsg_run_output_finish(s->c, &s->texts, &s->diag);
    vsg_show_diag(stderr, NULL, &s->diag, VSG_SHOW_USUAL);
    if (s->broken)
        return VSG_EXIT_INTERNAL;
    if (status != VSG_OK)
        return (int)vsg_exit_of(status);
    if (s->failed)
        return s->done ? VSG_EXIT_PARTLY : VSG_EXIT_FAILED;
    return s->apart ? VSG_EXIT_APART : VSG_EXIT_OK;
}

/* What one directory and one CSV header can hold is one study. */
static int check_mix(const struct vsg_command *c)
{
    const char *option = c->value[VSG_OPT_OUT]    ? "--out"
                         : c->value[VSG_OPT_CSV]  ? "--csv"
                         : c->value[VSG_OPT_ONLY] ? "--only"
                                                  : NULL;
    if (option && c->operand_count > 1)
        return vsg_usage_error("run", "%s takes one FILE; run them one after the other", option);
    if (c->value[VSG_OPT_SAMPLES] && strcmp(c->value[VSG_OPT_SAMPLES], "-") == 0)
        return vsg_usage_error("run",
                               "--samples needs a file name; standard output has the results");
    return VSG_EXIT_OK;
}

static int choose_runs(const struct vsg_command *c, struct job *j)
{
    uint32_t runs = vsg_study_run_count(&j->study);
    uint64_t beyond;
    if (vsg_command_list(c, VSG_OPT_ONLY, runs, &j->only, &j->only_count, &beyond) != VSG_OK) {
        fprintf(stderr, "vsgisim: out of memory\n");
        return VSG_EXIT_FAILED;
    }
    if (beyond == UINT64_MAX)
        return VSG_EXIT_OK;
    return vsg_usage_error("run",
                           "--only: there is no run %" PRIu64 "; the study has runs 0 to %" PRIu32,
                           beyond, runs - 1);
}

static int load_all(const struct vsg_command *c, struct job *job)
{
    size_t errors = 0;
    int worst = VSG_EXIT_OK;
    for (size_t i = 0; i < c->operand_count; i++) {
        int rc = vsg_input_load(c, c->operand[i], &job[i].study, &job[i].source, &errors);
        if (rc == VSG_EXIT_OK && !job[i].study.has_guests) {
            vsg_show_safely(stderr, job[i].source.name);
            fprintf(stderr,
                    ": error: it has no vms, so there is nothing to run; 'vsgisim topology' "
                    "shows its machine\n");
            errors++;
            rc = VSG_EXIT_SCENARIO;
        }
        if (rc == VSG_EXIT_OK)
            rc = choose_runs(c, &job[i]);
        worst = rc > worst ? rc : worst;
    }
    vsg_input_say_errors(errors);
    return worst;
}

int vsg_verb_run(const struct vsg_command *c)
{
    struct session s = {.c = c};
    vsg_signal_tell_catch(); /* a SIGUSR1 while loading must not end us */
    int rc = check_mix(c);
    if (rc != VSG_EXIT_OK)
        return rc;
    struct job *job = calloc(c->operand_count, sizeof *job);
    if (!job) {
        fprintf(stderr, "vsgisim: out of memory\n");
        return VSG_EXIT_FAILED;
    }
    rc = load_all(c, job);
    if (rc == VSG_EXIT_OK) {
        rc = (int)vsg_exit_of(vsg_run_output_check(c, &s.diag));
        vsg_show_diag(stderr, NULL, &s.diag, VSG_SHOW_USUAL);
    }
    if (rc == VSG_EXIT_OK)
        vsg_signals_catch();
    for (size_t i = 0; rc == VSG_EXIT_OK && i < c->operand_count; i++)
        rc = c->value[VSG_OPT_DRY_RUN] ? dry_run(&s, &job[i]) : run_one(&s, &job[i]);
    if (rc == VSG_EXIT_OK)
        rc = finish(&s);
    for (size_t i = 0; i < c->operand_count; i++) {
        vsg_study_free(&job[i].study);
        vsg_source_free(&job[i].source);
        free(job[i].only);
    }
    free(job);
    vsg_run_texts_free(&s.texts);
    vsg_diag_clear(&s.diag);
    return rc;
}
