/* Tab separated data: node pairs of a run, and what the plots read (plots/README.md). */
#include <stdlib.h>

#include "study/exact.h"
#include "study/fields.h"
#include "study/plots.h"

enum { PPM = 1000000 };

/* A cell, empty where there is no figure. */
static void figure(struct vsg_text *t, int64_t value, unsigned decimals)
{
    if (value != VSG_NO_FIGURE)
        vsg_text_decimal(t, value, decimals);
}

enum vsg_status vsg_report_pairs_tsv(const struct vsg_run_figures *run, char **text)
{
    struct vsg_text t = {0};
    vsg_text_add(&t, "from_node\tto_node\tcount\tmean_ns\tp99_ns\n");
    for (uint32_t i = 0; i < run->figures.pair_count; i++) {
        const struct vsg_pair_figures *p = &run->figures.pair[i];
        vsg_text_add(&t, "%u\t%u\t%llu\t", p->from_node, p->to_node, (unsigned long long)p->count);
        figure(&t, p->mean_ps, 3);
        vsg_text_put(&t, "\t", 1);
        figure(&t, p->p99_ps, 3);
        vsg_text_put(&t, "\n", 1);
    }
    return vsg_text_take(&t, text);
}

static void series(struct vsg_text *t, const struct vsg_study *s, const struct vsg_point_figures *p)
{
    vsg_text_put(t, "\"", 1);
    vsg_plot_series(t, s, vsg_policy_name[s->policy[p->policy]], p->point, VSG_PLOT_NO_AXIS);
    vsg_text_put(t, "\"", 1);
}

/* 1 / (1 - p) in equal steps on a logarithmic axis, ten per decade (Renard's R10). */
static void percentiles(struct vsg_text *t, const struct vsg_study *s,
                        const struct vsg_point_figures *p, const struct vsg_hist *hist)
{
    static const uint32_t step[] = {1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000};
    uint64_t count = vsg_hist_count(hist), value_ps = 0;
    int64_t max_ps = p->figures.latency.max_ps;
    for (uint64_t decade = 1; decade <= 10000; decade *= 10)
        for (unsigned i = 0; i < 10; i++) {
            uint64_t above_ppm = (uint64_t)PPM * 1000 / (step[i] * decade);
            if ((vsg_u128)count * above_ppm < (vsg_u128)VSG_SAMPLES_ABOVE * PPM)
                return; /* too few IPIs above it to say */
            if (vsg_hist_quantile(hist, (uint32_t)(PPM - above_ppm), &value_ps) != VSG_OK)
                return;
            int64_t latency_ps = (int64_t)value_ps < max_ps ? (int64_t)value_ps : max_ps;
            series(t, s, p);
            vsg_text_put(t, "\t", 1);
            vsg_text_decimal(t, (int64_t)(PPM - above_ppm), 6);
            vsg_text_put(t, "\t", 1);
            vsg_text_decimal(t, vsg_div_round((vsg_i128)PPM * 1000, (vsg_i128)above_ppm), 3);
            vsg_text_put(t, "\t", 1);
            vsg_text_decimal(t, latency_ps, 3);
            vsg_text_put(t, "\n", 1);
        }
}

enum vsg_status vsg_report_percentiles_tsv(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    enum vsg_status status = VSG_OK;
    vsg_text_add(&t, "series\tpercentile\tinverse\tlatency_ns\n");
    for (uint32_t i = 0; i < r->point_count && status == VSG_OK; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        struct vsg_hist *hist = NULL;
        if (!p->has_figures || p->figures.unstable || p->figures.not_steady)
            continue;
        status = vsg_plot_hist(r, p, &hist);
        if (status == VSG_OK && hist)
            percentiles(&t, r->study, p, hist);
        vsg_hist_free(hist);
    }
    if (status == VSG_OK)
        return vsg_text_take(&t, text);
    vsg_text_free(&t);
    return status;
}

enum vsg_status vsg_report_stages_tsv(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    vsg_text_add(&t, "series");
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        vsg_text_add(&t, "\t%s", vsg_stage_name[i]);
    vsg_text_put(&t, "\n", 1);
    for (uint32_t i = 0; i < r->point_count; i++) {
        const struct vsg_point_figures *p = &r->point[i];
        if (!p->has_figures || p->figures.latency.count == 0)
            continue;
        series(&t, r->study, p);
        for (int k = 0; k < VSG_STAGE_COUNT; k++) {
            vsg_text_put(&t, "\t", 1);
            figure(&t, p->figures.stage_ps[k], 3);
        }
        vsg_text_put(&t, "\n", 1);
    }
    return vsg_text_take(&t, text);
}
