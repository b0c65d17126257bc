/* When an open workload's vCPU means to send: a function of the random stream alone, never of
 * what happens in the run, so every policy sees the same intents.
 *
 *   poisson  exponential gaps
 *   bursty   a Poisson process whose rate switches between two values (two-state MMPP); the times
 *            in each state are exponential; the state at the start is drawn from the long-run
 * shares matrix   poisson with a rate per pair of vCPUs; a vCPU's own rate is its row's sum
 *
 * Load steps stretch time: between two steps intents come `factor` times as often. The process
 * runs on an operational clock, and an intent comes where the integral of the factor
 * reaches it. */
#ifndef VSG_MODELS_GUEST_ARRIVALS_H
#define VSG_MODELS_GUEST_ARRIVALS_H

#include "engine/random.h"
#include "models/config.h"

struct vsg_arrivals {
    const struct vsg_workload_config *workload;
    uint32_t vcpu_count;
    struct vsg_sampler *gap;  /* poisson: exponential of the mean gap */
    struct vsg_sampler *unit; /* bursty, matrix: exponential of mean 1 us, to be scaled */
    uint64_t *row_rate_per_s; /* matrix: [vcpu_count] */
    uint64_t *cumulative;     /* matrix: [vcpu_count^2] rates added up along each row */
};

/* Where a vCPU's process is. Zero at the start. */
struct vsg_arrival_state {
    uint64_t clock_ps;  /* operational time of the last intent */
    uint64_t switch_ps; /* bursty: when the state changes, operational */
    uint64_t step_ps;   /* operational time at which the current step begins */
    uint32_t step;      /* load steps behind us */
    bool begun, on;
};

/* On success *out is the caller's, to free with vsg_arrivals_free(). Fails with VSG_ENOMEM or
 * VSG_ERANGE. w must outlive it. */
enum vsg_status vsg_arrivals_make(const struct vsg_workload_config *w, uint32_t vcpu_count,
                                  struct vsg_arrivals *out);
void vsg_arrivals_free(struct vsg_arrivals *a);

/* The time of intent n (0, 1, 2... in order) of the vCPU with this index and stream, in ps;
 * VSG_NEVER when none comes any more. */
uint64_t vsg_arrival_next(const struct vsg_arrivals *a, uint32_t index, struct vsg_stream stream,
                          uint64_t n, struct vsg_arrival_state *s);

/* matrix: the target (vCPU index) that a random word picks for a sender. */
uint32_t vsg_arrival_target(const struct vsg_arrivals *a, uint32_t index, uint32_t word);

/* The load steps' mean factor over [0, end_ps); VSG_NEVER: the last step's. */
double vsg_arrival_factor(const struct vsg_workload_config *w, uint64_t end_ps);

/* Mean rate of a vCPU over [0, end_ps), load steps included, in 1/s: for offered loads. */
double vsg_arrival_rate(const struct vsg_arrivals *a, uint32_t index, uint64_t end_ps);

#endif
