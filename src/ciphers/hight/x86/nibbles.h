/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F0 and F1 without GFNI: each is linear, and so the XOR of two look-ups of a nibble in a register. The includer defines
 * TARGET and includes the vectors of its width. */
#ifndef HIGHT_X86_NIBBLES_H
#define HIGHT_X86_NIBBLES_H

#include "arch/common/aligned.h"
#include "bytes.h"

/* For the low nibble and for the high one: F0(x) = x <<< 1 ^ x <<< 2 ^ x <<< 7, F1(x) = x <<< 3 ^ x <<< 4 ^ x <<< 6, and the
 * inverse of F1, whose eighth power is the identity. */
static const RUNNEL_LINE_ALIGNED uint8_t hight_nibble_values[6][16] = {
    {0x00, 0x86, 0x0d, 0x8b, 0x1a, 0x9c, 0x17, 0x91, 0x34, 0xb2, 0x39, 0xbf, 0x2e, 0xa8, 0x23, 0xa5},
    {0x00, 0x68, 0xd0, 0xb8, 0xa1, 0xc9, 0x71, 0x19, 0x43, 0x2b, 0x93, 0xfb, 0xe2, 0x8a, 0x32, 0x5a},
    {0x00, 0x58, 0xb0, 0xe8, 0x61, 0x39, 0xd1, 0x89, 0xc2, 0x9a, 0x72, 0x2a, 0xa3, 0xfb, 0x13, 0x4b},
    {0x00, 0x85, 0x0b, 0x8e, 0x16, 0x93, 0x1d, 0x98, 0x2c, 0xa9, 0x27, 0xa2, 0x3a, 0xbf, 0x31, 0xb4},
    {0x00, 0xbc, 0x79, 0xc5, 0xf2, 0x4e, 0x8b, 0x37, 0xe5, 0x59, 0x9c, 0x20, 0x17, 0xab, 0x6e, 0xd2},
    {0x00, 0xcb, 0x97, 0x5c, 0x2f, 0xe4, 0xb8, 0x73, 0x5e, 0x95, 0xc9, 0x02, 0x71, 0xba, 0xe6, 0x2d},
};

typedef struct hight_tables {
    vector_bytes f0[2], f1[2]; /* for the low and for the high nibble */
} hight_tables;

TARGET RUNNEL_INLINE vector_bytes hight_nibble_table(unsigned number)
{
    return (vector_bytes)vector_repeat_at(hight_nibble_values[number]);
}

TARGET RUNNEL_INLINE hight_tables hight_get_tables(void)
{
    return (hight_tables){{hight_nibble_table(0), hight_nibble_table(1)},
                          {hight_nibble_table(2), hight_nibble_table(3)}};
}

TARGET RUNNEL_INLINE vector_bytes hight_map_nibbles(const vector_bytes table[2], vector_bytes x)
{
    const vector_bytes nibble = hight_repeat(0x0f);
    return hight_look_up(table[0], x & nibble) ^
           hight_look_up(table[1], (vector_bytes)vector_shift_right16((vector)x, 4) & nibble);
}

TARGET RUNNEL_INLINE vector_bytes hight_f0(const hight_tables *t, vector_bytes x)
{
    return hight_map_nibbles(t->f0, x);
}

TARGET RUNNEL_INLINE vector_bytes hight_f1(const hight_tables *t, vector_bytes x)
{
    return hight_map_nibbles(t->f1, x);
}

/* Round keys are broadcast from the schedule's bytes; a call keeps nothing of its own. */
typedef runnel_hight_schedule hight_round_keys;
typedef uint8_t hight_round_key;

TARGET RUNNEL_INLINE vector_bytes hight_repeat_key(hight_round_key key)
{
    return hight_repeat(key);
}

TARGET RUNNEL_INLINE const hight_round_keys *hight_keys_of_call(hight_round_keys *kept,
                                                                const runnel_hight_schedule *schedule)
{
    (void)kept;
    return schedule;
}

TARGET RUNNEL_INLINE void hight_forget_keys(hight_round_keys *kept)
{
    (void)kept;
}

#endif
