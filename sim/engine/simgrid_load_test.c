/* Goal: each op and rule of world.h on SimGrid. Method: answers by hand, see simgrid_stage.h. */
#include "engine/engine.h" /* before cmocka.h, which makes fail() a macro */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/simgrid_stage.h"

/* ---- WAIT, SIGNAL ------------------------------------------------------------------ */

static void waits_until_a_time(void **state)
{
    (void)state;
    PLAY(
        {0, SCRIPT({UNTIL, .a = 30}, {UNTIL, .a = 10}, {UNTIL, .a = 30}, {UNTIL, .a = 45}, {END})});
    LOG_IS({0, 1, 30}, {0, 2, 30}, {0, 3, 30}, {0, 4, 45});
    assert_int_equal(out->events, 2); /* the past and the present are no waits */
    assert_int_equal(out->seen[4].visit, 2);
    assert_int_equal(out->end_ps, 45);
    assert_int_equal(out->stop_ps, 45);
}

/* After 5 s a date in ns as a double is good to 0.001 ps. */
static void late_picoseconds_are_told_apart(void **state)
{
    const uint64_t late_ps = UINT64_C(5000000000000);

    (void)state;
    PLAY({0, SCRIPT({UNTIL, .a = late_ps + 3}, {SLEEP, .a = 1}, {SLEEP, .a = 1}, {END})},
         {0, SCRIPT({UNTIL, .a = late_ps + 2}, {SLEEP, .a = 1}, {END})},
         {0, SCRIPT({UNTIL, .a = late_ps + 1}, {SLEEP, .a = 3}, {END})});
    LOG_IS({2, 1, late_ps + 1}, {1, 1, late_ps + 2}, {0, 1, late_ps + 3}, {1, 2, late_ps + 3},
           {0, 2, late_ps + 4}, {2, 2, late_ps + 4}, {0, 3, late_ps + 5});
}

static void signals_are_counted(void **state)
{
    (void)state;
    /* Three at 20, of which two are taken; with one of 25 there are two again. */
    PLAY({0, SCRIPT({LISTEN, 0, 2, VSG_NEVER}, {LISTEN, 0, 2, 100}, {LISTEN, 0, 1, 30}, {END})},
         {0, SCRIPT({UNTIL, .a = 20}, {SIGNAL, 0, 3}, {UNTIL, .a = 25}, {SIGNAL, 0, 1}, {END})});
    LOG_IS({1, 1, 20}, {0, 1, 20, .why = VSG_BY_SIGNAL}, {1, 3, 25},
           {0, 2, 25, .why = VSG_BY_SIGNAL}, {0, 3, 30, .why = VSG_BY_TIMER});
    assert_int_equal(out->events, 5);
}

static void a_signal_before_the_wait_is_not_lost(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({UNTIL, .a = 10}, {LISTEN, 0, 1, 50}, {LISTEN, 0, 1, 60}, {END})},
         {0, SCRIPT({SIGNAL, 0, 1}, {END})});
    LOG_IS({0, 1, 10}, {0, 2, 10, .why = VSG_BY_SIGNAL}, {0, 3, 60, .why = VSG_BY_TIMER});
    assert_int_equal(out->events, 2); /* a signal that is there is no wait */
}

/* In reverse order token 1 signals at 50 before the timer of 50 comes: the wake-up is
 * on its way, but the timer, a round earlier, wins. The signal stays for later. */
static void on_equal_time_the_timer_wins(void **state)
{
    (void)state;
    world.tie = VSG_TIE_REVERSE;
    PLAY({0, SCRIPT({LISTEN, 0, 1, 50}, {UNTIL, .a = 55}, {LISTEN, 0, 1, 60}, {END})},
         {0, SCRIPT({UNTIL, .a = 50}, {SIGNAL, 0, 1}, {END})});
    LOG_IS({1, 1, 50}, {0, 1, 50, .why = VSG_BY_TIMER}, {0, 2, 55},
           {0, 3, 55, .why = VSG_BY_SIGNAL});
}

/* The same, and the token listens again at once: it takes the signal, and the wake-up that is
 * on its way must find nothing. In id order the signal comes after it listens again. */
static void a_late_wake_up_finds_nothing(void **state)
{
    const enum vsg_tie tie[] = {VSG_TIE_REVERSE, VSG_TIE_ID};

    (void)state;
    for (size_t i = 0; i < COUNT(tie); i++) {
        world.tie = tie[i];
        PLAY({0, SCRIPT({LISTEN, 0, 1, 50}, {LISTEN, 0, 1, 60}, {LISTEN, 0, 1, 70}, {END})},
             {0, SCRIPT({UNTIL, .a = 50}, {SIGNAL, 0, 1}, {END})});
        if (tie[i] == VSG_TIE_REVERSE)
            LOG_IS({1, 1, 50}, {0, 1, 50, .why = VSG_BY_TIMER}, {0, 2, 50, .why = VSG_BY_SIGNAL},
                   {0, 3, 70, .why = VSG_BY_TIMER});
        else
            LOG_IS({0, 1, 50, .why = VSG_BY_TIMER}, {1, 1, 50}, {0, 2, 50, .why = VSG_BY_SIGNAL},
                   {0, 3, 70, .why = VSG_BY_TIMER});
    }
}

/* Woken from a timed wait, the token sleeps, queues, parks or ends: its old timer is gone. */
static void a_woken_token_forgets_its_timer(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({LISTEN, 0, 1, 50}, {UNTIL, .a = 100}, {LISTEN, 0, 1, 200},
                    {SERVE, 0, .a = 100, .b = 90}, {LISTEN, 0, 1, 300}, {LISTEN, 0, 1, VSG_NEVER},
                    {LISTEN, 0, 1, 900}, {END})},
         {0, SCRIPT({UNTIL, .a = 10}, {SIGNAL, 0, 1}, {UNTIL, .a = 110}, {SIGNAL, 0, 1},
                    {UNTIL, .a = 220}, {SIGNAL, 0, 1}, {UNTIL, .a = 400}, {SIGNAL, 0, 1},
                    {UNTIL, .a = 410}, {SIGNAL, 0, 1}, {UNTIL, .a = 950}, {END})});
    LOG_IS({1, 1, 10}, {0, 1, 10, .why = VSG_BY_SIGNAL}, {0, 2, 100}, {1, 3, 110},
           {0, 3, 110, .why = VSG_BY_SIGNAL}, {0, 4, 200}, {1, 5, 220},
           {0, 5, 220, .why = VSG_BY_SIGNAL}, {1, 7, 400}, {0, 6, 400, .why = VSG_BY_SIGNAL},
           {1, 9, 410}, {0, 7, 410, .why = VSG_BY_SIGNAL}, {1, 11, 950});
}

/* ---- order ------------------------------------------------------------------------------- */

/* At 150 a transfer, a timer and a service end, with ids that would say otherwise. */
static void phases_order_an_instant(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({MOVE, 1}, {END})}, {1, SCRIPT({UNTIL, .a = 150}, {END})},
         {1, SCRIPT({SERVE, 1, .a = 150, .b = 150}, {END})});
    LOG_IS({2, 1, 150}, {1, 1, 150}, {0, 1, 150});
}

/* At 10, tokens 0 and 3 come by time; 1 hears 0 a round later, and 2 hears 1 after that. */
static void rounds_order_an_instant(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({UNTIL, .a = 10}, {SIGNAL, 0, 1}, {END})},
         {0, SCRIPT({LISTEN, 0, 1, VSG_NEVER}, {SIGNAL, 2, 1}, {END})},
         {0, SCRIPT({LISTEN, 2, 1, VSG_NEVER}, {END})}, {0, SCRIPT({UNTIL, .a = 10}, {END})});
    LOG_IS({0, 1, 10}, {3, 1, 10}, {1, 1, 10, .why = VSG_BY_SIGNAL},
           {2, 1, 10, .why = VSG_BY_SIGNAL});
}

static void ties_are_settled_as_asked(void **state)
{
    enum { TOKENS = 40 };
    static const struct line script[] = {{UNTIL, .a = 10}, {UNTIL, .a = 20}, {END}};
    struct actor actor[TOKENS];

    (void)state;
    for (uint32_t i = 0; i < TOKENS; i++)
        actor[i] = (struct actor){i % 2, script};
    for (int tie = VSG_TIE_HASH; tie <= VSG_TIE_REVERSE; tie++) {
        world.tie = (enum vsg_tie)tie;
        play(actor, TOKENS);
        assert_int_equal(out->count, 3 * TOKENS);
        for (uint32_t i = TOKENS + 1; i < out->count; i++) {
            const struct seen *a = &out->seen[i - 1], *b = &out->seen[i];
            assert_int_equal(b->now_ps, i < 2 * TOKENS ? 10 : 20);
            if (a->now_ps != b->now_ps)
                continue;
            if (tie == VSG_TIE_HASH)
                assert_true(
                    vsg_mix64(vsg_entity(a->who, 0, 0) * UINT64_C(0x9e3779b97f4a7c15) + a->visit) <
                    vsg_mix64(vsg_entity(b->who, 0, 0) * UINT64_C(0x9e3779b97f4a7c15) + b->visit));
            else
                assert_true(tie == VSG_TIE_ID ? a->who < b->who : a->who > b->who);
        }
    }
}

static void spawned_tokens_come_a_round_later(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({UNTIL, .a = 10}, {SPAWN, 2, 7}, {SPAWN, 1, 7}, {UNTIL, .a = 10}, {END})},
         {NOWHERE, SCRIPT({UNTIL, .a = 30}, {END})}, {NOWHERE, SCRIPT({UNTIL, .a = 20}, {END})},
         {0, SCRIPT({UNTIL, .a = 10}, {END})});
    LOG_IS({0, 1, 10}, {0, 4, 10}, {3, 1, 10}, {1, 0, 10}, {2, 0, 10}, {2, 1, 20}, {1, 1, 30});
    assert_int_equal(out->seen[5].visit, 0);
    assert_int_equal(out->events, 4);
}

/* ---- ACQUIRE, RELEASE ------------------------------------------------------------------ */

/* Token 1 wants both units; token 2, later, wants one that is free, but must not overtake. */
static void units_are_given_first_come_first_served(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({UNTIL, .a = 10}, {ACQUIRE, 0, 1}, {UNTIL, .a = 100}, {RELEASE, 0, 1}, {END})},
         {0, SCRIPT({UNTIL, .a = 20}, {ACQUIRE, 0, 2}, {UNTIL, .a = 150}, {RELEASE, 0, 2}, {END})},
         {0, SCRIPT({UNTIL, .a = 30}, {ACQUIRE, 0, 1}, {RELEASE, 0, 1}, {END})});
    LOG_IS({0, 1, 10}, {0, 2, 10, 0}, {1, 1, 20}, {2, 1, 30}, {0, 3, 100}, {1, 2, 100, 80},
           {1, 3, 150}, {2, 2, 150, 120});
    assert_int_equal(out->events, 7);
    assert_int_equal(out->ties, 0);
}

/* One RELEASE serves two; the hand-over (phase DEPART) comes before a signal of that round. */
static void one_release_may_serve_two(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({LISTEN, 0, 1, VSG_NEVER}, {END})},
         {0, SCRIPT({ACQUIRE, 0, 2}, {UNTIL, .a = 50}, {SIGNAL, 0, 1}, {RELEASE, 0, 2}, {END})},
         {0, SCRIPT({ACQUIRE, 0, 1}, {END})}, {0, SCRIPT({ACQUIRE, 0, 1}, {END})});
    LOG_IS({1, 1, 0, 0}, {1, 2, 50}, {2, 1, 50, 50}, {3, 1, 50, 50},
           {0, 1, 50, .why = VSG_BY_SIGNAL});
    assert_int_equal(out->ties, 2); /* three requests at time 0 */
}

/* ---- SERVE ------------------------------------------------------------------------------- */

static void service_is_a_pipeline(void **state)
{
    static const struct line script[] = {{SERVE, 0, .a = 10, .b = 25}, {END}};

    (void)state;
    PLAY({0, script}, {0, script}, {0, script});
    LOG_IS({0, 1, 25, 0}, {1, 1, 35, 10}, {2, 1, 45, 20});
    stats_are(
        &out->server[0],
        (struct vsg_server_stats){
            .served = 3, .busy_ps = 30, .wait_sum_ps = 30, .wait_max_ps = 20, .queue_max = 2});
    assert_int_equal(out->ties, 2);
    assert_int_equal(out->events, 3);
}

/* Latencies below the occupancy: posted work. The server is free at 100, then at 101. The last
 * request occupies it from 101 on, beyond the end of the run, where busy is cut. */
static void occupancy_outlasts_latency(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({SERVE, 0, .a = 100, .b = 5}, {SERVE, 0, .a = 1, .b = 0},
                    {SERVE, 0, .a = 0, .b = 0}, {SERVE, 0, .a = 0, .b = 0},
                    {SERVE, 0, .a = 50, .b = 0}, {END})});
    LOG_IS({0, 1, 5, 0}, {0, 2, 100, 95}, {0, 3, 101, 1}, {0, 4, 101, 0}, {0, 5, 101, 0});
    stats_are(
        &out->server[0],
        (struct vsg_server_stats){
            .served = 5, .busy_ps = 101, .wait_sum_ps = 96, .wait_max_ps = 95, .queue_max = 1});
    assert_int_equal(out->events, 3); /* the last two are over at once */
    assert_int_equal(out->ties, 1);   /* the last two come at 101 both */
    assert_int_equal(out->end_ps, 101);
}

/* A request that takes no time still waits its turn, and many of them leave in one ps. */
static void services_of_no_time_keep_their_turn(void **state)
{
    static const struct line script[] = {{SERVE, 0, .a = 0, .b = 0}, {END}};

    (void)state;
    PLAY({0, SCRIPT({SERVE, 0, .a = 40, .b = 0}, {END})}, {0, script}, {0, script}, {0, script});
    LOG_IS({0, 1, 0, 0}, {1, 1, 40, 40}, {2, 1, 40, 40}, {3, 1, 40, 40});
    assert_int_equal(out->server[0].queue_max, 3);
    assert_int_equal(out->server[0].busy_ps, 40);
}

/* The window is [10, 60): one service reaches into it, one out of it, and the request of
 * 60 is not in it. */
static const struct line before_window[] = {{SERVE, 0, .a = 20, .b = 20},
                                            {SERVE, 0, .a = 30, .b = 0},
                                            {END}},
                         in_window[] = {{UNTIL, .a = 40}, {SERVE, 0, .a = 30, .b = 30}, {END}},
                         after_window[] = {{UNTIL, .a = 60}, {SERVE, 0, .a = 5, .b = 5}, {END}};
static const struct vsg_server_stats window_stats = {
    .served = 2, .busy_ps = 10 + 30 + 10, .wait_sum_ps = 10, .wait_max_ps = 10, .queue_max = 1};

static void statistics_are_of_the_window(void **state)
{
    (void)state;
    world.window_start_ps = 10;
    world.window_end_ps = 60;
    PLAY({0, before_window}, {0, in_window}, {0, after_window});
    LOG_IS({0, 1, 20, 0}, {0, 2, 20, 0}, {1, 1, 40}, {2, 1, 60}, {1, 2, 80, 10}, {2, 2, 85, 20});
    stats_are(&out->server[0], window_stats);
    assert_int_equal(out->stop_ps, 60);
    assert_int_equal(out->end_ps, 85);
}

/* The same window, its end told by a token of the other node; a later STOP is too late. */
static void stop_ends_the_window(void **state)
{
    (void)state;
    world.window_start_ps = 10;
    PLAY({0, before_window}, {0, in_window}, {0, after_window},
         {1, SCRIPT({UNTIL, .a = 55}, {STOP, .a = 60}, {SLEEP, .a = 1}, {STOP, .a = 70}, {END})});
    stats_are(&out->server[0], window_stats);
    assert_int_equal(out->stop_ps, 60);
}

/* ---- TRANSFER --------------------------------------------------------------------------- */

static void transfers_take_the_route_s_latency(void **state)
{
    (void)state;
    world.contention = VSG_CONTENTION_NONE;
    PLAY({0, SCRIPT({MOVE, 1, 1000, 0}, {MOVE, 0, 1000, 1}, {MOVE, 1, 1000, 1}, {MOVE, 1, 1000, 0},
                    {MOVE, 0, 0, 0}, {MOVE, 1, 1000, 2}, {END})});
    /* 150; 0 back; times 2.5; one's own place; 0 back; times 0 */
    LOG_IS({0, 1, 150}, {0, 2, 150}, {0, 3, 525}, {0, 4, 525}, {0, 5, 525}, {0, 6, 525});
    assert_int_equal(out->seen[1].place, 1);
    assert_int_equal(out->seen[2].place, 0);
    assert_int_equal(out->events, 5); /* a transfer to one's own place is over at once */
    for (int i = 0; i < OBJECTS; i++)
        stats_are(&out->link[i], (struct vsg_server_stats){0});
}

static void bytes_delay_what_comes_behind(void **state)
{
    (void)state;
    PLAY({0, SCRIPT({MOVE, 1, 30}, {END})}, {0, SCRIPT({MOVE, 1, 30}, {END})},
         {0, SCRIPT({MOVE, 1, 10}, {END})});
    LOG_IS({0, 1, 150, 0}, {1, 1, 180, 30}, {2, 1, 210, 60});
    stats_are(
        &out->link[0],
        (struct vsg_server_stats){
            .served = 3, .busy_ps = 70, .wait_sum_ps = 90, .wait_max_ps = 60, .queue_max = 2});
    stats_are(&out->link[1], (struct vsg_server_stats){.served = 3});
    assert_int_equal(out->ties, 2);
    assert_int_equal(out->events, 3); /* one visit, however many links */
}

/* Two links without latency: the wait is at the second one, and the first arrival is in the
 * same ps as the start. */
static void a_later_link_makes_wait_too(void **state)
{
    (void)state;
    PLAY({1, SCRIPT({MOVE, 0, 20}, {END})}, {1, SCRIPT({MOVE, 0, 20}, {END})});
    LOG_IS({0, 1, 0, 0}, {1, 1, 20, 20});
    stats_are(&out->link[2], (struct vsg_server_stats){.served = 2});
    stats_are(&out->link[3],
              (struct vsg_server_stats){.served = 2,
                                        .busy_ps = 20, /* cut at the end of the run */
                                        .wait_sum_ps = 20,
                                        .wait_max_ps = 20,
                                        .queue_max = 1});
    assert_int_equal(out->ties, 2);
}

/* 640 bytes at 64 bytes per ns take 10 ns alone and 20 ns when two share, after the 150 ps of
 * the route, or 375 ps with a weight of 2.5. */
static void fluid_transfers_share_bandwidth(void **state)
{
    static const char *const host[] = {"a", "b"};

    (void)state;
    world.contention = VSG_CONTENTION_FLUID;
    world.host = host;
    world.platform_xml =
        "<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
        "<host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>"
        "<link id=\"ab\" bandwidth=\"64Bps\" latency=\"0.150s\"/>"
        "<link id=\"ba\" bandwidth=\"64Bps\" latency=\"0s\"/>"
        "<route src=\"a\" dst=\"b\" symmetrical=\"NO\"><link_ctn id=\"ab\"/></route>"
        "<route src=\"b\" dst=\"a\" symmetrical=\"NO\"><link_ctn id=\"ba\"/></route>"
        "</zone></platform>";
    PLAY({0, SCRIPT({MOVE, 1, 640, 0}, {END})});
    LOG_IS({0, 1, 10150, 10000});
    PLAY({0, SCRIPT({MOVE, 1, 640, 0}, {UNTIL, .a = 30000}, {MOVE, 0, 64, 0}, {MOVE, 0, 64, 0},
                    {END})},
         {0, SCRIPT({MOVE, 1, 640, 0}, {UNTIL, .a = 31000}, {MOVE, 0, 0, 0}, {END})});
    LOG_IS({0, 1, 20150, 20000}, {1, 1, 20150, 20000}, {0, 2, 30000}, {1, 2, 31000},
           {0, 3, 31000, 1000}, {0, 4, 31000, 0}, {1, 3, 31000, 0});
    PLAY({0, SCRIPT({MOVE, 1, 640, 1}, {END})});
    LOG_IS({0, 1, 10375, 10000});
}

/* A thousand tokens at once, each with an actor. */
static void many_tokens_wait_at_once(void **state)
{
    enum { TOKENS = 1000 };
    static const struct line script[] = {{SLEEP, .a = 10}, {SERVE, 0, .a = 1, .b = 1}, {END}};
    static struct actor actor[TOKENS];

    (void)state;
    for (uint32_t i = 0; i < TOKENS; i++)
        actor[i] = (struct actor){0, script};
    play(actor, TOKENS);
    assert_int_equal(out->events, 2 * TOKENS);
    assert_int_equal(out->end_ps, 10 + TOKENS);
    assert_int_equal(out->server[0].queue_max, TOKENS - 1);
    assert_int_equal(out->ties, TOKENS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(waits_until_a_time),
        TEST(late_picoseconds_are_told_apart),
        TEST(signals_are_counted),
        TEST(a_signal_before_the_wait_is_not_lost),
        TEST(on_equal_time_the_timer_wins),
        TEST(a_late_wake_up_finds_nothing),
        TEST(a_woken_token_forgets_its_timer),
        TEST(phases_order_an_instant),
        TEST(rounds_order_an_instant),
        TEST(ties_are_settled_as_asked),
        TEST(spawned_tokens_come_a_round_later),
        TEST(units_are_given_first_come_first_served),
        TEST(one_release_may_serve_two),
        TEST(service_is_a_pipeline),
        TEST(occupancy_outlasts_latency),
        TEST(services_of_no_time_keep_their_turn),
        TEST(statistics_are_of_the_window),
        TEST(stop_ends_the_window),
        TEST(transfers_take_the_route_s_latency),
        TEST(bytes_delay_what_comes_behind),
        TEST(a_later_link_makes_wait_too),
        TEST(fluid_transfers_share_bandwidth),
        TEST(many_tokens_wait_at_once),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
