/* The output directory of a study (--out DIR).
 *
 *   manifest.json   version, command, wall time, events/s, host, parameters with sources
 *   results.json    as `run --json` prints it
 *   runs.csv        tidy: a row per run, a column per axis
 *   runs/NNNN/      scenario.yaml (resolved), result.json, latency.hgrm, pairs.tsv, result.bin
 *                   (kept.h), status (last); NNNN is the run's index; of two engines, simgrid's is
 *                   NNNN-simgrid
 *   plots/          percentiles.tsv, stages.tsv for gnuplot
 *
 * A run's directory appears by one rename, whole, and is not synced: after a loss of power the
 * checksum in result.bin tells what is left of it. The other files are written as NAME.tmp,
 * synced and renamed. Every failure is VSG_EIO with path and reason in diag. */
#ifndef VSG_STUDY_OUTDIR_H
#define VSG_STUDY_OUTDIR_H

#include <stdbool.h>

#include "study/file.h"
#include "study/report.h"

struct vsg_outdir; /* opaque */

enum vsg_outdir_mode {
    VSG_OUTDIR_NEW,    /* one that is not empty is in the way */
    VSG_OUTDIR_FORCE,  /* what vsgisim wrote there before is removed, other files stay */
    VSG_OUTDIR_RESUME, /* finished runs that the study still wants are kept */
};

/* Makes the directory (and missing parents) or takes one as the mode says; no two processes
 * at a time. A file, or a directory that cannot be taken, is in the way: VSG_EEXIST. study, version
 * and diag must outlive it. */
enum vsg_status vsg_outdir_open(const char *path, enum vsg_outdir_mode mode,
                                const struct vsg_study *study, const char *version,
                                struct vsg_outdir **out, struct vsg_diag *diag);

/* VSG_OUTDIR_RESUME: fills a run that is done already, and leaves another: pass it on from
 * vsg_execute_options.recall. Fails with VSG_EIO or VSG_ENOMEM. */
enum vsg_status vsg_outdir_recall(struct vsg_outdir *o, struct vsg_run *run);

/* After all have been recalled: finished runs there that the study does not want. */
uint32_t vsg_outdir_unwanted(const struct vsg_outdir *o);

/* Without touching anything: how many runs of the study, in this engine, a directory has. */
enum vsg_status vsg_outdir_count_done(const char *path, const struct vsg_study *study,
                                      const char *version, enum vsg_engine_choice engine,
                                      uint32_t *done, struct vsg_diag *diag);

/* Writes runs/NNNN of a run that has ended: pass it on from vsg_execute_options.ended. A failed
 * one has scenario.yaml and a status with the reason only. */
enum vsg_status vsg_outdir_write_run(struct vsg_outdir *o, const struct vsg_run *run);

struct vsg_manifest {
    int argc;
    const char *const *argv;   /* the command line */
    const char *scenario_path; /* as given; "-" for standard input */
};

/* Writes results.json, runs.csv, plots/ and, last, manifest.json. Once every run of the study has
 * ended, directories of runs that it does not have are removed. */
enum vsg_status vsg_outdir_finish(struct vsg_outdir *o, const struct vsg_results *r,
                                  const struct vsg_manifest *m);

/* Frees it; files stay. NULL is allowed. */
void vsg_outdir_close(struct vsg_outdir *o);

#endif
