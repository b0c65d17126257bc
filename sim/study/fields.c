#include "study/fields.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *const vsg_field_of_name[VSG_OF_COUNT] = {
    "run", "point", "figures", "figures", "comparison", "pairs", "vms", "its", "links"};

/* ---- values that are made up ---------------------------------------------------------------- */

static void set_text(struct vsg_value *v, const char *text)
{
    assert(v);
    v->kind = text ? VSG_VALUE_TEXT : VSG_VALUE_NULL;
    v->text = text;
}

static void make_run_policy(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    const struct vsg_run *run = base;
    set_text(v, vsg_policy_name[s->policy[run->policy]]);
}

static void make_engine(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    (void)s;
    set_text(v, vsg_engine_name[((const struct vsg_run *)base)->engine]);
}

static void make_seed(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    v->kind = VSG_VALUE_UINT;
    v->uint = s->point[((const struct vsg_run *)base)->point].config.seed;
}

static void make_status(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    static const char *const name[] = {"not run", "done", "failed"};
    (void)s;
    set_text(v, name[((const struct vsg_run *)base)->state]);
}

static void make_sim_time(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    const struct vsg_run *run = base;
    (void)s;
    if (run->state != VSG_RUN_DONE)
        return;
    v->kind = VSG_VALUE_DECIMAL;
    v->decimal = (int64_t)run->result.window_end_ps;
    v->decimals = 3;
}

static void make_point_policy(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    const struct vsg_point_figures *point = base;
    set_text(v, vsg_policy_name[s->policy[point->policy]]);
}

static void make_fingerprint(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    const struct vsg_figures *f = base;
    (void)s;
    snprintf(v->own, sizeof v->own, "%016llx", (unsigned long long)f->fingerprint);
    set_text(v, v->own);
}

static void make_method(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    const struct vsg_figures *f = base;
    (void)s;
    set_text(v, vsg_method_name[f->latency.method]);
}

static void make_theory(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    const struct vsg_figures *f = base;
    (void)s;
    set_text(v, f->analytic.theory != VSG_THEORY_NONE ? vsg_theory_name[f->analytic.theory] : NULL);
}

static void make_its_max(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    const struct vsg_figures *f = base;
    (void)s;
    v->decimals = 6;
    for (uint32_t i = 0; i < f->its_count; i++)
        if (v->kind == VSG_VALUE_NULL || f->its[i].utilisation_ppm > v->decimal) {
            v->kind = VSG_VALUE_DECIMAL;
            v->decimal = f->its[i].utilisation_ppm;
        }
}

static void make_link_max(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    const struct vsg_figures *f = base;
    (void)s;
    v->decimals = 6;
    for (uint32_t i = 0; i < f->link_count; i++)
        if (v->kind == VSG_VALUE_NULL || f->link[i].utilisation_ppm > v->decimal) {
            v->kind = VSG_VALUE_DECIMAL;
            v->decimal = f->link[i].utilisation_ppm;
        }
}

static void make_a(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    set_text(v, vsg_policy_name[s->policy[((const struct vsg_comparison *)base)->a]]);
}

static void make_b(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    set_text(v, vsg_policy_name[s->policy[((const struct vsg_comparison *)base)->b]]);
}

static void make_verdict(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    (void)s;
    set_text(v, vsg_verdict_name[((const struct vsg_comparison *)base)->verdict]);
}

static void make_comparison_method(const struct vsg_study *s, const void *base, struct vsg_value *v)
{
    (void)s;
    set_text(v, vsg_method_name[((const struct vsg_comparison *)base)->method]);
}

/* ---- the rows -----------------------------------------------------------------------------------
 */

/* ROW(of, path, column, unit, kind, nullable, type, place, decimals, make, doc) */
#define ROW(of_, path_, column_, unit_, kind_, nullable_, type_, offset_, decimals_, make_, doc_)  \
    {                                                                                              \
        .of = VSG_OF_##of_,                                                                        \
        .row = {NULL, path_, column_, unit_, VSG_FIELD_##kind_, nullable_, doc_},                  \
        .type = VSG_TYPE_##type_, .offset = (offset_), .decimals = (decimals_), .make = (make_),   \
    }
#define MADE(of, path, column, unit, kind, nullable, make, doc)                                    \
    ROW(of, path, column, unit, kind, nullable, MADE, 0, 0, make, doc)
#define FIGURE(member) offsetof(struct vsg_figures, member)
#define TIME_NS(of, path, column, offset, doc)                                                     \
    ROW(of, path, column, "ns", NUMBER, true, FIXED, offset, 3, NULL, doc)
#define SHARE(of, path, column, offset, doc)                                                       \
    ROW(of, path, column, "1", NUMBER, true, FIXED, offset, 6, NULL, doc)
#define COUNT64(of, path, column, offset, doc)                                                     \
    ROW(of, path, column, "1", INTEGER, false, U64, offset, 0, NULL, doc)
#define COUNT32(of, path, column, offset, doc)                                                     \
    ROW(of, path, column, "1", INTEGER, false, U32, offset, 0, NULL, doc)
#define STAGE(id, name, doc)                                                                       \
    TIME_NS(FIGURES, "stages_ns." name, name "_ns",                                                \
            FIGURE(stage_ps) + VSG_STAGE_##id * sizeof(int64_t), doc)
#define PERCENTILE(i, name, column, doc)                                                           \
    TIME_NS(FIGURES, "latency_ns." name, column,                                                   \
            FIGURE(latency.percentile_ps) + (i) * sizeof(int64_t), doc)

#define PERCENTILE_CI(i, name, words)                                                              \
    TIME_NS(FIGURES, "latency_ns." name "_ci95[0]", NULL,                                          \
            FIGURE(latency.percentile_low_ps) + (i) * sizeof(int64_t),                             \
            "Lower end of the 95 % interval of the " words                                         \
            "; null unless every replication (or batch, up to load 0.8) has 30 IPIs above it."),   \
        TIME_NS(FIGURES, "latency_ns." name "_ci95[1]", NULL,                                      \
                FIGURE(latency.percentile_high_ps) + (i) * sizeof(int64_t),                        \
                "Upper end of the 95 % interval of the " words ".")

const struct vsg_field vsg_fields[] = {
    COUNT32(RUN, "index", "index", offsetof(struct vsg_run, index),
            "Number of the run in the study: point by point, policy by policy, replication by "
            "replication."),
    MADE(RUN, "policy", "policy", NULL, TEXT, false, make_run_policy,
         "The rule that picks the ITS."),
    MADE(RUN, "engine", "engine", NULL, TEXT, false, make_engine,
         "The engine that ran it; results do not depend on it."),
    MADE(RUN, "seed", "seed", NULL, INTEGER, false, make_seed, "run.seed of the scenario."),
    COUNT32(RUN, "replication", "replication", offsetof(struct vsg_run, replication),
            "Number of the replication, from 0; equal ones see the same random numbers under "
            "every policy."),
    MADE(RUN, "status", "status", NULL, TEXT, false, make_status,
         "\"done\", \"failed\" (see error; no figures) or \"not run\"."),
    ROW(RUN, "error", "error", NULL, TEXT, true, TEXT, offsetof(struct vsg_run, error), 0, NULL,
        "Why the run failed."),
    MADE(RUN, "sim_time_ns", "sim_time_ns", "ns", NUMBER, true, make_sim_time,
         "Simulated time from the start to the end of the window."),

    MADE(POINT, "policy", NULL, NULL, TEXT, false, make_point_policy,
         "The rule that picks the ITS."),
    COUNT32(POINT, "n", NULL, offsetof(struct vsg_point_figures, n), "Replications that are done."),

    ROW(FIGURES, "unstable", "unstable", NULL, BOOLEAN, false, BOOL, FIGURE(unstable), 0, NULL,
        "An open load that the machine cannot keep up with: no mean or percentile is claimed."),
    ROW(FIGURES, "not_steady", "not_steady", NULL, BOOLEAN, false, BOOL, FIGURE(not_steady), 0,
        NULL,
        "Warm-up `auto` would take more than half of the run (of a point: in half of its "
        "replications "
        "or more): no mean is claimed."),
    TIME_NS(
        FIGURES, "warmup_ns", "warmup_ns", FIGURE(warmup_ps),
        "Time before the window: IPIs meant in it are not counted; the same under all policies. Of "
        "a point, only with one replication."),
    ROW(FIGURES, "unstable_reason", "unstable_reason", NULL, TEXT, true, TEXT,
        FIGURE(unstable_reason), 0, NULL, "Which server, or how the backlog grew."),
    ROW(FIGURES, "sustainable_rate_per_s", "sustainable_rate_per_s", "1/s", NUMBER, true, FIXED,
        FIGURE(sustainable_milli_per_s), 3, NULL,
        "When unstable: the rate of all senders together at which it would begin to be."),
    ROW(FIGURES, "bottleneck", "bottleneck", NULL, TEXT, true, TEXT, FIGURE(bottleneck), 0, NULL,
        "The ITS or link with the highest utilisation, if above 95 %."),
    COUNT64(FIGURES, "ipis", "ipis", FIGURE(latency.count), "IPIs counted in the window."),
    COUNT64(FIGURES, "events", "events", FIGURE(events),
            "Model visits: ops that made a token wait."),
    MADE(FIGURES, "fingerprint", "fingerprint", NULL, TEXT, false, make_fingerprint,
         "Sum modulo 2^64 of a hash per counted IPI, 16 hexadecimal digits."),
    COUNT64(FIGURES, "ties", "ties", FIGURE(ties),
            "Requests to a server, link or lock in the same picosecond as the one before."),
    ROW(FIGURES, "throughput_per_s", "throughput_per_s", "1/s", NUMBER, true, FIXED,
        FIGURE(throughput_milli_per_s), 3, NULL, "IPIs finished per second of the window."),

    COUNT64(FIGURES, "latency_ns.count", NULL, FIGURE(latency.count),
            "IPIs counted in the window."),
    TIME_NS(FIGURES, "latency_ns.mean", "latency_mean_ns", FIGURE(latency.mean_ps),
            "Mean latency from the intended send; of a point, the mean of its replications' "
            "means."),
    TIME_NS(FIGURES, "latency_ns.ci95[0]", "latency_ci95_low_ns", FIGURE(latency.ci95_low_ps),
            "Lower end of the 95 % interval of the mean."),
    TIME_NS(FIGURES, "latency_ns.ci95[1]", "latency_ci95_high_ns", FIGURE(latency.ci95_high_ps),
            "Upper end of the 95 % interval of the mean."),
    MADE(FIGURES, "latency_ns.method", "latency_method", NULL, TEXT, false, make_method,
         "How the intervals were made: \"t\" (over 5 replications or more), \"batch means\" (20 "
         "batches of each of 1 to 4); or why there are none: \"deterministic\", \"correlated "
         "batches\", \"single run\" and \"too few replications\" (too short for batches), "
         "\"unstable\", \"not steady\"."),
    TIME_NS(FIGURES, "latency_ns.stddev", "latency_stddev_ns", FIGURE(latency.stddev_ps),
            "Standard deviation over IPIs."),
    TIME_NS(FIGURES, "latency_ns.min", "latency_min_ns", FIGURE(latency.min_ps),
            "Shortest latency."),
    PERCENTILE(0, "p50", "latency_p50_ns", "Median; at most 0.1 % too high, as all percentiles."),
    PERCENTILE_CI(0, "p50", "median"),
    PERCENTILE(1, "p90", "latency_p90_ns", "90th percentile."),
    PERCENTILE_CI(1, "p90", "90th percentile"),
    PERCENTILE(2, "p99", "latency_p99_ns", "99th percentile; null with fewer than 30 IPIs above."),
    PERCENTILE_CI(2, "p99", "99th percentile"),
    PERCENTILE(3, "p99_9", "latency_p99_9_ns", "99.9th percentile, null likewise."),
    PERCENTILE_CI(3, "p99_9", "99.9th percentile"),
    PERCENTILE(4, "p99_99", "latency_p99_99_ns", "99.99th percentile, null likewise."),
    TIME_NS(FIGURES, "latency_ns.max", "latency_max_ns", FIGURE(latency.max_ps),
            "Longest latency."),

    STAGE(SENDER_WAIT, "sender_wait", "Mean time from the intended send to its start."),
    STAGE(PREPARE, "prepare", "Mean time in which the guest readies the shared words."),
    STAGE(TRAP, "trap", "Mean time of the exit to KVM."),
    STAGE(LOCK_WAIT, "lock_wait", "Mean wait for the lock of the target's SGI."),
    STAGE(DISPATCH, "dispatch", "Mean time to find the target and take the lock's line."),
    STAGE(STORE, "store", "Mean time to issue the store to GITS_SGIR."),
    STAGE(MMIO, "mmio", "Mean time of the store's way to the ITS."),
    STAGE(LINK_WAIT, "link_wait", "Mean wait for busy links, both ways."),
    STAGE(ITS_WAIT, "its_wait", "Mean wait for the ITS."),
    STAGE(ITS, "its", "Mean service of the ITS."),
    STAGE(MESSAGE, "message", "Mean time of the message's way to the redistributor."),
    STAGE(DELIVER, "deliver", "Mean time until the target takes the interrupt."),
    STAGE(HANDLE, "handle", "Mean time of the handler until it has written the flag."),
    STAGE(OBSERVE, "observe", "Mean time until the sender reads the flag."),
    STAGE(SELF_WAIT, "self_wait", "Mean time in which the flag waits for the sender's return."),
    TIME_NS(FIGURES, "return_ns", "return_ns", FIGURE(return_ps),
            "Mean time from the store to the sender's return to its guest, beside the latency."),

    TIME_NS(STAGES, "sender.stall_ns", "sender_stall_ns", FIGURE(stall_ps),
            "vCPU time that a sender loses per IPI, from trap to return."),
    SHARE(STAGES, "sender.pcpu_share", "sender_pcpu_share", FIGURE(pcpu_share_ppm),
          "Share of a sender's pCPU that sending takes."),
    MADE(STAGES, "analytic.method", "analytic_method", NULL, TEXT, true, make_theory,
         "\"M/D/1\" or \"bottleneck bound\"."),
    TIME_NS(STAGES, "analytic.mean_ns", "analytic_mean_ns", FIGURE(analytic.mean_ps),
            "Mean latency by theory; of a bound, the least it can be."),
    SHARE(STAGES, "analytic.error", "analytic_error", FIGURE(analytic.error_ppm),
          "(simulated - analytic) / analytic, of the mean latency."),
    TIME_NS(STAGES, "analytic.wait_ns", "analytic_wait_ns", FIGURE(analytic.wait_ps),
            "M/D/1: mean wait for the ITS by theory."),
    SHARE(STAGES, "analytic.wait_error", "analytic_wait_error", FIGURE(analytic.wait_error_ppm),
          "(simulated - analytic) / analytic, of the mean wait for the ITS."),
    MADE(STAGES, NULL, "its_utilisation_max", "1", NUMBER, true, make_its_max,
         "Utilisation of the busiest ITS."),
    MADE(STAGES, NULL, "link_utilisation_max", "1", NUMBER, true, make_link_max,
         "Utilisation of the busiest link."),

    COUNT32(PAIRS, "from_node", NULL, offsetof(struct vsg_pair_figures, from_node),
            "Node of the sender."),
    COUNT32(PAIRS, "to_node", NULL, offsetof(struct vsg_pair_figures, to_node),
            "Node of the target."),
    COUNT64(PAIRS, "count", NULL, offsetof(struct vsg_pair_figures, count), "IPIs counted."),
    TIME_NS(PAIRS, "mean_ns", NULL, offsetof(struct vsg_pair_figures, mean_ps), "Mean latency."),
    TIME_NS(PAIRS, "p99_ns", NULL, offsetof(struct vsg_pair_figures, p99_ps),
            "99th percentile; at most 3.1 % too high."),

    ROW(VMS, "name", NULL, NULL, TEXT, false, TEXT, offsetof(struct vsg_vm_figures, name), 0, NULL,
        "The VM's name."),
    COUNT64(VMS, "count", NULL, offsetof(struct vsg_vm_figures, count), "IPIs counted."),
    TIME_NS(VMS, "mean_ns", NULL, offsetof(struct vsg_vm_figures, mean_ps), "Mean latency."),
    TIME_NS(VMS, "p99_ns", NULL, offsetof(struct vsg_vm_figures, p99_ps),
            "99th percentile; at most 3.1 % too high."),
    TIME_NS(VMS, "max_ns", NULL, offsetof(struct vsg_vm_figures, max_ps), "Longest latency."),

    COUNT32(ITS, "id", NULL, offsetof(struct vsg_its_figures, id), "Id of the ITS."),
    COUNT32(ITS, "node", NULL, offsetof(struct vsg_its_figures, node), "Its place."),
    COUNT64(ITS, "served", NULL, offsetof(struct vsg_its_figures, served),
            "Requests that arrived in the window."),
    SHARE(ITS, "utilisation", NULL, offsetof(struct vsg_its_figures, utilisation_ppm),
          "Share of the window in which it was busy."),
    SHARE(ITS, "queue_mean", NULL, offsetof(struct vsg_its_figures, queue_mean_ppm),
          "Mean number of requests waiting: sum of waits / window (Little)."),
    COUNT64(ITS, "queue_max", NULL, offsetof(struct vsg_its_figures, queue_max),
            "Most requests waiting that an arrival found, itself included if it waits."),
    TIME_NS(ITS, "wait_mean_ns", NULL, offsetof(struct vsg_its_figures, wait_mean_ps),
            "Mean wait of a request."),

    ROW(LINKS, "id", NULL, NULL, TEXT, false, TEXT, offsetof(struct vsg_link_figures, id), 0, NULL,
        "Name of the link."),
    COUNT32(LINKS, "from", NULL, offsetof(struct vsg_link_figures, from),
            "Place of its sending end; places above the nodes are switches."),
    COUNT32(LINKS, "to", NULL, offsetof(struct vsg_link_figures, to), "Place of its other end."),
    SHARE(LINKS, "utilisation", NULL, offsetof(struct vsg_link_figures, utilisation_ppm),
          "Share of the window in which it was busy; 0 without contention."),
    TIME_NS(LINKS, "wait_mean_ns", NULL, offsetof(struct vsg_link_figures, wait_mean_ps),
            "Mean wait of what crosses it."),

    MADE(COMPARISON, "a", NULL, NULL, TEXT, false, make_a, "The policy compared with."),
    MADE(COMPARISON, "b", NULL, NULL, TEXT, false, make_b, "The policy that the verdict is about."),
    COUNT32(COMPARISON, "n", NULL, offsetof(struct vsg_comparison, n),
            "Pairs of replications compared."),
    TIME_NS(COMPARISON, "diff_ns", NULL, offsetof(struct vsg_comparison, diff_ps),
            "Mean latency of b minus that of a, paired by replication."),
    SHARE(COMPARISON, "ratio", NULL, offsetof(struct vsg_comparison, ratio_ppm),
          "Mean latency of b / mean latency of a."),
    TIME_NS(COMPARISON, "ci95[0]", NULL, offsetof(struct vsg_comparison, ci95_low_ps),
            "Lower end of the interval of diff_ns; all comparisons of a study hold together in "
            "95 % of cases (Bonferroni)."),
    TIME_NS(COMPARISON, "ci95[1]", NULL, offsetof(struct vsg_comparison, ci95_high_ps),
            "Upper end of it."),
    MADE(COMPARISON, "verdict", NULL, NULL, TEXT, false, make_verdict,
         "\"faster\", \"slower\" (b than a) or \"no difference shown\"."),
    MADE(
        COMPARISON, "method", NULL, NULL, TEXT, false, make_comparison_method,
        "\"paired-t\" (5 replications or more), \"paired batch means\" (1 to 4), "
        "\"deterministic\"; and claiming nothing \"correlated batches\", \"single run\", \"too few "
        "replications\", \"unstable\", \"not steady\"."),
    ROW(COMPARISON, "replications_for_1_percent", NULL, "1", INTEGER, true, FIXED,
        offsetof(struct vsg_comparison, needed), 0, NULL,
        "Replications after which the interval of diff_ns is expected to be as narrow as +- 1 % of "
        "the mean of a; n where it is already."),
};
const size_t vsg_field_count = sizeof vsg_fields / sizeof vsg_fields[0];

/* ---- reading values
 * ------------------------------------------------------------------------------- */

void vsg_field_value(const struct vsg_field *f, const struct vsg_study *s, const void *base,
                     struct vsg_value *v)
{
    const char *at = (const char *)base + f->offset;
    *v = (struct vsg_value){.kind = VSG_VALUE_NULL};
    switch (f->type) {
    case VSG_TYPE_FIXED:
        memcpy(&v->decimal, at, sizeof v->decimal);
        v->decimals = f->decimals;
        v->kind = v->decimal == VSG_NO_FIGURE ? VSG_VALUE_NULL : VSG_VALUE_DECIMAL;
        break;
    case VSG_TYPE_U64:
        v->kind = VSG_VALUE_UINT;
        memcpy(&v->uint, at, sizeof v->uint);
        break;
    case VSG_TYPE_U32: {
        uint32_t small;
        memcpy(&small, at, sizeof small);
        v->kind = VSG_VALUE_UINT;
        v->uint = small;
        break;
    }
    case VSG_TYPE_TEXT:
        memcpy(&v->text, at, sizeof v->text);
        v->kind = v->text ? VSG_VALUE_TEXT : VSG_VALUE_NULL;
        break;
    case VSG_TYPE_BOOL:
        v->kind = VSG_VALUE_BOOL;
        v->uint = *(const bool *)(const void *)at;
        break;
    case VSG_TYPE_MADE:
        f->make(s, base, v);
        break;
    }
}

static void value_json(struct vsg_json *j, const char *key, const struct vsg_value *v)
{
    switch (v->kind) {
    case VSG_VALUE_NULL:
        vsg_json_null(j, key);
        break;
    case VSG_VALUE_UINT:
        vsg_json_uint(j, key, v->uint);
        break;
    case VSG_VALUE_DECIMAL:
        vsg_json_decimal(j, key, v->decimal, v->decimals);
        break;
    case VSG_VALUE_TEXT:
        vsg_json_text(j, key, v->text);
        break;
    case VSG_VALUE_BOOL:
        vsg_json_bool(j, key, v->uint != 0);
        break;
    }
}

enum vsg_field_end vsg_field_end(const char *key)
{
    const char *bracket = strchr(key, '[');
    return !bracket ? VSG_NO_END : bracket[1] == '0' ? VSG_LOWER_END : VSG_UPPER_END;
}

/* Two rows as one member: the ends of an interval, the upper one in the row behind f; or null. */
static void interval_json(struct vsg_json *j, const struct vsg_study *s, const struct vsg_field *f,
                          const void *base, const char *key)
{
    char name[32] = "";
    struct vsg_value v;
    memcpy(name, key, strcspn(key, "["));
    vsg_field_value(f, s, base, &v);
    if (v.kind == VSG_VALUE_NULL) {
        vsg_json_null(j, name);
        return;
    }
    vsg_json_open(j, name, '[', true);
    value_json(j, NULL, &v);
    vsg_field_value(f + 1, s, base, &v);
    value_json(j, NULL, &v);
    vsg_json_close(j, ']');
}

void vsg_field_json(struct vsg_json *j, const struct vsg_study *s, enum vsg_field_of of,
                    const void *base)
{
    char group[32] = "";
    bool skip = false; /* a group that is null as a whole */
    struct vsg_value v;
    for (size_t i = 0; i < vsg_field_count; i++) {
        const struct vsg_field *f = &vsg_fields[i];
        const char *path = f->row.path;
        if (f->of != of || !path)
            continue;
        vsg_field_value(f, s, base, &v);
        const char *dot = strchr(path, '.');
        size_t size = dot ? (size_t)(dot - path) : 0;
        if (strlen(group) != size || memcmp(group, path, size) != 0) {
            if (group[0] && !skip)
                vsg_json_close(j, '}');
            memcpy(group, path, size);
            group[size] = '\0';
            skip = strcmp(path, "analytic.method") == 0 && v.kind == VSG_VALUE_NULL;
            if (skip)
                vsg_json_null(j, group);
            else if (size > 0)
                vsg_json_open(j, group, '{', true);
        }
        const char *key = dot ? dot + 1 : path;
        enum vsg_field_end end = vsg_field_end(key);
        if (skip || end == VSG_UPPER_END)
            continue;
        if (end == VSG_NO_END)
            value_json(j, key, &v);
        else
            interval_json(j, s, f, base, key);
    }
    if (group[0] && !skip)
        vsg_json_close(j, '}');
}

bool vsg_report_field(size_t i, struct vsg_field_row *row)
{
    if (i >= vsg_field_count)
        return false;
    *row = vsg_fields[i].row;
    row->of = vsg_field_of_name[vsg_fields[i].of];
    return true;
}
