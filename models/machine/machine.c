#include "models/machine/machine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An affinity byte holds 256 values; Aff0 counts 16 CPUs, as SGIs reach 16 at once. */
enum { BYTE = 256, AFF0_CPUS = 16, AFF1_CPUS = AFF0_CPUS * BYTE };

static uint32_t short_mpidr(const struct vsg_machine_short *s, uint32_t node, uint32_t cpu)
{
    uint32_t low = cpu / AFF0_CPUS % BYTE << 8 | cpu % AFF0_CPUS;
    if (s->nodes > BYTE)
        return node / BYTE << 24 | node % BYTE << 16 | low;
    return node << 24 | cpu / AFF1_CPUS << 16 | low;
}

static enum vsg_status check_probe_order(const struct vsg_machine_short *s, uint64_t its_count,
                                         struct vsg_diag *diag)
{
    if (s->probe_count != its_count) {
        vsg_diag_error(diag,
                       "probe_order lists %" PRIu32 " ITSs, the machine has %" PRIu64
                       "; list every ITS id from 0 to %" PRIu64 " once",
                       s->probe_count, its_count, its_count ? its_count - 1 : 0);
        return VSG_EINVAL;
    }
    bool *seen = calloc(its_count ? its_count : 1, sizeof *seen);
    if (!seen)
        return VSG_ENOMEM;
    enum vsg_status status = VSG_OK;
    for (uint32_t i = 0; i < s->probe_count; i++) {
        uint32_t id = s->probe_order[i];
        if (id >= its_count) {
            vsg_diag_error(diag,
                           "probe_order names ITS %" PRIu32 ", which does not exist; the ids are 0 "
                           "to %" PRIu64,
                           id, its_count - 1);
            status = VSG_EINVAL;
        } else if (seen[id]) {
            vsg_diag_error(diag, "probe_order names ITS %" PRIu32 " twice; list every ITS once",
                           id);
            status = VSG_EINVAL;
        } else {
            seen[id] = true;
        }
    }
    free(seen);
    return status;
}

enum vsg_status vsg_machine_short_check(const struct vsg_machine_short *s, struct vsg_diag *diag)
{
    assert(s);
    uint64_t cpus = (uint64_t)s->nodes * s->cpus_per_node;
    uint64_t itss = (uint64_t)s->nodes * s->its_per_node;
    enum vsg_status status = VSG_OK;

    if (s->nodes == 0 || s->cpus_per_node == 0) {
        vsg_diag_error(diag,
                       "a machine of %" PRIu32 " nodes with %" PRIu32
                       " CPUs each has no CPU; give at least 1 of both",
                       s->nodes, s->cpus_per_node);
        status = VSG_ERANGE;
    }
    if (cpus > VSG_MACHINE_CPU_MAX) {
        vsg_diag_error(diag,
                       "%" PRIu32 " nodes with %" PRIu32 " CPUs each are %" PRIu64
                       " CPUs; at most %" PRIu32 " (2^20) can be simulated",
                       s->nodes, s->cpus_per_node, cpus, VSG_MACHINE_CPU_MAX);
        status = VSG_ERANGE;
    }
    if (itss > VSG_MACHINE_ITS_MAX) {
        vsg_diag_error(diag,
                       "%" PRIu32 " nodes with %" PRIu32 " ITSs each are %" PRIu64
                       " ITSs; at most %" PRIu32 " (2^20) can be simulated",
                       s->nodes, s->its_per_node, itss, VSG_MACHINE_ITS_MAX);
        status = VSG_ERANGE;
    }
    if (s->svpet > 3 || s->common_lpi_aff > 3) {
        vsg_diag_error(diag,
                       "svpet %u and common_lpi_aff %u count affinity bytes; give 0 to 3 each",
                       s->svpet, s->common_lpi_aff);
        status = VSG_ERANGE;
    }
    if (s->nodes > VSG_MACHINE_NODE_MAX) {
        vsg_diag_error(diag,
                       "%" PRIu32 " nodes; at most %" PRIu32 " (2^16) have affinities of their own",
                       s->nodes, VSG_MACHINE_NODE_MAX);
        status = VSG_ERANGE;
    }
    if (s->nodes > BYTE && (s->svpet == 1 || s->common_lpi_aff == 1)) {
        vsg_diag_error(diag,
                       "with %" PRIu32 " nodes Aff3 does not name a single node (it has 256 "
                       "values), so svpet 1 and common_lpi_aff 1 would make groups of 256 nodes; "
                       "set both to 2 to group by node, or give the machine explicitly",
                       s->nodes);
        status = VSG_ERANGE;
    }
    if (!status && s->probe_order)
        status = check_probe_order(s, itss, diag);
    return status;
}

enum vsg_status vsg_machine_expand(const struct vsg_machine_short *s,
                                   struct vsg_machine_config *out)
{
    assert(s && out);
    enum vsg_status status = vsg_machine_short_check(s, NULL);
    if (status)
        return status;

    struct vsg_machine_config m = {
        .nodes = s->nodes,
        .its_count = s->nodes * s->its_per_node,
        .cpu_count = s->nodes * s->cpus_per_node,
    };
    m.boot_count = s->maxcpus && s->maxcpus < m.cpu_count ? s->maxcpus : m.cpu_count;
    m.its = calloc(m.its_count ? m.its_count : 1, sizeof *m.its);
    m.cpu = calloc(m.cpu_count, sizeof *m.cpu);
    m.boot_order = calloc(m.boot_count, sizeof *m.boot_order);
    if (!m.its || !m.cpu || !m.boot_order) {
        vsg_machine_free(&m);
        return VSG_ENOMEM;
    }

    for (uint32_t i = 0; i < m.its_count; i++) {
        uint32_t id = s->probe_order ? s->probe_order[i] : i;
        uint32_t node = id / s->its_per_node;
        m.its[i] = (struct vsg_its_config){.id = id,
                                           .typer_v41 = s->v41,
                                           .svpet = s->svpet,
                                           .mpidr = short_mpidr(s, node, 0),
                                           .vpe_table_valid = s->vpe_table,
                                           .numa_node = (int32_t)node,
                                           .at = -1};
    }
    for (uint32_t i = 0; i < m.cpu_count; i++) {
        uint32_t node = i / s->cpus_per_node;
        m.cpu[i] = (struct vsg_cpu_config){.id = i,
                                           .mpidr = short_mpidr(s, node, i % s->cpus_per_node),
                                           .common_lpi_aff = s->common_lpi_aff,
                                           .numa_node = (int32_t)node,
                                           .rvpeid = s->v41,
                                           .lpi_ok = true};
    }
    for (uint32_t i = 0; i < m.boot_count; i++)
        m.boot_order[i] = i;
    *out = m;
    return VSG_OK;
}

void vsg_machine_free(struct vsg_machine_config *m)
{
    assert(m);
    free(m->its);
    free(m->cpu);
    free(m->boot_order);
    free(m->event);
    memset(m, 0, sizeof *m);
}

uint32_t vsg_cpu_node(const struct vsg_cpu_config *cpu)
{
    return cpu->numa_node < 0 ? 0 : (uint32_t)cpu->numa_node; /* as cpu_to_node() sees it */
}

int32_t vsg_its_node(const struct vsg_its_config *its)
{
    return its->at >= 0 ? its->at : its->numa_node;
}
