/* The actors that spend the time of tokens. */
#include "engine/simgrid/run.h"

#include <stdlib.h>
#include <string.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

#define PS_PER_NS 1000.0
#define STACK_BYTES (64u << 10)

static void set_moving(struct vsg_sg_slot *slot, bool moving)
{
    slot->run->moving += moving;
    slot->run->moving -= slot->moving;
    slot->moving = moving;
}

static void push(struct vsg_sg_slot *slot, uint64_t time_ps, unsigned round, enum vsg_phase phase,
                 enum vsg_sg_event_kind kind)
{
    struct vsg_sg_run *run = slot->run;
    enum vsg_tie tie = run->world->tie;
    const struct vsg_token *t = &slot->token;
    struct vsg_sg_event e = {.time_ps = time_ps,
                             .word = vsg_order_word(tie, round, phase, t->entity, t->visit),
                             .entity = vsg_order_entity(tie, t->entity),
                             .visit = t->visit,
                             .channel = slot->channel,
                             .kind = kind,
                             .slot = slot};

    if (!vsg_sg_ready_push(&run->ready, &e))
        vsg_sg_out_of_memory(run);
}

void vsg_sg_post(struct vsg_sg_slot *slot, enum vsg_phase phase, enum vsg_sg_event_kind kind)
{
    struct vsg_sg_run *run = slot->run;

    if (run->round == VSG_ROUND_MAX) {
        vsg_sg_too_many_rounds(run);
        return;
    }
    push(slot, run->ctx.now_ps, run->round + 1, phase, kind);
}

/* ---- the actor --------------------------------------------------------------------- */

/* What the actor slept for has come: by SimGrid's clock it is due_ps now. */
static void due(struct vsg_sg_slot *slot)
{
    struct vsg_sg_run *run = slot->run;

    set_moving(slot, false);
    slot->listening = false;
    push(slot, slot->due_ps, 0, slot->due_phase, slot->due_kind);
    if (run->conductor_idle) {
        run->conductor_idle = false;
        sg_sem_release(run->wake);
    }
}

/* Bytes share the links' bandwidth as SimGrid has it. The links of the platform have no latency
 * of their own (run.c), so the time in here is what the bytes take; on to the next whole ps. */
static void send_bytes(struct vsg_sg_slot *slot)
{
    const struct vsg_sg_run *run = slot->run;
    uint64_t idle_ps = slot->due_ps, now_ps;
    double clock_ps;

    vsg_sg_sleep_until(idle_ps);
    sg_host_sendto(run->host[slot->from], run->host[slot->to], slot->need);
    clock_ps = simgrid_get_clock() * PS_PER_NS - 0.01; /* not up for a rounding error of doubles */
    now_ps = clock_ps > 0 ? (uint64_t)clock_ps + 1 : 1;
    slot->due_ps = now_ps > slot->since_ps ? now_ps : slot->since_ps + 1;
    slot->token.waited_ps = slot->due_ps > idle_ps ? slot->due_ps - idle_ps : 0;
    vsg_sg_sleep_until(slot->due_ps);
}

static void act(int argc, char **argv)
{
    struct vsg_sg_slot *slot = sg_actor_self_get_data();

    (void)argc;
    (void)argv;
    sg_sem_acquire(slot->go);
    for (;;) {
        bool interrupted = false;

        slot->ordered = false;
        switch (slot->order) {
        case VSG_SG_REST:
            break;
        case VSG_SG_SLEEP:
            vsg_sg_sleep_until(slot->due_ps);
            due(slot);
            break;
        case VSG_SG_LISTEN: {
            uint64_t due_ps = slot->due_ps < VSG_SG_LIMIT_PS ? slot->due_ps : VSG_SG_LIMIT_PS + 1;
            double left = (double)due_ps / PS_PER_NS - simgrid_get_clock();
            interrupted = !sg_sem_acquire_timeout(slot->go, left);
            if (!interrupted && !slot->ordered)
                due(slot);
            break;
        }
        case VSG_SG_SEND:
            send_bytes(slot);
            due(slot);
            break;
        case VSG_SG_LEAVE:
            return;
        }
        if (!interrupted)
            sg_sem_acquire(slot->go);
    }
}

/* An order that has not been picked up yet is replaced. */
static void give_order(struct vsg_sg_slot *slot, enum vsg_sg_order order)
{
    slot->order = order;
    if (slot->ordered)
        return;
    slot->ordered = true;
    if (!slot->go) {
        slot->go = sg_sem_init(0);
        vsg_sg_actor("token", STACK_BYTES, act, slot);
    }
    sg_sem_release(slot->go);
}

void vsg_sg_move(struct vsg_sg_slot *slot, enum vsg_sg_order order, uint64_t due_ps,
                 enum vsg_phase phase, enum vsg_sg_event_kind kind)
{
    slot->due_ps = due_ps;
    slot->due_phase = phase;
    slot->due_kind = kind;
    slot->listening = order == VSG_SG_LISTEN;
    set_moving(slot, true);
    give_order(slot, order);
}

void vsg_sg_rest(struct vsg_sg_slot *slot)
{
    set_moving(slot, false);
    if (!slot->listening)
        return;
    slot->listening = false;
    give_order(slot, VSG_SG_REST);
}

void vsg_sg_queue(struct vsg_sg_slot *slot, enum vsg_phase phase, enum vsg_sg_event_kind kind)
{
    vsg_sg_rest(slot);
    set_moving(slot, true);
    slot->due_phase = phase;
    slot->due_kind = kind;
}

void vsg_sg_leave(struct vsg_sg_slot *slot)
{
    if (slot->go)
        give_order(slot, VSG_SG_LEAVE);
}

/* ---- slots --------------------------------------------------------------------------- */

static struct vsg_sg_slot *new_slot(struct vsg_sg_run *run)
{
    struct vsg_sg_slot *slot;
    size_t align = _Alignof(struct vsg_sg_slot);
    size_t bytes = offsetof(struct vsg_sg_slot, token) + run->world->token_bytes;

    if (bytes < sizeof *slot)
        bytes = sizeof *slot;
    if (run->slot_count == run->slot_room) {
        size_t room = run->slot_room ? 2 * run->slot_room : 64;
        struct vsg_sg_slot **grown = realloc(run->all, room * sizeof(struct vsg_sg_slot *));
        if (!grown)
            return NULL;
        run->all = grown;
        run->slot_room = room;
    }
    bytes = (bytes + align - 1) / align * align;
    slot = aligned_alloc(align, bytes);
    if (!slot)
        return NULL;
    memset(slot, 0, bytes);
    slot->run = run;
    run->all[run->slot_count++] = slot;
    return slot;
}

struct vsg_sg_slot *vsg_sg_slot_take(struct vsg_sg_run *run)
{
    struct vsg_sg_slot *slot = run->free_slots;

    if (slot)
        run->free_slots = slot->next;
    else
        slot = new_slot(run);
    if (!slot)
        return NULL;
    memset(&slot->token, 0, run->world->token_bytes);
    slot->next = NULL;
    slot->alive = true;
    slot->channel = VSG_NONE;
    slot->hop = slot->hop_end = 0;
    run->alive++;
    return slot;
}

void vsg_sg_slot_give_back(struct vsg_sg_slot *slot)
{
    struct vsg_sg_run *run = slot->run;

    vsg_sg_rest(slot);
    slot->alive = false;
    slot->next = run->free_slots;
    run->free_slots = slot;
    run->alive--;
}
