/* The one order among events of the same picosecond (see world.h).
 * Shared by both engines: it is part of the model, not of an engine. */
#ifndef VSG_ENGINE_ORDER_H
#define VSG_ENGINE_ORDER_H

#include <stdint.h>

#include "engine/world.h"

enum vsg_phase { VSG_PHASE_DEPART, VSG_PHASE_TIMER, VSG_PHASE_ARRIVE };

/* A fixed mix of (entity, visit): the finaliser of SplitMix64 (Steele, Lea, Flood 2014)
 * over a combination by odd multipliers. */
static inline uint64_t vsg_mix64(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

/* round, phase and tie in one word, most significant first: 6 + 2 + 56 bits.
 * Equal words are told apart by vsg_order_entity() and then by visit. */
static inline uint64_t vsg_order_word(enum vsg_tie tie, unsigned round, enum vsg_phase phase,
                                      uint64_t entity, uint32_t visit)
{
    uint64_t h = 0;
    if (tie == VSG_TIE_HASH)
        h = vsg_mix64(entity * UINT64_C(0x9e3779b97f4a7c15) + visit) >> 8;
    return (uint64_t)round << 58 | (uint64_t)phase << 56 | h;
}

static inline uint64_t vsg_order_entity(enum vsg_tie tie, uint64_t entity)
{
    return tie == VSG_TIE_REVERSE ? ~entity : entity;
}

#endif
