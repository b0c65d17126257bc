/* What `run` gives out: JSON, CSV or tables on stdout, samples into a file, failures on stderr. */
#ifndef VSG_CLI_RUN_OUTPUT_H
#define VSG_CLI_RUN_OUTPUT_H

#include "cli/options.h"
#include "cli/show.h"
#include "study/results.h"

/* Texts that are complete only when all FILEs have been run. */
struct vsg_run_texts {
    char *json; /* objects so far, with commas between them */
    char *samples;
    size_t json_size, samples_size;
    unsigned studies;
};

/* Gives out one study's results: a table at once, the rest into *t. Fails with VSG_ENOMEM. */
enum vsg_status vsg_run_output(const struct vsg_command *c, const struct vsg_results *r,
                               struct vsg_run_texts *t);

/* Adds a JSON text to those of the other FILEs; its end of line goes. Fails with VSG_ENOMEM. */
enum vsg_status vsg_run_texts_add_json(struct vsg_run_texts *t, const char *json);

/* Prints the JSON and writes --samples. Fails with VSG_EIO, path and reason in diag. */
enum vsg_status vsg_run_output_finish(const struct vsg_command *c, struct vsg_run_texts *t,
                                      struct vsg_diag *diag);
void vsg_run_texts_free(struct vsg_run_texts *t);

/* Before anything is run: whether --samples can be written. VSG_EIO, reason in diag. */
enum vsg_status vsg_run_output_check(const struct vsg_command *c, struct vsg_diag *diag);

/* On stderr: warnings of the runs, which run failed and why, and how to repeat it. */
void vsg_run_say_failures(const struct vsg_command *c, const struct vsg_source *source,
                          const struct vsg_results *r);

/* On stderr: what the comparison of the two engines gave, unless they agree. */
void vsg_run_say_agreement(const struct vsg_results *r);

#endif
