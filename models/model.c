/* Building the world of a run from its configuration, and its result afterwards. */
#include "models/model.h"

#include <stdlib.h>
#include <string.h>

#include "models/interconnect/interconnect.h"
#include "models/kvm/ipi.h"
#include "models/machine/machine.h"
#include "models/offered.h"
#include "models/placement.h"
#include "models/warmup.h"

/* The window ends this long after the first sender is exhausted: senders in step may end in
 * step, and it is negligible beside any run. It is also the widest window that the
 * parallel engine may use where a token can STOP. */
#define STOP_GRACE_PS UINT64_C(1000000)

enum { PILOT_SHARE = 8 }; /* a first pilot is that part of a run */

struct vsg_model {
    const struct vsg_config *config;
    struct vsg_world world;
    struct vsg_world_links links;
    struct vsg_boot boot;
    struct vsg_placement placement;
    struct vsg_chooser chooser; /* of a policy that chooses per send */
    struct vsg_path path;
    struct vsg_vcpu *vcpu;
    uint32_t vcpu_count, sender_count;
    struct vsg_guest *guest;
    struct vsg_server_def *server; /* ITSs in list order, then handlers */
    uint32_t its_count;
    struct vsg_channel_def *channel;
    uint32_t *by_node;    /* vCPU ordinals, node after node */
    uint32_t *node_first; /* [node_count + 1] into by_node */
    struct vsg_model_options options;
    unsigned workers;
    bool open;              /* an open workload takes part */
    bool closed;            /* and a closed one: it may end the window before that */
    uint64_t window_end_ps; /* of the run, also in its pilot */
    uint64_t sample_cap;
    struct vsg_offered *offered;
    uint32_t offered_count;
};

/* ---- guests -------------------------------------------------------------------- */

static bool is_sender(const struct vsg_workload_config *w, uint32_t index, uint32_t vcpus)
{
    switch (w->kind) {
    case VSG_WORKLOAD_IPI_HW:
        return index == 0;
    case VSG_WORKLOAD_PAIRS:
        return index % 2 == 0;
    case VSG_WORKLOAD_MATRIX:
        for (uint32_t k = 0; k < vcpus; k++)
            if (w->pair_rate_per_s[index * vcpus + k] > 0)
                return true;
        return false;
    default:
        break;
    }
    if (!w->sender)
        return true;
    for (uint32_t i = 0; i < w->sender_count; i++)
        if (w->sender[i] == index)
            return true;
    return false;
}

static enum vsg_status make_guests(struct vsg_model *m)
{
    const struct vsg_config *c = m->config;
    m->guest = calloc(c->vm_count, sizeof *m->guest);
    if (!m->guest)
        return VSG_ENOMEM;
    uint32_t first = 0;
    for (uint32_t i = 0; i < c->vm_count; i++) {
        const struct vsg_vm_config *vm = &c->vm[i];
        const struct vsg_workload_config *w = &vm->workload;
        struct vsg_guest *g = &m->guest[i];
        *g = (struct vsg_guest){
            .kind = w->kind,
            .first_vcpu = first,
            .vcpu_count = vm->vcpus,
            .sends = w->sends ? w->sends : VSG_NEVER,
            .target = w->target,
            .target_count = w->target_count,
        };
        g->home = vm->memory_node >= 0 ? (uint32_t)vm->memory_node : m->placement.node[first];
        first += vm->vcpus;
        m->open |= vsg_workload_is_open(w->kind);
        m->closed |= !vsg_workload_is_open(w->kind);
        enum vsg_status status = VSG_OK;
        if (vsg_workload_is_open(w->kind))
            status = vsg_arrivals_make(w, vm->vcpus, &g->arrivals);
        else if (w->kind == VSG_WORKLOAD_CLOSED)
            status = vsg_sampler_new(&w->think, &g->think);
        if (status != VSG_OK)
            return status;
    }
    m->vcpu_count = first;
    return VSG_OK;
}

/* The ITS to which a policy of the kernel's binds a sender. */
static enum vsg_status bind_its(const struct vsg_model *m, struct vsg_vcpu *v,
                                struct vsg_diag *diag)
{
    const struct vsg_config *c = m->config;
    uint32_t its = m->boot.selection[c->policy][v->cpu].its;
    if (its == VSG_NONE) {
        vsg_diag_error(diag, "vm %s, vCPU %u: CPU %u has no ITS to send through", c->vm[v->vm].name,
                       v->index, c->machine.cpu[v->cpu].id);
        return VSG_ENOTSUP;
    }
    if (vsg_its_node(&c->machine.its[its]) < 0) {
        vsg_diag_error(diag,
                       "its %u is used by vm %s but has no place on the interconnect "
                       "(numa_node -1); give it at: N",
                       c->machine.its[its].id, c->vm[v->vm].name);
        return VSG_ENOTSUP;
    }
    for (uint32_t k = 0; k < m->boot.its_count; k++)
        if (m->boot.list_order[k] == its)
            v->its = k;
    return VSG_OK;
}

static enum vsg_status make_vcpu(struct vsg_model *m, uint32_t ordinal, uint32_t vm,
                                 struct vsg_diag *diag)
{
    const struct vsg_config *c = m->config;
    const struct vsg_workload_config *w = &c->vm[vm].workload;
    uint32_t index = ordinal - m->guest[vm].first_vcpu;
    struct vsg_vcpu *v = &m->vcpu[ordinal];
    *v = (struct vsg_vcpu){.vm = vm,
                           .index = index,
                           .cpu = m->placement.cpu[ordinal],
                           .node = m->placement.node[ordinal],
                           .handler = VSG_NONE,
                           .ack_channel = VSG_NONE,
                           .partner = VSG_NONE,
                           .sends = is_sender(w, index, c->vm[vm].vcpus),
                           .stream = vsg_stream_make(c->seed, c->replication, ordinal)};
    if (vsg_workload_uses_flags(w->kind) && v->sends)
        v->partner = ordinal + 1;
    return v->sends && !vsg_policy_chooses(c->policy) ? bind_its(m, v, diag) : VSG_OK;
}

/* With store_ack: its, a vCPU whose stores may go far waits for word of one before the next. */
static bool waits_for_acks(const struct vsg_model *m, const struct vsg_vcpu *v)
{
    if (!v->sends || m->config->interconnect.store_ack != VSG_ACK_ITS)
        return false;
    return vsg_policy_chooses(m->config->policy) || m->server[v->its].place != v->node;
}

static enum vsg_status make_vcpus(struct vsg_model *m, struct vsg_diag *diag)
{
    const struct vsg_config *c = m->config;
    m->its_count = m->boot.its_count;
    m->vcpu = calloc(m->vcpu_count, sizeof *m->vcpu);
    m->server = calloc(m->its_count + m->vcpu_count, sizeof *m->server);
    m->channel = calloc(m->vcpu_count, sizeof *m->channel);
    if (!m->vcpu || !m->server || !m->channel)
        return VSG_ENOMEM;
    uint32_t servers = m->its_count, channels = 0;
    for (uint32_t k = 0; k < m->its_count; k++) {
        int32_t at = vsg_its_node(&c->machine.its[m->boot.list_order[k]]);
        m->server[k].place = at < 0 ? 0 : (uint32_t)at;
    }
    for (uint32_t vm = 0; vm < c->vm_count; vm++) {
        const struct vsg_guest *g = &m->guest[vm];
        for (uint32_t i = 0; i < g->vcpu_count; i++) {
            uint32_t ordinal = g->first_vcpu + i;
            struct vsg_vcpu *v = &m->vcpu[ordinal];
            enum vsg_status status = make_vcpu(m, ordinal, vm, diag);
            if (status != VSG_OK)
                return status;
            m->sender_count += v->sends;
            if (!vsg_workload_uses_flags(g->kind)) {
                v->handler = servers;
                m->server[servers++].place = v->node;
            }
            if (waits_for_acks(m, v)) {
                v->ack_channel = channels;
                m->channel[channels++].place = v->node;
            }
        }
    }
    m->world.server = m->server;
    m->world.server_count = servers;
    m->world.channel = m->channel;
    m->world.channel_count = channels;
    return VSG_OK;
}

static enum vsg_status sort_by_node(struct vsg_model *m)
{
    uint32_t nodes = m->world.node_count;
    m->by_node = calloc(m->vcpu_count, sizeof *m->by_node);
    m->node_first = calloc(nodes + 2, sizeof *m->node_first);
    if (!m->by_node || !m->node_first)
        return VSG_ENOMEM;
    for (uint32_t i = 0; i < m->vcpu_count; i++)
        m->node_first[m->vcpu[i].node + 2]++;
    for (uint32_t n = 0; n < nodes; n++)
        m->node_first[n + 2] += m->node_first[n + 1];
    for (uint32_t i = 0; i < m->vcpu_count; i++)
        m->by_node[m->node_first[m->vcpu[i].node + 1]++] = i;
    return VSG_OK;
}

static void boot_place(struct vsg_ctx *ctx, uint32_t place)
{
    /* The path is the first member that the steps see; the model is around it. */
    const struct vsg_path *p = ctx->model;
    const struct vsg_model *m =
        (const struct vsg_model *)(const void *)((const char *)p -
                                                 offsetof(struct vsg_model, path));
    for (uint32_t k = m->node_first[place]; k < m->node_first[place + 1]; k++) {
        uint32_t ordinal = m->by_node[k];
        const struct vsg_vcpu *v = &p->vcpu[ordinal];
        if (!v->sends)
            continue;
        if (vsg_workload_is_open(p->guest[v->vm].kind))
            ((struct vsg_sender *)vsg_spawn(ctx, VSG_TOKEN_SENDER, vsg_entity(ordinal, 0, 0)))
                ->sender = ordinal;
        else
            ((struct vsg_ipi *)vsg_spawn(ctx, VSG_TOKEN_IPI, vsg_entity(ordinal, 0, 0)))->sender =
                ordinal;
    }
}

/* ---- costs, routes, window ------------------------------------------------------------ */

static enum vsg_status make_path(struct vsg_model *m)
{
    const struct vsg_config *c = m->config;
    struct vsg_path *p = &m->path;
    p->world = &m->world;
    p->vcpu = m->vcpu;
    p->guest = m->guest;
    for (int i = 0; i < VSG_COST_COUNT; i++) {
        enum vsg_status status = vsg_sampler_new(&c->cost[i], &p->cost[i]);
        if (status != VSG_OK)
            return status;
        p->is_constant[i] = vsg_sampler_is_constant(p->cost[i]);
        p->constant_ps[i] = p->is_constant[i] ? vsg_sampler_draw(p->cost[i], 0) : 0;
    }
    p->store_bytes = c->interconnect.store_bytes;
    p->message_bytes = c->interconnect.message_bytes;
    p->line_bytes = c->interconnect.line_bytes;
    uint32_t n = m->world.node_count;
    p->route_ps = calloc((size_t)n * n, sizeof *p->route_ps);
    if (!p->route_ps)
        return VSG_ENOMEM;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (a != b)
                p->route_ps[(size_t)a * n + b] =
                    vsg_route_latency_ps(&m->world, a, b, VSG_WEIGHT_PLAIN);
    return VSG_OK;
}

/* When an open sender is exhausted: its intents do not depend on what happens in the run. */
static uint64_t last_intent_ps(const struct vsg_model *m, const struct vsg_vcpu *v,
                               uint64_t limit_ps)
{
    const struct vsg_guest *g = &m->guest[v->vm];
    struct vsg_arrival_state s = {0};
    uint64_t t = 0;
    for (uint64_t n = 0; n < g->sends && t < limit_ps; n++)
        t = vsg_arrival_next(&g->arrivals, v->index, v->stream, n, &s);
    return t;
}

/* Where an open workload's window ends: run.duration, or the first sender's exhaustion. */
static uint64_t window_end(const struct vsg_model *m)
{
    uint64_t window_ps = m->config->duration_ps ? m->config->duration_ps : VSG_NEVER;
    if (m->options.window_end_ps)
        return m->options.window_end_ps;
    for (uint32_t i = 0; i < m->vcpu_count; i++) {
        const struct vsg_vcpu *v = &m->vcpu[i];
        if (!v->sends || !vsg_workload_is_open(m->guest[v->vm].kind) ||
            m->guest[v->vm].sends == VSG_NEVER)
            continue;
        uint64_t last_ps = last_intent_ps(m, v, window_ps);
        if (last_ps < window_ps)
            window_ps = last_ps + 1;
    }
    return window_ps;
}

static void set_window(struct vsg_model *m)
{
    const struct vsg_config *c = m->config;
    const struct vsg_model_options *o = &m->options;
    const struct vsg_warmup_config *warmup = &c->warmup;
    struct vsg_world *w = &m->world;
    m->window_end_ps = w->window_end_ps = m->open ? window_end(m) : VSG_NEVER;
    w->stop_grace_ps = STOP_GRACE_PS;
    if (o->pilot) {
        uint64_t pilot_ps = o->pilot_ps ? o->pilot_ps : w->window_end_ps / PILOT_SHARE + 1;
        if (pilot_ps < w->window_end_ps)
            w->window_end_ps = pilot_ps;
        return;
    }
    uint32_t share_ppm = warmup->kind == VSG_WARMUP_SHARE             ? warmup->share_ppm
                         : warmup->kind == VSG_WARMUP_AUTO && m->open ? 50000
                                                                      : 0;
    if (o->warmup_known)
        w->window_start_ps = o->warmup_ps;
    else if (warmup->kind == VSG_WARMUP_TIME)
        w->window_start_ps = warmup->time_ps;
    else if (m->open)
        w->window_start_ps = (uint64_t)((vsg_u128)w->window_end_ps * share_ppm / 1000000);
    for (uint32_t i = 0; i < c->vm_count; i++) {
        struct vsg_guest *g = &m->guest[i];
        if (warmup->kind == VSG_WARMUP_SENDS)
            g->skipped_sends = warmup->count;
        else if (!m->open && g->sends != VSG_NEVER)
            g->skipped_sends = (uint64_t)((vsg_u128)g->sends * share_ppm / 1000000);
    }
    m->path.window_start_ps = w->window_start_ps;
}

/* Sends that warm-up takes by number, of any VM. */
static bool skips_sends(const struct vsg_model *m)
{
    for (uint32_t i = 0; i < m->config->vm_count; i++)
        if (m->guest[i].skipped_sends)
            return true;
    return false;
}

static enum vsg_status make_batches(const struct vsg_model *m, struct vsg_batches *b)
{
    const struct vsg_world *w = &m->world;
    bool known = !m->closed && !m->options.pilot && !skips_sends(m) &&
                 w->window_end_ps != VSG_NEVER &&
                 w->window_end_ps > w->window_start_ps + VSG_BATCHES;
    if (!known)
        return vsg_batches_init_bins(b, w->window_start_ps);
    return vsg_batches_init_known(b, w->window_start_ps, w->window_end_ps,
                                  vsg_model_load_ppm(m) <= VSG_BATCH_QUANTILE_LOAD_PPM);
}

static enum vsg_status make_recorders(struct vsg_model *m)
{
    m->path.recorder = calloc(m->workers, sizeof *m->path.recorder);
    if (!m->path.recorder)
        return VSG_ENOMEM;
    uint64_t senders = m->sender_count ? m->sender_count : 1;
    uint64_t sample_sends = (m->sample_cap + senders - 1) / senders;
    for (unsigned i = 0; i < m->workers; i++) {
        struct vsg_recorder *r = &m->path.recorder[i];
        enum vsg_status status =
            vsg_recorder_init(r, m->world.node_count, m->config->vm_count, sample_sends);
        if (status == VSG_OK)
            status = make_batches(m, &r->batches);
        if (status != VSG_OK)
            return status;
        if (m->open) {
            r->end_ps = m->world.window_end_ps;
            r->half_ps =
                m->world.window_start_ps + (m->world.window_end_ps - m->world.window_start_ps) / 2;
        }
    }
    return VSG_OK;
}

static enum vsg_status make_offered(struct vsg_model *m)
{
    if (!m->open)
        return VSG_OK;
    struct vsg_offered_input in = {.config = m->config,
                                   .world = &m->world,
                                   .boot = &m->boot,
                                   .vcpu = m->vcpu,
                                   .guest = m->guest,
                                   .chooser = m->path.chooser,
                                   .vcpu_count = m->vcpu_count};
    return vsg_offered_loads(&in, &m->offered, &m->offered_count);
}

static enum vsg_status make_chooser(struct vsg_model *m, struct vsg_diag *diag)
{
    const struct vsg_config *c = m->config;
    struct vsg_path *p = &m->path;
    if (!vsg_policy_chooses(c->policy))
        return VSG_OK;
    enum vsg_status status =
        vsg_chooser_make(c->policy, &c->machine, &m->boot, &m->world, &m->chooser, diag);
    if (status != VSG_OK)
        return status;
    p->chooser = &m->chooser;
    p->its_count = m->its_count;
    if (c->policy != VSG_POLICY_LEAST_OUTSTANDING)
        return VSG_OK;
    p->outstanding = calloc((size_t)m->vcpu_count * m->its_count, sizeof *p->outstanding);
    return p->outstanding ? VSG_OK : VSG_ENOMEM;
}

static const vsg_step_fn steps[VSG_TOKEN_KINDS] = {[VSG_TOKEN_IPI] = vsg_ipi_step,
                                                   [VSG_TOKEN_SENDER] = vsg_sender_step,
                                                   [VSG_TOKEN_ACK] = vsg_ack_step,
                                                   [VSG_TOKEN_SERVED] = vsg_ack_step};

static enum vsg_status build(struct vsg_model *m, const struct vsg_routes *routes,
                             struct vsg_diag *diag)
{
    const struct vsg_config *c = m->config;
    struct vsg_world *w = &m->world;
    *w = (struct vsg_world){
        .contention = c->interconnect.contention,
        .weight_ppm = {1000000, c->interconnect.mmio_weight_ppm, c->interconnect.message_weight_ppm,
                       1000000},
        .tie = c->tie,
        .token_bytes = (uint32_t)VSG_TOKEN_BYTES,
        .step = steps,
        .step_count = VSG_TOKEN_KINDS,
        .model = &m->path,
        .boot = boot_place,
    };
    enum vsg_status status = vsg_world_links_make(routes, w, &m->links, diag);
    if (status == VSG_OK)
        status = vsg_boot(&c->machine, &m->boot);
    if (status == VSG_OK)
        status = vsg_place(c, &m->boot, &m->placement, diag);
    if (status == VSG_OK)
        status = make_guests(m);
    if (status == VSG_OK)
        status = make_vcpus(m, diag);
    if (status == VSG_OK)
        status = make_path(m);
    if (status == VSG_OK)
        status = make_chooser(m, diag);
    if (status == VSG_OK)
        status = sort_by_node(m);
    if (status != VSG_OK)
        return status;
    set_window(m);
    status = make_offered(m);
    return status == VSG_OK ? make_recorders(m) : status;
}

enum vsg_status vsg_model_new(const struct vsg_config *config, const struct vsg_routes *routes,
                              const struct vsg_model_options *options, struct vsg_model **out,
                              struct vsg_diag *diag)
{
    struct vsg_model *m = calloc(1, sizeof *m);
    if (!m)
        return VSG_ENOMEM;
    m->config = config;
    m->options = *options;
    m->workers = options->workers;
    m->sample_cap = options->sample_cap;
    enum vsg_status status = build(m, routes, diag);
    if (status != VSG_OK) {
        vsg_model_free(m);
        return status;
    }
    *out = m;
    return VSG_OK;
}

static void free_guest(struct vsg_guest *g)
{
    vsg_sampler_free(g->think);
    vsg_arrivals_free(&g->arrivals);
}

void vsg_model_free(struct vsg_model *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; m->guest && i < m->config->vm_count; i++)
        free_guest(&m->guest[i]);
    for (int i = 0; i < VSG_COST_COUNT; i++)
        vsg_sampler_free(m->path.cost[i]);
    for (unsigned i = 0; m->path.recorder && i < m->workers; i++)
        vsg_recorder_free(&m->path.recorder[i]);
    for (uint32_t i = 0; i < m->offered_count; i++)
        free(m->offered[i].server);
    free(m->offered);
    free(m->path.recorder);
    free(m->path.route_ps);
    free(m->path.outstanding);
    vsg_chooser_free(&m->chooser);
    free(m->guest);
    free(m->vcpu);
    free(m->server);
    free(m->channel);
    free(m->by_node);
    free(m->node_first);
    vsg_placement_free(&m->placement);
    vsg_boot_free(&m->boot);
    vsg_world_links_free(&m->links);
    free(m);
}

const struct vsg_world *vsg_model_world(const struct vsg_model *m)
{
    return &m->world;
}

uint64_t vsg_model_window_end_ps(const struct vsg_model *m)
{
    return m->window_end_ps;
}

uint64_t vsg_model_load_ppm(const struct vsg_model *m)
{
    return m->offered_count ? m->offered[0].load_ppm : 0;
}

/* All workers' batches in the first one's. */
static struct vsg_batches *merge_batches(struct vsg_model *m)
{
    struct vsg_batches *all = &m->path.recorder[0].batches;
    for (unsigned i = 1; i < m->workers; i++)
        vsg_batches_merge(all, &m->path.recorder[i].batches);
    return all;
}

bool vsg_model_warmup_cut(struct vsg_model *m, const struct vsg_report *report, uint64_t *ipis,
                          uint64_t *cut_ps)
{
    *ipis = 0;
    for (unsigned i = 0; i < m->workers; i++)
        *ipis += m->path.recorder[i].latency.count;
    return vsg_warmup_cut(merge_batches(m), report->stop_ps, cut_ps);
}

/* ---- the result --------------------------------------------------------------------------- */

static enum vsg_status merge_recorder(struct vsg_run_result *out, struct vsg_recorder *r)
{
    enum vsg_status status = vsg_tally_merge(&out->latency, &r->latency);
    for (size_t i = 0; status == VSG_OK && i < (size_t)r->node_count * r->node_count; i++)
        status = vsg_tally_merge(&out->pair[i], &r->pair[i]);
    for (uint32_t i = 0; status == VSG_OK && i < r->vm_count; i++)
        status = vsg_tally_merge(&out->vm[i], &r->vm[i]);
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        out->stage_sum_ps[i] += r->stage_sum_ps[i];
    out->return_sum_ps += r->return_sum_ps;
    out->fingerprint += r->fingerprint;
    out->sent += r->sent;
    out->completed += r->completed;
    out->sender_busy_ps += r->sender_busy_ps;
    out->backlog_half += r->backlog_half;
    out->backlog_end += r->backlog_end;
    return status;
}

static int by_sender(const void *a, const void *b)
{
    const struct vsg_sample *x = a, *y = b;
    if (x->sender != y->sender)
        return x->sender < y->sender ? -1 : 1;
    return x->n < y->n ? -1 : x->n > y->n;
}

static enum vsg_status merge_samples(const struct vsg_model *m, struct vsg_run_result *out)
{
    size_t count = 0;
    for (unsigned i = 0; i < m->workers; i++)
        count += m->path.recorder[i].sample_count;
    if (count == 0)
        return VSG_OK;
    out->sample = malloc(count * sizeof *out->sample);
    if (!out->sample)
        return VSG_ENOMEM;
    for (unsigned i = 0; i < m->workers; i++) {
        const struct vsg_recorder *r = &m->path.recorder[i];
        if (r->sample_count)
            memcpy(&out->sample[out->sample_count], r->sample,
                   r->sample_count * sizeof *out->sample);
        out->sample_count += r->sample_count;
    }
    qsort(out->sample, count, sizeof *out->sample, by_sender);
    if (out->sample_count > m->sample_cap)
        out->sample_count = m->sample_cap;
    return VSG_OK;
}

static enum vsg_status make_lists(const struct vsg_model *m, const struct vsg_report *report,
                                  struct vsg_run_result *out)
{
    const struct vsg_config *c = m->config;
    const struct vsg_world *w = &m->world;
    size_t pairs = (size_t)w->node_count * w->node_count;
    out->node_count = w->node_count;
    out->vm_count = c->vm_count;
    out->pair = calloc(pairs, sizeof *out->pair);
    out->vm = calloc(c->vm_count, sizeof *out->vm);
    out->vm_name = calloc(c->vm_count, sizeof *out->vm_name);
    out->its = calloc(m->its_count, sizeof *out->its);
    out->link = calloc(w->link_count + 1, sizeof *out->link);
    out->offered = calloc(m->offered_count + 1, sizeof *out->offered);
    if (!out->pair || !out->vm || !out->vm_name || !out->its || !out->link || !out->offered)
        return VSG_ENOMEM;
    vsg_tally_init(&out->latency);
    for (size_t i = 0; i < pairs; i++)
        vsg_tally_init(&out->pair[i]);
    for (uint32_t i = 0; i < c->vm_count; i++) {
        vsg_tally_init(&out->vm[i]);
        if (!(out->vm_name[i] = strdup(c->vm[i].name)))
            return VSG_ENOMEM;
    }
    out->its_count = m->its_count;
    for (uint32_t i = 0; i < m->its_count; i++)
        out->its[i] = (struct vsg_its_result){.id = c->machine.its[m->boot.list_order[i]].id,
                                              .node = m->server[i].place,
                                              .stats = report->server[i]};
    for (uint32_t i = 0; i < w->link_count; i++) {
        out->link[i] = (struct vsg_link_result){.name = strdup(w->link[i].name),
                                                .from = w->link[i].from,
                                                .to = w->link[i].to,
                                                .stats = report->link[i]};
        out->link_count = i + 1;
        if (!out->link[i].name)
            return VSG_ENOMEM;
    }
    for (uint32_t i = 0; i < m->offered_count; i++) {
        out->offered[i] = (struct vsg_offered){.server = strdup(m->offered[i].server),
                                               .load_ppm = m->offered[i].load_ppm};
        out->offered_count = i + 1;
        if (!out->offered[i].server)
            return VSG_ENOMEM;
    }
    return VSG_OK;
}

static void set_result_window(const struct vsg_model *m, const struct vsg_report *report,
                              struct vsg_run_result *out)
{
    out->window_start_ps = m->world.window_start_ps;
    out->window_end_ps = report->stop_ps;
    if (m->open)
        return;
    /* Only closed loops: they may all have ended before the grace of the first one is over. */
    uint64_t last_ps = 0;
    for (unsigned i = 0; i < m->workers; i++)
        if (m->path.recorder[i].last_done_ps > last_ps)
            last_ps = m->path.recorder[i].last_done_ps;
    if (last_ps < out->window_end_ps)
        out->window_end_ps = last_ps;
}

static enum vsg_status take_batches(struct vsg_model *m, struct vsg_run_result *out)
{
    out->batch = calloc(VSG_BATCHES, sizeof *out->batch);
    if (!out->batch)
        return VSG_ENOMEM;
    if (vsg_batches_result(merge_batches(m), out->window_end_ps, skips_sends(m), out->batch,
                           &out->batch_ps))
        out->batch_count = VSG_BATCHES;
    return VSG_OK;
}

enum vsg_status vsg_model_result(struct vsg_model *m, const struct vsg_report *report,
                                 struct vsg_run_result *out, struct vsg_diag *diag)
{
    struct vsg_run_result r = {.events = report->events,
                               .ties = report->ties,
                               .open = m->open,
                               .sender_count = m->sender_count,
                               .executed = report->executed,
                               .windows = report->windows,
                               .lookahead_ps = report->lookahead_ps,
                               .lps = report->lps,
                               .workers = report->workers};
    enum vsg_status status = make_lists(m, report, &r);
    for (unsigned i = 0; status == VSG_OK && i < m->workers; i++)
        status = merge_recorder(&r, &m->path.recorder[i]);
    if (status == VSG_OK)
        status = merge_samples(m, &r);
    if (status == VSG_OK && r.latency.count == 0) {
        vsg_diag_error(diag, "no IPI was counted: warm-up takes the whole run; make run.warmup "
                             "shorter or the run longer");
        status = VSG_ENODATA;
    }
    if (status != VSG_OK) {
        vsg_run_result_free(&r);
        return status;
    }
    set_result_window(m, report, &r);
    bool most = r.window_start_ps > r.window_end_ps / 2;
    r.not_steady = m->options.not_steady || (m->options.warmup_known && most);
    if (most && !m->options.warmup_known)
        vsg_diag_add(
            diag, VSG_WARNING, NULL,
            "warm-up takes more than half of a run: give run.warmup as a time, and shorter. A "
            "share is of the window that the open loads plan, which closed loops may end "
            "earlier");
    status = take_batches(m, &r);
    if (status != VSG_OK) {
        vsg_run_result_free(&r);
        return status;
    }
    *out = r;
    return VSG_OK;
}
