#include "study/suggest.h"

#include <stdint.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t vsg_suggest_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    size_t row[3][VSG_SUGGEST_MAX + 1]; /* i - 2, i - 1, i, in turn */

    if (n > VSG_SUGGEST_MAX || m > VSG_SUGGEST_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *older = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] =
                least(least(before[j], now[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], older[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

void vsg_suggest_begin(struct vsg_suggestion *s, const char *wanted)
{
    size_t slips = (strlen(wanted) + 2) / 3;
    s->wanted = wanted;
    s->found = NULL;
    s->distance = least(slips, 4) + 1;
}

void vsg_suggest_try(struct vsg_suggestion *s, const char *word)
{
    size_t d = vsg_suggest_distance(s->wanted, word);
    if (d < s->distance) {
        s->distance = d;
        s->found = word;
    }
}
