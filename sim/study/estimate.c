#include "study/estimate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/effort.h"
#include "study/kept.h"
#include "study/precision.h"
#include "study/worker.h"

enum { PROBES = 5 };
#define ENOUGH_NS UINT64_C(40000000)  /* a short run that long tells enough */
#define LIMIT_NS UINT64_C(5000000000) /* and one this long is ended */
static const double first_ipis = 2000, growth = 4;

/* ---- a shorter run ---------------------------------------------------------------------- */

static uint64_t part_of(uint64_t n, double share)
{
    double part = (double)n * share;
    return n == 0 ? 0 : part < 1 ? 1 : (uint64_t)part;
}

/* A point of the study whose runs are a share of the length. The copy shares all but its VMs
 * with the study's. Returns false without memory. */
static bool shorten(const struct vsg_point *whole, double share, struct vsg_point *out)
{
    struct vsg_config *c = &out->config;
    *out = *whole;
    c->vm = malloc(((size_t)c->vm_count + 1) * sizeof *c->vm);
    if (!c->vm)
        return false;
    if (c->vm_count > 0)
        memcpy(c->vm, whole->config.vm, c->vm_count * sizeof *c->vm);
    for (uint32_t i = 0; i < c->vm_count; i++)
        c->vm[i].workload.sends = part_of(c->vm[i].workload.sends, share);
    c->duration_ps = part_of(c->duration_ps, share);
    c->warmup.time_ps = part_of(c->warmup.time_ps, share);
    c->warmup.count = part_of(c->warmup.count, share);
    return true;
}

struct probe {
    uint64_t wall_ns, peak_bytes, result_bytes;
    char *error; /* NULL: it went well */
};

static void take(const struct vsg_run *run, struct probe *p)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    p->wall_ns += run->wall_ns;
    if (run->peak_bytes > p->peak_bytes)
        p->peak_bytes = run->peak_bytes;
    if (run->state != VSG_RUN_DONE) {
        const char *cause = run->error ? strstr(run->error, "): ") : NULL;
        free(p->error);
        p->error = strdup(cause ? cause + 3 : vsg_status_text(run->status));
        return;
    }
    if (vsg_kept_pack(run, (struct vsg_identity)VSG_IDENTITY_INIT, &bytes, &size) == VSG_OK)
        p->result_bytes += size;
    free(bytes);
}

/* Runs one policy of a point for a share of its length, in all engines asked for. */
static enum vsg_status try_out(const struct vsg_study *s, const struct vsg_execute_options *options,
                               uint32_t point, uint32_t policy, double share, struct probe *p,
                               struct vsg_diag *diag)
{
    struct vsg_point one;
    struct vsg_study part = *s;
    struct vsg_outcome outcome = {0};
    struct vsg_execute_options o = *options;
    *p = (struct probe){0};
    if (!shorten(&s->point[point], share, &one))
        return VSG_ENOMEM;
    part.point = &one;
    part.point_count = 1;
    part.replications = 1;
    part.precision_ppm = 0;
    o.jobs = 1;
    o.sample_cap = 0;
    o.limit_time_ns = LIMIT_NS;
    o.fail_fast = false;
    o.only = &policy;
    o.only_count = 1;
    o.recall = NULL;
    o.begin = NULL;
    o.ended = NULL;
    o.progress = NULL;
    enum vsg_status status = vsg_study_execute(&part, &o, &outcome, diag);
    for (uint32_t i = 0; i < outcome.run_count && status == VSG_OK; i++)
        take(&outcome.run[i], p);
    vsg_outcome_free(&outcome);
    free(one.config.vm);
    return status;
}

/* ---- the length of a whole one ------------------------------------------------------------ */

/* Wall time of a whole run by ever longer ones: 0 when it could not be run, with p->error. */
static enum vsg_status measure(const struct vsg_study *s, const struct vsg_execute_options *o,
                               uint32_t point, uint32_t policy, struct probe *p, double *whole_ns,
                               struct vsg_diag *diag)
{
    double share = first_ipis / vsg_config_weight(&s->point[point].config);
    double last_ns = 0, last_share = 0;
    *whole_ns = 0;
    for (;;) {
        share = share < 1 ? share : 1;
        enum vsg_status status = try_out(s, o, point, policy, share, p, diag);
        if (status != VSG_OK || p->error)
            return status;
        double now_ns = (double)p->wall_ns;
        if (share >= 1 || p->wall_ns >= ENOUGH_NS) {
            double slope = (now_ns - last_ns) / (share - last_share);
            *whole_ns = now_ns + (slope > 0 ? slope : 0) * (1 - share);
            return VSG_OK;
        }
        last_ns = now_ns;
        last_share = share;
        share *= growth;
        free(p->error);
    }
}

static uint64_t own_bytes(void)
{
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f && fscanf(f, "%*u %llu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Sums up over the runs: what was measured, spread over all points by their weights. */
static enum vsg_status sum_up(const struct vsg_study *s, const struct vsg_execute_options *o,
                              double ns_per_weight, struct vsg_estimate *e)
{
    uint32_t all = vsg_study_run_count(s), count = 0;
    double total = 0, least = 0, most = 0;
    for (uint32_t i = 0; i < all; i++) {
        uint32_t index = o->only ? o->only[i] : i, point, policy, replication;
        vsg_study_run_coordinates(s, index, &point, &policy, &replication);
        if (s->precision_ppm && !o->only && replication >= vsg_precision_begin(s, point))
            continue;
        double ns = ns_per_weight * vsg_config_weight(&s->point[point].config);
        total += ns;
        least = count == 0 || ns < least ? ns : least;
        most = ns > most ? ns : most;
        count++;
        if (o->only && count == o->only_count)
            break;
    }
    e->least_ns = (uint64_t)least;
    e->most_ns = (uint64_t)most;
    e->mean_ns = (uint64_t)(total / count);
    total = total / e->jobs > most ? total / e->jobs : most;
    e->total_ns = total < 1e19 ? (uint64_t)total : UINT64_MAX;
    return VSG_OK;
}

/* Point i of n, evenly spread with both ends. */
static uint32_t pick(uint32_t i, uint32_t n, uint32_t points)
{
    return n > 1 ? (uint32_t)((uint64_t)i * (points - 1) / (n - 1)) : 0;
}

enum vsg_status vsg_study_estimate(const struct vsg_study *study,
                                   const struct vsg_execute_options *options,
                                   struct vsg_estimate *out, struct vsg_diag *diag)
{
    struct vsg_estimate e = {.probes = study->point_count < PROBES ? study->point_count : PROBES};
    uint64_t begun_ns = vsg_wall_ns(), result_bytes = 0;
    double ns = 0, weight = 0;
    *out = e;
    enum vsg_status status = vsg_execute_size(study, options, &e.runs, &e.jobs, &e.threads, diag);
    for (uint32_t i = 0; i < e.probes && status == VSG_OK; i++) {
        struct probe p = {0};
        double whole_ns;
        uint32_t point = pick(i, e.probes, study->point_count);
        status = measure(study, options, point, i % study->policy_count, &p, &whole_ns, diag);
        if (whole_ns > 0) {
            ns += whole_ns;
            weight += vsg_config_weight(&study->point[point].config);
            e.run_bytes = p.peak_bytes > e.run_bytes ? p.peak_bytes : e.run_bytes;
            result_bytes = p.result_bytes > result_bytes ? p.result_bytes : result_bytes;
        }
        if (p.error && !e.error) {
            e.error = p.error;
            p.error = NULL;
        }
        free(p.error);
    }
    e.probe_ns = vsg_wall_ns() - begun_ns;
    e.known = weight > 0;
    e.study_bytes = own_bytes() + (uint64_t)e.runs * result_bytes;
    if (status == VSG_OK && e.known)
        status = sum_up(study, options, ns / weight, &e);
    *out = e;
    return status;
}

void vsg_estimate_free(struct vsg_estimate *e)
{
    free(e->error);
    *e = (struct vsg_estimate){0};
}
