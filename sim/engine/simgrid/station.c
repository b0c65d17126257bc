/* Servers and links: actors with a queue. */
#include "engine/simgrid/run.h"

#include <stdlib.h>

#include <simgrid/actor.h>
#include <simgrid/semaphore.h>

#define STACK_BYTES (64u << 10)

static uint64_t later(uint64_t t_ps, uint64_t by_ps)
{
    return by_ps > UINT64_MAX - t_ps ? UINT64_MAX : t_ps + by_ps;
}

/* Busy time is what occupies the station inside the window. By the time a service
 * ends, a STOP that could cut it has been called. */
static void count_busy(struct vsg_sg_station *s, const struct vsg_sg_request *r, uint64_t end_ps)
{
    uint64_t from_ps = r->start_ps, to_ps = later(r->start_ps, r->occupy_ps);

    if (from_ps < s->run->world->window_start_ps)
        from_ps = s->run->world->window_start_ps;
    if (to_ps > end_ps)
        to_ps = end_ps;
    if (r->counted && to_ps > from_ps)
        s->stats.busy_ps += to_ps - from_ps;
}

static void count_wait(struct vsg_sg_station *s, const struct vsg_sg_request *r)
{
    uint64_t wait_ps = r->start_ps - r->arrival_ps;

    if (!r->inside)
        return;
    s->stats.wait_sum_ps += wait_ps;
    if (wait_ps > s->stats.wait_max_ps)
        s->stats.wait_max_ps = wait_ps;
}

/* ---- the actor ------------------------------------------------------------------------ */

/* Service of the first request begins now, by SimGrid's clock. */
static void begin(struct vsg_sg_station *s)
{
    struct vsg_sg_request *r = &s->request[s->head];
    struct vsg_sg_slot *slot = r->slot;

    r->start_ps = vsg_sg_instant_ps();
    count_wait(s, r);
    if (!slot)
        return;
    slot->token.waited_ps += r->start_ps - r->arrival_ps;
    vsg_sg_move(slot, VSG_SG_SLEEP, later(r->start_ps, r->latency_ps), slot->due_phase,
                slot->due_kind);
}

static void act(int argc, char **argv)
{
    struct vsg_sg_station *s = sg_actor_self_get_data();

    (void)argc;
    (void)argv;
    while (!s->run->over) {
        if (s->count == 0) {
            s->idle = true;
            sg_sem_acquire(s->work);
            continue;
        }
        begin(s);
        vsg_sg_sleep_until(later(s->request[s->head].start_ps, s->request[s->head].occupy_ps));
        if (s->run->over)
            return; /* the run has ended meanwhile and counted this service */
        count_busy(s, &s->request[s->head], vsg_sg_window_end_ps(s->run));
        s->head = (s->head + 1) % s->room;
        s->count--;
    }
}

/* ---- requests --------------------------------------------------------------------------- */

static bool enqueue(struct vsg_sg_station *s, const struct vsg_sg_request *r)
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 8;
        struct vsg_sg_request *ring = malloc(room * sizeof *ring);
        if (!ring)
            return false;
        for (size_t i = 0; i < s->count; i++)
            ring[i] = s->request[(s->head + i) % s->room];
        free(s->request);
        s->request = ring;
        s->room = room;
        s->head = 0;
    }
    s->request[(s->head + s->count++) % s->room] = *r;
    if (!s->work) {
        s->work = sg_sem_init(0);
        vsg_sg_actor("station", STACK_BYTES, act, s);
    } else if (s->idle) {
        s->idle = false;
        sg_sem_release(s->work);
    }
    return true;
}

bool vsg_sg_request(struct vsg_sg_station *s, struct vsg_sg_slot *slot, uint64_t occupy_ps,
                    uint64_t latency_ps)
{
    struct vsg_sg_run *run = s->run;
    uint64_t now_ps = run->ctx.now_ps;
    bool free_now = s->count == 0; /* the clock has ended all services that end by now */
    struct vsg_sg_request r = {.slot = free_now ? NULL : slot,
                               .arrival_ps = now_ps,
                               .start_ps = now_ps,
                               .occupy_ps = occupy_ps,
                               .latency_ps = latency_ps,
                               .counted = now_ps < vsg_sg_window_end_ps(run)};

    r.inside = r.counted && now_ps >= run->world->window_start_ps;
    run->ties += s->last_request_ps == now_ps;
    s->last_request_ps = now_ps;
    s->stats.served += r.inside;
    if (free_now && occupy_ps == 0)
        return true;
    /* All but the one in service wait; the first one here is in service from this ps on, even
     * if its actor has not been told yet. */
    if (!free_now && r.inside && s->count > s->stats.queue_max)
        s->stats.queue_max = s->count;
    if (!enqueue(s, &r))
        vsg_sg_out_of_memory(run);
    return free_now;
}

void vsg_sg_station_finish(struct vsg_sg_station *s)
{
    /* Only one that began on arrival can be left: in a queue it would keep its token alive. */
    if (s->count)
        count_busy(s, &s->request[s->head], vsg_sg_window_end_ps(s->run));
}
