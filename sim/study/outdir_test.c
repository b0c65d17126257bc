/* Goal: the output directory as outdir.h promises, on good disks and bad. Method: directories of
 * our own below a fresh temporary one; a full disk is a limit on the size of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/made_up.h"
#include "study/outdir.h"

#include <cmocka.h> /* last: it has a macro named fail */

static char root[64];

static const char *below(const char *name)
{
    static char path[4][256];
    static unsigned next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", root, name);
    return path[next];
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st, (void)kind, (void)ftw;
    return remove(path);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/vsgisim-outdir-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static bool exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* At most 64 KiB of a file. */
static const char *get(const char *path)
{
    static char text[65536];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

static unsigned temporary_files;
static int count_temporary(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st, (void)kind, (void)ftw;
    size_t size = strlen(path);
    temporary_files += size > 4 && strcmp(path + size - 4, ".tmp") == 0;
    return 0;
}

static void assert_no_temporary_file(void)
{
    temporary_files = 0;
    assert_int_equal(nftw(root, count_temporary, 16, FTW_PHYS), 0);
    assert_int_equal(temporary_files, 0);
}

/* Two runs: one done, one failed. */
static void study(struct made_up *m)
{
    made_up(m, 1, 1, 2);
    made_run(m, 0, 4000, NS(850));
    m->run[1].state = VSG_RUN_FAILED;
    m->run[1].error = strdup("it broke");
    m->outcome.failed = 1;
    m->outcome.wall_ns = 2000000000;
    m->run[0].wall_ns = 1000000000;
    m->run[0].result.events = 5000;
}

static enum vsg_status write_all(struct made_up *m, const char *path, bool force,
                                 struct vsg_diag *diag)
{
    static const char *const argv[] = {"vsgisim", "run", "a.yaml"};
    struct vsg_outdir *o = NULL;
    struct vsg_results r;
    enum vsg_status status = vsg_outdir_open(path, force ? VSG_OUTDIR_FORCE : VSG_OUTDIR_NEW,
                                             &m->study, "1.2.3", &o, diag);
    for (uint32_t i = 0; i < m->outcome.run_count && status == VSG_OK; i++)
        status = vsg_outdir_write_run(o, &m->run[i]);
    if (status == VSG_OK) {
        assert_int_equal(vsg_results_make(&m->study, &m->outcome, "1.2.3", &r), VSG_OK);
        status = vsg_outdir_finish(
            o, &r, &(struct vsg_manifest){.argc = 3, .argv = argv, .scenario_path = "a.yaml"});
        vsg_results_free(&r);
    }
    vsg_outdir_close(o);
    return status;
}

static void a_study_is_written_whole(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    study(&m);
    assert_int_equal(write_all(&m, below("a/new/place"), false, &diag), VSG_OK);
    assert_int_equal(diag.count, 0);
    assert_string_equal(get(below("a/new/place/runs/0000/status")), "done\n");
    assert_string_equal(get(below("a/new/place/runs/0001/status")), "failed: it broke\n");
    assert_string_equal(get(below("a/new/place/runs/0000/scenario.yaml")),
                        "# Run 0 of made-up: policy global-first, replication 0 of 2 (they count "
                        "from 0).\nname: made-up\n");
    assert_true(exists(below("a/new/place/runs/0000/latency.hgrm")));
    assert_true(exists(below("a/new/place/runs/0000/pairs.tsv")));
    assert_false(exists(below("a/new/place/runs/0001/result.json"))); /* it has none */
    assert_true(exists(below("a/new/place/runs/0001/scenario.yaml")));
    assert_true(exists(below("a/new/place/runs.csv")));
    assert_true(exists(below("a/new/place/plots/percentiles.tsv")));
    assert_true(exists(below("a/new/place/plots/stages.tsv")));
    json_t *run = json_load_file(below("a/new/place/runs/0000/result.json"), 0, NULL);
    json_t *all = json_load_file(below("a/new/place/results.json"), 0, NULL);
    assert_non_null(run);
    assert_true(json_equal(run, json_array_get(json_object_get(all, "runs"), 0)));
    json_t *manifest = json_load_file(below("a/new/place/manifest.json"), 0, NULL);
    assert_int_equal(json_array_size(json_object_get(manifest, "command")), 3);
    assert_int_equal(json_integer_value(json_object_get(manifest, "events_per_s")), 5000);
    assert_int_equal(json_integer_value(json_object_get(manifest, "failed")), 1);
    assert_true(json_real_value(json_object_get(manifest, "wall_s")) == 2.0);
    /* The made-up costs are 0: not the defaults, which have sources. */
    const json_t *trap = NULL, *p;
    size_t i;
    json_array_foreach (json_object_get(manifest, "parameters"), i, p)
        if (strcmp(json_string_value(json_object_get(p, "key")), "costs.trap") == 0)
            trap = p;
    assert_non_null(trap);
    assert_string_equal(json_string_value(json_object_get(trap, "value")), "0ns");
    assert_true(json_is_false(json_object_get(trap, "default")));
    assert_string_equal(json_string_value(json_object_get(trap, "basis")), "scenario");
    json_decref(manifest);
    json_decref(all);
    json_decref(run);
    assert_no_temporary_file();
    made_up_free(&m);
}

static void two_engines_have_a_folder_each(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    study(&m);
    m.run[1].index = 0;
    m.run[1].engine = VSG_ENGINE_SIMGRID;
    m.run[0].twin = m.run[1].twin = true;
    assert_int_equal(write_all(&m, below("o"), false, &diag), VSG_OK);
    assert_string_equal(get(below("o/runs/0000/status")), "done\n");
    assert_string_equal(get(below("o/runs/0000-simgrid/status")), "failed: it broke\n");
    made_up_free(&m);
}

static void what_is_in_the_way_stays(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    study(&m);
    put(below("file"), "mine");
    assert_int_equal(write_all(&m, below("file"), true, &diag), VSG_EEXIST);
    assert_non_null(strstr(diag.item[0].text, "there is a file of this name"));
    assert_string_equal(get(below("file")), "mine");
    vsg_diag_clear(&diag);
    assert_int_equal(mkdir(below("full"), 0777), 0);
    put(below("full/notes.txt"), "mine");
    assert_int_equal(write_all(&m, below("full"), false, &diag), VSG_EEXIST);
    assert_non_null(strstr(diag.item[0].text, "full: is not empty; choose another"));
    assert_false(exists(below("full/runs")));
    vsg_diag_clear(&diag);
    assert_int_equal(mkdir(below("empty"), 0777), 0);
    assert_int_equal(write_all(&m, below("empty"), false, &diag), VSG_OK);
    made_up_free(&m);
}

static void force_replaces_only_what_we_wrote(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    study(&m);
    assert_int_equal(write_all(&m, below("o"), false, &diag), VSG_OK);
    put(below("o/notes.txt"), "mine");
    put(below("o/runs/0001/notes.txt"), "mine too");
    assert_int_equal(mkdir(below("o/runs/0007"), 0777), 0); /* of a longer study */
    put(below("o/runs/0007/status"), "done\n");
    assert_int_equal(mkdir(below("o/runs/0008.tmp"), 0777), 0); /* of a program that was killed */
    put(below("o/runs/0008.tmp/result.json"), "half");
    assert_int_equal(mkdir(below("o/runs/mine"), 0777), 0);
    put(below("o/runs/mine/status"), "done\n");
    m.outcome.run_count = 1; /* a shorter one now */
    assert_int_equal(write_all(&m, below("o"), true, &diag), VSG_OK);
    m.outcome.run_count = 2;
    assert_string_equal(get(below("o/notes.txt")), "mine");
    assert_string_equal(get(below("o/runs/0001/notes.txt")), "mine too");
    assert_string_equal(get(below("o/runs/mine/status")), "done\n");
    assert_false(exists(below("o/runs/0001/status")));
    assert_false(exists(below("o/runs/0007")));
    assert_false(exists(below("o/runs/0008.tmp")));
    assert_true(exists(below("o/runs/0000/status")));
    made_up_free(&m);
}

/* ---- bad disks
 * ------------------------------------------------------------------------------------ */

static void full(rlim_t bytes)
{
    signal(SIGXFSZ, SIG_IGN); /* then write() fails with EFBIG */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, RLIM_INFINITY}), 0);
}

static void a_full_disk_leaves_no_half_file(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    study(&m);
    /* Enough for scenario.yaml, not for result.json. */
    full(200);
    enum vsg_status status = write_all(&m, below("o"), false, &diag);
    full(RLIM_INFINITY);
    assert_int_equal(status, VSG_EIO);
    assert_non_null(strstr(diag.item[0].text, "/o/runs/0000.tmp/result.json: File too large"));
    assert_false(exists(below("o/runs/0000"))); /* so no one takes it for done */
    assert_false(exists(below("o/runs/0000.tmp")));
    assert_false(exists(below("o/manifest.json")));
    assert_no_temporary_file();
    vsg_diag_clear(&diag);
    made_up_free(&m);
}

static void a_file_is_replaced_whole_or_stays(void **state)
{
    (void)state;
    struct vsg_diag diag = VSG_DIAG_INIT;
    put(below("f"), "old");
    full(2);
    assert_int_equal(vsg_file_replace(below("f"), "newer", 5, &diag), VSG_EIO);
    full(RLIM_INFINITY);
    assert_string_equal(get(below("f")), "old");
    assert_non_null(strstr(diag.item[0].text, "/f: File too large"));
    put(below("f.tmp"), "of a program that was killed");
    assert_int_equal(vsg_file_replace(below("f"), "newer", 5, &diag), VSG_OK);
    assert_string_equal(get(below("f")), "newer");
    struct stat st;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(below("f"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
    /* A link at the temporary name is not followed. */
    put(below("precious"), "precious");
    assert_int_equal(symlink(below("precious"), below("f.tmp")), 0);
    assert_int_equal(vsg_file_replace(below("f"), "newest", 6, &diag), VSG_OK);
    assert_string_equal(get(below("precious")), "precious");
    assert_string_equal(get(below("f")), "newest");
    assert_no_temporary_file();
    vsg_diag_clear(&diag);
}

static void places_that_cannot_be_written(void **state)
{
    (void)state;
    struct made_up m;
    struct vsg_diag diag = VSG_DIAG_INIT;
    study(&m);
    put(below("file"), "mine");
    assert_int_equal(write_all(&m, below("file/below"), false, &diag), VSG_EIO);
    assert_non_null(strstr(diag.item[0].text, "file/below: Not a directory"));
    vsg_diag_clear(&diag);
    assert_int_equal(write_all(&m, "/proc/vsgisim", false, &diag), VSG_EIO);
    assert_non_null(strstr(diag.item[0].text, "/proc/vsgisim: No such file or directory"));
    vsg_diag_clear(&diag);
    assert_int_equal(vsg_file_replace(below("none/f"), "x", 1, &diag), VSG_EIO);
    assert_non_null(strstr(diag.item[0].text, "none/f: No such file or directory"));
    vsg_diag_clear(&diag);
    char name[400]; /* a part of more than 255 bytes */
    snprintf(name, sizeof name, "%s/%0300d", root, 0);
    assert_int_equal(vsg_file_make_directory(name, &diag), VSG_EIO);
    assert_non_null(strstr(diag.item[0].text, "File name too long"));
    vsg_diag_clear(&diag);
    if (geteuid() != 0) { /* root may write anywhere */
        assert_int_equal(mkdir(below("locked"), 0555), 0);
        assert_int_equal(write_all(&m, below("locked"), false, &diag), VSG_EIO);
        assert_non_null(strstr(diag.item[0].text, "Permission denied"));
        vsg_diag_clear(&diag);
    }
    made_up_free(&m);
}

/* ---- a scenario that repeats its run
 * -------------------------------------------------------------- */

static void a_runs_scenario_has_its_policy_alone(void **state)
{
    (void)state;
    static const char text[] = "format: 1\nname: real\nmachine: {nodes: 2, cpus_per_node: 4, "
                               "its_per_node: 1}\nvms: [{name: guest, vcpus: 2, placement: {kind: "
                               "node, node: 0}}]\nworkload: {kind: ipi_hw, sends: 10}\npolicies: "
                               "[global-first, local]\nsweep: {vms.guest.placement.node: [0, 1]}\n";
    struct vsg_study real, again;
    struct vsg_diag diag = VSG_DIAG_INIT;
    struct vsg_outdir *o = NULL;
    assert_int_equal(vsg_study_load(text, strlen(text), NULL, 0, &real, &diag), VSG_OK);
    assert_int_equal(vsg_outdir_open(below("o"), VSG_OUTDIR_NEW, &real, "0", &o, &diag), VSG_OK);
    struct vsg_run run = {.index = 3, .point = 1, .policy = 1, .state = VSG_RUN_FAILED};
    assert_int_equal(vsg_outdir_write_run(o, &run), VSG_OK);
    vsg_outdir_close(o);
    const char *written = get(below("o/runs/0003/scenario.yaml"));
    assert_int_equal(vsg_study_load(written, strlen(written), NULL, 0, &again, &diag), VSG_OK);
    assert_int_equal(vsg_study_run_count(&again), 1);
    assert_int_equal(again.policy[0], VSG_POLICY_LOCAL);
    assert_int_equal(again.point[0].config.vm[0].placement.node, 1);
    vsg_study_free(&again);
    vsg_study_free(&real);
    vsg_diag_clear(&diag);
}

#define IN_ITS_OWN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_ITS_OWN_PLACE(a_study_is_written_whole),
        IN_ITS_OWN_PLACE(two_engines_have_a_folder_each),
        IN_ITS_OWN_PLACE(what_is_in_the_way_stays),
        IN_ITS_OWN_PLACE(force_replaces_only_what_we_wrote),
        IN_ITS_OWN_PLACE(a_full_disk_leaves_no_half_file),
        IN_ITS_OWN_PLACE(a_file_is_replaced_whole_or_stays),
        IN_ITS_OWN_PLACE(places_that_cannot_be_written),
        IN_ITS_OWN_PLACE(a_runs_scenario_has_its_policy_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
