/* Latencies by simulated time: sums per stretch of time, from which the interval of a single
 * run (batches) and its warm-up (warmup.h) are computed. Private to models/.
 *
 * An IPI belongs to the stretch that its intent lies in. A window that is known before the run
 * is cut into VSG_BATCHES batches at once. Otherwise stretches are bins of 2^shift ps that double
 * their width whenever time goes beyond the last one: shift depends on the latest
 * intent alone, so any number of workers, merged in any order, gives the same bins.
 *
 * Threads  No locks inside: one per worker, merged after the join. */
#ifndef VSG_MODELS_BATCHES_H
#define VSG_MODELS_BATCHES_H

#include "models/result.h"

enum { VSG_BINS = 2048 }; /* half of them, at least, are in use after the first doubling */

struct vsg_time_sum {
    uint64_t count;
    vsg_u128 sum_ps;
};

struct vsg_batches {
    uint64_t start_ps; /* the first stretch begins here */
    uint64_t width_ps; /* of a batch; 0: bins */
    unsigned shift;    /* bins: 2^shift ps wide */
    struct vsg_time_sum *sum;
    struct vsg_hist **hist; /* [VSG_BATCHES] for quantiles; NULL: none are asked for */
};

/* For a window that is known, end_ps > start_ps + VSG_BATCHES. quantiles: keep what
 * those of each batch need (a histogram each). Fails with VSG_ENOMEM; free it in any case. */
enum vsg_status vsg_batches_init_known(struct vsg_batches *b, uint64_t start_ps, uint64_t end_ps,
                                       bool quantiles);
/* For a window whose end is not known: bins. Fails with VSG_ENOMEM. */
enum vsg_status vsg_batches_init_bins(struct vsg_batches *b, uint64_t start_ps);
void vsg_batches_free(struct vsg_batches *b); /* a zeroed one is allowed */

/* Adds an IPI meant at at_ps >= start_ps. */
void vsg_batches_add(struct vsg_batches *b, uint64_t at_ps, uint64_t latency_ps);

/* Adds src, made by the same call, to dst. */
void vsg_batches_merge(struct vsg_batches *dst, const struct vsg_batches *src);

/* The batches of a window that ends at end_ps, and their common width. late: counting began some
 * time after start_ps, so the first bin with an IPI is not whole. Of bins, each batch takes
 * as many whole ones; up to VSG_BATCHES - 1 at the end are left out, at most 2 % of a window that
 * has filled half of them. False: the window has fewer than VSG_BATCHES whole bins. */
bool vsg_batches_result(const struct vsg_batches *b, uint64_t end_ps, bool late,
                        struct vsg_batch out[VSG_BATCHES], uint64_t *width_ps);

#endif
