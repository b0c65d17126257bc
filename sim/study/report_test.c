/* Goal: results as text keep the output contract. Method: jansson reads the JSON back and the
 * schema is walked beside it; texts for people are compared whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <jansson.h>
#include <stdio.h>

#include "study/made_up.h"
#include "study/report.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* The seed's study: 2 nodes, 2 policies, 4 runs. */
static void seed(struct made_up *m)
{
    static const uint64_t latency_ns[4] = {850, 750, 750, 750};
    made_up(m, 2, 2, 1);
    for (uint32_t i = 0; i < 4; i++) {
        made_run(m, i, 4000, NS(latency_ns[i]));
        struct vsg_run_result *r = &m->run[i].result;
        r->stage_sum_ps[VSG_STAGE_TRAP] = 4000 * NS(latency_ns[i] - 120);
        r->stage_sum_ps[VSG_STAGE_MMIO] = 4000 * NS(100);
        r->stage_sum_ps[VSG_STAGE_ITS] = 4000 * NS(20);
        r->its[0].stats = (struct vsg_server_stats){.served = 4000, .busy_ps = 4000 * NS(20)};
        r->fingerprint = 0xabc0 + i;
        r->events = 123;
        m->outcome.run[i].result.node_count = 1;
    }
}

static struct vsg_results results_of(const struct made_up *m)
{
    struct vsg_results r;
    assert_int_equal(vsg_results_make(&m->study, &m->outcome, "1.2.3", &r), VSG_OK);
    return r;
}

static void assert_begins(const char *text, const char *right)
{
    assert_true(strncmp(text, right, strlen(right)) == 0);
}

typedef enum vsg_status (*writer)(const struct vsg_results *r, char **text);

static char *written(writer w, const struct vsg_results *r)
{
    char *text = NULL;
    assert_int_equal(w(r, &text), VSG_OK);
    assert_true(strlen(text) > 0);
    return text;
}

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *j = json_loads(text, 0, &error);
    if (!j)
        print_error("line %d: %s\n", error.line, error.text);
    assert_non_null(j);
    return j;
}

/* "runs/0/latency_ns/mean": a member or element of each level. */
static const json_t *at(const json_t *j, const char *path)
{
    char part[64];
    while (*path && j) {
        size_t size = strcspn(path, "/");
        assert_true(size < sizeof part);
        memcpy(part, path, size);
        part[size] = '\0';
        j = json_is_array(j) ? json_array_get(j, (size_t)atoi(part)) : json_object_get(j, part);
        path += size + (path[size] == '/');
    }
    return j;
}

static void json_has_the_contracts_fields(void **state)
{
    (void)state;
    struct made_up m;
    seed(&m);
    struct vsg_results r = results_of(&m);
    char *text = written(vsg_report_json, &r);
    json_t *j = parsed(text);
    assert_string_equal(json_string_value(at(j, "scenario")), "made-up");
    assert_string_equal(json_string_value(at(j, "version")), "1.2.3");
    assert_int_equal(json_array_size(at(j, "warnings")), 0);
    assert_int_equal(json_array_size(at(j, "runs")), 4);
    assert_int_equal(json_array_size(at(j, "points")), 4);
    assert_int_equal(json_array_size(at(j, "comparisons")), 2);
    assert_null(at(j, "agreement"));
    assert_int_equal(json_integer_value(at(j, "runs/3/point/vms.guest.placement.node")), 1);
    assert_string_equal(json_string_value(at(j, "runs/0/policy")), "global-first");
    assert_string_equal(json_string_value(at(j, "runs/0/engine")), "parallel");
    assert_string_equal(json_string_value(at(j, "runs/0/status")), "done");
    assert_string_equal(json_string_value(at(j, "runs/0/fingerprint")), "000000000000abc0");
    assert_int_equal(json_integer_value(at(j, "runs/0/events")), 123);
    assert_true(json_real_value(at(j, "runs/0/sim_time_ns")) == 3400000.0);
    assert_true(json_real_value(at(j, "runs/0/latency_ns/mean")) == 850.0);
    assert_true(json_is_null(at(j, "runs/0/latency_ns/ci95")));
    assert_string_equal(json_string_value(at(j, "runs/0/latency_ns/method")), "deterministic");
    assert_true(json_is_null(at(j, "runs/0/latency_ns/p99_9"))); /* 4 IPIs above */
    assert_true(json_real_value(at(j, "runs/0/stages_ns/mmio")) == 100.0);
    assert_int_equal(json_object_size(at(j, "runs/0/stages_ns")), VSG_STAGE_COUNT);
    assert_true(json_real_value(at(j, "runs/0/pairs/0/mean_ns")) == 850.0);
    assert_string_equal(json_string_value(at(j, "runs/0/vms/0/name")), "guest");
    assert_int_equal(json_integer_value(at(j, "runs/0/its/0/id")), 1);
    assert_true(json_real_value(at(j, "runs/0/its/0/utilisation")) == 0.023529); /* 20 / 850 */
    assert_string_equal(json_string_value(at(j, "runs/0/links/0/id")), "n0-n1");
    assert_true(json_real_value(at(j, "runs/0/analytic/error")) == 0);
    assert_int_equal(json_integer_value(at(j, "points/0/n")), 1);
    assert_true(json_real_value(at(j, "points/1/latency_ns/mean")) == 750.0);
    assert_string_equal(json_string_value(at(j, "comparisons/0/a")), "global-first");
    assert_string_equal(json_string_value(at(j, "comparisons/0/verdict")), "faster");
    assert_true(json_real_value(at(j, "comparisons/0/diff_ns")) == -100.0);
    assert_non_null(strstr(text, "\"diff_ns\": -100.000, \"ratio\": 0.882353, \"ci95\": null"));
    char *again = written(vsg_report_json, &r);
    assert_string_equal(text, again);
    free(again);
    json_decref(j);
    free(text);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void an_interval_is_low_and_high(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 5);
    made_up_random(&m);
    for (uint32_t i = 0; i < 5; i++)
        made_run(&m, i, 10, NS(100 + i));
    struct vsg_results r = results_of(&m);
    char *text = written(vsg_report_json, &r);
    assert_non_null(
        strstr(text, "\"mean\": 102.000, \"ci95\": [100.037, 103.963], \"method\": \"t\""));
    free(text);
    vsg_results_free(&r);
    made_up_free(&m);
}

/* ---- the schema -------------------------------------------------------------------------------
 */

/* As much of JSON Schema as ours uses. */
static void conforms(const json_t *root, const json_t *schema, const json_t *value,
                     const char *where);

static bool has_type(const char *type, const json_t *v)
{
    return strcmp(type, "null") == 0      ? json_is_null(v)
           : strcmp(type, "string") == 0  ? json_is_string(v)
           : strcmp(type, "boolean") == 0 ? json_is_boolean(v)
           : strcmp(type, "integer") == 0 ? json_is_integer(v)
           : strcmp(type, "number") == 0  ? json_is_number(v)
           : strcmp(type, "array") == 0   ? json_is_array(v)
                                          : json_is_object(v);
}

static void members(const json_t *root, const json_t *schema, const json_t *value,
                    const char *where)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *others = json_object_get(schema, "additionalProperties");
    const char *key;
    json_t *member;
    json_object_foreach ((json_t *)value, key, member) {
        const json_t *rule = json_object_get(properties, key);
        if (!rule && (!others || json_is_false(others))) {
            print_error("%s: %s is not in the schema\n", where, key);
            fail();
        }
        conforms(root, rule ? rule : others, member, key);
    }
    size_t i;
    json_t *name;
    json_array_foreach (json_object_get(schema, "required"), i, name) {
        if (!json_object_get(value, json_string_value(name))) {
            print_error("%s: %s is required\n", where, json_string_value(name));
            fail();
        }
    }
}

static void conforms(const json_t *root, const json_t *schema, const json_t *value,
                     const char *where)
{
    const json_t *reference = json_object_get(schema, "$ref"),
                 *type = json_object_get(schema, "type");
    if (reference) {
        conforms(root, at(root, json_string_value(reference) + 2), value, where);
        return;
    }
    bool fits = !type || (json_is_string(type) && has_type(json_string_value(type), value));
    for (size_t i = 0; json_is_array(type) && i < json_array_size(type); i++)
        fits = fits || has_type(json_string_value(json_array_get(type, i)), value);
    if (!fits) {
        print_error("%s has a wrong type\n", where);
        fail();
    }
    if (json_is_object(value) && type)
        members(root, schema, value, where);
    const json_t *items = json_object_get(schema, "items");
    for (size_t i = 0; json_is_array(value) && items && i < json_array_size(value); i++)
        conforms(root, items, json_array_get(value, i), where);
}

static void check_against_schema(const struct vsg_results *r)
{
    char *schema_text = NULL, *text = written(vsg_report_json, r);
    assert_int_equal(vsg_report_schema(&schema_text), VSG_OK);
    json_t *schema = parsed(schema_text), *value = parsed(text);
    conforms(schema, at(schema, "$defs/study"), value, "study");
    /* What a finished run must have. */
    const json_t *run_rule = at(schema, "$defs/run/then/required");
    assert_true(json_array_size(run_rule) > 15);
    size_t i;
    json_t *name;
    json_array_foreach (run_rule, i, name) {
        const json_t *run = at(value, "runs/0");
        bool done = strcmp(json_string_value(json_object_get(run, "status")), "done") == 0;
        assert_true(!done || json_object_get(run, json_string_value(name)));
    }
    json_decref(schema);
    json_decref(value);
    free(schema_text);
    free(text);
}

static void results_keep_their_schema(void **state)
{
    (void)state;
    struct made_up m;
    seed(&m);
    struct vsg_results r = results_of(&m);
    check_against_schema(&r);
    vsg_results_free(&r);
    made_up_free(&m);
    made_up(&m, 1, 2, 5); /* with intervals, and an unstable point, and both engines */
    made_up_random(&m);
    m.vm[0].workload = (struct vsg_workload_config){.kind = VSG_WORKLOAD_POISSON, .rate_per_s = 10};
    for (uint32_t i = 0; i < 10; i++)
        made_run(&m, i, 10, NS(100 + i));
    m.run[7].result.open = true;
    m.run[7].result.backlog_end = 1000;
    m.outcome.agreement = (struct vsg_agreement){
        .asked = true, .known = true, .runs = 1, .ipis = 2, .has_first = true, .n = 9};
    r = results_of(&m);
    check_against_schema(&r);
    vsg_results_free(&r);
    made_up_free(&m);
    made_up(&m, 1, 1, 1); /* nothing done */
    m.run[0].state = VSG_RUN_FAILED;
    m.run[0].error = strdup("a \"quoted\" reason");
    r = results_of(&m);
    check_against_schema(&r);
    vsg_results_free(&r);
    made_up_free(&m);
}

/* ---- CSV ---------------------------------------------------------------------------------------
 */

static size_t count_in_line(const char *text, size_t line, char c)
{
    size_t count = 0;
    while (line-- > 0)
        text = strchr(text, '\n') + 1;
    for (; *text && *text != '\n'; text++)
        count += *text == c;
    return count;
}

static void csv_has_a_row_per_run_and_a_column_per_axis(void **state)
{
    (void)state;
    struct made_up m;
    seed(&m);
    m.run[3].state = VSG_RUN_FAILED;
    m.run[3].error = strdup("it broke, \"badly\"");
    struct vsg_results r = results_of(&m);
    char *text = written(vsg_report_csv, &r);
    assert_memory_equal(
        text, "index,vms.guest.placement.node,policy,engine,seed,replication,status,", 69);
    for (size_t line = 1; line < 4; line++)
        assert_int_equal(count_in_line(text, line, ','), count_in_line(text, 0, ','));
    assert_int_equal(count_in_line(text, 4, ','), count_in_line(text, 0, ',') + 1); /* in quotes */
    assert_non_null(strstr(text, "\n0,0,global-first,parallel,1,0,done,,3400000.000,false,"));
    assert_non_null(strstr(text, "\n3,1,local,parallel,1,0,failed,\"it broke, \"\"badly\"\"\",,"));
    free(text);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void fields_have_unique_names_units_and_docs(void **state)
{
    (void)state;
    struct vsg_field_row a, b;
    size_t count = 0;
    for (; vsg_report_field(count, &a); count++) {
        assert_true(a.path || a.column);
        assert_true(strlen(a.doc) > 5 && a.doc[strlen(a.doc) - 1] == '.');
        assert_true(a.unit || a.kind == VSG_FIELD_TEXT || a.kind == VSG_FIELD_BOOLEAN ||
                    (a.path && strcmp(a.path, "seed") == 0));
        if (a.column && a.unit && strcmp(a.unit, "ns") == 0)
            assert_string_equal(a.column + strlen(a.column) - 3, "_ns");
        for (size_t i = 0; i < count; i++) {
            assert_true(vsg_report_field(i, &b));
            assert_false(a.column && b.column && strcmp(a.column, b.column) == 0);
            assert_false(strcmp(a.of, b.of) == 0 && a.path && b.path &&
                         strcmp(a.path, b.path) == 0);
        }
    }
    assert_true(count > 60);
}

static void samples_name_their_its(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 1);
    made_run(&m, 0, 10, NS(100));
    struct vsg_sample *s = calloc(1, sizeof *s);
    *s = (struct vsg_sample){.sender = 2,
                             .target = 3,
                             .n = 5,
                             .its = 0,
                             .intent_ps = 77,
                             .latency_ps = 9,
                             .stage_ps = {9}};
    m.run[0].result.sample = s;
    m.run[0].result.sample_count = 1;
    struct vsg_results r = results_of(&m);
    char *text = NULL;
    assert_int_equal(vsg_report_samples_csv(&r, true, &text), VSG_OK);
    assert_non_null(strstr(text, "scenario,run,engine,sender,n,target,its,intent_ps,latency_ps,"
                                 "sender_wait_ps,prepare_ps,"));
    assert_non_null(strstr(text, "\nmade-up,0,parallel,2,5,3,1,77,9,9,0,0,"));
    assert_int_equal(count_in_line(text, 0, ','), count_in_line(text, 1, ','));
    free(text);
    vsg_results_free(&r);
    made_up_free(&m);
}

/* ---- plot data ----------------------------------------------------------------------------------
 */

static void plots_get_percentiles_and_stages(void **state)
{
    (void)state;
    struct made_up m;
    seed(&m);
    struct vsg_results r = results_of(&m);
    char *text = written(vsg_report_percentiles_tsv, &r);
    assert_begins(text, "series\tpercentile\tinverse\tlatency_ns\n"
                        "\"global-first, vms.guest.placement.node 0\"\t0.000000\t1.000\t850.000\n"
                        "\"global-first, vms.guest.placement.node 0\"\t0.200000\t1.250\t850.000\n");
    /* The last of 4,000 IPIs with 30 above: 1 / (1 - p) = 125, 32 above; at 160 there are 25. */
    assert_non_null(strstr(text, "\t0.992000\t125.000\t850.000\n\"local"));
    free(text);
    text = written(vsg_report_stages_tsv, &r);
    assert_begins(text, "series\tsender_wait\tprepare\ttrap\tlock_wait\t");
    assert_non_null(
        strstr(text, "\n\"local, vms.guest.placement.node 1\"\t0.000\t0.000\t630.000\t"));
    free(text);
    text = NULL;
    assert_int_equal(vsg_report_pairs_tsv(&r.run[0], &text), VSG_OK);
    assert_string_equal(
        text, "from_node\tto_node\tcount\tmean_ns\tp99_ns\n0\t0\t4000\t850.000\t850.000\n");
    free(text);
    vsg_results_free(&r);
    made_up_free(&m);
}

/* ---- for people
 * ------------------------------------------------------------------------------------ */

static void the_seeds_table(void **state)
{
    (void)state;
    struct made_up m;
    seed(&m);
    struct vsg_results r = results_of(&m);
    char *text = NULL;
    assert_int_equal(vsg_report_table(&r, 100, 14, &text), VSG_OK);
    assert_string_equal(
        text,
        "local is faster than global-first by 100.0 ns (-11.8 %) with guest on node 0; no "
        "difference "
        "with\n"
        "guest on node 1.\n"
        "\n"
        "vms.guest.placement.node  policy            mean     p50     p99     max  ITS         "
        "bottleneck\n"
        "0                         global-first  850.0 ns  850 ns  850 ns  850 ns  its1 2.4 %  -\n"
        "0                         local         750.0 ns  750 ns  750 ns  750 ns  its1 2.7 %  -\n"
        "1                         global-first  750.0 ns  750 ns  750 ns  750 ns  its1 2.7 %  -\n"
        "1                         local         750.0 ns  750 ns  750 ns  750 ns  its1 2.7 %  -\n"
        "\n"
        "where the time goes, ns, with guest on node 0\n"
        "                 trap   mmio   its\n"
        "  global-first  730.0  100.0  20.0\n"
        "  local         630.0  100.0  20.0\n"
        "\n"
        "where the time goes, ns, with guest on node 1\n"
        "                 trap   mmio   its\n"
        "  global-first  630.0  100.0  20.0\n"
        "  local         630.0  100.0  20.0\n"
        "\n"
        "deterministic: no random input, so no interval. 16,000 IPIs, 14 assumed costs (vsgisim "
        "explain\n"
        "--assumed).\n");
    free(text);
    vsg_results_free(&r);
    made_up_free(&m);
}

static void a_table_is_no_wider_than_the_terminal(void **state)
{
    (void)state;
    struct made_up m;
    seed(&m);
    struct vsg_results r = results_of(&m);
    for (unsigned width = 120; width >= 50; width -= 10) {
        char *text = NULL;
        assert_int_equal(vsg_report_table(&r, width, UINT32_MAX, &text), VSG_OK);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
            assert_true(strcspn(line, "\n") <= width);
            assert_true(line[0] == '\n' || line[strcspn(line, "\n") - 1] != ' ');
        }
        assert_non_null(strstr(text, "750.0 ns"));
        free(text);
    }
    vsg_results_free(&r);
    made_up_free(&m);
}

static void assert_answer(struct made_up *m, const char *right)
{
    struct vsg_results r = results_of(m);
    char *text = written(vsg_report_answer, &r);
    assert_string_equal(text, right);
    free(text);
    vsg_results_free(&r);
    made_up_free(m);
}

static void answers(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 1, 1);
    made_run(&m, 0, 4000, NS(850));
    assert_answer(&m, "global-first: mean latency 850.0 ns, p99 850 ns.");

    made_up(&m, 2, 1, 1);
    made_run(&m, 0, 10, NS(850));
    made_run(&m, 1, 10, NS(1750));
    assert_answer(&m, "global-first: mean latency from 850.0 ns with guest on node 0 to 1,750.0 ns "
                      "with guest on node 1.");

    made_up(&m, 2, 1, 1);
    made_run(&m, 0, 10, NS(850));
    made_run(&m, 1, 10, NS(850));
    assert_answer(&m, "global-first: mean latency 850.0 ns at every point.");

    made_up(&m, 1, 2, 5); /* paired differences of -10 .. -14 ns, half width 1.963 */
    made_up_random(&m);
    for (uint32_t i = 0; i < 10; i++)
        made_run(&m, i, 10, NS(i < 5 ? 200 : 190 - (i - 5)));
    assert_answer(&m, "local is faster than global-first by 12.0 +- 2.0 ns (-6.0 %).");

    made_up(&m, 1, 2, 5); /* -2 .. 2 ns */
    made_up_random(&m);
    for (uint32_t i = 0; i < 10; i++)
        made_run(&m, i, 10, NS(i < 5 ? 200 : 198 + (i - 5)));
    assert_answer(&m, "local against global-first: no difference that these runs can show (+-2.0 "
                      "ns, less than 1 %).");

    /* 1 ns: 2.2010 x 1.5811 / sqrt(12) is 1.005, 2.1788 x 1.5811 / sqrt(13) is 0.955. */
    made_up(&m, 1, 2, 5);
    made_up_random(&m);
    for (uint32_t i = 0; i < 10; i++)
        made_run(&m, i, 10, NS(i < 5 ? 100 : 98 + (i - 5)));
    assert_answer(&m, "local against global-first: no difference that these runs can show (+-2.0 "
                      "ns; 13 replications would show 1 %).");

    made_up(&m, 1, 2, 1);
    made_up_random(&m);
    made_run(&m, 0, 10, NS(100));
    made_run(&m, 1, 10, NS(110));
    assert_answer(&m, "local against global-first: +10.0 ns (+10.0 %) in 1 replication, too few to "
                      "say whether by chance.");

    made_up(&m, 6, 2, 1); /* many points: summed up */
    for (uint32_t i = 0; i < 12; i++)
        made_run(&m, i, 10, NS(i % 2 == 0 ? 100 : i == 1 ? 90 : i == 3 ? 80 : i == 5 ? 107 : 100));
    assert_answer(&m,
                  "local against global-first: faster at 2 of 6 points, by 10.0 to 20.0 ns; slower "
                  "at 1 of 6 points, by 7.0 ns; no difference shown at 3 of 6 points.");

    made_up(&m, 1, 1, 1);
    m.run[0].state = VSG_RUN_FAILED;
    assert_answer(&m, "No run was done.");
}

static void an_unstable_point_says_why_and_what_would_do(void **state)
{
    (void)state;
    struct made_up m;
    made_up(&m, 1, 2, 1);
    m.vm[0].workload = (struct vsg_workload_config){.kind = VSG_WORKLOAD_POISSON, .rate_per_s = 10};
    made_run(&m, 0, 10, NS(100));
    made_run(&m, 1, 10, NS(100));
    m.run[0].result.open = true;
    m.run[0].result.backlog_end = 1000;
    assert_answer(&m,
                  "global-first is unstable and local is not.\n"
                  "global-first is unstable: the backlog grows: 0 IPIs at half of the window, 1000 "
                  "at its end; sustainable is about 10,000,000 IPIs/s of all senders.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_contracts_fields),
        cmocka_unit_test(an_interval_is_low_and_high),
        cmocka_unit_test(results_keep_their_schema),
        cmocka_unit_test(csv_has_a_row_per_run_and_a_column_per_axis),
        cmocka_unit_test(fields_have_unique_names_units_and_docs),
        cmocka_unit_test(samples_name_their_its),
        cmocka_unit_test(plots_get_percentiles_and_stages),
        cmocka_unit_test(the_seeds_table),
        cmocka_unit_test(a_table_is_no_wider_than_the_terminal),
        cmocka_unit_test(answers),
        cmocka_unit_test(an_unstable_point_says_why_and_what_would_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
