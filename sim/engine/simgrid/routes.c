/* Asks SimGrid for all routes of a platform. */
#include "engine/simgrid/setup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <xbt/dynar.h>

#define PS_PER_S 1e12
#define STACK_BYTES (1u << 20)
#define EXACT_LIMIT 9007199254740992.0 /* 2^53: up to here every integer is a double */
#define MIN_BYTES_PER_S 0.5            /* rounds to 1; 0 would mean no limit */

struct question {
    const struct vsg_platform *platform;
    sg_host_t *host; /* [platform->host_count] */
    struct vsg_routes *out;
    uint32_t *crossed; /* by link: the last pair whose route crosses it, + 1 */
    size_t links_room, steps_room, steps;
    enum vsg_status status;
    struct vsg_simgrid_error *error;
};

/* Doubles the room of an array when it is full. */
static int grow(void **array, size_t *room, size_t used, size_t size)
{
    size_t more = *room ? *room * 2 : 64;
    void *bigger;

    if (used < *room)
        return 0;
    bigger = realloc(*array, more * size);
    if (!bigger)
        return -1;
    *array = bigger;
    *room = more;
    return 0;
}

/* A platform's number in our units; SimGrid itself accepts negative ones. scale turns the
 * platform's unit, which hangs on its second, into ours. */
static enum vsg_status convert(struct question *q, sg_link_t link, const char *what, double value,
                               double scale, uint64_t *out)
{
    if (!(value >= 0) || !(value * scale < EXACT_LIMIT)) {
        vsg_sg_error(q->error,
                     "link '%s' of the platform has a %s of %g; right is a number from 0 to %g "
                     "(a second of the platform stands for %g ns)",
                     sg_link_get_name(link), what, value, EXACT_LIMIT / scale,
                     (double)q->platform->second_ps / 1000.0);
        return VSG_EINVAL;
    }
    value *= scale;
    *out = (uint64_t)value;
    *out += value - (double)*out >= 0.5; /* to the nearest, without libm */
    return VSG_OK;
}

/* No byte takes no time on a link that its users do not share, nor on one that is wide enough;
 * see VSG_ROUTES_UNLIMITED_BYTES_PER_S. */
static enum vsg_status convert_bandwidth(struct question *q, sg_link_t link, uint64_t *out)
{
    double value = sg_link_get_bandwidth(link);
    double scale = PS_PER_S / (double)q->platform->second_ps;

    if (value >= 0 &&
        (!sg_link_is_shared(link) || value * scale >= VSG_ROUTES_UNLIMITED_BYTES_PER_S)) {
        *out = 0;
        return VSG_OK;
    }
    if (value >= 0 && value * scale < MIN_BYTES_PER_S) {
        vsg_sg_error(q->error,
                     "link '%s' of the platform has a bandwidth of %g bytes per second of the "
                     "platform; at least %g (1 byte per second) is needed",
                     sg_link_get_name(link), value, 1 / scale);
        return VSG_EINVAL;
    }
    return convert(q, link, "bandwidth", value, scale, out);
}

static enum vsg_status add_link(struct question *q, sg_link_t link, uint32_t *index)
{
    struct vsg_routes *r = q->out;
    size_t latency_room = q->links_room, bytes_room = q->links_room, crossed_room = q->links_room;
    enum vsg_status status;

    if (grow((void **)&r->link_latency_ps, &latency_room, r->link_count, sizeof(uint64_t)) ||
        grow((void **)&r->link_bytes_per_s, &bytes_room, r->link_count, sizeof(uint64_t)) ||
        grow((void **)&q->crossed, &crossed_room, r->link_count, sizeof(uint32_t)) ||
        grow((void **)&r->link_name, &q->links_room, r->link_count, sizeof(char *)))
        return VSG_ENOMEM;
    status = convert(q, link, "latency", sg_link_get_latency(link), (double)q->platform->second_ps,
                     &r->link_latency_ps[r->link_count]);
    if (status)
        return status;
    status = convert_bandwidth(q, link, &r->link_bytes_per_s[r->link_count]);
    if (status)
        return status;
    r->link_name[r->link_count] = strdup(sg_link_get_name(link));
    if (!r->link_name[r->link_count])
        return VSG_ENOMEM;
    q->crossed[r->link_count] = 0;
    *index = r->link_count++;
    sg_link_set_data(link, (void *)(uintptr_t)(*index + 1)); /* found again in one step */
    return VSG_OK;
}

static enum vsg_status cross(struct question *q, uint32_t a, uint32_t b, uint32_t link)
{
    uint32_t pair = a * q->platform->host_count + b + 1;

    if (q->crossed[link] == pair) {
        vsg_sg_error(q->error,
                     "the platform's route from host '%s' to host '%s' crosses link '%s' twice; a "
                     "route must have no loop",
                     sg_host_get_name(q->host[a]), sg_host_get_name(q->host[b]),
                     q->out->link_name[link]);
        return VSG_EINVAL;
    }
    q->crossed[link] = pair;
    return VSG_OK;
}

static enum vsg_status ask_pair(struct question *q, uint32_t a, uint32_t b, xbt_dynar_t links)
{
    enum vsg_status status = VSG_OK;

    xbt_dynar_reset(links);
    sg_host_get_route(q->host[a], q->host[b], links);
    if (xbt_dynar_is_empty(links)) {
        vsg_sg_error(q->error, "the platform has no route from host '%s' to host '%s'",
                     sg_host_get_name(q->host[a]), sg_host_get_name(q->host[b]));
        return VSG_EINVAL;
    }
    for (unsigned long i = 0; i < xbt_dynar_length(links) && !status; i++) {
        sg_link_t link;
        uint32_t index;
        xbt_dynar_get_cpy(links, i, &link);
        index = (uint32_t)(uintptr_t)sg_link_get_data(link);
        if (index)
            index--;
        else
            status = add_link(q, link, &index);
        if (!status)
            status = cross(q, a, b, index);
        if (!status && grow((void **)&q->out->link, &q->steps_room, q->steps, sizeof(uint32_t)))
            status = VSG_ENOMEM;
        if (!status)
            q->out->link[q->steps++] = index;
    }
    return status;
}

/* An actor, since zones that look for a way (Floyd, Dijkstra) abort when asked before the
 * simulation runs. */
static void ask(int argc, char **argv)
{
    struct question *q = sg_actor_self_get_data();
    uint32_t n = q->platform->host_count;
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);

    (void)argc;
    (void)argv;
    for (uint32_t a = 0; a < n && !q->status; a++)
        for (uint32_t b = 0; b < n && !q->status; b++) {
            if (a != b)
                q->status = ask_pair(q, a, b, links);
            q->out->first[(size_t)a * n + b + 1] = (uint32_t)q->steps;
            if (q->steps > UINT32_MAX / 2)
                q->status = VSG_ENOMEM;
        }
    xbt_dynar_free(&links);
}

static enum vsg_status find_hosts(struct question *q)
{
    const char *const *host = q->platform->host;

    for (uint32_t i = 0; i < q->platform->host_count; i++) {
        q->host[i] = sg_host_by_name(host[i]);
        if (!q->host[i]) {
            vsg_sg_error(q->error,
                         "the platform has no host '%s', which is to be node %" PRIu32
                         "; it has %zu hosts, such as '%s'",
                         host[i], i, sg_host_count(),
                         sg_host_count() ? sg_host_get_name(sg_host_list()[0]) : "");
            return VSG_EINVAL;
        }
    }
    return VSG_OK;
}

enum vsg_status vsg_sg_routes(const struct vsg_platform *platform, struct vsg_routes *out,
                              struct vsg_simgrid_error *error)
{
    uint32_t host_count = platform->host_count;
    struct question q = {.platform = platform, .out = out, .error = error};

    *out = (struct vsg_routes){.host_count = host_count};
    out->first = calloc((size_t)host_count * host_count + 1, sizeof *out->first);
    q.host = calloc(host_count ? host_count : 1, sizeof(sg_host_t));
    if (!out->first || !q.host)
        q.status = VSG_ENOMEM;
    if (!q.status)
        q.status = vsg_sg_start(platform->xml, error);
    if (!q.status)
        q.status = find_hosts(&q);
    if (!q.status) {
        vsg_sg_actor("routes", STACK_BYTES, ask, &q);
        simgrid_run();
    }
    free(q.host);
    free(q.crossed);
    return q.status;
}
