#include "study/pilot.h"

enum { IPIS_MIN = 2000, PPM = 1000000 };

struct pilot {
    const struct vsg_config *config; /* with the policy in hand */
    const struct vsg_routes *routes;
    unsigned threads;
    uint64_t window_end_ps; /* of the run, as its open loads say; 0: not known yet */
    uint64_t end_ps;        /* the same, or earlier, where a closed loop is known to end it */
    uint64_t step_ps;       /* what comes from here on is no transient but asked for */
    bool overloaded;        /* there is no steady state to warm up to */
};

/* What one pilot of a length says. */
struct answer {
    uint64_t length_ps, ipis, cut_ps;
    bool known; /* cut_ps: there were enough IPIs to say */
};

/* length_ps 0: as long as first pilots are. */
static enum vsg_status run_pilot(struct pilot *p, uint64_t length_ps, struct answer *a,
                                 struct vsg_diag *diag)
{
    struct vsg_model_options options = {.workers = p->threads,
                                        .window_end_ps = p->window_end_ps,
                                        .pilot = true,
                                        .pilot_ps = length_ps};
    struct vsg_model *model = NULL;
    struct vsg_report report = {0};
    *a = (struct answer){0};
    enum vsg_status status = vsg_model_new(p->config, p->routes, &options, &model, diag);
    if (status != VSG_OK)
        return status;
    const struct vsg_world *world = vsg_model_world(model);
    p->end_ps = p->window_end_ps = vsg_model_window_end_ps(model);
    if (p->step_ps < p->end_ps)
        p->end_ps = p->step_ps;
    p->overloaded = vsg_model_load_ppm(model) >= PPM;
    if (!p->overloaded)
        status = vsg_parallel_run(world, p->threads, &report, diag);
    if (status == VSG_OK && !p->overloaded) {
        a->length_ps = report.stop_ps;
        a->known = vsg_model_warmup_cut(model, &report, &a->ipis, &a->cut_ps);
        if (report.stop_ps < world->window_end_ps) /* that was all of the run */
            p->end_ps = report.stop_ps;
        vsg_report_free(&report);
    }
    vsg_model_free(model);
    return status;
}

/* The length after one that was too short. */
static uint64_t longer(const struct pilot *p, const struct answer *a)
{
    uint64_t next_ps = 2 * a->length_ps;
    if (a->ipis < IPIS_MIN && a->ipis > 0) {
        uint64_t enough_ps = (uint64_t)((vsg_u128)a->length_ps * IPIS_MIN / a->ipis);
        enough_ps += enough_ps / 8;
        next_ps = enough_ps > next_ps ? enough_ps : next_ps;
    }
    return next_ps < p->end_ps ? next_ps : p->end_ps;
}

/* Raises *cut_ps to this policy's. */
static enum vsg_status cut_of_policy(struct pilot *p, uint64_t *cut_ps, struct vsg_diag *diag)
{
    uint64_t length_ps = 0;
    for (;;) {
        struct answer a;
        enum vsg_status status = run_pilot(p, length_ps, &a, diag);
        if (status != VSG_OK || p->overloaded)
            return status;
        if (a.length_ps > p->end_ps) { /* beyond a load step */
            length_ps = p->end_ps;
            continue;
        }
        bool enough = a.ipis >= IPIS_MIN && a.known && a.cut_ps <= a.length_ps / 2;
        if (!enough && a.length_ps < p->end_ps) {
            length_ps = longer(p, &a);
            continue;
        }
        if (a.known && a.cut_ps > *cut_ps)
            *cut_ps = a.cut_ps;
        return VSG_OK;
    }
}

/* The first load step of the open loads, VSG_NEVER without; false: there is no open load. */
static bool has_open_load(const struct vsg_config *c, uint64_t *first_step_ps)
{
    bool open = false;
    *first_step_ps = VSG_NEVER;
    for (uint32_t i = 0; i < c->vm_count; i++) {
        const struct vsg_workload_config *w = &c->vm[i].workload;
        if (!vsg_workload_is_open(w->kind))
            continue;
        open = true;
        if (w->step_count && w->step[0].at_ps < *first_step_ps)
            *first_step_ps = w->step[0].at_ps;
    }
    return open;
}

enum vsg_status vsg_pilot(const struct vsg_config *config, const struct vsg_routes *routes,
                          unsigned threads, struct vsg_model_options *options,
                          struct vsg_diag *diag)
{
    struct vsg_config c = *config; /* shares its lists */
    struct pilot p = {.config = &c, .routes = routes, .threads = threads};
    uint64_t cut_ps = 0;
    if (!has_open_load(config, &p.step_ps) || config->warmup.kind != VSG_WARMUP_AUTO)
        return VSG_OK;
    if (c.interconnect.contention == VSG_CONTENTION_FLUID)
        c.interconnect.contention = VSG_CONTENTION_FIFO;
    enum vsg_status status = cut_of_policy(&p, &cut_ps, diag);
    bool overloaded = p.overloaded;
    uint64_t end_ps = p.end_ps;
    for (uint32_t i = 0; i < config->compared_count && status == VSG_OK && !overloaded; i++) {
        struct vsg_diag unseen = VSG_DIAG_INIT;
        c.policy = config->compared[i];
        if (c.policy == config->policy)
            continue;
        status = cut_of_policy(&p, &cut_ps, &unseen);
        if (status == VSG_ENOTSUP)
            status = VSG_OK;
        vsg_diag_clear(&unseen);
    }
    if (status != VSG_OK)
        return status;
    options->window_end_ps = p.window_end_ps;
    if (overloaded)
        return VSG_OK;
    options->not_steady = cut_ps > end_ps / 2 && p.step_ps >= p.window_end_ps;
    options->warmup_ps = cut_ps > end_ps / 2 ? end_ps / 2 : cut_ps;
    options->warmup_known = true;
    return VSG_OK;
}
