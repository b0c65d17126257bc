#include "study/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/reader.h"

/* ---- which keys ------------------------------------------------------------------------- */

/* Why a row cannot be an axis, or NULL. */
static const char *cannot_sweep(const struct vsg_param *p)
{
    if (strcmp(p->key, "policies") == 0)
        return "all policies are run at every point; list them under policies";
    if (strcmp(p->key, "run.replications") == 0)
        return "every point has the same number of replications";
    if (strcmp(p->key, "format") == 0 || p->kind == VSG_NAME || p->kind == VSG_TEXT)
        return "it names things and cannot be swept";
    if (p->kind > VSG_COUNT_LIST && p->kind != VSG_TIME_MATRIX && p->kind != VSG_COUNT_MATRIX &&
        p->kind != VSG_RATE_MATRIX)
        return "an axis is a key with a single value";
    return NULL;
}

static bool check_list(struct vsg_reader *r, const struct vsg_yaml_node *list)
{
    bool ok = true;
    if (strcmp(list->key, "zip") == 0) {
        vsg_wrong_key(r, list,
                      "zip groups are not in this version; an axis is a key and a list of "
                      "its values");
        return false;
    }
    if (list->kind == VSG_YAML_MAP) {
        vsg_wrong(r, list,
                  "an axis is a list of values such as [0, 1]; ranges ({from, to, steps}) "
                  "are not in this version");
        return false;
    }
    if (list->kind != VSG_YAML_LIST || list->count == 0) {
        vsg_wrong(r, list, "an axis is a list of at least one value, such as [0, 1]");
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (list->child[i]->kind == VSG_YAML_LIST) {
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

/* The number that an axis value stands for. False: it is none (a name, a distribution, or
 * an error that reading the point will report). */
static bool number_of(const struct vsg_slot *slot, const struct vsg_yaml_node *node,
                      uint64_t *value)
{
    struct vsg_param any = *slot->row;
    struct vsg_diag unseen = VSG_DIAG_INIT;
    struct vsg_reader r = {.root = node, .diag = &unseen};

    if (node->kind != VSG_YAML_SCALAR)
        return false;
    any.min = 0;
    any.max = UINT64_MAX;
    any.kind = slot->quantity == VSG_Q_RATIO                                      ? VSG_RATIO
               : slot->quantity == VSG_Q_COUNT                                    ? VSG_COUNT
               : any.kind > VSG_COUNT /* a part or element: times, all of them */ ? VSG_TIME
                                                                                  : any.kind;
    bool ok = vsg_read_number(&r, node, &any, value);
    vsg_diag_clear(&unseen);
    return ok;
}

static bool may_be_number(const struct vsg_param *p)
{
    return p->kind != VSG_BOOL && p->kind != VSG_CHOICE && p->kind != VSG_AFFINITY &&
           p->kind != VSG_WARMUP;
}

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
    if (a->is_number && number_of(&a->slot, node, &value))
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
    a->is_number = may_be_number(a->slot.row);
    for (uint32_t i = 0; i < a->list->count && a->is_number; i++) {
        const struct vsg_yaml_node *node = a->list->child[i];
        uint64_t value;
        bool none = a->slot.row->kind == VSG_INDEX && node->kind == VSG_YAML_SCALAR &&
                    strcmp(node->text, "-1") == 0;
        a->is_number = none || number_of(&a->slot, node, &value);
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

static enum vsg_status read_axis(struct vsg_reader *r, struct vsg_yaml *y,
                                 struct vsg_yaml_node *list, struct vsg_sweep *s, bool *ok)
{
    struct vsg_axis *a = &s->axis[s->count];
    char why[300];

    if (!check_list(r, list)) {
        *ok = false;
        return VSG_OK;
    }
    enum vsg_status status = vsg_slot_find(y, list->key, list->setting, &a->slot, why, sizeof why);
    if (status == VSG_ENOMEM)
        return status;
    const char *reason = status != VSG_OK ? why : cannot_sweep(a->slot.row);
    if (reason) {
        vsg_wrong_key(r, list, "%s", reason);
        *ok = false;
        return VSG_OK;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (overlaps(&s->axis[i].slot, &a->slot) || overlaps(&a->slot, &s->axis[i].slot)) {
            vsg_wrong_key(r, list, "overlaps the axis %s", s->axis[i].list->key);
            *ok = false;
            return VSG_OK;
        }
    a->list = list;
    s->count++;
    for (uint32_t i = 0; i < list->count; i++)
        list->child[i]->key_pos = list->key_pos; /* what is said of a key is said of the axis */
    status = describe(a);
    if (status == VSG_OK)
        status = refuse_equal_values(r, a, ok);
    if (status == VSG_OK && (uint64_t)s->points * list->count > VSG_STUDY_RUNS_MAX) {
        vsg_wrong(r, list, "makes more than %d points", VSG_STUDY_RUNS_MAX);
        *ok = false;
        s->points = 0; /* said once */
    }
    s->points *= list->count;
    return status;
}

enum vsg_status vsg_sweep_read(struct vsg_yaml *y, struct vsg_sweep *out, struct vsg_diag *diag)
{
    const struct vsg_yaml_node *node = vsg_yaml_get(vsg_yaml_root(y), "sweep");
    struct vsg_reader r = {.root = vsg_yaml_root(y), .diag = diag};
    struct vsg_sweep s = {.points = 1};
    enum vsg_status status = VSG_OK;
    bool ok = true;

    if (node && vsg_expect(&r, node, VSG_YAML_MAP, vsg_param_child("", "sweep"))) {
        s.axis = calloc((size_t)node->count + 1, sizeof *s.axis);
        if (!s.axis)
            return VSG_ENOMEM;
        for (uint32_t i = 0; i < node->count && status == VSG_OK; i++)
            status = read_axis(&r, y, node->child[i], &s, &ok);
    } else if (node) {
        ok = false;
    }
    if (status == VSG_OK && !ok)
        status = VSG_ESCENARIO;
    if (status != VSG_OK) {
        vsg_sweep_free(&s);
        return status;
    }
    *out = s;
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
    for (uint32_t i = s->count - 1; i > axis; i--)
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
