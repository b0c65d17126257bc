/* Scenario files named on the command line: reading, loading, saying what is wrong. */
#ifndef VSG_CLI_INPUT_H
#define VSG_CLI_INPUT_H

#include "cli/options.h"
#include "cli/show.h"

/* Which diagnostics --quiet and --verbose ask for. */
enum vsg_show vsg_input_show(const struct vsg_command *c);

/* Reads the file, or standard input for "-", and loads it with the command's --set and --seed.
 * Shows its warnings and errors on stderr; *errors grows by the number of errors. On
 * VSG_EXIT_OK study and source are the caller's (vsg_study_free, vsg_source_free). */
int vsg_input_load(const struct vsg_command *c, const char *path, struct vsg_study *study,
                   struct vsg_source *source, size_t *errors);
void vsg_source_free(struct vsg_source *s);

/* Says "N errors; nothing was run." */
void vsg_input_say_errors(size_t errors);

#endif
