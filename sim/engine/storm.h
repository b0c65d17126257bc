/* A synthetic world for tests and benchmarks that uses every op: tokens that do what a
 * hash of (entity, visit) tells them, with zero times and equal times on purpose.
 *
 * Each place has servers, resources and channels of its own. Whatever a token sees
 * (time, why, waiting time) goes into a sum of hashes: two engines that agree on
 * the sum agree on every visit. Included by tests; not part of the library's API. */
#ifndef VSG_ENGINE_STORM_H
#define VSG_ENGINE_STORM_H

#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/order.h"

enum { STORM_KINDS = 3, STORM_SERVERS = 3, STORM_RESOURCES = 2, STORM_CHANNELS = 4 };

struct storm {
    struct vsg_world world;
    uint32_t places, tokens_per_place;
    unsigned zero_percent; /* how many of the times are 0 */
    uint32_t steps;        /* of each token */
    uint64_t seed;
    uint64_t sum[VSG_THREADS_MAX]; /* by worker: hashes of all that was seen */
    uint64_t steps_done[VSG_THREADS_MAX];
    uint32_t stop_after; /* the first token of place 0 calls STOP in this step; 0: never */
};

struct storm_token {
    struct vsg_token t;
    uint32_t step, held; /* held: resource in hand + 1 */
    uint32_t home, children, waiting;
    uint64_t draw;
};

static inline uint64_t storm_time(const struct storm *s, uint64_t r)
{
    return r % 100 < s->zero_percent ? 0 : 1 + r / 100 % 5 * 7;
}

static inline struct vsg_op storm_step(struct vsg_ctx *ctx, struct vsg_token *token)
{
    struct storm *s = ctx->model;
    struct storm_token *k = (struct storm_token *)token;
    uint64_t seen = vsg_mix64(token->entity ^ vsg_mix64(ctx->now_ps * 4 + token->why));
    seen = vsg_mix64(seen ^ token->waited_ps) + token->visit * 3 + token->place;
    s->sum[ctx->worker] += vsg_mix64(seen + (ctx->now_ps >= ctx->stop_ps));
    s->steps_done[ctx->worker]++;
    uint64_t r = vsg_mix64(s->seed ^ vsg_mix64(token->entity) ^ k->step * UINT64_C(0x9e37));
    uint32_t base = token->place * STORM_RESOURCES;
    if (k->held) { /* give back what the last step took */
        vsg_release(ctx, k->held - 1, 1);
        k->held = 0;
    }
    if (k->step >= s->steps)
        return vsg_end();
    k->step++;
    if (s->stop_after && token->entity == vsg_entity(0, 0, 0) && k->step == s->stop_after)
        vsg_stop(ctx, ctx->now_ps + s->world.stop_grace_ps);
    uint32_t pick = (uint32_t)(r >> 20);
    switch (r % 8) {
    case 0:
        return vsg_wait_until(ctx->now_ps + storm_time(s, r >> 8));
    case 1: { /* a channel of the token's own: timer against signals of others */
        uint32_t own = (uint32_t)(token->entity >> 44); /* ordinal */
        if (token->place != own / s->tokens_per_place || (token->entity & 0xfff))
            return vsg_wait_until(ctx->now_ps + storm_time(s, r >> 8));
        return vsg_wait_signal(ctx->now_ps + storm_time(s, r >> 8) * 3, own, 1 + pick % 2);
    }
    case 2: { /* signal some token of this place */
        uint32_t to = token->place * s->tokens_per_place + pick % s->tokens_per_place;
        vsg_signal(ctx, to, 1 + (uint32_t)(r >> 50) % 2);
        return vsg_wait_until(ctx->now_ps + storm_time(s, r >> 8));
    }
    case 3: {
        uint32_t which = base + pick % STORM_RESOURCES;
        k->held = which + 1;
        return vsg_acquire(which, 1);
    }
    case 4:
    case 5: {
        uint64_t occupy = storm_time(s, r >> 8);
        return vsg_serve(token->place * STORM_SERVERS + pick % STORM_SERVERS, occupy,
                         r >> 40 & 1 ? occupy : storm_time(s, r >> 32));
    }
    case 6:
        return vsg_transfer(pick % s->places, 8 + (uint32_t)(r >> 40) % 64,
                            (uint32_t)(r >> 60) % 3);
    default:
        if (k->children < 3 && !(token->entity & 0xfff)) {
            struct storm_token *child = (struct storm_token *)vsg_spawn(
                ctx, (uint8_t)(pick % STORM_KINDS), token->entity + ++k->children);
            child->step = s->steps > 20 ? s->steps - 20 : 0;
        }
        return vsg_wait_until(ctx->now_ps + storm_time(s, r >> 8));
    }
}

static inline void storm_boot(struct vsg_ctx *ctx, uint32_t place)
{
    struct storm *s = ctx->model;
    for (uint32_t i = 0; i < s->tokens_per_place; i++)
        vsg_spawn(ctx, (uint8_t)(i % STORM_KINDS),
                  vsg_entity(place * s->tokens_per_place + i, 0, 0));
}

/* Fills s->world: `places` nodes, fully meshed by links of latency 10, 11, 12 ps or 0 where
 * zero_links is set (nodes 0 and 1). Free with storm_free(). False: memory ran out. */
static inline bool storm_make(struct storm *s, enum vsg_contention contention, bool zero_links)
{
    static const vsg_step_fn step[STORM_KINDS] = {storm_step, storm_step, storm_step};
    uint32_t n = s->places, channels = n * s->tokens_per_place;
    struct vsg_server_def *server = calloc(n * STORM_SERVERS, sizeof *server);
    struct vsg_resource_def *resource = calloc(n * STORM_RESOURCES, sizeof *resource);
    struct vsg_channel_def *channel = calloc(channels, sizeof *channel);
    struct vsg_link_def *link = calloc((size_t)n * n, sizeof *link);
    struct vsg_route_def *route = calloc((size_t)n * n, sizeof *route);
    uint32_t *route_link = calloc((size_t)n * n, sizeof *route_link);
    s->world = (struct vsg_world){.place_count = n,
                                  .node_count = n,
                                  .server = server,
                                  .server_count = n * STORM_SERVERS,
                                  .resource = resource,
                                  .resource_count = n * STORM_RESOURCES,
                                  .channel = channel,
                                  .channel_count = channels,
                                  .link = link,
                                  .route = route,
                                  .route_link = route_link,
                                  .contention = contention,
                                  .weight_ppm = {1000000, 2000000, 500000, 1000000},
                                  .token_bytes = sizeof(struct storm_token),
                                  .step = step,
                                  .step_count = STORM_KINDS,
                                  .model = s,
                                  .boot = storm_boot,
                                  .window_start_ps = 40,
                                  .window_end_ps = VSG_NEVER,
                                  .stop_grace_ps = 5};
    if (!server || !resource || !channel || !link || !route || !route_link)
        return false;
    for (uint32_t i = 0; i < n * STORM_SERVERS; i++)
        server[i].place = i / STORM_SERVERS;
    for (uint32_t i = 0; i < n * STORM_RESOURCES; i++)
        resource[i] = (struct vsg_resource_def){i / STORM_RESOURCES, 1 + i % 2};
    for (uint32_t i = 0; i < channels; i++)
        channel[i].place = i / s->tokens_per_place;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            struct vsg_route_def *r = &route[a * n + b];
            r->first = s->world.link_count;
            if (a == b)
                continue;
            r->count = 1;
            bool zero = zero_links && a < 2 && b < 2;
            link[r->first] = (struct vsg_link_def){.from = a,
                                                   .to = b,
                                                   .latency_ps = zero ? 0 : 10 + (a + b) % 3,
                                                   .bytes_per_s = UINT64_C(10000000000000),
                                                   .name = "l"};
            route_link[r->first] = r->first;
            s->world.link_count++;
        }
    s->world.route_link_count = s->world.link_count;
    return true;
}

static inline void storm_free(struct storm *s)
{
    free((void *)(uintptr_t)s->world.server);
    free((void *)(uintptr_t)s->world.resource);
    free((void *)(uintptr_t)s->world.channel);
    free((void *)(uintptr_t)s->world.link);
    free((void *)(uintptr_t)s->world.route);
    free((void *)(uintptr_t)s->world.route_link);
}

/* What the workers saw, in all. */
static inline uint64_t storm_sum(const struct storm *s)
{
    uint64_t sum = 0;
    for (int i = 0; i < VSG_THREADS_MAX; i++)
        sum += s->sum[i];
    return sum;
}

#endif
