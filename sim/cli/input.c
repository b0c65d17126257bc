#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/exits.h"

enum { SCENARIO_BYTES_MAX = 16 << 20 }; /* /dev/zero must not eat the memory */

enum vsg_show vsg_input_show(const struct vsg_command *c)
{
    if (c->value[VSG_OPT_QUIET])
        return VSG_SHOW_ERRORS;
    return c->value[VSG_OPT_VERBOSE] ? VSG_SHOW_VERBOSE : VSG_SHOW_USUAL;
}

void vsg_source_free(struct vsg_source *s)
{
    free(s->text);
    *s = (struct vsg_source){0};
}

/* Says why a file cannot be used. */
static int refuse(const char *name, const char *reason)
{
    vsg_show_safely(stderr, name);
    fprintf(stderr, ": error: %s\n", reason);
    return VSG_EXIT_SCENARIO;
}

static int read_all(int fd, struct vsg_source *s)
{
    size_t room = 0;
    for (;;) {
        if (s->size == room) {
            room = room ? 2 * room : 16384;
            char *grown = room <= 2 * (size_t)SCENARIO_BYTES_MAX ? realloc(s->text, room) : NULL;
            if (!grown)
                return refuse(s->name, "larger than 16 MiB, which no scenario is");
            s->text = grown;
        }
        ssize_t n = read(fd, s->text + s->size, room - s->size);
        if (n == 0)
            return VSG_EXIT_OK;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return refuse(s->name, errno == EISDIR ? "is a directory; name a scenario file in it"
                                                   : strerror(errno));
        s->size += (size_t)n;
    }
}

static int read_source(const char *path, struct vsg_source *s)
{
    if (strcmp(path, "-") == 0) {
        s->name = "<stdin>";
        return read_all(STDIN_FILENO, s);
    }
    s->name = path;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return refuse(path, strerror(errno));
    int rc = read_all(fd, s);
    close(fd);
    return rc;
}

/* The command's settings, --seed last, so that it wins. */
static struct vsg_setting *settings(const struct vsg_command *c, size_t *count)
{
    struct vsg_setting *all = calloc(c->set_count + 1, sizeof *all);
    if (!all)
        return NULL;
    if (c->set_count)
        memcpy(all, c->set, c->set_count * sizeof *all);
    *count = c->set_count;
    if (c->value[VSG_OPT_SEED])
        all[(*count)++] = (struct vsg_setting){.key = "run.seed", .value = c->value[VSG_OPT_SEED]};
    return all;
}

int vsg_input_load(const struct vsg_command *c, const char *path, struct vsg_study *study,
                   struct vsg_source *source, size_t *errors)
{
    struct vsg_diag diag = VSG_DIAG_INIT;
    size_t count = 0;
    *source = (struct vsg_source){0};
    int rc = read_source(path, source);
    if (rc != VSG_EXIT_OK) {
        ++*errors;
        vsg_source_free(source);
        return rc;
    }
    struct vsg_setting *setting = settings(c, &count);
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    enum vsg_status status =
        setting && (folder || !slash)
            ? vsg_study_load_in(folder, source->text, source->size, setting, count, study, &diag)
            : VSG_ENOMEM;
    free(folder);
    free(setting);
    vsg_show_diag(stderr, source, &diag, vsg_input_show(c));
    *errors += vsg_diag_count(&diag, VSG_ERROR);
    if (status == VSG_OK)
        vsg_show_diag(stderr, source, &study->warnings, vsg_input_show(c));
    else if (status != VSG_ESCENARIO || vsg_diag_count(&diag, VSG_ERROR) == 0)
        fprintf(stderr, "vsgisim: %s: %s\n", source->name, vsg_status_text(status));
    vsg_diag_clear(&diag);
    if (status != VSG_OK)
        vsg_source_free(source);
    return (int)vsg_exit_of(status);
}

void vsg_input_say_errors(size_t errors)
{
    if (errors)
        fprintf(stderr, "%zu error%s; nothing was run.\n", errors, errors == 1 ? "" : "s");
}
