/* Shapes of topologies: how many nodes along each dimension, children of each switch, groups.
 *
 * A shape fits when it has exactly the machine's nodes. What a scenario leaves open is
 * filled in by these rules:
 *   torus      two dimensions, as square as possible, the larger first; one when the number of
 *              nodes is prime
 *   fat-tree   `down`: two levels (one when the number of nodes is prime, or as many as `levels`
 *              says), as even as possible, the larger first; `up`: 1, then as many as the level
 *              below has children, so that no level is narrower than the nodes (full bisection);
 *              `count`: 1
 *   dragonfly  groups, routers and nodes per router as even as possible, no more groups than
 *              routers; one group of fully connected routers when nothing else fits; one chassis
 * Others have no shape. */
#ifndef VSG_MODELS_INTERCONNECT_SHAPE_H
#define VSG_MODELS_INTERCONNECT_SHAPE_H

#include "models/config.h"

#define VSG_SHAPE_DIMS_MAX 6u

/* What is wrong with a shape. key: the key of `interconnect` that is to blame. */
struct vsg_shape_error {
    const char *key;
    char text[600];
};

/* Fills in what c->shape leaves open (NULL, 0) for c->topology, checks what it says and frees
 * what belongs to other topologies. nodes >= 1; with one node the shape becomes empty. Fails
 * with VSG_ERANGE and *error, which lists possible shapes, or with VSG_ENOMEM. */
enum vsg_status vsg_shape_complete(struct vsg_interconnect_config *c, uint32_t nodes,
                                   struct vsg_shape_error *error);

/* True when both have the same parts. */
bool vsg_shape_same(const struct vsg_shape *a, const struct vsg_shape *b);

/* The shape in words, as scenarios write it: "dims: [8, 8]"; "" if it has none. Returns buffer. */
char *vsg_shape_text(const struct vsg_interconnect_config *c, char *buffer, size_t size);

#endif
