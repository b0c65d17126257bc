/* A FIFO server whose departures are known on arrival: all it keeps is when it
 * is free. That is exact because a service is never cancelled and nobody
 * overtakes. Used for servers and for the directions of links. */
#ifndef VSG_ENGINE_FIFO_H
#define VSG_ENGINE_FIFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "engine/world.h"

struct vsg_fifo {
    uint64_t free_ps;         /* when the last accepted request stops occupying it */
    uint64_t counted_free_ps; /* the same, of the last request that arrived inside the window */
    uint64_t last_request_ps; /* VSG_NEVER before the first */
    struct vsg_server_stats stats;
    uint64_t *start; /* ring [room] of service starts still to come: who is waiting */
    size_t head, waiting, room;
};

static inline void vsg_fifo_init(struct vsg_fifo *f)
{
    *f = (struct vsg_fifo){.last_request_ps = VSG_NEVER};
}

static inline bool vsg_fifo_wait_in_line(struct vsg_fifo *f, uint64_t start_ps)
{
    if (f->waiting == f->room) {
        size_t room = f->room ? 2 * f->room : 8;
        uint64_t *ring = malloc(room * sizeof *ring);
        if (!ring)
            return false;
        for (size_t i = 0; i < f->waiting; i++)
            ring[i] = f->start[(f->head + i) & (f->room - 1)];
        free(f->start);
        f->start = ring;
        f->room = room;
        f->head = 0;
    }
    f->start[(f->head + f->waiting++) & (f->room - 1)] = start_ps;
    return true;
}

/* Accepts a request at now_ps that occupies the server for occupy_ps. window: [start, end) in
 * which arrivals are counted. *tie: it came in the same ps as the one before. Returns when
 * service starts, or VSG_NEVER when memory ran out. */
static inline uint64_t vsg_fifo_accept(struct vsg_fifo *f, uint64_t now_ps, uint64_t occupy_ps,
                                       uint64_t window_start_ps, uint64_t window_end_ps, bool *tie)
{
    *tie = f->last_request_ps == now_ps;
    f->last_request_ps = now_ps;
    uint64_t start_ps = f->free_ps > now_ps ? f->free_ps : now_ps;
    f->free_ps = start_ps + occupy_ps;
    while (f->waiting > 0 && f->start[f->head & (f->room - 1)] <= now_ps) {
        f->head++;
        f->waiting--;
    }
    if (start_ps > now_ps && !vsg_fifo_wait_in_line(f, start_ps))
        return VSG_NEVER;
    if (now_ps >= window_end_ps)
        return start_ps; /* it starts outside the window, so it adds nothing to busy either */
    f->counted_free_ps = f->free_ps;
    if (f->free_ps > window_start_ps)
        f->stats.busy_ps += f->free_ps - (start_ps > window_start_ps ? start_ps : window_start_ps);
    if (now_ps >= window_start_ps) {
        uint64_t wait_ps = start_ps - now_ps;
        f->stats.served++;
        f->stats.wait_sum_ps += wait_ps;
        if (wait_ps > f->stats.wait_max_ps)
            f->stats.wait_max_ps = wait_ps;
        if (wait_ps > 0 && f->waiting > f->stats.queue_max)
            f->stats.queue_max = f->waiting;
    }
    return start_ps;
}

/* The statistics, busy time cut at the end of the window: what the requests inside the
 * window still occupy after its end is one stretch without a gap. Only what lies after
 * the window's start was added, so only that can be cut. */
static inline struct vsg_server_stats
vsg_fifo_stats(const struct vsg_fifo *f, uint64_t window_start_ps, uint64_t window_end_ps)
{
    struct vsg_server_stats s = f->stats;
    uint64_t from_ps = window_end_ps > window_start_ps ? window_end_ps : window_start_ps;
    if (f->counted_free_ps > from_ps)
        s.busy_ps -= f->counted_free_ps - from_ps;
    return s;
}

static inline void vsg_fifo_free(struct vsg_fifo *f)
{
    free(f->start);
}

#endif
