#include "models/warmup.h"

#include <assert.h>

enum { PER_VALUE = 5, VALUES_LEFT = 5, VALUES_MIN = 10 };

bool vsg_warmup_cut(const struct vsg_batches *bins, uint64_t end_ps, uint64_t *cut_ps)
{
    assert(bins->start_ps == 0 && bins->width_ps == 0);
    double value[VSG_BINS / PER_VALUE];
    uint32_t first_bin[VSG_BINS / PER_VALUE], count = 0, width = 0;
    struct vsg_time_sum sum = {0};
    for (uint32_t i = 0; i < VSG_BINS && (uint64_t)i << bins->shift < end_ps; i++) {
        if (width++ == 0)
            first_bin[count] = i;
        sum.count += bins->sum[i].count;
        sum.sum_ps += bins->sum[i].sum_ps;
        if (width < PER_VALUE || sum.count < PER_VALUE)
            continue;
        value[count++] = (double)sum.sum_ps / (double)sum.count;
        sum = (struct vsg_time_sum){0};
        width = 0;
    }
    if (count < VALUES_MIN)
        return false;
    /* From the end, so that each step adds a value; about the last one, so that the squares are
     * small. (standard error)^2 of the n last ones, but for the factor n / (n - 1). */
    double total = 0, square = 0, least = 0;
    uint32_t best = count;
    for (uint32_t n = 1; n <= count; n++) {
        double off = value[count - n] - value[count - 1];
        total += off;
        square += off * off;
        double error = (square / n - total / n * (total / n)) / n;
        if (n >= VALUES_LEFT && (best == count || error <= least)) {
            least = error;
            best = count - n;
        }
    }
    *cut_ps = (uint64_t)first_bin[best] << bins->shift;
    return true;
}
