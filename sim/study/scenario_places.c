#include "study/scenario_parts.h"

#include <stdlib.h>

#include "models/machine/machine.h"

struct vsg_place {
    uint32_t id, node;
    bool started;
    const struct vsg_yaml_node *pinned; /* the list entry that took it, or NULL */
};

static int by_id(const void *pa, const void *pb)
{
    const struct vsg_place *a = pa, *b = pb;
    return (a->id > b->id) - (a->id < b->id);
}

static struct vsg_place *find_cpu(const struct vsg_places *p, uint32_t id)
{
    struct vsg_place wanted = {.id = id};
    return bsearch(&wanted, p->cpu, p->count, sizeof wanted, by_id);
}

void vsg_places_free(struct vsg_places *p)
{
    free(p->cpu);
    free(p->node_started);
    free(p->node_free);
    *p = (struct vsg_places){0};
}

bool vsg_places_find(struct vsg_reader *r, const struct vsg_machine_config *m,
                     struct vsg_places *out)
{
    struct vsg_places p = {.count = m->cpu_count};
    p.cpu = calloc((size_t)m->cpu_count + 1, sizeof *p.cpu);
    p.node_started = calloc(m->nodes, sizeof *p.node_started);
    p.node_free = calloc(m->nodes, sizeof *p.node_free);
    if (!p.cpu || !p.node_started || !p.node_free) {
        r->out_of_memory = true;
        vsg_places_free(&p);
        return false;
    }
    for (uint32_t i = 0; i < m->cpu_count; i++)
        p.cpu[i] = (struct vsg_place){.id = m->cpu[i].id, .node = vsg_cpu_node(&m->cpu[i])};
    qsort(p.cpu, p.count, sizeof *p.cpu, by_id);
    for (uint32_t i = 0; i < m->boot_count; i++)
        find_cpu(&p, m->boot_order[i])->started = true;
    for (uint32_t i = 0; i < m->event_count; i++)
        find_cpu(&p, m->event[i].cpu)->started = m->event[i].op == VSG_CPU_ONLINE;
    for (uint32_t i = 0; i < p.count; i++)
        if (p.cpu[i].started) {
            p.started++;
            p.node_started[p.cpu[i].node]++;
            p.node_free[p.cpu[i].node]++;
        }
    *out = p;
    return true;
}

static bool node_exists(struct vsg_reader *r, const struct vsg_yaml_node *node, uint32_t value,
                        uint32_t nodes)
{
    char where[VSG_WHERE_TEXT], which[32];
    if (value < nodes || !node)
        return true; /* a default is node 0 */
    vsg_wrong(r, node, "node %u does not exist; machine.nodes is %u%s, so %s", value, nodes,
              vsg_where(vsg_yaml_at(r->root, "machine.nodes"), where, sizeof where),
              vsg_nodes_text(nodes, which, sizeof which));
    return false;
}

/* Of several VMs from one entry, VM `nth` takes the entries from nth * vcpus on. */
static bool pin(struct vsg_reader *r, const struct vsg_yaml_node *list,
                const struct vsg_vm_config *vm, uint32_t nth, struct vsg_places *p)
{
    char where[VSG_WHERE_TEXT];
    bool ok = true;
    for (uint32_t i = 0; i < vm->placement.cpu_count; i++) {
        struct vsg_place *cpu = find_cpu(p, vm->placement.cpu[i]);
        const struct vsg_yaml_node *at = list->child[nth * vm->vcpus + i];
        if (!cpu) {
            vsg_wrong(r, at, "CPU %s does not exist; the machine has %u CPUs, %u to %u", at->text,
                      p->count, p->cpu[0].id, p->cpu[p->count - 1].id);
        } else if (!cpu->started) {
            vsg_wrong(r, at, "CPU %s is not started", at->text);
        } else if (cpu->pinned) {
            vsg_wrong(r, at, "CPU %s has a vCPU already%s; every vCPU needs a CPU of its own",
                      at->text, vsg_where(cpu->pinned, where, sizeof where));
        } else {
            cpu->pinned = at;
            p->node_free[cpu->node]--;
            continue;
        }
        ok = false;
    }
    return ok;
}

/* Packed and spread always find CPUs, since there are as many as vCPUs; node may not. */
static bool seat(struct vsg_reader *r, const struct vsg_yaml_node *entry,
                 const struct vsg_vm_config *vm, uint32_t nodes, struct vsg_places *p)
{
    uint32_t left = vm->vcpus, n = vm->placement.node;

    if (vm->placement.kind == VSG_PLACE_NODE) {
        if (left > p->node_free[n]) {
            vsg_wrong(r, vsg_yaml_get(entry, "vcpus"),
                      "%u vCPUs of VM %s do not fit on node %u: of its %u started CPUs %u are free",
                      left, vm->name, n, p->node_started[n], p->node_free[n]);
            return false;
        }
        p->node_free[n] -= left;
        return true;
    }
    while (left > 0) {
        uint32_t before = left;
        for (n = 0; n < nodes && left > 0; n++) {
            uint32_t wanted = vm->placement.kind == VSG_PLACE_SPREAD ? 1 : left;
            uint32_t taken = wanted < p->node_free[n] ? wanted : p->node_free[n];
            p->node_free[n] -= taken;
            left -= taken;
        }
        if (left == before)
            return false; /* an error before this one left too few */
    }
    return true;
}

bool vsg_places_check_nodes(struct vsg_reader *r, const struct vsg_yaml_node *entry,
                            const struct vsg_vm_config *vm, uint32_t nodes)
{
    bool ok = vm->memory_node < 0 ||
              node_exists(r, vsg_yaml_get(entry, "memory_node"), (uint32_t)vm->memory_node, nodes);
    if (vm->placement.kind == VSG_PLACE_NODE)
        ok &= node_exists(r, vsg_yaml_at(entry, "placement.node"), vm->placement.node, nodes);
    return ok;
}

bool vsg_places_check(struct vsg_reader *r, const struct vsg_config *c,
                      const struct vsg_yaml_node *const *origin, struct vsg_places *p)
{
    uint32_t nodes = c->machine.nodes, nth = 0;
    bool ok = true;

    for (uint32_t i = 0; i < c->vm_count; i++) {
        bool again = i > 0 && origin[i] == origin[i - 1];
        nth = again ? nth + 1 : 0;
        if (c->vm[i].placement.kind == VSG_PLACE_PINNED)
            ok &= pin(r, vsg_yaml_at(origin[i], "placement.cpus"), &c->vm[i], nth, p);
    }
    for (uint32_t i = 0; i < c->vm_count && ok; i++)
        if (c->vm[i].placement.kind != VSG_PLACE_PINNED)
            ok = seat(r, origin[i], &c->vm[i], nodes, p);
    return ok;
}
