/* Numbers with units, as scenarios write them: 50ns, 1.5us, 64GB/s, 2M/s, 40%.
 *
 * Grammar: DIGITS [. DIGITS] [e [+|-] DIGITS] UNIT, nothing in between. All
 * arithmetic is exact: a value is a whole number of its canonical unit or it is
 * an error. Nothing here knows keys, positions or ranges. */
#ifndef VSG_STUDY_QUANTITY_H
#define VSG_STUDY_QUANTITY_H

#include <stddef.h>
#include <stdint.h>

#include "engine/status.h"

enum vsg_quantity {
    VSG_Q_TIME,      /* canonical unit ps; written in ps ns us ms s */
    VSG_Q_BYTES,     /* byte; B kB KiB MB MiB GB GiB */
    VSG_Q_BANDWIDTH, /* byte/s; the same with /s */
    VSG_Q_RATE,      /* 1/s; /s k/s M/s G/s */
    VSG_Q_SHARE,     /* ppm; % */
    VSG_Q_RATIO,     /* ppm; a plain number such as 0.3 */
    VSG_Q_COUNT,     /* 1; a plain whole number */
    VSG_Q_KINDS
};

/* Reads text. On success writes the value in the canonical unit. Otherwise writes
 * a sentence that quotes the text, says what is wrong and which units there are
 * into why[0..why_size). Fails with VSG_EINVAL (not of the grammar: no number, no
 * or wrong unit) or VSG_ERANGE (negative, too large, finer than the canonical
 * unit). */
enum vsg_status vsg_quantity_parse(enum vsg_quantity kind, const char *text, uint64_t *value,
                                   char *why, size_t why_size);

/* Writes a value as scenarios write it, exactly and in the largest unit that
 * keeps it whole: 1500 ps is "1500ps", 2000 ps is "2ns". Returns buffer, which
 * should have VSG_QUANTITY_TEXT bytes. */
#define VSG_QUANTITY_TEXT 40
char *vsg_quantity_format(enum vsg_quantity kind, uint64_t value, char *buffer, size_t size);

/* Writes a value as a plain decimal number in the unit of results (ns for times,
 * 0..1 for shares): 1500 ps is "1.5". Returns buffer. */
char *vsg_quantity_decimal(enum vsg_quantity kind, uint64_t value, char *buffer, size_t size);

/* The units one may write, e.g. "ps ns us ms s"; "" for plain numbers. */
const char *vsg_quantity_units(enum vsg_quantity kind);

/* What a result's name ends with: "_ns", "_bytes_per_s"; "" for plain numbers. */
const char *vsg_quantity_suffix(enum vsg_quantity kind);

/* The same as a regular expression (ECMA 262, anchored), for the JSON Schema. */
const char *vsg_quantity_pattern(enum vsg_quantity kind);

#endif
