/* Whether the two engines measured the same. Used by execute.c only. */
#ifndef VSG_STUDY_AGREEMENT_H
#define VSG_STUDY_AGREEMENT_H

#include "study/execute.h"

/* IPIs kept one by one when a run is repeated to find the first that differs. */
#define VSG_AGREEMENT_SAMPLES 200000

/* Compares the two runs of every index and fills out->agreement. *differs: where in out->run
 * the first differing pair begins, when they are known and not equal. Fails with VSG_ENOMEM. */
enum vsg_status vsg_agreement_compare(const struct vsg_study *study, struct vsg_outcome *out,
                                      uint32_t *differs);

/* Finds the first different IPI, by (intent, sender, n), in the samples of both runs, which
 * are by sender, then n. An IPI that only one engine has counts as different, with latency 0 in the
 * other. has_first stays false when the samples are the same. */
void vsg_agreement_first(struct vsg_agreement *a, const struct vsg_run *parallel,
                         const struct vsg_run *simgrid);

#endif
