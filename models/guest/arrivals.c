#include "models/guest/arrivals.h"

#include <stdlib.h>

#define S_PS UINT64_C(1000000000000)
#define UNIT_PS UINT64_C(1000000) /* mean of the sampler that is scaled */
/* GAP_*: the word that models/kvm/ipi.h keeps for gaps (VSG_WORD_GAP). */
enum { PPM = 1000000, GAP_BLOCK = 3, GAP_WORD = 3, FIRST_BURST_BLOCK = 8 };

typedef unsigned __int128 u128;

static enum vsg_status exponential(uint64_t mean_ps, struct vsg_sampler **out)
{
    struct vsg_dist d = {.kind = VSG_DIST_EXPONENTIAL, .mean_ps = mean_ps};
    return vsg_sampler_new(&d, out);
}

static uint64_t mean_gap_ps(uint64_t rate_per_s)
{
    return (S_PS + rate_per_s / 2) / rate_per_s;
}

static enum vsg_status add_up_rows(struct vsg_arrivals *a)
{
    size_t n = a->vcpu_count;
    a->row_rate_per_s = calloc(n, sizeof *a->row_rate_per_s);
    a->cumulative = calloc(n * n, sizeof *a->cumulative);
    if (!a->row_rate_per_s || !a->cumulative)
        return VSG_ENOMEM;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            a->row_rate_per_s[i] += a->workload->pair_rate_per_s[i * n + k];
            a->cumulative[i * n + k] = a->row_rate_per_s[i];
        }
    return VSG_OK;
}

enum vsg_status vsg_arrivals_make(const struct vsg_workload_config *w, uint32_t vcpu_count,
                                  struct vsg_arrivals *out)
{
    struct vsg_arrivals a = {.workload = w, .vcpu_count = vcpu_count};
    enum vsg_status status;
    if (w->kind == VSG_WORKLOAD_POISSON)
        status = exponential(mean_gap_ps(w->rate_per_s), &a.gap);
    else
        status = exponential(UNIT_PS, &a.unit);
    if (status == VSG_OK && w->kind == VSG_WORKLOAD_MATRIX)
        status = add_up_rows(&a);
    if (status != VSG_OK) {
        vsg_arrivals_free(&a);
        return status;
    }
    *out = a;
    return VSG_OK;
}

void vsg_arrivals_free(struct vsg_arrivals *a)
{
    vsg_sampler_free(a->gap);
    vsg_sampler_free(a->unit);
    free(a->row_rate_per_s);
    free(a->cumulative);
    *a = (struct vsg_arrivals){0};
}

/* An exponential duration of the given mean. */
static uint64_t scaled_ps(const struct vsg_arrivals *a, uint64_t mean_ps, uint32_t word)
{
    return (uint64_t)((u128)vsg_sampler_draw(a->unit, word) * mean_ps / UNIT_PS);
}

/* ---- bursty ------------------------------------------------------------------------- */

static uint64_t rate_now(const struct vsg_workload_config *w, bool on)
{
    return on ? w->rate_per_s : w->off_rate_per_s;
}

/* The next event of the modulated process. A gap that the state's end cuts short is drawn
 * anew in the next state: exponential gaps have no memory. Each attempt has a block of
 * random words of its own, so that intent n draws the same whatever came before. */
static void advance_burst(const struct vsg_arrivals *a, struct vsg_stream stream, uint64_t n,
                          struct vsg_arrival_state *s)
{
    const struct vsg_workload_config *w = a->workload;
    uint32_t word[4];
    if (!s->begun) {
        vsg_stream_block(stream, n, FIRST_BURST_BLOCK - 1, word);
        s->begun = true;
        s->on = (uint64_t)((u128)word[0] * (w->on_ps + w->off_ps) >> 32) < w->on_ps;
        s->switch_ps = scaled_ps(a, s->on ? w->on_ps : w->off_ps, word[1]);
    }
    for (uint32_t block = FIRST_BURST_BLOCK;; block++) {
        vsg_stream_block(stream, n, block, word);
        uint64_t rate = rate_now(w, s->on);
        if (rate > 0) {
            uint64_t at_ps = s->clock_ps + scaled_ps(a, mean_gap_ps(rate), word[0]);
            if (at_ps < s->switch_ps) {
                s->clock_ps = at_ps;
                return;
            }
        }
        s->clock_ps = s->switch_ps;
        s->on = !s->on;
        s->switch_ps += scaled_ps(a, s->on ? w->on_ps : w->off_ps, word[1]) + 1;
    }
}

/* ---- load steps ------------------------------------------------------------------------ */

/* From operational to simulated time. */
static uint64_t through_steps(const struct vsg_workload_config *w, struct vsg_arrival_state *s)
{
    if (w->step_count == 0)
        return s->clock_ps;
    for (;;) {
        uint64_t from_ps = s->step ? w->step[s->step - 1].at_ps : 0;
        uint64_t factor = s->step ? w->step[s->step - 1].factor_ppm : PPM;
        uint64_t into_ps = s->clock_ps - s->step_ps; /* operational, since the step */
        if (s->step == w->step_count)
            return factor ? from_ps + (uint64_t)((u128)into_ps * PPM / factor) : VSG_NEVER;
        uint64_t length_ps = w->step[s->step].at_ps - from_ps;
        uint64_t worth_ps = (uint64_t)((u128)length_ps * factor / PPM);
        if (into_ps < worth_ps)
            return from_ps + (uint64_t)((u128)into_ps * PPM / factor);
        s->step_ps += worth_ps;
        s->step++;
    }
}

uint64_t vsg_arrival_next(const struct vsg_arrivals *a, uint32_t index, struct vsg_stream stream,
                          uint64_t n, struct vsg_arrival_state *s)
{
    const struct vsg_workload_config *w = a->workload;
    if (w->kind == VSG_WORKLOAD_BURSTY) {
        advance_burst(a, stream, n, s);
        return through_steps(w, s);
    }
    uint32_t word[4];
    vsg_stream_block(stream, n, GAP_BLOCK, word);
    if (w->kind == VSG_WORKLOAD_MATRIX)
        s->clock_ps += scaled_ps(a, mean_gap_ps(a->row_rate_per_s[index]), word[GAP_WORD]);
    else
        s->clock_ps += vsg_sampler_draw(a->gap, word[GAP_WORD]);
    return through_steps(w, s);
}

uint32_t vsg_arrival_target(const struct vsg_arrivals *a, uint32_t index, uint32_t word)
{
    const uint64_t *row = &a->cumulative[(size_t)index * a->vcpu_count];
    uint64_t pick = (uint64_t)((u128)word * a->row_rate_per_s[index] >> 32);
    uint32_t low = 0, high = a->vcpu_count - 1; /* the first with more than `pick` */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (row[middle] > pick)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

double vsg_arrival_factor(const struct vsg_workload_config *w, uint64_t end_ps)
{
    if (w->step_count == 0)
        return 1;
    if (end_ps == VSG_NEVER)
        return (double)w->step[w->step_count - 1].factor_ppm / PPM;
    double worth = 0;
    for (uint32_t k = 0; k <= w->step_count; k++) {
        uint64_t from_ps = k ? w->step[k - 1].at_ps : 0;
        uint64_t to_ps = k < w->step_count ? w->step[k].at_ps : end_ps;
        double factor = k ? (double)w->step[k - 1].factor_ppm / PPM : 1;
        to_ps = to_ps < end_ps ? to_ps : end_ps;
        if (to_ps > from_ps)
            worth += factor * (double)(to_ps - from_ps);
    }
    return end_ps ? worth / (double)end_ps : 1;
}

double vsg_arrival_rate(const struct vsg_arrivals *a, uint32_t index, uint64_t end_ps)
{
    const struct vsg_workload_config *w = a->workload;
    double rate = (double)w->rate_per_s;
    if (w->kind == VSG_WORKLOAD_MATRIX)
        rate = (double)a->row_rate_per_s[index];
    else if (w->kind == VSG_WORKLOAD_BURSTY)
        rate = (rate * (double)w->on_ps + (double)w->off_rate_per_s * (double)w->off_ps) /
               (double)(w->on_ps + w->off_ps);
    return rate * vsg_arrival_factor(w, end_ps);
}
