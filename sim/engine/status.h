/* Status codes of every library function; 0 is good and none is ignored.
 *
 * A code says what kind of thing went wrong; the words for the user, with
 * file, line and hint, go into a vsg_diag (diag.h). */
#ifndef VSG_ENGINE_STATUS_H
#define VSG_ENGINE_STATUS_H

enum vsg_status {
    VSG_OK = 0,
    VSG_EINVAL,    /* arguments that do not fit together */
    VSG_ERANGE,    /* a value outside its documented range */
    VSG_ENOMEM,    /* memory ran out */
    VSG_ENODATA,   /* nothing to derive a figure from */
    VSG_ESCENARIO, /* the scenario is invalid; the diag says where */
    VSG_EIO,       /* reading or writing failed */
    VSG_EEXIST,    /* the output is in the way */
    VSG_ENOTSUP,   /* this engine or machine cannot do it; the diag says why */
    VSG_EMODEL,    /* an invariant of model or engine broke; the diag names it */
    VSG_ECHILD,    /* a worker process died; the diag says of what */
    VSG_EINTR,     /* a signal asked us to end */
    VSG_ELIMIT,    /* a limit that the user set was reached */
    VSG_STATUS_COUNT
};

/* A short English name for a status, e.g. "out of memory". Never NULL. */
const char *vsg_status_text(enum vsg_status status);

#endif
