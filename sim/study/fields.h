/* The table of result fields: what writers, schema and plots know about each figure.
 * Public rows: report.h; here is how to get at the values. Used by report_*.c only. */
#ifndef VSG_STUDY_FIELDS_H
#define VSG_STUDY_FIELDS_H

#include "study/report.h"
#include "study/text.h"

/* What a row belongs to, and so what `base` points at. */
enum vsg_field_of {
    VSG_OF_RUN,        /* struct vsg_run */
    VSG_OF_POINT,      /* struct vsg_point_figures */
    VSG_OF_FIGURES,    /* struct vsg_figures: of runs and points */
    VSG_OF_STAGES,     /* the same, the part after the lists */
    VSG_OF_COMPARISON, /* struct vsg_comparison */
    VSG_OF_PAIRS,      /* struct vsg_pair_figures ... */
    VSG_OF_VMS,
    VSG_OF_ITS,
    VSG_OF_LINKS,
    VSG_OF_COUNT
};

enum vsg_value_kind {
    VSG_VALUE_NULL,
    VSG_VALUE_UINT,
    VSG_VALUE_DECIMAL,
    VSG_VALUE_TEXT,
    VSG_VALUE_BOOL
};

struct vsg_value {
    enum vsg_value_kind kind;
    uint64_t uint; /* VSG_VALUE_BOOL: 0 or 1 */
    int64_t decimal;
    unsigned decimals;
    const char *text;
    char own[20]; /* text is here when it is made up: see vsg_field_value */
};

struct vsg_field {
    enum vsg_field_of of;
    struct vsg_field_row row;
    enum vsg_field_type {
        VSG_TYPE_FIXED, /* int64_t, VSG_NO_FIGURE: null */
        VSG_TYPE_U64,
        VSG_TYPE_U32,
        VSG_TYPE_TEXT, /* const char *, NULL: null */
        VSG_TYPE_BOOL,
        VSG_TYPE_MADE /* by make() */
    } type;
    size_t offset; /* in what `base` points at */
    unsigned decimals;
    void (*make)(const struct vsg_study *s, const void *base, struct vsg_value *v);
};

extern const struct vsg_field vsg_fields[];
extern const size_t vsg_field_count;
extern const char *const vsg_field_of_name[VSG_OF_COUNT];

/* The value of a field. v->text may point into *v, into base or at a constant. */
void vsg_field_value(const struct vsg_field *f, const struct vsg_study *s, const void *base,
                     struct vsg_value *v);

/* Whether a member is an end of an interval: "ci95[0]" and "ci95[1]", "p99_ci95[0]"... The two rows
 * stand one behind the other and are one member. */
enum vsg_field_end { VSG_NO_END, VSG_LOWER_END, VSG_UPPER_END };
enum vsg_field_end vsg_field_end(const char *key);

/* One object's members into JSON: all rows of `of`, groups as objects of their own. `analytic` is
 * null as a whole where there is no theory. */
void vsg_field_json(struct vsg_json *j, const struct vsg_study *s, enum vsg_field_of of,
                    const void *base);

#endif
