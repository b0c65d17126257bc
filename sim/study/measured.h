/* Measured durations from a CSV file.
 *
 * A header line, then a line per measurement: value_ns alone, or with weight (a whole number; how
 * often it was seen), or quantile (0 to 1, rising) and value_ns. Up to three decimals of
 * value_ns, six of quantile. Empty lines and lines that begin with # are skipped; blanks around
 * cells too. */
#ifndef VSG_STUDY_MEASURED_H
#define VSG_STUDY_MEASURED_H

#include <stddef.h>
#include <stdint.h>

#include "engine/dist.h"

/* Reads a file of at most 16 MiB into *out (VSG_DIST_VALUES or _QUANTILES, mean included), equal
 * values joined. max_ps: the longest allowed. On success its points are the caller's. Otherwise
 * *out is untouched and why[0..why_size) says "FILE:LINE: what is wrong". Fails with VSG_EIO,
 * VSG_ESCENARIO or VSG_ENOMEM. */
enum vsg_status vsg_measured_read(const char *path, uint64_t max_ps, struct vsg_dist *out,
                                  char *why, size_t why_size);

#endif
