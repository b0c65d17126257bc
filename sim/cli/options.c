#include "cli/options.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exits.h"
#include "cli/show.h"
#include "study/quantity.h"

enum { WORD_MAX = 64 };

/* Edit distance with swaps of neighbours (optimal string alignment). */
static unsigned distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    unsigned d[WORD_MAX + 1][WORD_MAX + 1];
    if (la > WORD_MAX || lb > WORD_MAX)
        return ~0u;
    for (size_t i = 0; i <= la; i++)
        for (size_t j = 0; j <= lb; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (unsigned)(i + j);
                continue;
            }
            unsigned best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[la][lb];
}

const char *vsg_nearest(const char *word, const char *const *candidate, size_t count)
{
    const char *best = NULL;
    unsigned least = (unsigned)strlen(word) / 3 + 1; /* farther than that is another word */
    for (size_t i = 0; i < count; i++) {
        unsigned d = distance(word, candidate[i]);
        if (d < least || (d == least && !best)) {
            least = d;
            best = candidate[i];
        }
    }
    return best;
}

int vsg_usage_error(const char *verb, const char *format, ...)
{
    va_list ap;
    char text[1024]; /* what is longer says enough by then */
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    fprintf(stderr, "vsgisim%s%s: ", verb ? " " : "", verb ? verb : "");
    vsg_show_safely(stderr, text);
    fprintf(stderr, "\nTry 'vsgisim help%s%s'.\n", verb ? " " : "", verb ? verb : "");
    return VSG_EXIT_USAGE;
}

static const char *verb_name(const struct vsg_command *c)
{
    return vsg_verb_row[c->verb].name;
}

static bool belongs(const struct vsg_command *c, size_t option)
{
    return vsg_option_row[option].verbs & 1u << c->verb;
}

static int unknown_verb(const char *word)
{
    const char *names[VSG_VERB_COUNT];
    for (size_t i = 0; i < VSG_VERB_COUNT; i++)
        names[i] = vsg_verb_row[i].name;
    const char *near = vsg_nearest(word, names, VSG_VERB_COUNT);
    if (near)
        return vsg_usage_error(NULL, "unknown verb '%s'; did you mean '%s'?", word, near);
    if (word[0] != '-' && access(word, F_OK) == 0)
        return vsg_usage_error(NULL, "'%s' is not a verb; did you mean 'vsgisim run %s'?", word,
                               word);
    return vsg_usage_error(NULL, "unknown %s '%s'", word[0] == '-' ? "option" : "verb", word);
}

static int unknown_option(const struct vsg_command *c, const char *shown, const char *name)
{
    const char *names[VSG_OPT_COUNT];
    size_t n = 0;
    for (size_t i = 0; i < VSG_OPT_COUNT; i++)
        if (belongs(c, i))
            names[n++] = vsg_option_row[i].name;
    const char *near = vsg_nearest(name, names, n);
    if (near)
        return vsg_usage_error(verb_name(c), "unknown option '%s'; did you mean '--%s'?", shown,
                               near);
    return vsg_usage_error(verb_name(c), "unknown option '%s'", shown);
}

static bool digits(const char *s, uint64_t *out)
{
    char *end = NULL;
    if (*s < '0' || *s > '9')
        return false; /* strtoull would take a sign and blanks */
    errno = 0;
    unsigned long long v = strtoull(s, &end, 10);
    *out = v;
    return *end == '\0' && errno == 0;
}

static bool is_choice(const char *value, const char *choices)
{
    size_t n = strlen(value);
    if (strchr(value, '|'))
        return false; /* two of them at once */
    for (const char *p = choices; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
        if (n > 0 && strncmp(p, value, n) == 0 && (p[n] == '|' || p[n] == '\0'))
            return true;
    return false;
}

static int add_setting(struct vsg_command *c, const char *value)
{
    const char *eq = strchr(value, '=');
    if (!eq || eq == value)
        return vsg_usage_error(
            verb_name(c), "--set: '%s' is not KEY=VALUE; write --set workload.rate=2M/s", value);
    struct vsg_setting *grown = realloc(c->set, (c->set_count + 1) * sizeof *grown);
    char *key = strndup(value, (size_t)(eq - value));
    if (grown)
        c->set = grown;
    if (!grown || !key) {
        free(key);
        fprintf(stderr, "vsgisim: out of memory\n");
        return VSG_EXIT_FAILED;
    }
    c->set[c->set_count++] = (struct vsg_setting){.key = key, .value = eq + 1};
    return VSG_EXIT_OK;
}

static enum vsg_quantity quantity_of(enum vsg_argument kind)
{
    return kind == VSG_ARG_TIME ? VSG_Q_TIME : VSG_Q_BYTES;
}

static int check_quantity(const struct vsg_command *c, const struct vsg_option_row *row,
                          const char *value)
{
    char why[300] = "it must be above 0";
    uint64_t number = 0;
    if (vsg_quantity_parse(quantity_of(row->kind), value, &number, why, sizeof why) == VSG_OK &&
        number > 0)
        return VSG_EXIT_OK;
    return vsg_usage_error(verb_name(c), "--%s: %s", row->name, why);
}

/* Reads one number or range of a list and moves *at behind it and a comma. */
static bool list_part(const char **at, uint64_t *first, uint64_t *last)
{
    char part[48];
    size_t n = strcspn(*at, ",");
    if (n >= sizeof part || ((*at)[n] == ',' && !(*at)[n + 1]))
        return false;
    memcpy(part, *at, n);
    part[n] = '\0';
    *at += n + ((*at)[n] == ',');
    char *dash = strchr(part, '-');
    if (dash)
        *dash = '\0';
    if (!digits(part, first) || (dash && !digits(dash + 1, last)))
        return false;
    if (!dash)
        *last = *first;
    return *first <= *last;
}

static int check_list(const struct vsg_command *c, const struct vsg_option_row *row,
                      const char *value)
{
    uint64_t first, last;
    const char *at = value;
    do
        if (!list_part(&at, &first, &last))
            return vsg_usage_error(verb_name(c),
                                   "--%s: '%s' is no list of numbers and ranges such as 3,8,10-12",
                                   row->name, value);
    while (*at);
    return VSG_EXIT_OK;
}

static int add_given(struct vsg_command *c, size_t option, const char *value)
{
    struct vsg_given *grown = realloc(c->given, (c->given_count + 1) * sizeof *grown);
    if (!grown) {
        fprintf(stderr, "vsgisim: out of memory\n");
        return VSG_EXIT_FAILED;
    }
    c->given = grown;
    grown[c->given_count++] = (struct vsg_given){.option = (enum vsg_option)option, .value = value};
    return VSG_EXIT_OK;
}

/* Takes one option with its value, which the row's kind decides upon. */
static int take(struct vsg_command *c, size_t option, const char *value)
{
    const struct vsg_option_row *row = &vsg_option_row[option];
    uint64_t number = 0;
    int rc = VSG_EXIT_OK;
    switch (row->kind) {
    case VSG_ARG_NONE:
        break;
    case VSG_ARG_PATH:
        if (*value == '\0')
            return vsg_usage_error(verb_name(c), "--%s: the name is empty", row->name);
        break;
    case VSG_ARG_CHOICE:
        if (!is_choice(value, row->argument))
            return vsg_usage_error(verb_name(c), "--%s: '%s' is not one of %s", row->name, value,
                                   row->argument);
        break;
    case VSG_ARG_COUNT:
        if (strcmp(value, "auto") != 0 &&
            (!digits(value, &number) || number < 1 || number > row->limit))
            return vsg_usage_error(verb_name(c),
                                   "--%s: '%s' is neither a number from 1 to %u nor "
                                   "'auto'",
                                   row->name, value, row->limit);
        break;
    case VSG_ARG_NUMBER:
        if (!digits(value, &number))
            return vsg_usage_error(verb_name(c), "--%s: '%s' is not a whole number from 0 to %llu",
                                   row->name, value, (unsigned long long)UINT64_MAX);
        break;
    case VSG_ARG_TIME:
    case VSG_ARG_SIZE:
        rc = check_quantity(c, row, value);
        break;
    case VSG_ARG_LIST:
        rc = check_list(c, row, value);
        break;
    case VSG_ARG_SETTING:
        rc = add_setting(c, value);
        break;
    case VSG_ARG_EACH:
        rc = *value ? add_given(c, option, value)
                    : vsg_usage_error(verb_name(c), "--%s is empty", row->name);
        break;
    }
    if (rc != VSG_EXIT_OK)
        return rc;
    c->value[option] = value;
    return VSG_EXIT_OK;
}

/* arg is --name or --name=value; next is what follows it, or NULL. Sets *used where next was
 * taken as the value. */
static int long_option(struct vsg_command *c, const char *arg, const char *next, bool *used)
{
    size_t n = strcspn(arg + 2, "=");
    char name[WORD_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)(n < WORD_MAX ? n : WORD_MAX), arg + 2);
    const char *value = arg[2 + n] == '=' ? arg + 3 + n : NULL;
    for (size_t i = 0; i < VSG_OPT_COUNT; i++) {
        const struct vsg_option_row *row = &vsg_option_row[i];
        if (!belongs(c, i) || strcmp(row->name, name) != 0)
            continue;
        if (!row->argument)
            return value ? vsg_usage_error(verb_name(c), "--%s takes no value", name)
                         : take(c, i, "");
        if (!value) {
            value = next;
            *used = true;
        }
        if (!value)
            return vsg_usage_error(verb_name(c), "--%s needs %s", name, row->argument);
        return take(c, i, value);
    }
    char shown[WORD_MAX + 3];
    snprintf(shown, sizeof shown, "--%s", name);
    return unknown_option(c, shown, name);
}

/* arg is -v, -qv, -oDIR or -o with its value in next. */
static int short_options(struct vsg_command *c, const char *arg, const char *next, bool *used)
{
    for (const char *p = arg + 1; *p; p++) {
        size_t i = 0;
        while (i < VSG_OPT_COUNT && !(belongs(c, i) && vsg_option_row[i].letter == *p))
            i++;
        if (i == VSG_OPT_COUNT) {
            char shown[3] = {'-', *p, '\0'};
            return unknown_option(c, p == arg + 1 ? arg : shown, p);
        }
        if (vsg_option_row[i].argument) {
            const char *value = p[1] ? p + 1 : next;
            *used = !p[1];
            if (!value)
                return vsg_usage_error(verb_name(c), "-%c needs %s", *p,
                                       vsg_option_row[i].argument);
            return take(c, i, value);
        }
        int rc = take(c, i, "");
        if (rc != VSG_EXIT_OK)
            return rc;
    }
    return VSG_EXIT_OK;
}

/* Options that make no sense together, or alone. */
static int check_together(const struct vsg_command *c, const struct vsg_verb_row *verb)
{
    static const enum vsg_option apart[][2] = {
        {VSG_OPT_JSON, VSG_OPT_CSV},     {VSG_OPT_QUIET, VSG_OPT_VERBOSE},
        {VSG_OPT_FORCE, VSG_OPT_RESUME}, {VSG_OPT_FAIL_FAST, VSG_OPT_KEEP_GOING},
        {VSG_OPT_RESUME, VSG_OPT_ONLY},  {VSG_OPT_RESUME, VSG_OPT_SAMPLES},
        {VSG_OPT_DRY_RUN, VSG_OPT_CSV},
    };
    static const enum vsg_option needs_out[] = {VSG_OPT_FORCE, VSG_OPT_RESUME};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++)
        if (c->value[apart[i][0]] && c->value[apart[i][1]])
            return vsg_usage_error(verb->name, "--%s and --%s exclude each other",
                                   vsg_option_row[apart[i][0]].name,
                                   vsg_option_row[apart[i][1]].name);
    for (size_t i = 0; i < sizeof needs_out / sizeof needs_out[0]; i++)
        if (c->value[needs_out[i]] && !c->value[VSG_OPT_OUT])
            return vsg_usage_error(verb->name, "--%s needs --out DIR",
                                   vsg_option_row[needs_out[i]].name);
    return VSG_EXIT_OK;
}

static int check_operands(const struct vsg_command *c)
{
    const struct vsg_verb_row *row = &vsg_verb_row[c->verb];
    if (c->value[VSG_OPT_HELP])
        return VSG_EXIT_OK;
    if (c->operand_count < row->least)
        return vsg_usage_error(row->name, "%s is missing", row->operands);
    if (c->operand_count > row->most)
        return vsg_usage_error(row->name, "'%s' is one too many; it takes %s",
                               c->operand[row->most], row->most ? row->operands : "no operand");
    int rc = check_together(c, row);
    if (rc != VSG_EXIT_OK)
        return rc;
    size_t from_stdin = 0;
    for (size_t i = 0; i < c->operand_count; i++)
        from_stdin += c->operand[i] && strcmp(c->operand[i], "-") == 0;
    if (from_stdin > 1)
        return vsg_usage_error(row->name, "'-' is standard input and can be read only once");
    return VSG_EXIT_OK;
}

static bool find_verb(const char *word, enum vsg_verb *out)
{
    for (size_t i = 0; i < VSG_VERB_COUNT; i++)
        if (strcmp(vsg_verb_row[i].name, word) == 0) {
            *out = (enum vsg_verb)i;
            return true;
        }
    return false;
}

int vsg_command_parse(int argc, char **argv, struct vsg_command *out)
{
    *out = (struct vsg_command){.argc = argc, .argv = argv, .verb = VSG_VERB_HELP};
    if (argc < 2)
        return VSG_EXIT_OK;
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        word = "help";
    if (strcmp(word, "--version") == 0)
        word = "version";
    if (!find_verb(word, &out->verb))
        return unknown_verb(word);
    out->operand = calloc((size_t)argc, sizeof *out->operand);
    if (!out->operand) {
        fprintf(stderr, "vsgisim: out of memory\n");
        return VSG_EXIT_FAILED;
    }
    bool only_operands = false;
    for (int i = 2; i < argc; i++) {
        const char *arg = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        bool used = false;
        int rc = VSG_EXIT_OK;
        if (only_operands || arg[0] != '-' || arg[1] == '\0')
            out->operand[out->operand_count++] = arg;
        else if (strcmp(arg, "--") == 0)
            only_operands = true;
        else if (arg[1] == '-')
            rc = long_option(out, arg, next, &used);
        else
            rc = short_options(out, arg, next, &used);
        if (rc != VSG_EXIT_OK)
            return rc;
        i += used;
    }
    return check_operands(out);
}

void vsg_command_free(struct vsg_command *c)
{
    for (size_t i = 0; i < c->set_count; i++)
        free((char *)c->set[i].key);
    free(c->set);
    free(c->given);
    free(c->operand);
    *c = (struct vsg_command){.verb = c->verb};
}

const char *vsg_command_each(const struct vsg_command *c, enum vsg_option o, size_t i)
{
    for (size_t k = 0; k < c->given_count; k++)
        if (c->given[k].option == o && i-- == 0)
            return c->given[k].value;
    return NULL;
}

unsigned vsg_command_count(const struct vsg_command *c, enum vsg_option o, unsigned dflt)
{
    assert(vsg_option_row[o].kind == VSG_ARG_COUNT);
    if (!c->value[o])
        return dflt;
    return strcmp(c->value[o], "auto") == 0 ? 0 : (unsigned)strtoul(c->value[o], NULL, 10);
}

uint64_t vsg_command_quantity(const struct vsg_command *c, enum vsg_option o)
{
    uint64_t value = 0;
    char why[300];
    if (c->value[o]) /* checked when it was taken */
        (void)vsg_quantity_parse(quantity_of(vsg_option_row[o].kind), c->value[o], &value, why,
                                 sizeof why);
    return value;
}

enum vsg_status vsg_command_list(const struct vsg_command *c, enum vsg_option o, uint32_t end,
                                 uint32_t **list, size_t *count, uint64_t *beyond)
{
    uint64_t first = 0, last = 0;
    *list = NULL;
    *count = 0;
    *beyond = UINT64_MAX;
    if (!c->value[o])
        return VSG_OK;
    bool *wanted = calloc((size_t)end + 1, sizeof *wanted);
    uint32_t *all = malloc(((size_t)end + 1) * sizeof *all);
    for (const char *at = c->value[o]; wanted && all && *at && list_part(&at, &first, &last);) {
        for (uint64_t i = first; i <= last && i < end; i++)
            wanted[i] = true;
        if (last >= end && (first > end ? first : end) < *beyond)
            *beyond = first > end ? first : end;
    }
    for (uint32_t i = 0; wanted && all && i < end; i++)
        if (wanted[i])
            all[(*count)++] = i;
    bool ok = wanted && all;
    free(wanted);
    if (ok)
        *list = all;
    else
        free(all);
    return ok ? VSG_OK : VSG_ENOMEM;
}
