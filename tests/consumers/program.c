/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A consumer of the installed library; also compiled as C++. Status 0: headers and library belong together and the
 * bytes are right. */
#include <runnel/runnel.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                    \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

/* SP 800-38A, F.5.1 */
static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t iv[16] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                               0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
static const uint8_t plaintext[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                      0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
static const uint8_t ciphertext[16] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                                       0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce};

static uint8_t chosen[100000], portable[100000];

int main(void)
{
    runnel_aes_ctr aes;
    uint8_t out[16];
    CHECK(runnel_aes_ctr_once(out, plaintext, sizeof out, key, sizeof key, iv, sizeof iv, RUNNEL_BE128) == RUNNEL_OK);
    CHECK(memcmp(out, ciphertext, sizeof out) == 0);

    /* The headers' idea of a context is the library's: both were built with the same RUNNEL_PREFIX. */
    const runnel_cipher *cipher = runnel_cipher_find("aes-128-ctr");
    CHECK(cipher != NULL && cipher->context_bytes == sizeof aes);
    cipher = runnel_cipher_find("rabbit");
    CHECK(cipher != NULL && cipher->context_bytes == sizeof(runnel_rabbit));

    CHECK(runnel_aes_ctr_key(&aes, key, sizeof key) == RUNNEL_OK);
    CHECK(runnel_aes_ctr_iv(&aes, iv, sizeof iv, RUNNEL_BE32) == RUNNEL_OK);
    CHECK(runnel_aes_ctr_xor(&aes, chosen, NULL, sizeof chosen) == RUNNEL_OK);
    CHECK(runnel_aes_ctr_key_kernel(&aes, key, sizeof key, "portable") == RUNNEL_OK);
    CHECK(runnel_aes_ctr_iv(&aes, iv, sizeof iv, RUNNEL_BE32) == RUNNEL_OK);
    CHECK(runnel_aes_ctr_xor(&aes, portable, NULL, sizeof portable) == RUNNEL_OK);
    CHECK(memcmp(chosen, portable, sizeof chosen) == 0);
    runnel_aes_ctr_wipe(&aes);
    CHECK(runnel_aes_ctr_xor(&aes, out, NULL, sizeof out) == RUNNEL_ERR_STATE);
    return 0;
}
