#include "engine/random.h"

#include <Random123/philox.h>

/* The digits of pi, as in Random123's own known-answer test: block() of key
 * {0xa4093822, 0x299f31d0} therefore contains that test's vector (random_test.c). */
#define PI_WORD_3 0x03707344u
#define PI_WORD_4 0xa4093822u
#define PI_WORD_5 0x299f31d0u

/* 128 bits (seed, replication, sender) become 64 bits of key: the first half of
 * a Philox block whose counter they are. The whole block is a bijection of the
 * counter and its halves behave as random, so that triples that differ in one bit
 * have unrelated keys, and two senders of one run share a key with
 * probability 2^-64. Adding or xoring the three instead would make sender 1 of seed 1
 * equal to sender 0 of seed 2 or the like. */
struct vsg_stream vsg_stream_make(uint64_t seed, uint32_t replication, uint32_t sender)
{
    philox4x32_ctr_t counter = {{(uint32_t)seed, (uint32_t)(seed >> 32), replication, sender}};
    philox4x32_key_t key = {{PI_WORD_4, PI_WORD_5}};
    philox4x32_ctr_t block = philox4x32_R(10, counter, key);
    return (struct vsg_stream){.key = {block.v[0], block.v[1]}};
}

void vsg_stream_block(struct vsg_stream s, uint64_t send, uint32_t block, uint32_t word[4])
{
    philox4x32_ctr_t counter = {{(uint32_t)send, (uint32_t)(send >> 32), block, PI_WORD_3}};
    philox4x32_key_t key = {{s.key[0], s.key[1]}};
    philox4x32_ctr_t out = philox4x32_R(10, counter, key);
    for (int i = 0; i < 4; i++)
        word[i] = out.v[i];
}
