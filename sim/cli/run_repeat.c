#include "cli/run_repeat.h"

#include <string.h>

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

/* What the user set. */
static void say_settings(FILE *to, const struct vsg_command *c)
{
    for (size_t i = 0; i < c->set_count; i++) {
        fputs(" --set", to);
        quote_format(to, "%s=%s", c->set[i].key, c->set[i].value);
    }
    if (c->value[VSG_OPT_SEED]) {
        fputs(" --seed", to);
        quote(to, c->value[VSG_OPT_SEED]);
    }
}

/* The run's index in the scenario of its own directory, which has one point, and one policy unless
 * the run needs them all. */
static uint32_t own_index(const struct vsg_study *s, const struct vsg_run *run)
{
    uint32_t policy = vsg_config_needs_all_policies(&s->point[run->point].config) ? run->policy : 0;
    return policy * s->replications + run->replication;
}

void vsg_run_say_repeat(FILE *to, const struct vsg_command *c, const char *scenario,
                        const struct vsg_results *r, const struct vsg_run *run)
{
    char text[4096];
    bool second = run->twin && run->engine == VSG_ENGINE_SIMGRID;
    uint32_t index = run->index, runs = vsg_study_run_count(r->study);
    if (!c->value[VSG_OPT_OUT] && strcmp(scenario, "<stdin>") == 0)
        return;
    fputs("  to repeat it: vsgisim run", to);
    if (c->value[VSG_OPT_OUT]) {
        snprintf(text, sizeof text, "%s/runs/%04u%s/scenario.yaml", c->value[VSG_OPT_OUT],
                 run->index, second ? "-simgrid" : "");
        quote(to, text);
        index = own_index(r->study, run);
        runs /= r->study->point_count;
        if (!vsg_config_needs_all_policies(&r->study->point[run->point].config))
            runs /= r->study->policy_count;
    } else {
        quote(to, scenario);
        say_settings(to, c);
    }
    if (runs > 1)
        fprintf(to, " --only %u", index);
    fprintf(to, " --engine %s\n", vsg_engine_name[run->engine]);
}
