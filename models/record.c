#include "models/record.h"

#include <stdlib.h>

#include "engine/order.h"

enum vsg_status vsg_recorder_init(struct vsg_recorder *r, uint32_t node_count, uint32_t vm_count,
                                  uint64_t sample_sends)
{
    *r = (struct vsg_recorder){.node_count = node_count,
                               .vm_count = vm_count,
                               .half_ps = VSG_NEVER,
                               .end_ps = VSG_NEVER,
                               .sample_sends = sample_sends};
    size_t pairs = (size_t)node_count * node_count;
    r->pair = calloc(pairs, sizeof *r->pair);
    r->vm = calloc(vm_count, sizeof *r->vm);
    if (!r->pair || !r->vm) {
        vsg_recorder_free(r);
        return VSG_ENOMEM;
    }
    vsg_tally_init(&r->latency);
    for (size_t i = 0; i < pairs; i++)
        vsg_tally_init(&r->pair[i]);
    for (uint32_t i = 0; i < vm_count; i++)
        vsg_tally_init(&r->vm[i]);
    return VSG_OK;
}

void vsg_recorder_free(struct vsg_recorder *r)
{
    vsg_tally_free(&r->latency);
    for (size_t i = 0; r->pair && i < (size_t)r->node_count * r->node_count; i++)
        vsg_tally_free(&r->pair[i]);
    for (uint32_t i = 0; r->vm && i < r->vm_count; i++)
        vsg_tally_free(&r->vm[i]);
    free(r->pair);
    free(r->vm);
    free(r->sample);
    vsg_batches_free(&r->batches);
    *r = (struct vsg_recorder){0};
}

static enum vsg_status keep_sample(struct vsg_recorder *r, const struct vsg_done *d)
{
    if (r->sample_count == r->sample_room) {
        size_t room = r->sample_room ? 2 * r->sample_room : 1024;
        struct vsg_sample *grown = realloc(r->sample, room * sizeof *grown);
        if (!grown)
            return VSG_ENOMEM;
        r->sample = grown;
        r->sample_room = room;
    }
    struct vsg_sample *s = &r->sample[r->sample_count++];
    *s = (struct vsg_sample){.sender = d->sender,
                             .target = d->target,
                             .n = d->n,
                             .its = d->its,
                             .intent_ps = d->intent_ps,
                             .latency_ps = d->done_ps - d->intent_ps};
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        s->stage_ps[i] = d->stage_ps[i];
    return VSG_OK;
}

static enum vsg_status count(struct vsg_recorder *r, const struct vsg_done *d)
{
    uint64_t latency_ps = d->done_ps - d->intent_ps;
    /* The fingerprint covers who, when and every stage; a sum, so that order does not matter. */
    uint64_t print = vsg_mix64(((uint64_t)d->sender << 32 | d->target) ^ vsg_mix64(d->n));
    print = vsg_mix64(print ^ d->intent_ps) + d->its;
    for (int i = 0; i < VSG_STAGE_COUNT; i++) {
        r->stage_sum_ps[i] += d->stage_ps[i];
        if (d->stage_ps[i])
            print = vsg_mix64(print ^ (d->stage_ps[i] * 32 + (uint64_t)i));
    }
    r->fingerprint += print;
    r->return_sum_ps += d->return_ps;
    if (r->batches.sum)
        vsg_batches_add(&r->batches, d->intent_ps, latency_ps);
    enum vsg_status status = vsg_tally_add(&r->latency, VSG_HIST_RUN_BITS, latency_ps);
    if (status == VSG_OK)
        status = vsg_tally_add(&r->vm[d->vm], VSG_HIST_COARSE_BITS, latency_ps);
    if (status == VSG_OK)
        status = vsg_tally_add(&r->pair[(size_t)d->from_node * r->node_count + d->to_node],
                               VSG_HIST_COARSE_BITS, latency_ps);
    if (status == VSG_OK && d->n < r->sample_sends)
        status = keep_sample(r, d);
    return status;
}

enum vsg_status vsg_record(struct vsg_recorder *r, const struct vsg_done *d)
{
    uint64_t sum_ps = 0;
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        sum_ps += d->stage_ps[i];
    if (sum_ps != d->done_ps - d->intent_ps)
        return VSG_EMODEL;
    r->completed += d->done_inside;
    if (!d->sent_inside)
        return VSG_OK;
    r->sent++;
    r->sender_busy_ps += d->stage_ps[VSG_STAGE_TRAP] + d->stage_ps[VSG_STAGE_LOCK_WAIT] +
                         d->stage_ps[VSG_STAGE_DISPATCH] + d->stage_ps[VSG_STAGE_STORE] +
                         d->return_ps;
    if (d->done_ps > r->last_done_ps)
        r->last_done_ps = d->done_ps;
    if (d->done_ps >= r->half_ps && d->intent_ps < r->half_ps)
        r->backlog_half++;
    if (d->done_ps >= r->end_ps && d->intent_ps < r->end_ps)
        r->backlog_end++;
    return d->counted ? count(r, d) : VSG_OK;
}
