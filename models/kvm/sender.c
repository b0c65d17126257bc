/* A vCPU that sends at its own pace (open workloads): intents come whether or not it is
 * back in the guest, and an intent that finds it busy waits (sender_wait). */
#include "models/kvm/ipi.h"

enum { BEGIN, MEANT, TRAPPED, ACKNOWLEDGED, STORED, RETURNED };

/* The store is out: from here on the IPI is a token of its own. */
static void launch(struct vsg_ctx *ctx, const struct vsg_path *p, struct vsg_sender *s)
{
    const struct vsg_vcpu *v = &p->vcpu[s->sender];
    struct vsg_ipi *i =
        (struct vsg_ipi *)vsg_spawn(ctx, VSG_TOKEN_IPI, vsg_entity(s->sender, (uint32_t)s->n, 1));
    i->t.pc = VSG_IPI_ON_THE_WIRE;
    i->sender = s->sender;
    i->target = vsg_target_of(p, s->sender, s->n);
    i->n = s->n;
    i->its = vsg_pick_its(p, i->sender, i->target, i->n);
    s->ack_due = vsg_acks_late(p, v, i->its);
    i->intent_ps = s->intent_ps;
    i->mark_ps = ctx->now_ps;
    i->return_ps = vsg_cost_ps(p, v, s->n, VSG_COST_RETURN, VSG_COST_RETURN);
    i->stage_ps[VSG_STAGE_SENDER_WAIT] = s->begin_ps - s->intent_ps;
    i->stage_ps[VSG_STAGE_TRAP] = vsg_cost_ps(p, v, s->n, VSG_COST_TRAP, VSG_COST_TRAP);
    i->stage_ps[VSG_STAGE_DISPATCH] = vsg_cost_ps(p, v, s->n, VSG_COST_DISPATCH, VSG_COST_DISPATCH);
    i->stage_ps[VSG_STAGE_STORE] =
        ctx->now_ps - s->begin_ps - i->stage_ps[VSG_STAGE_TRAP] - i->stage_ps[VSG_STAGE_DISPATCH];
}

struct vsg_op vsg_sender_step(struct vsg_ctx *ctx, struct vsg_token *token)
{
    const struct vsg_path *p = ctx->model;
    struct vsg_sender *s = (struct vsg_sender *)token;
    const struct vsg_vcpu *v = &p->vcpu[s->sender];
    const struct vsg_guest *g = &p->guest[v->vm];

    switch (token->pc) {
    case BEGIN:
        if (s->n >= g->sends)
            return vsg_end();
        s->intent_ps = vsg_arrival_next(&g->arrivals, v->index, v->stream, s->n, &s->arrival);
        if (s->intent_ps >= p->world->window_end_ps)
            return vsg_end();
        token->pc = MEANT;
        return vsg_wait_until(s->intent_ps); /* over at once when the sender is late */
    case MEANT:
        if (s->intent_ps >= ctx->stop_ps)
            return vsg_end();
        s->begin_ps = ctx->now_ps;
        token->pc = TRAPPED;
        return vsg_wait_until(ctx->now_ps + vsg_cost_ps(p, v, s->n, VSG_COST_TRAP, VSG_COST_TRAP) +
                              vsg_cost_ps(p, v, s->n, VSG_COST_DISPATCH, VSG_COST_DISPATCH));
    case TRAPPED:
        token->pc = ACKNOWLEDGED;
        if (!s->ack_due)
            return vsg_wait_until(ctx->now_ps);
        return vsg_wait_signal(VSG_NEVER, v->ack_channel, 1);
    case ACKNOWLEDGED:
        token->pc = STORED;
        return vsg_wait_until(ctx->now_ps +
                              vsg_cost_ps(p, v, s->n, VSG_COST_STORE, VSG_COST_STORE));
    case STORED:
        launch(ctx, p, s);
        token->pc = RETURNED;
        return vsg_wait_until(ctx->now_ps +
                              vsg_cost_ps(p, v, s->n, VSG_COST_RETURN, VSG_COST_RETURN));
    case RETURNED:
        s->n++;
        token->pc = BEGIN;
        return vsg_wait_until(ctx->now_ps);
    default:
        vsg_fail(ctx, "a sender is in no known state");
        return vsg_end();
    }
}
