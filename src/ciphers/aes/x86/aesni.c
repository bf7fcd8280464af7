/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on 128-bit registers, and the key set-up of every x86 kernel. */
#include "arch/x86/target.h"
#include "vectors.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,sse4.1,ssse3")
#define VECTOR __m128i
#define LANES 1
#define LOAD(p) _mm_loadu_si128((const void *)(p))
#define STORE(p, v) _mm_storeu_si128((void *)(p), v)
#define LOAD_SOME(p, n) ((void)(n), LOAD(p))
#define STORE_SOME(p, v, n) ((void)(n), STORE(p, v))
#define BLOCK(v, i) ((void)(i), v)
#define REPEAT(p) LOAD(p)
#define REPEAT_REGISTER(x) (x)
#define XOR(a, b) _mm_xor_si128(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#define ADD32(a, b) _mm_add_epi32(a, b)
#define SHUFFLE_BYTES(v, order) _mm_shuffle_epi8(v, order)
#define ENC(x, k) _mm_aesenc_si128(x, k)
#define LAST(x, k) _mm_aesenclast_si128(x, k)
#include "ctr.h"

#include "ccm.h"
#include "cfb.h"
#include "keys.h"

/* SubWord of word 3, rotated by a byte if asked for, XOR constant, in every word: four equal columns make ShiftRows
 * of AESENCLAST do nothing. */
TARGET RUNNEL_INLINE __m128i sub_word_3(__m128i x, int rotate, int constant)
{
    const __m128i word_3 = _mm_set1_epi32(0x0f0e0d0c), rotated_word_3 = _mm_set1_epi32(0x0c0f0e0d);
    return _mm_aesenclast_si128(_mm_shuffle_epi8(x, rotate ? rotated_word_3 : word_3), _mm_set1_epi32(constant));
}

/* Words w0, w0 ^ w1, w0 ^ w1 ^ w2, w0 ^ w1 ^ w2 ^ w3, all XOR t. */
TARGET RUNNEL_INLINE __m128i sum_words(__m128i w, __m128i t)
{
    w = _mm_xor_si128(w, _mm_slli_si128(w, 4));
    return _mm_xor_si128(_mm_xor_si128(w, _mm_slli_si128(w, 8)), t);
}

TARGET static void expand_128(__m128i *keys, __m128i k)
{
    static const uint8_t constants[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};
    _mm_storeu_si128(keys, k);
    for (int r = 0; r < 10; r++) {
        k = sum_words(k, sub_word_3(k, 1, constants[r]));
        _mm_storeu_si128(keys + r + 1, k);
    }
}

TARGET static void expand_192(__m128i *keys, __m128i k, __m128i words_4_5)
{
    uint8_t *p = (uint8_t *)keys;
    for (int constant = 1;; constant <<= 1) {
        _mm_storeu_si128((void *)p, k);
        if (constant == 0x100)
            return;
        _mm_storel_epi64((void *)(p + 16), words_4_5);
        k = sum_words(k, sub_word_3(_mm_slli_si128(words_4_5, 8), 1, constant));
        words_4_5 = _mm_xor_si128(words_4_5, _mm_slli_si128(words_4_5, 4));
        words_4_5 = _mm_xor_si128(words_4_5, _mm_shuffle_epi32(k, 0xff));
        p += 24;
    }
}

TARGET static void expand_256(__m128i *keys, __m128i even, __m128i odd)
{
    for (int constant = 1;; constant <<= 1) {
        _mm_storeu_si128(keys, even);
        if (constant == 0x80)
            return;
        _mm_storeu_si128(keys + 1, odd);
        even = sum_words(even, sub_word_3(odd, 1, constant));
        odd = sum_words(odd, sub_word_3(even, 0, 0));
        keys += 2;
    }
}

TARGET void runnel_aes_x86_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    __m128i *keys = (void *)s->keys.bytes;
    const __m128i k = _mm_loadu_si128((const void *)key);
    s->rounds = (uint8_t)(key_bytes / 4 + 6);
    if (key_bytes == 16)
        expand_128(keys, k);
    else if (key_bytes == 24)
        expand_192(keys, k, _mm_loadl_epi64((const void *)(key + 16)));
    else
        expand_256(keys, k, _mm_loadu_si128((const void *)(key + 16)));
}

/* Round keys for AESDEC in the order of use; InvMixColumns is applied to all but the first and the last. */
TARGET static void set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    runnel_aes_x86_key(state, key, key_bytes);
    for (unsigned i = 0, j = s->rounds; i <= j; i++, j--) {
        __m128i a = LOAD(s->keys.bytes[i]), b = LOAD(s->keys.bytes[j]);
        if (i > 0) {
            a = _mm_aesimc_si128(a);
            b = _mm_aesimc_si128(b);
        }
        STORE(s->keys.bytes[i], b);
        STORE(s->keys.bytes[j], a);
    }
}

#define DECRYPT_BATCH 8
#define IN_REGISTERS _Pragma("GCC unroll 8")

TARGET RUNNEL_INLINE void decrypt_batch(const runnel_aes_schedule *s, uint8_t *out, const uint8_t *in)
{
    __m128i x[DECRYPT_BATCH], k = LOAD(s->keys.bytes[0]);
    IN_REGISTERS
    for (int i = 0; i < DECRYPT_BATCH; i++)
        x[i] = XOR(LOAD(in + 16 * i), k);
    for (unsigned r = 1; r < s->rounds; r++) {
        k = LOAD(s->keys.bytes[r]);
        IN_REGISTERS
        for (int i = 0; i < DECRYPT_BATCH; i++)
            x[i] = _mm_aesdec_si128(x[i], k);
    }
    k = LOAD(s->keys.bytes[s->rounds]);
    IN_REGISTERS
    for (int i = 0; i < DECRYPT_BATCH; i++)
        STORE(out + 16 * i, _mm_aesdeclast_si128(x[i], k));
}

TARGET static void decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks >= DECRYPT_BATCH; nblocks -= DECRYPT_BATCH, in += 16 * DECRYPT_BATCH, out += 16 * DECRYPT_BATCH)
        decrypt_batch(state, out, in);
    if (nblocks > 0) {
        uint8_t last[16 * DECRYPT_BATCH] = {0};
        memcpy(last, in, 16 * nblocks);
        decrypt_batch(state, last, last);
        memcpy(out, last, 16 * nblocks);
        runnel_wipe(last, sizeof last);
    }
}

const runnel_kernel runnel_aes_aesni = {
    .name = RUNNEL_TEXT("aesni"),
    .citation = RUNNEL_TEXT("AES-NI, 8 blocks in flight; prefix caching after Park, Lee (FACE), TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_aes_x86_key,
    .keys = set_keys,
    .block = {.encrypt_blocks = encrypt_blocks,
              .chain = chain,
              .cfb = cfb,
              .cfb_decrypt = cfb_decrypt,
              .ccm = ccm,
              .ccm_lanes = ccm_lanes,
              .gcm = &runnel_aes_gcm_aesni,
              .gcm_siv = &runnel_aes_gcm_siv_aesni,
              .ctr32 = ctr32,
              .ctr32_little = ctr32_little,
              .ctr32_tail = ctr32_tail,
              .packet = packet,
              .packet_bytes = 16 * GROUP,
              .prefix_used = aes_x86_prefix_used,
              .decrypt_key = set_decrypt_key,
              .decrypt_blocks = decrypt_blocks},
    .stack_bytes = 1024,
};

#endif
