/* Diagnostics: what a library function wants the user to read.
 *
 * Libraries collect, sim/cli prints. Items keep the order in which they were
 * added; vsg_diag_sort() puts them in file order. A diag belongs to its caller
 * and is not thread-safe. If memory runs out while adding, the diag remembers
 * that it lost items (lost) instead of failing. */
#ifndef VSG_ENGINE_DIAG_H
#define VSG_ENGINE_DIAG_H

#include <stddef.h>

enum vsg_severity { VSG_ERROR, VSG_WARNING, VSG_NOTE };

/* Where in a text. line and column count from 1; 0 means "no position".
 * length is the number of bytes to underline, at least 1 where line > 0. */
struct vsg_pos {
    unsigned line, column, length;
};

struct vsg_diag_item {
    enum vsg_severity severity;
    struct vsg_pos pos;
    char *text; /* one line, no final newline; owned by the diag */
};

struct vsg_diag {
    struct vsg_diag_item *item; /* [count] */
    size_t count, room;
    size_t lost; /* items dropped for want of memory */
};

#define VSG_DIAG_INIT                                                                              \
    {                                                                                              \
        0                                                                                          \
    }

/* Adds one item; printf-style. pos NULL: no position. d NULL: does nothing. */
__attribute__((format(printf, 4, 5))) void vsg_diag_add(struct vsg_diag *d,
                                                        enum vsg_severity severity,
                                                        const struct vsg_pos *pos,
                                                        const char *format, ...);

/* Shorthand for an error without a position. */
#define vsg_diag_error(d, ...) vsg_diag_add((d), VSG_ERROR, NULL, __VA_ARGS__)

/* The number of items with this severity. */
size_t vsg_diag_count(const struct vsg_diag *d, enum vsg_severity severity);

/* Orders by line, then column, keeping the order of addition among equals;
 * items without position come last. Drops exact duplicates. */
void vsg_diag_sort(struct vsg_diag *d);

/* Frees the items and leaves an empty diag. */
void vsg_diag_clear(struct vsg_diag *d);

#endif
