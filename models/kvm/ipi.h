/* One IPI on its way from a guest's store to ICC_SGI1R_EL1 to the handler's end, and
 * for closed loops back to the sender. Private to models/.
 *
 * The path, with who pays where, is the table of docs/model.md. Delays that follow
 * each other at one place, with nothing to meet in between, are one WAIT. */
#ifndef VSG_MODELS_KVM_IPI_H
#define VSG_MODELS_KVM_IPI_H

#include "engine/random.h"
#include "models/config.h"
#include "models/gic/choose.h"
#include "models/guest/arrivals.h"
#include "models/record.h"
#include "models/result.h"

/* What the steps know of a vCPU. Indices are of objects in the world. */
struct vsg_vcpu {
    uint32_t vm;    /* index */
    uint32_t index; /* within its VM */
    uint32_t node;
    uint32_t cpu;         /* index into machine.cpu */
    uint32_t its;         /* server of the ITS of its sends, where the policy binds it to one */
    uint32_t handler;     /* server: its interrupt handler; VSG_NONE where flags order it */
    uint32_t ack_channel; /* VSG_NONE: no store waits for another's acknowledgement */
    uint32_t partner;     /* ipi_hw, pairs: the target; VSG_NONE: this vCPU does not send */
    bool sends;
    struct vsg_stream stream;
};

/* What the steps know of a VM. */
struct vsg_guest {
    enum vsg_workload_kind kind;
    uint32_t first_vcpu, vcpu_count; /* ordinals */
    uint32_t home;                   /* node of the flags' line */
    uint64_t sends;                  /* VSG_NEVER: no limit */
    uint64_t skipped_sends;          /* warm-up by count */
    const uint32_t *target;          /* [target_count] vCPU indices; NULL: all others */
    uint32_t target_count;
    struct vsg_sampler *think;    /* closed loops with think time, else NULL */
    struct vsg_arrivals arrivals; /* open workloads */
};

/* The model of a run, as the steps see it (ctx.model). Read-only during a run but for
 * the recorders, of which each worker has its own. */
struct vsg_path {
    const struct vsg_world *world;
    const struct vsg_vcpu *vcpu;
    const struct vsg_guest *guest;
    struct vsg_sampler *cost[VSG_COST_COUNT];
    uint64_t constant_ps[VSG_COST_COUNT]; /* where the cost is constant */
    bool is_constant[VSG_COST_COUNT];
    uint32_t store_bytes, message_bytes, line_bytes;
    uint64_t *route_ps; /* [nodes^2] unweighted route latencies, 0 on the diagonal */
    uint64_t window_start_ps;
    const struct vsg_chooser *chooser; /* NULL: the policy binds each vCPU to an ITS */
    uint32_t
        *outstanding; /* [vcpus * ITSs] least-outstanding, else NULL; a row is its sender's place */
    uint32_t its_count;
    struct vsg_recorder *recorder; /* [workers] */
};

enum { VSG_WEIGHT_PLAIN, VSG_WEIGHT_MMIO, VSG_WEIGHT_MESSAGE };
enum { VSG_TOKEN_IPI, VSG_TOKEN_SENDER, VSG_TOKEN_ACK, VSG_TOKEN_SERVED, VSG_TOKEN_KINDS };

/* A closed loop's sender and its IPI, which are never apart; or an open sender's IPI. */
struct vsg_ipi {
    struct vsg_token t;
    uint32_t sender, target; /* ordinals */
    uint32_t its;            /* server */
    uint64_t n;              /* send number */
    uint64_t intent_ps;
    uint64_t mark_ps;                 /* up to here the time has been given to stages */
    uint64_t return_ps, return_at_ps; /* cost, and when the sender is back in the guest */
    uint64_t stage_ps[VSG_STAGE_COUNT];
    bool ack_due; /* closed loops: the last store's acknowledgement has not been awaited */
};

/* An open workload's sending vCPU. */
struct vsg_sender {
    struct vsg_token t;
    uint32_t sender, target;
    uint64_t n;
    uint64_t intent_ps;
    uint64_t begin_ps; /* trap begins */
    struct vsg_arrival_state arrival;
    bool ack_due;
};

/* Word of a store on its way back to the sender: acknowledged (kind ACK), or served (kind SERVED).
 */
struct vsg_ack {
    struct vsg_token t;
    uint32_t sender, its;
};

/* The longest token, for vsg_world.token_bytes. */
#define VSG_TOKEN_BYTES sizeof(struct vsg_ipi)
_Static_assert(sizeof(struct vsg_ipi) >= sizeof(struct vsg_sender), "the IPI is the longest token");

struct vsg_op vsg_ipi_step(struct vsg_ctx *ctx, struct vsg_token *token);
struct vsg_op vsg_sender_step(struct vsg_ctx *ctx, struct vsg_token *token);
struct vsg_op vsg_ack_step(struct vsg_ctx *ctx, struct vsg_token *token);

/* The server of the ITS that send n of a vCPU takes; counts it as outstanding where the policy
 * asks. To be called once per send, at the sender's place, when the store is issued. */
uint32_t vsg_pick_its(const struct vsg_path *p, uint32_t sender, uint32_t target, uint64_t n);

/* Must the vCPU's next store wait for word of a store to this ITS? */
static inline bool vsg_acks_late(const struct vsg_path *p, const struct vsg_vcpu *v, uint32_t its)
{
    return v->ack_channel != VSG_NONE && p->world->server[its].place != v->node;
}

/* Where an IPI token begins: the first send of a closed loop, or on the wire. */
enum vsg_ipi_pc { VSG_IPI_BEGIN, VSG_IPI_ON_THE_WIRE };

/* Random words: a fixed slot per use, so that no use shifts another. */
enum vsg_slot_of_word {
    /* 0 .. VSG_COST_COUNT - 1: the costs; VSG_COST_LINE is prepare's line */
    VSG_WORD_LINE_HANDLE = VSG_COST_COUNT,
    VSG_WORD_LINE_OBSERVE,
    VSG_WORD_TARGET,
    VSG_WORD_GAP /* think time, or the gap between intents (models/guest/arrivals.c) */
};

/* The random word of a sender's send for one use. */
static inline uint32_t vsg_word(const struct vsg_vcpu *v, uint64_t n, unsigned slot)
{
    uint32_t word[4];
    vsg_stream_block(v->stream, n, slot / 4, word);
    return word[slot % 4];
}

/* The cost of a stage for send n of vCPU v. */
static inline uint64_t vsg_cost_ps(const struct vsg_path *p, const struct vsg_vcpu *v, uint64_t n,
                                   enum vsg_cost cost, unsigned slot)
{
    if (p->is_constant[cost])
        return p->constant_ps[cost];
    return vsg_sampler_draw(p->cost[cost], vsg_word(v, n, slot));
}

/* The target of send n: the partner, or drawn uniformly from the list without the sender. */
uint32_t vsg_target_of(const struct vsg_path *p, uint32_t sender, uint64_t n);

static inline uint64_t vsg_think_ps(const struct vsg_guest *g, const struct vsg_vcpu *v, uint64_t n)
{
    return g->think ? vsg_sampler_draw(g->think, vsg_word(v, n, VSG_WORD_GAP)) : 0;
}

#endif
