/* The routes of an interconnect, asked of SimGrid. */
#include "models/interconnect/interconnect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/interconnect/shape.h"

#define OWN_SECOND_PS 1000 /* in the platforms that we write, a second is 1 ns */

enum { NAME_ROOM = 16, LINK_NAME_ROOM = 48 };

/* Routes for n nodes are n^2 times the links of one, which bounds all of these; full and matrix
 * have n^2 links as well, which SimGrid keeps by name. Measured in docs/model.md. */
uint32_t vsg_topology_nodes_max(enum vsg_topology topology)
{
    static const uint32_t most[VSG_TOPOLOGY_COUNT] = {
        [VSG_TOPOLOGY_FULL] = 128,       [VSG_TOPOLOGY_STAR] = 4096,
        [VSG_TOPOLOGY_MATRIX] = 128,     [VSG_TOPOLOGY_RING] = 512,
        [VSG_TOPOLOGY_TORUS] = 1024,     [VSG_TOPOLOGY_FAT_TREE] = 1024,
        [VSG_TOPOLOGY_DRAGONFLY] = 1024, [VSG_TOPOLOGY_PLATFORM] = 1024};
    return most[topology];
}

static enum vsg_status check_size(const struct vsg_interconnect_config *c, uint32_t nodes,
                                  struct vsg_diag *diag)
{
    uint32_t most = vsg_topology_nodes_max(c->topology);
    uint32_t star = vsg_topology_nodes_max(VSG_TOPOLOGY_STAR);

    if (nodes >= 1 && nodes <= most)
        return VSG_OK;
    vsg_diag_error(diag,
                   "interconnect: topology %s with %" PRIu32 " nodes; right is 1 to %" PRIu32 "%s",
                   vsg_topology_name[c->topology], nodes, most,
                   nodes > most && nodes <= star ? " (topology star takes up to 4096)" : "");
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

enum vsg_status vsg_platform_make(const struct vsg_interconnect_config *c, uint32_t nodes,
                                  struct vsg_platform *out, struct vsg_platform_store *store)
{
    struct vsg_platform_store s = {.names = calloc(nodes, NAME_ROOM),
                                   .host = calloc(nodes, sizeof *s.host)};
    bool own = c->topology != VSG_TOPOLOGY_PLATFORM;
    enum vsg_status status = s.names && s.host ? vsg_platform_xml(c, nodes, &s.xml) : VSG_ENOMEM;

    if (status) {
        vsg_platform_free(&s);
        return status;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        char *name = s.names + (size_t)i * NAME_ROOM;
        snprintf(name, NAME_ROOM, "node-%" PRIu32, i);
        s.host[i] = own ? name : c->platform.host[i];
    }
    *store = s;
    *out = (struct vsg_platform){.xml = s.xml,
                                 .second_ps = own ? OWN_SECOND_PS : c->platform.second_ps,
                                 .host = s.host,
                                 .host_count = nodes};
    return VSG_OK;
}

void vsg_platform_free(struct vsg_platform_store *store)
{
    free(store->xml);
    free(store->names);
    free((void *)store->host);
    *store = (struct vsg_platform_store){0};
}

/* ---- names of links ------------------------------------------------------------------------ */

struct end_name {
    char text[NAME_ROOM];
};

static struct end_name name_end(const struct vsg_world *w, uint32_t place, bool first)
{
    struct end_name n;
    if (place < w->node_count)
        snprintf(n.text, sizeof n.text, "%s%" PRIu32, first ? "n" : "", place);
    else
        snprintf(n.text, sizeof n.text, "s%" PRIu32, place - w->node_count);
    return n;
}

/* Between a node and a switch both ends need their letter. */
static void name_link(const struct vsg_world *w, uint32_t link, char text[LINK_NAME_ROOM])
{
    const struct vsg_link_def *l = &w->link[link];
    struct end_name from = name_end(w, l->from, true),
                    to = name_end(w, l->to, l->from >= w->node_count);
    snprintf(text, LINK_NAME_ROOM, "%s-%s", from.text, to.text);
}

struct numbered {
    const struct vsg_link_def *def;
    uint32_t link;
};

static int by_ends(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->def->from != y->def->from)
        return x->def->from < y->def->from ? -1 : 1;
    if (x->def->to != y->def->to)
        return x->def->to < y->def->to ? -1 : 1;
    return x->link < y->link ? -1 : x->link > y->link;
}

static enum vsg_status name_links(const struct vsg_world *w, struct vsg_routes *r)
{
    struct numbered *order = calloc(w->link_count + 1u, sizeof *order);
    enum vsg_status status = order ? VSG_OK : VSG_ENOMEM;
    uint32_t same = 0;

    for (uint32_t i = 0; order && i < w->link_count; i++)
        order[i] = (struct numbered){&w->link[i], i};
    if (order)
        qsort(order, w->link_count, sizeof *order, by_ends);
    for (uint32_t i = 0; i < w->link_count && !status; i++) {
        char text[LINK_NAME_ROOM], *name;
        size_t n;
        bool again = i && order[i].def->from == order[i - 1].def->from &&
                     order[i].def->to == order[i - 1].def->to;
        same = again ? same + 1 : 1;
        name_link(w, order[i].link, text);
        n = strlen(text);
        if (same > 1)
            snprintf(text + n, sizeof text - n, ":%" PRIu32, same);
        name = strdup(text);
        if (name) {
            free(r->link_name[order[i].link]);
            r->link_name[order[i].link] = name;
        } else {
            status = VSG_ENOMEM;
        }
    }
    free(order);
    return status;
}

/* SimGrid's own names of the links in its topologies tell little. */
static enum vsg_status rename_links(struct vsg_routes *r, struct vsg_diag *diag)
{
    struct vsg_world w = {0};
    struct vsg_world_links ends;
    enum vsg_status status = vsg_world_links_make(r, &w, &ends, diag);

    if (status)
        return status;
    if (ends.link_queue) {
        vsg_diag_error(diag, "interconnect: SimGrid's routes cross a link in both directions, "
                             "though each direction was made a link of its own");
        status = VSG_ECHILD;
    } else {
        status = name_links(&w, r);
    }
    vsg_world_links_free(&ends);
    return status;
}

static bool names_its_links(enum vsg_topology t)
{
    return t == VSG_TOPOLOGY_FULL || t == VSG_TOPOLOGY_STAR || t == VSG_TOPOLOGY_MATRIX ||
           t == VSG_TOPOLOGY_PLATFORM;
}

/* ---- all ------------------------------------------------------------------------------------- */

enum vsg_status vsg_interconnect_routes(const struct vsg_interconnect_config *c, uint32_t nodes,
                                        const char *module_dir, struct vsg_routes *out,
                                        struct vsg_diag *diag)
{
    struct vsg_platform_store store = {0};
    struct vsg_platform platform = {0};
    struct vsg_routes r = {0};
    enum vsg_status status = check_size(c, nodes, diag);

    if (status)
        return status;
    if (nodes == 1)
        return no_routes(out);
    status = vsg_simgrid_load(module_dir, diag);
    if (!status)
        status = vsg_platform_make(c, nodes, &platform, &store);
    if (!status)
        status = vsg_simgrid_routes(&platform, &r, diag);
    if (!status && !names_its_links(c->topology))
        status = rename_links(&r, diag);
    vsg_platform_free(&store);
    if (status)
        vsg_routes_free(&r);
    else
        *out = r;
    return status;
}

static bool same_platform(const struct vsg_platform_config *a, const struct vsg_platform_config *b)
{
    if (a->second_ps != b->second_ps || a->host_count != b->host_count ||
        strcmp(a->xml, b->xml) != 0)
        return false;
    for (uint32_t i = 0; i < a->host_count; i++)
        if (strcmp(a->host[i], b->host[i]) != 0)
            return false;
    return true;
}

bool vsg_interconnect_same_routes(const struct vsg_interconnect_config *a, uint32_t nodes_a,
                                  const struct vsg_interconnect_config *b, uint32_t nodes_b)
{
    if (nodes_a != nodes_b)
        return false;
    if (nodes_a == 1)
        return true;
    if (a->topology != b->topology)
        return false;
    if (a->topology == VSG_TOPOLOGY_PLATFORM)
        return same_platform(&a->platform, &b->platform);
    if (a->link_bytes_per_s != b->link_bytes_per_s || !vsg_shape_same(&a->shape, &b->shape))
        return false;
    if (a->topology != VSG_TOPOLOGY_MATRIX)
        return a->link_latency_ps == b->link_latency_ps;
    return memcmp(a->matrix_latency_ps, b->matrix_latency_ps,
                  (size_t)nodes_a * nodes_a * sizeof a->matrix_latency_ps[0]) == 0;
}
