/* Shows diagnostics on stderr:  file:line:col: error: text, the line, a caret. */
#ifndef VSG_CLI_SHOW_H
#define VSG_CLI_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/diag.h"

/* A text that diagnostics speak of. name: as the user knows it. text NULL: no lines to show. */
struct vsg_source {
    const char *name;
    char *text; /* [size], no final NUL counted */
    size_t size;
};

enum vsg_show {
    VSG_SHOW_ERRORS,  /* and the notes that follow them */
    VSG_SHOW_USUAL,   /* warnings too */
    VSG_SHOW_VERBOSE, /* notes of their own too */
};

/* Shows the items of d that `how` asks for. source NULL: the text alone, behind "vsgisim: ". */
void vsg_show_diag(FILE *to, const struct vsg_source *source, const struct vsg_diag *d,
                   enum vsg_show how);

/* The text with control bytes, broken UTF-8 and direction marks written as escapes. */
void vsg_show_safely(FILE *to, const char *text);

/* True if `to` is a terminal that takes colours and NO_COLOR is not set. */
bool vsg_show_coloured(FILE *to);

#endif
