#include "study/words.h"

#include <string.h>

enum { NS = 1000 };

unsigned vsg_words_places(int64_t half_ps)
{
    if (half_ps >= 9500)
        return 0;
    if (half_ps >= 95)
        return 1;
    return half_ps >= 10 ? 2 : 3;
}

void vsg_words_mean(struct vsg_text *t, int64_t mean_ps, int64_t low_ps, int64_t high_ps)
{
    if (mean_ps == VSG_NO_FIGURE) {
        vsg_text_add(t, "-");
    } else if (low_ps == VSG_NO_FIGURE) {
        vsg_text_rounded(t, mean_ps, 3, 1, true);
        vsg_text_add(t, " ns");
    } else {
        int64_t half_ps = (high_ps - low_ps + 1) / 2;
        unsigned places = vsg_words_places(half_ps);
        vsg_text_rounded(t, mean_ps, 3, places, true);
        vsg_text_add(t, " +- ");
        vsg_text_rounded(t, half_ps, 3, places, true);
        vsg_text_add(t, " ns");
    }
}

void vsg_words_time(struct vsg_text *t, int64_t time_ps)
{
    if (time_ps == VSG_NO_FIGURE) {
        vsg_text_add(t, "-");
        return;
    }
    vsg_text_rounded(t, time_ps, 3, time_ps < 100 * NS ? 1 : 0, true);
    vsg_text_add(t, " ns");
}

void vsg_words_change(struct vsg_text *t, int64_t ratio_ppm)
{
    if (ratio_ppm == VSG_NO_FIGURE)
        return;
    int64_t change = ratio_ppm - 1000000;
    vsg_text_add(t, "%s", change > 0 ? "+" : "");
    vsg_text_rounded(t, change, 4, 1, true);
    vsg_text_add(t, " %%");
}

/* "vms.guest.placement.node": the name between, else NULL. */
static const char *guest_on_node(const char *axis, size_t *length)
{
    static const char before[] = "vms.", after[] = ".placement.node";
    size_t size = strlen(axis), fixed = sizeof before - 1 + sizeof after - 1;
    if (size <= fixed || strncmp(axis, before, sizeof before - 1) != 0 ||
        strcmp(axis + size - (sizeof after - 1), after) != 0)
        return NULL;
    *length = size - fixed;
    return axis + sizeof before - 1;
}

void vsg_words_point(struct vsg_text *t, const struct vsg_point *point)
{
    for (uint32_t i = 0; i < point->axis_count; i++) {
        const struct vsg_axis_value *axis = &point->axis[i];
        size_t length = 0;
        const char *guest = guest_on_node(axis->name, &length);
        vsg_text_add(t, "%s", i > 0 ? ", " : "");
        if (guest)
            vsg_text_add(t, "with %.*s on node %s", (int)length, guest, axis->text);
        else
            vsg_text_add(t, "at %s %s", axis->name, axis->text);
    }
}

void vsg_words_wrap(struct vsg_text *t, const char *text, unsigned width)
{
    size_t used = 0;
    while (*text) {
        if (*text == '\n') {
            vsg_text_put(t, text++, 1);
            used = 0;
            continue;
        }
        size_t word = strcspn(text, " \n");
        if (used > 0 && used + 1 + word > width) {
            vsg_text_put(t, "\n", 1);
            used = 0;
        } else if (used > 0) {
            vsg_text_put(t, " ", 1);
            used++;
        }
        vsg_text_put(t, text, word);
        used += word;
        text += word;
        while (*text == ' ')
            text++;
    }
    vsg_text_put(t, "\n", 1);
}
