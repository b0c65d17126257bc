#include "study/study.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/reader.h"
#include "study/scenario_parts.h"
#include "study/slot.h"
#include "study/sweep.h"

/* A study keeps the config of every point; this bounds its memory to about 2 GiB. */
#define CPUS_MAX (UINT64_C(1) << 26)
enum { WRONG_POINTS_MAX = 20 }; /* points with errors, after which the rest is not looked at */

struct load {
    struct vsg_yaml *yaml;
    struct vsg_sweep sweep;
    struct vsg_study study;
    struct vsg_diag *diag;
    const char *folder;
    char *platform_path; /* that the tree's node points to */
    struct vsg_paths measured;
    char **setting; /* "KEY=VALUE" texts that the tree's nodes point to */
    size_t setting_count;
    uint64_t cpus;
    uint32_t wrong_points;
};

static const char with[] = " (with ";

/* True when the diag has this item, perhaps said of another point. */
static bool has_item(const struct vsg_diag *d, const struct vsg_diag_item *item)
{
    size_t n = strlen(item->text);
    for (size_t i = 0; i < d->count; i++) {
        const char *text = d->item[i].text;
        if (d->item[i].pos.line == item->pos.line && d->item[i].pos.column == item->pos.column &&
            strncmp(text, item->text, n) == 0 && (!text[n] || strncmp(text + n, with, 6) == 0))
            return true;
    }
    return false;
}

/* " (with machine.nodes = 1)": the point that an error of a later point comes from. */
static void point_text(const struct vsg_sweep *s, uint32_t point, char *buffer, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; i < s->count && used + 1 < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s = %s", i ? ", " : with,
                                 s->axis[i].name, s->axis[i].text[vsg_sweep_index(s, i, point)]);
    if (used + 1 < size)
        snprintf(buffer + used, size - used, ")");
}

/* Joins the errors of a point to those of the points before it, each once. */
static void join_errors(struct load *l, struct vsg_diag *found, uint32_t point)
{
    char text[300] = "";
    if (found->count > 0)
        l->wrong_points++;
    if (point > 0)
        point_text(&l->sweep, point, text, sizeof text);
    for (size_t i = 0; i < found->count; i++)
        if (point == 0 || !has_item(l->diag, &found->item[i]))
            vsg_diag_add(l->diag, found->item[i].severity, &found->item[i].pos, "%s%s",
                         found->item[i].text, text);
    l->diag->lost += found->lost;
}

/* A key without influence at one point may have some at another: only warnings of all
 * points stay. */
static void join_warnings(struct vsg_diag *all, struct vsg_diag *found, uint32_t point)
{
    size_t kept = 0;
    if (point == 0) {
        *all = *found;
        *found = (struct vsg_diag)VSG_DIAG_INIT;
        return;
    }
    for (size_t i = 0; i < all->count; i++)
        if (has_item(found, &all->item[i]))
            all->item[kept++] = all->item[i];
        else
            free(all->item[i].text);
    all->count = kept;
}

/* Takes what is common to all points from the first. */
static enum vsg_status begin_study(struct load *l, struct vsg_scenario *s)
{
    struct vsg_study *study = &l->study;
    uint32_t replications =
        s->study.precision_ppm ? s->study.max_replications : s->study.replications;
    uint64_t runs = (uint64_t)l->sweep.points * s->policy_count * replications;

    if (runs > VSG_STUDY_RUNS_MAX) {
        vsg_diag_error(l->diag,
                       "%llu runs (%u points, %u policies, %u replications); at most %d in a study",
                       (unsigned long long)runs, l->sweep.points, s->policy_count, replications,
                       VSG_STUDY_RUNS_MAX);
        return VSG_ESCENARIO;
    }
    study->name = strdup(s->config.name);
    study->description = strdup(s->study.description);
    memcpy(study->policy, s->policy, sizeof study->policy);
    study->policy_count = s->policy_count;
    study->replications = replications;
    study->precision_ppm = s->study.precision_ppm;
    study->has_guests = s->has_guests;
    study->point = calloc(l->sweep.points, sizeof *study->point);
    return study->name && study->description && study->point ? VSG_OK : VSG_ENOMEM;
}

static enum vsg_status add_point(struct load *l, struct vsg_scenario *s, uint32_t index)
{
    enum vsg_status status = VSG_OK;
    if (l->study.policy_count == 0)
        status = begin_study(l, s);
    if (status != VSG_OK)
        return status;
    l->cpus += s->config.machine.cpu_count;
    if (l->cpus > CPUS_MAX) {
        vsg_diag_error(l->diag,
                       "%u points with machines of %u CPUs do not fit into memory; sweep in parts",
                       l->sweep.points, s->config.machine.cpu_count);
        return VSG_ESCENARIO;
    }
    struct vsg_point *p = &l->study.point[l->study.point_count++];
    char *matters = vsg_scenario_write_what_matters(s);
    p->resolved_yaml = vsg_scenario_write(s);
    p->identity = (struct vsg_identity)VSG_IDENTITY_INIT;
    if (matters)
        vsg_identity_add(&p->identity, matters, strlen(matters));
    else
        status = VSG_ENOMEM;
    free(matters);
    p->config = s->config;
    s->config = (struct vsg_config){0};
    if (!p->resolved_yaml || status != VSG_OK)
        return VSG_ENOMEM;
    status = vsg_sweep_values(&l->sweep, index, &p->axis);
    if (status == VSG_OK)
        p->axis_count = l->sweep.count;
    return status;
}

/* Reads one point. Errors are in l->diag then, and the status is VSG_OK, so that further
 * points are looked at. */
static enum vsg_status load_point(struct load *l, uint32_t index)
{
    struct vsg_diag found = VSG_DIAG_INIT, warnings = VSG_DIAG_INIT;
    struct vsg_scenario s = {0};
    enum vsg_status status = vsg_sweep_apply(l->yaml, &l->sweep, index);

    if (status == VSG_OK)
        status = vsg_scenario_read(vsg_yaml_root(l->yaml), &s, &found, &warnings);
    join_errors(l, &found, index);
    if (status == VSG_OK && vsg_diag_count(l->diag, VSG_ERROR) == 0) {
        join_warnings(&l->study.warnings, &warnings, index);
        status = add_point(l, &s, index);
    } else if (status == VSG_ESCENARIO) {
        status = VSG_OK;
    }
    vsg_scenario_free(&s);
    vsg_diag_clear(&found);
    vsg_diag_clear(&warnings);
    return status;
}

static enum vsg_status apply_settings(struct load *l, const struct vsg_setting *setting,
                                      size_t count)
{
    l->setting = calloc(count + 1, sizeof *l->setting);
    if (!l->setting)
        return VSG_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        if (asprintf(&l->setting[i], "%s=%s", setting[i].key, setting[i].value) < 0)
            return VSG_ENOMEM;
        l->setting_count = i + 1;
        enum vsg_status status =
            vsg_apply_setting(l->yaml, setting[i].key, setting[i].value, l->setting[i], l->diag);
        if (status == VSG_ENOMEM)
            return status;
    }
    return VSG_OK;
}

static enum vsg_status load_all(struct load *l, const char *text, size_t size,
                                const struct vsg_setting *setting, size_t setting_count)
{
    enum vsg_status status = vsg_yaml_parse(text, size, &l->yaml, l->diag);
    if (status == VSG_OK &&
        (!vsg_find_platform(vsg_yaml_root(l->yaml), l->folder, &l->platform_path) ||
         !vsg_find_measured(vsg_yaml_root(l->yaml), l->folder, &l->measured)))
        status = VSG_ENOMEM;
    if (status == VSG_OK)
        status = apply_settings(l, setting, setting_count);
    if (status != VSG_OK)
        return status;
    status = vsg_sweep_read(l->yaml, &l->sweep, l->diag);
    if (status == VSG_ESCENARIO)
        l->sweep.points = 1; /* the rest of the file may be wrong too: say so at once */
    else if (status != VSG_OK)
        return status;
    status = VSG_OK;
    for (uint32_t i = 0; i < l->sweep.points && status == VSG_OK; i++)
        if (l->wrong_points < WRONG_POINTS_MAX)
            status = load_point(l, i);
    return status;
}

enum vsg_status vsg_study_load(const char *text, size_t size, const struct vsg_setting *setting,
                               size_t setting_count, struct vsg_study *out, struct vsg_diag *diag)
{
    return vsg_study_load_in(NULL, text, size, setting, setting_count, out, diag);
}

enum vsg_status vsg_study_load_in(const char *folder, const char *text, size_t size,
                                  const struct vsg_setting *setting, size_t setting_count,
                                  struct vsg_study *out, struct vsg_diag *diag)
{
    struct vsg_diag found = VSG_DIAG_INIT; /* apart, to be sorted: diag may hold more */
    struct load l = {.diag = &found, .folder = folder};
    enum vsg_status status = load_all(&l, text, size, setting, setting_count);

    vsg_diag_sort(&found);
    vsg_diag_sort(&l.study.warnings);
    if (status == VSG_OK && vsg_diag_count(&found, VSG_ERROR) > 0)
        status = VSG_ESCENARIO;
    for (size_t i = 0; i < found.count; i++)
        vsg_diag_add(diag, found.item[i].severity, &found.item[i].pos, "%s", found.item[i].text);
    diag->lost += found.lost;
    vsg_diag_clear(&found);
    if (status == VSG_OK)
        *out = l.study;
    else
        vsg_study_free(&l.study);
    vsg_sweep_free(&l.sweep);
    vsg_yaml_free(l.yaml);
    free(l.platform_path);
    vsg_paths_free(&l.measured);
    for (size_t i = 0; i < l.setting_count; i++)
        free(l.setting[i]);
    free(l.setting);
    return status;
}

void vsg_study_free(struct vsg_study *s)
{
    for (uint32_t i = 0; i < s->point_count; i++) {
        struct vsg_point *p = &s->point[i];
        for (uint32_t k = 0; k < p->axis_count; k++) {
            free(p->axis[k].name);
            free(p->axis[k].text);
        }
        free(p->axis);
        free(p->resolved_yaml);
        vsg_config_free(&p->config);
    }
    free(s->point);
    free(s->name);
    free(s->description);
    vsg_diag_clear(&s->warnings);
    *s = (struct vsg_study){0};
}

uint32_t vsg_study_run_count(const struct vsg_study *s)
{
    return s->point_count * s->policy_count * s->replications;
}

void vsg_study_run_coordinates(const struct vsg_study *s, uint32_t index, uint32_t *point,
                               uint32_t *policy, uint32_t *replication)
{
    assert(index < vsg_study_run_count(s));
    *replication = index % s->replications;
    *policy = index / s->replications % s->policy_count;
    *point = index / s->replications / s->policy_count;
}

void vsg_identity_add(struct vsg_identity *id, const void *bytes, size_t size)
{
    /* The prime 2^88 + 0x13b: http://www.isthe.com/chongo/tech/comp/fnv/ */
    const unsigned __int128 prime = ((unsigned __int128)1 << 88) + 0x13b;
    unsigned __int128 hash = (unsigned __int128)id->part[1] << 64 | id->part[0];
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * prime;
    id->part[0] = (uint64_t)hash;
    id->part[1] = (uint64_t)(hash >> 64);
}

bool vsg_config_needs_all_policies(const struct vsg_config *c)
{
    bool open = false;
    for (uint32_t i = 0; i < c->vm_count; i++) {
        enum vsg_workload_kind kind = c->vm[i].workload.kind;
        open |= kind != VSG_WORKLOAD_IPI_HW && kind != VSG_WORKLOAD_PAIRS &&
                kind != VSG_WORKLOAD_CLOSED;
    }
    return open && c->warmup.kind == VSG_WARMUP_AUTO;
}

enum vsg_status vsg_study_run_config(const struct vsg_study *s, uint32_t index,
                                     struct vsg_config *out)
{
    uint32_t point, policy, replication;
    vsg_study_run_coordinates(s, index, &point, &policy, &replication);
    enum vsg_status status = vsg_config_copy(&s->point[point].config, out);
    if (status != VSG_OK)
        return status;
    out->policy = s->policy[policy];
    out->replication = replication;
    memcpy(out->compared, s->policy, sizeof out->compared);
    out->compared_count = s->policy_count;
    return VSG_OK;
}
