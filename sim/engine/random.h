/* Counter-based random numbers: Philox4x32-10 (Random123; Salmon et al. 2011).
 *
 * A number is a function of who draws it and for what, never of when: key =
 * (seed, replication, sender), counter = (send number, block). Any order of
 * execution gives the same numbers, and two policies see the same arrivals and
 * jitter (common random numbers). */
#ifndef VSG_ENGINE_RANDOM_H
#define VSG_ENGINE_RANDOM_H

#include <stdint.h>

struct vsg_stream {
    uint32_t key[2];
};

/* The stream of one sender in one replication. */
struct vsg_stream vsg_stream_make(uint64_t seed, uint32_t replication, uint32_t sender);

/* Block number `block` of send number `send`: four 32-bit words. */
void vsg_stream_block(struct vsg_stream s, uint64_t send, uint32_t block, uint32_t word[4]);

/* Maps a word to 0..n-1, n >= 1, by multiplication (bias below n / 2^32). */
static inline uint32_t vsg_word_below(uint32_t word, uint32_t n)
{
    return (uint32_t)((uint64_t)word * n >> 32);
}

#endif
