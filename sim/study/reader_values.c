#include "study/reader.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/suggest.h"

enum { NAME_BYTES_MAX = 64 };

/* ---- single values --------------------------------------------------------------------- */

static bool in_range(struct vsg_reader *r, const struct vsg_yaml_node *node,
                     const struct vsg_param *p, uint64_t value)
{
    char limit[VSG_QUANTITY_TEXT];
    enum vsg_quantity q = vsg_param_quantity(p);
    if (value < p->min)
        vsg_wrong(r, node, "%.60s is below %s", node->text,
                  vsg_quantity_format(q, p->min, limit, sizeof limit));
    else if (value > p->max)
        vsg_wrong(r, node, "%.60s is above %s", node->text,
                  vsg_quantity_format(q, p->max, limit, sizeof limit));
    return value >= p->min && value <= p->max;
}

static bool read_quantity(struct vsg_reader *r, const struct vsg_yaml_node *node,
                          const struct vsg_param *p, enum vsg_quantity q, uint64_t *value)
{
    char why[300], highest[VSG_QUANTITY_TEXT], with_unit[64];
    const char *text = node->text;

    if (!vsg_expect(r, node, VSG_YAML_SCALAR, p))
        return false;
    if (node->quoted && !*vsg_quantity_units(q)) {
        vsg_wrong(r, node, "write the number without quotes");
        return false;
    }
    /* store_bytes: 8 says its unit in the key. */
    size_t key_size = strlen(p->key);
    if (q == VSG_Q_BYTES && key_size > 6 && strcmp(p->key + key_size - 6, "_bytes") == 0 && *text &&
        strlen(text) < 32 && text[strspn(text, "0123456789")] == 0) {
        snprintf(with_unit, sizeof with_unit, "%sB", text);
        text = with_unit;
    }
    enum vsg_status status = vsg_quantity_parse(q, text, value, why, sizeof why);
    if (status == VSG_OK)
        return true;
    bool too_large = status == VSG_ERANGE && strstr(why, "too large");
    if (too_large)
        vsg_wrong(r, node, "%s; at most %s", why,
                  vsg_quantity_format(vsg_param_quantity(p), p->max, highest, sizeof highest));
    else
        vsg_wrong(r, node, "%s", why);
    return false;
}

bool vsg_read_number(struct vsg_reader *r, const struct vsg_yaml_node *node,
                     const struct vsg_param *p, uint64_t *value)
{
    uint64_t v;
    if (!read_quantity(r, node, p, vsg_param_quantity(p), &v) || !in_range(r, node, p, v))
        return false;
    *value = v;
    return true;
}

static bool read_index(struct vsg_reader *r, const struct vsg_yaml_node *node,
                       const struct vsg_param *p, int32_t *value)
{
    uint64_t v;
    if (node->kind == VSG_YAML_SCALAR && !node->quoted && strcmp(node->text, "-1") == 0) {
        *value = -1;
        return true;
    }
    if (!vsg_read_number(r, node, p, &v))
        return false;
    *value = (int32_t)v;
    return true;
}

static bool read_bool(struct vsg_reader *r, const struct vsg_yaml_node *node,
                      const struct vsg_param *p, bool *value)
{
    if (!vsg_expect(r, node, VSG_YAML_SCALAR, p))
        return false;
    bool yes = strcmp(node->text, "true") == 0;
    if (node->quoted || (!yes && strcmp(node->text, "false") != 0)) {
        vsg_wrong(r, node, "'%.60s' is not a boolean; write true or false%s", node->text,
                  node->quoted ? " without quotes" : "");
        return false;
    }
    *value = yes;
    return true;
}

bool vsg_read_choice(struct vsg_reader *r, const struct vsg_yaml_node *node,
                     const struct vsg_param *p, uint64_t *value)
{
    struct vsg_suggestion best;
    char choices[256];

    if (!vsg_expect(r, node, VSG_YAML_SCALAR, p))
        return false;
    vsg_suggest_begin(&best, node->text);
    for (uint32_t i = 0; i < p->choice_count; i++) {
        if (strcmp(p->choice[i], node->text) == 0) {
            *value = i;
            return true;
        }
        vsg_suggest_try(&best, p->choice[i]);
    }
    vsg_param_choices_text(p, choices, sizeof choices);
    if (best.found)
        vsg_wrong(r, node, "unknown '%.60s'; did you mean '%s'? (one of %s)", node->text,
                  best.found, choices);
    else
        vsg_wrong(r, node, "unknown '%.60s'; one of %s", node->text, choices);
    return false;
}

static bool read_affinity(struct vsg_reader *r, const struct vsg_yaml_node *node,
                          const struct vsg_param *p, uint32_t *value)
{
    uint32_t affinity = 0;
    const char *s = node->text;

    if (!vsg_expect(r, node, VSG_YAML_SCALAR, p))
        return false;
    for (int byte = 0; byte < 4 && s; byte++) {
        unsigned v = 0, digits = 0;
        for (; isdigit((unsigned char)*s) && digits < 4; digits++)
            v = v * 10 + (unsigned)(*s++ - '0');
        bool end = byte == 3;
        s = digits == 0 || digits > 3 || v > 255 || *s != (end ? '\0' : '.') ? NULL : s + !end;
        affinity = affinity << 8 | v;
    }
    if (!s) {
        vsg_wrong(r, node,
                  "'%.60s' is not an affinity; write four bytes a3.a2.a1.a0, each 0 to 255",
                  node->text);
        return false;
    }
    *value = affinity;
    return true;
}

static bool store_text(struct vsg_reader *r, const char *text, char **field)
{
    char *copy = strdup(text);
    if (!copy) {
        r->out_of_memory = true;
        return false;
    }
    free(*field);
    *field = copy;
    return true;
}

static bool read_name(struct vsg_reader *r, const struct vsg_yaml_node *node,
                      const struct vsg_param *p, char **field)
{
    if (!vsg_expect(r, node, VSG_YAML_SCALAR, p))
        return false;
    const char *text = node->text;
    if (!*text) {
        vsg_wrong(r, node, "a name cannot be empty");
        return false;
    }
    if (strlen(text) > NAME_BYTES_MAX) {
        vsg_wrong(r, node, "a name has at most %d bytes, this one %zu", NAME_BYTES_MAX,
                  strlen(text));
        return false;
    }
    for (const char *s = text; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '-' && *s != '_' && (unsigned char)*s < 0x80) {
            vsg_wrong(r, node, "'%.64s': a name has letters, digits, '-' and '_', no '%c'", text,
                      *s);
            return false;
        }
    return store_text(r, text, field);
}

/* ---- warm-up ------------------------------------------------------------------------------ */

static bool read_warmup(struct vsg_reader *r, const struct vsg_yaml_node *node,
                        const struct vsg_param *p, struct vsg_warmup_config *field)
{
    static const struct vsg_param sends = {
        .key = "sends", .kind = VSG_COUNT, VSG_RANGE(0, UINT32_MAX), .width = 8};
    struct vsg_warmup_config w = {.kind = VSG_WARMUP_AUTO};
    uint64_t v = 0;

    if (node->kind == VSG_YAML_MAP) {
        const struct vsg_yaml_node *count = vsg_yaml_get(node, "sends");
        if (!count || node->count != 1) {
            vsg_wrong(r, node, "write auto, 5%%, 10us or {sends: 100}");
            return false;
        }
        w.kind = VSG_WARMUP_SENDS;
        if (!vsg_read_number(r, count, &sends, &w.count))
            return false;
    } else if (!vsg_expect(r, node, VSG_YAML_SCALAR, p)) {
        return false;
    } else if (strchr(node->text, '%')) {
        w.kind = VSG_WARMUP_SHARE;
        if (!read_quantity(r, node, p, VSG_Q_SHARE, &v))
            return false;
        if (v > 500000) {
            vsg_wrong(r, node, "%s is above 50%%: less than half a run would be counted",
                      node->text);
            return false;
        }
        w.share_ppm = (uint32_t)v;
    } else if (strcmp(node->text, "auto") != 0) {
        if (!isdigit((unsigned char)node->text[0]) && node->text[0] != '-') {
            vsg_wrong(r, node, "unknown '%.60s'; write auto, 5%%, 10us or {sends: 100}",
                      node->text);
            return false;
        }
        w.kind = VSG_WARMUP_TIME;
        if (!vsg_read_number(r, node, p, &w.time_ps))
            return false;
    }
    *field = w;
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool read_count_list(struct vsg_reader *r, const struct vsg_yaml_node *node,
                            const struct vsg_param *p, char *base)
{
    uint32_t **list = (uint32_t **)(void *)(base + p->offset);
    uint32_t *count = (uint32_t *)(void *)(base + p->count_offset);
    bool ok = true;

    if (!vsg_expect(r, node, VSG_YAML_LIST, p))
        return false;
    uint32_t *values = calloc(node->count + 1, sizeof *values);
    if (!values) {
        r->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        uint64_t v = 0;
        ok &= vsg_read_number(r, node->child[i], p, &v);
        values[i] = (uint32_t)v;
    }
    if (!ok) {
        free(values);
        return false;
    }
    free(*list);
    *list = values;
    *count = node->count;
    return true;
}

static bool read_text_list(struct vsg_reader *r, const struct vsg_yaml_node *node,
                           const struct vsg_param *p, char *base)
{
    static const struct vsg_param one = {.kind = VSG_TEXT};
    char ***list = (char ***)(void *)(base + p->offset);
    uint32_t *count = (uint32_t *)(void *)(base + p->count_offset);
    bool ok = true;

    if (!vsg_expect(r, node, VSG_YAML_LIST, p))
        return false;
    for (uint32_t i = 0; i < *count; i++) /* of an earlier reading */
        free((*list)[i]);
    free(*list);
    *count = 0;
    *list = calloc(node->count + 1, sizeof **list);
    if (!*list) {
        r->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < node->count; i++)
        if (vsg_expect(r, node->child[i], VSG_YAML_SCALAR, &one))
            ok &= store_text(r, node->child[i]->text, &(*list)[(*count)++]);
        else
            ok = false;
    return ok;
}

bool vsg_read_value(struct vsg_reader *r, const struct vsg_yaml_node *node,
                    const struct vsg_param *p, void *field)
{
    uint64_t v;
    switch (p->kind) {
    case VSG_BOOL:
        return read_bool(r, node, p, field);
    case VSG_INDEX:
        return read_index(r, node, p, field);
    case VSG_AFFINITY:
        return read_affinity(r, node, p, field);
    case VSG_NAME:
        return read_name(r, node, p, field);
    case VSG_TEXT:
        return vsg_expect(r, node, VSG_YAML_SCALAR, p) && store_text(r, node->text, field);
    case VSG_DIST:
        return vsg_read_dist(r, node, p, field);
    case VSG_WARMUP:
        return read_warmup(r, node, p, field);
    case VSG_COUNT_LIST:
        return read_count_list(r, node, p, (char *)field - p->offset);
    case VSG_TEXT_LIST:
        return read_text_list(r, node, p, (char *)field - p->offset);
    case VSG_CHOICE:
        if (!vsg_read_choice(r, node, p, &v))
            return false;
        break;
    default:
        assert(p->kind <= VSG_COUNT);
        if (!vsg_read_number(r, node, p, &v))
            return false;
    }
    vsg_param_store(p, field, v);
    return true;
}
