/* Every key of the parameter table that can influence a result does so in some scenario, and where
 * a warning says that a key has no influence, it has none.
 *
 * A row of the table without a line below fails: whoever adds a key says here where it
 * shows. Method: a scenario and the same with one key set otherwise; "changed" is any
 * integer of any run's result, or how a run ended. */
#include "study/params.h"
#include "study_run.h"

/* ---- scenarios ------------------------------------------------------------------------- */

enum base {
    HW,
    PAIRS,
    POISSON,
    BURSTY,
    MATRIX,
    CLOSED,
    TIMED,
    EXPLICIT,
    PINNED,
    TORUS,
    FAT,
    DRAGON,
    OWN,
    SLIT,
    PRECISE,
    BASES
};

#define COMMON "format: 1\nrun: {seed: 1}\n"
#define FOUR COMMON "machine: {nodes: 4, cpus_per_node: 8, its_per_node: 2}\n"
#define ALL_POLICIES                                                                               \
    "policies: [global-first, local, numa-v1, nearest, target-node, min-path, round-robin, hash, " \
    "least-outstanding]\n"
#define JITTER "costs: {trap: {exponential: {mean: 200ns}}, its: 90ns}\n"

#define EXPLICIT_FORM                                                                              \
    COMMON ALL_POLICIES                                                                            \
        "machine:\n"                                                                               \
        "  nodes: 2\n"                                                                             \
        "  its: [{id: 0, mpidr: 0.0.0.0, numa_node: 0}, {id: 1, mpidr: 1.0.0.0, at: 1},\n"         \
        "        {id: 2, mpidr: 0.1.0.0, numa_node: 0}]\n"                                         \
        "  cpus: [{id: 0, mpidr: 0.0.0.0, numa_node: 0}, {id: 1, mpidr: 0.0.0.1, numa_node: 0},\n" \
        "         {id: 2, mpidr: 1.0.0.0, numa_node: 1}, {id: 3, mpidr: 1.0.0.1, numa_node: 1}]\n" \
        "  events: [{op: offline, cpu: 1}, {op: online, cpu: 1}]\n"                                \
        "workload: {kind: closed, sends: 40}\n"

static const char *const scenario[BASES] = {
    /* Never precise enough, so it takes all 20 replications. */
    [PRECISE] = "format: 1\nrun: {precision: 0.01%, max_replications: 20}\n"
                "machine: {nodes: 1, cpus_per_node: 2, its_per_node: 1}\npolicies: [local]\n"
                "vms: [{name: a, vcpus: 2}]\nworkload: {kind: poisson, rate: 400k/s, sends: 40}\n",
    [HW] = FOUR ALL_POLICIES "vms: [{name: a, vcpus: 6, placement: {kind: node, node: 1}}]\n"
                             "workload: {kind: ipi_hw, sends: 40}\n",
    [PAIRS] = FOUR ALL_POLICIES "vms: [{name: a, count: 2, vcpus: 6, placement: {kind: spread}}]\n"
                                "workload: {kind: pairs, sends: 40}\n",
    [POISSON] = FOUR ALL_POLICIES JITTER "vms: [{name: a, vcpus: 8, placement: {kind: spread}}]\n"
                                         "workload: {kind: poisson, rate: 4M/s, sends: 60}\n",
    [BURSTY] = FOUR JITTER "vms: [{name: a, vcpus: 8, placement: {kind: spread}}]\n"
                           "workload: {kind: bursty, rate: 4M/s, on: 5us, off: 5us, sends: 60}\n",
    [MATRIX] =
        FOUR JITTER "vms: [{name: a, vcpus: 2, placement: {kind: spread}}]\n"
                    "workload: {kind: matrix, rates: [[0/s, 1M/s], [2M/s, 0/s]], sends: 60}\n",
    [CLOSED] = FOUR ALL_POLICIES JITTER "vms: [{name: a, vcpus: 8, placement: {kind: spread}}]\n"
                                        "workload: {kind: closed, sends: 40}\n",
    [TIMED] = "format: 1\nrun: {duration: 20us}\n"
              "machine: {nodes: 2, cpus_per_node: 2}\nvms: [{name: a, vcpus: 4}]\n"
              "workload: {kind: poisson, rate: 4M/s}\n",
    [EXPLICIT] = EXPLICIT_FORM "vms: [{name: a, vcpus: 3, placement: {kind: packed}}]\n",
    [PINNED] =
        EXPLICIT_FORM "vms: [{name: a, vcpus: 3, placement: {kind: pinned, cpus: [0, 1, 2]}}]\n",
#define SHAPE(nodes, keys)                                                                         \
    COMMON "machine: {nodes: " nodes ", cpus_per_node: 2}\ninterconnect: {" keys "}\n"             \
           "policies: [global-first, local]\n"                                                     \
           "vms: [{name: a, vcpus: " nodes ", placement: {kind: spread}}]\n"                       \
           "workload: {kind: closed, sends: 10}\n"
    [TORUS] = SHAPE("12", "topology: torus"),
    [FAT] = SHAPE("16", "topology: fat-tree"),
    [DRAGON] = SHAPE("16", "topology: dragonfly"),
    [OWN] =
        SHAPE("4", "platform: {file: platforms/dijkstra-slow.xml, scale: 1ns, nodes: [socket-a, "
                   "socket-b, socket-c, socket-d]}"),
    [SLIT] = SHAPE("2", "matrix: {slit: [[10, 20], [20, 10]], scale: 5ns}"),
};

/* ---- where each key shows ---------------------------------------------------------------- */

/* Keys that name things, and one that takes a single value so far. */
static const char *const names[] = {"format", "name", "description", "vms[].name",
                                    "interconnect.chassis"};

/* What holds other keys, which have lines of their own. */
static bool is_container(const struct vsg_param *p)
{
    return p->kind == VSG_SECTION || p->kind == VSG_SECTION_LIST || p->kind == VSG_AXES;
}

struct change {
    const char *row, *set, *value; /* set NULL: as the row is called */
    enum base base;
};

static const struct change changes[] = {
    {"machine.nodes", NULL, "5", POISSON},
    {"machine.cpus_per_node", NULL, "3", PAIRS},
    {"machine.its_per_node", NULL, "1", POISSON},
    {"machine.gic.v41", NULL, "false", HW},
    {"machine.gic.svpet", NULL, "0", HW},
    {"machine.gic.common_lpi_aff", NULL, "0", HW},
    {"machine.gic.vpe_table", NULL, "false", HW},
    {"machine.probe_order", NULL, "[7, 6, 5, 4, 3, 2, 1, 0]", HW},
    {"machine.maxcpus", NULL, "9", POISSON},
    {"machine.its[].id", "machine.its[0].id", "9", EXPLICIT},
    {"machine.its[].typer_v41", "machine.its[0].typer_v41", "false", EXPLICIT},
    {"machine.its[].svpet", "machine.its[2].svpet", "0", EXPLICIT},
    {"machine.its[].mpidr", "machine.its[2].mpidr", "2.0.0.0", EXPLICIT},
    {"machine.its[].vpe_table_valid", "machine.its[2].vpe_table_valid", "false", EXPLICIT},
    {"machine.its[].numa_node", "machine.its[2].numa_node", "1", EXPLICIT},
    {"machine.its[].at", "machine.its[1].at", "0", EXPLICIT},
    {"machine.cpus[].id", "machine.cpus",
     "[{id: 2, mpidr: 0.0.0.0, numa_node: 0}, {id: 1, mpidr: 0.0.0.1, numa_node: 0}, {id: 0, "
     "mpidr: "
     "1.0.0.0, numa_node: 1}]",
     PINNED},
    {"machine.cpus[].mpidr", "machine.cpus[0].mpidr", "1.1.0.0", EXPLICIT},
    {"machine.cpus[].common_lpi_aff", "machine.cpus[2].common_lpi_aff", "0", EXPLICIT},
    {"machine.cpus[].numa_node", "machine.cpus[1].numa_node", "1", EXPLICIT},
    {"machine.cpus[].rvpeid", "machine.cpus[1].rvpeid", "false", EXPLICIT},
    {"machine.cpus[].lpi_ok", "machine.cpus[2].lpi_ok", "false", EXPLICIT},
    {"machine.boot_order", NULL, "[1, 2, 3]", EXPLICIT},
    {"machine.events[].op", "machine.events[1].op", "offline", EXPLICIT},
    {"machine.events[].cpu", "machine.events", "[{op: offline, cpu: 0}]", EXPLICIT},
    {"interconnect.topology", NULL, "star", POISSON},
    {"interconnect.link.latency", NULL, "70ns", HW},
    {"interconnect.link.bandwidth", NULL, "1GB/s", HW},
    {"interconnect.matrix.latency", "interconnect.matrix", "{latency: [[0ns, 9ns], [7ns, 0ns]]}",
     SLIT},
    {"interconnect.matrix.slit", NULL, "[[10, 20], [30, 10]]", SLIT},
    {"interconnect.matrix.scale", NULL, "6ns", SLIT},
    {"interconnect.dims", NULL, "[12]", TORUS},
    {"interconnect.levels", NULL, "4", FAT},
    {"interconnect.down", NULL, "[2, 8]", FAT},
    {"interconnect.up", NULL, "[1, 2]", FAT},
    {"interconnect.count", NULL, "[1, 2]", FAT},
    {"interconnect.groups", "interconnect",
     "{topology: dragonfly, groups: 4, routers: 4, nodes_per_router: 1}", DRAGON},
    {"interconnect.routers", NULL, "1", DRAGON},
    {"interconnect.nodes_per_router", NULL, "4", DRAGON},
    {"interconnect.platform.file", NULL, VSG_TEST_DATA "/platforms/dijkstra-bus.xml", OWN},
    {"interconnect.platform.xml", "interconnect.platform",
     "{xml: '<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
     "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" radical=\"0-3\" suffix=\"\" "
     "speed=\"1Gf\" bw=\"1GBps\" lat=\"9ns\"/></platform>', nodes: [n0, n1, n2, n3]}",
     OWN},
    {"interconnect.platform.nodes", NULL, "[socket-b, socket-a, socket-d, socket-c]", OWN},
    {"interconnect.platform.scale", NULL, "2ns", OWN},
    {"interconnect.contention", NULL, "none", HW},
    {"interconnect.mmio_weight", NULL, "2", HW},
    {"interconnect.message_weight", NULL, "2", HW},
    {"interconnect.store_bytes", NULL, "80", HW},
    {"interconnect.message_bytes", NULL, "160", HW},
    {"interconnect.line_bytes", NULL, "640", PAIRS},
    {"interconnect.store_ack", NULL, "its", POISSON},
    {"costs.prepare", NULL, "77ns", HW},
    {"costs.trap", NULL, "77ns", POISSON},
    {"costs.dispatch", NULL, "77ns", MATRIX},
    {"costs.store", NULL, "77ns", POISSON},
    {"costs.mmio", NULL, "77ns", CLOSED},
    {"costs.its", NULL, "77ns", BURSTY},
    {"costs.message", NULL, "77ns", HW},
    {"costs.deliver", NULL, "77ns", POISSON},
    {"costs.handle", NULL, "77ns", PAIRS},
    {"costs.observe", NULL, "77ns", CLOSED},
    {"costs.return", NULL, "77ns", POISSON},
    {"costs.line", NULL, "77ns", PAIRS},
    {"vms[].count", "vms[0].count", "3", PAIRS},
    {"vms[].vcpus", "vms[0].vcpus", "4", POISSON},
    {"vms[].placement.kind", "vms[0].placement.kind", "packed", POISSON},
    {"vms[].placement.node", "vms[0].placement.node", "2", HW},
    {"vms[].placement.cpus", "vms[0].placement",
     "{kind: pinned, cpus: [0, 9, 18, 1, 10, 19, 2, 11]}", POISSON},
    {"vms[].memory_node", "vms[0].memory_node", "3", HW},
    {"workload.kind", NULL, "pairs", HW},
    {"workload.sends", NULL, "39", HW},
    {"workload.rate", NULL, "3M/s", POISSON},
    {"workload.off_rate", NULL, "1M/s", BURSTY},
    {"workload.on", NULL, "6us", BURSTY},
    {"workload.off", NULL, "6us", BURSTY},
    {"workload.rates", NULL, "[[0/s, 3M/s], [2M/s, 0/s]]", MATRIX},
    {"workload.steps[].at", "workload.steps", "[{at: 3us, factor: 2}]", POISSON},
    {"workload.steps[].factor", "workload.steps", "[{at: 3us, factor: 2}]", BURSTY},
    {"workload.think", NULL, "1us", CLOSED},
    {"workload.targets", NULL, "[0, 1]", CLOSED},
    {"workload.senders", NULL, "[2, 3]", POISSON},
    {"policies", NULL, "[local]", EXPLICIT},
    {"run.seed", NULL, "2", POISSON},
    {"run.replications", NULL, "2", POISSON},
    {"run.precision", NULL, "50%", PRECISE},
    {"run.max_replications", NULL, "10", PRECISE},
    {"run.warmup", NULL, "20%", POISSON},
    {"run.duration", NULL, "21us", TIMED},
    {"run.tie", NULL, "reverse", PAIRS},
};
enum { CHANGES = sizeof changes / sizeof changes[0] };

/* Keys that have no influence in a scenario: the warning must come. */
static const struct change idle[] = {
    {"costs.prepare", NULL, "77ns", POISSON},
    {"costs.line", NULL, "77ns", CLOSED},
    {"costs.observe", NULL, "77ns", POISSON},
    {"costs.observe", NULL, "77ns", BURSTY},
    {"vms[].memory_node", "vms[0].memory_node", "1", CLOSED},
    {"interconnect.link.latency", "interconnect.link", "{latency: 70ns}", OWN},
};

/* ---- running --------------------------------------------------------------------------------- */

/* False when the scenario with these settings is none. Runs may fail. */
static bool run_with(enum base base, const struct vsg_setting *set, size_t count,
                     struct study_run *r)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    enum vsg_status status = vsg_study_load_in(VSG_TEST_DATA, scenario[base],
                                               strlen(scenario[base]), set, count, &r->study, &d);
    if (status != VSG_OK) {
        if (count == 0 || getenv("VSG_TELL"))
            print_message("scenario %d, %s: %s\n", (int)base, count ? set->key : "",
                          d.count ? d.item[0].text : "no message");
        vsg_diag_clear(&d);
        return false;
    }
    struct vsg_execute_options o = {.threads = 1, .module_dir = VSG_MODULE_DIR};
    if (r->study.point[0].config.interconnect.contention == VSG_CONTENTION_FLUID)
        o.engine = VSG_USE_SIMGRID;
    assert_int_equal(vsg_study_execute(&r->study, &o, &r->outcome, &d), VSG_OK);
    vsg_diag_clear(&d);
    return true;
}

static void free_run(struct study_run *r)
{
    vsg_outcome_free(&r->outcome);
    vsg_study_free(&r->study);
}

static bool differ(const struct study_run *a, const struct study_run *b)
{
    char text[200];
    uint32_t of_a = a->study.replications;
    if (a->study.policy_count != b->study.policy_count)
        return true;
    if (a->study.precision_ppm) /* the replications that it took are the result */
        return a->outcome.done != b->outcome.done;
    for (uint32_t i = 0; i < b->outcome.run_count; i++) { /* every replication has one of a's */
        const struct vsg_run *y = &b->outcome.run[i];
        if (y->state == VSG_RUN_NOT_RUN) /* precise enough before it */
            continue;
        uint32_t column = y->point * b->study.policy_count + y->policy;
        const struct vsg_run *x = &a->outcome.run[column * of_a + y->replication % of_a];
        bool differs = x->state != y->state;
        if (!differs && x->state == VSG_RUN_DONE)
            differs = vsg_run_result_differs(&x->result, &y->result, text, sizeof text);
        if (differs && getenv("VSG_TELL"))
            print_message("  run %u: %s\n", i, x->state == y->state ? text : "how it ended");
        if (differs)
            return true;
    }
    return false;
}

/* Whether a warning says that the key, what it is in, or what is in it has no influence. */
static bool is_called_idle(const struct vsg_study *s, const char *key)
{
    for (size_t i = 0; i < s->warnings.count; i++) {
        const char *text = s->warnings.item[i].text;
        const char *end = strstr(text, " has no influence"), *begin = end;
        while (begin && begin > text && begin[-1] != ' ') /* behind "--set KEY=VALUE: " */
            begin--;
        size_t n = end ? (size_t)(end - begin) : 0, m = strlen(key);
        size_t common = n < m ? n : m;
        const char *next = n < m ? key + n : begin ? begin + m : "";
        if (end && strncmp(begin, key, common) == 0 && strchr(" .[", *next ? *next : ' '))
            return true;
    }
    return false;
}

static struct vsg_setting setting_of(const struct change *c)
{
    return (struct vsg_setting){c->set ? c->set : c->row, c->value};
}

/* ---- tests --------------------------------------------------------------------------------- */

static bool is_listed(const char *key)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], key) == 0)
            return true;
    for (size_t i = 0; i < CHANGES; i++)
        if (strcmp(changes[i].row, key) == 0)
            return true;
    return false;
}

static void every_row_of_the_table_has_a_line(void **state)
{
    unsigned missing = 0;
    (void)state;
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        if (is_container(p) || is_listed(p->key))
            continue;
        print_error("%s has no line in tests/property/influence_test.c\n", p->key);
        missing++;
    }
    for (size_t i = 0; i < CHANGES; i++)
        if (!vsg_param_find(changes[i].row)) {
            print_error("%s is no key\n", changes[i].row);
            missing++;
        }
    assert_int_equal(missing, 0);
}

static void every_key_shows_somewhere(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (int base = 0; base < BASES; base++) {
        struct study_run before;
        assert_true(run_with((enum base)base, NULL, 0, &before));
        for (size_t i = 0; i < CHANGES; i++) {
            struct vsg_setting set = setting_of(&changes[i]);
            struct study_run after;
            if (changes[i].base != (enum base)base)
                continue;
            if (!run_with((enum base)base, &set, 1, &after)) {
                print_error("%s=%s is refused in scenario %d\n", set.key, set.value, base);
                wrong++;
                continue;
            }
            if (!differ(&before, &after)) {
                print_error("%s=%s changes nothing in scenario %d\n", set.key, set.value, base);
                wrong++;
            }
            if (is_called_idle(&after.study, set.key)) {
                print_error("%s is said to have no influence in scenario %d\n", set.key, base);
                wrong++;
            }
            free_run(&after);
        }
        free_run(&before);
    }
    assert_int_equal(wrong, 0);
}

/* Each change in every scenario that takes it: where a warning comes, nothing changes. */
static void no_warning_is_false(void **state)
{
    unsigned warned = 0, wrong = 0;
    (void)state;
    for (int base = 0; base < BASES; base++) {
        struct study_run before;
        assert_true(run_with((enum base)base, NULL, 0, &before));
        for (size_t i = 0; i < CHANGES; i++) {
            struct vsg_setting set = setting_of(&changes[i]);
            struct vsg_diag d = VSG_DIAG_INIT;
            struct vsg_study s;
            struct study_run after;
            if (vsg_study_load_in(VSG_TEST_DATA, scenario[base], strlen(scenario[base]), &set, 1,
                                  &s, &d) != VSG_OK) {
                vsg_diag_clear(&d);
                continue;
            }
            bool idle_here = is_called_idle(&s, set.key);
            vsg_study_free(&s);
            if (!idle_here || !run_with((enum base)base, &set, 1, &after))
                continue;
            warned++;
            if (differ(&before, &after)) {
                print_error("%s=%s changes scenario %d in spite of its warning\n", set.key,
                            set.value, base);
                wrong++;
            }
            free_run(&after);
        }
        free_run(&before);
    }
    print_message("%u warnings, all true\n", warned);
    assert_true(warned >= 20);
    assert_int_equal(wrong, 0);
}

static void idle_keys_are_warned_of(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
        struct vsg_setting set = setting_of(&idle[i]);
        struct study_run before, after;
        assert_true(run_with(idle[i].base, NULL, 0, &before));
        assert_true(run_with(idle[i].base, &set, 1, &after));
        if (!is_called_idle(&after.study, set.key) || differ(&before, &after))
            fail_msg("%s in scenario %d: no warning, or a change", set.key, (int)idle[i].base);
        free_run(&before);
        free_run(&after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_has_a_line),
        cmocka_unit_test(every_key_shows_somewhere),
        cmocka_unit_test(no_warning_is_false),
        cmocka_unit_test(idle_keys_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
