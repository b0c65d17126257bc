/* Every what-if policy on a machine small enough to see the answer: three nodes in a row,
 * 10 ns from 0 to 1, 25 ns from 1 to 2, 40 ns from 0 to 2; ITSs 0, 1 on node 0 and 2 on node 2.
 * List order (last probed first): its2, its1, its0, so positions 0, 1, 2. */
#include "models/gic/choose.h"
#include "models/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { ITS2, ITS1, ITS0 };

static struct vsg_its_config its[] = {
    {.id = 0, .typer_v41 = true, .svpet = 1, .mpidr = 0, .vpe_table_valid = true, .at = -1},
    {.id = 1, .typer_v41 = true, .svpet = 1, .mpidr = 0, .vpe_table_valid = true, .at = -1},
    {.id = 2,
     .typer_v41 = true,
     .svpet = 1,
     .mpidr = 2u << 24,
     .vpe_table_valid = true,
     .numa_node = 2,
     .at = -1}};
static struct vsg_cpu_config cpu[] = {
    {.id = 0, .mpidr = 0, .common_lpi_aff = 1, .numa_node = 0, .rvpeid = true, .lpi_ok = true},
    {.id = 1,
     .mpidr = 1u << 24,
     .common_lpi_aff = 1,
     .numa_node = 1,
     .rvpeid = true,
     .lpi_ok = true},
    {.id = 2,
     .mpidr = 2u << 24,
     .common_lpi_aff = 1,
     .numa_node = 2,
     .rvpeid = true,
     .lpi_ok = true}};
static uint32_t boot_order[] = {0, 1, 2};
static const struct vsg_machine_config machine = {.nodes = 3,
                                                  .its = its,
                                                  .its_count = 3,
                                                  .cpu = cpu,
                                                  .cpu_count = 3,
                                                  .boot_order = boot_order,
                                                  .boot_count = 3};

static const struct vsg_link_def link[] = {{0, 1, 10000, 0, "a"}, {0, 2, 40000, 0, "b"},
                                           {1, 0, 10000, 0, "c"}, {1, 2, 25000, 0, "d"},
                                           {2, 0, 40000, 0, "e"}, {2, 1, 25000, 0, "f"}};
static const struct vsg_route_def route[] = {{0, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 0},
                                             {3, 1}, {4, 1}, {5, 1}, {6, 0}};
static const uint32_t route_link[] = {0, 1, 2, 3, 4, 5};
static const struct vsg_world world = {.place_count = 3,
                                       .node_count = 3,
                                       .link = link,
                                       .link_count = 6,
                                       .route = route,
                                       .route_link = route_link,
                                       .route_link_count = 6,
                                       .weight_ppm = {1000000, 1000000, 1000000, 1000000}};

static uint32_t choose(enum vsg_policy policy, uint32_t from, uint32_t to, uint64_t n,
                       const uint32_t *outstanding)
{
    struct vsg_boot boot;
    struct vsg_chooser c;
    struct vsg_diag d = VSG_DIAG_INIT;
    assert_int_equal(vsg_boot(&machine, &boot), VSG_OK);
    assert_int_equal(vsg_chooser_make(policy, &machine, &boot, &world, &c, &d), VSG_OK);
    struct vsg_send s = {.from_node = from,
                         .to_node = to,
                         .sender = from,
                         .target = to,
                         .target_cpu = to,
                         .n = n,
                         .outstanding = outstanding};
    uint32_t its_position = vsg_choose(&c, &s);
    vsg_chooser_free(&c);
    vsg_boot_free(&boot);
    return its_position;
}

static void nearest_is_the_shortest_way_from_the_sender(void **state)
{
    (void)state;
    assert_int_equal(choose(VSG_POLICY_NEAREST, 0, 2, 0, NULL), ITS1); /* equal: list order */
    assert_int_equal(choose(VSG_POLICY_NEAREST, 1, 2, 0, NULL), ITS1); /* 10 against 25 */
    assert_int_equal(choose(VSG_POLICY_NEAREST, 2, 0, 0, NULL), ITS2);
}

static void target_node_is_what_the_targets_cpu_remembers(void **state)
{
    (void)state;
    /* CPU 0 finds the first ITS of its affinity in list order; CPU 1 has none and falls back. */
    assert_int_equal(choose(VSG_POLICY_TARGET_NODE, 2, 0, 0, NULL), ITS1);
    assert_int_equal(choose(VSG_POLICY_TARGET_NODE, 0, 1, 0, NULL), ITS2);
    assert_int_equal(choose(VSG_POLICY_TARGET_NODE, 0, 2, 0, NULL), ITS2);
}

static void min_path_minimises_both_ways_together(void **state)
{
    (void)state;
    /* 0 -> 2: through node 0 40, through node 2 40: equal, so the nearest. 1 -> 0: 10 + 0 against
     * 25 + 40. 1 -> 2: 10 + 40 against 25. 1 -> 1: 20 against 50. */
    assert_int_equal(choose(VSG_POLICY_MIN_PATH, 0, 2, 0, NULL), ITS1);
    assert_int_equal(choose(VSG_POLICY_MIN_PATH, 1, 0, 0, NULL), ITS1);
    assert_int_equal(choose(VSG_POLICY_MIN_PATH, 1, 2, 0, NULL), ITS2);
    assert_int_equal(choose(VSG_POLICY_MIN_PATH, 1, 1, 0, NULL), ITS1);
}

static void round_robin_counts_per_sender(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 7; n++)
        for (uint32_t sender = 0; sender < 3; sender++)
            assert_int_equal(choose(VSG_POLICY_ROUND_ROBIN, sender, 0, n, NULL), (sender + n) % 3);
}

static void least_outstanding_asks_the_senders_own_count(void **state)
{
    (void)state;
    const uint32_t none[] = {0, 0, 0}, one[] = {0, 1, 0}, two[] = {0, 1, 1}, three[] = {2, 1, 1};
    /* From node 0 the order is its1, its0, its2. */
    assert_int_equal(choose(VSG_POLICY_LEAST_OUTSTANDING, 0, 0, 0, none), ITS1);
    assert_int_equal(choose(VSG_POLICY_LEAST_OUTSTANDING, 0, 0, 0, one), ITS0);
    assert_int_equal(choose(VSG_POLICY_LEAST_OUTSTANDING, 0, 0, 0, two), ITS2);
    assert_int_equal(choose(VSG_POLICY_LEAST_OUTSTANDING, 0, 0, 0, three), ITS1);
}

static void hash_depends_on_the_target_alone(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (uint32_t to = 0; to < 3; to++) {
        uint32_t first = choose(VSG_POLICY_HASH, 0, to, 0, NULL);
        assert_int_equal(choose(VSG_POLICY_HASH, 2, to, 5, NULL), first);
        assert_true(first < 3);
        seen |= 1u << first;
    }
    assert_true(seen != 0);
}

static void an_its_without_a_place_is_refused(void **state)
{
    (void)state;
    struct vsg_boot boot;
    struct vsg_chooser c;
    struct vsg_diag d = VSG_DIAG_INIT;
    assert_int_equal(vsg_boot(&machine, &boot), VSG_OK);
    its[2].numa_node = -1;
    assert_int_equal(vsg_chooser_make(VSG_POLICY_NEAREST, &machine, &boot, &world, &c, &d),
                     VSG_ENOTSUP);
    assert_non_null(strstr(d.item[0].text, "its 2 has no place"));
    its[2].numa_node = 2;
    vsg_diag_clear(&d);
    vsg_boot_free(&boot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_is_the_shortest_way_from_the_sender),
        cmocka_unit_test(target_node_is_what_the_targets_cpu_remembers),
        cmocka_unit_test(min_path_minimises_both_ways_together),
        cmocka_unit_test(round_robin_counts_per_sender),
        cmocka_unit_test(least_outstanding_asks_the_senders_own_count),
        cmocka_unit_test(hash_depends_on_the_target_alone),
        cmocka_unit_test(an_its_without_a_place_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
