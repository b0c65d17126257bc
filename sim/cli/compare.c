#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/exits.h"
#include "cli/input.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/run_output.h"
#include "cli/signals.h"
#include "cli/verbs.h"
#include "study/compare.h"
#include "study/file.h"
#include "study/report.h"
#include "study/text.h"
#include "version.h"

enum { SIDES = 2, PIPED_COLUMNS = 100 };

/* One operand: results, read or made. */
struct operand {
    const char *path;
    json_t *results;
};

struct session {
    const struct vsg_command *c;
    struct operand operand[SIDES];
    size_t operands;
    const char *policy[SIDES]; /* as asked for; NULL: none */
    struct vsg_limit *limit;
    size_t limits;
    struct vsg_comparison_of *pair;
    char **label; /* [2 * pairs] of the sides, owned */
    size_t pairs;
    struct vsg_progress_line progress;
};

static int out_of_memory(void)
{
    fprintf(stderr, "vsgisim: out of memory\n");
    return VSG_EXIT_FAILED;
}

/* ---- a directory ------------------------------------------------------------------------------
 */

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int refuse(const char *path, const char *why)
{
    vsg_show_safely(stderr, path);
    fprintf(stderr, ": error: ");
    vsg_show_safely(stderr, why);
    fprintf(stderr, "\n");
    return VSG_EXIT_SCENARIO;
}

static int read_directory(struct operand *o)
{
    struct vsg_diag diag = VSG_DIAG_INIT;
    unsigned char *bytes = NULL;
    size_t size = 0;
    json_error_t error;
    char *path = NULL, why[200];
    if (asprintf(&path, "%s/results.json", o->path) < 0)
        return out_of_memory();
    enum vsg_status status = vsg_file_read(path, &bytes, &size, &diag);
    int rc = VSG_EXIT_OK;
    if (status == VSG_ENODATA) {
        rc = refuse(o->path, "has no results.json; name what `vsgisim run --out DIR` wrote and "
                             "finished");
    } else if (status != VSG_OK) {
        vsg_show_diag(stderr, NULL, &diag, VSG_SHOW_USUAL);
        rc = VSG_EXIT_SCENARIO;
    } else {
        o->results = json_loadb((const char *)bytes, size, JSON_DECODE_ANY, &error);
        if (!o->results)
            rc = refuse(path, error.text);
        else if (!vsg_compare_is_results(o->results, why, sizeof why))
            rc = refuse(path, why);
    }
    vsg_diag_clear(&diag);
    free(bytes);
    free(path);
    return rc;
}

/* ---- a scenario -------------------------------------------------------------------------------
 */

static void on_progress(void *user, const struct vsg_progress *p)
{
    struct session *s = user;
    if (vsg_signal_tell) {
        char text[200];
        vsg_signal_tell = 0;
        vsg_progress_clear(&s->progress);
        vsg_progress_text(p, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    vsg_progress_show(&s->progress, p);
}

/* The results of all runs, as they would stand in a directory. */
static int take_results(const struct session *s, struct operand *o, const struct vsg_study *study,
                        const struct vsg_source *source, const struct vsg_outcome *outcome)
{
    struct vsg_results results;
    char *text = NULL;
    enum vsg_status status = vsg_results_make(study, outcome, VSG_VERSION, &results);
    if (status != VSG_OK)
        return out_of_memory();
    status = vsg_report_json(&results, &text);
    if (status == VSG_OK)
        o->results = json_loads(text, 0, NULL);
    free(text);
    vsg_run_say_failures(s->c, source, &results);
    vsg_results_free(&results);
    if (!o->results)
        return out_of_memory();
    return outcome->done > 0 ? VSG_EXIT_OK : VSG_EXIT_FAILED;
}

static int run_study(struct session *s, struct operand *o, const struct vsg_study *study,
                     const struct vsg_source *source)
{
    struct vsg_outcome outcome = {0};
    struct vsg_diag diag = VSG_DIAG_INIT;
    char *module = vsg_module_dir();
    if (!module)
        return out_of_memory();
    struct vsg_execute_options options = {
        .jobs = vsg_command_count(s->c, VSG_OPT_JOBS, 0),
        .threads = vsg_command_count(s->c, VSG_OPT_THREADS, 0),
        .module_dir = module,
        .stop = &vsg_signal_came,
        .progress = on_progress,
        .user = s,
    };
    vsg_progress_start(&s->progress,
                       s->c->value[VSG_OPT_QUIET] ? "never" : s->c->value[VSG_OPT_PROGRESS]);
    enum vsg_status status = vsg_study_execute(study, &options, &outcome, &diag);
    vsg_progress_clear(&s->progress);
    int rc;
    if (status == VSG_EINTR && vsg_signal_came) {
        fprintf(stderr, "vsgisim: stopped by signal %d\n", (int)vsg_signal_came);
        rc = VSG_EXIT_SIGNAL + (int)vsg_signal_came;
    } else if (status != VSG_OK) {
        vsg_show_diag(stderr, NULL, &diag, vsg_input_show(s->c));
        if (vsg_diag_count(&diag, VSG_ERROR) == 0)
            fprintf(stderr, "vsgisim: %s: %s\n", source->name, vsg_status_text(status));
        rc = (int)vsg_exit_of(status);
    } else {
        rc = take_results(s, o, study, source, &outcome);
    }
    vsg_outcome_free(&outcome);
    vsg_diag_clear(&diag);
    free(module);
    return rc;
}

/* The policies that a scenario has to run: [global-first, local]. NULL: those it lists itself. */
static char *wanted_policies(const struct session *s, size_t side)
{
    struct vsg_text t = {0};
    char *text = NULL;
    bool both = s->operands == 1 && s->policy[1];
    if (!s->policy[0])
        return NULL;
    vsg_text_add(&t, "[%s", s->policy[side == 1 && s->policy[1] ? 1 : 0]);
    vsg_text_add(&t, both ? ", %s]" : "]", s->policy[1] ? s->policy[1] : "");
    return vsg_text_take(&t, &text) == VSG_OK ? text : NULL;
}

/* Loads and runs a scenario, with the policies asked for in place of its own. */
static int run_scenario(struct session *s, size_t side)
{
    struct operand *o = &s->operand[side];
    struct vsg_command c = *s->c;
    struct vsg_study study = {0};
    struct vsg_source source;
    size_t errors = 0;
    static char key[] = "policies";
    char *policies = wanted_policies(s, side);
    struct vsg_setting *set = calloc(c.set_count + 1, sizeof *set);
    if (!set || (s->policy[0] && !policies)) {
        free(set);
        free(policies);
        return out_of_memory();
    }
    if (c.set_count)
        memcpy(set, c.set, c.set_count * sizeof *set);
    if (policies)
        set[c.set_count++] = (struct vsg_setting){.key = key, .value = policies};
    c.set = set;
    int rc = vsg_input_load(&c, o->path, &study, &source, &errors);
    vsg_input_say_errors(errors);
    if (rc == VSG_EXIT_OK) {
        rc = study.has_guests ? run_study(s, o, &study, &source)
                              : refuse(o->path, "it has no vms, so there is nothing to compare");
        vsg_study_free(&study);
        vsg_source_free(&source);
    }
    free(set);
    free(policies);
    return rc;
}

/* ---- pairs --------------------------------------------------------------------------------------
 */

static bool has_policy(const json_t *results, const char *policy)
{
    const char *name;
    for (size_t i = 0; (name = vsg_compare_policy(results, i)); i++)
        if (strcmp(name, policy) == 0)
            return true;
    return false;
}

static const char *scenario_of(const struct session *s, size_t side)
{
    const char *name = json_string_value(json_object_get(s->operand[side].results, "scenario"));
    return name ? name : "";
}

/* What a side is called: by its policy where both are of one operand, else by its scenario's name,
 * or its path where that is the same; with its policy where those differ or there are several. */
static char *make_label(const struct session *s, size_t side, const char *policy, bool with_policy)
{
    struct vsg_text t = {0};
    char *text = NULL;
    bool named = s->operands > 1 && strcmp(scenario_of(s, 0), scenario_of(s, 1)) != 0;
    const char *name = named ? scenario_of(s, side) : s->operand[side].path;
    if (s->operands == 1)
        vsg_text_add(&t, "%s", policy);
    else
        vsg_text_add(&t, with_policy ? "%s (%s)" : "%s", name, policy);
    return vsg_text_take(&t, &text) == VSG_OK ? text : NULL;
}

static int add_pair(struct session *s, const char *policy_a, const char *policy_b, bool with_policy)
{
    char why[800];
    size_t b = s->operands - 1;
    struct vsg_comparison_of *pair = realloc(s->pair, (s->pairs + 1) * sizeof *pair);
    char **label = realloc(s->label, (s->pairs + 1) * 2 * sizeof *label);
    s->pair = pair ? pair : s->pair;
    s->label = label ? label : s->label;
    if (!pair || !label)
        return out_of_memory();
    label += 2 * s->pairs;
    label[0] = make_label(s, 0, policy_a, with_policy);
    label[1] = make_label(s, b, policy_b, with_policy);
    pair[s->pairs++] = (struct vsg_comparison_of){.count = 0};
    if (!label[0] || !label[1])
        return out_of_memory();
    struct vsg_side one = {label[0], s->operand[0].results, policy_a};
    struct vsg_side other = {label[1], s->operand[b].results, policy_b};
    enum vsg_status status = vsg_compare(&one, &other, &pair[s->pairs - 1], why, sizeof why);
    if (status == VSG_EINVAL)
        return vsg_usage_error("compare", "%s", why);
    return status == VSG_OK ? VSG_EXIT_OK : out_of_memory();
}

/* One operand: its two policies. */
static int pair_policies(struct session *s)
{
    const json_t *results = s->operand[0].results;
    const char *a = s->policy[0], *b = s->policy[1];
    if (!a) {
        a = vsg_compare_policy(results, 0);
        b = vsg_compare_policy(results, 1);
        if (!b || vsg_compare_policy(results, 2))
            return vsg_usage_error("compare",
                                   "%s has not two policies; name two with --policy, or a second "
                                   "scenario or directory",
                                   s->operand[0].path);
    }
    return add_pair(s, a, b, true);
}

/* Two operands: the policies that both have, or the only one of each. */
static int pair_operands(struct session *s)
{
    const json_t *a = s->operand[0].results, *b = s->operand[1].results;
    const char *name;
    size_t common = 0;
    int rc = VSG_EXIT_OK;
    if (s->policy[0])
        return add_pair(s, s->policy[0], s->policy[1] ? s->policy[1] : s->policy[0],
                        s->policy[1] != NULL);
    for (size_t i = 0; (name = vsg_compare_policy(a, i)); i++)
        common += has_policy(b, name);
    for (size_t i = 0; (name = vsg_compare_policy(a, i)) && rc == VSG_EXIT_OK; i++)
        if (has_policy(b, name))
            rc = add_pair(s, name, name, common > 1);
    if (common > 0 || rc != VSG_EXIT_OK)
        return rc;
    if (vsg_compare_policy(a, 0) && vsg_compare_policy(b, 0) && !vsg_compare_policy(a, 1) &&
        !vsg_compare_policy(b, 1))
        return add_pair(s, vsg_compare_policy(a, 0), vsg_compare_policy(b, 0), true);
    return vsg_usage_error("compare", "the two have no policy in common; name two with --policy");
}

/* ---- the command
 * --------------------------------------------------------------------------------- */

static int read_limits(struct session *s)
{
    const char *text;
    char why[500];
    for (size_t i = 0; (text = vsg_command_each(s->c, VSG_OPT_FAIL_IF, i)); i++) {
        struct vsg_limit *grown = realloc(s->limit, (s->limits + 1) * sizeof *grown);
        if (!grown)
            return out_of_memory();
        s->limit = grown;
        enum vsg_status status = vsg_limit_parse(text, &grown[s->limits], why, sizeof why);
        if (status == VSG_EINVAL)
            return vsg_usage_error("compare", "--fail-if %s", why);
        if (status != VSG_OK)
            return out_of_memory();
        s->limits++;
    }
    return VSG_EXIT_OK;
}

static int read_policies(struct session *s)
{
    for (size_t i = 0; i < SIDES; i++)
        s->policy[i] = vsg_command_each(s->c, VSG_OPT_POLICY, i);
    if (vsg_command_each(s->c, VSG_OPT_POLICY, SIDES))
        return vsg_usage_error("compare", "--policy is given more than twice");
    if (s->operands == 1 && s->policy[0] && !s->policy[1])
        return vsg_usage_error("compare",
                               "with one scenario or directory, --policy is given twice or not");
    if (s->operands == 1 && s->policy[0] && strcmp(s->policy[0], s->policy[1]) == 0)
        return vsg_usage_error("compare", "%s is compared with itself", s->policy[0]);
    return VSG_EXIT_OK;
}

static int print(struct session *s)
{
    char *text = NULL;
    struct winsize size;
    unsigned width = PIPED_COLUMNS;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        width = size.ws_col;
    enum vsg_status status =
        s->c->value[VSG_OPT_JSON]
            ? vsg_compare_json(s->pair, s->pairs, s->limit, s->limits, &text)
            : vsg_compare_table(s->pair, s->pairs, s->limit, s->limits, width, &text);
    if (status != VSG_OK)
        return out_of_memory();
    fputs(text, stdout);
    free(text);
    return vsg_compare_fails(s->pair, s->pairs, s->limit, s->limits) ? VSG_EXIT_APART : VSG_EXIT_OK;
}

static int compare(struct session *s)
{
    int rc = read_policies(s);
    if (rc == VSG_EXIT_OK)
        rc = read_limits(s);
    if (rc == VSG_EXIT_OK)
        vsg_signals_catch();
    for (size_t i = 0; i < s->operands && rc == VSG_EXIT_OK; i++) {
        s->operand[i].path = s->c->operand[i];
        rc = is_directory(s->operand[i].path) ? read_directory(&s->operand[i]) : run_scenario(s, i);
    }
    if (rc == VSG_EXIT_OK)
        rc = s->operands == 1 ? pair_policies(s) : pair_operands(s);
    return rc == VSG_EXIT_OK ? print(s) : rc;
}

int vsg_verb_compare(const struct vsg_command *c)
{
    struct session s = {.c = c, .operands = c->operand_count};
    int rc = compare(&s);
    for (size_t i = 0; i < s.pairs; i++) {
        vsg_compare_free(&s.pair[i]);
        free(s.label[2 * i]);
        free(s.label[2 * i + 1]);
    }
    for (size_t i = 0; i < s.limits; i++)
        vsg_limit_free(&s.limit[i]);
    for (size_t i = 0; i < s.operands; i++)
        json_decref(s.operand[i].results);
    free(s.pair);
    free(s.label);
    free(s.limit);
    return rc;
}
