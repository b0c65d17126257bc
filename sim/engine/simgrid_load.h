/* The opened SimGrid module, for the files of the engine that use it. */
#ifndef VSG_ENGINE_SIMGRID_LOAD_H
#define VSG_ENGINE_SIMGRID_LOAD_H

#include "engine/simgrid/module.h"

/* The module that vsg_simgrid_load() opened; NULL, with words in diag, when it did not.
 * Any thread may call it. */
const struct vsg_simgrid_module *vsg_simgrid_loaded(struct vsg_diag *diag);

#endif
