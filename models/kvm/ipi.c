#include "models/kvm/ipi.h"

#include "engine/engine.h"

enum {
    /* VSG_IPI_BEGIN, VSG_IPI_ON_THE_WIRE */
    THINK = VSG_IPI_ON_THE_WIRE + 1,
    ASK_FLAG_HOME,
    ASK_FLAG_OWNER,
    FETCH_FLAG,
    HAVE_FLAG,
    TRAP,
    AWAIT_ACK,
    STORE,
    ON_THE_WIRE,
    AT_ITS,
    MESSAGE,
    AT_TARGET,
    TAKE_FLAG_HOME,
    TAKE_FLAG_OWNER,
    TAKE_FLAG,
    FLAG_WRITTEN,
    FLAG_ASKED_FOR,
    BACK_AT_SENDER,
    HANDLE,
    COMPLETE,
    ANSWERED,
    OBSERVED,
    DONE
};

static uint64_t route_ps(const struct vsg_path *p, uint32_t from, uint32_t to)
{
    return p->route_ps[(size_t)from * p->world->node_count + to];
}

/* Gives a stage a duration that is about to be waited for. */
static void spend(struct vsg_ipi *i, enum vsg_stage stage, uint64_t ps)
{
    i->stage_ps[stage] += ps;
    i->mark_ps += ps;
}

/* Gives the time of the transfer that has just ended to a stage, its queueing to link_wait.
 * No time: there was no transfer, and waited_ps is of an older op. */
static void settle_transfer(struct vsg_ipi *i, uint64_t now_ps, enum vsg_stage stage)
{
    uint64_t elapsed_ps = now_ps - i->mark_ps;
    if (elapsed_ps == 0)
        return;
    i->stage_ps[VSG_STAGE_LINK_WAIT] += i->t.waited_ps;
    i->stage_ps[stage] += elapsed_ps - i->t.waited_ps;
    i->mark_ps = now_ps;
}

static uint64_t cost(const struct vsg_path *p, const struct vsg_ipi *i, enum vsg_cost c)
{
    return vsg_cost_ps(p, &p->vcpu[i->sender], i->n, c, c);
}

static uint64_t line_cost(const struct vsg_path *p, const struct vsg_ipi *i, unsigned slot)
{
    return vsg_cost_ps(p, &p->vcpu[i->sender], i->n, VSG_COST_LINE, slot);
}

uint32_t vsg_target_of(const struct vsg_path *p, uint32_t sender, uint64_t n)
{
    const struct vsg_vcpu *v = &p->vcpu[sender];
    const struct vsg_guest *g = &p->guest[v->vm];
    if (v->partner != VSG_NONE)
        return v->partner;
    if (g->kind == VSG_WORKLOAD_MATRIX)
        return g->first_vcpu +
               vsg_arrival_target(&g->arrivals, v->index, vsg_word(v, n, VSG_WORD_TARGET));
    uint32_t choices = g->target ? g->target_count : g->vcpu_count;
    uint32_t self = VSG_NONE; /* the sender's place among the choices */
    for (uint32_t k = 0; g->target && k < choices; k++)
        if (g->target[k] == v->index)
            self = k;
    if (!g->target)
        self = v->index;
    if (self != VSG_NONE)
        choices--;
    uint32_t k = choices > 1 ? vsg_word_below(vsg_word(v, n, VSG_WORD_TARGET), choices) : 0;
    if (self != VSG_NONE && k >= self)
        k++;
    return g->first_vcpu + (g->target ? g->target[k] : k);
}

/* The IPI is over: it counts if it was meant inside the window. */
static void finish(struct vsg_ctx *ctx, struct vsg_ipi *i)
{
    const struct vsg_path *p = ctx->model;
    const struct vsg_vcpu *from = &p->vcpu[i->sender], *to = &p->vcpu[i->target];
    const struct vsg_guest *g = &p->guest[from->vm];
    /* An end of the window that comes at or before now is known by now. */
    uint64_t end_ps =
        ctx->stop_ps < p->world->window_end_ps ? ctx->stop_ps : p->world->window_end_ps;
    bool sent_inside = i->intent_ps >= p->window_start_ps && i->intent_ps < end_ps;
    struct vsg_done d = {.sender = i->sender,
                         .target = i->target,
                         .vm = from->vm,
                         .its = i->its,
                         .from_node = from->node,
                         .to_node = to->node,
                         .n = i->n,
                         .intent_ps = i->intent_ps,
                         .done_ps = ctx->now_ps,
                         .return_ps = i->return_ps,
                         .sent_inside = sent_inside,
                         .done_inside = ctx->now_ps >= p->window_start_ps && ctx->now_ps < end_ps,
                         .counted = sent_inside && i->n >= g->skipped_sends,
                         .stage_ps = i->stage_ps};
    switch (vsg_record(&p->recorder[ctx->worker], &d)) {
    case VSG_OK:
        break;
    case VSG_EMODEL:
        vsg_fail(ctx, "the stages of an IPI do not add up to its latency");
        break;
    default:
        vsg_fail(ctx, "memory ran out while recording");
    }
}

/* The next send of a closed loop is meant for the end of the last one plus think time. */
static void next_send(const struct vsg_path *p, struct vsg_ipi *i, uint64_t now_ps)
{
    const struct vsg_vcpu *v = &p->vcpu[i->sender];
    i->intent_ps = now_ps + vsg_think_ps(&p->guest[v->vm], v, i->n);
    i->mark_ps = i->intent_ps;
    i->target = vsg_target_of(p, i->sender, i->n);
    for (int s = 0; s < VSG_STAGE_COUNT; s++)
        i->stage_ps[s] = 0;
}

uint32_t vsg_pick_its(const struct vsg_path *p, uint32_t sender, uint32_t target, uint64_t n)
{
    const struct vsg_vcpu *v = &p->vcpu[sender], *to = &p->vcpu[target];
    if (!p->chooser)
        return v->its;
    uint32_t *outstanding = p->outstanding ? &p->outstanding[(size_t)sender * p->its_count] : NULL;
    struct vsg_send s = {.from_node = v->node,
                         .to_node = to->node,
                         .sender = sender,
                         .target = target,
                         .target_cpu = to->cpu,
                         .n = n,
                         .outstanding = outstanding};
    uint32_t its = vsg_choose(p->chooser, &s);
    if (outstanding)
        outstanding[its]++;
    return its;
}

/* Word goes back to the sender: a far ITS acknowledges the store as it arrives (store_ack: its),
 * and tells when it has served it where the policy counts. */
static void send_word(struct vsg_ctx *ctx, const struct vsg_ipi *i, uint8_t kind, uint32_t child)
{
    struct vsg_ack *a =
        (struct vsg_ack *)vsg_spawn(ctx, kind, vsg_entity(i->sender, (uint32_t)i->n, child));
    a->sender = i->sender;
    a->its = i->its;
}

struct vsg_op vsg_ack_step(struct vsg_ctx *ctx, struct vsg_token *token)
{
    const struct vsg_path *p = ctx->model;
    const struct vsg_ack *a = (const struct vsg_ack *)token;
    const struct vsg_vcpu *v = &p->vcpu[a->sender];
    if (token->place != v->node)
        return vsg_transfer(v->node, p->message_bytes, VSG_WEIGHT_MMIO);
    if (token->kind == VSG_TOKEN_ACK)
        vsg_signal(ctx, v->ack_channel, 1);
    else
        p->outstanding[(size_t)a->sender * p->its_count + a->its]--;
    return vsg_end();
}

/* Has what was spent still to be waited for? */
static bool ahead(const struct vsg_ipi *i, uint64_t now_ps)
{
    return i->mark_ps > now_ps;
}

/* Every return is one op; the case it comes back to settles what the op took. Where there is
 * nothing to wait for, or the way is to the token's own place, a case falls through into the
 * next one: the engine would do the same, at a price. */
struct vsg_op vsg_ipi_step(struct vsg_ctx *ctx, struct vsg_token *token)
{
    const struct vsg_path *p = ctx->model;
    struct vsg_ipi *i = (struct vsg_ipi *)token;
    const struct vsg_vcpu *v = &p->vcpu[i->sender];
    const struct vsg_guest *g = &p->guest[v->vm];
    uint64_t now_ps = ctx->now_ps;

    switch (token->pc) {
    case VSG_IPI_BEGIN:
        if (i->n >= g->sends) {
            vsg_stop(ctx, now_ps + p->world->stop_grace_ps);
            return vsg_end();
        }
        next_send(p, i, now_ps);
        token->pc = THINK;
        if (ahead(i, now_ps))
            return vsg_wait_until(i->intent_ps);
        /* fall through */
    case THINK:
        if (now_ps >= ctx->stop_ps || now_ps >= p->world->window_end_ps)
            return vsg_end();
        if (!vsg_workload_uses_flags(g->kind)) {
            token->pc = TRAP;
            return vsg_wait_until(now_ps);
        }
        /* The sender clears the flag, whose line the receiver wrote last (ipi_hw: ipi_exec()), and
         * a barrier waits for it. The line comes requester -> home -> owner -> requester. */
        spend(i, VSG_STAGE_PREPARE, cost(p, i, VSG_COST_PREPARE) + line_cost(p, i, VSG_COST_LINE));
        token->pc = ASK_FLAG_HOME;
        if (ahead(i, now_ps))
            return vsg_wait_until(i->mark_ps);
        /* fall through */
    case ASK_FLAG_HOME:
        token->pc = ASK_FLAG_OWNER;
        if (token->place != g->home)
            return vsg_transfer(g->home, p->message_bytes, VSG_WEIGHT_PLAIN);
        /* fall through */
    case ASK_FLAG_OWNER:
        settle_transfer(i, now_ps, VSG_STAGE_PREPARE);
        token->pc = FETCH_FLAG;
        if (token->place != p->vcpu[i->target].node)
            return vsg_transfer(p->vcpu[i->target].node, p->message_bytes, VSG_WEIGHT_PLAIN);
        /* fall through */
    case FETCH_FLAG:
        settle_transfer(i, now_ps, VSG_STAGE_PREPARE);
        token->pc = HAVE_FLAG;
        if (token->place != v->node)
            return vsg_transfer(v->node, p->line_bytes, VSG_WEIGHT_PLAIN);
        /* fall through */
    case HAVE_FLAG:
        settle_transfer(i, now_ps, VSG_STAGE_PREPARE);
        /* fall through */
    case TRAP:
        spend(i, VSG_STAGE_TRAP, cost(p, i, VSG_COST_TRAP));
        spend(i, VSG_STAGE_DISPATCH, cost(p, i, VSG_COST_DISPATCH));
        token->pc = AWAIT_ACK;
        if (i->ack_due && ahead(i, now_ps))
            return vsg_wait_until(i->mark_ps);
        /* fall through */
    case AWAIT_ACK:
        /* Release-to-acquire order between the locks of two sends makes the second wait until the
         * first one's store is acknowledged (vgic_v3_queue_sgi: unlock, then lock). */
        token->pc = STORE;
        if (i->ack_due)
            return vsg_wait_signal(VSG_NEVER, v->ack_channel, 1);
        /* fall through */
    case STORE:
        if (now_ps > i->mark_ps) /* the acknowledgement was late */
            spend(i, VSG_STAGE_STORE, now_ps - i->mark_ps);
        i->its = vsg_pick_its(p, i->sender, i->target, i->n);
        i->ack_due = vsg_acks_late(p, v, i->its);
        spend(i, VSG_STAGE_STORE, cost(p, i, VSG_COST_STORE));
        i->return_ps = cost(p, i, VSG_COST_RETURN);
        i->return_at_ps = i->mark_ps + i->return_ps;
        /* fall through */
    case VSG_IPI_ON_THE_WIRE:
        spend(i, VSG_STAGE_MMIO, cost(p, i, VSG_COST_MMIO));
        token->pc = ON_THE_WIRE;
        if (ahead(i, now_ps))
            return vsg_wait_until(i->mark_ps);
        /* fall through */
    case ON_THE_WIRE:
        token->pc = AT_ITS;
        if (token->place != p->world->server[i->its].place)
            return vsg_transfer(p->world->server[i->its].place, p->store_bytes, VSG_WEIGHT_MMIO);
        /* fall through */
    case AT_ITS: {
        settle_transfer(i, now_ps, VSG_STAGE_MMIO);
        if (vsg_acks_late(p, v, i->its))
            send_word(ctx, i, VSG_TOKEN_ACK, 2);
        uint64_t its_ps = cost(p, i, VSG_COST_ITS);
        uint64_t message_ps = cost(p, i, VSG_COST_MESSAGE);
        spend(i, VSG_STAGE_ITS, its_ps);
        spend(i, VSG_STAGE_MESSAGE, message_ps);
        token->pc = MESSAGE;
        return vsg_serve(i->its, its_ps, its_ps + message_ps);
    }
    case MESSAGE:
        spend(i, VSG_STAGE_ITS_WAIT, token->waited_ps);
        if (p->outstanding)
            send_word(ctx, i, VSG_TOKEN_SERVED, 3);
        token->pc = AT_TARGET;
        if (token->place != p->vcpu[i->target].node)
            return vsg_transfer(p->vcpu[i->target].node, p->message_bytes, VSG_WEIGHT_MESSAGE);
        /* fall through */
    case AT_TARGET:
        settle_transfer(i, now_ps, VSG_STAGE_MESSAGE);
        spend(i, VSG_STAGE_DELIVER, cost(p, i, VSG_COST_DELIVER));
        if (!vsg_workload_uses_flags(g->kind)) {
            token->pc = HANDLE;
            return vsg_wait_until(i->mark_ps);
        }
        /* The handler writes the flag, whose line the sender has: the way back is the same three
         * steps, seen from here. */
        spend(i, VSG_STAGE_HANDLE,
              cost(p, i, VSG_COST_HANDLE) + line_cost(p, i, VSG_WORD_LINE_HANDLE));
        token->pc = TAKE_FLAG_HOME;
        if (ahead(i, now_ps))
            return vsg_wait_until(i->mark_ps);
        /* fall through */
    case TAKE_FLAG_HOME:
        token->pc = TAKE_FLAG_OWNER;
        if (token->place != g->home)
            return vsg_transfer(g->home, p->message_bytes, VSG_WEIGHT_PLAIN);
        /* fall through */
    case TAKE_FLAG_OWNER:
        settle_transfer(i, now_ps, VSG_STAGE_HANDLE);
        token->pc = TAKE_FLAG;
        if (token->place != v->node)
            return vsg_transfer(v->node, p->message_bytes, VSG_WEIGHT_PLAIN);
        /* fall through */
    case TAKE_FLAG:
        settle_transfer(i, now_ps, VSG_STAGE_HANDLE);
        token->pc = FLAG_WRITTEN;
        if (token->place != p->vcpu[i->target].node)
            return vsg_transfer(p->vcpu[i->target].node, p->line_bytes, VSG_WEIGHT_PLAIN);
        /* fall through */
    case FLAG_WRITTEN:
        settle_transfer(i, now_ps, VSG_STAGE_HANDLE);
        /* The spinning sender's read asks home and owner before the line comes back. It was asked
         * from the other side, so its way here is a delay without contention. */
        spend(i, VSG_STAGE_OBSERVE,
              route_ps(p, v->node, g->home) + route_ps(p, g->home, p->vcpu[i->target].node));
        token->pc = FLAG_ASKED_FOR;
        if (ahead(i, now_ps))
            return vsg_wait_until(i->mark_ps);
        /* fall through */
    case FLAG_ASKED_FOR:
        token->pc = BACK_AT_SENDER;
        if (token->place != v->node)
            return vsg_transfer(v->node, p->line_bytes, VSG_WEIGHT_PLAIN);
        /* fall through */
    case BACK_AT_SENDER:
        settle_transfer(i, now_ps, VSG_STAGE_OBSERVE);
        spend(i, VSG_STAGE_OBSERVE,
              cost(p, i, VSG_COST_OBSERVE) + line_cost(p, i, VSG_WORD_LINE_OBSERVE));
        token->pc = OBSERVED;
        if (ahead(i, now_ps))
            return vsg_wait_until(i->mark_ps);
        /* fall through */
    case OBSERVED:
        /* The flag is there; the sender may still be on its way back from KVM. */
        token->pc = DONE;
        if (i->return_at_ps > now_ps) {
            spend(i, VSG_STAGE_SELF_WAIT, i->return_at_ps - now_ps);
            return vsg_wait_until(i->mark_ps);
        }
        /* fall through */
    case DONE:
        finish(ctx, i);
        i->n++;
        token->pc = VSG_IPI_BEGIN;
        return vsg_wait_until(now_ps); /* back to the engine, which counts loops without time */

    case HANDLE: {
        uint64_t handle_ps = cost(p, i, VSG_COST_HANDLE);
        spend(i, VSG_STAGE_HANDLE, handle_ps);
        token->pc = COMPLETE;
        return vsg_serve(p->vcpu[i->target].handler, handle_ps, handle_ps);
    }
    case COMPLETE:
        /* While the handler runs, interrupts are masked: the next one pends (deliver). */
        spend(i, VSG_STAGE_DELIVER, token->waited_ps);
        if (vsg_workload_is_open(g->kind)) {
            finish(ctx, i);
            return vsg_end();
        }
        token->pc = ANSWERED;
        if (token->place != v->node)
            return vsg_transfer(v->node, p->message_bytes, VSG_WEIGHT_PLAIN);
        /* fall through */
    case ANSWERED:
        settle_transfer(i, now_ps, VSG_STAGE_OBSERVE);
        spend(i, VSG_STAGE_OBSERVE, cost(p, i, VSG_COST_OBSERVE));
        token->pc = OBSERVED;
        return vsg_wait_until(i->mark_ps);
    default:
        vsg_fail(ctx, "an IPI is in no known state");
        return vsg_end();
    }
}
