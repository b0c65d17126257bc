/* How the parallel engine carries out ops and calls: world.h, to the letter. */
#include "engine/lp.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SLAB_SLOTS = 256 };

void vsg_entity_text(uint64_t entity, char text[40])
{
    snprintf(text, 40, "entity %u/%u/%u", (unsigned)(entity >> 44),
             (unsigned)(entity >> 12 & UINT32_MAX), (unsigned)(entity & 0xfff));
}

void vsg_lp_fault(struct vsg_worker *w, enum vsg_status status, const char *format, ...)
{
    struct vsg_fault *f = &w->fault;
    if (f->set && (f->time_ps < w->event.time_ps ||
                   (f->time_ps == w->event.time_ps && f->word <= w->event.word)))
        return;
    *f = (struct vsg_fault){
        .set = true, .status = status, .time_ps = w->event.time_ps, .word = w->event.word};
    va_list args;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
}

static void token_fault_as(struct vsg_worker *w, enum vsg_status status, const char *what,
                           uint32_t object)
{
    char who[40];
    const struct vsg_token *t = &w->slot->token;
    vsg_entity_text(t->entity, who);
    if (object == VSG_NONE)
        vsg_lp_fault(w, status, "%s, kind %u, place %u, at %llu ps: %s", who, t->kind, t->place,
                     (unsigned long long)w->ctx.now_ps, what);
    else
        vsg_lp_fault(w, status, "%s, kind %u, place %u, at %llu ps: %s %u", who, t->kind, t->place,
                     (unsigned long long)w->ctx.now_ps, what, object);
}

static void token_fault(struct vsg_worker *w, const char *what, uint32_t object)
{
    token_fault_as(w, VSG_EMODEL, what, object);
}

static void memory_fault(struct vsg_worker *w)
{
    vsg_lp_fault(w, VSG_ENOMEM, "memory ran out after %llu events",
                 (unsigned long long)w->executed);
}

/* ---- events -------------------------------------------------------------- */

static unsigned round_of(const struct vsg_worker *w)
{
    return (unsigned)(w->event.word >> 58);
}

/* The key of an event of slot's token at time_ps, caused by the event in hand. */
static struct vsg_event make_event(struct vsg_worker *w, uint64_t time_ps, enum vsg_phase phase,
                                   const struct vsg_slot *slot, uint64_t ref)
{
    unsigned round = 0;
    if (time_ps == w->ctx.now_ps) {
        round = round_of(w) + 1;
        if (round > VSG_ROUND_MAX) {
            token_fault_as(w, VSG_ERANGE, VSG_ROUND_WORDS, VSG_NONE);
            round = VSG_ROUND_MAX;
        }
    }
    enum vsg_tie tie = w->run->world->tie;
    const struct vsg_token *t = &slot->token;
    return (struct vsg_event){.time_ps = time_ps,
                              .word = vsg_order_word(tie, round, phase, t->entity, t->visit),
                              .entity = vsg_order_entity(tie, t->entity),
                              .ref = ref};
}

static void push(struct vsg_worker *w, struct vsg_event e)
{
    if (!vsg_event_push(&w->lp->heap, e))
        memory_fault(w);
}

static void schedule(struct vsg_worker *w, uint64_t time_ps, enum vsg_phase phase,
                     struct vsg_slot *slot)
{
    push(w, make_event(w, time_ps, phase, slot, (uint64_t)(uintptr_t)slot));
}

/* Slots are aligned, so an odd ref is a channel: serial, timer or wake, index. */
static uint64_t channel_ref(uint32_t index, uint32_t serial, bool timer)
{
    return (uint64_t)serial << 32 | (uint64_t)index << 2 | (uint64_t)timer << 1 | 1;
}

/* ---- tokens ----------------------------------------------------------------- */

static bool grow_slots(struct vsg_worker *w)
{
    if (w->slab_count == w->slab_room) {
        size_t room = w->slab_room ? 2 * w->slab_room : 16;
        void **grown = realloc(w->slab, room * sizeof *grown);
        if (!grown)
            return false;
        w->slab = grown;
        w->slab_room = room;
    }
    char *memory = malloc(SLAB_SLOTS * w->run->slot_bytes);
    if (!memory)
        return false;
    w->slab[w->slab_count++] = memory;
    for (size_t i = SLAB_SLOTS; i-- > 0;) {
        struct vsg_slot *s = (struct vsg_slot *)(void *)(memory + i * w->run->slot_bytes);
        s->next = w->free_slots;
        w->free_slots = s;
    }
    return true;
}

static struct vsg_token *spawn(struct vsg_ctx *ctx, uint8_t kind, uint64_t entity)
{
    struct vsg_worker *w = (struct vsg_worker *)ctx;
    if (kind >= w->run->world->step_count) {
        token_fault(w, "spawns a token of unknown kind", kind);
        kind = 0;
    }
    if (!w->free_slots && !grow_slots(w)) {
        /* Without memory: hand out the scratch slot, so that the model's step can end; the fault
         * ends the run after it. */
        memory_fault(w);
        static _Thread_local uint64_t scratch[512];
        assert(w->run->slot_bytes <= sizeof scratch);
        memset(scratch, 0, sizeof scratch);
        return &((struct vsg_slot *)(void *)scratch)->token;
    }
    struct vsg_slot *s = w->free_slots;
    w->free_slots = s->next;
    memset(s, 0, w->run->slot_bytes);
    s->token = (struct vsg_token){.entity = entity, .kind = kind, .place = ctx->place};
    w->alive++;
    schedule(w, ctx->now_ps, VSG_PHASE_ARRIVE, s);
    return &s->token;
}

static void end_token(struct vsg_worker *w, struct vsg_slot *s)
{
    s->next = w->free_slots;
    w->free_slots = s;
    w->alive--;
}

/* ---- calls ------------------------------------------------------------------------ */

static void signal_channel(struct vsg_ctx *ctx, uint32_t channel, uint32_t n)
{
    struct vsg_worker *w = (struct vsg_worker *)ctx;
    const struct vsg_world *world = w->run->world;
    if (channel >= world->channel_count || world->channel[channel].place != ctx->place) {
        token_fault(w, "signals a channel of another place:", channel);
        return;
    }
    struct vsg_channel *c = &w->run->channel[channel];
    c->signals += n;
    if (c->waiter && !c->waking && c->signals >= c->need) {
        c->waking = true;
        push(w, make_event(w, ctx->now_ps, VSG_PHASE_ARRIVE, c->waiter,
                           channel_ref(channel, c->serial, false)));
    }
}

static void release(struct vsg_ctx *ctx, uint32_t resource, uint32_t n)
{
    struct vsg_worker *w = (struct vsg_worker *)ctx;
    const struct vsg_world *world = w->run->world;
    if (resource >= world->resource_count || world->resource[resource].place != ctx->place) {
        token_fault(w, "releases a resource of another place:", resource);
        return;
    }
    struct vsg_resource *r = &w->run->resource[resource];
    if (n > world->resource[resource].capacity - r->free_units) {
        token_fault(w, "releases more than was taken of resource", resource);
        return;
    }
    r->free_units += n;
    while (r->head && r->head->need <= r->free_units) {
        struct vsg_slot *s = r->head;
        r->head = s->next;
        r->free_units -= s->need;
        s->token.waited_ps = ctx->now_ps - s->since_ps;
        schedule(w, ctx->now_ps, VSG_PHASE_DEPART, s);
    }
}

static void stop(struct vsg_ctx *ctx, uint64_t t_ps)
{
    struct vsg_worker *w = (struct vsg_worker *)ctx;
    if (t_ps - ctx->now_ps < w->run->world->stop_grace_ps || t_ps < ctx->now_ps)
        token_fault(w, "stops the run sooner than the grace allows", VSG_NONE);
    else if (t_ps < ctx->stop_ps)
        ctx->stop_ps = t_ps;
}

static void fail(struct vsg_ctx *ctx, const char *what)
{
    token_fault((struct vsg_worker *)ctx, what, VSG_NONE);
}

const struct vsg_calls vsg_lp_calls = {
    .signal = signal_channel, .release = release, .spawn = spawn, .stop = stop, .fail = fail};

/* ---- ops: true when the op was over at once ----------------------------------------- */

static uint64_t accept(struct vsg_worker *w, struct vsg_fifo *f, uint64_t occupy_ps)
{
    bool tie = false;
    uint64_t end_ps = w->ctx.stop_ps < w->run->world->window_end_ps ? w->ctx.stop_ps
                                                                    : w->run->world->window_end_ps;
    uint64_t start_ps =
        vsg_fifo_accept(f, w->ctx.now_ps, occupy_ps, w->run->world->window_start_ps, end_ps, &tie);
    w->ties += tie;
    if (start_ps == VSG_NEVER) {
        memory_fault(w);
        start_ps = w->ctx.now_ps;
    }
    return start_ps;
}

static void begin_visit(struct vsg_worker *w, struct vsg_slot *s)
{
    s->token.visit++;
    w->events++;
}

static bool do_wait(struct vsg_worker *w, struct vsg_slot *s, const struct vsg_op *op)
{
    struct vsg_token *t = &s->token;
    if (op->time_ps <= w->ctx.now_ps) {
        t->why = VSG_BY_TIMER;
        return true;
    }
    if (op->object == VSG_NONE) {
        if (op->time_ps == VSG_NEVER) {
            token_fault(w, "waits for nothing, for ever", VSG_NONE);
            return false;
        }
        begin_visit(w, s);
        t->why = VSG_BY_TIMER;
        schedule(w, op->time_ps, VSG_PHASE_TIMER, s);
        return false;
    }
    const struct vsg_world *world = w->run->world;
    if (op->object >= world->channel_count || world->channel[op->object].place != t->place) {
        token_fault(w, "waits at a channel of another place:", op->object);
        return false;
    }
    struct vsg_channel *c = &w->run->channel[op->object];
    if (c->waiter) {
        token_fault(w, "waits where another token waits: channel", op->object);
        return false;
    }
    if (c->signals >= op->count) {
        c->signals -= op->count;
        t->why = VSG_BY_SIGNAL;
        return true;
    }
    begin_visit(w, s);
    c->waiter = s;
    c->need = op->count;
    c->waking = false;
    if (op->time_ps != VSG_NEVER)
        push(w, make_event(w, op->time_ps, VSG_PHASE_TIMER, s,
                           channel_ref(op->object, c->serial, true)));
    return false;
}

static bool do_acquire(struct vsg_worker *w, struct vsg_slot *s, const struct vsg_op *op)
{
    const struct vsg_world *world = w->run->world;
    if (op->object >= world->resource_count ||
        world->resource[op->object].place != s->token.place) {
        token_fault(w, "acquires a resource of another place:", op->object);
        return false;
    }
    if (op->count > world->resource[op->object].capacity) {
        token_fault(w, "asks for more than the capacity of resource", op->object);
        return false;
    }
    struct vsg_resource *r = &w->run->resource[op->object];
    w->ties += r->last_request_ps == w->ctx.now_ps;
    r->last_request_ps = w->ctx.now_ps;
    s->token.waited_ps = 0;
    if (!r->head && op->count <= r->free_units) {
        r->free_units -= op->count;
        return true;
    }
    begin_visit(w, s);
    s->need = op->count;
    s->since_ps = w->ctx.now_ps;
    s->next = NULL;
    if (r->head)
        r->tail->next = s;
    else
        r->head = s;
    r->tail = s;
    return false;
}

static bool do_serve(struct vsg_worker *w, struct vsg_slot *s, const struct vsg_op *op)
{
    const struct vsg_world *world = w->run->world;
    if (op->object >= world->server_count || world->server[op->object].place != s->token.place) {
        token_fault(w, "is served at another place: server", op->object);
        return false;
    }
    uint64_t start_ps = accept(w, &w->run->server[op->object], op->time_ps);
    s->token.waited_ps = start_ps - w->ctx.now_ps;
    uint64_t done_ps = start_ps + op->latency_ps;
    if (done_ps == w->ctx.now_ps)
        return true;
    begin_visit(w, s);
    schedule(w, done_ps, VSG_PHASE_DEPART, s);
    return false;
}

/* Sends the token on: its next event is at place `to`. From here on it is another LP's. */
static void arrive(struct vsg_worker *w, struct vsg_slot *s, uint32_t to, uint64_t time_ps)
{
    struct vsg_event e = make_event(w, time_ps, VSG_PHASE_ARRIVE, s, (uint64_t)(uintptr_t)s);
    s->token.place = to;
    vsg_lp_send(w, w->run->lp_of[to], e);
}

static uint64_t occupy_ps(const struct vsg_link_def *def, struct vsg_lp_link *link, uint32_t bytes)
{
    uint32_t i = bytes >> 3 & 3;
    if (link->bytes[i] != bytes) {
        link->bytes[i] = bytes;
        link->occupy_ps[i] = vsg_link_occupy_ps(def, bytes);
    }
    return link->occupy_ps[i];
}

static void cross_link(struct vsg_worker *w, struct vsg_slot *s)
{
    const struct vsg_world *world = w->run->world;
    uint32_t index = world->route_link[s->hop++];
    const struct vsg_link_def *def = &world->link[index];
    struct vsg_lp_link *link = &w->run->link[index];
    uint64_t start_ps =
        accept(w, &w->run->link[vsg_link_queue(world, index)].fifo, occupy_ps(def, link, s->need));
    s->token.waited_ps += start_ps - w->ctx.now_ps;
    arrive(w, s, def->to, start_ps + link->latency_ps[s->weight]);
}

static bool do_transfer(struct vsg_worker *w, struct vsg_slot *s, const struct vsg_op *op)
{
    const struct vsg_world *world = w->run->world;
    s->token.waited_ps = 0;
    if (op->object == s->token.place)
        return true;
    if (op->object >= world->node_count || op->weight > 3) {
        token_fault(w, "transfers to a place that is no node:", op->object);
        return false;
    }
    begin_visit(w, s);
    size_t pair = (size_t)s->token.place * world->node_count + op->object;
    if (world->contention == VSG_CONTENTION_NONE) {
        arrive(w, s, op->object, w->ctx.now_ps + w->run->route_latency_ps[op->weight][pair]);
        return false;
    }
    s->hop = world->route[pair].first;
    s->hop_end = s->hop + world->route[pair].count;
    s->need = op->count;
    s->weight = op->weight;
    cross_link(w, s);
    return false;
}

static void step_token(struct vsg_worker *w, struct vsg_slot *s)
{
    const struct vsg_world *world = w->run->world;
    struct vsg_token *t = &s->token;
    w->slot = s;
    w->ctx.place = t->place;
    /* Here and not where events are popped: stale ones do not count. */
    if (w->ctx.now_ps > w->last_ps)
        w->last_ps = w->ctx.now_ps;
    bool at_once = true;
    for (unsigned steps = 0; at_once; steps++) {
        if (steps == VSG_STEP_MAX) {
            token_fault(w, "does not come to an end within one event", VSG_NONE);
            return;
        }
        struct vsg_op op = world->step[t->kind](&w->ctx, t);
        if (w->fault.set)
            return;
        switch (op.kind) {
        case VSG_OP_WAIT:
            at_once = do_wait(w, s, &op);
            break;
        case VSG_OP_ACQUIRE:
            at_once = do_acquire(w, s, &op);
            break;
        case VSG_OP_SERVE:
            at_once = do_serve(w, s, &op);
            break;
        case VSG_OP_TRANSFER:
            at_once = do_transfer(w, s, &op);
            break;
        case VSG_OP_END:
            end_token(w, s);
            return;
        }
    }
}

static void channel_event(struct vsg_worker *w, uint64_t ref)
{
    struct vsg_channel *c = &w->run->channel[ref >> 2 & ((UINT32_C(1) << 30) - 1)];
    if (c->serial != (uint32_t)(ref >> 32))
        return; /* that wait has ended another way */
    struct vsg_slot *s = c->waiter;
    bool timer = ref >> 1 & 1;
    if (!timer)
        c->signals -= c->need;
    s->token.why = timer ? VSG_BY_TIMER : VSG_BY_SIGNAL;
    c->waiter = NULL;
    c->serial++;
    step_token(w, s);
}

void vsg_lp_step(struct vsg_worker *w)
{
    w->event = vsg_event_pop(&w->lp->heap);
    w->ctx.now_ps = w->event.time_ps;
    w->executed++;
    if (w->event.time_ps > VSG_TIME_MAX_PS) {
        vsg_lp_fault(w, VSG_ERANGE, "simulated time runs over %llu ps",
                     (unsigned long long)VSG_TIME_MAX_PS);
        return;
    }
    if (w->event.ref & 1) {
        channel_event(w, w->event.ref);
        return;
    }
    struct vsg_slot *s = (struct vsg_slot *)(uintptr_t)w->event.ref;
    if (s->hop < s->hop_end) {
        w->slot = s;
        cross_link(w, s);
    } else {
        s->hop_end = 0;
        s->hop = 0;
        step_token(w, s);
    }
}

void vsg_lp_boot(struct vsg_worker *w, struct vsg_lp *lp, uint32_t place)
{
    struct vsg_slot nobody = {.token = {.place = place}};
    w->lp = lp;
    w->event = (struct vsg_event){0};
    w->slot = &nobody;
    w->ctx.now_ps = 0;
    w->ctx.place = place;
    w->run->world->boot(&w->ctx, place);
    w->slot = NULL;
}
