/* Runs a world on SimGrid. */
#include "engine/simgrid/setup.h"

enum vsg_status vsg_sg_run(const struct vsg_world *w, const struct vsg_simgrid_calls *calls,
                           struct vsg_report *report, struct vsg_simgrid_error *error)
{
    (void)w;
    (void)calls;
    (void)report;
    vsg_sg_error(error, "this module answers for routes only");
    return VSG_ENOTSUP;
}
