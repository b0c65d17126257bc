#include "models/placement.h"

#include "engine/random.h"
#include "models/machine/machine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A CPU as the search for free ones sees it. */
struct seat {
    uint32_t node, id, cpu; /* cpu: index into machine.cpu */
};

/* The seats of one node: seat[next..end) may be free, what is before next is taken. */
struct row {
    uint32_t node, first, next, end, free;
};

struct placer {
    const struct vsg_config *c;
    const struct vsg_boot *boot;
    struct vsg_diag *diag;
    struct seat *seat; /* by node, then id: the CPUs that run */
    uint32_t seat_count;
    struct row *row; /* ascending by node; nodes without a running CPU have none */
    uint32_t row_count;
    struct seat *by_id; /* all CPUs of the machine, by id */
    uint32_t *holder;   /* [cpu_count] ordinal of the vCPU on it, or VSG_NONE */
    uint32_t *row_of;   /* [cpu_count] its row, of a CPU that runs */
    uint32_t turn;      /* interleaved: the row whose turn it is */
    struct vsg_placement p;
};

static int by_node_and_id(const void *a, const void *b)
{
    const struct seat *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_id(const void *a, const void *b)
{
    const struct seat *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* ---- set-up --------------------------------------------------------------------------- */

static bool runs(const struct placer *s, uint32_t cpu)
{
    return s->boot->started[cpu] && s->boot->online[cpu];
}

static void fill_seats(struct placer *s)
{
    const struct vsg_machine_config *m = &s->c->machine;
    for (uint32_t i = 0; i < m->cpu_count; i++) {
        struct seat seat = {vsg_cpu_node(&m->cpu[i]), m->cpu[i].id, i};
        s->by_id[i] = seat;
        if (runs(s, i))
            s->seat[s->seat_count++] = seat;
        s->holder[i] = VSG_NONE;
    }
    qsort(s->by_id, m->cpu_count, sizeof *s->by_id, by_id);
    qsort(s->seat, s->seat_count, sizeof *s->seat, by_node_and_id);
    for (uint32_t i = 0; i < s->seat_count; i++) {
        uint32_t node = s->seat[i].node;
        if (s->row_count == 0 || s->row[s->row_count - 1].node != node)
            s->row[s->row_count++] = (struct row){.node = node, .first = i, .next = i};
        s->row[s->row_count - 1].end = i + 1;
        s->row[s->row_count - 1].free++;
        s->row_of[s->seat[i].cpu] = s->row_count - 1;
    }
}

static enum vsg_status placer_init(struct placer *s, uint32_t vcpus)
{
    size_t cpus = s->c->machine.cpu_count ? s->c->machine.cpu_count : 1;
    size_t n = vcpus ? vcpus : 1;
    s->seat = calloc(cpus, sizeof *s->seat);
    s->row = calloc(cpus, sizeof *s->row);
    s->by_id = calloc(cpus, sizeof *s->by_id);
    s->holder = calloc(cpus, sizeof *s->holder);
    s->row_of = calloc(cpus, sizeof *s->row_of);
    s->p.cpu = calloc(n, sizeof *s->p.cpu);
    s->p.node = calloc(n, sizeof *s->p.node);
    s->p.first = calloc((size_t)s->c->vm_count + 1, sizeof *s->p.first);
    if (!s->seat || !s->row || !s->by_id || !s->holder || !s->row_of || !s->p.cpu || !s->p.node ||
        !s->p.first)
        return VSG_ENOMEM;
    s->p.vcpu_count = vcpus;
    s->p.vm_count = s->c->vm_count;
    for (uint32_t vm = 0; vm < s->c->vm_count; vm++)
        s->p.first[vm + 1] = s->p.first[vm] + s->c->vm[vm].vcpus;
    fill_seats(s);
    return VSG_OK;
}

static void placer_clear(struct placer *s)
{
    free(s->seat);
    free(s->row);
    free(s->by_id);
    free(s->holder);
    free(s->row_of);
}

static void seat_vcpu(struct placer *s, uint32_t ordinal, uint32_t cpu)
{
    s->p.cpu[ordinal] = cpu;
    s->p.node[ordinal] = vsg_cpu_node(&s->c->machine.cpu[cpu]);
    s->holder[cpu] = ordinal;
    s->row[s->row_of[cpu]].free--;
}

/* ---- pinned VMs ------------------------------------------------------------------------ */

/* Some CPU to suggest; only for messages. Returns its index or VSG_NONE. */
static uint32_t some_free_cpu(const struct placer *s)
{
    for (uint32_t i = 0; i < s->seat_count; i++)
        if (s->holder[s->seat[i].cpu] == VSG_NONE)
            return s->seat[i].cpu;
    return VSG_NONE;
}

static uint32_t vm_of(const struct placer *s, uint32_t ordinal)
{
    uint32_t vm = 0;
    while (s->p.first[vm + 1] <= ordinal)
        vm++;
    return vm;
}

/* Why vCPU i of the VM cannot be on the CPU with this id, and what to do. found: that CPU, or
 * NULL if the machine has none. */
static void refuse_pin(struct placer *s, const struct vsg_vm_config *vm, uint32_t i, uint32_t id,
                       const struct seat *found)
{
    char advice[64] = "no CPU is free";
    uint32_t free_cpu = some_free_cpu(s);
    if (free_cpu != VSG_NONE)
        snprintf(advice, sizeof advice, "CPU %" PRIu32 " is free", s->c->machine.cpu[free_cpu].id);

    if (!found) {
        vsg_diag_error(s->diag,
                       "VM '%s', vCPU %" PRIu32 ": CPU %" PRIu32
                       " does not exist (the machine has %" PRIu32 " CPUs); %s",
                       vm->name, i, id, s->c->machine.cpu_count, advice);
    } else if (!s->boot->started[found->cpu]) {
        vsg_diag_error(s->diag,
                       "VM '%s', vCPU %" PRIu32 ": CPU %" PRIu32
                       " is never started (boot_order or maxcpus leaves it out); start it or "
                       "choose another CPU: %s",
                       vm->name, i, id, advice);
    } else if (!s->boot->online[found->cpu]) {
        vsg_diag_error(s->diag,
                       "VM '%s', vCPU %" PRIu32 ": CPU %" PRIu32
                       " is offline after the machine's events; put it online again or choose "
                       "another CPU: %s",
                       vm->name, i, id, advice);
    } else {
        uint32_t holder = s->holder[found->cpu], other = vm_of(s, holder);
        vsg_diag_error(s->diag,
                       "VM '%s', vCPU %" PRIu32 ": CPU %" PRIu32 " has vCPU %" PRIu32
                       " of VM '%s' already, and a CPU runs one vCPU; choose another CPU: %s",
                       vm->name, i, id, holder - s->p.first[other], s->c->vm[other].name, advice);
    }
}

static enum vsg_status place_pinned(struct placer *s, uint32_t vm_index)
{
    const struct vsg_vm_config *vm = &s->c->vm[vm_index];
    enum vsg_status status = VSG_OK;
    if (vm->placement.cpu_count != vm->vcpus) {
        vsg_diag_error(s->diag,
                       "VM '%s' pins %" PRIu32 " vCPUs and has %" PRIu32
                       "; give one CPU for each vCPU",
                       vm->name, vm->placement.cpu_count, vm->vcpus);
        return VSG_ENOTSUP;
    }
    for (uint32_t i = 0; i < vm->vcpus; i++) {
        struct seat key = {.id = vm->placement.cpu[i]};
        const struct seat *found =
            bsearch(&key, s->by_id, s->c->machine.cpu_count, sizeof key, by_id);
        if (found && runs(s, found->cpu) && s->holder[found->cpu] == VSG_NONE) {
            seat_vcpu(s, s->p.first[vm_index] + i, found->cpu);
        } else {
            refuse_pin(s, vm, i, key.id, found);
            status = VSG_ENOTSUP;
        }
    }
    return status;
}

/* ---- the others -------------------------------------------------------------------------- */

/* Takes the lowest free CPU of the row. */
static bool take_from_row(struct placer *s, struct row *row, uint32_t ordinal)
{
    while (row->next < row->end && s->holder[s->seat[row->next].cpu] != VSG_NONE)
        row->next++;
    if (row->next == row->end)
        return false;
    seat_vcpu(s, ordinal, s->seat[row->next++].cpu);
    return true;
}

/* The rows a VM may use: [*from, *to). */
static void rows_of(const struct placer *s, const struct vsg_placement_config *placement,
                    uint32_t *from, uint32_t *to)
{
    *from = 0;
    *to = s->row_count;
    if (placement->kind != VSG_PLACE_NODE)
        return;
    while (*from < s->row_count && s->row[*from].node < placement->node)
        ++*from;
    *to = *from < s->row_count && s->row[*from].node == placement->node ? *from + 1 : *from;
}

static void refuse_vm(struct placer *s, const struct vsg_vm_config *vm, uint32_t running,
                      uint32_t free_cpus)
{
    char where[32] = "the machine";
    if (vm->placement.kind == VSG_PLACE_NODE)
        snprintf(where, sizeof where, "node %" PRIu32, vm->placement.node);
    vsg_diag_error(s->diag,
                   "VM '%s': no CPU for vCPU %" PRIu32 ": %" PRIu32
                   " vCPUs are to run on %s, which has %" PRIu32 " running CPUs, %" PRIu32
                   " of them free, and a CPU runs one vCPU; %s",
                   vm->name, free_cpus, vm->vcpus, where, running, free_cpus,
                   vm->placement.kind == VSG_PLACE_NODE
                       ? "lower vcpus, or choose another node, packed or spread"
                       : "lower vcpus or the number of VMs, or start more CPUs");
}

/* Draws CPUs without replacement: a partial shuffle of the free ones. The draw is keyed like every
 * other (seed, replication, VM), so policies see the same placement. */
static enum vsg_status place_at_random(struct placer *s, uint32_t vm_index, uint32_t free_cpus)
{
    const struct vsg_vm_config *vm = &s->c->vm[vm_index];
    struct vsg_stream stream =
        vsg_stream_make(s->c->seed, s->c->replication, UINT32_MAX - vm_index);
    uint32_t *free_cpu = calloc(free_cpus ? free_cpus : 1, sizeof *free_cpu);
    uint32_t count = 0;
    if (!free_cpu)
        return VSG_ENOMEM;
    for (uint32_t i = 0; i < s->seat_count; i++)
        if (s->holder[s->seat[i].cpu] == VSG_NONE)
            free_cpu[count++] = s->seat[i].cpu;
    for (uint32_t k = 0; k < vm->vcpus; k++) {
        uint32_t word[4];
        vsg_stream_block(stream, k, 0, word);
        uint32_t pick = k + vsg_word_below(word[0], count - k);
        uint32_t cpu = free_cpu[pick];
        free_cpu[pick] = free_cpu[k];
        seat_vcpu(s, s->p.first[vm_index] + k, cpu);
    }
    free(free_cpu);
    return VSG_OK;
}

static enum vsg_status place_other(struct placer *s, uint32_t vm_index)
{
    const struct vsg_vm_config *vm = &s->c->vm[vm_index];
    uint32_t from, to, placed = 0, running = 0, free_cpus = 0;
    uint32_t ordinal = s->p.first[vm_index];
    rows_of(s, &vm->placement, &from, &to);
    for (uint32_t r = from; r < to; r++) {
        running += s->row[r].end - s->row[r].first;
        free_cpus += s->row[r].free;
    }
    if (free_cpus < vm->vcpus) {
        refuse_vm(s, vm, running, free_cpus);
        return VSG_ENOTSUP;
    }
    if (vm->placement.kind == VSG_PLACE_RANDOM)
        return place_at_random(s, vm_index, free_cpus);
    if (vm->placement.kind == VSG_PLACE_INTERLEAVED) {
        for (; placed < vm->vcpus; s->turn = (s->turn + 1) % s->row_count)
            placed += take_from_row(s, &s->row[s->turn], ordinal + placed);
        return VSG_OK;
    }
    /* Enough are free, so both loops end. */
    while (placed < vm->vcpus)
        for (uint32_t r = from; r < to && placed < vm->vcpus; r++)
            while (placed < vm->vcpus && take_from_row(s, &s->row[r], ordinal + placed)) {
                placed++;
                if (vm->placement.kind == VSG_PLACE_SPREAD)
                    break; /* one of each node, then the next node's turn */
            }
    return VSG_OK;
}

/* ---- all VMs ------------------------------------------------------------------------------- */

static enum vsg_status check_direct_vsgi(const struct vsg_config *c, const struct vsg_boot *boot,
                                         struct vsg_diag *diag)
{
    if (boot->direct_vsgi)
        return VSG_OK;
    for (uint32_t i = 0; i < c->machine.cpu_count; i++) {
        if (c->machine.cpu[i].rvpeid)
            continue;
        vsg_diag_error(diag,
                       "the machine has no direct vSGI: the redistributor of CPU %" PRIu32
                       " is not GICv4.1 (rvpeid: false), and one such CPU, started or not, turns "
                       "it off for all; the hypervisor then sends no IPI through an ITS and there "
                       "is nothing to simulate",
                       c->machine.cpu[i].id);
        return VSG_ENOTSUP;
    }
    vsg_diag_error(diag,
                   "the machine has no direct vSGI: none of its %" PRIu32 " ITSs is GICv4.1 "
                   "(typer_v41); the hypervisor then sends no IPI through an ITS and there is "
                   "nothing to simulate; make at least one ITS v4.1",
                   c->machine.its_count);
    return VSG_ENOTSUP;
}

/* Before anything is made for them: a scenario may ask for billions. */
static enum vsg_status check_total(const struct vsg_config *c, const struct vsg_boot *boot,
                                   uint32_t *vcpus, struct vsg_diag *diag)
{
    uint64_t wanted = 0;
    uint32_t running = 0, largest = 0;
    for (uint32_t i = 0; i < c->machine.cpu_count; i++)
        running += boot->started[i] && boot->online[i];
    for (uint32_t vm = 0; vm < c->vm_count; vm++) {
        wanted += c->vm[vm].vcpus;
        if (c->vm[vm].vcpus > c->vm[largest].vcpus)
            largest = vm;
    }
    *vcpus = (uint32_t)wanted;
    if (wanted <= running)
        return VSG_OK;
    vsg_diag_error(diag,
                   "the VMs have %" PRIu64 " vCPUs in all (the largest, VM '%s', has %" PRIu32
                   "), and %" PRIu32 " of the machine's %" PRIu32
                   " CPUs run; a CPU runs one vCPU: lower vcpus or the number of VMs, or give the "
                   "machine more CPUs",
                   wanted, c->vm[largest].name, c->vm[largest].vcpus, running,
                   c->machine.cpu_count);
    return VSG_ENOTSUP;
}

enum vsg_status vsg_place(const struct vsg_config *c, const struct vsg_boot *boot,
                          struct vsg_placement *out, struct vsg_diag *diag)
{
    assert(c && boot && out && boot->cpu_count == c->machine.cpu_count);
    struct placer s = {.c = c, .boot = boot, .diag = diag};
    uint32_t vcpus = 0;
    enum vsg_status status = check_direct_vsgi(c, boot, diag);
    if (!status)
        status = check_total(c, boot, &vcpus, diag);
    if (!status)
        status = placer_init(&s, vcpus);

    /* Pinned ones first; a failure does not keep us from looking at the rest. */
    if (!status) {
        for (uint32_t vm = 0; vm < c->vm_count; vm++)
            if (c->vm[vm].placement.kind == VSG_PLACE_PINNED && place_pinned(&s, vm))
                status = VSG_ENOTSUP;
        for (uint32_t vm = 0; vm < c->vm_count; vm++)
            if (c->vm[vm].placement.kind != VSG_PLACE_PINNED && place_other(&s, vm))
                status = VSG_ENOTSUP;
    }
    placer_clear(&s);
    if (status)
        vsg_placement_free(&s.p);
    else
        *out = s.p;
    return status;
}

void vsg_placement_free(struct vsg_placement *p)
{
    assert(p);
    free(p->cpu);
    free(p->node);
    free(p->first);
    *p = (struct vsg_placement){0};
}
