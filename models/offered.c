#include "models/offered.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/machine/machine.h"

/* Busy time per second of simulated time, by server. A double is safe here: sums in a
 * fixed order, rounded to ppm, of the configuration only. */
struct loads {
    double *its;       /* [its_count] by server */
    double *link;      /* [link_count] */
    double *received;  /* [node_count] how many of a VM's targets are on each node */
    uint32_t *example; /* [node_count] one of them */
    double sender;     /* of the sender being summed up */
};

static double mean_s(const struct vsg_offered_input *in, enum vsg_cost cost)
{
    return (double)in->config->cost[cost].mean_ps * 1e-12;
}

static uint32_t target_count(const struct vsg_guest *g)
{
    return g->target ? g->target_count : g->vcpu_count;
}

static uint32_t target_at(const struct vsg_guest *g, uint32_t k)
{
    return g->first_vcpu + (g->target ? g->target[k] : k);
}

static bool is_target(const struct vsg_guest *g, uint32_t index)
{
    if (!g->target)
        return true;
    for (uint32_t k = 0; k < g->target_count; k++)
        if (g->target[k] == index)
            return true;
    return false;
}

/* Of how many targets a vCPU draws one. */
static double choices(const struct vsg_guest *g, const struct vsg_vcpu *v)
{
    return (double)(target_count(g) - is_target(g, v->index));
}

static void load_route(const struct vsg_offered_input *in, struct loads *l, uint32_t from,
                       uint32_t to, double rate, uint32_t bytes)
{
    const struct vsg_world *w = in->world;
    if (from == to || w->contention == VSG_CONTENTION_NONE)
        return;
    const struct vsg_route_def *r = &w->route[(size_t)from * w->node_count + to];
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t link = w->route_link[r->first + k];
        l->link[vsg_link_queue(w, link)] +=
            rate * (double)vsg_link_occupy_ps(&w->link[link], bytes) * 1e-12;
    }
}

/* From one store of a sender to its next at the earliest, in seconds: back to the guest and in
 * again, or until the acknowledgement of a far ITS is there (mmio and both crossings). Of means: a
 * bound from below where they are random. */
static double busy_s(const struct vsg_offered_input *in, const struct vsg_vcpu *v, uint32_t at)
{
    double own =
        mean_s(in, VSG_COST_RETURN) + mean_s(in, VSG_COST_TRAP) + mean_s(in, VSG_COST_DISPATCH);
    double ack = 0;
    if (v->ack_channel != VSG_NONE && at != v->node) {
        uint64_t ways_ps = vsg_route_latency_ps(in->world, v->node, at, VSG_WEIGHT_MMIO) +
                           vsg_route_latency_ps(in->world, at, v->node, VSG_WEIGHT_MMIO);
        ack = mean_s(in, VSG_COST_MMIO) + (double)ways_ps * 1e-12;
    }
    return mean_s(in, VSG_COST_STORE) + (own > ack ? own : ack);
}

/* IPIs of one sender through one ITS to one node. */
static void load_path(const struct vsg_offered_input *in, struct loads *l, const struct vsg_vcpu *v,
                      uint32_t its, uint32_t to_node, double rate)
{
    const struct vsg_interconnect_config *ic = &in->config->interconnect;
    uint32_t at = in->world->server[its].place;
    l->its[its] += rate * mean_s(in, VSG_COST_ITS);
    l->sender += rate * busy_s(in, v, at);
    load_route(in, l, v->node, at, rate, ic->store_bytes);
    load_route(in, l, at, to_node, rate, ic->message_bytes);
    if (v->ack_channel != VSG_NONE)
        load_route(in, l, at, v->node, rate, ic->message_bytes);
    if (in->config->policy == VSG_POLICY_LEAST_OUTSTANDING)
        load_route(in, l, at, v->node, rate, ic->message_bytes);
}

/* A history-dependent choice is taken to spread evenly; the others are asked. */
static void load_choice(const struct vsg_offered_input *in, struct loads *l, uint32_t sender,
                        uint32_t target, double rate)
{
    const struct vsg_vcpu *v = &in->vcpu[sender], *to = &in->vcpu[target];
    const struct vsg_chooser *c = in->chooser;
    if (!c) {
        load_path(in, l, v, v->its, to->node, rate);
        return;
    }
    if (vsg_policy_is_dynamic(c->policy)) {
        for (uint32_t k = 0; k < c->candidate_count; k++)
            load_path(in, l, v, c->candidate[k], to->node, rate / c->candidate_count);
        return;
    }
    struct vsg_send send = {.from_node = v->node,
                            .to_node = to->node,
                            .sender = sender,
                            .target = target,
                            .target_cpu = to->cpu};
    load_path(in, l, v, vsg_choose(c, &send), to->node, rate);
}

/* All of one sender's IPIs, target by target; targets on one node that cannot be told apart by
 * the policy are taken together. */
static void load_sender(const struct vsg_offered_input *in, struct loads *l,
                        const struct vsg_guest *g, uint32_t sender, double rate)
{
    const struct vsg_vcpu *v = &in->vcpu[sender];
    double each = rate / choices(g, v);
    bool by_target = in->chooser && (in->chooser->policy == VSG_POLICY_HASH ||
                                     in->chooser->policy == VSG_POLICY_TARGET_NODE);
    if (by_target) {
        for (uint32_t k = 0; k < target_count(g); k++)
            if (target_at(g, k) != sender)
                load_choice(in, l, sender, target_at(g, k), each);
        return;
    }
    for (uint32_t n = 0; n < in->world->node_count; n++) {
        double count = l->received[n];
        if (n == v->node && is_target(g, v->index))
            count -= 1;
        if (count > 0)
            load_choice(in, l, sender, l->example[n], each * count);
    }
}

struct list {
    struct vsg_offered *item;
    uint32_t count, room;
    bool failed;
};

/* Adds a load under its server's name, unless it rounds to nothing. */
__attribute__((format(printf, 3, 4))) static void append(struct list *list, double load,
                                                         const char *format, ...)
{
    double ppm = load * 1e6 + 0.5;
    if (ppm < 1 || list->failed)
        return;
    if (list->count == list->room) {
        uint32_t room = list->room ? 2 * list->room : 16;
        struct vsg_offered *grown = realloc(list->item, room * sizeof *grown);
        if (!grown) {
            list->failed = true;
            return;
        }
        list->item = grown;
        list->room = room;
    }
    char text[128];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *copy = strdup(text);
    if (!copy) {
        list->failed = true;
        return;
    }
    list->item[list->count++] = (struct vsg_offered){
        .server = copy, .load_ppm = ppm < 1e18 ? (uint64_t)ppm : UINT64_C(1000000000000000000)};
}

static int by_load(const void *a, const void *b)
{
    const struct vsg_offered *x = a, *y = b;
    if (x->load_ppm != y->load_ppm)
        return x->load_ppm > y->load_ppm ? -1 : 1;
    return strcmp(x->server, y->server);
}

/* matrix: every pair has its rate. */
static void load_matrix(const struct vsg_offered_input *in, struct loads *l, struct list *list,
                        uint32_t vm)
{
    const struct vsg_guest *g = &in->guest[vm];
    const struct vsg_vm_config *c = &in->config->vm[vm];
    const uint32_t *rate = c->workload.pair_rate_per_s;
    double factor = vsg_arrival_factor(&c->workload, in->world->window_end_ps);
    uint64_t most_got = 0;
    double busy = 0;
    uint32_t sender = 0, handler = 0, n = g->vcpu_count;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t got = 0;
        l->sender = 0;
        for (uint32_t k = 0; k < n; k++) {
            got += rate[k * n + i];
            if (rate[i * n + k] > 0)
                load_choice(in, l, g->first_vcpu + i, g->first_vcpu + k, factor * rate[i * n + k]);
        }
        if (l->sender > busy * (1 + 1e-9)) {
            busy = l->sender;
            sender = i;
        }
        if (got > most_got) {
            most_got = got;
            handler = i;
        }
    }
    append(list, busy, "sender %s/%u", c->name, sender);
    append(list, factor * (double)most_got * mean_s(in, VSG_COST_HANDLE), "handler %s/%u", c->name,
           handler);
}

/* The vCPU side of one VM: its busiest sender, and the handler that gets most. */
static void load_vm(const struct vsg_offered_input *in, struct loads *l, struct list *list,
                    uint32_t vm)
{
    const struct vsg_guest *g = &in->guest[vm];
    const struct vsg_vm_config *c = &in->config->vm[vm];
    if (!vsg_workload_is_open(g->kind))
        return;
    if (g->kind == VSG_WORKLOAD_MATRIX) {
        load_matrix(in, l, list, vm);
        return;
    }
    double rate = vsg_arrival_rate(&g->arrivals, 0, in->world->window_end_ps);
    double all = 0; /* IPIs per second that an onlooker among the targets would get */
    for (uint32_t n = 0; n < in->world->node_count; n++)
        l->received[n] = 0;
    for (uint32_t k = 0; k < target_count(g); k++) {
        l->received[in->vcpu[target_at(g, k)].node] += 1;
        l->example[in->vcpu[target_at(g, k)].node] = target_at(g, k);
    }
    uint32_t busiest = VSG_NONE;
    double busy = 0;
    for (uint32_t i = 0; i < g->vcpu_count; i++) {
        const struct vsg_vcpu *v = &in->vcpu[g->first_vcpu + i];
        if (!v->sends || choices(g, v) < 1)
            continue;
        all += rate / choices(g, v);
        l->sender = 0;
        load_sender(in, l, g, g->first_vcpu + i, rate);
        if (busiest == VSG_NONE || l->sender > busy * (1 + 1e-9)) {
            busiest = i;
            busy = l->sender;
        }
    }
    if (busiest != VSG_NONE)
        append(list, busy, "sender %s/%u", c->name, busiest);
    double most = 0;
    uint32_t who = 0;
    for (uint32_t k = 0; k < target_count(g); k++) {
        const struct vsg_vcpu *v = &in->vcpu[target_at(g, k)];
        double own = v->sends && choices(g, v) >= 1 ? rate / choices(g, v) : 0;
        if (all - own > most * (1 + 1e-9)) {
            most = all - own;
            who = v->index;
        }
    }
    append(list, most * mean_s(in, VSG_COST_HANDLE), "handler %s/%u", c->name, who);
}

enum vsg_status vsg_offered_loads(const struct vsg_offered_input *in, struct vsg_offered **out,
                                  uint32_t *count)
{
    const struct vsg_world *w = in->world;
    size_t its = in->boot->its_count;
    double *sums = calloc(its + w->link_count + w->node_count, sizeof *sums);
    uint32_t *example = calloc(w->node_count, sizeof *example);
    if (!sums || !example) {
        free(sums);
        free(example);
        return VSG_ENOMEM;
    }
    struct loads l = {.its = sums,
                      .link = sums + its,
                      .received = sums + its + w->link_count,
                      .example = example};
    struct list list = {0};
    for (uint32_t vm = 0; vm < in->config->vm_count; vm++)
        load_vm(in, &l, &list, vm);
    for (uint32_t k = 0; k < its; k++)
        append(&list, l.its[k], "its%u", in->config->machine.its[in->boot->list_order[k]].id);
    for (uint32_t k = 0; k < w->link_count; k++)
        if (vsg_link_queue(w, k) == k)
            append(&list, l.link[k], "link %s", w->link[k].name);
    free(sums);
    free(example);
    if (list.failed) {
        for (uint32_t i = 0; i < list.count; i++)
            free(list.item[i].server);
        free(list.item);
        return VSG_ENOMEM;
    }
    if (list.count)
        qsort(list.item, list.count, sizeof *list.item, by_load);
    *out = list.item;
    *count = list.count;
    return VSG_OK;
}
