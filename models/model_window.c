/* Which part of a run counts: where its window ends, and what of it is warm-up. */
#include "models/model_parts.h"

/* The window ends this long after the first sender is exhausted: senders in step may end in
 * step, and it is negligible beside any run. It is also the widest window that the
 * parallel engine may use where a token can STOP. */
#define STOP_GRACE_PS UINT64_C(1000000)

enum { PILOT_SHARE = 8 }; /* a first pilot is that part of a run */

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

void vsg_model_set_window(struct vsg_model *m)
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
bool vsg_model_skips_sends(const struct vsg_model *m)
{
    for (uint32_t i = 0; i < m->config->vm_count; i++)
        if (m->guest[i].skipped_sends)
            return true;
    return false;
}
