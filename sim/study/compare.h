/* Two sets of results against each other: `vsgisim compare`.
 *
 * A side is the JSON object of vsg_report_json(), fresh from a run or read back from a directory,
 * and one of its policies. Points are matched by their axes. Replications are paired by their
 * number: with the same seed they have the same arrivals, targets and costs, so most of what is
 * random cancels out.
 *
 * Intervals hold together over all points with 95 % probability, for each figure (Bonferroni). With
 * 5 common replications or more they are t over paired differences; below, from the sides' own
 * intervals by batches, as if the sides were independent, or from the results' own comparison of
 * two policies. The largest latency has none. */
#ifndef VSG_STUDY_COMPARE_H
#define VSG_STUDY_COMPARE_H

#include <jansson.h>

#include "study/results.h"

enum vsg_metric {
    VSG_METRIC_MEAN,
    VSG_METRIC_P50,
    VSG_METRIC_P90,
    VSG_METRIC_P99,
    VSG_METRIC_P99_9,
    VSG_METRIC_MAX,
    VSG_METRIC_COUNT
};
/* "mean", "p50", ... "p99.9", "max": as people write them. */
extern const char *const vsg_metric_name[VSG_METRIC_COUNT];

struct vsg_side {
    const char *label;     /* what it is called in words */
    const json_t *results; /* one study's */
    const char *policy;
};

/* How one figure of b differs from that of a. */
struct vsg_difference {
    int64_t a_ps, b_ps, diff_ps, ratio_ppm; /* VSG_NO_FIGURE: not known */
    int64_t low_ps, high_ps;                /* of diff; both or neither */
    int64_t needed;                         /* as vsg_comparison.needed */
    enum vsg_verdict verdict;
    enum vsg_method method;
};

struct vsg_compared {
    const json_t *point; /* the axes' values */
    uint32_t n;          /* common replications */
    struct vsg_difference of[VSG_METRIC_COUNT];
};

/* --fail-if: a change of b against a that is too much. */
struct vsg_limit {
    char *text; /* as given */
    enum vsg_metric metric;
    bool below;    /* fails below the limit, not above */
    bool relative; /* limit in ppm of a, else in ps */
    int64_t limit;
};

struct vsg_comparison_of {
    struct vsg_side a, b;
    struct vsg_compared *point; /* [count] in a's order */
    uint32_t count;
};

/* "p99 > +5%", "mean < -20ns": a figure, > or <, and a change in % or time. On failure says
 * why not in why[0..why_size). Fails with VSG_EINVAL or VSG_ENOMEM. text is copied; free it with
 * vsg_limit_free(). */
enum vsg_status vsg_limit_parse(const char *text, struct vsg_limit *out, char *why,
                                size_t why_size);
void vsg_limit_free(struct vsg_limit *l);

/* A change beyond the limit counts when it is not noise: where there is an interval, it must not
 * hold 0 (the verdict is faster or slower). A limit that cannot be judged is broken: a gate
 * must not open because what it watches is gone. */
enum vsg_beyond {
    VSG_WITHIN,
    VSG_BEYOND_NOT_SHOWN, /* beyond, but it may be chance */
    VSG_BEYOND,
    VSG_UNJUDGED /* a side does not have the figure */
};
enum vsg_beyond vsg_limit_check(const struct vsg_limit *l, const struct vsg_difference *d);

/* Whether an object is results of ours. False: why[0..why_size) says what is missing. */
bool vsg_compare_is_results(const json_t *results, char *why, size_t why_size);

/* The i-th policy that the results have points of, in their order; NULL: no more. */
const char *vsg_compare_policy(const json_t *results, size_t i);

/* Compares. Sides must outlive *out. On success *out is the caller's. Fails with VSG_EINVAL (their
 * axes, points or versions differ, or a policy is missing: why says so) or VSG_ENOMEM. */
enum vsg_status vsg_compare(const struct vsg_side *a, const struct vsg_side *b,
                            struct vsg_comparison_of *out, char *why, size_t why_size);
void vsg_compare_free(struct vsg_comparison_of *c);

/* For people: the answer, a table, the limits. width: columns of the terminal. For scripts: one
 * JSON object. all: [count] pairs of sides; limit: [limits]. */
enum vsg_status vsg_compare_table(const struct vsg_comparison_of *all, size_t count,
                                  const struct vsg_limit *limit, size_t limits, unsigned width,
                                  char **text);
enum vsg_status vsg_compare_json(const struct vsg_comparison_of *all, size_t count,
                                 const struct vsg_limit *limit, size_t limits, char **text);

/* True when a limit is broken at any point of any pair. */
bool vsg_compare_fails(const struct vsg_comparison_of *all, size_t count,
                       const struct vsg_limit *limit, size_t limits);

#endif
