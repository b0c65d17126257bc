#include "study/theory.h"

#include <assert.h>
#include <stdlib.h>

#include "study/exact.h"
#include "study/text.h"

enum { PPM = 1000000 };

/* IPIs per second that the open VMs' senders intend, all together; *each is one sender's rate, 0
 * when they differ. 0 where rates are not constant and equal: bursty, matrix, load steps. */
static uint64_t offered_rate(const struct vsg_config *c, uint64_t *each)
{
    uint64_t total = 0;
    *each = 0;
    bool mixed = false;
    for (uint32_t i = 0; i < c->vm_count; i++)
        if (vsg_workload_is_open(c->vm[i].workload.kind) &&
            (c->vm[i].workload.kind != VSG_WORKLOAD_POISSON || c->vm[i].workload.step_count > 0))
            return 0;
    for (uint32_t i = 0; i < c->vm_count; i++) {
        const struct vsg_workload_config *w = &c->vm[i].workload;
        if (w->kind != VSG_WORKLOAD_POISSON)
            continue;
        total += w->rate_per_s * (w->sender_count > 0 ? w->sender_count : c->vm[i].vcpus);
        mixed = mixed || (*each != 0 && *each != w->rate_per_s);
        *each = w->rate_per_s;
    }
    if (mixed)
        *each = 0;
    return total;
}

static bool backlog_grows(const struct vsg_run_result *r)
{
    if (r->backlog_end <= 2 * r->backlog_half)
        return false;
    vsg_u128 growth = r->backlog_end - r->backlog_half;
    return growth * growth > (vsg_u128)16 * (r->sent / 2);
}

enum vsg_status vsg_theory_stability(const struct vsg_run_result *r,
                                     const struct vsg_config *config, struct vsg_figures *f)
{
    f->unstable = false;
    f->unstable_reason = NULL;
    f->sustainable_milli_per_s = VSG_NO_FIGURE;
    if (!r->open)
        return VSG_OK;
    struct vsg_text reason = {0};
    if (r->offered_count > 0 && r->offered[0].load_ppm >= PPM) {
        uint64_t each = 0, total = offered_rate(config, &each);
        uint64_t load = r->offered[0].load_ppm;
        vsg_u128 milli = total ? (vsg_u128)total * 1000 : (vsg_u128)f->throughput_milli_per_s;
        f->sustainable_milli_per_s = vsg_scale_round(milli, PPM, load);
        vsg_text_add(&reason, "offered load of %s is ", r->offered[0].server);
        vsg_text_rounded(&reason, vsg_scale_round(load, 1, 1), 6, 3, false);
        vsg_text_add(&reason, "; sustainable is less than ");
        vsg_text_rounded(&reason, f->sustainable_milli_per_s, 3, 0, true);
        vsg_text_add(&reason, " IPIs/s of all senders");
        if (each > 0) {
            vsg_text_add(&reason, ", ");
            vsg_text_rounded(&reason, vsg_scale_round(each, PPM, load), 0, 0, true);
            vsg_text_add(&reason, "/s of each");
        }
    } else if (backlog_grows(r)) {
        f->sustainable_milli_per_s = f->throughput_milli_per_s;
        vsg_text_add(&reason,
                     "the backlog grows: %llu IPIs at half of the window, %llu at its end; "
                     "sustainable is about ",
                     (unsigned long long)r->backlog_half, (unsigned long long)r->backlog_end);
        vsg_text_rounded(&reason, f->sustainable_milli_per_s, 3, 0, true);
        vsg_text_add(&reason, " IPIs/s of all senders");
    } else {
        return VSG_OK;
    }
    f->unstable = true;
    return vsg_text_take(&reason, &f->unstable_reason);
}

enum vsg_status vsg_theory_bottleneck(const struct vsg_run_result *r, struct vsg_figures *f)
{
    uint64_t window_ps = r->window_end_ps - r->window_start_ps, most = 0;
    struct vsg_text name = {0};
    for (uint32_t i = 0; i < r->its_count; i++)
        if (r->its[i].stats.busy_ps > most) {
            most = r->its[i].stats.busy_ps;
            name.length = 0;
            vsg_text_add(&name, "its%u", r->its[i].id);
        }
    for (uint32_t i = 0; i < r->link_count; i++)
        if (r->link[i].stats.busy_ps > most) {
            most = r->link[i].stats.busy_ps;
            name.length = 0;
            vsg_text_add(&name, "%s", r->link[i].name);
        }
    f->bottleneck = NULL;
    if ((vsg_u128)most * 100 > (vsg_u128)window_ps * 95)
        return vsg_text_take(&name, &f->bottleneck);
    bool failed = name.failed;
    vsg_text_free(&name);
    return failed ? VSG_ENOMEM : VSG_OK;
}

/* ---- M/D/1 ------------------------------------------------------------------------------- */

bool vsg_theory_is_md1(const struct vsg_run_result *r, const struct vsg_config *config)
{
    /* poisson has no flag, so prepare, observe and line take no part. */
    static const enum vsg_cost zero[] = {VSG_COST_TRAP, VSG_COST_DISPATCH, VSG_COST_STORE,
                                         VSG_COST_HANDLE, VSG_COST_RETURN};
    static const enum vsg_cost constant[] = {VSG_COST_MMIO, VSG_COST_MESSAGE, VSG_COST_DELIVER};
    uint32_t busy = 0;
    for (uint32_t i = 0; i < config->vm_count; i++)
        if (config->vm[i].workload.kind != VSG_WORKLOAD_POISSON ||
            config->vm[i].workload.step_count > 0)
            return false;
    for (uint32_t i = 0; i < r->its_count; i++)
        busy += r->its[i].stats.served > 0;
    if (config->vm_count == 0 || busy != 1)
        return false;
    const struct vsg_dist *its = &config->cost[VSG_COST_ITS];
    if (vsg_dist_is_random(its) || its->mean_ps == 0)
        return false;
    if (config->interconnect.contention != VSG_CONTENTION_NONE && config->machine.nodes > 1)
        return false;
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++)
        if (config->cost[zero[i]].mean_ps > 0)
            return false;
    for (size_t i = 0; i < sizeof constant / sizeof constant[0]; i++)
        if (vsg_dist_is_random(&config->cost[constant[i]]))
            return false;
    /* Waiting for an acknowledgement from the ITS would hold up the sender. */
    return config->interconnect.store_ack == VSG_ACK_LOCAL || config->machine.nodes == 1;
}

static bool is_queue(int stage)
{
    return stage == VSG_STAGE_SENDER_WAIT || stage == VSG_STAGE_LOCK_WAIT ||
           stage == VSG_STAGE_LINK_WAIT || stage == VSG_STAGE_ITS_WAIT;
}

static int64_t outside_queues(const struct vsg_figures *f)
{
    int64_t sum_ps = 0;
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        if (!is_queue(i))
            sum_ps += f->stage_ps[i];
    return sum_ps;
}

/* Nothing where nothing is due: an error relative to 0 has no meaning. */
static int64_t relative(int64_t simulated, int64_t analytic)
{
    if (analytic <= 0)
        return VSG_NO_FIGURE;
    return vsg_div_round(((vsg_i128)simulated - analytic) * PPM, analytic);
}

static void md1(const struct vsg_config *config, struct vsg_figures *f)
{
    uint64_t each = 0, service_ps = config->cost[VSG_COST_ITS].mean_ps;
    vsg_u128 per_s = 1000000000000u;                                    /* ps */
    vsg_u128 load = (vsg_u128)offered_rate(config, &each) * service_ps; /* rho, times per_s */
    if (load >= per_s || load == 0)
        return;
    f->analytic.theory = VSG_THEORY_MD1;
    f->analytic.wait_ps = vsg_scale_round(load, service_ps, 2 * (per_s - load));
    f->analytic.wait_error_ppm = relative(f->stage_ps[VSG_STAGE_ITS_WAIT], f->analytic.wait_ps);
    f->analytic.mean_ps = outside_queues(f) + f->analytic.wait_ps;
    f->analytic.error_ppm = relative(f->latency.mean_ps, f->analytic.mean_ps);
}

/* ---- the bottleneck bound -------------------------------------------------------------------- */

/* True when all VMs are closed loops with one think time. */
static bool is_closed(const struct vsg_config *c, uint64_t *think_ps)
{
    for (uint32_t i = 0; i < c->vm_count; i++) {
        const struct vsg_workload_config *w = &c->vm[i].workload;
        uint64_t think = w->kind == VSG_WORKLOAD_CLOSED ? w->think.mean_ps : 0;
        if (vsg_workload_is_open(w->kind) || (i > 0 && think != *think_ps))
            return false;
        *think_ps = think;
    }
    return c->vm_count > 0;
}

static void bound(const struct vsg_run_result *r, uint64_t think_ps, struct vsg_figures *f)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < r->its_count; i++)
        if (r->its[i].stats.busy_ps > most)
            most = r->its[i].stats.busy_ps;
    for (uint32_t i = 0; i < r->link_count; i++)
        if (r->link[i].stats.busy_ps > most)
            most = r->link[i].stats.busy_ps;
    /* The larger number, so that IPIs on the way at an end of the window do not raise the bound. */
    uint64_t ipis = r->sent > r->completed ? r->sent : r->completed;
    int64_t by_server = vsg_scale_round(most, r->sender_count, ipis);
    by_server = think_ps < INT64_MAX ? by_server - (int64_t)think_ps : 0;
    int64_t by_demand = outside_queues(f);
    f->analytic.theory = VSG_THEORY_BOUND;
    f->analytic.mean_ps = by_server > by_demand ? by_server : by_demand;
    f->analytic.error_ppm = relative(f->latency.mean_ps, f->analytic.mean_ps);
}

void vsg_theory_analytic(const struct vsg_run_result *r, const struct vsg_config *config,
                         struct vsg_figures *f)
{
    uint64_t think_ps = 0;
    f->analytic = (struct vsg_analytic_figures){.mean_ps = VSG_NO_FIGURE,
                                                .error_ppm = VSG_NO_FIGURE,
                                                .wait_ps = VSG_NO_FIGURE,
                                                .wait_error_ppm = VSG_NO_FIGURE};
    if (r->latency.count == 0 || f->latency.mean_ps == VSG_NO_FIGURE)
        return;
    if (vsg_theory_is_md1(r, config))
        md1(config, f);
    else if (is_closed(config, &think_ps))
        bound(r, think_ps, f);
}
