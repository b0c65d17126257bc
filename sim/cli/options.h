/* The command line: one table row per verb and per option.
 *
 * From the rows come parsing, `vsgisim help VERB`, `VERB --help`, usage
 * errors and the man pages (man.c). Shell completion can be made of them too. */
#ifndef VSG_CLI_OPTIONS_H
#define VSG_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "study/study.h"

enum vsg_option {
    VSG_OPT_OUT,
    VSG_OPT_FORCE,
    VSG_OPT_RESUME,
    VSG_OPT_ENGINE,
    VSG_OPT_THREADS,
    VSG_OPT_JOBS,
    VSG_OPT_LIMIT_TIME,
    VSG_OPT_LIMIT_MEMORY,
    VSG_OPT_FAIL_FAST,
    VSG_OPT_KEEP_GOING,
    VSG_OPT_ONLY,
    VSG_OPT_DRY_RUN,
    VSG_OPT_SET,
    VSG_OPT_SEED,
    VSG_OPT_JSON,
    VSG_OPT_CSV,
    VSG_OPT_SAMPLES,
    VSG_OPT_PROGRESS,
    VSG_OPT_QUIET,
    VSG_OPT_VERBOSE,
    VSG_OPT_CPUS,
    VSG_OPT_SVG,
    VSG_OPT_ASSUMED,
    VSG_OPT_RESULTS,
    VSG_OPT_MAN,
    VSG_OPT_POLICY,
    VSG_OPT_FAIL_IF,
    VSG_OPT_HELP,
    VSG_OPT_COUNT
};

enum vsg_argument {
    VSG_ARG_NONE,    /* a flag */
    VSG_ARG_PATH,    /* any text but the empty one */
    VSG_ARG_CHOICE,  /* one word of .argument, which lists them as a|b|c */
    VSG_ARG_COUNT,   /* 1...limit, or auto */
    VSG_ARG_NUMBER,  /* 0...2^64-1 */
    VSG_ARG_TIME,    /* a time with its unit, above 0 */
    VSG_ARG_SIZE,    /* a size with its unit, above 0 */
    VSG_ARG_LIST,    /* numbers and ranges: 3,8,10-12 */
    VSG_ARG_SETTING, /* KEY=VALUE; may be given again and again */
    VSG_ARG_EACH,    /* any text but the empty one; may be given again and again */
};

struct vsg_option_row {
    const char *name;     /* without the two dashes */
    char letter;          /* short form, 0: none */
    const char *argument; /* as help shows it, NULL for a flag */
    enum vsg_argument kind;
    uint32_t limit;    /* VSG_ARG_COUNT */
    unsigned verbs;    /* bit mask of 1u << enum vsg_verb */
    const char *dflt;  /* as help shows it, NULL: none */
    const char *help;  /* one line */
    const char *since; /* version that brought it */
};

enum vsg_verb {
    VSG_VERB_RUN,
    VSG_VERB_CHECK,
    VSG_VERB_TOPOLOGY,
    VSG_VERB_PLOT,
    VSG_VERB_COMPARE,
    VSG_VERB_EXPLAIN,
    VSG_VERB_LIST,
    VSG_VERB_SCHEMA,
    VSG_VERB_VERSION,
    VSG_VERB_HELP,
    VSG_VERB_COUNT
};

/* A parsed command line. Texts point into argv, which is kept for manifest.json. */
struct vsg_command {
    int argc;
    char **argv;
    enum vsg_verb verb;
    const char *value[VSG_OPT_COUNT]; /* last one given; "" for a flag; NULL: not given */
    struct vsg_setting *set;          /* [set_count] of --set, in order, keys owned */
    size_t set_count;
    struct vsg_given {
        enum vsg_option option;
        const char *value;
    } * given; /* [given_count] of VSG_ARG_EACH options, in order */
    size_t given_count;
    const char **operand; /* [operand_count] */
    size_t operand_count;
};

struct vsg_verb_row {
    const char *name;
    const char *operands; /* as help shows it, "" for none */
    unsigned least, most; /* operands; most 0 with least 0: none */
    const char *summary;  /* one line */
    const char *text;     /* what help adds: details and examples, whole lines */
    int (*main)(const struct vsg_command *c); /* the verb's own file; returns the exit code */
};

extern const struct vsg_option_row vsg_option_row[VSG_OPT_COUNT];
extern const struct vsg_verb_row vsg_verb_row[VSG_VERB_COUNT];

/* Parses argv[1..argc). Returns VSG_EXIT_OK, or VSG_EXIT_USAGE after saying on stderr what is
 * wrong. Free *out in both cases. `--help` and `--version` come out as verbs. */
int vsg_command_parse(int argc, char **argv, struct vsg_command *out);
void vsg_command_free(struct vsg_command *c);

/* The number of a VSG_ARG_COUNT option, 0 for `auto`, dflt where it was not given. */
unsigned vsg_command_count(const struct vsg_command *c, enum vsg_option o, unsigned dflt);

/* The i-th value of a VSG_ARG_EACH option, NULL: there are no more. */
const char *vsg_command_each(const struct vsg_command *c, enum vsg_option o, size_t i);

/* The value of a VSG_ARG_TIME (ps) or VSG_ARG_SIZE (bytes) option; 0: not given. */
uint64_t vsg_command_quantity(const struct vsg_command *c, enum vsg_option o);

/* The numbers of a VSG_ARG_LIST option, ascending, each once (malloc'ed, the caller's), NULL
 * where it was not given. Numbers from `end` on are left out, *beyond tells the first. Fails with
 * VSG_ENOMEM. */
enum vsg_status vsg_command_list(const struct vsg_command *c, enum vsg_option o, uint32_t end,
                                 uint32_t **list, size_t *count, uint64_t *beyond);

/* Says what is wrong with the use of a verb and where its help is. Returns VSG_EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int vsg_usage_error(const char *verb, const char *format,
                                                          ...);

/* The candidate nearest to a misspelt word, or NULL if none is near enough. */
const char *vsg_nearest(const char *word, const char *const *candidate, size_t count);

#endif
