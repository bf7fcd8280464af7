/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A sensor that encrypts and sends packets with AES-128 in counter mode. The same for all targets; send() is in the
 * target's board.c. */
#include "board.h"

#include "aes.h"

#include <string.h>

/* A real device has a key of its own, and a number that outlives a reset: under one key no packet number may come
 * twice. */
static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};

static runnel_aes_ctr cipher;
static uint8_t packet[128];

/* The first counter block: the packet's number, and from byte 12 on the block's number in the packet. */
static int encrypt_packet(uint32_t number)
{
    uint8_t iv[16] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number};
    int error = runnel_aes_ctr_iv(&cipher, iv, sizeof iv, RUNNEL_BE32);
    return error ? error : runnel_aes_ctr_xor(&cipher, packet, packet, sizeof packet);
}

int main(void)
{
    int error = runnel_aes_ctr_key(&cipher, key, sizeof key);
    for (uint32_t number = 0; !error && number < 4; number++) {
        memset(packet, (int)number, sizeof packet); /* what was measured */
        error = encrypt_packet(number);
        if (!error)
            send(packet, sizeof packet);
    }
    runnel_aes_ctr_wipe(&cipher);
    return error;
}
