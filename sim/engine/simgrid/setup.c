#include "engine/simgrid/setup.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

void vsg_sg_error(struct vsg_simgrid_error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
}

/* SimGrid's own defaults fit clusters of computers, not chips. The LV08 model would multiply
 * each latency by 13.01; cross traffic and the TCP window are TCP's. surf/precision,
 * in seconds (here ns), is the distance below which two dates count as one: half a ps, by which
 * the run tells an instant from its end, must stay far above it. */
static void settings(void)
{
    char *argv[] = {(char[]){"vsgisim"},
                    (char[]){"--cfg=network/model:CM02"},
                    (char[]){"--cfg=network/crosstraffic:0"},
                    (char[]){"--cfg=network/TCP-gamma:0"},
                    (char[]){"--cfg=surf/precision:1e-9"},
                    (char[]){"--cfg=maxmin/precision:1e-12"},
                    (char[]){"--cfg=debug/verbose-exit:0"},
                    (char[]){"--cfg=debug/clean-atexit:0"},
                    (char[]){"--log=root.fmt:%m%n"},
                    (char[]){"--log=root.thresh:error"},
                    NULL};
    int argc = (int)(sizeof argv / sizeof argv[0]) - 1;
    static const int taken[] = {SIGINT, SIGSEGV, SIGABRT};
    struct sigaction before[sizeof taken / sizeof taken[0]];

    /* SimGrid takes over some signals; how a run ends on a signal is not its decision. */
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        sigaction(taken[i], NULL, &before[i]);
    simgrid_init(&argc, argv);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        sigaction(taken[i], &before[i], NULL);
}

static int write_all(int fd, const char *text, size_t length)
{
    while (length) {
        ssize_t n = write(fd, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        text += n;
        length -= (size_t)n;
    }
    return 0;
}

enum vsg_status vsg_sg_start(const char *platform_xml, struct vsg_simgrid_error *error)
{
    char path[64];
    int fd;

    settings();
    /* SimGrid reads platforms from files only; this one has no name and leaves nothing behind. */
    fd = memfd_create("platform", MFD_CLOEXEC);
    if (fd < 0 || write_all(fd, platform_xml, strlen(platform_xml))) {
        vsg_sg_error(error, "handing the platform to SimGrid: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return VSG_EIO;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    simgrid_load_platform(path);
    close(fd);
    return VSG_OK;
}

void vsg_sg_actor(const char *name, unsigned stack_bytes, void (*code)(int argc, char **argv),
                  void *data)
{
    static sg_host_t host; /* all live on one: they compute nothing, so it makes no difference */
    sg_actor_t actor;

    if (!host) {
        sg_host_t *all = sg_host_list();
        host = all[0];
        free(all);
    }
    actor = sg_actor_init(name, host);
    sg_actor_set_stacksize(actor, stack_bytes);
    sg_actor_set_data(actor, data);
    sg_actor_start_(actor, code, 0, NULL);
}

__attribute__((visibility("default"))) const struct vsg_simgrid_module *vsg_simgrid_module(void);

const struct vsg_simgrid_module *vsg_simgrid_module(void)
{
    static const struct vsg_simgrid_module module = {
        .abi = VSG_SIMGRID_ABI, .run = vsg_sg_run, .routes = vsg_sg_routes};
    return &module;
}
