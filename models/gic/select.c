#include "models/gic/select.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- a sorted index: number -> position, the first one added wins ------------------ */

struct entry {
    uint32_t key, value;
};

/* Room is allocated once, for all that will be added. */
struct index {
    struct entry *entry;
    uint32_t count;
};

static bool index_init(struct index *x, size_t room)
{
    x->count = 0;
    x->entry = calloc(room ? room : 1, sizeof *x->entry);
    return x->entry;
}

static void index_add(struct index *x, uint32_t key, uint32_t value)
{
    if (x->count && x->entry[x->count - 1].key == key)
        return; /* runs of equal keys are the rule, e.g. the CPUs of a node */
    x->entry[x->count++] = (struct entry){key, value};
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* To be called after the last addition. Values must have been added in ascending order,
 * so that the least value of equal keys is the first one added. */
static void index_finish(struct index *x)
{
    bool sorted = true;
    for (uint32_t i = 1; i < x->count && sorted; i++)
        sorted = x->entry[i - 1].key < x->entry[i].key;
    if (sorted)
        return;
    qsort(x->entry, x->count, sizeof *x->entry, compare_entries);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < x->count; i++)
        if (x->entry[i].key != x->entry[kept - 1].key)
            x->entry[kept++] = x->entry[i];
    x->count = kept;
}

/* The position in x->entry, or VSG_NONE. */
static uint32_t index_find(const struct index *x, uint32_t key)
{
    uint32_t low = 0, high = x->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (x->entry[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->count && x->entry[low].key == key ? low : VSG_NONE;
}

static uint32_t index_value(const struct index *x, uint32_t key)
{
    uint32_t at = index_find(x, key);
    return at == VSG_NONE ? VSG_NONE : x->entry[at].value;
}

/* ---- what the boot looks things up in ------------------------------------------------ */

struct boot {
    const struct vsg_machine_config *m;
    struct vsg_boot *out;
    struct index cpu_by_id;
    struct index group; /* masked affinities of CPUs -> nothing; its positions are group numbers */
    uint32_t *group_of; /* [cpu_count] group number */
    uint32_t *group_lowest; /* [groups] started CPU with the lowest number, or VSG_NONE */
    struct index
        its_by_aff; /* masked GITS_MPIDR -> position in list_order of the first that shares */
    struct index its_by_node; /* NUMA node -> position in list_order of its first v4.1 ITS */
    bool *has_table;          /* [cpu_count] has a valid vPE table */
    uint32_t list_first_v41, probed_first_v41; /* ITS or VSG_NONE */
};

/* The first `bytes` affinity bytes. compute_common_aff() and compute_its_aff() shift a
 * 32-bit mask in the same way; 0 bytes puts everyone into one group. */
static uint32_t mask_affinity(uint32_t mpidr, uint8_t bytes)
{
    uint32_t mask = bytes ? UINT32_MAX << (32 - 8 * (bytes < 4 ? bytes : 4)) : 0;
    return mpidr & mask;
}

static bool boot_init(struct boot *b, const struct vsg_machine_config *m, struct vsg_boot *out)
{
    size_t cpus = m->cpu_count ? m->cpu_count : 1, itss = m->its_count ? m->its_count : 1;
    *b =
        (struct boot){.m = m, .out = out, .list_first_v41 = VSG_NONE, .probed_first_v41 = VSG_NONE};
    *out = (struct vsg_boot){.cpu_count = m->cpu_count, .its_count = m->its_count};

    bool ok = index_init(&b->cpu_by_id, cpus);
    ok = index_init(&b->group, cpus) && ok;
    ok = index_init(&b->its_by_aff, itss) && ok;
    ok = index_init(&b->its_by_node, itss) && ok;
    b->group_of = calloc(cpus, sizeof *b->group_of);
    b->group_lowest = calloc(cpus, sizeof *b->group_lowest);
    b->has_table = calloc(cpus, sizeof *b->has_table);
    out->started = calloc(cpus, sizeof *out->started);
    out->online = calloc(cpus, sizeof *out->online);
    out->list_order = calloc(itss, sizeof *out->list_order);
    ok = ok && b->group_of && b->group_lowest && b->has_table && out->started && out->online &&
         out->list_order;
    for (int p = 0; p < VSG_POLICY_KERNEL_COUNT; p++) {
        out->selection[p] = calloc(cpus, sizeof *out->selection[p]);
        ok = ok && out->selection[p];
    }
    return ok;
}

static void boot_clear(struct boot *b)
{
    free(b->cpu_by_id.entry);
    free(b->group.entry);
    free(b->its_by_aff.entry);
    free(b->its_by_node.entry);
    free(b->group_of);
    free(b->group_lowest);
    free(b->has_table);
}

/* its_probe_one() puts each ITS at the head of its_nodes: last probed, first found. */
static void index_itss(struct boot *b)
{
    const struct vsg_machine_config *m = b->m;
    for (uint32_t i = 0; i < m->its_count; i++) {
        b->out->list_order[m->its_count - 1 - i] = i;
        if (!m->its[i].typer_v41)
            continue;
        if (b->probed_first_v41 == VSG_NONE)
            b->probed_first_v41 = i;
        b->list_first_v41 = i;
    }
    for (uint32_t at = 0; at < m->its_count; at++) {
        const struct vsg_its_config *its = &m->its[b->out->list_order[at]];
        if (its->typer_v41 && its->numa_node >= 0)
            index_add(&b->its_by_node, (uint32_t)its->numa_node, at);
        /* inherit_vpe_l1_table_from_its(): v4.1, shares its table, and the table is valid. */
        if (its->typer_v41 && its->svpet && its->vpe_table_valid)
            index_add(&b->its_by_aff, mask_affinity(its->mpidr, its->svpet), at);
    }
    index_finish(&b->its_by_node);
    index_finish(&b->its_by_aff);
}

static void index_cpus(struct boot *b)
{
    const struct vsg_machine_config *m = b->m;
    for (uint32_t i = 0; i < m->cpu_count; i++) {
        index_add(&b->cpu_by_id, m->cpu[i].id, i);
        index_add(&b->group, mask_affinity(m->cpu[i].mpidr, m->cpu[i].common_lpi_aff), i);
    }
    index_finish(&b->cpu_by_id);
    index_finish(&b->group);
    for (uint32_t i = 0; i < m->cpu_count; i++)
        b->group_of[i] =
            index_find(&b->group, mask_affinity(m->cpu[i].mpidr, m->cpu[i].common_lpi_aff));
    for (uint32_t g = 0; g < b->group.count; g++)
        b->group_lowest[g] = VSG_NONE;
}

/* gic_rdists->has_rvpeid: all redistributors have the feature, those of CPUs that are
 * never started included (they are iterated over at boot), and some ITS is v4.1. */
static bool direct_vsgi(const struct boot *b)
{
    for (uint32_t i = 0; i < b->m->cpu_count; i++)
        if (!b->m->cpu[i].rvpeid)
            return false;
    return b->list_first_v41 != VSG_NONE;
}

/* ---- starting a CPU ------------------------------------------------------------------ */

/* Policy local at a CPU's first start: allocate_vpe_l1_table(). */
static struct vsg_selection remember(struct boot *b, uint32_t cpu)
{
    const struct vsg_cpu_config *c = &b->m->cpu[cpu];
    struct vsg_selection s = {.remembered = VSG_NONE, .from = VSG_NONE};
    uint32_t peer = b->group_lowest[b->group_of[cpu]];

    if (!c->lpi_ok) { /* its_cpu_init_lpis() did not get as far as the table */
        s.how = VSG_HOW_NO_LPI;
        return s;
    }
    b->has_table[cpu] = true;
    /* inherit_vpe_l1_table_from_rd() looks at one peer only, the lowest-numbered one; when
     * that one has a table it is copied together with the ITS, or with the lack of one. */
    if (peer != VSG_NONE && b->has_table[peer]) {
        s.how = VSG_HOW_INHERITED;
        s.from = peer;
        s.remembered = b->out->selection[VSG_POLICY_LOCAL][peer].remembered;
        return s;
    }
    uint32_t at = index_value(&b->its_by_aff, mask_affinity(c->mpidr, c->common_lpi_aff));
    if (at != VSG_NONE) {
        s.how = VSG_HOW_FROM_ITS;
        s.from = s.remembered = b->out->list_order[at];
        return s;
    }
    s.how = VSG_HOW_OWN_TABLE;
    return s;
}

/* A restart changes nothing: RD_LOCAL_LPI_ENABLED keeps its_cpu_init_lpis() from a second
 * go, and a set-up that failed fails again. */
static void start_cpu(struct boot *b, uint32_t cpu)
{
    struct vsg_boot *out = b->out;
    out->online[cpu] = true;
    if (out->started[cpu])
        return;
    out->started[cpu] = true;
    if (!out->direct_vsgi)
        return;
    out->selection[VSG_POLICY_LOCAL][cpu] = remember(b, cpu);
    uint32_t *lowest = &b->group_lowest[b->group_of[cpu]];
    if (*lowest == VSG_NONE || b->m->cpu[cpu].id < b->m->cpu[*lowest].id)
        *lowest = cpu;
}

static enum vsg_status start_and_stop_cpus(struct boot *b)
{
    const struct vsg_machine_config *m = b->m;
    for (uint32_t i = 0; i < m->boot_count; i++) {
        uint32_t cpu = index_value(&b->cpu_by_id, m->boot_order[i]);
        if (cpu == VSG_NONE)
            return VSG_EINVAL;
        start_cpu(b, cpu);
    }
    for (uint32_t i = 0; i < m->event_count; i++) {
        uint32_t cpu = index_value(&b->cpu_by_id, m->event[i].cpu);
        if (cpu == VSG_NONE)
            return VSG_EINVAL;
        if (m->event[i].op == VSG_CPU_ONLINE)
            start_cpu(b, cpu);
        else
            b->out->online[cpu] = false;
    }
    return VSG_OK;
}

/* ---- the answers ----------------------------------------------------------------------- */

static void answer(struct boot *b, uint32_t cpu)
{
    struct vsg_boot *out = b->out;
    struct vsg_selection *global = &out->selection[VSG_POLICY_GLOBAL_FIRST][cpu];
    struct vsg_selection *local = &out->selection[VSG_POLICY_LOCAL][cpu];
    struct vsg_selection *numa = &out->selection[VSG_POLICY_NUMA_V1][cpu];

    if (!out->started[cpu] || !out->direct_vsgi) {
        struct vsg_selection none = {VSG_NONE, VSG_NONE, VSG_HOW_NOT_STARTED, VSG_NONE};
        if (out->started[cpu])
            none.how = VSG_HOW_NO_DIRECT_VSGI;
        *global = *local = *numa = none;
        return;
    }
    *global = (struct vsg_selection){b->list_first_v41, VSG_NONE, VSG_HOW_HEAD_OF_LIST, VSG_NONE};

    /* find_4_1_its() after the change: the remembered one, else a walk to the first. */
    local->its = local->remembered != VSG_NONE ? local->remembered : b->list_first_v41;

    int32_t node = b->m->cpu[cpu].numa_node < 0 ? 0 : b->m->cpu[cpu].numa_node;
    uint32_t at = index_value(&b->its_by_node, (uint32_t)node);
    *numa = (struct vsg_selection){b->probed_first_v41, VSG_NONE, VSG_HOW_OTHER_NODE, VSG_NONE};
    if (at != VSG_NONE) {
        numa->its = out->list_order[at];
        numa->how = VSG_HOW_SAME_NODE;
    }
}

enum vsg_status vsg_boot(const struct vsg_machine_config *machine, struct vsg_boot *out)
{
    assert(machine && out);
    struct vsg_boot result;
    struct boot b;
    enum vsg_status status = VSG_ENOMEM;

    if (boot_init(&b, machine, &result)) {
        index_itss(&b);
        index_cpus(&b);
        result.direct_vsgi = direct_vsgi(&b);
        status = start_and_stop_cpus(&b);
    }
    for (uint32_t cpu = 0; !status && cpu < machine->cpu_count; cpu++)
        answer(&b, cpu);
    boot_clear(&b);
    if (status)
        vsg_boot_free(&result);
    else
        *out = result;
    return status;
}

void vsg_boot_free(struct vsg_boot *b)
{
    assert(b);
    free(b->started);
    free(b->online);
    free(b->list_order);
    for (int p = 0; p < VSG_POLICY_KERNEL_COUNT; p++)
        free(b->selection[p]);
    *b = (struct vsg_boot){0};
}

void vsg_how_text(const struct vsg_machine_config *machine, const struct vsg_selection *s,
                  char *text, size_t size)
{
    static const char *const plain[] = {
        [VSG_HOW_NOT_STARTED] = "not-started",  [VSG_HOW_NO_DIRECT_VSGI] = "no-direct-vsgi",
        [VSG_HOW_OWN_TABLE] = "own-table",      [VSG_HOW_NO_LPI] = "no-lpi",
        [VSG_HOW_SAME_NODE] = "same-node",      [VSG_HOW_OTHER_NODE] = "other-node",
        [VSG_HOW_HEAD_OF_LIST] = "head-of-list"};

    if (s->how == VSG_HOW_FROM_ITS)
        snprintf(text, size, "from-its %" PRIu32, machine->its[s->from].id);
    else if (s->how == VSG_HOW_INHERITED)
        snprintf(text, size, "inherited-from-cpu %" PRIu32, machine->cpu[s->from].id);
    else
        snprintf(text, size, "%s", plain[s->how]);
}
