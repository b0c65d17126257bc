/* Goal: the default shapes are those that shape.h promises, and impossible ones are refused with
 * the possible ones. Method: answers by hand. */
#include "models/interconnect/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t *list(uint32_t count, const uint32_t *value)
{
    uint32_t *l = malloc(count * sizeof *l);
    assert_non_null(l);
    memcpy(l, value, count * sizeof *l);
    return l;
}

#define LIST(...)                                                                                  \
    list(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

static void drop(struct vsg_interconnect_config *c)
{
    struct vsg_shape_error e;
    c->topology = VSG_TOPOLOGY_FULL; /* has no shape, so all of it is freed */
    assert_int_equal(vsg_shape_complete(c, 2, &e), VSG_OK);
    assert_null(c->shape.dims);
    assert_null(c->shape.down);
    assert_int_equal(c->shape.groups, 0);
}

/* The default for so many nodes reads as said. */
static void is(enum vsg_topology topology, uint32_t nodes, const char *wanted)
{
    struct vsg_interconnect_config c = {.topology = topology};
    struct vsg_shape_error e;
    char text[200];

    assert_int_equal(vsg_shape_complete(&c, nodes, &e), VSG_OK);
    assert_string_equal(vsg_shape_text(&c, text, sizeof text), wanted);
    assert_int_equal(vsg_shape_complete(&c, nodes, &e), VSG_OK); /* complete: as it is */
    assert_string_equal(vsg_shape_text(&c, text, sizeof text), wanted);
    drop(&c);
}

/* The shape is refused for this key, with these words at least. */
static void refused(struct vsg_interconnect_config *c, uint32_t nodes, const char *key,
                    const char *words)
{
    struct vsg_shape_error e = {.key = ""};

    assert_int_equal(vsg_shape_complete(c, nodes, &e), VSG_ERANGE);
    assert_string_equal(e.key, key);
    if (!strstr(e.text, words))
        fail_msg("\"%s\" lacks \"%s\"", e.text, words);
    drop(c);
}

static void default_torus(void **state)
{
    (void)state;
    is(VSG_TOPOLOGY_TORUS, 1, "");
    is(VSG_TOPOLOGY_TORUS, 2, "dims: [2]");
    is(VSG_TOPOLOGY_TORUS, 4, "dims: [2, 2]");
    is(VSG_TOPOLOGY_TORUS, 7, "dims: [7]");
    is(VSG_TOPOLOGY_TORUS, 8, "dims: [4, 2]");
    is(VSG_TOPOLOGY_TORUS, 12, "dims: [4, 3]");
    is(VSG_TOPOLOGY_TORUS, 64, "dims: [8, 8]");
    is(VSG_TOPOLOGY_TORUS, 512, "dims: [32, 16]");
}

static void default_fat_tree(void **state)
{
    (void)state;
    is(VSG_TOPOLOGY_FAT_TREE, 2, "down: [2], up: [1], count: [1]");
    is(VSG_TOPOLOGY_FAT_TREE, 5, "down: [5], up: [1], count: [1]");
    is(VSG_TOPOLOGY_FAT_TREE, 8, "down: [4, 2], up: [1, 4], count: [1, 1]");
    is(VSG_TOPOLOGY_FAT_TREE, 64, "down: [8, 8], up: [1, 8], count: [1, 1]");
}

static void fat_tree_of_so_many_levels(void **state)
{
    struct vsg_interconnect_config c = {.topology = VSG_TOPOLOGY_FAT_TREE, .shape = {.levels = 3}};
    struct vsg_shape_error e;
    char text[200];

    (void)state;
    assert_int_equal(vsg_shape_complete(&c, 64, &e), VSG_OK);
    assert_string_equal(vsg_shape_text(&c, text, sizeof text),
                        "down: [4, 4, 4], up: [1, 4, 4], count: [1, 1, 1]");
    drop(&c);
    /* What is above is thin: one parent each. Its length says how many levels there are. */
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_FAT_TREE,
                                         .shape = {.up = LIST(1, 1, 1), .up_count = 3}};
    assert_int_equal(vsg_shape_complete(&c, 8, &e), VSG_OK);
    assert_string_equal(vsg_shape_text(&c, text, sizeof text),
                        "down: [2, 2, 2], up: [1, 1, 1], count: [1, 1, 1]");
    drop(&c);
}

static void default_dragonfly(void **state)
{
    (void)state;
    is(VSG_TOPOLOGY_DRAGONFLY, 2, "groups: 1, routers: 2, nodes_per_router: 1");
    is(VSG_TOPOLOGY_DRAGONFLY, 7, "groups: 1, routers: 7, nodes_per_router: 1");
    is(VSG_TOPOLOGY_DRAGONFLY, 8, "groups: 2, routers: 2, nodes_per_router: 2");
    is(VSG_TOPOLOGY_DRAGONFLY, 10, "groups: 2, routers: 5, nodes_per_router: 1");
    is(VSG_TOPOLOGY_DRAGONFLY, 16, "groups: 2, routers: 4, nodes_per_router: 2");
    is(VSG_TOPOLOGY_DRAGONFLY, 64, "groups: 4, routers: 4, nodes_per_router: 4");
    is(VSG_TOPOLOGY_DRAGONFLY, 512, "groups: 8, routers: 8, nodes_per_router: 8");
}

/* What is given stays, the rest fits it. */
static void dragonfly_of_two_groups(void **state)
{
    struct vsg_interconnect_config c = {.topology = VSG_TOPOLOGY_DRAGONFLY, .shape = {.groups = 2}};
    struct vsg_shape_error e;

    (void)state;
    assert_int_equal(vsg_shape_complete(&c, 64, &e), VSG_OK);
    assert_int_equal(c.shape.groups, 2);
    assert_int_equal(c.shape.routers, 8); /* 8 x 4 and 4 x 8 are as even; more routers */
    assert_int_equal(c.shape.nodes_per_router, 4);
    drop(&c);
}

static void dragonfly_of_two_chassis(void **state)
{
    struct vsg_interconnect_config c = {.topology = VSG_TOPOLOGY_DRAGONFLY,
                                        .shape = {.chassis = 2}};
    struct vsg_shape_error e;
    char text[200];

    (void)state;
    assert_int_equal(vsg_shape_complete(&c, 16, &e), VSG_OK);
    assert_string_equal(vsg_shape_text(&c, text, sizeof text),
                        "groups: 2, chassis: 2, routers: 2, nodes_per_router: 2");
    drop(&c);
}

static void impossible_tori(void **state)
{
    struct vsg_interconnect_config c = {.topology = VSG_TOPOLOGY_TORUS};

    (void)state;
    c.shape = (struct vsg_shape){.dims = LIST(4, 4), .dims_count = 2};
    refused(&c, 12, "dims",
            "[4, 4] makes 16 nodes, the machine has 12; possible for 12: [12], [6, 2], [4, 3], "
            "[3, 2, 2], in any order");
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_TORUS,
                                         .shape = {.dims = LIST(12, 1), .dims_count = 2}};
    refused(&c, 12, "dims", "leave one of 1 out");
    c = (struct vsg_interconnect_config){
        .topology = VSG_TOPOLOGY_TORUS,
        .shape = {.dims = LIST(2, 2, 2, 2, 2, 2, 2), .dims_count = 7}};
    refused(&c, 128, "dims", "a torus has 1 to 6 dimensions, not 7");
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_TORUS,
                                         .shape = {.dims = LIST(65536, 65536), .dims_count = 2}};
    refused(&c, 4, "dims", "makes 4294967296 nodes");
}

static void impossible_fat_trees(void **state)
{
    struct vsg_interconnect_config c = {.topology = VSG_TOPOLOGY_FAT_TREE};

    (void)state;
    c.shape = (struct vsg_shape){.down = LIST(4, 3), .down_count = 2};
    refused(&c, 16, "down",
            "[4, 3] makes 12 nodes, the machine has 16; possible for 16: [16], [8, 2], [4, 4], "
            "[4, 2, 2], [2, 2, 2, 2], in any order");
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_FAT_TREE, .shape = {.levels = 5}};
    refused(&c, 16, "levels",
            "16 nodes are no product of 5 numbers of children, each at least 2; possible for "
            "`down`: [16], [8, 2]");
    c = (struct vsg_interconnect_config){
        .topology = VSG_TOPOLOGY_FAT_TREE,
        .shape = {.levels = 3, .down = LIST(4, 4), .down_count = 2}};
    refused(&c, 16, "levels", "3 levels, but `down` has 2");
    c = (struct vsg_interconnect_config){
        .topology = VSG_TOPOLOGY_FAT_TREE,
        .shape = {.down = LIST(4, 4), .down_count = 2, .up = LIST(1), .up_count = 1}};
    refused(&c, 16, "up", "2 numbers of parents");
    c = (struct vsg_interconnect_config){
        .topology = VSG_TOPOLOGY_FAT_TREE,
        .shape = {.down = LIST(4, 4), .down_count = 2, .count = LIST(1, 0), .count_count = 2}};
    refused(&c, 16, "count", "2 numbers of links, each at least 1");
    c = (struct vsg_interconnect_config){
        .topology = VSG_TOPOLOGY_FAT_TREE,
        .shape = {.down = LIST(4, 4), .down_count = 2, .up = LIST(4096, 4096), .up_count = 2}};
    refused(&c, 16, "up", "more than 262144 links");
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_FAT_TREE,
                                         .shape = {.down = LIST(0), .down_count = 0}};
    refused(&c, 16, "down", "[] has 0 levels; a fat tree has 1 to 6");
}

/* SimGrid takes these and dies of some of them: METHOD-NOTES' dragonflies. */
static void impossible_dragonflies(void **state)
{
    struct vsg_interconnect_config c = {.topology = VSG_TOPOLOGY_DRAGONFLY};

    (void)state;
    c.shape = (struct vsg_shape){.groups = 4, .routers = 2};
    refused(&c, 16, "groups",
            "4 groups of 2 routers: a group needs a router for each group, so at most 2; possible "
            "for 16 (groups x routers x nodes_per_router): 2 x 2 x 4, 2 x 4 x 2, 2 x 8 x 1, 4 x 4 "
            "x 1 and 1 x 16 x 1");
    c = (struct vsg_interconnect_config){
        .topology = VSG_TOPOLOGY_DRAGONFLY,
        .shape = {.groups = 2, .routers = 3, .nodes_per_router = 2}};
    refused(&c, 16, "groups",
            "no dragonfly of 16 nodes has 2 groups, 3 routers in a chassis, 2 nodes per router");
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_DRAGONFLY,
                                         .shape = {.routers = 3}};
    refused(&c, 16, "routers", "no dragonfly of 16 nodes has 3 routers in a chassis");
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_DRAGONFLY,
                                         .shape = {.groups = 2}};
    refused(&c, 2, "groups", "possible for 2 (groups x routers x nodes_per_router): 1 x 2 x 1");
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_DRAGONFLY,
                                         .shape = {.chassis = 3}};
    refused(&c, 16, "chassis",
            "no dragonfly of 16 nodes has 3 chassis in a group; possible for 16 (groups x routers "
            "x nodes_per_router, each group of 3 chassis): none");
    c = (struct vsg_interconnect_config){.topology = VSG_TOPOLOGY_DRAGONFLY,
                                         .shape = {.chassis = 2, .nodes_per_router = 1}};
    refused(&c, 512, "chassis", "512 routers in all; with several chassis at most 256");
}

static void same_shapes(void **state)
{
    uint32_t a[] = {4, 4}, b[] = {4, 2, 2};
    struct vsg_shape x = {.dims = a, .dims_count = 2}, y = {.dims = b, .dims_count = 3};

    (void)state;
    assert_false(vsg_shape_same(&x, &y));
    y = x;
    assert_true(vsg_shape_same(&x, &y));
    x = (struct vsg_shape){.groups = 2, .routers = 4, .nodes_per_router = 2};
    y = (struct vsg_shape){.groups = 2, .routers = 2, .nodes_per_router = 4};
    assert_false(vsg_shape_same(&x, &y));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_torus),
        cmocka_unit_test(default_fat_tree),
        cmocka_unit_test(fat_tree_of_so_many_levels),
        cmocka_unit_test(default_dragonfly),
        cmocka_unit_test(dragonfly_of_two_groups),
        cmocka_unit_test(dragonfly_of_two_chassis),
        cmocka_unit_test(impossible_tori),
        cmocka_unit_test(impossible_fat_trees),
        cmocka_unit_test(impossible_dragonflies),
        cmocka_unit_test(same_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
