/* Offered load of each server, known before the run: rate x visits x mean occupancy of the
 * open workloads. At 1 or above no steady state exists. Private to models/. */
#ifndef VSG_MODELS_OFFERED_H
#define VSG_MODELS_OFFERED_H

#include "models/gic/select.h"
#include "models/kvm/ipi.h"

struct vsg_offered_input {
    const struct vsg_config *config;
    const struct vsg_world *world;
    const struct vsg_boot *boot;
    const struct vsg_vcpu *vcpu;
    const struct vsg_guest *guest;
    const struct vsg_chooser *chooser; /* NULL: each vCPU is bound to an ITS */
    uint32_t vcpu_count;
};

/* The loads above zero: every ITS and link, the most loaded sender and handler of each VM;
 * highest first, equal ones by name. On success *out is the caller's, names too. Fails
 * with VSG_ENOMEM. */
enum vsg_status vsg_offered_loads(const struct vsg_offered_input *in, struct vsg_offered **out,
                                  uint32_t *count);

#endif
