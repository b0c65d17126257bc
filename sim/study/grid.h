/* A table of cells for people: aligned, two spaces between columns. Used by report_*.c. */
#ifndef VSG_STUDY_GRID_H
#define VSG_STUDY_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "study/text.h"

struct vsg_grid {
    struct vsg_text *cell; /* [rows * columns], row by row; row 0 is the head */
    bool *dropped;         /* [columns] */
    size_t rows, columns;
};

/* Fails with VSG_ENOMEM. Free with vsg_grid_free(). */
enum vsg_status vsg_grid_new(size_t rows, size_t columns, struct vsg_grid *out);
void vsg_grid_free(struct vsg_grid *g);

struct vsg_text *vsg_grid_cell(struct vsg_grid *g, size_t row, size_t column);

/* Width of the longest line, in bytes (cells are ASCII but for names). */
size_t vsg_grid_width(const struct vsg_grid *g);

/* Rows become columns. Fails with VSG_ENOMEM, g unchanged. */
enum vsg_status vsg_grid_transpose(struct vsg_grid *g);

/* Adds the lines to t. Columns of numbers are flush right, others and the first flush left; numbers
 * are columns whose cells below the head are numbers or have no digit ("-"). indent: spaces before
 * each line. */
void vsg_grid_print(const struct vsg_grid *g, unsigned indent, struct vsg_text *t);

#endif
