#include "study/yaml_build.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* libyaml's events become nodes, with a stack of the open lists and maps instead of
 * recursion: a megabyte of '[' is refused at the 65th. */

struct open {
    struct vsg_yaml_node *node;
    const char *key; /* in a map: the key whose value comes next, else NULL */
    struct vsg_pos key_pos;
    bool drop; /* the value of a merge key: read, not kept */
};

struct anchor {
    const char *name;
    struct vsg_yaml_node *node;
};

struct build {
    struct vsg_yaml *yaml;
    struct vsg_diag *diag;
    const char *setting; /* NULL: a file */
    const char *text;
    size_t size;
    struct open open[VSG_YAML_DEPTH_MAX];
    unsigned depth;
    struct anchor *anchor;
    size_t anchor_count, copies;
    struct vsg_yaml_node *root;
};

static struct vsg_pos pos_of(yaml_mark_t start, yaml_mark_t end)
{
    size_t length =
        end.line == start.line && end.column > start.column ? end.column - start.column : 1;
    return (struct vsg_pos){.line = (unsigned)start.line + 1,
                            .column = (unsigned)start.column + 1,
                            .length = (unsigned)length};
}

__attribute__((format(printf, 3, 4))) static void complain(struct build *b, struct vsg_pos pos,
                                                           const char *format, ...)
{
    char text[512];
    va_list args;
    if (vsg_yaml_enough(b->diag))
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (b->setting)
        vsg_diag_error(b->diag, "--set %.200s: %s", b->setting, text);
    else
        vsg_diag_add(b->diag, VSG_ERROR, pos.line ? &pos : NULL, "%s", text);
}

/* ---- libyaml's own errors, in words ---------------------------------------------- */

/* True when a line, counted from 0, has a tab before its first other character. */
static bool line_begins_with_tab(const struct build *b, size_t line)
{
    const char *s = b->text, *end = b->text + b->size;
    while (line > 0 && s && s < end) {
        s = memchr(s, '\n', (size_t)(end - s));
        s = s ? s + 1 : NULL;
        line--;
    }
    while (s && s < end && *s == ' ')
        s++;
    return s && s < end && *s == '\t';
}

static enum vsg_status explain_yaml_error(struct build *b, const yaml_parser_t *p)
{
    if (p->error == YAML_MEMORY_ERROR)
        return VSG_ENOMEM;
    struct vsg_pos pos = pos_of(p->problem_mark, p->problem_mark);
    if (p->error == YAML_READER_ERROR)
        complain(b, (struct vsg_pos){0}, "not readable as YAML: %s", p->problem);
    else if (line_begins_with_tab(b, p->problem_mark.line))
        complain(b, pos, "tab used as indentation; YAML takes only spaces there");
    else if (p->context && !b->setting)
        complain(b, pos, "not valid YAML: %s, %s that begins in line %zu", p->problem, p->context,
                 p->context_mark.line + 1);
    else
        complain(b, pos, "not valid YAML: %s", p->problem);
    return VSG_ESCENARIO;
}

/* ---- anchors and aliases ------------------------------------------------------------ */

static enum vsg_status remember(struct build *b, const yaml_char_t *name,
                                struct vsg_yaml_node *node)
{
    if (!name)
        return VSG_OK;
    if (b->anchor_count == VSG_YAML_ANCHORS_MAX) {
        complain(b, node->pos, "more than %d anchors", VSG_YAML_ANCHORS_MAX);
        return VSG_ESCENARIO;
    }
    const char *text = vsg_yaml_strndup(b->yaml, (const char *)name, strlen((const char *)name));
    if (!text)
        return VSG_ENOMEM;
    b->anchor[b->anchor_count++] = (struct anchor){text, node};
    return VSG_OK;
}

static struct vsg_yaml_node *recall(const struct build *b, const char *name)
{
    for (size_t i = b->anchor_count; i > 0; i--)
        if (strcmp(b->anchor[i - 1].name, name) == 0)
            return b->anchor[i - 1].node;
    return NULL;
}

/* A deep copy for an alias. Recursion is bounded by VSG_YAML_DEPTH_MAX, the work by
 * VSG_YAML_COPIES_MAX over the whole file. */
static enum vsg_status copy(struct build *b, const struct vsg_yaml_node *from, unsigned depth,
                            struct vsg_pos pos, struct vsg_yaml_node **out)
{
    if (++b->copies > VSG_YAML_COPIES_MAX) {
        complain(b, pos, "aliases add more than %d values to the file; write them out",
                 VSG_YAML_COPIES_MAX);
        return VSG_ESCENARIO;
    }
    if (depth > VSG_YAML_DEPTH_MAX) {
        complain(b, pos, "lists and maps nested deeper than %d", VSG_YAML_DEPTH_MAX);
        return VSG_ESCENARIO;
    }
    struct vsg_yaml_node *n = vsg_yaml_alloc(b->yaml, sizeof *n);
    if (!n)
        return VSG_ENOMEM;
    *n = *from;
    n->child = NULL;
    n->count = n->room = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        struct vsg_yaml_node *c = NULL;
        enum vsg_status status = copy(b, from->child[i], depth + 1, pos, &c);
        if (status == VSG_OK)
            status = vsg_yaml_append(b->yaml, n, c);
        if (status != VSG_OK)
            return status;
    }
    *out = n;
    return VSG_OK;
}

/* ---- duplicate keys -------------------------------------------------------------------- */

static int by_key(const void *pa, const void *pb)
{
    const struct vsg_yaml_node *a = *(struct vsg_yaml_node *const *)pa;
    const struct vsg_yaml_node *b = *(struct vsg_yaml_node *const *)pb;
    int order = strcmp(a->key, b->key);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Keeps the first of equal keys. Sorting keeps a map of a million keys fast. */
static enum vsg_status refuse_duplicates(struct build *b, struct vsg_yaml_node *map)
{
    if (map->count < 2)
        return VSG_OK;
    struct vsg_yaml_node **sorted = malloc(map->count * sizeof *sorted);
    if (!sorted)
        return VSG_ENOMEM;
    memcpy(sorted, map->child, map->count * sizeof *sorted);
    qsort(sorted, map->count, sizeof *sorted, by_key);
    bool any = false;
    const struct vsg_yaml_node *first = sorted[0];
    for (uint32_t i = 1; i < map->count; i++) {
        if (strcmp(sorted[i]->key, first->key) != 0) {
            first = sorted[i];
            continue;
        }
        complain(b, sorted[i]->key_pos, "key '%.100s' is here twice (first in line %u); keep one",
                 first->key, first->key_pos.line);
        sorted[i]->parent = NULL; /* marks it for removal */
        any = true;
    }
    free(sorted);
    if (any) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < map->count; i++)
            if (map->child[i]->parent) {
                map->child[i]->index = kept;
                map->child[kept++] = map->child[i];
            }
        map->count = kept;
    }
    return VSG_OK;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Puts a finished scalar or alias, or an opened list or map, where it belongs. */
static enum vsg_status attach(struct build *b, struct vsg_yaml_node *node)
{
    if (b->depth == 0) {
        node->parent = NULL;
        node->key = NULL;
        node->key_pos = (struct vsg_pos){0};
        b->root = node;
        return VSG_OK;
    }
    struct open *top = &b->open[b->depth - 1];
    node->key = top->key;
    node->key_pos = top->key_pos;
    top->key = NULL;
    if (top->drop) {
        top->drop = false;
        return VSG_OK;
    }
    return vsg_yaml_append(b->yaml, top->node, node);
}

static bool expects_key(const struct build *b)
{
    return b->depth > 0 && b->open[b->depth - 1].node->kind == VSG_YAML_MAP &&
           !b->open[b->depth - 1].key;
}

static enum vsg_status new_node(struct build *b, const yaml_event_t *e, enum vsg_yaml_kind kind,
                                const yaml_char_t *tag, struct vsg_yaml_node **out)
{
    struct vsg_pos pos = pos_of(e->start_mark, e->end_mark);
    if (kind != VSG_YAML_SCALAR)
        pos.length = 1; /* until its end is known */
    if (tag)
        complain(b, pos, "tag '%.100s': scenarios have no tags; remove it", (const char *)tag);
    struct vsg_yaml_node *n = vsg_yaml_alloc(b->yaml, sizeof *n);
    if (!n)
        return VSG_ENOMEM;
    n->kind = kind;
    n->text = "";
    n->setting = b->setting;
    if (!b->setting)
        n->pos = pos;
    *out = n;
    return VSG_OK;
}

static enum vsg_status on_scalar(struct build *b, const yaml_event_t *e)
{
    const char *text = (const char *)e->data.scalar.value;
    size_t size = e->data.scalar.length;
    bool quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    struct vsg_pos pos = pos_of(e->start_mark, e->end_mark);

    if (memchr(text, 0, size)) { /* only by an escape: "\0" */
        complain(b, pos, "a NUL character in a text");
        return VSG_ESCENARIO;
    }
    if (expects_key(b)) {
        struct open *top = &b->open[b->depth - 1];
        if (e->data.scalar.tag)
            complain(b, pos, "tag on a key: scenarios have no tags; remove it");
        top->drop = !quoted && strcmp(text, "<<") == 0;
        if (top->drop)
            complain(b, pos, "'<<' merges are not applied; write the keys out");
        top->key = vsg_yaml_strndup(b->yaml, text, size);
        top->key_pos = b->setting ? (struct vsg_pos){0} : pos;
        return top->key ? VSG_OK : VSG_ENOMEM;
    }
    struct vsg_yaml_node *n = NULL;
    enum vsg_status status = new_node(b, e, VSG_YAML_SCALAR, e->data.scalar.tag, &n);
    if (status != VSG_OK)
        return status;
    n->quoted = quoted;
    n->text = vsg_yaml_strndup(b->yaml, text, size);
    if (!n->text)
        return VSG_ENOMEM;
    status = attach(b, n);
    return status == VSG_OK ? remember(b, e->data.scalar.anchor, n) : status;
}

static enum vsg_status on_start(struct build *b, const yaml_event_t *e, enum vsg_yaml_kind kind)
{
    bool map = kind == VSG_YAML_MAP;
    struct vsg_pos pos = pos_of(e->start_mark, e->end_mark);
    if (expects_key(b)) {
        complain(b, pos, "a key must be a plain word, not a %s", map ? "map" : "list");
        return VSG_ESCENARIO;
    }
    if (b->depth == VSG_YAML_DEPTH_MAX) {
        complain(b, pos, "lists and maps nested deeper than %d", VSG_YAML_DEPTH_MAX);
        return VSG_ESCENARIO;
    }
    struct vsg_yaml_node *n = NULL;
    enum vsg_status status =
        new_node(b, e, kind, map ? e->data.mapping_start.tag : e->data.sequence_start.tag, &n);
    if (status == VSG_OK)
        status = attach(b, n);
    if (status == VSG_OK)
        status = remember(b, map ? e->data.mapping_start.anchor : e->data.sequence_start.anchor, n);
    if (status == VSG_OK)
        b->open[b->depth++] = (struct open){.node = n};
    return status;
}

static enum vsg_status on_end(struct build *b, const yaml_event_t *e)
{
    assert(b->depth > 0 && b->open[b->depth - 1].node); /* libyaml pairs starts and ends */
    struct vsg_yaml_node *n = b->open[--b->depth].node;
    /* A flow list or map on one line is underlined as a whole. */
    if (n->pos.line == e->end_mark.line + 1 && e->end_mark.column + 1 > n->pos.column)
        n->pos.length = (unsigned)e->end_mark.column + 1 - n->pos.column;
    return n->kind == VSG_YAML_MAP ? refuse_duplicates(b, n) : VSG_OK;
}

static enum vsg_status on_alias(struct build *b, const yaml_event_t *e)
{
    const char *name = (const char *)e->data.alias.anchor;
    struct vsg_pos pos = pos_of(e->start_mark, e->end_mark);
    if (expects_key(b)) {
        complain(b, pos, "a key must be a plain word, not an alias");
        return VSG_ESCENARIO;
    }
    const struct vsg_yaml_node *from = recall(b, name);
    if (!from) {
        complain(b, pos, "alias '*%.100s' has no anchor '&%.100s' before it", name, name);
        return VSG_ESCENARIO;
    }
    for (unsigned i = 0; i < b->depth; i++)
        if (b->open[i].node == from) {
            complain(b, pos, "alias '*%.100s' stands inside its own anchor", name);
            return VSG_ESCENARIO;
        }
    struct vsg_yaml_node *n = NULL;
    enum vsg_status status = copy(b, from, b->depth, pos, &n);
    return status == VSG_OK ? attach(b, n) : status;
}

static enum vsg_status on_event(struct build *b, const yaml_event_t *e, bool *done)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(b, e);
    case YAML_SEQUENCE_START_EVENT:
        return on_start(b, e, VSG_YAML_LIST);
    case YAML_MAPPING_START_EVENT:
        return on_start(b, e, VSG_YAML_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return on_end(b, e);
    case YAML_ALIAS_EVENT:
        return on_alias(b, e);
    case YAML_DOCUMENT_START_EVENT:
        if (!b->root)
            return VSG_OK;
        complain(b, pos_of(e->start_mark, e->end_mark),
                 "a second document begins here; a scenario file has one");
        return VSG_ESCENARIO;
    case YAML_STREAM_END_EVENT:
        *done = true;
        return VSG_OK;
    default:
        return VSG_OK;
    }
}

static enum vsg_status build_tree(struct build *b)
{
    yaml_parser_t parser;
    enum vsg_status status = VSG_OK;
    bool done = false;

    b->anchor = calloc(VSG_YAML_ANCHORS_MAX, sizeof *b->anchor);
    if (!b->anchor || !yaml_parser_initialize(&parser)) {
        free(b->anchor);
        return VSG_ENOMEM;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)b->text, b->size);
    while (status == VSG_OK && !done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = explain_yaml_error(b, &parser);
            break;
        }
        status = on_event(b, &event, &done);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    free(b->anchor);
    if (status == VSG_OK && !b->root) {
        complain(b, (struct vsg_pos){0},
                 b->setting ? "no value"
                            : "the file is empty; a scenario has at least 'format: 1' "
                              "and a machine");
        status = VSG_ESCENARIO;
    }
    return status;
}

enum vsg_status vsg_yaml_parse(const char *text, size_t size, struct vsg_yaml **out,
                               struct vsg_diag *diag)
{
    enum vsg_status status = vsg_yaml_check_text(text, size, diag);
    if (status != VSG_OK)
        return status;
    struct vsg_yaml *y = vsg_yaml_new();
    if (!y)
        return VSG_ENOMEM;
    /* libyaml keeps a UTF-8 byte order mark when the encoding is given. */
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    struct build b = {.yaml = y, .diag = diag, .text = text, .size = size};
    status = build_tree(&b);
    if (status != VSG_OK) {
        vsg_yaml_free(y);
        return status;
    }
    vsg_yaml_set_root(y, b.root);
    *out = y;
    return VSG_OK;
}

enum vsg_status vsg_yaml_parse_value(struct vsg_yaml *y, const char *text, const char *setting,
                                     struct vsg_yaml_node **out, struct vsg_diag *diag)
{
    struct vsg_diag found = VSG_DIAG_INIT;
    enum vsg_status status = vsg_yaml_check_text(text, strlen(text), &found);
    if (found.count > 0)
        vsg_diag_error(diag, "--set %.200s: %s", setting, found.item[0].text);
    vsg_diag_clear(&found);
    if (status != VSG_OK)
        return status;
    struct build b = {
        .yaml = y, .diag = diag, .setting = setting, .text = text, .size = strlen(text)};
    status = build_tree(&b);
    if (status == VSG_OK)
        *out = b.root;
    return status;
}
