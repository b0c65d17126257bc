/* A worker's accumulators: every IPI goes into integer sums, counts and
 * histograms; nothing is kept of it but, on request, the first sends one by one.
 * Private to models/; merged into a vsg_run_result by model.c. */
#ifndef VSG_MODELS_RECORD_H
#define VSG_MODELS_RECORD_H

#include "models/batches.h"

struct vsg_recorder {
    struct vsg_tally latency;
    vsg_u128 stage_sum_ps[VSG_STAGE_COUNT];
    vsg_u128 return_sum_ps;
    struct vsg_tally *pair; /* [node_count^2] */
    struct vsg_tally *vm;   /* [vm_count] */
    uint32_t node_count, vm_count;
    struct vsg_batches batches; /* zero: not asked for */
    uint64_t fingerprint;
    uint64_t sender_busy_ps, sent, completed; /* see vsg_run_result */
    uint64_t last_done_ps;
    uint64_t half_ps, end_ps; /* for the backlog; VSG_NEVER: not asked */
    uint64_t backlog_half, backlog_end;
    uint64_t sample_sends; /* keep sends n < sample_sends of each sender */
    struct vsg_sample *sample;
    size_t sample_count, sample_room;
};

/* One finished IPI. */
struct vsg_done {
    uint32_t sender, target, vm, its;
    uint32_t from_node, to_node;
    uint64_t n, intent_ps, done_ps, return_ps;
    bool sent_inside, done_inside; /* the window */
    bool counted;                  /* sent_inside, and not one of the sends that warm-up takes */
    const uint64_t *stage_ps;      /* [VSG_STAGE_COUNT], adding up to done - intent */
};

enum vsg_status vsg_recorder_init(struct vsg_recorder *r, uint32_t node_count, uint32_t vm_count,
                                  uint64_t sample_sends);
void vsg_recorder_free(struct vsg_recorder *r);

/* Adds an IPI. Fails with VSG_ENOMEM, or VSG_EMODEL when its stages do not add up. */
enum vsg_status vsg_record(struct vsg_recorder *r, const struct vsg_done *d);

#endif
