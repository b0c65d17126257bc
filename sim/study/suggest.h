/* "Did you mean": the nearest of several words. */
#ifndef VSG_STUDY_SUGGEST_H
#define VSG_STUDY_SUGGEST_H

#include <stddef.h>

struct vsg_suggestion {
    const char *wanted; /* what was written */
    const char *found;  /* the nearest so far, NULL: none is near */
    size_t distance;
};

/* Starts a search for what is near `wanted`: at most one slip per three letters, and
 * no more than four. */
void vsg_suggest_begin(struct vsg_suggestion *s, const char *wanted);

/* Offers a word, which must live as long as the suggestion. The first of equals wins. */
void vsg_suggest_try(struct vsg_suggestion *s, const char *word);

/* Slips between two words: letters inserted, left out, replaced, or two
 * neighbours swapped (Damerau-Levenshtein, optimal string alignment). Words longer
 * than VSG_SUGGEST_MAX count as far away. */
#define VSG_SUGGEST_MAX 64
size_t vsg_suggest_distance(const char *a, const char *b);

#endif
