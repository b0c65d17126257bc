#include "models/gic/choose.h"

#include <stdlib.h>

#include "models/machine/machine.h"

enum { PLAIN, MMIO, MESSAGE }; /* weights, as in models/kvm/ipi.h */

static uint64_t way_ps(const struct vsg_world *w, uint32_t from, uint32_t to, uint32_t weight)
{
    return from == to ? 0 : vsg_route_latency_ps(w, from, to, weight);
}

static uint32_t place_of(const struct vsg_machine_config *machine, const struct vsg_boot *boot,
                         uint32_t position)
{
    return (uint32_t)vsg_its_node(&machine->its[boot->list_order[position]]);
}

static enum vsg_status find_candidates(const struct vsg_machine_config *machine,
                                       const struct vsg_boot *boot, struct vsg_chooser *c,
                                       struct vsg_diag *diag)
{
    for (uint32_t k = 0; k < boot->its_count; k++) {
        const struct vsg_its_config *its = &machine->its[boot->list_order[k]];
        if (!its->typer_v41)
            continue;
        if (vsg_its_node(its) < 0) {
            vsg_diag_error(diag,
                           "its %u has no place on the interconnect (numa_node -1), and policy %s "
                           "considers every v4.1 ITS; give it at: N",
                           its->id, vsg_policy_name[c->policy]);
            return VSG_ENOTSUP;
        }
        c->candidate[c->candidate_count++] = k;
    }
    if (c->candidate_count == 0) {
        vsg_diag_error(diag, "policy %s: the machine has no v4.1 ITS", vsg_policy_name[c->policy]);
        return VSG_ENOTSUP;
    }
    return VSG_OK;
}

/* Insertion sort: stable, so that equal ways keep list order; candidates are few. */
static void order_from(const struct vsg_machine_config *machine, const struct vsg_boot *boot,
                       const struct vsg_world *w, struct vsg_chooser *c, uint32_t node)
{
    uint32_t *order = &c->order[(size_t)node * c->candidate_count];
    for (uint32_t k = 0; k < c->candidate_count; k++) {
        uint64_t ps = way_ps(w, node, place_of(machine, boot, c->candidate[k]), MMIO);
        uint32_t i = k;
        for (; i > 0; i--) {
            uint32_t before = order[i - 1];
            if (way_ps(w, node, place_of(machine, boot, before), MMIO) <= ps)
                break;
            order[i] = before;
        }
        order[i] = c->candidate[k];
    }
}

static void shortest_paths(const struct vsg_machine_config *machine, const struct vsg_boot *boot,
                           const struct vsg_world *w, struct vsg_chooser *c)
{
    for (uint32_t a = 0; a < c->node_count; a++)
        for (uint32_t b = 0; b < c->node_count; b++) {
            uint64_t least = VSG_NEVER;
            for (uint32_t k = 0; k < c->candidate_count; k++) {
                uint32_t its = c->order[(size_t)a * c->candidate_count + k];
                uint32_t at = place_of(machine, boot, its);
                uint64_t ps = way_ps(w, a, at, MMIO) + way_ps(w, at, b, MESSAGE);
                if (ps < least) {
                    least = ps;
                    c->by_pair[(size_t)a * c->node_count + b] = its;
                }
            }
        }
}

enum vsg_status vsg_chooser_make(enum vsg_policy policy, const struct vsg_machine_config *machine,
                                 const struct vsg_boot *boot, const struct vsg_world *w,
                                 struct vsg_chooser *out, struct vsg_diag *diag)
{
    struct vsg_chooser c = {
        .policy = policy, .its_count = boot->its_count, .node_count = w->node_count};
    size_t nodes = w->node_count;
    c.candidate = calloc((size_t)boot->its_count + 1, sizeof *c.candidate);
    c.order = calloc(nodes * boot->its_count + 1, sizeof *c.order);
    c.by_pair = calloc(nodes * nodes, sizeof *c.by_pair);
    c.of_cpu = calloc((size_t)boot->cpu_count + 1, sizeof *c.of_cpu);
    uint32_t *position = calloc((size_t)boot->its_count + 1, sizeof *position);
    enum vsg_status status = VSG_ENOMEM;
    if (c.candidate && c.order && c.by_pair && c.of_cpu && position)
        status = find_candidates(machine, boot, &c, diag);
    if (status != VSG_OK) {
        free(position);
        vsg_chooser_free(&c);
        return status;
    }
    for (uint32_t k = 0; k < boot->its_count; k++)
        position[boot->list_order[k]] = k;
    for (uint32_t i = 0; i < boot->cpu_count; i++) {
        uint32_t its = boot->selection[VSG_POLICY_LOCAL][i].its;
        c.of_cpu[i] = its == VSG_NONE ? VSG_NONE : position[its];
    }
    free(position);
    for (uint32_t n = 0; n < w->node_count; n++)
        order_from(machine, boot, w, &c, n);
    if (policy == VSG_POLICY_MIN_PATH)
        shortest_paths(machine, boot, w, &c);
    *out = c;
    return VSG_OK;
}

void vsg_chooser_free(struct vsg_chooser *c)
{
    free(c->candidate);
    free(c->order);
    free(c->by_pair);
    free(c->of_cpu);
    *c = (struct vsg_chooser){0};
}

static uint32_t least_outstanding(const struct vsg_chooser *c, const struct vsg_send *s)
{
    const uint32_t *order = &c->order[(size_t)s->from_node * c->candidate_count];
    uint32_t best = order[0];
    for (uint32_t k = 1; k < c->candidate_count; k++)
        if (s->outstanding[order[k]] < s->outstanding[best])
            best = order[k];
    return best;
}

uint32_t vsg_choose(const struct vsg_chooser *c, const struct vsg_send *s)
{
    switch (c->policy) {
    case VSG_POLICY_TARGET_NODE:
        return c->of_cpu[s->target_cpu];
    case VSG_POLICY_MIN_PATH:
        return c->by_pair[(size_t)s->from_node * c->node_count + s->to_node];
    case VSG_POLICY_ROUND_ROBIN:
        return c->candidate[(s->sender + s->n) % c->candidate_count];
    case VSG_POLICY_HASH:
        return c
            ->candidate[vsg_mix64(s->target + UINT64_C(0x9e3779b97f4a7c15)) % c->candidate_count];
    case VSG_POLICY_LEAST_OUTSTANDING:
        return least_outstanding(c, s);
    case VSG_POLICY_NEAREST:
    default:
        return c->order[(size_t)s->from_node * c->candidate_count];
    }
}
