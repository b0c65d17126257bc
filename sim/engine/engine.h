/* The two engines. Both run the same world to the same report, to the byte. */
#ifndef VSG_ENGINE_ENGINE_H
#define VSG_ENGINE_ENGINE_H

#include <signal.h>

#include "engine/world.h"

enum vsg_engine { VSG_ENGINE_PARALLEL, VSG_ENGINE_SIMGRID };

/* Runs a world to its end: until no token is left to run. Tokens that wait for
 * a signal or a resource for ever when all else has ended are an error
 * (VSG_EMODEL, naming one), as are broken invariants. So is, as VSG_ERANGE, what goes round
 * within one picosecond more often than VSG_ROUND_MAX: no invariant, since costs of 0 may do it.
 *
 * threads, 1..VSG_THREADS_MAX; capped to the number of logical processes.
 * Model accumulators are indexed by ctx.worker < threads.
 *
 * On success *report is the caller's, to free with vsg_report_free(). Fails with
 * VSG_EMODEL, VSG_ERANGE, VSG_ENOMEM, or VSG_ENOTSUP (fluid contention). Creates and joins
 * its own threads; several runs may go on in one process. */
#define VSG_THREADS_MAX 64
enum vsg_status vsg_parallel_run(const struct vsg_world *w, unsigned threads,
                                 struct vsg_report *report, struct vsg_diag *diag);

/* ---- SimGrid: a module that is loaded only when needed ---------------------------- */

/* Loads the module (45-80 ms, once). dir: the folder that holds
 * vsgisim-simgrid.so. Fails with VSG_EIO and says in diag what to install. */
enum vsg_status vsg_simgrid_load(const char *dir, struct vsg_diag *diag);

/* Runs a world on SimGrid actors and SimGrid's clock. To be called in a child
 * process made for this run, after vsg_simgrid_load(): SimGrid keeps one
 * simulation per process and aborts on what it does not like. At most 10 s of
 * simulated time (VSG_ERANGE). ctx.worker is always 0. */
enum vsg_status vsg_simgrid_run(const struct vsg_world *w, struct vsg_report *report,
                                struct vsg_diag *diag);

/* The routes between hosts of a platform, as SimGrid finds them. A bandwidth at or above
 * VSG_ROUTES_UNLIMITED_BYTES_PER_S (2^53, 9 PB/s) reads as 0: the link takes no time to fill. */
#define VSG_ROUTES_UNLIMITED_BYTES_PER_S 9007199254740992.0
struct vsg_routes {
    uint32_t host_count;
    char **link_name; /* [link_count] every link on some route, each once, in order of first use */
    uint64_t *link_latency_ps;  /* [link_count] rounded */
    uint64_t *link_bytes_per_s; /* [link_count] rounded */
    uint32_t *link_back; /* [link_count] the other direction of a full-duplex link, VSG_NONE: not
                            known; NULL: of none */
    uint32_t link_count;
    /* Route from host a to b: link[first[a*n+b] .. first[a*n+b+1]); the diagonal is empty. */
    uint32_t *first; /* [host_count * host_count + 1] */
    uint32_t *link;  /* indices into link_name */
};

/* A platform of SimGrid and the hosts in it that are asked about. With second_ps 1000 (one
 * SimGrid second is 1 ns) a link's latency is in ns and its bandwidth in bytes per ns. */
struct vsg_platform {
    const char *xml;
    uint64_t second_ps;      /* what one second of the platform stands for, at least 1 */
    const char *const *host; /* [host_count] */
    uint32_t host_count;
};

/* Loads the platform in a child process of its own and asks for all routes among its hosts.
 * A link of sharing policy FATPIPE never queues: its bandwidth reads as 0. On success *out is
 * the caller's. Fails with VSG_ECHILD and words when SimGrid does not accept the platform, a
 * host or route is missing, a route crosses a link twice, or a number does not fit;
 * with VSG_ENOMEM, VSG_EIO, VSG_EINTR (see below). Needs vsg_simgrid_load(). */
enum vsg_status vsg_simgrid_routes(const struct vsg_platform *platform, struct vsg_routes *out,
                                   struct vsg_diag *diag);

/* Lets a signal handler end the asking, which takes minutes for thousands of hosts: once *stop
 * is not 0, vsg_simgrid_routes() ends its child and fails with VSG_EINTR. NULL, as at the start:
 * it goes on to its end. For the whole process; not while another thread asks for routes. */
void vsg_simgrid_routes_stop(const volatile sig_atomic_t *stop);

void vsg_routes_free(struct vsg_routes *r);

#endif
