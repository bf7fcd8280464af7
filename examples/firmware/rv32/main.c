/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A node that encrypts its reports with AES-CTR: the key for good, a nonce of its own for each message, and a check
 * against a published vector before anything is sent. The Makefile says which kernel is linked. */
#include <string.h>

#include <aes.h>

#include "channel.h" /* the board's way out; here the simulator's */

static runnel_aes_ctr cipher; /* key, nonce and position; the largest thing in RAM */

/* NIST SP 800-38A, F.5.1 */
static const uint8_t test_key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                     0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t test_counter[16] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                         0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
static const uint8_t test_plaintext[20] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d,
                                           0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a, 0xae, 0x2d, 0x8a, 0x57};
static const uint8_t test_ciphertext[20] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26, 0x1b, 0xef,
                                            0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce, 0x98, 0x06, 0xf6, 0x6b};

static int self_test(void)
{
    uint8_t made[sizeof test_plaintext];
    return runnel_aes_ctr_key(&cipher, test_key, sizeof test_key) == RUNNEL_OK &&
           runnel_aes_ctr_iv(&cipher, test_counter, sizeof test_counter, RUNNEL_BE128) == RUNNEL_OK &&
           runnel_aes_ctr_xor(&cipher, made, test_plaintext, sizeof made) == RUNNEL_OK &&
           memcmp(made, test_ciphertext, sizeof made) == 0;
}

/* Encrypts in place. The same number must never be used again under this key. */
static int seal(uint32_t number, uint8_t *message, size_t bytes)
{
    uint8_t counter[16] = {0}; /* 4 bytes of number, 8 of zeros, and 4 in which the cipher counts the blocks */
    memcpy(counter, &number, sizeof number);
    return runnel_aes_ctr_iv(&cipher, counter, sizeof counter, RUNNEL_BE32) == RUNNEL_OK &&
           runnel_aes_ctr_xor(&cipher, message, message, bytes) == RUNNEL_OK;
}

static void print(const char *text)
{
    lab_write((const uint8_t *)text, strlen(text));
}

static void print_hex(const uint8_t *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        const char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
        lab_write((const uint8_t *)pair, sizeof pair);
    }
}

int main(void)
{
    if (!self_test()) {
        print("the cipher is wrong\n");
        return 1;
    }
    print("self-test passed\n");
    for (uint32_t number = 0; number < 3; number++) {
        uint8_t report[] = "temperature 21.5";
        if (!seal(number, report, sizeof report - 1))
            return 1;
        print_hex(report, sizeof report - 1);
        print("\n");
    }
    runnel_aes_ctr_wipe(&cipher);
    return 0;
}
