/* Asks the SimGrid module for routes, in a child process whose death is an error like any other. */
#include "engine/simgrid_load.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child sends first; then the link names (each with its NUL), latencies, bandwidths,
 * first and link. The child is a fork of us, so layouts agree. */
struct answer {
    enum vsg_status status;
    uint32_t link_count;
    uint32_t step_count;
    uint64_t name_bytes;
    struct vsg_simgrid_error error;
};

/* Bytes of a pipe as they come. */
struct intake {
    int fd;
    char *byte;
    size_t count, room;
    bool lost; /* memory ran out; the rest is read and dropped, lest the child blocks */
};

static const volatile sig_atomic_t *stop_flag;

void vsg_simgrid_routes_stop(const volatile sig_atomic_t *stop)
{
    stop_flag = stop;
}

/* ---- in the child ---------------------------------------------------------------- */

static void send_all(int fd, const void *data, size_t count)
{
    const char *byte = data;
    while (count) {
        ssize_t n = write(fd, byte, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            _exit(1); /* nobody listens any more */
        byte += n;
        count -= (size_t)n;
    }
}

static size_t first_count(uint32_t hosts)
{
    return (size_t)hosts * hosts + 1;
}

static void send_answer(int fd, struct answer *a, const struct vsg_routes *r)
{
    size_t firsts = first_count(r->host_count);

    if (a->status == VSG_OK) {
        a->link_count = r->link_count;
        a->step_count = r->first[firsts - 1];
        for (uint32_t i = 0; i < r->link_count; i++)
            a->name_bytes += strlen(r->link_name[i]) + 1;
    }
    send_all(fd, a, sizeof *a);
    if (a->status)
        return;
    for (uint32_t i = 0; i < r->link_count; i++)
        send_all(fd, r->link_name[i], strlen(r->link_name[i]) + 1);
    send_all(fd, r->link_latency_ps, r->link_count * sizeof r->link_latency_ps[0]);
    send_all(fd, r->link_bytes_per_s, r->link_count * sizeof r->link_bytes_per_s[0]);
    send_all(fd, r->first, firsts * sizeof r->first[0]);
    send_all(fd, r->link, a->step_count * sizeof r->link[0]);
}

static _Noreturn void child(const struct vsg_simgrid_module *module,
                            const struct vsg_platform *platform, int result_fd, int message_fd,
                            pid_t parent)
{
    static struct answer a;
    struct vsg_routes r;

    prctl(PR_SET_PDEATHSIG, SIGKILL); /* thousands of hosts take minutes, and for nobody then */
    if (getppid() != parent)
        _exit(1);
    dup2(message_fd, STDERR_FILENO);
    dup2(message_fd, STDOUT_FILENO); /* the parent's output is not SimGrid's to write to */
    signal(SIGPIPE, SIG_DFL);
    a.status = module->routes(platform, &r, &a.error);
    send_answer(result_fd, &a, &r);
    _exit(0);
}

/* ---- in the parent --------------------------------------------------------------- */

static void take(struct intake *in, const char *byte, size_t count)
{
    if (in->count + count > in->room && !in->lost) {
        size_t room = (in->count + count) * 2;
        char *bigger = realloc(in->byte, room);
        if (bigger) {
            in->byte = bigger;
            in->room = room;
        } else {
            in->lost = true;
        }
    }
    if (in->lost)
        return;
    memcpy(in->byte + in->count, byte, count);
    in->count += count;
}

/* Reads both pipes to their ends, or until a stop. */
static enum vsg_status read_all(struct intake in[2])
{
    enum { TICK_MS = 100 }; /* a signal just before poll() does not end it */
    static const size_t chunk = 65536;
    char *buffer = malloc(chunk);
    struct pollfd p[2] = {{.fd = in[0].fd, .events = POLLIN}, {.fd = in[1].fd, .events = POLLIN}};

    if (!buffer)
        return VSG_ENOMEM;
    while (p[0].fd >= 0 || p[1].fd >= 0) {
        int ready;
        if (stop_flag && *stop_flag) {
            free(buffer);
            return VSG_EINTR;
        }
        ready = poll(p, 2, TICK_MS);
        if (ready < 0 && errno != EINTR)
            break;
        if (ready <= 0)
            continue; /* revents may be of the last time, and a read would block */
        for (int i = 0; i < 2; i++) {
            ssize_t n;
            if (p[i].fd < 0 || !p[i].revents)
                continue;
            n = read(p[i].fd, buffer, chunk);
            if (n > 0)
                take(&in[i], buffer, (size_t)n);
            else if (n == 0 || errno != EINTR)
                p[i].fd = -1; /* poll passes over it from now on */
        }
    }
    free(buffer);
    return in[0].lost || in[1].lost ? VSG_ENOMEM : VSG_OK;
}

/* Takes the next count bytes of the answer; NULL when it ends before. */
static const char *next(const struct intake *in, size_t *at, size_t count)
{
    const char *here = in->byte + *at;
    if (count > in->count - *at)
        return NULL;
    *at += count;
    return here;
}

static bool copy_next(const struct intake *in, size_t *at, size_t count, size_t size, void **out)
{
    const char *from = next(in, at, count * size);
    *out = malloc(count ? count * size : 1);
    if (!from || !*out)
        return false;
    memcpy(*out, from, count * size);
    return true;
}

static bool copy_names(const struct answer *a, const struct intake *in, size_t *at,
                       struct vsg_routes *r)
{
    const char *name = next(in, at, a->name_bytes);

    r->link_name = calloc(a->link_count ? a->link_count : 1, sizeof r->link_name[0]);
    if (!name || !r->link_name)
        return false;
    for (r->link_count = 0; r->link_count < a->link_count; r->link_count++) {
        r->link_name[r->link_count] = strdup(name);
        if (!r->link_name[r->link_count])
            return false;
        name += strlen(name) + 1;
    }
    return true;
}

/* SimGrid names the directions of a full-duplex link X_UP and X_DOWN. Sorted, they are neighbours:
 * the part before the last '_' comes first in the order. */
struct direction {
    const char *name;
    size_t stem; /* bytes of the name before _UP or _DOWN; 0: it has neither */
    uint32_t link;
};

static int by_stem(const void *a, const void *b)
{
    const struct direction *x = a, *y = b;
    int order = strncmp(x->name, y->name, x->stem < y->stem ? x->stem : y->stem);
    if (order)
        return order;
    if (x->stem != y->stem)
        return x->stem < y->stem ? -1 : 1;
    return x->link < y->link ? -1 : 1;
}

static bool pair_directions(struct vsg_routes *r)
{
    struct direction *d = calloc(r->link_count + 1u, sizeof *d);
    uint32_t count = 0;

    r->link_back = malloc((r->link_count + 1u) * sizeof *r->link_back);
    for (uint32_t i = 0; d && r->link_back && i < r->link_count; i++) {
        const char *last = strrchr(r->link_name[i], '_');
        r->link_back[i] = VSG_NONE;
        if (last && last != r->link_name[i] &&
            (strcmp(last, "_UP") == 0 || strcmp(last, "_DOWN") == 0))
            d[count++] = (struct direction){r->link_name[i], (size_t)(last - r->link_name[i]), i};
    }
    if (d && r->link_back && count)
        qsort(d, count, sizeof *d, by_stem);
    for (uint32_t i = 0; d && r->link_back && i + 1 < count; i++)
        if (d[i].stem == d[i + 1].stem && strncmp(d[i].name, d[i + 1].name, d[i].stem) == 0) {
            r->link_back[d[i].link] = d[i + 1].link;
            r->link_back[d[i + 1].link] = d[i].link;
        }
    bool ok = d && r->link_back;
    free(d);
    return ok;
}

static enum vsg_status unpack(const struct intake *in, uint32_t host_count, struct vsg_routes *out,
                              struct vsg_diag *diag)
{
    struct vsg_routes r = {.host_count = host_count};
    struct answer a;
    size_t at = sizeof a;

    memcpy(&a, in->byte, sizeof a);
    if (a.status) {
        if (a.error.text[0])
            vsg_diag_error(diag, "interconnect: %s", a.error.text);
        return a.status == VSG_EINVAL ? VSG_ECHILD : a.status;
    }
    if (!copy_names(&a, in, &at, &r) ||
        !copy_next(in, &at, a.link_count, sizeof(uint64_t), (void **)&r.link_latency_ps) ||
        !copy_next(in, &at, a.link_count, sizeof(uint64_t), (void **)&r.link_bytes_per_s) ||
        !copy_next(in, &at, first_count(host_count), sizeof(uint32_t), (void **)&r.first) ||
        !copy_next(in, &at, a.step_count, sizeof(uint32_t), (void **)&r.link) ||
        !pair_directions(&r)) {
        vsg_routes_free(&r);
        return VSG_ENOMEM;
    }
    *out = r;
    return VSG_OK;
}

/* SimGrid says what it does not like in the first line; a stack trace may follow. The
 * platform's name there is a file descriptor's, which means nothing to the user. */
static void report_death(struct intake *message, int wait_status, struct vsg_diag *diag)
{
    static const char file[] = "/proc/self/fd/";
    const char *text = "it said nothing", *place;
    int before = 0;

    take(message, "", 1);
    if (!message->lost) {
        char *line = message->byte + strspn(message->byte, "\n");
        line[strcspn(line, "\n")] = '\0';
        if (line[0])
            text = line;
    }
    place = strstr(text, file);
    if (place) {
        before = (int)(place - text);
        place += sizeof file - 1;
        place += strspn(place, "0123456789");
        place += *place == ':';
    }
    if (strstr(text, "bad_alloc") || strstr(text, "llocate"))
        vsg_diag_error(diag, "interconnect: memory ran out in SimGrid's process: %s", text);
    else if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) != SIGABRT)
        vsg_diag_error(diag,
                       "interconnect: SimGrid's process was killed by signal %d (%s): %.*s%s%s",
                       WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)), before, text,
                       place ? "line " : "", place ? place : text);
    else
        vsg_diag_error(diag, "interconnect: SimGrid does not accept the platform: %.*s%s%s", before,
                       text, place ? "line " : "", place ? place : text);
}

static void close_pair(const int fd[2])
{
    if (fd[0] >= 0)
        close(fd[0]);
    if (fd[1] >= 0)
        close(fd[1]);
}

static enum vsg_status collect(pid_t pid, int result_fd, int message_fd, uint32_t host_count,
                               struct vsg_routes *out, struct vsg_diag *diag)
{
    struct intake in[2] = {{.fd = result_fd}, {.fd = message_fd}};
    enum vsg_status status = read_all(in);
    int wait_status = 0;

    if (status)
        kill(pid, SIGKILL); /* nobody reads what it writes */
    while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    if (!status && (!WIFEXITED(wait_status) || WEXITSTATUS(wait_status) ||
                    in[0].count < sizeof(struct answer))) {
        report_death(&in[1], wait_status, diag);
        status = VSG_ECHILD;
    }
    if (!status)
        status = unpack(&in[0], host_count, out, diag);
    free(in[0].byte);
    free(in[1].byte);
    return status;
}

enum vsg_status vsg_simgrid_routes(const struct vsg_platform *platform, struct vsg_routes *out,
                                   struct vsg_diag *diag)
{
    const struct vsg_simgrid_module *module = vsg_simgrid_loaded(diag);
    int result[2] = {-1, -1}, message[2] = {-1, -1};
    enum vsg_status status;
    pid_t parent = getpid(), pid = -1;

    if (!module)
        return VSG_EINVAL;
    if (pipe(result) == 0 && pipe(message) == 0)
        pid = fork();
    if (pid < 0) {
        vsg_diag_error(diag, "interconnect: cannot start a process for SimGrid: %s",
                       strerror(errno));
        close_pair(result);
        close_pair(message);
        return VSG_EIO;
    }
    if (pid == 0) {
        close(result[0]);
        close(message[0]);
        child(module, platform, result[1], message[1], parent);
    }
    close(result[1]);
    close(message[1]);
    status = collect(pid, result[0], message[0], platform->host_count, out, diag);
    close(result[0]);
    close(message[0]);
    return status;
}

void vsg_routes_free(struct vsg_routes *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < r->link_count && r->link_name; i++)
        free(r->link_name[i]);
    free(r->link_name);
    free(r->link_latency_ps);
    free(r->link_bytes_per_s);
    free(r->link_back);
    free(r->first);
    free(r->link);
    *r = (struct vsg_routes){0};
}
