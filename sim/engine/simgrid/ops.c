/* Ops and calls, as world.h has them. */
#include "engine/simgrid/run.h"

static struct vsg_sg_run *run_of(struct vsg_ctx *ctx)
{
    return (struct vsg_sg_run *)ctx; /* its first member */
}

/* ---- calls --------------------------------------------------------------------------- */

static void signal_channel(struct vsg_ctx *ctx, uint32_t channel, uint32_t n)
{
    struct vsg_sg_run *run = run_of(ctx);
    const struct vsg_world *w = run->world;
    struct vsg_sg_channel *c;

    if (channel >= w->channel_count || w->channel[channel].place != ctx->place) {
        vsg_sg_fault(run, "signals a channel of another place:", channel);
        return;
    }
    c = &run->channel[channel];
    c->signals += n;
    if (!c->waiter || c->waking || c->signals < c->waiter->need)
        return;
    c->waking = true;
    vsg_sg_post(c->waiter, VSG_PHASE_ARRIVE, VSG_SG_WAKE);
}

static void release_units(struct vsg_ctx *ctx, uint32_t resource, uint32_t n)
{
    struct vsg_sg_run *run = run_of(ctx);
    const struct vsg_world *w = run->world;
    struct vsg_sg_resource *r;

    if (resource >= w->resource_count || w->resource[resource].place != ctx->place) {
        vsg_sg_fault(run, "releases a resource of another place:", resource);
        return;
    }
    r = &run->resource[resource];
    if (n > w->resource[resource].capacity - r->free_units) {
        vsg_sg_fault(run, "releases more than was taken of resource", resource);
        return;
    }
    r->free_units += n;
    while (r->head && r->head->need <= r->free_units) {
        struct vsg_sg_slot *s = r->head;
        r->head = s->next;
        r->free_units -= s->need;
        s->token.waited_ps = ctx->now_ps - s->since_ps;
        vsg_sg_post(s, VSG_PHASE_DEPART, VSG_SG_STEP);
    }
}

static struct vsg_token *spawn(struct vsg_ctx *ctx, uint8_t kind, uint64_t entity)
{
    struct vsg_sg_run *run = run_of(ctx);
    struct vsg_sg_slot *s = NULL;

    if (kind >= run->world->step_count)
        vsg_sg_fault(run, "spawns a token of a kind that does not exist:", kind);
    else
        s = vsg_sg_slot_take(run);
    if (!s) {
        vsg_sg_out_of_memory(run); /* a fault noted before stays the one reported */
        return &run->spare->token;
    }
    s->token.entity = entity;
    s->token.kind = kind;
    s->token.place = ctx->place;
    vsg_sg_post(s, VSG_PHASE_ARRIVE, VSG_SG_STEP);
    return &s->token;
}

static void stop(struct vsg_ctx *ctx, uint64_t t_ps)
{
    struct vsg_sg_run *run = run_of(ctx);

    if (t_ps < ctx->now_ps || t_ps - ctx->now_ps < run->world->stop_grace_ps)
        vsg_sg_fault(run, "stops the run sooner than the grace allows", VSG_NONE);
    else if (t_ps < ctx->stop_ps)
        ctx->stop_ps = t_ps;
}

static void fail(struct vsg_ctx *ctx, const char *what)
{
    vsg_sg_fault(run_of(ctx), what, VSG_NONE);
}

const struct vsg_calls vsg_sg_calls = {
    .signal = signal_channel, .release = release_units, .spawn = spawn, .stop = stop, .fail = fail};

/* ---- ops: true when the op is over at once ------------------------------------------- */

static void begin_visit(struct vsg_sg_slot *s)
{
    s->token.visit++;
    s->run->events++;
}

static bool wait_at_channel(struct vsg_sg_slot *s, const struct vsg_op *op)
{
    struct vsg_sg_run *run = s->run;
    const struct vsg_world *w = run->world;
    struct vsg_sg_channel *c;

    if (op->object >= w->channel_count || w->channel[op->object].place != s->token.place) {
        vsg_sg_fault(run, "waits at a channel of another place:", op->object);
        return false;
    }
    c = &run->channel[op->object];
    if (c->waiter) {
        vsg_sg_fault(run, "waits where another token waits: channel", op->object);
        return false;
    }
    if (c->signals >= op->count) {
        c->signals -= op->count;
        s->token.why = VSG_BY_SIGNAL;
        return true;
    }
    begin_visit(s);
    c->waiter = s;
    c->waking = false;
    s->channel = op->object;
    s->need = op->count;
    if (op->time_ps == VSG_NEVER)
        vsg_sg_rest(s);
    else
        vsg_sg_move(s, VSG_SG_LISTEN, op->time_ps, VSG_PHASE_TIMER, VSG_SG_TIMER);
    return false;
}

static bool do_wait(struct vsg_sg_slot *s, const struct vsg_op *op)
{
    if (op->time_ps <= s->run->ctx.now_ps) {
        s->token.why = VSG_BY_TIMER;
        return true;
    }
    if (op->object != VSG_NONE)
        return wait_at_channel(s, op);
    if (op->time_ps == VSG_NEVER) {
        vsg_sg_fault(s->run, "waits for nothing, for ever", VSG_NONE);
        return false;
    }
    begin_visit(s);
    s->token.why = VSG_BY_TIMER;
    vsg_sg_move(s, VSG_SG_SLEEP, op->time_ps, VSG_PHASE_TIMER, VSG_SG_STEP);
    return false;
}

static bool do_acquire(struct vsg_sg_slot *s, const struct vsg_op *op)
{
    struct vsg_sg_run *run = s->run;
    const struct vsg_world *w = run->world;
    struct vsg_sg_resource *r;

    if (op->object >= w->resource_count || w->resource[op->object].place != s->token.place) {
        vsg_sg_fault(run, "acquires a resource of another place:", op->object);
        return false;
    }
    if (op->count > w->resource[op->object].capacity) {
        vsg_sg_fault(run, "asks for more than the capacity of resource", op->object);
        return false;
    }
    r = &run->resource[op->object];
    run->ties += r->last_request_ps == run->ctx.now_ps;
    r->last_request_ps = run->ctx.now_ps;
    s->token.waited_ps = 0;
    if (!r->head && op->count <= r->free_units) {
        r->free_units -= op->count;
        return true;
    }
    begin_visit(s);
    s->need = op->count;
    s->since_ps = run->ctx.now_ps;
    s->next = NULL;
    if (r->head)
        r->tail->next = s;
    else
        r->head = s;
    r->tail = s;
    vsg_sg_rest(s);
    return false;
}

static bool do_serve(struct vsg_sg_slot *s, const struct vsg_op *op)
{
    struct vsg_sg_run *run = s->run;
    const struct vsg_world *w = run->world;

    if (op->object >= w->server_count || w->server[op->object].place != s->token.place) {
        vsg_sg_fault(run, "is served at another place: server", op->object);
        return false;
    }
    s->token.waited_ps = 0;
    if (!vsg_sg_request(&run->server[op->object], s, op->time_ps, op->latency_ps)) {
        begin_visit(s);
        vsg_sg_queue(s, VSG_PHASE_DEPART, VSG_SG_STEP);
        return false;
    }
    if (op->latency_ps == 0)
        return true;
    begin_visit(s);
    vsg_sg_move(s, VSG_SG_SLEEP,
                op->latency_ps > UINT64_MAX - run->ctx.now_ps ? UINT64_MAX
                                                              : run->ctx.now_ps + op->latency_ps,
                VSG_PHASE_DEPART, VSG_SG_STEP);
    return false;
}

/* On its way: arrives after latency_ps, in the next round when that is no time. */
static void arrive(struct vsg_sg_slot *s, uint64_t latency_ps, enum vsg_sg_event_kind kind)
{
    if (latency_ps)
        vsg_sg_move(s, VSG_SG_SLEEP, s->run->ctx.now_ps + latency_ps, VSG_PHASE_ARRIVE, kind);
    else {
        vsg_sg_rest(s);
        vsg_sg_post(s, VSG_PHASE_ARRIVE, kind);
    }
}

static void cross_link(struct vsg_sg_slot *s)
{
    struct vsg_sg_run *run = s->run;
    const struct vsg_world *w = run->world;
    uint32_t link = w->route_link[s->hop++];
    uint64_t occupy_ps = run->calls->link_occupy_ps(&w->link[link], s->need);
    uint64_t latency_ps = run->calls->link_latency_ps(w, link, s->weight);
    enum vsg_sg_event_kind next = s->hop < s->hop_end ? VSG_SG_HOP : VSG_SG_STEP;

    s->token.place = w->link[link].to;
    if (vsg_sg_request(&run->link[vsg_link_queue(w, link)], s, occupy_ps, latency_ps))
        arrive(s, latency_ps, next);
    else
        vsg_sg_queue(s, VSG_PHASE_ARRIVE, next);
}

static bool do_transfer(struct vsg_sg_slot *s, const struct vsg_op *op)
{
    struct vsg_sg_run *run = s->run;
    const struct vsg_world *w = run->world;
    const struct vsg_route_def *route;
    uint64_t latency_ps;

    s->token.waited_ps = 0;
    if (op->object == s->token.place)
        return true;
    if (op->object >= w->node_count || op->weight >= sizeof w->weight_ppm / sizeof *w->weight_ppm) {
        vsg_sg_fault(run, "transfers to a place that is no node:", op->object);
        return false;
    }
    begin_visit(s);
    s->from = s->token.place;
    s->to = op->object;
    s->weight = op->weight;
    s->need = op->count;
    s->since_ps = run->ctx.now_ps;
    if (w->contention == VSG_CONTENTION_FIFO) {
        route = &w->route[(size_t)s->from * w->node_count + s->to];
        s->hop = route->first;
        s->hop_end = route->first + route->count;
        cross_link(s);
        return false;
    }
    latency_ps = run->calls->route_latency_ps(w, s->from, s->to, s->weight);
    s->token.place = s->to;
    if (w->contention == VSG_CONTENTION_FLUID && s->need)
        vsg_sg_move(s, VSG_SG_SEND, run->ctx.now_ps + latency_ps, VSG_PHASE_ARRIVE, VSG_SG_STEP);
    else
        arrive(s, latency_ps, VSG_SG_STEP);
    return false;
}

/* ---- events ------------------------------------------------------------------------------ */

static bool carry_out(struct vsg_sg_slot *s, const struct vsg_op *op)
{
    switch (op->kind) {
    case VSG_OP_WAIT:
        return do_wait(s, op);
    case VSG_OP_ACQUIRE:
        return do_acquire(s, op);
    case VSG_OP_SERVE:
        return do_serve(s, op);
    case VSG_OP_TRANSFER:
        return do_transfer(s, op);
    case VSG_OP_END:
        vsg_sg_slot_give_back(s);
        return false;
    }
    vsg_sg_fault(s->run, "returns an op that does not exist:", (uint32_t)op->kind);
    return false;
}

/* The token's steps, until one waits. */
static void resume(struct vsg_sg_slot *s)
{
    struct vsg_sg_run *run = s->run;
    struct vsg_token *t = &s->token;
    bool at_once = true;

    run->ctx.place = t->place;
    run->end_ps = run->ctx.now_ps;
    for (unsigned ops = 0; at_once; ops++) {
        struct vsg_op op;
        if (ops == VSG_STEP_MAX) {
            vsg_sg_fault(run, "does not come to an end within one event", VSG_NONE);
            return;
        }
        op = run->world->step[t->kind](&run->ctx, t);
        if (run->status)
            return;
        at_once = carry_out(s, &op);
    }
}

/* The wait at a channel is over. */
static void leave_channel(struct vsg_sg_slot *s, enum vsg_why why)
{
    s->run->channel[s->channel].waiter = NULL;
    s->channel = VSG_NONE;
    s->token.why = (uint8_t)why;
}

/* True when the wait that a wake event was made for goes on. It does not when its timer
 * came in the same ps: an earlier round. */
static bool still_waits(const struct vsg_sg_event *e)
{
    const struct vsg_sg_slot *s = e->slot;
    return s->alive && s->channel == e->channel && s->token.visit == e->visit &&
           vsg_order_entity(s->run->world->tie, s->token.entity) == e->entity;
}

void vsg_sg_execute(struct vsg_sg_run *run, const struct vsg_sg_event *e)
{
    struct vsg_sg_slot *s = e->slot;

    run->round = (unsigned)(e->word >> 58);
    run->slot = s;
    run->executed++;
    switch (e->kind) {
    case VSG_SG_STEP:
        resume(s);
        break;
    case VSG_SG_HOP:
        cross_link(s);
        break;
    case VSG_SG_TIMER:
        leave_channel(s, VSG_BY_TIMER);
        resume(s);
        break;
    case VSG_SG_WAKE:
        if (!still_waits(e))
            break;
        run->channel[e->channel].signals -= s->need;
        leave_channel(s, VSG_BY_SIGNAL);
        resume(s);
        break;
    }
    run->slot = NULL;
}
