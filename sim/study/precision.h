/* run.precision: how many replications the points of a study take.
 *
 * A point begins with VSG_PRECISION_FIRST replications of every policy (one, where nothing is
 * random) and has twice as many each time that a policy's mean is not yet known to the
 * precision asked for: until half the 95 % interval is at most that share of the mean, or the
 * study's replications are used up. Looking only at 10, 20, 40 ... keeps small the chance to stop
 * because an interval happens to be too narrow (docs/validation.md, "Coverage"). All policies of a
 * point have the same replications, so that differences stay paired; points do not wait for each
 * other. Every difference of a point is then known at least as well as independent runs would tell
 * it.
 *
 * A point without a steady state, or without a run that was done, is not pursued. */
#ifndef VSG_STUDY_PRECISION_H
#define VSG_STUDY_PRECISION_H

#include "study/execute.h"

enum { VSG_PRECISION_FIRST = 10 };

/* With how many replications a point begins. */
uint32_t vsg_precision_begin(const struct vsg_study *s, uint32_t point);

/* replications: [points] as run so far; raised where more are wanted. run: [count] all of them, by
 * index, then engine. *more: some were raised. Fails with VSG_ENOMEM. */
enum vsg_status vsg_precision_next(const struct vsg_study *s, const struct vsg_run *run,
                                   uint32_t count, uint32_t *replications, bool *more);

/* Whether half an interval is at most the asked share of the mean. */
bool vsg_precision_is_met(const struct vsg_study *s, int64_t mean_ps, int64_t half_ps);

#endif
