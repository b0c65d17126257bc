/* Latency histogram: how long the IPIs of a run took, in bounded memory.
 *
 * Unit     Every value is simulated time in picoseconds (suffix _ps).
 * Error    With sub_bits b, a quantile read back is never below the true sample
 *          and less than 2^-b above it; below 2^(b+1) ps it is exact.
 * Memory   8 * 2^b bytes per doubling of a value, up to the limit: 336 KiB with
 *          VSG_HIST_RUN_BITS, 12 KiB with VSG_HIST_COARSE_BITS. Pages of a large one
 *          that no sample touches are never backed.
 * Threads  No locks inside. One histogram per worker, merged after the join.
 * Source   Log-linear buckets; error bound derived in docs/validation.md.
 *          Idea from G. Tene's HdrHistogram, code our own. */
#ifndef VSG_ENGINE_HIST_H
#define VSG_ENGINE_HIST_H

#include <stddef.h>
#include <stdint.h>

#include "engine/status.h"

#define VSG_HIST_LIMIT_PS (UINT64_C(1) << 50) /* 18 minutes; longer ones count as clipped */
#define VSG_HIST_RUN_BITS 10                  /* 0.1 %: for a run's latency */
#define VSG_HIST_COARSE_BITS 5                /* 3.1 %: for node pairs and VMs */

struct vsg_hist; /* opaque */

/* Makes an empty histogram, sub_bits 1..14. Fails with VSG_ERANGE or VSG_ENOMEM. */
enum vsg_status vsg_hist_new(unsigned sub_bits, struct vsg_hist **out);
void vsg_hist_free(struct vsg_hist *h); /* NULL is allowed */

/* Adds one sample. Never allocates: all buckets up to the limit exist from the start
 * (untouched pages cost nothing). */
void vsg_hist_record(struct vsg_hist *h, uint64_t latency_ps);

/* Adds n samples of src to dst; integer sums, any order gives the same. Fails with
 * VSG_EINVAL, dst unchanged, when sub_bits differ. */
enum vsg_status vsg_hist_merge(struct vsg_hist *dst, const struct vsg_hist *src);

/* Gives up the memory of buckets that no sample is in: for results that are kept, of which a
 * study has thousands. A trimmed one reads as before but takes nothing more: it may be the src of a
 * merge, not the dst. *h moves. Fails with VSG_ENOMEM, *h unchanged. */
enum vsg_status vsg_hist_trim(struct vsg_hist **h);

uint64_t vsg_hist_count(const struct vsg_hist *h); /* clipped ones included */
uint64_t vsg_hist_clipped(const struct vsg_hist *h);

/* The quantile q_ppm (0..1000000): upper edge of the bucket of the sample of rank
 * ceil(q * count), at least 1. A clipped sample reads as VSG_HIST_LIMIT_PS. Fails with
 * VSG_ENODATA (empty) or VSG_ERANGE; *out_ps is then untouched. */
enum vsg_status vsg_hist_quantile(const struct vsg_hist *h, uint32_t q_ppm, uint64_t *out_ps);

/* For export and transport: bucket i counts the samples above bucket i - 1's top, up to its
 * own. i < vsg_hist_bucket_count(), which depends on sub_bits alone. */
size_t vsg_hist_bucket_count(const struct vsg_hist *h);
uint64_t vsg_hist_bucket(const struct vsg_hist *h, size_t i);
size_t vsg_hist_end(const struct vsg_hist *h); /* buckets from here on are empty */
uint64_t vsg_hist_bucket_top_ps(const struct vsg_hist *h, size_t i);
unsigned vsg_hist_sub_bits(const struct vsg_hist *h);
/* Adds n samples to bucket i (to rebuild a transported histogram). VSG_ERANGE: no such bucket. */
enum vsg_status vsg_hist_add_bucket(struct vsg_hist *h, size_t i, uint64_t n);
void vsg_hist_add_clipped(struct vsg_hist *h, uint64_t n);

/* Writes the .hgrm text that HdrHistogram's plotters read, values in ns with
 * three decimals, into a malloc'ed string that is the caller's. Mean and deviation in its
 * footer come from the middles of the buckets, so they carry the histogram's error.
 * Fails with VSG_ENODATA (empty) or VSG_ENOMEM; *text is then untouched. */
enum vsg_status vsg_hist_hgrm(const struct vsg_hist *h, char **text);

#endif
