/* The interconnect: a SimGrid platform made from the scenario, and the routes that
 * SimGrid finds in it, as the engines want them. */
#ifndef VSG_MODELS_INTERCONNECT_INTERCONNECT_H
#define VSG_MODELS_INTERCONNECT_INTERCONNECT_H

#include "engine/engine.h"
#include "models/config.h"

/* The most nodes that a topology takes. docs/model.md has the cost of each. */
uint32_t vsg_topology_nodes_max(enum vsg_topology topology);

/* The platform of an interconnect with `nodes` nodes as SimGrid XML (malloc'ed, the
 * caller's). Of the topologies other than platform (which is as the user wrote it): hosts are
 * named node-0, node-1, ...; one SimGrid second is 1 ns; latencies and bandwidths read back and
 * rounded are those of c, up to 2^53.
 * full: one link per ordered pair, n0-1 from node 0 to node 1. star: an up and a down
 * link per node, n0-up and n0-down. matrix: as full, with the matrix's latencies. The others are
 * SimGrid's own, of the shape in c->shape (complete), but for a dragonfly of several chassis, whose
 * ways between routers are written out. Fails with VSG_ENOMEM. */
enum vsg_status vsg_platform_xml(const struct vsg_interconnect_config *c, uint32_t nodes,
                                 char **xml);

/* The same with the host of each node, for SimGrid. The texts are owned by *store, to free
 * with vsg_platform_free(); a zeroed store is allowed. Fails with VSG_ENOMEM. */
struct vsg_platform_store {
    char *xml, *names;
    const char **host;
};
enum vsg_status vsg_platform_make(const struct vsg_interconnect_config *c, uint32_t nodes,
                                  struct vsg_platform *out, struct vsg_platform_store *store);
void vsg_platform_free(struct vsg_platform_store *store);

/* Routes of the interconnect, asked of SimGrid (none for one node: nothing is loaded).
 * Links of a topology that SimGrid made are named by their ends: n0-1, and n0-s2 to the switch
 * that is place node_count + 2; ":2" and so on behind a second one between the same ends.
 * module_dir: where vsgisim-simgrid.so is. On success *out is the caller's
 * (vsg_routes_free). Fails with VSG_ERANGE (more nodes than the topology takes), or as
 * vsg_simgrid_load() and vsg_simgrid_routes() do. */
enum vsg_status vsg_interconnect_routes(const struct vsg_interconnect_config *c, uint32_t nodes,
                                        const char *module_dir, struct vsg_routes *out,
                                        struct vsg_diag *diag);

/* Turns routes into links, routes and switch places of a world: fills link, link_count,
 * link_queue, route, route_link, route_link_count, place_count and node_count of *w. A link's
 * ends are found from the routes: the first link of a route starts at its node, and so on; two
 * consecutive links meet in a switch (same switch where the same links meet, and where both
 * directions of a full-duplex link do). Switches are
 * numbered by their distance from the nodes. Where no ends fit all routes, because a link
 * is used in both directions, such a link becomes several with one queue (link_queue), and
 * all that is not a node becomes one switch. The arrays are owned by *store, to free with
 * vsg_world_links_free(); the links' names stay those of *routes, which must live as long. Fails
 * with VSG_ENOMEM, or VSG_ENOTSUP when a route between two nodes has no link. */
struct vsg_world_links {
    struct vsg_link_def *link;
    uint32_t *link_queue; /* NULL: no link is used in both directions */
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
