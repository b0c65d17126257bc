/* A run's outcome as bytes: from a worker to its parent, and into a directory that is resumed. */
#ifndef VSG_STUDY_MESSAGE_H
#define VSG_STUDY_MESSAGE_H

#include <stddef.h>

#include "engine/diag.h"
#include "engine/status.h"
#include "models/result.h"

/* Packs how a run ended: its status, all words of diag, and with VSG_OK the result. *bytes is
 * malloc'ed, the caller's. Fails with VSG_ENOMEM, or VSG_EINVAL as vsg_run_result_pack(). */
enum vsg_status vsg_message_pack(enum vsg_status ended, const struct vsg_diag *diag,
                                 const struct vsg_run_result *result, unsigned char **bytes,
                                 size_t *size);

/* The reverse. *ended may come out as VSG_ENOMEM or VSG_EINVAL when the result cannot be read.
 * Words are added to *diag, without positions; *result is filled when *ended is VSG_OK, and
 * the caller's. Fails with VSG_EINVAL when the bytes are no whole message; nothing is touched
 * then. */
enum vsg_status vsg_message_unpack(const unsigned char *bytes, size_t size, enum vsg_status *ended,
                                   struct vsg_diag *diag, struct vsg_run_result *result);

#endif
