/* What the plots' data files share: the axis, the names of series, which points they show. */
#include <stdlib.h>
#include <string.h>

#include "study/plots.h"

/* ---- the axis --------------------------------------------------------------------------------
 */

/* A number at every point: -1 of an affinity that is not there is one, too; null is none. */
static bool is_numeric(const struct vsg_study *s, uint32_t axis)
{
    for (uint32_t i = 0; i < s->point_count; i++) {
        char *end = NULL;
        const char *text = s->point[i].axis[axis].text;
        (void)strtod(text, &end);
        if (!s->point[i].axis[axis].is_number || end == text || *end)
            return false;
    }
    return true;
}

int vsg_plot_axis(const struct vsg_study *s)
{
    int best = VSG_PLOT_NO_AXIS;
    uint32_t most = 1;
    for (uint32_t i = 0; s->point_count > 0 && i < s->point[0].axis_count; i++) {
        uint32_t values = is_numeric(s, i) ? s->point[0].axis[i].values : 0;
        if (values > most) {
            most = values;
            best = (int)i;
        }
    }
    return best;
}

/* Whether each value of `along` goes with one value of `axis` only: then it tells no series apart.
 */
static bool follows(const struct vsg_point *p, uint32_t axis, uint32_t along)
{
    return p->axis[axis].values == 1 || p->axis[axis].group == p->axis[along].group;
}

void vsg_plot_series(struct vsg_text *t, const struct vsg_study *s, const char *policy,
                     uint32_t point, int along)
{
    const struct vsg_point *p = &s->point[point];
    vsg_text_add(t, "%s", policy);
    for (uint32_t i = 0; i < p->axis_count; i++) {
        if (along != VSG_PLOT_NO_AXIS && follows(p, i, (uint32_t)along))
            continue;
        vsg_text_add(t, ", %s ", p->axis[i].name);
        for (const char *c = p->axis[i].text; *c; c++)
            vsg_text_put(t, *c == '"' || *c == '\t' || *c == '\n' ? " " : c, 1);
    }
}

/* ---- points ----------------------------------------------------------------------------------
 */

bool vsg_plot_has_mean(const struct vsg_point_figures *p)
{
    return p->has_figures && p->figures.latency.mean_ps != VSG_NO_FIGURE;
}

bool vsg_plot_unsteady(const struct vsg_point_figures *p)
{
    return p->has_figures && p->figures.latency.count > 0 && !vsg_plot_has_mean(p);
}

static bool all_steady(const struct vsg_results *r, uint32_t point)
{
    for (uint32_t i = 0; i < r->study->policy_count; i++)
        if (!vsg_plot_has_mean(&r->point[point * r->study->policy_count + i]))
            return false;
    return true;
}

/* All points where they are few, else the last at which every policy has a mean: of a load that
 * grows, the busiest one. */
bool vsg_plot_mapped(const struct vsg_results *r, uint32_t point)
{
    if (r->point_count <= VSG_PLOT_PANELS)
        return true;
    for (uint32_t i = r->study->point_count; i-- > 0;)
        if (all_steady(r, i))
            return i == point;
    return false;
}

enum vsg_status vsg_plot_hist(const struct vsg_results *r, const struct vsg_point_figures *p,
                              struct vsg_hist **out)
{
    enum vsg_status status = VSG_OK;
    enum vsg_engine engine = VSG_ENGINE_PARALLEL;
    for (uint32_t i = 0; i < r->run_count && status == VSG_OK; i++) {
        const struct vsg_run_figures *f = &r->run[i];
        if (!f->has_figures || f->run->point != p->point || f->run->policy != p->policy ||
            !f->run->result.latency.hist)
            continue;
        if (!*out)
            engine = f->run->engine; /* of two engines, the first */
        else if (f->run->engine != engine)
            continue;
        const struct vsg_hist *hist = f->run->result.latency.hist;
        if (!*out)
            status = vsg_hist_new(vsg_hist_sub_bits(hist), out);
        if (status == VSG_OK)
            status = vsg_hist_merge(*out, hist);
    }
    return status;
}
