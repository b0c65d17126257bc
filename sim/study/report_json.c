#include "study/fields.h"

static void axes(struct vsg_json *j, const struct vsg_point *point)
{
    vsg_json_open(j, "point", '{', true);
    for (uint32_t i = 0; i < point->axis_count; i++) {
        const struct vsg_axis_value *axis = &point->axis[i];
        if (axis->is_number)
            vsg_json_raw(j, axis->name, axis->text);
        else
            vsg_json_text(j, axis->name, axis->text);
    }
    vsg_json_close(j, '}');
}

static void list(struct vsg_json *j, const struct vsg_study *s, enum vsg_field_of of,
                 const void *items, uint32_t count, size_t item_size)
{
    vsg_json_open(j, vsg_field_of_name[of], '[', false);
    for (uint32_t i = 0; i < count; i++) {
        vsg_json_open(j, NULL, '{', true);
        vsg_field_json(j, s, of, (const char *)items + i * item_size);
        vsg_json_close(j, '}');
    }
    vsg_json_close(j, ']');
}

static void figures(struct vsg_json *j, const struct vsg_study *s, const struct vsg_figures *f)
{
    vsg_field_json(j, s, VSG_OF_FIGURES, f);
    list(j, s, VSG_OF_PAIRS, f->pair, f->pair_count, sizeof *f->pair);
    list(j, s, VSG_OF_VMS, f->vm, f->vm_count, sizeof *f->vm);
    list(j, s, VSG_OF_ITS, f->its, f->its_count, sizeof *f->its);
    list(j, s, VSG_OF_LINKS, f->link, f->link_count, sizeof *f->link);
    vsg_field_json(j, s, VSG_OF_STAGES, f);
}

static void run_object(struct vsg_json *j, const struct vsg_study *s,
                       const struct vsg_run_figures *f)
{
    vsg_json_open(j, NULL, '{', false);
    axes(j, &s->point[f->run->point]);
    vsg_field_json(j, s, VSG_OF_RUN, f->run);
    if (f->has_figures)
        figures(j, s, &f->figures);
    vsg_json_close(j, '}');
}

static void point_object(struct vsg_json *j, const struct vsg_study *s,
                         const struct vsg_point_figures *p)
{
    vsg_json_open(j, NULL, '{', false);
    axes(j, &s->point[p->point]);
    vsg_field_json(j, s, VSG_OF_POINT, p);
    if (p->has_figures)
        figures(j, s, &p->figures);
    vsg_json_close(j, '}');
}

static void agreement(struct vsg_json *j, const struct vsg_agreement *a)
{
    vsg_json_open(j, "agreement", '{', false);
    if (a->known)
        vsg_json_bool(j, "equal", a->equal);
    else
        vsg_json_null(j, "equal");
    vsg_json_uint(j, "compared", a->ipis);
    vsg_json_uint(j, "runs", a->runs);
    vsg_json_text(j, "reason", a->reason);
    if (a->has_first) {
        vsg_json_open(j, "first_difference", '{', true);
        vsg_json_uint(j, "run", a->run);
        vsg_json_uint(j, "sender", a->sender);
        vsg_json_uint(j, "n", a->n);
        vsg_json_uint(j, "intent_ps", a->intent_ps);
        vsg_json_uint(j, "parallel_latency_ps", a->latency_ps[VSG_ENGINE_PARALLEL]);
        vsg_json_uint(j, "simgrid_latency_ps", a->latency_ps[VSG_ENGINE_SIMGRID]);
        vsg_json_close(j, '}');
    } else {
        vsg_json_null(j, "first_difference");
    }
    vsg_json_close(j, '}');
}

enum vsg_status vsg_report_json(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    struct vsg_json j = {.text = &t};
    vsg_json_open(&j, NULL, '{', false);
    vsg_json_text(&j, "scenario", r->study->name);
    vsg_json_text(&j, "version", r->version);
    vsg_json_open(&j, "warnings", '[', false);
    for (uint32_t i = 0; i < r->warning_count; i++)
        vsg_json_text(&j, NULL, r->warning[i]);
    vsg_json_close(&j, ']');
    vsg_json_open(&j, "runs", '[', false);
    for (uint32_t i = 0; i < r->run_count; i++)
        run_object(&j, r->study, &r->run[i]);
    vsg_json_close(&j, ']');
    vsg_json_open(&j, "points", '[', false);
    for (uint32_t i = 0; i < r->point_count; i++)
        if (vsg_results_show(r, r->point[i].n))
            point_object(&j, r->study, &r->point[i]);
    vsg_json_close(&j, ']');
    vsg_json_open(&j, "comparisons", '[', false);
    for (uint32_t i = 0; i < r->comparison_count; i++) {
        if (!vsg_results_show(r, r->comparison[i].n))
            continue;
        vsg_json_open(&j, NULL, '{', true);
        axes(&j, &r->study->point[r->comparison[i].point]);
        vsg_field_json(&j, r->study, VSG_OF_COMPARISON, &r->comparison[i]);
        vsg_json_close(&j, '}');
    }
    vsg_json_close(&j, ']');
    if (r->outcome->agreement.asked)
        agreement(&j, &r->outcome->agreement);
    vsg_json_close(&j, '}');
    vsg_text_add(&t, "\n");
    return vsg_text_take(&t, text);
}

enum vsg_status vsg_report_run_json(const struct vsg_study *study,
                                    const struct vsg_run_figures *run, char **text)
{
    struct vsg_text t = {0};
    struct vsg_json j = {.text = &t};
    run_object(&j, study, run);
    vsg_text_add(&t, "\n");
    return vsg_text_take(&t, text);
}
