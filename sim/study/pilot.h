/* run.warmup `auto` of an open load: where each run's warm-up ends, found before the run itself.
 *
 * A pilot is the same simulation, stopped early. It runs for an eighth of the window, or for
 * as long as some 2000 IPIs take; MSER-5 (models/warmup.h) says where to cut; while
 * the cut lies in the pilot's second half, a pilot of twice the length is run. A run whose pilot
 * has grown to the whole window and still asks for more than half of it is not steady.
 *
 * Policies are compared on the same sends, so every policy of the study is piloted and
 * the latest cut holds for all: each run finds it for itself, whatever else is run, when and where.
 * Cost: about an eighth of a run per policy, in every run.
 *
 * With load steps only the time before the first is looked at: what a step does is asked for. */
#ifndef VSG_STUDY_PILOT_H
#define VSG_STUDY_PILOT_H

#include "engine/diag.h"
#include "engine/engine.h"
#include "models/model.h"

/* Fills the fields of *options that are about the window and the warm-up, where the config asks for
 * it; else leaves them. Pilots run on the parallel engine: SimGrid keeps one simulation per
 * process, and both engines give the same latencies. Of a fluid interconnect, which only
 * SimGrid has, the pilot has `fifo`. Fails as vsg_model_new() and vsg_parallel_run() do; a policy
 * of the study that cannot run on this machine has no say. */
enum vsg_status vsg_pilot(const struct vsg_config *config, const struct vsg_routes *routes,
                          unsigned threads, struct vsg_model_options *options,
                          struct vsg_diag *diag);

#endif
