/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The round keys of a call on 512-bit registers. The includer defines TARGET and includes arch/x86/blocks_512.h. */
#ifndef HIGHT_X86_SPREAD_KEYS_H
#define HIGHT_X86_SPREAD_KEYS_H

#include "arch/common/aligned.h"
#include "bytes.h"

/* A round key four times: only words can be broadcast from memory without a shuffle. */
typedef uint32_t hight_round_key;
typedef struct hight_round_keys {
    RUNNEL_LINE_ALIGNED hight_round_key subkeys[128];
    hight_round_key whitening[16]; /* 8 of them */
} hight_round_keys;

TARGET RUNNEL_INLINE void hight_spread(hight_round_key to[16], __m128i bytes)
{
    const __m512i places = _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                                              _mm512_set1_epi32(0x01010101));
    _mm512_storeu_si512((void *)to, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(bytes), places));
}

TARGET RUNNEL_INLINE void hight_spread_keys(hight_round_keys *keys, const runnel_hight_schedule *schedule)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 128; i += 16)
        hight_spread(keys->subkeys + i, _mm_loadu_si128((const void *)(schedule->subkeys + i)));
    hight_spread(keys->whitening, _mm_loadl_epi64((const void *)schedule->whitening));
}

TARGET RUNNEL_INLINE vector_bytes hight_repeat_key(hight_round_key key)
{
    return hight_repeat_word(key);
}

TARGET RUNNEL_INLINE const hight_round_keys *hight_keys_of_call(hight_round_keys *kept,
                                                                const runnel_hight_schedule *schedule)
{
    hight_spread_keys(kept, schedule);
    return kept;
}

TARGET RUNNEL_INLINE void hight_forget_keys(hight_round_keys *kept)
{
    runnel_wipe(kept, sizeof *kept);
}

#endif
