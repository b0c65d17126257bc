#include "study/worker.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "study/message.h"
#include "study/quantity.h"
#include "study/text.h"

uint64_t vsg_wall_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- in the child ----------------------------------------------------------------------- */

static bool write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* The terminal's interrupt reaches the whole process group; who ends is the parent's
 * decision, and it does so with SIGKILL. */
static void set_up_child(int words_fd, pid_t parent)
{
    const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the line above */
        _exit(1);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* aborts are expected: no core files */
    int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null_fd >= 0)
        dup2(null_fd, STDIN_FILENO);
    dup2(words_fd, STDOUT_FILENO); /* nothing of a worker may reach our output */
    dup2(words_fd, STDERR_FILENO);
}

static int work(const struct vsg_worker_task *task, enum vsg_engine engine, int result_fd)
{
    struct vsg_run_result result = {0};
    struct vsg_diag diag = VSG_DIAG_INIT;
    enum vsg_status status = task->do_run(task->config, engine, task->routes, task->threads,
                                          task->sample_cap, &result, &diag);
    unsigned char *bytes = NULL;
    size_t size = 0;
    enum vsg_status packed = vsg_message_pack(status, &diag, &result, &bytes, &size);
    if (packed != VSG_OK) /* the result does not fit into memory a second time */
        packed = vsg_message_pack(packed, &diag, NULL, &bytes, &size);
    bool sent = packed == VSG_OK && write_all(result_fd, bytes, size);
    free(bytes);
    vsg_diag_clear(&diag);
    vsg_run_result_free(&result);
    return sent ? 0 : 1;
}

/* ---- in the parent ------------------------------------------------------------------------ */

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

enum vsg_status vsg_worker_start(struct vsg_worker *w, struct vsg_run *run,
                                 const struct vsg_worker_task *task,
                                 const struct vsg_worker *others, unsigned count)
{
    int result[2] = {-1, -1}, words[2] = {-1, -1};
    assert(!w->run);
    pid_t parent = getpid(), pid = -1;
    if (pipe2(result, O_CLOEXEC) == 0 && pipe2(words, O_CLOEXEC) == 0)
        pid = fork();
    if (pid == 0) {
        for (unsigned i = 0; i < count; i++)
            if (others[i].run) {
                close(others[i].result_fd);
                close(others[i].words_fd);
            }
        close(result[0]);
        close(words[0]);
        set_up_child(words[1], parent);
        _exit(work(task, run->engine, result[1]));
    }
    int error = errno;
    close_fd(&result[1]);
    close_fd(&words[1]);
    if (pid < 0) {
        close_fd(&result[0]);
        close_fd(&words[0]);
        errno = error;
        return VSG_EIO;
    }
    fcntl(result[0], F_SETFL, O_NONBLOCK);
    fcntl(words[0], F_SETFL, O_NONBLOCK);
    *w = (struct vsg_worker){.run = run,
                             .pid = pid,
                             .result_fd = result[0],
                             .words_fd = words[0],
                             .limit_time_ns = task->limit_time_ns,
                             .limit_memory_bytes = task->limit_memory_bytes,
                             .started_ns = vsg_wall_ns()};
    return VSG_OK;
}

bool vsg_worker_read_result(struct vsg_worker *w)
{
    for (;;) {
        if (w->room - w->size < 4096) {
            size_t room = w->room < 65536 ? 65536 : w->room + w->room / 2;
            unsigned char *bytes = realloc(w->bytes, room);
            if (!bytes) {
                w->starved = true;
                return true;
            }
            w->bytes = bytes;
            w->room = room;
        }
        ssize_t n = read(w->result_fd, w->bytes + w->size, w->room - w->size);
        if (n == 0)
            return true;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno != EAGAIN;
        w->size += (size_t)n;
    }
}

void vsg_worker_read_words(struct vsg_worker *w)
{
    char part[1024];
    while (w->words_fd >= 0) {
        ssize_t n = read(w->words_fd, part, sizeof part);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            close_fd(&w->words_fd);
            return;
        }
        size_t size = (size_t)n, keep = sizeof w->tail - size;
        if (w->tail_size > keep) {
            memmove(w->tail, w->tail + w->tail_size - keep, keep);
            w->tail_size = keep;
        }
        memcpy(w->tail + w->tail_size, part, size);
        w->tail_size += size;
    }
}

/* The last line of a worker's words that a user can read: not of a backtrace, with no
 * address in it, since such a line differs from run to run. At most 300 bytes, plain. */
static void last_words(const struct vsg_worker *w, struct vsg_text *out)
{
    size_t end = w->tail_size;
    while (end > 0) {
        size_t begin = end;
        while (begin > 0 && w->tail[begin - 1] != '\n')
            begin--;
        char line[301];
        size_t size = end - begin < sizeof line ? end - begin : sizeof line - 1;
        for (size_t i = 0; i < size; i++) {
            char c = w->tail[begin + i];
            line[i] = c >= 0x20 && c < 0x7f ? c : '?';
        }
        line[size] = '\0';
        if (size > 0 && !strstr(line, "0x") && !strstr(line, "acktrace") &&
            !strstr(line, " at /") && line[0] != ' ') {
            vsg_text_add(out, ": %s", line);
            return;
        }
        end = begin > 0 ? begin - 1 : 0;
    }
}

static void cause_of_death(const struct vsg_worker *w, int how, struct vsg_text *cause)
{
    if (WIFSIGNALED(how))
        vsg_text_add(cause, "the worker process was killed by signal %d (%s)", WTERMSIG(how),
                     strsignal(WTERMSIG(how)));
    else
        vsg_text_add(cause, "the worker process ended early with status %d", WEXITSTATUS(how));
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL)
        vsg_text_add(cause, "; memory may have run out, try fewer --jobs");
    last_words(w, cause);
}

/* Of what the worker said, warnings and notes are kept, and errors are the cause. */
static bool take_message(struct vsg_worker *w, struct vsg_text *cause)
{
    struct vsg_run *run = w->run;
    struct vsg_diag words = VSG_DIAG_INIT;
    enum vsg_status status;
    if (vsg_message_unpack(w->bytes, w->size, &status, &words, &run->result) != VSG_OK)
        return false;
    for (size_t i = 0; i < words.count; i++)
        if (words.item[i].severity == VSG_ERROR)
            vsg_text_add(cause, "%s%s", cause->length > 0 ? "; " : "", words.item[i].text);
        else
            vsg_diag_add(&run->diag, words.item[i].severity, NULL, "%s", words.item[i].text);
    vsg_diag_clear(&words);
    run->state = status == VSG_OK ? VSG_RUN_DONE : VSG_RUN_FAILED;
    run->status = status;
    if (status != VSG_OK && cause->length == 0)
        vsg_text_add(cause, "%s", vsg_status_text(status));
    return true;
}

static int reap(pid_t pid, uint64_t *peak_bytes)
{
    int how = 0;
    struct rusage used = {0};
    while (wait4(pid, &how, 0, &used) < 0 && errno == EINTR)
        continue;
    *peak_bytes = (uint64_t)used.ru_maxrss * 1024;
    return how;
}

/* What a limit says when it has ended a run. */
static void say_limit(const struct vsg_worker *w, enum vsg_limit limit, struct vsg_text *cause)
{
    char value[VSG_QUANTITY_TEXT];
    bool time = limit == VSG_LIMIT_TIME;
    vsg_text_add(
        cause, "ended by --limit-%s %s", time ? "time" : "memory",
        time ? vsg_quantity_format(VSG_Q_TIME, w->limit_time_ns * 1000, value, sizeof value)
             : vsg_quantity_format(VSG_Q_BYTES, w->limit_memory_bytes, value, sizeof value));
}

/* Resident memory of the process; 0: it cannot be told (it is ending). */
static uint64_t resident_bytes(pid_t pid)
{
    char path[64];
    unsigned long long pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    if (fscanf(f, "%*u %llu", &pages) != 1)
        pages = 0;
    fclose(f);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void vsg_worker_check_limits(struct vsg_worker *w)
{
    if (w->limit != VSG_LIMIT_NONE)
        return;
    if (w->limit_time_ns > 0 && vsg_wall_ns() - w->started_ns > w->limit_time_ns)
        w->limit = VSG_LIMIT_TIME;
    else if (w->limit_memory_bytes > 0 && resident_bytes(w->pid) > w->limit_memory_bytes)
        w->limit = VSG_LIMIT_MEMORY;
    if (w->limit != VSG_LIMIT_NONE)
        kill(w->pid, SIGKILL); /* its pipe ends, and finishing the run says why */
}

static void clear(struct vsg_worker *w)
{
    close_fd(&w->result_fd);
    close_fd(&w->words_fd);
    free(w->bytes);
    *w = (struct vsg_worker){.result_fd = -1, .words_fd = -1};
}

static void failed(struct vsg_run *run, enum vsg_status status)
{
    vsg_run_result_free(&run->result);
    run->state = VSG_RUN_FAILED;
    run->status = status;
}

void vsg_worker_finish(struct vsg_worker *w, char **cause)
{
    struct vsg_text text = {0};
    struct vsg_run *run = w->run;
    if (w->starved)
        kill(w->pid, SIGKILL);
    int how = reap(w->pid, &run->peak_bytes);
    vsg_worker_read_words(w);
    run->wall_ns = vsg_wall_ns() - w->started_ns;
    if (w->starved) {
        failed(run, VSG_ENOMEM);
        vsg_text_add(&text, "memory ran out while its result was read");
    } else if (w->limit == VSG_LIMIT_NONE && !take_message(w, &text)) {
        failed(run, VSG_ECHILD);
        cause_of_death(w, how, &text);
    }
    /* A peak between two looks counts too: whether a run is too large must not be luck. */
    if (w->limit == VSG_LIMIT_NONE && run->state == VSG_RUN_DONE && w->limit_memory_bytes > 0 &&
        run->peak_bytes > w->limit_memory_bytes)
        w->limit = VSG_LIMIT_MEMORY;
    if (w->limit != VSG_LIMIT_NONE) {
        failed(run, VSG_ELIMIT);
        say_limit(w, w->limit, &text);
    }
    *cause = NULL;
    if (run->state == VSG_RUN_FAILED)
        (void)vsg_text_take(&text, cause); /* no memory: the run has failed without words */
    vsg_text_free(&text);
    clear(w);
}

void vsg_worker_kill(struct vsg_worker *w)
{
    uint64_t peak_bytes;
    kill(w->pid, SIGKILL);
    reap(w->pid, &peak_bytes);
    clear(w);
}
