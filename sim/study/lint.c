#include "study/scenario_parts.h"

#include <stdio.h>

/* Warnings about keys that are given and cannot influence the result. A false one would
 * teach people to ignore them: each rule below holds whatever the other values are. */

static void say_idle(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *reason)
{
    char path[200];
    if (node)
        vsg_yaml_say(r->warnings, VSG_WARNING, node, true, "%s has no influence: %s",
                     vsg_yaml_path(node, path, sizeof path), reason);
}

static void say_idle_at(struct vsg_reader *r, const char *path, const char *reason)
{
    say_idle(r, vsg_yaml_at(r->root, path), reason);
}

/* Flags (costs.prepare, costs.line, a home in memory) belong to these workloads. */
static bool has_flags(const struct vsg_vm_config *vm)
{
    return vm->workload.kind == VSG_WORKLOAD_IPI_HW || vm->workload.kind == VSG_WORKLOAD_PAIRS;
}

/* Keys of one topology under another, as when the topology is swept. */
static void warn_of_shape(struct vsg_reader *r, const struct vsg_interconnect_config *c)
{
    static const struct {
        const char *key;
        enum vsg_topology topology;
    } keys[] = {{"dims", VSG_TOPOLOGY_TORUS},
                {"levels", VSG_TOPOLOGY_FAT_TREE},
                {"down", VSG_TOPOLOGY_FAT_TREE},
                {"up", VSG_TOPOLOGY_FAT_TREE},
                {"count", VSG_TOPOLOGY_FAT_TREE},
                {"groups", VSG_TOPOLOGY_DRAGONFLY},
                {"chassis", VSG_TOPOLOGY_DRAGONFLY},
                {"routers", VSG_TOPOLOGY_DRAGONFLY},
                {"nodes_per_router", VSG_TOPOLOGY_DRAGONFLY},
                {"platform", VSG_TOPOLOGY_PLATFORM}};
    const struct vsg_yaml_node *node = vsg_yaml_get(r->root, "interconnect");
    char reason[100];

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        snprintf(reason, sizeof reason, "it belongs to topology %s; topology is %s",
                 vsg_topology_name[keys[i].topology], vsg_topology_name[c->topology]);
        if (keys[i].topology != c->topology)
            say_idle(r, vsg_yaml_get(node, keys[i].key), reason);
    }
    if (c->topology == VSG_TOPOLOGY_PLATFORM)
        say_idle(r, vsg_yaml_get(node, "link"), "the platform says what its links are");
}

static void warn_of_interconnect(struct vsg_reader *r, const struct vsg_config *c)
{
    static const char *const sizes[] = {"interconnect.link.bandwidth", "interconnect.store_bytes",
                                        "interconnect.message_bytes", "interconnect.line_bytes"};
    const struct vsg_interconnect_config *i = &c->interconnect;

    if (c->machine.nodes == 1) {
        if (i->contention != VSG_CONTENTION_FLUID) /* which only one engine takes */
            say_idle_at(r, "interconnect", "the machine has one node, and nothing crosses a link");
        return;
    }
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && i->contention == VSG_CONTENTION_NONE;
         k++)
        say_idle_at(r, sizes[k], "interconnect.contention is none, so bytes take no time");
}

static void warn_of_workloads(struct vsg_reader *r, const struct vsg_config *c)
{
    const struct vsg_yaml_node *vms = vsg_yaml_get(r->root, "vms");
    uint32_t own = 0;
    bool flags = false, closed = false;

    for (uint32_t i = 0; i < c->vm_count; i++) {
        flags |= has_flags(&c->vm[i]);
        closed |= !vsg_workload_is_open(c->vm[i].workload.kind);
    }
    for (uint32_t i = 0; i < vms->count; i++)
        own += vsg_yaml_get(vms->child[i], "workload") != NULL;
    if (own == vms->count)
        say_idle_at(r, "workload", "every VM has a workload of its own");
    if (!flags) {
        say_idle_at(r, "costs.prepare", "it belongs to the workloads ipi_hw and pairs");
        say_idle_at(r, "costs.line", "lines of memory move in the workloads ipi_hw and pairs");
        for (uint32_t i = 0; i < vms->count; i++)
            say_idle(r, vsg_yaml_get(vms->child[i], "memory_node"),
                     "flags in memory belong to the workloads ipi_hw and pairs");
    }
    if (!closed)
        say_idle_at(r, "costs.observe", "in the workload poisson nobody waits for the answer");
}

static bool draws_targets(const struct vsg_vm_config *vm)
{
    uint32_t choices = vm->workload.target ? vm->workload.target_count : vm->vcpus - 1;
    return vm->workload.kind == VSG_WORKLOAD_CLOSED && choices > 1;
}

static bool has_randomness(const struct vsg_config *c)
{
    for (int i = 0; i < VSG_COST_COUNT; i++)
        if (vsg_dist_is_random(&c->cost[i]))
            return true;
    for (uint32_t i = 0; i < c->vm_count; i++)
        if (vsg_workload_is_open(c->vm[i].workload.kind) || draws_targets(&c->vm[i]) ||
            vsg_dist_is_random(&c->vm[i].workload.think))
            return true;
    return false;
}

void vsg_warn_of_idle_keys(struct vsg_reader *r, const struct vsg_scenario *s)
{
    if (s->config.machine.nodes > 1)
        warn_of_shape(r, &s->config.interconnect);
    if (!s->has_guests) {
        say_idle_at(r, "workload", "there are no VMs");
        return;
    }
    warn_of_interconnect(r, &s->config);
    warn_of_workloads(r, &s->config);
    bool random = has_randomness(&s->config);
    if (s->study.replications > 1 && !random)
        say_idle_at(r, "run.replications", "nothing is random, so all replications are equal");
    else if (s->study.precision_ppm)
        say_idle_at(r, "run.replications", "run.precision decides how many there are");
    if (s->study.precision_ppm && !random)
        say_idle_at(r, "run.precision", "nothing is random, so one replication is exact");
    if (!s->study.precision_ppm)
        say_idle_at(r, "run.max_replications", "it belongs to run.precision");
}
