/* One worker process: starting it, and turning what it leaves behind into a run.
 * Used by execute.c only. */
#ifndef VSG_STUDY_WORKER_H
#define VSG_STUDY_WORKER_H

#include <sys/types.h>

#include "study/execute.h"

enum vsg_limit { VSG_LIMIT_NONE, VSG_LIMIT_TIME, VSG_LIMIT_MEMORY };

struct vsg_worker {
    struct vsg_run *run; /* what it works on; NULL: this place is free */
    pid_t pid;
    int result_fd, words_fd; /* read ends: the result, and what it says on its error output */
    unsigned char *bytes;    /* of the result so far */
    size_t size, room;
    char tail[4096]; /* the last bytes of its words */
    size_t tail_size;
    uint64_t started_ns;
    uint64_t limit_time_ns, limit_memory_bytes; /* 0: none */
    enum vsg_limit limit;                       /* that it went over */
    bool starved;                               /* our memory ran out while reading */
};

struct vsg_worker_task {
    const struct vsg_config *config;
    const struct vsg_routes *routes;
    unsigned threads;
    uint64_t sample_cap;
    uint64_t limit_time_ns, limit_memory_bytes; /* 0: none */
    vsg_do_run_fn do_run;
};

/* Monotonic clock, for wall_ns. */
uint64_t vsg_wall_ns(void);

/* Forks. Fails with VSG_EIO (errno says why: no process, no descriptor). others: [count] workers
 * whose descriptors the child closes. */
enum vsg_status vsg_worker_start(struct vsg_worker *w, struct vsg_run *run,
                                 const struct vsg_worker_task *task,
                                 const struct vsg_worker *others, unsigned count);

/* Reads what is there, without waiting. True when the result's pipe has ended. */
bool vsg_worker_read_result(struct vsg_worker *w);
void vsg_worker_read_words(struct vsg_worker *w);

/* Ends the process if it has gone over a limit; the end of its result's pipe follows. */
void vsg_worker_check_limits(struct vsg_worker *w);

/* After the end of the result: reaps the process, fills run->state, result, diag,
 * wall_ns and peak_bytes, and puts the cause of a failure into *cause (malloc'ed; NULL: done, or no
 * memory). Frees the worker's place. */
void vsg_worker_finish(struct vsg_worker *w, char **cause);

/* Ends the process at once and reaps it; the run stays VSG_RUN_NOT_RUN. */
void vsg_worker_kill(struct vsg_worker *w);

#endif
