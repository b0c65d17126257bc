#include "study/results.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/comparisons.h"
#include "study/intervals.h"
#include "study/precision.h"
#include "study/text.h"
#include "study/theory.h"

/* Values of replications, and scratch for their statistics: [replications] each. */
struct sheet {
    const struct vsg_run_figures **run;
    const struct vsg_run_result **result;
    vsg_i128 *value;
    double *scratch;
};

/* ---- which runs ------------------------------------------------------------------------------ */

const struct vsg_run_figures *vsg_results_find(const struct vsg_results *r, uint32_t point,
                                               uint32_t policy, uint32_t replication)
{
    uint32_t low = 0, high = r->run_count;
    while (low < high) { /* runs are in order of (point, policy, replication) */
        uint32_t middle = low + (high - low) / 2;
        const struct vsg_run *run = r->run[middle].run;
        bool before = run->point != point     ? run->point < point
                      : run->policy != policy ? run->policy < policy
                                              : run->replication < replication;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    for (; low < r->run_count; low++) {
        const struct vsg_run_figures *f = &r->run[low];
        if (f->run->point != point || f->run->policy != policy ||
            f->run->replication != replication)
            break;
        if (f->has_figures)
            return f;
    }
    return NULL;
}

/* ---- points -------------------------------------------------------------------------------------
 */

static void add_stats(struct vsg_server_stats *sum, const struct vsg_server_stats *s)
{
    sum->served += s->served;
    sum->busy_ps += s->busy_ps;
    sum->wait_sum_ps += s->wait_sum_ps;
    if (s->wait_max_ps > sum->wait_max_ps)
        sum->wait_max_ps = s->wait_max_ps;
    if (s->queue_max > sum->queue_max)
        sum->queue_max = s->queue_max;
}

/* Lists of the same lengths as r's, and its names, which stay r's. */
static enum vsg_status begin_merge(const struct vsg_run_result *r, struct vsg_run_result *sum)
{
    size_t pairs = (size_t)r->node_count * r->node_count;
    *sum = (struct vsg_run_result){.node_count = r->node_count,
                                   .vm_count = r->vm_count,
                                   .vm_name = r->vm_name,
                                   .its_count = r->its_count,
                                   .link_count = r->link_count,
                                   .sender_count = r->sender_count,
                                   .offered = r->offered,
                                   .offered_count = r->offered_count,
                                   .open = r->open};
    sum->pair = calloc(pairs + 1, sizeof *sum->pair);
    sum->vm = calloc((size_t)r->vm_count + 1, sizeof *sum->vm);
    sum->its = calloc((size_t)r->its_count + 1, sizeof *sum->its);
    sum->link = calloc((size_t)r->link_count + 1, sizeof *sum->link);
    if (!sum->pair || !sum->vm || !sum->its || !sum->link) {
        sum->node_count = sum->vm_count = 0; /* no tallies to free */
        return VSG_ENOMEM;
    }
    vsg_tally_init(&sum->latency);
    for (size_t i = 0; i < pairs; i++)
        vsg_tally_init(&sum->pair[i]);
    for (uint32_t i = 0; i < r->vm_count; i++)
        vsg_tally_init(&sum->vm[i]);
    for (uint32_t i = 0; i < r->its_count; i++)
        sum->its[i] = (struct vsg_its_result){.id = r->its[i].id, .node = r->its[i].node};
    for (uint32_t i = 0; i < r->link_count; i++)
        sum->link[i] = (struct vsg_link_result){
            .name = r->link[i].name, .from = r->link[i].from, .to = r->link[i].to};
    return VSG_OK;
}

static void end_merge(struct vsg_run_result *sum)
{
    vsg_tally_free(&sum->latency);
    for (size_t i = 0; i < (size_t)sum->node_count * sum->node_count; i++)
        vsg_tally_free(&sum->pair[i]);
    for (uint32_t i = 0; i < sum->vm_count; i++)
        vsg_tally_free(&sum->vm[i]);
    free(sum->pair);
    free(sum->vm);
    free(sum->its);
    free(sum->link);
}

static enum vsg_status add_run(struct vsg_run_result *sum, const struct vsg_run_result *r)
{
    assert(sum->node_count == r->node_count && sum->vm_count == r->vm_count);
    assert(sum->its_count == r->its_count && sum->link_count == r->link_count);
    enum vsg_status status = vsg_tally_merge(&sum->latency, &r->latency);
    for (size_t i = 0; i < (size_t)r->node_count * r->node_count && status == VSG_OK; i++)
        status = vsg_tally_merge(&sum->pair[i], &r->pair[i]);
    for (uint32_t i = 0; i < r->vm_count && status == VSG_OK; i++)
        status = vsg_tally_merge(&sum->vm[i], &r->vm[i]);
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        sum->stage_sum_ps[i] += r->stage_sum_ps[i];
    sum->return_sum_ps += r->return_sum_ps;
    for (uint32_t i = 0; i < r->its_count; i++)
        add_stats(&sum->its[i].stats, &r->its[i].stats);
    for (uint32_t i = 0; i < r->link_count; i++)
        add_stats(&sum->link[i].stats, &r->link[i].stats);
    sum->window_end_ps += r->window_end_ps - r->window_start_ps;
    sum->fingerprint += r->fingerprint;
    sum->events += r->events;
    sum->ties += r->ties;
    sum->sent += r->sent;
    sum->completed += r->completed;
    sum->sender_busy_ps += r->sender_busy_ps;
    return status;
}

/* Mean over replications run[0..n) of a stage's means; VSG_STAGE_COUNT: of `return`. */
static int64_t mean_of_means(const struct sheet *sheet, uint32_t n, int stage)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct vsg_run_result *r = &sheet->run[i]->run->result;
        vsg_u128 sum = stage < VSG_STAGE_COUNT ? r->stage_sum_ps[stage] : r->return_sum_ps;
        sheet->value[i] = vsg_fine_mean(sum, r->latency.count);
    }
    return vsg_spread_of(sheet->value, sheet->scratch, n, 0.95).mean_ps;
}

/* The pooled histogram gives a percentile, the replications' own ones its interval. */
static void percentile_interval(const struct sheet *sheet, uint32_t n, int i,
                                struct vsg_latency_figures *l)
{
    if (l->percentile_ps[i] == VSG_NO_FIGURE)
        return;
    for (uint32_t k = 0; k < n; k++) {
        int64_t own_ps = sheet->run[k]->figures.latency.percentile_ps[i];
        if (own_ps == VSG_NO_FIGURE)
            return; /* a replication too short to say */
        sheet->value[k] = (vsg_i128)own_ps << VSG_FINE_BITS;
    }
    int64_t half_ps = vsg_spread_of(sheet->value, sheet->scratch, n, 0.95).half_ps;
    l->percentile_low_ps[i] = l->percentile_ps[i] - half_ps;
    l->percentile_high_ps[i] = l->percentile_ps[i] + half_ps;
}

static void replace_means(const struct sheet *sheet, uint32_t n, bool random, struct vsg_figures *f)
{
    for (uint32_t i = 0; i < n; i++)
        if (sheet->run[i]->run->result.latency.count == 0)
            return; /* a run that counted nothing: only pooled figures */
    struct vsg_latency_figures *l = &f->latency;
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        f->stage_ps[i] = mean_of_means(sheet, n, i);
    f->return_ps = mean_of_means(sheet, n, VSG_STAGE_COUNT);
    for (uint32_t i = 0; i < n; i++) {
        const struct vsg_tally *t = &sheet->run[i]->run->result.latency;
        sheet->value[i] = vsg_fine_mean(t->sum_ps, t->count);
    }
    struct vsg_spread s = vsg_spread_of(sheet->value, sheet->scratch, n, 0.95);
    l->mean_ps = s.mean_ps;
    l->ci95_low_ps = l->ci95_high_ps = VSG_NO_FIGURE;
    l->method = VSG_METHOD_DETERMINISTIC;
    if (!random)
        return;
    if (n < VSG_REPLICATIONS_FOR_CI) {
        vsg_batch_figures(sheet->result, n, l);
        return;
    }
    l->method = VSG_METHOD_T;
    l->ci95_low_ps = s.mean_ps - s.half_ps;
    l->ci95_high_ps = s.mean_ps + s.half_ps;
    for (int i = 0; i < VSG_PERCENTILE_COUNT; i++)
        percentile_interval(sheet, n, i, l);
}

/* Unstable in one replication is unstable: its reason and rate stand for all. Not steady is decided
 * by the majority: MSER may be misled by chance in one of many. */
static enum vsg_status inherit_stability(const struct vsg_run_figures *const *run, uint32_t n,
                                         struct vsg_figures *f)
{
    free(f->unstable_reason);
    f->unstable_reason = NULL;
    f->unstable = false;
    f->sustainable_milli_per_s = VSG_NO_FIGURE;
    uint32_t not_steady = 0;
    for (uint32_t i = 0; i < n; i++)
        not_steady += run[i]->figures.not_steady;
    f->not_steady = 2 * not_steady >= n;
    for (uint32_t i = 0; i < n && !f->unstable; i++)
        if (run[i]->figures.unstable) {
            f->unstable = true;
            f->sustainable_milli_per_s = run[i]->figures.sustainable_milli_per_s;
            f->unstable_reason = strdup(run[i]->figures.unstable_reason);
            if (!f->unstable_reason)
                return VSG_ENOMEM;
        }
    return VSG_OK;
}

static enum vsg_status make_point(const struct vsg_results *r, struct vsg_point_figures *p,
                                  const struct sheet *sheet)
{
    const struct vsg_run_figures **run = sheet->run;
    const struct vsg_config *config = &r->study->point[p->point].config;
    struct vsg_run_result sum;
    for (uint32_t i = 0; i < r->study->replications; i++) {
        const struct vsg_run_figures *found = vsg_results_find(r, p->point, p->policy, i);
        if (found) {
            sheet->result[p->n] = &found->run->result;
            run[p->n++] = found;
        }
    }
    if (p->n == 0)
        return VSG_OK;
    enum vsg_status status = begin_merge(&run[0]->run->result, &sum);
    for (uint32_t i = 0; i < p->n && status == VSG_OK; i++)
        status = add_run(&sum, &run[i]->run->result);
    if (status == VSG_OK)
        status = vsg_figures_of_run(&sum, config, &p->figures);
    if (status == VSG_OK) {
        p->has_figures = true;
        replace_means(sheet, p->n, vsg_config_is_random(config), &p->figures);
        status = inherit_stability(run, p->n, &p->figures);
        p->figures.warmup_ps = p->n == 1 ? run[0]->figures.warmup_ps : VSG_NO_FIGURE;
        if (p->figures.unstable || p->figures.not_steady)
            vsg_figures_claim_nothing(&p->figures);
        vsg_theory_analytic(&sum, config, &p->figures);
    }
    end_merge(&sum);
    return status;
}

/* ---- warnings
 * ------------------------------------------------------------------------------------------ */

static enum vsg_status add_warning(struct vsg_results *r, const char *text)
{
    for (uint32_t i = 0; i < r->warning_count; i++)
        if (strcmp(r->warning[i], text) == 0)
            return VSG_OK;
    char **list = realloc(r->warning, (r->warning_count + 1) * sizeof *list);
    if (!list)
        return VSG_ENOMEM;
    r->warning = list;
    list[r->warning_count] = strdup(text);
    if (!list[r->warning_count])
        return VSG_ENOMEM;
    r->warning_count++;
    return VSG_OK;
}

static enum vsg_status take_warnings(struct vsg_results *r, const struct vsg_diag *d)
{
    enum vsg_status status = VSG_OK;
    for (size_t i = 0; i < d->count && status == VSG_OK; i++)
        if (d->item[i].severity == VSG_WARNING)
            status = add_warning(r, d->item[i].text);
    return status;
}

/* "local, interconnect.link.latency_ns 50: ..." */
static enum vsg_status warn_of_point(struct vsg_results *r, const struct vsg_point_figures *p,
                                     const char *what)
{
    const struct vsg_point *point = &r->study->point[p->point];
    struct vsg_text t = {0};
    char *text = NULL;
    vsg_text_add(&t, "%s", vsg_policy_name[r->study->policy[p->policy]]);
    for (uint32_t i = 0; i < point->axis_count; i++)
        vsg_text_add(&t, ", %s %s", point->axis[i].name, point->axis[i].text);
    vsg_text_add(&t, ": %s", what);
    enum vsg_status status = vsg_text_take(&t, &text);
    if (status == VSG_OK)
        status = add_warning(r, text);
    free(text);
    return status;
}

static enum vsg_status warn_of_steadiness(struct vsg_results *r, const struct vsg_point_figures *p)
{
    uint32_t count = 0;
    char text[200];
    for (uint32_t i = 0; i < r->study->replications; i++) {
        const struct vsg_run_figures *f = vsg_results_find(r, p->point, p->policy, i);
        count += f && f->figures.not_steady && !f->figures.unstable;
    }
    if (count == 0)
        return VSG_OK;
    snprintf(text, sizeof text,
             "not steady in %u of %u replications: warm-up would take more than half of the run; "
             "make it longer, or set run.warmup",
             count, p->n);
    return warn_of_point(r, p, text);
}

/* Where run.precision gave up. */
static enum vsg_status warn_of_precision(struct vsg_results *r, const struct vsg_point_figures *p)
{
    const struct vsg_latency_figures *l = &p->figures.latency;
    int64_t half_ps = (l->ci95_high_ps - l->ci95_low_ps) / 2;
    struct vsg_text t = {0};
    char *text = NULL;
    if (r->study->precision_ppm == 0 || r->outcome->partial ||
        vsg_precision_is_met(r->study, l->mean_ps, half_ps))
        return VSG_OK;
    int64_t wanted_ps = vsg_div_round((vsg_i128)l->mean_ps * r->study->precision_ppm, 1000000);
    vsg_text_add(&t, "the mean is known to +- ");
    vsg_text_rounded(&t, vsg_scale_round((vsg_u128)half_ps, 1000000, (vsg_u128)l->mean_ps), 4, 2,
                     false);
    vsg_text_add(&t,
                 " %%, not to run.precision, after %u replications (run.max_replications); some "
                 "%u would do",
                 p->n, vsg_replications_needed(half_ps, p->n, p->n, 0.95, wanted_ps));
    enum vsg_status status = vsg_text_take(&t, &text);
    if (status == VSG_OK)
        status = warn_of_point(r, p, text);
    free(text);
    return status;
}

/* What a reader of the points has to know about their intervals. */
static enum vsg_status warn_of_intervals(struct vsg_results *r)
{
    enum vsg_status status = VSG_OK;
    for (uint32_t i = 0; i < r->point_count && status == VSG_OK; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        if (!p->has_figures)
            continue;
        status = warn_of_steadiness(r, p);
        if (status == VSG_OK && p->figures.latency.method == VSG_METHOD_T)
            status = warn_of_precision(r, p);
        if (status == VSG_OK && p->figures.latency.method == VSG_METHOD_CORRELATED)
            status = warn_of_point(
                r, p,
                "no interval: the run's 20 batches are correlated; make it longer, or set "
                "run.replications to 5 or more");
    }
    return status;
}

/* ---- a study
 * ---------------------------------------------------------------------------------------------- */

static enum vsg_status make_runs(struct vsg_results *r)
{
    enum vsg_status status = VSG_OK;
    for (uint32_t i = 0; i < r->run_count && status == VSG_OK; i++) {
        struct vsg_run_figures *f = &r->run[i];
        f->run = &r->outcome->run[i];
        if (f->run->state != VSG_RUN_DONE)
            continue;
        status = vsg_figures_of_run(&f->run->result, &r->study->point[f->run->point].config,
                                    &f->figures);
        f->has_figures = status == VSG_OK;
        r->any_unstable = r->any_unstable || f->figures.unstable;
        if (status == VSG_OK)
            status = take_warnings(r, &f->run->diag);
    }
    return status;
}

static enum vsg_status make_points(struct vsg_results *r)
{
    size_t room = (size_t)r->study->replications + 1;
    struct sheet sheet = {calloc(room, sizeof *sheet.run), calloc(room, sizeof *sheet.result),
                          calloc(room, sizeof *sheet.value), calloc(room, sizeof *sheet.scratch)};
    enum vsg_status status =
        sheet.run && sheet.result && sheet.value && sheet.scratch ? VSG_OK : VSG_ENOMEM;
    for (uint32_t i = 0; i < r->point_count && status == VSG_OK; i++) {
        r->point[i].point = i / r->study->policy_count;
        r->point[i].policy = i % r->study->policy_count;
        status = make_point(r, &r->point[i], &sheet);
    }
    free(sheet.run);
    free((void *)sheet.result);
    free(sheet.value);
    free(sheet.scratch);
    return status;
}

enum vsg_status vsg_results_make(const struct vsg_study *study, const struct vsg_outcome *outcome,
                                 const char *version, struct vsg_results *out)
{
    uint32_t policies = study->policy_count;
    struct vsg_results r = {.study = study,
                            .outcome = outcome,
                            .version = version,
                            .run_count = outcome->run_count,
                            .point_count = study->point_count * policies,
                            .comparison_count =
                                policies > 1 ? study->point_count * (policies * (policies - 1) / 2)
                                             : 0};
    r.run = calloc((size_t)r.run_count + 1, sizeof *r.run);
    r.point = calloc((size_t)r.point_count + 1, sizeof *r.point);
    r.comparison = calloc((size_t)r.comparison_count + 1, sizeof *r.comparison);
    enum vsg_status status = r.run && r.point && r.comparison ? VSG_OK : VSG_ENOMEM;
    if (status == VSG_OK)
        status = take_warnings(&r, &study->warnings);
    if (status == VSG_OK)
        status = make_runs(&r);
    if (status == VSG_OK)
        status = make_points(&r);
    if (status == VSG_OK)
        status = vsg_comparisons_make(&r);
    if (status == VSG_OK)
        status = warn_of_intervals(&r);
    if (status == VSG_OK)
        *out = r;
    else
        vsg_results_free(&r);
    return status;
}

bool vsg_results_show(const struct vsg_results *r, uint32_t n)
{
    return !r->outcome->partial || n > 0;
}

void vsg_results_free(struct vsg_results *r)
{
    for (uint32_t i = 0; r->run && i < r->run_count; i++)
        vsg_figures_free(&r->run[i].figures);
    for (uint32_t i = 0; r->point && i < r->point_count; i++)
        vsg_figures_free(&r->point[i].figures);
    for (uint32_t i = 0; i < r->warning_count; i++)
        free(r->warning[i]);
    free(r->run);
    free(r->point);
    free(r->comparison);
    free(r->warning);
    *r = (struct vsg_results){0};
}
