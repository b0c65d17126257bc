/* Opens the SimGrid module and runs worlds on it. */
#include "engine/simgrid_load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct vsg_simgrid_module *loaded; /* under load_lock */

/* dlerror() names the missing library but not what to do. */
static void explain(const char *path, const char *why, struct vsg_diag *diag)
{
    if (access(path, R_OK))
        vsg_diag_error(diag,
                       "SimGrid module: cannot read %s; it is built and installed together with "
                       "vsgisim, so build the target vsgisim-simgrid or install again",
                       path);
    else
        vsg_diag_error(diag,
                       "SimGrid module: cannot load %s: %s; install SimGrid 3.32, on Debian 12 by "
                       "`apt-get install libsimgrid3.32`",
                       path, why ? why : "unknown reason");
}

static enum vsg_status open_module(const char *path, struct vsg_diag *diag)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct vsg_simgrid_module *module = NULL;
    vsg_simgrid_entry_fn entry = NULL;

    if (!handle) {
        explain(path, dlerror(), diag);
        return VSG_EIO;
    }
    /* ISO C has no conversion from an object pointer to a function's; POSIX has. */
    *(void **)&entry = dlsym(handle, VSG_SIMGRID_ENTRY);
    if (entry)
        module = entry();
    if (!module || module->abi != VSG_SIMGRID_ABI) {
        vsg_diag_error(diag,
                       "SimGrid module: %s belongs to another version of vsgisim (interface %u, "
                       "needed %u); build or install both together",
                       path, module ? module->abi : 0, VSG_SIMGRID_ABI);
        dlclose(handle);
        return VSG_EIO;
    }
    loaded = module; /* for good: SimGrid does not survive being closed */
    return VSG_OK;
}

enum vsg_status vsg_simgrid_load(const char *dir, struct vsg_diag *diag)
{
    enum vsg_status status = VSG_OK;
    size_t room = strlen(dir) + sizeof "/" VSG_SIMGRID_FILE;
    char *path = malloc(room);

    if (!path)
        return VSG_ENOMEM;
    snprintf(path, room, "%s/%s", dir, VSG_SIMGRID_FILE);
    pthread_mutex_lock(&load_lock);
    if (!loaded)
        status = open_module(path, diag);
    pthread_mutex_unlock(&load_lock);
    free(path);
    return status;
}

const struct vsg_simgrid_module *vsg_simgrid_loaded(struct vsg_diag *diag)
{
    const struct vsg_simgrid_module *module;

    pthread_mutex_lock(&load_lock);
    module = loaded;
    pthread_mutex_unlock(&load_lock);
    if (!module)
        vsg_diag_error(diag, "SimGrid module: used before it was loaded");
    return module;
}

enum vsg_status vsg_simgrid_run(const struct vsg_world *w, struct vsg_report *report,
                                struct vsg_diag *diag)
{
    static const struct vsg_simgrid_calls calls = {.link_latency_ps = vsg_link_latency_ps,
                                                   .route_latency_ps = vsg_route_latency_ps,
                                                   .link_occupy_ps = vsg_link_occupy_ps};
    const struct vsg_simgrid_module *module = vsg_simgrid_loaded(diag);
    struct vsg_simgrid_error error = {.text = ""};
    enum vsg_status status;

    if (!module)
        return VSG_EINVAL;
    status = vsg_world_check(w, diag);
    if (status)
        return status;
    status = module->run(w, &calls, report, &error);
    if (status && error.text[0])
        vsg_diag_error(diag, "engine simgrid: %s", error.text);
    return status;
}
