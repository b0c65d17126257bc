#include "study/quantity.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128;

struct unit {
    const char *name;
    uint64_t factor; /* canonical units in one */
};

struct kind {
    const struct unit *unit; /* ascending; ends with a NULL name */
    const char *units;       /* as listed for people */
    const char *what;        /* the noun in messages */
    const char *example;
    const char *suffix;
    const char *pattern;
    uint64_t shown; /* canonical units in one unit of results */
};

#define K UINT64_C(1000)
#define NUMBER "^[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?"

static const struct unit time_units[] = {{"ps", 1},       {"ns", K},         {"us", K *K},
                                         {"ms", K *K *K}, {"s", K *K *K *K}, {0}};
static const struct unit byte_units[] = {
    {"B", 1},         {"kB", K},       {"KiB", 1 << 10}, {"MB", K *K},
    {"MiB", 1 << 20}, {"GB", K *K *K}, {"GiB", 1 << 30}, {0}};
static const struct unit bandwidth_units[] = {
    {"B/s", 1},         {"kB/s", K},       {"KiB/s", 1 << 10}, {"MB/s", K *K},
    {"MiB/s", 1 << 20}, {"GB/s", K *K *K}, {"GiB/s", 1 << 30}, {0}};
static const struct unit rate_units[] = {
    {"/s", 1}, {"k/s", K}, {"M/s", K *K}, {"G/s", K *K *K}, {0}};
static const struct unit share_units[] = {{"%", 10000}, {0}};
static const struct unit ratio_units[] = {{"", K *K}, {0}};
static const struct unit count_units[] = {{"", 1}, {0}};

static const struct kind kinds[VSG_Q_KINDS] = {
    [VSG_Q_TIME] = {time_units, "ps ns us ms s", "a time", "50ns", "_ns", NUMBER "(ps|ns|us|ms|s)$",
                    K},
    [VSG_Q_BYTES] = {byte_units, "B kB KiB MB MiB GB GiB", "a size", "64B", "_bytes",
                     NUMBER "(B|kB|KiB|MB|MiB|GB|GiB)$", 1},
    [VSG_Q_BANDWIDTH] = {bandwidth_units, "B/s kB/s KiB/s MB/s MiB/s GB/s GiB/s", "a bandwidth",
                         "64GB/s", "_bytes_per_s", NUMBER "(B|kB|KiB|MB|MiB|GB|GiB)/s$", 1},
    [VSG_Q_RATE] = {rate_units, "/s k/s M/s G/s", "a rate", "2M/s", "_per_s", NUMBER "[kMG]?/s$",
                    1},
    [VSG_Q_SHARE] = {share_units, "%", "a share", "5%", "_share", NUMBER "%$", K *K},
    [VSG_Q_RATIO] = {ratio_units, "", "a number", "0.3", "", NUMBER "$", K *K},
    [VSG_Q_COUNT] = {count_units, "", "a whole number", "4", "", NUMBER "$", 1},
};

const char *vsg_quantity_units(enum vsg_quantity kind)
{
    return kinds[kind].units;
}

const char *vsg_quantity_suffix(enum vsg_quantity kind)
{
    return kinds[kind].suffix;
}

const char *vsg_quantity_pattern(enum vsg_quantity kind)
{
    return kinds[kind].pattern;
}

/* ---- reading -------------------------------------------------------------------------- */

struct number {
    u128 digits;       /* without leading and trailing zeros; the value is digits * 10^exponent */
    int exponent;      /* clamped to +-EXPONENT_LIMIT, far beyond what any value can have */
    int significant;   /* digits in `digits` */
    int zeros;         /* read but held back, in case they end the number */
    size_t size;       /* bytes of the text that belong to the number */
    bool too_long;     /* more than DIGITS_MAX significant digits */
    bool leading_zero; /* 007: octal to some YAML readers */
};

enum { EXPONENT_LIMIT = 100000, DIGITS_MAX = 38 };

static void take_digit(struct number *n, unsigned digit)
{
    if (digit == 0) {
        n->zeros += n->digits != 0 && n->zeros < EXPONENT_LIMIT;
        return;
    }
    if (n->significant + n->zeros + 1 > DIGITS_MAX) {
        n->too_long = true;
        return;
    }
    n->significant += n->zeros + 1;
    for (; n->zeros > 0; n->zeros--)
        n->digits *= 10;
    n->digits = n->digits * 10 + digit;
}

/* Reads DIGITS [. DIGITS] [e [+|-] DIGITS]; false: there is no number. A point or an 'e'
 * without digits behind it is left to the unit. */
static bool scan_number(const char *s, struct number *n)
{
    const char *p = s;

    *n = (struct number){0};
    if (!isdigit((unsigned char)*p))
        return false;
    n->leading_zero = p[0] == '0' && isdigit((unsigned char)p[1]);
    for (; isdigit((unsigned char)*p); p++)
        take_digit(n, (unsigned)(*p - '0'));
    if (*p == '.' && isdigit((unsigned char)p[1]))
        for (p++; isdigit((unsigned char)*p); p++) {
            take_digit(n, (unsigned)(*p - '0'));
            n->exponent -= n->exponent > -EXPONENT_LIMIT;
        }
    n->exponent += n->zeros;
    if (*p == 'e' || *p == 'E') {
        bool minus = p[1] == '-';
        const char *q = p + 1 + (p[1] == '+' || p[1] == '-');
        int e = 0;
        for (; isdigit((unsigned char)*q); q++, p = q)
            e = e < EXPONENT_LIMIT / 10 ? e * 10 + (*q - '0') : EXPONENT_LIMIT;
        n->exponent += minus ? -e : e;
    }
    n->size = (size_t)(p - s);
    return true;
}

enum scaled { SCALED, TOO_LARGE, TOO_FINE };

/* digits * 10^exponent * factor as a whole number. */
static enum scaled scale(const struct number *n, uint64_t factor, uint64_t *value)
{
    u128 v = n->digits;
    int e = n->exponent;

    *value = 0;
    if (v == 0)
        return SCALED;
    for (; e < 0 && factor % 10 == 0; e++)
        factor /= 10;
    if (e < -DIGITS_MAX)
        return TOO_FINE;
    if (__builtin_mul_overflow(v, (u128)factor, &v))
        return e < 0 ? TOO_FINE : TOO_LARGE;
    for (; e < 0; e++) {
        if (v % 10 != 0)
            return TOO_FINE;
        v /= 10;
    }
    for (; e > 0; e--)
        if (v > UINT64_MAX || __builtin_mul_overflow(v, (u128)10, &v))
            return TOO_LARGE;
    if (v > UINT64_MAX)
        return TOO_LARGE;
    *value = (uint64_t)v;
    return SCALED;
}

/* ---- saying what is wrong ---------------------------------------------------------------- */

struct why {
    char *text;
    size_t size;
};

__attribute__((format(printf, 3, 4))) static enum vsg_status
say(struct why *w, enum vsg_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->text, w->size, format, args);
    va_end(args);
    return status;
}

static enum vsg_status say_not_a_number(struct why *w, const struct kind *k, const char *text)
{
    if (*k->units)
        return say(w, VSG_EINVAL, "'%.60s' is not %s; write one such as %s (units: %s)", text,
                   k->what, k->example, k->units);
    return say(w, VSG_EINVAL, "'%.60s' is not %s; write one such as %s", text, k->what, k->example);
}

/* "50" as 50ns and 0.05us, when the number is short enough to show. */
static enum vsg_status say_no_unit(struct why *w, enum vsg_quantity kind, const char *text,
                                   const struct number *n)
{
    const struct kind *k = &kinds[kind];
    char micro[VSG_QUANTITY_TEXT] = "";
    uint64_t ps;
    if (kind == VSG_Q_TIME && n->significant <= 9 && scale(n, K, &ps) == SCALED && ps > 0 &&
        ps < K * K * K) {
        vsg_quantity_decimal(VSG_Q_RATIO, ps, micro, sizeof micro); /* ps / 10^6: us */
        return say(w, VSG_EINVAL, "'%s' has no unit; write %sns, %sus (units: %s)", text, text,
                   micro, k->units);
    }
    return say(w, VSG_EINVAL, "'%.60s' has no unit; write one such as %s (units: %s)", text,
               k->example, k->units);
}

static enum vsg_status say_wrong_unit(struct why *w, enum vsg_quantity kind, const char *text,
                                      const char *unit)
{
    const struct kind *k = &kinds[kind];
    if (!*k->units)
        return say(w, VSG_EINVAL, "'%.60s' is not %s; write one such as %s, without a unit", text,
                   k->what, k->example);
    const char *trimmed = unit + strspn(unit, " \t");
    if (trimmed > unit)
        return say(w, VSG_EINVAL,
                   "'%.60s': nothing may stand between number and unit; write '%.*s%.20s'", text,
                   (int)(unit - text) < 40 ? (int)(unit - text) : 40, text, trimmed);
    bool bits = (kind == VSG_Q_BANDWIDTH || kind == VSG_Q_BYTES) && strchr(unit, 'b') != NULL;
    char per_second[24];
    snprintf(per_second, sizeof per_second, "%.20s/s", unit);
    if (!bits)
        for (const struct unit *u = k->unit; u->name; u++)
            if (strcasecmp(u->name, unit) == 0 || strcasecmp(u->name, per_second) == 0)
                return say(w, VSG_EINVAL,
                           "'%.60s': unknown unit '%.20s'; did you mean '%s'? (units: %s)", text,
                           unit, u->name, k->units);
    return say(w, VSG_EINVAL, "'%.60s': unknown unit '%.20s'; units of %s: %s%s", text, unit,
               k->what, k->units, bits ? " (bytes, not bits)" : "");
}

static enum vsg_status say_too_fine(struct why *w, enum vsg_quantity kind, const char *text)
{
    char one[VSG_QUANTITY_TEXT];
    if (kind == VSG_Q_COUNT)
        return say(w, VSG_EINVAL, "'%.60s' is not a whole number", text);
    return say(w, VSG_ERANGE, "'%.60s' is finer than %s, the smallest step", text,
               vsg_quantity_format(kind, 1, one, sizeof one));
}

enum vsg_status vsg_quantity_parse(enum vsg_quantity kind, const char *text, uint64_t *value,
                                   char *why, size_t why_size)
{
    struct why w = {why, why_size};
    const struct kind *k = &kinds[kind];
    struct number n;

    assert(kind < VSG_Q_KINDS);
    if (!*text)
        return say(&w, VSG_EINVAL, "no value; write %s such as %s", k->what, k->example);
    bool sign = *text == '-' || *text == '+';
    if (!scan_number(text + sign, &n))
        return say_not_a_number(&w, k, text);
    if (*text == '+')
        return say(&w, VSG_EINVAL, "'%.60s': leave out the '+'", text);
    const char *unit = text + sign + n.size;
    if (!*unit && *k->units)
        return say_no_unit(&w, kind, text + sign, &n);
    for (const struct unit *u = k->unit; u->name; u++) {
        if (strcmp(u->name, unit) != 0)
            continue;
        uint64_t v;
        if (sign && n.digits > 0) {
            char zero[VSG_QUANTITY_TEXT];
            return say(&w, VSG_ERANGE, "%.60s is below %s", text,
                       vsg_quantity_format(kind, 0, zero, sizeof zero));
        }
        if (sign || n.leading_zero)
            return say(&w, VSG_EINVAL, "'%.60s': write it without leading %s", text,
                       sign ? "'-'" : "zeros");
        if (n.too_long)
            return say(&w, VSG_ERANGE, "'%.60s' has more than %d digits", text, DIGITS_MAX);
        switch (scale(&n, u->factor, &v)) {
        case TOO_FINE:
            return say_too_fine(&w, kind, text);
        case TOO_LARGE:
            return say(&w, VSG_ERANGE, "%.60s is too large", text);
        case SCALED:
            break;
        }
        *value = v;
        return VSG_OK;
    }
    return say_wrong_unit(&w, kind, text, unit);
}

/* ---- writing -----------------------------------------------------------------------------------
 */

/* value / shown as a decimal without trailing zeros; shown is a power of ten. */
static char *decimal(uint64_t value, uint64_t shown, char *buffer, size_t size)
{
    char fraction[24]; /* written from its end */
    char *f = fraction + sizeof fraction - 1;
    uint64_t rest = value % shown;

    *f = 0;
    for (uint64_t step = shown; step > 1; step /= 10, rest /= 10)
        if (*f || rest % 10)
            *--f = (char)('0' + rest % 10);
    snprintf(buffer, size, "%llu%s%s", (unsigned long long)(value / shown), *f ? "." : "", f);
    return buffer;
}

char *vsg_quantity_decimal(enum vsg_quantity kind, uint64_t value, char *buffer, size_t size)
{
    return decimal(value, kinds[kind].shown, buffer, size);
}

char *vsg_quantity_format(enum vsg_quantity kind, uint64_t value, char *buffer, size_t size)
{
    const struct kind *k = &kinds[kind];
    const struct unit *best = k->unit;

    if (kind == VSG_Q_RATIO)
        return decimal(value, k->shown, buffer, size);
    if (kind == VSG_Q_SHARE) {
        decimal(value, k->unit->factor, buffer, size);
        strncat(buffer, k->unit->name, size - strlen(buffer) - 1);
        return buffer;
    }
    if (kind == VSG_Q_TIME && value == 0)
        best = &time_units[1]; /* 0ns */
    for (const struct unit *u = k->unit; value > 0 && u->name; u++)
        if (value % u->factor == 0 && u->factor > best->factor && value / u->factor > 0)
            best = u;
    snprintf(buffer, size, "%llu%s", (unsigned long long)(value / best->factor), best->name);
    return buffer;
}
