#include <string.h>

#include "study/fields.h"

/* RFC 4180: quotes only where the text needs them. */
static void cell_text(struct vsg_text *t, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        vsg_text_add(t, "%s", text);
        return;
    }
    vsg_text_put(t, "\"", 1);
    for (; *text; text++) {
        if (*text == '"')
            vsg_text_put(t, "\"", 1);
        vsg_text_put(t, text, 1);
    }
    vsg_text_put(t, "\"", 1);
}

static void cell(struct vsg_text *t, const struct vsg_value *v)
{
    switch (v->kind) {
    case VSG_VALUE_NULL:
        break;
    case VSG_VALUE_UINT:
        vsg_text_add(t, "%llu", (unsigned long long)v->uint);
        break;
    case VSG_VALUE_DECIMAL:
        vsg_text_decimal(t, v->decimal, v->decimals);
        break;
    case VSG_VALUE_TEXT:
        cell_text(t, v->text);
        break;
    case VSG_VALUE_BOOL:
        vsg_text_add(t, v->uint ? "true" : "false");
        break;
    }
}

static bool is_column(const struct vsg_field *f)
{
    return f->row.column != NULL;
}

/* What a column reads from; NULL: the run has no figures, the cell stays empty. */
static const void *base_of(const struct vsg_run_figures *run, const struct vsg_field *f)
{
    if (f->of == VSG_OF_RUN)
        return run->run;
    return run->has_figures ? &run->figures : NULL;
}

static void row(struct vsg_text *t, const struct vsg_study *s, const struct vsg_run_figures *run)
{
    const struct vsg_point *point = &s->point[run->run->point];
    bool first = true;
    for (size_t i = 0; i < vsg_field_count; i++) {
        if (!is_column(&vsg_fields[i]))
            continue;
        struct vsg_value v = {.kind = VSG_VALUE_NULL};
        const void *base = base_of(run, &vsg_fields[i]);
        if (base)
            vsg_field_value(&vsg_fields[i], s, base, &v);
        if (!first)
            vsg_text_put(t, ",", 1);
        cell(t, &v);
        for (uint32_t k = 0; first && k < point->axis_count; k++) {
            vsg_text_put(t, ",", 1);
            cell_text(t, point->axis[k].text);
        }
        first = false;
    }
    vsg_text_put(t, "\n", 1);
}

/* The index, the axes, then all else in the order of the table. */
static void header(struct vsg_text *t, const struct vsg_study *s)
{
    bool first = true;
    for (size_t i = 0; i < vsg_field_count; i++) {
        if (!is_column(&vsg_fields[i]))
            continue;
        vsg_text_add(t, "%s%s", first ? "" : ",", vsg_fields[i].row.column);
        for (uint32_t k = 0; first && s->point_count > 0 && k < s->point[0].axis_count; k++) {
            vsg_text_put(t, ",", 1);
            cell_text(t, s->point[0].axis[k].name);
        }
        first = false;
    }
    vsg_text_put(t, "\n", 1);
}

enum vsg_status vsg_report_csv(const struct vsg_results *r, char **text)
{
    struct vsg_text t = {0};
    header(&t, r->study);
    for (uint32_t i = 0; i < r->run_count; i++)
        row(&t, r->study, &r->run[i]);
    return vsg_text_take(&t, text);
}

enum vsg_status vsg_report_samples_csv(const struct vsg_results *r, bool with_header, char **text)
{
    struct vsg_text t = {0};
    if (with_header) {
        vsg_text_add(&t, "scenario,run,engine,sender,n,target,its,intent_ps,latency_ps");
        for (int i = 0; i < VSG_STAGE_COUNT; i++)
            vsg_text_add(&t, ",%s_ps", vsg_stage_name[i]);
        vsg_text_put(&t, "\n", 1);
    }
    for (uint32_t i = 0; i < r->run_count; i++) {
        const struct vsg_run *run = r->run[i].run;
        for (size_t k = 0; run->state == VSG_RUN_DONE && k < run->result.sample_count; k++) {
            const struct vsg_sample *s = &run->result.sample[k];
            cell_text(&t, r->study->name);
            vsg_text_add(&t, ",%u,%s,%u,%llu,%u,", run->index, vsg_engine_name[run->engine],
                         s->sender, (unsigned long long)s->n, s->target);
            if (s->its < run->result.its_count)
                vsg_text_add(&t, "%u", run->result.its[s->its].id);
            vsg_text_add(&t, ",%llu,%llu", (unsigned long long)s->intent_ps,
                         (unsigned long long)s->latency_ps);
            for (int stage = 0; stage < VSG_STAGE_COUNT; stage++)
                vsg_text_add(&t, ",%llu", (unsigned long long)s->stage_ps[stage]);
            vsg_text_put(&t, "\n", 1);
        }
    }
    return vsg_text_take(&t, text);
}
