#include "study/run_model.h"

#include "models/interconnect/interconnect.h"
#include "models/model.h"
#include "study/pilot.h"

/* Fluid contention is SimGrid's own: it needs the platform itself, and the host of each node. */
static enum vsg_status run_simgrid(const struct vsg_config *config, const struct vsg_world *world,
                                   struct vsg_report *report, struct vsg_diag *diag)
{
    struct vsg_world w = *world;
    struct vsg_platform_store store = {0};
    struct vsg_platform platform = {0};
    enum vsg_status status = VSG_OK;
    if (w.contention == VSG_CONTENTION_FLUID && !w.platform_xml) {
        status = vsg_platform_make(&config->interconnect, config->machine.nodes, &platform, &store);
        w.platform_xml = platform.xml;
        w.platform_second_ps = platform.second_ps;
        w.host = platform.host;
    }
    if (status == VSG_OK)
        status = vsg_simgrid_run(&w, report, diag);
    vsg_platform_free(&store);
    return status;
}

enum vsg_status vsg_run_model(const struct vsg_config *config, enum vsg_engine engine,
                              const struct vsg_routes *routes, unsigned threads,
                              uint64_t sample_cap, struct vsg_run_result *out,
                              struct vsg_diag *diag)
{
    struct vsg_model *model = NULL;
    struct vsg_report report = {0};
    struct vsg_model_options options = {.workers = engine == VSG_ENGINE_PARALLEL ? threads : 1,
                                        .sample_cap = sample_cap};
    enum vsg_status status = vsg_pilot(config, routes, threads, &options, diag);
    if (status == VSG_OK)
        status = vsg_model_new(config, routes, &options, &model, diag);
    if (status != VSG_OK)
        return status;
    const struct vsg_world *world = vsg_model_world(model);
    if (engine == VSG_ENGINE_PARALLEL)
        status = vsg_parallel_run(world, threads, &report, diag);
    else
        status = run_simgrid(config, world, &report, diag);
    if (status == VSG_OK) {
        status = vsg_model_result(model, &report, out, diag);
        vsg_report_free(&report);
    }
    vsg_model_free(model);
    return status;
}
