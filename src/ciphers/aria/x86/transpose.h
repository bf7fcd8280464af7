/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From blocks to slices of bytes and back. A kernel defines vec, vec_unpack_low and vec_unpack_high (bytes, inside
 * 128-bit parts). */

/* Four of the registers of a 16 x 16 transposition inside the 128-bit parts, which is this twice for i = 0 … 3. */
INLINE void aria_transpose_part(aria_vec to[4], const aria_vec *x, const int i)
{
    const aria_vec a = vec_unpack_low(x[i], x[i + 8]), b = vec_unpack_high(x[i], x[i + 8]);
    const aria_vec c = vec_unpack_low(x[i + 4], x[i + 12]), d = vec_unpack_high(x[i + 4], x[i + 12]);
    to[0] = vec_unpack_low(a, c);
    to[1] = vec_unpack_high(a, c);
    to[2] = vec_unpack_low(b, d);
    to[3] = vec_unpack_high(b, d);
}

INLINE void aria_transpose_half(aria_vec to[16], const aria_vec from[16])
{
    UNROLL
    for (int i = 0; i < 4; i++)
        aria_transpose_part(to + 4 * i, from, i);
}
