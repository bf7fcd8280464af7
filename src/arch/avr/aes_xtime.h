/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES a byte at a time, as the sensor-node paper (3.1) implements it for LEX and AES-CFB: the S-box, and tables of twice
 * and of three times a byte in GF(2^8), 256 bytes each, in RAM. Secrets index the tables. */
#ifndef AVR_AES_XTIME_H
#define AVR_AES_XTIME_H

#include <stdint.h>

#include "arch/common/aes_s_box.h"

#define XTIME(x) ((uint8_t)((x) << 1) ^ ((x) >> 7) * 0x1b)
#define TIMES_2(x) (uint8_t)(XTIME(x)),
#define TIMES_3(x) (uint8_t)(XTIME(x) ^ (x)),
#define BYTE(s) 0x##s,
#define FROM_4(w, x) w(x) w(x + 1) w(x + 2) w(x + 3)
#define FROM_16(w, x) FROM_4(w, x) FROM_4(w, x + 4) FROM_4(w, x + 8) FROM_4(w, x + 12)
#define FROM_64(w, x) FROM_16(w, x) FROM_16(w, x + 16) FROM_16(w, x + 32) FROM_16(w, x + 48)
#define ALL_BYTES(w) FROM_64(w, 0) FROM_64(w, 64) FROM_64(w, 128) FROM_64(w, 192)

static const uint8_t aes_xtime_s_box[256] = {RUNNEL_AES_S_BOX(BYTE)};
static const uint8_t aes_xtime_times_2[256] = {ALL_BYTES(TIMES_2)};
static const uint8_t aes_xtime_times_3[256] = {ALL_BYTES(TIMES_3)};

static inline void aes_xtime_sub_word(uint8_t w[4])
{
    w[0] = aes_xtime_s_box[w[0]];
    w[1] = aes_xtime_s_box[w[1]];
    w[2] = aes_xtime_s_box[w[2]];
    w[3] = aes_xtime_s_box[w[3]];
}

/* SubBytes, ShiftRows and AddRoundKey; to may not be from. */
static inline void aes_xtime_final_round(uint8_t to[16], const uint8_t from[16], const uint8_t key[16])
{
    for (uint8_t i = 0; i < 16; i++)
        to[i] = aes_xtime_s_box[from[(i + i % 4 * 4) % 16]] ^ key[i];
}

/* SubBytes of a to d, which ShiftRows brings into one column, MixColumns and AddRoundKey. */
static inline void aes_xtime_mixed_column(uint8_t to[4], uint8_t a, uint8_t b, uint8_t c, uint8_t d,
                                          const uint8_t key[4])
{
    const uint8_t s = aes_xtime_s_box[a], t = aes_xtime_s_box[b], u = aes_xtime_s_box[c], v = aes_xtime_s_box[d];
    to[0] = aes_xtime_times_2[s] ^ aes_xtime_times_3[t] ^ u ^ v ^ key[0];
    to[1] = s ^ aes_xtime_times_2[t] ^ aes_xtime_times_3[u] ^ v ^ key[1];
    to[2] = s ^ t ^ aes_xtime_times_2[u] ^ aes_xtime_times_3[v] ^ key[2];
    to[3] = aes_xtime_times_3[s] ^ t ^ u ^ aes_xtime_times_2[v] ^ key[3];
}

/* A round of AES; to may not be from. */
static inline void aes_xtime_full_round(uint8_t to[16], const uint8_t from[16], const uint8_t key[16])
{
    aes_xtime_mixed_column(to, from[0], from[5], from[10], from[15], key);
    aes_xtime_mixed_column(to + 4, from[4], from[9], from[14], from[3], key + 4);
    aes_xtime_mixed_column(to + 8, from[8], from[13], from[2], from[7], key + 8);
    aes_xtime_mixed_column(to + 12, from[12], from[1], from[6], from[11], key + 12);
}

#endif
