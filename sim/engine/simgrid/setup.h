/* Starting SimGrid with the settings of both uses of it. */
#ifndef VSG_ENGINE_SIMGRID_SETUP_H
#define VSG_ENGINE_SIMGRID_SETUP_H

#include "engine/simgrid/module.h"

/* Starts SimGrid and loads the platform (XML text). Once per process; SimGrid aborts
 * the process on a platform that it does not accept, after a message on stderr.
 * Fails with VSG_EIO when the text cannot be handed over. */
enum vsg_status vsg_sg_start(const char *platform_xml, struct vsg_simgrid_error *error);

/* Makes an actor of SimGrid on the first host of the platform; stack in bytes. */
void vsg_sg_actor(const char *name, unsigned stack_bytes, void (*code)(int argc, char **argv),
                  void *data);

/* Writes the words of an error. */
__attribute__((format(printf, 2, 3))) void vsg_sg_error(struct vsg_simgrid_error *error,
                                                        const char *format, ...);

/* The two functions of the module. */
enum vsg_status vsg_sg_run(const struct vsg_world *w, const struct vsg_simgrid_calls *calls,
                           struct vsg_report *report, struct vsg_simgrid_error *error);
enum vsg_status vsg_sg_routes(const struct vsg_platform *platform, struct vsg_routes *out,
                              struct vsg_simgrid_error *error);

#endif
