/* Results as text: every writer gives a malloc'ed string, the caller's to free;
 * only sim/cli prints, only outdir.h writes files. Texts end with a newline
 * and carry no clock time, host name or path: equal results give equal bytes.
 * All fail with VSG_ENOMEM only, unless said. */
#ifndef VSG_STUDY_REPORT_H
#define VSG_STUDY_REPORT_H

#include <stdbool.h>

#include "study/results.h"

/* The JSON object of one study (DESIGN: output contract). For several files the caller
 * makes a list of them. */
enum vsg_status vsg_report_json(const struct vsg_results *r, char **text);

/* The object of one run, as it stands in "runs"; for runs/NNNN/result.json. */
enum vsg_status vsg_report_run_json(const struct vsg_study *study,
                                    const struct vsg_run_figures *run, char **text);

/* runs.csv: a header line, then a row per run and a column per axis and figure. */
enum vsg_status vsg_report_csv(const struct vsg_results *r, char **text);

/* For people: the answer, the table, where the time goes, what it rests on.
 * width: columns of the terminal; a wider table drops its least needed columns, the
 * answer is wrapped. assumed: number of costs in use whose source is "assumed" (from the parameter
 * table); UINT32_MAX: not said. */
enum vsg_status vsg_report_table(const struct vsg_results *r, unsigned width, uint32_t assumed,
                                 char **text);

/* The answer alone, without newline: "local is faster than global-first by ...". */
enum vsg_status vsg_report_answer(const struct vsg_results *r, char **text);

/* Single IPIs as CSV: scenario, run, engine, sender, n, target, its, intent_ps, latency_ps, a
 * column per stage (ps). Needs runs executed with a sample_cap. with_header: begin with the header
 * line. */
enum vsg_status vsg_report_samples_csv(const struct vsg_results *r, bool with_header, char **text);

/* The JSON Schema of vsg_report_json's objects (`schema --results`). */
enum vsg_status vsg_report_schema(char **text);

/* Node pairs of one run: from_node, to_node, count, mean_ns, p99_ns, tab separated. */
enum vsg_status vsg_report_pairs_tsv(const struct vsg_run_figures *run, char **text);

/* Data of the plots, tab separated with a header line (plots/README.md).
 * percentiles: series, percentile (share), inverse (1 / (1 - p)), latency_ns; the rows of a point
 * and policy follow each other. stages: a row per point and policy: series, a column per stage in
 * ns. */
enum vsg_status vsg_report_percentiles_tsv(const struct vsg_results *r, char **text);
enum vsg_status vsg_report_stages_tsv(const struct vsg_results *r, char **text);

/* ---- the fields of results, one table for writers, schema, docs and plots ------------- */

enum vsg_field_kind { VSG_FIELD_INTEGER, VSG_FIELD_NUMBER, VSG_FIELD_TEXT, VSG_FIELD_BOOLEAN };

struct vsg_field_row {
    const char *of;     /* "run", "point", "figures" (of both), "comparison", "pairs", "vms", ... */
    const char *path;   /* in JSON: "latency_ns.mean"; NULL: not there */
    const char *column; /* in CSV: "latency_mean_ns"; NULL: not there */
    const char *unit;   /* "ns", "1/s", "1"; NULL for text and flags */
    enum vsg_field_kind kind;
    bool nullable;
    const char *doc; /* one sentence */
};

/* Row i of the table; false past its end. */
bool vsg_report_field(size_t i, struct vsg_field_row *row);

#endif
