#include "cli/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void vsg_table_row(struct vsg_table *t)
{
    void *grown = realloc(t->row, (t->rows + 1) * sizeof *t->row);
    if (!grown) {
        t->failed = true;
        return;
    }
    t->row = grown;
    memset(t->row[t->rows++], 0, sizeof *t->row);
}

void vsg_table_cell(struct vsg_table *t, size_t column, const char *format, ...)
{
    va_list ap;
    char *text = NULL;
    assert(column < VSG_TABLE_COLUMNS);
    va_start(ap, format);
    int length = vasprintf(&text, format, ap);
    va_end(ap);
    if (length < 0 || t->failed) {
        t->failed = true;
        if (length >= 0)
            free(text);
        return;
    }
    free(t->row[t->rows - 1][column]);
    t->row[t->rows - 1][column] = text;
}

static const char *cell(const struct vsg_table *t, size_t row, size_t column)
{
    const char *text = t->row[row][column];
    return text ? text : "";
}

static void print_row(const struct vsg_table *t, size_t r, const int *width, FILE *to)
{
    int owed = 0; /* blanks that are printed only if something follows */
    for (size_t c = 0; c < VSG_TABLE_COLUMNS; c++) {
        const char *text = cell(t, r, c);
        int length = (int)strlen(text), rest = width[c] - length;
        if (width[c] == 0)
            continue;
        if (length == 0)
            rest = width[c];
        else if (t->right[c])
            owed += rest;
        if (length)
            fprintf(to, "%*s%s", owed, "", text);
        owed = (length ? 0 : owed) + (length && t->right[c] ? 0 : rest) + 2;
    }
    fputc('\n', to);
}

enum vsg_status vsg_table_print(struct vsg_table *t, FILE *to)
{
    enum vsg_status status = t->failed ? VSG_ENOMEM : VSG_OK;
    int width[VSG_TABLE_COLUMNS] = {0};
    for (size_t r = 0; r < t->rows; r++)
        for (size_t c = 0; c < VSG_TABLE_COLUMNS; c++)
            if ((int)strlen(cell(t, r, c)) > width[c])
                width[c] = (int)strlen(cell(t, r, c));
    for (size_t r = 0; r < t->rows && status == VSG_OK; r++)
        print_row(t, r, width, to);
    for (size_t r = 0; r < t->rows; r++)
        for (size_t c = 0; c < VSG_TABLE_COLUMNS; c++)
            free(t->row[r][c]);
    free(t->row);
    *t = (struct vsg_table){0};
    return status;
}
