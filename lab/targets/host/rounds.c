/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block by each table code in C, and by OpenSSL's, with a key of 128 bits and with one of 192, between the lab's marks:
 * under QEMU with lab/qemu_plugin.c, the difference is what two rounds take. Prints a name for each pair of marked parts. */
#include <stdio.h>

#include "ciphers/aes/ttable.h"
#include "mark.h"
#include "openssl_tables.h"

static uint8_t block[16];
static const uint8_t key[24] = {1, 2, 3};

static void by_kernel(const char *name, const runnel_kernel *kernel)
{
    static runnel_aes_schedule schedule;
    for (size_t key_bytes = 16; key_bytes <= 24; key_bytes += 8) {
        kernel->key(&schedule, key, key_bytes);
        LAB_BEGIN();
        kernel->block.encrypt_blocks(&schedule, block, block, 1);
        LAB_END();
    }
    puts(name);
}

#if defined(LAB_OPENSSL_TABLES)
static void by_openssl(const char *name, openssl_set_key *set_key, openssl_block *encrypt)
{
    static _Alignas(16) uint8_t schedule[OPENSSL_SCHEDULE_BYTES];
    for (int key_bits = 128; key_bits <= 192; key_bits += 64) {
        set_key(key, key_bits, schedule);
        LAB_BEGIN();
        encrypt(block, block, schedule);
        LAB_END();
    }
    puts(name);
}
#endif

int main(void)
{
    by_kernel("ttable", &runnel_aes_ttable);
    by_kernel("ttable-plain", &runnel_aes_ttable_plain);
#if defined(LAB_OPENSSL_TABLES)
    by_openssl("openssl-full-table", AES_set_encrypt_key, lab_openssl_full_encrypt);
    by_openssl("openssl-compact", AES_set_encrypt_key, AES_encrypt);
    by_openssl("openssl-c", lab_openssl_c_set_encrypt_key, lab_openssl_c_encrypt);
#endif
    return 0;
}
