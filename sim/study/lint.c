#include "study/scenario_parts.h"

void vsg_warn_of_idle_keys(struct vsg_reader *r, const struct vsg_scenario *s)
{
    (void)r;
    (void)s;
}
