/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128: the descriptor, and the expansion of key and IV. */
#include "core/define.h"
#include "kernels.h"

/* The word after w[-1]: the expansion of SHA-256's message schedule, with a number added. w[-2] is an argument of its
 * own because it has just been computed. */
static inline uint32_t hc128_expanded(uint32_t w_2, const uint32_t *w, uint32_t number)
{
    const uint32_t w_15 = w[-15];
    return (runnel_rotl32(w_2, 15) ^ runnel_rotl32(w_2, 13) ^ w_2 >> 10) +
           (w[-7] + (runnel_rotl32(w_15, 25) ^ runnel_rotl32(w_15, 14) ^ w_15 >> 3) + w[-16] + number);
}

/* Fills in w[16] to w[end - 1]. */
static RUNNEL_AVR_NOINLINE void hc128_expand(uint32_t *w, unsigned end, uint32_t first_number)
{
    uint32_t even = w[14], odd = w[15];
    for (unsigned i = 16; i < end; i += 2) {
        w[i] = even = hc128_expanded(even, w + i, first_number + i);
        w[i + 1] = odd = hc128_expanded(odd, w + i + 1, first_number + i + 1);
    }
}

/* The words 0 to 255 of the expansion are thrown away. They are made where P will be; words 256 to 271, which begin P
 * and Q, then move to the front, and the rest follows them. */
void runnel_hc128_expand(runnel_hc128_state *s, const uint8_t *iv)
{
    uint32_t *w = s->words;
    for (unsigned i = 0; i < 4; i++) {
        w[i] = w[4 + i] = runnel_load32le(s->key + 4 * i);
        w[8 + i] = w[12 + i] = runnel_load32le(iv + 4 * i);
    }
    hc128_expand(w, 256 + 16, 0);
    memcpy(w, w + 256, 16 * sizeof w[0]);
    hc128_expand(w, 2 * HC128_TABLE, 256);
}

static runnel_kernel_list hc128_kernels = {
#ifdef RUNNEL_HC128_KERNEL
    RUNNEL_LIST_ONLY(hc128, RUNNEL_HC128_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_hc128_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_hc128_##name)
#include "kernels.inc"
#endif
        NULL,
};

_Static_assert(offsetof(runnel_hc128, state) % RUNNEL_RECOMMENDED_ALIGN == 0, "vectors would cross cache lines");

static const runnel_cipher hc128_hc_128 = {
    .name = RUNNEL_TEXT("hc-128"),
    .family = RUNNEL_TEXT("hc128"),
    .title = RUNNEL_TEXT("HC-128"),
    .source = RUNNEL_TEXT(
        "The Stream Cipher HC-128 (Wu 2004): reverse the bytes of each word that it prints; eSTREAM portfolio"),
    .remark = RUNNEL_TEXT("unbroken but little used; each IV costs as much as several KiB of keystream"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .seekable = 0,
    .key_bytes = {16, 16, 1},
    .iv_bytes = {16, 16, 1},
    .block_bytes = HC128_BLOCK,
    .blocks = (uint64_t)1 << 55, /* 2^64 bits */
    RUNNEL_AHEAD(RUNNEL_HC128_AHEAD_BYTES).context_bytes = sizeof(runnel_hc128),
    .state_offset = offsetof(runnel_hc128, state),
    .kernels = hc128_kernels,
};

runnel_cipher_list runnel_hc128_ciphers = {&hc128_hc_128, NULL};

RUNNEL_DEFINE_STREAM_VERBS(hc128, runnel_hc128_ciphers)
