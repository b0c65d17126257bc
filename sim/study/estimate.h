/* What a study would take, without running it: `run --dry-run`.
 *
 * Up to five of its points are run for a short while, in the engine and with the threads that
 * the study would have. Time grows with the IPIs of a run, beyond what it costs to start one;
 * memory is the most that a short run held. Neither is a promise: queues of an overloaded
 * point grow, and other programs take their share of the machine. */
#ifndef VSG_STUDY_ESTIMATE_H
#define VSG_STUDY_ESTIMATE_H

#include "study/execute.h"

struct vsg_estimate {
    uint32_t runs; /* both engines' */
    unsigned jobs, threads;
    bool known; /* false: no short run went well; error says why */
    char *error;
    uint32_t probes;                     /* points that were tried */
    uint64_t probe_ns;                   /* wall time of that */
    uint64_t least_ns, most_ns, mean_ns; /* wall time of a run */
    uint64_t total_ns;                   /* of the study */
    uint64_t run_bytes;                  /* of a run's process */
    uint64_t study_bytes;                /* of this process, all results in it */
};

/* Takes a second or so. options as for executing the study; runs in options->only alone count.
 * *out is the caller's whatever the status, to free with vsg_estimate_free(). Fails as
 * vsg_study_execute() does. */
enum vsg_status vsg_study_estimate(const struct vsg_study *study,
                                   const struct vsg_execute_options *options,
                                   struct vsg_estimate *out, struct vsg_diag *diag);
void vsg_estimate_free(struct vsg_estimate *e);

#endif
