/* Executing a study: every run in a worker process of its own.
 *
 * A worker is a fork: what it breaks (a crash, an abort of SimGrid, memory) ends
 * that run only, and SimGrid gets the fresh process it needs. Results come back
 * over a pipe; the order in which workers end shows nowhere.
 *
 * Threads  To be called from a process with one thread (it forks), one study at
 *          a time. Signals: the caller's handlers stay; workers ignore
 *          SIGINT, SIGTERM, SIGHUP and SIGUSR1, the parent ends them.
 * Clock    wall_ns fields are real time, for progress and manifest only. */
#ifndef VSG_STUDY_EXECUTE_H
#define VSG_STUDY_EXECUTE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/diag.h"
#include "engine/engine.h"
#include "models/result.h"
#include "study/study.h"

#define VSG_JOBS_MAX 256

enum vsg_engine_choice { VSG_USE_PARALLEL, VSG_USE_SIMGRID, VSG_USE_BOTH };

/* "parallel", "simgrid": as in scenarios, options and results. */
extern const char *const vsg_engine_name[2];

enum vsg_run_state {
    VSG_RUN_NOT_RUN, /* a stop came first */
    VSG_RUN_DONE,
    VSG_RUN_FAILED
};

struct vsg_run {
    uint32_t index;  /* in the study; the two engines' runs of VSG_USE_BOTH share it */
    uint32_t point;  /* index into study.point */
    uint32_t policy; /* index into study.policy */
    uint32_t replication;
    enum vsg_engine engine;
    bool twin; /* VSG_USE_BOTH: the other engine has a run of this index too */
    enum vsg_run_state state;
    enum vsg_status status; /* VSG_RUN_FAILED: what kind of failure; VSG_ECHILD: the worker died;
                               VSG_ELIMIT: a limit ended it */
    char *error; /* VSG_RUN_FAILED: scenario, run, coordinates, engine and cause, on one line */
    struct vsg_diag diag;         /* warnings and notes of the run, without its errors */
    struct vsg_run_result result; /* VSG_RUN_DONE; else zero */
    uint64_t wall_ns;
    uint64_t peak_bytes; /* resident memory of its process, at most; 0: not known */
    bool recalled;       /* done before: its result was handed in by `recall` */
};

/* Whether both engines measured the same (VSG_USE_BOTH). */
struct vsg_agreement {
    bool asked;     /* VSG_USE_BOTH */
    bool known;     /* false: nothing could be compared exactly; reason says why */
    bool equal;     /* every integer of every compared run */
    uint32_t runs;  /* pairs of runs compared */
    uint64_t ipis;  /* IPIs in them */
    char *reason;   /* NULL, or why not known, or which integer differs */
    bool has_first; /* the first different IPI, by (intent, sender, n): */
    uint32_t run;   /* index of the run */
    uint32_t sender;
    uint64_t n, intent_ps;
    uint64_t latency_ps[2]; /* by enum vsg_engine */
};

struct vsg_outcome {
    struct vsg_run *run; /* [run_count] by index, then engine */
    uint32_t run_count;
    uint32_t done, failed; /* the rest was not run */
    uint32_t recalled;     /* of those done */
    bool partial;          /* only some runs were asked for (`only`) */
    bool gave_up;          /* fail_fast: after the first failure no more was run */
    enum vsg_engine_choice engine;
    unsigned jobs, threads; /* as used */
    struct vsg_agreement agreement;
    uint64_t wall_ns;
};

struct vsg_progress {
    uint32_t total, done, failed, running;
    uint32_t recalled;     /* of those done */
    uint64_t ipis, events; /* of the runs done, without recalled ones */
    uint64_t wall_ns;      /* since the start */
    bool knows_left;       /* a run has ended to judge the others by */
    uint64_t left_ns;      /* wall time to the end, from what finished runs took (effort.h) */
};

/* One run in its worker: fills *out or says in diag why not. Replaceable for tests. */
typedef enum vsg_status (*vsg_do_run_fn)(const struct vsg_config *config, enum vsg_engine engine,
                                         const struct vsg_routes *routes, unsigned threads,
                                         uint64_t sample_cap, struct vsg_run_result *out,
                                         struct vsg_diag *diag);

struct vsg_execute_options {
    enum vsg_engine_choice engine;
    unsigned jobs;          /* workers at once, 1..VSG_JOBS_MAX; 0: cores / threads */
    unsigned threads;       /* threads of one run, 1..VSG_THREADS_MAX; 0: cores / runs at once */
    uint64_t sample_cap;    /* IPIs kept one by one in each run; 0: none */
    const char *module_dir; /* the folder of vsgisim-simgrid.so */

    /* Limits of one run: wall time, and resident memory of its process; 0: none. A run
     * that goes over fails with VSG_ELIMIT, the others go on. Seen within 0.1 s; a peak of
     * memory that was missed fails the run at its end. */
    uint64_t limit_time_ns, limit_memory_bytes;
    bool fail_fast; /* the first failure ends the others and the study (out->gave_up) */

    /* Indices of the runs to do, ascending; NULL: all. */
    const uint32_t *only;
    size_t only_count;

    /* Asked once for every run before the first one starts: fills state VSG_RUN_DONE, result,
     * diag and wall_ns of one whose result is known, and leaves others. Anything but VSG_OK ends
     * the study with that status. NULL: none is known. */
    enum vsg_status (*recall)(void *user, struct vsg_run *run);

    /* Told once, between the last recall and the first start. NULL: not told. */
    void (*begin)(void *user, const struct vsg_progress *p);

    /* Set by the caller's signal handler; seen within 0.1 s. NULL: never. */
    const volatile sig_atomic_t *stop;

    /* A run ended, in order of ending, done or failed; not for recalled ones. Anything but VSG_OK
     * ends the study with that status, like a stop. NULL: not told. */
    enum vsg_status (*ended)(void *user, const struct vsg_run *run);

    /* Called about every 0.1 s and after each end. NULL: not told. */
    void (*progress)(void *user, const struct vsg_progress *p);
    void *user;

    /* NULL: the real thing. Set in tests, where routes are then not asked for. */
    vsg_do_run_fn do_run;
};

/* Executes all runs of a study. Runs that fail do not make it fail: see out->failed.
 * *out is the caller's whatever the status, to free with vsg_outcome_free(); after a
 * stop it holds the runs that had ended by then. No worker outlives the call, and none
 * outlives this process.
 *
 * Fails with VSG_EINTR (stop), VSG_ERANGE (jobs, threads), VSG_EIO (no process or pipe
 * to be had; module not found), VSG_ENOMEM, or the status of `ended`. */
enum vsg_status vsg_study_execute(const struct vsg_study *study,
                                  const struct vsg_execute_options *options,
                                  struct vsg_outcome *out, struct vsg_diag *diag);
void vsg_outcome_free(struct vsg_outcome *o);

/* How many runs there would be, both engines' and `only` considered, and how many at once. Fails
 * with VSG_ERANGE (jobs, threads) or VSG_ENOMEM. */
enum vsg_status vsg_execute_size(const struct vsg_study *study,
                                 const struct vsg_execute_options *options, uint32_t *runs,
                                 unsigned *jobs, unsigned *threads, struct vsg_diag *diag);

/* Whether an engine has runs of a point: with VSG_USE_BOTH, fluid contention is SimGrid's alone. */
bool vsg_engine_takes_part(const struct vsg_study *s, enum vsg_engine_choice choice, uint32_t point,
                           enum vsg_engine engine);

/* The first integer in which two runs' results differ, as "its[0].served: 12 against 13"
 * in text[0..size); false and an empty text when they are equal. What belongs to the execution
 * (executed, windows, lps...) and the samples are not compared. */
bool vsg_run_result_differs(const struct vsg_run_result *a, const struct vsg_run_result *b,
                            char *text, size_t size);

#endif
