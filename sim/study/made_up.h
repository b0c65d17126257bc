/* Studies and results made up for the unit tests of this folder: small, every number by hand. */
#ifndef VSG_STUDY_MADE_UP_H
#define VSG_STUDY_MADE_UP_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "study/results.h"

#define NS(x) ((uint64_t)((x)*1000))

enum { MADE_POINTS = 8, MADE_RUNS = 64 };

/* global-first and local, an ipi_hw guest of two vCPUs, one axis: the guest's node. */
struct made_up {
    struct vsg_study study;
    struct vsg_outcome outcome;
    struct vsg_point point[MADE_POINTS];
    struct vsg_axis_value axis[MADE_POINTS];
    struct vsg_vm_config vm[MADE_POINTS];
    struct vsg_run run[MADE_RUNS];
    char node_text[MADE_POINTS][4];
};

static inline void made_up(struct made_up *m, uint32_t points, uint32_t policies,
                           uint32_t replications)
{
    static char name[] = "made-up", nothing[] = "", axis_name[] = "vms.guest.placement.node",
                guest[] = "guest", yaml[] = "name: made-up\n";
    memset(m, 0, sizeof *m);
    assert(points <= MADE_POINTS && points * policies * replications <= MADE_RUNS);
    m->study = (struct vsg_study){.name = name,
                                  .description = nothing,
                                  .point = m->point,
                                  .point_count = points,
                                  .policy = {VSG_POLICY_GLOBAL_FIRST, VSG_POLICY_LOCAL},
                                  .policy_count = policies,
                                  .replications = replications,
                                  .has_guests = true};
    for (uint32_t i = 0; i < points; i++) {
        m->node_text[i][0] = (char)('0' + i);
        m->axis[i] = (struct vsg_axis_value){axis_name, m->node_text[i], true, points, 0};
        m->vm[i] = (struct vsg_vm_config){
            .name = guest, .vcpus = 2, .workload = {.kind = VSG_WORKLOAD_IPI_HW}};
        m->point[i] = (struct vsg_point){.axis = &m->axis[i],
                                         .axis_count = points > 1,
                                         .config = {.name = name,
                                                    .machine = {.nodes = 1},
                                                    .vm = &m->vm[i],
                                                    .vm_count = 1,
                                                    .seed = 1},
                                         .resolved_yaml = yaml};
    }
    m->outcome.run = m->run;
    m->outcome.run_count = points * policies * replications;
    for (uint32_t i = 0; i < m->outcome.run_count; i++)
        m->run[i] = (struct vsg_run){.index = i,
                                     .point = i / replications / policies,
                                     .policy = i / replications % policies,
                                     .replication = i % replications};
}

/* Jitter somewhere, so that intervals are due. */
static inline void made_up_random(struct made_up *m)
{
    for (uint32_t i = 0; i < m->study.point_count; i++)
        m->point[i].config.cost[VSG_COST_HANDLE] =
            (struct vsg_dist){.kind = VSG_DIST_EXPONENTIAL, .mean_ps = 1};
}

static inline void made_up_free(struct made_up *m)
{
    for (uint32_t i = 0; i < m->outcome.run_count; i++) {
        vsg_run_result_free(&m->run[i].result);
        vsg_diag_clear(&m->run[i].diag);
        free(m->run[i].error);
    }
}

/* An empty result with one node pair, one VM, one ITS (id 1) and one link; all IPIs are still to
 * come. */
static inline void made_result(struct vsg_run_result *r)
{
    memset(r, 0, sizeof *r);
    r->node_count = r->vm_count = r->its_count = r->link_count = 1;
    r->pair = calloc(1, sizeof *r->pair);
    r->vm = calloc(1, sizeof *r->vm);
    r->vm_name = calloc(1, sizeof *r->vm_name);
    r->vm_name[0] = strdup("guest");
    r->its = calloc(1, sizeof *r->its);
    r->its[0].id = 1;
    r->link = calloc(1, sizeof *r->link);
    r->link[0].name = strdup("n0-n1");
    r->link[0].to = 1;
    r->sender_count = 1;
    vsg_tally_init(&r->latency);
    vsg_tally_init(&r->pair[0]);
    vsg_tally_init(&r->vm[0]);
}

/* Adds count IPIs of this latency, all of it in `trap`, one after the other. */
static inline void made_ipis(struct vsg_run_result *r, uint64_t count, uint64_t latency_ps)
{
    for (uint64_t i = 0; i < count; i++) {
        enum vsg_status status = vsg_tally_add(&r->latency, VSG_HIST_RUN_BITS, latency_ps);
        if (status == VSG_OK)
            status = vsg_tally_add(&r->pair[0], VSG_HIST_COARSE_BITS, latency_ps);
        if (status == VSG_OK)
            status = vsg_tally_add(&r->vm[0], VSG_HIST_COARSE_BITS, latency_ps);
        assert(status == VSG_OK);
    }
    r->stage_sum_ps[VSG_STAGE_TRAP] += (vsg_u128)count * latency_ps;
    r->window_end_ps += count * latency_ps;
    r->sent += count;
    r->completed += count;
}

/* Gives the result 20 batches of `count` IPIs each; batch i has the latency of
 * latency_ps[i % period], also as every quantile. */
static inline void made_batches(struct vsg_run_result *r, uint64_t count,
                                const uint64_t *latency_ps, unsigned period)
{
    r->batch = calloc(VSG_BATCHES, sizeof *r->batch);
    r->batch_count = VSG_BATCHES;
    r->batch_ps = 1000;
    for (unsigned i = 0; i < VSG_BATCHES; i++) {
        uint64_t each_ps = latency_ps[i % period];
        r->batch[i] = (struct vsg_batch){.count = count, .sum_ps = (vsg_u128)count * each_ps};
        for (int q = 0; q < VSG_BATCH_QUANTILES; q++)
            r->batch[i].quantile_ps[q] = each_ps;
    }
}

/* Run i is done, with count IPIs of this latency. */
static inline void made_run(struct made_up *m, uint32_t i, uint64_t count, uint64_t latency_ps)
{
    made_result(&m->run[i].result);
    made_ipis(&m->run[i].result, count, latency_ps);
    m->run[i].state = VSG_RUN_DONE;
    m->outcome.done++;
}

#endif
