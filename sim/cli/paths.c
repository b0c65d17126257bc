#include "cli/paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "version.h"

/* A folder given relative to that of the running program; the caller's. */
static char *beside_program(const char *relative)
{
    char program[PATH_MAX], *path = NULL;
    ssize_t n = readlink("/proc/self/exe", program, sizeof program);
    if (n <= 0 || n >= (ssize_t)sizeof program)
        return NULL;
    program[n] = '\0';
    *strrchr(program, '/') = '\0'; /* the kernel gives an absolute path */
    if (asprintf(&path, "%s/%s", program, relative) < 0)
        return NULL;
    return path;
}

char *vsg_module_dir(void)
{
    const char *asked = getenv("VSGISIM_MODULE_DIR");
    return asked && *asked ? strdup(asked) : beside_program(VSG_MODULE_INSTALL);
}

char *vsg_share_dir(const char *name)
{
    char relative[256];
    snprintf(relative, sizeof relative, "%s/%s", VSG_SHARE_INSTALL, name);
    char *path = beside_program(relative);
    char *found = path ? realpath(path, NULL) : NULL;
    free(path);
    return found;
}
