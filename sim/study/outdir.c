#include "study/outdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "study/manifest.h"
#include "study/plots.h"
#include "study/resume.h"
#include "study/rundir.h"
#include "study/text.h"

struct vsg_outdir {
    char *path, *runs_path;
    const struct vsg_study *study;
    const char *version;
    struct vsg_diag *diag;
    struct vsg_resume resume;
    time_t started;
    int lock_fd;
};

static const char *const top_file[] = {
    "manifest.json",     "results.json",          "runs.csv",          "plots/percentiles.tsv",
    "plots/stages.tsv",  "plots/ccdf.tsv",        "plots/latency.tsv", "plots/gain.tsv",
    "plots/heatmap.tsv", "plots/utilisation.tsv", "plots/index.tsv"};

/* "DIR/part", or "DIR/part/name". NULL: no memory. */
static char *join(const char *dir, const char *part, const char *name)
{
    struct vsg_text t = {0};
    char *path = NULL;
    vsg_text_add(&t, "%s/%s%s%s", dir, part, name ? "/" : "", name ? name : "");
    return vsg_text_take(&t, &path) == VSG_OK ? path : NULL;
}

/* ---- taking the directory ------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Removes the file and what a killed program may have left of it. */
static enum vsg_status remove_file(struct vsg_outdir *o, const char *part, const char *name)
{
    struct vsg_text temporary = {0};
    char *path = join(o->path, part, name);
    enum vsg_status status = path ? vsg_file_remove(path, o->diag) : VSG_ENOMEM;
    if (status == VSG_OK) {
        vsg_text_add(&temporary, "%s.tmp", path);
        status = temporary.failed ? VSG_ENOMEM : vsg_file_remove(temporary.bytes, o->diag);
    }
    vsg_text_free(&temporary);
    free(path);
    return status;
}

/* Removes directories of runs, but not those that *keep (sorted, [count]) names. */
static enum vsg_status remove_runs(struct vsg_outdir *o, char (*keep)[VSG_RUNDIR_NAME],
                                   size_t count)
{
    DIR *dir = opendir(o->runs_path);
    enum vsg_status status = VSG_OK;
    const struct dirent *entry = NULL;
    while (dir && status == VSG_OK && (entry = readdir(dir)))
        if (vsg_rundir_is_ours(entry->d_name) && strlen(entry->d_name) < VSG_RUNDIR_NAME &&
            !(count > 0 && bsearch(entry->d_name, keep, count, sizeof *keep, by_text)))
            status = vsg_rundir_remove(o->runs_path, entry->d_name, o->diag);
    if (dir)
        closedir(dir);
    return status;
}

static enum vsg_status remove_top_files(struct vsg_outdir *o)
{
    enum vsg_status status = VSG_OK;
    for (size_t i = 0; i < sizeof top_file / sizeof top_file[0] && status == VSG_OK; i++)
        status = remove_file(o, top_file[i], NULL);
    return status;
}

/* Whether the path can be taken: not there, or a directory that is empty, forced, or has runs to
 * resume. */
static enum vsg_status look(const char *path, enum vsg_outdir_mode mode, struct vsg_diag *diag)
{
    struct stat st;
    bool empty = true, has_runs = false;
    if (stat(path, &st) != 0)
        return VSG_OK; /* making it says what is wrong, if anything */
    if (!S_ISDIR(st.st_mode)) {
        vsg_diag_error(diag, "--out %s: there is a file of this name; choose another", path);
        return VSG_EEXIST;
    }
    DIR *dir = opendir(path);
    if (!dir) {
        vsg_diag_error(diag, "--out %s: %s", path, strerror(errno));
        return VSG_EIO;
    }
    const struct dirent *entry = NULL;
    while ((entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            empty = false;
        has_runs |= strcmp(entry->d_name, "runs") == 0;
    }
    closedir(dir);
    if (empty || mode == VSG_OUTDIR_FORCE || (mode == VSG_OUTDIR_RESUME && has_runs))
        return VSG_OK;
    if (mode == VSG_OUTDIR_RESUME)
        vsg_diag_error(
            diag,
            "--out %s: is not empty and has no runs of vsgisim to resume; choose another "
            "directory",
            path);
    else
        vsg_diag_error(diag,
                       "--out %s: is not empty; choose another directory, --resume to go on with "
                       "the study in it, or --force to replace what vsgisim wrote there",
                       path);
    return VSG_EEXIST;
}

/* Two programs in one directory would each take the other's files for stale ones. Workers of a
 * program that was killed hold its lock until they have died too. */
static enum vsg_status lock(struct vsg_outdir *o)
{
    enum { TRIES = 100, PAUSE_MS = 50 };
    o->lock_fd = open(o->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; o->lock_fd >= 0 && i < TRIES; i++) {
        if (flock(o->lock_fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return VSG_OK; /* or a file system without locks */
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
    }
    vsg_diag_error(o->diag, "--out %s: %s", o->path,
                   o->lock_fd < 0 ? strerror(errno) : "another vsgisim is writing there");
    return o->lock_fd < 0 ? VSG_EIO : VSG_EEXIST;
}

static enum vsg_status make_folder(struct vsg_outdir *o, const char *name)
{
    char *path = join(o->path, name, NULL);
    enum vsg_status status = path ? vsg_file_make_directory(path, o->diag) : VSG_ENOMEM;
    free(path);
    return status;
}

enum vsg_status vsg_outdir_open(const char *path, enum vsg_outdir_mode mode,
                                const struct vsg_study *study, const char *version,
                                struct vsg_outdir **out, struct vsg_diag *diag)
{
    enum vsg_status status = look(path, mode, diag);
    if (status != VSG_OK)
        return status;
    struct vsg_outdir *o = calloc(1, sizeof *o);
    if (!o)
        return VSG_ENOMEM;
    *o = (struct vsg_outdir){.path = strdup(path),
                             .runs_path = join(path, "runs", NULL),
                             .study = study,
                             .version = version,
                             .diag = diag,
                             .started = time(NULL),
                             .lock_fd = -1};
    status = o->path && o->runs_path ? vsg_file_make_directory(path, diag) : VSG_ENOMEM;
    if (status == VSG_OK)
        status = lock(o);
    if (status == VSG_OK)
        status = remove_top_files(o);
    if (status == VSG_OK && mode != VSG_OUTDIR_RESUME)
        status = remove_runs(o, NULL, 0);
    if (status == VSG_OK)
        status = make_folder(o, "runs");
    if (status == VSG_OK)
        status = make_folder(o, "plots");
    if (status == VSG_OK && mode == VSG_OUTDIR_RESUME)
        status = vsg_resume_scan(o->runs_path, &o->resume, diag);
    if (status == VSG_OK)
        *out = o;
    else
        vsg_outdir_close(o);
    return status;
}

void vsg_outdir_close(struct vsg_outdir *o)
{
    if (!o)
        return;
    if (o->lock_fd >= 0)
        close(o->lock_fd);
    vsg_resume_free(&o->resume);
    free(o->path);
    free(o->runs_path);
    free(o);
}

enum vsg_status vsg_outdir_recall(struct vsg_outdir *o, struct vsg_run *run)
{
    return vsg_resume_recall(&o->resume, o->runs_path, o->study, o->version, run, o->diag);
}

uint32_t vsg_outdir_unwanted(const struct vsg_outdir *o)
{
    return vsg_resume_unwanted(&o->resume);
}

enum vsg_status vsg_outdir_count_done(const char *path, const struct vsg_study *study,
                                      const char *version, enum vsg_engine_choice engine,
                                      uint32_t *done, struct vsg_diag *diag)
{
    struct stat st;
    struct vsg_resume r = {.found = NULL};
    char *runs_path = join(path, "runs", NULL);
    enum vsg_status status = runs_path ? look(path, VSG_OUTDIR_RESUME, diag) : VSG_ENOMEM;
    *done = 0;
    if (status == VSG_OK && stat(runs_path, &st) == 0)
        status = vsg_resume_scan(runs_path, &r, diag);
    for (uint32_t i = 0; i < vsg_study_run_count(study) && status == VSG_OK; i++)
        for (int e = VSG_ENGINE_PARALLEL; e <= VSG_ENGINE_SIMGRID; e++) {
            struct vsg_run run = {.index = i, .engine = (enum vsg_engine)e};
            vsg_study_run_coordinates(study, i, &run.point, &run.policy, &run.replication);
            if (vsg_engine_takes_part(study, engine, run.point, run.engine))
                *done += vsg_resume_knows(&r, study, version, &run);
        }
    vsg_resume_free(&r);
    free(runs_path);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Writes text, which it frees, unless made says that there is none. */
static enum vsg_status write_text(struct vsg_outdir *o, const char *part, const char *name,
                                  enum vsg_status made, char *text)
{
    if (made != VSG_OK)
        return made;
    char *path = join(o->path, part, name);
    enum vsg_status status =
        path ? vsg_file_replace(path, text, strlen(text), o->diag) : VSG_ENOMEM;
    free(path);
    free(text);
    return status;
}

enum vsg_status vsg_outdir_write_run(struct vsg_outdir *o, const struct vsg_run *run)
{
    char name[VSG_RUNDIR_NAME];
    struct vsg_rundir d;
    enum vsg_status status = vsg_rundir_make(o->study, run, o->version, &d);
    if (status != VSG_OK)
        return status;
    status = vsg_rundir_write(o->runs_path, vsg_rundir_name(run, name), &d, o->diag);
    vsg_rundir_free(&d);
    return status;
}

/* ---- the end -----------------------------------------------------------------------------------
 */

/* Directories of runs that a study no longer has, once all that it has are there. */
static enum vsg_status remove_others(struct vsg_outdir *o, const struct vsg_outcome *out)
{
    for (uint32_t i = 0; i < out->run_count; i++)
        if (out->run[i].state == VSG_RUN_NOT_RUN)
            return VSG_OK; /* it was stopped: what is there may still be of use */
    char(*name)[VSG_RUNDIR_NAME] = calloc((size_t)out->run_count + 1, sizeof *name);
    if (!name)
        return VSG_ENOMEM;
    for (uint32_t i = 0; i < out->run_count; i++)
        vsg_rundir_name(&out->run[i], name[i]);
    qsort(name, out->run_count, sizeof *name, by_text);
    enum vsg_status status = remove_runs(o, name, out->run_count);
    free(name);
    return status;
}

enum vsg_status vsg_outdir_finish(struct vsg_outdir *o, const struct vsg_results *r,
                                  const struct vsg_manifest *m)
{
    static const struct {
        const char *part;
        enum vsg_status (*write)(const struct vsg_results *r, char **text);
    } file[] = {{"results.json", vsg_report_json},
                {"runs.csv", vsg_report_csv},
                {"plots/percentiles.tsv", vsg_report_percentiles_tsv},
                {"plots/stages.tsv", vsg_report_stages_tsv},
                {"plots/ccdf.tsv", vsg_plot_ccdf_tsv},
                {"plots/latency.tsv", vsg_plot_latency_tsv},
                {"plots/gain.tsv", vsg_plot_gain_tsv},
                {"plots/heatmap.tsv", vsg_plot_heatmap_tsv},
                {"plots/utilisation.tsv", vsg_plot_utilisation_tsv},
                {"plots/index.tsv", vsg_plot_index_tsv}};
    enum vsg_status status = remove_others(o, r->outcome);
    char *text = NULL;
    for (size_t i = 0; i < sizeof file / sizeof file[0] && status == VSG_OK; i++) {
        status = file[i].write(r, &text);
        status = write_text(o, file[i].part, NULL, status, text);
    }
    if (status == VSG_OK) {
        status = vsg_manifest_text(r, m, o->started, &text);
        status = write_text(o, "manifest.json", NULL, status, text);
    }
    return status;
}
