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

/* Writes a new file without syncing it; one of that name is replaced in place. For files that
 * only count once their directory has been renamed, and are checked when read back. */
enum vsg_status vsg_file_write(const char *path, const void *bytes, size_t size,
                               struct vsg_diag *diag);

/* Reads a whole file; *bytes is malloc'ed, the caller's, with a zero behind the last. Fails with
 * VSG_ENODATA (there is none; nothing is said), VSG_EIO or VSG_ENOMEM. */
enum vsg_status vsg_file_read(const char *path, unsigned char **bytes, size_t *size,
                              struct vsg_diag *diag);

/* Makes a directory and its missing parents; one that is there is fine. */
enum vsg_status vsg_file_make_directory(const char *path, struct vsg_diag *diag);

/* Removes a file; none there is fine. */
enum vsg_status vsg_file_remove(const char *path, struct vsg_diag *diag);

#endif
