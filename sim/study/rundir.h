/* The directory of one run, runs/NNNN: its files, and how it appears whole or not at all.
 * Used by outdir.c and resume.c. Failures are VSG_EIO with path and reason in diag. */
#ifndef VSG_STUDY_RUNDIR_H
#define VSG_STUDY_RUNDIR_H

#include <stdbool.h>

#include "study/execute.h"

enum vsg_rundir_part {
    VSG_RUNDIR_SCENARIO,
    VSG_RUNDIR_JSON,
    VSG_RUNDIR_HGRM,
    VSG_RUNDIR_PAIRS,
    VSG_RUNDIR_KEPT,
    VSG_RUNDIR_STATUS, /* the last to be written */
    VSG_RUNDIR_PARTS
};
extern const char *const vsg_rundir_file[VSG_RUNDIR_PARTS];

#define VSG_RUNDIR_NAME 64

/* "0003"; of two engines, simgrid's is "0003-simgrid". Returns name. */
char *vsg_rundir_name(const struct vsg_run *run, char *name);

/* True for names that we give: runs, and what a killed program may have left of them. */
bool vsg_rundir_is_ours(const char *name);

/* What a run's files hold; bytes NULL: it has no such file. */
struct vsg_rundir {
    char *bytes[VSG_RUNDIR_PARTS];
    size_t size[VSG_RUNDIR_PARTS];
};

/* Of a run that has ended, done or failed. On success *out is the caller's. Fails with
 * VSG_ENOMEM, or as vsg_run_result_pack(). */
enum vsg_status vsg_rundir_make(const struct vsg_study *s, const struct vsg_run *run,
                                const char *version, struct vsg_rundir *out);
void vsg_rundir_free(struct vsg_rundir *d);

/* Makes runs_path/name with these files, in the place of what is there: written as
 * name.tmp and renamed, so that a kill at any moment leaves the old one, none, or the new
 * one. Files of others in it stay. */
enum vsg_status vsg_rundir_write(const char *runs_path, const char *name,
                                 const struct vsg_rundir *d, struct vsg_diag *diag);

/* True when runs_path/name has exactly these files. */
bool vsg_rundir_is_there(const char *runs_path, const char *name, const struct vsg_rundir *d);

/* Removes our files in runs_path/name, status first, and the directory when it is empty then. */
enum vsg_status vsg_rundir_remove(const char *runs_path, const char *name, struct vsg_diag *diag);

#endif
