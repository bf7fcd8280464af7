/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counts a table kernel's look-ups by a byte of the state, for a block in the middle of a stream: built with COUNTED and
 * COUNTED_FILE, its symbol and its file; prints them for keys of 128, 192 and 256 bits. */
#include <stdio.h>

static unsigned long long lookups;

#define AES_LOOK_UP(table, index) (lookups++, (table)[index])
#include COUNTED_FILE

enum { RUN = 256 };

int main(void)
{
    static const uint8_t key[32] = {1};
    static uint8_t block[16], out[16 * RUN];
    static _Alignas(64) uint8_t prefix[4096];
    static runnel_aes_schedule schedule;
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
        COUNTED.key(&schedule, key, key_bytes);
        COUNTED.block.ctr32(&schedule, prefix, block, out, NULL, RUN); /* fills what is kept for the run */
        lookups = 0;
        COUNTED.block.ctr32(&schedule, prefix, block, out, NULL, RUN);
        printf("%.4g\n", (double)lookups / RUN);
        memset(prefix, 0, 8);
    }
    return 0;
}
