/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on vectors of bytes, for x86-64: a register has one byte of LANES blocks. In a round no byte moves; its place in
 * the round does. modes.h makes a kernel of this.
 *
 * The includer defines TARGET, INLINE, vec (a vector of bytes with the operators of C), LANES, vec_broadcast,
 * hight_vec_lane_numbers, vec_order_pairs (bytes 0, 8, 1, 9 … 7, 15 of every 128 bits), vec_unpack_lo8 …
 * vec_unpack_hi32, hight_vec_get and hight_vec_put, for a register of up to LANES / 8 whole blocks, hight_vec_block
 * (one block of a register, by number); the type tables and vec_f0 and vec_f1, which take one; and the types
 * hight_round_keys (as runnel_hight_schedule, of hight_round_key) and vec_key, which broadcasts a hight_round_key.
 * Where there are registers for more than eight bytes, SETS says how many batches are made at a time. */

#define REGISTER_BLOCKS (LANES / 8)
#ifndef SETS
#define SETS 1
#endif

/* The two kinds of step: what a byte's neighbour adds to it. */
INLINE hight_vec hight_step0(const hight_tables *t, hight_vec x, hight_round_key key)
{
    return vec_f0(t, x) + vec_key(key);
}

INLINE hight_vec hight_step1(const hight_tables *t, hight_vec x, hight_round_key key)
{
    return vec_f1(t, x) ^ vec_key(key);
}

#define X(i) x[((i) + at) & 7]

/* The round in which the first byte is x[at]. */
INLINE void hight_encrypt_round(const hight_tables *t, hight_vec x[8], const hight_round_key key[4], unsigned at)
{
    X(1) += hight_step1(t, X(0), key[0]);
    X(3) ^= hight_step0(t, X(2), key[1]);
    X(5) += hight_step1(t, X(4), key[2]);
    X(7) ^= hight_step0(t, X(6), key[3]);
}

/* From round number `from`, 0 or 8, on. */
INLINE void hight_encrypt_rounds(const hight_round_keys *keys, const hight_tables *t, hight_vec x[][8], unsigned sets,
                                 unsigned from)
{
    const hight_round_key *key = keys->subkeys + 4 * from, *end = keys->subkeys + 128;
    for (; key != end; key += 32) {
        RUNNEL_UNROLL
        for (unsigned r = 0; r < 8; r++) {
            RUNNEL_UNROLL
            for (unsigned set = 0; set < sets; set++)
                hight_encrypt_round(t, x[set], key + 4 * r, (0 - r) & 7);
        }
    }
}

/* ---- blocks ---- */

INLINE size_t hight_minimum(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define UNPACK(bits, to, from, a, b, c, d)                                                                             \
    (to)[a] = vec_unpack_lo##bits((from)[c], (from)[d]), (to)[b] = vec_unpack_hi##bits((from)[c], (from)[d])

/* Register j, blocks of 8 bytes, becomes pair j of all registers, and back: transposes 8 x 8 pairs of bytes in every
 * 128 bits. */
INLINE void hight_transpose_pairs(hight_vec x[8])
{
    hight_vec y[8];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        UNPACK(16, y, x, 2 * i, 2 * i + 1, i, i + 4);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        UNPACK(16, x, y, 2 * i, 2 * i + 1, i, i + 4);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        UNPACK(16, y, x, 2 * i, 2 * i + 1, i, i + 4);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++)
        x[i] = y[i];
}

/* Byte i of up to LANES blocks in x[i]. */
INLINE void hight_get_blocks(hight_vec x[8], const uint8_t *in, size_t nblocks)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const size_t first = REGISTER_BLOCKS * i;
        x[i] = nblocks > first
                   ? vec_order_pairs(hight_vec_get(in + 8 * first, hight_minimum(nblocks - first, REGISTER_BLOCKS)))
                   : vec_broadcast(0);
    }
    hight_transpose_pairs(x);
}

/* Of register number `i` what is among the nblocks blocks, with in added unless it is NULL; the block after them to
 * leftover unless that is NULL. Returns 0 where the blocks end. */
INLINE int hight_put_register(uint8_t *out, const uint8_t *in, hight_vec v, unsigned i, size_t nblocks,
                              uint8_t *leftover)
{
    const size_t first = REGISTER_BLOCKS * i, n = hight_minimum(nblocks - first, REGISTER_BLOCKS);
    if (n > 0)
        hight_vec_put(out + 8 * first, in != NULL ? v ^ hight_vec_get(in + 8 * first, n) : v, n);
    if (n == REGISTER_BLOCKS)
        return 1;
    if (leftover != NULL)
        _mm_storel_epi64((void *)leftover, hight_vec_block(v, n));
    return 0;
}

/* The inverse, with in added unless it is NULL. The block after the nblocks goes to leftover, as it is, unless leftover
 * is NULL. */
INLINE void hight_put_blocks(uint8_t *out, const uint8_t *in, const hight_vec x[8], size_t nblocks, uint8_t *leftover)
{
    hight_vec y[8], z[8];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        UNPACK(8, y, x, i, i + 4, 2 * i, 2 * i + 1); /* pairs of bytes of the first and of the last lanes */
    RUNNEL_UNROLL
    for (unsigned half = 0; half < 8; half += 4) {
        UNPACK(16, z, y, half, half + 1, half, half + 1);
        UNPACK(16, z, y, half + 2, half + 3, half + 2, half + 3);
    }
    RUNNEL_UNROLL
    for (unsigned half = 0; half < 8; half += 4) {
        UNPACK(32, y, z, half, half + 1, half, half + 2);
        UNPACK(32, y, z, half + 2, half + 3, half + 1, half + 3);
    }
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++)
        if (!hight_put_register(out, in, y[i], i, nblocks, leftover))
            return;
}

INLINE void hight_whiten_first(const hight_round_keys *keys, hight_vec x[8])
{
    x[0] += vec_key(keys->whitening[0]);
    x[2] ^= vec_key(keys->whitening[1]);
    x[4] += vec_key(keys->whitening[2]);
    x[6] ^= vec_key(keys->whitening[3]);
}

/* The last round moves nothing: relative to these places, seven bytes have moved back. */
INLINE void hight_whiten_last(const hight_round_keys *keys, hight_vec x[8])
{
    const hight_vec first = x[0];
    x[0] = x[1] + vec_key(keys->whitening[4]);
    x[1] = x[2];
    x[2] = x[3] ^ vec_key(keys->whitening[5]);
    x[3] = x[4];
    x[4] = x[5] + vec_key(keys->whitening[6]);
    x[5] = x[6];
    x[6] = x[7] ^ vec_key(keys->whitening[7]);
    x[7] = first;
}

/* ---- counter mode ---- */

/* The counter blocks from `counter` on; `block` gives the other bytes. */
INLINE void hight_count(hight_vec x[8], const uint8_t *block, uint32_t counter)
{
    const uint32_t last = counter + LANES - 1; /* carries past the call's last block do not matter */
    const hight_vec low = vec_broadcast((uint8_t)counter);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        x[i] = vec_broadcast(block[i]);
    x[7] = low + hight_vec_lane_numbers();
    const hight_vec before_carry = (hight_vec)(x[7] >= low);
    RUNNEL_UNROLL
    for (unsigned i = 1; i < 4; i++)
        x[7 - i] = (vec_broadcast((uint8_t)(counter >> 8 * i)) & before_carry) |
                   (vec_broadcast((uint8_t)(last >> 8 * i)) & ~before_carry);
}

/* Values common to 256 blocks of which only the last byte differs. From round 0 on each byte is the same in all of them
 * until the change in byte 7 reaches it; this holds each byte at that moment, and what is added to byte 7 in rounds 0,
 * 2, 4 and 6. So 12 of the first 28 steps are computed once, and four more become an addition. */
typedef struct hight_shared {
    hight_vec x[7], to_x7[4];
} hight_shared;

INLINE hight_shared hight_share(const hight_round_keys *keys, const hight_tables *t, const uint8_t *block,
                                uint32_t counter)
{
    const hight_round_key *key = keys->subkeys;
    hight_shared s;
    hight_vec x[8];
    hight_count(x, block, counter & ~(uint32_t)255);
    hight_whiten_first(keys, x);
    s.x[0] = x[0]; /* round 0 */
    s.x[1] = x[1] + hight_step1(t, x[0], key[0]);
    x[3] ^= hight_step0(t, x[2], key[1]);
    x[5] += hight_step1(t, x[4], key[2]);
    s.to_x7[0] = hight_step0(t, x[6], key[3]);
    s.x[2] = x[2] ^ hight_step0(t, s.x[1], key[5]); /* 1 */
    x[4] += hight_step1(t, x[3], key[6]);
    x[6] ^= hight_step0(t, x[5], key[7]);
    s.to_x7[1] = hight_step1(t, x[6], key[8]); /* 2 */
    s.x[3] = x[3] + hight_step1(t, s.x[2], key[10]);
    x[5] ^= hight_step0(t, x[4], key[11]);
    x[6] += hight_step1(t, x[5], key[12]); /* 3 */
    s.x[4] = x[4] ^ hight_step0(t, s.x[3], key[15]);
    s.x[5] = x[5] + hight_step1(t, s.x[4], key[16]); /* 4 */
    s.to_x7[2] = hight_step0(t, x[6], key[17]);
    s.x[6] = x[6] ^ hight_step0(t, s.x[5], key[21]); /* 5 */
    s.to_x7[3] = hight_step1(t, s.x[6], key[26]);    /* 6 */
    return s;
}

/* Rounds 0 to 7 for the blocks whose last bytes are x7. */
INLINE void hight_first_rounds(const hight_round_keys *keys, const hight_tables *t, const hight_shared *same,
                               hight_vec x7, hight_vec x[8])
{
    const hight_round_key *key = keys->subkeys;
    x7 ^= same->to_x7[0];
    x[0] = same->x[0] + hight_step1(t, x7, key[4]); /* 1 */
    x7 += same->to_x7[1];                           /* 2 */
    x[1] = same->x[1] ^ hight_step0(t, x[0], key[9]);
    x[0] ^= hight_step0(t, x7, key[13]); /* 3 */
    x[2] = same->x[2] + hight_step1(t, x[1], key[14]);
    x7 ^= same->to_x7[2]; /* 4 */
    x[1] += hight_step1(t, x[0], key[18]);
    x[3] = same->x[3] ^ hight_step0(t, x[2], key[19]);
    x[4] = same->x[4] + hight_step1(t, x[3], key[20]); /* 5 */
    x[0] += hight_step1(t, x7, key[22]);
    x[2] ^= hight_step0(t, x[1], key[23]);
    x[3] += hight_step1(t, x[2], key[24]); /* 6 */
    x[5] = same->x[5] ^ hight_step0(t, x[4], key[25]);
    x7 += same->to_x7[3];
    x[1] ^= hight_step0(t, x[0], key[27]);
    x[6] = same->x[6];
    x[7] = x7;
    hight_encrypt_round(t, x, key + 28, 1);
}

/* Up to sets * LANES blocks; same is NULL, or what they share with others. */
INLINE void hight_xor_sets(const hight_round_keys *keys, const hight_tables *t, const hight_shared *same, unsigned sets,
                           const uint8_t *block, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks,
                           uint8_t *leftover)
{
    hight_vec x[SETS][8];
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++, counter += LANES)
        if (same != NULL) {
            hight_first_rounds(keys, t, same, vec_broadcast((uint8_t)counter) + hight_vec_lane_numbers(), x[s]);
        } else {
            hight_count(x[s], block, counter);
            hight_whiten_first(keys, x[s]);
        }
    hight_encrypt_rounds(keys, t, x, sets, same != NULL ? 8 : 0);
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++) {
        const size_t n = hight_minimum(nblocks, LANES);
        hight_whiten_last(keys, x[s]);
        hight_put_blocks(out + 8 * LANES * s, in == NULL ? NULL : in + 8 * LANES * s, x[s], n, leftover);
        if (n < LANES)
            return;
        nblocks -= n;
    }
}
