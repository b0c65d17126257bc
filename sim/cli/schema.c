#include <stdio.h>
#include <stdlib.h>

#include "cli/exits.h"
#include "cli/verbs.h"
#include "study/params.h"
#include "study/report.h"

int vsg_verb_schema(const struct vsg_command *c)
{
    char *text = NULL;
    enum vsg_status status = VSG_OK;
    if (c->value[VSG_OPT_RESULTS])
        status = vsg_report_schema(&text);
    else if (!(text = vsg_schema_json()))
        status = VSG_ENOMEM;
    if (status == VSG_OK)
        fputs(text, stdout);
    else
        fprintf(stderr, "vsgisim: %s\n", vsg_status_text(status));
    free(text);
    return (int)vsg_exit_of(status);
}
