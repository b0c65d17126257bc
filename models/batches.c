#include "models/batches.h"

#include <assert.h>
#include <stdlib.h>

const uint32_t vsg_batch_quantile_ppm[VSG_BATCH_QUANTILES] = {500000, 900000, 990000, 999000};

enum vsg_status vsg_batches_init_known(struct vsg_batches *b, uint64_t start_ps, uint64_t end_ps,
                                       bool quantiles)
{
    assert(end_ps > start_ps + VSG_BATCHES);
    *b = (struct vsg_batches){.start_ps = start_ps, .width_ps = (end_ps - start_ps) / VSG_BATCHES};
    b->sum = calloc(VSG_BATCHES, sizeof *b->sum);
    if (!b->sum)
        return VSG_ENOMEM;
    if (!quantiles)
        return VSG_OK;
    b->hist = calloc(VSG_BATCHES, sizeof *b->hist);
    enum vsg_status status = b->hist ? VSG_OK : VSG_ENOMEM;
    for (int i = 0; i < VSG_BATCHES && status == VSG_OK; i++)
        status = vsg_hist_new(VSG_HIST_RUN_BITS, &b->hist[i]);
    return status;
}

enum vsg_status vsg_batches_init_bins(struct vsg_batches *b, uint64_t start_ps)
{
    *b = (struct vsg_batches){.start_ps = start_ps};
    b->sum = calloc(VSG_BINS, sizeof *b->sum);
    return b->sum ? VSG_OK : VSG_ENOMEM;
}

void vsg_batches_free(struct vsg_batches *b)
{
    for (int i = 0; b->hist && i < VSG_BATCHES; i++)
        vsg_hist_free(b->hist[i]);
    free(b->hist);
    free(b->sum);
    *b = (struct vsg_batches){0};
}

static void add_sum(struct vsg_time_sum *to, const struct vsg_time_sum *from)
{
    to->count += from->count;
    to->sum_ps += from->sum_ps;
}

/* Joins bins until they are 2^shift wide. */
static void widen(struct vsg_batches *b, unsigned shift)
{
    for (; b->shift < shift; b->shift++)
        for (uint32_t i = 0; i < VSG_BINS; i++) {
            struct vsg_time_sum joined = {0};
            if (i < VSG_BINS / 2) {
                add_sum(&joined, &b->sum[2 * i]);
                add_sum(&joined, &b->sum[2 * i + 1]);
            }
            b->sum[i] = joined;
        }
}

void vsg_batches_add(struct vsg_batches *b, uint64_t at_ps, uint64_t latency_ps)
{
    assert(at_ps >= b->start_ps);
    uint64_t since_ps = at_ps - b->start_ps, k;
    if (b->width_ps) {
        k = since_ps / b->width_ps;
        if (k >= VSG_BATCHES) /* the few ps that the division left over */
            k = VSG_BATCHES - 1;
        if (b->hist)
            vsg_hist_record(b->hist[k], latency_ps);
    } else {
        unsigned shift = b->shift;
        while (since_ps >> shift >= VSG_BINS)
            shift++;
        widen(b, shift);
        k = since_ps >> shift;
    }
    b->sum[k].count++;
    b->sum[k].sum_ps += latency_ps;
}

void vsg_batches_merge(struct vsg_batches *dst, const struct vsg_batches *src)
{
    assert(dst->start_ps == src->start_ps && dst->width_ps == src->width_ps);
    if (!dst->width_ps && src->shift > dst->shift)
        widen(dst, src->shift);
    for (uint32_t i = 0; i < (dst->width_ps ? VSG_BATCHES : VSG_BINS); i++)
        add_sum(&dst->sum[i >> (dst->shift - src->shift)], &src->sum[i]);
    for (int i = 0; dst->hist && i < VSG_BATCHES; i++) {
        enum vsg_status status = vsg_hist_merge(dst->hist[i], src->hist[i]);
        assert(status == VSG_OK);
    }
}

static void set_quantiles(const struct vsg_hist *hist, struct vsg_batch *batch)
{
    for (int q = 0; q < VSG_BATCH_QUANTILES; q++) {
        batch->quantile_ps[q] = UINT64_MAX;
        if (hist && vsg_hist_count(hist) > 0)
            (void)vsg_hist_quantile(hist, vsg_batch_quantile_ppm[q], &batch->quantile_ps[q]);
    }
}

bool vsg_batches_result(const struct vsg_batches *b, uint64_t end_ps, bool late,
                        struct vsg_batch out[VSG_BATCHES], uint64_t *width_ps)
{
    uint64_t first = 0, each = 1;
    if (!b->width_ps) {
        uint64_t whole = end_ps > b->start_ps ? (end_ps - b->start_ps) >> b->shift : 0;
        if (whole > VSG_BINS)
            whole = VSG_BINS; /* nothing was meant after the last bin */
        while (late && first < whole && b->sum[first].count == 0)
            first++;
        first += late;
        if (first + VSG_BATCHES > whole)
            return false;
        each = (whole - first) / VSG_BATCHES;
    }
    *width_ps = b->width_ps ? b->width_ps : each << b->shift;
    for (uint64_t i = 0; i < VSG_BATCHES; i++) {
        struct vsg_time_sum sum = {0};
        for (uint64_t k = 0; k < each; k++)
            add_sum(&sum, &b->sum[first + i * each + k]);
        out[i] = (struct vsg_batch){.count = sum.count, .sum_ps = sum.sum_ps};
        set_quantiles(b->hist ? b->hist[i] : NULL, &out[i]);
    }
    return true;
}
