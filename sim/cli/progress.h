/* Progress of a study on stderr: one line that rewrites itself on a terminal, else plain lines
 * now and then. */
#ifndef VSG_CLI_PROGRESS_H
#define VSG_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "study/execute.h"

struct vsg_progress_line {
    bool shown;            /* at all */
    bool terminal;         /* rewrite the line */
    bool drawn;            /* a line stands there now */
    bool finished;         /* the last plain line is out */
    uint64_t next_wall_ns; /* not before that */
};

/* mode: "auto", "always", "never" or NULL (auto). */
void vsg_progress_start(struct vsg_progress_line *l, const char *mode);

/* Shows p, unless the last time was just now. */
void vsg_progress_show(struct vsg_progress_line *l, const struct vsg_progress *p);

/* Takes the line off a terminal, so that other text can come. */
void vsg_progress_clear(struct vsg_progress_line *l);

/* "[ 812/2,000]  3 failed   41 M IPI/s   430 M events/s   2 m 10 s left" into text[0..size).
 * Rates are of what this command ran, time left what finished runs let expect. */
void vsg_progress_text(const struct vsg_progress *p, char *text, size_t size);

#endif
