/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128AEADv2 for 8-bit AVR, in the place of portable.h: registers and MAC are in assembly (fast_steps.S), the registers
 * as Grain-128 has them. A piece of a message goes through both in turn, since neither leaves the other room. */
#ifndef GRAIN128AEAD_AVR_REGISTERS_H
#define GRAIN128AEAD_AVR_REGISTERS_H

#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "ciphers/grain128/avr/state.h"
#include "grain128aead.h"

#define KERNEL "avr"
#define CITATION "eight clocks at once, taps with the same shift together"

enum { GRAIN128AEAD_KEY = 16, GRAIN128AEAD_NONCE = 12, GRAIN128AEAD_PIECE = 16 };

_Static_assert(sizeof(grain128_avr_state) == sizeof((runnel_grain128aead *)0)->registers,
               "the header has room for the state");
RUNNEL_CHECK_OFFSET(runnel_grain128aead, shift, offsetof(runnel_grain128aead, sum) + 8);

/* Eight clocks a byte, in which the output goes back into the registers. */
void runnel_grain128aead_avr_clock(grain128_avr_state *s, uint8_t *unused, const uint8_t *unused_too, size_t bytes);
/* The output of eight clocks a byte. */
void runnel_grain128aead_avr_xor(grain128_avr_state *s, uint8_t *out, const uint8_t *unused, size_t bytes);

/* The MAC's part for 1 to 255 bytes at `in`, 2 * bytes bytes of output being at `output`. */
enum { GRAIN128AEAD_AUTHENTICATE = 0, GRAIN128AEAD_ENCRYPT = 1, GRAIN128AEAD_DECRYPT = 3 };
void runnel_grain128aead_avr_mac(uint64_t *sum_and_shift, const uint8_t *output, uint8_t *out, const uint8_t *in,
                                 uint8_t bytes, uint8_t use);

static void grain128aead_begin(runnel_grain128aead *c, const uint8_t *nonce)
{
    grain128_avr_state *now = (void *)c->registers;
    const uint8_t *key = (const uint8_t *)c->key;
    memcpy(now->b, key, GRAIN128AEAD_KEY);
    memcpy(now->s, nonce, GRAIN128AEAD_NONCE);
    memset(now->s + GRAIN128AEAD_NONCE, 0xff, 3);
    now->s[15] = 0x7f;
    grain128_avr_begin(now);
    runnel_grain128aead_avr_clock(now, NULL, NULL, 320 / 8);
    for (uint8_t done = 0, n; done < 8; done += n) { /* three new bytes are out of reach of all taps */
        n = done < 6 ? 3 : 2;
        runnel_grain128aead_avr_clock(now, NULL, NULL, n);
        runnel_xor_bytes(now->b + 16 - n, now->b + 16 - n, key + done, n);
        runnel_xor_bytes(now->s + 16 - n, now->s + 16 - n, key + 8 + done, n);
    }
    runnel_grain128aead_avr_xor(now, (uint8_t *)&c->sum, NULL, 16); /* and shift */
}

static void grain128aead_process(runnel_grain128aead *c, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t use)
{
    uint8_t output[2 * GRAIN128AEAD_PIECE];
    while (bytes > 0) {
        const uint8_t n = bytes < GRAIN128AEAD_PIECE ? (uint8_t)bytes : GRAIN128AEAD_PIECE;
        runnel_grain128aead_avr_xor((void *)c->registers, output, NULL, 2u * n);
        runnel_grain128aead_avr_mac(&c->sum, output, out, in, n, use);
        in += n;
        out += n;
        bytes -= n;
    }
    runnel_wipe(output, sizeof output);
}

static void grain128aead_authenticate(runnel_grain128aead *c, const uint8_t *data, size_t bytes)
{
    grain128aead_process(c, NULL, data, bytes, GRAIN128AEAD_AUTHENTICATE);
}

static void grain128aead_encrypt_or_decrypt(runnel_grain128aead *c, uint8_t *out, const uint8_t *in, size_t bytes,
                                            int decrypt)
{
    grain128aead_process(c, out, in, bytes, decrypt ? GRAIN128AEAD_DECRYPT : GRAIN128AEAD_ENCRYPT);
}

#endif
