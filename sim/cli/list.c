#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exits.h"
#include "cli/paths.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "models/config.h"

static const char *const policy_text[VSG_POLICY_COUNT] = {
    [VSG_POLICY_GLOBAL_FIRST] =
        "one v4.1 ITS for every sender, the last probed (Linux before 6.16)",
    [VSG_POLICY_LOCAL] = "the ITS that the sending CPU remembers from its start (Linux 6.16)",
    [VSG_POLICY_NUMA_V1] = "the ITS of the sender's NUMA node (the proposal's first version)",
    [VSG_POLICY_NEAREST] = "what-if: the ITS with the shortest way from the sender",
    [VSG_POLICY_TARGET_NODE] = "what-if: the ITS that the target's CPU would use under local",
    [VSG_POLICY_MIN_PATH] = "what-if: the shortest way sender - ITS - target",
    [VSG_POLICY_ROUND_ROBIN] = "what-if: each sender takes one ITS after the other",
    [VSG_POLICY_HASH] = "what-if: by a hash of the target vCPU",
    [VSG_POLICY_LEAST_OUTSTANDING] =
        "what-if: fewest of the sender's own IPIs under way, as far as it knows",
};

static const char *const workload_text[VSG_WORKLOAD_COUNT] = {
    [VSG_WORKLOAD_IPI_HW] = "vCPU 0 sends to vCPU 1 and waits, as kvm-unit-tests' ipi_hw does",
    [VSG_WORKLOAD_PAIRS] = "vCPUs in pairs, each pair as ipi_hw",
    [VSG_WORKLOAD_POISSON] = "every sender at a rate of its own, whether or not it waits (open)",
    [VSG_WORKLOAD_CLOSED] = "every sender sends, waits, thinks, and sends again",
    [VSG_WORKLOAD_BURSTY] = "as poisson, at a rate that switches between two values (open)",
    [VSG_WORKLOAD_MATRIX] = "as poisson, with a rate for each pair of vCPUs (open)",
};

static const char *const topology_text[VSG_TOPOLOGY_COUNT] = {
    [VSG_TOPOLOGY_FULL] = "a link between every two nodes",
    [VSG_TOPOLOGY_STAR] = "every node has a link to one switch",
    [VSG_TOPOLOGY_MATRIX] = "a latency for every pair of nodes, or SLIT distances",
    [VSG_TOPOLOGY_RING] = "every node has a link to its two neighbours",
    [VSG_TOPOLOGY_TORUS] = "rings along two, three or more dimensions",
    [VSG_TOPOLOGY_FAT_TREE] = "levels of switches, as wide at the top as the nodes by default",
    [VSG_TOPOLOGY_DRAGONFLY] = "groups of connected routers, a link between every two groups",
    [VSG_TOPOLOGY_PLATFORM] = "a platform file of SimGrid, Floyd and Dijkstra zones too",
};

/* Lines of (name, text), collected as a table or as JSON. */
struct listing {
    struct vsg_table table;
    json_t *json; /* NULL: a table is wanted */
};

static void add(struct listing *l, const char *name, const char *text)
{
    if (l->json) {
        json_array_append_new(l->json, json_pack("{s:s, s:s}", "name", name, "text", text));
        return;
    }
    vsg_table_row(&l->table);
    vsg_table_cell(&l->table, 0, "%s", name);
    vsg_table_cell(&l->table, 1, "%s", text);
}

static void add_all(struct listing *l, const char *const *name, const char *const *text,
                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(l, name[i], text[i]);
}

/* The question of a scenario: its leading comment up to the first question mark, or its first
 * line where it asks none; schema hints aside. */
static void question(const char *path, char *out, size_t size)
{
    char line[400], *end = NULL;
    size_t used = 0;
    FILE *f = fopen(path, "re");
    *out = '\0';
    while (f && !end && fgets(line, sizeof line, f) && line[0] == '#') {
        const char *text = line + strspn(line, "# \t");
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(text, "yaml-language-server", 20) == 0)
            continue;
        if (used == 0 && strncmp(text, "Question: ", 10) == 0)
            text += 10;
        int length = snprintf(out + used, size - used, "%s%s", used ? " " : "", text);
        used += length < 0 ? 0 : (size_t)length;
        if (used >= size)
            used = size - 1;
        end = strchr(out, '?');
    }
    if (end)
        end[1] = '\0';
    if (f)
        fclose(f);
}

/* A path below the current folder without that folder's own. */
static const char *from_here(const char *path)
{
    char here[PATH_MAX];
    size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    return n > 1 && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

static int is_scenario(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

static bool add_scenarios(struct listing *l)
{
    struct dirent **entry = NULL;
    char *folder = vsg_share_dir("scenarios");
    int count = folder ? scandir(folder, &entry, is_scenario, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        char *path = NULL, text[600];
        if (asprintf(&path, "%s/%s", folder, entry[i]->d_name) < 0) {
            l->table.failed = true;
        } else {
            question(path, text, sizeof text);
            if (l->json)
                add(l, path, text);
            else /* too long for a table */
                printf("%s\n    %s\n", from_here(path), text);
            free(path);
        }
        free(entry[i]);
    }
    free(entry);
    free(folder);
    return count >= 0;
}

int vsg_verb_list(const struct vsg_command *c)
{
    static const char *const kinds[] = {"policies", "workloads", "topologies", "scenarios"};
    const char *what = c->operand[0];
    struct listing l = {.json = c->value[VSG_OPT_JSON] ? json_array() : NULL};
    enum vsg_status status = VSG_OK;
    int rc = VSG_EXIT_OK;
    if (strcmp(what, "policies") == 0) {
        add_all(&l, vsg_policy_name, policy_text, VSG_POLICY_COUNT);
    } else if (strcmp(what, "workloads") == 0) {
        add_all(&l, vsg_workload_name, workload_text, VSG_WORKLOAD_COUNT);
    } else if (strcmp(what, "topologies") == 0) {
        add_all(&l, vsg_topology_name, topology_text, VSG_TOPOLOGY_COUNT);
    } else if (strcmp(what, "scenarios") == 0) {
        if (!add_scenarios(&l)) {
            fprintf(stderr, "vsgisim: the scenarios are not where vsgisim was installed "
                            "(share/vsgisim/scenarios)\n");
            rc = VSG_EXIT_FAILED;
        }
    } else {
        const char *near = vsg_nearest(what, kinds, sizeof kinds / sizeof kinds[0]);
        rc = near ? vsg_usage_error("list", "cannot list '%s'; did you mean '%s'?", what, near)
                  : vsg_usage_error("list", "cannot list '%s'; it is one of %s", what,
                                    vsg_verb_row[VSG_VERB_LIST].operands);
    }
    if (rc == VSG_EXIT_OK && l.json)
        status =
            json_dumpf(l.json, stdout, JSON_INDENT(1)) == 0 && putchar('\n') ? VSG_OK : VSG_EIO;
    json_decref(l.json);
    enum vsg_status printed = vsg_table_print(&l.table, stdout);
    if (status == VSG_OK)
        status = printed;
    if (status == VSG_ENOMEM)
        fprintf(stderr, "vsgisim: %s\n", vsg_status_text(status));
    return rc == VSG_EXIT_OK ? (int)vsg_exit_of(status) : rc;
}
