/* Goal: SimGrid finds the links that the topology promises, with the very integers of the
 * scenario, and links get the right ends. Method: answers from the topology's definition. */
#include "models/interconnect/interconnect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GB_PER_S UINT64_C(1000000000)

static const struct vsg_interconnect_config plain = {
    .topology = VSG_TOPOLOGY_FULL, .link_latency_ps = 50000, .link_bytes_per_s = 64 * GB_PER_S};

static void ask(const struct vsg_interconnect_config *c, uint32_t nodes, struct vsg_routes *r)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    enum vsg_status status = vsg_interconnect_routes(c, nodes, VSG_MODULE_DIR, r, &d);

    for (size_t i = 0; i < d.count; i++)
        fprintf(stderr, "%s\n", d.item[i].text);
    assert_int_equal(status, VSG_OK);
    assert_int_equal(d.count, 0);
    assert_int_equal(r->host_count, nodes);
}

/* Checks one link of one route. */
static void link_is(const struct vsg_routes *r, uint32_t a, uint32_t b, uint32_t at,
                    const char *name, uint64_t latency_ps)
{
    uint32_t link = r->link[r->first[a * r->host_count + b] + at];
    assert_string_equal(r->link_name[link], name);
    assert_int_equal(r->link_latency_ps[link], latency_ps);
}

static uint32_t hops(const struct vsg_routes *r, uint32_t a, uint32_t b)
{
    uint32_t pair = a * r->host_count + b;
    return r->first[pair + 1] - r->first[pair];
}

static void full_has_one_link_per_ordered_pair(void **state)
{
    struct vsg_routes r;
    char name[32];

    (void)state;
    ask(&plain, 4, &r);
    assert_int_equal(r.link_count, 12);
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < 4; b++) {
            assert_int_equal(hops(&r, a, b), a != b);
            snprintf(name, sizeof name, "n%u-%u", a, b);
            if (a != b)
                link_is(&r, a, b, 0, name, 50000);
        }
    for (uint32_t i = 0; i < r.link_count; i++)
        assert_int_equal(r.link_bytes_per_s[i], 64 * GB_PER_S);
    vsg_routes_free(&r);
}

static void star_goes_up_and_down(void **state)
{
    struct vsg_interconnect_config c = plain;
    struct vsg_routes r;
    char name[32];

    (void)state;
    c.topology = VSG_TOPOLOGY_STAR;
    ask(&c, 5, &r);
    assert_int_equal(r.link_count, 10);
    for (uint32_t a = 0; a < 5; a++)
        for (uint32_t b = 0; b < 5; b++) {
            assert_int_equal(hops(&r, a, b), a == b ? 0 : 2);
            if (a == b)
                continue;
            snprintf(name, sizeof name, "n%u-up", a);
            link_is(&r, a, b, 0, name, 50000);
            snprintf(name, sizeof name, "n%u-down", b);
            link_is(&r, a, b, 1, name, 50000);
        }
    vsg_routes_free(&r);
}

/* Odd latencies, one per pair: each must come back as the integer that it was. */
static void latencies_come_back_exactly(void **state)
{
    static const uint64_t odd_ps[] = {
        0,      1,       3,        7,         33333,     99999,     100001,     123457,
        999999, 1000001, 12345679, 333333333, 999999999, 100000000, 1000000001, 7777777777};
    enum { N = 32, ODD = sizeof odd_ps / sizeof odd_ps[0] };
    static uint64_t matrix_ps[N * N];
    struct vsg_interconnect_config c = plain;
    struct vsg_routes r;

    (void)state;
    for (uint32_t a = 0; a < N; a++)
        for (uint32_t b = 0; b < N; b++)
            matrix_ps[a * N + b] = odd_ps[a % ODD] + (uint64_t)a * b;
    c.topology = VSG_TOPOLOGY_MATRIX;
    c.matrix_latency_ps = matrix_ps;
    ask(&c, N, &r);
    assert_int_equal(r.link_count, N * (N - 1));
    for (uint32_t a = 0; a < N; a++)
        for (uint32_t b = 0; b < N; b++)
            if (a != b) {
                char name[32];
                snprintf(name, sizeof name, "n%u-%u", a, b);
                link_is(&r, a, b, 0, name, matrix_ps[a * N + b]);
            }
    vsg_routes_free(&r);
}

static void bandwidths_come_back_exactly(void **state)
{
    static const uint64_t odd[] = {0,
                                   1,
                                   2,
                                   999,
                                   GB_PER_S - 1,
                                   GB_PER_S + 1,
                                   33333333333,
                                   64 * GB_PER_S,
                                   123456789012345,
                                   UINT64_C(1000000) * GB_PER_S + 1};
    struct vsg_interconnect_config c = plain;

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct vsg_routes r;
        c.link_bytes_per_s = odd[i];
        ask(&c, 2, &r);
        assert_int_equal(r.link_bytes_per_s[0], odd[i]);
        assert_int_equal(r.link_bytes_per_s[1], odd[i]);
        vsg_routes_free(&r);
    }
}

/* The answer is larger than a pipe holds: 16,256 links and as many routes. */
static void the_largest_mesh_comes_whole(void **state)
{
    struct vsg_routes r;

    (void)state;
    ask(&plain, 128, &r);
    assert_int_equal(r.link_count, 128 * 127);
    link_is(&r, 127, 126, 0, "n127-126", 50000);
    link_is(&r, 0, 127, 0, "n0-127", 50000);
    vsg_routes_free(&r);
}

static void one_node_loads_nothing(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;
    struct vsg_world w = {0};
    struct vsg_world_links s;

    (void)state;
    assert_int_equal(vsg_interconnect_routes(&plain, 1, "/nowhere", &r, &d), VSG_OK);
    assert_int_equal(r.host_count, 1);
    assert_int_equal(r.link_count, 0);
    assert_int_equal(vsg_world_links_make(&r, &w, &s, &d), VSG_OK);
    assert_int_equal(w.place_count, 1);
    assert_int_equal(w.node_count, 1);
    assert_int_equal(w.route[0].count, 0);
    vsg_world_links_free(&s);
    vsg_routes_free(&r);
}

static void too_many_nodes_are_refused(void **state)
{
    struct vsg_interconnect_config c = plain;
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    (void)state;
    assert_int_equal(vsg_interconnect_routes(&c, 129, VSG_MODULE_DIR, &r, &d), VSG_ERANGE);
    assert_string_equal(d.item[0].text, "interconnect: topology full with 129 nodes; right is 1 to "
                                        "128 (topology star takes up to 4096)");
    c.topology = VSG_TOPOLOGY_STAR;
    assert_int_equal(vsg_interconnect_routes(&c, 4097, VSG_MODULE_DIR, &r, &d), VSG_ERANGE);
    assert_string_equal(d.item[1].text,
                        "interconnect: topology star with 4097 nodes; right is 1 to 4096");
    assert_int_equal(vsg_interconnect_routes(&c, 0, VSG_MODULE_DIR, &r, &d), VSG_ERANGE);
    vsg_diag_clear(&d);
}

static void world_of_a_star_has_a_switch(void **state)
{
    struct vsg_interconnect_config c = plain;
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;
    struct vsg_world w = {0};
    struct vsg_world_links s;

    (void)state;
    c.topology = VSG_TOPOLOGY_STAR;
    ask(&c, 3, &r);
    assert_int_equal(vsg_world_links_make(&r, &w, &s, &d), VSG_OK);
    assert_int_equal(w.node_count, 3);
    assert_int_equal(w.place_count, 4);
    assert_int_equal(w.link_count, 6);
    for (uint32_t i = 0; i < w.link_count; i++) {
        unsigned node;
        char way[8];
        assert_int_equal(sscanf(w.link[i].name, "n%u-%7s", &node, way), 2);
        assert_int_equal(w.link[i].from, strcmp(way, "up") == 0 ? node : 3);
        assert_int_equal(w.link[i].to, strcmp(way, "up") == 0 ? 3 : node);
        assert_int_equal(w.link[i].latency_ps, 50000);
    }
    vsg_world_links_free(&s);
    vsg_routes_free(&r);
}

static void world_of_a_mesh_has_none(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;
    struct vsg_world w = {0};
    struct vsg_world_links s;

    (void)state;
    ask(&plain, 3, &r);
    assert_int_equal(vsg_world_links_make(&r, &w, &s, &d), VSG_OK);
    assert_int_equal(w.place_count, 3);
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 3; b++)
            if (a != b) {
                const struct vsg_route_def *route = &w.route[a * 3 + b];
                assert_int_equal(route->count, 1);
                assert_int_equal(w.link[w.route_link[route->first]].from, a);
                assert_int_equal(w.link[w.route_link[route->first]].to, b);
            }
    vsg_world_links_free(&s);
    vsg_routes_free(&r);
}

/* Two switches in a row: 0 -a-> S -b-> T -c-> 1 and back over d, e, f. */
static void switches_are_found_between_links(void **state)
{
    char *name[] = {"a", "b", "c", "d", "e", "f"};
    uint64_t latency_ps[6] = {1, 2, 3, 4, 5, 6}, bytes_per_s[6] = {0};
    uint32_t first[] = {0, 0, 3, 6, 6}, link[] = {0, 1, 2, 3, 4, 5};
    struct vsg_routes r = {.host_count = 2,
                           .link_name = name,
                           .link_latency_ps = latency_ps,
                           .link_bytes_per_s = bytes_per_s,
                           .link_count = 6,
                           .first = first,
                           .link = link};
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_world w = {0};
    struct vsg_world_links s;

    (void)state;
    assert_int_equal(vsg_world_links_make(&r, &w, &s, &d), VSG_OK);
    assert_int_equal(w.place_count, 6); /* nothing tells that both ways share switches */
    for (uint32_t i = 0; i + 1 < 3; i++)
        assert_int_equal(w.link[i].to, w.link[i + 1].from);
    assert_int_equal(w.link[0].from, 0);
    assert_int_equal(w.link[2].to, 1);
    assert_int_equal(w.link[3].from, 1);
    assert_int_equal(w.link[5].to, 0);
    vsg_world_links_free(&s);
}

/* Two nodes on a bus: a link of ours for each direction, one queue. */
static void a_link_of_both_directions_has_one_queue(void **state)
{
    char *name[] = {"bus"};
    uint64_t latency_ps[1] = {7}, bytes_per_s[1] = {9};
    uint32_t first[] = {0, 0, 1, 2, 2}, link[] = {0, 0};
    struct vsg_routes r = {.host_count = 2,
                           .link_name = name,
                           .link_latency_ps = latency_ps,
                           .link_bytes_per_s = bytes_per_s,
                           .link_count = 1,
                           .first = first,
                           .link = link};
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_world w = {0};
    struct vsg_world_links s;

    (void)state;
    assert_int_equal(vsg_world_links_make(&r, &w, &s, &d), VSG_OK);
    assert_int_equal(w.place_count, 2);
    assert_int_equal(w.link_count, 2);
    assert_int_equal(w.link[0].from, 0);
    assert_int_equal(w.link[0].to, 1);
    assert_int_equal(w.link[1].from, 1);
    assert_int_equal(w.link[1].to, 0);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(w.link_queue[i], 0);
        assert_int_equal(vsg_link_queue(&w, i), 0);
        assert_int_equal(w.link[i].latency_ps, 7);
        assert_int_equal(w.link[i].bytes_per_s, 9);
        assert_string_equal(w.link[i].name, "bus");
    }
    assert_int_equal(w.route_link[w.route[1].first], 0);
    assert_int_equal(w.route_link[w.route[2].first], 1);
    vsg_world_links_free(&s);
}

/* The backbone of a half-duplex bus between host links of one direction each: 0 -a-> bus -b-> 1
 * and 1 -c-> bus -d-> 0. */
static void a_shared_backbone_is_one_switch(void **state)
{
    char *name[] = {"a", "bus", "b", "c", "d"};
    uint64_t latency_ps[5] = {1, 1, 1, 1, 1}, bytes_per_s[5] = {0};
    uint32_t first[] = {0, 0, 3, 6, 6}, link[] = {0, 1, 2, 2, 1, 0};
    struct vsg_routes r = {.host_count = 2,
                           .link_name = name,
                           .link_latency_ps = latency_ps,
                           .link_bytes_per_s = bytes_per_s,
                           .link_count = 5,
                           .first = first,
                           .link = link};
    static const uint32_t from[] = {0, 2, 2, 1, 2}, to[] = {2, 2, 1, 2, 0},
                          queue[] = {0, 1, 2, 2, 0};
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_world w = {0};
    struct vsg_world_links s;

    (void)state;
    assert_int_equal(vsg_world_links_make(&r, &w, &s, &d), VSG_OK);
    assert_int_equal(w.place_count, 3);
    assert_int_equal(w.link_count, 5); /* a, bus, b, then b and a the other way */
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(w.link[i].from, from[i]);
        assert_int_equal(w.link[i].to, to[i]);
        assert_int_equal(w.link_queue[i], queue[i]);
    }
    vsg_world_links_free(&s);
}

/* 0 -a_UP-> S -b_DOWN-> 1 and 1 -b_UP-> T -a_DOWN-> 0: the routes do not tell that S is T, the
 * directions of a and b do. */
static void directions_of_one_link_join_their_ends(void **state)
{
    char *name[] = {"a_UP", "b_DOWN", "b_UP", "a_DOWN"};
    uint64_t latency_ps[4] = {1, 1, 1, 1}, bytes_per_s[4] = {0};
    uint32_t first[] = {0, 0, 2, 4, 4}, link[] = {0, 1, 2, 3}, back[] = {3, 2, 1, 0};
    struct vsg_routes r = {.host_count = 2,
                           .link_name = name,
                           .link_latency_ps = latency_ps,
                           .link_bytes_per_s = bytes_per_s,
                           .link_back = back,
                           .link_count = 4,
                           .first = first,
                           .link = link};
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_world w = {0};
    struct vsg_world_links s;

    (void)state;
    assert_int_equal(vsg_world_links_make(&r, &w, &s, &d), VSG_OK);
    assert_int_equal(w.place_count, 3);
    assert_null(w.link_queue);
    assert_int_equal(w.link[0].to, 2);
    assert_int_equal(w.link[2].to, 2);
    vsg_world_links_free(&s);
}

static void a_route_without_a_link_is_refused(void **state)
{
    uint32_t first[] = {0, 0, 0, 0, 0};
    struct vsg_routes r = {.host_count = 2, .first = first};
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_world w = {0};
    struct vsg_world_links s;

    (void)state;
    assert_int_equal(vsg_world_links_make(&r, &w, &s, &d), VSG_ENOTSUP);
    assert_string_equal(d.item[0].text, "interconnect: the route from node 0 to node 1 has no "
                                        "link; at least one is needed");
    vsg_diag_clear(&d);
}

static void same_routes_means_same_links(void **state)
{
    uint64_t near_ps[] = {0, 5, 5, 0}, far_ps[] = {0, 5, 6, 0};
    struct vsg_interconnect_config a = plain, b = plain;

    (void)state;
    b.contention = VSG_CONTENTION_FIFO; /* how links are used is not what they are */
    b.store_bytes = 64;
    assert_true(vsg_interconnect_same_routes(&a, 2, &b, 2));
    assert_false(vsg_interconnect_same_routes(&a, 2, &b, 3));
    b.link_latency_ps++;
    assert_false(vsg_interconnect_same_routes(&a, 2, &b, 2));
    assert_true(vsg_interconnect_same_routes(&a, 1, &b, 1));
    b = plain;
    b.link_bytes_per_s++;
    assert_false(vsg_interconnect_same_routes(&a, 2, &b, 2));
    b = plain;
    b.topology = VSG_TOPOLOGY_STAR;
    assert_false(vsg_interconnect_same_routes(&a, 2, &b, 2));
    uint32_t square[] = {4, 4}, flat[] = {8, 2};
    a.topology = b.topology = VSG_TOPOLOGY_TORUS;
    a.shape = (struct vsg_shape){.dims = square, .dims_count = 2};
    b.shape = (struct vsg_shape){.dims = flat, .dims_count = 2};
    assert_false(vsg_interconnect_same_routes(&a, 16, &b, 16));
    b.shape.dims = square;
    assert_true(vsg_interconnect_same_routes(&a, 16, &b, 16));
    a = b = plain;
    char one[] = "<one/>", other[] = "<other/>", x[] = "x", y[] = "y", z[] = "z";
    char *hosts[] = {x, y}, *others[] = {x, z};
    a.topology = b.topology = VSG_TOPOLOGY_PLATFORM;
    a.platform = b.platform =
        (struct vsg_platform_config){.xml = one, .host = hosts, .host_count = 2, .second_ps = 1000};
    b.link_latency_ps++; /* which a platform does not use */
    assert_true(vsg_interconnect_same_routes(&a, 2, &b, 2));
    b.platform.xml = other;
    assert_false(vsg_interconnect_same_routes(&a, 2, &b, 2));
    b.platform.xml = one;
    b.platform.host = others;
    assert_false(vsg_interconnect_same_routes(&a, 2, &b, 2));
    b.platform.host = hosts;
    b.platform.second_ps++;
    assert_false(vsg_interconnect_same_routes(&a, 2, &b, 2));
    a = b = plain;
    a.topology = b.topology = VSG_TOPOLOGY_MATRIX;
    a.matrix_latency_ps = near_ps;
    b.matrix_latency_ps = far_ps;
    assert_false(vsg_interconnect_same_routes(&a, 2, &b, 2));
    b.matrix_latency_ps = near_ps;
    assert_true(vsg_interconnect_same_routes(&a, 2, &b, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_node_loads_nothing),
        cmocka_unit_test(full_has_one_link_per_ordered_pair),
        cmocka_unit_test(star_goes_up_and_down),
        cmocka_unit_test(latencies_come_back_exactly),
        cmocka_unit_test(bandwidths_come_back_exactly),
        cmocka_unit_test(the_largest_mesh_comes_whole),
        cmocka_unit_test(too_many_nodes_are_refused),
        cmocka_unit_test(world_of_a_star_has_a_switch),
        cmocka_unit_test(world_of_a_mesh_has_none),
        cmocka_unit_test(switches_are_found_between_links),
        cmocka_unit_test(a_link_of_both_directions_has_one_queue),
        cmocka_unit_test(a_shared_backbone_is_one_switch),
        cmocka_unit_test(directions_of_one_link_join_their_ends),
        cmocka_unit_test(a_route_without_a_link_is_refused),
        cmocka_unit_test(same_routes_means_same_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
