/* What `vsgisim compare` prints. */
#include <stdlib.h>
#include <string.h>

#include "study/compare.h"
#include "study/grid.h"
#include "study/words.h"

enum { PPM = 1000000, CLAUSES_MAX = 4, ALL_METRICS_POINTS = 6 };

/* ---- words ------------------------------------------------------------------------------------
 */

/* "interconnect.link.latency_ns 50, workload.kind poisson"; nothing without axes. */
static void add_axes(struct vsg_text *t, const json_t *axes)
{
    const char *name;
    json_t *value;
    bool first = true;
    json_object_foreach ((json_t *)(uintptr_t)axes, name, value) {
        char *dump = json_is_string(value) ? strdup(json_string_value(value))
                                           : json_dumps(value, JSON_ENCODE_ANY);
        vsg_text_add(t, "%s%s %s", first ? "" : ", ", name, dump ? dump : "");
        if (!dump)
            t->failed = true;
        free(dump);
        first = false;
    }
}

static void add_where(struct vsg_text *t, const json_t *axes)
{
    if (json_object_size(axes) > 0) {
        vsg_text_add(t, " at ");
        add_axes(t, axes);
    }
}

/* "50.1 +- 0.5 ns (-6.6 %)": how much, without sign. */
static void add_size(struct vsg_text *t, const struct vsg_difference *d)
{
    int64_t size = d->diff_ps < 0 ? -d->diff_ps : d->diff_ps;
    vsg_words_mean(t, size, d->low_ps, d->high_ps);
    if (d->ratio_ppm == VSG_NO_FIGURE)
        return;
    vsg_text_add(t, " (");
    vsg_words_change(t, d->ratio_ppm);
    vsg_text_add(t, ")");
}

static void add_not_shown(struct vsg_text *t, const struct vsg_compared *p,
                          const struct vsg_difference *d)
{
    if (d->low_ps == 0 && d->high_ps == 0) {
        vsg_text_add(t, "no difference in any replication");
        return;
    }
    vsg_text_add(t, "no difference that these runs can show (+-");
    int64_t half_ps = (d->high_ps - d->low_ps + 1) / 2;
    vsg_text_rounded(t, half_ps, 3, vsg_words_places(half_ps), true);
    vsg_text_add(t, " ns");
    if (d->needed != VSG_NO_FIGURE && d->needed > (int64_t)p->n) {
        vsg_text_add(t, "; ");
        vsg_text_rounded(t, d->needed, 0, 0, true);
        vsg_text_add(t, " replications would show 1 %%");
    } else if (d->needed != VSG_NO_FIGURE) {
        vsg_text_add(t, ", less than 1 %%");
    }
    vsg_text_add(t, ")");
}

/* Why a figure is not there. */
static const char *missing(const struct vsg_difference *d)
{
    return d->method == VSG_METHOD_UNSTABLE || d->method == VSG_METHOD_NOT_STEADY
               ? vsg_method_name[d->method]
               : "too few IPIs";
}

/* The mean at one point. */
static void add_clause(struct vsg_text *t, const struct vsg_comparison_of *c,
                       const struct vsg_compared *p, bool first)
{
    const struct vsg_difference *d = &p->of[VSG_METRIC_MEAN];
    if (d->diff_ps == VSG_NO_FIGURE) {
        vsg_text_add(t, "%s and %s cannot be compared (%s)", c->a.label, c->b.label, missing(d));
    } else if (d->verdict != VSG_NO_DIFFERENCE) {
        vsg_text_add(t, first ? "%s is %s than %s by " : "%s%s%s by ", first ? c->b.label : "",
                     vsg_verdict_name[d->verdict], first ? c->a.label : "");
        add_size(t, d);
    } else {
        if (first)
            vsg_text_add(t, "%s against %s: ", c->b.label, c->a.label);
        if (d->low_ps != VSG_NO_FIGURE) {
            add_not_shown(t, p, d);
        } else if (d->method == VSG_METHOD_DETERMINISTIC) {
            vsg_text_add(t, "no difference");
        } else {
            vsg_text_add(t, "%s", d->diff_ps > 0 ? "+" : "");
            vsg_text_rounded(t, d->diff_ps, 3, 1, true);
            vsg_text_add(t, " ns, but without an interval (%s) nobody can say whether by chance",
                         vsg_method_name[d->method]);
        }
    }
    add_where(t, p->point);
}

static void add_summary(struct vsg_text *t, const struct vsg_comparison_of *c)
{
    bool any = false;
    vsg_text_add(t, "%s against %s: ", c->b.label, c->a.label);
    for (int v = VSG_VERDICT_COUNT - 1; v >= 0; v--) {
        int64_t least = INT64_MAX, most = 0;
        uint32_t found = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            const struct vsg_difference *d = &c->point[i].of[VSG_METRIC_MEAN];
            if ((int)d->verdict != v)
                continue;
            int64_t size = d->diff_ps < 0 ? -d->diff_ps : d->diff_ps;
            found++;
            least = size < least ? size : least;
            most = size > most ? size : most;
        }
        if (found == 0)
            continue;
        vsg_text_add(t, "%s%s at %u of %u points", any ? "; " : "", vsg_verdict_name[v], found,
                     c->count);
        any = true;
        if (v == VSG_NO_DIFFERENCE)
            continue;
        vsg_text_add(t, ", by ");
        vsg_text_rounded(t, least, 3, 1, true);
        if (least != most) {
            vsg_text_add(t, " to ");
            vsg_text_rounded(t, most, 3, 1, true);
        }
        vsg_text_add(t, " ns");
    }
}

static void add_answer(struct vsg_text *t, const struct vsg_comparison_of *c)
{
    for (uint32_t i = 0; i < c->count && c->count <= CLAUSES_MAX; i++) {
        vsg_text_add(t, "%s", i > 0 ? "; " : "");
        add_clause(t, c, &c->point[i], i == 0);
    }
    if (c->count > CLAUSES_MAX)
        add_summary(t, c);
    vsg_text_add(t, ".");
}

/* ---- the table --------------------------------------------------------------------------------
 */

enum column { FIGURE, OF_A, OF_B, CHANGE, DIFFERENCE, VERDICT, COLUMNS };

static bool is_wanted(enum vsg_metric m, const struct vsg_comparison_of *c,
                      const struct vsg_limit *limit, size_t limits)
{
    for (size_t k = 0; k < limits; k++)
        if (limit[k].metric == m)
            return true;
    return c->count <= ALL_METRICS_POINTS ? m != VSG_METRIC_P90
                                          : m == VSG_METRIC_MEAN || m == VSG_METRIC_P99;
}

static void add_row(struct vsg_grid *g, size_t row, size_t first, const struct vsg_difference *d,
                    enum vsg_metric m)
{
    static const char *const dash = "-";
    struct vsg_text *change = vsg_grid_cell(g, row, first + CHANGE);
    struct vsg_text *difference = vsg_grid_cell(g, row, first + DIFFERENCE);
    vsg_text_add(vsg_grid_cell(g, row, first + FIGURE), "%s", vsg_metric_name[m]);
    vsg_words_mean(vsg_grid_cell(g, row, first + OF_A), d->a_ps, VSG_NO_FIGURE, VSG_NO_FIGURE);
    vsg_words_mean(vsg_grid_cell(g, row, first + OF_B), d->b_ps, VSG_NO_FIGURE, VSG_NO_FIGURE);
    if (d->diff_ps == VSG_NO_FIGURE) {
        vsg_text_add(change, "%s", dash);
        vsg_text_add(difference, "%s", dash);
        vsg_text_add(vsg_grid_cell(g, row, first + VERDICT), "%s", missing(d));
        return;
    }
    if (d->ratio_ppm == VSG_NO_FIGURE)
        vsg_text_add(change, "%s", dash);
    vsg_words_change(change, d->ratio_ppm);
    vsg_text_add(difference, "%s", d->diff_ps > 0 ? "+" : "");
    vsg_words_mean(difference, d->diff_ps, d->low_ps, d->high_ps);
    bool none = d->low_ps == VSG_NO_FIGURE && d->method != VSG_METHOD_DETERMINISTIC;
    vsg_text_add(vsg_grid_cell(g, row, first + VERDICT), "%s",
                 none ? "no interval" : vsg_verdict_name[d->verdict]);
}

static enum vsg_status add_table(struct vsg_text *t, const struct vsg_comparison_of *c,
                                 const struct vsg_limit *limit, size_t limits, unsigned width)
{
    static const char *const head[COLUMNS] = {"figure", "", "", "change", "difference", "verdict"};
    size_t axes = c->count > 0 ? json_object_size(c->point[0].point) : 0, metrics = 0, row = 1;
    struct vsg_grid g;
    for (int m = 0; m < VSG_METRIC_COUNT; m++)
        metrics += is_wanted((enum vsg_metric)m, c, limit, limits);
    enum vsg_status status = vsg_grid_new(c->count * metrics + 1, axes + COLUMNS, &g);
    if (status != VSG_OK)
        return status;
    for (int k = 0; k < COLUMNS; k++)
        vsg_text_add(vsg_grid_cell(&g, 0, axes + (size_t)k), "%s",
                     k == OF_A   ? c->a.label
                     : k == OF_B ? c->b.label
                                 : head[k]);
    for (uint32_t i = 0; i < c->count; i++)
        for (int m = 0; m < VSG_METRIC_COUNT; m++) {
            const char *name;
            json_t *value;
            size_t k = 0;
            if (!is_wanted((enum vsg_metric)m, c, limit, limits))
                continue;
            json_object_foreach ((json_t *)(uintptr_t)c->point[i].point, name, value) {
                char *dump = json_is_string(value) ? strdup(json_string_value(value))
                                                   : json_dumps(value, JSON_ENCODE_ANY);
                if (i == 0 && row == 1)
                    vsg_text_add(vsg_grid_cell(&g, 0, k), "%s", name);
                vsg_text_add(vsg_grid_cell(&g, row, k++), "%s", dump ? dump : "?");
                free(dump);
            }
            add_row(&g, row++, axes, &c->point[i].of[m], (enum vsg_metric)m);
        }
    if (vsg_grid_width(&g) > width)
        g.dropped[axes + CHANGE] = true;
    vsg_grid_print(&g, 0, t);
    vsg_grid_free(&g);
    return VSG_OK;
}

static void add_basis(struct vsg_text *t, const struct vsg_comparison_of *c)
{
    bool pairs = false, batches = false;
    uint32_t n = UINT32_MAX;
    for (uint32_t i = 0; i < c->count; i++)
        for (int m = 0; m < VSG_METRIC_COUNT; m++) {
            pairs |= c->point[i].of[m].method == VSG_METHOD_PAIRED_T;
            batches |= c->point[i].of[m].method == VSG_METHOD_BATCHES;
            n = c->point[i].n < n ? c->point[i].n : n;
        }
    if (!pairs && !batches)
        return;
    vsg_text_add(t, "\n+-: 95 %% intervals");
    if (c->count > 1)
        vsg_text_add(t, ", together over the %u points", c->count);
    if (pairs)
        vsg_text_add(t, ", t over paired replications (%u or more)", n);
    else
        vsg_text_add(t, " by batches of single runs");
    vsg_text_add(t, ".\n");
}

/* ---- limits -------------------------------------------------------------------------------------
 */

static void add_change(struct vsg_text *t, const struct vsg_limit *l,
                       const struct vsg_difference *d)
{
    if (l->relative) {
        vsg_words_change(t, d->ratio_ppm);
    } else {
        vsg_text_add(t, "%s", d->diff_ps > 0 ? "+" : "");
        vsg_text_rounded(t, d->diff_ps, 3, 1, true);
        vsg_text_add(t, " ns");
    }
}

/* One line per limit: held, or where it was broken first and worst. */
static void add_limit(struct vsg_text *t, const struct vsg_comparison_of *c,
                      const struct vsg_limit *l)
{
    const struct vsg_compared *shown = NULL;
    enum vsg_beyond worst = VSG_WITHIN;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        enum vsg_beyond beyond = vsg_limit_check(l, &c->point[i].of[l->metric]);
        if (beyond > worst) {
            worst = beyond;
            shown = &c->point[i];
        }
        count += beyond >= VSG_BEYOND;
    }
    vsg_text_add(t, "%s: %s", l->text, worst >= VSG_BEYOND ? "FAILED, " : "held");
    if (!shown) {
        vsg_text_add(t, "\n");
        return;
    }
    const struct vsg_difference *d = &shown->of[l->metric];
    if (worst == VSG_UNJUDGED) {
        vsg_text_add(t, "%s has no %s here (%s)",
                     d->a_ps == VSG_NO_FIGURE ? c->a.label : c->b.label, vsg_metric_name[l->metric],
                     missing(d));
    } else {
        vsg_text_add(t, worst == VSG_BEYOND ? "" : "; ");
        add_change(t, l, d);
        if (worst == VSG_BEYOND_NOT_SHOWN)
            vsg_text_add(t, " may be chance");
    }
    add_where(t, shown->point);
    if (count > 1)
        vsg_text_add(t, ", and at %u more point%s", count - 1, count > 2 ? "s" : "");
    vsg_text_add(t, "\n");
}

enum vsg_status vsg_compare_table(const struct vsg_comparison_of *all, size_t count,
                                  const struct vsg_limit *limit, size_t limits, unsigned width,
                                  char **text)
{
    struct vsg_text t = {0};
    enum vsg_status status = VSG_OK;
    for (size_t i = 0; i < count && status == VSG_OK; i++) {
        struct vsg_text answer = {0};
        vsg_text_add(&t, "%s", i > 0 ? "\n" : "");
        add_answer(&answer, &all[i]);
        status = answer.failed ? VSG_ENOMEM : VSG_OK;
        if (status == VSG_OK) {
            vsg_words_wrap(&t, answer.bytes, width);
            vsg_text_add(&t, "\n");
            status = add_table(&t, &all[i], limit, limits, width);
        }
        vsg_text_free(&answer);
        add_basis(&t, &all[i]);
        vsg_text_add(&t, "%s", limits > 0 ? "\n" : "");
        for (size_t k = 0; k < limits; k++)
            add_limit(&t, &all[i], &limit[k]);
    }
    if (status == VSG_OK)
        return vsg_text_take(&t, text);
    vsg_text_free(&t);
    return status;
}

/* ---- JSON
 * ----------------------------------------------------------------------------------------- */

static void add_figure(struct vsg_json *j, const char *key, int64_t value, unsigned decimals)
{
    if (value == VSG_NO_FIGURE)
        vsg_json_null(j, key);
    else
        vsg_json_decimal(j, key, value, decimals);
}

static void add_difference(struct vsg_json *j, const char *key, const struct vsg_difference *d)
{
    vsg_json_open(j, key, '{', true);
    add_figure(j, "a_ns", d->a_ps, 3);
    add_figure(j, "b_ns", d->b_ps, 3);
    add_figure(j, "diff_ns", d->diff_ps, 3);
    add_figure(j, "ratio", d->ratio_ppm, 6);
    if (d->low_ps == VSG_NO_FIGURE) {
        vsg_json_null(j, "ci95");
    } else {
        vsg_json_open(j, "ci95", '[', true);
        vsg_json_decimal(j, NULL, d->low_ps, 3);
        vsg_json_decimal(j, NULL, d->high_ps, 3);
        vsg_json_close(j, ']');
    }
    vsg_json_text(j, "verdict", vsg_verdict_name[d->verdict]);
    vsg_json_text(j, "method", vsg_method_name[d->method]);
    add_figure(j, "replications_for_1_percent", d->needed, 0);
    vsg_json_close(j, '}');
}

static void add_side(struct vsg_json *j, const char *key, const struct vsg_side *s)
{
    vsg_json_open(j, key, '{', true);
    vsg_json_text(j, "label", s->label);
    vsg_json_text(j, "scenario", json_string_value(json_object_get(s->results, "scenario")));
    vsg_json_text(j, "policy", s->policy);
    vsg_json_close(j, '}');
}

static void add_axes_json(struct vsg_json *j, const json_t *axes)
{
    char *dump = json_dumps(axes, JSON_PRESERVE_ORDER);
    if (!dump)
        j->text->failed = true;
    else
        vsg_json_raw(j, "point", dump);
    free(dump);
}

static void add_limit_json(struct vsg_json *j, const struct vsg_comparison_of *all, size_t count,
                           const struct vsg_limit *l)
{
    static const char *const word[] = {"within", "not shown", "beyond", "not judged"};
    enum vsg_beyond worst = VSG_WITHIN;
    for (size_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < all[i].count; p++) {
            enum vsg_beyond beyond = vsg_limit_check(l, &all[i].point[p].of[l->metric]);
            worst = beyond > worst ? beyond : worst;
        }
    vsg_json_open(j, NULL, '{', true);
    vsg_json_text(j, "fail_if", l->text);
    vsg_json_bool(j, "failed", worst >= VSG_BEYOND);
    vsg_json_text(j, "worst", word[worst]);
    vsg_json_close(j, '}');
}

enum vsg_status vsg_compare_json(const struct vsg_comparison_of *all, size_t count,
                                 const struct vsg_limit *limit, size_t limits, char **text)
{
    struct vsg_text t = {0};
    struct vsg_json j = {.text = &t};
    vsg_json_open(&j, NULL, '{', false);
    vsg_json_text(&j, "version", json_string_value(json_object_get(all[0].a.results, "version")));
    vsg_json_open(&j, "pairs", '[', false);
    for (size_t i = 0; i < count; i++) {
        vsg_json_open(&j, NULL, '{', false);
        add_side(&j, "a", &all[i].a);
        add_side(&j, "b", &all[i].b);
        vsg_json_open(&j, "points", '[', false);
        for (uint32_t p = 0; p < all[i].count; p++) {
            vsg_json_open(&j, NULL, '{', false);
            add_axes_json(&j, all[i].point[p].point);
            vsg_json_uint(&j, "n", all[i].point[p].n);
            for (int m = 0; m < VSG_METRIC_COUNT; m++)
                add_difference(&j, m == VSG_METRIC_P99_9 ? "p99_9" : vsg_metric_name[m],
                               &all[i].point[p].of[m]);
            vsg_json_close(&j, '}');
        }
        vsg_json_close(&j, ']');
        vsg_json_close(&j, '}');
    }
    vsg_json_close(&j, ']');
    vsg_json_open(&j, "limits", '[', false);
    for (size_t k = 0; k < limits; k++)
        add_limit_json(&j, all, count, &limit[k]);
    vsg_json_close(&j, ']');
    vsg_json_bool(&j, "failed", vsg_compare_fails(all, count, limit, limits));
    vsg_json_close(&j, '}');
    vsg_text_add(&t, "\n");
    return vsg_text_take(&t, text);
}
