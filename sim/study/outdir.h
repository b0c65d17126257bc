/* The output directory of a study (--out DIR).
 *
 *   manifest.json   version, command, wall time, events/s, host, parameters with sources
 *   results.json    as `run --json` prints it
 *   runs.csv        tidy: a row per run, a column per axis
 *   runs/NNNN/      scenario.yaml (resolved), result.json, latency.hgrm, pairs.tsv, status (last);
 *                   NNNN is the run's index; of two engines, simgrid's is NNNN-simgrid
 *   plots/          percentiles.tsv, stages.tsv for gnuplot
 *
 * Files are written under temporary names (NAME.tmp), synced and renamed: under a final name
 * there is a whole file or none, and a run whose status says "done" is whole. Every failure
 * is VSG_EIO with path and reason in diag. */
#ifndef VSG_STUDY_OUTDIR_H
#define VSG_STUDY_OUTDIR_H

#include <stdbool.h>

#include "study/file.h"
#include "study/report.h"

struct vsg_outdir; /* opaque */

/* Makes the directory (and missing parents) or takes an empty one. One that is not empty, or a
 * file, is in the way: VSG_EEXIST; with force, what vsgisim wrote there before is
 * removed, other files stay. study, version and diag must outlive it. */
enum vsg_status vsg_outdir_open(const char *path, bool force, const struct vsg_study *study,
                                const char *version, struct vsg_outdir **out,
                                struct vsg_diag *diag);

/* Writes runs/NNNN of a run that has ended: pass it on from vsg_execute_options.ended. A failed
 * one has scenario.yaml and a status with the reason only. */
enum vsg_status vsg_outdir_write_run(struct vsg_outdir *o, const struct vsg_run *run);

struct vsg_manifest {
    int argc;
    const char *const *argv;   /* the command line */
    const char *scenario_path; /* as given; "-" for standard input */
};

/* Writes results.json, runs.csv, plots/ and, last, manifest.json. */
enum vsg_status vsg_outdir_finish(struct vsg_outdir *o, const struct vsg_results *r,
                                  const struct vsg_manifest *m);

/* Frees it; files stay. NULL is allowed. */
void vsg_outdir_close(struct vsg_outdir *o);

#endif
