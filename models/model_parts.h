/* A model from the inside: what the files that build it and read it share. Private to models/.
 *
 *   model_guests.c  who sends to whom, through which ITS
 *   model_window.c  which part of a run counts
 *   model.c         the world, put together
 *   model_result.c  what the workers counted, merged */
#ifndef VSG_MODELS_MODEL_PARTS_H
#define VSG_MODELS_MODEL_PARTS_H

#include "models/interconnect/interconnect.h"
#include "models/kvm/ipi.h"
#include "models/model.h"
#include "models/placement.h"

struct vsg_model {
    const struct vsg_config *config;
    struct vsg_world world;
    struct vsg_world_links links;
    struct vsg_boot boot;
    struct vsg_placement placement;
    struct vsg_chooser chooser; /* of a policy that chooses per send */
    struct vsg_path path;
    struct vsg_vcpu *vcpu;
    uint32_t vcpu_count, sender_count;
    struct vsg_guest *guest;
    struct vsg_server_def *server; /* ITSs in list order, then handlers */
    uint32_t its_count;
    struct vsg_channel_def *channel;
    uint32_t *by_node;    /* vCPU ordinals, node after node */
    uint32_t *node_first; /* [node_count + 1] into by_node */
    struct vsg_model_options options;
    unsigned workers;
    bool open;              /* an open workload takes part */
    bool closed;            /* and a closed one: it may end the window before that */
    uint64_t window_end_ps; /* of the run, also in its pilot */
    uint64_t sample_cap;
    struct vsg_offered *offered;
    uint32_t offered_count;
};

/* Fills guest, vcpu, server and channel from config, boot and placement. Fails with VSG_ENOMEM or
 * VSG_ENOTSUP (a sender without an ITS). */
enum vsg_status vsg_model_make_guests(struct vsg_model *m, struct vsg_diag *diag);

/* Sets the world's window, the warm-up and where the run ends. Needs the guests. */
void vsg_model_set_window(struct vsg_model *m);

/* Is warm-up counted in sends? Then the window of ITSs and links covers it too. */
bool vsg_model_skips_sends(const struct vsg_model *m);

#endif
