/* The answer in a sentence: what a person wants to know first. */
#include <stdlib.h>
#include <string.h>

#include "study/words.h"

enum { CLAUSES_MAX = 4 }; /* points told one by one; more are summed up */

static const char *policy_name(const struct vsg_results *r, uint32_t policy)
{
    return vsg_policy_name[r->study->policy[policy]];
}

static const struct vsg_point_figures *point_of(const struct vsg_results *r, uint32_t point,
                                                uint32_t policy)
{
    return &r->point[point * r->study->policy_count + policy];
}

/* " with guest on node 0", nothing without axes. */
static void where(struct vsg_text *t, const struct vsg_results *r, uint32_t point)
{
    if (r->study->point[point].axis_count > 0)
        vsg_text_add(t, " ");
    vsg_words_point(t, &r->study->point[point]);
}

static void size_of(struct vsg_text *t, const struct vsg_comparison *c)
{
    int64_t sign = c->diff_ps < 0 ? -1 : 1;
    bool has = c->ci95_low_ps != VSG_NO_FIGURE;
    vsg_words_mean(t, sign * c->diff_ps, has ? c->ci95_low_ps : VSG_NO_FIGURE,
                   has ? c->ci95_high_ps : VSG_NO_FIGURE);
    vsg_text_add(t, " (");
    vsg_words_change(t, c->ratio_ppm);
    vsg_text_add(t, ")");
}

/* What more replications would show. */
static void not_shown(struct vsg_text *t, const struct vsg_comparison *c)
{
    int64_t half_ps = (c->ci95_high_ps - c->ci95_low_ps + 1) / 2;
    unsigned places = vsg_words_places(half_ps);
    vsg_text_add(t, " that these runs can show (+-");
    vsg_text_rounded(t, half_ps, 3, places, true);
    vsg_text_add(t, " ns");
    if (c->needed != VSG_NO_FIGURE && c->needed > (int64_t)c->n) {
        vsg_text_add(t, "; ");
        vsg_text_rounded(t, c->needed, 0, 0, true);
        vsg_text_add(t, " replications would show 1 %%");
    } else if (c->needed != VSG_NO_FIGURE) {
        vsg_text_add(t, ", less than 1 %%");
    }
    vsg_text_add(t, ")");
}

/* "a and b are unstable", "a is unstable and b is not" */
static void say_both(struct vsg_text *t, const char *a, const char *b, bool of_a, bool of_b,
                     const char *what)
{
    if (of_a && of_b)
        vsg_text_add(t, "%s and %s are %s", a, b, what);
    else
        vsg_text_add(t, "%s is %s and %s is not", of_a ? a : b, what, of_a ? b : a);
}

static void clause(struct vsg_text *t, const struct vsg_results *r, const struct vsg_comparison *c,
                   bool first)
{
    const char *a = policy_name(r, c->a), *b = policy_name(r, c->b);
    const struct vsg_figures *fa = &point_of(r, c->point, c->a)->figures;
    const struct vsg_figures *fb = &point_of(r, c->point, c->b)->figures;
    if (c->method == VSG_METHOD_UNSTABLE) {
        say_both(t, a, b, fa->unstable, fb->unstable, "unstable");
    } else if (c->method == VSG_METHOD_NOT_STEADY) {
        say_both(t, a, b, fa->not_steady, fb->not_steady, "not steady");
    } else if (c->n == 0) {
        vsg_text_add(t, "%s and %s cannot be compared: runs are missing", a, b);
    } else if (c->verdict != VSG_NO_DIFFERENCE) {
        const char *how = vsg_verdict_name[c->verdict];
        if (first)
            vsg_text_add(t, "%s is %s than %s by ", b, how, a);
        else
            vsg_text_add(t, "%s by ", how);
        size_of(t, c);
    } else if (c->method == VSG_METHOD_DETERMINISTIC || c->ci95_low_ps != VSG_NO_FIGURE) {
        if (first)
            vsg_text_add(t, "%s against %s: ", b, a);
        vsg_text_add(t, "no difference");
        if (c->method != VSG_METHOD_DETERMINISTIC)
            not_shown(t, c);
    } else {
        if (first)
            vsg_text_add(t, "%s against %s: ", b, a);
        vsg_text_add(t, "%s", c->diff_ps > 0 ? "+" : "");
        vsg_text_rounded(t, c->diff_ps, 3, 1, true);
        vsg_text_add(t, " ns (");
        vsg_words_change(t, c->ratio_ppm);
        vsg_text_add(
            t, ") in %u replication%s, %s to say whether by chance", c->n, c->n > 1 ? "s" : "",
            c->method == VSG_METHOD_CORRELATED ? "whose batches are too much alike" : "too few");
    }
    where(t, r, c->point);
}

/* "by 20.0 to 100.0 ns at 12 points" */
static void summary(struct vsg_text *t, const struct vsg_comparison *const *c, uint32_t count,
                    enum vsg_verdict verdict, bool *any)
{
    int64_t least = INT64_MAX, most = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (c[i]->verdict != verdict)
            continue;
        int64_t size = c[i]->diff_ps < 0 ? -c[i]->diff_ps : c[i]->diff_ps;
        found++;
        least = verdict != VSG_NO_DIFFERENCE && size < least ? size : least;
        most = verdict != VSG_NO_DIFFERENCE && size > most ? size : most;
    }
    if (found == 0)
        return;
    vsg_text_add(t, "%s%s at %u of %u points", *any ? "; " : "", vsg_verdict_name[verdict], found,
                 count);
    *any = true;
    if (verdict == VSG_NO_DIFFERENCE)
        return;
    vsg_text_add(t, ", by ");
    if (least != most) {
        vsg_text_rounded(t, least, 3, 1, true);
        vsg_text_add(t, " to ");
    }
    vsg_text_rounded(t, most, 3, 1, true);
    vsg_text_add(t, " ns");
}

/* Everything about one pair of policies. */
static void pair(struct vsg_text *t, const struct vsg_results *r,
                 const struct vsg_comparison *const *c, uint32_t count)
{
    if (count <= CLAUSES_MAX) {
        for (uint32_t i = 0; i < count; i++) {
            vsg_text_add(t, "%s", i > 0 ? "; " : "");
            clause(t, r, c[i], i == 0);
        }
    } else {
        bool any = false;
        vsg_text_add(t, "%s against %s: ", policy_name(r, c[0]->b), policy_name(r, c[0]->a));
        summary(t, c, count, VSG_FASTER, &any);
        summary(t, c, count, VSG_SLOWER, &any);
        summary(t, c, count, VSG_NO_DIFFERENCE, &any);
    }
    vsg_text_add(t, ".");
}

/* Each policy against the first: with three or more, the other pairs are in the results. */
static enum vsg_status all_pairs(struct vsg_text *t, const struct vsg_results *r)
{
    const struct vsg_comparison **c = calloc((size_t)r->study->point_count + 1, sizeof *c);
    if (!c)
        return VSG_ENOMEM;
    for (uint32_t b = 1; b < r->study->policy_count; b++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < r->comparison_count; i++)
            if (r->comparison[i].a == 0 && r->comparison[i].b == b)
                c[count++] = &r->comparison[i];
        vsg_text_add(t, "%s", b > 1 ? "\n" : "");
        pair(t, r, c, count);
    }
    free(c);
    return VSG_OK;
}

static void mean_of(struct vsg_text *t, const struct vsg_figures *f)
{
    vsg_words_mean(t, f->latency.mean_ps, f->latency.ci95_low_ps, f->latency.ci95_high_ps);
}

/* One policy: the mean, or the least and the greatest. */
static void one_policy(struct vsg_text *t, const struct vsg_results *r)
{
    const struct vsg_point_figures *least = NULL, *most = NULL;
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        if (!p->has_figures || p->figures.latency.mean_ps == VSG_NO_FIGURE)
            continue;
        if (!least || p->figures.latency.mean_ps < least->figures.latency.mean_ps)
            least = p;
        if (!most || p->figures.latency.mean_ps > most->figures.latency.mean_ps)
            most = p;
    }
    if (!least)
        return;
    bool one = least->figures.latency.mean_ps == most->figures.latency.mean_ps;
    vsg_text_add(t, "%s: mean latency ", policy_name(r, least->policy));
    if (!one) {
        vsg_text_add(t, "from ");
        mean_of(t, &least->figures);
        where(t, r, least->point);
        vsg_text_add(t, " to ");
    }
    mean_of(t, &most->figures);
    if (!one)
        where(t, r, most->point);
    else if (r->point_count > 1)
        vsg_text_add(t, " at every point");
    if (r->point_count == 1 && least->figures.latency.percentile_ps[2] != VSG_NO_FIGURE) {
        vsg_text_add(t, ", p99 ");
        vsg_words_time(t, least->figures.latency.percentile_ps[2]);
    }
    vsg_text_add(t, ".");
}

/* The first points of which no mean is claimed, with the reason. */
static void unclaimed(struct vsg_text *t, const struct vsg_results *r)
{
    uint32_t told = 0, all = 0;
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        const struct vsg_figures *f = &p->figures;
        if (!p->has_figures || (!f->unstable && !f->not_steady))
            continue;
        all++;
        if (told == 3)
            continue;
        told++;
        vsg_text_add(t, "%s%s is %s", t->length > 0 ? "\n" : "", policy_name(r, p->policy),
                     f->unstable ? "unstable" : "not steady");
        where(t, r, p->point);
        vsg_text_add(t, ": %s.",
                     f->unstable ? f->unstable_reason
                                 : "warm-up would take more than half of the run");
    }
    if (all > told)
        vsg_text_add(t, "\n%u more points are unstable or not steady.", all - told);
}

enum vsg_status vsg_report_answer(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    enum vsg_status status = VSG_OK;
    if (r->outcome->done == 0)
        vsg_text_add(&t, "No run was done.");
    else if (r->outcome->partial)
        vsg_text_add(&t,
                     "%u of the study's runs, as in the whole study; what it answers takes all of "
                     "them.",
                     r->outcome->done);
    else if (r->comparison_count > 0)
        status = all_pairs(&t, r);
    else
        one_policy(&t, r);
    unclaimed(&t, r);
    if (status == VSG_OK)
        return vsg_text_take(&t, text);
    vsg_text_free(&t);
    return status;
}
