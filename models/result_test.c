/* Goal: tallies are exact, a result comes through the pipe as it was, and damaged bytes are
 * refused without a bad access. Method: sums by arithmetic; results filled with a different
 * number in every field; every truncation and every flipped byte, with the checksum left
 * wrong and with it put right, so that the checks behind it are reached too. */
#include "models/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- tallies ----------------------------------------------------------------------------- */

static void sums_are_exact_beyond_64_bits(void **state)
{
    (void)state;
    struct vsg_tally t;
    const uint64_t big = (UINT64_C(1) << 49) + 1; /* its square has 99 bits */
    vsg_tally_init(&t);
    assert_true(t.min_ps == UINT64_MAX && t.count == 0 && !t.hist);
    for (int i = 0; i < 3; i++)
        assert_int_equal(vsg_tally_add(&t, VSG_HIST_COARSE_BITS, big), VSG_OK);
    assert_int_equal(vsg_tally_add(&t, VSG_HIST_COARSE_BITS, 7), VSG_OK);
    /* (2^49 + 1)^2 = 2^98 + 2^50 + 1 */
    vsg_u128 square = ((vsg_u128)1 << 98) + (UINT64_C(1) << 50) + 1;
    assert_true(t.sum_ps == (vsg_u128)3 * big + 7);
    assert_true(t.square_ps2 == 3 * square + 49);
    assert_int_equal(t.count, 4);
    assert_int_equal(t.min_ps, 7);
    assert_int_equal(t.max_ps, big);
    assert_int_equal(vsg_hist_count(t.hist), 4);
    vsg_tally_free(&t);
    assert_null(t.hist);
}

static void merging_equals_adding(void **state)
{
    (void)state;
    struct vsg_tally all, part[3], merged;
    vsg_tally_init(&all);
    vsg_tally_init(&merged);
    for (int i = 0; i < 3; i++)
        vsg_tally_init(&part[i]); /* part[2] stays empty */
    for (uint64_t i = 1; i <= 1000; i++) {
        assert_int_equal(vsg_tally_add(&all, 5, i * i * 31), VSG_OK);
        assert_int_equal(vsg_tally_add(&part[i % 2], 5, i * i * 31), VSG_OK);
    }
    for (int i = 2; i >= 0; i--)
        assert_int_equal(vsg_tally_merge(&merged, &part[i]), VSG_OK);
    assert_int_equal(merged.count, 1000);
    assert_int_equal(merged.min_ps, 31);
    assert_int_equal(merged.max_ps, 31000000);
    /* sum of squares 1..n = n(n+1)(2n+1)/6; of fourth powers n(n+1)(2n+1)(3n^2+3n-1)/30 */
    assert_true(merged.sum_ps == (vsg_u128)31 * 333833500);
    assert_true(merged.square_ps2 == (vsg_u128)31 * 31 * UINT64_C(200500333333300));
    for (size_t i = 0; i < vsg_hist_bucket_count(all.hist); i++)
        assert_int_equal(vsg_hist_bucket(all.hist, i), vsg_hist_bucket(merged.hist, i));

    struct vsg_tally finer;
    vsg_tally_init(&finer);
    assert_int_equal(vsg_tally_add(&finer, 6, 1), VSG_OK);
    assert_int_equal(vsg_tally_merge(&merged, &finer), VSG_EINVAL);
    assert_int_equal(merged.count, 1000);
    vsg_tally_free(&finer);
    vsg_tally_free(&all);
    vsg_tally_free(&merged);
    for (int i = 0; i < 3; i++)
        vsg_tally_free(&part[i]);
}

/* ---- a result with a different number in every field --------------------------------------- */

static uint64_t counter;

static uint64_t next(void)
{
    return ++counter * UINT64_C(0x0101010101010101); /* all eight bytes matter */
}

static void *list(size_t count, size_t size)
{
    void *p = calloc(count, size);
    assert_non_null(p);
    return p;
}

static struct vsg_server_stats some_stats(void)
{
    return (struct vsg_server_stats){next(), next(), next(), next(), next()};
}

static struct vsg_tally some_tally(unsigned bits, unsigned samples)
{
    struct vsg_tally t;
    vsg_tally_init(&t);
    for (unsigned i = 0; i < samples; i++)
        assert_int_equal(vsg_tally_add(&t, bits, (next() & 0xffffff) << i), VSG_OK);
    if (samples > 1) /* beyond the histogram's limit: counts as clipped */
        assert_int_equal(vsg_tally_add(&t, bits, VSG_HIST_LIMIT_PS * 4), VSG_OK);
    return t;
}

static struct vsg_run_result some_result(unsigned bits)
{
    struct vsg_run_result r = {0};
    counter = 0;
    r.latency = some_tally(bits, 20);
    for (int i = 0; i < VSG_STAGE_COUNT; i++)
        r.stage_sum_ps[i] = (vsg_u128)next() << 64 | next();
    r.return_sum_ps = (vsg_u128)next() << 64 | next();
    r.node_count = 2;
    r.pair = list(4, sizeof *r.pair);
    for (unsigned i = 0; i < 4; i++)
        r.pair[i] = some_tally(bits / 2, i);
    r.vm_count = 2;
    r.vm_name = list(2, sizeof *r.vm_name);
    r.vm_name[0] = strdup("guest");
    r.vm_name[1] = strdup("");
    r.vm = list(2, sizeof *r.vm);
    r.vm[0] = some_tally(bits / 2, 3);
    r.vm[1] = some_tally(bits / 2, 0);
    r.its_count = 2;
    r.its = list(2, sizeof *r.its);
    for (uint32_t i = 0; i < 2; i++)
        r.its[i] = (struct vsg_its_result){.id = 9 - i, .node = i, .stats = some_stats()};
    r.link_count = 2;
    r.link = list(2, sizeof *r.link);
    r.link[0] = (struct vsg_link_result){strdup("node-0>node-1"), 0, 1, some_stats()};
    r.link[1] = (struct vsg_link_result){NULL, 1, 0, some_stats()};
    r.window_start_ps = next();
    r.window_end_ps = next();
    r.fingerprint = next();
    r.events = next();
    r.ties = next();
    r.sent = next();
    r.completed = next();
    r.sender_busy_ps = next();
    r.sender_count = next();
    r.offered_count = 1;
    r.offered = list(1, sizeof *r.offered);
    r.offered[0] = (struct vsg_offered){strdup("its 9"), next()};
    r.open = true;
    r.backlog_half = next();
    r.backlog_end = next();
    r.not_steady = true;
    r.batch_ps = next();
    r.batch_count = 2;
    r.batch = list(2, sizeof *r.batch);
    for (int i = 0; i < 2; i++) {
        r.batch[i].count = next();
        r.batch[i].sum_ps = (vsg_u128)next() << 64 | next();
        for (int q = 0; q < VSG_BATCH_QUANTILES; q++)
            r.batch[i].quantile_ps[q] = next();
    }
    r.sample_count = 3;
    r.sample = list(3, sizeof *r.sample);
    for (int i = 0; i < 3; i++) {
        r.sample[i] = (struct vsg_sample){.sender = (uint32_t)next(),
                                          .target = (uint32_t)next(),
                                          .n = next(),
                                          .its = (uint32_t)next(),
                                          .intent_ps = next(),
                                          .latency_ps = next()};
        for (int k = 0; k < VSG_STAGE_COUNT; k++)
            r.sample[i].stage_ps[k] = next();
    }
    r.executed = next();
    r.windows = next();
    r.lookahead_ps = next();
    r.lps = (uint32_t)next();
    r.workers = (uint32_t)next();
    return r;
}

/* ---- equality, field by field ---------------------------------------------------------------- */

static void same_tally(const struct vsg_tally *a, const struct vsg_tally *b)
{
    assert_int_equal(a->count, b->count);
    assert_true(a->min_ps == b->min_ps && a->max_ps == b->max_ps);
    assert_true(a->sum_ps == b->sum_ps && a->square_ps2 == b->square_ps2);
    assert_int_equal(a->hist != NULL, b->hist != NULL);
    if (!a->hist)
        return;
    assert_int_equal(vsg_hist_sub_bits(a->hist), vsg_hist_sub_bits(b->hist));
    assert_int_equal(vsg_hist_count(a->hist), vsg_hist_count(b->hist));
    assert_int_equal(vsg_hist_clipped(a->hist), vsg_hist_clipped(b->hist));
    for (size_t i = 0; i < vsg_hist_bucket_count(a->hist); i++)
        assert_int_equal(vsg_hist_bucket(a->hist, i), vsg_hist_bucket(b->hist, i));
}

static void same_text(const char *a, const char *b)
{
    if (!a)
        assert_null(b);
    else
        assert_string_equal(a, b);
}

static void same_stats(const struct vsg_server_stats *a, const struct vsg_server_stats *b)
{
    assert_memory_equal(a, b, sizeof *a); /* five words, no padding */
}

static void same_result(const struct vsg_run_result *a, const struct vsg_run_result *b)
{
    same_tally(&a->latency, &b->latency);
    assert_memory_equal(a->stage_sum_ps, b->stage_sum_ps, sizeof a->stage_sum_ps);
    assert_true(a->return_sum_ps == b->return_sum_ps);
    assert_int_equal(a->node_count, b->node_count);
    for (uint32_t i = 0; i < a->node_count * a->node_count; i++)
        same_tally(&a->pair[i], &b->pair[i]);
    assert_int_equal(a->vm_count, b->vm_count);
    for (uint32_t i = 0; i < a->vm_count; i++) {
        same_text(a->vm_name[i], b->vm_name[i]);
        same_tally(&a->vm[i], &b->vm[i]);
    }
    assert_int_equal(a->its_count, b->its_count);
    for (uint32_t i = 0; i < a->its_count; i++) {
        assert_int_equal(a->its[i].id, b->its[i].id);
        assert_int_equal(a->its[i].node, b->its[i].node);
        same_stats(&a->its[i].stats, &b->its[i].stats);
    }
    assert_int_equal(a->link_count, b->link_count);
    for (uint32_t i = 0; i < a->link_count; i++) {
        same_text(a->link[i].name, b->link[i].name);
        assert_int_equal(a->link[i].from, b->link[i].from);
        assert_int_equal(a->link[i].to, b->link[i].to);
        same_stats(&a->link[i].stats, &b->link[i].stats);
    }
    assert_int_equal(a->window_start_ps, b->window_start_ps);
    assert_int_equal(a->window_end_ps, b->window_end_ps);
    assert_int_equal(a->fingerprint, b->fingerprint);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->ties, b->ties);
    assert_int_equal(a->sent, b->sent);
    assert_int_equal(a->completed, b->completed);
    assert_int_equal(a->sender_busy_ps, b->sender_busy_ps);
    assert_int_equal(a->sender_count, b->sender_count);
    assert_int_equal(a->offered_count, b->offered_count);
    for (uint32_t i = 0; i < a->offered_count; i++) {
        same_text(a->offered[i].server, b->offered[i].server);
        assert_int_equal(a->offered[i].load_ppm, b->offered[i].load_ppm);
    }
    assert_int_equal(a->open, b->open);
    assert_int_equal(a->backlog_half, b->backlog_half);
    assert_int_equal(a->backlog_end, b->backlog_end);
    assert_int_equal(a->not_steady, b->not_steady);
    assert_int_equal(a->batch_ps, b->batch_ps);
    assert_int_equal(a->batch_count, b->batch_count);
    for (uint32_t i = 0; i < a->batch_count; i++) {
        assert_int_equal(a->batch[i].count, b->batch[i].count);
        assert_true(a->batch[i].sum_ps == b->batch[i].sum_ps);
        assert_memory_equal(a->batch[i].quantile_ps, b->batch[i].quantile_ps,
                            sizeof a->batch[i].quantile_ps);
    }
    assert_int_equal(a->sample_count, b->sample_count);
    for (size_t i = 0; i < a->sample_count; i++) {
        const struct vsg_sample *x = &a->sample[i], *y = &b->sample[i];
        assert_int_equal(x->sender, y->sender);
        assert_int_equal(x->target, y->target);
        assert_int_equal(x->n, y->n);
        assert_int_equal(x->its, y->its);
        assert_int_equal(x->intent_ps, y->intent_ps);
        assert_int_equal(x->latency_ps, y->latency_ps);
        assert_memory_equal(x->stage_ps, y->stage_ps, sizeof x->stage_ps);
    }
    assert_int_equal(a->executed, b->executed);
    assert_int_equal(a->windows, b->windows);
    assert_int_equal(a->lookahead_ps, b->lookahead_ps);
    assert_int_equal(a->lps, b->lps);
    assert_int_equal(a->workers, b->workers);
}

/* ---- the way through the pipe ------------------------------------------------------------------
 */

static void a_result_comes_back_as_it_was(void **state)
{
    (void)state;
    struct vsg_run_result r = some_result(VSG_HIST_RUN_BITS), back;
    unsigned char *bytes = NULL, *again = NULL;
    size_t size = 0, size_again = 0;
    assert_int_equal(vsg_run_result_pack(&r, &bytes, &size), VSG_OK);
    assert_int_equal(vsg_run_result_unpack(bytes, size, &back), VSG_OK);
    same_result(&r, &back);
    assert_int_equal(vsg_run_result_pack(&back, &again, &size_again), VSG_OK);
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, again, size);
    assert_true(size < 8192); /* sparse: one dense histogram of a run is 300 KiB */
    free(bytes);
    free(again);
    vsg_run_result_free(&r);
    vsg_run_result_free(&back);
}

static void an_empty_result_comes_back(void **state)
{
    (void)state;
    struct vsg_run_result r = {0}, back;
    unsigned char *bytes = NULL;
    size_t size = 0;
    vsg_tally_init(&r.latency);
    assert_int_equal(vsg_run_result_pack(&r, &bytes, &size), VSG_OK);
    assert_int_equal(vsg_run_result_unpack(bytes, size, &back), VSG_OK);
    same_result(&r, &back);
    assert_true(back.latency.min_ps == UINT64_MAX);
    assert_true(!back.pair && !back.vm && !back.its && !back.link && !back.sample);
    free(bytes);
    vsg_run_result_free(&back);

    r.its_count = 1; /* a count without its list is our own mistake */
    assert_int_equal(vsg_run_result_pack(&r, &bytes, &size), VSG_EINVAL);
}

/* The header's checksum, written a second time (result.c): at offset 16, over what follows. */
static void put_checksum_right(unsigned char *bytes, size_t size)
{
    uint64_t payload = size - 24, h = UINT64_C(0x9e3779b97f4a7c15) ^ payload;
    for (size_t at = 0; at < payload; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + 24 + at, payload - at < 8 ? payload - at : 8);
        h = (h ^ word) * UINT64_C(0xd6e8feb86659fd93);
        h ^= h >> 32;
    }
    memcpy(bytes + 8, &payload, 8);
    memcpy(bytes + 16, &h, 8);
}

/* In memory of exactly this size, so that a sanitizer sees a read beyond it. */
static enum vsg_status unpack_exact(const unsigned char *bytes, size_t size)
{
    unsigned char *exact = malloc(size ? size : 1);
    struct vsg_run_result out;
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    enum vsg_status status = vsg_run_result_unpack(exact, size, &out);
    if (!status)
        vsg_run_result_free(&out);
    free(exact);
    return status;
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    struct vsg_run_result r = some_result(2);
    unsigned char *bytes = NULL;
    size_t size = 0;
    assert_int_equal(vsg_run_result_pack(&r, &bytes, &size), VSG_OK);
    unsigned char *cut = malloc(size + 1);
    assert_non_null(cut);
    for (size_t n = 0; n < size; n++) {
        assert_int_equal(unpack_exact(bytes, n), VSG_EINVAL);
        memcpy(cut, bytes, n);
        if (n >= 24)
            put_checksum_right(cut, n);
        assert_int_equal(unpack_exact(cut, n), VSG_EINVAL);
    }
    memcpy(cut, bytes, size); /* a byte too many */
    cut[size] = 0;
    assert_int_equal(unpack_exact(cut, size + 1), VSG_EINVAL);
    put_checksum_right(cut, size + 1);
    assert_int_equal(unpack_exact(cut, size + 1), VSG_EINVAL);
    put_checksum_right(cut, size); /* this test's checksum is the right one */
    assert_int_equal(unpack_exact(cut, size), VSG_OK);
    free(cut);
    free(bytes);
    vsg_run_result_free(&r);
}

static void every_flipped_byte_is_refused(void **state)
{
    (void)state;
    struct vsg_run_result r = some_result(2);
    unsigned char *bytes = NULL;
    size_t size = 0, refused = 0;
    const unsigned char flip[] = {0x01, 0x80, 0xff};
    assert_int_equal(vsg_run_result_pack(&r, &bytes, &size), VSG_OK);
    for (size_t at = 0; at < size; at++)
        for (size_t k = 0; k < sizeof flip; k++) {
            bytes[at] ^= flip[k];
            assert_int_equal(unpack_exact(bytes, size), VSG_EINVAL);
            bytes[at] ^= flip[k];
        }
    /* With the checksum put right a changed number is a number; a changed count or length
     * must be refused, and nothing may be read or written out of bounds. */
    for (size_t at = 24; at < size; at++)
        for (size_t k = 0; k < sizeof flip; k++) {
            bytes[at] ^= flip[k];
            put_checksum_right(bytes, size);
            enum vsg_status status = unpack_exact(bytes, size);
            assert_true(status == VSG_OK || status == VSG_EINVAL);
            refused += status == VSG_EINVAL;
            bytes[at] ^= flip[k];
        }
    assert_true(refused > 100);
    free(bytes);
    vsg_run_result_free(&r);
}

static void stages_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < VSG_STAGE_COUNT; i++) {
        assert_non_null(vsg_stage_name[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(vsg_stage_name[i], vsg_stage_name[j]);
    }
    assert_string_equal(vsg_stage_name[VSG_STAGE_SENDER_WAIT], "sender_wait");
    assert_string_equal(vsg_stage_name[VSG_STAGE_SELF_WAIT], "self_wait");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact_beyond_64_bits),
        cmocka_unit_test(merging_equals_adding),
        cmocka_unit_test(a_result_comes_back_as_it_was),
        cmocka_unit_test(an_empty_result_comes_back),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flipped_byte_is_refused),
        cmocka_unit_test(stages_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
