#include <stdio.h>

#include "cli/exits.h"
#include "cli/input.h"
#include "cli/verbs.h"

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
                printf(": valid; %u runs (%u points, %u policies, %u replications)\n",
                       vsg_study_run_count(&study), study.point_count, study.policy_count,
                       study.replications);
            else
                printf(": valid; a machine without guests, for vsgisim topology\n");
        }
        vsg_study_free(&study);
        vsg_source_free(&source);
    }
    vsg_input_say_errors(errors);
    return worst;
}
