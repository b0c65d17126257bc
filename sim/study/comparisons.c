#include "study/comparisons.h"

#include <stdlib.h>

#include "study/intervals.h"

enum { PPM = 1000000 };

/* What one pair of policies is compared by: [replications] each. */
struct pairs {
    const struct vsg_run_result **a, **b;
    vsg_i128 *value;
    double *scratch;
    double level;
};

static void judge(struct vsg_comparison *c, int64_t half_ps)
{
    if (c->method != VSG_METHOD_DETERMINISTIC) {
        c->ci95_low_ps = c->diff_ps - half_ps;
        c->ci95_high_ps = c->diff_ps + half_ps;
    }
    if (c->diff_ps + half_ps < 0)
        c->verdict = VSG_FASTER;
    else if (c->diff_ps - half_ps > 0)
        c->verdict = VSG_SLOWER;
}

/* The replications that both have. Their means' sums are over all of them. */
static uint32_t find_pairs(const struct vsg_results *r, const struct vsg_comparison *c,
                           const struct pairs *p, vsg_i128 *sum_a, vsg_i128 *sum_b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->study->replications; i++) {
        const struct vsg_run_figures *x = vsg_results_find(r, c->point, c->a, i);
        const struct vsg_run_figures *y = vsg_results_find(r, c->point, c->b, i);
        if (!x || !y || x->run->result.latency.count == 0 || y->run->result.latency.count == 0)
            continue;
        p->a[n] = &x->run->result;
        p->b[n] = &y->run->result;
        vsg_i128 mean_a = vsg_fine_mean(p->a[n]->latency.sum_ps, p->a[n]->latency.count);
        vsg_i128 mean_b = vsg_fine_mean(p->b[n]->latency.sum_ps, p->b[n]->latency.count);
        p->value[n++] = mean_b - mean_a;
        *sum_a += mean_a;
        *sum_b += mean_b;
    }
    return n;
}

/* An interval by replications or, with few of them, by batches. */
static void judge_random(struct vsg_comparison *c, const struct pairs *p, int64_t mean_a_ps)
{
    uint32_t values = c->n;
    int64_t half_ps = 0;
    if (c->n >= VSG_REPLICATIONS_FOR_CI) {
        half_ps = vsg_spread_of(p->value, p->scratch, c->n, p->level).half_ps;
        c->method = VSG_METHOD_PAIRED_T;
    } else {
        switch (vsg_batch_interval(p->a, p->b, c->n, VSG_BATCHES_OF_MEAN, p->level, &half_ps)) {
        case VSG_BATCHED:
            c->method = VSG_METHOD_PAIRED_BATCHES;
            values = c->n * VSG_BATCHES;
            break;
        case VSG_CORRELATED:
            c->method = VSG_METHOD_CORRELATED;
            return;
        case VSG_UNBATCHED:
            c->method = c->n > 1 ? VSG_METHOD_TOO_FEW : VSG_METHOD_SINGLE_RUN;
            return;
        }
    }
    judge(c, half_ps);
    int64_t wanted_ps = mean_a_ps / 100;
    uint32_t needed = half_ps <= wanted_ps
                          ? c->n
                          : vsg_replications_needed(half_ps, values, c->n, p->level, wanted_ps);
    if (needed < UINT32_MAX)
        c->needed = needed;
}

static void compare(const struct vsg_results *r, const struct vsg_point_figures *a,
                    const struct vsg_point_figures *b, const struct pairs *p,
                    struct vsg_comparison *c)
{
    vsg_i128 sum_a = 0, sum_b = 0;
    const struct vsg_figures *fa = &a->figures, *fb = &b->figures;
    *c = (struct vsg_comparison){.point = a->point,
                                 .a = a->policy,
                                 .b = b->policy,
                                 .diff_ps = VSG_NO_FIGURE,
                                 .ratio_ppm = VSG_NO_FIGURE,
                                 .ci95_low_ps = VSG_NO_FIGURE,
                                 .ci95_high_ps = VSG_NO_FIGURE,
                                 .needed = VSG_NO_FIGURE,
                                 .verdict = VSG_NO_DIFFERENCE,
                                 .method = VSG_METHOD_SINGLE_RUN};
    bool unstable = (a->has_figures && fa->unstable) || (b->has_figures && fb->unstable);
    if (unstable || (a->has_figures && fa->not_steady) || (b->has_figures && fb->not_steady)) {
        c->method = unstable ? VSG_METHOD_UNSTABLE : VSG_METHOD_NOT_STEADY;
        return;
    }
    c->n = find_pairs(r, c, p, &sum_a, &sum_b);
    if (c->n == 0)
        return;
    c->diff_ps = vsg_spread_of(p->value, p->scratch, c->n, p->level).mean_ps;
    if (sum_a > 0)
        c->ratio_ppm = vsg_scale_round((vsg_u128)sum_b, PPM, (vsg_u128)sum_a);
    if (vsg_config_is_random(&r->study->point[a->point].config)) {
        judge_random(c, p, vsg_div_round(sum_a, (vsg_i128)c->n << VSG_FINE_BITS));
    } else {
        c->method = VSG_METHOD_DETERMINISTIC;
        judge(c, 0);
    }
}

enum vsg_status vsg_comparisons_make(struct vsg_results *r)
{
    size_t room = (size_t)r->study->replications + 1;
    uint32_t policies = r->study->policy_count;
    if (r->comparison_count == 0)
        return VSG_OK;
    struct pairs p = {.a = calloc(room, sizeof *p.a),
                      .b = calloc(room, sizeof *p.b),
                      .value = calloc(room, sizeof *p.value),
                      .scratch = calloc(room, sizeof *p.scratch),
                      .level = 1 - 0.05 / r->comparison_count};
    bool made = p.a && p.b && p.value && p.scratch;
    struct vsg_comparison *c = r->comparison;
    for (uint32_t first = 0; made && first < r->point_count; first += policies)
        for (uint32_t a = 0; a < policies; a++)
            for (uint32_t b = a + 1; b < policies; b++)
                compare(r, &r->point[first + a], &r->point[first + b], &p, c++);
    free((void *)p.a);
    free((void *)p.b);
    free(p.value);
    free(p.scratch);
    return made ? VSG_OK : VSG_ENOMEM;
}
