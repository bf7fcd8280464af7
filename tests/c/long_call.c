/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* long_call BYTES: one call of so many bytes, in place. Little memory stands behind the addresses: each byte of it is XORed
 * with the keystream again and again. Status 1 where the stream is elsewhere afterwards than after the same in pieces. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <runnel/aes.h>

enum { WINDOW = 1 << 26 };

int main(int argc, char **argv)
{
    static const uint8_t key[16] = {1}, iv[16] = {2};
    const size_t bytes = argc == 2 ? (size_t)strtoull(argv[1], NULL, 10) : 0;
    const int file = memfd_create("window", 0);
    uint8_t *const message = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == 0 || file < 0 || ftruncate(file, WINDOW) != 0 || message == MAP_FAILED)
        return 2;
    for (size_t at = 0; at < bytes; at += WINDOW) {
        const size_t part = bytes - at < WINDOW ? bytes - at : WINDOW;
        if (mmap(message + at, part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
            return 2;
    }
    static runnel_aes_ctr whole, apart;
    uint8_t next[40] = {0}, expected[40] = {0};
    int error = runnel_aes_ctr_key(&whole, key, sizeof key) || runnel_aes_ctr_iv(&whole, iv, sizeof iv, RUNNEL_BE128);
    error =
        error || runnel_aes_ctr_key(&apart, key, sizeof key) || runnel_aes_ctr_iv(&apart, iv, sizeof iv, RUNNEL_BE128);
    error = error || runnel_aes_ctr_xor(&whole, message, message, bytes) || runnel_aes_ctr_seek(&apart, bytes);
    error = error || runnel_aes_ctr_xor(&whole, next, next, sizeof next);
    error = error || runnel_aes_ctr_xor(&apart, expected, expected, sizeof expected);
    return error || memcmp(next, expected, sizeof next) != 0;
}
