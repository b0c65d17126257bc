/* What the policies that choose for each send would choose on this machine, idle. */
#include <stdlib.h>

#include "cli/topology.h"
#include "models/machine/machine.h"

/* The target's CPU stands for its node only where all of the node's started CPUs would choose
 * alike; VSG_NONE otherwise. */
static uint32_t target_cpu_of(const struct vsg_topology_view *v, const struct vsg_chooser *c,
                              uint32_t node)
{
    uint32_t found = VSG_NONE;
    for (uint32_t i = 0; i < v->machine->cpu_count; i++) {
        if (!v->boot.started[i] || vsg_cpu_node(&v->machine->cpu[i]) != node)
            continue;
        if (found != VSG_NONE && c->of_cpu[i] != c->of_cpu[found])
            return VSG_NONE;
        found = i;
    }
    return found;
}

enum vsg_status vsg_topology_choices(const struct vsg_topology_view *v, enum vsg_policy policy,
                                     uint32_t *its, struct vsg_diag *diag)
{
    const struct vsg_interconnect_config *ic = &v->study->point[0].config.interconnect;
    uint32_t n = v->machine->nodes;
    struct vsg_world weighted = v->world;
    weighted.weight_ppm[0] = weighted.weight_ppm[3] = 1000000;
    weighted.weight_ppm[1] = ic->mmio_weight_ppm;
    weighted.weight_ppm[2] = ic->message_weight_ppm;
    struct vsg_chooser c;
    for (size_t k = 0; k < (size_t)n * n; k++)
        its[k] = VSG_NONE;
    if (!v->boot.direct_vsgi || policy == VSG_POLICY_HASH || vsg_policy_is_dynamic(policy))
        return VSG_OK; /* not a matter of nodes */
    enum vsg_status status = vsg_chooser_make(policy, v->machine, &v->boot, &weighted, &c, diag);
    if (status != VSG_OK)
        return status;
    for (uint32_t to = 0; to < n; to++) {
        uint32_t cpu = target_cpu_of(v, &c, to);
        if (policy == VSG_POLICY_TARGET_NODE && cpu == VSG_NONE)
            continue;
        for (uint32_t from = 0; from < n; from++) {
            struct vsg_send s = {.from_node = from, .to_node = to, .target_cpu = cpu};
            uint32_t position = vsg_choose(&c, &s);
            if (position != VSG_NONE)
                its[(size_t)from * n + to] = v->boot.list_order[position];
        }
    }
    vsg_chooser_free(&c);
    return VSG_OK;
}
