/* The machine: expanding the short form, booting, and which ITS each CPU's vSGIs
 * go to under each policy. Pure functions of the configuration; no simulation. */
#ifndef VSG_MODELS_MACHINE_MACHINE_H
#define VSG_MODELS_MACHINE_MACHINE_H

#include "engine/diag.h"
#include "models/config.h"

/* Makes the explicit machine of the short form (rules: config.h). On success *out is the
 * caller's. Fails with VSG_ENOMEM or VSG_ERANGE (more than 2^20 CPUs). */
enum vsg_status vsg_machine_expand(const struct vsg_machine_short *s,
                                   struct vsg_machine_config *out);

/* The node on which a CPU or ITS stands on the interconnect; -1 for an ITS without a place. */
uint32_t vsg_cpu_node(const struct vsg_cpu_config *cpu);
int32_t vsg_its_node(const struct vsg_its_config *its);

#endif
