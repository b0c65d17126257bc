/* Which ITS a single send takes, under every policy.
 *
 * The kernel's policies bind a CPU to an ITS when it starts (select.h). The what-ifs choose
 * per send, among all v4.1 ITSs, with what the sender can know: distances, the
 * target, its own count, and its own IPIs under way. Equal ones, where nothing else is said: the
 * first in list order.
 *
 *   nearest            least route latency from the sender's node to the ITS
 *   target-node        the ITS that the target's CPU uses under `local`
 *   min-path           least way sender to ITS plus ITS to target's redistributor; equal ones: the
 *                      nearest
 *   round-robin        send n of vCPU v takes ITS (v + n) mod k: a counter per sender, for a global
 *                      one would be a shared line
 *   hash               by a fixed hash of the target vCPU
 *   least-outstanding  fewest of the sender's IPIs that are not known to be served; word of it
 *                      travels back from the ITS; equal ones: the nearest
 *
 * Immutable once made: may be shared by threads. Ways are weighted as stores and messages are
 * (interconnect.mmio_weight, message_weight). */
#ifndef VSG_MODELS_GIC_CHOOSE_H
#define VSG_MODELS_GIC_CHOOSE_H

#include "engine/order.h"
#include "models/gic/select.h"

struct vsg_chooser {
    enum vsg_policy policy;
    uint32_t *candidate; /* [candidate_count] list positions of the v4.1 ITSs, in list order */
    uint32_t candidate_count;
    uint32_t its_count, node_count;
    uint32_t
        *order; /* [node_count * candidate_count] candidates by way from a node, nearest first */
    uint32_t *by_pair; /* [node_count^2] min-path: list position for (sender's, target's) node */
    uint32_t *of_cpu;  /* [cpu_count] list position of what `local` gives; VSG_NONE: none */
};

/* What a send is about. */
struct vsg_send {
    uint32_t from_node, to_node;
    uint32_t sender, target; /* ordinals of vCPUs */
    uint32_t target_cpu;     /* index into machine.cpu */
    uint64_t n;
    const uint32_t *outstanding; /* [its_count] by list position; least-outstanding only */
};

/* Does the policy choose per send (from VSG_POLICY_NEAREST on)? */
static inline bool vsg_policy_chooses(enum vsg_policy policy)
{
    return policy >= VSG_POLICY_KERNEL_COUNT;
}

/* Does its choice depend on what happened before? topology says "dynamic" of these. */
static inline bool vsg_policy_is_dynamic(enum vsg_policy policy)
{
    return policy == VSG_POLICY_ROUND_ROBIN || policy == VSG_POLICY_LEAST_OUTSTANDING;
}

/* Makes a chooser for a policy that chooses. w: the world's links and routes. On success *out is
 * the caller's, to free with vsg_chooser_free(). Fails with VSG_ENOMEM, or VSG_ENOTSUP
 * when there is no v4.1 ITS or one of them has no place on the interconnect. */
enum vsg_status vsg_chooser_make(enum vsg_policy policy, const struct vsg_machine_config *machine,
                                 const struct vsg_boot *boot, const struct vsg_world *w,
                                 struct vsg_chooser *out, struct vsg_diag *diag);
void vsg_chooser_free(struct vsg_chooser *c);

/* List position of the ITS for one send. */
uint32_t vsg_choose(const struct vsg_chooser *c, const struct vsg_send *s);

#endif
