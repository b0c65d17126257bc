#include "engine/simgrid/ready.h"

#include <stdlib.h>

static bool before(const struct vsg_sg_event *a, const struct vsg_sg_event *b)
{
    if (a->time_ps != b->time_ps)
        return a->time_ps < b->time_ps;
    if (a->word != b->word)
        return a->word < b->word;
    if (a->entity != b->entity)
        return a->entity < b->entity;
    return a->visit < b->visit;
}

bool vsg_sg_ready_push(struct vsg_sg_ready *r, const struct vsg_sg_event *e)
{
    size_t at = r->count;

    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        struct vsg_sg_event *grown = realloc(r->event, room * sizeof *grown);
        if (!grown)
            return false;
        r->event = grown;
        r->room = room;
    }
    r->count++;
    while (at && before(e, &r->event[(at - 1) / 2])) {
        r->event[at] = r->event[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    r->event[at] = *e;
    return true;
}

struct vsg_sg_event vsg_sg_ready_pop(struct vsg_sg_ready *r)
{
    struct vsg_sg_event first = r->event[0], last = r->event[--r->count];
    size_t at = 0, child;

    while ((child = 2 * at + 1) < r->count) {
        if (child + 1 < r->count && before(&r->event[child + 1], &r->event[child]))
            child++;
        if (!before(&r->event[child], &last))
            break;
        r->event[at] = r->event[child];
        at = child;
    }
    r->event[at] = last;
    return first;
}
