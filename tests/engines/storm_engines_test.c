/* The two engines against each other on storms of every op: whatever any token sees, and every
 * figure of the report, must be the same to the picosecond. */
#include "engine/storm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { SERVERS_MAX = 64 };

/* What comes out of a run, in memory that parent and child share. */
struct outcome {
    enum vsg_status status;
    uint64_t sum, events, ties, end_ps, stop_ps;
    struct vsg_server_stats server[SERVERS_MAX], link[SERVERS_MAX];
    char text[300];
};

static void play(const struct storm *shape, enum vsg_contention contention, bool zero_links,
                 enum vsg_tie tie, enum vsg_engine engine, struct outcome *out)
{
    struct storm s = *shape;
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_report r;
    memset(out, 0, sizeof *out);
    if (!storm_make(&s, contention, zero_links)) {
        out->status = VSG_ENOMEM;
        return;
    }
    s.world.tie = tie;
    out->status = engine == VSG_ENGINE_PARALLEL ? vsg_parallel_run(&s.world, 2, &r, &d)
                                                : vsg_simgrid_run(&s.world, &r, &d);
    if (out->status == VSG_OK) {
        out->sum = storm_sum(&s);
        out->events = r.events;
        out->ties = r.ties;
        out->end_ps = r.end_ps;
        out->stop_ps = r.stop_ps;
        memcpy(out->server, r.server, r.server_count * sizeof *r.server);
        memcpy(out->link, r.link, r.link_count * sizeof *r.link);
        vsg_report_free(&r);
    }
    if (d.count)
        snprintf(out->text, sizeof out->text, "%s", d.item[0].text);
    vsg_diag_clear(&d);
    storm_free(&s);
}

static void both_engines_see_the_same_storms(void **state)
{
    struct outcome *there = *state;
    unsigned conflicts = 0;
    for (unsigned variant = 0; variant < 36; variant++) {
        struct storm shape = {.places = 2 + variant % 3,
                              .tokens_per_place = 8,
                              .zero_percent = variant % 4 * 25,
                              .steps = 250,
                              .seed = 77 + variant,
                              .stop_after = variant % 5   ? 200
                                            : variant % 2 ? 1
                                                          : 0};
        enum vsg_contention contention = variant & 1 ? VSG_CONTENTION_FIFO : VSG_CONTENTION_NONE;
        bool zero_links = variant / 2 % 2;
        enum vsg_tie tie = (enum vsg_tie)(variant / 4 % 3);
        struct outcome here;
        play(&shape, contention, zero_links, tie, VSG_ENGINE_PARALLEL, &here);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            play(&shape, contention, zero_links, tie, VSG_ENGINE_SIMGRID, there);
            _exit(0);
        }
        int how = 0;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
        if (here.status != VSG_OK || there->status != VSG_OK)
            print_error("variant %u: parallel %s, simgrid %s\n", variant, here.text, there->text);
        assert_int_equal(here.status, VSG_OK);
        assert_int_equal(there->status, VSG_OK);
        if (here.sum != there->sum)
            print_error("variant %u differs: events %llu and %llu, end %llu and %llu\n", variant,
                        (unsigned long long)here.events, (unsigned long long)there->events,
                        (unsigned long long)here.end_ps, (unsigned long long)there->end_ps);
        assert_int_equal(here.sum, there->sum);
        assert_int_equal(here.events, there->events);
        assert_int_equal(here.ties, there->ties);
        assert_int_equal(here.end_ps, there->end_ps);
        assert_int_equal(here.stop_ps, there->stop_ps);
        assert_memory_equal(here.server, there->server, sizeof here.server);
        assert_memory_equal(here.link, there->link, sizeof here.link);
        conflicts += here.ties > 100;
    }
    assert_true(conflicts > 18); /* the storms do put the rule of equal times to the test */
}

static int load_module(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    *state = mmap(NULL, sizeof(struct outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                  -1, 0);
    if (*state == MAP_FAILED || vsg_simgrid_load(VSG_MODULE_DIR, &d) != VSG_OK) {
        print_error("%s\n", d.count ? d.item[0].text : "no shared memory");
        return -1;
    }
    return 0;
}

static int unmap(void **state)
{
    return munmap(*state, sizeof(struct outcome));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_engines_see_the_same_storms)};
    return cmocka_run_group_tests(tests, load_module, unmap);
}
