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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seed_scenario_has_four_runs),
        cmocka_unit_test(default_costs_add_up_to_the_seeds_local_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
