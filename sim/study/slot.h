/* Finding the place of a key in a scenario's tree, for --set and for sweep axes.
 *
 * A path names maps by key and list entries by index or, VMs, by name:
 * workload.rate, vms[0].vcpus, vms.guest.placement.node, costs.its.lognormal.cv. */
#ifndef VSG_STUDY_SLOT_H
#define VSG_STUDY_SLOT_H

#include "study/params.h"
#include "study/yaml_tree.h"

/* Where a value goes: under a key of a map, or at an index of a list. */
struct vsg_slot {
    struct vsg_yaml_node *parent;
    char key[VSG_PARAM_TEXT]; /* of a map */
    uint32_t index;           /* of a list */
    const struct vsg_param *row;
    enum vsg_quantity quantity; /* of a number there; for parts of a distribution too */
};

/* Finds a slot, making maps on the way that the file does not have (they belong to
 * `setting`). The value itself need not be there. On failure writes what is wrong
 * into why; the path is not repeated in it. Fails with VSG_ESCENARIO or VSG_ENOMEM. */
enum vsg_status vsg_slot_find(struct vsg_yaml *y, const char *path, const char *setting,
                              struct vsg_slot *out, char *why, size_t why_size);

/* The value there now, or NULL. */
struct vsg_yaml_node *vsg_slot_get(const struct vsg_slot *slot);

/* Puts a value there. Fails with VSG_ENOMEM. */
enum vsg_status vsg_slot_put(struct vsg_yaml *y, const struct vsg_slot *slot,
                             struct vsg_yaml_node *value);

/* Applies --set KEY=VALUE to the tree. Errors go to diag. `text` ("KEY=VALUE") must
 * outlive the tree. Fails with VSG_ESCENARIO or VSG_ENOMEM. */
enum vsg_status vsg_apply_setting(struct vsg_yaml *y, const char *key, const char *value,
                                  const char *text, struct vsg_diag *diag);

#endif
