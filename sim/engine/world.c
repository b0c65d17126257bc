#include "engine/world.h"

#include <inttypes.h>
#include <stdlib.h>

#define PPM UINT64_C(1000000)
#define PS_PER_S UINT64_C(1000000000000)

enum { MAX_COMPLAINTS = 10 }; /* a broken table would else complain a million times */

struct check {
    struct vsg_diag *diag;
    unsigned complaints;
};

#define COMPLAIN(c, ...)                                                                           \
    do {                                                                                           \
        if ((c)->complaints++ < MAX_COMPLAINTS)                                                    \
            vsg_diag_error((c)->diag, __VA_ARGS__);                                                \
    } while (0)

static void check_array(struct check *c, const char *what, const void *array, size_t count)
{
    if (count && !array)
        COMPLAIN(c, "world: %zu %s are declared but there is no list of them", count, what);
}

static void check_place(struct check *c, const struct vsg_world *w, const char *what, uint32_t i,
                        uint32_t place)
{
    if (place >= w->place_count)
        COMPLAIN(c,
                 "world: %s %" PRIu32 " is at place %" PRIu32 ", but there are %" PRIu32
                 " places, counted from 0",
                 what, i, place, w->place_count);
}

static void check_shape(struct check *c, const struct vsg_world *w)
{
    if (w->place_count == 0 || w->node_count == 0 || w->node_count > w->place_count)
        COMPLAIN(c,
                 "world: %" PRIu32 " nodes among %" PRIu32
                 " places; there must be at least one node and no more nodes than places",
                 w->node_count, w->place_count);
    check_array(c, "servers", w->server, w->server_count);
    check_array(c, "resources", w->resource, w->resource_count);
    check_array(c, "channels", w->channel, w->channel_count);
    check_array(c, "links", w->link, w->link_count);
    check_array(c, "links of routes", w->route_link, w->route_link_count);
    check_array(c, "token kinds", (const void *)w->step, w->step_count);
    if (w->node_count > 1 && !w->route)
        COMPLAIN(c, "world: %" PRIu32 " nodes, but no routes between them", w->node_count);
    if (w->step_count == 0 || w->step_count > UINT8_MAX + 1u)
        COMPLAIN(c, "world: %" PRIu32 " token kinds; the range is 1 to 256", w->step_count);
    if (w->token_bytes < sizeof(struct vsg_token))
        COMPLAIN(c, "world: tokens of %" PRIu32 " bytes; the head alone needs %zu", w->token_bytes,
                 sizeof(struct vsg_token));
    if (!w->boot)
        COMPLAIN(c, "world: no boot function, so nothing would ever run");
}

static void check_run(struct check *c, const struct vsg_world *w)
{
    if ((unsigned)w->contention > VSG_CONTENTION_FLUID)
        COMPLAIN(c, "world: contention %u does not exist", (unsigned)w->contention);
    if ((unsigned)w->tie > VSG_TIE_REVERSE)
        COMPLAIN(c, "world: tie rule %u does not exist", (unsigned)w->tie);
    if (w->window_start_ps > w->window_end_ps)
        COMPLAIN(c, "world: the window starts at %" PRIu64 " ps, after its end at %" PRIu64 " ps",
                 w->window_start_ps, w->window_end_ps);
    if (w->stop_grace_ps == 0)
        COMPLAIN(c, "world: a STOP must lie ahead by at least 1 ps, found stop_grace_ps 0");
}

static void check_objects(struct check *c, const struct vsg_world *w)
{
    for (uint32_t i = 0; i < w->server_count; i++)
        check_place(c, w, "server", i, w->server[i].place);
    for (uint32_t i = 0; i < w->channel_count; i++)
        check_place(c, w, "channel", i, w->channel[i].place);
    for (uint32_t i = 0; i < w->resource_count; i++) {
        check_place(c, w, "resource", i, w->resource[i].place);
        if (w->resource[i].capacity == 0)
            COMPLAIN(c, "world: resource %" PRIu32 " has capacity 0; at least 1 is needed", i);
    }
    for (uint32_t i = 0; i < w->step_count; i++)
        if (!w->step[i])
            COMPLAIN(c, "world: token kind %" PRIu32 " has no step function", i);
}

static void check_links(struct check *c, const struct vsg_world *w)
{
    for (uint32_t i = 0; i < w->link_count; i++) {
        const struct vsg_link_def *l = &w->link[i];
        check_place(c, w, "the start of link", i, l->from);
        check_place(c, w, "the end of link", i, l->to);
        if (vsg_link_queue(w, i) >= w->link_count ||
            vsg_link_queue(w, vsg_link_queue(w, i)) != vsg_link_queue(w, i))
            COMPLAIN(c,
                     "world: link %" PRIu32 " shares the queue of link %" PRIu32
                     ", which is no link with a queue of its own",
                     i, vsg_link_queue(w, i));
        if (l->latency_ps > VSG_TIME_MAX_PS) {
            COMPLAIN(c,
                     "world: link %" PRIu32 " has a latency of %" PRIu64
                     " ps, more than time can hold",
                     i, l->latency_ps);
            continue;
        }
        for (uint32_t k = 0; k < sizeof w->weight_ppm / sizeof w->weight_ppm[0]; k++)
            if ((unsigned __int128)l->latency_ps * w->weight_ppm[k] >
                (unsigned __int128)VSG_TIME_MAX_PS * PPM)
                COMPLAIN(c,
                         "world: link %" PRIu32 " has a latency of %" PRIu64
                         " ps, which weight %" PRIu32 " (%" PRIu32
                         " ppm) makes more than time can hold",
                         i, l->latency_ps, k, w->weight_ppm[k]);
    }
}

/* A route must lead from its first node to its last without a gap: a token
 * is at each link's place in turn. */
static void check_route(struct check *c, const struct vsg_world *w, uint32_t from, uint32_t to)
{
    const struct vsg_route_def *r = &w->route[(size_t)from * w->node_count + to];
    uint32_t here = from;

    if (from == to) {
        if (r->count)
            COMPLAIN(c,
                     "world: the route from node %" PRIu32 " to itself has %" PRIu32
                     " links; it must be empty",
                     from, r->count);
        return;
    }
    if (r->count == 0) {
        COMPLAIN(c, "world: no route from node %" PRIu32 " to node %" PRIu32, from, to);
        return;
    }
    if (r->first > w->route_link_count || r->count > w->route_link_count - r->first) {
        COMPLAIN(c,
                 "world: the route from node %" PRIu32 " to node %" PRIu32
                 " reaches beyond the list of %zu links of routes",
                 from, to, w->route_link_count);
        return;
    }
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t link = w->route_link[r->first + k];
        if (link >= w->link_count) {
            COMPLAIN(c,
                     "world: the route from node %" PRIu32 " to node %" PRIu32
                     " names link %" PRIu32 ", but there are %" PRIu32 " links",
                     from, to, link, w->link_count);
            return;
        }
        if (w->link[link].from != here) {
            COMPLAIN(c,
                     "world: the route from node %" PRIu32 " to node %" PRIu32
                     " has a gap: at place %" PRIu32 " it goes on with link %" PRIu32
                     ", which starts at place %" PRIu32,
                     from, to, here, link, w->link[link].from);
            return;
        }
        here = w->link[link].to;
    }
    if (here != to)
        COMPLAIN(
            c, "world: the route from node %" PRIu32 " to node %" PRIu32 " ends at place %" PRIu32,
            from, to, here);
}

enum vsg_status vsg_world_check(const struct vsg_world *w, struct vsg_diag *diag)
{
    struct check c = {.diag = diag};

    check_shape(&c, w);
    check_run(&c, w);
    if (c.complaints) /* what follows reads the lists */
        return VSG_EMODEL;
    check_objects(&c, w);
    check_links(&c, w);
    if (w->route)
        for (uint32_t from = 0; from < w->node_count; from++)
            for (uint32_t to = 0; to < w->node_count; to++)
                check_route(&c, w, from, to);
    if (c.complaints > MAX_COMPLAINTS)
        vsg_diag_add(diag, VSG_NOTE, NULL, "world: %u more errors are not shown",
                     c.complaints - MAX_COMPLAINTS);
    return c.complaints ? VSG_EMODEL : VSG_OK;
}

uint64_t vsg_link_latency_ps(const struct vsg_world *w, uint32_t link, uint32_t weight)
{
    unsigned __int128 scaled =
        (unsigned __int128)w->link[link].latency_ps * w->weight_ppm[weight] + PPM / 2;
    return (uint64_t)(scaled / PPM);
}

uint64_t vsg_route_latency_ps(const struct vsg_world *w, uint32_t from, uint32_t to,
                              uint32_t weight)
{
    uint64_t sum_ps = 0;
    const struct vsg_route_def *r;

    if (from == to)
        return 0; /* a world of one node has no routes at all */
    r = &w->route[(size_t)from * w->node_count + to];
    for (uint32_t k = 0; k < r->count; k++)
        sum_ps += vsg_link_latency_ps(w, w->route_link[r->first + k], weight);
    return sum_ps;
}

uint64_t vsg_link_occupy_ps(const struct vsg_link_def *link, uint32_t bytes)
{
    /* Up to 2^32 * 10^12, 72 bits. A link so slow that it would be full beyond the end of
     * time (4 GiB at 1 byte/s take a century) is full until then. */
    unsigned __int128 ps;
    if (link->bytes_per_s == 0)
        return 0;
    ps = ((unsigned __int128)bytes * PS_PER_S + link->bytes_per_s - 1) / link->bytes_per_s;
    return ps > VSG_TIME_MAX_PS ? VSG_TIME_MAX_PS : (uint64_t)ps;
}

void vsg_report_free(struct vsg_report *r)
{
    if (!r)
        return;
    free(r->server);
    free(r->link);
    *r = (struct vsg_report){0};
}
