/* Default shapes, and checks of given ones before SimGrid sees them: it takes impossible ones
 * and dies later, without words. */
#include "models/interconnect/shape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FACTORS_MAX = 16,          /* 2^16 nodes are more than any topology takes */
    LEVELS_MAX = 6,            /* of a fat tree */
    LINKS_MAX = 1 << 18,       /* of a fat tree: what SimGrid holds in some 100 MiB */
    SHAPES_LISTED_MAX = 12,    /* in an error */
    CHASSIS_ROUTERS_MAX = 256, /* n^2 routes in XML */
};

/* ---- texts ---------------------------------------------------------------------------------- */

struct text {
    char *buffer;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->buffer + t->used, t->size - t->used, format, args);
    va_end(args);
    t->used += n > 0 ? (size_t)n : 0;
    if (t->used >= t->size)
        t->used = t->size - 1;
}

static void add_list(struct text *t, const uint32_t *list, uint32_t count)
{
    add(t, "[");
    for (uint32_t i = 0; i < count; i++)
        add(t, "%s%" PRIu32, i ? ", " : "", list[i]);
    add(t, "]");
}

static enum vsg_status blame(struct vsg_shape_error *e, const char *key, struct text *t)
{
    *t = (struct text){.buffer = e->text, .size = sizeof e->text};
    e->key = key;
    e->text[0] = '\0';
    return VSG_ERANGE;
}

/* ---- factors of the number of nodes ------------------------------------------------------------
 */

/* Walks all ways to write a number as a product of factors >= 2, the largest first. */
struct walk {
    uint32_t factor[FACTORS_MAX];
    uint32_t most; /* factors */
    void (*visit)(struct walk *w, uint32_t count);
    /* for the visitors */
    uint32_t asked, best_count, shown;
    uint32_t best[FACTORS_MAX];
    struct text *text;
};

static void factorise(struct walk *w, uint32_t rest, uint32_t largest, uint32_t count)
{
    if (rest == 1) {
        w->visit(w, count);
        return;
    }
    if (count == w->most)
        return;
    for (uint32_t f = rest < largest ? rest : largest; f >= 2; f--)
        if (rest % f == 0) {
            w->factor[count] = f;
            factorise(w, rest / f, f, count + 1);
        }
}

/* With as many factors as asked, the one whose largest is smallest is the most even. */
static void keep_most_even(struct walk *w, uint32_t count)
{
    if (count != w->asked || (w->best_count && w->best[0] <= w->factor[0]))
        return;
    memcpy(w->best, w->factor, sizeof w->best);
    w->best_count = count;
}

static void list_one(struct walk *w, uint32_t count)
{
    if (w->asked && count != w->asked)
        return;
    if (w->shown++ > SHAPES_LISTED_MAX)
        return;
    add(w->text, w->shown > 1 ? ", " : "");
    if (w->shown > SHAPES_LISTED_MAX)
        add(w->text, "...");
    else
        add_list(w->text, w->factor, count);
}

/* The possible lists of factors; asked: with so many, 0 any number up to most. */
static void list_factors(struct text *t, uint32_t nodes, uint32_t asked, uint32_t most)
{
    struct walk w = {.most = most, .visit = list_one, .asked = asked, .text = t};

    factorise(&w, nodes, nodes, 0);
    if (!w.shown)
        add(t, "none");
}

/* The most even product of so many factors; 0 if there is none. */
static uint32_t even_factors(uint32_t nodes, uint32_t count, uint32_t factor[FACTORS_MAX])
{
    struct walk w = {.most = count, .visit = keep_most_even, .asked = count};

    factorise(&w, nodes, nodes, 0);
    memcpy(factor, w.best, sizeof w.best);
    return w.best_count;
}

static uint64_t product(const uint32_t *list, uint32_t count)
{
    uint64_t p = 1;
    for (uint32_t i = 0; i < count && p < UINT32_MAX; i++)
        p *= list[i];
    return p;
}

static uint32_t *copy(const uint32_t *list, uint32_t count)
{
    uint32_t *c = malloc((count ? count : 1) * sizeof *c);
    if (c && count)
        memcpy(c, list, count * sizeof *c);
    return c;
}

/* ---- torus ---------------------------------------------------------------------------------- */

static enum vsg_status check_torus(const struct vsg_shape *s, uint32_t nodes,
                                   struct vsg_shape_error *e)
{
    enum vsg_status status = VSG_OK;
    struct text t;
    bool small = false;

    for (uint32_t i = 0; i < s->dims_count; i++)
        small |= s->dims[i] < 2;
    if (s->dims_count < 1 || s->dims_count > VSG_SHAPE_DIMS_MAX) {
        status = blame(e, "dims", &t);
        add(&t, "a torus has 1 to %u dimensions, not %" PRIu32, VSG_SHAPE_DIMS_MAX, s->dims_count);
    } else if (small) {
        status = blame(e, "dims", &t);
        add(&t, "each dimension has at least 2 nodes; leave one of 1 out");
    } else if (product(s->dims, s->dims_count) != nodes) {
        status = blame(e, "dims", &t);
        add_list(&t, s->dims, s->dims_count);
        add(&t, " makes %" PRIu64 " nodes, the machine has %" PRIu32,
            product(s->dims, s->dims_count), nodes);
    }
    if (status) {
        add(&t, "; possible for %" PRIu32 ": ", nodes);
        list_factors(&t, nodes, 0, 3);
        add(&t, ", in any order");
    }
    return status;
}

static enum vsg_status complete_torus(struct vsg_shape *s, uint32_t nodes,
                                      struct vsg_shape_error *e)
{
    uint32_t factor[FACTORS_MAX];

    if (s->dims)
        return check_torus(s, nodes, e);
    s->dims_count = even_factors(nodes, 2, factor);
    if (!s->dims_count)
        s->dims_count = even_factors(nodes, 1, factor);
    s->dims = copy(factor, s->dims_count);
    return s->dims ? VSG_OK : VSG_ENOMEM;
}

/* ---- fat tree ---------------------------------------------------------------------------------
 */

static enum vsg_status default_down(struct vsg_shape *s, uint32_t nodes, struct vsg_shape_error *e)
{
    uint32_t factor[FACTORS_MAX];
    struct text t;

    s->down_count = even_factors(nodes, s->levels ? s->levels : 2, factor);
    if (!s->down_count && !s->levels)
        s->down_count = even_factors(nodes, 1, factor);
    if (!s->down_count) {
        blame(e, "levels", &t);
        add(&t,
            "%" PRIu32 " nodes are no product of %" PRIu32 " numbers of children, each at least 2; "
            "possible for `down`: ",
            nodes, s->levels);
        list_factors(&t, nodes, 0, LEVELS_MAX);
        return VSG_ERANGE;
    }
    s->down = copy(factor, s->down_count);
    return s->down ? VSG_OK : VSG_ENOMEM;
}

/* A level as wide as the one below: as many parents as it has children. */
static enum vsg_status default_up(struct vsg_shape *s)
{
    s->up = copy(s->down, s->down_count);
    if (!s->up)
        return VSG_ENOMEM;
    memmove(s->up + 1, s->down, (s->down_count - 1) * sizeof *s->up);
    s->up[0] = 1;
    s->up_count = s->down_count;
    return VSG_OK;
}

static enum vsg_status default_count(struct vsg_shape *s)
{
    s->count = copy(s->down, s->down_count);
    for (uint32_t i = 0; s->count && i < s->down_count; i++)
        s->count[i] = 1;
    s->count_count = s->down_count;
    return s->count ? VSG_OK : VSG_ENOMEM;
}

static bool has_zero(const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == 0)
            return true;
    return false;
}

/* Links of all levels, one direction; stops counting when they are too many. Level l has
 * up[0] * ... * up[l] switches for each down[l+1] * ... children above it. */
static uint64_t tree_links(const struct vsg_shape *s, uint32_t nodes)
{
    uint64_t below = nodes, links = 0;

    for (uint32_t l = 0; l < s->down_count && links <= LINKS_MAX; l++) {
        uint64_t per_child = (uint64_t)s->up[l] * s->count[l];
        if (per_child > LINKS_MAX)
            return per_child;
        links += below * per_child;
        below = below / s->down[l] * s->up[l];
    }
    return links;
}

static enum vsg_status check_fat_tree(const struct vsg_shape *s, uint32_t nodes,
                                      struct vsg_shape_error *e)
{
    struct text t;

    if (s->levels != s->down_count) {
        blame(e, "levels", &t);
        add(&t, "%" PRIu32 " levels, but `down` has %" PRIu32, s->levels, s->down_count);
        return VSG_ERANGE;
    }
    if (s->levels < 1 || s->levels > LEVELS_MAX || has_zero(s->down, s->down_count) ||
        product(s->down, s->down_count) != nodes) {
        blame(e, "down", &t);
        add_list(&t, s->down, s->down_count);
        if (s->levels < 1 || s->levels > LEVELS_MAX)
            add(&t, " has %" PRIu32 " levels; a fat tree has 1 to %d", s->levels, LEVELS_MAX);
        else
            add(&t, " makes %" PRIu64 " nodes, the machine has %" PRIu32,
                product(s->down, s->down_count), nodes);
        add(&t, "; possible for %" PRIu32 ": ", nodes);
        list_factors(&t, nodes, 0, LEVELS_MAX);
        add(&t, ", in any order");
        return VSG_ERANGE;
    }
    if (s->up_count != s->levels || has_zero(s->up, s->up_count)) {
        blame(e, "up", &t);
        add(&t, "%" PRIu32 " numbers of parents, each at least 1, are needed, one for each level",
            s->levels);
        return VSG_ERANGE;
    }
    if (s->count_count != s->levels || has_zero(s->count, s->count_count)) {
        blame(e, "count", &t);
        add(&t, "%" PRIu32 " numbers of links, each at least 1, are needed, one for each level",
            s->levels);
        return VSG_ERANGE;
    }
    if (tree_links(s, nodes) > LINKS_MAX) {
        blame(e, "up", &t);
        add(&t, "more than %d links; take fewer parents (`up`) or links to each (`count`)",
            LINKS_MAX);
        return VSG_ERANGE;
    }
    return VSG_OK;
}

static enum vsg_status complete_fat_tree(struct vsg_shape *s, uint32_t nodes,
                                         struct vsg_shape_error *e)
{
    enum vsg_status status = VSG_OK;

    if (!s->down && !s->levels && (s->up || s->count))
        s->levels = s->up ? s->up_count : s->count_count;
    if (!s->down)
        status = default_down(s, nodes, e);
    if (!status && !s->levels)
        s->levels = s->down_count;
    if (!status && s->down_count == 0)
        return check_fat_tree(s, nodes, e); /* nothing to derive the others from */
    if (!status && !s->up)
        status = default_up(s);
    if (!status && !s->count)
        status = default_count(s);
    return status ? status : check_fat_tree(s, nodes, e);
}

/* ---- dragonfly ----------------------------------------------------------------------------------
 */

struct dragonfly {
    uint32_t groups, routers, nodes_per_router;
};

/* Fewer of the largest part, then fewer parts in all, then more routers: the more even. */
static bool more_even(const struct dragonfly *a, const struct dragonfly *b)
{
    uint32_t max_a = a->routers > a->nodes_per_router ? a->routers : a->nodes_per_router;
    uint32_t max_b = b->routers > b->nodes_per_router ? b->routers : b->nodes_per_router;
    uint32_t sum_a = a->groups + a->routers + a->nodes_per_router;
    uint32_t sum_b = b->groups + b->routers + b->nodes_per_router;

    if ((a->groups > 1) != (b->groups > 1))
        return a->groups > 1; /* else it is no dragonfly */
    if (max_a != max_b)
        return max_a < max_b;
    if (sum_a != sum_b)
        return sum_a < sum_b;
    return a->routers > b->routers;
}

static bool fits(uint32_t given, uint32_t value)
{
    return !given || given == value;
}

/* Calls visit for each shape that fits what is given, of so many chassis. Groups are joined by one
 * link per pair, at the router with the other group's number of the first chassis: so no more
 * groups than routers in a chassis. */
static void each_dragonfly(const struct vsg_shape *given, uint32_t nodes, uint32_t chassis,
                           void (*visit)(void *user, const struct dragonfly *d), void *user)
{
    uint32_t n = nodes / chassis;
    for (uint32_t g = 1; nodes % chassis == 0 && (uint64_t)g * g <= n; g++)
        for (uint32_t r = g; n % g == 0 && r <= n / g; r++) {
            struct dragonfly d = {g, r, n / g / r};
            if (n / g % r == 0 && fits(given->groups, g) && fits(given->routers, r) &&
                fits(given->nodes_per_router, d.nodes_per_router))
                visit(user, &d);
        }
}

static void keep_best(void *user, const struct dragonfly *d)
{
    struct dragonfly *best = user;
    if (!best->groups || more_even(d, best))
        *best = *d;
}

struct listing {
    struct text *text;
    uint32_t shown;
};

static void list_dragonfly(void *user, const struct dragonfly *d)
{
    struct listing *l = user;
    if (d->groups == 1 || l->shown > SHAPES_LISTED_MAX)
        return;
    if (l->shown == SHAPES_LISTED_MAX)
        add(l->text, ", ...");
    else
        add(l->text, "%s%" PRIu32 " x %" PRIu32 " x %" PRIu32, l->shown ? ", " : "", d->groups,
            d->routers, d->nodes_per_router);
    l->shown++;
}

static void list_dragonflies(struct text *t, uint32_t nodes, uint32_t chassis)
{
    const struct vsg_shape any = {0};
    struct listing l = {.text = t};

    add(t, "; possible for %" PRIu32 " (groups x routers x nodes_per_router", nodes);
    if (chassis > 1)
        add(t, ", each group of %" PRIu32 " chassis", chassis);
    add(t, "): ");
    if (nodes % chassis) {
        add(t, "none");
        return;
    }
    each_dragonfly(&any, nodes, chassis, list_dragonfly, &l);
    add(t, "%s1 x %" PRIu32 " x 1", l.shown ? " and " : "", nodes / chassis);
}

static enum vsg_status no_dragonfly(const struct vsg_shape *s, uint32_t nodes,
                                    struct vsg_shape_error *e)
{
    struct text t;

    blame(e,
          s->groups             ? "groups"
          : s->routers          ? "routers"
          : s->nodes_per_router ? "nodes_per_router"
                                : "chassis",
          &t);
    add(&t, "no dragonfly of %" PRIu32 " nodes has", nodes);
    if (s->groups)
        add(&t, " %" PRIu32 " groups", s->groups);
    if (s->chassis > 1)
        add(&t, "%s %" PRIu32 " chassis in a group", s->groups ? "," : "", s->chassis);
    if (s->routers)
        add(&t, "%s %" PRIu32 " routers in a chassis", s->groups || s->chassis > 1 ? "," : "",
            s->routers);
    if (s->nodes_per_router)
        add(&t, "%s %" PRIu32 " nodes per router",
            s->groups || s->chassis > 1 || s->routers ? "," : "", s->nodes_per_router);
    list_dragonflies(&t, nodes, s->chassis);
    return VSG_ERANGE;
}

static enum vsg_status complete_dragonfly(struct vsg_shape *s, uint32_t nodes,
                                          struct vsg_shape_error *e)
{
    struct dragonfly best = {0};
    struct text t;

    s->chassis = s->chassis ? s->chassis : 1;
    if (s->groups && s->routers && s->groups > s->routers) {
        blame(e, "groups", &t);
        add(&t,
            "%" PRIu32 " groups of %" PRIu32 " routers: a group needs a router for each group, so "
            "at most %" PRIu32,
            s->groups, s->routers, s->routers);
        list_dragonflies(&t, nodes, s->chassis);
        return VSG_ERANGE;
    }
    each_dragonfly(s, nodes, s->chassis, keep_best, &best);
    if (!best.groups)
        return no_dragonfly(s, nodes, e);
    if (s->chassis > 1 && nodes / best.nodes_per_router > CHASSIS_ROUTERS_MAX) {
        blame(e, "chassis", &t);
        add(&t,
            "%" PRIu32 " routers in all; with several chassis at most %d, since the ways between "
            "all of them are written out",
            nodes / best.nodes_per_router, CHASSIS_ROUTERS_MAX);
        return VSG_ERANGE;
    }
    s->groups = best.groups;
    s->routers = best.routers;
    s->nodes_per_router = best.nodes_per_router;
    return VSG_OK;
}

/* ---- all ----------------------------------------------------------------------------------------
 */

static void drop_torus(struct vsg_shape *s)
{
    free(s->dims);
    s->dims = NULL;
    s->dims_count = 0;
}

static void drop_fat_tree(struct vsg_shape *s)
{
    free(s->down);
    free(s->up);
    free(s->count);
    s->down = s->up = s->count = NULL;
    s->levels = s->down_count = s->up_count = s->count_count = 0;
}

static void drop_dragonfly(struct vsg_shape *s)
{
    s->groups = s->chassis = s->routers = s->nodes_per_router = 0;
}

enum vsg_status vsg_shape_complete(struct vsg_interconnect_config *c, uint32_t nodes,
                                   struct vsg_shape_error *error)
{
    struct vsg_shape *s = &c->shape;

    if (c->topology != VSG_TOPOLOGY_TORUS || nodes == 1)
        drop_torus(s);
    if (c->topology != VSG_TOPOLOGY_FAT_TREE || nodes == 1)
        drop_fat_tree(s);
    if (c->topology != VSG_TOPOLOGY_DRAGONFLY || nodes == 1)
        drop_dragonfly(s);
    if (nodes == 1)
        return VSG_OK;
    switch (c->topology) {
    case VSG_TOPOLOGY_TORUS:
        return complete_torus(s, nodes, error);
    case VSG_TOPOLOGY_FAT_TREE:
        return complete_fat_tree(s, nodes, error);
    case VSG_TOPOLOGY_DRAGONFLY:
        return complete_dragonfly(s, nodes, error);
    default:
        return VSG_OK;
    }
}

static bool same_list(const uint32_t *a, uint32_t count_a, const uint32_t *b, uint32_t count_b)
{
    return count_a == count_b && (count_a == 0 || memcmp(a, b, count_a * sizeof *a) == 0);
}

bool vsg_shape_same(const struct vsg_shape *a, const struct vsg_shape *b)
{
    return same_list(a->dims, a->dims_count, b->dims, b->dims_count) &&
           same_list(a->down, a->down_count, b->down, b->down_count) &&
           same_list(a->up, a->up_count, b->up, b->up_count) &&
           same_list(a->count, a->count_count, b->count, b->count_count) &&
           a->groups == b->groups && a->chassis == b->chassis && a->routers == b->routers &&
           a->nodes_per_router == b->nodes_per_router;
}

char *vsg_shape_text(const struct vsg_interconnect_config *c, char *buffer, size_t size)
{
    const struct vsg_shape *s = &c->shape;
    struct text t = {.buffer = buffer, .size = size};

    buffer[0] = '\0';
    if (s->dims) {
        add(&t, "dims: ");
        add_list(&t, s->dims, s->dims_count);
    }
    if (s->down) {
        add(&t, "down: ");
        add_list(&t, s->down, s->down_count);
        add(&t, ", up: ");
        add_list(&t, s->up, s->up_count);
        add(&t, ", count: ");
        add_list(&t, s->count, s->count_count);
    }
    if (s->groups) {
        add(&t, "groups: %" PRIu32, s->groups);
        if (s->chassis > 1)
            add(&t, ", chassis: %" PRIu32, s->chassis);
        add(&t, ", routers: %" PRIu32 ", nodes_per_router: %" PRIu32, s->routers,
            s->nodes_per_router);
    }
    return buffer;
}
