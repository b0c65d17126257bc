#include "study/intervals.h"

#include <assert.h>
#include <math.h>

#include "engine/stats.h"

/* One-sided: of independent batches, 5 % are refused. */
#define LAG1_LIMIT 1.6448536269514722

enum { VALUES_MAX = VSG_BATCHED_RUNS_MAX * VSG_BATCHES, PPM = 1000000 };

vsg_i128 vsg_fine_mean(vsg_u128 sum, uint64_t count)
{
    return (vsg_i128)(sum / count << VSG_FINE_BITS) +
           (vsg_i128)((sum % count << VSG_FINE_BITS) / count);
}

static int64_t to_ps(double half)
{
    return half < 9e18 ? (int64_t)(half + 0.5) : INT64_MAX;
}

struct vsg_spread vsg_spread_of(const vsg_i128 *value, double *scratch, uint32_t n, double level)
{
    struct vsg_spread s = {.half_ps = VSG_NO_FIGURE};
    vsg_i128 sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += value[i];
    s.mean_ps = vsg_div_round(sum, (vsg_i128)n << VSG_FINE_BITS);
    if (n < VSG_REPLICATIONS_FOR_CI)
        return s;
    /* Of differences from the first, so that a double holds all their digits. */
    for (uint32_t i = 0; i < n; i++)
        scratch[i] = (double)(value[i] - value[0]) / (double)(1 << VSG_FINE_BITS);
    struct vsg_interval interval = {0};
    if (vsg_mean_interval(scratch, n, level, &interval) == VSG_OK)
        s.half_ps = to_ps(interval.half_width);
    return s;
}

/* ---- batches ----------------------------------------------------------------------------- */

static bool has_quantile(const struct vsg_batch *b, int what)
{
    return (vsg_u128)b->count * (PPM - vsg_batch_quantile_ppm[what]) >=
               (vsg_u128)VSG_SAMPLES_ABOVE * PPM &&
           b->quantile_ps[what] != UINT64_MAX;
}

/* The values of a run's batches. False: it has none. */
static bool batch_values(const struct vsg_run_result *r, int what, double *value)
{
    uint64_t count = 0;
    vsg_u128 sum_ps = 0;
    if (r->batch_count != VSG_BATCHES)
        return false;
    for (int i = 0; i < VSG_BATCHES; i++) {
        if (r->batch[i].count == 0 || (what >= 0 && !has_quantile(&r->batch[i], what)))
            return false;
        count += r->batch[i].count;
        sum_ps += r->batch[i].sum_ps;
    }
    double ratio = (double)sum_ps / (double)count, each = (double)count / VSG_BATCHES;
    for (int i = 0; i < VSG_BATCHES; i++) {
        const struct vsg_batch *b = &r->batch[i];
        value[i] = what >= 0 ? (double)b->quantile_ps[what]
                             : ratio + ((double)b->sum_ps - ratio * (double)b->count) / each;
    }
    return true;
}

enum vsg_batched vsg_batch_interval(const struct vsg_run_result *const *a,
                                    const struct vsg_run_result *const *b, uint32_t n, int what,
                                    double level, int64_t *half_ps)
{
    double value[VALUES_MAX], other[VSG_BATCHES], z = 0;
    assert(n <= VSG_BATCHED_RUNS_MAX && what < VSG_BATCH_QUANTILES);
    if (n == 0)
        return VSG_UNBATCHED;
    for (uint32_t i = 0; i < n; i++) {
        double *own = value + (size_t)i * VSG_BATCHES;
        if (!batch_values(a[i], what, own) || (b && !batch_values(b[i], what, other)))
            return VSG_UNBATCHED;
        for (int k = 0; b && k < VSG_BATCHES; k++)
            own[k] = other[k] - own[k];
        z += vsg_lag1_z(own, VSG_BATCHES);
    }
    if (z / sqrt(n) > LAG1_LIMIT)
        return VSG_CORRELATED;
    struct vsg_interval interval = {0};
    if (vsg_mean_interval(value, (size_t)n * VSG_BATCHES, level, &interval) != VSG_OK)
        return VSG_UNBATCHED;
    *half_ps = to_ps(interval.half_width);
    return VSG_BATCHED;
}

/* A percentile of the latency; its index among those of batches, or -1. */
static int batch_quantile_of(uint32_t q_ppm)
{
    for (int q = 0; q < VSG_BATCH_QUANTILES; q++)
        if (vsg_batch_quantile_ppm[q] == q_ppm)
            return q;
    return -1;
}

void vsg_batch_figures(const struct vsg_run_result *const *run, uint32_t n,
                       struct vsg_latency_figures *f)
{
    int64_t half_ps = 0;
    switch (vsg_batch_interval(run, NULL, n, VSG_BATCHES_OF_MEAN, 0.95, &half_ps)) {
    case VSG_BATCHED:
        f->method = VSG_METHOD_BATCHES;
        f->ci95_low_ps = f->mean_ps - half_ps;
        f->ci95_high_ps = f->mean_ps + half_ps;
        break;
    case VSG_CORRELATED:
        f->method = VSG_METHOD_CORRELATED;
        return;
    case VSG_UNBATCHED:
        f->method = n > 1 ? VSG_METHOD_TOO_FEW : VSG_METHOD_SINGLE_RUN;
        return;
    }
    for (int i = 0; i < VSG_PERCENTILE_COUNT; i++) {
        int q = batch_quantile_of(vsg_percentile_ppm[i]);
        if (q < 0 || f->percentile_ps[i] == VSG_NO_FIGURE ||
            vsg_batch_interval(run, NULL, n, q, 0.95, &half_ps) != VSG_BATCHED)
            continue;
        f->percentile_low_ps[i] = f->percentile_ps[i] - half_ps;
        f->percentile_high_ps[i] = f->percentile_ps[i] + half_ps;
    }
}

/* ---- how many would do ----------------------------------------------------------------------- */

uint32_t vsg_replications_needed(int64_t half_ps, uint32_t values, uint32_t n, double level,
                                 int64_t wanted_ps)
{
    if (wanted_ps <= 0 || values < 2)
        return UINT32_MAX;
    /* The deviation of one replication, as far as these runs tell. */
    double deviation = (double)half_ps / vsg_t_quantile(level, values - 1) * sqrt(n);
    uint32_t low = VSG_REPLICATIONS_FOR_CI, high = UINT32_MAX;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        double half = vsg_t_quantile(level, middle - 1) * deviation / sqrt(middle);
        if (half <= (double)wanted_ps)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
