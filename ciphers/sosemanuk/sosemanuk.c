/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK: the descriptor, and key and IV set-up, which are parts of Serpent. */
#include "sosemanuk_kernels.h"
#include "sosemanuk_serpent.h"

/* S-box number n of each bit of four words. */
static RUNNEL_ONCE void substitute(uint32_t *y, unsigned n)
{
    uint32_t y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3];
    switch (n) {
    case 0: SERPENT_S0(uint32_t, y0, y1, y2, y3); break;
    case 1: SERPENT_S1(uint32_t, y0, y1, y2, y3); break;
    case 2: SERPENT_S2(uint32_t, y0, y1, y2, y3); break;
    case 3: SERPENT_S3(uint32_t, y0, y1, y2, y3); break;
    case 4: SERPENT_S4(uint32_t, y0, y1, y2, y3); break;
    case 5: SERPENT_S5(uint32_t, y0, y1, y2, y3); break;
    case 6: SERPENT_S6(uint32_t, y0, y1, y2, y3); break;
    default: SERPENT_S7(uint32_t, y0, y1, y2, y3); break;
    }
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
    y[3] = y3;
}

static inline void transform(uint32_t *y)
{
    const uint32_t y0 = runnel_rotl32(y[0], 13), y2 = runnel_rotl32(y[2], 3);
    const uint32_t y1 = runnel_rotl32(y[1] ^ y0 ^ y2, 1), y3 = runnel_rotl32(y[3] ^ y2 ^ y0 << 3, 7);
    y[0] = runnel_rotl32(y0 ^ y1 ^ y3, 5);
    y[1] = y1;
    y[2] = runnel_rotl32(y2 ^ y3 ^ y1 << 7, 22);
    y[3] = y3;
}

static inline void add_key(uint32_t *y, const uint32_t *subkey)
{
    for (unsigned i = 0; i < 4; i++)
        y[i] ^= subkey[i];
}

void runnel_sosemanuk_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    uint32_t *subkeys = ((runnel_sosemanuk_state *)state)->subkeys, w[8];
    uint8_t padded[32] = {0};
    memcpy(padded, key, key_bytes);
    if (key_bytes < sizeof padded)
        padded[key_bytes] = 1;
    for (unsigned i = 0; i < 8; i++)
        w[i] = runnel_load32le(padded + 4 * i);
    for (unsigned i = 0; i < 100; i++) {
        const uint32_t sum = w[i % 8] ^ w[(i + 3) % 8] ^ w[(i + 5) % 8] ^ w[(i + 7) % 8];
        subkeys[i] = w[i % 8] = runnel_rotl32(sum ^ 0x9e3779b9 ^ i, 11);
    }
    for (unsigned i = 0; i < 25; i++)
        substitute(subkeys + 4 * i, (35 - i) % 8); /* S3, S2, S1, S0, S7 … */
    runnel_wipe(w, sizeof w);
    runnel_wipe(padded, sizeof padded);
}

void runnel_sosemanuk_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_sosemanuk_state *s = state;
    uint8_t padded[16] = {0};
    uint32_t y[4];
    if (iv_bytes > 0)
        memcpy(padded, iv, iv_bytes);
    for (unsigned i = 0; i < 4; i++)
        y[i] = runnel_load32le(padded + 4 * i);
    for (unsigned round = 0; round < 24; round++) {
        add_key(y, s->subkeys + 4 * round);
        substitute(y, round % 8);
        transform(y);
        if (round == 11) {
            s->s[6] = y[3];
            s->s[7] = y[2];
            s->s[8] = y[1];
            s->s[9] = y[0];
        } else if (round == 17) {
            s->r1 = y[0];
            s->s[4] = y[1];
            s->r2 = y[2];
            s->s[5] = y[3];
        }
    }
    add_key(y, s->subkeys + 96);
    s->s[0] = y[3];
    s->s[1] = y[2];
    s->s[2] = y[1];
    s->s[3] = y[0];
    runnel_wipe(y, sizeof y);
}

static const runnel_kernel *const kernels[] = {
#ifdef RUNNEL_SOSEMANUK_KERNEL
    &RUNNEL_KERNEL(sosemanuk, RUNNEL_SOSEMANUK_KERNEL),
#else
    RUNNEL_ON_AVR(runnel_sosemanuk_avr)
    RUNNEL_ON_RV32(runnel_sosemanuk_rv32)
    &runnel_sosemanuk_portable,
    RUNNEL_ON_THUMB2(runnel_sosemanuk_thumb2)
    &runnel_sosemanuk_table,
#endif
    NULL,
};

static const runnel_cipher sosemanuk = {
    .name = RUNNEL_TEXT("sosemanuk"),
    .family = RUNNEL_TEXT("sosemanuk"),
    .title = RUNNEL_TEXT("SOSEMANUK"),
    .source = RUNNEL_TEXT("SOSEMANUK specification (Berbain and others 2005); eSTREAM portfolio"),
    .remark = RUNNEL_TEXT("unbroken but little used; 128-bit security at most, and less with keys under 16 bytes"),
    .status = RUNNEL_LEGACY,
    .seekable = 0,
    .key_bytes = {1, 32, 1},
    .iv_bytes = {0, 16, 1},
    .block_bytes = SOSEMANUK_BLOCK,
    .context_bytes = sizeof(runnel_sosemanuk),
    .state_offset = offsetof(runnel_sosemanuk, state),
    .kernels = kernels,
};

const runnel_cipher *const runnel_sosemanuk_ciphers[] = {&sosemanuk, NULL};

RUNNEL_DEFINE_STREAM_VERBS(sosemanuk, runnel_sosemanuk_ciphers)
