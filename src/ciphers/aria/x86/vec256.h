/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 256-bit registers for the kernels with VEX code: 32 blocks in slices of bytes, or 2 blocks in a register. A kernel
 * first defines TARGET. */

#define INLINE TARGET RUNNEL_INLINE
#define UNROLL RUNNEL_UNROLL
#define BLOCKS 32
#define REGISTER_BLOCKS 2

enum { ARIA_KEY_STACK = 1024 }; /* the key has more parts than there are registers */

typedef __m256i aria_vec;

#define aria_vec_repeat(bytes16) _mm256_broadcastsi128_si256(bytes16)
#define vec_low(v) _mm256_castsi256_si128(v)
#define vec_block(v, number) ((number) == 0 ? vec_low(v) : _mm256_extracti128_si256(v, 1))
#define vec_shuffle _mm256_shuffle_epi8
#define vec_enc _mm256_aesenclast_epi128
#define vec_dec _mm256_aesdeclast_epi128
#define vec_blend _mm256_blendv_epi8
#define vec_first_word(v, n) _mm256_shuffle_epi32(v, (n) == 0 ? 0xe4 : (n) == 1 ? 0x39 : (n) == 2 ? 0x4e : 0x93)
#define vec_shift_left32 _mm256_slli_epi32
#define vec_shift_right32 _mm256_srli_epi32
#define vec_load(p) _mm256_loadu_si256((const void *)(p))
#define vec_store(p, v) _mm256_storeu_si256((void *)(p), v)
#define vec_unpack_low _mm256_unpacklo_epi8
#define vec_unpack_high _mm256_unpackhi_epi8
#define vec_add8 _mm256_add_epi8
#define vec_add32 _mm256_add_epi32
#define vec_less8(a, b) _mm256_cmpgt_epi8(b, a)
#define vec_lane_numbers() _mm256_setr_epi32(0, 0, 0, 0, 0, 0, 0, 1)
#define vec_block_numbers()                                                                                            \
    _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, \
                     23, 25, 27, 29, 31)

INLINE aria_vec aria_vec_get(const uint8_t *p, size_t blocks)
{
    if (blocks == 0)
        return _mm256_setzero_si256();
    return blocks == 1 ? _mm256_zextsi128_si256(_mm_loadu_si128((const void *)p)) : vec_load(p);
}

INLINE void aria_vec_put(uint8_t *p, aria_vec v, size_t blocks)
{
    if (blocks == 1)
        _mm_storeu_si128((void *)p, _mm256_castsi256_si128(v));
    else if (blocks > 1)
        vec_store(p, v);
}

/* A load can repeat a byte, so that the rounds take folded keys as they are. */
typedef uint8_t aria_key_byte;
typedef struct aria_call_keys {
    uint8_t none;
} aria_call_keys;

#define vec_repeat_byte(p) _mm256_set1_epi8((char)*(p))
#define aria_make_call_keys(keys, schedule) (void)0
#define CALL_KEYS(keys, schedule) (schedule)->folded

INLINE void aria_spread_bytes(aria_vec to[16], __m128i bytes)
{
    RUNNEL_LINE_ALIGNED uint8_t b[16];
    _mm_store_si128((void *)b, bytes);
    __asm__("" : "+m"(b)); /* or the compiler extracts the bytes from the register one by one */
    UNROLL
    for (int i = 0; i < 16; i++)
        to[i] = vec_repeat_byte(b + i);
    runnel_wipe(b, sizeof b);
}
