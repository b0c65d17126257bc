#include "models/result.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const vsg_stage_name[VSG_STAGE_COUNT] = {[VSG_STAGE_SENDER_WAIT] = "sender_wait",
                                                     [VSG_STAGE_PREPARE] = "prepare",
                                                     [VSG_STAGE_TRAP] = "trap",
                                                     [VSG_STAGE_LOCK_WAIT] = "lock_wait",
                                                     [VSG_STAGE_DISPATCH] = "dispatch",
                                                     [VSG_STAGE_STORE] = "store",
                                                     [VSG_STAGE_MMIO] = "mmio",
                                                     [VSG_STAGE_LINK_WAIT] = "link_wait",
                                                     [VSG_STAGE_ITS_WAIT] = "its_wait",
                                                     [VSG_STAGE_ITS] = "its",
                                                     [VSG_STAGE_MESSAGE] = "message",
                                                     [VSG_STAGE_DELIVER] = "deliver",
                                                     [VSG_STAGE_HANDLE] = "handle",
                                                     [VSG_STAGE_OBSERVE] = "observe",
                                                     [VSG_STAGE_SELF_WAIT] = "self_wait"};

/* ---- tallies ------------------------------------------------------------------------ */

void vsg_tally_init(struct vsg_tally *t)
{
    *t = (struct vsg_tally){.min_ps = UINT64_MAX};
}

enum vsg_status vsg_tally_add(struct vsg_tally *t, unsigned hist_bits, uint64_t latency_ps)
{
    if (!t->hist) {
        enum vsg_status status = vsg_hist_new(hist_bits, &t->hist);
        if (status)
            return status;
    }
    vsg_hist_record(t->hist, latency_ps);
    if (t->count == 0 || latency_ps < t->min_ps)
        t->min_ps = latency_ps;
    if (latency_ps > t->max_ps)
        t->max_ps = latency_ps;
    t->count++;
    t->sum_ps += latency_ps;
    t->square_ps2 += (vsg_u128)latency_ps * latency_ps;
    return VSG_OK;
}

enum vsg_status vsg_tally_merge(struct vsg_tally *dst, const struct vsg_tally *src)
{
    if (src->count == 0)
        return VSG_OK;
    if (src->hist && !dst->hist) {
        enum vsg_status status = vsg_hist_new(vsg_hist_sub_bits(src->hist), &dst->hist);
        if (status)
            return status;
    }
    if (src->hist) {
        enum vsg_status status = vsg_hist_merge(dst->hist, src->hist);
        if (status)
            return status;
    }
    if (dst->count == 0 || src->min_ps < dst->min_ps)
        dst->min_ps = src->min_ps;
    if (src->max_ps > dst->max_ps)
        dst->max_ps = src->max_ps;
    dst->count += src->count;
    dst->sum_ps += src->sum_ps;
    dst->square_ps2 += src->square_ps2;
    return VSG_OK;
}

void vsg_tally_free(struct vsg_tally *t)
{
    vsg_hist_free(t->hist);
    vsg_tally_init(t);
}

/* ---- bytes ------------------------------------------------------------------------------
 * A header, then the fields in the order in which code_result() walks over them. The same
 * walk writes and reads, so the two cannot disagree. Numbers are in the machine's own
 * order: the bytes never leave it. */

enum { MAGIC = 0x52475356 /* "VSGR" */, VERSION = 2 };

struct header {
    uint32_t magic, version;
    uint64_t payload_bytes, checksum;
};

struct codec {
    bool writing;
    enum vsg_status status; /* the first failure; after it reads give zeros */
    unsigned char *out;     /* writing: [room], the first `at` bytes filled */
    const unsigned char *in;
    size_t at, room; /* reading: room is the size of `in` */
};

/* Each step is a bijection of h, so damage to any one word always shows. */
static uint64_t checksum(const unsigned char *bytes, size_t size)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ size;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < 8 ? size - at : 8);
        h = (h ^ word) * UINT64_C(0xd6e8feb86659fd93);
        h ^= h >> 32;
    }
    return h;
}

static void fail(struct codec *c, enum vsg_status status)
{
    if (!c->status)
        c->status = status;
}

/* Writes or reads `size` bytes at p. */
static void code(struct codec *c, void *p, size_t size)
{
    if (!c->writing) {
        if (size > c->room - c->at)
            fail(c, VSG_EINVAL);
        if (c->status) {
            memset(p, 0, size);
            return;
        }
        memcpy(p, c->in + c->at, size);
        c->at += size;
        return;
    }
    if (!c->status && size > c->room - c->at) {
        size_t room = 2 * c->room + size + 4096;
        unsigned char *out = realloc(c->out, room);
        if (out) {
            c->out = out;
            c->room = room;
        } else {
            fail(c, VSG_ENOMEM);
        }
    }
    if (c->status)
        return;
    memcpy(c->out + c->at, p, size);
    c->at += size;
}

#define CODE(c, field) code((c), &(field), sizeof(field))

/* Not by CODE: a byte other than 0 and 1 is no bool. */
static bool code_bool(struct codec *c, bool value)
{
    unsigned char byte = value;
    CODE(c, byte);
    if (byte > 1)
        fail(c, VSG_EINVAL);
    return byte == 1;
}

/* Reading: room for `count` elements that take at least `least` bytes each; so no count in
 * damaged bytes asks for more memory than their size warrants. Writing: the list itself. */
static void *make_list(struct codec *c, void *list, uint64_t count, size_t size, size_t least)
{
    if (c->writing) {
        if (count && !list)
            fail(c, VSG_EINVAL);
        return list;
    }
    if (c->status || count == 0)
        return NULL;
    if (count > (c->room - c->at) / least) {
        fail(c, VSG_EINVAL);
        return NULL;
    }
    void *made = calloc((size_t)count, size);
    if (!made)
        fail(c, VSG_ENOMEM);
    return made;
}

static char *read_text(struct codec *c)
{
    uint64_t length = 0;
    CODE(c, length);
    if (length > c->room - c->at)
        fail(c, VSG_EINVAL);
    if (c->status)
        return NULL;
    char *text = malloc((size_t)length + 1);
    if (!text) {
        fail(c, VSG_ENOMEM);
        return NULL;
    }
    text[length] = '\0';
    code(c, text, (size_t)length);
    if (strlen(text) != length)
        fail(c, VSG_EINVAL);
    return text;
}

/* A text or NULL. */
static char *code_text(struct codec *c, char *text)
{
    if (!code_bool(c, text))
        return NULL;
    if (!c->writing)
        return read_text(c);
    if (text) {
        uint64_t length = strlen(text);
        CODE(c, length);
        code(c, text, (size_t)length);
    }
    return text;
}

/* Histograms travel sparsely: of the thousands of buckets few have samples. */
static void write_hist(struct codec *c, const struct vsg_hist *h)
{
    uint32_t bits = vsg_hist_sub_bits(h);
    uint64_t clipped = vsg_hist_clipped(h), used = 0;
    size_t buckets = vsg_hist_end(h);
    for (size_t i = 0; i < buckets; i++)
        used += vsg_hist_bucket(h, i) != 0;
    CODE(c, bits);
    CODE(c, clipped);
    CODE(c, used);
    for (size_t i = 0; i < buckets; i++) {
        uint64_t n = vsg_hist_bucket(h, i);
        uint32_t bucket = (uint32_t)i;
        if (n == 0)
            continue;
        CODE(c, bucket);
        CODE(c, n);
    }
}

static struct vsg_hist *read_hist(struct codec *c)
{
    uint32_t bits = 0;
    uint64_t clipped = 0, used = 0;
    struct vsg_hist *h = NULL;
    CODE(c, bits);
    CODE(c, clipped);
    CODE(c, used);
    if (c->status)
        return NULL;
    enum vsg_status status = vsg_hist_new(bits, &h);
    if (status) {
        fail(c, status == VSG_ENOMEM ? status : VSG_EINVAL);
        return NULL;
    }
    vsg_hist_add_clipped(h, clipped);
    for (uint64_t i = 0; i < used && !c->status; i++) {
        uint32_t bucket = 0;
        uint64_t n = 0;
        CODE(c, bucket);
        CODE(c, n);
        if (!c->status && vsg_hist_add_bucket(h, bucket, n))
            fail(c, VSG_EINVAL);
    }
    if (!c->status && vsg_hist_trim(&h))
        fail(c, VSG_ENOMEM);
    return h;
}

static void code_tally(struct codec *c, struct vsg_tally *t)
{
    CODE(c, t->count);
    CODE(c, t->min_ps);
    CODE(c, t->max_ps);
    CODE(c, t->sum_ps);
    CODE(c, t->square_ps2);
    if (!code_bool(c, t->hist))
        return;
    if (c->writing)
        write_hist(c, t->hist);
    else
        t->hist = read_hist(c);
}
enum { TALLY_LEAST = 3 * 8 + 2 * 16 + 1 };

static struct vsg_tally *code_tallies(struct codec *c, struct vsg_tally *list, uint64_t count)
{
    if (!code_bool(c, list))
        return NULL;
    list = make_list(c, list, count, sizeof *list, TALLY_LEAST);
    for (uint64_t i = 0; list && i < count; i++)
        code_tally(c, &list[i]);
    return list;
}

static void code_stats(struct codec *c, struct vsg_server_stats *s)
{
    CODE(c, s->served);
    CODE(c, s->busy_ps);
    CODE(c, s->wait_sum_ps);
    CODE(c, s->wait_max_ps);
    CODE(c, s->queue_max);
}
enum { STATS_LEAST = 5 * 8 };

static void code_vms(struct codec *c, struct vsg_run_result *r)
{
    CODE(c, r->vm_count);
    if (code_bool(c, r->vm_name)) {
        r->vm_name = make_list(c, r->vm_name, r->vm_count, sizeof *r->vm_name, 1);
        for (uint32_t i = 0; r->vm_name && i < r->vm_count; i++)
            r->vm_name[i] = code_text(c, r->vm_name[i]);
    }
    r->vm = code_tallies(c, r->vm, r->vm_count);
}

static void code_servers(struct codec *c, struct vsg_run_result *r)
{
    CODE(c, r->its_count);
    r->its = make_list(c, r->its, r->its_count, sizeof *r->its, 8 + STATS_LEAST);
    for (uint32_t i = 0; r->its && i < r->its_count; i++) {
        CODE(c, r->its[i].id);
        CODE(c, r->its[i].node);
        code_stats(c, &r->its[i].stats);
    }
    CODE(c, r->link_count);
    r->link = make_list(c, r->link, r->link_count, sizeof *r->link, 9 + STATS_LEAST);
    for (uint32_t i = 0; r->link && i < r->link_count; i++) {
        r->link[i].name = code_text(c, r->link[i].name);
        CODE(c, r->link[i].from);
        CODE(c, r->link[i].to);
        code_stats(c, &r->link[i].stats);
    }
    CODE(c, r->offered_count);
    r->offered = make_list(c, r->offered, r->offered_count, sizeof *r->offered, 9);
    for (uint32_t i = 0; r->offered && i < r->offered_count; i++) {
        r->offered[i].server = code_text(c, r->offered[i].server);
        CODE(c, r->offered[i].load_ppm);
    }
}

static void code_batches(struct codec *c, struct vsg_run_result *r)
{
    CODE(c, r->batch_ps);
    CODE(c, r->batch_count);
    r->batch = make_list(c, r->batch, r->batch_count, sizeof *r->batch,
                         sizeof(uint64_t) * (3 + VSG_BATCH_QUANTILES));
    for (uint32_t i = 0; r->batch && i < r->batch_count; i++) {
        CODE(c, r->batch[i].count);
        CODE(c, r->batch[i].sum_ps);
        CODE(c, r->batch[i].quantile_ps);
    }
}

static void code_samples(struct codec *c, struct vsg_run_result *r)
{
    const size_t least = 3 * sizeof(uint32_t) + (3 + VSG_STAGE_COUNT) * sizeof(uint64_t);
    uint64_t count = r->sample_count;
    CODE(c, count);
    r->sample = make_list(c, r->sample, count, sizeof *r->sample, least);
    r->sample_count = r->sample ? (size_t)count : 0;
    for (size_t i = 0; i < r->sample_count; i++) {
        struct vsg_sample *s = &r->sample[i];
        CODE(c, s->sender);
        CODE(c, s->target);
        CODE(c, s->n);
        CODE(c, s->its);
        CODE(c, s->intent_ps);
        CODE(c, s->latency_ps);
        CODE(c, s->stage_ps);
    }
}

static void code_result(struct codec *c, struct vsg_run_result *r)
{
    code_tally(c, &r->latency);
    CODE(c, r->stage_sum_ps);
    CODE(c, r->return_sum_ps);
    CODE(c, r->node_count);
    r->pair = code_tallies(c, r->pair, (uint64_t)r->node_count * r->node_count);
    code_vms(c, r);
    code_servers(c, r);
    CODE(c, r->window_start_ps);
    CODE(c, r->window_end_ps);
    CODE(c, r->fingerprint);
    CODE(c, r->events);
    CODE(c, r->ties);
    CODE(c, r->sent);
    CODE(c, r->completed);
    CODE(c, r->sender_busy_ps);
    CODE(c, r->sender_count);
    r->open = code_bool(c, r->open);
    CODE(c, r->backlog_half);
    CODE(c, r->backlog_end);
    r->not_steady = code_bool(c, r->not_steady);
    code_batches(c, r);
    code_samples(c, r);
    CODE(c, r->executed);
    CODE(c, r->windows);
    CODE(c, r->lookahead_ps);
    CODE(c, r->lps);
    CODE(c, r->workers);
}

enum vsg_status vsg_run_result_pack(const struct vsg_run_result *r, unsigned char **bytes,
                                    size_t *size)
{
    assert(r && bytes && size);
    struct header header = {.magic = MAGIC, .version = VERSION};
    struct codec c = {.writing = true};
    struct vsg_run_result view = *r; /* the walk takes pointers to fields; it changes none */

    CODE(&c, header);
    code_result(&c, &view);
    if (c.status) {
        free(c.out);
        return c.status;
    }
    header.payload_bytes = c.at - sizeof header;
    header.checksum = checksum(c.out + sizeof header, c.at - sizeof header);
    memcpy(c.out, &header, sizeof header);
    *bytes = c.out;
    *size = c.at;
    return VSG_OK;
}

enum vsg_status vsg_run_result_unpack(const unsigned char *bytes, size_t size,
                                      struct vsg_run_result *out)
{
    assert(bytes && out);
    struct header header;
    struct codec c = {.in = bytes, .room = size};
    struct vsg_run_result r = {0};

    CODE(&c, header);
    if (c.status || header.magic != MAGIC || header.version != VERSION ||
        header.payload_bytes != size - sizeof header ||
        header.checksum != checksum(bytes + sizeof header, size - sizeof header))
        return VSG_EINVAL;
    code_result(&c, &r);
    assert(!c.out); /* nothing was written */
    if (c.at != size)
        fail(&c, VSG_EINVAL);
    if (c.status) {
        vsg_run_result_free(&r);
        return c.status;
    }
    *out = r;
    return VSG_OK;
}

void vsg_run_result_free(struct vsg_run_result *r)
{
    assert(r);
    vsg_hist_free(r->latency.hist);
    for (uint64_t i = 0; r->pair && i < (uint64_t)r->node_count * r->node_count; i++)
        vsg_hist_free(r->pair[i].hist);
    for (uint32_t i = 0; r->vm_name && i < r->vm_count; i++)
        free(r->vm_name[i]);
    for (uint32_t i = 0; r->vm && i < r->vm_count; i++)
        vsg_hist_free(r->vm[i].hist);
    for (uint32_t i = 0; r->link && i < r->link_count; i++)
        free(r->link[i].name);
    for (uint32_t i = 0; r->offered && i < r->offered_count; i++)
        free(r->offered[i].server);
    free(r->pair);
    free(r->vm_name);
    free(r->vm);
    free(r->its);
    free(r->link);
    free(r->offered);
    free(r->batch);
    free(r->sample);
    memset(r, 0, sizeof *r);
}
