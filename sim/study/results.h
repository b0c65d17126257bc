/* From integers to figures: what a study found.
 *
 * Every figure is computed here, once, from the integers of models/result.h, in a fixed
 * order, and kept as an integer of its smallest printed unit, so that equal runs give
 * equal bytes: times in ps (printed as ns with 3 decimals), shares and ratios in ppm (6
 * decimals), rates in thousandths. Half a unit rounds away from zero.
 *
 * VSG_NO_FIGURE stands for a figure that cannot be given: null in JSON, empty in CSV. */
#ifndef VSG_STUDY_RESULTS_H
#define VSG_STUDY_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/diag.h"
#include "models/result.h"
#include "study/execute.h"
#include "study/study.h"

#define VSG_NO_FIGURE INT64_MIN
#define VSG_PERCENTILE_COUNT 5
#define VSG_REPLICATIONS_FOR_CI 5 /* fewer give no interval */
#define VSG_SAMPLES_ABOVE 30      /* a percentile needs that many IPIs above it */

/* 500000, 900000, 990000, 999000, 999900 ppm: p50, p90, p99, p99_9, p99_99. */
extern const uint32_t vsg_percentile_ppm[VSG_PERCENTILE_COUNT];
extern const char *const vsg_percentile_name[VSG_PERCENTILE_COUNT];

/* How an interval was made, or why there is none. */
enum vsg_method {
    VSG_METHOD_DETERMINISTIC,  /* no random input: nothing to be unsure about */
    VSG_METHOD_SINGLE_RUN,     /* one replication of something random, too short for batches */
    VSG_METHOD_TOO_FEW,        /* 2..4 of them */
    VSG_METHOD_BATCHES,        /* t over the batches of 1..4 replications */
    VSG_METHOD_CORRELATED,     /* their batches hang together: no interval */
    VSG_METHOD_T,              /* t over 5 replications or more */
    VSG_METHOD_PAIRED_T,       /* comparisons: t over paired differences, Bonferroni */
    VSG_METHOD_PAIRED_BATCHES, /* comparisons: the same of batches, 1..4 replications */
    VSG_METHOD_UNSTABLE,       /* no steady state, so no mean */
    VSG_METHOD_NOT_STEADY,     /* warm-up would take more than half of the run: no mean */
    VSG_METHOD_COUNT
};
extern const char *const vsg_method_name[VSG_METHOD_COUNT];

struct vsg_latency_figures {
    uint64_t count;
    int64_t mean_ps;
    int64_t ci95_low_ps, ci95_high_ps; /* both or neither */
    enum vsg_method method;
    int64_t stddev_ps; /* over IPIs, n - 1 */
    int64_t min_ps, max_ps;
    int64_t percentile_ps[VSG_PERCENTILE_COUNT];
    /* 95 % intervals of the percentiles, each by the method of the mean: over replications, or over
     * batches of open loads up to 0.8; both ends or neither. */
    int64_t percentile_low_ps[VSG_PERCENTILE_COUNT], percentile_high_ps[VSG_PERCENTILE_COUNT];
};

struct vsg_pair_figures {
    uint32_t from_node, to_node;
    uint64_t count;
    int64_t mean_ps, p99_ps; /* p99 is at most 3.1 % too high (coarse histogram) */
};

struct vsg_vm_figures {
    const char *name;
    uint64_t count;
    int64_t mean_ps, p99_ps, max_ps;
};

struct vsg_its_figures {
    uint32_t id, node;
    uint64_t served;
    int64_t utilisation_ppm;
    int64_t queue_mean_ppm; /* requests waiting, by Little: sum of waits / window */
    uint64_t queue_max;
    int64_t wait_mean_ps;
};

struct vsg_link_figures {
    const char *id;
    uint32_t from, to;
    int64_t utilisation_ppm;
    int64_t wait_mean_ps;
};

/* What theory says of the same configuration. */
enum vsg_theory { VSG_THEORY_NONE, VSG_THEORY_MD1, VSG_THEORY_BOUND, VSG_THEORY_COUNT };
extern const char *const vsg_theory_name[VSG_THEORY_COUNT];
struct vsg_analytic_figures {
    enum vsg_theory theory;
    int64_t mean_ps;
    int64_t error_ppm;      /* (simulated - analytic) / analytic */
    int64_t wait_ps;        /* VSG_THEORY_MD1: mean wait at the ITS */
    int64_t wait_error_ppm; /* of that wait */
};

/* Figures of one run, or of a point over its replications. */
struct vsg_figures {
    bool unstable;
    char *unstable_reason;           /* NULL unless unstable */
    int64_t sustainable_milli_per_s; /* IPIs/s of all senders; only when unstable */
    bool not_steady;                 /* of a point: half of its replications or more are */
    int64_t warmup_ps;               /* before the window; a point: VSG_NO_FIGURE */
    char *bottleneck;      /* name of the server with the highest utilisation, if > 95 % */
    uint64_t window_ps;    /* a point: all windows together */
    uint64_t events, ties; /* a point: summed */
    uint64_t fingerprint;  /* a point: summed mod 2^64 */
    int64_t throughput_milli_per_s;
    struct vsg_latency_figures latency;
    int64_t stage_ps[VSG_STAGE_COUNT]; /* means */
    int64_t return_ps;
    struct vsg_pair_figures *pair; /* pairs of nodes that sent anything */
    struct vsg_vm_figures *vm;
    struct vsg_its_figures *its; /* in list order: last probed first */
    struct vsg_link_figures *link;
    uint32_t pair_count, vm_count, its_count, link_count;
    int64_t stall_ps;       /* vCPU time a sender loses per IPI */
    int64_t pcpu_share_ppm; /* of a sender's pCPU */
    struct vsg_analytic_figures analytic;
};

struct vsg_run_figures {
    const struct vsg_run *run;
    bool has_figures; /* false: failed or not run */
    struct vsg_figures figures;
};

struct vsg_point_figures {
    uint32_t point;  /* index into study.point */
    uint32_t policy; /* index into study.policy */
    uint32_t n;      /* replications that are done */
    bool has_figures;
    struct vsg_figures
        figures; /* latency.mean: of the replications' means; percentiles: of merged histograms */
};

enum vsg_verdict { VSG_NO_DIFFERENCE, VSG_FASTER, VSG_SLOWER, VSG_VERDICT_COUNT };
/* "no difference shown", "faster", "slower": what b is, compared with a. */
extern const char *const vsg_verdict_name[VSG_VERDICT_COUNT];

struct vsg_comparison {
    uint32_t point, a, b;              /* a, b: indices into study.policy, a first in file order */
    uint32_t n;                        /* replications that both have */
    int64_t diff_ps;                   /* mean of b - a */
    int64_t ratio_ppm;                 /* mean of b / mean of a */
    int64_t ci95_low_ps, ci95_high_ps; /* of diff, simultaneous over the study's comparisons */
    int64_t needed; /* replications after which the half width is 1 % of a's mean, or n if it is
                       already; VSG_NO_FIGURE: cannot be said */
    enum vsg_verdict verdict;
    enum vsg_method method;
};

struct vsg_results {
    const struct vsg_study *study;
    const struct vsg_outcome *outcome;
    const char *version;
    struct vsg_run_figures *run; /* [run_count] as outcome.run */
    uint32_t run_count;
    struct vsg_point_figures *point; /* [point_count] point by point, policy by policy */
    uint32_t point_count;
    struct vsg_comparison *comparison;
    uint32_t comparison_count;
    char **warning; /* [warning_count] of the study, then of the runs, each once */
    uint32_t warning_count;
    bool any_unstable; /* for --fail-unstable */
};

/* Derives everything. study, outcome and version must outlive *out. With both engines,
 * points and comparisons are of the first engine of each run. On success *out is the
 * caller's. Fails with VSG_ENOMEM. */
enum vsg_status vsg_results_make(const struct vsg_study *study, const struct vsg_outcome *outcome,
                                 const char *version, struct vsg_results *out);
void vsg_results_free(struct vsg_results *r);

/* Whether a point, or a comparison with n runs, is shown: where only some runs were asked for,
 * those without any are not. */
bool vsg_results_show(const struct vsg_results *r, uint32_t n);

/* One run's figures alone, as soon as it has ended. config: of its point. names in *out are r's,
 * which must outlive it. Fails with VSG_ENOMEM. */
enum vsg_status vsg_figures_of_run(const struct vsg_run_result *r, const struct vsg_config *config,
                                   struct vsg_figures *out);
void vsg_figures_free(struct vsg_figures *f);

/* True when any draw of random numbers can influence the run. */
bool vsg_config_is_random(const struct vsg_config *c);

#endif
