/* What runs cost in wall time: the time left of a study, from the runs that have ended.
 *
 * A run's weight is a guess, from its config, of how many IPIs it simulates; wall time per
 * weight is that of the runs that have ended. For progress only, no result depends on it. */
#ifndef VSG_STUDY_EFFORT_H
#define VSG_STUDY_EFFORT_H

#include "study/execute.h"

struct vsg_effort {
    double *weight; /* [points] of one run */
    double left;    /* of the runs that have not ended */
    double ended;   /* of those that have, with their wall time: */
    double ended_ns;
};

/* The guess, at least 1. */
double vsg_config_weight(const struct vsg_config *c);

/* The runs to come. Fails with VSG_ENOMEM. */
enum vsg_status vsg_effort_begin(struct vsg_effort *e, const struct vsg_study *s,
                                 const struct vsg_run *run, uint32_t count);
void vsg_effort_end(struct vsg_effort *e);

/* Further runs to come. */
void vsg_effort_more(struct vsg_effort *e, const struct vsg_run *run, uint32_t count);

/* One of them has ended, done or failed. */
void vsg_effort_ended(struct vsg_effort *e, const struct vsg_run *run);

/* Wall time left with `jobs` runs at once. False: none has ended yet. */
bool vsg_effort_left(const struct vsg_effort *e, unsigned jobs, uint64_t *left_ns);

#endif
