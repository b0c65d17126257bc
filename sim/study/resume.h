/* `--resume`: the finished runs that a directory holds, and which of them a study still wants.
 * Used by outdir.c only.
 *
 * A run is trusted when its status says done and its result.bin is whole; what it is, its identity
 * says (kept.h), not its place. So a changed sweep finds its old runs under new numbers,
 * and they are moved: what stands in the way is set aside as keep-IDENTITY first, so that a kill at
 * any moment loses none. */
#ifndef VSG_STUDY_RESUME_H
#define VSG_STUDY_RESUME_H

#include "study/execute.h"

struct vsg_found; /* a directory of a finished run */

struct vsg_resume {
    struct vsg_found *found; /* [count] by identity, then name */
    struct vsg_found **by_name;
    uint32_t count;
};

/* Looks through runs_path. On success *out is the caller's. Fails with VSG_EIO or VSG_ENOMEM. */
enum vsg_status vsg_resume_scan(const char *runs_path, struct vsg_resume *out,
                                struct vsg_diag *diag);
void vsg_resume_free(struct vsg_resume *r);

/* Fills a run from what was found, and sees that its directory is where and as it should be.
 * A run that was not found stays VSG_RUN_NOT_RUN. Fails with VSG_EIO or VSG_ENOMEM. */
enum vsg_status vsg_resume_recall(struct vsg_resume *r, const char *runs_path,
                                  const struct vsg_study *s, const char *version,
                                  struct vsg_run *run, struct vsg_diag *diag);

/* Whether the run was found; looks only. */
bool vsg_resume_knows(const struct vsg_resume *r, const struct vsg_study *s, const char *version,
                      const struct vsg_run *run);

/* Finished runs that no recall has wanted so far. */
uint32_t vsg_resume_unwanted(const struct vsg_resume *r);

#endif
