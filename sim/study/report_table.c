/* The table for people: the answer, the figures, where the time goes, what it rests on. */
#include <stdlib.h>
#include <string.h>

#include "study/grid.h"
#include "study/words.h"

/* Columns behind the axes. When the terminal is narrow, they go in this order. */
enum column { POLICY, MEAN, REPLICATIONS, P50, P99, MAX, ITS, BOTTLENECK, THEORY, COLUMNS };
static const enum column drop_order[] = {THEORY, REPLICATIONS, MAX, P50, ITS, BOTTLENECK, P99};

enum { STAGE_POINTS_MAX = 4 };

/* ---- the figures ---------------------------------------------------------------------------- */

static void its_cell(struct vsg_text *t, const struct vsg_figures *f)
{
    const struct vsg_its_figures *most = NULL;
    for (uint32_t i = 0; i < f->its_count; i++)
        if (!most || f->its[i].utilisation_ppm > most->utilisation_ppm)
            most = &f->its[i];
    if (!most || most->served == 0 || most->utilisation_ppm == VSG_NO_FIGURE) {
        vsg_text_add(t, "-");
        return;
    }
    vsg_text_add(t, "its%u ", most->id);
    vsg_text_rounded(t, most->utilisation_ppm, 4, most->utilisation_ppm < 100000 ? 1 : 0, false);
    vsg_text_add(t, " %%");
}

static void theory_cell(struct vsg_text *t, const struct vsg_analytic_figures *a)
{
    if (a->theory == VSG_THEORY_NONE || a->error_ppm == VSG_NO_FIGURE) {
        vsg_text_add(t, "-");
        return;
    }
    vsg_text_add(t, "%s ", a->theory == VSG_THEORY_MD1 ? "M/D/1" : "bound");
    vsg_text_add(t, "%s", a->error_ppm >= 0 ? "+" : "");
    vsg_text_rounded(t, a->error_ppm, 4, 2, true);
    vsg_text_add(t, " %%");
}

static void figure_row(struct vsg_grid *g, size_t row, size_t first,
                       const struct vsg_point_figures *p)
{
    const struct vsg_figures *f = &p->figures;
    if (!p->has_figures) {
        vsg_text_add(vsg_grid_cell(g, row, first + MEAN), "no run done");
        return;
    }
    struct vsg_text *mean = vsg_grid_cell(g, row, first + MEAN);
    if (f->unstable || f->not_steady)
        vsg_text_add(mean, f->unstable ? "unstable" : "not steady");
    else
        vsg_words_mean(mean, f->latency.mean_ps, f->latency.ci95_low_ps, f->latency.ci95_high_ps);
    vsg_text_add(vsg_grid_cell(g, row, first + REPLICATIONS), "%u", p->n);
    vsg_words_time(vsg_grid_cell(g, row, first + P50), f->latency.percentile_ps[0]);
    vsg_words_time(vsg_grid_cell(g, row, first + P99), f->latency.percentile_ps[2]);
    vsg_words_time(vsg_grid_cell(g, row, first + MAX), f->latency.max_ps);
    its_cell(vsg_grid_cell(g, row, first + ITS), f);
    vsg_text_add(vsg_grid_cell(g, row, first + BOTTLENECK), "%s",
                 f->bottleneck ? f->bottleneck : "-");
    theory_cell(vsg_grid_cell(g, row, first + THEORY), &f->analytic);
}

static bool any_theory(const struct vsg_results *r)
{
    for (uint32_t i = 0; i < r->point_count; i++)
        if (r->point[i].has_figures && r->point[i].figures.analytic.theory != VSG_THEORY_NONE)
            return true;
    return false;
}

static enum vsg_status figure_table(const struct vsg_results *r, unsigned width, struct vsg_text *t)
{
    static const char *const head[COLUMNS] = {"policy", "mean", "n",          "p50",   "p99",
                                              "max",    "ITS",  "bottleneck", "theory"};
    const struct vsg_study *s = r->study;
    uint32_t axes = s->point_count > 0 ? s->point[0].axis_count : 0;
    struct vsg_grid g;
    size_t rows = 0;
    for (uint32_t i = 0; i < r->point_count; i++)
        rows += vsg_results_show(r, r->point[i].n);
    enum vsg_status status = vsg_grid_new(rows + 1, axes + COLUMNS, &g);
    if (status != VSG_OK)
        return status;
    for (uint32_t k = 0; k < axes; k++)
        vsg_text_add(vsg_grid_cell(&g, 0, k), "%s", s->point[0].axis[k].name);
    for (int k = 0; k < COLUMNS; k++)
        vsg_text_add(vsg_grid_cell(&g, 0, axes + (size_t)k), "%s", head[k]);
    rows = 0;
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        if (!vsg_results_show(r, p->n))
            continue;
        rows++;
        for (uint32_t k = 0; k < axes; k++)
            vsg_text_add(vsg_grid_cell(&g, rows, k), "%s", s->point[p->point].axis[k].text);
        vsg_text_add(vsg_grid_cell(&g, rows, axes + POLICY), "%s",
                     vsg_policy_name[s->policy[p->policy]]);
        figure_row(&g, rows, axes, p);
    }
    g.dropped[axes + REPLICATIONS] = s->replications == 1;
    g.dropped[axes + THEORY] = !any_theory(r);
    for (size_t i = 0; i < sizeof drop_order / sizeof drop_order[0]; i++)
        if (vsg_grid_width(&g) > width)
            g.dropped[axes + drop_order[i]] = true;
    vsg_grid_print(&g, 0, t);
    vsg_grid_free(&g);
    return VSG_OK;
}

/* ---- where the time goes ------------------------------------------------------------------------
 */

static bool has_stages(const struct vsg_point_figures *p)
{
    return p->has_figures && p->figures.latency.count > 0;
}

/* The stages that are not 0 under all policies. Returns how many. */
static size_t used_stages(const struct vsg_point_figures *p, uint32_t policies, int *stage)
{
    size_t used = 0;
    for (int k = 0; k < VSG_STAGE_COUNT; k++) {
        bool zero = true;
        for (uint32_t i = 0; i < policies; i++)
            zero = zero && (!has_stages(&p[i]) || p[i].figures.stage_ps[k] == 0);
        if (!zero)
            stage[used++] = k;
    }
    return used;
}

/* The stages of one point, a row per policy, or a column where the terminal is narrow. */
static enum vsg_status stage_block(const struct vsg_results *r, uint32_t point, unsigned width,
                                   struct vsg_text *t)
{
    uint32_t policies = r->study->policy_count;
    const struct vsg_point_figures *p = &r->point[(size_t)point * policies];
    int stage[VSG_STAGE_COUNT];
    size_t used = used_stages(p, policies, stage);
    struct vsg_grid g;
    enum vsg_status status = vsg_grid_new((size_t)policies + 1, used + 1, &g);
    if (status != VSG_OK)
        return status;
    for (uint32_t i = 0; i < policies; i++)
        vsg_text_add(vsg_grid_cell(&g, i + 1, 0), "%s", vsg_policy_name[r->study->policy[i]]);
    for (size_t k = 0; k < used; k++) {
        vsg_text_add(vsg_grid_cell(&g, 0, k + 1), "%s", vsg_stage_name[stage[k]]);
        for (uint32_t i = 0; i < policies; i++) {
            struct vsg_text *cell = vsg_grid_cell(&g, i + 1, k + 1);
            if (has_stages(&p[i]))
                vsg_text_rounded(cell, p[i].figures.stage_ps[stage[k]], 3, 1, true);
            else
                vsg_text_add(cell, "-");
        }
    }
    if (vsg_grid_width(&g) + 2 > width)
        status = vsg_grid_transpose(&g);
    if (status == VSG_OK) {
        vsg_text_add(t, "\nwhere the time goes, ns%s",
                     r->study->point[point].axis_count > 0 ? ", " : "");
        vsg_words_point(t, &r->study->point[point]);
        vsg_text_add(t, "\n");
        vsg_grid_print(&g, 2, t);
    }
    vsg_grid_free(&g);
    return status;
}

/* Which point differs most between the first policy and any other; the first without two. */
static uint32_t most_telling(const struct vsg_results *r)
{
    uint32_t point = 0;
    int64_t most = -1;
    for (uint32_t i = 0; i < r->comparison_count; i++) {
        const struct vsg_comparison *c = &r->comparison[i];
        if (c->a != 0 || c->diff_ps == VSG_NO_FIGURE)
            continue;
        int64_t size = c->diff_ps < 0 ? -c->diff_ps : c->diff_ps;
        if (size > most) {
            most = size;
            point = c->point;
        }
    }
    return point;
}

static bool point_has_stages(const struct vsg_results *r, uint32_t point)
{
    for (uint32_t i = 0; i < r->study->policy_count; i++)
        if (has_stages(&r->point[(size_t)point * r->study->policy_count + i]))
            return true;
    return false;
}

static enum vsg_status stage_blocks(const struct vsg_results *r, unsigned width, struct vsg_text *t)
{
    enum vsg_status status = VSG_OK;
    bool all = r->study->point_count <= STAGE_POINTS_MAX ||
               (r->outcome->partial && r->outcome->run_count <= STAGE_POINTS_MAX);
    uint32_t only = most_telling(r);
    for (uint32_t i = 0; i < r->study->point_count && status == VSG_OK; i++)
        if ((all || i == only) && point_has_stages(r, i))
            status = stage_block(r, i, width, t);
    return status;
}

/* ---- what it rests on
 * ------------------------------------------------------------------------------ */

static bool any_method(const struct vsg_results *r, enum vsg_method method)
{
    for (uint32_t i = 0; i < r->point_count; i++)
        if (r->point[i].has_figures && r->point[i].figures.latency.method == method)
            return true;
    return false;
}

/* "20 replications", or "10 to 40": with a precision, points may have more or less. */
static void replications_used(const struct vsg_results *r, struct vsg_text *t)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        if (!p->has_figures || p->figures.latency.method != VSG_METHOD_T)
            continue;
        least = p->n < least ? p->n : least;
        most = p->n > most ? p->n : most;
    }
    vsg_text_add(t, "+-: 95 %% intervals, t over %u ", least);
    if (most > least)
        vsg_text_add(t, "to %u ", most);
    vsg_text_add(t, "replications. ");
}

static void basis(const struct vsg_results *r, uint32_t assumed, struct vsg_text *t)
{
    const struct vsg_study *s = r->study;
    bool random = false;
    uint64_t ipis = 0;
    for (uint32_t i = 0; i < s->point_count; i++)
        random = random || vsg_config_is_random(&s->point[i].config);
    for (uint32_t i = 0; i < r->point_count; i++)
        if (r->point[i].has_figures)
            ipis += r->point[i].figures.latency.count;
    if (r->outcome->partial)
        ; /* no claim on the study */
    else if (!random)
        vsg_text_add(t, "deterministic: no random input, so no interval. ");
    else if (any_method(r, VSG_METHOD_T))
        replications_used(r, t);
    else if (any_method(r, VSG_METHOD_BATCHES))
        vsg_text_add(t, "+-: 95 %% intervals, t over %d batches%s. ", VSG_BATCHES,
                     s->replications > 1 ? " of each run" : " of the run");
    else if (any_method(r, VSG_METHOD_UNSTABLE))
        vsg_text_add(t, "no steady state, so no mean and no interval. ");
    else
        vsg_text_add(t,
                     "%u replication%s: %s for an interval; run.replications: %d or more "
                     "gives one. ",
                     s->replications, s->replications > 1 ? "s" : "",
                     any_method(r, VSG_METHOD_CORRELATED) ? "batches too much alike" : "too few",
                     VSG_REPLICATIONS_FOR_CI);
    vsg_text_rounded(t, ipis > INT64_MAX ? INT64_MAX : (int64_t)ipis, 0, 0, true);
    vsg_text_add(t, " IPIs");
    if (assumed != UINT32_MAX)
        vsg_text_add(t, ", %u assumed cost%s%s", assumed, assumed == 1 ? "" : "s",
                     assumed > 0 ? " (vsgisim explain --assumed)" : "");
    vsg_text_add(t, ".");
}

static void agreement(const struct vsg_agreement *a, struct vsg_text *t)
{
    if (!a->asked)
        return;
    if (a->known && a->equal) {
        vsg_text_add(t, "\nparallel and simgrid agree on every IPI, 0 ps apart: ");
        vsg_text_rounded(t, (int64_t)a->ipis, 0, 0, true);
        vsg_text_add(t, " IPIs in %u run%s.", a->runs, a->runs == 1 ? "" : "s");
    } else {
        vsg_text_add(t, a->known ? "\nparallel and simgrid DISAGREE: "
                                 : "\nparallel and simgrid were not compared: ");
    }
    if (a->reason)
        vsg_text_add(t, "%s%s.", a->known && a->equal ? " " : "", a->reason);
    if (a->has_first)
        vsg_text_add(t,
                     " First different IPI: run %u, sender %u, send %llu: %llu ps in parallel, "
                     "%llu ps in simgrid.",
                     a->run, a->sender, (unsigned long long)a->n,
                     (unsigned long long)a->latency_ps[VSG_ENGINE_PARALLEL],
                     (unsigned long long)a->latency_ps[VSG_ENGINE_SIMGRID]);
}

static enum vsg_status wrapped_basis(const struct vsg_results *r, unsigned width, uint32_t assumed,
                                     struct vsg_text *t)
{
    struct vsg_text words = {0};
    char *text = NULL;
    basis(r, assumed, &words);
    agreement(&r->outcome->agreement, &words);
    enum vsg_status status = vsg_text_take(&words, &text);
    if (status == VSG_OK) {
        vsg_text_put(t, "\n", 1);
        vsg_words_wrap(t, text, width);
    }
    free(text);
    return status;
}

enum vsg_status vsg_report_table(const struct vsg_results *r, unsigned width, uint32_t assumed,
                                 char **text)
{
    struct vsg_text t = {0};
    char *answer = NULL;
    enum vsg_status status = vsg_report_answer(r, &answer);
    if (status == VSG_OK) {
        vsg_words_wrap(&t, answer, width);
        vsg_text_put(&t, "\n", 1);
        status = figure_table(r, width, &t);
    }
    if (status == VSG_OK && r->outcome->done > 0)
        status = stage_blocks(r, width, &t);
    if (status == VSG_OK && r->outcome->done > 0)
        status = wrapped_basis(r, width, assumed, &t);
    free(answer);
    if (status == VSG_OK)
        return vsg_text_take(&t, text);
    vsg_text_free(&t);
    return status;
}
