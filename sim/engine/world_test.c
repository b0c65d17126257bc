/* Goal: link arithmetic is exact, and vsg_world_check() finds each mistake.
 * Method: one good world of two nodes and a switch; every check is provoked by
 * one change to it, and the words name what was changed. */
#include "engine/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct vsg_op step_end(struct vsg_ctx *ctx, struct vsg_token *token)
{
    (void)ctx;
    (void)token;
    return vsg_end();
}

static void boot_nothing(struct vsg_ctx *ctx, uint32_t place)
{
    (void)ctx;
    (void)place;
}

/* Nodes 0 and 1, switch 2; links 0: 0->2, 1: 2->0, 2: 1->2, 3: 2->1. */
struct fixture {
    struct vsg_server_def server[2];
    struct vsg_resource_def resource[2];
    struct vsg_channel_def channel[2];
    struct vsg_link_def link[4];
    struct vsg_route_def route[4];
    uint32_t route_link[4];
    vsg_step_fn step[1];
    struct vsg_world w;
};

static struct fixture *good(struct fixture *f)
{
    *f = (struct fixture){
        .server = {{0}, {1}},
        .resource = {{0, 1}, {1, 5}},
        .channel = {{0}, {1}},
        .link = {{0, 2, 10000, 1000, "0up"},
                 {2, 0, 20000, 1000, "0down"},
                 {1, 2, 30000, 0, "1up"},
                 {2, 1, 40001, 0, "1down"}},
        .route = {{0, 0}, {0, 2}, {2, 2}, {0, 0}},
        .route_link = {0, 3, 2, 1},
        .step = {step_end},
    };
    f->w = (struct vsg_world){
        .place_count = 3,
        .node_count = 2,
        .server = f->server,
        .server_count = 2,
        .resource = f->resource,
        .resource_count = 2,
        .channel = f->channel,
        .channel_count = 2,
        .link = f->link,
        .link_count = 4,
        .route = f->route,
        .route_link = f->route_link,
        .route_link_count = 4,
        .weight_ppm = {1000000, 500000, 0, 1500000},
        .token_bytes = sizeof(struct vsg_token),
        .step = f->step,
        .step_count = 1,
        .boot = boot_nothing,
        .window_end_ps = VSG_NEVER,
        .stop_grace_ps = 1,
    };
    return f;
}

static void good_world_passes(void **state)
{
    struct fixture f;
    struct vsg_diag d = VSG_DIAG_INIT;
    (void)state;
    assert_int_equal(vsg_world_check(&good(&f)->w, &d), VSG_OK);
    assert_int_equal(d.count, 0);
    f.w.node_count = 1; /* one node needs no routes */
    f.w.place_count = 3;
    f.w.route = NULL;
    assert_int_equal(vsg_world_check(&f.w, &d), VSG_OK);
    assert_int_equal(vsg_route_latency_ps(&f.w, 0, 0, 0), 0);
}

#define REFUSED(words, change)                                                                     \
    do {                                                                                           \
        struct fixture f;                                                                          \
        struct vsg_diag d = VSG_DIAG_INIT;                                                         \
        good(&f);                                                                                  \
        change;                                                                                    \
        assert_int_equal(vsg_world_check(&f.w, &d), VSG_EMODEL);                                   \
        assert_int_equal(d.count, 1);                                                              \
        if (!strstr(d.item[0].text, words))                                                        \
            fail_msg("wanted \"%s\" in \"%s\"", words, d.item[0].text);                            \
        vsg_diag_clear(&d);                                                                        \
        assert_int_equal(vsg_world_check(&f.w, NULL), VSG_EMODEL);                                 \
    } while (0)

static void each_mistake_is_found_and_named(void **state)
{
    (void)state;
    REFUSED("at least one node", f.w.node_count = 0);
    REFUSED("4 nodes among 3 places", f.w.node_count = 4);
    REFUSED("2 servers", f.w.server = NULL);
    REFUSED("2 resources", f.w.resource = NULL);
    REFUSED("2 channels", f.w.channel = NULL);
    REFUSED("4 links are", f.w.link = NULL);
    REFUSED("4 links of routes", f.w.route_link = NULL);
    REFUSED("no routes between", f.w.route = NULL);
    REFUSED("1 token kinds are", f.w.step = NULL);
    REFUSED("0 token kinds", f.w.step_count = 0);
    REFUSED("257 token kinds", f.w.step_count = 257);
    REFUSED("the head alone", f.w.token_bytes--);
    REFUSED("boot", f.w.boot = NULL);
    REFUSED("contention 7", f.w.contention = (enum vsg_contention)7);
    REFUSED("tie rule 7", f.w.tie = (enum vsg_tie)7);
    REFUSED("starts at 9 ps", (f.w.window_start_ps = 9, f.w.window_end_ps = 8));
    REFUSED("stop_grace_ps 0", f.w.stop_grace_ps = 0);
    REFUSED("server 1 is at place 3", f.server[1].place = 3);
    REFUSED("channel 0 is at place 3", f.channel[0].place = 3);
    REFUSED("resource 1 is at place 3", f.resource[1].place = 3);
    REFUSED("resource 1 has capacity 0", f.resource[1].capacity = 0);
    REFUSED("token kind 0", f.step[0] = NULL);
    REFUSED("more than time", f.link[1].latency_ps = VSG_TIME_MAX_PS + 1);
    REFUSED("weight 3 (1500000 ppm)", f.link[1].latency_ps = VSG_TIME_MAX_PS);
    REFUSED("node 0 to itself", f.route[0].count = 1);
    REFUSED("no route from node 1 to node 0", f.route[2].count = 0);
    REFUSED("beyond the list", f.route[2].count = 3);
    REFUSED("beyond the list", f.route[2].first = UINT32_MAX);
    REFUSED("names link 4", f.route_link[3] = 4);
    REFUSED("has a gap: at place 2 it goes on with link 0", f.route_link[3] = 0);
    REFUSED("ends at place 2", f.route[1].count = 1);
}

static void link_ends_must_exist(void **state)
{
    struct fixture f;
    struct vsg_diag d = VSG_DIAG_INIT;
    (void)state;
    good(&f);
    f.link[3].to = 3; /* wrong by itself, and its route then ends at the wrong place */
    assert_int_equal(vsg_world_check(&f.w, &d), VSG_EMODEL);
    assert_int_equal(d.count, 2);
    assert_non_null(strstr(d.item[0].text, "the end of link 3 is at place 3"));
    vsg_diag_clear(&d);
}

static void many_mistakes_are_cut_short(void **state)
{
    struct fixture f;
    struct vsg_server_def server[100];
    struct vsg_diag d = VSG_DIAG_INIT;
    (void)state;
    for (int i = 0; i < 100; i++)
        server[i].place = 99;
    good(&f)->w.server = server;
    f.w.server_count = 100;
    assert_int_equal(vsg_world_check(&f.w, &d), VSG_EMODEL);
    assert_int_equal(vsg_diag_count(&d, VSG_ERROR), 10);
    assert_int_equal(vsg_diag_count(&d, VSG_NOTE), 1);
    assert_string_equal(d.item[10].text, "world: 90 more errors are not shown");
    vsg_diag_clear(&d);
}

static void latencies_are_rounded_per_link(void **state)
{
    struct fixture f;
    (void)state;
    good(&f);
    assert_int_equal(vsg_link_latency_ps(&f.w, 3, 0), 40001);
    assert_int_equal(vsg_link_latency_ps(&f.w, 3, 1), 20001); /* 20000.5 up */
    assert_int_equal(vsg_link_latency_ps(&f.w, 3, 2), 0);
    assert_int_equal(vsg_link_latency_ps(&f.w, 3, 3), 60002); /* 60001.5 up */
    assert_int_equal(vsg_route_latency_ps(&f.w, 0, 1, 0), 50001);
    assert_int_equal(vsg_route_latency_ps(&f.w, 0, 1, 1), 25001);
    assert_int_equal(vsg_route_latency_ps(&f.w, 1, 0, 3), 75000);
    assert_int_equal(vsg_route_latency_ps(&f.w, 1, 1, 0), 0);
    f.link[0].latency_ps = VSG_TIME_MAX_PS / 3 * 2; /* the product needs 82 bits */
    assert_true(vsg_link_latency_ps(&f.w, 0, 3) == VSG_TIME_MAX_PS / 3 * 3);
}

static void occupancy_is_rounded_up_and_never_overflows(void **state)
{
    struct vsg_link_def l = {.bytes_per_s = UINT64_C(64000000000)}; /* 64 bytes in 1 ns */
    (void)state;
    assert_int_equal(vsg_link_occupy_ps(&l, 0), 0);
    assert_int_equal(vsg_link_occupy_ps(&l, 64), 1000);
    assert_int_equal(vsg_link_occupy_ps(&l, 1), 16); /* 15.625 */
    l.bytes_per_s = UINT64_C(3000000000000);
    assert_int_equal(vsg_link_occupy_ps(&l, 3), 1);
    assert_int_equal(vsg_link_occupy_ps(&l, 4), 2);
    l.bytes_per_s = 0;
    assert_int_equal(vsg_link_occupy_ps(&l, 4), 0);
    l.bytes_per_s = UINT64_MAX;
    assert_int_equal(vsg_link_occupy_ps(&l, UINT32_MAX), 233); /* 232.83 */
    l.bytes_per_s = 1000;
    assert_true(vsg_link_occupy_ps(&l, UINT32_MAX) == UINT32_MAX * UINT64_C(1000000000));
    l.bytes_per_s = 1;
    assert_true(vsg_link_occupy_ps(&l, UINT32_MAX) == VSG_TIME_MAX_PS);
}

static void report_frees_twice(void **state)
{
    struct vsg_report r = {.server = malloc(sizeof *r.server), .server_count = 1};
    (void)state;
    vsg_report_free(&r);
    assert_null(r.server);
    assert_int_equal(r.server_count, 0);
    vsg_report_free(&r);
    vsg_report_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_world_passes),
        cmocka_unit_test(each_mistake_is_found_and_named),
        cmocka_unit_test(link_ends_must_exist),
        cmocka_unit_test(many_mistakes_are_cut_short),
        cmocka_unit_test(latencies_are_rounded_per_link),
        cmocka_unit_test(occupancy_is_rounded_up_and_never_overflows),
        cmocka_unit_test(report_frees_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
