/* Goal: broken rules end a run on SimGrid with words that name token, place and object, and leave
 * this process alone. */
#include "engine/engine.h" /* before cmocka.h, which makes fail() a macro */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/simgrid_stage.h"

/* The text of a fault of the first token on node 0. */
#define AT(time, what) "engine simgrid: entity 0/0/0, kind 0, place 0, at " time " ps: " what

static void play_fault(const struct actor *actor, size_t count, enum vsg_status status,
                       const char *text)
{
    play_any(actor, count);
    assert_string_equal(out->text, text);
    assert_int_equal(out->status, status);
}

static void objects_of_other_places_are_out_of_reach(void **state)
{
    (void)state;
    play_fault(CAST({0, SCRIPT({UNTIL, .a = 10}, {SIGNAL, 1, 1}, {END})}), VSG_EMODEL,
               AT("10", "signals a channel of another place: 1"));
    play_fault(CAST({0, SCRIPT({LISTEN, 3, 1, 50}, {END})}), VSG_EMODEL,
               AT("0", "waits at a channel of another place: 3"));
    play_fault(CAST({0, SCRIPT({ACQUIRE, 1, 1}, {END})}), VSG_EMODEL,
               AT("0", "acquires a resource of another place: 1"));
    play_fault(CAST({0, SCRIPT({RELEASE, 1, 1}, {END})}), VSG_EMODEL,
               AT("0", "releases a resource of another place: 1"));
    play_fault(CAST({0, SCRIPT({SERVE, 1, .a = 1, .b = 1}, {END})}), VSG_EMODEL,
               AT("0", "is served at another place: server 1"));
    play_fault(CAST({0, SCRIPT({SERVE, 4, .a = 1, .b = 1}, {END})}), VSG_EMODEL,
               AT("0", "is served at another place: server 4"));
    play_fault(CAST({0, SCRIPT({MOVE, 2, 1}, {END})}), VSG_EMODEL,
               AT("0", "transfers to a place that is no node: 2"));
}

static void broken_rules_are_named(void **state)
{
    (void)state;
    play_fault(CAST({0, SCRIPT({UNTIL, .a = 10}, {LISTEN, 0, 1, 50}, {END})},
                    {0, SCRIPT({LISTEN, 0, 1, 50}, {END})}),
               VSG_EMODEL, AT("10", "waits where another token waits: channel 0"));
    play_fault(CAST({0, SCRIPT({ACQUIRE, 0, 1}, {RELEASE, 0, 2}, {END})}), VSG_EMODEL,
               AT("0", "releases more than was taken of resource 0"));
    play_fault(CAST({0, SCRIPT({ACQUIRE, 0, 3}, {END})}), VSG_EMODEL,
               AT("0", "asks for more than the capacity of resource 0"));
    play_fault(
        CAST({0, SCRIPT({UNTIL, .a = 7}, {FAIL}, {END})}, {1, SCRIPT({UNTIL, .a = 900}, {END})}),
        VSG_EMODEL, AT("7", "stages do not add up"));
    play_fault(CAST({0, SCRIPT({UNTIL, .a = 7}, {STOP, .a = 11}, {END})}), VSG_EMODEL,
               AT("7", "stops the run sooner than the grace allows"));
    play_fault(CAST({0, SCRIPT({UNTIL, .a = VSG_NEVER}, {END})}), VSG_EMODEL,
               AT("0", "waits for nothing, for ever"));
    play_fault(CAST({0, SCRIPT({AGAIN})}), VSG_EMODEL,
               AT("0", "does not come to an end within one event"));
}

static void who_waits_for_ever_is_named(void **state)
{
    (void)state;
    play_fault(CAST({1, SCRIPT({ACQUIRE, 1, 2}, {END})}, {1, SCRIPT({ACQUIRE, 1, 1}, {END})},
                    {0, SCRIPT({LISTEN, 2, 1, VSG_NEVER}, {END})},
                    {0, SCRIPT({UNTIL, .a = 100}, {END})}),
               VSG_EMODEL,
               "engine simgrid: 2 tokens wait for ever; entity 1/0/0 waits at resource 1, place 1");
    play_fault(CAST({0, SCRIPT({LISTEN, 2, 1, VSG_NEVER}, {END})}), VSG_EMODEL,
               "engine simgrid: 1 tokens wait for ever; entity 0/0/0 waits at channel 2, place 0");
}

/* Boot is round 0, the first step round 1, and each move of no time one more. */
static void sixty_rounds_are_enough(void **state)
{
    struct line script[VSG_ROUND_MAX + 2];

    (void)state;
    world.contention = VSG_CONTENTION_NONE;
    for (uint32_t i = 0; i < VSG_ROUND_MAX; i++)
        script[i] = (struct line){MOVE, (i + 1) % 2, 0, 2};
    script[VSG_ROUND_MAX - 1] = (struct line){END};
    PLAY({0, script});
    assert_int_equal(out->events, VSG_ROUND_MAX - 1);
    script[VSG_ROUND_MAX - 1] = (struct line){MOVE, 0, 0, 2};
    script[VSG_ROUND_MAX] = (struct line){END};
    play_any(&(struct actor){0, script}, 1);
    assert_int_equal(out->status, VSG_ERANGE);
    assert_non_null(strstr(out->text, "too many hand-offs within one picosecond"));
}

static void ten_seconds_are_the_limit(void **state)
{
    const uint64_t limit_ps = UINT64_C(10000000000000);

    (void)state;
    PLAY({0, SCRIPT({UNTIL, .a = limit_ps}, {END})});
    assert_int_equal(out->end_ps, limit_ps);
    /* A timer beyond it is no harm when the signal comes before. */
    PLAY({0, SCRIPT({LISTEN, 0, 1, 1000 * limit_ps}, {END})},
         {0, SCRIPT({UNTIL, .a = 10}, {SIGNAL, 0, 1}, {END})});
    assert_int_equal(out->end_ps, 10);
    play_any(CAST({0, SCRIPT({UNTIL, .a = limit_ps + 1}, {END})}));
    assert_int_equal(out->status, VSG_ERANGE);
    assert_non_null(strstr(out->text, "simulated time runs over 10 s"));
    play_any(CAST({0, SCRIPT({SERVE, 0, .a = 1, .b = UINT64_MAX}, {END})}));
    assert_int_equal(out->status, VSG_ERANGE);
    play_any(CAST({0, SCRIPT({LISTEN, 0, 1, VSG_NEVER - 1}, {END})}));
    assert_int_equal(out->status, VSG_ERANGE);
}

static void fluid_contention_needs_a_platform(void **state)
{
    (void)state;
    world.contention = VSG_CONTENTION_FLUID;
    play_fault(CAST({0, SCRIPT({END})}), VSG_EINVAL,
               "engine simgrid: fluid contention needs a platform and the hosts of its nodes");
}

static void a_bad_world_is_refused(void **state)
{
    (void)state;
    world.stop_grace_ps = 0;
    play_any(CAST({0, SCRIPT({END})}));
    assert_int_equal(out->status, VSG_EMODEL);
    assert_non_null(strstr(out->text, "stop_grace_ps"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(objects_of_other_places_are_out_of_reach),
        TEST(broken_rules_are_named),
        TEST(who_waits_for_ever_is_named),
        TEST(sixty_rounds_are_enough),
        TEST(ten_seconds_are_the_limit),
        TEST(fluid_contention_needs_a_platform),
        TEST(a_bad_world_is_refused),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
