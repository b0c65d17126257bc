#include "study/effort.h"

#include <stdlib.h>

/* A run costs something before its first IPI: building the machine, starting a process. */
enum { START_WEIGHT = 1000 };

static double weight_of_vm(const struct vsg_config *c, const struct vsg_vm_config *vm)
{
    const struct vsg_workload_config *w = &vm->workload;
    double senders = w->sender_count > 0 ? w->sender_count : vm->vcpus;
    double sends = (double)w->sends;
    if (w->kind == VSG_WORKLOAD_IPI_HW)
        senders = 1;
    if (w->sends == 0)
        sends = (double)c->duration_ps * 1e-12 * (double)w->rate_per_s;
    return senders * sends;
}

double vsg_config_weight(const struct vsg_config *c)
{
    double weight = START_WEIGHT + c->machine.cpu_count;
    for (uint32_t i = 0; i < c->vm_count; i++)
        weight += weight_of_vm(c, &c->vm[i]);
    return weight;
}

enum vsg_status vsg_effort_begin(struct vsg_effort *e, const struct vsg_study *s,
                                 const struct vsg_run *run, uint32_t count)
{
    *e = (struct vsg_effort){.weight = calloc((size_t)s->point_count + 1, sizeof(double))};
    if (!e->weight)
        return VSG_ENOMEM;
    for (uint32_t i = 0; i < s->point_count; i++)
        e->weight[i] = vsg_config_weight(&s->point[i].config);
    vsg_effort_more(e, run, count);
    return VSG_OK;
}

void vsg_effort_more(struct vsg_effort *e, const struct vsg_run *run, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        e->left += e->weight[run[i].point];
}

void vsg_effort_end(struct vsg_effort *e)
{
    free(e->weight);
    *e = (struct vsg_effort){0};
}

void vsg_effort_ended(struct vsg_effort *e, const struct vsg_run *run)
{
    double weight = e->weight[run->point];
    e->left -= weight;
    if (run->state != VSG_RUN_DONE || run->recalled)
        return; /* where a failed one stopped says nothing about the others */
    e->ended += weight;
    e->ended_ns += (double)run->wall_ns;
}

bool vsg_effort_left(const struct vsg_effort *e, unsigned jobs, uint64_t *left_ns)
{
    if (e->ended <= 0)
        return false;
    double left = e->left * (e->ended_ns / e->ended) / jobs;
    *left_ns = left > 0 && left < 1e19 ? (uint64_t)left : 0;
    return true;
}
