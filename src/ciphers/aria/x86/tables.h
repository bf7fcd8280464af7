/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tables of 16 bytes in registers. A kernel defines vec, and before it uses these aria_vec_repeat (16 bytes in every
 * 128-bit part) and vec_shuffle (bytes, inside the 128-bit parts). */

#define TABLE(...) aria_vec_repeat(_mm_setr_epi8(__VA_ARGS__))
#define LOAD_TABLE(p) aria_vec_repeat(_mm_load_si128((const void *)(p)))
#define B(x) ((char)0x##x)
#define NONE 0x80 /* in a shuffle: a zero byte */

#define round_shuffle(x, table) vec_shuffle(x, LOAD_TABLE(table))
