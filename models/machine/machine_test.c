/* Goal: the short form means what config.h and machine.h say. Method: affinities
 * written out by hand, and uniqueness over whole machines of every shape. */
#include "models/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define AFF(a3, a2, a1, a0)                                                                        \
    ((uint32_t)(a3) << 24 | (uint32_t)(a2) << 16 | (uint32_t)(a1) << 8 | (uint32_t)(a0))

static struct vsg_machine_short short_form(uint32_t nodes, uint32_t cpus, uint32_t its)
{
    return (struct vsg_machine_short){.nodes = nodes,
                                      .cpus_per_node = cpus,
                                      .its_per_node = its,
                                      .v41 = true,
                                      .svpet = 1,
                                      .common_lpi_aff = 1,
                                      .vpe_table = true};
}

static struct vsg_machine_config expanded(const struct vsg_machine_short *s)
{
    struct vsg_machine_config m;
    assert_int_equal(vsg_machine_expand(s, &m), VSG_OK);
    return m;
}

static void two_sockets_of_32(void **state)
{
    (void)state;
    struct vsg_machine_short s = short_form(2, 32, 1);
    struct vsg_machine_config m = expanded(&s);
    assert_int_equal(m.nodes, 2);
    assert_int_equal(m.cpu_count, 64);
    assert_int_equal(m.boot_count, 64);
    assert_int_equal(m.its_count, 2);
    assert_int_equal(m.event_count, 0);
    assert_int_equal(m.cpu[0].mpidr, AFF(0, 0, 0, 0));
    assert_int_equal(m.cpu[31].mpidr, AFF(0, 0, 1, 15));
    assert_int_equal(m.cpu[32].mpidr, AFF(1, 0, 0, 0));
    assert_int_equal(m.cpu[49].mpidr, AFF(1, 0, 1, 1));
    assert_int_equal(m.cpu[49].id, 49);
    assert_int_equal(vsg_cpu_node(&m.cpu[31]), 0);
    assert_int_equal(vsg_cpu_node(&m.cpu[32]), 1);
    assert_int_equal(m.its[1].id, 1);
    assert_int_equal(m.its[1].mpidr, AFF(1, 0, 0, 0));
    assert_int_equal(vsg_its_node(&m.its[1]), 1);
    for (uint32_t i = 0; i < 64; i++)
        assert_true(m.boot_order[i] == i && m.cpu[i].rvpeid && m.cpu[i].lpi_ok);
    vsg_machine_free(&m);
}

static void more_cpus_and_more_nodes_use_aff2(void **state)
{
    (void)state;
    struct vsg_machine_short big = short_form(2, 5000, 0);
    struct vsg_machine_config m = expanded(&big);
    assert_int_equal(m.its_count, 0);
    assert_int_equal(m.cpu[4095].mpidr, AFF(0, 0, 255, 15));
    assert_int_equal(m.cpu[4096].mpidr, AFF(0, 1, 0, 0));
    assert_int_equal(m.cpu[5000 + 4999].mpidr, AFF(1, 1, 56, 7)); /* 4999 = 4096 + 56 * 16 + 7 */
    vsg_machine_free(&m);

    struct vsg_machine_short many = short_form(300, 20, 1);
    many.svpet = many.common_lpi_aff = 2;
    m = expanded(&many);
    assert_int_equal(m.cpu[299 * 20 + 17].mpidr, AFF(1, 43, 1, 1)); /* 299 = 256 + 43 */
    assert_int_equal(m.its[255].mpidr, AFF(0, 255, 0, 0));
    vsg_machine_free(&m);
}

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void affinities_are_unique(void **state)
{
    (void)state;
    const uint32_t shape[][2] = {{1, 1},     {1, 1 << 20}, {65536, 1},  {256, 4096}, {257, 4080},
                                 {2, 65536}, {512, 128},   {65536, 16}, {255, 4112}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        struct vsg_machine_short s = short_form(shape[i][0], shape[i][1], 0);
        s.svpet = s.common_lpi_aff = 2;
        struct vsg_machine_config m = expanded(&s);
        uint32_t *seen = malloc(m.cpu_count * sizeof *seen);
        assert_non_null(seen);
        for (uint32_t c = 0; c < m.cpu_count; c++)
            seen[c] = m.cpu[c].mpidr;
        qsort(seen, m.cpu_count, sizeof *seen, compare_u32);
        for (uint32_t c = 1; c < m.cpu_count; c++)
            assert_true(seen[c - 1] < seen[c]);
        free(seen);
        vsg_machine_free(&m);
    }
}

static void options_change_it(void **state)
{
    (void)state;
    const uint32_t order[] = {3, 0, 2, 1};
    struct vsg_machine_short s = short_form(2, 4, 2);
    s.v41 = false;
    s.vpe_table = false;
    s.svpet = 2;
    s.common_lpi_aff = 3;
    s.maxcpus = 5;
    s.probe_order = order;
    s.probe_count = 4;
    struct vsg_machine_config m = expanded(&s);
    assert_int_equal(m.boot_count, 5);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(m.its[i].id, order[i]);
        assert_int_equal(m.its[i].numa_node, order[i] / 2);
        assert_true(!m.its[i].typer_v41 && !m.its[i].vpe_table_valid && m.its[i].svpet == 2);
    }
    assert_int_equal(m.cpu[7].common_lpi_aff, 3);
    assert_false(m.cpu[7].rvpeid);
    vsg_machine_free(&m);

    s.maxcpus = 100; /* as the kernel takes maxcpus=100 on 8 CPUs */
    m = expanded(&s);
    assert_int_equal(m.boot_count, 8);
    vsg_machine_free(&m);
}

static void refuses(struct vsg_machine_short s, enum vsg_status want, const char *words)
{
    struct vsg_machine_config m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    assert_int_equal(vsg_machine_expand(&s, &m), want);
    assert_int_equal(vsg_machine_short_check(&s, &diag), want);
    assert_true(diag.count > 0);
    assert_non_null(strstr(diag.item[0].text, words));
    vsg_diag_clear(&diag);
}

static void refuses_what_it_cannot_make(void **state)
{
    (void)state;
    refuses(short_form(0, 4, 1), VSG_ERANGE, "no CPU");
    refuses(short_form(4, 0, 1), VSG_ERANGE, "no CPU");
    refuses(short_form(2, (1 << 19) + 1, 1), VSG_ERANGE, "1048578");
    refuses(short_form(UINT32_MAX, UINT32_MAX, 1), VSG_ERANGE, "2^20");
    refuses(short_form(2, 1, 1 << 20), VSG_ERANGE, "2097152 ITSs");
    refuses(short_form(65537, 1, 0), VSG_ERANGE, "2^16");
    refuses(short_form(257, 1, 1), VSG_ERANGE, "svpet");
    struct vsg_machine_short s = short_form(2, 4, 1);
    s.svpet = 4;
    refuses(s, VSG_ERANGE, "0 to 3");

    const uint32_t twice[] = {1, 1}, far[] = {0, 2};
    s = short_form(2, 4, 1);
    s.probe_order = twice;
    s.probe_count = 2;
    refuses(s, VSG_EINVAL, "twice");
    s.probe_order = far;
    refuses(s, VSG_EINVAL, "does not exist");
    s.probe_count = 1;
    refuses(s, VSG_EINVAL, "lists 1 ITSs, the machine has 2");
}

static void places(void **state)
{
    (void)state;
    struct vsg_cpu_config cpu = {.numa_node = -1};
    struct vsg_its_config its = {.numa_node = -1, .at = -1};
    assert_int_equal(vsg_cpu_node(&cpu), 0);
    assert_int_equal(vsg_its_node(&its), -1);
    its.at = 3;
    assert_int_equal(vsg_its_node(&its), 3);
    its.numa_node = 1; /* where it stands is not what the firmware says */
    assert_int_equal(vsg_its_node(&its), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sockets_of_32),
        cmocka_unit_test(more_cpus_and_more_nodes_use_aff2),
        cmocka_unit_test(affinities_are_unique),
        cmocka_unit_test(options_change_it),
        cmocka_unit_test(refuses_what_it_cannot_make),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
