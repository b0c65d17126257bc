/* Growing text, exact decimals and JSON, for the writers of results.
 *
 * JSON is written here and not with jansson, since results promise exact decimals: every
 * number is an integer of its smallest printed unit, and no double comes near it. (jansson reads it
 * back in the tests.) Nothing fails on the way: running out of memory is remembered and
 * reported by vsg_text_take(). */
#ifndef VSG_STUDY_TEXT_H
#define VSG_STUDY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/status.h"

struct vsg_text {
    char *bytes; /* zero-terminated once anything was added */
    size_t length, room;
    bool failed; /* memory ran out; what follows is dropped */
};

__attribute__((format(printf, 2, 3))) void vsg_text_add(struct vsg_text *t, const char *format,
                                                        ...);
void vsg_text_put(struct vsg_text *t, const char *bytes, size_t size);

/* Hands the text over as a malloc'ed string, "" if nothing was added. VSG_ENOMEM: some of it
 * is missing, *out is untouched, all is freed. */
enum vsg_status vsg_text_take(struct vsg_text *t, char **out);
void vsg_text_free(struct vsg_text *t);

/* ---- decimals ---------------------------------------------------------------------- */

/* value / 10^decimals, exactly: (1234567, 3) is "1234.567", (-5, 3) is "-0.005". decimals 0..9. */
void vsg_text_decimal(struct vsg_text *t, int64_t value, unsigned decimals);

/* value rounded to `keep` <= decimals places, half away from zero. group: a comma between
 * thousands. */
void vsg_text_rounded(struct vsg_text *t, int64_t value, unsigned decimals, unsigned keep,
                      bool group);

/* ---- JSON ----------------------------------------------------------------------------- */

#define VSG_JSON_DEPTH 16

struct vsg_json {
    struct vsg_text *text;
    unsigned depth;
    bool flat[VSG_JSON_DEPTH]; /* this level is on one line */
    bool used[VSG_JSON_DEPTH]; /* it has a member */
    unsigned indent;           /* levels to indent before the first */
};

/* key NULL in arrays and at the top. flat: the whole level on one line. */
void vsg_json_open(struct vsg_json *j, const char *key, char bracket, bool flat);
void vsg_json_close(struct vsg_json *j, char bracket);
void vsg_json_text(struct vsg_json *j, const char *key, const char *value); /* NULL: null */
void vsg_json_bool(struct vsg_json *j, const char *key, bool value);
void vsg_json_null(struct vsg_json *j, const char *key);
void vsg_json_uint(struct vsg_json *j, const char *key, uint64_t value);
void vsg_json_decimal(struct vsg_json *j, const char *key, int64_t value, unsigned decimals);
void vsg_json_raw(struct vsg_json *j, const char *key, const char *value); /* valid JSON already */

#endif
