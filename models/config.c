#include "models/config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const vsg_topology_name[VSG_TOPOLOGY_COUNT] = {
    [VSG_TOPOLOGY_FULL] = "full",           [VSG_TOPOLOGY_STAR] = "star",
    [VSG_TOPOLOGY_MATRIX] = "matrix",       [VSG_TOPOLOGY_RING] = "ring",
    [VSG_TOPOLOGY_TORUS] = "torus",         [VSG_TOPOLOGY_FAT_TREE] = "fat-tree",
    [VSG_TOPOLOGY_DRAGONFLY] = "dragonfly", [VSG_TOPOLOGY_PLATFORM] = "platform"};

const char *const vsg_cost_name[VSG_COST_COUNT] = {
    [VSG_COST_PREPARE] = "prepare",   [VSG_COST_TRAP] = "trap",
    [VSG_COST_DISPATCH] = "dispatch", [VSG_COST_STORE] = "store",
    [VSG_COST_MMIO] = "mmio",         [VSG_COST_ITS] = "its",
    [VSG_COST_MESSAGE] = "message",   [VSG_COST_DELIVER] = "deliver",
    [VSG_COST_HANDLE] = "handle",     [VSG_COST_OBSERVE] = "observe",
    [VSG_COST_RETURN] = "return",     [VSG_COST_LINE] = "line"};

const char *const vsg_workload_name[VSG_WORKLOAD_COUNT] = {
    [VSG_WORKLOAD_IPI_HW] = "ipi_hw",   [VSG_WORKLOAD_PAIRS] = "pairs",
    [VSG_WORKLOAD_POISSON] = "poisson", [VSG_WORKLOAD_CLOSED] = "closed",
    [VSG_WORKLOAD_BURSTY] = "bursty",   [VSG_WORKLOAD_MATRIX] = "matrix"};

const char *const vsg_placement_name[VSG_PLACE_COUNT] = {
    [VSG_PLACE_PINNED] = "pinned",           [VSG_PLACE_NODE] = "node",
    [VSG_PLACE_PACKED] = "packed",           [VSG_PLACE_SPREAD] = "spread",
    [VSG_PLACE_INTERLEAVED] = "interleaved", [VSG_PLACE_RANDOM] = "random"};

const char *const vsg_policy_name[VSG_POLICY_COUNT] = {[VSG_POLICY_GLOBAL_FIRST] = "global-first",
                                                       [VSG_POLICY_LOCAL] = "local",
                                                       [VSG_POLICY_NUMA_V1] = "numa-v1",
                                                       [VSG_POLICY_NEAREST] = "nearest",
                                                       [VSG_POLICY_TARGET_NODE] = "target-node",
                                                       [VSG_POLICY_MIN_PATH] = "min-path",
                                                       [VSG_POLICY_ROUND_ROBIN] = "round-robin",
                                                       [VSG_POLICY_HASH] = "hash",
                                                       [VSG_POLICY_LEAST_OUTSTANDING] =
                                                           "least-outstanding"};

const char *const vsg_contention_name[3] = {[VSG_CONTENTION_NONE] = "none",
                                            [VSG_CONTENTION_FIFO] = "fifo",
                                            [VSG_CONTENTION_FLUID] = "fluid"};

const char *const vsg_tie_name[3] = {
    [VSG_TIE_HASH] = "hash", [VSG_TIE_ID] = "id", [VSG_TIE_REVERSE] = "reverse"};

const char *const vsg_store_ack_name[2] = {[VSG_ACK_LOCAL] = "local", [VSG_ACK_ITS] = "its"};

/* A list that is NULL means something else than an empty one ("all others"), so
 * NULL stays NULL and an empty list stays a list. Sets *failed when memory runs out. */
static void *copy_list(const void *from, size_t count, size_t size, bool *failed)
{
    if (!from)
        return NULL;
    void *copy = calloc(count ? count : 1, size);
    if (!copy)
        *failed = true;
    else if (count)
        memcpy(copy, from, count * size);
    return copy;
}

static char *copy_text(const char *from, bool *failed)
{
    return copy_list(from, from ? strlen(from) + 1 : 0, 1, failed);
}

#define COPY_LIST(list, count, failed) copy_list((list), (count), sizeof *(list), (failed))

/* The copies set every pointer of `to`, also when they fail, so that
 * vsg_config_free() can clear up after them. */
static void copy_machine(const struct vsg_machine_config *from, struct vsg_machine_config *to,
                         bool *failed)
{
    *to = *from;
    to->its = COPY_LIST(from->its, from->its_count, failed);
    to->cpu = COPY_LIST(from->cpu, from->cpu_count, failed);
    to->boot_order = COPY_LIST(from->boot_order, from->boot_count, failed);
    to->event = COPY_LIST(from->event, from->event_count, failed);
}

enum vsg_status vsg_workload_copy(const struct vsg_workload_config *from,
                                  struct vsg_workload_config *out)
{
    struct vsg_workload_config to = *from;
    bool failed = false;
    to.target = COPY_LIST(from->target, from->target_count, &failed);
    to.sender = COPY_LIST(from->sender, from->sender_count, &failed);
    to.pair_rate_per_s = COPY_LIST(from->pair_rate_per_s, from->pair_rate_count, &failed);
    to.step = COPY_LIST(from->step, from->step_count, &failed);
    failed |= vsg_dist_copy(&from->think, &to.think) != VSG_OK;
    *out = to;
    return failed ? VSG_ENOMEM : VSG_OK;
}

void vsg_workload_free(struct vsg_workload_config *w)
{
    free(w->target);
    free(w->sender);
    free(w->pair_rate_per_s);
    free(w->step);
    vsg_dist_free(&w->think);
    *w = (struct vsg_workload_config){0};
}

static void copy_interconnect(const struct vsg_interconnect_config *from, size_t nodes,
                              struct vsg_interconnect_config *to, bool *failed)
{
    const struct vsg_shape *shape = &from->shape;
    *to = *from;
    to->matrix_latency_ps = COPY_LIST(from->matrix_latency_ps, nodes * nodes, failed);
    to->shape.dims = COPY_LIST(shape->dims, shape->dims_count, failed);
    to->shape.down = COPY_LIST(shape->down, shape->down_count, failed);
    to->shape.up = COPY_LIST(shape->up, shape->up_count, failed);
    to->shape.count = COPY_LIST(shape->count, shape->count_count, failed);
    to->platform.xml = copy_text(from->platform.xml, failed);
    to->platform.host = COPY_LIST(from->platform.host, from->platform.host_count, failed);
    if (!to->platform.host)
        to->platform.host_count = 0;
    for (uint32_t i = 0; i < to->platform.host_count; i++)
        to->platform.host[i] = copy_text(from->platform.host[i], failed);
}

static void free_interconnect(struct vsg_interconnect_config *c)
{
    free(c->matrix_latency_ps);
    free(c->shape.dims);
    free(c->shape.down);
    free(c->shape.up);
    free(c->shape.count);
    free(c->platform.xml);
    for (uint32_t i = 0; i < c->platform.host_count; i++)
        free(c->platform.host[i]);
    free(c->platform.host);
}

static void copy_vm(const struct vsg_vm_config *from, struct vsg_vm_config *to, bool *failed)
{
    *to = *from;
    to->name = copy_text(from->name, failed);
    to->placement.cpu = COPY_LIST(from->placement.cpu, from->placement.cpu_count, failed);
    *failed |= vsg_workload_copy(&from->workload, &to->workload) != VSG_OK;
}

enum vsg_status vsg_config_copy(const struct vsg_config *from, struct vsg_config *out)
{
    assert(from && out);
    struct vsg_config to = *from;
    size_t nodes = from->machine.nodes;
    bool failed = false;

    to.name = copy_text(from->name, &failed);
    copy_machine(&from->machine, &to.machine, &failed);
    copy_interconnect(&from->interconnect, nodes, &to.interconnect, &failed);
    for (int i = 0; i < VSG_COST_COUNT; i++)
        failed |= vsg_dist_copy(&from->cost[i], &to.cost[i]) != VSG_OK;
    to.vm = COPY_LIST(from->vm, from->vm_count, &failed);
    for (uint32_t i = 0; to.vm && i < from->vm_count; i++)
        copy_vm(&from->vm[i], &to.vm[i], &failed);
    if (!to.vm)
        to.vm_count = 0; /* nothing for vsg_config_free() to look at */
    if (failed) {
        vsg_config_free(&to);
        return VSG_ENOMEM;
    }
    *out = to;
    return VSG_OK;
}

void vsg_config_free(struct vsg_config *c)
{
    assert(c);
    free(c->name);
    free(c->machine.its);
    free(c->machine.cpu);
    free(c->machine.boot_order);
    free(c->machine.event);
    free_interconnect(&c->interconnect);
    for (int i = 0; i < VSG_COST_COUNT; i++)
        vsg_dist_free(&c->cost[i]);
    for (uint32_t i = 0; i < c->vm_count; i++) {
        free(c->vm[i].name);
        free(c->vm[i].placement.cpu);
        vsg_workload_free(&c->vm[i].workload);
    }
    free(c->vm);
    memset(c, 0, sizeof *c);
}
