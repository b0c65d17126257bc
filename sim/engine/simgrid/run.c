/* Runs a world on SimGrid: the beginning, the conductor, the end. */
#include "engine/simgrid/run.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/semaphore.h>

#define PS_PER_NS 1000.0
#define STACK_BYTES (1u << 20) /* the model's steps run on it */

/* ---- what all parts use ------------------------------------------------------- */

static void fault(struct vsg_sg_run *run, enum vsg_status status, const char *what, uint32_t object)
{
    char number[16] = "", who[96];

    if (run->status)
        return;
    run->status = status;
    if (object != VSG_NONE)
        snprintf(number, sizeof number, " %" PRIu32, object);
    if (run->slot) {
        const struct vsg_token *t = &run->slot->token;
        snprintf(who, sizeof who,
                 "entity %" PRIu64 "/%" PRIu64 "/%" PRIu64 ", kind %u, place %" PRIu32,
                 t->entity >> 44, t->entity >> 12 & UINT32_MAX, t->entity & 0xfff, t->kind,
                 run->ctx.place);
    } else {
        snprintf(who, sizeof who, "boot of place %" PRIu32, run->ctx.place);
    }
    vsg_sg_error(run->error, "%s, at %" PRIu64 " ps: %s%s", who, run->ctx.now_ps, what, number);
}

void vsg_sg_fault(struct vsg_sg_run *run, const char *what, uint32_t object)
{
    fault(run, VSG_EMODEL, what, object);
}

void vsg_sg_too_many_rounds(struct vsg_sg_run *run)
{
    fault(run, VSG_ERANGE, VSG_ROUND_WORDS, VSG_NONE);
}

void vsg_sg_out_of_memory(struct vsg_sg_run *run)
{
    if (run->status)
        return;
    run->status = VSG_ENOMEM;
    vsg_sg_error(run->error, "memory ran out after %" PRIu64 " events", run->executed);
}

uint64_t vsg_sg_instant_ps(void)
{
    return (uint64_t)(simgrid_get_clock() * PS_PER_NS + 0.25);
}

void vsg_sg_sleep_until(uint64_t t_ps)
{
    if (t_ps > VSG_SG_LIMIT_PS)
        t_ps = VSG_SG_LIMIT_PS + 1;
    sg_actor_sleep_until((double)t_ps / PS_PER_NS);
}

uint64_t vsg_sg_window_end_ps(const struct vsg_sg_run *run)
{
    uint64_t end_ps = run->world->window_end_ps;
    return run->ctx.stop_ps < end_ps ? run->ctx.stop_ps : end_ps;
}

/* ---- the conductor -------------------------------------------------------------- */

/* Waits until all that happens at instant t is there. Fluid transfers may end at any
 * time and begin where their token is ready, so there the steps run at t itself, after the other
 * actors of that date had their turns; otherwise every transfer would take half a ps too long. */
static void gather(struct vsg_sg_run *run, uint64_t t_ps)
{
    enum { TURNS = 4 }; /* a station ends a service, gives an order, the token's actor acts */

    if (run->world->contention != VSG_CONTENTION_FLUID) {
        sg_actor_sleep_until(((double)t_ps + 0.5) / PS_PER_NS);
        return;
    }
    for (int i = 0; i < TURNS; i++)
        sg_actor_yield();
}

/* An actor that comes at another time than its token's date would make a wrong result look
 * right, so this is checked always. */
static void check_clock(struct vsg_sg_run *run, const struct vsg_sg_event *e)
{
    if (e->time_ps == run->ctx.now_ps || run->status)
        return;
    run->slot = e->slot;
    vsg_sg_fault(run, "SimGrid's clock disagrees with the date of the token", VSG_NONE);
}

static void run_instant(struct vsg_sg_run *run)
{
    uint64_t t_ps = vsg_sg_instant_ps();

    if (t_ps > VSG_SG_LIMIT_PS) {
        run->status = VSG_ERANGE;
        vsg_sg_error(run->error,
                     "simulated time runs over %" PRIu64
                     " s, where SimGrid's clock begins to lose picoseconds; use engine parallel or "
                     "a shorter run",
                     VSG_SG_LIMIT_PS / UINT64_C(1000000000000));
        return;
    }
    gather(run, t_ps);
    run->ctx.now_ps = t_ps;
    while (run->ready.count && !run->status) {
        struct vsg_sg_event e = vsg_sg_ready_pop(&run->ready);
        check_clock(run, &e);
        if (!run->status)
            vsg_sg_execute(run, &e);
    }
}

static void boot(struct vsg_sg_run *run)
{
    for (uint32_t place = 0; place < run->world->node_count && !run->status; place++) {
        run->ctx.place = place;
        run->world->boot(&run->ctx, place);
    }
}

/* Everybody goes home: by returning and not by being killed, since that would send C++
 * exceptions through our frames. Who sleeps wakes at its date and finds the order. */
static void send_home(struct vsg_sg_run *run)
{
    run->over = true;
    for (size_t i = 0; i < run->slot_count; i++)
        vsg_sg_leave(run->all[i]);
    for (uint32_t i = 0; i < run->world->server_count; i++)
        if (run->server[i].idle)
            sg_sem_release(run->server[i].work);
    for (uint32_t i = 0; i < run->world->link_count; i++)
        if (run->link[i].idle)
            sg_sem_release(run->link[i].work);
}

/* Tokens are left and nothing will ever move them: names the first in the order of entities. */
static void report_stranded(struct vsg_sg_run *run)
{
    const struct vsg_sg_slot *first = NULL;
    const char *where = "a resource";
    char number[32] = "";

    for (size_t i = 0; i < run->slot_count; i++)
        if (run->all[i]->alive && (!first || run->all[i]->token.entity < first->token.entity))
            first = run->all[i];
    assert(first); /* called only while one is alive */
    for (uint32_t i = 0; i < run->world->resource_count; i++)
        for (const struct vsg_sg_slot *s = run->resource[i].head; s; s = s->next)
            if (s == first)
                snprintf(number, sizeof number, "resource %" PRIu32, i);
    if (first->channel != VSG_NONE)
        snprintf(number, sizeof number, "channel %" PRIu32, first->channel);
    if (number[0])
        where = number;
    run->status = VSG_EMODEL;
    vsg_sg_error(run->error,
                 "%" PRIu64 " tokens wait for ever; entity %" PRIu64 "/%" PRIu64 "/%" PRIu64
                 " waits at %s, place %" PRIu32,
                 run->alive, first->token.entity >> 44, first->token.entity >> 12 & UINT32_MAX,
                 first->token.entity & 0xfff, where, first->token.place);
}

/* The window ends with the run when nobody said anything else. */
static void close_window(struct vsg_sg_run *run)
{
    if (vsg_sg_window_end_ps(run) == VSG_NEVER)
        run->ctx.stop_ps = run->end_ps;
    for (uint32_t i = 0; i < run->world->server_count; i++)
        vsg_sg_station_finish(&run->server[i]);
    for (uint32_t i = 0; i < run->world->link_count; i++)
        vsg_sg_station_finish(&run->link[i]);
}

static void conduct(int argc, char **argv)
{
    struct vsg_sg_run *run = sg_actor_self_get_data();

    (void)argc;
    (void)argv;
    boot(run);
    while (!run->status && (run->ready.count || run->moving)) {
        if (!run->ready.count) {
            run->conductor_idle = true;
            sg_sem_acquire(run->wake);
        }
        run_instant(run);
    }
    if (!run->status && run->alive)
        report_stranded(run);
    close_window(run);
    send_home(run);
}

/* ---- beginning and end --------------------------------------------------------------- */

static bool make_objects(struct vsg_sg_run *run)
{
    const struct vsg_world *w = run->world;

    run->spare = vsg_sg_slot_take(run);
    run->channel = calloc(w->channel_count + 1u, sizeof *run->channel);
    run->resource = calloc(w->resource_count + 1u, sizeof *run->resource);
    run->server = calloc(w->server_count + 1u, sizeof *run->server);
    run->link = calloc(w->link_count + 1u, sizeof *run->link);
    run->host = calloc(w->node_count, sizeof(sg_host_t));
    if (!run->spare || !run->channel || !run->resource || !run->server || !run->link || !run->host)
        return false;
    run->spare->alive = false; /* it is nobody's token */
    run->alive = 0;
    for (uint32_t i = 0; i < w->resource_count; i++)
        run->resource[i] = (struct vsg_sg_resource){.free_units = w->resource[i].capacity,
                                                    .last_request_ps = VSG_NEVER};
    for (uint32_t i = 0; i < w->server_count; i++)
        run->server[i] = (struct vsg_sg_station){.run = run, .last_request_ps = VSG_NEVER};
    for (uint32_t i = 0; i < w->link_count; i++)
        run->link[i] = (struct vsg_sg_station){.run = run, .last_request_ps = VSG_NEVER};
    return true;
}

static void free_objects(struct vsg_sg_run *run)
{
    for (uint32_t i = 0; run->server && i < run->world->server_count; i++)
        free(run->server[i].request);
    for (uint32_t i = 0; run->link && i < run->world->link_count; i++)
        free(run->link[i].request);
    for (size_t i = 0; i < run->slot_count; i++)
        free(run->all[i]);
    free(run->all);
    free(run->ready.event);
    free(run->channel);
    free(run->resource);
    free(run->server);
    free(run->link);
    free(run->host);
}

/* Latencies under a weight are slept by the tokens themselves, so SimGrid's network is to spend
 * only what the bytes take. It also keeps shares equal: with latencies, SimGrid would give
 * longer routes less, as TCP does and an interconnect does not. */
static enum vsg_status open_network(struct vsg_sg_run *run)
{
    const struct vsg_world *w = run->world;
    sg_link_t *link = sg_link_list();
    size_t count = sg_link_count();

    for (size_t i = 0; i < count; i++) {
        sg_link_set_latency(link[i], 0);
        if (w->platform_second_ps) /* a second is 1 ns here, whatever it is in the platform */
            sg_link_set_bandwidth(link[i], sg_link_get_bandwidth(link[i]) * 1000.0 /
                                               (double)w->platform_second_ps);
    }
    free(link);
    for (uint32_t i = 0; i < w->node_count; i++) {
        run->host[i] = sg_host_by_name(w->host[i]);
        if (!run->host[i]) {
            vsg_sg_error(run->error, "the platform has no host '%s', which is to be node %" PRIu32,
                         w->host[i], i);
            return VSG_EINVAL;
        }
    }
    return VSG_OK;
}

/* Without fluid contention SimGrid needs no network, only somewhere for its actors to be. */
static enum vsg_status open_platform(struct vsg_sg_run *run)
{
    static const char lone[] = "<?xml version=\"1.0\"?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\"><zone id=\"z\" routing=\"None\">"
                               "<host id=\"h\" speed=\"1f\"/></zone></platform>\n";
    bool fluid = run->world->contention == VSG_CONTENTION_FLUID;
    enum vsg_status status;

    if (fluid && (!run->world->platform_xml || !run->world->host)) {
        vsg_sg_error(run->error, "fluid contention needs a platform and the hosts of its nodes");
        return VSG_EINVAL;
    }
    status = vsg_sg_start(fluid ? run->world->platform_xml : lone, run->error);
    return !status && fluid ? open_network(run) : status;
}

static enum vsg_status make_report(struct vsg_sg_run *run, struct vsg_report *out)
{
    const struct vsg_world *w = run->world;
    struct vsg_report r = {.events = run->events,
                           .ties = run->ties,
                           .end_ps = run->end_ps,
                           .server = calloc(w->server_count + 1u, sizeof *r.server),
                           .link = calloc(w->link_count + 1u, sizeof *r.link),
                           .server_count = w->server_count,
                           .link_count = w->link_count,
                           .executed = run->executed,
                           .lps = 1,
                           .workers = 1,
                           .lookahead_ps = VSG_NEVER};

    if (!r.server || !r.link) {
        free(r.server);
        free(r.link);
        return VSG_ENOMEM;
    }
    r.stop_ps = vsg_sg_window_end_ps(run);
    for (uint32_t i = 0; i < w->server_count; i++)
        r.server[i] = run->server[i].stats;
    for (uint32_t i = 0; i < w->link_count; i++)
        r.link[i] = run->link[i].stats;
    *out = r;
    return VSG_OK;
}

enum vsg_status vsg_sg_run(const struct vsg_world *w, const struct vsg_simgrid_calls *calls,
                           struct vsg_report *report, struct vsg_simgrid_error *error)
{
    struct vsg_sg_run run = {
        .ctx = {.stop_ps = VSG_NEVER, .model = w->model, .calls = &vsg_sg_calls},
        .world = w,
        .calls = calls,
        .error = error};

    run.status = make_objects(&run) ? open_platform(&run) : VSG_ENOMEM;
    if (!run.status) {
        run.wake = sg_sem_init(0);
        vsg_sg_actor("conductor", STACK_BYTES, conduct, &run);
        simgrid_run();
    }
    if (!run.status)
        run.status = make_report(&run, report);
    free_objects(&run);
    return run.status;
}
