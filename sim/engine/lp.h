/* A logical process (LP) of the parallel engine: the places that share one clock,
 * their objects and their pending events. Private to sim/engine.
 *
 * An LP runs on one thread at a time. What leaves it (a token on its way to
 * another LP) goes through vsg_lp_send(), which parallel.c provides. */
#ifndef VSG_ENGINE_LP_H
#define VSG_ENGINE_LP_H

#include "engine/event_heap.h"
#include "engine/fifo.h"
#include "engine/order.h"
#include "engine/world.h"

/* A token with what the engine knows of it. */
struct vsg_slot {
    struct vsg_slot *next; /* in a resource's queue or in a free list */
    uint64_t since_ps;     /* ACQUIRE: asked at */
    uint32_t need;         /* ACQUIRE: units; TRANSFER: bytes */
    uint32_t hop, hop_end; /* TRANSFER with contention: links still to cross, in route_link */
    uint32_t weight;
    struct vsg_token token; /* the model's payload follows */
};

struct vsg_resource {
    uint32_t free_units;
    uint64_t last_request_ps;
    struct vsg_slot *head, *tail; /* who waits, first come first */
};

struct vsg_channel {
    uint64_t signals;
    struct vsg_slot *waiter; /* at most one */
    uint32_t need;
    uint32_t serial; /* changes whenever a wait ends: tells stale events from live ones */
    bool waking;     /* a wake event is pending */
};

/* One direction of a link. How long a message occupies it takes a division of 128 bits; a run
 * has a handful of sizes, so the last ones are remembered. */
struct vsg_lp_link {
    struct vsg_fifo fifo;
    uint64_t latency_ps[4]; /* by weight */
    uint32_t bytes[4];      /* sizes seen, by bits 3 and 4 of the size; 0: none */
    uint64_t occupy_ps[4];
};

/* What went wrong first, in the one order. */
struct vsg_fault {
    bool set;
    enum vsg_status status;
    uint64_t time_ps, word;
    char text[200];
};

/* Of one thread. */
struct vsg_worker {
    struct vsg_ctx ctx; /* first: the model's pointer to it leads back to the worker */
    struct vsg_engine_run *run;
    struct vsg_lp *lp;      /* in hand */
    struct vsg_event event; /* in hand */
    struct vsg_slot *slot;  /* in hand */
    struct vsg_slot *free_slots;
    void **slab; /* [slab_count] memory of slots */
    size_t slab_count, slab_room;
    uint64_t events, ties, executed, windows;
    int64_t alive; /* spawned here minus ended here */
    uint64_t last_ps;
    struct vsg_fault fault;
    uint64_t sent_ps; /* least time of a message sent in this window */
};

struct vsg_lp {
    struct vsg_event_heap heap;
    uint32_t owner; /* worker */
};

/* One run of the parallel engine. */
struct vsg_engine_run {
    const struct vsg_world *world;
    struct vsg_lp *lp; /* [lp_count] */
    uint32_t lp_count;
    uint32_t *lp_of;       /* [place_count] */
    uint64_t lookahead_ps; /* VSG_NEVER with one LP */
    struct vsg_fifo *server;
    struct vsg_lp_link *link;
    struct vsg_resource *resource;
    struct vsg_channel *channel;
    uint64_t
        *route_latency_ps[4]; /* [node_count^2] by weight, without contention; NULL if unused */
    size_t slot_bytes;
    struct vsg_worker *worker; /* [workers] */
    uint32_t workers;
    unsigned spins; /* looks at another worker's signpost before the core is given away */
    struct vsg_mailbox *mailbox; /* see parallel.c */
    struct vsg_signpost *signpost;
};

/* Runs the first event of the LP in hand. */
void vsg_lp_step(struct vsg_worker *w);

/* Spawns the first tokens of a place, at time 0. */
void vsg_lp_boot(struct vsg_worker *w, struct vsg_lp *lp, uint32_t place);

/* Delivers an event to an LP, on this thread or another. Provided by parallel.c. */
void vsg_lp_send(struct vsg_worker *w, uint32_t lp, struct vsg_event e);

/* Records a fault of the event in hand; the earliest in the order is kept. */
__attribute__((format(printf, 3, 4))) void
vsg_lp_fault(struct vsg_worker *w, enum vsg_status status, const char *format, ...);

extern const struct vsg_calls vsg_lp_calls;

/* The entity as people read it: "entity 3/17/0" (ordinal/send/child). text: [40]. */
void vsg_entity_text(uint64_t entity, char text[40]);

#endif
