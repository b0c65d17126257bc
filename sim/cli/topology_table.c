#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "cli/topology.h"
#include "models/interconnect/shape.h"
#include "models/machine/machine.h"

enum {
    MATRIX_NODES_MAX = 8,
    HOW_BYTES = 160,
    LIST_ITS_MAX = 16
}; /* a wider matrix does not fit a terminal */

/* ---- lists of numbers: "0-31, 64", collected in a text that grows ------------------------ */

struct ranges {
    FILE *to;
    char *text;
    size_t size;
    uint32_t first, last;
    bool any, open;
};

static void ranges_begin(struct ranges *r)
{
    *r = (struct ranges){0};
    r->to = open_memstream(&r->text, &r->size);
}

static void ranges_flush(struct ranges *r)
{
    if (!r->open || !r->to)
        return;
    fprintf(r->to, "%s%" PRIu32, r->any ? ", " : "", r->first);
    if (r->last > r->first)
        fprintf(r->to, "-%" PRIu32, r->last);
    r->any = true;
    r->open = false;
}

static void ranges_add(struct ranges *r, uint32_t n)
{
    if (r->open && n == r->last + 1) {
        r->last = n;
        return;
    }
    ranges_flush(r);
    r->first = r->last = n;
    r->open = true;
}

/* Puts the list into a cell, "-" for none. */
static void ranges_end(struct ranges *r, struct vsg_table *t, size_t column)
{
    ranges_flush(r);
    bool written = r->to && fclose(r->to) == 0 && r->text;
    vsg_table_cell(t, column, "%s", written && r->any ? r->text : "-");
    t->failed |= !written;
    free(r->text);
}

/* ---- the head line and the nodes ------------------------------------------------------------ */

static const struct vsg_its_config *listed(const struct vsg_topology_view *v, uint32_t k)
{
    return &v->machine->its[v->boot.list_order[k]];
}

/* The last ITS of a run of the list whose ids go down by one. */
static uint32_t end_of_run(const struct vsg_topology_view *v, uint32_t k)
{
    while (k + 1 < v->boot.its_count && listed(v, k)->typer_v41 && listed(v, k + 1)->typer_v41 &&
           listed(v, k + 1)->id + 1 == listed(v, k)->id)
        k++;
    return k;
}

static void print_head(const struct vsg_topology_view *v)
{
    const struct vsg_machine_config *m = v->machine;
    uint32_t online = 0, v41 = 0;
    for (uint32_t i = 0; i < m->cpu_count; i++)
        online += v->boot.online[i];
    for (uint32_t i = 0; i < m->its_count; i++)
        v41 += m->its[i].typer_v41;
    printf("%u node%s, %u CPU%s (%u online), ", m->nodes, m->nodes == 1 ? "" : "s", m->cpu_count,
           m->cpu_count == 1 ? "" : "s", online);
    if (m->its_count == 0) {
        printf("no ITS\n");
        return;
    }
    printf("%u ITS%s ", m->its_count, m->its_count == 1 ? "" : "s");
    if (v41 == m->its_count)
        printf("v4.1");
    else
        printf("(%u v4.1)", v41);
    printf("; list order (last probed first): ");
    for (uint32_t k = 0; k < v->boot.its_count; k++) {
        uint32_t last = m->its_count > LIST_ITS_MAX ? end_of_run(v, k) : k;
        printf("%sits%u%s", k ? ", " : "", listed(v, k)->id,
               listed(v, k)->typer_v41 ? "" : " (not v4.1)");
        if (last > k + 1)
            printf(" down to its%u", listed(v, k = last)->id);
    }
    putchar('\n');
}

/* What the topology is made of, where its name does not say it all. */
static void print_shape(const struct vsg_topology_view *v)
{
    const struct vsg_interconnect_config *c = &v->study->point[0].config.interconnect;
    uint32_t links = 0, switches = v->world.place_count - v->world.node_count;
    char shape[200];
    if (c->topology <= VSG_TOPOLOGY_MATRIX || v->machine->nodes == 1)
        return;
    for (uint32_t i = 0; i < v->world.link_count; i++)
        links += vsg_link_queue(&v->world, i) == i;
    vsg_shape_text(c, shape, sizeof shape);
    printf("topology %s%s%s%s: %u links", vsg_topology_name[c->topology], *shape ? " (" : "", shape,
           *shape ? ")" : "", links);
    if (v->world.link_queue)
        printf(", of both directions where half-duplex\n");
    else if (switches)
        printf(", %u switches\n", switches);
    else
        printf("\n");
}

static void cell_ns(struct vsg_table *t, size_t column, uint64_t ps)
{
    if (ps % 1000)
        vsg_table_cell(t, column, "%" PRIu64 ".%03" PRIu64 " ns", ps / 1000, ps % 1000);
    else
        vsg_table_cell(t, column, "%" PRIu64 " ns", ps / 1000);
}

/* A row of the matrix in short, where there are many nodes. */
struct spread {
    uint64_t least_ps, mean_ps, most_ps;
};

static struct spread spread_of(const struct vsg_topology_view *v, uint32_t from)
{
    uint32_t n = v->machine->nodes;
    const uint64_t *row = v->latency_ps + (size_t)from * n;
    struct spread s = {UINT64_MAX, 0, 0};
    uint64_t sum_ps = 0;
    for (uint32_t to = 0; to < n; to++) {
        if (to == from)
            continue;
        s.least_ps = row[to] < s.least_ps ? row[to] : s.least_ps;
        s.most_ps = row[to] > s.most_ps ? row[to] : s.most_ps;
        sum_ps += row[to];
    }
    s.mean_ps = (sum_ps + (n - 1) / 2) / (n - 1);
    return s;
}

/* Latency to every node, or to the nearest, the mean and the farthest where there are many. */
static void latency_cells(const struct vsg_topology_view *v, struct vsg_table *t, uint32_t from)
{
    uint32_t n = v->machine->nodes;
    if (n > MATRIX_NODES_MAX) {
        struct spread s = spread_of(v, from);
        cell_ns(t, 3, s.least_ps);
        cell_ns(t, 4, s.mean_ps);
        cell_ns(t, 5, s.most_ps);
        return;
    }
    for (uint32_t to = 0; to < n; to++)
        cell_ns(t, 3 + to, v->latency_ps[(size_t)from * n + to]);
}

static void latency_heads(uint32_t nodes, struct vsg_table *t)
{
    for (size_t c = 3; c < VSG_TABLE_COLUMNS; c++)
        t->right[c] = true;
    for (uint32_t to = 0; to < nodes && nodes <= MATRIX_NODES_MAX; to++)
        vsg_table_cell(t, 3 + to, "to node %u", to);
    if (nodes > MATRIX_NODES_MAX) {
        vsg_table_cell(t, 3, "to nearest");
        vsg_table_cell(t, 4, "mean");
        vsg_table_cell(t, 5, "to farthest");
    }
}

/* Many nodes that see the others alike share a row, one after the other in number. */
static uint32_t last_alike(const struct vsg_topology_view *v, uint32_t first)
{
    uint32_t n = v->machine->nodes, last = first;
    if (n <= MATRIX_NODES_MAX)
        return first;
    struct spread a = spread_of(v, first);
    for (; last + 1 < n; last++) {
        struct spread b = spread_of(v, last + 1);
        if (a.least_ps != b.least_ps || a.mean_ps != b.mean_ps || a.most_ps != b.most_ps)
            break;
    }
    return last;
}

static void add_its_ids(const struct vsg_topology_view *v, struct vsg_table *t, uint32_t first,
                        uint32_t end)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    for (uint32_t i = 0, any = 0; to && i < v->machine->its_count; i++)
        if (vsg_its_node(&v->machine->its[i]) >= (int32_t)first &&
            vsg_its_node(&v->machine->its[i]) < (int32_t)end) {
            uint32_t last = i;
            fprintf(to, "%sits%u", any++ ? ", " : "", v->machine->its[i].id);
            while (end - first > 1 && last + 1 < v->machine->its_count &&
                   v->machine->its[last + 1].id == v->machine->its[last].id + 1 &&
                   vsg_its_node(&v->machine->its[last + 1]) >= (int32_t)first &&
                   vsg_its_node(&v->machine->its[last + 1]) < (int32_t)end)
                last++;
            if (last > i)
                fprintf(to, "-its%u", v->machine->its[i = last].id);
        }
    bool written = to && fclose(to) == 0 && text;
    vsg_table_cell(t, 2, "%s", written && size ? text : "-");
    t->failed |= !written;
    free(text);
}

static enum vsg_status print_nodes(const struct vsg_topology_view *v)
{
    struct vsg_table t = {0};
    vsg_table_row(&t);
    vsg_table_cell(&t, 0, "node");
    vsg_table_cell(&t, 1, "CPUs");
    vsg_table_cell(&t, 2, "ITSs");
    latency_heads(v->machine->nodes, &t);
    for (uint32_t n = 0, end; n < v->machine->nodes; n = end) {
        struct ranges cpus;
        end = last_alike(v, n) + 1;
        vsg_table_row(&t);
        vsg_table_cell(&t, 0, end - n > 1 ? "%u-%u" : "%u", n, end - 1);
        ranges_begin(&cpus);
        for (uint32_t i = 0; i < v->machine->cpu_count; i++) {
            uint32_t at = vsg_cpu_node(&v->machine->cpu[i]);
            if (at >= n && at < end)
                ranges_add(&cpus, v->machine->cpu[i].id);
        }
        ranges_end(&cpus, &t, 1);
        add_its_ids(v, &t, n, end);
        latency_cells(v, &t, n);
    }
    return vsg_table_print(&t, stdout);
}

/* ---- which ITS each CPU uses, and how it came by it --------------------------------------------
 */

/* The CPU whose answer this one copied, if it copied one. */
static uint32_t root_of(const struct vsg_selection *s, uint32_t cpu)
{
    while (s[cpu].how == VSG_HOW_INHERITED && s[cpu].from != VSG_NONE && s[cpu].from != cpu)
        cpu = s[cpu].from;
    return cpu;
}

static void how_words(const struct vsg_topology_view *v, enum vsg_policy policy, uint32_t cpu,
                      char *out)
{
    const struct vsg_selection *s = v->boot.selection[policy];
    uint32_t root = root_of(s, cpu);
    char why[64];
    switch (s[root].how) {
    case VSG_HOW_NOT_STARTED:
        snprintf(out, HOW_BYTES, "never started");
        return;
    case VSG_HOW_NO_DIRECT_VSGI:
        vsg_topology_no_direct(v, why, sizeof why);
        snprintf(out, HOW_BYTES, "no direct vSGI: %s", why);
        return;
    case VSG_HOW_FROM_ITS:
        snprintf(out, HOW_BYTES, "remembered: CPU %u has the affinity of its%u",
                 v->machine->cpu[root].id, v->machine->its[s[root].from].id);
        return;
    case VSG_HOW_OWN_TABLE:
    case VSG_HOW_INHERITED:
        snprintf(out, HOW_BYTES, "fallback: no ITS remembered (%s)",
                 *vsg_topology_no_match(v) ? vsg_topology_no_match(v) : "none has this affinity");
        return;
    case VSG_HOW_NO_LPI:
        snprintf(out, HOW_BYTES, "fallback: no ITS remembered (LPI set-up failed)");
        return;
    case VSG_HOW_SAME_NODE:
        snprintf(out, HOW_BYTES, "in the CPU's node");
        return;
    case VSG_HOW_OTHER_NODE:
        snprintf(out, HOW_BYTES, "first probed: none in the CPU's node");
        return;
    case VSG_HOW_HEAD_OF_LIST:
        snprintf(out, HOW_BYTES, "head of the list");
        return;
    }
}

static void add_row(const struct vsg_topology_view *v, struct vsg_table *t, enum vsg_policy policy,
                    uint32_t its, const char *how)
{
    vsg_table_row(t);
    vsg_table_cell(t, 0, "%s", vsg_policy_name[policy]);
    if (its == VSG_NONE)
        vsg_table_cell(t, 2, "-");
    else
        vsg_table_cell(t, 2, "its%u", v->machine->its[its].id);
    vsg_table_cell(t, 3, "%s", how);
}

static void each_cpu_rows(const struct vsg_topology_view *v, struct vsg_table *t,
                          enum vsg_policy policy)
{
    for (uint32_t i = 0; i < v->machine->cpu_count; i++) {
        const struct vsg_selection *s = &v->boot.selection[policy][i];
        char how[HOW_BYTES];
        if (policy == VSG_POLICY_GLOBAL_FIRST)
            how_words(v, policy, i, how);
        else
            vsg_how_text(v->machine, s, how, sizeof how);
        add_row(v, t, policy, s->its, how);
        vsg_table_cell(t, 1, "%u", v->machine->cpu[i].id);
    }
}

/* CPUs with the same ITS for the same reason share a row, in the order of their first. */
static void grouped_rows(const struct vsg_topology_view *v, struct vsg_table *t,
                         enum vsg_policy policy, bool *done)
{
    const struct vsg_selection *s = v->boot.selection[policy];
    uint32_t n = v->machine->cpu_count;
    memset(done, 0, n * sizeof *done);
    for (uint32_t i = 0; i < n; i++) {
        char how[HOW_BYTES], other[HOW_BYTES];
        struct ranges cpus;
        if (done[i])
            continue;
        how_words(v, policy, i, how);
        add_row(v, t, policy, s[i].its, how);
        ranges_begin(&cpus);
        for (uint32_t k = i; k < n; k++) {
            if (done[k] || s[k].its != s[i].its)
                continue;
            how_words(v, policy, k, other);
            if (strcmp(how, other) != 0)
                continue;
            done[k] = true;
            ranges_add(&cpus, v->machine->cpu[k].id);
        }
        ranges_end(&cpus, t, 1);
    }
}

/* The CPUs of one node, started ones, in a cell. */
static void cpus_of_node(const struct vsg_topology_view *v, struct vsg_table *t, uint32_t node)
{
    struct ranges cpus;
    ranges_begin(&cpus);
    for (uint32_t i = 0; i < v->machine->cpu_count; i++)
        if (v->boot.started[i] && vsg_cpu_node(&v->machine->cpu[i]) == node)
            ranges_add(&cpus, v->machine->cpu[i].id);
    ranges_end(&cpus, t, 1);
}

/* "to node 0: its0, 1: its1, ...", of the sends of one node. */
static void targets_of_node(const struct vsg_topology_view *v, struct vsg_table *t,
                            const uint32_t *row)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return;
    fputs("to node", to);
    for (uint32_t n = 0; n < v->machine->nodes; n++)
        if (row[n] == VSG_NONE)
            fprintf(to, "%s %" PRIu32 ": by CPU", n ? "," : "", n);
        else
            fprintf(to, "%s %" PRIu32 ": its%" PRIu32, n ? "," : "", n, v->machine->its[row[n]].id);
    if (fclose(to) == 0)
        vsg_table_cell(t, 3, "%s", text);
    free(text);
}

static const char *choice_words(enum vsg_policy policy)
{
    if (vsg_policy_is_dynamic(policy))
        return "chosen for each send, by what was sent before";
    return policy == VSG_POLICY_HASH ? "chosen for each send, by the target vCPU"
                                     : "chosen for each send, by the nodes of sender and target";
}

/* A row per sending node where the choice is a matter of nodes and there are few. */
static enum vsg_status chosen_per_send(const struct vsg_topology_view *v, struct vsg_table *t,
                                       enum vsg_policy policy, struct vsg_diag *diag)
{
    uint32_t n = v->machine->nodes;
    uint32_t *its = calloc((size_t)n * n, sizeof *its);
    if (!its)
        return VSG_ENOMEM;
    enum vsg_status status = vsg_topology_choices(v, policy, its, diag);
    bool by_node = v->boot.direct_vsgi && !vsg_policy_is_dynamic(policy) &&
                   policy != VSG_POLICY_HASH &&
                   (n <= MATRIX_NODES_MAX || policy == VSG_POLICY_NEAREST);
    for (uint32_t from = 0; status == VSG_OK && by_node && from < n; from++) {
        const uint32_t *row = &its[(size_t)from * n];
        bool nearest = policy == VSG_POLICY_NEAREST;
        add_row(v, t, policy, nearest ? row[0] : VSG_NONE, nearest ? "the shortest way" : "");
        cpus_of_node(v, t, from);
        if (!nearest)
            targets_of_node(v, t, row);
    }
    if (status == VSG_OK && !by_node) {
        add_row(v, t, policy, VSG_NONE, choice_words(policy));
        vsg_table_cell(t, 1, "all");
    }
    free(its);
    return status;
}

enum vsg_status vsg_topology_table(const struct vsg_topology_view *v, bool each_cpu,
                                   struct vsg_diag *diag)
{
    struct vsg_table t = {0};
    bool *done = calloc(v->machine->cpu_count + 1u, sizeof *done);
    if (!done)
        return VSG_ENOMEM;
    vsg_table_row(&t);
    vsg_table_cell(&t, 0, "policy");
    vsg_table_cell(&t, 1, each_cpu ? "CPU" : "CPUs");
    vsg_table_cell(&t, 2, "ITS");
    vsg_table_cell(&t, 3, "how");
    enum vsg_status status = VSG_OK;
    for (uint32_t p = 0; p < v->study->policy_count && status == VSG_OK; p++) {
        if (vsg_policy_chooses(v->study->policy[p]))
            status = chosen_per_send(v, &t, v->study->policy[p], diag);
        else if (each_cpu)
            each_cpu_rows(v, &t, v->study->policy[p]);
        else
            grouped_rows(v, &t, v->study->policy[p], done);
    }
    free(done);
    print_head(v);
    print_shape(v);
    enum vsg_status nodes = print_nodes(v);
    putchar('\n');
    enum vsg_status policies = vsg_table_print(&t, stdout);
    status = status == VSG_OK ? nodes : status;
    return status == VSG_OK ? policies : status;
}
