#include "study/rundir.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/file.h"
#include "study/kept.h"
#include "study/report.h"
#include "study/text.h"

const char *const vsg_rundir_file[VSG_RUNDIR_PARTS] = {
    [VSG_RUNDIR_SCENARIO] = "scenario.yaml", [VSG_RUNDIR_JSON] = "result.json",
    [VSG_RUNDIR_HGRM] = "latency.hgrm",      [VSG_RUNDIR_PAIRS] = "pairs.tsv",
    [VSG_RUNDIR_KEPT] = "result.bin",        [VSG_RUNDIR_STATUS] = "status",
};

/* ---- names ---------------------------------------------------------------------------------- */

char *vsg_rundir_name(const struct vsg_run *run, char *name)
{
    bool second = run->twin && run->engine == VSG_ENGINE_SIMGRID;
    snprintf(name, VSG_RUNDIR_NAME, "%04u%s", run->index, second ? "-simgrid" : "");
    return name;
}

bool vsg_rundir_is_ours(const char *name)
{
    if (strncmp(name, "keep-", 5) == 0) /* set aside by resume.c: 32 hex digits */
        return strspn(name + 5, "0123456789abcdef") == 32 && !name[37];
    size_t digits = strspn(name, "0123456789");
    if (digits < 4)
        return false;
    name += digits;
    name += strncmp(name, "-simgrid", 8) == 0 ? 8 : 0;
    return !*name || strcmp(name, ".tmp") == 0;
}

/* "a/b" or "a/b/c" into path[PATH_MAX]. */
static enum vsg_status join(char *path, const char *a, const char *b, const char *c,
                            struct vsg_diag *diag)
{
    int n = snprintf(path, PATH_MAX, "%s/%s%s%s", a, b, c ? "/" : "", c ? c : "");
    if (n > 0 && n < PATH_MAX)
        return VSG_OK;
    vsg_diag_error(diag, "%s/%s: %s", a, b, strerror(ENAMETOOLONG));
    return VSG_EIO;
}

/* ---- contents -------------------------------------------------------------------------------- */

/* The point's scenario with this run's policy alone where that repeats the run: the line
 * of policies is replaced (one line at the top level; texts are quoted in a line of their own). */
static void add_scenario(const struct vsg_study *s, const struct vsg_run *run, struct vsg_text *t)
{
    static const char key[] = "\npolicies: [";
    const struct vsg_point *point = &s->point[run->point];
    const char *policy = vsg_policy_name[s->policy[run->policy]], *yaml = point->resolved_yaml;
    const char *list = strstr(yaml, key);
    const char *end = list ? strchr(list + sizeof key - 1, '\n') : NULL;
    vsg_text_add(t, "# Run %u of %s: policy %s, replication %u of %u (they count from 0).\n",
                 run->index, s->name, policy, run->replication, s->replications);
    if (!end || vsg_config_needs_all_policies(&point->config)) {
        vsg_text_add(t, "%s", yaml);
        return;
    }
    vsg_text_put(t, yaml, (size_t)(list - yaml));
    vsg_text_add(t, "%s%s]%s", key, policy, end);
}

static enum vsg_status take(struct vsg_rundir *d, enum vsg_rundir_part part, enum vsg_status made,
                            char *text)
{
    if (made != VSG_OK)
        return made;
    d->bytes[part] = text;
    d->size[part] = strlen(text);
    return VSG_OK;
}

static enum vsg_status make_results(const struct vsg_study *s, const struct vsg_run *run,
                                    const char *version, struct vsg_rundir *d)
{
    struct vsg_run_figures f = {.run = run};
    char *text = NULL;
    unsigned char *kept = NULL;
    enum vsg_status status =
        vsg_figures_of_run(&run->result, &s->point[run->point].config, &f.figures);
    if (status != VSG_OK)
        return status;
    f.has_figures = true;
    status = vsg_report_run_json(s, &f, &text);
    status = take(d, VSG_RUNDIR_JSON, status, text);
    if (status == VSG_OK && run->result.latency.hist) {
        status = vsg_hist_hgrm(run->result.latency.hist, &text);
        status = take(d, VSG_RUNDIR_HGRM, status, text);
    }
    if (status == VSG_OK) {
        status = vsg_report_pairs_tsv(&f, &text);
        status = take(d, VSG_RUNDIR_PAIRS, status, text);
    }
    if (status == VSG_OK)
        status =
            vsg_kept_pack(run, vsg_run_identity(s, run, version), &kept, &d->size[VSG_RUNDIR_KEPT]);
    d->bytes[VSG_RUNDIR_KEPT] = (char *)kept;
    vsg_figures_free(&f.figures);
    return status;
}

enum vsg_status vsg_rundir_make(const struct vsg_study *s, const struct vsg_run *run,
                                const char *version, struct vsg_rundir *out)
{
    struct vsg_rundir d = {.bytes = {NULL}};
    struct vsg_text t = {0};
    char *text = NULL;
    add_scenario(s, run, &t);
    enum vsg_status status = vsg_text_take(&t, &text);
    status = take(&d, VSG_RUNDIR_SCENARIO, status, text);
    if (status == VSG_OK && run->state == VSG_RUN_DONE)
        status = make_results(s, run, version, &d);
    if (status == VSG_OK) {
        if (run->state == VSG_RUN_DONE)
            vsg_text_add(&t, "done\n");
        else
            vsg_text_add(&t, "failed: %s\n", run->error ? run->error : "");
        status = vsg_text_take(&t, &text);
        status = take(&d, VSG_RUNDIR_STATUS, status, text);
    }
    if (status == VSG_OK)
        *out = d;
    else
        vsg_rundir_free(&d);
    return status;
}

void vsg_rundir_free(struct vsg_rundir *d)
{
    for (int i = 0; i < VSG_RUNDIR_PARTS; i++)
        free(d->bytes[i]);
    *d = (struct vsg_rundir){.bytes = {NULL}};
}

/* ---- on disk -----------------------------------------------------------------------------------
 */

/* Where the user has put files of their own into the old directory, it stays, and ours move in
 * one by one, status last. */
static enum vsg_status move_in(const char *runs_path, const char *name, const char *temporary,
                               const struct vsg_rundir *d, struct vsg_diag *diag)
{
    char from[PATH_MAX], to[PATH_MAX];
    enum vsg_status status = VSG_OK;
    for (int i = 0; i < VSG_RUNDIR_PARTS && status == VSG_OK; i++) {
        if (!d->bytes[i])
            continue;
        status = join(from, runs_path, temporary, vsg_rundir_file[i], diag);
        if (status == VSG_OK)
            status = join(to, runs_path, name, vsg_rundir_file[i], diag);
        if (status == VSG_OK && rename(from, to) != 0) {
            vsg_diag_error(diag, "%s: %s", to, strerror(errno));
            status = VSG_EIO;
        }
    }
    return status == VSG_OK ? vsg_rundir_remove(runs_path, temporary, diag) : status;
}

enum vsg_status vsg_rundir_write(const char *runs_path, const char *name,
                                 const struct vsg_rundir *d, struct vsg_diag *diag)
{
    char temporary[VSG_RUNDIR_NAME + 8], path[PATH_MAX], to[PATH_MAX];
    snprintf(temporary, sizeof temporary, "%s.tmp", name);
    enum vsg_status status = join(path, runs_path, temporary, NULL, diag);
    if (status == VSG_OK)
        status = join(to, runs_path, name, NULL, diag);
    if (status == VSG_OK && mkdir(path, 0777) != 0) {
        status = vsg_rundir_remove(runs_path, temporary, diag); /* of a program that was killed */
        if (status == VSG_OK)
            status = vsg_file_make_directory(path, diag);
    }
    for (int i = 0; i < VSG_RUNDIR_PARTS && status == VSG_OK; i++)
        if (d->bytes[i]) {
            status = join(path, runs_path, temporary, vsg_rundir_file[i], diag);
            if (status == VSG_OK)
                status = vsg_file_write(path, d->bytes[i], d->size[i], diag);
        }
    if (status == VSG_OK)
        status = join(path, runs_path, temporary, NULL, diag);
    if (status != VSG_OK) {
        (void)vsg_rundir_remove(runs_path, temporary, NULL);
        return status;
    }
    if (rename(path, to) == 0)
        return VSG_OK;
    status = vsg_rundir_remove(runs_path, name, diag); /* an earlier one is in the way */
    if (status != VSG_OK || rename(path, to) == 0)
        return status;
    if (errno == ENOTEMPTY || errno == EEXIST)
        return move_in(runs_path, name, temporary, d, diag);
    vsg_diag_error(diag, "%s: %s", to, strerror(errno));
    return VSG_EIO;
}

bool vsg_rundir_is_there(const char *runs_path, const char *name, const struct vsg_rundir *d)
{
    char path[PATH_MAX];
    for (int i = 0; i < VSG_RUNDIR_PARTS; i++) {
        unsigned char *bytes = NULL;
        size_t size = 0;
        enum vsg_status status = join(path, runs_path, name, vsg_rundir_file[i], NULL);
        if (status == VSG_OK)
            status = vsg_file_read(path, &bytes, &size, NULL);
        bool same = d->bytes[i] ? status == VSG_OK && size == d->size[i] &&
                                      memcmp(bytes, d->bytes[i], size) == 0
                                : status == VSG_ENODATA;
        free(bytes);
        if (!same)
            return false;
    }
    return true;
}

enum vsg_status vsg_rundir_remove(const char *runs_path, const char *name, struct vsg_diag *diag)
{
    char path[PATH_MAX];
    enum vsg_status status = VSG_OK;
    for (int i = VSG_RUNDIR_PARTS - 1; i >= 0 && status == VSG_OK; i--) {
        status = join(path, runs_path, name, vsg_rundir_file[i], diag);
        if (status == VSG_OK)
            status = vsg_file_remove(path, diag);
    }
    if (status == VSG_OK)
        status = join(path, runs_path, name, NULL, diag);
    if (status == VSG_OK)
        (void)rmdir(path); /* stays when the user has put something there */
    return status;
}
