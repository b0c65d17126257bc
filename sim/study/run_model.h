/* The real run: a config through the model and one engine. Used by execute.c, in the worker. */
#ifndef VSG_STUDY_RUN_MODEL_H
#define VSG_STUDY_RUN_MODEL_H

#include "study/execute.h"

/* A vsg_do_run_fn. For engine `simgrid` its module must be loaded, and the process be its own. */
enum vsg_status vsg_run_model(const struct vsg_config *config, enum vsg_engine engine,
                              const struct vsg_routes *routes, unsigned threads,
                              uint64_t sample_cap, struct vsg_run_result *out,
                              struct vsg_diag *diag);

#endif
