/* Building the world of a run from its configuration. */
#include "models/model_parts.h"

#include <stdlib.h>

#include "models/machine/machine.h"
#include "models/offered.h"

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

static enum vsg_status make_batches(const struct vsg_model *m, struct vsg_batches *b)
{
    const struct vsg_world *w = &m->world;
    bool known = !m->closed && !m->options.pilot && !vsg_model_skips_sends(m) &&
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
        status = vsg_model_make_guests(m, diag);
    if (status == VSG_OK)
        status = make_path(m);
    if (status == VSG_OK)
        status = make_chooser(m, diag);
    if (status == VSG_OK)
        status = sort_by_node(m);
    if (status != VSG_OK)
        return status;
    vsg_model_set_window(m);
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
