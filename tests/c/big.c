/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-big NAME SEED [BYTES…]: calls of so many bytes, by default of 2^31 - 1, 2^31 and 2^32 + 1, in place, by the kernel
 * that runs unless another is named: a cipher's beside the same message in small pieces, and from positions beyond 2^38
 * bytes beside the reference kernel; an AEAD's beside the message in pieces, where it has them, and opened. Prints what was
 * done. Status 1 if something is wrong, 77 if memory is short. */
#include <sys/mman.h>

#include <runnel/aead.h>

#include "harness.h"

enum { PIECE = 1 << 20, POSITIONS = 200, SOME = 5000 };

static uint8_t *memory;
static size_t room;
static uint8_t piece[PIECE];
static unsigned calls;

static void make_zeros(size_t bytes)
{
    if (memory != NULL)
        munmap(memory, room);
    room = bytes;
    memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        puts("memory is short");
        exit(77);
    }
}

/* Lengths that are no multiples of anything. */
static size_t next_piece(size_t left)
{
    const size_t n = PIECE - random_below(1000);
    return n < left ? n : left;
}

static void long_call(const runnel_cipher *cipher, size_t bytes)
{
    runnel_stream *s = new_context(cipher);
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    const pair lengths = longest_pair(cipher);
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    CHECK_OK(runnel_cipher_key(cipher, s, key, lengths.key_bytes, NULL));
    CHECK_OK(runnel_stream_iv(s, iv, lengths.iv_bytes, 0));
    make_zeros(bytes);
    CHECK_OK(runnel_stream_encrypt(s, memory, memory, bytes));
    CHECK(runnel_stream_tell(s) == bytes, "tell after %zu bytes", bytes);
    CHECK_OK(runnel_stream_iv(s, iv, lengths.iv_bytes, 0));
    for (size_t done = 0, n; done < bytes; done += n) {
        n = next_piece(bytes - done);
        memset(piece, 0, n);
        CHECK_OK(runnel_stream_encrypt(s, piece, piece, n));
        CHECK_BYTES(memory + done, piece, n, "%zu bytes in one call, from byte %zu", bytes, done);
    }
    free_context(s);
    calls++;
}

static unsigned far_positions(const runnel_cipher *cipher)
{
    static uint8_t out[SOME], wanted[SOME];
    const target reference = {cipher, reference_kernel(cipher)};
    runnel_stream *s = new_context(cipher), *r = new_context(cipher);
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    const pair lengths = longest_pair(cipher);
    unsigned done = 0;
    random_bytes(key, sizeof key);
    for (unsigned i = 0; cipher->seekable && i < POSITIONS; i++) {
        const uint64_t to = (random64() >> (2 + random_below(24))) | (uint64_t)1 << 38;
        random_bytes(iv, sizeof iv);
        start(r, &reference, key, lengths.key_bytes, iv, lengths.iv_bytes, 0);
        CHECK_OK(runnel_cipher_key(cipher, s, key, lengths.key_bytes, NULL));
        CHECK_OK(runnel_stream_iv(s, iv, lengths.iv_bytes, 0));
        const int result = runnel_stream_seek(r, to);
        CHECK_RESULT(runnel_stream_seek(s, to), result);
        if (result != RUNNEL_OK || runnel_stream_left(r) < SOME) /* the end lies before it */
            continue;
        CHECK_OK(runnel_stream_encrypt(s, out, out, SOME));
        CHECK_OK(runnel_stream_seek(s, to));
        CHECK_OK(runnel_stream_encrypt(s, out, out, SOME)); /* away again */
        CHECK_OK(runnel_stream_seek(s, to));
        memset(out, 0, SOME);
        memset(wanted, 0, SOME);
        CHECK_OK(runnel_stream_encrypt(s, out, out, SOME));
        CHECK_OK(runnel_stream_encrypt(r, wanted, wanted, SOME));
        CHECK_BYTES(out, wanted, SOME, "from position %llu", (unsigned long long)to);
        done++;
    }
    free_context(s);
    free_context(r);
    return done;
}

static void long_message(const runnel_aead *aead, size_t bytes)
{
    const size_t context_bytes = (aead->context_bytes + 63u) / 64 * 64;
    runnel_aead_context *c = aligned_alloc(64, context_bytes);
    uint8_t key[64], nonce[64], tag[16], again[16];
    size_t nonce_bytes = aead->nonce_default;
    CHECK(c != NULL, "out of memory");
    random_bytes(key, sizeof key);
    random_bytes(nonce, sizeof nonce);
    while (runnel_aead_plaintext_max(aead, nonce_bytes) < bytes && nonce_bytes > aead->nonce_min) /* as in CCM */
        nonce_bytes--;
    if (runnel_aead_plaintext_max(aead, nonce_bytes) < bytes)
        return;
    CHECK_OK(runnel_aead_key(aead, c, key, aead->key_bytes, NULL));
    make_zeros(bytes);
    CHECK_OK(runnel_aead_seal(c, nonce, nonce_bytes, NULL, 0, memory, memory, bytes, tag, aead->tag_default));
    if (aead->multipart) {
        CHECK_OK(runnel_aead_start(c, nonce, nonce_bytes, aead->tag_default));
        if (aead->lengths_first)
            CHECK_OK(runnel_aead_lengths(c, 0, bytes));
        for (size_t done = 0, n; done < bytes; done += n) {
            n = next_piece(bytes - done);
            memset(piece, 0, n);
            CHECK_OK(runnel_aead_encrypt(c, piece, piece, n));
            CHECK_BYTES(memory + done, piece, n, "%zu bytes sealed in one call, from byte %zu", bytes, done);
        }
        CHECK_OK(runnel_aead_tag(c, again, aead->tag_default));
        CHECK_BYTES(tag, again, aead->tag_default, "the tag of %zu bytes", bytes);
    }
    CHECK_OK(runnel_aead_open(c, nonce, nonce_bytes, NULL, 0, memory, memory, bytes, tag, aead->tag_default));
    memset(piece, 0, sizeof piece);
    for (size_t done = 0, n; done < bytes; done += n) {
        n = next_piece(bytes - done);
        CHECK_BYTES(memory + done, piece, n, "%zu bytes opened in one call, from byte %zu", bytes, done);
    }
    free(c);
    calls++;
}

int main(int argc, char **argv)
{
    static const uint64_t usual[] = {((uint64_t)1 << 31) - 1, (uint64_t)1 << 31, ((uint64_t)1 << 32) + 1};
    const size_t count = argc > 3 ? (size_t)argc - 3 : 3;
    if (argc < 3)
        return 2;
    const runnel_cipher *cipher = runnel_cipher_find(argv[1]);
    const runnel_aead *aead = cipher == NULL ? runnel_aead_find(argv[1]) : NULL;
    if (cipher == NULL && aead == NULL)
        return 2;
    doing = argv[1];
    seed_random(strtoull(argv[2], NULL, 0));
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = (size_t)(argc > 3 ? strtoull(argv[3 + i], NULL, 0) : usual[i]);
        if (cipher != NULL)
            long_call(cipher, bytes);
        else
            long_message(aead, bytes);
    }
    printf("%s: %u calls\n", argv[1], calls);
    if (cipher != NULL)
        printf("%s beyond 2^38: %u positions\n", argv[1], far_positions(cipher));
    return 0;
}
