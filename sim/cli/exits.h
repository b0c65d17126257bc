/* Exit codes of the program. Scripts depend on them: a change goes to CHANGELOG.md. */
#ifndef VSG_CLI_EXITS_H
#define VSG_CLI_EXITS_H

#include "engine/status.h"

enum vsg_exit {
    VSG_EXIT_OK = 0,
    VSG_EXIT_FAILED = 1,     /* all runs failed, or the only one; output could not be written */
    VSG_EXIT_USAGE = 2,      /* the command line is wrong */
    VSG_EXIT_SCENARIO = 3,   /* a scenario is invalid or cannot be read */
    VSG_EXIT_PARTLY = 4,     /* some runs of a sweep failed */
    VSG_EXIT_APART = 5,      /* the two engines disagree; compare: a --fail-if holds */
    VSG_EXIT_IN_THE_WAY = 6, /* the output directory exists and holds something */
    VSG_EXIT_INTERNAL = 70,  /* an invariant of ours broke */
    VSG_EXIT_SIGNAL = 128    /* plus the number of the signal that ended the program */
};

/* The code for a function's status, for all but VSG_EINTR (see signals.h). */
enum vsg_exit vsg_exit_of(enum vsg_status status);

#endif
