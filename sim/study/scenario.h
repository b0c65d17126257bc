/* A scenario's tree as a config: one point of a study. */
#ifndef VSG_STUDY_SCENARIO_H
#define VSG_STUDY_SCENARIO_H

#include "models/config.h"
#include "study/yaml_tree.h"

#define VSG_STUDY_RUNS_MAX 1000000

/* What a scenario says beyond one run's config. */
struct vsg_study_keys {
    uint32_t replications, max_replications;
    uint32_t precision_ppm; /* 0: none */
    uint32_t format;
    char *description; /* never NULL once read */
};

struct vsg_scenario {
    struct vsg_config config;
    struct vsg_study_keys study;
    enum vsg_policy policy[VSG_POLICY_COUNT];
    uint32_t policy_count;
    bool has_guests;
    bool machine_is_short;
    struct vsg_machine_short machine_short; /* probe_order is the scenario's */
};

/* Reads the keys below root, all defaults filled in, and checks them against each
 * other. Errors go to diag; keys that cannot influence the result to warnings. The keys
 * `sweep` is left to vsg_sweep_*(). On success *out is the caller's. Fails with
 * VSG_ESCENARIO or VSG_ENOMEM. */
enum vsg_status vsg_scenario_read(const struct vsg_yaml_node *root, struct vsg_scenario *out,
                                  struct vsg_diag *diag, struct vsg_diag *warnings);
void vsg_scenario_free(struct vsg_scenario *s);

/* The whole scenario with every default written out and no sweep (malloc'ed, the
 * caller's); reading it gives the same config. NULL when memory runs out. */
char *vsg_scenario_write(const struct vsg_scenario *s);

/* The same without what cannot influence a single run: names and descriptions of the scenario,
 * policies, number of replications. */
char *vsg_scenario_write_what_matters(const struct vsg_scenario *s);

#endif
