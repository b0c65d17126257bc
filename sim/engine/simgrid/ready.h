/* The events of one instant, taken in the one order of world.h: a binary heap. */
#ifndef VSG_ENGINE_SIMGRID_READY_H
#define VSG_ENGINE_SIMGRID_READY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vsg_sg_slot;

enum vsg_sg_event_kind {
    VSG_SG_STEP,  /* what the token waited for has come: its next step */
    VSG_SG_HOP,   /* a transfer is at its next link */
    VSG_SG_TIMER, /* a wait at a channel is over by time */
    VSG_SG_WAKE   /* a channel has the signals that a token waits for */
};

struct vsg_sg_event {
    uint64_t time_ps;
    uint64_t word, entity; /* of vsg_order_word() and vsg_order_entity() */
    uint32_t visit;
    uint32_t channel; /* VSG_SG_WAKE */
    enum vsg_sg_event_kind kind;
    struct vsg_sg_slot *slot;
};

struct vsg_sg_ready {
    struct vsg_sg_event *event; /* [count] */
    size_t count, room;
};

/* False when memory runs out. */
bool vsg_sg_ready_push(struct vsg_sg_ready *r, const struct vsg_sg_event *e);

/* Takes the first one; count must not be 0. */
struct vsg_sg_event vsg_sg_ready_pop(struct vsg_sg_ready *r);

#endif
