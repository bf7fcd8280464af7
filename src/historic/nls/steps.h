/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* NLSv2, for its kernels. Before including it they define how an entry of the table is found: nls_s_box(byte), and what
 * stands before each function that does that, if anything: NLS_TARGET. */
#ifndef NLS_STEPS_H
#define NLS_STEPS_H

#ifndef NLS_TARGET
#define NLS_TARGET
#endif

#if RUNNEL_AVR
#include "arch/avr/rotate.h"
#define ROTL(v, n) RUNNEL_ROTL32_MACRO(v, n)
#else
#define ROTL(v, n) runnel_rotl32(v, n)
#endif

/* A step of the register; returns where it begins now. */
NLS_TARGET static RUNNEL_AVR_NOINLINE uint32_t *nls_cycle(runnel_nls_state *s)
{
    if (s->at == RUNNEL_NLS_ROOM) {
        memmove(s->words, s->words + s->at, RUNNEL_NLS_REGISTER * sizeof s->words[0]);
        s->at = 0;
    }
    uint32_t *r = s->words + s->at++;
    const uint32_t t = ROTL(r[0], 19) + ROTL(r[15], 9) + s->konst;
    r[17] = t ^ nls_s_box((uint8_t)(t >> 24)) ^ r[4];
    return r + 1;
}

static inline uint32_t nls_filter(const uint32_t *r, uint32_t konst)
{
    return (r[0] + r[16]) ^ (r[1] + r[13]) ^ (r[6] + konst);
}

NLS_TARGET static RUNNEL_AVR_NOINLINE void nls_take_in(runnel_nls_state *s, uint32_t word)
{
    s->words[s->at + 15] += word;
    uint32_t *r = nls_cycle(s);
    r[4] ^= nls_filter(r, s->konst);
}

/* Takes in the key or the IV: its words, the last one padded with zeros, and its length; then 16 more steps and a new
 * Konst. */
NLS_TARGET static void nls_take_in_all(runnel_nls_state *s, const uint8_t *p, size_t bytes)
{
    s->konst = 0x6996c53a;
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word = 0;
        for (size_t j = i; j < i + 4; j++)
            word = word >> 8 | (j < bytes ? (uint32_t)p[j] << 24 : 0);
        nls_take_in(s, word);
    }
    nls_take_in(s, (uint32_t)bytes);
    for (unsigned i = 0; i < 16; i++)
        nls_take_in(s, 0);
    const uint32_t *r = nls_cycle(s);
    s->konst = nls_filter(r, s->konst);
}

NLS_TARGET static void nls_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_nls_state *s = state;
    s->at = 0;
    s->words[0] = s->words[1] = 1;
    for (unsigned i = 2; i < RUNNEL_NLS_REGISTER; i++)
        s->words[i] = s->words[i - 1] + s->words[i - 2];
    nls_take_in_all(s, key, key_bytes);
    memcpy(s->master, s->words + s->at, sizeof s->master);
}

NLS_TARGET static void nls_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_nls_state *s = state;
    s->at = 0;
    memcpy(s->words, s->master, sizeof s->master);
    nls_take_in_all(s, iv, iv_bytes);
}

/* The effect of the specification's counters C16 and C32 every 65536 words. C32 grows by 65537 each time; the extra
 * step counts as a word, so the period is not 65537. Returns where the register begins now. */
NLS_TARGET static uint32_t *nls_counter_event(runnel_nls_state *s, uint32_t number)
{
    uint32_t *r = s->words + s->at;
    r[2] += number * UINT32_C(65537);
    s->konst = nls_filter(r, s->konst);
    return nls_cycle(s);
}

NLS_TARGET static void nls_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_nls_state *s = state;
    uint32_t events = (uint32_t)(index >> 16);
    uint16_t since = (uint16_t)index;
    const int first = index == 0;
    for (size_t i = 0; i < nblocks; i++) {
        uint32_t *r = nls_cycle(s);
        if (since == 0 && !(first && i == 0))
            r = nls_counter_event(s, events);
        if (++since == 0)
            events++;
        runnel_xor32le(out, in, 0, nls_filter(r, s->konst));
        out += NLS_BLOCK;
        if (in != NULL)
            in += NLS_BLOCK;
    }
}

#endif
