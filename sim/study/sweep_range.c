#include "study/sweep_range.h"

#include <stdlib.h>
#include <string.h>

#include "engine/approx.h"
#include "study/yaml_build.h"

/* ---- numbers -------------------------------------------------------------------------------- */

/* A row that reads any number of the slot's quantity. */
static struct vsg_param number_row(const struct vsg_slot *slot)
{
    struct vsg_param any = *slot->row;
    any.min = 0;
    any.max = UINT64_MAX;
    any.kind = slot->quantity == VSG_Q_RATIO                                      ? VSG_RATIO
               : slot->quantity == VSG_Q_COUNT                                    ? VSG_COUNT
               : any.kind > VSG_COUNT /* a part or element: times, all of them */ ? VSG_TIME
                                                                                  : any.kind;
    return any;
}

bool vsg_axis_number(const struct vsg_slot *slot, const struct vsg_yaml_node *node, uint64_t *value)
{
    struct vsg_param any = number_row(slot);
    struct vsg_diag unseen = VSG_DIAG_INIT;
    struct vsg_reader r = {.root = node, .diag = &unseen};

    if (node->kind != VSG_YAML_SCALAR)
        return false;
    bool ok = vsg_read_number(&r, node, &any, value);
    vsg_diag_clear(&unseen);
    return ok;
}

bool vsg_axis_may_be_number(const struct vsg_slot *slot)
{
    switch (slot->row->kind) {
    case VSG_BOOL:
    case VSG_CHOICE:
    case VSG_AFFINITY:
    case VSG_WARMUP:
    case VSG_NAME:
    case VSG_TEXT:
    case VSG_SECTION:
        return false;
    default: /* a list may be one of its elements */
        return true;
    }
}

/* ---- ranges ------------------------------------------------------------------------------------
 */

struct range {
    uint64_t from, to, steps;
    bool log;
};

static bool read_scale(struct vsg_reader *r, const struct vsg_yaml_node *node, bool *log)
{
    if (node->kind != VSG_YAML_SCALAR ||
        (strcmp(node->text, "linear") != 0 && strcmp(node->text, "log") != 0)) {
        vsg_wrong(r, node, "is linear or log");
        return false;
    }
    *log = strcmp(node->text, "log") == 0;
    return true;
}

static bool read_range(struct vsg_reader *r, const struct vsg_yaml_node *node,
                       const struct vsg_slot *slot, struct range *out)
{
    const struct vsg_param end = number_row(slot);
    const struct vsg_param steps = {
        .key = "steps", .kind = VSG_COUNT, .min = 2, .max = VSG_RANGE_STEPS_MAX};
    bool ok = true, from = false, to = false, has_steps = false;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct vsg_yaml_node *child = node->child[i];
        if (strcmp(child->key, "from") == 0) {
            from = true;
            ok &= vsg_read_number(r, child, &end, &out->from);
        } else if (strcmp(child->key, "to") == 0) {
            to = true;
            ok &= vsg_read_number(r, child, &end, &out->to);
        } else if (strcmp(child->key, "steps") == 0) {
            has_steps = true;
            ok &= vsg_read_number(r, child, &steps, &out->steps);
        } else if (strcmp(child->key, "scale") == 0) {
            ok &= read_scale(r, child, &out->log);
        } else {
            vsg_wrong_key(r, child, "unknown key; a range has from, to, steps and scale");
            ok = false;
        }
    }
    if (!from || !to || !has_steps) {
        vsg_wrong(r, node, "%s is missing; a range is {from: A, to: B, steps: N}",
                  !from ? "from"
                  : !to ? "to"
                        : "steps");
        return false;
    }
    if (ok && out->log && (out->from == 0 || out->to == 0)) {
        vsg_wrong(r, node, "a log range has no 0");
        ok = false;
    }
    return ok;
}

/* Value i of the range; see the header for the rule. */
static uint64_t value_at(const struct range *g, uint64_t i)
{
    uint64_t last = g->steps - 1;
    if (i == 0)
        return g->from;
    if (i == last)
        return g->to;
    if (g->log) {
        double a = vsg_log((double)g->from), b = vsg_log((double)g->to);
        double v = vsg_exp(a + (b - a) * (double)i / (double)last) + 0.5;
        return v < 1.8e19 ? (uint64_t)v : UINT64_MAX;
    }
    unsigned __int128 sum = (unsigned __int128)g->from * (last - i) + (unsigned __int128)g->to * i;
    return (uint64_t)((sum + last / 2) / last);
}

static struct vsg_yaml_node *new_node(struct vsg_yaml *y, const struct vsg_yaml_node *range,
                                      enum vsg_yaml_kind kind)
{
    struct vsg_yaml_node *node = vsg_yaml_alloc(y, sizeof *node);
    if (node) {
        node->kind = kind;
        node->pos = range->pos;
        node->setting = range->setting;
    }
    return node;
}

static struct vsg_yaml_node *number_node(struct vsg_yaml *y, const struct vsg_yaml_node *range,
                                         enum vsg_quantity quantity, uint64_t value)
{
    char text[VSG_QUANTITY_TEXT];
    struct vsg_yaml_node *node = new_node(y, range, VSG_YAML_SCALAR);
    vsg_quantity_format(quantity, value, text, sizeof text);
    if (node)
        node->text = vsg_yaml_strndup(y, text, strlen(text));
    return node && node->text ? node : NULL;
}

enum vsg_status vsg_range_list(struct vsg_reader *r, struct vsg_yaml *y,
                               const struct vsg_yaml_node *range, const struct vsg_slot *slot,
                               struct vsg_yaml_node **list)
{
    struct range g = {.from = 0};
    *list = NULL;
    if (!vsg_axis_may_be_number(slot)) {
        vsg_wrong(r, range, "a range is of numbers; list the values");
        return VSG_OK;
    }
    if (!read_range(r, range, slot, &g))
        return VSG_OK;
    struct vsg_yaml_node *all = new_node(y, range, VSG_YAML_LIST);
    if (!all)
        return VSG_ENOMEM;
    all->key = range->key;
    all->key_pos = range->key_pos;
    all->parent = range->parent;
    all->index = range->index;
    for (uint64_t i = 0; i < g.steps; i++) {
        uint64_t value = value_at(&g, i), before = i > 0 ? value_at(&g, i - 1) : 0;
        if (i > 0 && value == before) {
            vsg_wrong(r, range,
                      "steps %llu and %llu are the same value once rounded; take fewer steps, or "
                      "list the values",
                      (unsigned long long)i, (unsigned long long)i + 1);
            return VSG_OK;
        }
        struct vsg_yaml_node *node = number_node(y, range, slot->quantity, value);
        if (!node || vsg_yaml_append(y, all, node) != VSG_OK)
            return VSG_ENOMEM;
    }
    *list = all;
    return VSG_OK;
}
