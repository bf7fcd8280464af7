/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA's S-boxes by the AES instructions. With S the S-box of AES, S1 = S and S3 is its inverse; S2(x) = Q S(x) ^
 * 0x88 and S4, its inverse, is S3(Q^-1 (x ^ 0x88)) = S3(Q^-1 x ^ 0x04), Q being a matrix over GF(2). A matrix is
 * GF2P8AFFINEQB or, without it, two look-ups in a register, one a nibble. AESENCLAST and AESDECLAST also shift rows, in
 * opposite directions, and add a key.
 *
 * A kernel defines vec, vec_enc and vec_dec (AESENCLAST, AESDECLAST), what is named in tables.h, and vec_affine
 * (GF2P8AFFINEQB with a matrix of 64 bits and a constant) or vec_shift4 (16-bit parts right by 4). */

/* The bytes of a word that go through S4 in odd rounds, and in even ones. */
#define ODD_S4 aria_vec_repeat(_mm_set1_epi32((int)0xff000000))
#define EVEN_S4 aria_vec_repeat(_mm_set1_epi32(0x0000ff00))

#ifdef vec_affine
#define S2_FROM_S1(x) vec_affine(x, 0x8312f396321aa0e7, 0x88)
#define TO_S3(x) vec_affine(x, 0x8dde5822dc12cb52, 0x04)
#define P_OF(x) vec_affine(x, 0x8dde5822dc12cb52, 0)
#else
/* Q x */
#define Q_LOW                                                                                                          \
    TABLE(B(00), B(85), B(bf), B(3a), B(88), B(0d), B(37), B(b2), B(20), B(a5), B(9f), B(1a), B(a8), B(2d), B(17),     \
          B(92))
#define Q_HIGH_88 /* and ^ 0x88 */                                                                                     \
    TABLE(B(88), B(b6), B(5c), B(62), B(0c), B(32), B(d8), B(e6), B(45), B(7b), B(91), B(af), B(c1), B(ff), B(15),     \
          B(2b))

/* Q^-1 x */
#define P_LOW                                                                                                          \
    TABLE(B(00), B(41), B(ea), B(ab), B(13), B(52), B(f9), B(b8), B(57), B(16), B(bd), B(fc), B(44), B(05), B(ae),     \
          B(ef))
#define P_HIGH                                                                                                         \
    TABLE(B(00), B(b6), B(08), B(be), B(d6), B(60), B(de), B(68), B(53), B(e5), B(5b), B(ed), B(85), B(33), B(8d),     \
          B(3b))
#define P_HIGH_04 /* and ^ 0x04 */                                                                                     \
    TABLE(B(04), B(b2), B(0c), B(ba), B(d2), B(64), B(da), B(6c), B(57), B(e1), B(5f), B(e9), B(81), B(37), B(89),     \
          B(3f))

INLINE aria_vec aria_map_bytes(aria_vec x, aria_vec low, aria_vec high)
{
    const aria_vec nibbles = aria_vec_repeat(_mm_set1_epi8(0x0f));
    return vec_shuffle(low, x & nibbles) ^ vec_shuffle(high, vec_shift4(x) & nibbles);
}

#define S2_FROM_S1(x) aria_map_bytes(x, Q_LOW, Q_HIGH_88)
#define TO_S3(x) aria_map_bytes(x, P_LOW, P_HIGH_04)
#define P_OF(x) aria_map_bytes(x, P_LOW, P_HIGH)
#endif
