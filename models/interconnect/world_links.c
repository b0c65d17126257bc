/* Routes as SimGrid found them, turned into links between places.
 *
 * SimGrid names the links of a route in order but not the switches between them. Yet
 * each link has two ends, and the routes tell which ends are the same place: the first link
 * begins at the sending node, each next one begins where the one before it ends, the last one
 * ends at the receiving node. Joining what must be the same leaves the places. */
#include "models/interconnect/interconnect.h"

#include <inttypes.h>
#include <stdlib.h>

struct join {
    uint32_t nodes;
    uint32_t *parent; /* [nodes + 2 * links] nodes first, then tail and head of each link */
};

static uint32_t tail(const struct join *j, uint32_t link)
{
    return j->nodes + 2 * link;
}

static uint32_t head(const struct join *j, uint32_t link)
{
    return j->nodes + 2 * link + 1;
}

static uint32_t find(struct join *j, uint32_t x)
{
    while (j->parent[x] != x) {
        j->parent[x] = j->parent[j->parent[x]];
        x = j->parent[x];
    }
    return x;
}

/* The smaller one stands for both, so that a node always stands for its place.
 * False when that would make two nodes one. */
static bool unite(struct join *j, uint32_t a, uint32_t b)
{
    a = find(j, a);
    b = find(j, b);
    if (a == b)
        return true;
    if (a > b) {
        uint32_t c = a;
        a = b;
        b = c;
    }
    if (b < j->nodes)
        return false;
    j->parent[b] = a;
    return true;
}

static enum vsg_status half_duplex(const struct vsg_routes *r, uint32_t link, struct vsg_diag *diag)
{
    vsg_diag_error(diag,
                   "interconnect: link '%s' is used in both directions; a link here is one way: "
                   "make it two links, one for each direction (in a SimGrid platform: "
                   "sharing_policy=\"SPLITDUPLEX\")",
                   r->link_name[link]);
    return VSG_ENOTSUP;
}

static enum vsg_status join_route(struct join *j, const struct vsg_routes *r, uint32_t a,
                                  uint32_t b, struct vsg_diag *diag)
{
    size_t pair = (size_t)a * r->host_count + b;
    const uint32_t *link = r->link + r->first[pair];
    uint32_t count = r->first[pair + 1] - r->first[pair];

    if (a == b)
        return VSG_OK;
    if (count == 0) {
        vsg_diag_error(diag,
                       "interconnect: the route from node %" PRIu32 " to node %" PRIu32
                       " has no link; at least one is needed",
                       a, b);
        return VSG_ENOTSUP;
    }
    if (!unite(j, a, tail(j, link[0])))
        return half_duplex(r, link[0], diag);
    for (uint32_t i = 1; i < count; i++)
        if (!unite(j, head(j, link[i - 1]), tail(j, link[i])))
            return half_duplex(r, link[i], diag);
    if (!unite(j, head(j, link[count - 1]), b))
        return half_duplex(r, link[count - 1], diag);
    return VSG_OK;
}

static enum vsg_status join_all(struct join *j, const struct vsg_routes *r, struct vsg_diag *diag)
{
    uint32_t n = r->host_count;
    enum vsg_status status = VSG_OK;

    for (uint32_t a = 0; a < n && !status; a++)
        for (uint32_t b = 0; b < n && !status; b++)
            status = join_route(j, r, a, b, diag);
    for (uint32_t i = 0; i < r->link_count && !status; i++)
        if (find(j, tail(j, i)) == find(j, head(j, i)))
            status = half_duplex(r, i, diag);
    return status;
}

/* Numbers the places: a node's is its own, a switch's the next one after those seen so far. */
static uint32_t place_of(struct join *j, uint32_t end, uint32_t *number, uint32_t *places)
{
    uint32_t root = find(j, end);
    if (root < j->nodes)
        return root;
    if (!number[root])
        number[root] = (*places)++;
    return number[root];
}

static void fill(struct join *j, uint32_t *number, const struct vsg_routes *r,
                 struct vsg_world_links *s, uint32_t *places)
{
    size_t pairs = (size_t)r->host_count * r->host_count;

    *places = r->host_count;
    for (uint32_t i = 0; i < r->link_count; i++) {
        s->link[i] = (struct vsg_link_def){.latency_ps = r->link_latency_ps[i],
                                           .bytes_per_s = r->link_bytes_per_s[i],
                                           .name = r->link_name[i]};
        s->link[i].from = place_of(j, tail(j, i), number, places);
        s->link[i].to = place_of(j, head(j, i), number, places);
    }
    for (size_t p = 0; p < pairs; p++)
        s->route[p] =
            (struct vsg_route_def){.first = r->first[p], .count = r->first[p + 1] - r->first[p]};
    for (uint32_t i = 0; i < r->first[pairs]; i++)
        s->route_link[i] = r->link[i];
}

enum vsg_status vsg_world_links_make(const struct vsg_routes *routes, struct vsg_world *w,
                                     struct vsg_world_links *store, struct vsg_diag *diag)
{
    uint32_t n = routes->host_count;
    size_t pairs = (size_t)n * n, ends = (size_t)n + 2 * (size_t)routes->link_count;
    size_t steps = routes->first[pairs];
    struct join j = {.nodes = n, .parent = calloc(ends, sizeof(uint32_t))};
    uint32_t *number = calloc(ends, sizeof *number);
    struct vsg_world_links s = {
        .link = calloc(routes->link_count + 1u, sizeof *s.link), /* + 1: not NULL when empty */
        .route = calloc(pairs, sizeof *s.route),
        .route_link = calloc(steps + 1, sizeof *s.route_link)};
    enum vsg_status status = VSG_ENOMEM;

    if (j.parent && number && s.link && s.route && s.route_link) {
        for (uint32_t i = 0; i < ends; i++)
            j.parent[i] = i;
        status = join_all(&j, routes, diag);
    }
    if (!status) {
        fill(&j, number, routes, &s, &w->place_count);
        w->node_count = n;
        w->link = s.link;
        w->link_count = routes->link_count;
        w->route = s.route;
        w->route_link = s.route_link;
        w->route_link_count = steps;
        *store = s;
    } else {
        vsg_world_links_free(&s);
    }
    free(j.parent);
    free(number);
    return status;
}

void vsg_world_links_free(struct vsg_world_links *s)
{
    free(s->link);
    free(s->route);
    free(s->route_link);
    *s = (struct vsg_world_links){0};
}
