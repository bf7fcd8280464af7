/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Py for 8-bit AVR with rolling arrays, as the sensor-node paper fits the eSTREAM code into 4 KB (3.2): P and Y have room
 * for as many steps as Y has words, so that rolling one moves its start, and are copied back when the room is used up;
 * EIV, of which each step changes a fixed element, has its own size. Y is expanded at IV set-up, when the length of the
 * IV is known. Rotations are left to the compiler. */
#include "historic/py/kernels.h"

#if RUNNEL_AVR && RUNNEL_PY_ROLLING

enum { PY_WORDS = 260, PY_BEFORE = 3, PY_LONGEST_IV = 64 }; /* Y[-3] to Y[256] */

static inline uint8_t py_permuted(uint8_t i)
{
    return runnel_flash8(runnel_py_permutation + i);
}

static inline uint32_t py_rotl(uint32_t v, uint8_t n)
{
    return v << (n & 31) | v >> (-n & 31);
}

static void py_expand_key(uint32_t *y, const uint8_t *key, uint16_t key_bytes, uint8_t iv_bytes)
{
    uint32_t s = py_permuted((uint8_t)(key_bytes - 1));
    s = s << 8 | py_permuted((uint8_t)(s ^ (iv_bytes - 1)));
    s = s << 8 | py_permuted((uint8_t)s ^ key[0]);
    s = s << 8 | py_permuted((uint8_t)s ^ key[key_bytes - 1]);
    for (uint16_t i = 0; i < key_bytes; i++) {
        s += key[i];
        s = py_rotl(s, 8) ^ py_permuted((uint8_t)s);
    }
    for (uint16_t i = 0; i < key_bytes; i++) {
        s += key[i];
        s ^= py_rotl(s, 8) + py_permuted((uint8_t)s);
    }
    for (uint16_t i = 0, next = 0; i < PY_WORDS; i++) {
        s += key[next];
        y[i] = s = py_rotl(s, 8) ^ py_permuted((uint8_t)s);
        if (++next == key_bytes)
            next = 0;
    }
}

/* The arrays go back to the beginning of their room. */
static void py_copy_back(runnel_py_state *state)
{
    memmove(state->p, state->p + PY_WORDS, 256);
    memcpy(state->y, state->y + PY_WORDS, PY_WORDS * sizeof state->y[0]);
    state->first_y = 0;
}

/* Exchanges P[0] and P[i], and rolls P. */
static inline void py_roll_p(uint8_t *p, uint8_t i)
{
    p[256] = p[i];
    p[i] = p[0];
}

static void py_set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_py_state *state = context;
    memcpy(state->key, key, key_bytes);
    state->key_bytes = (uint16_t)key_bytes;
}

static void py_set_iv(void *context, const uint8_t *iv, size_t length)
{
    runnel_py_state *state = context;
    const uint8_t iv_bytes = (uint8_t)length;
    uint32_t *y = state->y;
    uint8_t *p = state->p, e[PY_LONGEST_IV];
    py_expand_key(y, state->key, state->key_bytes, iv_bytes);

    uint8_t q = iv[0] ^ (uint8_t)(y[PY_BEFORE] >> 16);
    const uint8_t d = (uint8_t)((iv[iv_bytes > 1] ^ (uint8_t)(y[PY_BEFORE + 1] >> 16)) | 1);
    for (uint16_t i = 0; i < 256; i++) {
        p[i] = py_permuted(q);
        q = (uint8_t)(q + d);
    }
    uint32_t s = (uint32_t)q << 24 | (uint32_t)d << 16 | (uint32_t)p[254] << 8 | p[255];
    s ^= y[0] + y[PY_WORDS - 1];
    for (uint8_t i = 0; i < iv_bytes; i++) {
        s += iv[i] + y[i];
        e[i] = p[(uint8_t)s];
        s = py_rotl(s, 8) ^ e[i];
    }
    for (uint8_t i = 0; i < iv_bytes; i++) {
        s += iv[i] + y[PY_WORDS - 1 - i];
        const uint8_t new = p[(uint8_t)s];
        e[i] = (uint8_t)(e[i] + new);
        s = py_rotl(s, 8) ^ new;
    }
    uint8_t first_e = 0;
    for (uint16_t i = 0; i < PY_WORDS; i++, p++, y++) {
        const uint8_t x = e[first_e] ^= (uint8_t)s;
        if (++first_e == iv_bytes)
            first_e = 0;
        py_roll_p(p, x);
        y[PY_WORDS] = s = (s ^ y[0]) + y[PY_BEFORE + x];
    }
    s += y[PY_BEFORE + 26] + y[PY_BEFORE + 153] + y[PY_BEFORE + 208];
    if (s == 0)
        s = 8u * state->key_bytes + 65536 * 8 * (uint32_t)iv_bytes + 0x87654321;
    state->s = s;
    py_copy_back(state);
    runnel_wipe(e, sizeof e);
}

static void py_xor_blocks(void *context, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_py_state *state = context;
    uint32_t s = state->s;
    (void)index;
    for (; nblocks > 0; nblocks--) {
        uint32_t *y = state->y + state->first_y;
        uint8_t *p = state->p + state->first_y;
        py_roll_p(p, (uint8_t)y[PY_BEFORE + 185]);
        p++;
        s += y[PY_BEFORE + p[72]] - y[PY_BEFORE + p[239]];
        s = py_rotl(s, (uint8_t)(p[116] + 18));
        runnel_xor32le(out, in, 0, (py_rotl(s, 25) ^ y[PY_BEFORE + 256]) + y[PY_BEFORE + p[26]]);
        runnel_xor32le(out, in, 1, (s ^ y[PY_BEFORE - 1]) + y[PY_BEFORE + p[208]]);
        y[PY_WORDS] = (py_rotl(s, 14) ^ y[0]) + y[PY_BEFORE + p[153]];
        if (++state->first_y == PY_WORDS)
            py_copy_back(state);
        out += PY_BLOCK;
        if (in != NULL)
            in += PY_BLOCK;
    }
    state->s = s;
}

const runnel_kernel runnel_py_avr_c_rolling = {
    .name = RUNNEL_TEXT("avr-c-rolling"),
    .citation = RUNNEL_TEXT("Yun, Na, Lee, Park 2008, 3.2: rolling arrays within 4 KB"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = py_set_key,
    .stream = {.iv = py_set_iv, .xor_blocks = py_xor_blocks},
};

#endif
