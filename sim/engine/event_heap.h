/* The pending events of one logical process: a 4-ary min-heap in the one order.
 *
 * Why a 4-ary heap: half the levels of a binary one, and the four children of
 * a node share two cache lines. Header-only, since it is on every event's path. */
#ifndef VSG_ENGINE_EVENT_HEAP_H
#define VSG_ENGINE_EVENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* An event of a token, or of the token that waits at a channel. Channel events name the
 * channel and its serial, never the token: when they turn out stale, the token
 * may belong to another thread. */
struct vsg_event {
    uint64_t time_ps;
    uint64_t word;   /* vsg_order_word() */
    uint64_t entity; /* vsg_order_entity() */
    uint64_t ref;    /* token: its address; channel: see event_channel() */
};

struct vsg_event_heap {
    struct vsg_event *event; /* [room], the first at [0] */
    size_t count, room;
};

static inline bool vsg_event_before(const struct vsg_event *a, const struct vsg_event *b)
{
    /* Time and word as one number: compared without a branch. */
    unsigned __int128 x = (unsigned __int128)a->time_ps << 64 | a->word;
    unsigned __int128 y = (unsigned __int128)b->time_ps << 64 | b->word;
    return __builtin_expect(x == y, 0) ? a->entity < b->entity : x < y;
}

/* Adds an event; false when memory ran out. */
static inline bool vsg_event_push(struct vsg_event_heap *h, struct vsg_event e)
{
    if (h->count == h->room) {
        size_t room = h->room ? 2 * h->room : 64;
        struct vsg_event *grown = realloc(h->event, room * sizeof *grown);
        if (!grown)
            return false;
        h->event = grown;
        h->room = room;
    }
    size_t i = h->count++;
    while (i > 0) {
        size_t up = (i - 1) / 4;
        if (!vsg_event_before(&e, &h->event[up]))
            break;
        h->event[i] = h->event[up];
        i = up;
    }
    h->event[i] = e;
    return true;
}

/* Takes the first event; the heap must not be empty. */
static inline struct vsg_event vsg_event_pop(struct vsg_event_heap *h)
{
    struct vsg_event first = h->event[0];
    struct vsg_event last = h->event[--h->count];
    size_t n = h->count;
    size_t i = 0;
    for (;;) {
        size_t child = 4 * i + 1;
        if (child >= n)
            break;
        size_t end = child + 4 < n ? child + 4 : n;
        size_t least = child;
        for (size_t c = child + 1; c < end; c++)
            if (vsg_event_before(&h->event[c], &h->event[least]))
                least = c;
        if (!vsg_event_before(&h->event[least], &last))
            break;
        h->event[i] = h->event[least];
        i = least;
    }
    if (n > 0)
        h->event[i] = last;
    return first;
}

#endif
