/* What a model tells an engine: objects, routes, and tokens that move.
 *
 * Everything that moves is a token: a small state machine. A step does the
 * bookkeeping of one moment: any number of calls (SIGNAL, RELEASE, SPAWN),
 * then exactly one op, which it returns. Both engines run the same steps.
 *
 * Time     Unsigned 64-bit picoseconds since the start of the run.
 *
 * Place    A node or a switch of the machine. Every object has one place and
 *          every token is at one place at a time; a token may touch only
 *          objects of its own place (checked always). Only TRANSFER changes a
 *          token's place. Engines map places to logical processes.
 *
 * Order    Events happen in the one order
 *              (time, round, phase, tie, entity, visit)
 *          which no engine, thread, queue or address can change:
 *          round   0 when time has moved; an event caused within the same ps
 *                  is one round later than its cause. At most VSG_ROUND_MAX.
 *          phase   what ends (a service, a hand-over) comes before timers, timers
 *                  before what arrives (transfers, signals, new tokens): a
 *                  freed server, a cleared bit are seen by what arrives in
 *                  the same ps.
 *          tie     a fixed hash of (entity, visit), so that no sender is
 *                  favoured; 0 for VSG_TIE_ID and VSG_TIE_REVERSE.
 *          entity  names what caused the token: vsg_entity().
 *          visit   the token's own count of ops that made it wait.
 *          A server or lock decides in this order, so that it is as if the
 *          instant's arrivals were complete before it looked at them.
 *
 * An op that need not wait (WAIT until now, a signal that is there, a free
 * resource, an idle server without latency, a transfer to one's own place) is
 * over at once: same event, no visit, no round.
 *
 * Threads  A world is read-only during a run and may be shared. */
#ifndef VSG_ENGINE_WORLD_H
#define VSG_ENGINE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/diag.h"
#include "engine/status.h"

#define VSG_NEVER UINT64_MAX /* a time that does not come */
#define VSG_NONE UINT32_MAX  /* no object */
#define VSG_ROUND_MAX 60     /* hand-offs within one ps; more is VSG_ERANGE with these words: */
#define VSG_ROUND_WORDS                                                                            \
    "too many hand-offs within one picosecond: something goes round and takes no time; give a "    \
    "cost or a latency on its way at least 1ps"
#define VSG_STEP_MAX 100000 /* ops of one token within one event; more is an error */
#define VSG_TIME_MAX_PS (UINT64_C(1) << 62)

struct vsg_ctx;

/* ---- tokens ---------------------------------------------------------- */

/* Names what caused a token: the ordinal (< 2^20) of the vCPU or device in
 * the scenario, its send number (< 2^32), and the child's ordinal within that
 * send (< 2^12). Unique among the tokens alive. */
static inline uint64_t vsg_entity(uint32_t ordinal, uint32_t send, uint32_t child)
{
    return (uint64_t)ordinal << 44 | (uint64_t)send << 12 | child;
}

enum vsg_why { VSG_BY_TIMER, VSG_BY_SIGNAL };

/* The head of every token; a model's token type begins with it. The model
 * reads all of it and writes only pc; the rest is the engine's. */
struct vsg_token {
    uint64_t entity;
    uint64_t waited_ps; /* time the last SERVE, ACQUIRE or TRANSFER spent queueing */
    uint32_t visit;
    uint32_t place;
    uint8_t kind; /* index into vsg_world.step */
    uint8_t pc;   /* the model's program counter, 0 in a new token */
    uint8_t why;  /* enum vsg_why of the last WAIT */
};

/* ---- ops --------------------------------------------------------------- */

enum vsg_op_kind { VSG_OP_WAIT, VSG_OP_ACQUIRE, VSG_OP_SERVE, VSG_OP_TRANSFER, VSG_OP_END };

struct vsg_op {
    enum vsg_op_kind kind;
    uint32_t object;     /* channel, resource, server, or destination place */
    uint32_t count;      /* WAIT: signals asked for; ACQUIRE: units; TRANSFER: bytes */
    uint32_t weight;     /* TRANSFER: index into vsg_world.weight_ppm */
    uint64_t time_ps;    /* WAIT: until; SERVE: occupy */
    uint64_t latency_ps; /* SERVE */
};

/* Waits until time t. A t in the past or now is over at once. */
static inline struct vsg_op vsg_wait_until(uint64_t t_ps)
{
    return (struct vsg_op){.kind = VSG_OP_WAIT, .object = VSG_NONE, .time_ps = t_ps};
}

/* Waits until time t or until the channel holds n >= 1 signals, which are then
 * taken, whichever comes first; token.why says which. On equal time it is the
 * timer, and the signals stay. t = VSG_NEVER: signals only. One token at a
 * time may wait at a channel (checked always). */
static inline struct vsg_op vsg_wait_signal(uint64_t t_ps, uint32_t channel, uint32_t n)
{
    return (struct vsg_op){.kind = VSG_OP_WAIT, .object = channel, .count = n, .time_ps = t_ps};
}

/* Takes n units, first come first served: a large request is not overtaken. */
static inline struct vsg_op vsg_acquire(uint32_t resource, uint32_t n)
{
    return (struct vsg_op){.kind = VSG_OP_ACQUIRE, .object = resource, .count = n};
}

/* Is served in order of arrival: waits until the server is free, occupies it
 * for occupy_ps, and goes on latency_ps after service began. The two differ in
 * a pipeline (an ITS, a link); capacity is 1 / occupy. Never cancelled. */
static inline struct vsg_op vsg_serve(uint32_t server, uint64_t occupy_ps, uint64_t latency_ps)
{
    return (struct vsg_op){
        .kind = VSG_OP_SERVE, .object = server, .time_ps = occupy_ps, .latency_ps = latency_ps};
}

/* Moves to another place along the route. Each link's latency is multiplied
 * by weight_ppm[weight] / 10^6. With contention, bytes occupy each link
 * (cut-through: they delay only what comes behind). */
static inline struct vsg_op vsg_transfer(uint32_t place, uint32_t bytes, uint32_t weight)
{
    return (struct vsg_op){
        .kind = VSG_OP_TRANSFER, .object = place, .count = bytes, .weight = weight};
}

/* The token is gone; its memory must not be touched after the step. */
static inline struct vsg_op vsg_end(void)
{
    return (struct vsg_op){.kind = VSG_OP_END, .object = VSG_NONE};
}

/* ---- what a step may call -------------------------------------------------- */

struct vsg_calls {
    void (*signal)(struct vsg_ctx *ctx, uint32_t channel, uint32_t n);
    void (*release)(struct vsg_ctx *ctx, uint32_t resource, uint32_t n);
    struct vsg_token *(*spawn)(struct vsg_ctx *ctx, uint8_t kind, uint64_t entity);
    void (*stop)(struct vsg_ctx *ctx, uint64_t t_ps);
    void (*fail)(struct vsg_ctx *ctx, const char *what);
};

struct vsg_ctx {
    uint64_t now_ps;
    uint64_t stop_ps; /* the run's window ends here; VSG_NEVER while unknown */
    uint32_t place;   /* of the token in hand */
    uint32_t worker;  /* 0..workers-1: which per-worker accumulator to use */
    void *model;
    const struct vsg_calls *calls;
};

/* Adds n signals to a channel of this place; wakes its waiter when it has enough. */
static inline void vsg_signal(struct vsg_ctx *c, uint32_t channel, uint32_t n)
{
    c->calls->signal(c, channel, n);
}

/* Gives n units back; more than the capacity in all is an error. */
static inline void vsg_release(struct vsg_ctx *c, uint32_t resource, uint32_t n)
{
    c->calls->release(c, resource, n);
}

/* A new token at this place; its first step comes in the next round of this
 * ps. The payload behind the head is zero; the caller fills it. The pointer is
 * good until the calling step returns. Never NULL (running out of memory ends
 * the run with an error after the step). */
static inline struct vsg_token *vsg_spawn(struct vsg_ctx *c, uint8_t kind, uint64_t entity)
{
    return c->calls->spawn(c, kind, entity);
}

/* Ends the run's window at t_ps >= now + world.stop_grace_ps; the earliest call
 * counts. Every step at or after that time sees ctx.stop_ps <= now. What is
 * on its way then still finishes. */
static inline void vsg_stop(struct vsg_ctx *c, uint64_t t_ps)
{
    c->calls->stop(c, t_ps);
}

/* Reports a broken invariant, e.g. "stages do not add up"; the run ends with
 * VSG_EMODEL. The string must be static. */
static inline void vsg_fail(struct vsg_ctx *c, const char *what)
{
    c->calls->fail(c, what);
}

typedef struct vsg_op (*vsg_step_fn)(struct vsg_ctx *ctx, struct vsg_token *token);

/* ---- the world --------------------------------------------------------------- */

enum vsg_contention { VSG_CONTENTION_NONE, VSG_CONTENTION_FIFO, VSG_CONTENTION_FLUID };
enum vsg_tie { VSG_TIE_HASH, VSG_TIE_ID, VSG_TIE_REVERSE };

struct vsg_server_def {
    uint32_t place;
};
struct vsg_resource_def {
    uint32_t place, capacity;
}; /* capacity >= 1 */
struct vsg_channel_def {
    uint32_t place;
};

/* One direction of a link; it belongs to the place of its sending end. */
struct vsg_link_def {
    uint32_t from, to; /* places */
    uint64_t latency_ps;
    uint64_t bytes_per_s; /* 0: takes no time to fill */
    const char *name;     /* for results and messages; owned by the interconnect */
};

/* The links from one place to another, in order: link[first .. first+count). */
struct vsg_route_def {
    uint32_t first, count;
};

struct vsg_world {
    uint32_t place_count; /* nodes come first, then switches */
    uint32_t node_count;  /* places that tokens can be sent to */
    const struct vsg_server_def *server;
    uint32_t server_count;
    const struct vsg_resource_def *resource;
    uint32_t resource_count;
    const struct vsg_channel_def *channel;
    uint32_t channel_count;
    const struct vsg_link_def *link;
    uint32_t link_count;
    /* A half-duplex link is several links here, one per direction, that share one queue: that of
     * link link_queue[i], which is its own. Places where one queue is entered are one
     * logical process. NULL: every link has its own. */
    const uint32_t *link_queue; /* [link_count] */
    const struct vsg_route_def
        *route;                 /* [node_count * node_count], row = from; the diagonal is empty */
    const uint32_t *route_link; /* link indices of all routes */
    size_t route_link_count;
    enum vsg_contention contention;
    uint32_t weight_ppm[4]; /* 1000000 = as the link says */
    enum vsg_tie tie;

    uint32_t token_bytes;    /* size of the model's largest token, head included */
    const vsg_step_fn *step; /* [step_count], by token kind */
    uint32_t step_count;
    void *model; /* for the steps, as ctx.model */

    /* Called once per node at time 0, in order of places, to spawn the first tokens. */
    void (*boot)(struct vsg_ctx *ctx, uint32_t place);

    uint64_t window_start_ps; /* statistics of servers begin here */
    uint64_t window_end_ps;   /* and end here; VSG_NEVER: when a token calls STOP */
    uint64_t stop_grace_ps;   /* least distance of a STOP; >= 1 */

    /* For engine `simgrid` with fluid contention only: the platform, the host of each node,
     * and what one second of the platform stands for (0: 1000). Otherwise NULL. */
    const char *platform_xml;
    const char *const *host; /* [node_count] */
    uint64_t platform_second_ps;
};

/* Checks that indices are in range, capacities positive, routes contiguous.
 * Fails with VSG_EMODEL and says in diag what is wrong. */
enum vsg_status vsg_world_check(const struct vsg_world *w, struct vsg_diag *diag);

/* The link whose queue a link shares: itself, but for half-duplex links. */
static inline uint32_t vsg_link_queue(const struct vsg_world *w, uint32_t link)
{
    return w->link_queue ? w->link_queue[link] : link;
}

/* Latency of one link under a weight, rounded to the nearest ps. */
uint64_t vsg_link_latency_ps(const struct vsg_world *w, uint32_t link, uint32_t weight);

/* Sum of the link latencies from one node to another, each rounded as above. */
uint64_t vsg_route_latency_ps(const struct vsg_world *w, uint32_t from, uint32_t to,
                              uint32_t weight);

/* Time that bytes occupy a link, rounded up to a ps. */
uint64_t vsg_link_occupy_ps(const struct vsg_link_def *link, uint32_t bytes);

/* ---- what an engine reports ------------------------------------------------------ */

/* Of a server or link. served, wait and queue are of the requests that arrive in the window
 * [window_start_ps, end of window); busy_ps is the time inside the window for which it is
 * occupied, also by a request from before it. Without an end of the window every request
 * counts, and busy_ps is cut at end_ps. */
struct vsg_server_stats {
    uint64_t served;
    uint64_t busy_ps;
    uint64_t wait_sum_ps;
    uint64_t wait_max_ps;
    uint64_t queue_max; /* most requests found waiting by an arrival, itself included if it waits */
};

struct vsg_report {
    uint64_t events;  /* visits: ops that made a token wait, in the whole run */
    uint64_t ties;    /* requests to a server, link or resource in the same ps as the one before */
    uint64_t end_ps;  /* time of the last event */
    uint64_t stop_ps; /* end of the window: by STOP or as the world says; else end_ps */
    struct vsg_server_stats *server; /* [server_count] */
    /* [link_count]; zero without FIFO contention, and where a link shares another one's queue */
    struct vsg_server_stats *link;
    uint32_t server_count, link_count;
    /* Of the execution; may differ between engines and thread counts: */
    uint64_t executed; /* events taken from queues */
    uint64_t windows;  /* barriers */
    uint32_t lps;      /* logical processes after merging */
    uint32_t workers;  /* threads used */
    uint64_t lookahead_ps;
};

void vsg_report_free(struct vsg_report *r);

#endif
