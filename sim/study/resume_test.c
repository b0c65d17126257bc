/* Goal: what is trusted, found again and moved when a directory is resumed. Method: made-up runs
 * whose means tell them apart, in a fresh temporary directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/kept.h"
#include "study/made_up.h"
#include "study/message.h"
#include "study/outdir.h"

#include <cmocka.h> /* last: it has a macro named fail */

static char root[64];

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st, (void)kind, (void)ftw;
    return remove(path);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/vsgisim-resume-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static bool exists(const char *name)
{
    char path[256];
    struct stat st;
    snprintf(path, sizeof path, "%s/runs/%s", root, name);
    return lstat(path, &st) == 0;
}

/* points points of one policy and one replication; point i is that of number[i], and so are its
 * latencies. */
static void study(struct made_up *m, uint32_t points, const char *number)
{
    made_up(m, points, 1, 1);
    for (uint32_t i = 0; i < points; i++) {
        m->point[i].identity.part[0] = (uint64_t)number[i];
        m->point[i].config.seed = (uint64_t)number[i];
    }
}

static struct vsg_outdir *open_directory(struct made_up *m, enum vsg_outdir_mode mode,
                                         const char *version, struct vsg_diag *diag)
{
    struct vsg_outdir *o = NULL;
    assert_int_equal(vsg_outdir_open(root, mode, &m->study, version, &o, diag), VSG_OK);
    return o;
}

/* Writes all points of a study whose numbers are these. */
static void write_study(const char *number)
{
    struct made_up m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    study(&m, (uint32_t)strlen(number), number);
    struct vsg_outdir *o = open_directory(&m, VSG_OUTDIR_FORCE, "1", &diag);
    for (uint32_t i = 0; i < m.outcome.run_count; i++) {
        made_run(&m, i, 1, NS(number[i]));
        vsg_diag_add(&m.run[i].diag, VSG_WARNING, NULL, "of %c", number[i]);
        assert_int_equal(vsg_outdir_write_run(o, &m.run[i]), VSG_OK);
    }
    vsg_outdir_close(o);
    assert_int_equal(diag.count, 0);
    made_up_free(&m);
}

/* Recalls the runs of a study and checks that each that is known has its own result. Returns
 * which are: a letter each, '-' for those that are not. */
static const char *recall(const char *number, const char *version, uint32_t *unwanted)
{
    static char known[MADE_RUNS + 1];
    struct made_up m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    study(&m, (uint32_t)strlen(number), number);
    struct vsg_outdir *o = open_directory(&m, VSG_OUTDIR_RESUME, version, &diag);
    memset(known, 0, sizeof known);
    for (uint32_t i = 0; i < m.outcome.run_count; i++) {
        assert_int_equal(vsg_outdir_recall(o, &m.run[i]), VSG_OK);
        known[i] = '-';
        if (m.run[i].state != VSG_RUN_DONE)
            continue;
        known[i] = number[i];
        assert_int_equal(m.run[i].result.latency.max_ps, NS(number[i]));
        assert_int_equal(m.run[i].diag.count, 1);
        assert_int_equal(m.run[i].diag.item[0].text[3], number[i]);
    }
    *unwanted = vsg_outdir_unwanted(o);
    vsg_outdir_close(o);
    assert_int_equal(diag.count, 0);
    made_up_free(&m);
    return known;
}

/* The letters of runs/0000, runs/0001, ... as result.json has them in the seed; '-': not there. */
static void assert_places(const char *letters)
{
    for (uint32_t i = 0; letters[i]; i++) {
        char path[256], text[65536] = "", seed[32];
        snprintf(path, sizeof path, "%s/runs/%04u/result.json", root, i);
        FILE *f = fopen(path, "r");
        if (letters[i] == '-') {
            assert_null(f);
            continue;
        }
        assert_non_null(f);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        snprintf(seed, sizeof seed, "\"seed\": %d", letters[i]);
        assert_non_null(strstr(text, seed));
        snprintf(seed, sizeof seed, "\"index\": %u", i);
        assert_non_null(strstr(text, seed));
    }
}

static void runs_are_found_wherever_they_stand(void **state)
{
    static const struct {
        const char *before, *now, *known, *places;
        uint32_t unwanted;
    } row[] = {
        {"abc", "abc", "abc", "abc", 0},     {"abc", "cab", "cab", "cab", 0},
        {"abc", "xabc", "-abc", "-abc", 0},  {"abc", "bcx", "bc-", "bc-", 1},
        {"abc", "b", "b", "b", 2},           {"abc", "xyz", "---", "abc", 3},
        {"abcd", "dcba", "dcba", "dcba", 0}, {"a", "aaa", "aaa", "aaa", 0},
        {"ab", "bbaa", "bbaa", "bbaa", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        uint32_t unwanted = 0;
        write_study(row[i].before);
        assert_string_equal(recall(row[i].now, "1", &unwanted), row[i].known);
        assert_int_equal(unwanted, row[i].unwanted);
        assert_places(row[i].places);
        /* And again: what was moved is found where it is now. */
        assert_string_equal(recall(row[i].now, "1", &unwanted), row[i].known);
    }
}

static void another_version_is_another_run(void **state)
{
    (void)state;
    uint32_t unwanted = 0;
    write_study("ab");
    assert_string_equal(recall("ab", "2", &unwanted), "--");
    assert_int_equal(unwanted, 2);
}

/* A run that was set aside when the program was killed is still there. */
static void what_was_set_aside_is_found(void **state)
{
    char from[256], to[256];
    uint32_t unwanted = 0;
    (void)state;
    write_study("abc");
    snprintf(from, sizeof from, "%s/runs/0001", root);
    snprintf(to, sizeof to, "%s/runs/keep-%032x", root, 17);
    assert_int_equal(rename(from, to), 0);
    assert_string_equal(recall("abc", "1", &unwanted), "abc");
    assert_places("abc");
    assert_false(exists("keep-00000000000000000000000000000011"));
}

static void every_bit_of_a_kept_run_counts(void **state)
{
    (void)state;
    struct made_up m;
    unsigned char *bytes = NULL;
    size_t size = 0;
    struct vsg_identity id = {{1, 2}}, read = {{0}};
    study(&m, 1, "a");
    made_run(&m, 0, 5, NS(7));
    m.run[0].result.sample = calloc(3, sizeof *m.run[0].result.sample);
    m.run[0].result.sample_count = 3; /* not kept */
    assert_int_equal(vsg_kept_pack(&m.run[0], id, &bytes, &size), VSG_OK);
    assert_int_equal(vsg_kept_identity(bytes, size, &read), VSG_OK);
    assert_true(vsg_identity_equal(id, read));
    struct vsg_run run = {.index = 4};
    assert_int_equal(vsg_kept_unpack(bytes, size, &run), VSG_OK);
    assert_int_equal(run.state, VSG_RUN_DONE);
    assert_int_equal(run.result.latency.count, 5);
    assert_int_equal(run.result.sample_count, 0);
    vsg_run_result_free(&run.result);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x10;
        assert_int_equal(vsg_kept_identity(bytes, size, &read), VSG_EINVAL);
        bytes[i] ^= 0x10;
        assert_int_equal(vsg_kept_identity(bytes, i, &read), VSG_EINVAL);
    }
    free(bytes);
    made_up_free(&m);
}

static void a_message_carries_status_and_words(void **state)
{
    (void)state;
    struct vsg_diag diag = VSG_DIAG_INIT, back = VSG_DIAG_INIT;
    struct vsg_run_result result = {0};
    unsigned char *bytes = NULL;
    size_t size = 0;
    enum vsg_status ended = VSG_OK;
    vsg_diag_error(&diag, "it broke");
    vsg_diag_add(&diag, VSG_NOTE, NULL, "%s", "");
    assert_int_equal(vsg_message_pack(VSG_EMODEL, &diag, NULL, &bytes, &size), VSG_OK);
    assert_int_equal(vsg_message_unpack(bytes, size, &ended, &back, &result), VSG_OK);
    assert_int_equal(ended, VSG_EMODEL);
    assert_int_equal(back.count, 2);
    assert_string_equal(back.item[0].text, "it broke");
    assert_int_equal(back.item[0].severity, VSG_ERROR);
    assert_string_equal(back.item[1].text, "");
    assert_int_equal(back.item[1].severity, VSG_NOTE);
    for (size_t i = 0; i < size; i++) /* a torn one */
        assert_int_equal(vsg_message_unpack(bytes, i, &ended, &back, &result), VSG_EINVAL);
    free(bytes);
    vsg_diag_clear(&diag);
    vsg_diag_clear(&back);
}

/* FNV-1a of 128 bits, test vectors of its authors: "" and "a". */
static void the_hash_is_fnv_1a(void **state)
{
    (void)state;
    struct vsg_identity id = VSG_IDENTITY_INIT;
    assert_true(id.part[1] == UINT64_C(0x6c62272e07bb0142));
    assert_true(id.part[0] == UINT64_C(0x62b821756295c58d));
    vsg_identity_add(&id, "a", 1);
    assert_true(id.part[1] == UINT64_C(0xd228cb696f1a8caf));
    assert_true(id.part[0] == UINT64_C(0x78912b704e4a8964));
}

/* What can influence a run changes its identity; names and other runs do not. */
static void identities_tell_runs_apart(void **state)
{
    static const char text[] =
        "format: 1\nname: n\nmachine: {nodes: 2, cpus_per_node: 4, its_per_node: 1}\nvms: [{name: "
        "guest, vcpus: 2, placement: {kind: node, node: 0}}]\nworkload: {kind: %s}\npolicies: "
        "[global-first, local]\nrun: {replications: 2}\n";
    static const char *const ipi_hw = "ipi_hw, sends: 10", *const open = "poisson, sends: 10, "
                                                                         "rate: 1k/s";
    static const struct {
        const char *key, *value;
        bool changes[2]; /* ipi_hw; poisson, whose warm-up ends for all policies at once */
    } row[] = {
        {"name", "m", {false, false}},
        {"description", "some words", {false, false}},
        {"run.replications", "3", {false, false}},
        {"policies", "[global-first]", {false, true}},
        {"run.seed", "2", {true, true}},
        {"costs.its", "21ns", {true, true}},
        {"workload.sends", "11", {true, true}},
        {"machine.nodes", "3", {true, true}},
        {"interconnect.link.latency", "51ns", {true, true}},
        {"vms.guest.placement.node", "1", {true, true}},
    };
    (void)state;
    for (int open_load = 0; open_load < 2; open_load++) {
        char yaml[600];
        struct vsg_study base;
        struct vsg_diag diag = VSG_DIAG_INIT;
        int size = snprintf(yaml, sizeof yaml, text, open_load ? open : ipi_hw);
        assert_int_equal(vsg_study_load(yaml, (size_t)size, NULL, 0, &base, &diag), VSG_OK);
        struct vsg_run run = {.index = 0}, other = run;
        struct vsg_identity id = vsg_run_identity(&base, &run, "1");
        other.policy = 1;
        assert_false(vsg_identity_equal(vsg_run_identity(&base, &other, "1"), id));
        other = run;
        other.replication = 1;
        assert_false(vsg_identity_equal(vsg_run_identity(&base, &other, "1"), id));
        other = run;
        other.engine = VSG_ENGINE_SIMGRID;
        assert_false(vsg_identity_equal(vsg_run_identity(&base, &other, "1"), id));
        assert_false(vsg_identity_equal(vsg_run_identity(&base, &run, "2"), id));
        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
            struct vsg_setting set = {row[i].key, row[i].value};
            struct vsg_study s;
            assert_int_equal(vsg_study_load(yaml, (size_t)size, &set, 1, &s, &diag), VSG_OK);
            assert_int_equal(!vsg_identity_equal(vsg_run_identity(&s, &run, "1"), id),
                             row[i].changes[open_load]);
            vsg_study_free(&s);
        }
        vsg_study_free(&base);
        vsg_diag_clear(&diag);
    }
}

#define IN_ITS_OWN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_ITS_OWN_PLACE(runs_are_found_wherever_they_stand),
        IN_ITS_OWN_PLACE(another_version_is_another_run),
        IN_ITS_OWN_PLACE(what_was_set_aside_is_found),
        cmocka_unit_test(every_bit_of_a_kept_run_counts),
        cmocka_unit_test(a_message_carries_status_and_words),
        cmocka_unit_test(the_hash_is_fnv_1a),
        cmocka_unit_test(identities_tell_runs_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
