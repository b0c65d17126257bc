/* Goal: a resolved scenario gives the same config again (study.h), for every shipped
 * scenario, for the machines of tests/data/selection, and for values that are hard to write. */
#include "study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void load_ok(const char *what, const char *text, struct vsg_study *s)
{
    struct vsg_diag diag = VSG_DIAG_INIT;
    enum vsg_status status = vsg_study_load(text, strlen(text), NULL, 0, s, &diag);
    if (status != VSG_OK)
        fail_msg("%s: %s", what, diag.count ? diag.item[0].text : vsg_status_text(status));
    vsg_diag_clear(&diag);
}

static bool same_numbers(const void *a, const void *b, size_t count, size_t size)
{
    return (a == NULL) == (b == NULL) && (!a || memcmp(a, b, count * size) == 0);
}

static bool same_dist(const struct vsg_dist *a, const struct vsg_dist *b)
{
    return a->kind == b->kind && a->mean_ps == b->mean_ps && a->low_ps == b->low_ps &&
           a->high_ps == b->high_ps && a->cv_ppm == b->cv_ppm && a->point_count == b->point_count &&
           same_numbers(a->point, b->point, a->point_count, sizeof *a->point);
}

static bool same_machine(const struct vsg_machine_config *a, const struct vsg_machine_config *b)
{
    if (a->nodes != b->nodes || a->its_count != b->its_count || a->cpu_count != b->cpu_count ||
        a->boot_count != b->boot_count || a->event_count != b->event_count)
        return false;
    for (uint32_t i = 0; i < a->its_count; i++) {
        const struct vsg_its_config *x = &a->its[i], *y = &b->its[i];
        if (x->id != y->id || x->typer_v41 != y->typer_v41 || x->svpet != y->svpet ||
            x->mpidr != y->mpidr || x->vpe_table_valid != y->vpe_table_valid ||
            x->numa_node != y->numa_node || x->at != y->at)
            return false;
    }
    for (uint32_t i = 0; i < a->cpu_count; i++) {
        const struct vsg_cpu_config *x = &a->cpu[i], *y = &b->cpu[i];
        if (x->id != y->id || x->mpidr != y->mpidr || x->common_lpi_aff != y->common_lpi_aff ||
            x->numa_node != y->numa_node || x->rvpeid != y->rvpeid || x->lpi_ok != y->lpi_ok)
            return false;
    }
    for (uint32_t i = 0; i < a->event_count; i++)
        if (a->event[i].op != b->event[i].op || a->event[i].cpu != b->event[i].cpu)
            return false;
    return same_numbers(a->boot_order, b->boot_order, a->boot_count, sizeof *a->boot_order);
}

static bool same_interconnect(const struct vsg_interconnect_config *a,
                              const struct vsg_interconnect_config *b, uint32_t nodes)
{
    /* A matrix leaves no use for link_latency_ps. */
    return a->topology == b->topology && a->link_latency_ps == b->link_latency_ps &&
           a->link_bytes_per_s == b->link_bytes_per_s && a->contention == b->contention &&
           a->mmio_weight_ppm == b->mmio_weight_ppm &&
           a->message_weight_ppm == b->message_weight_ppm && a->store_bytes == b->store_bytes &&
           a->message_bytes == b->message_bytes && a->line_bytes == b->line_bytes &&
           a->store_ack == b->store_ack &&
           same_numbers(a->matrix_latency_ps, b->matrix_latency_ps, (size_t)nodes * nodes,
                        sizeof *a->matrix_latency_ps);
}

static bool same_vm(const struct vsg_vm_config *a, const struct vsg_vm_config *b)
{
    const struct vsg_workload_config *x = &a->workload, *y = &b->workload;
    return strcmp(a->name, b->name) == 0 && a->vcpus == b->vcpus &&
           a->memory_node == b->memory_node && a->placement.kind == b->placement.kind &&
           a->placement.node == b->placement.node &&
           a->placement.cpu_count == b->placement.cpu_count &&
           same_numbers(a->placement.cpu, b->placement.cpu, a->placement.cpu_count,
                        sizeof *a->placement.cpu) &&
           x->kind == y->kind && x->sends == y->sends && x->rate_per_s == y->rate_per_s &&
           same_dist(&x->think, &y->think) && x->target_count == y->target_count &&
           same_numbers(x->target, y->target, x->target_count, sizeof *x->target) &&
           x->sender_count == y->sender_count &&
           same_numbers(x->sender, y->sender, x->sender_count, sizeof *x->sender);
}

static bool same_config(const struct vsg_config *a, const struct vsg_config *b)
{
    if (strcmp(a->name, b->name) != 0 || !same_machine(&a->machine, &b->machine) ||
        !same_interconnect(&a->interconnect, &b->interconnect, a->machine.nodes) ||
        a->vm_count != b->vm_count || a->seed != b->seed || a->duration_ps != b->duration_ps ||
        a->tie != b->tie || a->warmup.kind != b->warmup.kind ||
        a->warmup.share_ppm != b->warmup.share_ppm || a->warmup.time_ps != b->warmup.time_ps ||
        a->warmup.count != b->warmup.count)
        return false;
    for (int i = 0; i < VSG_COST_COUNT; i++)
        if (!same_dist(&a->cost[i], &b->cost[i]))
            return false;
    for (uint32_t i = 0; i < a->vm_count; i++)
        if (!same_vm(&a->vm[i], &b->vm[i]))
            return false;
    return true;
}

static void check(const char *what, const char *text)
{
    struct vsg_study s = {0}, again = {0};
    load_ok(what, text, &s);
    for (uint32_t i = 0; i < s.point_count; i++) {
        const char *resolved = s.point[i].resolved_yaml;
        load_ok(what, resolved, &again);
        if (again.point_count != 1 || again.point[0].axis_count != 0)
            fail_msg("%s: the resolved scenario has a sweep", what);
        if (!same_config(&s.point[i].config, &again.point[0].config))
            fail_msg("%s: another config after\n%s", what, resolved);
        assert_string_equal(again.point[0].resolved_yaml, resolved);
        assert_string_equal(again.description, s.description);
        assert_int_equal(again.policy_count, s.policy_count);
        assert_memory_equal(again.policy, s.policy, s.policy_count * sizeof s.policy[0]);
        assert_int_equal(again.replications, s.replications);
        assert_int_equal(again.has_guests, s.has_guests);
        vsg_study_free(&again);
    }
    vsg_study_free(&s);
}

static void shipped_scenarios_round_trip_without_a_warning(void **state)
{
    DIR *dir = opendir(VSG_SOURCE_DIR "/scenarios");
    unsigned count = 0;
    (void)state;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[600], text[1 << 14];
        struct vsg_study s = {0};
        if (!strstr(entry->d_name, ".yaml"))
            continue;
        snprintf(path, sizeof path, "%s/scenarios/%s", VSG_SOURCE_DIR, entry->d_name);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        text[fread(text, 1, sizeof text - 1, f)] = 0;
        fclose(f);
        check(entry->d_name, text);
        load_ok(entry->d_name, text, &s);
        if (s.warnings.count > 0)
            fail_msg("%s: %s", entry->d_name, s.warnings.item[0].text);
        if (strncmp(entry->d_name, s.name, strlen(s.name)) != 0)
            fail_msg("%s is named %s", entry->d_name, s.name);
        vsg_study_free(&s);
        count++;
    }
    closedir(dir);
    assert_true(count >= 7);
}

static const char head[] = "format: 1\nmachine: {nodes: 2, cpus_per_node: 8}\n";

static void hard_values_round_trip(void **state)
{
    static const char *const tails[] = {
        "",
        "description: \"a \\\"b\\\" \\\\ \\n \\t \\x01 \\x7f \\x85 \\u2028 \\ufffe # : '\"\n",
        "description: |\n  two\n  lines\nname: \xc3\xa9_-1\n",
        "run: {seed: 18446744073709551615, replications: 7, warmup: {sends: 0}, tie: reverse}\n",
        "run: {warmup: 12.3456%}\n",
        "run: {warmup: 1.000001us}\n",
        "policies: [numa-v1]\n",
        "interconnect: {link: {latency: 1ps, bandwidth: 1.001kB/s}, mmio_weight: 0.000001,\n"
        "  message_weight: 1000, store_bytes: 1KiB, line_bytes: 100, contention: none,\n"
        "  store_ack: its}\n",
        "interconnect: {matrix: {slit: [[10, 21], [22, 10]], scale: 1.5ns}}\n",
        "interconnect: {topology: star, contention: fluid}\n",
        "costs: {its: {lognormal: {mean: 20.001ns, cv: 0.000001}}, trap: 0ns,\n"
        "  mmio: {uniform: {low: 1ps, high: 4ps}}, line: {exponential: {mean: 1.5us}}}\n",
        "costs: {its: {gamma: {mean: 20.001ns, cv: 10}}, trap: {empirical: {values: {3ns: 0, 1ps: "
        "7,\n"
        "  2.5us: 4294967295}}}, mmio: {empirical: {quantiles: {0%: 1ns, 99.9999%: 1ns, 100%: "
        "10ms}}}}\n"
        "workload: {kind: closed, sends: 3, think: {empirical: {values: {1us: 1, 2us: 1}}}}\n"
        "vms: [{name: a, count: 2, vcpus: 2}]\n",
        "vms: [{name: a, count: 2, vcpus: 2, placement: {kind: pinned, cpus: [3, 1, 15, 8]},\n"
        "  memory_node: 1}]\nworkload: {kind: poisson, rate: 333/s, targets: [1], senders: [0]}\n"
        "run: {duration: 3ms}\n",
        "vms: [{name: a, vcpus: 4, workload: {kind: closed, sends: 4294967295,\n"
        "  think: {uniform: {low: 0ns, high: 3ns}}, targets: [3, 1, 0]}},\n"
        "  {name: '007', vcpus: 6, placement: {kind: spread}}]\nworkload: {kind: pairs}\n",
    };
    char text[4096];
    (void)state;
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        snprintf(text, sizeof text, "%s%s", head, tails[i]);
        check(tails[i], text);
    }
    check("short machine",
          "format: 1\nmachine: {nodes: 3, cpus_per_node: 2, its_per_node: 2, maxcpus: 5,\n"
          "  probe_order: [5, 0, 1, 4, 3, 2], gic: {v41: false, svpet: 3, common_lpi_aff: 0,\n"
          "  vpe_table: false}}\n");
}

/* ---- the machines of tests/data/selection -------------------------------------------------- */

static uint32_t affinity_of(const json_t *o)
{
    unsigned a3, a2, a1, a0;
    assert_int_equal(
        sscanf(json_string_value(json_object_get(o, "mpidr")), "%u.%u.%u.%u", &a3, &a2, &a1, &a0),
        4);
    return a3 << 24 | a2 << 16 | a1 << 8 | a0;
}

static json_int_t integer_of(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static bool flag_of(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return v ? json_is_true(v) : true;
}

static void compare_machine(const json_t *machine, const struct vsg_machine_config *m)
{
    const json_t *its = json_object_get(machine, "its"), *cpus = json_object_get(machine, "cpus");
    const json_t *boot = json_object_get(machine, "boot_order");
    const json_t *events = json_object_get(machine, "events");

    assert_int_equal(m->its_count, json_array_size(its));
    for (uint32_t i = 0; i < m->its_count; i++) {
        const json_t *o = json_array_get(its, i);
        assert_int_equal(m->its[i].id, integer_of(o, "id"));
        assert_int_equal(m->its[i].typer_v41, flag_of(o, "typer_v41"));
        assert_int_equal(m->its[i].svpet, integer_of(o, "svpet"));
        assert_int_equal(m->its[i].mpidr, affinity_of(o));
        assert_int_equal(m->its[i].vpe_table_valid, flag_of(o, "vpe_table_valid"));
        assert_int_equal(m->its[i].numa_node, integer_of(o, "numa_node"));
        assert_int_equal(m->its[i].at, -1);
    }
    assert_int_equal(m->cpu_count, json_array_size(cpus));
    for (uint32_t i = 0; i < m->cpu_count; i++) {
        const json_t *o = json_array_get(cpus, i);
        assert_int_equal(m->cpu[i].id, integer_of(o, "id"));
        assert_int_equal(m->cpu[i].mpidr, affinity_of(o));
        assert_int_equal(m->cpu[i].common_lpi_aff, integer_of(o, "common_lpi_aff"));
        assert_int_equal(m->cpu[i].numa_node, integer_of(o, "numa_node"));
        assert_int_equal(m->cpu[i].rvpeid, flag_of(o, "rvpeid"));
        assert_int_equal(m->cpu[i].lpi_ok, flag_of(o, "lpi_ok"));
    }
    assert_int_equal(m->boot_count, json_array_size(boot));
    for (uint32_t i = 0; i < m->boot_count; i++)
        assert_int_equal(m->boot_order[i], json_integer_value(json_array_get(boot, i)));
    assert_int_equal(m->event_count, json_array_size(events));
    for (uint32_t i = 0; i < m->event_count; i++) {
        const json_t *o = json_array_get(events, i);
        const char *op = json_string_value(json_object_get(o, "op"));
        assert_int_equal(m->event[i].op,
                         strcmp(op, "online") == 0 ? VSG_CPU_ONLINE : VSG_CPU_OFFLINE);
        assert_int_equal(m->event[i].cpu, integer_of(o, "cpu"));
    }
}

/* JSON is YAML: the machines go through the loader as they stand there. */
static void selection_machines_load_and_round_trip(void **state)
{
    json_t *all = json_load_file(VSG_TEST_DATA "/selection/vectors.json", 0, NULL);
    size_t i;
    json_t *machine;
    (void)state;
    assert_int_equal(json_array_size(all), 40);
    json_array_foreach (all, i, machine) {
        struct vsg_study s = {0};
        const char *name = json_string_value(json_object_get(machine, "name"));
        json_t *copy = json_deep_copy(machine);
        json_object_del(copy, "name");
        json_object_del(copy, "why");
        json_object_del(copy, "expect");
        char *json = json_dumps(copy, 0), *text = NULL;
        assert_true(asprintf(&text, "format: 1\nmachine: %s\n", json) > 0);
        load_ok(name, text, &s);
        compare_machine(machine, &s.point[0].config.machine);
        check(name, text);
        vsg_study_free(&s);
        free(text);
        free(json);
        json_decref(copy);
    }
    json_decref(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_scenarios_round_trip_without_a_warning),
        cmocka_unit_test(hard_values_round_trip),
        cmocka_unit_test(selection_machines_load_and_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
