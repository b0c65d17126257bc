#include "cli/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exits.h"
#include "cli/paths.h"
#include "cli/input.h"
#include "cli/verbs.h"
#include "models/interconnect/interconnect.h"

void vsg_topology_no_direct(const struct vsg_topology_view *v, char *why, size_t size)
{
    const struct vsg_machine_config *m = v->machine;
    bool v41 = false;
    for (uint32_t i = 0; i < m->its_count; i++)
        v41 |= m->its[i].typer_v41;
    if (!v41) {
        snprintf(why, size, m->its_count ? "no ITS is v4.1" : "the machine has no ITS");
        return;
    }
    for (uint32_t i = 0; i < m->cpu_count; i++)
        if (!m->cpu[i].rvpeid) {
            snprintf(why, size, "the redistributor of CPU %u is not v4.1", m->cpu[i].id);
            return;
        }
    snprintf(why, size, "the GIC does not offer it");
}

/* Whether a CPU can take its table from this ITS, but for the affinity. */
static bool offers_table(const struct vsg_its_config *its)
{
    return its->typer_v41 && its->svpet != 0 && its->vpe_table_valid;
}

const char *vsg_topology_no_match(const struct vsg_topology_view *v)
{
    bool svpet = false, valid = false;
    const struct vsg_selection *local = v->boot.selection[VSG_POLICY_LOCAL];
    for (uint32_t i = 0; i < v->machine->cpu_count; i++)
        if (local[i].remembered != VSG_NONE)
            return "";
    for (uint32_t i = 0; i < v->machine->its_count; i++) {
        svpet |= v->machine->its[i].typer_v41 && v->machine->its[i].svpet != 0;
        valid |= offers_table(&v->machine->its[i]);
    }
    if (!svpet)
        return "SVPET is 0 on every ITS";
    return valid ? "no CPU has the affinity of an ITS" : "no ITS has a valid vPE table";
}

bool vsg_topology_alike(const struct vsg_topology_view *v, char *why, size_t size)
{
    const struct vsg_machine_config *m = v->machine;
    const struct vsg_selection *local = v->boot.selection[VSG_POLICY_LOCAL],
                               *global = v->boot.selection[VSG_POLICY_GLOBAL_FIRST];
    uint32_t v41 = 0;
    if (!v->boot.direct_vsgi) {
        char reason[64];
        vsg_topology_no_direct(v, reason, sizeof reason);
        snprintf(why, size, "no direct vSGI: %s", reason);
        return true;
    }
    for (uint32_t i = 0; i < m->cpu_count; i++)
        if (v->boot.started[i] && local[i].its != global[i].its)
            return false;
    for (uint32_t i = 0; i < m->its_count; i++)
        v41 += m->its[i].typer_v41;
    const char *none = vsg_topology_no_match(v);
    if (v41 == 1)
        snprintf(why, size, "only one ITS is v4.1");
    else
        snprintf(why, size, "%s", *none ? none : "every CPU comes by the head of the list");
    return true;
}

/* Links and routes, and the latency of every route, one way, as the interconnect gives it (weights
 * aside). */
static enum vsg_status fill_latency(struct vsg_topology_view *v, struct vsg_diag *diag)
{
    uint32_t n = v->machine->nodes;
    const struct vsg_routes *r = &v->routes;
    v->latency_ps = calloc((size_t)n * n, sizeof *v->latency_ps);
    if (!v->latency_ps)
        return VSG_ENOMEM;
    char *module = vsg_module_dir();
    enum vsg_status status = module
                                 ? vsg_interconnect_routes(&v->study->point[0].config.interconnect,
                                                           n, module, &v->routes, diag)
                                 : VSG_ENOMEM;
    free(module);
    if (status != VSG_OK)
        return status;
    for (size_t pair = 0; pair < (size_t)n * n; pair++)
        for (uint32_t k = r->first[pair]; k < r->first[pair + 1]; k++)
            v->latency_ps[pair] += r->link_latency_ps[r->link[k]];
    return vsg_world_links_make(r, &v->world, &v->links, diag);
}

/* A sweep over the machine has several machines: say which one is shown. */
static void say_first_point(const struct vsg_study *study)
{
    const struct vsg_point *p = &study->point[0];
    for (uint32_t i = 0; study->point_count > 1 && i < p->axis_count; i++)
        if (strncmp(p->axis[i].name, "machine", 7) == 0 ||
            strncmp(p->axis[i].name, "interconnect", 12) == 0)
            fprintf(stderr, "note: the sweep varies %s; shown is its first value, %s\n",
                    p->axis[i].name, p->axis[i].text);
}

static void say_alike(const struct vsg_topology_view *v)
{
    bool local = false, global = false;
    char why[128];
    for (uint32_t i = 0; i < v->study->policy_count; i++) {
        local |= v->study->policy[i] == VSG_POLICY_LOCAL;
        global |= v->study->policy[i] == VSG_POLICY_GLOBAL_FIRST;
    }
    if (local && global && vsg_topology_alike(v, why, sizeof why))
        fprintf(stderr,
                "warning: local and global-first are the same on this machine (%s): the kernel "
                "change has no effect here.\n",
                why);
}

static enum vsg_status show(const struct vsg_command *c, struct vsg_topology_view *v,
                            struct vsg_diag *diag)
{
    enum vsg_status status = vsg_boot(v->machine, &v->boot);
    if (status != VSG_OK)
        return status;
    status = fill_latency(v, diag);
    if (status == VSG_OK) {
        say_first_point(v->study);
        if (c->value[VSG_OPT_JSON])
            status = vsg_topology_json(v, diag);
        else
            status = vsg_topology_table(v, c->value[VSG_OPT_CPUS] != NULL, diag);
        fflush(stdout); /* the table before the warning about it */
        say_alike(v);
    }
    if (status == VSG_OK && c->value[VSG_OPT_SVG])
        status = vsg_topology_svg(v, c->value[VSG_OPT_SVG], diag);
    vsg_world_links_free(&v->links);
    vsg_routes_free(&v->routes);
    free(v->latency_ps);
    vsg_boot_free(&v->boot);
    return status;
}

int vsg_verb_topology(const struct vsg_command *c)
{
    struct vsg_study study = {0};
    struct vsg_source source;
    struct vsg_diag diag = VSG_DIAG_INIT;
    size_t errors = 0;
    int rc = vsg_input_load(c, c->operand[0], &study, &source, &errors);
    if (rc != VSG_EXIT_OK) {
        vsg_input_say_errors(errors);
        return rc;
    }
    struct vsg_topology_view v = {.study = &study, .machine = &study.point[0].config.machine};
    enum vsg_status status = show(c, &v, &diag);
    vsg_show_diag(stderr, NULL, &diag, VSG_SHOW_USUAL);
    if (status != VSG_OK && vsg_diag_count(&diag, VSG_ERROR) == 0)
        fprintf(stderr, "vsgisim: %s: %s\n", source.name, vsg_status_text(status));
    vsg_diag_clear(&diag);
    vsg_study_free(&study);
    vsg_source_free(&source);
    return (int)vsg_exit_of(status);
}
