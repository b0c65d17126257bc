/* What one run measured, as integers: sums, counts and histograms that merge
 * exactly. Derived figures (means, intervals) are computed once, from these, by
 * sim/study. Times in ps. */
#ifndef VSG_MODELS_RESULT_H
#define VSG_MODELS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/hist.h"
#include "engine/status.h"
#include "engine/world.h"

typedef unsigned __int128 vsg_u128;

/* The stages of an IPI's latency, in path order; they add up to it, IPI by IPI. */
enum vsg_stage {
    VSG_STAGE_SENDER_WAIT,
    VSG_STAGE_PREPARE,
    VSG_STAGE_TRAP,
    VSG_STAGE_LOCK_WAIT,
    VSG_STAGE_DISPATCH,
    VSG_STAGE_STORE,
    VSG_STAGE_MMIO,
    VSG_STAGE_LINK_WAIT,
    VSG_STAGE_ITS_WAIT,
    VSG_STAGE_ITS,
    VSG_STAGE_MESSAGE,
    VSG_STAGE_DELIVER,
    VSG_STAGE_HANDLE,
    VSG_STAGE_OBSERVE,
    VSG_STAGE_SELF_WAIT,
    VSG_STAGE_COUNT
};
extern const char *const vsg_stage_name[VSG_STAGE_COUNT];

/* A population of IPIs. min_ps is UINT64_MAX while count is 0. */
struct vsg_tally {
    uint64_t count, min_ps, max_ps;
    vsg_u128 sum_ps, square_ps2;
    struct vsg_hist *hist; /* NULL while empty */
};

struct vsg_sample {
    uint32_t sender, target; /* vCPU ordinals in the scenario */
    uint64_t n;              /* send number of the sender */
    uint32_t its;            /* index in vsg_run_result.its */
    uint64_t intent_ps, latency_ps;
    uint64_t stage_ps[VSG_STAGE_COUNT];
};

/* A stretch of simulated time: the IPIs meant in it. */
enum { VSG_BATCHES = 20, VSG_BATCH_QUANTILES = 4 };
extern const uint32_t vsg_batch_quantile_ppm[VSG_BATCH_QUANTILES]; /* p50, p90, p99, p99.9 */
/* Quantiles of batches are kept for open loads up to 0.8 (rounded to three decimals): above, the
 * batches of a run of usual length hang together (docs/validation.md, "Coverage"). */
#define VSG_BATCH_QUANTILE_LOAD_PPM 800499
struct vsg_batch {
    uint64_t count;
    vsg_u128 sum_ps;
    uint64_t quantile_ps[VSG_BATCH_QUANTILES]; /* UINT64_MAX: not kept, or nothing to take it of */
};

struct vsg_its_result {
    uint32_t id;   /* as in the machine */
    uint32_t node; /* place */
    struct vsg_server_stats stats;
};

struct vsg_link_result {
    char *name;
    uint32_t from, to; /* places; a place >= node_count is a switch */
    struct vsg_server_stats stats;
};

/* Offered load of a named server, known before the run from rates, visits and mean
 * occupancy; open workloads only. 10^6 = as much as it can take. */
struct vsg_offered {
    char *server;
    uint64_t load_ppm;
};

struct vsg_run_result {
    struct vsg_tally latency; /* all counted IPIs, hist with VSG_HIST_RUN_BITS */
    vsg_u128 stage_sum_ps[VSG_STAGE_COUNT];
    vsg_u128 return_sum_ps; /* store to back in the guest, beside the latency */
    uint32_t node_count;
    struct vsg_tally
        *pair; /* [node_count * node_count] by sender's and target's node, coarse hist */
    uint32_t vm_count;
    char **vm_name;             /* [vm_count] */
    struct vsg_tally *vm;       /* [vm_count], coarse hist */
    struct vsg_its_result *its; /* in list order: last probed first */
    uint32_t its_count;
    struct vsg_link_result *link;
    uint32_t link_count;
    uint64_t window_start_ps, window_end_ps; /* statistics cover this */
    uint64_t fingerprint;                    /* sum mod 2^64 of a hash per counted IPI */
    uint64_t events, ties;
    /* IPIs meant, and IPIs finished, inside the window. Unlike `latency` they include the sends
     * that warm-up by number leaves out: the window covers those too. */
    uint64_t sent, completed;
    uint64_t sender_busy_ps; /* vCPU time from trap to return of the `sent` ones */
    uint64_t sender_count;
    struct vsg_offered *offered; /* servers by offered load, highest first */
    uint32_t offered_count;
    bool open; /* an open workload takes part */
    uint64_t backlog_half,
        backlog_end;           /* IPIs intended and not finished at half and end of the window */
    bool not_steady;           /* warm-up `auto` would have taken more than half of the run */
    struct vsg_batch *batch;   /* [batch_count] VSG_BATCHES of equal width, in order of time */
    uint32_t batch_count;      /* 0: too short a window for any */
    uint64_t batch_ps;         /* their width */
    struct vsg_sample *sample; /* by sender, then n */
    size_t sample_count;
    /* Of the execution; not part of the results: */
    uint64_t executed, windows, lookahead_ps;
    uint32_t lps, workers;
};

/* Tallies have no locks inside: one per worker, merged after the join. Sums are exact: 2^62 ps
 * squared fits 16 times into 128 bits, a second squared 10^14 times. */
void vsg_tally_init(struct vsg_tally *t);
/* Adds an IPI; makes the histogram on first use. Fails with VSG_ENOMEM. */
enum vsg_status vsg_tally_add(struct vsg_tally *t, unsigned hist_bits, uint64_t latency_ps);
/* Adds src to dst; any order gives the same. A src with count 0 adds nothing. Fails, dst
 * unchanged but perhaps for an empty histogram, with VSG_ENOMEM or VSG_EINVAL (histograms of
 * different precision). */
enum vsg_status vsg_tally_merge(struct vsg_tally *dst, const struct vsg_tally *src);
void vsg_tally_free(struct vsg_tally *t); /* leaves an empty tally */

/* To and from bytes, for the way from a worker process to its parent on the same
 * machine. pack: *bytes is malloc'ed, the caller's; fails with VSG_ENOMEM or VSG_EINVAL (a
 * list is NULL while its count is not 0; pair, vm and vm_name may be). unpack fails with
 * VSG_EINVAL when the bytes are cut short or damaged (a checksum covers them), of another
 * version, or when their contents contradict each other; with VSG_ENOMEM; *out is then
 * untouched. Every field comes back as it was; empty lists come back as NULL. */
enum vsg_status vsg_run_result_pack(const struct vsg_run_result *r, unsigned char **bytes,
                                    size_t *size);
enum vsg_status vsg_run_result_unpack(const unsigned char *bytes, size_t size,
                                      struct vsg_run_result *out);
/* Frees what the result owns and zeroes it; a zeroed result is allowed. */
void vsg_run_result_free(struct vsg_run_result *r);

#endif
