#include "study/scenario_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/machine/machine.h"

/* ---- helpers shared with the other parts ----------------------------------------------- */

const char *vsg_nodes_text(uint32_t nodes, char *buffer, size_t size)
{
    if (nodes < 2)
        snprintf(buffer, size, "0");
    else
        snprintf(buffer, size, "0 %s %u", nodes == 2 ? "or" : "to", nodes - 1);
    return buffer;
}

struct placed {
    uint32_t value, index;
};

static int by_value_then_index(const void *pa, const void *pb)
{
    const struct placed *a = pa, *b = pb;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

enum vsg_status vsg_find_twice(const uint32_t *value, uint32_t count,
                               void (*say)(void *user, uint32_t first, uint32_t second), void *user)
{
    struct placed *sorted = calloc((size_t)count + 1, sizeof *sorted);
    if (!sorted)
        return VSG_ENOMEM;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (struct placed){value[i], i};
    qsort(sorted, count, sizeof *sorted, by_value_then_index);
    for (uint32_t i = 1, first = 0; i < count; i++)
        if (sorted[i].value == sorted[first].value)
            say(user, sorted[first].index, sorted[i].index);
        else
            first = i;
    free(sorted);
    return VSG_OK;
}

/* What vsg_find_twice() reports about elements of one list of the file. */
struct twice {
    struct vsg_reader *r;
    const struct vsg_yaml_node *list;
    const char *key; /* of a list of maps: the key whose value is there twice; else NULL */
    const char *what;
    bool found;
};

static void say_twice(void *user, uint32_t first, uint32_t second)
{
    struct twice *t = user;
    const struct vsg_yaml_node *a = t->list->child[first], *b = t->list->child[second];
    char where[VSG_WHERE_TEXT];
    if (t->key) {
        a = vsg_yaml_get(a, t->key);
        b = vsg_yaml_get(b, t->key);
    }
    t->found = true;
    if (a && b)
        vsg_wrong(t->r, b, "%s %s is here already%s", t->what, b->text,
                  vsg_where(a, where, sizeof where));
}

/* ---- the short form ------------------------------------------------------------------------ */

static bool forbid(struct vsg_reader *r, const struct vsg_yaml_node *machine,
                   const char *const *keys, const char *form, const char *hint)
{
    bool ok = true;
    for (; *keys; keys++) {
        const struct vsg_yaml_node *node = vsg_yaml_get(machine, *keys);
        if (!node)
            continue;
        vsg_wrong_key(r, node, "belongs to the %s form of a machine; %s", form, hint);
        ok = false;
    }
    return ok;
}

static bool level_fits(struct vsg_reader *r, const struct vsg_yaml_node *machine, const char *path,
                       uint32_t nodes, uint8_t *level)
{
    const struct vsg_yaml_node *node = vsg_yaml_at(machine, path);
    if (!node)
        *level = nodes > 256 ? 2 : 1;
    else if (nodes > 256 && *level == 1)
        vsg_wrong(r, node,
                  "1 does not fit %u nodes: their numbers take two affinity bytes; write 2", nodes);
    return !node || nodes <= 256 || *level != 1;
}

static bool check_probe_order(struct vsg_reader *r, const struct vsg_yaml_node *node,
                              const struct vsg_machine_short *m)
{
    uint32_t its_count = m->nodes * m->its_per_node;
    bool ok = true;
    for (uint32_t i = 0; i < m->probe_count; i++)
        if (m->probe_order[i] >= its_count) {
            vsg_wrong(r, node->child[i], "ITS %u does not exist; the machine has %u%s",
                      m->probe_order[i], its_count, its_count ? ", numbered from 0" : "");
            ok = false;
        }
    struct twice t = {.r = r, .list = node, .what = "ITS"};
    if (vsg_find_twice(m->probe_order, m->probe_count, say_twice, &t) != VSG_OK)
        r->out_of_memory = true;
    ok &= !t.found;
    if (ok && m->probe_count != its_count) {
        vsg_wrong(r, node, "lists %u of %u ITSs; list every one", m->probe_count, its_count);
        ok = false;
    }
    return ok;
}

static bool read_short(struct vsg_reader *r, const struct vsg_yaml_node *node,
                       struct vsg_scenario *s, bool ok)
{
    static const char *const explicit_keys[] = {"boot_order", "events", NULL};
    struct vsg_machine_short *m = &s->machine_short;
    char where[VSG_WHERE_TEXT];

    bool form_ok = forbid(r, node, explicit_keys, "explicit", "list its cpus and its too");
    for (int i = 0; i < 2; i++) {
        const char *key = i ? "cpus_per_node" : "nodes";
        if (!vsg_yaml_get(node, key)) {
            vsg_wrong(r, node, "key '%s' is missing: %s", key,
                      vsg_param_child("machine", key)->doc);
            ok = false;
        }
    }
    if (!ok)
        return false;
    if ((uint64_t)m->nodes * m->cpus_per_node > VSG_MACHINE_CPU_MAX) {
        const struct vsg_yaml_node *nodes = vsg_yaml_get(node, "nodes");
        vsg_wrong(r, vsg_yaml_get(node, "cpus_per_node"),
                  "%u CPUs on each of %u nodes%s are %llu CPUs; at most %u", m->cpus_per_node,
                  m->nodes, vsg_where(nodes, where, sizeof where),
                  (unsigned long long)m->nodes * m->cpus_per_node, VSG_MACHINE_CPU_MAX);
        return false;
    }
    ok = level_fits(r, node, "gic.svpet", m->nodes, &m->svpet);
    ok &= level_fits(r, node, "gic.common_lpi_aff", m->nodes, &m->common_lpi_aff);
    const struct vsg_yaml_node *order = vsg_yaml_get(node, "probe_order");
    if (order)
        ok &= check_probe_order(r, order, m);
    if (!ok || !form_ok || r->out_of_memory)
        return false;
    struct vsg_diag found = VSG_DIAG_INIT; /* what the checks above do not know */
    enum vsg_status status = vsg_machine_short_check(m, &found);
    for (size_t i = 0; i < found.count; i++)
        vsg_wrong(r, node, "%s", found.item[i].text);
    vsg_diag_clear(&found);
    if (status == VSG_OK)
        status = vsg_machine_expand(m, &s->config.machine);
    r->out_of_memory |= status == VSG_ENOMEM;
    s->machine_is_short = true;
    return status == VSG_OK;
}

/* ---- the explicit form ----------------------------------------------------------------------- */

/* Reports values of `key` that occur twice in a list of maps; value[i] is that of item i. */
static bool all_different(struct vsg_reader *r, const struct vsg_yaml_node *list, const char *key,
                          const char *what, const uint32_t *value, uint32_t count)
{
    struct twice t = {.r = r, .list = list, .key = key, .what = what};
    if (vsg_find_twice(value, count, say_twice, &t) != VSG_OK)
        r->out_of_memory = true;
    return !t.found;
}

static bool check_place(struct vsg_reader *r, const struct vsg_yaml_node *item, const char *key,
                        int32_t place, uint32_t nodes, const struct vsg_yaml_node *nodes_node)
{
    char where[VSG_WHERE_TEXT], which[32];
    if (place < (int32_t)nodes)
        return true;
    vsg_wrong(r, vsg_yaml_get(item, key), "node %d does not exist; machine.nodes is %u%s, so %s",
              place, nodes, vsg_where(nodes_node, where, sizeof where),
              vsg_nodes_text(nodes, which, sizeof which));
    return false;
}

static bool check_identities(struct vsg_reader *r, const struct vsg_yaml_node *node,
                             const struct vsg_machine_config *m)
{
    const struct vsg_yaml_node *its = vsg_yaml_get(node, "its"), *cpus = vsg_yaml_get(node, "cpus");
    uint32_t most = m->its_count > m->cpu_count ? m->its_count : m->cpu_count;
    uint32_t *value = calloc((size_t)most + 1, sizeof *value);
    bool ok = true;

    if (!value) {
        r->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < m->its_count; i++)
        value[i] = m->its[i].id;
    if (its)
        ok &= all_different(r, its, "id", "id", value, m->its_count);
    for (uint32_t i = 0; i < m->cpu_count; i++)
        value[i] = m->cpu[i].id;
    ok &= all_different(r, cpus, "id", "id", value, m->cpu_count);
    for (uint32_t i = 0; i < m->cpu_count; i++)
        value[i] = m->cpu[i].mpidr;
    ok &= all_different(r, cpus, "mpidr", "affinity", value, m->cpu_count);
    free(value);
    return ok;
}

static bool check_places(struct vsg_reader *r, const struct vsg_yaml_node *node,
                         struct vsg_machine_config *m)
{
    const struct vsg_yaml_node *its = vsg_yaml_get(node, "its"), *cpus = vsg_yaml_get(node, "cpus");
    const struct vsg_yaml_node *nodes_node = vsg_yaml_get(node, "nodes");
    int32_t highest = 0;
    bool ok = true;

    for (uint32_t i = 0; i < m->its_count; i++) {
        highest = m->its[i].numa_node > highest ? m->its[i].numa_node : highest;
        highest = m->its[i].at > highest ? m->its[i].at : highest;
    }
    for (uint32_t i = 0; i < m->cpu_count; i++)
        highest = m->cpu[i].numa_node > highest ? m->cpu[i].numa_node : highest;
    if (!nodes_node)
        m->nodes = (uint32_t)highest + 1;
    for (uint32_t i = 0; i < m->its_count; i++) {
        ok &= check_place(r, its->child[i], "numa_node", m->its[i].numa_node, m->nodes, nodes_node);
        ok &= check_place(r, its->child[i], "at", m->its[i].at, m->nodes, nodes_node);
    }
    for (uint32_t i = 0; i < m->cpu_count; i++)
        ok &=
            check_place(r, cpus->child[i], "numa_node", m->cpu[i].numa_node, m->nodes, nodes_node);
    return ok;
}

/* Checks boot_order and events against the CPUs; fills boot_order where it is absent. */
static bool check_boot(struct vsg_reader *r, const struct vsg_yaml_node *node,
                       struct vsg_machine_config *m, uint32_t maxcpus)
{
    const struct vsg_yaml_node *order = vsg_yaml_get(node, "boot_order");
    const struct vsg_yaml_node *events = vsg_yaml_get(node, "events");
    bool *exists = calloc(VSG_MACHINE_CPU_MAX, sizeof *exists);
    bool ok = true;

    if (!order)
        m->boot_order = calloc((size_t)m->cpu_count + 1, sizeof *m->boot_order);
    if (!exists || !m->boot_order) {
        r->out_of_memory = true;
        free(exists);
        return false;
    }
    for (uint32_t i = 0; i < m->cpu_count; i++)
        exists[m->cpu[i].id] = true;
    if (!order)
        for (uint32_t id = 0; id < VSG_MACHINE_CPU_MAX; id++)
            if (exists[id])
                m->boot_order[m->boot_count++] = id;
    for (uint32_t i = 0; order && i < m->boot_count; i++)
        if (!exists[m->boot_order[i]]) {
            vsg_wrong(r, order->child[i], "CPU %u does not exist; it has no entry in machine.cpus",
                      m->boot_order[i]);
            ok = false;
        }
    struct twice t = {.r = r, .list = order, .what = "CPU"};
    if (order && vsg_find_twice(m->boot_order, m->boot_count, say_twice, &t) != VSG_OK)
        r->out_of_memory = true;
    for (uint32_t i = 0; i < m->event_count; i++)
        if (!exists[m->event[i].cpu]) {
            vsg_wrong(r, vsg_yaml_get(events->child[i], "cpu"),
                      "CPU %u does not exist; it has no entry in machine.cpus", m->event[i].cpu);
            ok = false;
        }
    if (maxcpus > 0 && maxcpus < m->boot_count)
        m->boot_count = maxcpus;
    free(exists);
    return ok && !t.found;
}

static bool read_explicit(struct vsg_reader *r, const struct vsg_yaml_node *node,
                          struct vsg_scenario *s, bool ok)
{
    static const char *const short_keys[] = {"cpus_per_node", "its_per_node", "gic", "probe_order",
                                             NULL};
    struct vsg_machine_config *m = &s->config.machine;
    const struct vsg_yaml_node *order = vsg_yaml_get(node, "boot_order");
    const struct vsg_yaml_node *cpus = vsg_yaml_get(node, "cpus");
    const struct vsg_param *order_row = vsg_param_child("machine", "boot_order");
    struct vsg_param list_row = *order_row;

    ok &= forbid(r, node, short_keys, "short", "this one lists its ITSs and CPUs");
    m->nodes = s->machine_short.nodes;
    ok &= vsg_read_list(r, vsg_yaml_get(node, "its"), "machine.its[]", VSG_IN_ITS, sizeof *m->its,
                        (void **)&m->its, &m->its_count);
    ok &= vsg_read_list(r, cpus, "machine.cpus[]", VSG_IN_CPU, sizeof *m->cpu, (void **)&m->cpu,
                        &m->cpu_count);
    ok &= vsg_read_list(r, vsg_yaml_get(node, "events"), "machine.events[]", VSG_IN_EVENT,
                        sizeof *m->event, (void **)&m->event, &m->event_count);
    list_row.offset = offsetof(struct vsg_machine_config, boot_order);
    list_row.count_offset = offsetof(struct vsg_machine_config, boot_count);
    if (order)
        ok &= vsg_read_value(r, order, &list_row, &m->boot_order);
    if (!cpus)
        vsg_wrong(r, node, "key 'cpus' is missing: the explicit form lists its CPUs");
    else if (cpus->kind == VSG_YAML_LIST && m->cpu_count == 0)
        vsg_wrong(r, cpus, "a machine has at least one CPU");
    if (!ok || m->cpu_count == 0)
        return false;
    if (m->cpu_count > VSG_MACHINE_CPU_MAX) {
        vsg_wrong(r, cpus, "%u CPUs; at most %u", m->cpu_count, VSG_MACHINE_CPU_MAX);
        return false;
    }
    ok = check_identities(r, node, m);
    ok &= check_places(r, node, m);
    ok &= check_boot(r, node, m, s->machine_short.maxcpus);
    return ok;
}

bool vsg_read_machine(struct vsg_reader *r, struct vsg_scenario *s)
{
    const struct vsg_yaml_node *node = vsg_yaml_get(r->root, "machine");
    struct vsg_bases b = {{NULL}};

    if (!node)
        return false; /* said with the other missing keys of the top */
    b.base[VSG_IN_SHORT] = &s->machine_short;
    vsg_read_defaults("machine", &b);
    bool ok = vsg_read_section(r, node, "machine", &b);
    if (node->kind != VSG_YAML_MAP)
        return false;
    if (vsg_yaml_get(node, "its") || vsg_yaml_get(node, "cpus"))
        return read_explicit(r, node, s, ok);
    return read_short(r, node, s, ok);
}
