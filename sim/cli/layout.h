/* Where the nodes and switches of a machine stand in its picture.
 *
 * Unit    Pixels of the picture, whole numbers, so that every machine draws the same bytes.
 * Layouts A circle for up to 12 nodes without switches; a grid for more of them, along the
 *         dimensions of a torus; columns under their switches where there are switches, with
 *         the further levels above. */
#ifndef VSG_CLI_LAYOUT_H
#define VSG_CLI_LAYOUT_H

#include "engine/world.h"
#include "models/config.h"

enum vsg_layout_kind { VSG_LAYOUT_CIRCLE, VSG_LAYOUT_GRID, VSG_LAYOUT_COLUMNS };

struct vsg_layout {
    enum vsg_layout_kind kind;
    int box_w, box_h; /* of a node; set by the caller before */
    int *x, *y;       /* [place_count] the middle of each place */
    uint32_t *above;  /* columns: [node_count] the switch that a node hangs from */
    uint32_t *level;  /* columns: [place_count] links to the nearest node */
    int width, height;
    uint32_t rows; /* of the grid */
    uint32_t columns;
};

/* Places everything. On success the arrays are the caller's, to free with vsg_layout_free(). Fails
 * with VSG_ENOMEM. */
enum vsg_status vsg_layout_make(const struct vsg_interconnect_config *c, const struct vsg_world *w,
                                struct vsg_layout *l);
void vsg_layout_free(struct vsg_layout *l);

/* Height of the arc between two places of one level, `distance` apart. */
int vsg_layout_arc(int distance);

#endif
