#include "study/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/measured.h"
#include "study/suggest.h"

/* Distributions: a time, or a map of one of these with its parameters. */
static const char *const names[] = {"constant",  "uniform", "exponential",
                                    "lognormal", "gamma",   "empirical"};
enum { NAMES = sizeof names / sizeof names[0] };
static const char all_names[] = "constant, uniform, exponential, lognormal, gamma, empirical";

/* How each is written. */
static const char *const example[NAMES] = {"{constant: 20ns}",
                                           "{uniform: {low: 10ns, high: 30ns}}",
                                           "{exponential: {mean: 20ns}}",
                                           "{lognormal: {mean: 20ns, cv: 0.3}}",
                                           "{gamma: {mean: 20ns, cv: 0.3}}",
                                           "{empirical: {values: {20ns: 90, 500ns: 10}}}"};

static bool read_time_of(struct vsg_reader *r, const struct vsg_yaml_node *map, const char *key,
                         const struct vsg_param *p, uint64_t *ps)
{
    const struct vsg_yaml_node *node = vsg_yaml_get(map, key);
    if (!node) {
        vsg_wrong(r, map, "key '%s' is missing", key);
        return false;
    }
    return vsg_read_number(r, node, p, ps);
}

/* Refuses keys of a small map other than a and b (b may be NULL). */
static bool only_keys(struct vsg_reader *r, const struct vsg_yaml_node *map, const char *a,
                      const char *b)
{
    bool ok = true;
    for (uint32_t i = 0; i < map->count; i++) {
        const char *key = map->child[i]->key;
        if (strcmp(key, a) != 0 && (!b || strcmp(key, b) != 0)) {
            vsg_wrong_key(r, map->child[i], "unknown key; it takes %s%s%s", a, b ? " and " : "",
                          b ? b : "");
            ok = false;
        }
    }
    return ok;
}

static bool read_uniform(struct vsg_reader *r, const struct vsg_yaml_node *map,
                         const struct vsg_param *p, struct vsg_dist *d)
{
    bool ok = only_keys(r, map, "low", "high");
    ok &= read_time_of(r, map, "low", p, &d->low_ps);
    ok &= read_time_of(r, map, "high", p, &d->high_ps);
    if (ok && d->low_ps > d->high_ps) {
        vsg_wrong(r, vsg_yaml_get(map, "low"), "low %s is above high %s",
                  vsg_yaml_get(map, "low")->text, vsg_yaml_get(map, "high")->text);
        return false;
    }
    d->mean_ps = d->low_ps + (d->high_ps - d->low_ps) / 2;
    return ok;
}

static bool read_mean(struct vsg_reader *r, const struct vsg_yaml_node *map,
                      const struct vsg_param *p, uint64_t *mean_ps)
{
    if (!read_time_of(r, map, "mean", p, mean_ps))
        return false;
    if (*mean_ps == 0)
        vsg_wrong(r, vsg_yaml_get(map, "mean"),
                  "a mean of 0 leaves nothing to vary; write 0ns "
                  "instead of the distribution");
    return *mean_ps > 0;
}

static bool read_mean_and_cv(struct vsg_reader *r, const struct vsg_yaml_node *map,
                             const struct vsg_param *p, struct vsg_dist *d)
{
    static const struct vsg_param cv = {
        .key = "cv", .kind = VSG_RATIO, VSG_RANGE(1, 10000000), .width = 4};
    const struct vsg_yaml_node *node = vsg_yaml_get(map, "cv");
    uint64_t cv_ppm = 0;
    bool ok = only_keys(r, map, "mean", "cv");
    ok &= read_mean(r, map, p, &d->mean_ps);
    if (!node) {
        vsg_wrong(r, map, "key 'cv' is missing: standard deviation / mean, such as 0.3");
        return false;
    }
    ok &= vsg_read_number(r, node, &cv, &cv_ppm);
    d->cv_ppm = (uint32_t)cv_ppm;
    return ok;
}

/* ---- measured ones -------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const struct vsg_dist_point *x = a, *y = b;
    if (x->value_ps != y->value_ps)
        return x->value_ps < y->value_ps ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* {20ns: 90, 500ns: 10}: values and weights, in any order. */
static bool read_weights(struct vsg_reader *r, const struct vsg_yaml_node *map,
                         const struct vsg_param *p, struct vsg_dist *d)
{
    static const struct vsg_param weight = {
        .key = "weight", .kind = VSG_COUNT, VSG_RANGE(0, UINT32_MAX), .width = 8};
    bool ok = true;
    for (uint32_t i = 0; i < map->count; i++) {
        const struct vsg_yaml_node *node = map->child[i];
        struct vsg_yaml_node value = {.kind = VSG_YAML_SCALAR,
                                      .text = node->key,
                                      .pos = node->key_pos,
                                      .key_pos = node->key_pos,
                                      .key = node->key,
                                      .setting = node->setting,
                                      .parent = node->parent};
        struct vsg_dist_point *point = &d->point[i];
        ok &= vsg_read_number(r, &value, p, &point->value_ps);
        ok &= vsg_read_number(r, node, &weight, &point->at);
    }
    d->point_count = map->count;
    qsort(d->point, d->point_count, sizeof *d->point, by_value);
    uint64_t all = 0;
    for (uint32_t i = 0; i < d->point_count; i++)
        all += d->point[i].at;
    if (ok && all == 0)
        vsg_wrong(r, map, "all weights are 0");
    return ok && all > 0;
}

/* {0%: 10ns, 50%: 20ns, 100%: 90ns} */
static bool read_quantiles(struct vsg_reader *r, const struct vsg_yaml_node *map,
                           const struct vsg_param *p, struct vsg_dist *d)
{
    char why[300];
    bool ok = true;
    for (uint32_t i = 0; i < map->count; i++) {
        struct vsg_dist_point *point = &d->point[i];
        const struct vsg_yaml_node *node = map->child[i];
        if (vsg_quantity_parse(VSG_Q_SHARE, node->key, &point->at, why, sizeof why) != VSG_OK) {
            vsg_wrong_key(r, node, "%s", why);
            ok = false;
        }
        ok &= vsg_read_number(r, node, p, &point->value_ps);
        if (ok && i > 0 && (point->at <= point[-1].at || point->value_ps < point[-1].value_ps)) {
            vsg_wrong_key(r, node, "quantiles rise from one to the next, shares and values");
            ok = false;
        }
    }
    d->point_count = map->count;
    if (ok && (map->count < 2 || d->point[0].at != 0 || d->point[map->count - 1].at != 1000000)) {
        vsg_wrong(r, map, "quantiles go from 0%% to 100%%, the least and the greatest value");
        ok = false;
    }
    return ok;
}

static bool read_file(struct vsg_reader *r, const struct vsg_yaml_node *node,
                      const struct vsg_param *p, struct vsg_dist *d)
{
    char why[400];
    static const struct vsg_param text = {.kind = VSG_TEXT};
    if (!vsg_expect(r, node, VSG_YAML_SCALAR, &text))
        return false;
    switch (vsg_measured_read(node->text, p->max, d, why, sizeof why)) {
    case VSG_OK:
        return true;
    case VSG_ENOMEM:
        r->out_of_memory = true;
        return false;
    default:
        vsg_wrong(r, node, "%s", why);
        return false;
    }
}

static bool read_empirical(struct vsg_reader *r, const struct vsg_yaml_node *map,
                           const struct vsg_param *p, struct vsg_dist *d)
{
    static const struct vsg_param points = {.kind = VSG_SECTION};
    const struct vsg_yaml_node *inner = map->count == 1 ? map->child[0] : NULL;
    bool values = inner && strcmp(inner->key, "values") == 0;
    bool quantiles = inner && strcmp(inner->key, "quantiles") == 0;
    if (inner && strcmp(inner->key, "file") == 0)
        return read_file(r, inner, p, d);
    if (!values && !quantiles) {
        vsg_wrong(
            r, map,
            "takes one of values: {20ns: 90, 500ns: 10} (with weights), quantiles: {0%%: 10ns, "
            "50%%: 20ns, 100%%: 90ns} (straight lines between) and file: FILE.csv");
        return false;
    }
    if (!vsg_expect(r, inner, VSG_YAML_MAP, &points))
        return false;
    if (inner->count == 0 || inner->count > VSG_DIST_POINTS_MAX) {
        vsg_wrong(r, inner, "takes 1 to %d of them", VSG_DIST_POINTS_MAX);
        return false;
    }
    d->kind = values ? VSG_DIST_VALUES : VSG_DIST_QUANTILES;
    d->point = calloc(inner->count, sizeof *d->point);
    if (!d->point) {
        r->out_of_memory = true;
        return false;
    }
    bool ok = values ? read_weights(r, inner, p, d) : read_quantiles(r, inner, p, d);
    if (ok)
        d->mean_ps = vsg_dist_points_mean_ps(d);
    return ok;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

/* The index of the name, or NAMES after saying what is wrong. */
static int find_name(struct vsg_reader *r, const struct vsg_yaml_node *node)
{
    struct vsg_suggestion best;
    vsg_suggest_begin(&best, node->key);
    for (int i = 0; i < NAMES; i++) {
        vsg_suggest_try(&best, names[i]);
        if (strcmp(node->key, names[i]) == 0)
            return i;
    }
    vsg_wrong_key(r, node, "unknown distribution; %s%s%sone of %s",
                  best.found ? "did you mean '" : "", best.found ? best.found : "",
                  best.found ? "'? " : "", all_names);
    return NAMES;
}

static bool read_named(struct vsg_reader *r, const struct vsg_yaml_node *inner, int name,
                       const struct vsg_param *p, struct vsg_dist *d)
{
    static const enum vsg_dist_kind kind[] = {VSG_DIST_CONSTANT,    VSG_DIST_UNIFORM,
                                              VSG_DIST_EXPONENTIAL, VSG_DIST_LOGNORMAL,
                                              VSG_DIST_GAMMA,       VSG_DIST_VALUES};
    d->kind = kind[name];
    if (d->kind == VSG_DIST_CONSTANT)
        return vsg_read_number(r, inner, p, &d->mean_ps);
    if (inner->kind != VSG_YAML_MAP) {
        vsg_wrong(r, inner, "write %s", example[name]);
        return false;
    }
    switch (d->kind) {
    case VSG_DIST_UNIFORM:
        return read_uniform(r, inner, p, d);
    case VSG_DIST_EXPONENTIAL: {
        bool ok = only_keys(r, inner, "mean", NULL);
        return read_mean(r, inner, p, &d->mean_ps) && ok;
    }
    case VSG_DIST_LOGNORMAL:
    case VSG_DIST_GAMMA:
        return read_mean_and_cv(r, inner, p, d);
    default:
        return read_empirical(r, inner, p, d);
    }
}

bool vsg_read_dist(struct vsg_reader *r, const struct vsg_yaml_node *node,
                   const struct vsg_param *p, struct vsg_dist *field)
{
    struct vsg_dist d = {.kind = VSG_DIST_CONSTANT};
    bool ok = false;
    if (node->kind == VSG_YAML_SCALAR) {
        ok = vsg_read_number(r, node, p, &d.mean_ps);
    } else if (!vsg_expect(r, node, VSG_YAML_MAP, p)) {
        return false;
    } else if (node->count != 1) {
        vsg_wrong(r, node, "a distribution is one of %s", all_names);
    } else {
        int name = find_name(r, node->child[0]);
        ok = name < NAMES && read_named(r, node->child[0], name, p, &d);
    }
    if (ok) {
        vsg_dist_free(field);
        *field = d;
    } else {
        vsg_dist_free(&d);
    }
    return ok;
}

/* ---- where files are ----------------------------------------------------------------------------
 */

static bool add_folder(struct vsg_yaml_node *file, const char *folder, struct vsg_paths *paths)
{
    size_t n = strlen(folder);
    if (file->kind != VSG_YAML_SCALAR || file->text[0] == '/' || file->text[0] == '\0' || n == 0)
        return true;
    char **grown = realloc(paths->path, (paths->count + 1) * sizeof *grown), *path = NULL;
    if (!grown)
        return false;
    paths->path = grown;
    if (asprintf(&path, "%s%s%s", folder, folder[n - 1] != '/' ? "/" : "", file->text) < 0)
        return false;
    grown[paths->count++] = path;
    file->text = path;
    return true;
}

bool vsg_find_measured(struct vsg_yaml_node *node, const char *folder, struct vsg_paths *paths)
{
    bool ok = true;
    for (uint32_t i = 0; folder && i < node->count && ok; i++)
        ok = vsg_find_measured(node->child[i], folder, paths);
    struct vsg_yaml_node *file = vsg_yaml_get(node, "file");
    if (ok && folder && file && node->key && strcmp(node->key, "empirical") == 0)
        ok = add_folder(file, folder, paths);
    return ok;
}

void vsg_paths_free(struct vsg_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->path[i]);
    free(paths->path);
    *paths = (struct vsg_paths){0};
}
