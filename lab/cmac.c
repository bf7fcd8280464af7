/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "compose.h"

#if COMPOSE_MAC == LAB_CMAC
#include "arch/common/bytes.h"
#include "arch/common/wipe.h"

static int encrypt(lab_cmac *c, uint8_t *block)
{
    return LAB_BLOCK(_encrypt)(&c->cipher, block, block, 1);
}

/* The product with x, by SP 800-38B's polynomial for this length of block. */
static void twice(uint8_t *block)
{
    const uint8_t top = block[0] >> 7;
    for (unsigned i = 0; i < COMPOSE_BLOCK_BYTES - 1; i++)
        block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
    const uint8_t last = (uint8_t)(block[COMPOSE_BLOCK_BYTES - 1] << 1);
    block[COMPOSE_BLOCK_BYTES - 1] = last ^ (uint8_t)((COMPOSE_BLOCK_BYTES == 8 ? 0x1b : 0x87) & -top);
}

int lab_cmac_key(lab_cmac *c, const uint8_t *key, size_t key_bytes)
{
    const int error = LAB_BLOCK(_key)(&c->cipher, key, key_bytes);
    if (error)
        return error;
    memset(c->subkey, 0, sizeof c->subkey);
    memset(c->chain, 0, sizeof c->chain);
    c->filled = 0;
    const int failed = encrypt(c, c->subkey);
    twice(c->subkey);
    return failed;
}

/* The block that waits is whole. */
static int absorb(lab_cmac *c)
{
    runnel_xor_bytes(c->chain, c->chain, c->partial_block, COMPOSE_BLOCK_BYTES);
    c->filled = 0;
    return encrypt(c, c->chain);
}

int lab_cmac_update(lab_cmac *c, const uint8_t *data, size_t bytes)
{
    while (bytes > 0) {
        if (c->filled == COMPOSE_BLOCK_BYTES) {
            const int error = absorb(c);
            if (error)
                return error;
        }
        const size_t room = (size_t)(COMPOSE_BLOCK_BYTES - c->filled), n = bytes < room ? bytes : room;
        memcpy(c->partial_block + c->filled, data, n);
        c->filled = (uint8_t)(c->filled + n);
        data += n;
        bytes -= n;
    }
    return RUNNEL_OK;
}

int lab_cmac_tag(lab_cmac *c, uint8_t *tag, size_t tag_bytes)
{
    uint8_t subkey[COMPOSE_BLOCK_BYTES];
    if (tag_bytes < 1 || tag_bytes > COMPOSE_BLOCK_BYTES)
        return RUNNEL_ERR_TAG_LENGTH;
    memcpy(subkey, c->subkey, sizeof subkey);
    if (c->filled < COMPOSE_BLOCK_BYTES) {
        twice(subkey);
        memset(c->partial_block + c->filled, 0, (size_t)(COMPOSE_BLOCK_BYTES - c->filled));
        c->partial_block[c->filled] = 0x80;
    }
    runnel_xor_bytes(c->partial_block, c->partial_block, subkey, COMPOSE_BLOCK_BYTES);
    const int error = absorb(c);
    memcpy(tag, c->chain, tag_bytes);
    memset(c->chain, 0, sizeof c->chain);
    runnel_wipe(subkey, sizeof subkey);
    return error;
}
#endif
