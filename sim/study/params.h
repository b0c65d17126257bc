/* The parameter table: the one place that knows a scenario's keys.
 *
 * From its rows come reading and range checks, `explain`, the JSON Schema, the
 * scenario reference, hints for misspelt keys, and the list of values used with
 * their sources. Rows stand in the order of the reference. Constant: any thread
 * may read it. */
#ifndef VSG_STUDY_PARAMS_H
#define VSG_STUDY_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/config.h"
#include "study/quantity.h"

enum vsg_param_kind {
    /* numbers; the field is a uint64_t, uint32_t or uint8_t in the canonical unit */
    VSG_TIME,
    VSG_BYTES,
    VSG_BANDWIDTH,
    VSG_RATE,
    VSG_RATIO,
    VSG_SHARE,
    VSG_COUNT,
    /* other single values */
    VSG_BOOL,     /* bool */
    VSG_CHOICE,   /* an enum */
    VSG_INDEX,    /* int32_t: a number from 0, or -1 for none */
    VSG_AFFINITY, /* uint32_t: four bytes a3.a2.a1.a0 */
    VSG_NAME,     /* char *: letters, digits, '-', '_'; no dots */
    VSG_TEXT,     /* char * */
    VSG_DIST,     /* struct vsg_dist: a time, or {uniform: ...} and so on */
    VSG_WARMUP,   /* struct vsg_warmup_config */
    /* what holds others */
    VSG_COUNT_LIST,   /* uint32_t * and its count */
    VSG_TEXT_LIST,    /* char ** and its count */
    VSG_CHOICE_LIST,  /* names, each once */
    VSG_TIME_MATRIX,  /* a list of rows of times */
    VSG_COUNT_MATRIX, /* a list of rows of whole numbers */
    VSG_RATE_MATRIX,  /* a list of rows of rates */
    VSG_SECTION,      /* a map of further keys */
    VSG_SECTION_LIST, /* a list of such maps; keys below it have "[]" behind its name */
    VSG_AXES,         /* sweep: a map from keys to lists of values */
    VSG_PARAM_KINDS
};

/* Where a default value comes from. VSG_ASSUMED rows are listed in every report. */
enum vsg_basis {
    VSG_PUBLISHED,    /* a measured figure or a kernel's text, cited */
    VSG_ARCHITECTURE, /* an architecture's text, cited */
    VSG_ASSUMED,
    VSG_INPUT /* describes the user's own question: there is nothing to cite */
};

/* The struct that a row's field is in. */
enum vsg_param_base {
    VSG_IN_NOTHING, /* read by code of its own */
    VSG_IN_SHORT,   /* struct vsg_machine_short */
    VSG_IN_ITS,     /* struct vsg_its_config */
    VSG_IN_CPU,     /* struct vsg_cpu_config */
    VSG_IN_EVENT,   /* struct vsg_cpu_event */
    VSG_IN_STEP,    /* struct vsg_load_step */
    VSG_IN_INTERCONNECT,
    VSG_IN_CONFIG,
    VSG_IN_VM,
    VSG_IN_WORKLOAD,
    VSG_IN_STUDY, /* struct vsg_study_keys (scenario.h) */
    VSG_PARAM_BASES
};

struct vsg_param {
    const char *key; /* "vms[].placement.node"; vms[].workload.X stands as workload.X */
    enum vsg_param_kind kind;
    bool required;
    bool has_default;          /* dflt is meant; else dflt_text says what holds */
    uint64_t dflt;             /* canonical unit, enum value, or 0 and 1 */
    uint64_t min, max;         /* of numbers and of every time in a distribution */
    const char *dflt_text;     /* default in words, where it is no single value */
    const char *const *choice; /* [choice_count] names by enum value */
    uint32_t choice_count;
    uint32_t kinds; /* 0, or a bit per value of the neighbouring key `kind` that it belongs to */
    enum vsg_basis basis;
    const char *source, *doc; /* doc: one sentence; more where a bound is known */
    enum vsg_param_base base;
    const char *field; /* the member's name */
    size_t offset, width;
    size_t count_offset; /* lists: of the uint32_t with the number of elements */
};

/* All rows, in the order of the reference: 0 <= i < vsg_param_count(). */
size_t vsg_param_count(void);
const struct vsg_param *vsg_param_at(size_t i);

/* The row of a key as users write it: "workload.rate", "vms[0].vcpus",
 * "vms[].vcpus", "vms.guest.vcpus", "vms.guest.workload.rate". NULL: no such key. */
const struct vsg_param *vsg_param_find(const char *key);

/* The key nearest to a misspelt one, or NULL when none is near. */
const char *vsg_param_suggest(const char *key);

/* The row of key `name` inside the section with this key ("" for the top,
 * "vms[]" for a VM). NULL: none. */
const struct vsg_param *vsg_param_child(const char *section, const char *name);

/* True when the row stands directly inside the section; *name is then its last part. */
bool vsg_param_is_child(const struct vsg_param *p, const char *section, const char **name);

/* Texts for people; each returns buffer, or a constant. */
char *vsg_param_default_text(const struct vsg_param *p, char *buffer, size_t size);
char *vsg_param_range_text(const struct vsg_param *p, char *buffer, size_t size);   /* "" if none */
char *vsg_param_choices_text(const struct vsg_param *p, char *buffer, size_t size); /* a, b, c */
const char *vsg_param_unit_text(const struct vsg_param *p); /* "ps ns us ms s", or "" */
const char *vsg_param_kind_text(const struct vsg_param *p); /* "a time" */
const char *vsg_basis_text(enum vsg_basis basis);           /* "assumed" */

/* The kind of quantity of a number row (VSG_TIME..VSG_COUNT; VSG_DIST: times). */
enum vsg_quantity vsg_param_quantity(const struct vsg_param *p);

/* Writes the value that field (as the row describes it) holds, as scenarios write
 * it, but for measured distributions, of which it says how many points they have. Only single
 * values (up to VSG_WARMUP). Returns buffer. */
char *vsg_param_value_text(const struct vsg_param *p, const void *field, char *buffer, size_t size);
#define VSG_PARAM_TEXT 160

/* Sets a number field of the row's width; the value fits (checked by range). */
void vsg_param_store(const struct vsg_param *p, void *field, uint64_t value);
uint64_t vsg_param_load(const struct vsg_param *p, const void *field);

/* The JSON Schema (draft 2020-12) of the scenario format, and the scenario
 * reference as Markdown; malloc'ed, the caller's. NULL when memory runs out. */
char *vsg_schema_json(void);
char *vsg_reference_markdown(void);

/* The group tables that params.c joins; no one else needs them. */
struct vsg_param_group {
    const struct vsg_param *row;
    size_t count;
};
extern const struct vsg_param_group vsg_params_machine, vsg_params_interconnect, vsg_params_costs,
    vsg_params_guest;

/* For rows: a member of the struct that `base` names. */
#define VSG_FIELD(b, type, member)                                                                 \
    .base = (b), .field = #member, .offset = offsetof(type, member),                               \
    .width = sizeof(((type *)0)->member)
#define VSG_DEFAULT(value) .has_default = true, .dflt = (value)
#define VSG_RANGE(low, high) .min = (low), .max = (high)
#define VSG_CHOICES(names)                                                                         \
    .choice = (names), .choice_count = (uint32_t)(sizeof(names) / sizeof((names)[0]))

#define VSG_NS(x) ((uint64_t)(x)*UINT64_C(1000)) /* ns to ps */
#define VSG_US(x) (VSG_NS(x) * UINT64_C(1000))
#define VSG_MS(x) (VSG_US(x) * UINT64_C(1000))
#define VSG_S(x) (VSG_MS(x) * UINT64_C(1000))
#define VSG_GB_PER_S(x) ((uint64_t)(x)*UINT64_C(1000000000))

#endif
