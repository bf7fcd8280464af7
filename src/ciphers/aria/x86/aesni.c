/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA on 128-bit registers with AES-NI: 16 blocks in slices of bytes, or a block in a register. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"
#include "ciphers/aria/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("ssse3,sse4.1,aes")
#define INLINE TARGET RUNNEL_INLINE
#define UNROLL RUNNEL_UNROLL
#define BLOCKS 16
#define REGISTER_BLOCKS 1

enum { ARIA_KEY_STACK = 1024 }; /* the key has more parts than there are registers */

typedef __m128i aria_vec;

#define aria_vec_repeat(bytes16) (bytes16)
#define vec_low(v) (v)
#define vec_block(v, number) ((void)(number), v)
#define vec_shuffle _mm_shuffle_epi8
#define vec_shift4(v) _mm_srli_epi16(v, 4)
#define vec_enc _mm_aesenclast_si128
#define vec_dec _mm_aesdeclast_si128
#define vec_blend _mm_blendv_epi8
#define vec_first_word(v, n) _mm_shuffle_epi32(v, (n) == 0 ? 0xe4 : (n) == 1 ? 0x39 : (n) == 2 ? 0x4e : 0x93)
#define vec_shift_left32 _mm_slli_epi32
#define vec_shift_right32 _mm_srli_epi32
#define vec_load(p) _mm_loadu_si128((const void *)(p))
#define vec_store(p, v) _mm_storeu_si128((void *)(p), v)
#define vec_unpack_low _mm_unpacklo_epi8
#define vec_unpack_high _mm_unpackhi_epi8
#define vec_add8 _mm_add_epi8
#define vec_add32 _mm_add_epi32
#define vec_less8(a, b) _mm_cmpgt_epi8(b, a)
#define vec_lane_numbers() _mm_setzero_si128()
#define vec_block_numbers() _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

INLINE aria_vec aria_vec_get(const uint8_t *p, size_t blocks)
{
    return blocks > 0 ? vec_load(p) : _mm_setzero_si128();
}

INLINE void aria_vec_put(uint8_t *p, aria_vec v, size_t blocks)
{
    if (blocks > 0)
        vec_store(p, v);
}

INLINE void aria_spread_bytes(aria_vec to[16], __m128i bytes)
{
    const aria_vec low = _mm_unpacklo_epi8(bytes, bytes), high = _mm_unpackhi_epi8(bytes, bytes);
    const aria_vec pairs[4] = {_mm_unpacklo_epi16(low, low), _mm_unpackhi_epi16(low, low),
                               _mm_unpacklo_epi16(high, high), _mm_unpackhi_epi16(high, high)};
    UNROLL
    for (int i = 0; i < 4; i++) {
        to[4 * i] = _mm_shuffle_epi32(pairs[i], 0x00);
        to[4 * i + 1] = _mm_shuffle_epi32(pairs[i], 0x55);
        to[4 * i + 2] = _mm_shuffle_epi32(pairs[i], 0xaa);
        to[4 * i + 3] = _mm_shuffle_epi32(pairs[i], 0xff);
    }
}

/* Repeating a byte takes several instructions, so each call does it once. */
typedef aria_vec aria_key_byte;
typedef struct aria_call_keys {
    aria_vec keys[17][16];
} aria_call_keys;

#define vec_repeat_byte(p) (*(p))
#define CALL_KEYS(call, schedule) ((const aria_key_byte(*)[16])(call)->keys)

INLINE void aria_make_call_keys(aria_call_keys *call, const runnel_aria_schedule *schedule)
{
    for (unsigned r = 1; r <= schedule->rounds; r++)
        aria_spread_bytes(call->keys[r], vec_load(schedule->folded[r]));
}

#include "tables.h"
#include "maps.h"
#include "rows_aes.h"
#include "rows.h"
#include "runs.h"
#include "transpose.h"
#include "sliced.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_aria_aesni = {
    .name = RUNNEL_TEXT("aesni"),
    .citation = RUNNEL_TEXT("16 blocks in slices of bytes; S-boxes by AES-NI with affine maps in byte shuffles"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_tail = aria_ctr32_tail,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
