/* Goal: a link used in both directions is one queue, in both engines. Method: two tokens meet on
 * it; answers by arithmetic. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/simgrid_stage.h"

/* Node 0 and node 1 on a bus: 100 ps, 1 byte per ps. */
static const struct vsg_link_def bus[] = {{0, 1, 100, UINT64_C(1000000000000), "bus"},
                                          {1, 0, 100, UINT64_C(1000000000000), "bus"}};
static const struct vsg_route_def routes[] = {{0, 0}, {0, 1}, {1, 1}, {2, 0}};
static const uint32_t steps[] = {0, 1}, one_queue[] = {0, 0};

static void set_bus(const uint32_t *queue)
{
    world.place_count = world.node_count = 2;
    world.link = bus;
    world.link_count = 2;
    world.link_queue = queue;
    world.route = routes;
    world.route_link = steps;
    world.route_link_count = 2;
    world.weight_ppm[2] = 1000000; /* a weight of 0 would make one logical process of any two */
}

/* The same play on the parallel engine; it runs in this process. */
static void play_parallel(const struct actor *actor, size_t count, uint32_t lps)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_report r;

    memset(out, 0, sizeof *out);
    stage.actor = actor;
    stage.count = (uint32_t)count;
    stage.out = out;
    assert_int_equal(vsg_parallel_run(&world, 1, &r, &d), VSG_OK);
    assert_int_equal(r.lps, lps);
    memcpy(out->link, r.link, r.link_count * sizeof *r.link);
    vsg_report_free(&r);
}

/* Token 0 leaves node 0 at 0 with 10 bytes: the bus is busy until 10, it arrives at 100. Token 1
 * leaves node 1 at 4 with 30 bytes: it waits 6, occupies the bus until 40 and arrives at 110.
 * Token 2 leaves node 0 at 20: it waits until 40 and arrives at 140. */
#define MEETING                                                                                    \
    {0, SCRIPT({MOVE, 1, 10, 0, 0}, {END})},                                                       \
        {1, SCRIPT({UNTIL, .a = 4}, {MOVE, 0, 30, 0, 0}, {END})},                                  \
    {                                                                                              \
        0, SCRIPT({UNTIL, .a = 20}, {MOVE, 1, 1, 0, 0}, {END})                                     \
    }

static void check_meeting(void)
{
    LOG_IS({1, 1, 4, 0, VSG_BY_TIMER, 0, 0}, {2, 1, 20, 0, VSG_BY_TIMER, 0, 0},
           {0, 1, 100, 0, 0, 0, 0}, {1, 2, 110, 6, 0, 0, 0}, {2, 2, 140, 20, 0, 0, 0});
    stats_are(
        &out->link[0],
        (struct vsg_server_stats){
            .served = 3, .busy_ps = 41, .wait_sum_ps = 26, .wait_max_ps = 20, .queue_max = 1});
    stats_are(&out->link[1], (struct vsg_server_stats){0});
}

static void both_directions_wait_for_each_other(void **state)
{
    (void)state;
    set_bus(one_queue);
    PLAY(MEETING);
    check_meeting();
    play_parallel(CAST(MEETING), 1); /* both ends are one logical process */
    check_meeting();
}

/* As two links, the token the other way does not wait: it arrives at 104. */
static void full_duplex_directions_do_not(void **state)
{
    (void)state;
    set_bus(NULL);
    play_parallel(CAST(MEETING), 2);
    stats_are(&out->link[0], (struct vsg_server_stats){.served = 2, .busy_ps = 11, .queue_max = 0});
    stats_are(&out->link[1], (struct vsg_server_stats){.served = 1, .busy_ps = 30});
}

static void a_queue_that_is_none_is_refused(void **state)
{
    static const uint32_t beyond[] = {0, 7}, chain[] = {1, 0};
    const uint32_t *wrong[] = {beyond, chain};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct vsg_diag d = VSG_DIAG_INIT;
        set_bus(wrong[i]);
        assert_int_equal(vsg_world_check(&world, &d), VSG_EMODEL);
        assert_non_null(strstr(d.item[0].text, "which is no link with a queue of its own"));
        vsg_diag_clear(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(both_directions_wait_for_each_other),
        TEST(full_duplex_directions_do_not),
        TEST(a_queue_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
