/* `run --dry-run`: how many runs a study has, and an estimate of what they take. */
#ifndef VSG_CLI_RUN_DRY_H
#define VSG_CLI_RUN_DRY_H

#include "cli/run_output.h"
#include "study/execute.h"

/* Prints it, or adds it as JSON to *t. o: as for the study itself. Writes no file. Fails as
 * vsg_study_estimate() and vsg_outdir_count_done() do. */
enum vsg_status vsg_run_dry(const struct vsg_command *c, const struct vsg_study *study,
                            const struct vsg_execute_options *o, struct vsg_run_texts *t,
                            struct vsg_diag *diag);

#endif
