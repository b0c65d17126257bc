/* Data of the plots: what `run --out DIR` writes into DIR/plots, and what each picture says.
 *
 * Tidy, tab separated, one header line, a row per observation. Times in ns, shares 0...1; an
 * empty cell: no figure (as null in JSON). Every writer gives a malloc'ed string, the caller's to
 * free, and fails with VSG_ENOMEM only; a file without rows has its header. What the columns mean
 * is in docs/plots.md and vsg_plot_column(). */
#ifndef VSG_STUDY_PLOTS_H
#define VSG_STUDY_PLOTS_H

#include "study/results.h"
#include "study/text.h"

#define VSG_PLOT_SERVERS 48    /* ITSs, and links, in utilisation.tsv: the busiest */
#define VSG_PLOT_PANELS 6      /* heat maps: with more points times policies, those of one point */
#define VSG_PLOT_NODES_MAX 256 /* a heat map of more nodes is not drawn */

/* Share of IPIs above a latency, until fewer than VSG_SAMPLES_ABOVE are above. */
enum vsg_status vsg_plot_ccdf_tsv(const struct vsg_results *r, char **text);
/* Mean latency, its interval and p99 along the plots' axis; points without a steady state too. */
enum vsg_status vsg_plot_latency_tsv(const struct vsg_results *r, char **text);
/* What each policy gains over the first one along the plots' axis. */
enum vsg_status vsg_plot_gain_tsv(const struct vsg_results *r, char **text);
/* Mean latency from every node to every node, at all points or one. */
enum vsg_status vsg_plot_heatmap_tsv(const struct vsg_results *r, char **text);
/* How busy ITSs and links are, the busiest first. */
enum vsg_status vsg_plot_utilisation_tsv(const struct vsg_results *r, char **text);
/* A row per picture: its title, or why it is left out. */
enum vsg_status vsg_plot_index_tsv(const struct vsg_results *r, char **text);

struct vsg_plot_column {
    const char *file, *column, *unit, *doc; /* unit NULL: text */
};
/* Column i of all files in order; false past the end. */
bool vsg_plot_column(size_t i, struct vsg_plot_column *out);

/* ---- used by the writers ------------------------------------------------------------------- */

enum { VSG_PLOT_NO_AXIS = -1 };

/* The axis along which latency and gain are drawn: the numeric one with the most values, the first
 * of equals. VSG_PLOT_NO_AXIS: none has two. */
int vsg_plot_axis(const struct vsg_study *s);

/* "policy, axis value, ...". along: leave out this axis and those that follow from it (zipped
 * ones); VSG_PLOT_NO_AXIS: all axes. Never holds a tab, a quote or a line's end. */
void vsg_plot_series(struct vsg_text *t, const struct vsg_study *s, const char *policy,
                     uint32_t point, int along);

/* Whether heatmap.tsv has this point; always the same ones for all policies. */
bool vsg_plot_mapped(const struct vsg_results *r, uint32_t point);

/* The histogram of all replications of a point; NULL in *out when there is none. The caller's. */
enum vsg_status vsg_plot_hist(const struct vsg_results *r, const struct vsg_point_figures *p,
                              struct vsg_hist **out);

/* A point with a mean: it has figures and a steady state. */
bool vsg_plot_has_mean(const struct vsg_point_figures *p);
/* A point that ran and has no steady state. */
bool vsg_plot_unsteady(const struct vsg_point_figures *p);

#endif
