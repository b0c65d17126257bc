/* The verbs: each in the file of its name, each returning the exit code. Results go to stdout,
 * everything else to stderr; main() checks that stdout could be written. */
#ifndef VSG_CLI_VERBS_H
#define VSG_CLI_VERBS_H

#include "cli/options.h"

int vsg_verb_run(const struct vsg_command *c);
int vsg_verb_check(const struct vsg_command *c);
int vsg_verb_topology(const struct vsg_command *c);
int vsg_verb_plot(const struct vsg_command *c);
int vsg_verb_compare(const struct vsg_command *c);
int vsg_verb_explain(const struct vsg_command *c);
int vsg_verb_list(const struct vsg_command *c);
int vsg_verb_schema(const struct vsg_command *c);
int vsg_verb_version(const struct vsg_command *c);
int vsg_verb_help(const struct vsg_command *c);

/* Help on stdout: the ten lines, or all about one verb. */
void vsg_help_short(void);
void vsg_help_verb(enum vsg_verb verb);

#endif
