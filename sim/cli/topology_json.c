#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/topology.h"
#include "models/machine/machine.h"

/* ps as ns: a whole number where it is one, else with its three decimals. */
static json_t *ns(uint64_t ps)
{
    return ps % 1000 ? json_real((double)ps / 1000.0) : json_integer((json_int_t)(ps / 1000));
}

static json_t *its_id(const struct vsg_topology_view *v, uint32_t index)
{
    return index == VSG_NONE ? json_null() : json_integer(v->machine->its[index].id);
}

static json_t *mpidr(uint32_t a)
{
    return json_sprintf("%u.%u.%u.%u", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
}

static json_t *nodes(const struct vsg_topology_view *v)
{
    json_t *list = json_array();
    for (uint32_t n = 0; n < v->machine->nodes; n++) {
        json_t *cpus = json_array(), *its = json_array();
        for (uint32_t i = 0; i < v->machine->cpu_count; i++)
            if (vsg_cpu_node(&v->machine->cpu[i]) == n)
                json_array_append_new(cpus, json_integer(v->machine->cpu[i].id));
        for (uint32_t i = 0; i < v->machine->its_count; i++)
            if (vsg_its_node(&v->machine->its[i]) == (int32_t)n)
                json_array_append_new(its, json_integer(v->machine->its[i].id));
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:o}", "id", (json_int_t)n, "cpus", cpus, "its", its));
    }
    return list;
}

static json_t *its_list(const struct vsg_topology_view *v)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < v->boot.its_count; k++) {
        const struct vsg_its_config *i = &v->machine->its[v->boot.list_order[k]];
        int32_t node = vsg_its_node(i);
        json_array_append_new(list,
                              json_pack("{s:I, s:o, s:b, s:i, s:o, s:b}", "id", (json_int_t)i->id,
                                        "node", node < 0 ? json_null() : json_integer(node), "v41",
                                        i->typer_v41, "svpet", i->svpet, "mpidr", mpidr(i->mpidr),
                                        "vpe_table_valid", i->vpe_table_valid));
    }
    return list;
}

static json_t *cpu_list(const struct vsg_topology_view *v)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < v->machine->cpu_count; i++) {
        const struct vsg_cpu_config *c = &v->machine->cpu[i];
        json_array_append_new(list, json_pack("{s:I, s:I, s:o, s:b}", "id", (json_int_t)c->id,
                                              "node", (json_int_t)vsg_cpu_node(c), "mpidr",
                                              mpidr(c->mpidr), "started", v->boot.started[i]));
    }
    return list;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Ascending, in whatever order the scenario lists the CPUs. NULL when memory ran out. */
static json_t *online(const struct vsg_topology_view *v)
{
    uint32_t *id = calloc((size_t)v->machine->cpu_count + 1, sizeof *id), count = 0;
    if (!id)
        return NULL;
    for (uint32_t i = 0; i < v->machine->cpu_count; i++)
        if (v->boot.online[i])
            id[count++] = v->machine->cpu[i].id;
    qsort(id, count, sizeof *id, ascending);
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(id[i]));
    free(id);
    return list;
}

static json_t *matrix(const struct vsg_topology_view *v)
{
    uint32_t n = v->machine->nodes;
    json_t *rows = json_array();
    for (uint32_t from = 0; from < n; from++) {
        json_t *row = json_array();
        for (uint32_t to = 0; to < n; to++)
            json_array_append_new(row, ns(v->latency_ps[(size_t)from * n + to]));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* A policy that chooses for each send binds no CPU to an ITS; but `nearest` asks for the sender
 * only. its: what vsg_topology_choices() says. */
static json_t *chosen_per_send(const struct vsg_topology_view *v, enum vsg_policy policy,
                               const uint32_t *its)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < v->machine->cpu_count; i++) {
        const char *how = vsg_policy_is_dynamic(policy) ? "dynamic" : "per-target";
        uint32_t chosen = VSG_NONE;
        if (policy == VSG_POLICY_NEAREST && v->boot.started[i]) {
            how = "nearest";
            chosen = its[(size_t)vsg_cpu_node(&v->machine->cpu[i]) * v->machine->nodes];
        }
        json_array_append_new(list, json_pack("{s:I, s:o, s:s, s:n}", "cpu",
                                              (json_int_t)v->machine->cpu[i].id, "its",
                                              its_id(v, chosen), "how", how, "remembered"));
    }
    return list;
}

static json_t *pair_matrix(const struct vsg_topology_view *v, const uint32_t *its)
{
    uint32_t n = v->machine->nodes;
    json_t *rows = json_array();
    for (uint32_t from = 0; from < n; from++) {
        json_t *row = json_array();
        for (uint32_t to = 0; to < n; to++)
            json_array_append_new(row, its_id(v, its[(size_t)from * n + to]));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* The contract: `how` is null for global-first, and only `local` remembers. */
static json_t *selection_of(const struct vsg_topology_view *v, enum vsg_policy policy)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < v->machine->cpu_count; i++) {
        const struct vsg_selection *s = &v->boot.selection[policy][i];
        char how[64];
        vsg_how_text(v->machine, s, how, sizeof how);
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:o, s:o}", "cpu", (json_int_t)v->machine->cpu[i].id, "its",
                            its_id(v, s->its), "how",
                            policy == VSG_POLICY_GLOBAL_FIRST ? json_null() : json_string(how),
                            "remembered",
                            policy == VSG_POLICY_LOCAL ? its_id(v, s->remembered) : json_null()));
    }
    return list;
}

enum vsg_status vsg_topology_json(const struct vsg_topology_view *v, struct vsg_diag *diag)
{
    size_t pairs = (size_t)v->machine->nodes * v->machine->nodes;
    uint32_t *its = calloc(pairs, sizeof *its);
    json_t *selection = json_object(), *per_target = json_object();
    enum vsg_status status = its ? VSG_OK : VSG_ENOMEM;
    for (uint32_t p = 0; p < v->study->policy_count && status == VSG_OK; p++) {
        enum vsg_policy policy = v->study->policy[p];
        const char *name = vsg_policy_name[policy];
        if (!vsg_policy_chooses(policy)) {
            json_object_set_new(selection, name, selection_of(v, policy));
            continue;
        }
        status = vsg_topology_choices(v, policy, its, diag);
        if (status != VSG_OK)
            break;
        json_object_set_new(selection, name, chosen_per_send(v, policy, its));
        if (!vsg_policy_is_dynamic(policy))
            json_object_set_new(per_target, name, pair_matrix(v, its));
    }
    free(its);
    if (status != VSG_OK) {
        json_decref(selection);
        json_decref(per_target);
        return status;
    }
    json_t *all = json_pack(
        "{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "scenario", v->study->name, "direct_vsgi",
        v->boot.direct_vsgi, "online", online(v), "nodes", nodes(v), "its", its_list(v), "cpus",
        cpu_list(v), "latency_ns", matrix(v), "selection", selection, "per_target", per_target);
    char *text = all ? json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(all);
    if (!text)
        return VSG_ENOMEM;
    puts(text);
    free(text);
    return VSG_OK;
}
