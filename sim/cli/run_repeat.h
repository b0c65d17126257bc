/* The command that repeats one run of a study. */
#ifndef VSG_CLI_RUN_REPEAT_H
#define VSG_CLI_RUN_REPEAT_H

#include <stdio.h>

#include "cli/options.h"
#include "study/results.h"

/* Writes a line with the command, if there is one: not for a study from standard input without
 * --out. It runs the study's one point and policy, and replications up to that of the run. */
void vsg_run_say_repeat(FILE *to, const struct vsg_command *c, const char *scenario,
                        const struct vsg_results *r, const struct vsg_run *run);

#endif
