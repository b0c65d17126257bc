/* The machine: expanding the short form, booting, and which ITS each CPU's vSGIs
 * go to under each policy. Pure functions of the configuration; no simulation. */
#ifndef VSG_MODELS_MACHINE_MACHINE_H
#define VSG_MODELS_MACHINE_MACHINE_H

#include "engine/diag.h"
#include "models/config.h"

#define VSG_MACHINE_NODE_MAX (UINT32_C(1) << 16) /* two affinity bytes */
#define VSG_MACHINE_CPU_MAX (UINT32_C(1) << 20)
#define VSG_MACHINE_ITS_MAX (UINT32_C(1) << 20)

/* Makes the explicit machine of the short form. On success *out is the caller's
 * (vsg_config_free() of the config it becomes a part of, or vsg_machine_free()).
 *
 * CPU c of node n has id n * cpus_per_node + c, NUMA node n and the affinity
 *     n.0.(c/16).(c%16)                  up to 256 nodes and 4,096 CPUs per node,
 *     n.(c/4096).(c/16%256).(c%16)       up to 256 nodes with more CPUs each,
 *     (n/256).(n%256).(c/16).(c%16)      with more than 256 nodes.
 * ITS k of node n has id n * its_per_node + k, NUMA node n and the affinity of the
 * node's CPU 0. In the third form Aff3 alone does not name a node, so the affinity
 * levels svpet and common_lpi_aff must not be 1: that would make groups of 256 nodes.
 * CPUs 0..maxcpus-1 are started, in this order; a maxcpus above their number is all.
 * v41 goes for ITSs and redistributors alike.
 *
 * Fails with VSG_ENOMEM, VSG_ERANGE (no node, no CPU, more nodes, CPUs or ITSs than
 * VSG_MACHINE_*_MAX, a level above 3, level 1 with more than 256 nodes) or VSG_EINVAL
 * (probe_order is no permutation of the ITS ids); then *out is untouched.
 * vsg_machine_short_check() says in words what is wrong. */
enum vsg_status vsg_machine_expand(const struct vsg_machine_short *s,
                                   struct vsg_machine_config *out);

/* Whether vsg_machine_expand() accepts the short form (lack of memory apart); what it
 * does not accept goes to diag (may be NULL), all of it, without a position. */
enum vsg_status vsg_machine_short_check(const struct vsg_machine_short *s, struct vsg_diag *diag);

/* Frees the lists of a machine that is not part of a config; zeroes it. */
void vsg_machine_free(struct vsg_machine_config *m);

/* The node on which a CPU or ITS stands on the interconnect; -1 for an ITS without a place. */
uint32_t vsg_cpu_node(const struct vsg_cpu_config *cpu);
int32_t vsg_its_node(const struct vsg_its_config *its);

#endif
