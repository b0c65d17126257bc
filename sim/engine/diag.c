#include "engine/diag.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int grow(struct vsg_diag *d)
{
    size_t room = d->room ? d->room * 2 : 8;
    struct vsg_diag_item *item;
    if (room > SIZE_MAX / sizeof *item)
        return 0;
    item = realloc(d->item, room * sizeof *item);
    if (!item)
        return 0;
    d->item = item;
    d->room = room;
    return 1;
}

void vsg_diag_add(struct vsg_diag *d, enum vsg_severity severity, const struct vsg_pos *pos,
                  const char *format, ...)
{
    va_list args;
    char *text = NULL;
    int length;

    if (!d)
        return;
    va_start(args, format);
    length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) { /* text is then undefined: nothing to free */
        d->lost++;
        return;
    }
    if (d->count == d->room && !grow(d)) {
        free(text);
        d->lost++;
        return;
    }
    d->item[d->count++] = (struct vsg_diag_item){
        .severity = severity, .pos = pos ? *pos : (struct vsg_pos){0}, .text = text};
}

size_t vsg_diag_count(const struct vsg_diag *d, enum vsg_severity severity)
{
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++)
        n += d->item[i].severity == severity;
    return n;
}

/* An item with its place in the order of addition: qsort() alone is not stable. */
struct entry {
    struct vsg_diag_item item;
    size_t added;
    int duplicate;
};

static int compare_unsigned(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare_pos(const struct entry *a, const struct entry *b)
{
    /* Line 0 means "no position" and wraps to the greatest number: last. */
    int c = compare_unsigned(a->item.pos.line - 1u, b->item.pos.line - 1u);
    return c ? c : compare_unsigned(a->item.pos.column, b->item.pos.column);
}

static int compare_content(const struct entry *a, const struct entry *b)
{
    int c = compare_pos(a, b);
    if (!c)
        c = compare_unsigned(a->item.pos.length, b->item.pos.length);
    if (!c)
        c = (int)a->item.severity - (int)b->item.severity;
    return c ? c : strcmp(a->item.text, b->item.text);
}

static int by_content(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int c = compare_content(x, y);
    return c ? c : compare_unsigned(x->added, y->added);
}

static int by_position(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int c = compare_pos(x, y);
    return c ? c : compare_unsigned(x->added, y->added);
}

void vsg_diag_sort(struct vsg_diag *d)
{
    size_t n = d->count;
    struct entry *e;

    if (n < 2)
        return;
    e = calloc(n, sizeof *e);
    if (!e)
        return; /* the order of addition is still a readable one */
    for (size_t i = 0; i < n; i++)
        e[i] = (struct entry){.item = d->item[i], .added = i};

    /* Equal items lie side by side once sorted by content; the first added stays. */
    qsort(e, n, sizeof *e, by_content);
    for (size_t i = 1; i < n; i++)
        e[i].duplicate = compare_content(&e[i - 1], &e[i]) == 0;

    qsort(e, n, sizeof *e, by_position);
    d->count = 0;
    for (size_t i = 0; i < n; i++) {
        if (e[i].duplicate)
            free(e[i].item.text);
        else
            d->item[d->count++] = e[i].item;
    }
    free(e);
}

void vsg_diag_clear(struct vsg_diag *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->item[i].text);
    free(d->item);
    *d = (struct vsg_diag)VSG_DIAG_INIT;
}
