/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "sensor.h"

#include <string.h>

#include "runnel.h"

/* A device has a key of its own from its maker, and never seals twice under one nonce: here it is the device's address and
 * a counter. */
static const uint8_t key[32] = "sixteen bytes...and sixteen more";
static const uint8_t nonce[16] = {0x00, 0x12, 0x4b, 0x00, 0x06, 0x0d, 0xb5, 0x6f, 0, 0, 0, 1};
static const uint8_t header[] = {'n', 'o', 'd', 'e', ' ', '7'}; /* goes in the clear, and is authenticated */
static const uint8_t reading[] = "21.5 C, 48 %";

enum { READING = sizeof reading - 1, TAG = 16 };

static void put_bytes(const uint8_t *p, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    char text[3] = "";
    for (; n > 0; n--, p++) {
        text[0] = digits[*p >> 4];
        text[1] = digits[*p & 15];
        put(text);
    }
    put("\n");
}

/* The part of all three after the key is set. */
#define SEAL_AND_OPEN(family, nonce_bytes, tag_bytes)                                                                  \
    static int use_##family(runnel_##family *c)                                                                        \
    {                                                                                                                  \
        uint8_t packet[READING + TAG], opened[READING];                                                                \
        int error = runnel_##family##_seal(c, nonce, nonce_bytes, header, sizeof header, packet, reading, READING,     \
                                           packet + READING, tag_bytes);                                               \
        if (error)                                                                                                     \
            return 1;                                                                                                  \
        put(#family " ");                                                                                              \
        put_bytes(packet, READING + (tag_bytes));                                                                      \
        error = runnel_##family##_open(c, nonce, nonce_bytes, header, sizeof header, opened, packet, READING,          \
                                       packet + READING, tag_bytes);                                                   \
        if (error || memcmp(opened, reading, READING) != 0)                                                            \
            return 2;                                                                                                  \
        packet[3] ^= 1;                                                                                                \
        error = runnel_##family##_open(c, nonce, nonce_bytes, header, sizeof header, opened, packet, READING,          \
                                       packet + READING, tag_bytes);                                                   \
        runnel_##family##_wipe(c);                                                                                     \
        return error == RUNNEL_ERR_TAG && opened[0] == 0 ? 0 : 3;                                                      \
    }

SEAL_AND_OPEN(aes_ccm, 13, 8)
SEAL_AND_OPEN(ascon_aead128, 16, 16)
SEAL_AND_OPEN(chacha20_poly1305, 12, 16)

static union {
    runnel_aes_ccm ccm;
    runnel_ascon_aead128 ascon;
    runnel_chacha20_poly1305 chacha;
} context;

int sensor(void)
{
    if (runnel_aes_ccm_key(&context.ccm, key, 16) || use_aes_ccm(&context.ccm))
        return 1;
    if (runnel_ascon_aead128_key(&context.ascon, key, 16) || use_ascon_aead128(&context.ascon))
        return 2;
    if (runnel_chacha20_poly1305_key(&context.chacha, key, 32) || use_chacha20_poly1305(&context.chacha))
        return 3;
    put("all opened, all copies refused\n");
    return 0;
}
