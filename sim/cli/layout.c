#include "cli/layout.h"

#include <stdlib.h>

enum {
    CIRCLE_MAX = 12, /* nodes; more do not fit round one */
    GAP = 30,        /* between boxes */
    COLUMN_ROWS = 8, /* nodes hanging from a switch one below the other */
    SPINE = 16,      /* left of a column, for the links to its nodes */
    LEVEL_H = 110,   /* from one level of switches to the next */
    ARC_MAX = 150,
    WIDE = 1700 /* of a dragonfly in one line of groups; wider ones are folded */
};

/* 1000 * sin of k / 48 of a circle, 0 <= k <= 12: no libm, so the same bytes everywhere. */
static const int quarter[] = {0, 131, 259, 383, 500, 609, 707, 793, 866, 924, 966, 991, 1000};

static int sine(uint32_t k)
{
    k %= 48;
    if (k >= 24)
        return -sine(k - 24);
    return k <= 12 ? quarter[k] : quarter[24 - k];
}

int vsg_layout_arc(int distance)
{
    int height = 24 + distance / 6;
    return height < ARC_MAX ? height : ARC_MAX;
}

/* ---- nodes alone ---------------------------------------------------------------------------- */

/* Node 0 at the top left, then clockwise. */
static void place_circle(const struct vsg_world *w, struct vsg_layout *l)
{
    uint32_t n = w->node_count;
    int rx = n == 1 ? 0 : n == 2 ? l->box_w : (l->box_w + GAP) * (int)(n + 2) / 6;
    int ry = n <= 2 ? 0 : (l->box_h + GAP) * (int)(n + 2) / 5;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t step = (i * 48 + n / 2) / n + (n == 2 ? 36 : n % 2 ? 0 : 48 - 24 / n);
        l->x[i] = rx + l->box_w / 2 + rx * sine(step) / 1000;
        l->y[i] = ry + l->box_h / 2 - ry * sine(step + 12) / 1000;
    }
    l->width = 2 * rx + l->box_w;
    l->height = 2 * ry + l->box_h;
}

/* A torus: the first dimension across, the second down, planes of further ones side by side. Of
 * others the numbers run back and forth, so that a ring's neighbours are neighbours here. */
static void place_grid(const struct vsg_interconnect_config *c, const struct vsg_world *w,
                       struct vsg_layout *l)
{
    const struct vsg_shape *s = &c->shape;
    uint32_t n = w->node_count, plane, planes;
    bool torus = s->dims_count >= 2;

    if (torus) {
        l->columns = s->dims[0];
        l->rows = s->dims[1];
    } else {
        for (l->columns = 1; l->columns * l->columns < n; l->columns++)
            ;
        l->rows = (n + l->columns - 1) / l->columns;
    }
    plane = l->columns * l->rows;
    planes = (n + plane - 1) / plane;
    int plane_w = (int)l->columns * (l->box_w + GAP) + GAP;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t in = i % plane, row = in / l->columns, column = in % l->columns;
        if (!torus && row % 2)
            column = l->columns - 1 - column;
        l->x[i] = GAP + (int)(i / plane) * plane_w + (int)column * (l->box_w + GAP) + l->box_w / 2;
        l->y[i] = GAP + (int)row * (l->box_h + GAP) + l->box_h / 2;
    }
    l->width = (int)planes * plane_w + GAP;
    l->height = (int)l->rows * (l->box_h + GAP) + GAP;
}

/* ---- nodes under switches -------------------------------------------------------------------- */

static void find_levels(const struct vsg_world *w, struct vsg_layout *l)
{
    for (uint32_t i = 0; i < w->place_count; i++)
        l->level[i] = i < w->node_count ? 0 : VSG_NONE;
    for (uint32_t level = 0, found = 1; found; level++) {
        found = 0;
        for (uint32_t i = 0; i < w->link_count; i++)
            if (l->level[w->link[i].from] == level && l->level[w->link[i].to] == VSG_NONE) {
                l->level[w->link[i].to] = level + 1;
                found = 1;
            }
    }
    for (uint32_t i = 0; i < w->node_count; i++)
        l->above[i] = VSG_NONE;
    for (uint32_t i = 0; i < w->link_count; i++) {
        uint32_t from = w->link[i].from, to = w->link[i].to;
        if (from < w->node_count && to >= w->node_count && l->above[from] == VSG_NONE)
            l->above[from] = to;
    }
}

/* Room for arcs above the switches of one level. */
static int arc_room(const struct vsg_world *w, const struct vsg_layout *l, uint32_t level)
{
    int room = 0;
    for (uint32_t i = 0; i < w->link_count; i++) {
        uint32_t a = w->link[i].from, b = w->link[i].to;
        if (a == b || l->level[a] != level || l->level[b] != level || level == 0)
            continue;
        int distance = l->x[a] > l->x[b] ? l->x[a] - l->x[b] : l->x[b] - l->x[a];
        if (vsg_layout_arc(distance) > room)
            room = vsg_layout_arc(distance);
    }
    return room;
}

/* x of a switch of level 1 and, relative to it, of its nodes; y of these, relative to the row of
 * switches. Returns the width used. */
static int hang_nodes(const struct vsg_world *w, struct vsg_layout *l, uint32_t at, int left)
{
    uint32_t count = 0, seen = 0;
    for (uint32_t i = 0; i < w->node_count; i++)
        count += l->above[i] == at;
    uint32_t columns = count ? (count + COLUMN_ROWS - 1) / COLUMN_ROWS : 1;
    uint32_t rows = (count + columns - 1) / columns;
    for (uint32_t i = 0; i < w->node_count; i++) {
        if (l->above[i] != at)
            continue;
        l->x[i] = left + SPINE + l->box_w / 2 + (int)(seen / rows) * (l->box_w + SPINE + 4);
        l->y[i] = 48 + l->box_h / 2 + (int)(seen % rows) * (l->box_h + 12);
        seen++;
    }
    int width = (int)columns * (l->box_w + SPINE + 4);
    l->x[at] = left + width / 2;
    return width;
}

/* A dragonfly that is too wide gets its groups in several lines, about as many as columns. */
static void fold_groups(const struct vsg_interconnect_config *c, const struct vsg_world *w,
                        struct vsg_layout *l)
{
    const struct vsg_shape *s = &c->shape;
    uint32_t across = 1, routers = s->chassis * s->routers;
    int line_w = 0, line_h = l->height - GAP / 2;

    if (s->groups < 2 || l->width < WIDE)
        return;
    while (s->groups > 2 && across * across < s->groups)
        across++;
    for (uint32_t line = (s->groups - 1) / across; line > 0; line--) {
        uint32_t first = w->node_count + line * across * routers;
        int shift = l->x[first] - l->x[w->node_count];
        for (uint32_t i = 0; i < w->place_count; i++) {
            uint32_t at = i < w->node_count ? l->above[i] : i;
            if ((at - w->node_count) / routers / across != line)
                continue;
            l->x[i] -= shift;
            l->y[i] += (int)line * line_h;
        }
    }
    for (uint32_t i = 0; i < w->node_count; i++)
        if (l->x[i] + l->box_w / 2 + GAP > line_w)
            line_w = l->x[i] + l->box_w / 2 + GAP;
    l->width = line_w;
    l->height += (int)((s->groups - 1) / across) * line_h;
}

static void place_columns(const struct vsg_interconnect_config *c, const struct vsg_world *w,
                          struct vsg_layout *l)
{
    uint32_t first = w->node_count, top = 1, seen = 0;
    int left = GAP, y = GAP, lowest = 0;

    find_levels(w, l);
    for (uint32_t s = first; s < w->place_count; s++) {
        if (l->level[s] > 1) {
            top = l->level[s] > top ? l->level[s] : top;
            continue;
        }
        if (c->shape.routers && seen && seen % (c->shape.chassis * c->shape.routers) == 0)
            left += 2 * GAP; /* the next group of a dragonfly */
        left += hang_nodes(w, l, s, left) + GAP;
        seen++;
    }
    for (uint32_t i = 0; i < w->node_count; i++)
        if (l->above[i] == VSG_NONE) { /* joined to nodes only */
            l->x[i] = left + l->box_w / 2;
            l->y[i] = 48 + l->box_h / 2;
            left += l->box_w + GAP;
        }
    l->width = left;
    for (uint32_t level = 2; level <= top; level++) { /* spread evenly */
        uint32_t count = 0, k = 0;
        for (uint32_t s = first; s < w->place_count; s++)
            count += l->level[s] == level;
        for (uint32_t s = first; s < w->place_count; s++)
            if (l->level[s] == level)
                l->x[s] = (int)(2 * k++ + 1) * l->width / (int)(2 * count);
    }
    for (uint32_t level = top; level >= 1; level--) {
        y += arc_room(w, l, level) + 12;
        for (uint32_t s = first; s < w->place_count; s++)
            if (l->level[s] == level)
                l->y[s] = y;
        y += level > 1 ? LEVEL_H : 0;
    }
    for (uint32_t i = 0; i < w->node_count; i++) {
        l->y[i] += y;
        if (l->y[i] > lowest)
            lowest = l->y[i];
    }
    l->height = lowest + l->box_h / 2 + GAP;
    fold_groups(c, w, l);
}

/* ---- all ---------------------------------------------------------------------------------------
 */

enum vsg_status vsg_layout_make(const struct vsg_interconnect_config *c, const struct vsg_world *w,
                                struct vsg_layout *l)
{
    size_t places = w->place_count;
    l->x = calloc(places, sizeof *l->x);
    l->y = calloc(places, sizeof *l->y);
    l->above = calloc(places, sizeof *l->above);
    l->level = calloc(places, sizeof *l->level);
    if (!l->x || !l->y || !l->above || !l->level) {
        vsg_layout_free(l);
        return VSG_ENOMEM;
    }
    if (w->place_count > w->node_count) {
        l->kind = VSG_LAYOUT_COLUMNS;
        place_columns(c, w, l);
    } else if (w->node_count > CIRCLE_MAX || (c->shape.dims_count >= 2 && w->node_count > 4)) {
        l->kind = VSG_LAYOUT_GRID;
        place_grid(c, w, l);
    } else {
        l->kind = VSG_LAYOUT_CIRCLE;
        place_circle(w, l);
    }
    return VSG_OK;
}

void vsg_layout_free(struct vsg_layout *l)
{
    free(l->x);
    free(l->y);
    free(l->above);
    free(l->level);
    l->x = l->y = NULL;
    l->above = l->level = NULL;
}
