#include "study/worker.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "study/text.h"

/* What comes over the pipe: this head, the diagnostics (a severity digit and a
 * zero-terminated text each), the packed result. */
struct message_head {
    uint64_t magic; /* tells a whole head from one that a dying worker tore */
    uint64_t status, words_size, result_size;
};
#define MESSAGE_MAGIC UINT64_C(0x7673676973696d31)

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
    if (status == VSG_OK)
        status = vsg_run_result_pack(&result, &bytes, &size);
    struct vsg_text words = {0};
    for (size_t i = 0; i < diag.count; i++) {
        vsg_text_add(&words, "%d%s", (int)diag.item[i].severity, diag.item[i].text);
        vsg_text_put(&words, "", 1);
    }
    if (words.failed)
        status = VSG_ENOMEM;
    struct message_head head = {MESSAGE_MAGIC, (uint64_t)status, words.length,
                                status == VSG_OK ? size : 0};
    bool sent = write_all(result_fd, &head, sizeof head) &&
                write_all(result_fd, words.bytes, (size_t)head.words_size) &&
                write_all(result_fd, bytes, (size_t)head.result_size);
    free(bytes);
    vsg_text_free(&words);
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

/* Sorts what the worker said into warnings and notes (kept) and errors (the cause). */
static void take_words(struct vsg_run *run, const char *words, size_t size, struct vsg_text *cause)
{
    while (size > 1) {
        size_t length = strnlen(words, size);
        if (length == size)
            break;
        if (words[0] - '0' == (int)VSG_ERROR)
            vsg_text_add(cause, "%s%s", cause->length > 0 ? "; " : "", words + 1);
        else
            vsg_diag_add(&run->diag, words[0] - '0' == (int)VSG_WARNING ? VSG_WARNING : VSG_NOTE,
                         NULL, "%s", words + 1);
        words += length + 1;
        size -= length + 1;
    }
}

static bool take_message(struct vsg_worker *w, struct vsg_text *cause)
{
    struct message_head head;
    if (w->size < sizeof head)
        return false;
    memcpy(&head, w->bytes, sizeof head);
    if (head.magic != MESSAGE_MAGIC || head.status >= VSG_STATUS_COUNT ||
        head.words_size > w->size - sizeof head ||
        head.result_size != w->size - sizeof head - head.words_size)
        return false;
    const unsigned char *words = w->bytes + sizeof head;
    take_words(w->run, (const char *)words, (size_t)head.words_size, cause);
    enum vsg_status status = (enum vsg_status)head.status;
    if (status == VSG_OK)
        status = vsg_run_result_unpack(words + head.words_size, (size_t)head.result_size,
                                       &w->run->result);
    w->run->state = status == VSG_OK ? VSG_RUN_DONE : VSG_RUN_FAILED;
    w->run->status = status;
    if (status != VSG_OK && cause->length == 0)
        vsg_text_add(cause, "%s", vsg_status_text(status));
    return true;
}

static int reap(pid_t pid)
{
    int how = 0;
    while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
        continue;
    return how;
}

static void clear(struct vsg_worker *w)
{
    close_fd(&w->result_fd);
    close_fd(&w->words_fd);
    free(w->bytes);
    *w = (struct vsg_worker){.result_fd = -1, .words_fd = -1};
}

void vsg_worker_finish(struct vsg_worker *w, char **cause)
{
    struct vsg_text text = {0};
    if (w->starved)
        kill(w->pid, SIGKILL);
    int how = reap(w->pid);
    vsg_worker_read_words(w);
    w->run->wall_ns = vsg_wall_ns() - w->started_ns;
    if (w->starved || !take_message(w, &text)) {
        w->run->state = VSG_RUN_FAILED;
        w->run->status = w->starved ? VSG_ENOMEM : VSG_ECHILD;
        if (w->starved)
            vsg_text_add(&text, "memory ran out while its result was read");
        else
            cause_of_death(w, how, &text);
    }
    *cause = NULL;
    if (w->run->state == VSG_RUN_FAILED)
        (void)vsg_text_take(&text, cause); /* no memory: the run has failed without words */
    vsg_text_free(&text);
    clear(w);
}

void vsg_worker_kill(struct vsg_worker *w)
{
    kill(w->pid, SIGKILL);
    reap(w->pid);
    clear(w);
}
