#include "study/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/stats.h"
#include "study/intervals.h"
#include "study/quantity.h"

enum { PPM = 1000000 };

const char *const vsg_metric_name[VSG_METRIC_COUNT] = {"mean", "p50", "p90", "p99", "p99.9", "max"};
/* Their names in results, and those of their intervals. */
static const char *const member[VSG_METRIC_COUNT] = {"mean", "p50", "p90", "p99", "p99_9", "max"};
static const char *const interval[VSG_METRIC_COUNT] = {"ci95",     "p50_ci95",   "p90_ci95",
                                                       "p99_ci95", "p99_9_ci95", NULL};

/* ---- reading results ------------------------------------------------------------------------ */

/* Nanoseconds with three decimals as whole picoseconds. */
static int64_t to_ps(const json_t *ns)
{
    if (!json_is_number(ns))
        return VSG_NO_FIGURE;
    double ps = json_number_value(ns) * 1000;
    return (int64_t)(ps + (ps < 0 ? -0.5 : 0.5));
}

static int64_t figure(const json_t *of, enum vsg_metric m)
{
    return to_ps(json_object_get(json_object_get(of, "latency_ns"), member[m]));
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool is_done(const json_t *run)
{
    return strcmp(text_of(run, "status"), "done") == 0;
}

bool vsg_compare_is_results(const json_t *results, char *why, size_t why_size)
{
    static const char *const list[] = {"runs", "points"};
    const char *missing = NULL;
    if (!json_is_object(results))
        missing = "it is no object";
    else if (!json_is_string(json_object_get(results, "version")))
        missing = "it has no version";
    for (size_t i = 0; i < 2 && !missing; i++) {
        const json_t *items = json_object_get(results, list[i]);
        if (!json_is_array(items))
            missing = "it has no lists of runs and points";
        for (size_t k = 0; k < json_array_size(items) && !missing; k++)
            if (!json_is_object(json_object_get(json_array_get(items, k), "point")) ||
                !json_is_string(json_object_get(json_array_get(items, k), "policy")))
                missing = "a run or point has no axes or policy";
    }
    if (missing)
        snprintf(why, why_size, "%s", missing);
    return !missing;
}

const char *vsg_compare_policy(const json_t *results, size_t i)
{
    const json_t *points = json_object_get(results, "points");
    size_t found = 0;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const char *policy = text_of(json_array_get(points, k), "policy");
        bool again = false;
        for (size_t j = 0; j < k && !again; j++)
            again = strcmp(text_of(json_array_get(points, j), "policy"), policy) == 0;
        if (!again && found++ == i)
            return policy;
    }
    return NULL;
}

/* The point of a policy with these axes. */
static const json_t *find_point(const struct vsg_side *side, const json_t *axes)
{
    const json_t *points = json_object_get(side->results, "points");
    for (size_t i = 0; i < json_array_size(points); i++) {
        const json_t *p = json_array_get(points, i);
        if (strcmp(text_of(p, "policy"), side->policy) == 0 &&
            json_equal(json_object_get(p, "point"), axes))
            return p;
    }
    return NULL;
}

/* ---- whether they fit -------------------------------------------------------------------------
 */

static void list_axes(const json_t *axes, char *text, size_t size)
{
    const char *name;
    json_t *value;
    size_t used = 0;
    snprintf(text, size, "no axes");
    json_object_foreach ((json_t *)(uintptr_t)axes, name, value) {
        (void)value;
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
        used += n > 0 && (size_t)n < size - used ? (size_t)n : 0;
    }
}

static bool same_axes(const json_t *a, const json_t *b)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)a, name, value) {
        (void)value;
        if (!json_object_get(b, name))
            return false;
    }
    return json_object_size(a) == json_object_size(b);
}

static void show_point(const json_t *axes, char *text, size_t size)
{
    char *dump = json_dumps(axes, JSON_ENCODE_ANY | JSON_PRESERVE_ORDER);
    snprintf(text, size, "%s", dump ? dump : "");
    free(dump);
}

static enum vsg_status check_versions(const struct vsg_side *a, const struct vsg_side *b, char *why,
                                      size_t why_size)
{
    const char *va = text_of(a->results, "version"), *vb = text_of(b->results, "version");
    if (strcmp(va, vb) == 0)
        return VSG_OK;
    snprintf(why, why_size,
             "%s is of version %s and %s of %s: a difference may be the program's; run both with "
             "one version",
             a->label, va, b->label, vb);
    return VSG_EINVAL;
}

static enum vsg_status check_policy(const struct vsg_side *s, char *why, size_t why_size)
{
    const char *name;
    int used = snprintf(why, why_size, "%s has no policy %s; it has", s->label, s->policy);
    for (size_t i = 0; (name = vsg_compare_policy(s->results, i)); i++) {
        if (strcmp(name, s->policy) == 0)
            return VSG_OK;
        if (used > 0 && (size_t)used < why_size)
            used += snprintf(why + used, why_size - (size_t)used, "%s %s", i ? "," : "", name);
    }
    return VSG_EINVAL;
}

/* Every point of one side is there on the other. */
static enum vsg_status check_points(const struct vsg_side *a, const struct vsg_side *b, char *why,
                                    size_t why_size)
{
    const json_t *points = json_object_get(a->results, "points");
    const json_t *other =
        json_object_get(json_array_get(json_object_get(b->results, "points"), 0), "point");
    char mine[300], theirs[300];
    for (size_t i = 0; i < json_array_size(points); i++) {
        const json_t *p = json_array_get(points, i), *axes = json_object_get(p, "point");
        if (strcmp(text_of(p, "policy"), a->policy) != 0)
            continue;
        if (!same_axes(axes, other)) {
            list_axes(axes, mine, sizeof mine);
            list_axes(other, theirs, sizeof theirs);
            snprintf(why, why_size, "%s has %s, %s has %s: their points cannot be matched",
                     a->label, mine, b->label, theirs);
            return VSG_EINVAL;
        }
        if (!find_point(b, axes)) {
            show_point(axes, mine, sizeof mine);
            snprintf(why, why_size, "%s has no point %s of policy %s, which %s has", b->label, mine,
                     b->policy, a->label);
            return VSG_EINVAL;
        }
    }
    return VSG_OK;
}

/* ---- differences ------------------------------------------------------------------------------
 */

/* The run of a replication: of two engines, the first. */
static const json_t *find_run(const struct vsg_side *side, const json_t *axes, json_int_t number)
{
    const json_t *runs = json_object_get(side->results, "runs");
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *r = json_array_get(runs, i);
        if (json_integer_value(json_object_get(r, "replication")) == number && is_done(r) &&
            strcmp(text_of(r, "policy"), side->policy) == 0 &&
            json_equal(json_object_get(r, "point"), axes))
            return r;
    }
    return NULL;
}

struct work {
    const struct vsg_side *a, *b;
    const json_t *axes;
    const json_t **run_a, **run_b; /* [n] common replications */
    double *difference;            /* [n] scratch */
    uint32_t n;
    double level;
};

static enum vsg_status find_pairs(struct work *w)
{
    const json_t *runs = json_object_get(w->a->results, "runs");
    size_t room = json_array_size(runs) + 1;
    json_int_t last = -1;
    w->n = 0;
    w->run_a = calloc(room, sizeof *w->run_a);
    w->run_b = calloc(room, sizeof *w->run_b);
    w->difference = calloc(room, sizeof *w->difference);
    if (!w->run_a || !w->run_b || !w->difference)
        return VSG_ENOMEM;
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *r = json_array_get(runs, i);
        json_int_t number = json_integer_value(json_object_get(r, "replication"));
        if (!is_done(r) || strcmp(text_of(r, "policy"), w->a->policy) != 0 ||
            !json_equal(json_object_get(r, "point"), w->axes) || number == last)
            continue;
        last = number;
        const json_t *other = find_run(w->b, w->axes, number);
        if (!other)
            continue;
        w->run_a[w->n] = r;
        w->run_b[w->n++] = other;
    }
    return VSG_OK;
}

static void free_pairs(struct work *w)
{
    free((void *)w->run_a);
    free((void *)w->run_b);
    free(w->difference);
}

/* Half the interval over paired replications. False: a replication lacks the figure, or too few. */
static bool half_of_pairs(const struct work *w, enum vsg_metric m, int64_t *half_ps)
{
    struct vsg_interval found;
    if (w->n < VSG_REPLICATIONS_FOR_CI || !interval[m])
        return false;
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t a = figure(w->run_a[i], m), b = figure(w->run_b[i], m);
        if (a == VSG_NO_FIGURE || b == VSG_NO_FIGURE)
            return false;
        w->difference[i] = (double)(b - a);
    }
    if (vsg_mean_interval(w->difference, w->n, w->level, &found) != VSG_OK)
        return false;
    *half_ps = (int64_t)(found.half_width + 0.5);
    return true;
}

/* Half the width of a point's own interval, in ps; negative: it has none. */
static double half_of(const json_t *point, enum vsg_metric m)
{
    const json_t *ci =
        interval[m] ? json_object_get(json_object_get(point, "latency_ns"), interval[m]) : NULL;
    if (json_array_size(ci) != 2)
        return -1;
    return (double)(to_ps(json_array_get(ci, 1)) - to_ps(json_array_get(ci, 0))) / 2;
}

/* What the results themselves say of two of their policies' means, paired batch by batch. */
static bool half_of_results(const struct work *w, int64_t *half_ps)
{
    const json_t *all = json_object_get(w->a->results, "comparisons");
    for (size_t i = 0; w->a->results == w->b->results && i < json_array_size(all); i++) {
        const json_t *c = json_array_get(all, i), *ci = json_object_get(c, "ci95");
        const char *a = text_of(c, "a"), *b = text_of(c, "b");
        bool straight = strcmp(a, w->a->policy) == 0 && strcmp(b, w->b->policy) == 0;
        bool crossed = strcmp(a, w->b->policy) == 0 && strcmp(b, w->a->policy) == 0;
        if ((!straight && !crossed) || json_array_size(ci) != 2 ||
            !json_equal(json_object_get(c, "point"), w->axes))
            continue;
        *half_ps = (to_ps(json_array_get(ci, 1)) - to_ps(json_array_get(ci, 0)) + 1) / 2;
        return true;
    }
    return false;
}

/* Few replications: by batches. */
static bool half_of_batches(const struct work *w, enum vsg_metric m, const json_t *pa,
                            const json_t *pb, int64_t *half_ps)
{
    double a = half_of(pa, m), b = half_of(pb, m);
    if (w->n >= VSG_REPLICATIONS_FOR_CI)
        return false;
    if (m == VSG_METRIC_MEAN && half_of_results(w, half_ps))
        return true;
    if (a < 0 || b < 0)
        return false;
    double wider =
        vsg_t_quantile(w->level, VSG_BATCHES - 1) / vsg_t_quantile(0.95, VSG_BATCHES - 1);
    *half_ps = (int64_t)(sqrt(a * a + b * b) * wider + 0.5);
    return true;
}

static enum vsg_method why_none(const json_t *point)
{
    const char *method = text_of(json_object_get(point, "latency_ns"), "method");
    for (int i = 0; i < VSG_METHOD_COUNT; i++)
        if (strcmp(vsg_method_name[i], method) == 0)
            return (enum vsg_method)i;
    return VSG_METHOD_SINGLE_RUN;
}

static void judge(struct vsg_difference *d, int64_t half_ps)
{
    if (d->diff_ps + half_ps < 0)
        d->verdict = VSG_FASTER;
    else if (d->diff_ps - half_ps > 0)
        d->verdict = VSG_SLOWER;
}

static void differ(const struct work *w, enum vsg_metric m, const json_t *pa, const json_t *pb,
                   struct vsg_difference *d)
{
    enum vsg_method ma = why_none(pa), mb = why_none(pb);
    int64_t half_ps = 0;
    *d = (struct vsg_difference){.a_ps = figure(pa, m),
                                 .b_ps = figure(pb, m),
                                 .diff_ps = VSG_NO_FIGURE,
                                 .ratio_ppm = VSG_NO_FIGURE,
                                 .low_ps = VSG_NO_FIGURE,
                                 .high_ps = VSG_NO_FIGURE,
                                 .needed = VSG_NO_FIGURE,
                                 .verdict = VSG_NO_DIFFERENCE,
                                 .method = mb > ma ? mb : ma};
    if (d->a_ps == VSG_NO_FIGURE || d->b_ps == VSG_NO_FIGURE || ma == VSG_METHOD_UNSTABLE ||
        mb == VSG_METHOD_UNSTABLE || ma == VSG_METHOD_NOT_STEADY || mb == VSG_METHOD_NOT_STEADY)
        return;
    d->diff_ps = d->b_ps - d->a_ps;
    if (d->a_ps > 0)
        d->ratio_ppm = vsg_scale_round((vsg_u128)d->b_ps, PPM, (vsg_u128)d->a_ps);
    if (ma == VSG_METHOD_DETERMINISTIC && mb == VSG_METHOD_DETERMINISTIC) {
        judge(d, 0);
        return;
    }
    uint32_t values = w->n;
    if (half_of_pairs(w, m, &half_ps)) {
        d->method = VSG_METHOD_PAIRED_T;
    } else if (half_of_batches(w, m, pa, pb, &half_ps)) {
        d->method = VSG_METHOD_BATCHES;
        values = w->n * VSG_BATCHES;
    } else {
        if (d->method == VSG_METHOD_T || d->method == VSG_METHOD_BATCHES)
            d->method = VSG_METHOD_TOO_FEW;
        return;
    }
    d->low_ps = d->diff_ps - half_ps;
    d->high_ps = d->diff_ps + half_ps;
    judge(d, half_ps);
    uint32_t needed = half_ps <= d->a_ps / 100
                          ? w->n
                          : vsg_replications_needed(half_ps, values, w->n, w->level, d->a_ps / 100);
    if (needed < UINT32_MAX)
        d->needed = needed;
}

static enum vsg_status compare_point(struct work *w, const json_t *pa, struct vsg_compared *out)
{
    w->axes = json_object_get(pa, "point");
    out->point = w->axes;
    enum vsg_status status = find_pairs(w);
    const json_t *pb = find_point(w->b, w->axes);
    out->n = w->n;
    for (int m = 0; m < VSG_METRIC_COUNT && status == VSG_OK; m++)
        differ(w, (enum vsg_metric)m, pa, pb, &out->of[m]);
    free_pairs(w);
    return status;
}

enum vsg_status vsg_compare(const struct vsg_side *a, const struct vsg_side *b,
                            struct vsg_comparison_of *out, char *why, size_t why_size)
{
    const json_t *points = json_object_get(a->results, "points");
    struct vsg_comparison_of c = {.a = *a, .b = *b};
    enum vsg_status status = check_versions(a, b, why, why_size);
    if (status == VSG_OK)
        status = check_policy(a, why, why_size);
    if (status == VSG_OK)
        status = check_policy(b, why, why_size);
    if (status == VSG_OK)
        status = check_points(a, b, why, why_size);
    if (status == VSG_OK)
        status = check_points(b, a, why, why_size);
    if (status != VSG_OK)
        return status;
    c.point = calloc(json_array_size(points) + 1, sizeof *c.point);
    if (!c.point)
        return VSG_ENOMEM;
    for (size_t i = 0; i < json_array_size(points); i++)
        c.count += strcmp(text_of(json_array_get(points, i), "policy"), a->policy) == 0;
    struct work w = {.a = &c.a, .b = &c.b, .level = 1 - 0.05 / c.count};
    uint32_t at = 0;
    for (size_t i = 0; i < json_array_size(points) && status == VSG_OK; i++) {
        const json_t *p = json_array_get(points, i);
        if (strcmp(text_of(p, "policy"), a->policy) == 0)
            status = compare_point(&w, p, &c.point[at++]);
    }
    if (status == VSG_OK)
        *out = c;
    else
        vsg_compare_free(&c);
    return status;
}

void vsg_compare_free(struct vsg_comparison_of *c)
{
    free(c->point);
    *c = (struct vsg_comparison_of){.count = 0};
}

/* ---- limits -------------------------------------------------------------------------------------
 */

static const char *skip(const char *s)
{
    return s + strspn(s, " \t");
}

/* The metric's name at s; NULL: none. */
static const char *read_metric(const char *s, enum vsg_metric *metric)
{
    size_t size = strcspn(s, " \t<>=");
    for (int m = 0; m < VSG_METRIC_COUNT; m++)
        if ((strlen(vsg_metric_name[m]) == size && memcmp(vsg_metric_name[m], s, size) == 0) ||
            (strlen(member[m]) == size && memcmp(member[m], s, size) == 0)) {
            *metric = (enum vsg_metric)m;
            return skip(s + size);
        }
    return NULL;
}

enum vsg_status vsg_limit_parse(const char *text, struct vsg_limit *out, char *why, size_t why_size)
{
    struct vsg_limit l = {.metric = VSG_METRIC_MEAN};
    char number[64], reason[300];
    uint64_t value = 0;
    const char *s = read_metric(skip(text), &l.metric);
    if (!s) {
        snprintf(why, why_size,
                 "'%.60s' begins with no figure; write mean, p50, p90, p99, p99.9 or max", text);
        return VSG_EINVAL;
    }
    if (*s != '<' && *s != '>') {
        snprintf(why, why_size, "'%.60s': > or < belongs behind the figure, as in 'p99 > +5%%'",
                 text);
        return VSG_EINVAL;
    }
    l.below = *s == '<';
    s = skip(s + 1);
    bool minus = *s == '-';
    s = skip(s + (*s == '-' || *s == '+'));
    size_t size = strcspn(s, " \t");
    if (size >= sizeof number || *skip(s + size) != '\0') {
        snprintf(why, why_size, "'%.60s': one change belongs behind > or <, as in +5%% or 20ns",
                 text);
        return VSG_EINVAL;
    }
    memcpy(number, s, size);
    number[size] = '\0';
    l.relative = strchr(number, '%') != NULL;
    if (vsg_quantity_parse(l.relative ? VSG_Q_SHARE : VSG_Q_TIME, number, &value, reason,
                           sizeof reason) != VSG_OK) {
        snprintf(why, why_size,
                 "'%.60s': %s; a change is a share such as 5%% or a time such as 20ns", text,
                 reason);
        return VSG_EINVAL;
    }
    l.limit = value < INT64_MAX ? (int64_t)value : INT64_MAX;
    l.limit = minus ? -l.limit : l.limit;
    l.text = strdup(text);
    if (!l.text)
        return VSG_ENOMEM;
    *out = l;
    return VSG_OK;
}

void vsg_limit_free(struct vsg_limit *l)
{
    free(l->text);
    *l = (struct vsg_limit){.text = NULL};
}

enum vsg_beyond vsg_limit_check(const struct vsg_limit *l, const struct vsg_difference *d)
{
    if (d->diff_ps == VSG_NO_FIGURE || (l->relative && d->ratio_ppm == VSG_NO_FIGURE))
        return VSG_UNJUDGED;
    int64_t change = l->relative ? d->ratio_ppm - PPM : d->diff_ps;
    if (l->below ? change >= l->limit : change <= l->limit)
        return VSG_WITHIN;
    bool may_be_chance = d->low_ps != VSG_NO_FIGURE && d->verdict == VSG_NO_DIFFERENCE;
    return may_be_chance ? VSG_BEYOND_NOT_SHOWN : VSG_BEYOND;
}

bool vsg_compare_fails(const struct vsg_comparison_of *all, size_t count,
                       const struct vsg_limit *limit, size_t limits)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < all[i].count; p++)
            for (size_t k = 0; k < limits; k++)
                if (vsg_limit_check(&limit[k], &all[i].point[p].of[limit[k].metric]) >= VSG_BEYOND)
                    return true;
    return false;
}
