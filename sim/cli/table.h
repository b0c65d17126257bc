/* A table for people: cells are collected, then printed with aligned columns. */
#ifndef VSG_CLI_TABLE_H
#define VSG_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/status.h"

enum { VSG_TABLE_COLUMNS = 12 };

struct vsg_table {
    char *(*row)[VSG_TABLE_COLUMNS]; /* [rows] */
    size_t rows;
    bool right[VSG_TABLE_COLUMNS]; /* aligned to the right: numbers with their units */
    bool failed;                   /* memory ran out */
};

/* Begins a new row. */
void vsg_table_row(struct vsg_table *t);

/* Sets a cell of the last row; printf-style. */
__attribute__((format(printf, 3, 4))) void vsg_table_cell(struct vsg_table *t, size_t column,
                                                          const char *format, ...);

/* Prints all rows, two blanks between columns, none at the ends of lines, and frees the table.
 * Fails with VSG_ENOMEM, nothing printed, if a cell was lost. */
enum vsg_status vsg_table_print(struct vsg_table *t, FILE *to);

#endif
