#include "cli/show.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum {
    LINE_COLUMNS = 100, /* of a source line that are shown */
    LEAD_COLUMNS = 60,  /* a mark beyond this one moves the line to the left */
    LEAD_KEPT = 30,     /* bytes then kept before the mark */
    TAB_COLUMNS = 8
};

/* One character as it is shown. */
struct glyph {
    char text[16];
    size_t bytes;     /* of the source */
    unsigned columns; /* on the screen */
};

/* Length of a well-formed UTF-8 sequence at p, its value in *c; 0 if it is none. */
static size_t utf8_length(const unsigned char *p, size_t n, uint32_t *c)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || n < length)
        return 0;
    *c = p[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *c = *c << 6 | (p[i] & 0x3fu);
    }
    if (*c < least[length] || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff))
        return 0;
    return length;
}

/* Characters that turn the direction of text could make a line look like another one. */
static bool turns_direction(uint32_t c)
{
    return (c >= 0x200e && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0x61c || c == 0xfeff;
}

static struct glyph glyph_at(const char *text, size_t n, unsigned column)
{
    const unsigned char *p = (const unsigned char *)text;
    struct glyph g = {.bytes = 1, .columns = 1};
    uint32_t c = 0;
    size_t length = 0;
    if (p[0] == '\t') {
        g.columns = TAB_COLUMNS - column % TAB_COLUMNS;
        memset(g.text, ' ', g.columns);
    } else if (p[0] >= 0x20 && p[0] < 0x7f) {
        g.text[0] = (char)p[0];
    } else if (p[0] < 0x80 || (length = utf8_length(p, n, &c)) == 0) {
        g.columns = (unsigned)snprintf(g.text, sizeof g.text, "\\x%02x", p[0]);
    } else if (c < 0xa0 || turns_direction(c)) {
        g.bytes = length;
        g.columns = (unsigned)snprintf(g.text, sizeof g.text, "\\u%04x", (unsigned)c);
    } else {
        int width = wcwidth((wchar_t)c);
        g.bytes = length;
        g.columns = width < 0 ? 1 : (unsigned)width;
        memcpy(g.text, text, length);
    }
    return g;
}

void vsg_show_safely(FILE *to, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < n;) {
        struct glyph g = glyph_at(text + i, n - i, TAB_COLUMNS - 1);
        fputs(g.text, to);
        i += g.bytes;
    }
}

bool vsg_show_coloured(FILE *to)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && *no) && term && strcmp(term, "dumb") != 0 && isatty(fileno(to));
}

/* Length of the line break at p, as YAML 1.1 has them; 0: none. */
static size_t break_length(const char *p, size_t n)
{
    if (p[0] == '\r')
        return n > 1 && p[1] == '\n' ? 2 : 1;
    if (p[0] == '\n')
        return 1;
    if (n > 1 && memcmp(p, "\xc2\x85", 2) == 0)
        return 2;
    if (n > 2 && (memcmp(p, "\xe2\x80\xa8", 3) == 0 || memcmp(p, "\xe2\x80\xa9", 3) == 0))
        return 3;
    return 0;
}

/* Line number `wanted`, from 1. False if the text has fewer. */
static bool find_line(const struct vsg_source *s, unsigned wanted, const char **line, size_t *size)
{
    size_t i = 0;
    for (unsigned number = 1; i <= s->size; number++) {
        size_t start = i, step = 0;
        while (i < s->size && (step = break_length(s->text + i, s->size - i)) == 0)
            i++;
        if (number == wanted) {
            *line = s->text + start;
            *size = i - start;
            return true;
        }
        if (i == s->size)
            return false;
        i += step;
    }
    return false;
}

/* Columns count characters, as editors do: the byte at which one begins. */
static size_t byte_of_column(const char *line, size_t size, unsigned column)
{
    size_t i = 0;
    for (unsigned c = 1; c < column && i < size; c++)
        i += glyph_at(line + i, size - i, 0).bytes;
    return i;
}

static void show_line(FILE *to, const struct vsg_source *s, const struct vsg_pos *pos, bool colour)
{
    const char *line = NULL;
    size_t size = 0;
    if (!s->text || pos->line == 0 || !find_line(s, pos->line, &line, &size))
        return;
    size_t from = byte_of_column(line, size, pos->column);
    size_t until = from + (pos->length ? pos->length : 1), i = 0;
    unsigned column = 0, begin = 0, end = 0;
    if (from > LEAD_COLUMNS) {
        for (i = from - LEAD_KEPT; i < from && ((unsigned char)line[i] & 0xc0) == 0x80; i++)
            ;
    }
    fprintf(to, "%3u | %s", pos->line, i ? "..." : "");
    column = i ? 3 : 0;
    while (i < size && column < LINE_COLUMNS) {
        struct glyph g = glyph_at(line + i, size - i, column);
        if (i <= from)
            begin = column;
        fputs(g.text, to);
        column += g.columns;
        if (i < until)
            end = column;
        i += g.bytes;
    }
    if (from >= size)
        begin = column; /* just behind the line: something is missing there */
    char number[16];
    int width = snprintf(number, sizeof number, "%3u", pos->line);
    fprintf(to, "%s\n%*s | %*s%s^", i < size ? "..." : "", width, "", (int)begin, "",
            colour ? "\33[32m" : "");
    for (unsigned c = begin + 1; c < end; c++)
        fputc('~', to);
    fprintf(to, "%s\n", colour ? "\33[0m" : "");
}

static void show_item(FILE *to, const struct vsg_source *s, const struct vsg_diag_item *item)
{
    static const char *const word[] = {"error", "warning", "note"};
    static const char *const paint[] = {"\33[1;31m", "\33[1;35m", "\33[1;36m"};
    bool colour = vsg_show_coloured(to);
    vsg_show_safely(to, s ? s->name : "vsgisim");
    if (s && item->pos.line)
        fprintf(to, ":%u:%u", item->pos.line, item->pos.column);
    fprintf(to, ": %s%s:%s ", colour ? paint[item->severity] : "", word[item->severity],
            colour ? "\33[0m" : "");
    vsg_show_safely(to, item->text);
    fputc('\n', to);
    if (s)
        show_line(to, s, &item->pos, colour);
}

void vsg_show_diag(FILE *to, const struct vsg_source *source, const struct vsg_diag *d,
                   enum vsg_show how)
{
    bool shown = false;
    setlocale(LC_CTYPE, "C.UTF-8"); /* for wcwidth(); numbers keep their point */
    for (size_t i = 0; i < d->count; i++) {
        const struct vsg_diag_item *item = &d->item[i];
        if (item->severity == VSG_ERROR)
            shown = true;
        else if (item->severity == VSG_WARNING)
            shown = how != VSG_SHOW_ERRORS;
        else /* a note goes with what it follows */
            shown = how == VSG_SHOW_VERBOSE || (i > 0 && shown);
        if (shown)
            show_item(to, source, item);
    }
    if (d->lost)
        fprintf(to, "vsgisim: memory ran out: %zu more messages are lost\n", d->lost);
}
