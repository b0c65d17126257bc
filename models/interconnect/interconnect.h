/* The interconnect: a SimGrid platform made from the scenario, and the routes that
 * SimGrid finds in it, as the engines want them. */
#ifndef VSG_MODELS_INTERCONNECT_INTERCONNECT_H
#define VSG_MODELS_INTERCONNECT_INTERCONNECT_H

#include "engine/engine.h"
#include "models/config.h"

/* The platform of an interconnect with `nodes` nodes as SimGrid XML (malloc'ed, the
 * caller's), hosts named node-0, node-1, ...; one SimGrid second is 1 ns.
 * full: one link per ordered pair, n0-1 from node 0 to node 1. star: an up and a down
 * link per node, n0-up and n0-down. matrix: as full, with the matrix's latencies. Latencies and
 * bandwidths read back and rounded are those of c, up to 2^53. Fails with VSG_ENOMEM. */
enum vsg_status vsg_platform_xml(const struct vsg_interconnect_config *c, uint32_t nodes,
                                 char **xml);

/* Routes of the interconnect, asked of SimGrid (none for one node: nothing is loaded).
 * module_dir: where vsgisim-simgrid.so is. On success *out is the caller's
 * (vsg_routes_free). Fails with VSG_ERANGE (full and matrix take 1 to 128 nodes, star 1 to
 * 4096), or as vsg_simgrid_load() and vsg_simgrid_routes() do. */
enum vsg_status vsg_interconnect_routes(const struct vsg_interconnect_config *c, uint32_t nodes,
                                        const char *module_dir, struct vsg_routes *out,
                                        struct vsg_diag *diag);

/* Turns routes into links, routes and switch places of a world: fills link, link_count, route,
 * route_link, route_link_count, place_count and node_count of *w. A link's ends are found
 * from the routes: the first link of a route starts at its node, and so on; two
 * consecutive links meet in a switch (same switch where the same links meet). The arrays are
 * owned by *store, to free with vsg_world_links_free(); the links' names stay those of
 * *routes, which must live as long. Fails with VSG_ENOMEM, or VSG_ENOTSUP when a link is
 * used in both directions (half-duplex) or a route between two nodes has no link. */
struct vsg_world_links {
    struct vsg_link_def *link;
    struct vsg_route_def *route;
    uint32_t *route_link;
};
enum vsg_status vsg_world_links_make(const struct vsg_routes *routes, struct vsg_world *w,
                                     struct vsg_world_links *store, struct vsg_diag *diag);
void vsg_world_links_free(struct vsg_world_links *s);

/* True when two interconnects have the same routes, so that they need be asked once. */
bool vsg_interconnect_same_routes(const struct vsg_interconnect_config *a, uint32_t nodes_a,
                                  const struct vsg_interconnect_config *b, uint32_t nodes_b);

#endif
