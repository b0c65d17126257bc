/* What each picture says, in one sentence, or why there is none: plots/index.tsv. */
#include <stdlib.h>
#include <string.h>

#include "study/plots.h"
#include "study/report.h"
#include "study/words.h"

/* A point's title-worthy figure. */
struct extreme {
    const struct vsg_point_figures *low, *high;
    int64_t low_value, high_value;
};

static void widen(struct extreme *e, const struct vsg_point_figures *p, int64_t value)
{
    if (value == VSG_NO_FIGURE)
        return;
    if (!e->low || value < e->low_value) {
        e->low = p;
        e->low_value = value;
    }
    if (!e->high || value > e->high_value) {
        e->high = p;
        e->high_value = value;
    }
}

static void name(struct vsg_text *t, const struct vsg_results *r, const struct vsg_point_figures *p)
{
    vsg_plot_series(t, r->study, vsg_policy_name[r->study->policy[p->policy]], p->point,
                    VSG_PLOT_NO_AXIS);
}

static const char *policy(const struct vsg_results *r, uint32_t i)
{
    return vsg_policy_name[r->study->policy[i]];
}

static void percent(struct vsg_text *t, int64_t ppm)
{
    vsg_text_rounded(t, ppm, 4, 1, false);
    vsg_text_add(t, " %%");
}

/* ---- tails: percentiles and CCDF -------------------------------------------------------------
 */

/* The farthest percentile that every steady point has; -1: not even the median. */
static int common_percentile(const struct vsg_results *r)
{
    int last = -1;
    for (int k = 0; k < VSG_PERCENTILE_COUNT; k++) {
        bool all = true, any = false;
        for (uint32_t i = 0; i < r->point_count; i++)
            if (vsg_plot_has_mean(&r->point[i])) {
                all = all && r->point[i].figures.latency.percentile_ps[k] != VSG_NO_FIGURE;
                any = true;
            }
        last = all && any ? k : last;
    }
    return last;
}

static bool has_tail(const struct vsg_results *r)
{
    for (uint32_t i = 0; i < r->point_count; i++)
        if (vsg_plot_has_mean(&r->point[i]) &&
            r->point[i].figures.latency.count >= VSG_SAMPLES_ABOVE)
            return true;
    return false;
}

static void tail_title(struct vsg_text *t, const struct vsg_results *r, const char *const *before)
{
    int k = common_percentile(r);
    struct extreme e = {0};
    if (k < 0) {
        vsg_text_add(t, "Too few IPIs for a median in every series");
        return;
    }
    for (uint32_t i = 0; i < r->point_count; i++)
        if (vsg_plot_has_mean(&r->point[i]))
            widen(&e, &r->point[i], r->point[i].figures.latency.percentile_ps[k]);
    vsg_text_add(t, "%s ", before[k]);
    vsg_words_time(t, e.low_value);
    if (e.low_value == e.high_value) {
        vsg_text_add(t, r->point_count > 1 ? " in every series" : "");
        return;
    }
    vsg_text_add(t, " (");
    name(t, r, e.low);
    vsg_text_add(t, ") to ");
    vsg_words_time(t, e.high_value);
    vsg_text_add(t, " (");
    name(t, r, e.high);
    vsg_text_add(t, ")");
}

static void percentiles_title(struct vsg_text *t, const struct vsg_results *r)
{
    static const char *const before[VSG_PERCENTILE_COUNT] = {"p50 is", "p90 is", "p99 is",
                                                             "p99.9 is", "p99.99 is"};
    tail_title(t, r, before);
}

static void ccdf_title(struct vsg_text *t, const struct vsg_results *r)
{
    static const char *const before[VSG_PERCENTILE_COUNT] = {
        "Half of the IPIs take at most", "9 IPIs in 10 take at most", "99 IPIs in 100 take at most",
        "999 IPIs in 1,000 take at most", "9,999 IPIs in 10,000 take at most"};
    tail_title(t, r, before);
}

static const char *no_tail(const struct vsg_results *r)
{
    bool steady = false;
    for (uint32_t i = 0; i < r->point_count; i++)
        steady = steady || vsg_plot_has_mean(&r->point[i]);
    if (!steady)
        return "no point has a steady state";
    return has_tail(r) ? NULL : "too few IPIs: 30 must be above a percentile";
}

/* ---- stages ------------------------------------------------------------------------------------
 */

/* Steady points first: an unsteady one's waits grow with the length of the run. */
static bool staged(const struct vsg_point_figures *p)
{
    return vsg_plot_has_mean(p);
}

static void stages_title(struct vsg_text *t, const struct vsg_results *r)
{
    int most = 0, differs = -1;
    int64_t widest = 0;
    struct extreme wide = {0};
    const struct vsg_point_figures *first = NULL;
    for (int k = 0; k < VSG_STAGE_COUNT; k++) {
        struct extreme e = {0};
        for (uint32_t i = 0; i < r->point_count; i++)
            if (staged(&r->point[i])) {
                widen(&e, &r->point[i], r->point[i].figures.stage_ps[k]);
                first = first ? first : &r->point[i];
            }
        if (first && first->figures.stage_ps[k] > first->figures.stage_ps[most])
            most = k;
        if (e.low && e.high_value - e.low_value > widest) {
            widest = e.high_value - e.low_value;
            differs = k;
            wide = e;
        }
    }
    if (!first) {
        vsg_text_add(t, "No steady state: waits grow with the length of the run");
    } else if (differs >= 0) {
        vsg_text_add(t, "Most of the difference is %s: ", vsg_stage_name[differs]);
        vsg_words_mean(t, wide.low_value, VSG_NO_FIGURE, VSG_NO_FIGURE);
        vsg_text_add(t, " (");
        name(t, r, wide.low);
        vsg_text_add(t, ") to ");
        vsg_words_mean(t, wide.high_value, VSG_NO_FIGURE, VSG_NO_FIGURE);
        vsg_text_add(t, " (");
        name(t, r, wide.high);
        vsg_text_add(t, ")");
    } else {
        vsg_text_add(t, "The longest stage is %s, ", vsg_stage_name[most]);
        vsg_words_mean(t, first->figures.stage_ps[most], VSG_NO_FIGURE, VSG_NO_FIGURE);
        vsg_text_add(t, " of ");
        vsg_words_mean(t, first->figures.latency.mean_ps, VSG_NO_FIGURE, VSG_NO_FIGURE);
        vsg_text_add(t, r->point_count > 1 ? ", in every series" : "");
    }
}

static const char *no_stages(const struct vsg_results *r)
{
    for (uint32_t i = 0; i < r->point_count; i++)
        if (r->point[i].has_figures && r->point[i].figures.latency.count > 0)
            return NULL;
    return "no run counted an IPI";
}

/* ---- along an axis ---------------------------------------------------------------------------
 */

/* "local: 585.0 to 9,120.4 ns", and where it has no steady state. Two policies, else all together.
 */
static void range_of(struct vsg_text *t, const struct vsg_results *r, uint32_t first,
                     uint32_t beyond)
{
    struct extreme e = {0};
    uint32_t unsteady = 0, all = 0;
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        if (p->policy < first || p->policy >= beyond)
            continue;
        all++;
        unsteady += vsg_plot_unsteady(p);
        if (vsg_plot_has_mean(p))
            widen(&e, p, p->figures.latency.mean_ps);
    }
    if (e.low && e.low_value == e.high_value) {
        vsg_words_mean(t, e.low_value, VSG_NO_FIGURE, VSG_NO_FIGURE);
        vsg_text_add(t, unsteady ? "" : " everywhere");
    } else if (e.low) {
        vsg_text_rounded(t, e.low_value, 3, 1, true);
        vsg_text_add(t, " to ");
        vsg_words_mean(t, e.high_value, VSG_NO_FIGURE, VSG_NO_FIGURE);
    }
    if (unsteady)
        vsg_text_add(t, "%sno steady state at %u of %u points", e.low ? ", " : "", unsteady, all);
}

static void latency_title(struct vsg_text *t, const struct vsg_results *r)
{
    uint32_t policies = r->study->policy_count;
    vsg_text_add(t, "Mean latency: ");
    if (policies > 2) {
        range_of(t, r, 0, policies);
        return;
    }
    for (uint32_t i = 0; i < policies; i++) {
        vsg_text_add(t, "%s%s ", i > 0 ? "; " : "", policy(r, i));
        range_of(t, r, i, i + 1);
    }
}

static const char *no_latency(const struct vsg_results *r)
{
    if (vsg_plot_axis(r->study) == VSG_PLOT_NO_AXIS)
        return "the sweep has no numeric axis with two values";
    return no_stages(r);
}

/* ---- gain ------------------------------------------------------------------------------------
 */

static int64_t change_ppm(const struct vsg_comparison *c)
{
    return c->ratio_ppm == VSG_NO_FIGURE ? VSG_NO_FIGURE : 1000000 - c->ratio_ppm;
}

static void gain_title(struct vsg_text *t, const struct vsg_results *r)
{
    const struct vsg_comparison *least = NULL, *most = NULL;
    uint32_t shown = 0, all = 0;
    for (uint32_t i = 0; i < r->comparison_count; i++) {
        const struct vsg_comparison *c = &r->comparison[i];
        if (c->a != 0 || change_ppm(c) == VSG_NO_FIGURE)
            continue;
        all++;
        shown += c->verdict != VSG_NO_DIFFERENCE;
        least = !least || change_ppm(c) < change_ppm(least) ? c : least;
        most = !most || change_ppm(c) > change_ppm(most) ? c : most;
    }
    if (!least || !most)
        return;
    if (least->b == most->b) {
        vsg_text_add(t, "%s gains ", policy(r, least->b));
        percent(t, change_ppm(least));
        vsg_text_add(t, " to ");
        percent(t, change_ppm(most));
        vsg_text_add(t, " over %s", policy(r, 0));
    } else {
        vsg_text_add(t, "Gain over %s: ", policy(r, 0));
        percent(t, change_ppm(least));
        vsg_text_add(t, " (%s) to ", policy(r, least->b));
        percent(t, change_ppm(most));
        vsg_text_add(t, " (%s)", policy(r, most->b));
    }
    vsg_text_add(t, "; a difference is shown at %u of %u points", shown, all);
}

static const char *no_gain(const struct vsg_results *r)
{
    if (r->study->policy_count < 2)
        return "there is one policy only";
    if (vsg_plot_axis(r->study) == VSG_PLOT_NO_AXIS)
        return "the sweep has no numeric axis with two values";
    for (uint32_t i = 0; i < r->comparison_count; i++)
        if (r->comparison[i].a == 0 && r->comparison[i].diff_ps != VSG_NO_FIGURE)
            return NULL;
    return "no point has a steady state under two policies";
}

/* ---- heat map ---------------------------------------------------------------------------------
 */

static uint32_t nodes_of(const struct vsg_results *r, const struct vsg_point_figures *p)
{
    return r->study->point[p->point].config.machine.nodes;
}

static bool mapped(const struct vsg_results *r, const struct vsg_point_figures *p)
{
    return vsg_plot_has_mean(p) && vsg_plot_mapped(r, p->point) && nodes_of(r, p) > 1 &&
           nodes_of(r, p) <= VSG_PLOT_NODES_MAX;
}

static void pair_words(struct vsg_text *t, const struct vsg_results *r,
                       const struct vsg_point_figures *p, const struct vsg_pair_figures *pair)
{
    vsg_words_mean(t, pair->mean_ps, VSG_NO_FIGURE, VSG_NO_FIGURE);
    vsg_text_add(t, ", node %u to %u (", pair->from_node, pair->to_node);
    name(t, r, p);
    vsg_text_add(t, ")");
}

static void heatmap_title(struct vsg_text *t, const struct vsg_results *r)
{
    const struct vsg_point_figures *slow_at = NULL, *fast_at = NULL;
    const struct vsg_pair_figures *slow = NULL, *fast = NULL;
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        for (uint32_t k = 0; mapped(r, p) && k < p->figures.pair_count; k++) {
            const struct vsg_pair_figures *pair = &p->figures.pair[k];
            if (!slow || pair->mean_ps > slow->mean_ps) {
                slow = pair;
                slow_at = p;
            }
            if (!fast || pair->mean_ps < fast->mean_ps) {
                fast = pair;
                fast_at = p;
            }
        }
    }
    if (!slow || !fast)
        return;
    if (slow->mean_ps == fast->mean_ps) {
        vsg_text_add(t, "Every pair of nodes that sends takes ");
        vsg_words_mean(t, slow->mean_ps, VSG_NO_FIGURE, VSG_NO_FIGURE);
        return;
    }
    vsg_text_add(t, "Slowest: ");
    pair_words(t, r, slow_at, slow);
    vsg_text_add(t, "; fastest: ");
    pair_words(t, r, fast_at, fast);
}

static const char *no_heatmap(const struct vsg_results *r)
{
    bool several = false, few_enough = false;
    for (uint32_t i = 0; i < r->point_count; i++) {
        if (mapped(r, &r->point[i]) && r->point[i].figures.pair_count > 0)
            return NULL;
        several = several || nodes_of(r, &r->point[i]) > 1;
        few_enough = few_enough || nodes_of(r, &r->point[i]) <= VSG_PLOT_NODES_MAX;
    }
    if (!several)
        return "the machine has one node";
    return few_enough ? "no point has a steady state under every policy"
                      : "more than 256 nodes; runs/NNNN/pairs.tsv has the figures";
}

/* ---- utilisation ------------------------------------------------------------------------------
 */

static const char *no_utilisation(const struct vsg_results *r)
{
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_figures *f = &r->point[i].figures;
        for (uint32_t k = 0; r->point[i].has_figures && k < f->its_count; k++)
            if (f->its[k].utilisation_ppm > 0)
                return NULL;
        for (uint32_t k = 0; r->point[i].has_figures && k < f->link_count; k++)
            if (f->link[k].utilisation_ppm > 0)
                return NULL;
    }
    return "no ITS and no link was ever busy";
}

static void utilisation_title(struct vsg_text *t, const struct vsg_results *r)
{
    const struct vsg_point_figures *its_at = NULL, *link_at = NULL;
    const struct vsg_its_figures *its = NULL;
    const struct vsg_link_figures *link = NULL;
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        for (uint32_t k = 0; p->has_figures && k < p->figures.its_count; k++)
            if (p->figures.its[k].utilisation_ppm > (its ? its->utilisation_ppm : 0)) {
                its = &p->figures.its[k];
                its_at = p;
            }
        for (uint32_t k = 0; p->has_figures && k < p->figures.link_count; k++)
            if (p->figures.link[k].utilisation_ppm > (link ? link->utilisation_ppm : 0)) {
                link = &p->figures.link[k];
                link_at = p;
            }
    }
    vsg_text_add(t, "Busiest");
    if (its) {
        vsg_text_add(t, " ITS: %u, ", its->id);
        percent(t, its->utilisation_ppm);
        vsg_text_add(t, " (");
        name(t, r, its_at);
        vsg_text_add(t, ")");
    }
    if (link) {
        vsg_text_add(t, "%s link: %s, ", its ? ";" : "", link->id);
        percent(t, link->utilisation_ppm);
        vsg_text_add(t, " (");
        name(t, r, link_at);
        vsg_text_add(t, ")");
    }
}

/* ---- the table ---------------------------------------------------------------------------------
 */

enum vsg_status vsg_plot_index_tsv(const struct vsg_results *r, char **text)
{
    static const struct {
        const char *name;
        const char *(*missing)(const struct vsg_results *r); /* why; NULL: it can be drawn */
        void (*title)(struct vsg_text *t, const struct vsg_results *r);
    } picture[] = {{"percentiles", no_tail, percentiles_title},
                   {"ccdf", no_tail, ccdf_title},
                   {"latency", no_latency, latency_title},
                   {"gain", no_gain, gain_title},
                   {"stages", no_stages, stages_title},
                   {"heatmap", no_heatmap, heatmap_title},
                   {"utilisation", no_utilisation, utilisation_title}};
    struct vsg_text t = {0};
    vsg_text_add(&t, "plot\ttitle\tleft_out\n");
    for (size_t i = 0; i < sizeof picture / sizeof picture[0]; i++) {
        const char *missing = picture[i].missing(r);
        vsg_text_add(&t, "%s\t", picture[i].name);
        if (!missing)
            picture[i].title(&t, r);
        vsg_text_add(&t, "\t%s\n", missing ? missing : "");
    }
    return vsg_text_take(&t, text);
}
