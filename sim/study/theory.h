/* What is known without simulating: stability, bottlenecks, and the mean by theory.
 * Used by figures.c and results.c only. */
#ifndef VSG_STUDY_THEORY_H
#define VSG_STUDY_THEORY_H

#include "study/results.h"

/* Fills unstable, unstable_reason and sustainable_milli_per_s.
 *
 * Open workloads only. A run is unstable when a server's offered load is 1 or more (known
 * before the run), or when its backlog grew: at the end of the window more than twice that at
 * half of it, and by more than 4 standard deviations. The deviation is Poisson's: of the
 * arrivals in half a window, sqrt(counted IPIs / 2). A stable queue's backlog does not
 * grow with the window, an unstable one's grows in proportion to it.
 * Needs throughput_milli_per_s. Fails with VSG_ENOMEM. */
enum vsg_status vsg_theory_stability(const struct vsg_run_result *r,
                                     const struct vsg_config *config, struct vsg_figures *f);

/* Fills bottleneck: of ITSs and links, the one with the highest utilisation, if above 95 %.
 * Fails with VSG_ENOMEM. */
enum vsg_status vsg_theory_bottleneck(const struct vsg_run_result *r, struct vsg_figures *f);

/* Fills analytic; needs latency.mean_ps and stage_ps.
 *
 * M/D/1, where the scenario is exactly that (vsg_theory_is_md1): Pollaczek-Khinchine's wait
 * rho S / (2 (1 - rho)) plus the simulated means of all stages that do not queue.
 *
 * Bottleneck bound, closed loops only (Denning and Buzen 1978, asymptotic bounds of operational
 * analysis): N senders with demand D outside queues, think time Z, and Dmax at the busiest ITS or
 * link take at least max(D, N Dmax - Z). D and Dmax are measured. Accurate to the IPIs that cross
 * the window's ends. */
void vsg_theory_analytic(const struct vsg_run_result *r, const struct vsg_config *config,
                         struct vsg_figures *f);

/* True when the ITS in use is an M/D/1 queue and nothing else queues: every VM is
 * `poisson`; one ITS serves all; its service is constant and takes time; links do not queue;
 * nothing holds up a sender or a target (prepare, trap, dispatch, store, handle, observe, return
 * are 0); what lies between is constant. */
bool vsg_theory_is_md1(const struct vsg_run_result *r, const struct vsg_config *config);

/* Takes back mean, deviation and percentiles of a run that is unstable or not steady. (In
 * figures.c.) */
void vsg_figures_claim_nothing(struct vsg_figures *f);

#endif
