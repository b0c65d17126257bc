#include "study/yaml_tree.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/yaml_build.h"

enum { BLOCK_BYTES = 16384 };

struct block {
    struct block *next;
    size_t used, room;
    _Alignas(16) char bytes[];
};

struct vsg_yaml {
    struct block *block;
    struct vsg_yaml_node *root;
};

void *vsg_yaml_alloc(struct vsg_yaml *y, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (!y->block || y->block->room - y->block->used < bytes) {
        size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        struct block *b = malloc(sizeof *b + room);
        if (!b)
            return NULL;
        *b = (struct block){.next = y->block, .room = room};
        y->block = b;
    }
    void *p = y->block->bytes + y->block->used;
    y->block->used += bytes;
    return memset(p, 0, bytes);
}

char *vsg_yaml_strndup(struct vsg_yaml *y, const char *text, size_t size)
{
    char *copy = vsg_yaml_alloc(y, size + 1);
    if (copy && size > 0)
        memcpy(copy, text, size);
    return copy;
}

struct vsg_yaml *vsg_yaml_new(void)
{
    return calloc(1, sizeof(struct vsg_yaml));
}

void vsg_yaml_set_root(struct vsg_yaml *y, struct vsg_yaml_node *root)
{
    y->root = root;
}

void vsg_yaml_free(struct vsg_yaml *y)
{
    if (!y)
        return;
    for (struct block *b = y->block, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(y);
}

struct vsg_yaml_node *vsg_yaml_root(const struct vsg_yaml *y)
{
    assert(y->root);
    return y->root;
}

enum vsg_status vsg_yaml_append(struct vsg_yaml *y, struct vsg_yaml_node *parent,
                                struct vsg_yaml_node *child)
{
    assert(parent->kind != VSG_YAML_SCALAR);
    if (parent->count == parent->room) {
        /* Doubling in the arena leaves the old arrays behind: at most as much again. */
        uint32_t room = parent->room ? parent->room * 2 : 8;
        struct vsg_yaml_node **grown = vsg_yaml_alloc(y, room * sizeof(struct vsg_yaml_node *));
        if (!grown)
            return VSG_ENOMEM;
        if (parent->count)
            memcpy(grown, parent->child, parent->count * sizeof(struct vsg_yaml_node *));
        parent->child = grown;
        parent->room = room;
    }
    child->parent = parent;
    child->index = parent->count;
    parent->child[parent->count++] = child;
    return VSG_OK;
}

struct vsg_yaml_node *vsg_yaml_get(const struct vsg_yaml_node *node, const char *key)
{
    if (!node || node->kind != VSG_YAML_MAP)
        return NULL;
    for (uint32_t i = 0; i < node->count; i++)
        if (strcmp(node->child[i]->key, key) == 0)
            return node->child[i];
    return NULL;
}

struct vsg_yaml_node *vsg_yaml_at(const struct vsg_yaml_node *node, const char *path)
{
    struct vsg_yaml_node *found = NULL;
    while (*path) {
        char key[64];
        size_t n = strcspn(path, ".");
        assert(n < sizeof key);
        memcpy(key, path, n);
        key[n] = 0;
        found = vsg_yaml_get(node, key);
        if (!found)
            return NULL;
        node = found;
        path += n + (path[n] == '.');
    }
    return found;
}

struct vsg_yaml_node *vsg_yaml_add_map(struct vsg_yaml *y, struct vsg_yaml_node *map,
                                       const char *key, const char *setting)
{
    struct vsg_yaml_node *node = vsg_yaml_alloc(y, sizeof *node);
    if (!node)
        return NULL;
    node->kind = VSG_YAML_MAP;
    node->setting = setting;
    return vsg_yaml_put(y, map, key, node) == VSG_OK ? node : NULL;
}

enum vsg_status vsg_yaml_put(struct vsg_yaml *y, struct vsg_yaml_node *map, const char *key,
                             struct vsg_yaml_node *value)
{
    assert(map->kind == VSG_YAML_MAP);
    struct vsg_yaml_node *old = vsg_yaml_get(map, key);
    if (old == value)
        return VSG_OK;
    value->key = old ? old->key : vsg_yaml_strndup(y, key, strlen(key));
    if (!value->key)
        return VSG_ENOMEM;
    if (!old)
        return vsg_yaml_append(y, map, value);
    value->parent = map;
    value->index = old->index;
    map->child[old->index] = value;
    return VSG_OK;
}

char *vsg_yaml_path(const struct vsg_yaml_node *node, char *buffer, size_t size)
{
    const struct vsg_yaml_node *chain[2 * VSG_YAML_DEPTH_MAX];
    size_t depth = 0, used = 0;

    assert(size > 0);
    buffer[0] = 0;
    for (; node->parent && depth < 2 * VSG_YAML_DEPTH_MAX; node = node->parent)
        chain[depth++] = node;
    while (depth > 0) {
        const struct vsg_yaml_node *n = chain[--depth];
        int w = n->key ? snprintf(buffer + used, size - used, "%s%s", used ? "." : "", n->key)
                       : snprintf(buffer + used, size - used, "[%u]", n->index);
        if (w < 0 || (size_t)w >= size - used)
            break;
        used += (size_t)w;
    }
    return buffer;
}

bool vsg_yaml_enough(struct vsg_diag *diag)
{
    if (diag->count == VSG_YAML_ERRORS_MAX)
        vsg_diag_add(diag, VSG_NOTE, NULL, "more than %d errors; the others are not shown",
                     VSG_YAML_ERRORS_MAX);
    return diag->count > VSG_YAML_ERRORS_MAX;
}

void vsg_yaml_say(struct vsg_diag *diag, enum vsg_severity severity,
                  const struct vsg_yaml_node *node, bool at_key, const char *format, ...)
{
    char text[1024];
    va_list args;
    if (vsg_yaml_enough(diag))
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);

    if (node->setting) {
        vsg_diag_add(diag, severity, NULL, "--set %.200s: %s", node->setting, text);
        return;
    }
    /* A block map or list begins at its first child, in a later line: its key says
     * more. An absent value has nothing to underline. */
    bool below = node->kind != VSG_YAML_SCALAR && node->pos.line > node->key_pos.line;
    bool absent = node->kind == VSG_YAML_SCALAR && !node->quoted && !*node->text;
    bool use_key = node->key_pos.line > 0 && (at_key || node->pos.line == 0 || below || absent);
    struct vsg_pos pos = use_key ? node->key_pos : node->pos;
    vsg_diag_add(diag, severity, pos.line ? &pos : NULL, "%s", text);
}
