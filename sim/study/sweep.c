#include "study/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/reader.h"
#include "study/sweep_range.h"

/* ---- which keys ------------------------------------------------------------------------- */

/* Why a row cannot be an axis, or NULL. */
static const char *cannot_sweep(const struct vsg_param *p)
{
    if (strcmp(p->key, "policies") == 0)
        return "all policies are run at every point; list them under policies";
    if (strcmp(p->key, "run.replications") == 0 || strcmp(p->key, "run.precision") == 0 ||
        strcmp(p->key, "run.max_replications") == 0)
        return "every point has the same number of replications";
    if (strcmp(p->key, "run") == 0)
        return "sweep its keys one by one, as in run.seed";
    if (p->kind == VSG_NAME || strcmp(p->key, "format") == 0 || strcmp(p->key, "description") == 0)
        return "it names things and cannot be swept";
    return p->kind == VSG_AXES ? "a sweep has no sweep" : NULL;
}

/* True when one value of the key is a list itself. */
static bool takes_lists(const struct vsg_slot *slot)
{
    return slot->parent->kind == VSG_YAML_MAP && slot->row->kind >= VSG_COUNT_LIST &&
           slot->row->kind != VSG_SECTION;
}

static bool check_list(struct vsg_reader *r, const struct vsg_yaml_node *list,
                       const struct vsg_slot *slot)
{
    bool ok = true;
    if (list->kind != VSG_YAML_LIST || list->count == 0) {
        vsg_wrong(r, list,
                  "an axis is a list of at least one value, such as [0, 1], or a range {from, to, "
                  "steps, scale}");
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (list->child[i]->kind == VSG_YAML_LIST && !takes_lists(slot)) {
            vsg_wrong(r, list->child[i], "an axis is a list of single values");
            ok = false;
        }
    return ok;
}

/* Two axes for one key, or for a distribution and a part of it. */
static bool overlaps(const struct vsg_slot *a, const struct vsg_slot *b)
{
    const struct vsg_yaml_node *now = vsg_slot_get(a);
    if (a->parent == b->parent && strcmp(a->key, b->key) == 0 && a->index == b->index)
        return true;
    for (const struct vsg_yaml_node *n = b->parent; n && now; n = n->parent)
        if (n == now)
            return true;
    return false;
}

/* ---- values as results show them ------------------------------------------------------------ */

/* A value as text: what stands in the file, maps in one line. */
static void print_node(FILE *out, const struct vsg_yaml_node *n)
{
    if (n->kind == VSG_YAML_SCALAR) {
        fputs(n->text, out);
        return;
    }
    fputc(n->kind == VSG_YAML_MAP ? '{' : '[', out);
    for (uint32_t i = 0; i < n->count; i++) {
        fputs(i ? ", " : "", out);
        if (n->kind == VSG_YAML_MAP)
            fprintf(out, "%s: ", n->child[i]->key);
        print_node(out, n->child[i]);
    }
    fputc(n->kind == VSG_YAML_MAP ? '}' : ']', out);
}

static char *text_of(const struct vsg_axis *a, const struct vsg_yaml_node *node)
{
    char number[VSG_QUANTITY_TEXT];
    uint64_t value;
    if (a->is_number && node->kind == VSG_YAML_SCALAR && strcmp(node->text, "-1") == 0)
        return strdup("-1");
    if (a->is_number && vsg_axis_number(&a->slot, node, &value))
        return strdup(vsg_quantity_decimal(a->slot.quantity, value, number, sizeof number));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    print_node(out, node);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The axis' name: the key as written, with the unit where it does not end in it already. */
static char *name_of(const struct vsg_axis *a)
{
    const char *suffix = a->is_number ? vsg_quantity_suffix(a->slot.quantity) : "";
    size_t n = strlen(a->list->key), m = strlen(suffix);
    char *name = malloc(n + m + 1);
    if (!name)
        return NULL;
    memcpy(name, a->list->key, n + 1);
    if (n < m || strcmp(name + n - m, suffix) != 0)
        memcpy(name + n, suffix, m + 1);
    return name;
}

static enum vsg_status describe(struct vsg_axis *a)
{
    a->is_number = vsg_axis_may_be_number(&a->slot);
    for (uint32_t i = 0; i < a->list->count && a->is_number; i++) {
        const struct vsg_yaml_node *node = a->list->child[i];
        uint64_t value;
        bool none = a->slot.row->kind == VSG_INDEX && node->kind == VSG_YAML_SCALAR &&
                    strcmp(node->text, "-1") == 0;
        a->is_number = none || vsg_axis_number(&a->slot, node, &value);
    }
    a->name = name_of(a);
    a->text = calloc((size_t)a->list->count + 1, sizeof *a->text);
    if (!a->name || !a->text)
        return VSG_ENOMEM;
    for (uint32_t i = 0; i < a->list->count; i++) {
        a->text[i] = text_of(a, a->list->child[i]);
        if (!a->text[i])
            return VSG_ENOMEM;
    }
    return VSG_OK;
}

struct shown {
    const char *text;
    const struct vsg_yaml_node *node;
};

static int by_text(const void *pa, const void *pb)
{
    const struct shown *a = pa, *b = pb;
    int order = strcmp(a->text, b->text);
    return order ? order : (a->node->index > b->node->index) - (a->node->index < b->node->index);
}

static enum vsg_status refuse_equal_values(struct vsg_reader *r, const struct vsg_axis *a, bool *ok)
{
    struct shown *sorted = calloc((size_t)a->list->count + 1, sizeof *sorted);
    if (!sorted)
        return VSG_ENOMEM;
    for (uint32_t i = 0; i < a->list->count; i++)
        sorted[i] = (struct shown){a->text[i], a->list->child[i]};
    qsort(sorted, a->list->count, sizeof *sorted, by_text);
    for (uint32_t i = 1; i < a->list->count; i++)
        if (strcmp(sorted[i - 1].text, sorted[i].text) == 0) {
            vsg_wrong(r, sorted[i].node, "the axis has this value twice");
            *ok = false;
        }
    free(sorted);
    return VSG_OK;
}

/* ---- the key `sweep` ----------------------------------------------------------------------------
 */

/* All that is known while the key is read. */
struct reading {
    struct vsg_reader r;
    struct vsg_yaml *yaml;
    struct vsg_sweep sweep;
    uint32_t room;
    bool ok;
};

static enum vsg_status refuse(struct reading *g)
{
    g->ok = false;
    return VSG_OK;
}

static enum vsg_status add_axis(struct reading *g, const struct vsg_axis *a)
{
    struct vsg_sweep *s = &g->sweep;
    if (s->count == g->room) {
        uint32_t room = g->room ? 2 * g->room : 8;
        struct vsg_axis *grown = realloc(s->axis, room * sizeof *grown);
        if (!grown)
            return VSG_ENOMEM;
        s->axis = grown;
        g->room = room;
    }
    s->axis[s->count] = *a;
    return describe(&s->axis[s->count++]);
}

/* Reads one axis into the group in hand. */
static enum vsg_status read_axis(struct reading *g, struct vsg_yaml_node *node)
{
    struct vsg_sweep *s = &g->sweep;
    struct vsg_axis a = {.list = node, .group = s->group_count};
    char why[300];
    enum vsg_status status =
        vsg_slot_find(g->yaml, node->key, node->setting, &a.slot, why, sizeof why);

    if (status == VSG_ENOMEM)
        return status;
    const char *reason = status != VSG_OK ? why : cannot_sweep(a.slot.row);
    if (reason) {
        vsg_wrong_key(&g->r, node, "%s", reason);
        return refuse(g);
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (overlaps(&s->axis[i].slot, &a.slot) || overlaps(&a.slot, &s->axis[i].slot)) {
            vsg_wrong_key(&g->r, node, "overlaps the axis %s", s->axis[i].list->key);
            return refuse(g);
        }
    if (node->kind == VSG_YAML_MAP) {
        status = vsg_range_list(&g->r, g->yaml, node, &a.slot, &a.list);
        if (status != VSG_OK)
            return status;
        if (!a.list)
            return refuse(g);
    } else if (!check_list(&g->r, node, &a.slot)) {
        return refuse(g);
    }
    for (uint32_t i = 0; i < a.list->count; i++)
        a.list->child[i]->key_pos = node->key_pos; /* what is said of a key is said of the axis */
    status = add_axis(g, &a);
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): g->sweep keeps the axes */
    return status == VSG_OK ? refuse_equal_values(&g->r, &s->axis[s->count - 1], &g->ok) : status;
}

/* The axes from `first` on are a group: another factor of the points. */
static void end_group(struct reading *g, const struct vsg_yaml_node *node, uint32_t first)
{
    struct vsg_sweep *s = &g->sweep;
    if (first == s->count)
        return;
    uint32_t length = s->axis[first].list->count;
    for (uint32_t i = first + 1; i < s->count; i++)
        if (s->axis[i].list->count != length) {
            vsg_wrong_key(&g->r, s->axis[i].list,
                          "has %u values, and %s, which advances with it, has %u",
                          s->axis[i].list->count, s->axis[first].list->key, length);
            g->ok = false;
        }
    if ((uint64_t)s->points * length > VSG_STUDY_RUNS_MAX) {
        vsg_wrong(&g->r, node, "makes more than %d points", VSG_STUDY_RUNS_MAX);
        g->ok = false;
        s->points = 0; /* said once */
    }
    s->points *= length;
    s->group_count++;
}

/* zip: {KEY: [...], KEY: [...]}, or a list of such groups. */
static enum vsg_status read_zip(struct reading *g, const struct vsg_yaml_node *node, bool in_list)
{
    enum vsg_status status = VSG_OK;
    uint32_t first = g->sweep.count;
    if (node->kind == VSG_YAML_LIST && !in_list && node->count > 0) {
        for (uint32_t i = 0; i < node->count && status == VSG_OK; i++)
            status = read_zip(g, node->child[i], true);
        return status;
    }
    if (node->kind != VSG_YAML_MAP || node->count == 0) {
        vsg_wrong(&g->r, node,
                  "a zip group is a map of axes that advance together, such as {machine.nodes: [2, "
                  "4], run.seed: [1, 2]}");
        return refuse(g);
    }
    for (uint32_t i = 0; i < node->count && status == VSG_OK; i++)
        status = read_axis(g, node->child[i]);
    end_group(g, node, first);
    return status;
}

/* `policies` among the axes: the scenario's. What --set gives comes before what a file says. */
static enum vsg_status move_policies(struct reading *g, struct vsg_yaml_node *node)
{
    const struct vsg_yaml_node *top = vsg_yaml_get(g->r.root, "policies");
    char where[VSG_WHERE_TEXT];
    if (top && top->setting && !node->setting)
        return VSG_OK;
    if (top && !(node->setting && !top->setting)) {
        vsg_wrong_key(&g->r, node, "policies are listed already%s; keep one of the two",
                      vsg_where(top, where, sizeof where));
        return refuse(g);
    }
    return vsg_yaml_put(g->yaml, vsg_yaml_root(g->yaml), "policies", node);
}

static enum vsg_status read_entry(struct reading *g, struct vsg_yaml_node *node)
{
    uint32_t first = g->sweep.count;
    if (strcmp(node->key, "zip") == 0)
        return read_zip(g, node, false);
    if (strcmp(node->key, "policies") == 0)
        return move_policies(g, node);
    enum vsg_status status = read_axis(g, node);
    end_group(g, node, first);
    return status;
}

enum vsg_status vsg_sweep_read(struct vsg_yaml *y, struct vsg_sweep *out, struct vsg_diag *diag)
{
    const struct vsg_yaml_node *node = vsg_yaml_get(vsg_yaml_root(y), "sweep");
    struct reading g = {.r = {.root = vsg_yaml_root(y), .diag = diag},
                        .yaml = y,
                        .sweep = {.points = 1},
                        .ok = true};
    enum vsg_status status = VSG_OK;

    if (node && vsg_expect(&g.r, node, VSG_YAML_MAP, vsg_param_child("", "sweep")))
        for (uint32_t i = 0; i < node->count && status == VSG_OK; i++)
            status = read_entry(&g, node->child[i]);
    else if (node)
        g.ok = false;
    if (status == VSG_OK && !g.ok)
        status = VSG_ESCENARIO;
    if (status != VSG_OK) {
        vsg_sweep_free(&g.sweep);
        return status;
    }
    *out = g.sweep;
    return VSG_OK;
}

void vsg_sweep_free(struct vsg_sweep *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct vsg_axis *a = &s->axis[i];
        for (uint32_t k = 0; a->text && k < a->list->count; k++)
            free(a->text[k]);
        free(a->text);
        free(a->name);
    }
    free(s->axis);
    *s = (struct vsg_sweep){0};
}

uint32_t vsg_sweep_index(const struct vsg_sweep *s, uint32_t axis, uint32_t point)
{
    for (uint32_t i = s->count - 1; s->axis[i].group > s->axis[axis].group; i--)
        if (s->axis[i].group != s->axis[i - 1].group) /* the first of its group, behind another */
            point /= s->axis[i].list->count;
    return point % s->axis[axis].list->count;
}

enum vsg_status vsg_sweep_apply(struct vsg_yaml *y, const struct vsg_sweep *s, uint32_t point)
{
    enum vsg_status status = VSG_OK;
    for (uint32_t i = 0; i < s->count && status == VSG_OK; i++)
        status =
            vsg_slot_put(y, &s->axis[i].slot, s->axis[i].list->child[vsg_sweep_index(s, i, point)]);
    return status;
}

enum vsg_status vsg_sweep_values(const struct vsg_sweep *s, uint32_t point,
                                 struct vsg_axis_value **out)
{
    struct vsg_axis_value *v = calloc((size_t)s->count + 1, sizeof *v);
    bool lost = !v;
    for (uint32_t i = 0; i < s->count && !lost; i++) {
        v[i].name = strdup(s->axis[i].name);
        v[i].text = strdup(s->axis[i].text[vsg_sweep_index(s, i, point)]);
        v[i].is_number = s->axis[i].is_number;
        v[i].values = s->axis[i].list->count;
        v[i].group = s->axis[i].group;
        lost = !v[i].name || !v[i].text;
    }
    if (!lost) {
        *out = v;
        return VSG_OK;
    }
    for (uint32_t i = 0; v && i < s->count; i++) {
        free(v[i].name);
        free(v[i].text);
    }
    free(v);
    return VSG_ENOMEM;
}
