#include "study/precision.h"

#include <stdlib.h>

#include "study/intervals.h"

enum { PPM = 1000000 };

uint32_t vsg_precision_begin(const struct vsg_study *s, uint32_t point)
{
    uint32_t first = vsg_config_is_random(&s->point[point].config) ? VSG_PRECISION_FIRST : 1;
    return first < s->replications ? first : s->replications;
}

bool vsg_precision_is_met(const struct vsg_study *s, int64_t mean_ps, int64_t half_ps)
{
    return half_ps <= vsg_div_round((vsg_i128)mean_ps * s->precision_ppm, PPM);
}

/* The runs of one point and policy, both engines': run[0..count) begins with them. */
static uint32_t length(const struct vsg_run *run, uint32_t count)
{
    uint32_t n = 0;
    while (n < count && run[n].point == run[0].point && run[n].policy == run[0].policy)
        n++;
    return n;
}

struct scratch {
    vsg_i128 *value;
    double *difference;
};

/* Whether more runs would tell more, and have to. Of two engines the first counts, as in results.
 */
static enum vsg_status look(const struct vsg_study *s, const struct vsg_run *run, uint32_t count,
                            const struct scratch *sheet, bool *more)
{
    const struct vsg_config *config = &s->point[run->point].config;
    uint32_t n = 0, not_steady = 0, last = UINT32_MAX;
    *more = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct vsg_tally *t = &run[i].result.latency;
        struct vsg_figures f;
        if (run[i].state != VSG_RUN_DONE || run[i].replication == last || t->count == 0)
            continue;
        last = run[i].replication;
        enum vsg_status status = vsg_figures_of_run(&run[i].result, config, &f);
        if (status != VSG_OK)
            return status;
        bool unstable = f.unstable;
        not_steady += f.not_steady;
        vsg_figures_free(&f);
        if (unstable)
            return VSG_OK;
        sheet->value[n++] = vsg_fine_mean(t->sum_ps, t->count);
    }
    if (n == 0 || 2 * not_steady >= n)
        return VSG_OK;
    struct vsg_spread spread = vsg_spread_of(sheet->value, sheet->difference, n, 0.95);
    *more =
        spread.half_ps == VSG_NO_FIGURE || !vsg_precision_is_met(s, spread.mean_ps, spread.half_ps);
    return VSG_OK;
}

enum vsg_status vsg_precision_next(const struct vsg_study *s, const struct vsg_run *run,
                                   uint32_t count, uint32_t *replications, bool *more)
{
    size_t room = (size_t)s->replications + 1;
    struct scratch sheet = {calloc(room, sizeof *sheet.value),
                            calloc(room, sizeof *sheet.difference)};
    bool *wanted = calloc((size_t)s->point_count + 1, sizeof *wanted);
    enum vsg_status status = sheet.value && sheet.difference && wanted ? VSG_OK : VSG_ENOMEM;
    for (uint32_t i = 0, n; i < count && status == VSG_OK; i += n) {
        bool wants = false;
        n = length(run + i, count - i);
        if (replications[run[i].point] < s->replications &&
            vsg_config_is_random(&s->point[run[i].point].config))
            status = look(s, run + i, n, &sheet, &wants);
        wanted[run[i].point] |= wants;
    }
    *more = false;
    for (uint32_t i = 0; i < s->point_count && status == VSG_OK; i++) {
        if (!wanted[i])
            continue;
        uint32_t twice = 2 * replications[i];
        replications[i] = twice < s->replications ? twice : s->replications;
        *more = true;
    }
    free(sheet.value);
    free(sheet.difference);
    free(wanted);
    return status;
}
