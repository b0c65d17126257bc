/* Sweep axes: which keys take which values, and every combination of them.
 *
 * An axis is a key with a list of values or a range (sweep_range.h). The keys of a `zip` group
 * advance together: they are one step of the combinations. */
#ifndef VSG_STUDY_SWEEP_H
#define VSG_STUDY_SWEEP_H

#include "study/slot.h"
#include "study/study.h"

struct vsg_axis {
    struct vsg_slot slot;
    struct vsg_yaml_node *list; /* of the values: as in the file, or what a range stands for */
    uint32_t group;             /* axes of one group have lists of one length */
    char *name;                 /* with the unit: interconnect.link.latency_ns */
    char **text;                /* [list->count] the values as results show them */
    bool is_number;
};

struct vsg_sweep {
    struct vsg_axis *axis; /* [count] in file order; the first changes slowest */
    uint32_t count;
    uint32_t group_count;
    uint32_t points;
};

/* Reads the key `sweep` (no such key: one point without axes). Policies among the axes become the
 * scenario's, since all policies are run at every point. Errors go to diag.
 * On success *out is the caller's. Fails with VSG_ESCENARIO or VSG_ENOMEM. */
enum vsg_status vsg_sweep_read(struct vsg_yaml *y, struct vsg_sweep *out, struct vsg_diag *diag);
void vsg_sweep_free(struct vsg_sweep *s);

/* Puts the values of one point into the tree. Fails with VSG_ENOMEM. */
enum vsg_status vsg_sweep_apply(struct vsg_yaml *y, const struct vsg_sweep *s, uint32_t point);

/* The index of an axis' value at a point. */
uint32_t vsg_sweep_index(const struct vsg_sweep *s, uint32_t axis, uint32_t point);

/* The axis values of a point, for results (the caller's, as in struct vsg_point). */
enum vsg_status vsg_sweep_values(const struct vsg_sweep *s, uint32_t point,
                                 struct vsg_axis_value **out);

#endif
