#include "study/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/message.h"
#include "study/text.h"

/* This head, then a message (message.h). */
struct head {
    uint64_t magic;
    struct vsg_identity identity;
    uint64_t message_size;
    uint64_t check; /* of the identity and the message */
};
#define MAGIC UINT64_C(0x7673676b65707431)

bool vsg_identity_equal(struct vsg_identity a, struct vsg_identity b)
{
    return a.part[0] == b.part[0] && a.part[1] == b.part[1];
}

int vsg_identity_order(struct vsg_identity a, struct vsg_identity b)
{
    int i = a.part[0] == b.part[0];
    return (a.part[i] > b.part[i]) - (a.part[i] < b.part[i]);
}

struct vsg_identity vsg_run_identity(const struct vsg_study *s, const struct vsg_run *run,
                                     const char *version)
{
    const struct vsg_point *point = &s->point[run->point];
    struct vsg_identity id = point->identity;
    char rest[200];
    int n = snprintf(rest, sizeof rest, "\n%s %s %u %s", version, vsg_engine_name[run->engine],
                     run->replication, vsg_policy_name[s->policy[run->policy]]);
    vsg_identity_add(&id, rest, (size_t)n);
    for (uint32_t i = 0; i < s->policy_count && vsg_config_needs_all_policies(&point->config); i++)
        vsg_identity_add(&id, vsg_policy_name[s->policy[i]],
                         strlen(vsg_policy_name[s->policy[i]]) + 1);
    return id;
}

static uint64_t check_of(struct vsg_identity identity, const unsigned char *bytes, size_t size)
{
    struct vsg_identity sum = identity;
    vsg_identity_add(&sum, bytes, size);
    return sum.part[0] ^ sum.part[1];
}

enum vsg_status vsg_kept_pack(const struct vsg_run *run, struct vsg_identity identity,
                              unsigned char **bytes, size_t *size)
{
    struct vsg_run_result result = run->result;
    unsigned char *message = NULL;
    size_t message_size = 0;
    result.sample = NULL;
    result.sample_count = 0;
    enum vsg_status status = vsg_message_pack(VSG_OK, &run->diag, &result, &message, &message_size);
    if (status != VSG_OK)
        return status;
    struct head head = {MAGIC, identity, message_size, check_of(identity, message, message_size)};
    unsigned char *all = malloc(sizeof head + message_size);
    if (all) {
        memcpy(all, &head, sizeof head);
        memcpy(all + sizeof head, message, message_size);
        *bytes = all;
        *size = sizeof head + message_size;
    }
    free(message);
    return all ? VSG_OK : VSG_ENOMEM;
}

enum vsg_status vsg_kept_identity(const unsigned char *bytes, size_t size,
                                  struct vsg_identity *identity)
{
    struct head head;
    if (size < sizeof head)
        return VSG_EINVAL;
    memcpy(&head, bytes, sizeof head);
    if (head.magic != MAGIC || head.message_size != size - sizeof head ||
        head.check != check_of(head.identity, bytes + sizeof head, size - sizeof head))
        return VSG_EINVAL;
    *identity = head.identity;
    return VSG_OK;
}

enum vsg_status vsg_kept_unpack(const unsigned char *bytes, size_t size, struct vsg_run *run)
{
    struct vsg_run_result result = {0};
    struct vsg_diag diag = VSG_DIAG_INIT;
    enum vsg_status ended = VSG_EINVAL;
    enum vsg_status status = vsg_message_unpack(bytes + sizeof(struct head),
                                                size - sizeof(struct head), &ended, &diag, &result);
    if (status == VSG_OK)
        status = ended;
    if (status != VSG_OK || diag.lost > 0) {
        if (status == VSG_OK)
            vsg_run_result_free(&result);
        vsg_diag_clear(&diag);
        return status == VSG_OK || status == VSG_ENOMEM ? VSG_ENOMEM : VSG_EINVAL;
    }
    run->state = VSG_RUN_DONE;
    run->result = result;
    run->diag = diag;
    return VSG_OK;
}
