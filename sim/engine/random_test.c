/* Goal: the numbers are Philox4x32-10's, belong to (seed, replication, sender,
 * send, block) and to nothing else, and are uniform. Method: Random123's published
 * vector; all keys of a grid distinct; chi-square and correlation with bounds that a
 * right generator misses with probability below 10^-6 (the seeds are fixed). */
#include "engine/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Random123's kat_vectors, line "philox4x32 10 243f6a88 85a308d3 13198a2e 03707344
 * a4093822 299f31d0": the counter's last word is the constant of random.c. */
static void agrees_with_the_published_vector(void **state)
{
    const struct vsg_stream s = {.key = {0xa4093822u, 0x299f31d0u}};
    const uint32_t expected[4] = {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u};
    uint32_t word[4];
    (void)state;
    vsg_stream_block(s, UINT64_C(0x85a308d3243f6a88), 0x13198a2eu, word);
    assert_memory_equal(word, expected, sizeof word);
}

/* Philox4x32-10 written down from the paper (Salmon et al. 2011, section 3.2), so
 * that any counter and key can be checked. */
static void philox_by_the_paper(uint32_t c[4], uint32_t k0, uint32_t k1)
{
    for (int round = 0; round < 10; round++) {
        uint64_t a = UINT64_C(0xd2511f53) * c[0], b = UINT64_C(0xcd9e8d57) * c[2];
        uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k0, (uint32_t)b,
                            (uint32_t)(a >> 32) ^ c[3] ^ k1, (uint32_t)a};
        memcpy(c, next, sizeof next);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
}

static void agrees_with_the_paper_anywhere(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t send = UINT64_C(0x9e3779b97f4a7c15) * i;
        struct vsg_stream s = vsg_stream_make(send, i * 77, i);
        uint32_t word[4], c[4] = {(uint32_t)send, (uint32_t)(send >> 32), i * 5, 0x03707344u};
        philox_by_the_paper(c, s.key[0], s.key[1]);
        vsg_stream_block(s, send, i * 5, word);
        assert_memory_equal(word, c, sizeof word);
    }
}

static uint64_t key_of(uint64_t seed, uint32_t replication, uint32_t sender)
{
    struct vsg_stream s = vsg_stream_make(seed, replication, sender);
    return (uint64_t)s.key[0] << 32 | s.key[1];
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void every_triple_has_its_own_key(void **state)
{
    enum { N = 40 };
    uint64_t *key = malloc(sizeof *key * N * N * N);
    size_t n = 0;
    (void)state;
    assert_non_null(key);
    for (uint64_t seed = 0; seed < N; seed++) /* also seeds that differ in the high word */
        for (uint32_t r = 0; r < N; r++)
            for (uint32_t sender = 0; sender < N; sender++)
                key[n++] = key_of(seed % 2 ? seed << 32 : seed, r, sender);
    qsort(key, n, sizeof *key, by_value);
    for (size_t i = 1; i < n; i++)
        assert_true(key[i - 1] != key[i]);
    free(key);
}

/* One changed bit of the triple changes half of the key's bits: over 128 bits
 * times 64 triples the flips are Bin(524288, 1/2), sd 362; the bound is 5 sd. */
static void one_bit_changes_half_of_the_key(void **state)
{
    unsigned flips = 0;
    (void)state;
    for (uint32_t i = 0; i < 64; i++)
        for (unsigned bit = 0; bit < 128; bit++) {
            uint64_t seed = i, low = bit < 64 ? UINT64_C(1) << bit : 0;
            uint32_t r = bit >= 64 && bit < 96 ? 1u << (bit - 64) : 0;
            uint32_t sender = bit >= 96 ? 1u << (bit - 96) : 0;
            uint64_t changed = key_of(seed, 7, i) ^ key_of(seed ^ low, 7 ^ r, i ^ sender);
            flips += (unsigned)__builtin_popcountll(changed);
        }
    assert_in_range(flips, 262144 - 1810, 262144 + 1810);
}

static void order_of_drawing_does_not_matter(void **state)
{
    enum { N = 100 };
    struct vsg_stream s = vsg_stream_make(1, 2, 3), t = vsg_stream_make(1, 2, 4);
    uint32_t forward[N][4], word[4];
    (void)state;
    for (uint32_t i = 0; i < N; i++)
        vsg_stream_block(s, i, i % 3, forward[i]);
    for (uint32_t i = N; i-- > 0;) {
        vsg_stream_block(t, i, i % 3, word); /* another sender in between */
        assert_memory_not_equal(word, forward[i], sizeof word);
        vsg_stream_block(s, i, i % 3, word);
        assert_memory_equal(word, forward[i], sizeof word);
    }
}

/* Chi-square over 256 bins for each of the 4 words and 4 bytes: 255 degrees of
 * freedom, mean 255, sd 22.6; the bound is 6 sd to either side. */
static void every_byte_of_every_word_is_uniform(void **state)
{
    enum { SENDS = 65536 };
    static uint32_t seen[16][256];
    struct vsg_stream s = vsg_stream_make(1, 0, 0);
    (void)state;
    memset(seen, 0, sizeof seen);
    for (uint32_t send = 0; send < SENDS; send++) {
        uint32_t word[4];
        vsg_stream_block(s, send, 0, word);
        for (unsigned i = 0; i < 16; i++)
            seen[i][word[i / 4] >> (i % 4 * 8) & 255]++;
    }
    for (unsigned i = 0; i < 16; i++) {
        double chi = 0, expected = SENDS / 256.0;
        for (unsigned k = 0; k < 256; k++)
            chi += (seen[i][k] - expected) * (seen[i][k] - expected) / expected;
        assert_true(chi > 255 - 6 * 22.6 && chi < 255 + 6 * 22.6);
    }
}

/* Word 0 of neighbours (next send, next block, next sender, next replication) must
 * be unrelated: the correlation of n pairs has sd 1/sqrt(n); the bound is 5 sd. */
static void neighbours_are_uncorrelated(void **state)
{
    enum { N = 40000 };
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        double sum = 0;
        for (uint32_t i = 0; i < N; i++) {
            uint32_t a[4], b[4];
            vsg_stream_block(vsg_stream_make(5, 0, i), i, 0, a);
            vsg_stream_block(vsg_stream_make(5, kind == 3, i + (kind == 2)), i + (kind == 0),
                             kind == 1, b);
            sum += (a[0] / 4294967296.0 - 0.5) * (b[0] / 4294967296.0 - 0.5) * 12;
        }
        assert_true(sum / N > -5.0 / 200 && sum / N < 5.0 / 200);
    }
}

static void below_covers_its_range_evenly(void **state)
{
    (void)state;
    assert_int_equal(vsg_word_below(UINT32_MAX, 1), 0);
    assert_int_equal(vsg_word_below(0, 7), 0);
    assert_int_equal(vsg_word_below(UINT32_MAX, 7), 6);
    assert_int_equal(vsg_word_below(UINT32_MAX, UINT32_MAX), UINT32_MAX - 1);
    /* The first word that maps to k is ceil(k * 2^32 / n). */
    for (uint64_t k = 1; k < 7; k++) {
        uint64_t first = ((k << 32) + 6) / 7;
        assert_int_equal(vsg_word_below((uint32_t)first, 7), k);
        assert_int_equal(vsg_word_below((uint32_t)first - 1, 7), k - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_published_vector),
        cmocka_unit_test(agrees_with_the_paper_anywhere),
        cmocka_unit_test(every_triple_has_its_own_key),
        cmocka_unit_test(one_bit_changes_half_of_the_key),
        cmocka_unit_test(order_of_drawing_does_not_matter),
        cmocka_unit_test(every_byte_of_every_word_is_uniform),
        cmocka_unit_test(neighbours_are_uncorrelated),
        cmocka_unit_test(below_covers_its_range_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
