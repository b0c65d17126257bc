#include "version.h"

#include <stdio.h>

#include "cli/exits.h"
#include "cli/verbs.h"

int vsg_verb_version(const struct vsg_command *c)
{
    (void)c;
    puts("vsgisim " VSG_VERSION);
    return VSG_EXIT_OK;
}
