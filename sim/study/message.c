#include "study/message.h"

#include <stdlib.h>
#include <string.h>

#include "study/text.h"

/* This head, the words (a severity digit and a zero-terminated text each), the packed
 * result. */
struct head {
    uint64_t magic; /* tells a whole head from one that a dying worker tore */
    uint64_t status, words_size, result_size;
};
#define MAGIC UINT64_C(0x7673676973696d31)

enum vsg_status vsg_message_pack(enum vsg_status ended, const struct vsg_diag *diag,
                                 const struct vsg_run_result *result, unsigned char **bytes,
                                 size_t *size)
{
    struct vsg_text words = {0}, all = {0};
    unsigned char *packed = NULL;
    char *text = NULL;
    size_t packed_size = 0;
    enum vsg_status status = VSG_OK;
    if (ended == VSG_OK)
        status = vsg_run_result_pack(result, &packed, &packed_size);
    for (size_t i = 0; i < diag->count; i++) {
        vsg_text_add(&words, "%d%s", (int)diag->item[i].severity, diag->item[i].text);
        vsg_text_put(&words, "", 1);
    }
    struct head head = {MAGIC, (uint64_t)ended, words.length, packed_size};
    vsg_text_put(&all, (const char *)&head, sizeof head);
    if (words.length > 0)
        vsg_text_put(&all, words.bytes, words.length);
    if (packed_size > 0)
        vsg_text_put(&all, (const char *)packed, packed_size);
    *size = all.length;
    if (status == VSG_OK)
        status = words.failed ? VSG_ENOMEM : vsg_text_take(&all, &text);
    if (status == VSG_OK)
        *bytes = (unsigned char *)text;
    vsg_text_free(&all);
    vsg_text_free(&words);
    free(packed);
    return status;
}

static void take_words(const char *words, size_t size, struct vsg_diag *diag)
{
    while (size > 1) {
        size_t length = strnlen(words, size);
        if (length == size)
            break;
        int severity = words[0] - '0';
        vsg_diag_add(diag,
                     severity == (int)VSG_ERROR     ? VSG_ERROR
                     : severity == (int)VSG_WARNING ? VSG_WARNING
                                                    : VSG_NOTE,
                     NULL, "%s", words + 1);
        words += length + 1;
        size -= length + 1;
    }
}

enum vsg_status vsg_message_unpack(const unsigned char *bytes, size_t size, enum vsg_status *ended,
                                   struct vsg_diag *diag, struct vsg_run_result *result)
{
    struct head head;
    if (size < sizeof head)
        return VSG_EINVAL;
    memcpy(&head, bytes, sizeof head);
    size -= sizeof head;
    bytes += sizeof head;
    if (head.magic != MAGIC || head.status >= VSG_STATUS_COUNT || head.words_size > size ||
        head.result_size != size - head.words_size)
        return VSG_EINVAL;
    take_words((const char *)bytes, (size_t)head.words_size, diag);
    *ended = (enum vsg_status)head.status;
    if (*ended == VSG_OK)
        *ended = vsg_run_result_unpack(bytes + head.words_size, (size_t)head.result_size, result);
    return VSG_OK;
}
