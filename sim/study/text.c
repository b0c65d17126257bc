#include "study/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for size more bytes and the final zero. */
static bool reserve(struct vsg_text *t, size_t size)
{
    if (t->failed)
        return false;
    size_t need = t->length + size + 1;
    if (need <= t->room)
        return true;
    size_t room = t->room < 256 ? 256 : t->room;
    while (room < need)
        room += room / 2;
    char *bytes = realloc(t->bytes, room);
    if (!bytes) {
        t->failed = true;
        return false;
    }
    t->bytes = bytes;
    t->room = room;
    return true;
}

void vsg_text_put(struct vsg_text *t, const char *bytes, size_t size)
{
    if (!reserve(t, size))
        return;
    memcpy(t->bytes + t->length, bytes, size);
    t->length += size;
    t->bytes[t->length] = '\0';
}

void vsg_text_add(struct vsg_text *t, const char *format, ...)
{
    va_list args;
    int size = -1;
    for (int i = 0; i < 2; i++) { /* most pieces fit at once */
        size_t room = t->failed ? 0 : t->room - t->length;
        va_start(args, format);
        size = vsnprintf(room > 0 ? t->bytes + t->length : NULL, room, format, args);
        va_end(args);
        if (size >= 0 && (size_t)size < room)
            break;
        if (size < 0)
            t->failed = true;
        if (size < 0 || !reserve(t, (size_t)size))
            return;
    }
    t->length += (size_t)size;
}

enum vsg_status vsg_text_take(struct vsg_text *t, char **out)
{
    vsg_text_put(t, "", 0);
    if (t->failed) {
        vsg_text_free(t);
        return VSG_ENOMEM;
    }
    *out = t->bytes;
    *t = (struct vsg_text){0};
    return VSG_OK;
}

void vsg_text_free(struct vsg_text *t)
{
    free(t->bytes);
    *t = (struct vsg_text){0};
}

/* ---- decimals ---------------------------------------------------------------------- */

static uint64_t power_of_10(unsigned n)
{
    uint64_t p = 1;
    while (n-- > 0)
        p *= 10;
    return p;
}

void vsg_text_decimal(struct vsg_text *t, int64_t value, unsigned decimals)
{
    /* By hand: results are made of these, and printf takes long over "%0*llu". */
    char digit[32];
    size_t at = sizeof digit;
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    assert(decimals <= 9);
    for (unsigned i = 0; i <= decimals || size > 0; i++) {
        if (i == decimals && i > 0)
            digit[--at] = '.';
        digit[--at] = (char)('0' + size % 10);
        size /= 10;
    }
    if (value < 0)
        digit[--at] = '-';
    vsg_text_put(t, digit + at, sizeof digit - at);
}

void vsg_text_rounded(struct vsg_text *t, int64_t value, unsigned decimals, unsigned keep,
                      bool group)
{
    assert(keep <= decimals && decimals <= 9);
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint64_t drop = power_of_10(decimals - keep), unit = power_of_10(keep);
    size = size / drop + (size % drop >= drop - drop / 2 && drop > 1 ? 1 : 0);
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)(size / unit));
    if (value < 0 && size > 0)
        vsg_text_put(t, "-", 1);
    for (int i = 0; i < count; i++) {
        if (group && i > 0 && (count - i) % 3 == 0)
            vsg_text_put(t, ",", 1);
        vsg_text_put(t, &digits[i], 1);
    }
    if (keep > 0)
        vsg_text_add(t, ".%0*llu", (int)keep, (unsigned long long)(size % unit));
}

/* ---- JSON ----------------------------------------------------------------------------- */

static void quoted(struct vsg_text *t, const char *value)
{
    vsg_text_put(t, "\"", 1);
    for (const char *c = value; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\')
            vsg_text_add(t, "\\%c", byte);
        else if (byte == '\n')
            vsg_text_put(t, "\\n", 2);
        else if (byte == '\t')
            vsg_text_put(t, "\\t", 2);
        else if (byte < 0x20 || byte == 0x7f)
            vsg_text_add(t, "\\u%04x", byte);
        else
            vsg_text_put(t, c, 1);
    }
    vsg_text_put(t, "\"", 1);
}

static void newline(struct vsg_json *j)
{
    vsg_text_put(j->text, "\n", 1);
    for (unsigned i = 0; i < j->depth + j->indent; i++)
        vsg_text_put(j->text, "  ", 2);
}

/* What stands before a value: comma, line break, key. */
static void lead_in(struct vsg_json *j, const char *key)
{
    if (j->depth > 0) {
        bool flat = j->flat[j->depth - 1];
        if (j->used[j->depth - 1])
            vsg_text_add(j->text, flat ? ", " : ",");
        if (!flat)
            newline(j);
        j->used[j->depth - 1] = true;
    }
    if (key) {
        quoted(j->text, key);
        vsg_text_put(j->text, ": ", 2);
    }
}

void vsg_json_open(struct vsg_json *j, const char *key, char bracket, bool flat)
{
    assert(j->depth < VSG_JSON_DEPTH);
    lead_in(j, key);
    vsg_text_put(j->text, &bracket, 1);
    j->flat[j->depth] = flat || (j->depth > 0 && j->flat[j->depth - 1]);
    j->used[j->depth] = false;
    j->depth++;
}

void vsg_json_close(struct vsg_json *j, char bracket)
{
    assert(j->depth > 0);
    j->depth--;
    if (j->used[j->depth] && !j->flat[j->depth])
        newline(j);
    vsg_text_put(j->text, &bracket, 1);
}

void vsg_json_text(struct vsg_json *j, const char *key, const char *value)
{
    lead_in(j, key);
    if (value)
        quoted(j->text, value);
    else
        vsg_text_add(j->text, "null");
}

void vsg_json_bool(struct vsg_json *j, const char *key, bool value)
{
    lead_in(j, key);
    vsg_text_add(j->text, value ? "true" : "false");
}

void vsg_json_null(struct vsg_json *j, const char *key)
{
    vsg_json_text(j, key, NULL);
}

void vsg_json_uint(struct vsg_json *j, const char *key, uint64_t value)
{
    lead_in(j, key);
    vsg_text_add(j->text, "%llu", (unsigned long long)value);
}

void vsg_json_decimal(struct vsg_json *j, const char *key, int64_t value, unsigned decimals)
{
    lead_in(j, key);
    vsg_text_decimal(j->text, value, decimals);
}

void vsg_json_raw(struct vsg_json *j, const char *key, const char *value)
{
    lead_in(j, key);
    vsg_text_add(j->text, "%s", value);
}
