/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encrypt, then MAC: a cipher and a MAC of the library combined as protocols of sensor nodes do where they have no AEAD,
 * to be measured beside AEADs. It is no part of the library's interface.
 *
 * Built with
 *   COMPOSE_CIPHER_HEADER, COMPOSE_CIPHER   "rabbit.h", rabbit
 *   COMPOSE_LAYOUT      the counter layout of a cipher in counter mode; not defined: the cipher's IV takes none
 *   COMPOSE_CIPHER_KEY, COMPOSE_NONCE, COMPOSE_IV   bytes; zeros that count blocks fill the nonce up to the IV
 *   COMPOSE_MAC         LAB_POLY1305: its key is the first 32 bytes of the message's keystream
 *                       LAB_SIPHASH, LAB_CMAC: a second key of 16 bytes behind the cipher's
 *   COMPOSE_BLOCK_HEADER, COMPOSE_BLOCK     for LAB_CMAC, the block cipher below it: "hight.h", hight
 *   COMPOSE_BLOCK_BYTES 8 or 16
 *
 * The MAC covers nonce (not under Poly1305, whose key depends on it), associated data, ciphertext, and the lengths of both in
 * two bytes each, little-endian. Opening compares first: a forged packet costs no decryption. Arguments and errors are those
 * of <runnel/aead.h>; constant-time as the two parts are. */
#ifndef LAB_COMPOSE_H
#define LAB_COMPOSE_H

#define LAB_POLY1305 1
#define LAB_SIPHASH 2
#define LAB_CMAC 3

#include COMPOSE_CIPHER_HEADER

#define LAB_PASTE_(a, b, c) a##b##c
#define LAB_PASTE(a, b, c) LAB_PASTE_(a, b, c)
#define LAB_CIPHER(verb) LAB_PASTE(runnel_, COMPOSE_CIPHER, verb)

#if COMPOSE_MAC == LAB_POLY1305
#include "poly1305.h"
typedef runnel_poly1305 lab_mac;
#define LAB_MAC(verb) runnel_poly1305##verb
#elif COMPOSE_MAC == LAB_SIPHASH
#include "siphash.h"
typedef runnel_siphash lab_mac;
#define LAB_MAC(verb) runnel_siphash##verb
#else
#include "cmac.h"
typedef lab_cmac lab_mac;
#define LAB_MAC(verb) lab_cmac##verb
#endif

typedef struct lab_composed {
    LAB_CIPHER() cipher;
    lab_mac mac;
} lab_composed;

/* key: the cipher's, then the MAC's if it has one of its own. */
int lab_composed_key(lab_composed *c, const uint8_t *key, size_t key_bytes);
int lab_composed_seal(lab_composed *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                      uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes);
int lab_composed_open(lab_composed *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                      uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *tag, size_t tag_bytes);

#endif
