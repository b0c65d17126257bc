#include <stdlib.h>
#include <string.h>

#include "study/exact.h"
#include "study/intervals.h"
#include "study/results.h"
#include "study/theory.h"

enum { PPM = 1000000 };

const uint32_t vsg_percentile_ppm[VSG_PERCENTILE_COUNT] = {500000, 900000, 990000, 999000, 999900};
const char *const vsg_percentile_name[VSG_PERCENTILE_COUNT] = {"p50", "p90", "p99", "p99_9",
                                                               "p99_99"};
const char *const vsg_method_name[VSG_METHOD_COUNT] = {
    "deterministic", "single run",         "too few replications",
    "batch means",   "correlated batches", "t",
    "paired-t",      "paired batch means", "unstable",
    "not steady"};
const char *const vsg_theory_name[VSG_THEORY_COUNT] = {"none", "M/D/1", "bottleneck bound"};
const char *const vsg_verdict_name[VSG_VERDICT_COUNT] = {"no difference shown", "faster", "slower"};

/* ---- randomness ------------------------------------------------------------------------- */

/* Whether some sender has a choice of targets, so that one is drawn. */
static bool draws_targets(const struct vsg_vm_config *vm)
{
    const struct vsg_workload_config *w = &vm->workload;
    if (!w->target)
        return vm->vcpus > 2;
    if (w->target_count != 2)
        return w->target_count > 2;
    /* Of two targets, a sender that is one of them has only the other. */
    for (uint32_t i = 0; i < (w->sender ? w->sender_count : vm->vcpus); i++) {
        uint32_t sender = w->sender ? w->sender[i] : i;
        if (sender != w->target[0] && sender != w->target[1])
            return true;
    }
    return false;
}

bool vsg_config_is_random(const struct vsg_config *c)
{
    for (int i = 0; i < VSG_COST_COUNT; i++)
        if (vsg_dist_is_random(&c->cost[i]))
            return true;
    for (uint32_t i = 0; i < c->vm_count; i++) {
        enum vsg_workload_kind kind = c->vm[i].workload.kind;
        if (vsg_workload_is_open(kind))
            return true;
        if (kind == VSG_WORKLOAD_CLOSED &&
            (vsg_dist_is_random(&c->vm[i].workload.think) || draws_targets(&c->vm[i])))
            return true;
    }
    return false;
}

/* ---- populations -------------------------------------------------------------------------- */

static int64_t tally_mean(const struct vsg_tally *t)
{
    return t->count > 0 ? vsg_scale_round(t->sum_ps, 1, t->count) : VSG_NO_FIGURE;
}

/* Null with too few IPIs above it. A bucket's upper edge can lie above the largest (or one
 * value's only) sample; the truth cannot. */
static int64_t tally_percentile(const struct vsg_tally *t, uint32_t q_ppm)
{
    uint64_t value_ps = 0;
    if ((vsg_u128)t->count * (PPM - q_ppm) < (vsg_u128)VSG_SAMPLES_ABOVE * PPM || !t->hist ||
        vsg_hist_quantile(t->hist, q_ppm, &value_ps) != VSG_OK)
        return VSG_NO_FIGURE;
    return (int64_t)(value_ps < t->max_ps ? value_ps : t->max_ps);
}

static void latency_figures(const struct vsg_tally *t, struct vsg_latency_figures *f)
{
    bool any = t->count > 0;
    *f = (struct vsg_latency_figures){.count = t->count,
                                      .mean_ps = tally_mean(t),
                                      .ci95_low_ps = VSG_NO_FIGURE,
                                      .ci95_high_ps = VSG_NO_FIGURE,
                                      .stddev_ps = VSG_NO_FIGURE,
                                      .min_ps = any ? (int64_t)t->min_ps : VSG_NO_FIGURE,
                                      .max_ps = any ? (int64_t)t->max_ps : VSG_NO_FIGURE};
    if (t->count >= 2)
        f->stddev_ps = vsg_stddev(t->count, t->sum_ps, t->square_ps2);
    for (int i = 0; i < VSG_PERCENTILE_COUNT; i++) {
        f->percentile_ps[i] = tally_percentile(t, vsg_percentile_ppm[i]);
        f->percentile_low_ps[i] = f->percentile_high_ps[i] = VSG_NO_FIGURE;
    }
}

/* ---- servers --------------------------------------------------------------------------------- */

static int64_t share_ppm(vsg_u128 part, vsg_u128 whole)
{
    return whole > 0 ? vsg_scale_round(part, PPM, whole) : VSG_NO_FIGURE;
}

static int64_t wait_mean(const struct vsg_server_stats *s)
{
    return s->served > 0 ? vsg_scale_round(s->wait_sum_ps, 1, s->served) : VSG_NO_FIGURE;
}

static void server_figures(const struct vsg_run_result *r, struct vsg_figures *f)
{
    for (uint32_t i = 0; i < r->its_count; i++) {
        const struct vsg_its_result *its = &r->its[i];
        f->its[f->its_count++] = (struct vsg_its_figures){
            .id = its->id,
            .node = its->node,
            .served = its->stats.served,
            .utilisation_ppm = share_ppm(its->stats.busy_ps, f->window_ps),
            .queue_mean_ppm = share_ppm(its->stats.wait_sum_ps, f->window_ps),
            .queue_max = its->stats.queue_max,
            .wait_mean_ps = wait_mean(&its->stats)};
    }
    for (uint32_t i = 0; i < r->link_count; i++) {
        const struct vsg_link_result *link = &r->link[i];
        f->link[f->link_count++] = (struct vsg_link_figures){
            .id = link->name,
            .from = link->from,
            .to = link->to,
            .utilisation_ppm = share_ppm(link->stats.busy_ps, f->window_ps),
            .wait_mean_ps = wait_mean(&link->stats)};
    }
}

static void group_figures(const struct vsg_run_result *r, struct vsg_figures *f)
{
    for (uint32_t i = 0; i < r->node_count * r->node_count; i++) {
        const struct vsg_tally *t = &r->pair[i];
        if (t->count > 0)
            f->pair[f->pair_count++] =
                (struct vsg_pair_figures){.from_node = i / r->node_count,
                                          .to_node = i % r->node_count,
                                          .count = t->count,
                                          .mean_ps = tally_mean(t),
                                          .p99_ps = tally_percentile(t, 990000)};
    }
    for (uint32_t i = 0; i < r->vm_count; i++) {
        const struct vsg_tally *t = &r->vm[i];
        f->vm[f->vm_count++] =
            (struct vsg_vm_figures){.name = r->vm_name[i],
                                    .count = t->count,
                                    .mean_ps = tally_mean(t),
                                    .p99_ps = tally_percentile(t, 990000),
                                    .max_ps = t->count > 0 ? (int64_t)t->max_ps : VSG_NO_FIGURE};
    }
}

/* Room for every list, at least one element each so that NULL means no memory. */
static bool make_room(const struct vsg_run_result *r, struct vsg_figures *f)
{
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < r->node_count * r->node_count; i++)
        pairs += r->pair[i].count > 0;
    f->pair = calloc((size_t)pairs + 1, sizeof *f->pair);
    f->vm = calloc((size_t)r->vm_count + 1, sizeof *f->vm);
    f->its = calloc((size_t)r->its_count + 1, sizeof *f->its);
    f->link = calloc((size_t)r->link_count + 1, sizeof *f->link);
    return f->pair && f->vm && f->its && f->link;
}

/* ---- a run
 * --------------------------------------------------------------------------------------- */

static void stage_figures(const struct vsg_run_result *r, struct vsg_figures *f)
{
    uint64_t count = r->latency.count;
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        f->stage_ps[i] = count > 0 ? vsg_scale_round(r->stage_sum_ps[i], 1, count) : VSG_NO_FIGURE;
    f->return_ps = count > 0 ? vsg_scale_round(r->return_sum_ps, 1, count) : VSG_NO_FIGURE;
    f->stall_ps = r->sent > 0 ? vsg_scale_round(r->sender_busy_ps, 1, r->sent) : VSG_NO_FIGURE;
    f->pcpu_share_ppm = share_ppm(r->sender_busy_ps, (vsg_u128)f->window_ps * r->sender_count);
}

void vsg_figures_claim_nothing(struct vsg_figures *f)
{
    struct vsg_latency_figures *l = &f->latency;
    l->method = f->unstable ? VSG_METHOD_UNSTABLE : VSG_METHOD_NOT_STEADY;
    l->mean_ps = l->ci95_low_ps = l->ci95_high_ps = l->stddev_ps = VSG_NO_FIGURE;
    for (int i = 0; i < VSG_PERCENTILE_COUNT; i++)
        l->percentile_ps[i] = l->percentile_low_ps[i] = l->percentile_high_ps[i] = VSG_NO_FIGURE;
}

enum vsg_status vsg_figures_of_run(const struct vsg_run_result *r, const struct vsg_config *config,
                                   struct vsg_figures *out)
{
    struct vsg_figures f = {.window_ps = r->window_end_ps - r->window_start_ps,
                            .events = r->events,
                            .ties = r->ties,
                            .fingerprint = r->fingerprint,
                            .not_steady = r->not_steady,
                            .warmup_ps = (int64_t)r->window_start_ps};
    enum vsg_status status = make_room(r, &f) ? VSG_OK : VSG_ENOMEM;
    if (status == VSG_OK) {
        f.throughput_milli_per_s =
            f.window_ps > 0 ? vsg_scale_round(r->completed, UINT64_C(1000000000000000), f.window_ps)
                            : VSG_NO_FIGURE;
        latency_figures(&r->latency, &f.latency);
        if (vsg_config_is_random(config))
            vsg_batch_figures(&r, 1, &f.latency);
        else
            f.latency.method = VSG_METHOD_DETERMINISTIC;
        stage_figures(r, &f);
        server_figures(r, &f);
        group_figures(r, &f);
        status = vsg_theory_stability(r, config, &f);
    }
    if (status == VSG_OK)
        status = vsg_theory_bottleneck(r, &f);
    if (status == VSG_OK) {
        if (f.unstable || f.not_steady)
            vsg_figures_claim_nothing(&f);
        vsg_theory_analytic(r, config, &f);
        *out = f;
    } else {
        vsg_figures_free(&f);
    }
    return status;
}

void vsg_figures_free(struct vsg_figures *f)
{
    free(f->unstable_reason);
    free(f->bottleneck);
    free(f->pair);
    free(f->vm);
    free(f->its);
    free(f->link);
    *f = (struct vsg_figures){0};
}
