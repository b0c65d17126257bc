/* One run's configuration, resolved: plain values, every default filled in.
 *
 * The loader (sim/study) fills it, the models read it. Nothing here knows YAML.
 * Times in ps, rates in 1/s, weights and shares in ppm (10^-6). Lists are owned
 * by the config; vsg_config_free() frees them, vsg_config_copy() copies all. */
#ifndef VSG_MODELS_CONFIG_H
#define VSG_MODELS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/dist.h"
#include "engine/status.h"
#include "engine/world.h"

/* ---- the machine (field meanings: tests/data/selection/README.md) ------------ */

struct vsg_its_config {
    uint32_t id;    /* unique */
    bool typer_v41; /* GITS_TYPER.VMAPP */
    uint8_t svpet;  /* 0..3 */
    uint32_t mpidr; /* GITS_MPIDR as a3<<24 | a2<<16 | a1<<8 | a0 */
    bool vpe_table_valid;
    int32_t numa_node; /* -1: none */
    int32_t at;        /* place on the interconnect; -1: as numa_node */
};

struct vsg_cpu_config {
    uint32_t id;
    uint32_t mpidr;         /* as above; unique */
    uint8_t common_lpi_aff; /* 0..3 */
    int32_t numa_node;      /* -1: none, counts as node 0 */
    bool rvpeid, lpi_ok;
};

enum vsg_cpu_event_op { VSG_CPU_ONLINE, VSG_CPU_OFFLINE };
struct vsg_cpu_event {
    enum vsg_cpu_event_op op;
    uint32_t cpu;
};

struct vsg_machine_config {
    uint32_t nodes;
    struct vsg_its_config *its; /* in probe order */
    uint32_t its_count;
    struct vsg_cpu_config *cpu;
    uint32_t cpu_count;
    uint32_t *boot_order; /* CPU ids started at boot, in this order */
    uint32_t boot_count;
    struct vsg_cpu_event *event; /* after boot, in order */
    uint32_t event_count;
};

/* The short form; vsg_machine_expand() (models/machine) makes the above of it:
 * CPU c of node n has MPIDR n.0.(c/16).(c%16), ITSs have n.0.0.0 and are probed
 * node by node in ascending order. */
struct vsg_machine_short {
    uint32_t nodes, cpus_per_node, its_per_node;
    bool v41;
    uint8_t svpet, common_lpi_aff;
    bool vpe_table;
    uint32_t maxcpus;            /* CPUs started at boot, 0: all */
    const uint32_t *probe_order; /* permutation of the ITS ids; NULL: ascending */
    uint32_t probe_count;        /* its_per_node * nodes, or 0 */
};

/* ---- the interconnect ------------------------------------------------------------- */

enum vsg_topology {
    VSG_TOPOLOGY_FULL,
    VSG_TOPOLOGY_STAR,
    VSG_TOPOLOGY_MATRIX,
    VSG_TOPOLOGY_RING,
    VSG_TOPOLOGY_TORUS,
    VSG_TOPOLOGY_FAT_TREE,
    VSG_TOPOLOGY_DRAGONFLY,
    VSG_TOPOLOGY_PLATFORM, /* the user's own, as SimGrid reads it */
    VSG_TOPOLOGY_COUNT
};
enum vsg_store_ack { VSG_ACK_LOCAL, VSG_ACK_ITS };

/* How many of what (models/interconnect/shape.h). Parts that the topology does not have are NULL
 * and 0; so are all of them on a machine of one node. */
struct vsg_shape {
    uint32_t *dims; /* torus: nodes along each dimension; the first changes fastest */
    uint32_t dims_count;
    /* Fat tree, by level from the nodes up: children of a switch, parents of what is below it,
     * links to each of them. */
    uint32_t *down, *up, *count;
    uint32_t down_count, up_count, count_count; /* all the same: the levels */
    uint32_t levels;
    uint32_t groups, chassis, routers, nodes_per_router; /* dragonfly: each inside the one before */
};

/* A platform of the user's, topology platform only; else no texts. */
struct vsg_platform_config {
    char *xml;
    char **host; /* [host_count] the host of each node */
    uint32_t host_count;
    uint64_t second_ps; /* what one second of the platform stands for */
};

struct vsg_interconnect_config {
    enum vsg_topology topology;
    struct vsg_shape shape;
    struct vsg_platform_config platform;
    uint64_t link_latency_ps; /* one link, one way */
    uint64_t link_bytes_per_s;
    uint64_t *matrix_latency_ps; /* [nodes * nodes], row = from; NULL unless VSG_TOPOLOGY_MATRIX */
    enum vsg_contention contention;
    uint32_t mmio_weight_ppm, message_weight_ppm;
    uint32_t store_bytes, message_bytes, line_bytes;
    enum vsg_store_ack store_ack;
};

/* ---- costs: the node-local cost of each stage ---------------------------------------- */

enum vsg_cost {
    VSG_COST_PREPARE,
    VSG_COST_TRAP,
    VSG_COST_DISPATCH,
    VSG_COST_STORE,
    VSG_COST_MMIO,
    VSG_COST_ITS,
    VSG_COST_MESSAGE,
    VSG_COST_DELIVER,
    VSG_COST_HANDLE,
    VSG_COST_OBSERVE,
    VSG_COST_RETURN,
    VSG_COST_LINE,
    VSG_COST_COUNT
};

/* ---- guests -------------------------------------------------------------------------------- */

enum vsg_workload_kind {
    VSG_WORKLOAD_IPI_HW,
    VSG_WORKLOAD_PAIRS,
    VSG_WORKLOAD_POISSON,
    VSG_WORKLOAD_CLOSED,
    VSG_WORKLOAD_BURSTY,
    VSG_WORKLOAD_MATRIX,
    VSG_WORKLOAD_COUNT
};

/* From at_ps on, open loads come factor_ppm / 10^6 times as often as the workload says. */
struct vsg_load_step {
    uint64_t at_ps;
    uint32_t factor_ppm;
};

struct vsg_workload_config {
    enum vsg_workload_kind kind;
    uint64_t sends;            /* per sending vCPU; 0: by run.duration (open workloads only) */
    uint64_t rate_per_s;       /* poisson, bursty (while on): per sending vCPU */
    uint64_t off_rate_per_s;   /* bursty: while off */
    uint64_t on_ps, off_ps;    /* bursty: mean time in each state, > 0 */
    uint32_t *pair_rate_per_s; /* matrix: [vcpus * vcpus], row = sender, 0 on the diagonal */
    uint32_t pair_rate_count;
    struct vsg_load_step *step; /* open workloads: ascending in time, at_ps > 0 */
    uint32_t step_count;
    struct vsg_dist think; /* closed: from one completion to the next send */
    uint32_t *target; /* poisson, bursty, closed: vCPUs of the same VM that are sent to, one drawn
                         uniformly each time (never the sender itself); NULL: all others */
    uint32_t target_count;
    uint32_t *sender; /* poisson, bursty, closed: sending vCPUs; NULL: all */
    uint32_t sender_count;
};

/* Open: sends come at their own times; else each send waits for the one before. */
static inline bool vsg_workload_is_open(enum vsg_workload_kind kind)
{
    return kind == VSG_WORKLOAD_POISSON || kind == VSG_WORKLOAD_BURSTY ||
           kind == VSG_WORKLOAD_MATRIX;
}

/* A flag in shared memory tells the sender that the handler ran; its line moves. */
static inline bool vsg_workload_uses_flags(enum vsg_workload_kind kind)
{
    return kind == VSG_WORKLOAD_IPI_HW || kind == VSG_WORKLOAD_PAIRS;
}

enum vsg_placement_kind {
    VSG_PLACE_PINNED, /* vCPU i on CPU cpus[i] */
    VSG_PLACE_NODE,   /* on the free started CPUs of one node, lowest first */
    VSG_PLACE_PACKED, /* on the free started CPUs of the machine, lowest first: fills node after
                         node */
    VSG_PLACE_SPREAD, /* one per node in turn, the lowest free started CPU of each */
    VSG_PLACE_INTERLEAVED, /* CPU by CPU in turn over the nodes, all VMs together: vCPU k on node k
                              mod nodes, counted over the whole scenario */
    VSG_PLACE_RANDOM,      /* on CPUs drawn without replacement, by run.seed, replication and VM */
    VSG_PLACE_COUNT
};

struct vsg_placement_config {
    enum vsg_placement_kind kind;
    uint32_t node; /* VSG_PLACE_NODE */
    uint32_t *cpu; /* VSG_PLACE_PINNED: CPU ids, [vcpus] */
    uint32_t cpu_count;
};

struct vsg_vm_config {
    char *name; /* unique; a VM with count: N > 1 is N of these, name-0 .. name-(N-1) */
    uint32_t vcpus;
    struct vsg_placement_config placement;
    int32_t memory_node; /* -1: the node of vCPU 0 */
    struct vsg_workload_config workload;
};

/* ---- the run --------------------------------------------------------------------------------- */

/* The first three are what kernels do (gic/select.h); the others no kernel has yet
 * (gic/choose.h). */
enum vsg_policy {
    VSG_POLICY_GLOBAL_FIRST,
    VSG_POLICY_LOCAL,
    VSG_POLICY_NUMA_V1,
    VSG_POLICY_NEAREST,
    VSG_POLICY_TARGET_NODE,
    VSG_POLICY_MIN_PATH,
    VSG_POLICY_ROUND_ROBIN,
    VSG_POLICY_HASH,
    VSG_POLICY_LEAST_OUTSTANDING,
    VSG_POLICY_COUNT
};
#define VSG_POLICY_KERNEL_COUNT (VSG_POLICY_NUMA_V1 + 1)

enum vsg_warmup_kind {
    VSG_WARMUP_AUTO,  /* open workloads: found by a pilot (study/pilot.h); closed ones: none */
    VSG_WARMUP_SHARE, /* of the window */
    VSG_WARMUP_TIME,
    VSG_WARMUP_SENDS /* sends of each sender that are not counted */
};

struct vsg_warmup_config {
    enum vsg_warmup_kind kind;
    uint32_t share_ppm;
    uint64_t time_ps;
    uint64_t count;
};

struct vsg_config {
    char *name; /* of the scenario */
    struct vsg_machine_config machine;
    struct vsg_interconnect_config interconnect;
    struct vsg_dist cost[VSG_COST_COUNT];
    struct vsg_vm_config *vm;
    uint32_t vm_count;
    uint64_t seed;
    uint32_t replication;                       /* of this run, from 0 */
    enum vsg_policy policy;                     /* of this run */
    enum vsg_policy compared[VSG_POLICY_COUNT]; /* of the study: their runs share their warm-up */
    uint32_t compared_count;                    /* 0: this run stands alone */
    struct vsg_warmup_config warmup;
    uint64_t duration_ps; /* 0: by sends */
    enum vsg_tie tie;
};

/* Names as written in scenarios and results, by enum value. */
extern const char *const vsg_topology_name[VSG_TOPOLOGY_COUNT];
extern const char *const vsg_cost_name[VSG_COST_COUNT];
extern const char *const vsg_workload_name[VSG_WORKLOAD_COUNT];
extern const char *const vsg_placement_name[VSG_PLACE_COUNT];
extern const char *const vsg_policy_name[VSG_POLICY_COUNT];
extern const char *const vsg_contention_name[3];
extern const char *const vsg_tie_name[3];
extern const char *const vsg_store_ack_name[2];

/* Copies a workload with its lists. *out owns what could be copied whatever the status, which is
 * VSG_OK or VSG_ENOMEM. */
enum vsg_status vsg_workload_copy(const struct vsg_workload_config *from,
                                  struct vsg_workload_config *out);

/* Frees the lists and zeroes the rest. */
void vsg_workload_free(struct vsg_workload_config *w);

/* Deep copy. On success *out is the caller's. Fails with VSG_ENOMEM. */
enum vsg_status vsg_config_copy(const struct vsg_config *from, struct vsg_config *out);

/* Frees what the config owns and zeroes it; a zeroed config is allowed. */
void vsg_config_free(struct vsg_config *c);

#endif
