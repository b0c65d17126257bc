/* The parallel engine: conservative, with windows between barriers.
 *
 * Places become logical processes (LPs); places joined by a path of zero latency
 * share one. Whatever passes between LPs takes at least the lookahead, so within a
 * window no longer than that, LPs need not know of each other. A window begins at
 * the earliest pending event of the whole world.
 *
 * One exchange per window does everything: each worker publishes the earliest
 * time it holds or has sent, its stop time and whether it failed, and waits for
 * the others to do so; the messages of the window lie in mailboxes of the old
 * parity. Two parities are enough, since nobody can be two windows ahead of a
 * worker that has not read its mail.
 *
 * Nothing here shapes results: an event's key says where it goes, whatever order
 * messages come in. */
#include "engine/engine.h"
#include "engine/lp.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SPINS = 4000, CACHE_LINE = 128 };

struct vsg_mail {
    struct vsg_event event;
    uint32_t lp;
};

/* From one worker to another, of one parity. */
struct vsg_mailbox {
    _Alignas(CACHE_LINE) struct vsg_mail *mail; /* [room] */
    size_t count, room;
};

/* What a worker tells the others at the end of a window. */
struct vsg_signpost {
    _Alignas(CACHE_LINE) atomic_uint_fast64_t window; /* the number of the window it has ended */
    struct {
        uint64_t next_ps, stop_ps;
        bool failed;
    } said[2]; /* by parity */
};

/* ---- from places to LPs --------------------------------------------------------- */

static uint32_t root_of(uint32_t *up, uint32_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

static uint64_t least_link_ps(const struct vsg_world *w, uint32_t link)
{
    uint64_t least = VSG_NEVER;
    for (uint32_t k = 0; k < 4; k++) {
        uint64_t ps = vsg_link_latency_ps(w, link, k);
        least = ps < least ? ps : least;
    }
    return least;
}

static uint64_t least_route_ps(const struct vsg_engine_run *run, size_t pair)
{
    uint64_t least = VSG_NEVER;
    for (uint32_t k = 0; k < 4; k++)
        if (run->route_latency_ps[k][pair] < least)
            least = run->route_latency_ps[k][pair];
    return least;
}

/* Calls visit for every pair of places that a token can pass between in one event, or that share
 * a queue. */
static void each_passage(struct vsg_engine_run *run,
                         void (*visit)(struct vsg_engine_run *run, uint32_t from, uint32_t to,
                                       uint64_t least_ps))
{
    const struct vsg_world *w = run->world;
    if (w->contention == VSG_CONTENTION_FIFO) {
        for (uint32_t l = 0; l < w->link_count; l++) {
            visit(run, w->link[l].from, w->link[l].to, least_link_ps(w, l));
            if (vsg_link_queue(w, l) != l) /* whoever enters the queue must be one LP with it */
                visit(run, w->link[l].from, w->link[vsg_link_queue(w, l)].from, 0);
        }
        return;
    }
    for (uint32_t a = 0; a < w->node_count; a++)
        for (uint32_t b = 0; b < w->node_count; b++)
            if (a != b)
                visit(run, a, b, least_route_ps(run, (size_t)a * w->node_count + b));
}

static void merge_zero(struct vsg_engine_run *run, uint32_t from, uint32_t to, uint64_t least_ps)
{
    if (least_ps == 0) {
        uint32_t a = root_of(run->lp_of, from), b = root_of(run->lp_of, to);
        run->lp_of[a > b ? a : b] = a > b ? b : a;
    }
}

static void shorten_lookahead(struct vsg_engine_run *run, uint32_t from, uint32_t to,
                              uint64_t least_ps)
{
    if (run->lp_of[from] != run->lp_of[to] && least_ps < run->lookahead_ps)
        run->lookahead_ps = least_ps;
}

static bool make_lps(struct vsg_engine_run *run)
{
    uint32_t places = run->world->place_count;
    run->lp_of = malloc(places * sizeof *run->lp_of);
    uint32_t *number = malloc(places * sizeof *number);
    run->lp = calloc(places, sizeof *run->lp);
    if (!run->lp_of || !number || !run->lp) {
        free(number);
        return false;
    }
    for (uint32_t i = 0; i < places; i++)
        run->lp_of[i] = i;
    each_passage(run, merge_zero);
    for (uint32_t i = 0; i < places; i++)
        run->lp_of[i] = root_of(run->lp_of, i);
    /* Roots are the lowest of their places, so numbering in ascending order meets them first. */
    for (uint32_t i = 0; i < places; i++) {
        if (run->lp_of[i] == i)
            number[i] = run->lp_count++;
        run->lp_of[i] = number[run->lp_of[i]];
    }
    free(number);
    run->lookahead_ps = VSG_NEVER;
    each_passage(run, shorten_lookahead);
    return true;
}

/* ---- mail ----------------------------------------------------------------------------- */

static struct vsg_mailbox *mailbox(struct vsg_engine_run *run, uint64_t parity, uint32_t from,
                                   uint32_t to)
{
    return &run->mailbox[(parity * run->workers + from) * run->workers + to];
}

void vsg_lp_send(struct vsg_worker *w, uint32_t lp, struct vsg_event e)
{
    struct vsg_engine_run *run = w->run;
    uint32_t to = run->lp[lp].owner;
    if (to == w->ctx.worker) {
        if (!vsg_event_push(&run->lp[lp].heap, e))
            vsg_lp_fault(w, VSG_ENOMEM, "memory ran out");
        return;
    }
    struct vsg_mailbox *box = mailbox(run, w->windows & 1, w->ctx.worker, to);
    if (box->count == box->room) {
        size_t room = box->room ? 2 * box->room : 64;
        struct vsg_mail *grown = realloc(box->mail, room * sizeof *grown);
        if (!grown) {
            vsg_lp_fault(w, VSG_ENOMEM, "memory ran out");
            return;
        }
        box->mail = grown;
        box->room = room;
    }
    box->mail[box->count++] = (struct vsg_mail){.event = e, .lp = lp};
    if (e.time_ps < w->sent_ps)
        w->sent_ps = e.time_ps;
}

static void read_mail(struct vsg_worker *w, uint64_t parity)
{
    for (uint32_t from = 0; from < w->run->workers; from++) {
        struct vsg_mailbox *box = mailbox(w->run, parity, from, w->ctx.worker);
        for (size_t i = 0; i < box->count; i++)
            if (!vsg_event_push(&w->run->lp[box->mail[i].lp].heap, box->mail[i].event))
                vsg_lp_fault(w, VSG_ENOMEM, "memory ran out");
        box->count = 0;
    }
}

/* ---- windows ------------------------------------------------------------------------------ */

struct vsg_outlook {
    uint64_t next_ps, stop_ps;
    bool failed;
};

/* Ends a window: tells the others what we hold and learns what they do. */
static struct vsg_outlook exchange(struct vsg_worker *w, struct vsg_outlook mine)
{
    struct vsg_engine_run *run = w->run;
    uint64_t parity = w->windows & 1;
    struct vsg_signpost *own = &run->signpost[w->ctx.worker];
    own->said[parity].next_ps = mine.next_ps;
    own->said[parity].stop_ps = mine.stop_ps;
    own->said[parity].failed = mine.failed;
    uint64_t window = ++w->windows;
    atomic_store_explicit(&own->window, window, memory_order_release);
    for (uint32_t i = 0; i < run->workers; i++) {
        if (i == w->ctx.worker)
            continue;
        struct vsg_signpost *other = &run->signpost[i];
        for (unsigned spin = 0; atomic_load_explicit(&other->window, memory_order_acquire) < window;
             spin++)
            if (spin > SPINS)
                sched_yield();
        if (other->said[parity].next_ps < mine.next_ps)
            mine.next_ps = other->said[parity].next_ps;
        if (other->said[parity].stop_ps < mine.stop_ps)
            mine.stop_ps = other->said[parity].stop_ps;
        mine.failed |= other->said[parity].failed;
    }
    return mine;
}

static uint64_t next_of(const struct vsg_lp *lp)
{
    return lp->heap.count ? lp->heap.event[0].time_ps : VSG_NEVER;
}

static void run_window(struct vsg_worker *w, uint64_t end_ps)
{
    struct vsg_engine_run *run = w->run;
    for (uint32_t i = 0; i < run->lp_count; i++) {
        struct vsg_lp *lp = &run->lp[i];
        if (lp->owner != w->ctx.worker)
            continue;
        w->lp = lp;
        while (next_of(lp) < end_ps && !w->fault.set)
            vsg_lp_step(w);
    }
}

static void *work(void *argument)
{
    struct vsg_worker *w = argument;
    struct vsg_engine_run *run = w->run;
    uint64_t width_ps = run->lookahead_ps;
    /* With several LPs, a STOP must reach all of them before it takes effect. */
    if (run->lp_count > 1 && run->world->stop_grace_ps < width_ps)
        width_ps = run->world->stop_grace_ps;
    for (uint32_t place = 0; place < run->world->node_count; place++) {
        struct vsg_lp *lp = &run->lp[run->lp_of[place]];
        if (lp->owner == w->ctx.worker && !w->fault.set)
            vsg_lp_boot(w, lp, place);
    }
    for (;;) {
        struct vsg_outlook o = {w->sent_ps, w->ctx.stop_ps, w->fault.set};
        for (uint32_t i = 0; i < run->lp_count; i++)
            if (run->lp[i].owner == w->ctx.worker && next_of(&run->lp[i]) < o.next_ps)
                o.next_ps = next_of(&run->lp[i]);
        o = exchange(w, o);
        if (o.failed || o.next_ps == VSG_NEVER)
            return NULL;
        w->ctx.stop_ps = o.stop_ps;
        w->sent_ps = VSG_NEVER;
        read_mail(w, (w->windows - 1) & 1);
        run_window(w, width_ps < VSG_NEVER - o.next_ps ? o.next_ps + width_ps : VSG_NEVER);
    }
}

/* ---- set-up and report ------------------------------------------------------------------------
 */

static bool tabulate_routes(struct vsg_engine_run *run)
{
    const struct vsg_world *w = run->world;
    if (w->contention == VSG_CONTENTION_FIFO)
        return true;
    size_t pairs = (size_t)w->node_count * w->node_count;
    for (uint32_t k = 0; k < 4; k++) {
        run->route_latency_ps[k] = calloc(pairs, sizeof(uint64_t));
        if (!run->route_latency_ps[k])
            return false;
        for (uint32_t a = 0; a < w->node_count; a++)
            for (uint32_t b = 0; b < w->node_count; b++)
                if (a != b)
                    run->route_latency_ps[k][(size_t)a * w->node_count + b] =
                        vsg_route_latency_ps(w, a, b, k);
    }
    return true;
}

static bool make_objects(struct vsg_engine_run *run)
{
    const struct vsg_world *w = run->world;
    run->server = calloc(w->server_count + 1, sizeof *run->server);
    run->link = calloc(w->link_count + 1, sizeof *run->link);
    run->resource = calloc(w->resource_count + 1, sizeof *run->resource);
    run->channel = calloc(w->channel_count + 1, sizeof *run->channel);
    if (!run->server || !run->link || !run->resource || !run->channel)
        return false;
    for (uint32_t i = 0; i < w->server_count; i++)
        vsg_fifo_init(&run->server[i]);
    for (uint32_t i = 0; i < w->link_count; i++) {
        vsg_fifo_init(&run->link[i].fifo);
        for (uint32_t k = 0; k < 4; k++)
            run->link[i].latency_ps[k] = vsg_link_latency_ps(w, i, k);
    }
    for (uint32_t i = 0; i < w->resource_count; i++)
        run->resource[i] = (struct vsg_resource){.free_units = w->resource[i].capacity,
                                                 .last_request_ps = VSG_NEVER};
    size_t align = _Alignof(max_align_t);
    size_t head = offsetof(struct vsg_slot, token);
    run->slot_bytes = (head + w->token_bytes + align - 1) / align * align;
    return true;
}

static bool make_workers(struct vsg_engine_run *run, unsigned threads)
{
    run->workers = threads < run->lp_count ? threads : run->lp_count;
    /* With more workers than cores, spinning only keeps the one waited for from running. */
    cpu_set_t cores;
    bool fits = sched_getaffinity(0, sizeof cores, &cores) == 0 &&
                run->workers <= (unsigned)CPU_COUNT(&cores);
    run->spins = fits ? SPINS : 0;
    size_t boxes = 2 * (size_t)run->workers * run->workers;
    run->worker = calloc(run->workers, sizeof *run->worker);
    run->mailbox = aligned_alloc(CACHE_LINE, boxes * sizeof *run->mailbox);
    run->signpost = aligned_alloc(CACHE_LINE, run->workers * sizeof *run->signpost);
    if (!run->worker || !run->mailbox || !run->signpost)
        return false;
    memset(run->mailbox, 0, boxes * sizeof *run->mailbox);
    memset(run->signpost, 0, run->workers * sizeof *run->signpost);
    for (uint32_t i = 0; i < run->workers; i++)
        run->worker[i] = (struct vsg_worker){.ctx = {.stop_ps = VSG_NEVER,
                                                     .worker = i,
                                                     .model = run->world->model,
                                                     .calls = &vsg_lp_calls},
                                             .run = run,
                                             .sent_ps = VSG_NEVER};
    for (uint32_t i = 0; i < run->lp_count; i++)
        run->lp[i].owner = (uint32_t)((uint64_t)i * run->workers / run->lp_count);
    return true;
}

static enum vsg_status run_workers(struct vsg_engine_run *run, struct vsg_diag *diag)
{
    pthread_t thread[VSG_THREADS_MAX] = {0};
    for (uint32_t i = 1; i < run->workers; i++) {
        int error = pthread_create(&thread[i], NULL, work, &run->worker[i]);
        if (error) {
            /* Those already started wait for the missing ones: give their windows up as failed. */
            vsg_diag_error(diag, "thread %u of %u could not be started: %s", i + 1, run->workers,
                           strerror(error));
            for (uint32_t k = i; k < run->workers; k++) {
                run->signpost[k].said[0].failed = true;
                run->signpost[k].said[0].next_ps = VSG_NEVER;
                atomic_store_explicit(&run->signpost[k].window, 1, memory_order_release);
            }
            run->worker[0].fault.set = true;
            work(&run->worker[0]);
            for (uint32_t k = 1; k < i; k++)
                pthread_join(thread[k], NULL);
            return VSG_ENOMEM;
        }
    }
    work(&run->worker[0]);
    for (uint32_t i = 1; i < run->workers; i++)
        pthread_join(thread[i], NULL);
    return VSG_OK;
}

static enum vsg_status first_fault(const struct vsg_engine_run *run, struct vsg_diag *diag)
{
    const struct vsg_fault *first = NULL;
    for (uint32_t i = 0; i < run->workers; i++) {
        const struct vsg_fault *f = &run->worker[i].fault;
        if (f->set && (!first || f->time_ps < first->time_ps ||
                       (f->time_ps == first->time_ps && f->word < first->word)))
            first = f;
    }
    if (!first)
        return VSG_OK;
    vsg_diag_error(diag, "%s", first->text);
    return first->status;
}

/* All has ended, yet tokens are left: somebody waits for what nobody will give. */
static enum vsg_status find_stranded(const struct vsg_engine_run *run, struct vsg_diag *diag)
{
    int64_t alive = 0;
    for (uint32_t i = 0; i < run->workers; i++)
        alive += run->worker[i].alive;
    if (alive == 0)
        return VSG_OK;
    const struct vsg_token *first = NULL;
    const char *what = "channel";
    uint32_t where = 0;
    for (uint32_t i = 0; i < run->world->channel_count; i++) {
        const struct vsg_slot *s = run->channel[i].waiter;
        if (s && (!first || s->token.entity < first->entity)) {
            first = &s->token;
            where = i;
        }
    }
    for (uint32_t i = 0; i < run->world->resource_count; i++) {
        const struct vsg_slot *s = run->resource[i].head;
        if (s && (!first || s->token.entity < first->entity)) {
            first = &s->token;
            what = "resource";
            where = i;
        }
    }
    char who[40] = "?";
    if (first)
        vsg_entity_text(first->entity, who);
    vsg_diag_error(diag, "%lld tokens wait for ever; %s waits at %s %u, place %u", (long long)alive,
                   who, what, where, first ? first->place : 0);
    return VSG_EMODEL;
}

static enum vsg_status make_report(const struct vsg_engine_run *run, struct vsg_report *out)
{
    const struct vsg_world *w = run->world;
    struct vsg_report r = {.server = calloc(w->server_count + 1, sizeof *r.server),
                           .link = calloc(w->link_count + 1, sizeof *r.link),
                           .server_count = w->server_count,
                           .link_count = w->link_count,
                           .windows = run->worker[0].windows,
                           .lps = run->lp_count,
                           .workers = run->workers,
                           .lookahead_ps = run->lookahead_ps,
                           .stop_ps = w->window_end_ps};
    if (!r.server || !r.link) {
        vsg_report_free(&r);
        return VSG_ENOMEM;
    }
    for (uint32_t i = 0; i < run->workers; i++) {
        const struct vsg_worker *k = &run->worker[i];
        r.events += k->events;
        r.ties += k->ties;
        r.executed += k->executed;
        r.end_ps = k->last_ps > r.end_ps ? k->last_ps : r.end_ps;
        r.stop_ps = k->ctx.stop_ps < r.stop_ps ? k->ctx.stop_ps : r.stop_ps;
    }
    if (r.stop_ps == VSG_NEVER)
        r.stop_ps = r.end_ps;
    for (uint32_t i = 0; i < w->server_count; i++)
        r.server[i] = vsg_fifo_stats(&run->server[i], w->window_start_ps, r.stop_ps);
    for (uint32_t i = 0; i < w->link_count; i++)
        r.link[i] = vsg_fifo_stats(&run->link[i].fifo, w->window_start_ps, r.stop_ps);
    *out = r;
    return VSG_OK;
}

static void free_run(struct vsg_engine_run *run)
{
    for (uint32_t i = 0; run->worker && i < run->workers; i++) {
        for (size_t k = 0; k < run->worker[i].slab_count; k++)
            free(run->worker[i].slab[k]);
        free(run->worker[i].slab);
    }
    if (run->mailbox)
        for (size_t i = 0; i < 2 * (size_t)run->workers * run->workers; i++)
            free(run->mailbox[i].mail);
    for (uint32_t i = 0; run->lp && i < run->lp_count; i++)
        free(run->lp[i].heap.event);
    for (uint32_t i = 0; run->server && i < run->world->server_count; i++)
        vsg_fifo_free(&run->server[i]);
    for (uint32_t i = 0; run->link && i < run->world->link_count; i++)
        vsg_fifo_free(&run->link[i].fifo);
    for (uint32_t k = 0; k < 4; k++)
        free(run->route_latency_ps[k]);
    free(run->worker);
    free(run->mailbox);
    free(run->signpost);
    free(run->lp);
    free(run->lp_of);
    free(run->server);
    free(run->link);
    free(run->resource);
    free(run->channel);
}

enum vsg_status vsg_parallel_run(const struct vsg_world *w, unsigned threads,
                                 struct vsg_report *report, struct vsg_diag *diag)
{
    struct vsg_engine_run run = {.world = w};
    enum vsg_status status = vsg_world_check(w, diag);
    if (status != VSG_OK)
        return status;
    if (threads < 1 || threads > VSG_THREADS_MAX) {
        vsg_diag_error(diag, "%u threads; 1 to %u are possible", threads, VSG_THREADS_MAX);
        return VSG_ERANGE;
    }
    if (w->contention == VSG_CONTENTION_FLUID) {
        vsg_diag_error(diag, "contention 'fluid' (bandwidth sharing) needs engine simgrid; engine "
                             "parallel knows 'none' and 'fifo'");
        return VSG_ENOTSUP;
    }
    status = VSG_ENOMEM;
    if (tabulate_routes(&run) && make_objects(&run) && make_lps(&run) &&
        make_workers(&run, threads)) {
        status = run_workers(&run, diag);
        if (status == VSG_OK)
            status = first_fault(&run, diag);
        if (status == VSG_OK)
            status = find_stranded(&run, diag);
        if (status == VSG_OK)
            status = make_report(&run, report);
    }
    free_run(&run);
    return status;
}
