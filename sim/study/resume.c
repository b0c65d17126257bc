#include "study/resume.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/file.h"
#include "study/kept.h"
#include "study/rundir.h"

struct vsg_found {
    struct vsg_identity identity;
    char name[VSG_RUNDIR_NAME];  /* as it was found */
    char place[VSG_RUNDIR_NAME]; /* where it is now */
    bool wanted;
};

/* Reads a file of a run's directory. */
static enum vsg_status read_part(const char *runs_path, const char *name, enum vsg_rundir_part part,
                                 unsigned char **bytes, size_t *size, struct vsg_diag *diag)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%s/%s", runs_path, name, vsg_rundir_file[part]);
    if (n < 0 || n >= PATH_MAX)
        return VSG_ENODATA;
    return vsg_file_read(path, bytes, size, diag);
}

/* ---- looking through the directory ---------------------------------------------------------- */

static bool says_done(const char *runs_path, const char *name)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    bool done = read_part(runs_path, name, VSG_RUNDIR_STATUS, &bytes, &size, NULL) == VSG_OK &&
                size == 5 && memcmp(bytes, "done\n", 5) == 0;
    free(bytes);
    return done;
}

static enum vsg_status look_at(const char *runs_path, const char *name, struct vsg_resume *r,
                               uint32_t *room)
{
    struct vsg_found f = {.wanted = false};
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!vsg_rundir_is_ours(name) || strlen(name) >= sizeof f.name || !says_done(runs_path, name))
        return VSG_OK;
    enum vsg_status status = read_part(runs_path, name, VSG_RUNDIR_KEPT, &bytes, &size, NULL);
    if (status == VSG_OK)
        status = vsg_kept_identity(bytes, size, &f.identity);
    free(bytes);
    if (status != VSG_OK) /* cannot be read: it is run again */
        return status == VSG_ENOMEM ? status : VSG_OK;
    snprintf(f.name, sizeof f.name, "%s", name);
    snprintf(f.place, sizeof f.place, "%s", name);
    if (r->count == *room) {
        uint32_t more = *room ? 2 * *room : 256;
        struct vsg_found *grown = realloc(r->found, more * sizeof *grown);
        if (!grown)
            return VSG_ENOMEM;
        r->found = grown;
        *room = more;
    }
    r->found[r->count++] = f;
    return VSG_OK;
}

static int by_identity(const void *pa, const void *pb)
{
    const struct vsg_found *a = pa, *b = pb;
    int order = vsg_identity_order(a->identity, b->identity);
    return order ? order : strcmp(a->name, b->name);
}

static int by_name(const void *pa, const void *pb)
{
    const struct vsg_found *const *a = pa, *const *b = pb;
    return strcmp((*a)->name, (*b)->name);
}

enum vsg_status vsg_resume_scan(const char *runs_path, struct vsg_resume *out,
                                struct vsg_diag *diag)
{
    struct vsg_resume r = {.found = NULL};
    enum vsg_status status = VSG_OK;
    uint32_t room = 0;
    DIR *dir = opendir(runs_path);
    const struct dirent *entry = NULL;
    if (!dir) {
        vsg_diag_error(diag, "%s: %s", runs_path, strerror(errno));
        return VSG_EIO;
    }
    while (status == VSG_OK && (entry = readdir(dir)))
        status = look_at(runs_path, entry->d_name, &r, &room);
    closedir(dir);
    r.by_name = calloc((size_t)r.count + 1, sizeof *r.by_name);
    if (!r.by_name)
        status = VSG_ENOMEM;
    if (status != VSG_OK) {
        vsg_resume_free(&r);
        return status;
    }
    if (r.count > 0)
        qsort(r.found, r.count, sizeof *r.found, by_identity);
    for (uint32_t i = 0; i < r.count; i++)
        r.by_name[i] = &r.found[i];
    qsort((void *)r.by_name, r.count, sizeof *r.by_name, by_name);
    *out = r;
    return VSG_OK;
}

void vsg_resume_free(struct vsg_resume *r)
{
    free(r->found);
    free((void *)r->by_name);
    *r = (struct vsg_resume){.found = NULL};
}

uint32_t vsg_resume_unwanted(const struct vsg_resume *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; i++)
        count += !r->found[i].wanted;
    return count;
}

/* ---- recalling a run ------------------------------------------------------------------------- */

/* Of several equal ones, the one in the right place, else one that nobody wants yet. */
static struct vsg_found *find(const struct vsg_resume *r, struct vsg_identity id, const char *name)
{
    uint32_t low = 0, high = r->count;
    struct vsg_found *best = NULL;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = vsg_identity_order(r->found[middle].identity, id) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    for (; low < r->count && vsg_identity_equal(r->found[low].identity, id); low++) {
        struct vsg_found *f = &r->found[low];
        if (strcmp(f->place, name) == 0)
            return f;
        if (!best || (best->wanted && !f->wanted))
            best = f;
    }
    return best;
}

bool vsg_resume_knows(const struct vsg_resume *r, const struct vsg_study *s, const char *version,
                      const struct vsg_run *run)
{
    return find(r, vsg_run_identity(s, run, version), "") != NULL;
}

/* Another finished run may stand where this one belongs, and be wanted later. */
static enum vsg_status set_aside(struct vsg_resume *r, const char *runs_path, const char *name,
                                 struct vsg_diag *diag)
{
    struct vsg_found key = {.wanted = false}, *key_at = &key, **at;
    char from[PATH_MAX], to[PATH_MAX];
    snprintf(key.name, sizeof key.name, "%s", name);
    at = bsearch(&key_at, (void *)r->by_name, r->count, sizeof(struct vsg_found *), by_name);
    if (!at || strcmp((*at)->place, name) != 0)
        return VSG_OK;
    struct vsg_found *f = *at;
    snprintf(f->place, sizeof f->place, "keep-%016llx%016llx",
             (unsigned long long)f->identity.part[1], (unsigned long long)f->identity.part[0]);
    int n = snprintf(from, sizeof from, "%s/%s", runs_path, name);
    int m = snprintf(to, sizeof to, "%s/%s", runs_path, f->place);
    if (n < 0 || n >= PATH_MAX || m < 0 || m >= PATH_MAX)
        return VSG_EIO;
    if (rename(from, to) == 0)
        return VSG_OK;
    if (errno == ENOTEMPTY || errno == EEXIST) /* an equal one is there already */
        return VSG_OK;
    vsg_diag_error(diag, "%s: %s", from, strerror(errno));
    return VSG_EIO;
}

static enum vsg_status put_in_place(struct vsg_resume *r, const char *runs_path,
                                    struct vsg_found *f, const char *name,
                                    const struct vsg_rundir *d, struct vsg_diag *diag)
{
    char old[VSG_RUNDIR_NAME];
    bool moves = strcmp(f->place, name) != 0;
    if (!moves && vsg_rundir_is_there(runs_path, name, d))
        return VSG_OK;
    enum vsg_status status = moves ? set_aside(r, runs_path, name, diag) : VSG_OK;
    if (status == VSG_OK)
        status = vsg_rundir_write(runs_path, name, d, diag);
    if (status != VSG_OK || !moves || f->wanted) /* wanted there too: it is a copy */
        return status;
    memcpy(old, f->place, sizeof old);
    snprintf(f->place, sizeof f->place, "%s", name);
    return vsg_rundir_remove(runs_path, old, diag);
}

enum vsg_status vsg_resume_recall(struct vsg_resume *r, const char *runs_path,
                                  const struct vsg_study *s, const char *version,
                                  struct vsg_run *run, struct vsg_diag *diag)
{
    char name[VSG_RUNDIR_NAME];
    unsigned char *bytes = NULL;
    size_t size = 0;
    struct vsg_rundir d;
    vsg_rundir_name(run, name);
    struct vsg_found *f = find(r, vsg_run_identity(s, run, version), name);
    if (!f)
        return VSG_OK;
    enum vsg_status status = read_part(runs_path, f->place, VSG_RUNDIR_KEPT, &bytes, &size, diag);
    if (status == VSG_OK)
        status = vsg_kept_unpack(bytes, size, run);
    free(bytes);
    if (status == VSG_EINVAL || status == VSG_ENODATA)
        return VSG_OK; /* cannot be read: it is run again */
    if (status == VSG_OK)
        status = vsg_rundir_make(s, run, version, &d);
    if (status != VSG_OK)
        return status;
    status = put_in_place(r, runs_path, f, name, &d, diag);
    f->wanted = true;
    vsg_rundir_free(&d);
    return status;
}
