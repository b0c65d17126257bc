#include "study/slot.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/suggest.h"

struct walk {
    struct vsg_yaml *yaml;
    const char *setting;
    char *why;
    size_t why_size;
    struct vsg_slot slot;
};

__attribute__((format(printf, 2, 3))) static enum vsg_status refuse(struct walk *w,
                                                                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->why, w->why_size, format, args);
    va_end(args);
    return VSG_ESCENARIO;
}

/* ---- is it a key at all? ------------------------------------------------------------------- */

static bool holds_parts(const struct vsg_param *p)
{
    return p->kind == VSG_DIST || p->kind == VSG_WARMUP;
}

static bool holds_elements(const struct vsg_param *p)
{
    return p->kind == VSG_COUNT_LIST || p->kind == VSG_TIME_MATRIX || p->kind == VSG_COUNT_MATRIX ||
           p->kind == VSG_RATE_MATRIX || p->kind == VSG_CHOICE_LIST || p->kind == VSG_SECTION_LIST;
}

/* Finds the row of a key, or the row that a part of a distribution or an element of a list
 * belongs to. */
static const struct vsg_param *find_row(const char *path, enum vsg_quantity *quantity)
{
    char key[VSG_PARAM_TEXT];
    const struct vsg_param *p = vsg_param_find(path);
    if (strlen(path) >= sizeof key)
        return NULL;
    memcpy(key, path, strlen(path) + 1);
    if (p) {
        *quantity = vsg_param_quantity(p);
        return p;
    }
    while (!p) {
        size_t n = strlen(key);
        char *end = n > 0 && key[n - 1] == ']' ? strrchr(key, '[') : strrchr(key, '.');
        if (!end)
            return NULL;
        bool element = *end == '[';
        *end = 0;
        p = vsg_param_find(key);
        if (p && !(element ? holds_elements(p) : holds_parts(p)))
            return NULL;
    }
    const char *last = strrchr(path, '.');
    *quantity = holds_parts(p) && last && strcmp(last, ".cv") == 0      ? VSG_Q_RATIO
                : holds_parts(p) && last && strcmp(last, ".sends") == 0 ? VSG_Q_COUNT
                                                                        : vsg_param_quantity(p);
    return p;
}

/* ---- walking -----------------------------------------------------------------------------------
 */

static enum vsg_status enter_vm(struct walk *w, struct vsg_yaml_node *vms, const char *name)
{
    struct vsg_suggestion best;
    vsg_suggest_begin(&best, name);
    for (uint32_t i = 0; i < vms->count; i++) {
        const struct vsg_yaml_node *node = vsg_yaml_get(vms->child[i], "name");
        if (!node || node->kind != VSG_YAML_SCALAR)
            continue;
        if (strcmp(node->text, name) == 0) {
            w->slot.parent = vms;
            w->slot.index = i;
            return VSG_OK;
        }
        vsg_suggest_try(&best, node->text);
    }
    if (best.found)
        return refuse(w, "no VM is named '%.64s'; did you mean '%s'?", name, best.found);
    return refuse(w, "no VM is named '%.64s'", name);
}

/* Makes the value of the slot so far the parent of what comes next. */
static enum vsg_status enter(struct walk *w, enum vsg_yaml_kind kind)
{
    struct vsg_yaml_node *node = vsg_slot_get(&w->slot);
    char path[200];

    bool absent = !node || (node->kind == VSG_YAML_SCALAR && !node->quoted && !*node->text);
    if (absent && kind == VSG_YAML_MAP && w->slot.parent->kind == VSG_YAML_MAP) {
        node = vsg_yaml_add_map(w->yaml, w->slot.parent, w->slot.key, w->setting);
        if (!node)
            return VSG_ENOMEM;
    } else if (absent) {
        return refuse(w, "the file has no list there");
    } else if (node->kind != kind) {
        return refuse(w, "%s is a %s here", vsg_yaml_path(node, path, sizeof path),
                      node->kind == VSG_YAML_SCALAR ? "single value"
                      : node->kind == VSG_YAML_LIST ? "list; name its entry by [number]"
                                                    : "map");
    }
    w->slot.parent = node;
    return VSG_OK;
}

/* Reads "[12]" and moves into that entry; *s is moved behind it. */
static enum vsg_status step_index(struct walk *w, const char **s)
{
    char *end;
    if (!isdigit((unsigned char)(*s)[1]))
        return refuse(w, "a number belongs between [ and ]");
    unsigned long index = strtoul(*s + 1, &end, 10);
    if (*end != ']')
        return refuse(w, "a number belongs between [ and ]");
    *s = end + 1;
    enum vsg_status status = enter(w, VSG_YAML_LIST);
    if (status != VSG_OK)
        return status;
    if (index >= w->slot.parent->count)
        return refuse(w, "entry [%lu] does not exist; the list has %u", index,
                      w->slot.parent->count);
    w->slot.index = (uint32_t)index;
    return VSG_OK;
}

static enum vsg_status step_name(struct walk *w, const char **s, bool first)
{
    char name[VSG_PARAM_TEXT];
    size_t n = strcspn(*s, ".[");
    if (n == 0)
        return refuse(w, "a key is missing in front of '%.10s'", *s);
    snprintf(name, sizeof name, "%.*s", (int)n, *s);
    *s += n;
    const struct vsg_yaml_node *here = first ? NULL : vsg_slot_get(&w->slot);
    if (here && here->kind == VSG_YAML_LIST && here->key && strcmp(here->key, "vms") == 0)
        return enter_vm(w, vsg_slot_get(&w->slot), name);
    enum vsg_status status = first ? VSG_OK : enter(w, VSG_YAML_MAP);
    if (status == VSG_OK)
        memcpy(w->slot.key, name, strlen(name) + 1);
    return status;
}

enum vsg_status vsg_slot_find(struct vsg_yaml *y, const char *path, const char *setting,
                              struct vsg_slot *out, char *why, size_t why_size)
{
    struct walk w = {.yaml = y, .setting = setting, .why = why, .why_size = why_size};
    const char *s = path;

    w.slot.row = find_row(path, &w.slot.quantity);
    if (!w.slot.row) {
        const char *near = strlen(path) < VSG_PARAM_TEXT ? vsg_param_suggest(path) : NULL;
        return refuse(&w, "unknown key%s%s%s", near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "");
    }
    w.slot.parent = vsg_yaml_root(y);
    if (w.slot.parent->kind != VSG_YAML_MAP)
        return refuse(&w, "the file is not a map of keys");
    for (bool first = true; *s; first = false) {
        enum vsg_status status;
        if (*s == '[' && !first) {
            status = step_index(&w, &s);
        } else {
            s += !first && *s == '.';
            status = step_name(&w, &s, first);
        }
        if (status != VSG_OK)
            return status;
    }
    *out = w.slot;
    return VSG_OK;
}

struct vsg_yaml_node *vsg_slot_get(const struct vsg_slot *slot)
{
    if (slot->parent->kind == VSG_YAML_LIST)
        return slot->index < slot->parent->count ? slot->parent->child[slot->index] : NULL;
    return vsg_yaml_get(slot->parent, slot->key);
}

enum vsg_status vsg_slot_put(struct vsg_yaml *y, const struct vsg_slot *slot,
                             struct vsg_yaml_node *value)
{
    if (slot->parent->kind == VSG_YAML_MAP)
        return vsg_yaml_put(y, slot->parent, slot->key, value);
    value->key = NULL;
    value->parent = slot->parent;
    value->index = slot->index;
    slot->parent->child[slot->index] = value;
    return VSG_OK;
}

/* An axis, "sweep.KEY": its key has dots of its own. */
static enum vsg_status find_axis(struct walk *w, const char *key)
{
    if (w->slot.parent->kind != VSG_YAML_MAP)
        return refuse(w, "the file is not a map of keys");
    memcpy(w->slot.key, "sweep", sizeof "sweep");
    enum vsg_status status = enter(w, VSG_YAML_MAP);
    if (status != VSG_OK)
        return status;
    if (strlen(key) >= sizeof w->slot.key)
        return refuse(w, "unknown key");
    memcpy(w->slot.key, key, strlen(key) + 1);
    return VSG_OK;
}

enum vsg_status vsg_apply_setting(struct vsg_yaml *y, const char *key, const char *value,
                                  const char *text, struct vsg_diag *diag)
{
    struct vsg_yaml_node *node = NULL;
    char why[300] = "";
    struct walk w = {.yaml = y,
                     .setting = text,
                     .slot = {.parent = vsg_yaml_root(y)},
                     .why = why,
                     .why_size = sizeof why};
    enum vsg_status status = vsg_yaml_parse_value(y, value, text, &node, diag);

    if (status != VSG_OK)
        return status;
    if (strncmp(key, "sweep.", 6) == 0)
        status = find_axis(&w, key + 6);
    else
        status = vsg_slot_find(y, key, text, &w.slot, why, sizeof why);
    if (status == VSG_ESCENARIO)
        vsg_diag_error(diag, "--set %.200s: %s", text, why);
    return status == VSG_OK ? vsg_slot_put(y, &w.slot, node) : status;
}
