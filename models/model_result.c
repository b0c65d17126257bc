/* What the workers counted, merged with the engine's report. */
#include "models/model_parts.h"

#include <stdlib.h>
#include <string.h>

#include "models/warmup.h"

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
        if (vsg_link_queue(w, i) != i)
            continue; /* a half-duplex link is listed once */
        struct vsg_link_result *l = &out->link[out->link_count++];
        *l = (struct vsg_link_result){.name = strdup(w->link[i].name),
                                      .from = w->link[i].from,
                                      .to = w->link[i].to,
                                      .stats = report->link[i]};
        if (!l->name)
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
    if (vsg_batches_result(merge_batches(m), out->window_end_ps, vsg_model_skips_sends(m),
                           out->batch, &out->batch_ps))
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
