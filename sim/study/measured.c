#include "study/measured.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/quantity.h"

enum { LINE_BYTES = 256, COLUMNS_MAX = 2 };
enum { SIZE_MAX_BYTES = 16 << 20 };

enum column { VALUE, WEIGHT, QUANTILE, COLUMN_KINDS };
static const char *const column_name[COLUMN_KINDS] = {"value_ns", "weight", "quantile"};

struct reading {
    const char *path;
    unsigned line;
    uint64_t max_ps;
    enum column column[COLUMNS_MAX];
    unsigned columns;
    struct vsg_dist_point *point;
    size_t count, room;
    char *why;
    size_t why_size;
};

__attribute__((format(printf, 2, 3))) static enum vsg_status refuse(struct reading *r,
                                                                    const char *format, ...)
{
    va_list args;
    int used = r->line ? snprintf(r->why, r->why_size, "%s:%u: ", r->path, r->line)
                       : snprintf(r->why, r->why_size, "%s: ", r->path);
    va_start(args, format);
    if (used > 0 && (size_t)used < r->why_size)
        vsnprintf(r->why + used, r->why_size - (size_t)used, format, args);
    va_end(args);
    return VSG_ESCENARIO;
}

/* Cuts a line at its commas into cells without blanks around them. Returns how many. */
static unsigned cut(char *line, char *cell[COLUMNS_MAX + 1])
{
    unsigned n = 0;
    for (char *at = line; n <= COLUMNS_MAX;) {
        size_t size = strcspn(at, ",");
        bool last = at[size] == '\0';
        at[size] = '\0';
        char *next = at + size + 1;
        at += strspn(at, " \t");
        for (size = strlen(at); size > 0 && strchr(" \t\r\n", at[size - 1]); size--)
            at[size - 1] = '\0';
        cell[n++] = at;
        if (last)
            break;
        at = next;
    }
    return n;
}

static enum vsg_status read_header(struct reading *r, char *line)
{
    char *cell[COLUMNS_MAX + 1];
    bool has[COLUMN_KINDS] = {false};
    r->columns = cut(line, cell);
    for (unsigned i = 0; i < r->columns && i < COLUMNS_MAX; i++)
        for (int k = 0; k < COLUMN_KINDS; k++)
            if (strcmp(cell[i], column_name[k]) == 0) {
                r->column[i] = (enum column)k;
                has[k] = true;
            }
    unsigned known = (unsigned)has[VALUE] + has[WEIGHT] + has[QUANTILE];
    if (r->columns > COLUMNS_MAX || known != r->columns || !has[VALUE])
        return refuse(r, "the first line names the columns: value_ns, or value_ns,weight, or "
                         "quantile,value_ns");
    return VSG_OK;
}

/* A decimal number, times 10^decimals. */
static enum vsg_status read_cell(struct reading *r, enum column column, const char *text,
                                 uint64_t *value)
{
    static const char *const unit[] = {"ns", "", ""};
    static const enum vsg_quantity quantity[] = {VSG_Q_TIME, VSG_Q_COUNT, VSG_Q_RATIO};
    char with_unit[64], why[300];
    if (strlen(text) > 40 || text[strspn(text, "0123456789.")] != '\0' || *text == '\0')
        return refuse(r, "%s: '%.40s' is not a plain number", column_name[column], text);
    snprintf(with_unit, sizeof with_unit, "%s%s", text, unit[column]);
    if (vsg_quantity_parse(quantity[column], with_unit, value, why, sizeof why) != VSG_OK)
        return refuse(r, "%s: %s", column_name[column], why);
    return VSG_OK;
}

static enum vsg_status check_point(struct reading *r, const struct vsg_dist_point *p)
{
    bool quantiles = r->columns == 2 && (r->column[0] == QUANTILE || r->column[1] == QUANTILE);
    if (p->value_ps > r->max_ps)
        return refuse(r, "value_ns is above %llu", (unsigned long long)(r->max_ps / 1000));
    if (!quantiles)
        return p->at > UINT32_MAX ? refuse(r, "weight is above %u", UINT32_MAX) : VSG_OK;
    if (p->at > 1000000)
        return refuse(r, "quantile is above 1");
    if (r->count == 0 && p->at != 0)
        return refuse(r, "quantiles go from 0 to 1");
    if (r->count > 0 && (p->at <= p[-1].at || p->value_ps < p[-1].value_ps))
        return refuse(r, "quantiles rise from line to line, and so do their values");
    return VSG_OK;
}

static enum vsg_status add_line(struct reading *r, char *line)
{
    char *cell[COLUMNS_MAX + 1];
    unsigned n = cut(line, cell);
    enum vsg_status status = VSG_OK;
    if (n != r->columns)
        return refuse(r, "%u cells; the first line has %u", n, r->columns);
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 256;
        struct vsg_dist_point *grown = realloc(r->point, room * sizeof *grown);
        if (!grown)
            return VSG_ENOMEM;
        r->point = grown;
        r->room = room;
    }
    struct vsg_dist_point *p = &r->point[r->count];
    *p = (struct vsg_dist_point){.at = 1};
    for (unsigned i = 0; i < n && status == VSG_OK; i++)
        status = read_cell(r, r->column[i], cell[i], r->column[i] == VALUE ? &p->value_ps : &p->at);
    if (status == VSG_OK)
        status = check_point(r, p);
    r->count += status == VSG_OK;
    return status;
}

static enum vsg_status read_lines(struct reading *r, FILE *in)
{
    char line[LINE_BYTES];
    size_t bytes = 0;
    enum vsg_status status = VSG_OK;
    while (status == VSG_OK && fgets(line, sizeof line, in)) {
        size_t size = strlen(line), blank = strspn(line, " \t\r\n");
        r->line++;
        bytes += size;
        if (size + 1 == sizeof line && line[size - 1] != '\n')
            return refuse(r, "the line is longer than %d bytes", LINE_BYTES - 2);
        if (bytes > SIZE_MAX_BYTES)
            return refuse(r, "the file is larger than 16 MiB");
        if (line[blank] == '\0' || line[blank] == '#')
            continue;
        status = r->columns ? add_line(r, line) : read_header(r, line);
    }
    return status;
}

static int by_value(const void *a, const void *b)
{
    const struct vsg_dist_point *x = a, *y = b;
    return (x->value_ps > y->value_ps) - (x->value_ps < y->value_ps);
}

/* Values in order, equal ones as one. */
static enum vsg_status join_values(struct reading *r)
{
    size_t kept = 0;
    uint64_t all = 0;
    qsort(r->point, r->count, sizeof *r->point, by_value);
    for (size_t i = 0; i < r->count; i++) {
        all += r->point[i].at;
        if (kept > 0 && r->point[kept - 1].value_ps == r->point[i].value_ps)
            r->point[kept - 1].at += r->point[i].at;
        else
            r->point[kept++] = r->point[i];
        if (r->point[kept - 1].at > UINT32_MAX)
            return refuse(r, "the weights of one value add up to more than %u", UINT32_MAX);
    }
    r->count = kept;
    return all > 0 ? VSG_OK : refuse(r, "all weights are 0");
}

static enum vsg_status finish(struct reading *r, struct vsg_dist *out)
{
    bool quantiles = r->columns == 2 && (r->column[0] == QUANTILE || r->column[1] == QUANTILE);
    enum vsg_status status = VSG_OK;
    r->line = 0;
    if (r->count == 0)
        return refuse(r, "holds no value");
    if (quantiles && (r->count < 2 || r->point[r->count - 1].at != 1000000))
        return refuse(r, "quantiles go from 0 to 1");
    if (!quantiles)
        status = join_values(r);
    if (status != VSG_OK)
        return status;
    if (r->count > VSG_DIST_POINTS_MAX)
        return refuse(r, "has %zu different values; at most %d: round them, or give quantiles",
                      r->count, VSG_DIST_POINTS_MAX);
    *out = (struct vsg_dist){.kind = quantiles ? VSG_DIST_QUANTILES : VSG_DIST_VALUES,
                             .point = r->point,
                             .point_count = (uint32_t)r->count};
    out->mean_ps = vsg_dist_points_mean_ps(out);
    r->point = NULL;
    return VSG_OK;
}

enum vsg_status vsg_measured_read(const char *path, uint64_t max_ps, struct vsg_dist *out,
                                  char *why, size_t why_size)
{
    struct reading r = {.path = path, .max_ps = max_ps, .why = why, .why_size = why_size};
    FILE *in = fopen(path, "re");
    if (!in) {
        refuse(&r, "%s", strerror(errno));
        return VSG_EIO;
    }
    enum vsg_status status = read_lines(&r, in);
    if (status == VSG_OK && ferror(in)) {
        r.line = 0;
        refuse(&r, "%s", strerror(errno));
        status = VSG_EIO;
    }
    fclose(in);
    if (status == VSG_OK)
        status = finish(&r, out);
    free(r.point);
    return status;
}
