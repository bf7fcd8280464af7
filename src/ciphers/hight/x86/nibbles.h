/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F0 and F1 without GFNI, for rounds.h: each is linear, and so the XOR of two look-ups of a nibble in a register. The
 * includer has defined TARGET, INLINE, vec, vec_broadcast, vec_repeat (16 bytes in every 128 bits), vec_lookup and
 * vec_shift4 (right; bits of the next byte come in). */

#define ROTL8(x, n) ((x) << (n) | (x) >> (8 - (n)))
#define F0(x) ((ROTL8(x, 1) ^ ROTL8(x, 2) ^ ROTL8(x, 7)) & 255)
#define F1(x) ((ROTL8(x, 3) ^ ROTL8(x, 4) ^ ROTL8(x, 6)) & 255)
#define SIXTEEN(f, unit)                                                                                               \
    {f(0 * unit), f(1 * unit), f(2 * unit),  f(3 * unit),  f(4 * unit),  f(5 * unit),  f(6 * unit),  f(7 * unit),      \
     f(8 * unit), f(9 * unit), f(10 * unit), f(11 * unit), f(12 * unit), f(13 * unit), f(14 * unit), f(15 * unit)}

typedef struct hight_tables {
    hight_vec f0[2], f1[2]; /* for the low and for the high nibble */
} hight_tables;

INLINE hight_tables hight_get_tables(void)
{
    static const uint8_t values[4][16] = {SIXTEEN(F0, 1), SIXTEEN(F0, 16), SIXTEEN(F1, 1), SIXTEEN(F1, 16)};
    return (hight_tables){{vec_repeat(values[0]), vec_repeat(values[1])},
                          {vec_repeat(values[2]), vec_repeat(values[3])}};
}

INLINE hight_vec hight_look_up(const hight_vec table[2], hight_vec x)
{
    const hight_vec nibble = vec_broadcast(0x0f);
    return vec_lookup(table[0], x & nibble) ^ vec_lookup(table[1], vec_shift4(x) & nibble);
}

#define vec_f0(t, x) hight_look_up((t)->f0, x)
#define vec_f1(t, x) hight_look_up((t)->f1, x)

/* Round keys are broadcast from the schedule's bytes. */
typedef runnel_hight_schedule hight_round_keys;
typedef uint8_t hight_round_key;
#define vec_key(key) vec_broadcast(key)
#define WITH_KEYS(keys, schedule) const hight_round_keys *const keys = (schedule);
#define FORGET_KEYS(keys) (void)(keys);
