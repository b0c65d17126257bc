#include <stdio.h>

#include "cli/exits.h"
#include "cli/input.h"
#include "cli/verbs.h"

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

int vsg_verb_check(const struct vsg_command *c)
{
    size_t errors = 0;
    int worst = VSG_EXIT_OK;
    for (size_t i = 0; i < c->operand_count; i++) {
        struct vsg_study study = {0};
        struct vsg_source source;
        int rc = vsg_input_load(c, c->operand[i], &study, &source, &errors);
        if (rc != VSG_EXIT_OK) {
            worst = rc > worst ? rc : worst;
            continue;
        }
        if (!c->value[VSG_OPT_QUIET]) {
            vsg_show_safely(stdout, source.name);
            if (study.has_guests)
                printf(": valid; %s%u run%s: %u point%s, %u polic%s, %s%u replication%s\n",
                       study.precision_ppm ? "at most " : "", vsg_study_run_count(&study),
                       plural(vsg_study_run_count(&study)), study.point_count,
                       plural(study.point_count), study.policy_count,
                       study.policy_count == 1 ? "y" : "ies", study.precision_ppm ? "at most " : "",
                       study.replications, plural(study.replications));
            else
                printf(": valid; a machine without guests, for vsgisim topology\n");
        }
        vsg_study_free(&study);
        vsg_source_free(&source);
    }
    vsg_input_say_errors(errors);
    return worst;
}
