#include "study/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "study/params.h"
#include "study/text.h"

/* ---- the execution --------------------------------------------------------------------------- */

static void execution(struct vsg_json *j, const struct vsg_outcome *out)
{
    static const char *const engine[] = {"parallel", "simgrid", "both"};
    uint64_t ipis = 0, events = 0, executed = 0, run_ns = 0, own_events = 0;
    for (uint32_t i = 0; i < out->run_count; i++) {
        const struct vsg_run *run = &out->run[i];
        if (run->state != VSG_RUN_DONE)
            continue;
        ipis += run->result.latency.count;
        events += run->result.events;
        executed += run->result.executed;
        run_ns += run->wall_ns;
        own_events += run->recalled ? 0 : run->result.events;
    }
    vsg_json_text(j, "engine", engine[out->engine]);
    vsg_json_uint(j, "jobs", out->jobs);
    vsg_json_uint(j, "threads", out->threads);
    vsg_json_uint(j, "runs", out->run_count);
    vsg_json_uint(j, "done", out->done);
    vsg_json_uint(j, "failed", out->failed);
    vsg_json_uint(j, "recalled",
                  out->recalled); /* of those done: by an earlier command, --resume */
    vsg_json_decimal(j, "wall_s", (int64_t)(out->wall_ns / 1000), 6);
    vsg_json_decimal(j, "run_wall_s", (int64_t)(run_ns / 1000), 6);
    vsg_json_uint(j, "ipis", ipis);
    vsg_json_uint(j, "events", events);
    vsg_json_uint(j, "executed_events", executed);
    /* Events per second of the runs' own wall time, start of the worker included. */
    if (run_ns > 0)
        vsg_json_uint(j, "events_per_s",
                      (uint64_t)((vsg_u128)own_events * 1000000000u / (vsg_u128)run_ns));
    else
        vsg_json_null(j, "events_per_s");
}

/* How each run was executed: what may differ between engines and thread counts. */
static void executed_runs(struct vsg_json *j, const struct vsg_outcome *out)
{
    vsg_json_open(j, "executed_runs", '[', false);
    for (uint32_t i = 0; i < out->run_count; i++) {
        const struct vsg_run *run = &out->run[i];
        if (run->state == VSG_RUN_NOT_RUN)
            continue;
        vsg_json_open(j, NULL, '{', true);
        vsg_json_uint(j, "index", run->index);
        vsg_json_text(j, "engine", vsg_engine_name[run->engine]);
        if (run->recalled)
            vsg_json_null(j, "wall_s");
        else
            vsg_json_decimal(j, "wall_s", (int64_t)(run->wall_ns / 1000), 6);
        if (run->peak_bytes > 0)
            vsg_json_uint(j, "memory_bytes", run->peak_bytes);
        else
            vsg_json_null(j, "memory_bytes");
        vsg_json_uint(j, "executed_events", run->result.executed);
        vsg_json_uint(j, "windows", run->result.windows);
        vsg_json_uint(j, "logical_processes", run->result.lps);
        vsg_json_uint(j, "threads", run->result.workers);
        if (run->result.lookahead_ps == VSG_NEVER) /* one logical process: it waits for nobody */
            vsg_json_null(j, "lookahead_ns");
        else
            vsg_json_decimal(j, "lookahead_ns", (int64_t)run->result.lookahead_ps, 3);
        vsg_json_close(j, '}');
    }
    vsg_json_close(j, ']');
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* The field that a row describes, in the config of a point; NULL: of no interest here. */
static const void *field_of(const struct vsg_param *p, const struct vsg_config *c)
{
    if (p->kind > VSG_WARMUP || p->kind == VSG_NAME || p->kind == VSG_TEXT)
        return NULL;
    if (p->base == VSG_IN_CONFIG)
        return (const char *)c + p->offset;
    if (p->base == VSG_IN_INTERCONNECT)
        return (const char *)&c->interconnect + p->offset;
    return NULL;
}

static bool is_default(const struct vsg_param *p, const char *value)
{
    char standard[VSG_PARAM_TEXT];
    return strcmp(value, vsg_param_default_text(p, standard, sizeof standard)) == 0;
}

/* Every cost and setting of the first point: value, whether it is the default, and where the
 * default comes from. A swept one has no single value. */
static void parameters(struct vsg_json *j, const struct vsg_study *s)
{
    vsg_json_open(j, "parameters", '[', false);
    for (size_t i = 0; i < vsg_param_count() && s->point_count > 0; i++) {
        const struct vsg_param *p = vsg_param_at(i);
        const void *field = field_of(p, &s->point[0].config);
        char buffer[VSG_PARAM_TEXT], other[VSG_PARAM_TEXT];
        bool swept = false;
        if (!field || (!p->has_default && p->kind == VSG_COUNT && p->min > 0 &&
                       vsg_param_load(p, field) == 0)) /* another topology's */
            continue;
        const char *value = vsg_param_value_text(p, field, buffer, sizeof buffer);
        for (uint32_t k = 1; k < s->point_count && !swept; k++)
            swept = strcmp(value, vsg_param_value_text(p, field_of(p, &s->point[k].config), other,
                                                       sizeof other)) != 0;
        bool standard = !swept && is_default(p, value);
        vsg_json_open(j, NULL, '{', true);
        vsg_json_text(j, "key", p->key);
        vsg_json_text(j, "value", swept ? NULL : value);
        if (p->has_default)
            vsg_json_bool(j, "default", standard);
        else
            vsg_json_null(j, "default"); /* it depends on other keys */
        bool ours = standard || !p->has_default;
        vsg_json_text(j, "basis", ours ? vsg_basis_text(p->basis) : "scenario");
        vsg_json_text(j, "source", ours ? p->source : NULL);
        vsg_json_close(j, '}');
    }
    vsg_json_close(j, ']');
}

/* ---- the whole ------------------------------------------------------------------------------- */

enum vsg_status vsg_manifest_text(const struct vsg_results *r, const struct vsg_manifest *m,
                                  time_t started, char **text)
{
    struct vsg_text t = {0};
    struct vsg_json j = {.text = &t};
    struct utsname host;
    char date[32] = "";
    struct tm tm;
    char *answer = NULL;
    enum vsg_status status = vsg_report_answer(r, &answer);
    if (status != VSG_OK)
        return status;
    vsg_json_open(&j, NULL, '{', false);
    vsg_json_text(&j, "scenario", r->study->name);
    vsg_json_text(&j, "scenario_file", m->scenario_path);
    vsg_json_text(&j, "version", r->version);
    vsg_json_text(&j, "answer", answer);
    free(answer);
    vsg_json_open(&j, "command", '[', true);
    for (int i = 0; i < m->argc; i++)
        vsg_json_text(&j, NULL, m->argv[i]);
    vsg_json_close(&j, ']');
    if (gmtime_r(&started, &tm))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm);
    vsg_json_text(&j, "started", date);
    execution(&j, r->outcome);
    if (uname(&host) == 0) {
        vsg_json_open(&j, "host", '{', true);
        vsg_json_text(&j, "name", host.nodename);
        vsg_json_text(&j, "system", host.sysname);
        vsg_json_text(&j, "release", host.release);
        vsg_json_text(&j, "machine", host.machine);
        vsg_json_uint(&j, "cores", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
        vsg_json_close(&j, '}');
    }
    parameters(&j, r->study);
    executed_runs(&j, r->outcome);
    vsg_json_close(&j, '}');
    vsg_text_put(&t, "\n", 1);
    return vsg_text_take(&t, text);
}
