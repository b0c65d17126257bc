#include "study/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "study/suggest.h"

/* ---- messages --------------------------------------------------------------------- */

static void wrong(struct vsg_reader *r, const struct vsg_yaml_node *node, bool at_key,
                  const char *format, va_list args)
{
    char path[200], text[700];
    vsnprintf(text, sizeof text, format, args);
    vsg_yaml_path(node, path, sizeof path);
    size_t n = strlen(path);
    bool said = node->setting && strncmp(node->setting, path, n) == 0 && node->setting[n] == '=';
    if (n == 0 || said)
        vsg_yaml_say(r->diag, VSG_ERROR, node, at_key, "%s", text);
    else
        vsg_yaml_say(r->diag, VSG_ERROR, node, at_key, "%s: %s", path, text);
}

void vsg_wrong(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    wrong(r, node, false, format, args);
    va_end(args);
}

void vsg_wrong_key(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    wrong(r, node, true, format, args);
    va_end(args);
}

const char *vsg_where(const struct vsg_yaml_node *node, char *buffer, size_t size)
{
    unsigned line = !node ? 0 : node->pos.line ? node->pos.line : node->key_pos.line;
    if (node && node->setting)
        snprintf(buffer, size, " (--set)");
    else if (line)
        snprintf(buffer, size, " (line %u)", line);
    else
        buffer[0] = 0;
    return buffer;
}

bool vsg_expect(struct vsg_reader *r, const struct vsg_yaml_node *node, enum vsg_yaml_kind kind,
                const struct vsg_param *p)
{
    if (node->kind == kind)
        return true;
    char choices[256];
    const char *what = vsg_param_kind_text(p);
    if (node->kind == VSG_YAML_SCALAR && !*node->text && !node->quoted)
        vsg_wrong(r, node, "has no value; %s belongs here, or remove the key", what);
    else if (node->kind == VSG_YAML_SCALAR)
        vsg_wrong(r, node, "%s belongs here, not '%.60s'", what, node->text);
    else
        vsg_wrong(r, node, "%s%s%s belongs here, not a %s", what, p->choice_count ? ": " : "",
                  vsg_param_choices_text(p, choices, sizeof choices),
                  node->kind == VSG_YAML_LIST ? "list" : "map");
    return false;
}

/* ---- sections -------------------------------------------------------------------------------- */

void vsg_read_defaults(const char *section, const struct vsg_bases *b)
{
    size_t n = strlen(section);
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        if (strncmp(p->key, section, n) != 0 || (n > 0 && p->key[n] != '.') || !p->has_default ||
            !b->base[p->base])
            continue;
        void *field = (char *)b->base[p->base] + p->offset;
        if (p->kind == VSG_DIST)
            *(struct vsg_dist *)field = vsg_dist_constant(p->dflt);
        else
            vsg_param_store(p, field, p->dflt);
    }
}

/* Keys that users of later versions or of other tools may try. */
static const char *hint_for(const char *section, const char *key)
{
    static const struct {
        const char *section, *key, *hint;
    } hints[] = {
        {"", "kernel", "this version has no kernel profiles; list the policies under policies"},
        {"", "host", "this version has no host keys: every vCPU has a CPU of its own"},
        {"", "events", "this version has no schedule; CPUs go on- and offline in machine.events"},
        {"", "objectives", "this version has no objectives"},
        {"interconnect", "credits", "this version has no credits"},
        {"interconnect", "background", "this version has no background load"},
        {"vms[]", "vsgi", "in this version every VM has direct vSGIs"},
        {"vms[]", "guest", "this version has no guest keys"},
        {"run", "threads", "threads are an option of the command, not of the scenario"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (strcmp(hints[i].section, section) == 0 && strcmp(hints[i].key, key) == 0)
            return hints[i].hint;
    return NULL;
}

static void unknown_key(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *section)
{
    struct vsg_suggestion best;
    const char *hint = hint_for(section, node->key), *elsewhere = NULL, *name;
    char path[200], known[400] = "", text[600];
    size_t used = 0;

    if (vsg_yaml_enough(r->diag))
        return;
    vsg_suggest_begin(&best, node->key);
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        const char *last = strrchr(p->key, '.');
        if (vsg_param_is_child(p, section, &name)) {
            vsg_suggest_try(&best, name);
            used +=
                (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", name);
        } else if (strcmp(last ? last + 1 : p->key, node->key) == 0 && !elsewhere) {
            elsewhere = p->key;
        }
    }
    if (hint)
        snprintf(text, sizeof text, "; %s", hint);
    else if (best.found)
        snprintf(text, sizeof text, "; did you mean '%s'?", best.found);
    else if (elsewhere)
        snprintf(text, sizeof text, "; there is %s", elsewhere);
    else
        snprintf(text, sizeof text, "; keys here are %s", known);
    vsg_yaml_path(node->parent, path, sizeof path);
    vsg_yaml_say(r->diag, VSG_ERROR, node, true, "%s%sunknown key '%.60s'%s", path,
                 *path ? ": " : "", node->key, text);
}

/* The names of the kinds that a key belongs to: "poisson or closed". */
static void kinds_text(const struct vsg_param *p, const struct vsg_param *kind, char *buffer,
                       size_t size)
{
    size_t used = 0;
    buffer[0] = 0;
    for (uint32_t i = 0; i < kind->choice_count; i++)
        if (p->kinds >> i & 1)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? " and " : "",
                                     kind->choice[i]);
}

/* True when the key may stand beside this kind. */
static bool fits_kind(struct vsg_reader *r, const struct vsg_yaml_node *node,
                      const struct vsg_param *p, const struct vsg_param *kind, uint64_t chosen,
                      const struct vsg_yaml_node *kind_node)
{
    char names[100], where[VSG_WHERE_TEXT];
    if (!p->kinds || p->kinds >> chosen & 1)
        return true;
    kinds_text(p, kind, names, sizeof names);
    vsg_wrong_key(r, node, "belongs to kind %s; kind is %s%s", names, kind->choice[chosen],
                  vsg_where(kind_node, where, sizeof where));
    return false;
}

/* False for vms[].workload, whose rows are those of workload. */
static bool has_rows(const char *section)
{
    const char *name;
    for (size_t i = 0; i < vsg_param_count(); i++)
        if (vsg_param_is_child(vsg_param_at(i), section, &name))
            return true;
    return false;
}

bool vsg_read_section(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *section,
                      const struct vsg_bases *b)
{
    const struct vsg_param *kind = vsg_param_child(section, "kind");
    const struct vsg_yaml_node *kind_node = vsg_yaml_get(node, "kind");
    bool ok = true, kind_ok = true;
    uint64_t chosen = 0;

    if (!node)
        return true;
    if (!vsg_expect(r, node, VSG_YAML_MAP, &(struct vsg_param){.kind = VSG_SECTION}))
        return false;
    if (kind) {
        void *field = (char *)b->base[kind->base] + kind->offset;
        if (kind_node)
            kind_ok = vsg_read_value(r, kind_node, kind, field);
        else if (kind->required)
            kind_ok = false; /* said below */
        ok &= kind_ok;
        chosen = vsg_param_load(kind, field);
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const struct vsg_yaml_node *child = node->child[i];
        const struct vsg_param *p = vsg_param_child(section, child->key);
        if (!p) {
            unknown_key(r, child, section);
            ok = false;
        } else if (kind && kind_ok && p != kind &&
                   !fits_kind(r, child, p, kind, chosen, kind_node)) {
            ok = false;
        } else if (p->kind == VSG_SECTION) {
            if (*section && has_rows(p->key)) /* the top's sections are read one by one */
                ok &= vsg_read_section(r, child, p->key, b);
        } else if (p != kind && b->base[p->base] && p->field && p->kind != VSG_TIME_MATRIX) {
            ok &= vsg_read_value(r, child, p, (char *)b->base[p->base] + p->offset);
        }
    }
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const char *name;
        const struct vsg_param *p = vsg_param_at(i);
        if (p->required && vsg_param_is_child(p, section, &name) && !vsg_yaml_get(node, name)) {
            vsg_wrong(r, node, "key '%s' is missing: %s", name, p->doc);
            ok = false;
        }
    }
    return ok;
}
