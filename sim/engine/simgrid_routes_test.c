/* Goal: a platform that SimGrid does not accept is an error with SimGrid's own words, and this
 * process lives on. Good platforms are tested in models/interconnect. */
#include "engine/engine.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#define HEAD                                                                                       \
    "<?xml version=\"1.0\"?>\n"                                                                    \
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"                             \
    "<platform version=\"4.1\">\n <zone id=\"z\" routing=\"Full\">\n"                              \
    "  <host id=\"a\" speed=\"1f\"/>\n  <host id=\"b\" speed=\"1f\"/>\n"
#define TAIL " </zone>\n</platform>\n"
#define LINK(bandwidth, latency)                                                                   \
    "  <link id=\"l\" bandwidth=\"" bandwidth "\" latency=\"" latency "\"/>\n"                     \
    "  <route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n"

static const char *const hosts[] = {"a", "b"};

static enum vsg_status ask(const char *xml, struct vsg_routes *r, struct vsg_diag *d)
{
    struct vsg_platform p = {.xml = xml, .second_ps = 1000, .host = hosts, .host_count = 2};
    return vsg_simgrid_routes(&p, r, d);
}

/* The platform is refused with VSG_ECHILD and words that contain `words`. */
static void refused(const char *xml, const char *words)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    assert_int_equal(ask(xml, &r, &d), VSG_ECHILD);
    assert_int_equal(d.count, 1);
    if (!strstr(d.item[0].text, words))
        fail_msg("\"%s\" lacks \"%s\"", d.item[0].text, words);
    assert_null(strstr(d.item[0].text, "/proc/"));
    vsg_diag_clear(&d);
}

static void refused_before_loading(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    (void)state;
    assert_int_equal(ask(HEAD TAIL, &r, &d), VSG_EINVAL);
    assert_int_equal(vsg_simgrid_load("/nowhere", &d), VSG_EIO);
    assert_int_equal(d.count, 2);
    assert_non_null(strstr(d.item[1].text, "cannot read /nowhere/vsgisim-simgrid.so"));
    vsg_diag_clear(&d);
}

static void load(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;

    (void)state;
    assert_int_equal(vsg_simgrid_load(VSG_MODULE_DIR, &d), VSG_OK);
    assert_int_equal(vsg_simgrid_load(VSG_MODULE_DIR, &d), VSG_OK); /* again is no harm */
    assert_int_equal(d.count, 0);
}

static void good_platform(void **state)
{
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    (void)state;
    assert_int_equal(ask(HEAD LINK("64Bps", "33.333s") TAIL, &r, &d), VSG_OK);
    assert_int_equal(r.link_count, 1);
    assert_string_equal(r.link_name[0], "l");
    assert_int_equal(r.link_latency_ps[0], 33333);
    assert_int_equal(r.link_bytes_per_s[0], UINT64_C(64000000000));
    assert_int_equal(r.first[0], 0); /* (a,a) */
    assert_int_equal(r.first[1], 0); /* (a,b): link 0 */
    assert_int_equal(r.first[2], 1); /* (b,a): link 0, the same */
    assert_int_equal(r.first[3], 2); /* (b,b) */
    assert_int_equal(r.first[4], 2);
    assert_int_equal(r.link[0], 0);
    assert_int_equal(r.link[1], 0);
    vsg_routes_free(&r);
    vsg_routes_free(&r); /* freed and zeroed: nothing to do */
}

static void bad_platforms(void **state)
{
    static char large[100000];

    (void)state;
    refused("", "does not accept the platform");
    refused("nonsense\n", "line 1");
    refused(HEAD LINK("fast", "1s") TAIL, "cannot parse number");
    refused(HEAD LINK("1Bps", "1s"), "line ");
    refused(HEAD "  <route src=\"a\" dst=\"b\"><link_ctn id=\"m\"/></route>\n" TAIL,
            "Link not found: m");
    refused(HEAD TAIL, "the platform has no route from host 'a' to host 'b'");
    memset(large, '[', sizeof large - 1);
    refused(large, "line 1");
}

/* SimGrid itself takes these. */
static void bad_numbers(void **state)
{
    (void)state;
    refused(HEAD LINK("-1Bps", "1s") TAIL, "link 'l' of the platform has a bandwidth of -1");
    refused(HEAD LINK("0Bps", "1s") TAIL, "at least 1e-09 (1 byte per second)");
    refused(HEAD LINK("1Bps", "-1s") TAIL, "link 'l' of the platform has a latency of -1");
    refused(HEAD LINK("1Bps", "1e300s") TAIL, "link 'l' of the platform has a latency of 1e+300");
}

/* Goal: a signal ends the asking at once, and leaves no process behind. */
static void a_stop_ends_the_child(void **state)
{
    static const volatile sig_atomic_t stop = 1;
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    (void)state;
    vsg_simgrid_routes_stop(&stop);
    assert_int_equal(ask(HEAD LINK("1Bps", "1s") TAIL, &r, &d), VSG_EINTR);
    vsg_simgrid_routes_stop(NULL);
    assert_int_equal(d.count, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* The same platform in real seconds: 33.333 ns and 64 GB/s. */
static void a_second_of_the_platform_may_be_any_time(void **state)
{
    struct vsg_platform p = {.xml = HEAD LINK("64GBps", "33.333ns") TAIL,
                             .second_ps = UINT64_C(1000000000000),
                             .host = hosts,
                             .host_count = 2};
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    (void)state;
    assert_int_equal(vsg_simgrid_routes(&p, &r, &d), VSG_OK);
    assert_int_equal(r.link_latency_ps[0], 33333);
    assert_int_equal(r.link_bytes_per_s[0], UINT64_C(64000000000));
    vsg_routes_free(&r);
    p.second_ps = 500; /* half a ns: half the latency, twice the bandwidth */
    p.xml = HEAD LINK("64Bps", "33.332s") TAIL;
    assert_int_equal(vsg_simgrid_routes(&p, &r, &d), VSG_OK);
    assert_int_equal(r.link_latency_ps[0], 16666);
    assert_int_equal(r.link_bytes_per_s[0], UINT64_C(128000000000));
    vsg_routes_free(&r);
}

static void fatpipes_never_queue(void **state)
{
    static const char xml[] =
        HEAD "  <link id=\"l\" bandwidth=\"64Bps\" latency=\"5s\" "
             "sharing_policy=\"FATPIPE\"/>\n"
             "  <route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n" TAIL;
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    (void)state;
    assert_int_equal(ask(xml, &r, &d), VSG_OK);
    assert_int_equal(r.link_latency_ps[0], 5000);
    assert_int_equal(r.link_bytes_per_s[0], 0);
    vsg_routes_free(&r);
}

static void loops_are_refused(void **state)
{
    (void)state;
    refused(HEAD
            "  <link id=\"l\" bandwidth=\"1Bps\" latency=\"1s\"/>\n"
            "  <route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/><link_ctn id=\"l\"/></route>\n" TAIL,
            "the platform's route from host 'a' to host 'b' crosses link 'l' twice");
}

static void missing_host(void **state)
{
    static const char *const other[] = {"a", "node-1"};
    struct vsg_diag d = VSG_DIAG_INIT;
    struct vsg_routes r;

    (void)state;
    struct vsg_platform p = {
        .xml = HEAD LINK("1Bps", "1s") TAIL, .second_ps = 1000, .host = other, .host_count = 2};
    assert_int_equal(vsg_simgrid_routes(&p, &r, &d), VSG_ECHILD);
    assert_non_null(strstr(d.item[0].text, "the platform has no host 'node-1'"));
    vsg_diag_clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_before_loading),
        cmocka_unit_test(load),
        cmocka_unit_test(good_platform),
        cmocka_unit_test(bad_platforms),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(a_second_of_the_platform_may_be_any_time),
        cmocka_unit_test(fatpipes_never_queue),
        cmocka_unit_test(loops_are_refused),
        cmocka_unit_test(missing_host),
        cmocka_unit_test(a_stop_ends_the_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
