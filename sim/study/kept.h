/* runs/NNNN/result.bin: a finished run's integers, kept so that `--resume` need not run it again.
 *
 * It says which run it is by an identity, a hash of everything that can influence the run: the
 * resolved scenario without names and other runs' replications, the policy, the replication, the
 * engine and vsgisim's version. Equal identities stand for equal results, whatever the
 * run's index is now. Native byte order: read back on machines alike. */
#ifndef VSG_STUDY_KEPT_H
#define VSG_STUDY_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "study/execute.h"

bool vsg_identity_equal(struct vsg_identity a, struct vsg_identity b);
int vsg_identity_order(struct vsg_identity a, struct vsg_identity b); /* as memcmp */

/* The identity of a run, which need not have been run. */
struct vsg_identity vsg_run_identity(const struct vsg_study *s, const struct vsg_run *run,
                                     const char *version);

/* A run that is done as bytes (malloc'ed, the caller's), without samples and clock. Equal
 * runs give equal bytes. Fails with VSG_ENOMEM, or as vsg_run_result_pack(). */
enum vsg_status vsg_kept_pack(const struct vsg_run *run, struct vsg_identity identity,
                              unsigned char **bytes, size_t *size);

/* Whose they are. VSG_EINVAL: not whole, or damaged (a checksum covers all). */
enum vsg_status vsg_kept_identity(const unsigned char *bytes, size_t size,
                                  struct vsg_identity *identity);

/* Fills state, result and diag of a run from bytes that vsg_kept_identity() took. Fails with
 * VSG_ENOMEM, or VSG_EINVAL (of another version of this code); *run is untouched then. */
enum vsg_status vsg_kept_unpack(const unsigned char *bytes, size_t size, struct vsg_run *run);

#endif
