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

    /* An open workload's end of the window, where an earlier model of the same senders has found
     * it (vsg_model_window_end_ps()): finding it draws all gaps. 0: to be found. */
    uint64_t window_end_ps;

    /* A pilot run of an open workload, from which the warm-up is found: its senders stop
     * at pilot_ps (0: at an eighth of the window), or where the window ends; nothing is
     * warm-up; vsg_model_warmup_cut() has the answer. */
    bool pilot;
    uint64_t pilot_ps;

    /* What replaces run.warmup `auto` of an open workload. Without, 5 % of the window. */
    bool warmup_known, not_steady;
    uint64_t warmup_ps;
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

/* The end of an open workload's window, of the run also in a pilot; a closed loop may end it
 * before. VSG_NEVER where only closed loops run. */
uint64_t vsg_model_window_end_ps(const struct vsg_model *m);

/* Highest offered load of a server, known before the run; 10^6 is all it can take. 0: closed
 * loops only. */
uint64_t vsg_model_load_ppm(const struct vsg_model *m);

/* After a pilot run: how many IPIs it counted, and where MSER-5 cuts (models/warmup.h). False,
 * *cut_ps untouched: too few to say. To be called once. */
bool vsg_model_warmup_cut(struct vsg_model *m, const struct vsg_report *report, uint64_t *ipis,
                          uint64_t *cut_ps);

/* Merges the workers' accumulators with the engine's report. To be called once, after a
 * successful run. On success *out is the caller's. Fails with VSG_ENOMEM or VSG_EMODEL
 * (an invariant broke; diag says which). */
enum vsg_status vsg_model_result(struct vsg_model *m, const struct vsg_report *report,
                                 struct vsg_run_result *out, struct vsg_diag *diag);

#endif
