/* Which ITS a CPU's vSGIs go to, and how it came by it, under each policy.
 *
 * Exactly what Linux does (irq-gic-v3-its.c: find_4_1_its, allocate_vpe_l1_table,
 * inherit_vpe_l1_table_from_its, inherit_vpe_l1_table_from_rd), before commit
 * f1a3fac4095c (global-first), after it (local), and in the proposal's first
 * version (numa-v1: of the v4.1 ITSs of the CPU's node the last probed, else the machine's
 * first probed). Answers of 40 machines: tests/data/selection/.
 *
 * Pure functions: no globals, any thread. 65,536 CPUs and 128 ITSs take some 20 ms. */
#ifndef VSG_MODELS_GIC_SELECT_H
#define VSG_MODELS_GIC_SELECT_H

#include "models/config.h"

enum vsg_how {
    VSG_HOW_NOT_STARTED,
    VSG_HOW_NO_DIRECT_VSGI,
    VSG_HOW_FROM_ITS,
    VSG_HOW_INHERITED,
    VSG_HOW_OWN_TABLE,
    VSG_HOW_NO_LPI, /* local */
    VSG_HOW_SAME_NODE,
    VSG_HOW_OTHER_NODE,  /* numa-v1 */
    VSG_HOW_HEAD_OF_LIST /* global-first */
};

/* Of one CPU under one policy. Indices are into machine.its / machine.cpu; VSG_NONE: none. */
struct vsg_selection {
    uint32_t its;        /* where its vSGIs go */
    uint32_t remembered; /* local: what the CPU remembers from its start */
    enum vsg_how how;
    uint32_t from; /* FROM_ITS: index of the ITS; INHERITED: index of the CPU */
};

struct vsg_boot {
    bool direct_vsgi;
    bool *started; /* [cpu_count] ever started */
    bool *online;  /* [cpu_count] after the last event */
    struct vsg_selection
        *selection[VSG_POLICY_KERNEL_COUNT]; /* [cpu_count] each; the others: choose.h */
    uint32_t *list_order;                    /* [its_count] indices of ITSs, last probed first */
    uint32_t cpu_count, its_count;
};

/* Boots the machine, applies its events and answers for every CPU. Ids and affinities must
 * be unique and levels at most 3 (the loader checks). On success *out is the
 * caller's, to free with vsg_boot_free(). Fails with VSG_ENOMEM or VSG_EINVAL (boot order or
 * events name a CPU that is not there). */
enum vsg_status vsg_boot(const struct vsg_machine_config *machine, struct vsg_boot *out);
void vsg_boot_free(struct vsg_boot *b);

/* The words of the selection data: "from-its 3", "inherited-from-cpu 0", "own-table", ... ids, not
 * indices. text: [size], size >= 32. */
void vsg_how_text(const struct vsg_machine_config *machine, const struct vsg_selection *s,
                  char *text, size_t size);

#endif
