/* Data files of the plots (plots.h), and what their columns mean. */
#include <stdlib.h>
#include <string.h>

#include "study/exact.h"
#include "study/plots.h"

enum { PPM = 1000000 };

static const struct vsg_plot_column column[] = {
    {"percentiles", "series", NULL, "policy and point of the sweep"},
    {"percentiles", "percentile", "1", "share p of the IPIs that take at most latency_ns"},
    {"percentiles", "inverse", "1", "1 / (1 - p): one IPI in so many takes longer"},
    {"percentiles", "latency_ns", "ns", "the percentile; at most 0.1 % too high"},
    {"ccdf", "series", NULL, "policy and point of the sweep"},
    {"ccdf", "latency_ns", "ns", "a latency; at most 0.1 % too high"},
    {"ccdf", "share_above", "1", "share of the IPIs that take longer"},
    {"latency", "axis", NULL, "name of the axis, ending in its unit"},
    {"latency", "series", NULL, "policy, and values of axes other than this"},
    {"latency", "x", "axis", "value of the axis"},
    {"latency", "mean_ns", "ns", "mean latency; empty without a steady state"},
    {"latency", "low_ns", "ns", "lower end of its 95 % interval; empty: there is none"},
    {"latency", "high_ns", "ns", "upper end"},
    {"latency", "p99_ns", "ns", "99th percentile"},
    {"latency", "steady", "1", "1, or 0: no steady state, so no mean"},
    {"gain", "axis", NULL, "name of the axis, ending in its unit"},
    {"gain", "series", NULL, "which policy over which, and values of other axes"},
    {"gain", "x", "axis", "value of the axis"},
    {"gain", "gain", "1", "share of the mean latency saved; below 0: lost"},
    {"gain", "low", "1", "lower end of its 95 % interval, simultaneous over the study"},
    {"gain", "high", "1", "upper end"},
    {"gain", "gain_ns", "ns", "mean latency saved"},
    {"gain", "verdict", NULL, "faster, slower, no difference shown; empty: cannot be compared"},
    {"heatmap", "series", NULL, "policy and point of the sweep"},
    {"heatmap", "from_node", "1", "node of the sender"},
    {"heatmap", "to_node", "1", "node of the target"},
    {"heatmap", "count", "1", "IPIs between the two, all replications together"},
    {"heatmap", "mean_ns", "ns", "their mean latency; empty: none, or no steady state"},
    {"utilisation", "series", NULL, "policy and point of the sweep"},
    {"utilisation", "kind", NULL, "its or link"},
    {"utilisation", "server", NULL, "its number, or the name of the link"},
    {"utilisation", "utilisation", "1", "share of the time in which it is busy"},
    {"utilisation", "wait_ns", "ns", "mean wait before it; empty: it served nothing"},
    {"utilisation", "steady", "1", "1, or 0: the series has no steady state"},
};

bool vsg_plot_column(size_t i, struct vsg_plot_column *out)
{
    if (i >= sizeof column / sizeof column[0])
        return false;
    *out = column[i];
    return true;
}

static void header(struct vsg_text *t, const char *file)
{
    const char *between = "";
    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++)
        if (strcmp(column[i].file, file) == 0) {
            vsg_text_add(t, "%s%s", between, column[i].column);
            between = "\t";
        }
    vsg_text_put(t, "\n", 1);
}

/* A tab, and the figure where there is one. */
static void cell(struct vsg_text *t, int64_t value, unsigned decimals)
{
    vsg_text_put(t, "\t", 1);
    if (value != VSG_NO_FIGURE)
        vsg_text_decimal(t, value, decimals);
}

static void series(struct vsg_text *t, const struct vsg_results *r,
                   const struct vsg_point_figures *p, int along)
{
    vsg_plot_series(t, r->study, vsg_policy_name[r->study->policy[p->policy]], p->point, along);
}

/* ---- CCDF ------------------------------------------------------------------------------------
 */

struct ccdf {
    struct vsg_text *t;
    const struct vsg_results *r;
    const struct vsg_point_figures *p;
    uint64_t count;
};

static void ccdf_row(const struct ccdf *c, uint64_t latency_ps, uint64_t above)
{
    series(c->t, c->r, c->p, VSG_PLOT_NO_AXIS);
    cell(c->t, (int64_t)latency_ps, 3);
    cell(c->t, vsg_scale_round(above, PPM * UINT64_C(1000), c->count), 9);
    vsg_text_put(c->t, "\n", 1);
}

/* Rows where the share has fallen by 7 % (a row per 1/32 decade), and the last that enough IPIs are
 * above of. To 0 only in one step from enough: else the end of the line is chance. */
static void ccdf(const struct ccdf *c, const struct vsg_hist *hist)
{
    uint64_t max_ps = (uint64_t)c->p->figures.latency.max_ps, above = c->count, told = c->count,
             pending_ps = 0;
    if (c->count < VSG_SAMPLES_ABOVE)
        return;
    ccdf_row(c, (uint64_t)c->p->figures.latency.min_ps, c->count);
    for (size_t i = 0; i < vsg_hist_bucket_count(hist) && above > 0; i++) {
        uint64_t n = vsg_hist_bucket(hist, i);
        if (n == 0)
            continue;
        if (above - n < VSG_SAMPLES_ABOVE && above - n > 0)
            break;
        above -= n;
        pending_ps = vsg_hist_bucket_top_ps(hist, i);
        pending_ps = pending_ps < max_ps ? pending_ps : max_ps;
        if ((vsg_u128)above * 1000 <= (vsg_u128)told * 930) {
            ccdf_row(c, pending_ps, above);
            told = above;
        }
    }
    if (told != above)
        ccdf_row(c, pending_ps, above);
}

enum vsg_status vsg_plot_ccdf_tsv(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    enum vsg_status status = VSG_OK;
    header(&t, "ccdf");
    for (uint32_t i = 0; i < r->point_count && status == VSG_OK; i++) {
        struct vsg_hist *hist = NULL;
        if (!vsg_plot_has_mean(&r->point[i]))
            continue;
        status = vsg_plot_hist(r, &r->point[i], &hist);
        if (status == VSG_OK && hist) {
            struct ccdf c = {&t, r, &r->point[i], vsg_hist_count(hist)};
            ccdf(&c, hist);
        }
        vsg_hist_free(hist);
    }
    if (status == VSG_OK)
        return vsg_text_take(&t, text);
    vsg_text_free(&t);
    return status;
}

/* ---- along an axis --------------------------------------------------------------------------
 */

/* A row that is to come: files may have the values of an axis in any order, lines may not. */
struct place {
    double x; /* for the order only */
    uint32_t policy, index;
};

static int by_x(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    if (p->policy != q->policy)
        return p->policy < q->policy ? -1 : 1;
    if (p->x < q->x || p->x > q->x)
        return p->x < q->x ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static struct place place(const struct vsg_study *s, int axis, uint32_t policy, uint32_t point,
                          uint32_t index)
{
    return (struct place){strtod(s->point[point].axis[axis].text, NULL), policy, index};
}

static void latency(struct vsg_text *t, const struct vsg_results *r,
                    const struct vsg_point_figures *p, int axis)
{
    const struct vsg_latency_figures *l = &p->figures.latency;
    const struct vsg_axis_value *x = &r->study->point[p->point].axis[axis];
    if (!vsg_plot_has_mean(p) && !vsg_plot_unsteady(p))
        return;
    vsg_text_add(t, "%s\t", x->name);
    series(t, r, p, axis);
    vsg_text_add(t, "\t%s", x->text);
    cell(t, l->mean_ps, 3);
    cell(t, l->ci95_low_ps, 3);
    cell(t, l->ci95_high_ps, 3);
    cell(t, l->percentile_ps[2], 3);
    vsg_text_add(t, "\t%d\n", vsg_plot_has_mean(p));
}

enum vsg_status vsg_plot_latency_tsv(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    int axis = vsg_plot_axis(r->study);
    struct place *row = calloc((size_t)r->point_count + 1, sizeof *row);
    uint32_t rows = 0;
    if (!row)
        return VSG_ENOMEM;
    for (uint32_t i = 0; axis != VSG_PLOT_NO_AXIS && i < r->point_count; i++)
        row[rows++] = place(r->study, axis, r->point[i].policy, r->point[i].point, i);
    qsort(row, rows, sizeof *row, by_x);
    header(&t, "latency");
    for (uint32_t i = 0; i < rows; i++)
        latency(&t, r, &r->point[row[i].index], axis);
    free(row);
    return vsg_text_take(&t, text);
}

/* A difference as a share of a's mean. */
static int64_t saved_ppm(int64_t diff_ps, int64_t mean_ps)
{
    return diff_ps == VSG_NO_FIGURE ? VSG_NO_FIGURE
                                    : vsg_div_round((vsg_i128)-diff_ps * PPM, mean_ps);
}

static void gain(struct vsg_text *t, const struct vsg_results *r, const struct vsg_comparison *c,
                 int axis)
{
    const struct vsg_study *s = r->study;
    const struct vsg_axis_value *x = &s->point[c->point].axis[axis];
    const struct vsg_point_figures *a = &r->point[c->point * s->policy_count + c->a];
    bool comparable =
        c->diff_ps != VSG_NO_FIGURE && vsg_plot_has_mean(a) && a->figures.latency.mean_ps > 0;
    struct vsg_text pair = {0};
    vsg_text_add(&pair, "%s over %s", vsg_policy_name[s->policy[c->b]],
                 vsg_policy_name[s->policy[c->a]]);
    vsg_text_add(t, "%s\t", x->name);
    if (pair.failed)
        t->failed = true;
    else
        vsg_plot_series(t, s, pair.bytes, c->point, axis);
    vsg_text_free(&pair);
    vsg_text_add(t, "\t%s", x->text);
    int64_t mean_ps = comparable ? a->figures.latency.mean_ps : 1;
    int64_t no = VSG_NO_FIGURE;
    cell(t, comparable ? saved_ppm(c->diff_ps, mean_ps) : no, 6);
    cell(t, comparable ? saved_ppm(c->ci95_high_ps, mean_ps) : no, 6);
    cell(t, comparable ? saved_ppm(c->ci95_low_ps, mean_ps) : no, 6);
    cell(t, comparable ? -c->diff_ps : no, 3);
    bool judged =
        comparable && (c->method == VSG_METHOD_DETERMINISTIC || c->ci95_low_ps != VSG_NO_FIGURE);
    vsg_text_add(t, "\t%s\n", judged ? vsg_verdict_name[c->verdict] : "");
}

enum vsg_status vsg_plot_gain_tsv(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    int axis = vsg_plot_axis(r->study);
    struct place *row = calloc((size_t)r->comparison_count + 1, sizeof *row);
    uint32_t rows = 0;
    if (!row)
        return VSG_ENOMEM;
    for (uint32_t i = 0; axis != VSG_PLOT_NO_AXIS && i < r->comparison_count; i++)
        if (r->comparison[i].a == 0)
            row[rows++] = place(r->study, axis, r->comparison[i].b, r->comparison[i].point, i);
    qsort(row, rows, sizeof *row, by_x);
    header(&t, "gain");
    for (uint32_t i = 0; i < rows; i++)
        gain(&t, r, &r->comparison[row[i].index], axis);
    free(row);
    return vsg_text_take(&t, text);
}

/* ---- heat map -------------------------------------------------------------------------------
 */

static void map_rows(struct vsg_text *t, const struct vsg_results *r,
                     const struct vsg_point_figures *p, uint32_t nodes)
{
    const struct vsg_figures *f = &p->figures;
    uint32_t next = 0; /* pairs are in order of from, then to */
    for (uint32_t from = 0; from < nodes; from++)
        for (uint32_t to = 0; to < nodes; to++) {
            const struct vsg_pair_figures *pair = next < f->pair_count ? &f->pair[next] : NULL;
            bool any = pair && pair->from_node == from && pair->to_node == to;
            next += any;
            series(t, r, p, VSG_PLOT_NO_AXIS);
            vsg_text_add(t, "\t%u\t%u\t%llu", from, to,
                         any ? (unsigned long long)pair->count : 0ULL);
            cell(t, any && vsg_plot_has_mean(p) ? pair->mean_ps : VSG_NO_FIGURE, 3);
            vsg_text_put(t, "\n", 1);
        }
}

enum vsg_status vsg_plot_heatmap_tsv(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    header(&t, "heatmap");
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        uint32_t nodes = r->study->point[p->point].config.machine.nodes;
        if (vsg_plot_mapped(r, p->point) && vsg_plot_has_mean(p) && nodes > 1 &&
            nodes <= VSG_PLOT_NODES_MAX)
            map_rows(&t, r, p, nodes);
    }
    return vsg_text_take(&t, text);
}

/* ---- utilisation ----------------------------------------------------------------------------
 */

/* A server of all points: points can have different machines, so names tell them apart. */
struct server {
    bool is_link;
    uint32_t its;
    const char *link; /* NULL: an ITS */
    uint32_t order;   /* of first appearance */
    int64_t busiest_ppm;
};

struct servers {
    struct server *server;
    uint32_t count, room;
};

static int by_name(const void *a, const void *b)
{
    const struct server *x = a, *y = b;
    if (x->is_link != y->is_link)
        return x->is_link ? 1 : -1;
    if (x->is_link && strcmp(x->link, y->link) != 0)
        return strcmp(x->link, y->link);
    if (!x->is_link && x->its != y->its)
        return x->its < y->its ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int by_load(const void *a, const void *b)
{
    const struct server *x = a, *y = b;
    if (x->is_link != y->is_link)
        return x->is_link ? 1 : -1;
    if (x->busiest_ppm != y->busiest_ppm)
        return x->busiest_ppm > y->busiest_ppm ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool add_server(struct servers *l, struct server s)
{
    if (l->count == l->room) {
        uint32_t room = l->room ? 2 * l->room : 64;
        struct server *more = realloc(l->server, room * sizeof *more);
        if (!more)
            return false;
        l->server = more;
        l->room = room;
    }
    s.order = l->count;
    l->server[l->count++] = s;
    return true;
}

static bool add_servers(struct servers *l, const struct vsg_figures *f)
{
    bool well = true;
    for (uint32_t i = 0; i < f->its_count && well; i++)
        if (f->its[i].utilisation_ppm > 0)
            well = add_server(
                l, (struct server){.its = f->its[i].id, .busiest_ppm = f->its[i].utilisation_ppm});
    for (uint32_t i = 0; i < f->link_count && well; i++)
        if (f->link[i].utilisation_ppm > 0)
            well = add_server(l, (struct server){.is_link = true,
                                                 .link = f->link[i].id,
                                                 .busiest_ppm = f->link[i].utilisation_ppm});
    return well;
}

static bool same(const struct server *x, const struct server *y)
{
    return x->is_link == y->is_link &&
           (x->is_link ? strcmp(x->link, y->link) == 0 : x->its == y->its);
}

/* Each once, the busiest VSG_PLOT_SERVERS of each kind, busiest first. */
static void choose_servers(struct servers *l)
{
    uint32_t kept = 0, of_kind[2] = {0, 0};
    if (l->count == 0)
        return;
    qsort(l->server, l->count, sizeof *l->server, by_name);
    for (uint32_t i = 0; i < l->count; i++) {
        struct server s = l->server[i];
        if (kept > 0 && same(&l->server[kept - 1], &s)) {
            if (l->server[kept - 1].busiest_ppm < s.busiest_ppm)
                l->server[kept - 1].busiest_ppm = s.busiest_ppm;
        } else {
            l->server[kept++] = s;
        }
    }
    qsort(l->server, kept, sizeof *l->server, by_load);
    l->count = 0;
    for (uint32_t i = 0; i < kept; i++)
        if (of_kind[l->server[i].is_link]++ < VSG_PLOT_SERVERS)
            l->server[l->count++] = l->server[i];
}

static void utilisation_row(struct vsg_text *t, const struct vsg_results *r,
                            const struct vsg_point_figures *p, const struct server *s)
{
    const struct vsg_figures *f = &p->figures;
    int64_t busy_ppm = VSG_NO_FIGURE, wait_ps = VSG_NO_FIGURE;
    for (uint32_t i = 0; !s->is_link && i < f->its_count; i++)
        if (f->its[i].id == s->its) {
            busy_ppm = f->its[i].utilisation_ppm;
            wait_ps = f->its[i].wait_mean_ps;
        }
    for (uint32_t i = 0; s->is_link && i < f->link_count; i++)
        if (strcmp(f->link[i].id, s->link) == 0) {
            busy_ppm = f->link[i].utilisation_ppm;
            wait_ps = f->link[i].wait_mean_ps;
        }
    if (busy_ppm == VSG_NO_FIGURE)
        return; /* not in this point's machine */
    series(t, r, p, VSG_PLOT_NO_AXIS);
    if (s->is_link)
        vsg_text_add(t, "\tlink\t%s", s->link);
    else
        vsg_text_add(t, "\tits\t%u", s->its);
    cell(t, busy_ppm, 6);
    cell(t, wait_ps, 3);
    vsg_text_add(t, "\t%d\n", vsg_plot_has_mean(p));
}

enum vsg_status vsg_plot_utilisation_tsv(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    struct servers l = {0};
    bool well = true;
    for (uint32_t i = 0; i < r->point_count && well; i++)
        if (r->point[i].has_figures)
            well = add_servers(&l, &r->point[i].figures);
    choose_servers(&l);
    header(&t, "utilisation");
    for (uint32_t k = 0; k < l.count && well; k++)
        for (uint32_t i = 0; i < r->point_count; i++)
            if (r->point[i].has_figures)
                utilisation_row(&t, r, &r->point[i], &l.server[k]);
    free(l.server);
    if (well)
        return vsg_text_take(&t, text);
    vsg_text_free(&t);
    return VSG_ENOMEM;
}
