#include "cli/run_repeat.h"

#include <string.h>

#include "study/params.h"

/* A word as a shell takes it. */
static void quote(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+./:,@%";
    fputc(' ', to);
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, to);
    fputc('\'', to);
}

static void quote_format(FILE *to, const char *format, const char *a, const char *b)
{
    char word[4096];
    snprintf(word, sizeof word, format, a, b);
    quote(to, word);
}

/* An axis as `sweep` takes it. Results put the unit at the end of the name, unless the key
 * ends in it anyway; scenarios put it behind the number. */
static void print_axis(FILE *to, const struct vsg_axis_value *axis)
{
    static const struct {
        const char *suffix, *unit;
    } units[] = {{"_bytes_per_s", "B/s"}, {"_per_s", "/s"}, {"_bytes", "B"}, {"_ns", "ns"}};
    size_t n = strlen(axis->name), key = n;
    const char *unit = "";
    for (size_t i = 0; axis->is_number && !*unit && i < sizeof units / sizeof units[0]; i++) {
        size_t m = strlen(units[i].suffix);
        if (n <= m || strcmp(axis->name + n - m, units[i].suffix) != 0)
            continue;
        unit = units[i].unit;
        key = vsg_param_find(axis->name) ? n : n - m;
    }
    fprintf(to, "%.*s: [%s%s]", (int)key, axis->name, axis->text, unit);
}

/* What the user set, then the sweep narrowed to the run's point. */
static void say_settings(FILE *to, const struct vsg_command *c, const struct vsg_point *point)
{
    for (size_t i = 0; i < c->set_count; i++) {
        fputs(" --set", to);
        quote_format(to, "%s=%s", c->set[i].key, c->set[i].value);
    }
    if (c->value[VSG_OPT_SEED]) {
        fputs(" --seed", to);
        quote(to, c->value[VSG_OPT_SEED]);
    }
    if (point->axis_count == 0)
        return;
    char text[4096] = "";
    FILE *sweep = fmemopen(text, sizeof text - 1, "w");
    if (!sweep)
        return;
    fputs("sweep={", sweep);
    for (uint32_t i = 0; i < point->axis_count; i++) {
        fputs(i ? ", " : "", sweep);
        print_axis(sweep, &point->axis[i]);
    }
    fputc('}', sweep);
    if (fclose(sweep) == 0) {
        fputs(" --set", to);
        quote(to, text);
    }
}

void vsg_run_say_repeat(FILE *to, const struct vsg_command *c, const char *scenario,
                        const struct vsg_results *r, const struct vsg_run *run)
{
    char text[4096];
    bool second = run->twin && run->engine == VSG_ENGINE_SIMGRID;
    if (!c->value[VSG_OPT_OUT] && strcmp(scenario, "<stdin>") == 0)
        return;
    fputs("  to repeat it: vsgisim run", to);
    if (c->value[VSG_OPT_OUT]) {
        snprintf(text, sizeof text, "%s/runs/%04u%s/scenario.yaml", c->value[VSG_OPT_OUT],
                 run->index, second ? "-simgrid" : "");
        quote(to, text);
    } else {
        quote(to, scenario);
        say_settings(to, c, &r->study->point[run->point]);
    }
    fputs(" --set", to);
    quote_format(to, "policies=[%s]%s", vsg_policy_name[r->study->policy[run->policy]], "");
    fprintf(to, " --set run.replications=%u --engine %s\n", run->replication + 1,
            vsg_engine_name[run->engine]);
}
