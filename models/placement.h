/* Which CPU each vCPU runs on. One vCPU per CPU; only CPUs that were started and are online
 * after the machine's last event.
 *
 * Pinned VMs come first, so that no other VM takes their CPUs; then the others, both in file
 * order. "Lowest" is by CPU id.
 *   pinned  vCPU i on the CPU with id cpus[i]
 *   node    the lowest free CPUs of the node
 *   packed  the lowest free CPUs of node 0, then of node 1, ...
 *   spread  node by node in turn from node 0, the lowest free CPU of each; a node that has
 *           none left is passed over
 *   interleaved  like spread, but the next VM goes on with the node after the last one used
 *   random  CPUs drawn from all free ones, by run.seed, replication and VM
 *
 * Pure functions: no globals, any thread. */
#ifndef VSG_MODELS_PLACEMENT_H
#define VSG_MODELS_PLACEMENT_H

#include "engine/diag.h"
#include "models/config.h"
#include "models/gic/select.h"

/* A vCPU's ordinal counts the VMs in file order and the vCPUs of each in order. */
struct vsg_placement {
    uint32_t *cpu;  /* [vcpu_count] index into machine.cpu */
    uint32_t *node; /* [vcpu_count] node of that CPU */
    uint32_t vcpu_count;
    uint32_t *first; /* [vm_count + 1] ordinal of each VM's vCPU 0; at the end vcpu_count */
    uint32_t vm_count;
};

/* Places all vCPUs of c on the machine that vsg_boot() booted from c->machine. On success
 * *out is the caller's, to free with vsg_placement_free(). Fails with VSG_ENOMEM, or
 * VSG_ENOTSUP: the machine has no direct vSGI, or some vCPU has no CPU; diag (may be NULL)
 * then has every such VM and vCPU with the reason and what to do, and *out is untouched. */
enum vsg_status vsg_place(const struct vsg_config *c, const struct vsg_boot *boot,
                          struct vsg_placement *out, struct vsg_diag *diag);

/* Frees and zeroes; a zeroed placement is allowed. */
void vsg_placement_free(struct vsg_placement *p);

#endif
