/* Who sends to whom, through which ITS: the vCPUs of a run and the objects they need. */
#include "models/model_parts.h"

#include <stdlib.h>

#include "models/machine/machine.h"

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

enum vsg_status vsg_model_make_guests(struct vsg_model *m, struct vsg_diag *diag)
{
    enum vsg_status status = make_guests(m);
    return status == VSG_OK ? make_vcpus(m, diag) : status;
}
