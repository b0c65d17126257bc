#include <stdio.h>
#include <string.h>

#include "cli/exits.h"
#include "cli/man.h"
#include "cli/verbs.h"

void vsg_help_short(void)
{
    fputs("vsgisim simulates inter-processor interrupts of KVM guests on arm64 machines with a\n"
          "GICv4.1: what the choice of the ITS that sends them costs, and how sure that is.\n"
          "\n"
          "  vsgisim run scenarios/seed-two-socket.yaml              the kernel change, measured\n"
          "  vsgisim topology scenarios/seed-two-socket.yaml         which ITS each CPU uses, and "
          "why\n"
          "  vsgisim run my.yaml --out results --set workload.rate=2M/s\n"
          "  vsgisim plot results                                    draw what that run wrote\n"
          "\n"
          "Verbs: run check topology plot compare explain list schema version help.\n"
          "More: vsgisim help VERB; vsgisim list scenarios; vsgisim explain KEY.\n",
          stdout);
}

void vsg_help_verb(enum vsg_verb verb)
{
    const struct vsg_verb_row *v = &vsg_verb_row[verb];
    printf("vsgisim %s: %s\n\nUsage: vsgisim %s [OPTION...]%s%s\n", v->name, v->summary, v->name,
           *v->operands ? " " : "", v->operands);
    if (*v->text)
        printf("\n%s", v->text);
    printf("\nOptions:\n");
    for (size_t i = 0; i < VSG_OPT_COUNT; i++) {
        const struct vsg_option_row *o = &vsg_option_row[i];
        if (!(o->verbs & 1u << verb))
            continue;
        char letter[5] = "    ", form[64];
        if (o->letter)
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(form, sizeof form, "%s--%s%s%s", letter, o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
        printf("  %-34s  %s", form, o->help);
        if (o->dflt)
            printf(" [%s]", o->dflt);
        putchar('\n');
    }
}

int vsg_verb_help(const struct vsg_command *c)
{
    if (c->value[VSG_OPT_MAN])
        return vsg_man_write(c->value[VSG_OPT_MAN]);
    if (c->operand_count == 0) {
        vsg_help_short();
        return VSG_EXIT_OK;
    }
    const char *names[VSG_VERB_COUNT];
    for (size_t i = 0; i < VSG_VERB_COUNT; i++) {
        names[i] = vsg_verb_row[i].name;
        if (strcmp(names[i], c->operand[0]) == 0) {
            vsg_help_verb((enum vsg_verb)i);
            return VSG_EXIT_OK;
        }
    }
    const char *near = vsg_nearest(c->operand[0], names, VSG_VERB_COUNT);
    if (near)
        return vsg_usage_error("help", "unknown verb '%s'; did you mean '%s'?", c->operand[0],
                               near);
    return vsg_usage_error("help", "unknown verb '%s'", c->operand[0]);
}
