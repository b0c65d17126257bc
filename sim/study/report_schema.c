#include <string.h>

#include "study/fields.h"

static void type_of(struct vsg_json *j, const struct vsg_field_row *row)
{
    static const char *const name[] = {"integer", "number", "string", "boolean"};
    if (!row->nullable) {
        vsg_json_text(j, "type", name[row->kind]);
        return;
    }
    vsg_json_open(j, "type", '[', true);
    vsg_json_text(j, NULL, name[row->kind]);
    vsg_json_text(j, NULL, "null");
    vsg_json_close(j, ']');
}

static void property(struct vsg_json *j, const char *key, const struct vsg_field_row *row)
{
    vsg_json_open(j, key, '{', true);
    type_of(j, row);
    vsg_json_text(j, "description", row->doc);
    if (row->unit)
        vsg_json_text(j, "unit", row->unit);
    vsg_json_close(j, '}');
}

static void interval(struct vsg_json *j, const char *key, const struct vsg_field_row *row)
{
    char name[32] = "";
    memcpy(name, key, strcspn(key, "["));
    vsg_json_open(j, name, '{', true);
    vsg_json_open(j, "type", '[', true);
    vsg_json_text(j, NULL, "array");
    vsg_json_text(j, NULL, "null");
    vsg_json_close(j, ']');
    vsg_json_open(j, "items", '{', true);
    vsg_json_text(j, "type", "number");
    vsg_json_close(j, '}');
    vsg_json_uint(j, "minItems", 2);
    vsg_json_uint(j, "maxItems", 2);
    vsg_json_text(j, "description", "95 % interval, [low, high].");
    vsg_json_text(j, "unit", row->unit);
    vsg_json_close(j, '}');
}

static bool same_group(const char *path, const char *group)
{
    const char *dot = strchr(path, '.');
    size_t size = dot ? (size_t)(dot - path) : 0;
    return strlen(group) == size && memcmp(path, group, size) == 0;
}

/* The names that must be there: members (or groups) of `of`, within group. */
static void required(struct vsg_json *j, enum vsg_field_of of, const char *group)
{
    char last[32] = "";
    for (size_t i = 0; i < vsg_field_count; i++) {
        const struct vsg_field_row *row = &vsg_fields[i].row;
        if (vsg_fields[i].of != of || !row->path)
            continue;
        const char *dot = strchr(row->path, '.');
        if (group[0] && !same_group(row->path, group))
            continue;
        const char *name = group[0] ? dot + 1 : row->path;
        size_t size = strcspn(name, group[0] ? "[" : ".[");
        if (strlen(last) == size && memcmp(last, name, size) == 0)
            continue;
        memcpy(last, name, size);
        last[size] = '\0';
        vsg_json_text(j, NULL, last);
    }
}

static void open_group(struct vsg_json *j, enum vsg_field_of of, const char *group)
{
    vsg_json_open(j, group, '{', false);
    if (strcmp(group, "analytic") == 0) {
        vsg_json_raw(j, "type", "[\"object\", \"null\"]");
        vsg_json_text(j, "description", "What theory says; null where it has no answer.");
    } else {
        vsg_json_text(j, "type", "object");
    }
    vsg_json_open(j, "required", '[', true);
    required(j, of, group);
    vsg_json_close(j, ']');
    vsg_json_bool(j, "additionalProperties", false);
    vsg_json_open(j, "properties", '{', false);
}

static void close_group(struct vsg_json *j, const char *group)
{
    if (!group[0])
        return;
    vsg_json_close(j, '}');
    vsg_json_close(j, '}');
}

/* Members of "properties" for the rows of `of`. */
static void properties(struct vsg_json *j, enum vsg_field_of of)
{
    char group[32] = "";
    for (size_t i = 0; i < vsg_field_count; i++) {
        const struct vsg_field_row *row = &vsg_fields[i].row;
        if (vsg_fields[i].of != of || !row->path)
            continue;
        const char *dot = strchr(row->path, '.');
        if (!same_group(row->path, group)) {
            close_group(j, group);
            size_t size = dot ? (size_t)(dot - row->path) : 0;
            memcpy(group, row->path, size);
            group[size] = '\0';
            if (size > 0)
                open_group(j, of, group);
        }
        const char *key = dot ? dot + 1 : row->path;
        enum vsg_field_end end = vsg_field_end(key);
        if (end == VSG_LOWER_END)
            interval(j, key, row);
        else if (end == VSG_NO_END)
            property(j, key, row);
    }
    close_group(j, group);
}

static void array_of(struct vsg_json *j, const char *key, const char *definition)
{
    vsg_json_open(j, key, '{', true);
    vsg_json_text(j, "type", "array");
    vsg_json_open(j, "items", '{', true);
    vsg_json_text(j, "$ref", definition);
    vsg_json_close(j, '}');
    vsg_json_close(j, '}');
}

static void point_property(struct vsg_json *j)
{
    vsg_json_open(j, "point", '{', true);
    vsg_json_text(j, "type", "object");
    vsg_json_text(j, "description",
                  "Axis to value; numbers in the unit that the axis' name ends with.");
    vsg_json_raw(j, "additionalProperties", "{\"type\": [\"number\", \"string\", \"boolean\"]}");
    vsg_json_close(j, '}');
}

static void figure_properties(struct vsg_json *j)
{
    properties(j, VSG_OF_FIGURES);
    array_of(j, "pairs", "#/$defs/pairs");
    array_of(j, "vms", "#/$defs/vms");
    array_of(j, "its", "#/$defs/its");
    array_of(j, "links", "#/$defs/links");
    properties(j, VSG_OF_STAGES);
}

static void figures_required(struct vsg_json *j)
{
    required(j, VSG_OF_FIGURES, "");
    for (int of = VSG_OF_PAIRS; of <= VSG_OF_LINKS; of++)
        vsg_json_text(j, NULL, vsg_field_of_name[of]);
    required(j, VSG_OF_STAGES, "");
}

/* A run or a point: its own members, and all figures unless it has none. */
static void with_figures(struct vsg_json *j, enum vsg_field_of of, const char *condition)
{
    vsg_json_open(j, vsg_field_of_name[of], '{', false);
    vsg_json_text(j, "type", "object");
    vsg_json_open(j, "required", '[', true);
    vsg_json_text(j, NULL, "point");
    required(j, of, "");
    vsg_json_close(j, ']');
    vsg_json_bool(j, "additionalProperties", false);
    vsg_json_open(j, "properties", '{', false);
    point_property(j);
    properties(j, of);
    figure_properties(j);
    vsg_json_close(j, '}');
    vsg_json_raw(j, "if", condition);
    vsg_json_open(j, "then", '{', true);
    vsg_json_open(j, "required", '[', true);
    figures_required(j);
    vsg_json_close(j, ']');
    vsg_json_close(j, '}');
    vsg_json_close(j, '}');
}

static void plain(struct vsg_json *j, enum vsg_field_of of, bool has_point)
{
    vsg_json_open(j, vsg_field_of_name[of], '{', false);
    vsg_json_text(j, "type", "object");
    vsg_json_open(j, "required", '[', true);
    if (has_point)
        vsg_json_text(j, NULL, "point");
    required(j, of, "");
    vsg_json_close(j, ']');
    vsg_json_bool(j, "additionalProperties", false);
    vsg_json_open(j, "properties", '{', false);
    if (has_point)
        point_property(j);
    properties(j, of);
    vsg_json_close(j, '}');
    vsg_json_close(j, '}');
}

static void study(struct vsg_json *j)
{
    vsg_json_open(j, "study", '{', false);
    vsg_json_text(j, "type", "object");
    vsg_json_raw(j, "required",
                 "[\"scenario\", \"version\", \"warnings\", \"runs\", \"points\", "
                 "\"comparisons\"]");
    vsg_json_bool(j, "additionalProperties", false);
    vsg_json_open(j, "properties", '{', false);
    vsg_json_raw(j, "scenario",
                 "{\"type\": \"string\", \"description\": \"Name of the scenario.\"}");
    vsg_json_raw(j, "version", "{\"type\": \"string\", \"description\": \"Of vsgisim.\"}");
    vsg_json_raw(j, "warnings", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}");
    array_of(j, "runs", "#/$defs/run");
    array_of(j, "points", "#/$defs/point");
    array_of(j, "comparisons", "#/$defs/comparison");
    vsg_json_raw(j, "agreement", "{\"$ref\": \"#/$defs/agreement\"}");
    vsg_json_close(j, '}');
    vsg_json_close(j, '}');
}

static const char agreement[] =
    "{\n"
    "      \"type\": \"object\",\n"
    "      \"description\": \"Whether both engines measured the same (--engine both).\",\n"
    "      \"required\": [\"equal\", \"compared\", \"runs\", \"reason\", \"first_difference\"],\n"
    "      \"additionalProperties\": false,\n"
    "      \"properties\": {\n"
    "        \"equal\": {\"type\": [\"boolean\", \"null\"], \"description\": \"Every integer of "
    "every "
    "compared run; null: nothing could be compared.\"},\n"
    "        \"compared\": {\"type\": \"integer\", \"description\": \"IPIs in the compared "
    "runs.\"},\n"
    "        \"runs\": {\"type\": \"integer\", \"description\": \"Pairs of runs compared.\"},\n"
    "        \"reason\": {\"type\": [\"string\", \"null\"], \"description\": \"What differs, or "
    "why "
    "something was not compared.\"},\n"
    "        \"first_difference\": {\"type\": [\"object\", \"null\"], \"description\": \"The first "
    "different IPI, by intent, sender and n.\",\n"
    "          \"required\": [\"run\", \"sender\", \"n\", \"intent_ps\", \"parallel_latency_ps\", "
    "\"simgrid_latency_ps\"],\n"
    "          \"additionalProperties\": {\"type\": \"integer\"}}\n"
    "      }\n"
    "    }";

enum vsg_status vsg_report_schema(char **text)
{
    struct vsg_text t = {0};
    struct vsg_json j = {.text = &t};
    vsg_json_open(&j, NULL, '{', false);
    vsg_json_text(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    vsg_json_text(&j, "title", "Results of vsgisim run --json");
    vsg_json_raw(&j, "oneOf",
                 "[{\"$ref\": \"#/$defs/study\"}, {\"type\": \"array\", \"items\": {\"$ref\": "
                 "\"#/$defs/study\"}}]");
    vsg_json_open(&j, "$defs", '{', false);
    study(&j);
    with_figures(&j, VSG_OF_RUN, "{\"properties\": {\"status\": {\"const\": \"done\"}}}");
    with_figures(&j, VSG_OF_POINT, "{\"properties\": {\"n\": {\"minimum\": 1}}}");
    plain(&j, VSG_OF_COMPARISON, true);
    for (int of = VSG_OF_PAIRS; of <= VSG_OF_LINKS; of++)
        plain(&j, (enum vsg_field_of)of, false);
    vsg_json_raw(&j, "agreement", agreement);
    vsg_json_close(&j, '}');
    vsg_json_close(&j, '}');
    vsg_text_add(&t, "\n");
    return vsg_text_take(&t, text);
}
