/* Intervals of means, of percentiles and of differences: over replications, or over the batches of
 * one to four runs. Used by figures.c, results.c and comparisons.c. */
#ifndef VSG_STUDY_INTERVALS_H
#define VSG_STUDY_INTERVALS_H

#include "study/exact.h"
#include "study/results.h"

/* Means over replications are taken of values with VSG_FINE_BITS bits below a picosecond. */
enum { VSG_FINE_BITS = 20 };
vsg_i128 vsg_fine_mean(vsg_u128 sum, uint64_t count); /* count > 0 */

struct vsg_spread {
    int64_t mean_ps, half_ps; /* half the width of the interval; VSG_NO_FIGURE: none */
};

/* Mean of value[0..n), n > 0, and the half width of its t interval at a level, with
 * VSG_REPLICATIONS_FOR_CI values or more. scratch: [n]. */
struct vsg_spread vsg_spread_of(const vsg_i128 *value, double *scratch, uint32_t n, double level);

/* Batches. A batch's IPIs are many or few with the load that its latency depends on, so its
 * value is not its mean but what it pulls the run's mean by: R + (sum - R count) / (mean count), R
 * being the ratio of the sums. The values' mean is R; their spread is that of R (ratio estimator:
 * Cochran, Sampling Techniques, 3rd ed., 6.3). */
enum { VSG_BATCHED_RUNS_MAX = VSG_REPLICATIONS_FOR_CI - 1 };
#define VSG_BATCHES_OF_MEAN (-1)

enum vsg_batched {
    VSG_BATCHED,    /* *half_ps is half the width of the interval */
    VSG_CORRELATED, /* neighbours are alike (vsg_lag1_z() above its 95 % quantile): none */
    VSG_UNBATCHED   /* a run has no batches, or a batch has too few IPIs */
};

/* What the batches of runs a[0..n), n at most VSG_BATCHED_RUNS_MAX, say of the mean or, `what` an
 * index into vsg_batch_quantile_ppm, of a percentile; with b, of the difference b - a, batch by
 * batch: of open loads these are the same stretch of time and the same sends. */
enum vsg_batched vsg_batch_interval(const struct vsg_run_result *const *a,
                                    const struct vsg_run_result *const *b, uint32_t n, int what,
                                    double level, int64_t *half_ps);

/* Puts mean and percentile intervals by batches into figures of runs[0..n): method, ci95. */
void vsg_batch_figures(const struct vsg_run_result *const *run, uint32_t n,
                       struct vsg_latency_figures *f);

/* How many replications it takes until the half width of a t interval is at most wanted_ps, from
 * one of half_ps over `values` values that come from n replications. At least
 * VSG_REPLICATIONS_FOR_CI, at most UINT32_MAX. */
uint32_t vsg_replications_needed(int64_t half_ps, uint32_t values, uint32_t n, double level,
                                 int64_t wanted_ps);

#endif
