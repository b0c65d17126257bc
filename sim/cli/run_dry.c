#include "cli/run_dry.h"

#include <inttypes.h>
#include <stdlib.h>

#include "study/estimate.h"
#include "study/outdir.h"
#include "study/precision.h"
#include "study/text.h"
#include "version.h"

#define MS_NS UINT64_C(1000000)
#define SECOND_NS (1000 * MS_NS)

/* A span of time as people say it; an estimate has two digits. */
static void add_span(struct vsg_text *t, uint64_t ns)
{
    if (ns >= 3600 * SECOND_NS)
        vsg_text_add(t, "%" PRIu64 " h %" PRIu64 " min", ns / (3600 * SECOND_NS),
                     ns / (60 * SECOND_NS) % 60);
    else if (ns >= 100 * SECOND_NS)
        vsg_text_add(t, "%" PRIu64 " min %" PRIu64 " s", ns / (60 * SECOND_NS),
                     ns / SECOND_NS % 60 / 10 * 10);
    else if (ns >= SECOND_NS)
        vsg_text_add(t, "%" PRIu64 ".%" PRIu64 " s", ns / SECOND_NS,
                     ns % SECOND_NS / (SECOND_NS / 10));
    else
        vsg_text_add(t, "%" PRIu64 " ms", (ns + MS_NS - 1) / MS_NS);
}

static void add_count(struct vsg_text *t, uint64_t n, const char *what)
{
    vsg_text_rounded(t, (int64_t)n, 0, 0, true);
    vsg_text_add(t, " %s%s", what, n == 1 ? "" : "s");
}

static void add_mebibytes(struct vsg_text *t, uint64_t bytes)
{
    vsg_text_rounded(t, (int64_t)((bytes + (1 << 20) - 1) >> 20), 0, 0, true);
    vsg_text_add(t, " MiB");
}

static void add_words(struct vsg_text *t, const struct vsg_study *s, const struct vsg_estimate *e)
{
    vsg_text_add(t, "time     about ");
    add_span(t, e->total_ns);
    vsg_text_add(t, "; a run ");
    add_span(t, e->least_ns);
    if (e->most_ns / MS_NS != e->least_ns / MS_NS) {
        vsg_text_add(t, " to ");
        add_span(t, e->most_ns);
    }
    vsg_text_add(t, "\nmemory   about ");
    add_mebibytes(t, e->run_bytes * e->jobs + e->study_bytes);
    vsg_text_add(t, ": ");
    add_mebibytes(t, e->run_bytes);
    vsg_text_add(t, " for each run at a time, ");
    add_mebibytes(t, e->study_bytes);
    vsg_text_add(t, " for the study and its results\n");
    vsg_text_add(t, "From short runs of %" PRIu32 " of %" PRIu32 " point%s (", e->probes,
                 s->point_count, s->point_count == 1 ? "" : "s");
    add_span(t, e->probe_ns);
    vsg_text_add(t,
                 "), taking time to grow with the IPIs of a run. No promise: a point\n"
                 "that is overloaded takes more of both, and so does a machine with other work.\n");
}

static void add_text(struct vsg_text *t, const struct vsg_study *s, const struct vsg_estimate *e,
                     const struct vsg_command *c, uint32_t done)
{
    vsg_text_add(t, "%s: ", s->name);
    add_count(t, e->runs, "run");
    if (!c->value[VSG_OPT_ONLY]) {
        vsg_text_add(t, " (");
        add_count(t, s->point_count, "point");
        vsg_text_add(t, " x %" PRIu32 " polic%s x ", s->policy_count,
                     s->policy_count == 1 ? "y" : "ies");
        if (s->precision_ppm)
            vsg_text_add(t, "%d to begin with, at most ", VSG_PRECISION_FIRST);
        add_count(t, s->replications, "replication");
        vsg_text_add(t, ")");
    }
    vsg_text_add(t, ", %u at a time, %u thread%s each\n", e->jobs, e->threads,
                 e->threads == 1 ? "" : "s");
    if (c->value[VSG_OPT_RESUME])
        vsg_text_add(t, "of which %" PRIu32 " are done in %s; the estimate is for all\n", done,
                     c->value[VSG_OPT_OUT]);
    if (e->known)
        add_words(t, s, e);
    else
        vsg_text_add(t, "no estimate: %s\n", e->error ? e->error : "nothing could be run");
    if (e->known && e->error)
        vsg_text_add(t, "Some points cannot be run: %s\n", e->error);
}

static void add_seconds(struct vsg_json *j, const char *key, uint64_t ns)
{
    vsg_json_decimal(j, key, (int64_t)(ns / 1000), 6);
}

static void add_json(struct vsg_text *t, const struct vsg_study *s, const struct vsg_estimate *e,
                     uint32_t done)
{
    struct vsg_json j = {.text = t};
    vsg_json_open(&j, NULL, '{', false);
    vsg_json_text(&j, "scenario", s->name);
    vsg_json_text(&j, "version", VSG_VERSION);
    vsg_json_uint(&j, "runs", e->runs);
    vsg_json_uint(&j, "done", done);
    vsg_json_uint(&j, "points", s->point_count);
    vsg_json_uint(&j, "policies", s->policy_count);
    vsg_json_uint(&j, "replications", s->replications);
    vsg_json_uint(&j, "jobs", e->jobs);
    vsg_json_uint(&j, "threads", e->threads);
    if (e->known) {
        vsg_json_open(&j, "estimate", '{', false);
        add_seconds(&j, "wall_s", e->total_ns);
        add_seconds(&j, "run_wall_min_s", e->least_ns);
        add_seconds(&j, "run_wall_mean_s", e->mean_ns);
        add_seconds(&j, "run_wall_max_s", e->most_ns);
        vsg_json_uint(&j, "memory_bytes", e->run_bytes * e->jobs + e->study_bytes);
        vsg_json_uint(&j, "run_memory_bytes", e->run_bytes);
        vsg_json_uint(&j, "points_tried", e->probes);
        vsg_json_close(&j, '}');
    } else {
        vsg_json_null(&j, "estimate");
    }
    vsg_json_text(&j, "error", e->error);
    vsg_json_close(&j, '}');
}

enum vsg_status vsg_run_dry(const struct vsg_command *c, const struct vsg_study *study,
                            const struct vsg_execute_options *o, struct vsg_run_texts *t,
                            struct vsg_diag *diag)
{
    struct vsg_estimate e = {0};
    struct vsg_text words = {0};
    char *text = NULL;
    uint32_t done = 0;
    enum vsg_status status = VSG_OK;
    if (c->value[VSG_OPT_RESUME])
        status = vsg_outdir_count_done(c->value[VSG_OPT_OUT], study, VSG_VERSION, o->engine, &done,
                                       diag);
    if (status == VSG_OK)
        status = vsg_study_estimate(study, o, &e, diag);
    if (status == VSG_OK) {
        if (c->value[VSG_OPT_JSON])
            add_json(&words, study, &e, done);
        else
            add_text(&words, study, &e, c, done);
        status = vsg_text_take(&words, &text);
    }
    if (status == VSG_OK && c->value[VSG_OPT_JSON])
        status = vsg_run_texts_add_json(t, text);
    else if (status == VSG_OK)
        fputs(text, stdout);
    free(text);
    vsg_estimate_free(&e);
    return status;
}
