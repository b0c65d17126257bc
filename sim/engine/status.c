#include "engine/status.h"

static const char *const text[VSG_STATUS_COUNT] = {
    [VSG_OK] = "success",
    [VSG_EINVAL] = "arguments that do not fit together",
    [VSG_ERANGE] = "value out of range",
    [VSG_ENOMEM] = "out of memory",
    [VSG_ENODATA] = "no data",
    [VSG_ESCENARIO] = "invalid scenario",
    [VSG_EIO] = "input or output failed",
    [VSG_EEXIST] = "output exists",
    [VSG_ENOTSUP] = "not supported",
    [VSG_EMODEL] = "broken invariant of model or engine",
    [VSG_ECHILD] = "worker process died",
    [VSG_EINTR] = "interrupted by a signal",
    [VSG_ELIMIT] = "limit reached",
};

const char *vsg_status_text(enum vsg_status status)
{
    /* The cast also sends negative values beyond the table. */
    if ((unsigned)status >= VSG_STATUS_COUNT || !text[status])
        return "unknown status";
    return text[status];
}
