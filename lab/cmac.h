/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CMAC (SP 800-38B) over any block cipher of the library, blocks of 8 bytes among them, for lab/compose.c. The library's
 * own is over AES alone. Built with what compose.h lists. */
#ifndef LAB_CMAC_H
#define LAB_CMAC_H

#include COMPOSE_BLOCK_HEADER

#define LAB_BLOCK_PASTE_(a, b, c) a##b##c
#define LAB_BLOCK_PASTE(a, b, c) LAB_BLOCK_PASTE_(a, b, c)
#define LAB_BLOCK(verb) LAB_BLOCK_PASTE(runnel_, COMPOSE_BLOCK, _blocks##verb)

typedef struct lab_cmac {
    LAB_BLOCK() cipher;
    uint8_t subkey[COMPOSE_BLOCK_BYTES]; /* for whole last blocks; doubled for others */
    uint8_t chain[COMPOSE_BLOCK_BYTES];
    uint8_t partial_block[COMPOSE_BLOCK_BYTES]; /* the last bytes, a whole block at most */
    uint8_t filled;
} lab_cmac;

int lab_cmac_key(lab_cmac *c, const uint8_t *key, size_t key_bytes);
int lab_cmac_update(lab_cmac *c, const uint8_t *data, size_t bytes);
/* 1 <= tag_bytes <= COMPOSE_BLOCK_BYTES. The next message starts. */
int lab_cmac_tag(lab_cmac *c, uint8_t *tag, size_t tag_bytes);

#endif
