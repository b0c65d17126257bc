/* Goal: SimGrid's ring, torus, fat tree and dragonfly are the ones that docs/model.md describes:
 * how many links a way has, over which nodes and switches it goes, and that each direction of a
 * link is one. Method: answers from the topology's definition. */
#include "models/interconnect/interconnect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "models/interconnect/shape.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static struct vsg_interconnect_config config; /* of the machine in hand */
static struct vsg_routes routes;
static struct vsg_world world;
static struct vsg_world_links links;

static void ask(enum vsg_topology topology, uint32_t nodes, const struct vsg_shape *shape)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_shape_error e;

    config = (struct vsg_interconnect_config){
        .topology = topology, .link_latency_ps = 50123, .link_bytes_per_s = 32000000001};
    if (shape)
        config.shape = *shape;
    assert_int_equal(vsg_shape_complete(&config, nodes, &e), VSG_OK);
    enum vsg_status status = vsg_interconnect_routes(&config, nodes, VSG_MODULE_DIR, &routes, &d);
    for (size_t i = 0; i < d.count; i++)
        print_error("%s\n", d.item[i].text);
    assert_int_equal(status, VSG_OK);
    world = (struct vsg_world){0};
    assert_int_equal(vsg_world_links_make(&routes, &world, &links, &d), VSG_OK);
    assert_null(world.link_queue); /* every link has one direction */
    for (uint32_t i = 0; i < routes.link_count; i++) {
        assert_int_equal(routes.link_latency_ps[i], 50123);
        assert_int_equal(routes.link_bytes_per_s[i], 32000000001);
    }
}

static void done(void)
{
    struct vsg_shape_error e;
    vsg_world_links_free(&links);
    vsg_routes_free(&routes);
    config.topology = VSG_TOPOLOGY_FULL;
    assert_int_equal(vsg_shape_complete(&config, 2, &e), VSG_OK);
}

static uint32_t hops(uint32_t a, uint32_t b)
{
    return world.route[(size_t)a * world.node_count + b].count;
}

/* The way as "n0-1 n1-2". */
static void way_is(uint32_t a, uint32_t b, const char *wanted)
{
    const struct vsg_route_def *r = &world.route[(size_t)a * world.node_count + b];
    char text[400] = "";
    size_t n = 0;

    for (uint32_t i = 0; i < r->count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? " " : "",
                              world.link[world.route_link[r->first + i]].name);
    assert_string_equal(text, wanted);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Steps from a to b on a ring of n, the shorter way round. */
static uint32_t round_trip(uint32_t a, uint32_t b, uint32_t n)
{
    uint32_t up = (b + n - a) % n;
    return smaller(up, n - up);
}

static void ring_takes_the_shorter_way(void **state)
{
    static const uint32_t sizes[] = {2, 3, 4, 5, 8, 13};

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        uint32_t n = sizes[i];
        ask(VSG_TOPOLOGY_RING, n, NULL);
        assert_int_equal(world.place_count, n);
        assert_int_equal(world.link_count, n == 2 ? 2 : 2 * n);
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                assert_int_equal(hops(a, b), round_trip(a, b, n));
        done();
    }
}

/* Opposite nodes of an even ring: up from the lower half, down from the node in the middle. */
static void ring_ties_have_a_rule(void **state)
{
    (void)state;
    ask(VSG_TOPOLOGY_RING, 8, NULL);
    way_is(0, 4, "n0-1 n1-2 n2-3 n3-4");
    way_is(3, 7, "n3-4 n4-5 n5-6 n6-7");
    way_is(4, 0, "n4-3 n3-2 n2-1 n1-0");
    way_is(5, 1, "n5-6 n6-7 n7-0 n0-1");
    way_is(7, 3, "n7-0 n0-1 n1-2 n2-3");
    way_is(6, 7, "n6-7");
    way_is(0, 6, "n0-7 n7-6");
    done();
}

static void torus_goes_dimension_by_dimension(void **state)
{
    static uint32_t dims[] = {4, 3, 2};
    struct vsg_shape shape = {.dims = malloc(sizeof dims), .dims_count = 3};

    (void)state;
    memcpy(shape.dims, dims, sizeof dims);
    ask(VSG_TOPOLOGY_TORUS, 24, &shape);
    assert_int_equal(world.place_count, 24);
    for (uint32_t a = 0; a < 24; a++)
        for (uint32_t b = 0; b < 24; b++)
            assert_int_equal(hops(a, b), round_trip(a % 4, b % 4, 4) +
                                             round_trip(a / 4 % 3, b / 4 % 3, 3) +
                                             round_trip(a / 12, b / 12, 2));
    /* 0 is (0,0,0), 21 is (1,2,1): one up, one down, one across. */
    way_is(0, 21, "n0-1 n1-9 n9-21");
    done();
    /* A torus of 4 x 4: each node has two links to each side along both dimensions. */
    ask(VSG_TOPOLOGY_TORUS, 16, NULL);
    assert_int_equal(world.link_count, 16 * 2 * 2);
    way_is(5, 15, "n5-6 n6-7 n7-11 n11-15");
    done();
}

/* Two levels of [4, 4]: 2 links under one leaf switch, else 4. Switches next to the nodes come
 * first in the numbering, so leaf k is place 16 + k. */
static void fat_tree_goes_up_and_down(void **state)
{
    (void)state;
    ask(VSG_TOPOLOGY_FAT_TREE, 16, NULL);
    assert_int_equal(world.place_count, 16 + 4 + 4);
    assert_int_equal(world.link_count, 2 * (16 + 16));
    for (uint32_t a = 0; a < 16; a++)
        for (uint32_t b = 0; b < 16; b++) {
            const struct vsg_route_def *r = &world.route[a * 16 + b];
            if (a == b)
                continue;
            assert_int_equal(r->count, a / 4 == b / 4 ? 2 : 4);
            assert_int_equal(world.link[world.route_link[r->first]].to, 16 + a / 4);
            assert_int_equal(world.link[world.route_link[r->first + r->count - 1]].from,
                             16 + b / 4);
        }
    way_is(0, 1, "n0-s0 s0-n1");
    done();
}

/* D-mod-K: full bisection means that nodes sending each to the one 4 further on, all at once,
 * meet on no link. */
static void fat_tree_spreads_its_ways(void **state)
{
    (void)state;
    ask(VSG_TOPOLOGY_FAT_TREE, 16, NULL);
    uint32_t used[64] = {0};
    assert_true(world.link_count <= COUNT(used));
    for (uint32_t a = 0; a < 16; a++) {
        const struct vsg_route_def *r = &world.route[a * 16 + (a + 4) % 16];
        for (uint32_t i = 0; i < r->count; i++)
            assert_int_equal(used[world.route_link[r->first + i]]++, 0);
    }
    done();
}

/* Three levels of 2: 2, 4 or 6 links; with two links to each switch above, names tell them
 * apart. */
static void fat_tree_of_three_levels(void **state)
{
    static uint32_t two[] = {2, 2, 2}, count[] = {1, 2, 1};
    struct vsg_shape shape = {.down = malloc(sizeof two),
                              .down_count = 3,
                              .count = malloc(sizeof count),
                              .count_count = 3};
    bool second = false;

    (void)state;
    memcpy(shape.down, two, sizeof two);
    memcpy(shape.count, count, sizeof count);
    ask(VSG_TOPOLOGY_FAT_TREE, 8, &shape);
    for (uint32_t a = 0; a < 8; a++)
        for (uint32_t b = 0; b < 8; b++)
            assert_int_equal(hops(a, b), a == b ? 0 : a / 2 == b / 2 ? 2 : a / 4 == b / 4 ? 4 : 6);
    for (uint32_t i = 0; i < world.link_count; i++) {
        second |= strchr(world.link[i].name, ':') != NULL;
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(world.link[i].name, world.link[k].name);
    }
    assert_true(second);
    done();
}

/* A group's router k has the link to group k. So a way from group g, router r, to group h, router
 * s takes the links to and from both routers, one to router h unless r is it, one between the
 * groups, and one from router g of group h unless s is it. */
static void dragonfly_goes_over_one_link_between_groups(void **state)
{
    enum { G = 3, R = 4, P = 2, N = G * R * P };
    struct vsg_shape shape = {.groups = G, .routers = R, .nodes_per_router = P};

    (void)state;
    ask(VSG_TOPOLOGY_DRAGONFLY, N, &shape);
    assert_int_equal(world.place_count, N + G * R);
    /* of nodes, in groups, between groups; two directions each */
    assert_int_equal(world.link_count, 2 * (N + G * (R * (R - 1) / 2) + G * (G - 1) / 2));
    for (uint32_t a = 0; a < N; a++)
        for (uint32_t b = 0; b < N; b++) {
            uint32_t g = a / (R * P), h = b / (R * P), r = a / P % R, s = b / P % R;
            uint32_t wanted = g == h ? 2u + (r != s) : 3u + (r != h) + (s != g);
            assert_int_equal(hops(a, b), a == b ? 0 : wanted);
        }
    done();
}

/* A group of several chassis: routers of one number in two chassis have a link, and the links to
 * other groups are in the first one. */
static void dragonfly_of_several_chassis(void **state)
{
    enum { G = 3, C = 2, R = 3, P = 2, N = G * C * R * P };
    struct vsg_shape shape = {.groups = G, .chassis = C, .routers = R, .nodes_per_router = P};

    (void)state;
    ask(VSG_TOPOLOGY_DRAGONFLY, N, &shape);
    assert_int_equal(world.place_count, N + G * C * R);
    assert_int_equal(
        world.link_count,
        2 * (N + G * (C * (R * (R - 1) / 2) + R * (C * (C - 1) / 2)) + G * (G - 1) / 2));
    for (uint32_t a = 0; a < N; a++)
        for (uint32_t b = 0; b < N; b++) {
            uint32_t g = a / P / R / C, c = a / P / R % C, r = a / P % R;
            uint32_t h = b / P / R / C, d = b / P / R % C, s = b / P % R;
            uint32_t wanted =
                g == h ? 2u + (r != s) + (c != d) : 3u + (r != h) + (c != 0) + (s != g) + (d != 0);
            assert_int_equal(hops(a, b), a == b ? 0 : wanted);
        }
    done();
}

static void one_group_is_connected_fully(void **state)
{
    (void)state;
    ask(VSG_TOPOLOGY_DRAGONFLY, 7, NULL);
    assert_int_equal(world.place_count, 14);
    for (uint32_t a = 0; a < 7; a++)
        for (uint32_t b = 0; b < 7; b++)
            assert_int_equal(hops(a, b), a == b ? 0 : 3);
    done();
}

/* Whatever shape is let through, SimGrid has an answer and every way hangs together. */
static void every_default_shape_works(void **state)
{
    static const enum vsg_topology kind[] = {VSG_TOPOLOGY_RING, VSG_TOPOLOGY_TORUS,
                                             VSG_TOPOLOGY_FAT_TREE, VSG_TOPOLOGY_DRAGONFLY};
    static const uint32_t nodes[] = {2, 3, 4, 6, 9, 12, 17, 30, 64};

    (void)state;
    for (size_t k = 0; k < COUNT(kind); k++)
        for (size_t i = 0; i < COUNT(nodes); i++) {
            ask(kind[k], nodes[i], NULL);
            for (uint32_t a = 0; a < nodes[i]; a++)
                for (uint32_t b = 0; b < nodes[i]; b++) {
                    const struct vsg_route_def *r = &world.route[a * nodes[i] + b];
                    uint32_t here = a;
                    for (uint32_t h = 0; h < r->count; h++) {
                        const struct vsg_link_def *l = &world.link[world.route_link[r->first + h]];
                        assert_int_equal(l->from, here);
                        here = l->to;
                    }
                    assert_int_equal(here, b);
                }
            done();
        }
}

static void larger_ones_are_refused(void **state)
{
    struct vsg_interconnect_config c = {.topology = VSG_TOPOLOGY_RING};
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    (void)state;
    assert_int_equal(vsg_interconnect_routes(&c, 513, VSG_MODULE_DIR, &r, &d), VSG_ERANGE);
    assert_string_equal(d.item[0].text, "interconnect: topology ring with 513 nodes; right is 1 to "
                                        "512 (topology star takes up to 4096)");
    vsg_diag_clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_takes_the_shorter_way),
        cmocka_unit_test(ring_ties_have_a_rule),
        cmocka_unit_test(torus_goes_dimension_by_dimension),
        cmocka_unit_test(fat_tree_goes_up_and_down),
        cmocka_unit_test(fat_tree_spreads_its_ways),
        cmocka_unit_test(fat_tree_of_three_levels),
        cmocka_unit_test(dragonfly_goes_over_one_link_between_groups),
        cmocka_unit_test(dragonfly_of_several_chassis),
        cmocka_unit_test(one_group_is_connected_fully),
        cmocka_unit_test(every_default_shape_works),
        cmocka_unit_test(larger_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
