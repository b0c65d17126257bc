/* A study: one scenario file, resolved into the runs it asks for.
 *
 * The loader reads YAML (the only place with <yaml.h>), checks everything, and
 * reports all errors at once. A run is (point, policy, replication); runs are
 * numbered point by point, policy by policy, replication by replication. */
#ifndef VSG_STUDY_STUDY_H
#define VSG_STUDY_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/diag.h"
#include "models/config.h"

/* The value of one sweep axis at one point. Numbers are exact decimals in the
 * canonical unit, which the name ends with: interconnect.link.latency_ns. */
struct vsg_axis_value {
    char *name;
    char *text; /* as for JSON: a decimal number, or plain text */
    bool is_number;
    uint32_t values; /* that the axis has in the whole study, all different */
    uint32_t group;  /* axes of one zip group have one number */
};

/* A hash of 128 bits: what is equal in it counts as equal. */
struct vsg_identity {
    uint64_t part[2];
};
#define VSG_IDENTITY_INIT                                                                          \
    {                                                                                              \
        {                                                                                          \
            UINT64_C(0x62b821756295c58d), UINT64_C(0x6c62272e07bb0142)                             \
        }                                                                                          \
    }
/* Goes on hashing (FNV-1a; low half first). */
void vsg_identity_add(struct vsg_identity *id, const void *bytes, size_t size);

struct vsg_point {
    struct vsg_axis_value *axis; /* [axis_count], in file order */
    uint32_t axis_count;
    struct vsg_config config; /* policy and replication are set per run by vsg_study_run_config() */
    char *resolved_yaml;      /* the whole scenario with every default written out, no sweep;
                                 loading it again gives the same config */
    struct vsg_identity identity; /* of the keys in it that can influence a run: not the names,
                                     the policies, the number of replications */
};

struct vsg_study {
    char *name;
    char *description; /* may be empty, never NULL */
    struct vsg_point *point;
    uint32_t point_count;
    enum vsg_policy policy[VSG_POLICY_COUNT]; /* in file order */
    uint32_t policy_count;
    uint32_t replications;  /* of every point; with a precision, at most */
    uint32_t precision_ppm; /* 0: none is asked for */
    bool has_guests;        /* false: machine and policies only, enough for `topology` */
    struct vsg_diag warnings;
};

struct vsg_setting {
    const char *key, *value;
}; /* --set KEY=VALUE */

/* Loads a scenario from text[0..size). Everything wrong goes to diag, with line,
 * column and hint; `--set` errors have no position and name the setting. On success
 * *out is the caller's. Fails with VSG_ESCENARIO or VSG_ENOMEM. */
enum vsg_status vsg_study_load(const char *text, size_t size, const struct vsg_setting *setting,
                               size_t setting_count, struct vsg_study *out, struct vsg_diag *diag);

/* The same for a scenario that stands in a folder (NULL: the current one), to which the paths of
 * files that it names are relative. Those of --set are relative to the current one. */
enum vsg_status vsg_study_load_in(const char *folder, const char *text, size_t size,
                                  const struct vsg_setting *setting, size_t setting_count,
                                  struct vsg_study *out, struct vsg_diag *diag);
void vsg_study_free(struct vsg_study *s);

uint32_t vsg_study_run_count(const struct vsg_study *s);

/* Which point, policy (index into s->policy) and replication run `index` is. */
void vsg_study_run_coordinates(const struct vsg_study *s, uint32_t index, uint32_t *point,
                               uint32_t *policy, uint32_t *replication);

/* True when a run depends on which policies the study has, not only on its own: `auto` ends
 * the warm-up of an open load where it has ended for every policy. */
bool vsg_config_needs_all_policies(const struct vsg_config *c);

/* The config of one run: a deep copy with policy and replication set. */
enum vsg_status vsg_study_run_config(const struct vsg_study *s, uint32_t index,
                                     struct vsg_config *out);

#endif
