#include "study/scenario_parts.h"

#include <stdlib.h>
#include <string.h>

#include "models/interconnect/interconnect.h"
#include "models/interconnect/shape.h"

static bool check_latencies(struct vsg_reader *r, const struct vsg_yaml_node *node,
                            const uint64_t *value, uint32_t nodes)
{
    bool ok = true;
    for (uint32_t i = 0; i < nodes; i++)
        if (value[(size_t)i * nodes + i] != 0) {
            const struct vsg_yaml_node *at = node->child[i]->child[i];
            vsg_wrong(r, at, "%s from node %u to itself; traffic inside a node has no link: 0ns",
                      at->text, i);
            ok = false;
        }
    return ok;
}

/* Turns SLIT distances into latencies: (d_ij - d_ii) * scale. */
static bool scale_distances(struct vsg_reader *r, const struct vsg_yaml_node *node, uint64_t *value,
                            uint32_t nodes, uint64_t scale_ps)
{
    const struct vsg_param *latency = vsg_param_child("interconnect.matrix", "latency");
    bool ok = true;
    for (uint32_t i = 0; i < nodes; i++) {
        uint64_t own = value[(size_t)i * nodes + i];
        for (uint32_t k = 0; k < nodes; k++) {
            uint64_t *v = &value[(size_t)i * nodes + k];
            const struct vsg_yaml_node *at = node->child[i]->child[k];
            if (*v < own) {
                vsg_wrong(r, at, "distance %s to node %u is below the distance %llu within node %u",
                          at->text, k, (unsigned long long)own, i);
                ok = false;
                continue;
            }
            *v = (*v - own) * scale_ps;
            if (*v > latency->max) {
                char is[VSG_QUANTITY_TEXT], most[VSG_QUANTITY_TEXT];
                vsg_wrong(r, at, "distance %s gives a latency of %s; at most %s", at->text,
                          vsg_quantity_format(VSG_Q_TIME, *v, is, sizeof is),
                          vsg_quantity_format(VSG_Q_TIME, latency->max, most, sizeof most));
                ok = false;
            }
        }
    }
    return ok;
}

static bool read_matrix(struct vsg_reader *r, const struct vsg_yaml_node *node,
                        struct vsg_interconnect_config *c, uint32_t nodes)
{
    const struct vsg_yaml_node *latency = vsg_yaml_get(node, "latency");
    const struct vsg_yaml_node *slit = vsg_yaml_get(node, "slit");
    const struct vsg_yaml_node *scale = vsg_yaml_get(node, "scale");
    const struct vsg_yaml_node *nodes_node = vsg_yaml_at(r->root, "machine.nodes");
    uint64_t scale_ps = 0;
    bool ok = true;

    if (latency && slit) {
        vsg_wrong_key(r, slit, "latency and slit are two ways to say the same; keep one");
        return false;
    }
    if (!latency && !slit) {
        vsg_wrong(r, node, "a matrix has latency, or slit and scale");
        return false;
    }
    if (scale && !slit) {
        vsg_wrong_key(r, scale, "belongs to slit; the matrix has latencies");
        ok = false;
    } else if (scale) {
        ok = vsg_read_number(r, scale, vsg_param_child("interconnect.matrix", "scale"), &scale_ps);
    } else if (slit) {
        vsg_wrong(r, node, "key 'scale' is missing: one-way latency of one unit of distance");
        ok = false;
    }
    c->matrix_latency_ps = calloc((size_t)nodes * nodes, sizeof *c->matrix_latency_ps);
    if (!c->matrix_latency_ps) {
        r->out_of_memory = true;
        return false;
    }
    const struct vsg_yaml_node *square = latency ? latency : slit;
    const struct vsg_param *p =
        vsg_param_child("interconnect.matrix", latency ? "latency" : "slit");
    ok &= vsg_read_square(r, square, p, nodes, "machine.nodes", nodes_node, c->matrix_latency_ps);
    if (!ok)
        return false;
    return latency ? check_latencies(r, square, c->matrix_latency_ps, nodes)
                   : scale_distances(r, square, c->matrix_latency_ps, nodes, scale_ps);
}

/* Keys that go with one topology and not with another. */
static bool check_section(struct vsg_reader *r, const struct vsg_yaml_node *node,
                          const struct vsg_interconnect_config *c)
{
    const struct vsg_yaml_node *topology = vsg_yaml_get(node, "topology");
    const struct vsg_yaml_node *matrix = vsg_yaml_get(node, "matrix");
    const struct vsg_yaml_node *latency = vsg_yaml_at(node, "link.latency");
    char where[VSG_WHERE_TEXT];
    bool ok = true;

    if (c->topology == VSG_TOPOLOGY_PLATFORM && !vsg_yaml_get(node, "platform")) {
        vsg_wrong(r, topology, "topology platform needs interconnect.platform");
        ok = false;
    }
    if (c->topology == VSG_TOPOLOGY_MATRIX && !matrix) {
        vsg_wrong(r, topology, "topology matrix needs interconnect.matrix");
        ok = false;
    }
    if (c->topology == VSG_TOPOLOGY_MATRIX && latency) {
        vsg_wrong_key(r, latency, "topology is matrix%s: its latencies are in interconnect.matrix",
                      vsg_where(topology ? topology : matrix, where, sizeof where));
        ok = false;
    }
    if (c->topology != VSG_TOPOLOGY_MATRIX && matrix) {
        vsg_wrong_key(r, matrix, "belongs to topology matrix; topology is %s%s",
                      vsg_topology_name[c->topology], vsg_where(topology, where, sizeof where));
        ok = false;
    }
    return ok;
}

/* The shape with its defaults, for this number of nodes. */
static bool read_shape(struct vsg_reader *r, const struct vsg_yaml_node *node,
                       struct vsg_interconnect_config *c, uint32_t nodes)
{
    struct vsg_shape_error e;
    const struct vsg_yaml_node *at;
    enum vsg_status status = vsg_shape_complete(c, nodes, &e);

    if (status == VSG_OK)
        return true;
    if (status == VSG_ENOMEM) {
        r->out_of_memory = true;
        return false;
    }
    at = vsg_yaml_get(node, e.key);
    if (at)
        vsg_wrong(r, at, "%s", e.text);
    else
        vsg_wrong(r, node, "%s: %s", e.key, e.text);
    return false;
}

bool vsg_read_interconnect(struct vsg_reader *r, struct vsg_scenario *s, bool machine_ok)
{
    struct vsg_interconnect_config *c = &s->config.interconnect;
    const struct vsg_yaml_node *node = vsg_yaml_get(r->root, "interconnect");
    const struct vsg_yaml_node *topology = vsg_yaml_get(node, "topology");
    const struct vsg_yaml_node *matrix = vsg_yaml_get(node, "matrix");
    const struct vsg_yaml_node *platform = vsg_yaml_get(node, "platform");
    uint32_t nodes = s->config.machine.nodes, most = vsg_topology_nodes_max(VSG_TOPOLOGY_FULL);
    struct vsg_bases b = {{NULL}};
    char where[VSG_WHERE_TEXT];

    b.base[VSG_IN_INTERCONNECT] = c;
    vsg_read_defaults("interconnect", &b);
    if (!topology)
        c->topology = matrix          ? VSG_TOPOLOGY_MATRIX
                      : platform      ? VSG_TOPOLOGY_PLATFORM
                      : nodes <= most ? VSG_TOPOLOGY_FULL
                                      : VSG_TOPOLOGY_STAR;
    if (!vsg_read_section(r, node, "interconnect", &b) || !check_section(r, node, c))
        return false;
    if (!machine_ok)
        return true; /* what depends on the number of nodes is not known */
    most = vsg_topology_nodes_max(c->topology);
    if (nodes > most) {
        vsg_wrong(r,
                  topology ? topology
                  : matrix ? matrix
                           : platform,
                  "topology %s takes at most %u nodes; machine.nodes is %u%s; use star",
                  vsg_topology_name[c->topology], most, nodes,
                  vsg_where(vsg_yaml_at(r->root, "machine.nodes"), where, sizeof where));
        return false;
    }
    if (!read_shape(r, node, c, nodes))
        return false;
    if (c->topology == VSG_TOPOLOGY_PLATFORM)
        return vsg_read_platform(r, platform, &c->platform, nodes);
    vsg_drop_platform(&c->platform);
    return !matrix || read_matrix(r, matrix, c, nodes);
}
