/* The parts of vsg_scenario_read(), one file each; all report to the reader and
 * return false when anything was wrong, so that later parts leave out checks which
 * would only repeat it. */
#ifndef VSG_STUDY_SCENARIO_PARTS_H
#define VSG_STUDY_SCENARIO_PARTS_H

#include "study/reader.h"

/* Reads `machine` and expands the short form. */
bool vsg_read_machine(struct vsg_reader *r, struct vsg_scenario *s);

/* Makes interconnect.platform.file, which is relative to the scenario's folder (NULL: the current
 * one), a path that can be opened. *owned is the caller's, to free after the tree; NULL where
 * nothing was to be done. False when memory runs out. */
bool vsg_find_platform(struct vsg_yaml_node *root, const char *folder, char **owned);

/* Forgets what was read of a platform, for another topology. */
void vsg_drop_platform(struct vsg_platform_config *p);

/* Reads interconnect.platform for a machine of so many nodes. */
bool vsg_read_platform(struct vsg_reader *r, const struct vsg_yaml_node *node,
                       struct vsg_platform_config *p, uint32_t nodes);

/* Reads `interconnect`. machine_ok: s->config.machine is meant, not a default. */
bool vsg_read_interconnect(struct vsg_reader *r, struct vsg_scenario *s, bool machine_ok);

/* Reads `workload` and `vms`, and checks them against the machine. Uses run.duration. */
bool vsg_read_guests(struct vsg_reader *r, struct vsg_scenario *s, bool machine_ok);

/* CPUs that run when the guests start: booted, and online after the machine's events. */
struct vsg_places {
    struct vsg_place *cpu; /* [count] all CPUs, by ascending id */
    uint32_t count, started;
    uint32_t *node_started, *node_free; /* [nodes] */
};
bool vsg_places_find(struct vsg_reader *r, const struct vsg_machine_config *m,
                     struct vsg_places *out);
void vsg_places_free(struct vsg_places *p); /* a zeroed one is allowed */

/* Checks that the nodes exist which a VM, read from `entry`, names. */
bool vsg_places_check_nodes(struct vsg_reader *r, const struct vsg_yaml_node *entry,
                            const struct vsg_vm_config *vm, uint32_t nodes);

/* Checks that every VM finds its CPUs, by the rules of models/placement.h. origin:
 * [vm_count] the entry of the file each VM is from. */
bool vsg_places_check(struct vsg_reader *r, const struct vsg_config *c,
                      const struct vsg_yaml_node *const *origin, struct vsg_places *p);

/* Warns of keys that are given and cannot influence the result. Only for a scenario
 * that is valid. */
void vsg_warn_of_idle_keys(struct vsg_reader *r, const struct vsg_scenario *s);

/* "0", "0 or 1", "0 to 7": the nodes there are. */
const char *vsg_nodes_text(uint32_t nodes, char *buffer, size_t size);

/* Finds values that occur twice: calls say(user, first, second) with the indices of
 * the first and of each later occurrence. Fails with VSG_ENOMEM. */
enum vsg_status vsg_find_twice(const uint32_t *value, uint32_t count,
                               void (*say)(void *user, uint32_t first, uint32_t second),
                               void *user);

#endif
