/* Where a run's warm-up ends, found in the run itself: MSER-5. Private to models/.
 *
 * Of a series of means by time, the cut is where the standard error of what remains, as if its
 * values were independent, is least: cutting more would lose more data than bias.
 * Source: K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation
 * heuristics for simulation", Winter Simulation Conference 2000. */
#ifndef VSG_MODELS_WARMUP_H
#define VSG_MODELS_WARMUP_H

#include "models/batches.h"

/* The cut of the latencies in bins that begin at time 0, of a run whose senders stop at end_ps.
 * Values are means of at least 5 bins and 5 IPIs; the cut leaves at least 5 of them.
 * False, *cut_ps untouched: there are fewer than 10 values. */
bool vsg_warmup_cut(const struct vsg_batches *bins, uint64_t end_ps, uint64_t *cut_ps);

#endif
