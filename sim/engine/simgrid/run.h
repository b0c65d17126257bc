/* A run on SimGrid: who does what.
 *
 * Token actors  Each token that waits has an actor of SimGrid, which really
 *               spends the time: it sleeps until a date, or listens at a semaphore
 *               until a date, or sends bytes through SimGrid's network. When that is
 *               over it puts its token among the ready ones and waits for orders.
 * Stations      Each server and each direction of a link is an actor with a real
 *               queue: it holds each request for its occupancy and takes the next one
 *               when SimGrid's clock says that the time is over.
 * Conductor     One actor runs the model's steps. It looks at an instant half a ps
 *               after it, when all that happens in the instant is there, and takes
 *               what is ready in the order of world.h. Bookkeeping that takes no time
 *               (signals, units, hand-offs within the ps) is done here.
 *
 * So dates are SimGrid's and the order within one ps is the model's. All actors run in
 * one thread, one at a time: nothing here needs a lock.
 *
 * Dates are always given to SimGrid as the integer date in ps / 1000.0 and never
 * accumulated: a double in ns is exact to 0.002 ps up to 10 s. */
#ifndef VSG_ENGINE_SIMGRID_RUN_H
#define VSG_ENGINE_SIMGRID_RUN_H

#include <simgrid/forward.h>

#include "engine/order.h"
#include "engine/simgrid/ready.h"
#include "engine/simgrid/setup.h"

#define VSG_SG_LIMIT_PS UINT64_C(10000000000000) /* 10 s */

/* What a token's actor is to do next. */
enum vsg_sg_order {
    VSG_SG_REST,   /* nothing, until the next order */
    VSG_SG_SLEEP,  /* until due_ps */
    VSG_SG_LISTEN, /* until due_ps or until the next order */
    VSG_SG_SEND,   /* bytes through SimGrid's network, from due_ps on */
    VSG_SG_LEAVE   /* the run is over */
};

/* A token with its actor and what it waits for. Reused when the token has ended. */
struct vsg_sg_slot {
    struct vsg_sg_run *run;
    struct vsg_sg_slot *next; /* in a resource's queue or in the free list */
    bool alive;

    sg_sem_t go; /* orders; NULL: no actor yet */
    enum vsg_sg_order order;
    bool ordered;   /* the order has not been picked up yet */
    bool listening; /* the actor is in VSG_SG_LISTEN, or will be */
    bool moving;    /* will become ready by SimGrid's clock, without anyone's doing */
    uint64_t due_ps;
    enum vsg_phase due_phase;
    enum vsg_sg_event_kind due_kind;

    uint32_t channel; /* waits there; VSG_NONE: at no channel */
    uint32_t need;    /* WAIT: signals; ACQUIRE: units; TRANSFER: bytes */
    uint64_t since_ps;
    uint32_t from, to, weight, hop, hop_end; /* TRANSFER */

    _Alignas(16) struct vsg_token token; /* the model's payload follows */
};

struct vsg_sg_channel {
    uint64_t signals;
    struct vsg_sg_slot *waiter;
    bool waking; /* a wake event for this waiter is pending */
};

struct vsg_sg_resource {
    uint32_t free_units;
    uint64_t last_request_ps;
    struct vsg_sg_slot *head, *tail;
};

/* A request at a station. */
struct vsg_sg_request {
    struct vsg_sg_slot *slot; /* NULL: service began on arrival, the token has been sent on */
    uint64_t arrival_ps, start_ps, occupy_ps, latency_ps;
    bool counted; /* arrived before the end of the window */
    bool inside;  /* arrived inside the window */
};

/* A server or a link (half-duplex ones: both directions). */
struct vsg_sg_station {
    struct vsg_sg_run *run;
    sg_sem_t work;                  /* NULL: no actor yet */
    bool idle;                      /* the actor waits for work */
    struct vsg_sg_request *request; /* ring [room]; the first one is in service */
    size_t head, count, room;
    uint64_t last_request_ps;
    struct vsg_server_stats stats;
};

struct vsg_sg_run {
    struct vsg_ctx ctx; /* first: the model's pointer to it leads back here */
    const struct vsg_world *world;
    const struct vsg_simgrid_calls *calls;
    struct vsg_simgrid_error *error;
    enum vsg_status status; /* of the first fault */

    sg_sem_t wake; /* the conductor's */
    bool conductor_idle, over;
    struct vsg_sg_ready ready;
    unsigned round;            /* of the event in hand */
    struct vsg_sg_slot *slot;  /* in hand; NULL at boot */
    struct vsg_sg_slot *spare; /* handed out when memory has run out */
    struct vsg_sg_slot **all;  /* [slot_count] */
    size_t slot_count, slot_room;
    struct vsg_sg_slot *free_slots;
    uint64_t alive, moving;

    struct vsg_sg_channel *channel;
    struct vsg_sg_resource *resource;
    struct vsg_sg_station *server, *link;
    sg_host_t *host; /* [node_count], fluid contention only */

    uint64_t events, ties, executed, end_ps;
};

/* ---- run.c ------------------------------------------------------------------ */

/* Notes a fault of the token in hand, unless there was one before. object VSG_NONE: none. */
void vsg_sg_fault(struct vsg_sg_run *run, const char *what, uint32_t object);
void vsg_sg_too_many_rounds(struct vsg_sg_run *run);
void vsg_sg_out_of_memory(struct vsg_sg_run *run);

/* The instant, in ps, that SimGrid's clock is at: from a little before it until half a ps and
 * a little after it. */
uint64_t vsg_sg_instant_ps(void);

/* Sleeps until a date; beyond the limit of simulated time, until just after the limit. */
void vsg_sg_sleep_until(uint64_t t_ps);

/* End of the window as far as it is known. */
uint64_t vsg_sg_window_end_ps(const struct vsg_sg_run *run);

/* ---- token.c ---------------------------------------------------------------- */

/* A slot for a new token, all zero but for what is kept of its actor; NULL without memory. */
struct vsg_sg_slot *vsg_sg_slot_take(struct vsg_sg_run *run);
void vsg_sg_slot_give_back(struct vsg_sg_slot *slot);

/* Lets the token become ready at due_ps. For VSG_SG_SLEEP, LISTEN and SEND. */
void vsg_sg_move(struct vsg_sg_slot *slot, enum vsg_sg_order order, uint64_t due_ps,
                 enum vsg_phase phase, enum vsg_sg_event_kind kind);

/* Lets the token wait for another token's doing. */
void vsg_sg_rest(struct vsg_sg_slot *slot);

/* Lets the token wait for a station, which moves it in its turn, with this phase and kind. */
void vsg_sg_queue(struct vsg_sg_slot *slot, enum vsg_phase phase, enum vsg_sg_event_kind kind);

/* Makes an event of the slot's token ready, in the round after the event in hand. */
void vsg_sg_post(struct vsg_sg_slot *slot, enum vsg_phase phase, enum vsg_sg_event_kind kind);

/* Sends the token's actor home, at the end of the run. */
void vsg_sg_leave(struct vsg_sg_slot *slot);

/* ---- station.c ------------------------------------------------------------------ */

/* A request of slot's token at the event in hand. True when service begins at once: the token is
 * the caller's to send on, latency_ps from now. Otherwise the station moves it (due_phase
 * and due_kind of the slot say as what) and adds its waiting time to token.waited_ps. */
bool vsg_sg_request(struct vsg_sg_station *s, struct vsg_sg_slot *slot, uint64_t occupy_ps,
                    uint64_t latency_ps);

/* Counts what is still in service at the end of the run. */
void vsg_sg_station_finish(struct vsg_sg_station *s);

/* ---- ops.c ------------------------------------------------------------------------ */

extern const struct vsg_calls vsg_sg_calls;

/* Carries out one event. */
void vsg_sg_execute(struct vsg_sg_run *run, const struct vsg_sg_event *e);

#endif
