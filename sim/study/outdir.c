#include "study/outdir.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "study/manifest.h"
#include "study/text.h"

struct vsg_outdir {
    char *path;
    const struct vsg_study *study;
    const char *version;
    struct vsg_diag *diag;
    time_t started;
};

static const char *const run_file[] = {"status", "scenario.yaml", "result.json", "latency.hgrm",
                                       "pairs.tsv"};
static const char *const top_file[] = {"manifest.json", "results.json", "runs.csv",
                                       "plots/percentiles.tsv", "plots/stages.tsv"};

/* "DIR/part", or "DIR/part/name". NULL: no memory. */
static char *join(const char *dir, const char *part, const char *name)
{
    struct vsg_text t = {0};
    char *path = NULL;
    vsg_text_add(&t, "%s/%s%s%s", dir, part, name ? "/" : "", name ? name : "");
    return vsg_text_take(&t, &path) == VSG_OK ? path : NULL;
}

/* ---- taking the directory ------------------------------------------------------------------ */

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

/* "0003" or "0003-simgrid": names that we give and no one else would. */
static bool is_run_name(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits >= 4 && (!name[digits] || strcmp(name + digits, "-simgrid") == 0);
}

static enum vsg_status remove_run(struct vsg_outdir *o, const char *name)
{
    enum vsg_status status = VSG_OK;
    char *part = join("runs", name, NULL), *path = part ? join(o->path, part, NULL) : NULL;
    if (!path)
        status = VSG_ENOMEM;
    for (size_t i = 0; i < sizeof run_file / sizeof run_file[0] && status == VSG_OK; i++)
        status = remove_file(o, part, run_file[i]);
    if (status == VSG_OK)
        (void)rmdir(path); /* stays when the user has put something there */
    free(part);
    free(path);
    return status;
}

static enum vsg_status remove_runs(struct vsg_outdir *o)
{
    char *path = join(o->path, "runs", NULL);
    DIR *dir = path ? opendir(path) : NULL;
    enum vsg_status status = path ? VSG_OK : VSG_ENOMEM;
    const struct dirent *entry = NULL;
    while (dir && status == VSG_OK && (entry = readdir(dir)))
        if (is_run_name(entry->d_name))
            status = remove_run(o, entry->d_name);
    if (dir)
        closedir(dir);
    free(path);
    return status;
}

static enum vsg_status remove_earlier(struct vsg_outdir *o)
{
    enum vsg_status status = remove_runs(o);
    for (size_t i = 0; i < sizeof top_file / sizeof top_file[0] && status == VSG_OK; i++)
        status = remove_file(o, top_file[i], NULL);
    return status;
}

/* Whether the path can be taken: not there, or a directory that is empty or forced. */
static enum vsg_status look(const char *path, bool force, struct vsg_diag *diag)
{
    struct stat st;
    bool empty = true;
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
    while ((entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            empty = false;
    closedir(dir);
    if (empty || force)
        return VSG_OK;
    vsg_diag_error(diag,
                   "--out %s: is not empty; choose another directory, or --force to replace what "
                   "vsgisim wrote there",
                   path);
    return VSG_EEXIST;
}

static enum vsg_status make_folder(struct vsg_outdir *o, const char *name)
{
    char *path = join(o->path, name, NULL);
    enum vsg_status status = path ? vsg_file_make_directory(path, o->diag) : VSG_ENOMEM;
    free(path);
    return status;
}

enum vsg_status vsg_outdir_open(const char *path, bool force, const struct vsg_study *study,
                                const char *version, struct vsg_outdir **out, struct vsg_diag *diag)
{
    enum vsg_status status = look(path, force, diag);
    if (status != VSG_OK)
        return status;
    struct vsg_outdir *o = calloc(1, sizeof *o);
    if (!o)
        return VSG_ENOMEM;
    *o = (struct vsg_outdir){.path = strdup(path),
                             .study = study,
                             .version = version,
                             .diag = diag,
                             .started = time(NULL)};
    status = o->path ? vsg_file_make_directory(path, diag) : VSG_ENOMEM;
    if (status == VSG_OK)
        status = remove_earlier(o);
    if (status == VSG_OK)
        status = make_folder(o, "runs");
    if (status == VSG_OK)
        status = make_folder(o, "plots");
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
    free(o->path);
    free(o);
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

/* The point's scenario with this run's policy alone, so that the file repeats the run. */
static enum vsg_status run_scenario(const struct vsg_study *s, const struct vsg_run *run,
                                    char **text)
{
    const struct vsg_point *point = &s->point[run->point];
    const char *policy = vsg_policy_name[s->policy[run->policy]];
    struct vsg_setting setting = {"policies", NULL};
    struct vsg_text value = {0}, t = {0};
    struct vsg_study one;
    struct vsg_diag diag = VSG_DIAG_INIT;
    bool alone = false;
    vsg_text_add(&value, "[%s]", policy);
    setting.value = value.bytes;
    if (s->policy_count > 1 && !value.failed)
        alone = vsg_study_load(point->resolved_yaml, strlen(point->resolved_yaml), &setting, 1,
                               &one, &diag) == VSG_OK;
    vsg_text_add(&t, "# Run %u of %s: policy %s, replication %u of %u (they count from 0).\n",
                 run->index, s->name, policy, run->replication, s->replications);
    vsg_text_add(&t, "%s", alone ? one.point[0].resolved_yaml : point->resolved_yaml);
    if (alone)
        vsg_study_free(&one);
    vsg_diag_clear(&diag);
    vsg_text_free(&value);
    return vsg_text_take(&t, text);
}

static enum vsg_status write_results(struct vsg_outdir *o, const char *part,
                                     const struct vsg_run *run)
{
    struct vsg_run_figures f = {.run = run};
    char *text = NULL;
    enum vsg_status status =
        vsg_figures_of_run(&run->result, &o->study->point[run->point].config, &f.figures);
    if (status != VSG_OK)
        return status;
    f.has_figures = true;
    status = vsg_report_run_json(o->study, &f, &text);
    status = write_text(o, part, "result.json", status, text);
    if (status == VSG_OK && run->result.latency.hist) {
        status = vsg_hist_hgrm(run->result.latency.hist, &text);
        status = write_text(o, part, "latency.hgrm", status, text);
    }
    if (status == VSG_OK) {
        status = vsg_report_pairs_tsv(&f, &text);
        status = write_text(o, part, "pairs.tsv", status, text);
    }
    vsg_figures_free(&f.figures);
    return status;
}

static enum vsg_status write_status(struct vsg_outdir *o, const char *part,
                                    const struct vsg_run *run)
{
    struct vsg_text t = {0};
    char *text = NULL;
    if (run->state == VSG_RUN_DONE)
        vsg_text_add(&t, "done\n");
    else
        vsg_text_add(&t, "failed: %s\n", run->error ? run->error : "");
    enum vsg_status status = vsg_text_take(&t, &text);
    return write_text(o, part, "status", status, text);
}

enum vsg_status vsg_outdir_write_run(struct vsg_outdir *o, const struct vsg_run *run)
{
    struct vsg_text name = {0};
    char *part = NULL, *text = NULL;
    bool second = run->twin && run->engine == VSG_ENGINE_SIMGRID;
    vsg_text_add(&name, "runs/%04u%s", run->index, second ? "-simgrid" : "");
    enum vsg_status status = vsg_text_take(&name, &part);
    if (status != VSG_OK)
        return status;
    status = make_folder(o, part);
    if (status == VSG_OK) {
        status = run_scenario(o->study, run, &text);
        status = write_text(o, part, "scenario.yaml", status, text);
    }
    if (status == VSG_OK && run->state == VSG_RUN_DONE)
        status = write_results(o, part, run);
    if (status == VSG_OK)
        status = write_status(o, part, run);
    free(part);
    return status;
}

/* ---- the end -----------------------------------------------------------------------------------
 */

enum vsg_status vsg_outdir_finish(struct vsg_outdir *o, const struct vsg_results *r,
                                  const struct vsg_manifest *m)
{
    static const struct {
        const char *part;
        enum vsg_status (*write)(const struct vsg_results *r, char **text);
    } file[] = {{"results.json", vsg_report_json},
                {"runs.csv", vsg_report_csv},
                {"plots/percentiles.tsv", vsg_report_percentiles_tsv},
                {"plots/stages.tsv", vsg_report_stages_tsv}};
    enum vsg_status status = VSG_OK;
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
