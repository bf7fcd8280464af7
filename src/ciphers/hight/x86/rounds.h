/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on vectors of bytes, for x86-64: a register has one byte of LANES blocks. F0 and F1 are linear, so each is the
 * XOR of two look-ups of a nibble in a register. In a round no byte moves; its place in the round does.
 *
 * The includer defines TARGET, INLINE, vec (a vector of bytes with the operators of C), LANES, vec_broadcast,
 * vec_broadcast32, vec_repeat (16 bytes in every 128 bits), vec_lookup, vec_shift4 (right; bits of the next byte come
 * in), vec_halves (a byte in the first half, another in the second), vec_turn (exchanges the halves),
 * vec_lane_numbers, vec_few_numbers (0, 1 … in each half), vec_order_pairs (bytes 0, 8, 1, 9 … 7, 15 of every 128
 * bits), vec_unpack_lo8 … vec_unpack_hi32, vec_get and vec_put, for a register of up to LANES / 8 whole blocks, and
 * get_few and put_few for half as many blocks as LANES: x[i] has byte i of them in its first half and byte i + 4 in
 * its second. */

#define REGISTER_BLOCKS (LANES / 8)
#define FEW (LANES / 2) /* blocks that need half of the registers only */

#define ROTL8(x, n) ((x) << (n) | (x) >> (8 - (n)))
#define F0(x) ((ROTL8(x, 1) ^ ROTL8(x, 2) ^ ROTL8(x, 7)) & 255)
#define F1(x) ((ROTL8(x, 3) ^ ROTL8(x, 4) ^ ROTL8(x, 6)) & 255)
#define SIXTEEN(f, unit)                                                                                               \
    {f(0 * unit), f(1 * unit), f(2 * unit),  f(3 * unit),  f(4 * unit),  f(5 * unit),  f(6 * unit),  f(7 * unit),      \
     f(8 * unit), f(9 * unit), f(10 * unit), f(11 * unit), f(12 * unit), f(13 * unit), f(14 * unit), f(15 * unit)}

typedef struct tables {
    vec f0[2], f1[2]; /* for the low and for the high nibble */
} tables;

INLINE tables get_tables(void)
{
    static const uint8_t values[4][16] = {SIXTEEN(F0, 1), SIXTEEN(F0, 16), SIXTEEN(F1, 1), SIXTEEN(F1, 16)};
    return (tables){{vec_repeat(values[0]), vec_repeat(values[1])}, {vec_repeat(values[2]), vec_repeat(values[3])}};
}

INLINE vec look_up(const vec table[2], vec x)
{
    const vec nibble = vec_broadcast(0x0f);
    return vec_lookup(table[0], x & nibble) ^ vec_lookup(table[1], vec_shift4(x) & nibble);
}

/* The two kinds of step: what a byte's neighbour adds to it. */
INLINE vec step0(const tables *t, vec x, uint8_t key)
{
    return look_up(t->f0, x) + vec_broadcast(key);
}

INLINE vec step1(const tables *t, vec x, uint8_t key)
{
    return look_up(t->f1, x) ^ vec_broadcast(key);
}

#define X(i) x[((i) + at) & 7]

/* The round in which the first byte is x[at]. */
INLINE void encrypt_round(const tables *t, vec x[8], const uint8_t key[4], unsigned at)
{
    X(1) += step1(t, X(0), key[0]);
    X(3) ^= step0(t, X(2), key[1]);
    X(5) += step1(t, X(4), key[2]);
    X(7) ^= step0(t, X(6), key[3]);
}

/* From round number `from`, 0 or 8, on. */
INLINE void encrypt_rounds(const runnel_hight_schedule *schedule, const tables *t, vec x[8], unsigned from)
{
    const uint8_t *key = schedule->subkeys + 4 * from, *end = schedule->subkeys + 128;
    for (; key != end; key += 32) {
        RUNNEL_UNROLL
        for (unsigned r = 0; r < 8; r++)
            encrypt_round(t, x, key + 4 * r, (0 - r) & 7);
    }
}

/* ---- blocks ---- */

INLINE size_t minimum(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define UNPACK(bits, to, from, a, b, c, d)                                                                             \
    (to)[a] = vec_unpack_lo##bits((from)[c], (from)[d]), (to)[b] = vec_unpack_hi##bits((from)[c], (from)[d])

/* Register j, blocks of 8 bytes, becomes pair j of all registers, and back: transposes 8 x 8 pairs of bytes in every
 * 128 bits. */
INLINE void transpose_pairs(vec x[8])
{
    vec y[8];
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
INLINE void get_blocks(vec x[8], const uint8_t *in, size_t nblocks)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const size_t first = REGISTER_BLOCKS * i;
        x[i] = nblocks > first ? vec_order_pairs(vec_get(in + 8 * first, minimum(nblocks - first, REGISTER_BLOCKS)))
                               : vec_broadcast(0);
    }
    transpose_pairs(x);
}

/* The inverse, with in added unless it is NULL. */
INLINE void put_blocks(uint8_t *out, const uint8_t *in, const vec x[8], size_t nblocks)
{
    vec y[8], z[8];
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
    for (unsigned i = 0; i < 8; i++) {
        const size_t first = REGISTER_BLOCKS * i;
        if (nblocks <= first)
            return;
        const size_t n = minimum(nblocks - first, REGISTER_BLOCKS);
        if (in != NULL)
            y[i] ^= vec_get(in + 8 * first, n);
        vec_put(out + 8 * first, y[i], n);
    }
}

INLINE void whiten_first(const runnel_hight_schedule *schedule, vec x[8])
{
    x[0] += vec_broadcast(schedule->whitening[0]);
    x[2] ^= vec_broadcast(schedule->whitening[1]);
    x[4] += vec_broadcast(schedule->whitening[2]);
    x[6] ^= vec_broadcast(schedule->whitening[3]);
}

/* The last round moves nothing: relative to these places, seven bytes have moved back. */
INLINE void whiten_last(const runnel_hight_schedule *schedule, vec x[8])
{
    const vec first = x[0];
    x[0] = x[1] + vec_broadcast(schedule->whitening[4]);
    x[1] = x[2];
    x[2] = x[3] ^ vec_broadcast(schedule->whitening[5]);
    x[3] = x[4];
    x[4] = x[5] + vec_broadcast(schedule->whitening[6]);
    x[5] = x[6];
    x[6] = x[7] ^ vec_broadcast(schedule->whitening[7]);
    x[7] = first;
}

/* ---- up to FEW blocks, in half of the registers ---- */

/* Of bytes i and i + 4, which share a register, a round looks up both in F1 or both in F0: it has 17 instructions, as
 * many as the processor executes during the latency between two rounds anyway. Rounds pair the last register with the
 * first, and then its halves with the other halves, so one register per round is turned: the one whose bytes have been
 * ready longest, so that nothing waits for it. */

/* One round; bytes 0 and 4 of the round are in *a, or turned 4 and 0, and so on. */
INLINE void few_round(const tables *t, const vec *a, vec *b, const vec *c, vec *d, const uint8_t *key, int ab_turned,
                      int cd_turned)
{
    uint32_t keys;
    memcpy(&keys, key, sizeof keys);
    const vec k = vec_broadcast32(keys);
    *b += look_up(t->f1, *a) ^ vec_lookup(k, ab_turned ? vec_halves(2, 0) : vec_halves(0, 2));
    *d ^= look_up(t->f0, *c) + vec_lookup(k, cd_turned ? vec_halves(3, 1) : vec_halves(1, 3));
}

/* With whitening; x[3] comes turned. */
INLINE void few_rounds(const runnel_hight_schedule *schedule, const tables *t, vec x[4])
{
    const uint8_t *whitening = schedule->whitening;
    vec a = x[0] + vec_halves(whitening[0], whitening[2]), b = x[1];
    vec c = x[2] ^ vec_halves(whitening[1], whitening[3]), d = x[3];
    for (unsigned i = 0; i < 128; i += 16) {
        const uint8_t *key = schedule->subkeys + i;
        d = vec_turn(d);
        few_round(t, &a, &b, &c, &d, key, 0, 0);
        a = vec_turn(a);
        few_round(t, &d, &a, &b, &c, key + 4, 1, 0);
        b = vec_turn(b);
        few_round(t, &c, &d, &a, &b, key + 8, 1, 1);
        c = vec_turn(c);
        few_round(t, &b, &c, &d, &a, key + 12, 0, 1);
    }
    x[0] = b + vec_halves(whitening[4], whitening[6]);
    x[1] = c;
    x[2] = vec_turn(d) ^ vec_halves(whitening[5], whitening[7]);
    x[3] = vec_turn(a);
}

INLINE void encrypt_few(const runnel_hight_schedule *schedule, const tables *t, uint8_t *out, const uint8_t *in,
                        size_t nblocks)
{
    vec x[4];
    get_few(x, in, nblocks);
    x[3] = vec_turn(x[3]);
    few_rounds(schedule, t, x);
    put_few(out, NULL, x, nblocks);
}

TARGET static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const tables t = get_tables();
    for (; nblocks > FEW; in += 8 * LANES, out += 8 * LANES) {
        const size_t n = minimum(nblocks, LANES);
        vec x[8];
        get_blocks(x, in, n);
        whiten_first(schedule, x);
        encrypt_rounds(schedule, &t, x, 0);
        whiten_last(schedule, x);
        put_blocks(out, NULL, x, n);
        nblocks -= n;
    }
    if (nblocks > 0)
        encrypt_few(schedule, &t, out, in, nblocks);
}

/* ---- counter mode ---- */

/* The counter blocks from `counter` on; `block` gives the other bytes. */
INLINE void count(vec x[8], const uint8_t *block, uint32_t counter)
{
    const uint32_t last = counter + LANES - 1; /* carries past the call's last block do not matter */
    const vec low = vec_broadcast((uint8_t)counter);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        x[i] = vec_broadcast(block[i]);
    x[7] = low + vec_lane_numbers();
    const vec before_carry = (vec)(x[7] >= low);
    RUNNEL_UNROLL
    for (unsigned i = 1; i < 4; i++)
        x[7 - i] = (vec_broadcast((uint8_t)(counter >> 8 * i)) & before_carry) |
                   (vec_broadcast((uint8_t)(last >> 8 * i)) & ~before_carry);
}

INLINE void xor_few(const runnel_hight_schedule *schedule, const tables *t, const uint8_t *block, uint32_t counter,
                    uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint32_t last = counter + FEW - 1; /* as above */
    const vec low = vec_broadcast((uint8_t)counter), lanes = low + vec_few_numbers();
    const vec before_carry = (vec)(lanes >= low), second_half = vec_halves(0, 255);
    vec x[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 3; i++) {
        const vec early = vec_halves(block[i], (uint8_t)(counter >> (24 - 8 * i)));
        const vec late = vec_halves(block[i], (uint8_t)(last >> (24 - 8 * i)));
        x[i] = (early & before_carry) | (late & ~before_carry);
    }
    x[3] = vec_turn((lanes & second_half) | (vec_broadcast(block[3]) & ~second_half));
    few_rounds(schedule, t, x);
    put_few(out, in, x, nblocks);
}

/* What 256 blocks share of which only the last byte differs. From round 0 on each byte is the same in all of them
 * until the change in byte 7 reaches it; this holds each byte at that moment, and what is added to byte 7 in rounds 0,
 * 2, 4 and 6. So 12 of the first 28 steps are computed once, and four more become an addition. */
typedef struct shared {
    vec x[7], to_x7[4];
} shared;

INLINE shared share(const runnel_hight_schedule *schedule, const tables *t, const uint8_t *block, uint32_t counter)
{
    const uint8_t *key = schedule->subkeys;
    shared s;
    vec x[8];
    count(x, block, counter & ~(uint32_t)255);
    whiten_first(schedule, x);
    s.x[0] = x[0]; /* round 0 */
    s.x[1] = x[1] + step1(t, x[0], key[0]);
    x[3] ^= step0(t, x[2], key[1]);
    x[5] += step1(t, x[4], key[2]);
    s.to_x7[0] = step0(t, x[6], key[3]);
    s.x[2] = x[2] ^ step0(t, s.x[1], key[5]); /* 1 */
    x[4] += step1(t, x[3], key[6]);
    x[6] ^= step0(t, x[5], key[7]);
    s.to_x7[1] = step1(t, x[6], key[8]); /* 2 */
    s.x[3] = x[3] + step1(t, s.x[2], key[10]);
    x[5] ^= step0(t, x[4], key[11]);
    x[6] += step1(t, x[5], key[12]); /* 3 */
    s.x[4] = x[4] ^ step0(t, s.x[3], key[15]);
    s.x[5] = x[5] + step1(t, s.x[4], key[16]); /* 4 */
    s.to_x7[2] = step0(t, x[6], key[17]);
    s.x[6] = x[6] ^ step0(t, s.x[5], key[21]); /* 5 */
    s.to_x7[3] = step1(t, s.x[6], key[26]);    /* 6 */
    return s;
}

/* Rounds 0 to 7 for the blocks whose last bytes are x7. */
INLINE void first_rounds(const runnel_hight_schedule *schedule, const tables *t, const shared *same, vec x7, vec x[8])
{
    const uint8_t *key = schedule->subkeys;
    x7 ^= same->to_x7[0];
    x[0] = same->x[0] + step1(t, x7, key[4]); /* 1 */
    x7 += same->to_x7[1];                     /* 2 */
    x[1] = same->x[1] ^ step0(t, x[0], key[9]);
    x[0] ^= step0(t, x7, key[13]); /* 3 */
    x[2] = same->x[2] + step1(t, x[1], key[14]);
    x7 ^= same->to_x7[2]; /* 4 */
    x[1] += step1(t, x[0], key[18]);
    x[3] = same->x[3] ^ step0(t, x[2], key[19]);
    x[4] = same->x[4] + step1(t, x[3], key[20]); /* 5 */
    x[0] += step1(t, x7, key[22]);
    x[2] ^= step0(t, x[1], key[23]);
    x[3] += step1(t, x[2], key[24]); /* 6 */
    x[5] = same->x[5] ^ step0(t, x[4], key[25]);
    x7 += same->to_x7[3];
    x[1] ^= step0(t, x[0], key[27]);
    x[6] = same->x[6];
    x[7] = x7;
    encrypt_round(t, x, key + 28, 1);
}

INLINE void xor_batch(const runnel_hight_schedule *schedule, const tables *t, vec x[8], unsigned from, uint8_t *out,
                      const uint8_t *in, size_t nblocks)
{
    encrypt_rounds(schedule, t, x, from);
    whiten_last(schedule, x);
    put_blocks(out, in, x, nblocks);
}

TARGET static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                         size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const tables t = get_tables();
    uint32_t counter = runnel_load32be(block + 4);
    shared same;
    int shares = 0, ever = 0; /* whether `same` belongs to the counter's run of 256 blocks, or to any run */
    (void)prefix;
    for (; nblocks > 0; counter += LANES) {
        const size_t n = minimum(nblocks, LANES);
        const int carries = (counter & 255) + LANES > 256;
        vec x[8];
        if (nblocks <= FEW) {
            xor_few(schedule, &t, block, counter, out, in, nblocks);
            break;
        }
        if (carries || (!shares && nblocks <= LANES)) { /* or there is nothing to share it with */
            count(x, block, counter);
            whiten_first(schedule, x);
            xor_batch(schedule, &t, x, 0, out, in, n);
            shares = 0;
        } else {
            if (!shares)
                same = share(schedule, &t, block, counter);
            first_rounds(schedule, &t, &same, vec_broadcast((uint8_t)counter) + vec_lane_numbers(), x);
            xor_batch(schedule, &t, x, 8, out, in, n);
            shares = (counter & 255) + LANES < 256;
            ever = 1;
        }
        nblocks -= n;
        out += 8 * LANES;
        if (in != NULL)
            in += 8 * LANES;
    }
    if (ever)
        runnel_wipe(&same, sizeof same);
}

/* ---- decryption ---- */

#if RUNNEL_DECRYPT
INLINE void decrypt_round(const tables *t, vec x[8], const uint8_t key[4], unsigned at)
{
    X(1) -= step1(t, X(0), key[0]);
    X(3) ^= step0(t, X(2), key[1]);
    X(5) -= step1(t, X(4), key[2]);
    X(7) ^= step0(t, X(6), key[3]);
}

TARGET static void decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const tables t = get_tables();
    for (;; in += 8 * LANES, out += 8 * LANES) {
        const size_t n = minimum(nblocks, LANES);
        const uint8_t *key = schedule->subkeys + 128;
        vec x[8], y[8];
        get_blocks(y, in, n);
        x[0] = y[7];
        x[1] = y[0] - vec_broadcast(schedule->whitening[4]);
        x[2] = y[1];
        x[3] = y[2] ^ vec_broadcast(schedule->whitening[5]);
        x[4] = y[3];
        x[5] = y[4] - vec_broadcast(schedule->whitening[6]);
        x[6] = y[5];
        x[7] = y[6] ^ vec_broadcast(schedule->whitening[7]);
        while (key != schedule->subkeys) {
            key -= 32;
            RUNNEL_UNROLL
            for (unsigned at = 1; at <= 8; at++)
                decrypt_round(&t, x, key + 4 * (8 - at), at & 7);
        }
        x[0] -= vec_broadcast(schedule->whitening[0]);
        x[2] ^= vec_broadcast(schedule->whitening[1]);
        x[4] -= vec_broadcast(schedule->whitening[2]);
        x[6] ^= vec_broadcast(schedule->whitening[3]);
        put_blocks(out, NULL, x, n);
        nblocks -= n;
        if (nblocks == 0)
            return;
    }
}
#endif

#undef X
