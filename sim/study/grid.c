#include "study/grid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum vsg_status vsg_grid_new(size_t rows, size_t columns, struct vsg_grid *out)
{
    struct vsg_grid g = {.rows = rows, .columns = columns};
    g.cell = calloc(rows * columns + 1, sizeof *g.cell);
    g.dropped = calloc(columns + 1, sizeof *g.dropped);
    if (!g.cell || !g.dropped) {
        free(g.cell);
        free(g.dropped);
        return VSG_ENOMEM;
    }
    *out = g;
    return VSG_OK;
}

void vsg_grid_free(struct vsg_grid *g)
{
    for (size_t i = 0; g->cell && i < g->rows * g->columns; i++)
        vsg_text_free(&g->cell[i]);
    free(g->cell);
    free(g->dropped);
    *g = (struct vsg_grid){0};
}

struct vsg_text *vsg_grid_cell(struct vsg_grid *g, size_t row, size_t column)
{
    assert(row < g->rows && column < g->columns);
    return &g->cell[row * g->columns + column];
}

static const struct vsg_text *at(const struct vsg_grid *g, size_t row, size_t column)
{
    return &g->cell[row * g->columns + column];
}

static size_t column_width(const struct vsg_grid *g, size_t column)
{
    size_t width = 0;
    for (size_t row = 0; row < g->rows; row++)
        if (at(g, row, column)->length > width)
            width = at(g, row, column)->length;
    return width;
}

size_t vsg_grid_width(const struct vsg_grid *g)
{
    size_t width = 0;
    for (size_t column = 0; column < g->columns; column++)
        if (!g->dropped[column])
            width += column_width(g, column) + (width > 0 ? 2 : 0);
    return width;
}

enum vsg_status vsg_grid_transpose(struct vsg_grid *g)
{
    struct vsg_grid to;
    enum vsg_status status = vsg_grid_new(g->columns, g->rows, &to);
    if (status != VSG_OK)
        return status;
    for (size_t row = 0; row < g->rows; row++)
        for (size_t column = 0; column < g->columns; column++) {
            *vsg_grid_cell(&to, column, row) = *vsg_grid_cell(g, row, column);
            *vsg_grid_cell(g, row, column) = (struct vsg_text){0};
        }
    vsg_grid_free(g);
    *g = to;
    return VSG_OK;
}

/* Cells without any digit ("-", "unstable") may stand among numbers. */
static bool is_numbers(const struct vsg_grid *g, size_t column)
{
    bool any = false;
    for (size_t row = 1; row < g->rows; row++) {
        const struct vsg_text *cell = at(g, row, column);
        if (cell->length == 0 || !strpbrk(cell->bytes, "0123456789"))
            continue;
        size_t sign = cell->bytes[0] == '-' || cell->bytes[0] == '+';
        if (cell->bytes[sign] < '0' || cell->bytes[sign] > '9')
            return false;
        any = true;
    }
    return any;
}

void vsg_grid_print(const struct vsg_grid *g, unsigned indent, struct vsg_text *t)
{
    for (size_t row = 0; row < g->rows; row++) {
        size_t owed = indent; /* spaces not written yet: none ends a line */
        bool first = true;
        for (size_t column = 0; column < g->columns; column++) {
            if (g->dropped[column])
                continue;
            const struct vsg_text *cell = at(g, row, column);
            size_t fill = column_width(g, column) - cell->length;
            bool right = !first && is_numbers(g, column);
            owed += first ? 0 : 2;
            owed += right ? fill : 0;
            if (cell->length > 0) {
                vsg_text_add(t, "%*s", (int)owed, "");
                vsg_text_put(t, cell->bytes, cell->length);
                owed = 0;
            }
            owed += right ? 0 : fill;
            first = false;
            if (cell->failed)
                t->failed = true;
        }
        vsg_text_put(t, "\n", 1);
    }
}
