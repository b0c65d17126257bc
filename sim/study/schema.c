#include "study/params.h"
#include "study/sweep_range.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* The JSON Schema of the scenario format, for editors. It knows each key's type, unit,
 * choices and bounds of plain numbers; what keys say about each other only the loader
 * checks. Any lack of memory gives a NULL somewhere below, which jansson's *_new functions
 * pass on; the result is then NULL. */

static json_t *section_schema(const char *section);

static void put(json_t *o, const char *key, json_t *value)
{
    json_object_set_new(o, key, value); /* value NULL: an incomplete schema, caught at the end */
}

static json_t *typed(const char *type)
{
    return json_pack("{s:s}", "type", type);
}

static json_t *quantity(enum vsg_quantity q)
{
    return json_pack("{s:s, s:s}", "type", "string", "pattern", vsg_quantity_pattern(q));
}

static json_t *whole_number(uint64_t min, uint64_t max)
{
    json_t *o = json_pack("{s:s, s:I}", "type", "integer", "minimum", (json_int_t)min);
    if (o && max <= INT64_MAX)
        put(o, "maximum", json_integer((json_int_t)max));
    return o;
}

static json_t *list_of(json_t *items, unsigned at_least)
{
    json_t *o = json_pack("{s:s, s:o}", "type", "array", "items", items);
    if (o && at_least > 0)
        put(o, "minItems", json_integer((json_int_t)at_least));
    return o;
}

static json_t *choices(const struct vsg_param *p)
{
    json_t *names = json_array();
    for (uint32_t i = 0; i < p->choice_count; i++)
        json_array_append_new(names, json_string(p->choice[i]));
    return json_pack("{s:o}", "enum", names);
}

/* {type: object, properties: ..., required: [a, b], additionalProperties: false} */
static json_t *closed_object(json_t *properties, const char *a, const char *b)
{
    json_t *required = json_array();
    if (a)
        json_array_append_new(required, json_string(a));
    if (b)
        json_array_append_new(required, json_string(b));
    return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required",
                     required, "additionalProperties", 0);
}

/* Values and weights, quantiles, or a file of them. */
static json_t *measured(void)
{
    json_t *values = json_pack("{s:s, s:{s:s}, s:o, s:i}", "type", "object", "propertyNames",
                               "pattern", vsg_quantity_pattern(VSG_Q_TIME), "additionalProperties",
                               whole_number(0, UINT32_MAX), "minProperties", 1);
    json_t *quantiles =
        json_pack("{s:s, s:{s:s}, s:{s:s}, s:i}", "type", "object", "propertyNames", "pattern",
                  vsg_quantity_pattern(VSG_Q_SHARE), "additionalProperties", "$ref", "#/$defs/time",
                  "minProperties", 2);
    return json_pack("{s:[o, o, o]}", "oneOf",
                     closed_object(json_pack("{s:o}", "values", values), "values", NULL),
                     closed_object(json_pack("{s:o}", "quantiles", quantiles), "quantiles", NULL),
                     closed_object(json_pack("{s:{s:s}}", "file", "type", "string"), "file", NULL));
}

static json_t *distribution(void)
{
    json_t *time = json_pack("{s:s}", "$ref", "#/$defs/time");
    json_t *uniform =
        closed_object(json_pack("{s:O, s:O}", "low", time, "high", time), "low", "high");
    json_t *exponential = closed_object(json_pack("{s:O}", "mean", time), "mean", NULL);
    json_t *mean_and_cv =
        closed_object(json_pack("{s:O, s:{s:s, s:f, s:i}}", "mean", time, "cv", "type", "number",
                                "minimum", 0.000001, "maximum", 10),
                      "mean", "cv");
    json_t *lognormal =
        closed_object(json_pack("{s:O}", "lognormal", mean_and_cv), "lognormal", NULL);
    json_t *gamma = closed_object(json_pack("{s:o}", "gamma", mean_and_cv), "gamma", NULL);
    return json_pack(
        "{s:[o, o, o, o, o, o, o]}", "oneOf", time,
        closed_object(json_pack("{s:{s:s}}", "constant", "$ref", "#/$defs/time"), "constant", NULL),
        closed_object(json_pack("{s:o}", "uniform", uniform), "uniform", NULL),
        closed_object(json_pack("{s:o}", "exponential", exponential), "exponential", NULL),
        lognormal, gamma,
        closed_object(json_pack("{s:o}", "empirical", measured()), "empirical", NULL));
}

static json_t *warmup(void)
{
    return json_pack(
        "{s:[{s:s}, o, o, o]}", "oneOf", "const", "auto", quantity(VSG_Q_SHARE),
        quantity(VSG_Q_TIME),
        closed_object(json_pack("{s:o}", "sends", whole_number(0, UINT32_MAX)), "sends", NULL));
}

/* One axis: a list of values, or a range of numbers with their unit. */
static json_t *axis_schema(void)
{
    json_t *range = json_pack("{s:s, s:{s:{}, s:{}, s:o, s:{s:[s, s]}}, s:[s, s, s], s:b}", "type",
                              "object", "properties", "from", "to", "steps",
                              whole_number(2, VSG_RANGE_STEPS_MAX), "scale", "enum", "linear",
                              "log", "required", "from", "to", "steps", "additionalProperties", 0);
    return json_pack("{s:[{s:s, s:i}, o]}", "anyOf", "type", "array", "minItems", 1, range);
}

/* Axes by key; groups of them that advance together; policies, which are the scenario's. */
static json_t *sweep_schema(void)
{
    json_t *group = json_pack("{s:s, s:i, s:o}", "type", "object", "minProperties", 1,
                              "additionalProperties", axis_schema());
    json_t *zip = json_pack("{s:[O, o]}", "anyOf", group, list_of(json_incref(group), 1));
    json_decref(group);
    return json_pack("{s:s, s:{s:o, s:{s:s}}, s:o}", "type", "object", "properties", "zip", zip,
                     "policies", "$ref", "#/properties/policies", "additionalProperties",
                     axis_schema());
}

static json_t *value_schema(const struct vsg_param *p)
{
    char below[VSG_PARAM_TEXT];
    switch (p->kind) {
    case VSG_TIME:
        return json_pack("{s:s}", "$ref", "#/$defs/time");
    case VSG_BYTES: /* store_bytes: 8 says its unit in the key */
        return json_pack("{s:[o, o]}", "anyOf", quantity(VSG_Q_BYTES),
                         whole_number(p->min, p->max));
    case VSG_BANDWIDTH:
    case VSG_RATE:
    case VSG_SHARE:
        return quantity(vsg_param_quantity(p));
    case VSG_RATIO:
        return json_pack("{s:s, s:i, s:I}", "type", "number", "minimum", 0, "maximum",
                         (json_int_t)(p->max / 1000000));
    case VSG_COUNT:
        return whole_number(p->min, p->max);
    case VSG_INDEX:
        return json_pack("{s:s, s:i, s:I}", "type", "integer", "minimum", -1, "maximum",
                         (json_int_t)p->max);
    case VSG_BOOL:
        return typed("boolean");
    case VSG_CHOICE:
        return choices(p);
    case VSG_AFFINITY:
        return json_pack("{s:s, s:s}", "type", "string", "pattern",
                         "^[0-9]{1,3}(\\.[0-9]{1,3}){3}$");
    case VSG_NAME:
        return json_pack("{s:[s, s], s:s, s:i}", "type", "string", "integer", "pattern",
                         "^[^\\x00-\\x2c./:-@\\[-\\^`{-\\x7f]+$", "maxLength", 64);
    case VSG_TEXT:
        return typed("string");
    case VSG_DIST:
        return json_pack("{s:s}", "$ref", "#/$defs/distribution");
    case VSG_WARMUP:
        return warmup();
    case VSG_COUNT_LIST:
        return list_of(whole_number(p->min, p->max), 0);
    case VSG_TEXT_LIST:
        return list_of(typed("string"), 1);
    case VSG_CHOICE_LIST: {
        json_t *o = list_of(choices(p), 1);
        if (o)
            put(o, "uniqueItems", json_true());
        return o;
    }
    case VSG_TIME_MATRIX:
        return list_of(list_of(json_pack("{s:s}", "$ref", "#/$defs/time"), 1), 1);
    case VSG_RATE_MATRIX:
        return list_of(list_of(json_pack("{s:s}", "$ref", "#/$defs/rate"), 1), 1);
    case VSG_COUNT_MATRIX:
        return list_of(list_of(whole_number(p->min, p->max), 1), 1);
    case VSG_SECTION_LIST:
        snprintf(below, sizeof below, "%s[]", p->key);
        return list_of(section_schema(below), 0);
    case VSG_AXES:
        return sweep_schema();
    default:
        if (strcmp(p->key, "vms[].workload") == 0)
            return json_pack("{s:s}", "$ref", "#/$defs/workload");
        return section_schema(p->key);
    }
}

/* What the row says in words, for an editor's tooltip. */
static void describe(json_t *o, const struct vsg_param *p)
{
    char text[700], dflt[VSG_PARAM_TEXT], range[VSG_PARAM_TEXT];
    vsg_param_default_text(p, dflt, sizeof dflt);
    vsg_param_range_text(p, range, sizeof range);
    snprintf(text, sizeof text, "%s%s%s%s%s", p->doc, *dflt ? " Default: " : "", dflt,
             *range ? ". Range: " : "", range);
    put(o, "description", json_string(text));
}

static json_t *section_schema(const char *section)
{
    json_t *properties = json_object(), *required = json_array();
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        const char *name;
        if (!vsg_param_is_child(p, section, &name))
            continue;
        json_t *value = strcmp(p->key, "workload") == 0
                            ? json_pack("{s:s}", "$ref", "#/$defs/workload")
                            : value_schema(p);
        if (value)
            describe(value, p);
        put(properties, name, value);
        if (p->required)
            json_array_append_new(required, json_string(name));
    }
    json_t *o = json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
                          "additionalProperties", 0);
    if (o && json_array_size(required) > 0)
        put(o, "required", required);
    else
        json_decref(required);
    return o;
}

char *vsg_schema_json(void)
{
    json_t *top = section_schema("");
    json_t *defs = json_pack("{s:o, s:o, s:o}", "time", quantity(VSG_Q_TIME), "distribution",
                             distribution(), "workload", section_schema("workload"));
    json_t *schema = json_pack(
        "{s:s, s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
        "vsgisim scenario", "description", "Generated from the parameter table: vsgisim schema.");
    char *text = NULL;
    if (top && defs && schema) {
        json_object_update(schema, top);
        json_object_set(schema, "$defs", defs);
        text = json_dumps(schema, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    }
    json_decref(top);
    json_decref(defs);
    json_decref(schema);
    return text;
}
