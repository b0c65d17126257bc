/* Lists of maps and square matrices, which the parameter table describes but leaves to callers. */
#include "study/reader.h"

#include <stdlib.h>

bool vsg_read_list(struct vsg_reader *r, const struct vsg_yaml_node *list, const char *section,
                   enum vsg_param_base base, size_t size, void **out, uint32_t *count)
{
    if (!list)
        return true;
    if (!vsg_expect(r, list, VSG_YAML_LIST, &(struct vsg_param){.kind = VSG_SECTION_LIST}))
        return false;
    char *items = calloc((size_t)list->count + 1, size);
    if (!items) {
        r->out_of_memory = true;
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < list->count; i++) {
        struct vsg_bases b = {{NULL}};
        b.base[base] = items + i * size;
        vsg_read_defaults(section, &b);
        ok &= vsg_read_section(r, list->child[i], section, &b);
    }
    *out = items;
    *count = list->count;
    return ok;
}

bool vsg_read_square(struct vsg_reader *r, const struct vsg_yaml_node *node,
                     const struct vsg_param *p, uint32_t n, const char *n_key,
                     const struct vsg_yaml_node *n_node, uint64_t *value)
{
    char where[VSG_WHERE_TEXT];
    bool ok = true;

    if (!vsg_expect(r, node, VSG_YAML_LIST, p))
        return false;
    vsg_where(n_node, where, sizeof where);
    if (node->count != n) {
        vsg_wrong(r, node, "%u rows; %s is %u%s, one row for each is needed", node->count, n_key, n,
                  where);
        ok = false;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        const struct vsg_yaml_node *row = node->child[i];
        if (!vsg_expect(r, row, VSG_YAML_LIST, p)) {
            ok = false;
            continue;
        }
        if (row->count != n) {
            vsg_wrong(r, row, "%u values; %s is %u%s, one value for each is needed", row->count,
                      n_key, n, where);
            ok = false;
        }
        for (uint32_t k = 0; k < row->count; k++) {
            uint64_t v = 0;
            ok &= vsg_read_number(r, row->child[k], p, &v);
            if (i < n && k < n)
                value[(size_t)i * n + k] = v;
        }
    }
    return ok;
}
