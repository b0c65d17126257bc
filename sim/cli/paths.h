/* Where the program's own files are, found from the folder of the running program: a build
 * tree has the shape of an installed one. Strings are malloc'ed, the caller's. */
#ifndef VSG_CLI_PATHS_H
#define VSG_CLI_PATHS_H

/* The folder of vsgisim-simgrid.so; the environment's VSGISIM_MODULE_DIR overrides it.
 * NULL: out of memory, or no /proc. Whether the module is there shows when it is loaded. */
char *vsg_module_dir(void);

/* The shared folder `name` ("plots", "scenarios"). NULL: not there. */
char *vsg_share_dir(const char *name);

#endif
