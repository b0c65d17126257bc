#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exits.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "study/params.h"

enum { DEFAULT_COLUMNS = 25 }; /* of a default in the list, final NUL included */

/* The texts of one row, as all three forms show them. */
struct words {
    char dflt[VSG_PARAM_TEXT], range[VSG_PARAM_TEXT], choices[VSG_PARAM_TEXT];
    const char *dflt_text, *range_text, *choices_text, *unit, *kind, *basis;
};

static void words_of(const struct vsg_param *p, struct words *w)
{
    w->dflt_text = vsg_param_default_text(p, w->dflt, sizeof w->dflt);
    w->range_text = vsg_param_range_text(p, w->range, sizeof w->range);
    w->choices_text = vsg_param_choices_text(p, w->choices, sizeof w->choices);
    w->unit = vsg_param_unit_text(p);
    w->kind = vsg_param_kind_text(p);
    w->basis = vsg_basis_text(p->basis);
}

static bool is_section(const struct vsg_param *p)
{
    return p->kind == VSG_SECTION || p->kind == VSG_SECTION_LIST;
}

/* Whether a row is the asked one or below it. asked NULL: all. */
static bool belongs(const struct vsg_param *p, const char *asked)
{
    size_t n = asked ? strlen(asked) : 0;
    return !asked || (strncmp(p->key, asked, n) == 0 &&
                      (p->key[n] == '\0' || p->key[n] == '.' || p->key[n] == '['));
}

static bool wanted(const struct vsg_command *c, const struct vsg_param *p, const char *asked)
{
    return belongs(p, asked) && (!c->value[VSG_OPT_ASSUMED] || p->basis == VSG_ASSUMED);
}

static json_t *text_or_null(const char *text)
{
    return text && *text ? json_string(text) : json_null();
}

static json_t *row_json(const struct vsg_param *p)
{
    struct words w;
    words_of(p, &w);
    json_t *choices = p->choice_count ? json_array() : json_null();
    for (uint32_t i = 0; i < p->choice_count; i++)
        json_array_append_new(choices, json_string(p->choice[i]));
    return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:s, s:o, s:s}", "key", p->key, "kind",
                     w.kind, "required", p->required, "default", text_or_null(w.dflt_text), "unit",
                     text_or_null(w.unit), "range", text_or_null(w.range_text), "choices", choices,
                     "basis", w.basis, "source", text_or_null(p->source), "doc", p->doc);
}

static enum vsg_status print_json(const struct vsg_command *c, const char *asked)
{
    json_t *list = json_array();
    for (size_t i = 0; i < vsg_param_count(); i++)
        if (wanted(c, vsg_param_at(i), asked))
            json_array_append_new(list, row_json(vsg_param_at(i)));
    char *text = json_dumps(list, JSON_INDENT(1));
    json_decref(list);
    if (!text)
        return VSG_ENOMEM;
    puts(text);
    free(text);
    return VSG_OK;
}

/* A cell of the list: what is longer is shown by `explain KEY`. */
static const char *shortened(const char *text, char *out, size_t size)
{
    if (strlen(text) < size)
        return text;
    snprintf(out, size, "%.*s...", (int)size - 4, text);
    return out;
}

static enum vsg_status print_list(const struct vsg_command *c, const char *asked)
{
    struct vsg_table t = {0};
    vsg_table_row(&t);
    vsg_table_cell(&t, 0, "key");
    vsg_table_cell(&t, 1, "default");
    vsg_table_cell(&t, 2, "source");
    vsg_table_cell(&t, 3, "meaning");
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        struct words w;
        char dflt[DEFAULT_COLUMNS];
        if (!wanted(c, p, asked))
            continue;
        words_of(p, &w);
        vsg_table_row(&t);
        vsg_table_cell(&t, 0, "%s", p->key);
        vsg_table_cell(&t, 1, "%s", is_section(p) ? "" : shortened(w.dflt_text, dflt, sizeof dflt));
        vsg_table_cell(&t, 2, "%s", is_section(p) ? "" : w.basis);
        const char *end = strstr(p->doc, ". "); /* the first sentence is enough here */
        vsg_table_cell(&t, 3, "%.*s", end ? (int)(end - p->doc) + 1 : -1, p->doc);
    }
    return vsg_table_print(&t, stdout);
}

static void line(const char *name, const char *text)
{
    if (text && *text)
        printf("  %-8s %s\n", name, text);
}

static void print_one(const struct vsg_param *p)
{
    struct words w;
    words_of(p, &w);
    printf("%s: %s\n", p->key, p->doc);
    line("type", w.kind);
    line("units", w.unit);
    line("range", w.range_text);
    line("one of", w.choices_text);
    line("default", p->required ? "none: it must be given" : w.dflt_text);
    if (p->source && strncmp(p->source, w.basis, strlen(w.basis)) == 0)
        line("source", p->source);
    else if (p->source && *p->source)
        printf("  %-8s %s: %s\n", "source", w.basis, p->source);
}

int vsg_verb_explain(const struct vsg_command *c)
{
    const char *asked = c->operand_count ? c->operand[0] : NULL;
    const struct vsg_param *p = asked ? vsg_param_find(asked) : NULL;
    if (asked && !p) {
        const char *near = vsg_param_suggest(asked);
        return near ? vsg_usage_error("explain", "no key '%s'; did you mean '%s'?", asked, near)
                    : vsg_usage_error("explain", "no key '%s'; without KEY all are listed", asked);
    }
    enum vsg_status status = VSG_OK;
    if (c->value[VSG_OPT_JSON])
        status = print_json(c, p ? p->key : NULL);
    else if (p && !is_section(p))
        print_one(p);
    else
        status = print_list(c, p ? p->key : NULL);
    if (status != VSG_OK)
        fprintf(stderr, "vsgisim: %s\n", vsg_status_text(status));
    return (int)vsg_exit_of(status);
}
