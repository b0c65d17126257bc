/* manifest.json: how results came about. Unlike them it may differ from one execution to the next:
 * it has clock times, the host and the command. Used by outdir.c only. */
#ifndef VSG_STUDY_MANIFEST_H
#define VSG_STUDY_MANIFEST_H

#include <time.h>

#include "study/outdir.h"

/* The text, malloc'ed, the caller's. started: when the directory was opened. Fails with
 * VSG_ENOMEM. */
enum vsg_status vsg_manifest_text(const struct vsg_results *r, const struct vsg_manifest *m,
                                  time_t started, char **text);

#endif
