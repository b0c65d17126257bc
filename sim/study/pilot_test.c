/* Goal: warm-up `auto` of open loads: found by pilots, the same under all policies, in both
 * engines, with any number of threads. Method: whole studies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "study/results.h"

#include <cmocka.h> /* last: it has a macro named fail */

struct story {
    struct vsg_study study;
    struct vsg_outcome out;
};

/* 32 senders on two nodes at a load of global-first's ITS in per mille of 50 M/s, with jitter. */
static void tell(struct story *s, unsigned load, unsigned sends, const char *policies,
                 const char *run, enum vsg_engine_choice engine, unsigned threads)
{
    char text[900];
    snprintf(text, sizeof text,
             "format: 1\n"
             "name: warm-up\n"
             "machine: {nodes: 2, cpus_per_node: 16, its_per_node: 1}\n"
             "costs: {trap: 0ns, dispatch: 0ns, store: 0ns, its: {exponential: {mean: 20ns}},\n"
             "        handle: 0ns, return: 0ns}\n"
             "vms: [{name: guest, vcpus: 32}]\n"
             "workload: {kind: poisson, rate: %u/s, sends: %u}\n"
             "policies: %s\n"
             "run: %s\n",
             load * 50000 / 32, sends, policies, run);
    struct vsg_diag d = VSG_DIAG_INIT;
    enum vsg_status status = vsg_study_load(text, strlen(text), NULL, 0, &s->study, &d);
    for (size_t i = 0; i < d.count; i++)
        print_error("%s\n", d.item[i].text);
    assert_int_equal(status, VSG_OK);
    struct vsg_execute_options o = {
        .engine = engine, .threads = threads, .module_dir = VSG_MODULE_DIR};
    assert_int_equal(vsg_study_execute(&s->study, &o, &s->out, &d), VSG_OK);
    assert_int_equal(s->out.failed, 0);
    vsg_diag_clear(&d);
}

static void end(struct story *s)
{
    vsg_outcome_free(&s->out);
    vsg_study_free(&s->study);
}

static uint64_t start_of(const struct story *s, uint32_t run)
{
    return s->out.run[run].result.window_start_ps;
}

enum { REPLICATIONS = 8 };

/* Each policy alone finds its own cut; together both have the later one, and only then. */
static void the_later_cut_holds_for_all_policies(void **state)
{
    struct story a, b, both;
    bool differ = false;
    (void)state;
    tell(&a, 900, 400, "[global-first]", "{replications: 8}", VSG_USE_PARALLEL, 1);
    tell(&b, 900, 400, "[local]", "{replications: 8}", VSG_USE_PARALLEL, 1);
    tell(&both, 900, 400, "[global-first, local]", "{replications: 8}", VSG_USE_PARALLEL, 1);
    for (uint32_t i = 0; i < REPLICATIONS; i++) {
        uint64_t later = start_of(&a, i) > start_of(&b, i) ? start_of(&a, i) : start_of(&b, i);
        assert_int_equal(start_of(&both, i), later);
        assert_int_equal(start_of(&both, REPLICATIONS + i), later);
        differ |= start_of(&a, i) != start_of(&b, i);
        assert_true(later <= both.out.run[i].result.window_end_ps / 2);
        assert_int_equal(both.out.run[i].result.not_steady, a.out.run[i].result.not_steady);
    }
    assert_true(differ); /* else nothing was shown */
    end(&a);
    end(&b);
    end(&both);
}

static void engines_and_threads_find_the_same(void **state)
{
    struct story one, three;
    (void)state;
    tell(&one, 900, 60, "[global-first, local]", "{replications: 2}", VSG_USE_BOTH, 1);
    tell(&three, 900, 60, "[global-first, local]", "{replications: 2}", VSG_USE_PARALLEL, 3);
    assert_true(one.out.agreement.known && one.out.agreement.equal);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(start_of(&one, 2 * i), start_of(&three, i));
    end(&one);
    end(&three);
}

static void what_the_scenario_says_stays(void **state)
{
    struct story s;
    (void)state;
    tell(&s, 500, 100, "[global-first, local]", "{warmup: 3us}", VSG_USE_PARALLEL, 1);
    assert_int_equal(start_of(&s, 0), 3000000);
    assert_int_equal(start_of(&s, 1), 3000000);
    end(&s);
    tell(&s, 500, 100, "[global-first, local]", "{warmup: 10%}", VSG_USE_PARALLEL, 1);
    assert_int_equal(start_of(&s, 0), s.out.run[0].result.window_end_ps / 10);
    end(&s);
}

/* At 0.999 an ITS takes some 10^6 services of 20 ns to settle; 12,800 IPIs are its rise. */
static void a_run_that_only_rises_is_not_steady(void **state)
{
    struct story s;
    struct vsg_results r;
    unsigned count = 0;
    (void)state;
    tell(&s, 999, 400, "[global-first]", "{replications: 8}", VSG_USE_PARALLEL, 1);
    assert_int_equal(vsg_results_make(&s.study, &s.out, "test", &r), VSG_OK);
    for (uint32_t i = 0; i < REPLICATIONS; i++) {
        const struct vsg_run_result *run = &s.out.run[i].result;
        count += run->not_steady;
        if (run->not_steady)
            assert_int_equal(run->window_start_ps, run->window_end_ps / 2);
        assert_int_equal(r.run[i].figures.not_steady, run->not_steady);
    }
    print_message("%u of %d runs at 0.999 are not steady\n", count, REPLICATIONS);
    assert_true(count >= 2);
    vsg_results_free(&r);
    end(&s);
}

/* Beyond 1 there is no steady state to warm up to: 5 % as a matter of form, and `unstable`. */
static void an_overload_is_not_piloted(void **state)
{
    struct story s;
    (void)state;
    tell(&s, 1050, 200, "[global-first]", "{}", VSG_USE_PARALLEL, 1);
    assert_int_equal(start_of(&s, 0), s.out.run[0].result.window_end_ps / 20);
    assert_false(s.out.run[0].result.not_steady);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_later_cut_holds_for_all_policies),
        cmocka_unit_test(engines_and_threads_find_the_same),
        cmocka_unit_test(what_the_scenario_says_stays),
        cmocka_unit_test(a_run_that_only_rises_is_not_steady),
        cmocka_unit_test(an_overload_is_not_piloted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
