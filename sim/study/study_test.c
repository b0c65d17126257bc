/* Goal: study.h: scenarios become points and runs. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot open %s", path);
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *size = fread(text, 1, (1 << 20) - 1, f);
    text[*size] = 0;
    fclose(f);
    return text;
}

static void load_ok(const char *text, const struct vsg_setting *setting, size_t count,
                    struct vsg_study *s)
{
    struct vsg_diag diag = VSG_DIAG_INIT;
    enum vsg_status status = vsg_study_load(text, strlen(text), setting, count, s, &diag);
    if (status != VSG_OK)
        fail_msg("status %d: %s", status, diag.count ? diag.item[0].text : "no message");
    assert_int_equal(diag.count, 0);
}

static void the_seed_scenario_has_four_runs(void **state)
{
    struct vsg_study s = {0};
    struct vsg_config c;
    size_t size;
    char *text = read_file(VSG_SOURCE_DIR "/scenarios/seed-two-socket.yaml", &size);
    (void)state;
    load_ok(text, NULL, 0, &s);
    free(text);
    assert_string_equal(s.name, "seed-two-socket");
    assert_int_equal(vsg_study_run_count(&s), 4);
    assert_true(s.has_guests);
    for (uint32_t run = 0; run < 4; run++) {
        assert_int_equal(vsg_study_run_config(&s, run, &c), VSG_OK);
        assert_int_equal(c.vm[0].placement.node, run / 2);
        assert_int_equal(c.policy, run % 2 ? VSG_POLICY_LOCAL : VSG_POLICY_GLOBAL_FIRST);
        assert_int_equal(c.machine.cpu_count, 64);
        assert_int_equal(c.machine.its_count, 2);
        assert_int_equal(c.vm[0].workload.sends, 65536);
        vsg_config_free(&c);
    }
    assert_string_equal(s.point[1].axis[0].name, "vms.guest.placement.node");
    assert_string_equal(s.point[1].axis[0].text, "1");
    assert_true(s.point[1].axis[0].is_number);
    assert_int_equal(s.warnings.count, 0);
    vsg_study_free(&s);
}

/* The sum that the seed's figures identify: the idle path of ipi_hw inside a node. */
static void default_costs_add_up_to_the_seeds_local_figure(void **state)
{
    static const enum vsg_cost path[] = {
        VSG_COST_PREPARE, VSG_COST_LINE,    VSG_COST_TRAP,    VSG_COST_DISPATCH, VSG_COST_STORE,
        VSG_COST_MMIO,    VSG_COST_ITS,     VSG_COST_MESSAGE, VSG_COST_DELIVER,  VSG_COST_HANDLE,
        VSG_COST_LINE,    VSG_COST_OBSERVE, VSG_COST_LINE};
    struct vsg_study s = {0};
    uint64_t sum_ps = 0;
    (void)state;
    load_ok("format: 1\nmachine: {nodes: 1, cpus_per_node: 2}", NULL, 0, &s);
    for (size_t i = 0; i < sizeof path / sizeof path[0]; i++)
        sum_ps += s.point[0].config.cost[path[i]].mean_ps;
    assert_int_equal(sum_ps, 750000);
    assert_int_equal(s.point[0].config.cost[VSG_COST_TRAP].mean_ps +
                         s.point[0].config.cost[VSG_COST_RETURN].mean_ps,
                     306000);
    assert_false(s.has_guests);
    vsg_study_free(&s);
}

static const char small[] = "format: 1\n"
                            "machine: {nodes: 2, cpus_per_node: 8}\n"
                            "vms: [{name: a, vcpus: 4}, {name: b, count: 2, vcpus: 2}]\n"
                            "workload: {kind: ipi_hw, sends: 10}\n";

/* The first axis changes slowest; in a point policies, in a policy replications. */
static void points_and_runs_come_in_file_order(void **state)
{
    char text[1024];
    struct vsg_study s = {0};
    struct vsg_config c;
    (void)state;
    snprintf(text, sizeof text,
             "%srun: {replications: 3}\n"
             "sweep:\n"
             "  interconnect.link.latency: [50ns, 0.1us, 1500ps]\n"
             "  vms.a.vcpus: [2, 4]\n",
             small);
    load_ok(text, NULL, 0, &s);
    assert_int_equal(s.point_count, 6);
    assert_int_equal(vsg_study_run_count(&s), 36);
    for (uint32_t run = 0; run < 36; run++) {
        static const uint64_t latency_ps[] = {50000, 100000, 1500};
        uint32_t point, policy, replication;
        vsg_study_run_coordinates(&s, run, &point, &policy, &replication);
        assert_int_equal(replication, run % 3);
        assert_int_equal(policy, run / 3 % 2);
        assert_int_equal(point, run / 6);
        assert_int_equal(vsg_study_run_config(&s, run, &c), VSG_OK);
        assert_int_equal(c.replication, replication);
        assert_int_equal(c.interconnect.link_latency_ps, latency_ps[point / 2]);
        assert_int_equal(c.vm[0].vcpus, point % 2 ? 4 : 2);
        vsg_config_free(&c);
    }
    assert_string_equal(s.point[5].axis[0].name, "interconnect.link.latency_ns");
    assert_string_equal(s.point[5].axis[0].text, "1.5");
    assert_string_equal(s.point[5].axis[1].name, "vms.a.vcpus");
    vsg_study_free(&s);
}

struct axis_case {
    const char *axis, *name, *text;
    bool is_number;
};

static void axes_are_named_with_their_unit(void **state)
{
    static const struct axis_case cases[] = {
        {"run.seed: [7]", "run.seed", "7", true},
        {"interconnect.link.bandwidth: [1.5GB/s]", "interconnect.link.bandwidth_bytes_per_s",
         "1500000000", true},
        {"interconnect.store_bytes: [1KiB]", "interconnect.store_bytes", "1024", true},
        {"interconnect.store_bytes: [9]", "interconnect.store_bytes", "9", true},
        {"interconnect.mmio_weight: [0.25]", "interconnect.mmio_weight", "0.25", true},
        {"interconnect.topology: [star]", "interconnect.topology", "star", false},
        {"costs.its: [20ns, 0.03us]", "costs.its_ns", "20", true},
        {"costs.its: [20ns, {exponential: {mean: 20ns}}]", "costs.its", "20ns", false},
        {"costs.its: [{lognormal: {mean: 20ns, cv: 0.3}}]", "costs.its",
         "{lognormal: {mean: 20ns, cv: 0.3}}", false},
        {"vms[1].count: [2]", "vms[1].count", "2", true},
        {"vms.b.memory_node: [-1, 1]", "vms.b.memory_node", "-1", true},
        {"machine.gic.v41: [false]", "machine.gic.v41", "false", false},
        {"run.warmup: [5%]", "run.warmup", "5%", false},
        {"workload.kind: [pairs]", "workload.kind", "pairs", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        struct vsg_study s = {0};
        snprintf(text, sizeof text, "%ssweep: {\"%.*s\"%s}\n", small,
                 (int)strcspn(cases[i].axis, ":"), cases[i].axis, strchr(cases[i].axis, ':'));
        load_ok(text, NULL, 0, &s);
        assert_string_equal(s.point[0].axis[0].name, cases[i].name);
        assert_string_equal(s.point[0].axis[0].text, cases[i].text);
        assert_int_equal(s.point[0].axis[0].is_number, cases[i].is_number);
        vsg_study_free(&s);
    }
}

static void parts_of_a_distribution_can_be_swept(void **state)
{
    char text[1024];
    struct vsg_study s = {0};
    (void)state;
    snprintf(text, sizeof text,
             "%scosts: {its: {lognormal: {mean: 20ns, cv: 0.3}}}\n"
             "sweep: {costs.its.lognormal.cv: [0.1, 0.5], costs.its.lognormal.mean: [30ns]}\n",
             small);
    load_ok(text, NULL, 0, &s);
    assert_int_equal(s.point_count, 2);
    assert_int_equal(s.point[1].config.cost[VSG_COST_ITS].cv_ppm, 500000);
    assert_int_equal(s.point[1].config.cost[VSG_COST_ITS].mean_ps, 30000);
    assert_string_equal(s.point[1].axis[0].name, "costs.its.lognormal.cv");
    assert_string_equal(s.point[1].axis[0].text, "0.5");
    assert_string_equal(s.point[1].axis[1].name, "costs.its.lognormal.mean_ns");
    vsg_study_free(&s);
}

static void settings_replace_and_add(void **state)
{
    static const struct vsg_setting setting[] = {
        {"interconnect.link.latency", "70ns"}, /* its parents are not in the file */
        {"vms.b.vcpus", "3"},
        {"vms[0].placement", "{kind: node, node: 1}"},
        {"workload.sends", "1e3"},
        {"run.seed", "5"},
        {"run.seed", "6"}, /* the last one counts */
        {"costs.its", "{uniform: {low: 1ns, high: 3ns}}"},
        {"policies", "[numa-v1]"},
        {"sweep.costs.mmio", "[1ns, 2ns]"},
    };
    struct vsg_study s = {0};
    (void)state;
    load_ok(small, setting, sizeof setting / sizeof setting[0], &s);
    const struct vsg_config *c = &s.point[1].config;
    assert_int_equal(s.point_count, 2);
    assert_int_equal(c->interconnect.link_latency_ps, 70000);
    assert_int_equal(c->vm_count, 3);
    assert_string_equal(c->vm[2].name, "b-1");
    assert_int_equal(c->vm[2].vcpus, 3);
    assert_int_equal(c->vm[0].placement.kind, VSG_PLACE_NODE);
    assert_int_equal(c->vm[0].placement.node, 1);
    assert_int_equal(c->vm[0].workload.sends, 1000);
    assert_int_equal(c->seed, 6);
    assert_int_equal(c->cost[VSG_COST_ITS].low_ps, 1000);
    assert_int_equal(c->cost[VSG_COST_MMIO].mean_ps, 2000);
    assert_int_equal(s.policy_count, 1);
    vsg_study_free(&s);
}

static void wrong_settings_are_named(void **state)
{
    static const struct {
        const char *key, *value, *text;
    } wrong[] = {
        {"workload.snds", "1",
         "--set workload.snds=1: unknown key; did you mean 'workload.sends'?"},
        {"zzzz", "1", "--set zzzz=1: unknown key"},
        {"vms.c.vcpus", "1", "--set vms.c.vcpus=1: no VM is named 'c'; did you mean 'a'?"},
        {"vms[7].vcpus", "1", "--set vms[7].vcpus=1: entry [7] does not exist; the list has 2"},
        {"vms[x].vcpus", "1", "--set vms[x].vcpus=1: a number belongs between [ and ]"},
        {"workload.sends", "", "--set workload.sends=: no value"},
        {"workload.sends", "2k",
         "--set workload.sends=2k: '2k' is not a whole number; write one such as 4, without a "
         "unit"},
        {"workload", "{kind: pairs, sends: 0}",
         "--set workload={kind: pairs, sends: 0}: workload.sends: 0 is below 1"},
        {"workload.sends.x", "1",
         "--set workload.sends.x=1: unknown key; did you mean "
         "'workload.sends'?"},
        {"machine.nodes", "[",
         "--set machine.nodes=[: not valid YAML: did not find expected node content"},
        {"format.x", "1", "--set format.x=1: unknown key; did you mean 'format'?"},
        {"costs.its.lognormal.cv", "1",
         "--set costs.its.lognormal.cv=1: costs.its.lognormal: key 'mean' is missing"},
        {"sweep.run.sed", "[1]", "--set sweep.run.sed=[1]: unknown key; did you mean 'run.seed'?"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct vsg_diag diag = VSG_DIAG_INIT;
        struct vsg_study s = {0};
        struct vsg_setting setting = {wrong[i].key, wrong[i].value};
        assert_int_equal(vsg_study_load(small, strlen(small), &setting, 1, &s, &diag),
                         VSG_ESCENARIO);
        if (diag.count != 1 || strcmp(diag.item[0].text, wrong[i].text) != 0)
            fail_msg("%zu errors, first: %s", diag.count, diag.item[0].text);
        assert_int_equal(diag.item[0].pos.line, 0);
        vsg_diag_clear(&diag);
    }
}

static void explicit_machines_have_defaults(void **state)
{
    struct vsg_study s = {0};
    (void)state;
    load_ok("format: 1\n"
            "machine:\n"
            "  its: [{id: 3, mpidr: 1.2.3.4}]\n"
            "  cpus: [{id: 5, mpidr: 255.0.0.1, numa_node: 2}, {id: 1, mpidr: 0.0.0.0}]\n",
            NULL, 0, &s);
    const struct vsg_machine_config *m = &s.point[0].config.machine;
    assert_int_equal(m->nodes, 3);
    assert_int_equal(m->its[0].mpidr, 0x01020304);
    assert_int_equal(m->its[0].numa_node, -1);
    assert_true(m->its[0].typer_v41 && m->its[0].vpe_table_valid);
    assert_int_equal(m->its[0].svpet, 1);
    assert_int_equal(m->cpu[0].mpidr, 0xff000001);
    assert_true(m->cpu[1].rvpeid && m->cpu[1].lpi_ok);
    assert_int_equal(m->boot_count, 2);
    assert_int_equal(m->boot_order[0], 1);
    assert_int_equal(m->boot_order[1], 5);
    vsg_study_free(&s);
}

static void above_256_nodes_groups_have_two_bytes(void **state)
{
    struct vsg_study s = {0};
    (void)state;
    load_ok("format: 1\nmachine: {nodes: 257, cpus_per_node: 1}\n", NULL, 0, &s);
    assert_int_equal(s.point[0].config.machine.its[0].svpet, 2);
    assert_int_equal(s.point[0].config.machine.cpu[0].common_lpi_aff, 2);
    assert_int_equal(s.point[0].config.interconnect.topology, VSG_TOPOLOGY_STAR);
    vsg_study_free(&s);
}

static void slit_distances_become_latencies(void **state)
{
    struct vsg_study s = {0};
    static const uint64_t want_ps[] = {0, 50000, 110000, 0};
    (void)state;
    load_ok("format: 1\nmachine: {nodes: 2, cpus_per_node: 1}\n"
            "interconnect: {matrix: {slit: [[10, 20], [32, 10]], scale: 5ns}}\n",
            NULL, 0, &s);
    assert_int_equal(s.point[0].config.interconnect.topology, VSG_TOPOLOGY_MATRIX);
    assert_memory_equal(s.point[0].config.interconnect.matrix_latency_ps, want_ps, sizeof want_ps);
    vsg_study_free(&s);
}

static void a_large_machine_loads(void **state)
{
    struct vsg_study s = {0};
    (void)state;
    load_ok("format: 1\nmachine: {nodes: 4096, cpus_per_node: 256}\n"
            "vms: [{name: a, count: 2048, vcpus: 512, placement: {kind: spread}}]\n"
            "workload: {kind: ipi_hw}\n",
            NULL, 0, &s);
    assert_int_equal(s.point[0].config.machine.cpu_count, 1 << 20);
    assert_int_equal(s.point[0].config.vm_count, 2048);
    vsg_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seed_scenario_has_four_runs),
        cmocka_unit_test(default_costs_add_up_to_the_seeds_local_figure),
        cmocka_unit_test(points_and_runs_come_in_file_order),
        cmocka_unit_test(axes_are_named_with_their_unit),
        cmocka_unit_test(parts_of_a_distribution_can_be_swept),
        cmocka_unit_test(settings_replace_and_add),
        cmocka_unit_test(wrong_settings_are_named),
        cmocka_unit_test(explicit_machines_have_defaults),
        cmocka_unit_test(above_256_nodes_groups_have_two_bytes),
        cmocka_unit_test(slit_distances_become_latencies),
        cmocka_unit_test(a_large_machine_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
