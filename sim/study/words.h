/* Figures in words, as people read them. Used by report_answer.c and report_table.c. */
#ifndef VSG_STUDY_WORDS_H
#define VSG_STUDY_WORDS_H

#include "study/report.h"
#include "study/text.h"

/* Decimal places of ns that a half width of an interval supports: 751.3 +- 0.4. */
unsigned vsg_words_places(int64_t half_ps);

/* "850.0 ns", or "751.3 +- 0.4 ns" with an interval; "-": no figure. */
void vsg_words_mean(struct vsg_text *t, int64_t mean_ps, int64_t low_ps, int64_t high_ps);

/* "850 ns", three digits or more: what a histogram supports. "-": no figure. */
void vsg_words_time(struct vsg_text *t, int64_t time_ps);

/* "-11.8 %" of a ratio: the sign always. */
void vsg_words_change(struct vsg_text *t, int64_t ratio_ppm);

/* The point in words: "with guest on node 0, at workload.rate_per_s 1000000"; nothing without
 * axes. */
void vsg_words_point(struct vsg_text *t, const struct vsg_point *point);

/* Adds text with a line break at the last space before each `width`; a word longer than a line
 * stays whole. Ends with a newline. */
void vsg_words_wrap(struct vsg_text *t, const char *text, unsigned width);

#endif
