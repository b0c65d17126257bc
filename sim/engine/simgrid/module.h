/* What vsgisim-simgrid.so and the program that opens it know of each other.
 *
 * SimGrid takes 45 ms to load, so nothing links with it: simgrid_load.c opens the
 * module when it is needed. The module needs libc and SimGrid but no symbol of the
 * program; what it wants from there comes in struct vsg_simgrid_calls.
 *
 * Both functions of the module use up SimGrid's one simulation per process, and
 * SimGrid aborts on what it does not like: call them in a child process made for it. */
#ifndef VSG_ENGINE_SIMGRID_MODULE_H
#define VSG_ENGINE_SIMGRID_MODULE_H

#include <stddef.h>

#include "engine/engine.h"

#define VSG_SIMGRID_ABI 2u /* to be raised with every change of the structs in here */
#define VSG_SIMGRID_ENTRY "vsg_simgrid_module"
#define VSG_SIMGRID_FILE "vsgisim-simgrid.so"

/* The arithmetic of links, as world.h has it. */
struct vsg_simgrid_calls {
    uint64_t (*link_latency_ps)(const struct vsg_world *w, uint32_t link, uint32_t weight);
    uint64_t (*route_latency_ps)(const struct vsg_world *w, uint32_t from, uint32_t to,
                                 uint32_t weight);
    uint64_t (*link_occupy_ps)(const struct vsg_link_def *link, uint32_t bytes);
};

/* Words for the user, cut to fit. */
struct vsg_simgrid_error {
    char text[1024];
};

struct vsg_simgrid_module {
    uint32_t abi;

    /* vsg_simgrid_run() without the check of the world. The arrays of *report are malloc'ed. */
    enum vsg_status (*run)(const struct vsg_world *w, const struct vsg_simgrid_calls *calls,
                           struct vsg_report *report, struct vsg_simgrid_error *error);

    /* vsg_simgrid_routes() in the process of the caller. The arrays of *out are malloc'ed, also
     * when it fails. Fails with VSG_EINVAL (what the platform says cannot be used), VSG_ENOMEM or
     * VSG_EIO. */
    enum vsg_status (*routes)(const struct vsg_platform *platform, struct vsg_routes *out,
                              struct vsg_simgrid_error *error);
};

typedef const struct vsg_simgrid_module *(*vsg_simgrid_entry_fn)(void);

#endif
