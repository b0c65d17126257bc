/* The routes of an interconnect, asked of SimGrid. */
#include "models/interconnect/interconnect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SimGrid takes 1.7 s and 241 MiB for a mesh of 512 nodes, and time and memory
 * grow with the square; a star of 4096 loads in 50 ms. */
enum { MESH_NODES_MAX = 128, STAR_NODES_MAX = 4096, NAME_ROOM = 16 };

static enum vsg_status check_size(const struct vsg_interconnect_config *c, uint32_t nodes,
                                  struct vsg_diag *diag)
{
    uint32_t most = c->topology == VSG_TOPOLOGY_STAR ? STAR_NODES_MAX : MESH_NODES_MAX;

    if (nodes >= 1 && nodes <= most)
        return VSG_OK;
    vsg_diag_error(
        diag, "interconnect: topology %s with %" PRIu32 " nodes; right is 1 to %" PRIu32 "%s",
        vsg_topology_name[c->topology], nodes, most,
        nodes > most && nodes <= STAR_NODES_MAX ? " (topology star takes up to 4096)" : "");
    return VSG_ERANGE;
}

/* One node has no link and no route; SimGrid is not even loaded. */
static enum vsg_status no_routes(struct vsg_routes *out)
{
    struct vsg_routes r = {.host_count = 1, .first = calloc(2, sizeof(uint32_t))};

    if (!r.first)
        return VSG_ENOMEM;
    *out = r;
    return VSG_OK;
}

static enum vsg_status ask(const char *xml, uint32_t nodes, struct vsg_routes *out,
                           struct vsg_diag *diag)
{
    char(*name)[NAME_ROOM] = calloc(nodes, sizeof *name);
    const char **host = calloc(nodes, sizeof *host);
    enum vsg_status status = VSG_ENOMEM;

    if (name && host) {
        for (uint32_t i = 0; i < nodes; i++) {
            snprintf(name[i], sizeof name[i], "node-%" PRIu32, i);
            host[i] = name[i];
        }
        status = vsg_simgrid_routes(xml, nodes, host, out, diag);
    }
    free(host);
    free(name);
    return status;
}

enum vsg_status vsg_interconnect_routes(const struct vsg_interconnect_config *c, uint32_t nodes,
                                        const char *module_dir, struct vsg_routes *out,
                                        struct vsg_diag *diag)
{
    char *xml = NULL;
    enum vsg_status status = check_size(c, nodes, diag);

    if (status)
        return status;
    if (nodes == 1)
        return no_routes(out);
    status = vsg_simgrid_load(module_dir, diag);
    if (!status)
        status = vsg_platform_xml(c, nodes, &xml);
    if (!status)
        status = ask(xml, nodes, out, diag);
    free(xml);
    return status;
}

bool vsg_interconnect_same_routes(const struct vsg_interconnect_config *a, uint32_t nodes_a,
                                  const struct vsg_interconnect_config *b, uint32_t nodes_b)
{
    if (nodes_a != nodes_b)
        return false;
    if (nodes_a == 1)
        return true;
    if (a->topology != b->topology || a->link_bytes_per_s != b->link_bytes_per_s)
        return false;
    if (a->topology != VSG_TOPOLOGY_MATRIX)
        return a->link_latency_ps == b->link_latency_ps;
    return memcmp(a->matrix_latency_ps, b->matrix_latency_ps,
                  (size_t)nodes_a * nodes_a * sizeof a->matrix_latency_ps[0]) == 0;
}
