#include "study/results.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/stats.h"
#include "study/exact.h"
#include "study/theory.h"

enum { PPM = 1000000, FINE_BITS = 20 };

/* Means over replications are taken of values with FINE_BITS bits below a picosecond. */
static vsg_i128 fine_mean(vsg_u128 sum, uint64_t count)
{
    return (vsg_i128)(sum / count << FINE_BITS) + (vsg_i128)((sum % count << FINE_BITS) / count);
}

struct spread {
    int64_t mean_ps, half_ps; /* half the width of the interval; VSG_NO_FIGURE: none */
};

/* Values of replications, and scratch for their statistics: [replications] each. */
struct sheet {
    const struct vsg_run_figures **run;
    vsg_i128 *value;
    double *difference;
};

/* Mean of sheet->value[0..n) and the half width of its t interval at a level. */
static struct spread spread_of(const struct sheet *sheet, uint32_t n, double level)
{
    struct spread s = {.half_ps = VSG_NO_FIGURE};
    const vsg_i128 *value = sheet->value;
    double *difference = sheet->difference;
    vsg_i128 sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += value[i];
    s.mean_ps = vsg_div_round(sum, (vsg_i128)n << FINE_BITS);
    if (n < VSG_REPLICATIONS_FOR_CI)
        return s;
    /* Of differences from the first, so that a double holds all their digits. */
    for (uint32_t i = 0; i < n; i++)
        difference[i] = (double)(value[i] - value[0]) / (double)(1 << FINE_BITS);
    struct vsg_interval interval = {0};
    if (vsg_mean_interval(difference, n, level, &interval) != VSG_OK)
        return s;
    double half = interval.half_width;
    s.half_ps = half < 9e18 ? (int64_t)(half + 0.5) : INT64_MAX;
    return s;
}

static enum vsg_method method_for(uint32_t n, bool random, enum vsg_method with_interval)
{
    if (!random)
        return VSG_METHOD_DETERMINISTIC;
    if (n >= VSG_REPLICATIONS_FOR_CI)
        return with_interval;
    return n > 1 ? VSG_METHOD_TOO_FEW : VSG_METHOD_SINGLE_RUN;
}

/* ---- which runs ------------------------------------------------------------------------------ */

/* The run of (point, policy, replication) that points and comparisons go by: done, the
 * first engine's. NULL: there is none. */
static const struct vsg_run_figures *find_run(const struct vsg_results *r, uint32_t point,
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
        sheet->value[i] = fine_mean(sum, r->latency.count);
    }
    return spread_of(sheet, n, 0.95).mean_ps;
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
        sheet->value[i] = fine_mean(t->sum_ps, t->count);
    }
    struct spread s = spread_of(sheet, n, 0.95);
    l->mean_ps = s.mean_ps;
    l->method = method_for(n, random, VSG_METHOD_T);
    if (l->method == VSG_METHOD_T) {
        l->ci95_low_ps = s.mean_ps - s.half_ps;
        l->ci95_high_ps = s.mean_ps + s.half_ps;
    }
}

/* Unstable in one replication is unstable: its reason and rate stand for all. */
static enum vsg_status inherit_stability(const struct vsg_run_figures *const *run, uint32_t n,
                                         struct vsg_figures *f)
{
    free(f->unstable_reason);
    f->unstable_reason = NULL;
    f->unstable = false;
    f->sustainable_milli_per_s = VSG_NO_FIGURE;
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
        const struct vsg_run_figures *found = find_run(r, p->point, p->policy, i);
        if (found)
            run[p->n++] = found;
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
        if (p->n > 1)
            replace_means(sheet, p->n, vsg_config_is_random(config), &p->figures);
        status = inherit_stability(run, p->n, &p->figures);
        if (p->figures.unstable)
            vsg_figures_claim_nothing(&p->figures);
        vsg_theory_analytic(&sum, config, &p->figures);
    }
    end_merge(&sum);
    return status;
}

/* ---- comparisons
 * ------------------------------------------------------------------------------------ */

static void judge(struct vsg_comparison *c, struct spread s)
{
    c->diff_ps = s.mean_ps;
    if (c->method == VSG_METHOD_DETERMINISTIC) {
        s.half_ps = 0;
    } else if (c->method == VSG_METHOD_PAIRED_T) {
        c->ci95_low_ps = s.mean_ps - s.half_ps;
        c->ci95_high_ps = s.mean_ps + s.half_ps;
    } else {
        return; /* no interval, no verdict */
    }
    if (s.mean_ps + s.half_ps < 0)
        c->verdict = VSG_FASTER;
    else if (s.mean_ps - s.half_ps > 0)
        c->verdict = VSG_SLOWER;
}

static void compare(const struct vsg_results *r, const struct vsg_point_figures *a,
                    const struct vsg_point_figures *b, const struct sheet *sheet,
                    struct vsg_comparison *c)
{
    vsg_i128 sum_a = 0, sum_b = 0;
    *c = (struct vsg_comparison){.point = a->point,
                                 .a = a->policy,
                                 .b = b->policy,
                                 .diff_ps = VSG_NO_FIGURE,
                                 .ratio_ppm = VSG_NO_FIGURE,
                                 .ci95_low_ps = VSG_NO_FIGURE,
                                 .ci95_high_ps = VSG_NO_FIGURE,
                                 .verdict = VSG_NO_DIFFERENCE,
                                 .method = VSG_METHOD_SINGLE_RUN};
    if ((a->has_figures && a->figures.unstable) || (b->has_figures && b->figures.unstable)) {
        c->method = VSG_METHOD_UNSTABLE;
        return;
    }
    for (uint32_t i = 0; i < r->study->replications; i++) {
        const struct vsg_run_figures *x = find_run(r, a->point, a->policy, i);
        const struct vsg_run_figures *y = find_run(r, b->point, b->policy, i);
        if (!x || !y || x->run->result.latency.count == 0 || y->run->result.latency.count == 0)
            continue;
        const struct vsg_tally *ta = &x->run->result.latency, *tb = &y->run->result.latency;
        vsg_i128 mean_a = fine_mean(ta->sum_ps, ta->count),
                 mean_b = fine_mean(tb->sum_ps, tb->count);
        sheet->value[c->n++] = mean_b - mean_a;
        sum_a += mean_a;
        sum_b += mean_b;
    }
    if (c->n == 0)
        return;
    bool random = vsg_config_is_random(&r->study->point[a->point].config);
    c->method = method_for(c->n, random, VSG_METHOD_PAIRED_T);
    if (sum_a > 0)
        c->ratio_ppm = vsg_scale_round((vsg_u128)sum_b, PPM, (vsg_u128)sum_a);
    judge(c, spread_of(sheet, c->n, 1 - 0.05 / r->comparison_count));
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
    struct sheet sheet = {calloc(room, sizeof *sheet.run), calloc(room, sizeof *sheet.value),
                          calloc(room, sizeof *sheet.difference)};
    enum vsg_status status = sheet.run && sheet.value && sheet.difference ? VSG_OK : VSG_ENOMEM;
    for (uint32_t i = 0; i < r->point_count && status == VSG_OK; i++) {
        r->point[i].point = i / r->study->policy_count;
        r->point[i].policy = i % r->study->policy_count;
        status = make_point(r, &r->point[i], &sheet);
    }
    struct vsg_comparison *c = r->comparison;
    for (uint32_t first = 0; first < r->point_count && status == VSG_OK;
         first += r->study->policy_count)
        for (uint32_t a = 0; a < r->study->policy_count; a++)
            for (uint32_t b = a + 1; b < r->study->policy_count; b++)
                compare(r, &r->point[first + a], &r->point[first + b], &sheet, c++);
    free(sheet.run);
    free(sheet.value);
    free(sheet.difference);
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
        *out = r;
    else
        vsg_results_free(&r);
    return status;
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
