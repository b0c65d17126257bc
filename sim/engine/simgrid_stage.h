/* A stage for tests of the engine on SimGrid: tokens follow scripts; what they see is logged, in
 * the order in which they see it, and compared with a table made by hand. Every run has a child
 * process of its own, as SimGrid wants it. Included by tests, after cmocka.h (and that after
 * engine.h: it makes fail() a macro); not part of the library. */
#ifndef VSG_ENGINE_SIMGRID_STAGE_H
#define VSG_ENGINE_SIMGRID_STAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/order.h"

/* In a script or a table only the first fields matter; the others are 0. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- scripts ------------------------------------------------------------------ */

enum verb {
    END,
    UNTIL,   /* a: time */
    SLEEP,   /* a: from now */
    LISTEN,  /* object: channel, n: signals, a: time */
    ACQUIRE, /* object, n */
    SERVE,   /* object, a: occupy, b: latency */
    MOVE,    /* object: place, n: bytes, a: weight */
    /* Calls; the next line follows in the same step: */
    SIGNAL,  /* object, n */
    RELEASE, /* object, n */
    SPAWN,   /* object: whose script, n: send number */
    STOP,    /* a: time */
    FAIL,
    AGAIN /* an op that is over at once, for ever */
};

struct line {
    enum verb verb;
    uint32_t object, n;
    uint64_t a, b;
};

/* A token starts on `place` with its script (NOWHERE: when it is spawned); its ordinal is its index
 * among the actors. */
struct actor {
    uint32_t place;
    const struct line *line;
};

/* What token `who` sees when it comes to this line of its script. */
struct seen {
    uint32_t who, line;
    uint64_t now_ps;
    uint64_t waited_ps; /* compared after ACQUIRE, SERVE and MOVE */
    uint32_t why;       /* compared after waits */
    uint32_t visit, place;
};

enum { LOG = 2048, OBJECTS = 4, NOWHERE = 99 };

struct outcome { /* in memory that parent and child share */
    enum vsg_status status;
    uint64_t events, ties, end_ps, stop_ps;
    struct vsg_server_stats server[OBJECTS], link[OBJECTS];
    uint32_t count;
    struct seen seen[LOG];
    char text[400];
};

struct player {
    struct vsg_token t;
    uint32_t script, line;
};

static struct {
    const struct actor *actor; /* [count] */
    uint32_t count;
    struct outcome *out;
} stage;

static struct outcome *out;    /* of the last run */
static struct vsg_world world; /* of the next run; tests change it */

static inline struct vsg_op perform(struct vsg_ctx *ctx, struct vsg_token *t)
{
    struct player *p = (struct player *)t;
    struct outcome *o = stage.out;

    if (o->count < LOG)
        o->seen[o->count++] = (struct seen){(uint32_t)(t->entity >> 44),
                                            p->line,
                                            ctx->now_ps,
                                            t->waited_ps,
                                            t->why,
                                            t->visit,
                                            t->place};
    for (;;) {
        const struct line *l = &stage.actor[p->script].line[p->line];
        p->line += l->verb != AGAIN;
        switch (l->verb) {
        case END:
            return vsg_end();
        case UNTIL:
            return vsg_wait_until(l->a);
        case SLEEP:
            return vsg_wait_until(ctx->now_ps + l->a);
        case LISTEN:
            return vsg_wait_signal(l->a, l->object, l->n);
        case ACQUIRE:
            return vsg_acquire(l->object, l->n);
        case SERVE:
            return vsg_serve(l->object, l->a, l->b);
        case MOVE:
            return vsg_transfer(l->object, l->n, (uint32_t)l->a);
        case SIGNAL:
            vsg_signal(ctx, l->object, l->n);
            break;
        case RELEASE:
            vsg_release(ctx, l->object, l->n);
            break;
        case SPAWN: {
            struct player *child =
                (struct player *)vsg_spawn(ctx, 0, vsg_entity(l->object, l->n, 0));
            child->script = l->object;
            break;
        }
        case STOP:
            vsg_stop(ctx, l->a);
            break;
        case FAIL:
            vsg_fail(ctx, "stages do not add up");
            break;
        case AGAIN:
            return vsg_wait_until(0);
        }
    }
}

static inline void boot(struct vsg_ctx *ctx, uint32_t place)
{
    assert_int_equal(ctx->place, place);
    assert_int_equal(ctx->now_ps, 0);
    for (uint32_t i = 0; i < stage.count; i++)
        if (stage.actor[i].place == place) {
            struct player *p = (struct player *)vsg_spawn(ctx, 0, vsg_entity(i, 0, 0));
            p->script = i;
        }
}

static inline void run_here(const struct vsg_world *w)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_report r;

    out->status = vsg_simgrid_run(w, &r, &d);
    if (out->status == VSG_OK) {
        out->events = r.events;
        out->ties = r.ties;
        out->end_ps = r.end_ps;
        out->stop_ps = r.stop_ps;
        memcpy(out->server, r.server, r.server_count * sizeof *r.server);
        memcpy(out->link, r.link, r.link_count * sizeof *r.link);
        vsg_report_free(&r);
    }
    if (d.count)
        snprintf(out->text, sizeof out->text, "%s", d.item[0].text);
    vsg_diag_clear(&d);
}

/* Two nodes and a switch (place 2). Server, resource (2 units) and channel 0 and 2 are on node 0,
 * 1 and 3 on node 1. Route 0 -> 1: link 0 (100 ps, 1 byte per ps) to the switch, link 1
 * (50 ps, fills in no time) on; back: link 2 (0 ps) and link 3 (0 ps, 1 byte per ps). */
static inline int set_stage(void **state)
{
    static const struct vsg_server_def server[] = {{0}, {1}, {0}, {1}};
    static const struct vsg_resource_def resource[] = {{0, 2}, {1, 2}};
    static const struct vsg_channel_def channel[] = {{0}, {1}, {0}, {1}};
    static const struct vsg_link_def link[] = {{0, 2, 100, UINT64_C(1000000000000), "up"},
                                               {2, 1, 50, 0, "down"},
                                               {1, 2, 0, 0, "up back"},
                                               {2, 0, 0, UINT64_C(1000000000000), "down back"}};
    static const struct vsg_route_def route[] = {{0, 0}, {0, 2}, {2, 2}, {4, 0}};
    static const uint32_t route_link[] = {0, 1, 2, 3};
    static const vsg_step_fn step[] = {perform};

    (void)state;
    world = (struct vsg_world){.place_count = 3,
                               .node_count = 2,
                               .server = server,
                               .server_count = 4,
                               .resource = resource,
                               .resource_count = 2,
                               .channel = channel,
                               .channel_count = 4,
                               .link = link,
                               .link_count = 4,
                               .route = route,
                               .route_link = route_link,
                               .route_link_count = 4,
                               .contention = VSG_CONTENTION_FIFO,
                               .weight_ppm = {1000000, 2500000, 0, 1000000},
                               .tie = VSG_TIE_ID,
                               .token_bytes = sizeof(struct player),
                               .step = step,
                               .step_count = 1,
                               .boot = boot,
                               .window_end_ps = VSG_NEVER,
                               .stop_grace_ps = 5};
    return 0;
}

static inline void play_any(const struct actor *actor, size_t count)
{
    pid_t child;
    int how = 0;

    memset(out, 0, sizeof *out);
    stage.actor = actor;
    stage.count = (uint32_t)count;
    stage.out = out;
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        run_here(&world);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

static inline void play(const struct actor *actor, size_t count)
{
    play_any(actor, count);
    if (out->status)
        print_error("%s\n", out->text);
    assert_int_equal(out->status, VSG_OK);
}

static inline bool same(const struct seen *s, const struct seen *want)
{
    enum verb before = s->line ? stage.actor[s->who].line[s->line - 1].verb : END;

    if (s->who != want->who || s->line != want->line || s->now_ps != want->now_ps)
        return false;
    if (before == ACQUIRE || before == SERVE || before == MOVE)
        return s->waited_ps == want->waited_ps;
    if (before == UNTIL || before == SLEEP || before == LISTEN)
        return s->why == want->why;
    return true;
}

/* The whole log but the first steps at time 0, in its order. */
static inline void log_is(const struct seen *want, size_t count)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < out->count; i++) {
        const struct seen *s = &out->seen[i];
        if (s->line == 0 && s->now_ps == 0)
            continue;
        if (at >= count || !same(s, &want[at]))
            fail_msg("entry %u: token %u, line %u, at %llu ps, waited %llu ps, why %u", at, s->who,
                     s->line, (unsigned long long)s->now_ps, (unsigned long long)s->waited_ps,
                     s->why);
        at++;
    }
    assert_int_equal(at, count);
}

static inline void stats_are(const struct vsg_server_stats *s, struct vsg_server_stats want)
{
    assert_int_equal(s->served, want.served);
    assert_int_equal(s->busy_ps, want.busy_ps);
    assert_int_equal(s->wait_sum_ps, want.wait_sum_ps);
    assert_int_equal(s->wait_max_ps, want.wait_max_ps);
    assert_int_equal(s->queue_max, want.queue_max);
}

#define SCRIPT(...) ((const struct line[]){__VA_ARGS__})
#define CAST(...) (const struct actor[]){__VA_ARGS__}, COUNT(((const struct actor[]){__VA_ARGS__}))
#define LOG_IS(...)                                                                                \
    log_is((const struct seen[]){__VA_ARGS__}, COUNT(((const struct seen[]){__VA_ARGS__})))
#define PLAY(...) play(CAST(__VA_ARGS__))

static inline int load(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;

    (void)state;
    out = mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (out == MAP_FAILED || vsg_simgrid_load(VSG_MODULE_DIR, &d) != VSG_OK) {
        print_error("%s\n", d.count ? d.item[0].text : "no shared memory");
        return -1;
    }
    return 0;
}

static inline int unload(void **state)
{
    (void)state;
    return munmap(out, sizeof *out);
}

#define TEST(name) cmocka_unit_test_setup(name, set_stage)

#endif
