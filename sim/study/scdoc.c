#include "study/scdoc.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "study/params.h"

enum { CELLS_MAX = 8 };

/* A piece of text; not terminated. */
struct span {
    const char *at;
    size_t size;
};

static void escaped(FILE *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (c == '\n') {
            fputc(' ', out);
            continue;
        }
        /* '#', '-' and the like mean something at the start of a line only; escaped, they are
         * themselves anywhere. */
        if (c && strchr("\\*_`#+[]|;", c))
            fputc('\\', out);
        fputc(c, out);
    }
}

/* If a mark opens at text, the size of what it encloses, else 0. */
static size_t enclosed(const char *text, size_t size, const char *mark)
{
    size_t n = strlen(mark);
    if (size <= 2 * n || strncmp(text, mark, n) != 0)
        return 0;
    for (size_t i = n + 1; i + n <= size; i++)
        if (strncmp(text + i, mark, n) == 0)
            return i - n;
    return 0;
}

void vsg_scdoc_text(FILE *out, const char *text, size_t size)
{
    static const struct {
        const char *mark;
        char sign;
    } marks[] = {{"`", '*'}, {"**", '*'}, {"*", '_'}};

    if (size > 0 && *text && strchr("-.", *text))
        fputc('\\', out);
    for (size_t i = 0; i < size;) {
        size_t inside = 0, m = 0;
        for (; m < sizeof marks / sizeof marks[0] && inside == 0; m++)
            inside = enclosed(text + i, size - i, marks[m].mark);
        if (inside == 0) {
            escaped(out, text + i++, 1);
            continue;
        }
        size_t n = strlen(marks[m - 1].mark);
        fputc(marks[m - 1].sign, out);
        escaped(out, text + i + n, inside);
        fputc(marks[m - 1].sign, out);
        i += inside + 2 * n;
    }
}

/* Takes the next line off *text, without its end. False at the end. */
static bool next_line(const char **text, struct span *line)
{
    if (!**text)
        return false;
    line->at = *text;
    line->size = strcspn(*text, "\n");
    *text += line->size + ((*text)[line->size] != 0);
    return true;
}

static struct span trimmed(struct span s)
{
    for (; s.size > 0 && *s.at == ' '; s.size--)
        s.at++;
    while (s.size > 0 && s.at[s.size - 1] == ' ')
        s.size--;
    return s;
}

static bool starts(struct span s, const char *with)
{
    return s.size >= strlen(with) && strncmp(s.at, with, strlen(with)) == 0;
}

/* Splits "| a | b |" at the bars that are not escaped. Returns how many cells there are. */
static size_t cells_of(struct span row, struct span cell[CELLS_MAX])
{
    size_t count = 0, from = 1;
    for (size_t i = 1; i < row.size && count < CELLS_MAX; i++)
        if (row.at[i] == '|' && row.at[i - 1] != '\\') {
            cell[count++] = trimmed((struct span){row.at + from, i - from});
            from = i + 1;
        }
    return count;
}

/* A cell: "\|" is a bar. */
static void write_cell(FILE *out, struct span cell)
{
    char text[1024];
    size_t size = 0;
    for (size_t i = 0; i < cell.size && size < sizeof text; i++)
        if (cell.at[i] != '\\' || i + 1 == cell.size || cell.at[i + 1] != '|')
            text[size++] = cell.at[i];
    vsg_scdoc_text(out, text, size);
}

static bool is(struct span s, const char *word)
{
    return s.size == strlen(word) && starts(s, word);
}

/* A row: the first cell as a line of its own, below it the meaning, then the others by name. */
static void write_row(FILE *out, const struct span *head, const struct span *cell, size_t count)
{
    bool line = false;
    fputc('*', out);
    bool code = cell[0].size > 2 && *cell[0].at == '`';
    escaped(out, cell[0].at + code, cell[0].size - (code ? 2 : 0));
    fputs("*\n\t", out);
    for (size_t i = 1; i < count; i++)
        if (is(head[i], "meaning")) {
            write_cell(out, cell[i]);
            line = true;
        }
    if (line)
        fputs("++\n\t", out);
    bool first = true;
    for (size_t i = 1; i < count; i++) {
        /* "input" as a source says only that there is nothing to cite. */
        if (cell[i].size == 0 || is(head[i], "meaning") || is(cell[i], "input"))
            continue;
        fprintf(out, "%s%.*s: ", first ? "" : "; ", (int)head[i].size, head[i].at);
        write_cell(out, cell[i]);
        first = false;
    }
    fputs(".\n\n", out);
}

/* Joins a line with those that go on with it (up to a blank line, a list's next entry or a
 * table) and writes them as one. */
static void write_paragraph(FILE *out, struct span line, const char **rest)
{
    struct span next;
    for (;;) {
        const char *from = *rest;
        if (!next_line(rest, &next))
            break;
        struct span t = trimmed(next);
        if (t.size == 0 || starts(t, "|") || starts(t, "- ") || starts(t, "#")) {
            *rest = from;
            break;
        }
        line.size = (size_t)(next.at + next.size - line.at);
    }
    /* The indentation of what goes on would be seen as many blanks. */
    char *text = malloc(line.size + 1);
    if (!text)
        return;
    size_t size = 0;
    for (size_t i = 0; i < line.size; i++) {
        char c = line.at[i] == '\n' ? ' ' : line.at[i];
        if (c != ' ' || (size > 0 && text[size - 1] != ' '))
            text[size++] = c;
    }
    bool entry = size > 2 && strncmp(text, "- ", 2) == 0;
    if (entry)
        fputs("- ", out);
    vsg_scdoc_text(out, text + (entry ? 2 : 0), size - (entry ? 2 : 0));
    fputs(entry ? "\n" : "\n\n", out);
    free(text);
}

static void translate(FILE *out, const char *text)
{
    struct span line, head[CELLS_MAX], cell[CELLS_MAX];
    size_t columns = 0; /* of the table that the line before stood in; 0: none */
    bool list = false;  /* the line before was an entry of a list */

    while (next_line(&text, &line)) {
        struct span t = trimmed(line);
        bool table = starts(t, "|"), entry = starts(t, "- ");
        if (list && !entry && t.size > 0)
            fputc('\n', out);
        list = entry;
        if (starts(t, "## ")) {
            fputs("# ", out);
            for (size_t i = 3; i < t.size; i++)
                fputc(toupper((unsigned char)t.at[i]), out);
            fputs("\n\n", out);
        } else if (table && columns == 0) {
            columns = cells_of(t, head);
            next_line(&text, &line); /* the line below the headings */
        } else if (table) {
            size_t count = cells_of(t, cell);
            write_row(out, head, cell, count < columns ? count : columns);
        } else if (t.size > 0) {
            write_paragraph(out, t, &text);
        }
        if (!table)
            columns = 0;
    }
}

char *vsg_scdoc_reference(void)
{
    char *markdown = vsg_reference_markdown(), *text = NULL;
    size_t size = 0;
    FILE *out = markdown ? open_memstream(&text, &size) : NULL;

    if (!out) {
        free(markdown);
        return NULL;
    }
    const char *body = strstr(markdown, "\n## "); /* title and introduction are Markdown's */
    translate(out, body ? body : markdown);
    free(markdown);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
