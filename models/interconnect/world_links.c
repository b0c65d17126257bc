/* Routes as SimGrid found them, turned into links between places.
 *
 * SimGrid names the links of a route in order but not the switches between them. Yet
 * each link has two ends, and the routes tell which ends are the same place: the first link
 * begins at the sending node, each next one begins where the one before it ends, the last one
 * ends at the receiving node. Joining what must be the same leaves the places.
 *
 * Where that would make two nodes one, a link is used in both directions (half-duplex), and which
 * of its ends is where cannot be told. What results need is only that all its users queue in
 * one place, so all between the nodes is one switch then, and whoever enters such a link shares a
 * logical process with it. */
#include "models/interconnect/interconnect.h"

#include <inttypes.h>
#include <assert.h>
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

static enum vsg_status no_link(uint32_t a, uint32_t b, struct vsg_diag *diag)
{
    vsg_diag_error(diag,
                   "interconnect: the route from node %" PRIu32 " to node %" PRIu32
                   " has no link; at least one is needed",
                   a, b);
    return VSG_ENOTSUP;
}

/* False when the route needs a link to go the other way than another route did. */
static bool join_route(struct join *j, const struct vsg_routes *r, uint32_t a, uint32_t b)
{
    size_t pair = (size_t)a * r->host_count + b;
    const uint32_t *link = r->link + r->first[pair];
    uint32_t count = r->first[pair + 1] - r->first[pair];

    if (!unite(j, a, tail(j, link[0])))
        return false;
    for (uint32_t i = 1; i < count; i++)
        if (!unite(j, head(j, link[i - 1]), tail(j, link[i])))
            return false;
    return unite(j, head(j, link[count - 1]), b);
}

/* The directions of a full-duplex link lie between the same places. Routes often tell, but not
 * where a switch is crossed one way only by some. What would make two nodes one is no pair. */
static void join_directions(struct join *j, const struct vsg_routes *r)
{
    for (uint32_t i = 0; r->link_back && i < r->link_count; i++)
        if (r->link_back[i] != VSG_NONE) {
            (void)unite(j, tail(j, i), head(j, r->link_back[i]));
            (void)unite(j, head(j, i), tail(j, r->link_back[i]));
        }
}

/* *one_way: every link has one direction. */
static enum vsg_status join_all(struct join *j, const struct vsg_routes *r, bool *one_way,
                                struct vsg_diag *diag)
{
    uint32_t n = r->host_count;

    *one_way = true;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            size_t pair = (size_t)a * n + b;
            if (a == b)
                continue;
            if (r->first[pair + 1] == r->first[pair])
                return no_link(a, b, diag);
            *one_way = *one_way && join_route(j, r, a, b);
        }
    for (uint32_t i = 0; i < r->link_count && *one_way; i++)
        *one_way = find(j, tail(j, i)) != find(j, head(j, i));
    if (*one_way)
        join_directions(j, r);
    return VSG_OK;
}

/* ---- links of one direction ------------------------------------------------------------------ */

/* Numbers the places behind the nodes: the switches next to nodes first, then those next to these,
 * each in the order of the links. number: [ends], zeroed. */
static uint32_t number_places(struct join *j, uint32_t links, uint32_t *number)
{
    uint32_t places = j->nodes, done = 0;

    while (done < places) { /* of those numbered before: done were there a round earlier */
        uint32_t from = done, to = places;
        done = places;
        for (uint32_t i = 0; i < links; i++) {
            uint32_t end[2] = {find(j, tail(j, i)), find(j, head(j, i))};
            for (int k = 0; k < 2; k++) {
                uint32_t near = end[k] < j->nodes ? end[k] : number[end[k]];
                bool known = end[k] < j->nodes || number[end[k]];
                uint32_t far = end[1 - k];
                if (known && near >= from && near < to && far >= j->nodes && !number[far])
                    number[far] = places++;
            }
        }
    }
    return places;
}

static uint32_t place_of(struct join *j, uint32_t end, const uint32_t *number)
{
    uint32_t root = find(j, end);
    return root < j->nodes ? root : number[root];
}

static void fill_link(const struct vsg_routes *r, uint32_t link, struct vsg_link_def *out)
{
    *out = (struct vsg_link_def){.latency_ps = r->link_latency_ps[link],
                                 .bytes_per_s = r->link_bytes_per_s[link],
                                 .name = r->link_name[link]};
}

static void fill_routes(const struct vsg_routes *r, struct vsg_route_def *route)
{
    size_t pairs = (size_t)r->host_count * r->host_count;
    for (size_t p = 0; p < pairs; p++)
        route[p] =
            (struct vsg_route_def){.first = r->first[p], .count = r->first[p + 1] - r->first[p]};
}

static enum vsg_status make_one_way(struct join *j, const struct vsg_routes *r, struct vsg_world *w,
                                    struct vsg_world_links *s)
{
    assert(j->nodes > 0);
    uint32_t *number = calloc((size_t)j->nodes + 2 * (size_t)r->link_count + 1, sizeof *number);

    s->link = calloc(r->link_count + 1u, sizeof *s->link); /* + 1: not NULL when empty */
    if (!number || !s->link) {
        free(number);
        return VSG_ENOMEM;
    }
    w->place_count = number_places(j, r->link_count, number);
    for (uint32_t i = 0; i < r->link_count; i++) {
        fill_link(r, i, &s->link[i]);
        s->link[i].from = place_of(j, tail(j, i), number);
        s->link[i].to = place_of(j, head(j, i), number);
    }
    w->link_count = r->link_count;
    w->route_link = r->link; /* as SimGrid found them */
    free(number);
    return VSG_OK;
}

/* ---- links of two directions -------------------------------------------------------------------
 */

/* A link used in both directions is one of ours for each pair of places that it is used between;
 * they share the queue of the first of them. */
struct uses {
    const struct vsg_routes *routes;
    struct vsg_world_links *store;
    uint32_t *first, *next; /* [link_count] of ours for a link, [room] the next for the same */
    uint32_t count, room;
};

static bool grow_uses(struct uses *u)
{
    uint32_t room = u->room ? 2 * u->room : 64;
    struct vsg_link_def *link = realloc(u->store->link, room * sizeof *link);
    uint32_t *queue, *next;

    if (link)
        u->store->link = link;
    queue = realloc(u->store->link_queue, room * sizeof *queue);
    if (queue)
        u->store->link_queue = queue;
    next = realloc(u->next, room * sizeof *next);
    if (next)
        u->next = next;
    if (!link || !queue || !next)
        return false;
    u->room = room;
    return true;
}

/* Ours for a link from one place to another; VSG_NONE when memory runs out. */
static uint32_t use_of(struct uses *u, uint32_t link, uint32_t from, uint32_t to)
{
    struct vsg_world_links *s = u->store;
    uint32_t queue = u->first[link];

    for (uint32_t i = queue; i != VSG_NONE; i = u->next[i])
        if (s->link[i].from == from && s->link[i].to == to)
            return i;
    if (u->count == u->room && !grow_uses(u))
        return VSG_NONE;
    if (queue == VSG_NONE) {
        queue = u->first[link] = u->count;
        u->next[u->count] = VSG_NONE;
    } else {
        u->next[u->count] = u->next[queue];
        u->next[queue] = u->count;
    }
    fill_link(u->routes, link, &s->link[u->count]);
    s->link[u->count].from = from;
    s->link[u->count].to = to;
    s->link_queue[u->count] = queue;
    return u->count++;
}

/* Between its nodes a route is in the one switch. */
static bool use_route(struct uses *u, uint32_t a, uint32_t b)
{
    const struct vsg_routes *r = u->routes;
    size_t pair = (size_t)a * r->host_count + b;
    uint32_t middle = r->host_count, first = r->first[pair], end = r->first[pair + 1];

    for (uint32_t i = first; i < end; i++) {
        uint32_t ours = use_of(u, r->link[i], i == first ? a : middle, i + 1 == end ? b : middle);
        if (ours == VSG_NONE)
            return false;
        u->store->route_link[i] = ours;
    }
    return true;
}

static enum vsg_status make_two_way(const struct vsg_routes *r, struct vsg_world *w,
                                    struct vsg_world_links *s)
{
    uint32_t n = r->host_count;
    struct uses u = {.routes = r, .store = s, .first = calloc(r->link_count, sizeof *u.first)};
    bool ok;

    s->route_link = calloc(r->first[(size_t)n * n] + 1u, sizeof *s->route_link);
    ok = u.first && s->route_link && grow_uses(&u);
    for (uint32_t i = 0; ok && i < r->link_count; i++)
        u.first[i] = VSG_NONE;
    for (uint32_t a = 0; a < n && ok; a++)
        for (uint32_t b = 0; b < n && ok; b++)
            ok = a == b || use_route(&u, a, b);
    free(u.first);
    free(u.next);
    if (!ok)
        return VSG_ENOMEM;
    w->place_count = n;
    for (uint32_t i = 0; i < u.count; i++)
        if (s->link[i].to == n)
            w->place_count = n + 1;
    w->link_count = u.count;
    w->route_link = s->route_link;
    return VSG_OK;
}

/* ---- all
 * ----------------------------------------------------------------------------------------- */

enum vsg_status vsg_world_links_make(const struct vsg_routes *routes, struct vsg_world *w,
                                     struct vsg_world_links *store, struct vsg_diag *diag)
{
    uint32_t n = routes->host_count;
    size_t pairs = (size_t)n * n, ends = (size_t)n + 2 * (size_t)routes->link_count;
    struct join j = {.nodes = n, .parent = calloc(ends, sizeof(uint32_t))};
    struct vsg_world_links s = {.route = calloc(pairs, sizeof *s.route)};
    enum vsg_status status = VSG_ENOMEM;
    bool one_way = true;

    if (j.parent && s.route) {
        for (uint32_t i = 0; i < ends; i++)
            j.parent[i] = i;
        status = join_all(&j, routes, &one_way, diag);
    }
    if (!status)
        status = one_way ? make_one_way(&j, routes, w, &s) : make_two_way(routes, w, &s);
    free(j.parent);
    if (status) {
        vsg_world_links_free(&s);
        return status;
    }
    fill_routes(routes, s.route);
    w->node_count = n;
    w->link = s.link;
    w->link_queue = s.link_queue;
    w->route = s.route;
    w->route_link_count = routes->first[pairs];
    *store = s;
    return VSG_OK;
}

void vsg_world_links_free(struct vsg_world_links *s)
{
    free(s->link);
    free(s->link_queue);
    free(s->route);
    free(s->route_link);
    *s = (struct vsg_world_links){0};
}
