/* What `topology` knows of a machine before it prints it. */
#ifndef VSG_CLI_TOPOLOGY_H
#define VSG_CLI_TOPOLOGY_H

#include "models/gic/choose.h"
#include "models/interconnect/interconnect.h"
#include "study/study.h"

struct vsg_topology_view {
    const struct vsg_study *study;
    const struct vsg_machine_config *machine; /* of the sweep's first point */
    struct vsg_boot boot;
    uint64_t *latency_ps; /* [nodes * nodes], row = from */
    struct vsg_routes routes;
    struct vsg_world world; /* places, links and routes only */
    struct vsg_world_links links;
};

/* The JSON object of the output contract, with a final newline, on stdout. Fails with
 * VSG_ENOMEM. */
enum vsg_status vsg_topology_json(const struct vsg_topology_view *v, struct vsg_diag *diag);

/* The tables for people, on stdout. Fails with VSG_ENOMEM. */
enum vsg_status vsg_topology_table(const struct vsg_topology_view *v, bool each_cpu,
                                   struct vsg_diag *diag);

/* For a policy that chooses for each send: its[from * nodes + to], indices into machine.its, of a
 * send between two nodes; VSG_NONE where that is no matter of nodes (hash, dynamic policies, a
 * node whose CPUs differ). Fails with VSG_ENOMEM, or VSG_ENOTSUP and words. */
enum vsg_status vsg_topology_choices(const struct vsg_topology_view *v, enum vsg_policy policy,
                                     uint32_t *its, struct vsg_diag *diag);

/* Draws the machine into an SVG file; the same bytes for the same machine. Fails with VSG_ENOMEM,
 * or VSG_EIO and words when the file cannot be written. */
enum vsg_status vsg_topology_svg(const struct vsg_topology_view *v, const char *path,
                                 struct vsg_diag *diag);

/* Why policies `local` and `global-first` choose alike for every CPU of this machine, as
 * "SVPET is 0 on every ITS"; false where they do not. */
bool vsg_topology_alike(const struct vsg_topology_view *v, char *why, size_t size);

/* Why no CPU remembers an ITS, for the fallback of `local`; "" if some do. */
const char *vsg_topology_no_match(const struct vsg_topology_view *v);

/* Why there is no direct vSGI. */
void vsg_topology_no_direct(const struct vsg_topology_view *v, char *why, size_t size);

#endif
