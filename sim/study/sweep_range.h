/* Ranges of a sweep axis, {from, to, steps, scale}, and the numbers that axis values stand for.
 *
 * A range stands for `steps` values from `from` to `to`, both ends included and exact. Those
 * between are rounded to a whole canonical unit (ps, byte, 1/s, 10^-6 of a share), half a unit up:
 * linear   from + (to - from) * i / (steps - 1), in exact integers;
 * log      from * (to / from)^(i / (steps - 1)), with the log and exp of engine/approx.h, so that
 * it is the same number on every machine; right to 10^-13 before it is rounded. */
#ifndef VSG_STUDY_SWEEP_RANGE_H
#define VSG_STUDY_SWEEP_RANGE_H

#include "study/reader.h"
#include "study/slot.h"

enum { VSG_RANGE_STEPS_MAX = 1000000 };

/* The number that an axis value stands for, in the canonical unit of the slot. False: it is none
 * (a name, a distribution, or an error that reading the point will report). */
bool vsg_axis_number(const struct vsg_slot *slot, const struct vsg_yaml_node *node,
                     uint64_t *value);

/* True when values of the key can be numbers at all. */
bool vsg_axis_may_be_number(const struct vsg_slot *slot);

/* Makes the list of the values that a range stands for, in the tree's memory; its nodes
 * have the range's position. What is wrong goes to r, *list is NULL then. Fails with VSG_ENOMEM. */
enum vsg_status vsg_range_list(struct vsg_reader *r, struct vsg_yaml *y,
                               const struct vsg_yaml_node *range, const struct vsg_slot *slot,
                               struct vsg_yaml_node **list);

#endif
