/* Policies against each other, point by point. Used by results.c only. */
#ifndef VSG_STUDY_COMPARISONS_H
#define VSG_STUDY_COMPARISONS_H

#include "study/results.h"

/* Fills r->comparison[comparison_count], all else being there. Fails with VSG_ENOMEM. */
enum vsg_status vsg_comparisons_make(struct vsg_results *r);

/* The run of (point, policy, replication) that points and comparisons go by: done, the
 * first engine's. NULL: there is none. (In results.c.) */
const struct vsg_run_figures *vsg_results_find(const struct vsg_results *r, uint32_t point,
                                               uint32_t policy, uint32_t replication);

#endif
