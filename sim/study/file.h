/* Writing files whole or not at all. Every failure is VSG_EIO with path and reason. */
#ifndef VSG_STUDY_FILE_H
#define VSG_STUDY_FILE_H

#include <stddef.h>

#include "engine/diag.h"
#include "engine/status.h"

/* Writes path + ".tmp", syncs it, and renames it to path. On failure path is as before and
 * the temporary file is gone. */
enum vsg_status vsg_file_replace(const char *path, const char *text, size_t size,
                                 struct vsg_diag *diag);

/* Makes a directory and its missing parents; one that is there is fine. */
enum vsg_status vsg_file_make_directory(const char *path, struct vsg_diag *diag);

/* Removes a file; none there is fine. */
enum vsg_status vsg_file_remove(const char *path, struct vsg_diag *diag);

#endif
