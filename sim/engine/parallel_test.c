/* The ops one by one with answers by hand, and a storm of all of them that must come out the
 * same at any number of threads. Against SimGrid: tests/engines_test.c. */
#include "engine/storm.h" /* before cmocka.h, which makes fail() a macro */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

/* ---- one op at a time: a script of steps, and a log of what was seen ------------- */

enum { LOG = 64 };

struct scripted {
    struct vsg_token t;
    uint32_t line;
};

struct seen {
    uint64_t entity, now_ps, waited_ps;
    uint8_t why;
};

static struct {
    struct seen log[LOG];
    unsigned count;
    struct vsg_op (*script)(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line);
    uint32_t tokens[3]; /* by place */
} stage;

static struct vsg_op scripted_step(struct vsg_ctx *ctx, struct vsg_token *t)
{
    struct scripted *s = (struct scripted *)t;
    assert_true(stage.count < LOG);
    stage.log[stage.count++] = (struct seen){t->entity, ctx->now_ps, t->waited_ps, t->why};
    return stage.script(ctx, t, s->line++);
}

static void scripted_boot(struct vsg_ctx *ctx, uint32_t place)
{
    for (uint32_t i = 0; i < stage.tokens[place]; i++)
        vsg_spawn(ctx, 0, vsg_entity(place * 10 + i, 0, 0));
}

/* Two nodes: server, resource (capacity 2) and channel 0 on node 0, 1 on node 1; links of
 * 100 ps and 1 byte per ps. */
static enum vsg_status play(struct vsg_op (*script)(struct vsg_ctx *, struct vsg_token *, uint32_t),
                            uint32_t on_node_0, uint32_t on_node_1, enum vsg_contention contention,
                            enum vsg_tie tie, struct vsg_report *report, struct vsg_diag *diag)
{
    static const struct vsg_server_def server[] = {{0}, {1}};
    static const struct vsg_resource_def resource[] = {{0, 2}, {1, 2}};
    static const struct vsg_channel_def channel[] = {{0}, {1}, {0}, {0}};
    static const struct vsg_link_def link[] = {{0, 1, 100, UINT64_C(1000000000000), "a"},
                                               {1, 0, 100, UINT64_C(1000000000000), "b"}};
    static const struct vsg_route_def route[] = {{0, 0}, {0, 1}, {1, 1}, {2, 0}};
    static const uint32_t route_link[] = {0, 1};
    static const vsg_step_fn step[] = {scripted_step};
    struct vsg_world w = {.place_count = 2,
                          .node_count = 2,
                          .server = server,
                          .server_count = 2,
                          .resource = resource,
                          .resource_count = 2,
                          .channel = channel,
                          .channel_count = 4,
                          .link = link,
                          .link_count = 2,
                          .route = route,
                          .route_link = route_link,
                          .route_link_count = 2,
                          .contention = contention,
                          .weight_ppm = {1000000, 2000000, 0, 1000000},
                          .tie = tie,
                          .token_bytes = sizeof(struct scripted),
                          .step = step,
                          .step_count = 1,
                          .boot = scripted_boot,
                          .window_end_ps = VSG_NEVER,
                          .stop_grace_ps = 1};
    stage.count = 0;
    stage.script = script;
    stage.tokens[0] = on_node_0;
    stage.tokens[1] = on_node_1;
    return vsg_parallel_run(&w, 1, report, diag);
}

static const struct seen *last_of(uint32_t ordinal)
{
    for (unsigned i = stage.count; i-- > 0;)
        if (stage.log[i].entity >> 44 == ordinal)
            return &stage.log[i];
    fail();
    return NULL;
}

static struct vsg_op wait_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)t;
    switch (line) {
    case 0:
        return vsg_wait_until(30);
    case 1:
        return vsg_wait_until(10); /* in the past: over at once */
    case 2:
        assert_int_equal(ctx->now_ps, 30);
        return vsg_wait_until(45);
    default:
        return vsg_end();
    }
}

static void waits_until_a_time(void **state)
{
    (void)state;
    struct vsg_report r;
    struct vsg_diag d = VSG_DIAG_INIT;
    assert_int_equal(play(wait_script, 1, 0, VSG_CONTENTION_NONE, VSG_TIE_HASH, &r, &d), VSG_OK);
    assert_int_equal(last_of(0)->now_ps, 45);
    assert_int_equal(r.events, 2);
    assert_int_equal(r.end_ps, 45);
    vsg_report_free(&r);
}

/* Token 0 waits at channel 0 for 3 signals until 50; token 1 sends 2 at 20 and 1 at `when`. */
static uint64_t third_signal_ps;
static struct vsg_op signal_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    if (t->entity >> 44 == 0)
        switch (line) {
        case 0:
            return vsg_wait_signal(50, 0, 3);
        case 1:
            return vsg_wait_signal(60, 0, 3);
        default:
            return vsg_end();
        }
    switch (line) {
    case 0:
        return vsg_wait_until(20);
    case 1:
        vsg_signal(ctx, 0, 2);
        return vsg_wait_until(third_signal_ps);
    case 2:
        vsg_signal(ctx, 0, 1);
        return vsg_end();
    default:
        fail();
        return vsg_end();
    }
}

static void signals_are_counted_and_the_timer_wins_a_tie(void **state)
{
    (void)state;
    for (uint64_t when = 40; when <= 60; when += 10) {
        struct vsg_report r;
        struct vsg_diag d = VSG_DIAG_INIT;
        third_signal_ps = when;
        assert_int_equal(play(signal_script, 2, 0, VSG_CONTENTION_NONE, VSG_TIE_HASH, &r, &d),
                         VSG_OK);
        struct seen at[2] = {{0}};
        unsigned found = 0;
        for (unsigned i = 0; i < stage.count; i++)
            if (stage.log[i].entity == 0 && stage.log[i].now_ps > 0)
                at[found++] = stage.log[i];
        assert_int_equal(found, 2);
        if (when == 40) { /* woken at 40, then nothing comes until 60 */
            assert_int_equal(at[0].now_ps, 40);
            assert_int_equal(at[0].why, VSG_BY_SIGNAL);
            assert_int_equal(at[1].now_ps, 60);
            assert_int_equal(at[1].why, VSG_BY_TIMER);
        } else if (when == 50) { /* the timer wins at 50; the signals are there: at once */
            assert_int_equal(at[0].now_ps, 50);
            assert_int_equal(at[0].why, VSG_BY_TIMER);
            assert_int_equal(at[1].now_ps, 50);
            assert_int_equal(at[1].why, VSG_BY_SIGNAL);
        } else { /* both time out; the signals of 20 are not lost but too few */
            assert_int_equal(at[0].why, VSG_BY_TIMER);
            assert_int_equal(at[1].now_ps, 60);
            assert_int_equal(at[1].why, VSG_BY_TIMER);
        }
        vsg_report_free(&r);
    }
}

static struct vsg_op acquire_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    uint32_t who = (uint32_t)(t->entity >> 44);
    uint32_t want = who == 1 ? 2 : 1; /* token 1 wants both units */
    switch (line) {
    case 0:
        return vsg_wait_until(10 * (who + 1)); /* they come at 10, 20, 30 */
    case 1:
        return vsg_acquire(0, want);
    case 2:
        return vsg_wait_until(ctx->now_ps + 100);
    default:
        vsg_release(ctx, 0, want);
        return vsg_end();
    }
}

static void a_large_request_is_not_overtaken(void **state)
{
    (void)state;
    struct vsg_report r;
    struct vsg_diag d = VSG_DIAG_INIT;
    assert_int_equal(play(acquire_script, 3, 0, VSG_CONTENTION_NONE, VSG_TIE_HASH, &r, &d), VSG_OK);
    /* 0 has a unit from 10 to 110; 1 waits for two from 20 to 110 and holds them to 210; 2
     * could have had the second unit at 30 but stands behind 1 until 210. */
    assert_int_equal(last_of(0)->now_ps, 110);
    assert_int_equal(last_of(1)->now_ps, 210);
    assert_int_equal(last_of(2)->now_ps, 310);
    assert_int_equal(last_of(2)->waited_ps, 180);
    vsg_report_free(&r);
}

static struct vsg_op serve_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)ctx;
    uint32_t who = (uint32_t)(t->entity >> 44);
    switch (line) {
    case 0:
        return vsg_wait_until(5 + who); /* 5, 6, 7 */
    case 1:
        return vsg_serve(0, 20, 50); /* a pipeline: free after 20, through after 50 */
    default:
        return vsg_end();
    }
}

static void a_server_is_a_pipeline(void **state)
{
    (void)state;
    struct vsg_report r;
    struct vsg_diag d = VSG_DIAG_INIT;
    assert_int_equal(play(serve_script, 3, 0, VSG_CONTENTION_NONE, VSG_TIE_HASH, &r, &d), VSG_OK);
    for (uint32_t i = 0; i < 3; i++) { /* service starts at 5, 25, 45 */
        assert_int_equal(last_of(i)->now_ps, 5 + 20 * i + 50);
        assert_int_equal(last_of(i)->waited_ps, 19 * i);
    }
    assert_int_equal(r.server[0].served, 3);
    assert_int_equal(r.server[0].busy_ps, 60);
    assert_int_equal(r.server[0].wait_sum_ps, 19 + 38);
    assert_int_equal(r.server[0].wait_max_ps, 38);
    assert_int_equal(r.server[0].queue_max, 2);
    vsg_report_free(&r);
}

static struct vsg_op tie_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)ctx;
    (void)t;
    return line == 0 ? vsg_wait_until(5) : line == 1 ? vsg_serve(0, 10, 10) : vsg_end();
}

static void ties_follow_the_rule(void **state)
{
    (void)state;
    for (int tie = VSG_TIE_HASH; tie <= VSG_TIE_REVERSE; tie++) {
        struct vsg_report r;
        struct vsg_diag d = VSG_DIAG_INIT;
        assert_int_equal(play(tie_script, 8, 0, VSG_CONTENTION_NONE, (enum vsg_tie)tie, &r, &d),
                         VSG_OK);
        assert_int_equal(r.ties, 7);
        unsigned in_order = 0, backwards = 0;
        for (uint32_t i = 0; i + 1 < 8; i++) {
            in_order += last_of(i)->now_ps < last_of(i + 1)->now_ps;
            backwards += last_of(i)->now_ps > last_of(i + 1)->now_ps;
        }
        if (tie == VSG_TIE_ID)
            assert_int_equal(in_order, 7);
        else if (tie == VSG_TIE_REVERSE)
            assert_int_equal(backwards, 7);
        else /* a hash favours neither end */
            assert_true(in_order > 0 && backwards > 0);
        vsg_report_free(&r);
    }
}

static struct vsg_op transfer_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)ctx;
    uint32_t who = (uint32_t)(t->entity >> 44);
    switch (line) {
    case 0:
        return vsg_transfer(0, 1000, 0); /* to its own place: at once */
    case 1:
        return vsg_transfer(1, 30, who == 2 ? 1 : 0); /* token 2 with the double weight */
    default:
        assert_int_equal(t->place, 1);
        return vsg_end();
    }
}

static void a_link_is_cut_through_and_fifo(void **state)
{
    (void)state;
    struct vsg_report r;
    struct vsg_diag d = VSG_DIAG_INIT;
    assert_int_equal(play(transfer_script, 3, 0, VSG_CONTENTION_NONE, VSG_TIE_ID, &r, &d), VSG_OK);
    assert_int_equal(last_of(0)->now_ps, 100);
    assert_int_equal(last_of(1)->now_ps, 100);
    assert_int_equal(last_of(2)->now_ps, 200);
    assert_int_equal(r.events, 3);
    vsg_report_free(&r);
    /* 30 bytes fill the link for 30 ps and delay only those behind. */
    assert_int_equal(play(transfer_script, 3, 0, VSG_CONTENTION_FIFO, VSG_TIE_ID, &r, &d), VSG_OK);
    assert_int_equal(last_of(0)->now_ps, 100);
    assert_int_equal(last_of(1)->now_ps, 130);
    assert_int_equal(last_of(1)->waited_ps, 30);
    assert_int_equal(last_of(2)->now_ps, 60 + 200);
    assert_int_equal(r.link[0].busy_ps, 90);
    vsg_report_free(&r);
}

/* ---- what must be refused ---------------------------------------------------------- */

static struct vsg_op elsewhere_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)ctx;
    (void)t;
    (void)line;
    return vsg_serve(1, 1, 1);
}

static struct vsg_op stranded_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)ctx;
    (void)t;
    return line == 0 ? vsg_wait_signal(VSG_NEVER, 0, 1) : vsg_end();
}

static struct vsg_op two_waiters_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    return stranded_script(ctx, t, line);
}

static struct vsg_op release_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)t;
    (void)line;
    vsg_release(ctx, 0, 1);
    return vsg_end();
}

static struct vsg_op endless_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)t;
    (void)line;
    stage.count = 0;
    return vsg_wait_until(ctx->now_ps);
}

/* Two tokens signal each other within one picosecond for ever. */
static struct vsg_op ping_pong_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    uint32_t who = (uint32_t)(t->entity >> 44);
    stage.count = 0;
    (void)line;
    vsg_signal(ctx, who ? 2 : 3, 1);
    return vsg_wait_signal(VSG_NEVER, who ? 3 : 2, 1);
}

static struct vsg_op early_stop_script(struct vsg_ctx *ctx, struct vsg_token *t, uint32_t line)
{
    (void)t;
    (void)line;
    vsg_stop(ctx, ctx->now_ps);
    return vsg_end();
}

static void broken_promises_are_named(void **state)
{
    (void)state;
    const struct {
        struct vsg_op (*script)(struct vsg_ctx *, struct vsg_token *, uint32_t);
        uint32_t tokens;
        const char *says;
        enum vsg_status status;
    } row[] = {
        {elsewhere_script, 1, "another place", VSG_EMODEL},
        {stranded_script, 1, "wait for ever", VSG_EMODEL},
        {two_waiters_script, 2, "another token waits", VSG_EMODEL},
        {release_script, 1, "more than was taken", VSG_EMODEL},
        {endless_script, 1, "does not come to an end", VSG_EMODEL},
        {ping_pong_script, 2, "too many hand-offs", VSG_ERANGE},
        {early_stop_script, 1, "sooner than the grace", VSG_EMODEL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct vsg_report r;
        struct vsg_diag d = VSG_DIAG_INIT;
        assert_int_equal(
            play(row[i].script, row[i].tokens, 0, VSG_CONTENTION_NONE, VSG_TIE_HASH, &r, &d),
            row[i].status);
        assert_int_equal(d.count, 1);
        assert_non_null(strstr(d.item[0].text, row[i].says));
        vsg_diag_clear(&d);
    }
}

static void fluid_is_refused(void **state)
{
    (void)state;
    struct vsg_report r;
    struct vsg_diag d = VSG_DIAG_INIT;
    assert_int_equal(play(wait_script, 1, 0, VSG_CONTENTION_FLUID, VSG_TIE_HASH, &r, &d),
                     VSG_ENOTSUP);
    assert_non_null(strstr(d.item[0].text, "simgrid"));
    vsg_diag_clear(&d);
}

/* ---- a storm ---------------------------------------------------------------------------- */

static void any_number_of_threads_sees_the_same(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < 24; variant++) {
        uint64_t sum[4] = {0};
        struct vsg_report report[4];
        for (unsigned threads = 1; threads <= 4; threads++) {
            struct storm s = {.places = 4,
                              .tokens_per_place = 6,
                              .zero_percent = variant % 3 * 30,
                              .steps = 400,
                              .seed = variant,
                              .stop_after = variant % 4 ? 300 : 0};
            struct vsg_diag d = VSG_DIAG_INIT;
            assert_true(storm_make(&s, variant & 1 ? VSG_CONTENTION_FIFO : VSG_CONTENTION_NONE,
                                   variant / 2 % 2));
            s.world.tie = (enum vsg_tie)(variant / 4 % 3);
            enum vsg_status status = vsg_parallel_run(&s.world, threads, &report[threads - 1], &d);
            if (status != VSG_OK)
                print_error("%s\n", d.item[0].text);
            assert_int_equal(status, VSG_OK);
            sum[threads - 1] = storm_sum(&s);
            storm_free(&s);
        }
        for (unsigned k = 0; k < 4; k++) {
            assert_int_equal(sum[k], sum[0]);
            assert_int_equal(report[k].events, report[0].events);
            assert_int_equal(report[k].ties, report[0].ties);
            assert_int_equal(report[k].end_ps, report[0].end_ps);
            assert_int_equal(report[k].stop_ps, report[0].stop_ps);
            assert_memory_equal(report[k].server, report[0].server,
                                report[0].server_count * sizeof *report[0].server);
            assert_memory_equal(report[k].link, report[0].link,
                                report[0].link_count * sizeof *report[0].link);
            assert_true(report[k].ties > 0);
        }
        for (unsigned k = 0; k < 4; k++)
            vsg_report_free(&report[k]);
    }
}

static void places_without_lookahead_share_an_lp(void **state)
{
    (void)state;
    struct storm s = {.places = 4, .tokens_per_place = 2, .steps = 10};
    struct vsg_report r;
    struct vsg_diag d = VSG_DIAG_INIT;
    assert_true(storm_make(&s, VSG_CONTENTION_NONE, true));
    assert_int_equal(vsg_parallel_run(&s.world, 2, &r, &d), VSG_OK);
    assert_int_equal(r.lps, 3);
    assert_int_equal(r.lookahead_ps, 5); /* the shortest link, 10 ps, at half weight */
    vsg_report_free(&r);
    storm_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_until_a_time),
        cmocka_unit_test(signals_are_counted_and_the_timer_wins_a_tie),
        cmocka_unit_test(a_large_request_is_not_overtaken),
        cmocka_unit_test(a_server_is_a_pipeline),
        cmocka_unit_test(ties_follow_the_rule),
        cmocka_unit_test(a_link_is_cut_through_and_fifo),
        cmocka_unit_test(broken_promises_are_named),
        cmocka_unit_test(fluid_is_refused),
        cmocka_unit_test(any_number_of_threads_sees_the_same),
        cmocka_unit_test(places_without_lookahead_share_an_lp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
