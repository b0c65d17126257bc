/* The simulated machine and guests of one run, ready for either engine. */
#ifndef VSG_MODELS_MODEL_H
#define VSG_MODELS_MODEL_H

#include "engine/engine.h"
#include "models/config.h"
#include "models/result.h"

struct vsg_model; /* opaque */

struct vsg_model_options {
    unsigned workers;    /* threads that will run it, 1..VSG_THREADS_MAX */
    uint64_t sample_cap; /* IPIs kept one by one: the first of each sender, evenly; 0: none */
};

/* Builds the world of a run. config and routes must outlive the model. routes: those
 * of vsg_interconnect_routes() for this config. Fails with VSG_ENOMEM,
 * or VSG_ENOTSUP (no direct vSGI on this machine; a vCPU's CPU is not started...) with the
 * reason in diag. On success *out is the caller's. */
enum vsg_status vsg_model_new(const struct vsg_config *config, const struct vsg_routes *routes,
                              const struct vsg_model_options *options, struct vsg_model **out,
                              struct vsg_diag *diag);
void vsg_model_free(struct vsg_model *m);

const struct vsg_world *vsg_model_world(const struct vsg_model *m);

/* Merges the workers' accumulators with the engine's report. To be called once, after a
 * successful run. On success *out is the caller's. Fails with VSG_ENOMEM or VSG_EMODEL
 * (an invariant broke; diag says which). */
enum vsg_status vsg_model_result(struct vsg_model *m, const struct vsg_report *report,
                                 struct vsg_run_result *out, struct vsg_diag *diag);

#endif
