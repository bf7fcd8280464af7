/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-peer-… CIPHER [MESSAGES]: random messages through every kernel and through an independent library. Status 1 if
 * they differ, 77 if the library does not have the cipher. */
#include "model.h"
#include "peer.h"

enum { MOST = 4500 };

static unsigned long messages = 10000, compared;

/* A block number that the carry of a counter makes interesting. */
static uint64_t some_block(const runnel_cipher *cipher)
{
    uint64_t most = cipher->blocks != 0 ? cipher->blocks : UINT64_MAX / cipher->block_bytes;
    uint64_t block = random_below(2) ? ((uint64_t)1 << (8 * random_below(8))) - random_below(40) : random64();
    return block % (most - MOST);
}

static void compare(const target *t)
{
    static uint8_t in[MOST], ours[MOST], theirs[MOST];
    const runnel_cipher *cipher = t->cipher;
    const int ctr = cipher->layout != 0;
    runnel_stream *s = new_context(cipher);
    compared = 0;
    for (unsigned long i = 0; i < messages; i++) {
        uint8_t key[LONGEST_KEY], iv[LONGEST_IV], peer_iv[LONGEST_IV];
        const pair lengths = random_pair(cipher);
        const size_t key_bytes = lengths.key_bytes, iv_bytes = lengths.iv_bytes;
        const size_t n = i % 32 == 0 ? random_below(MOST + 1) : random_length(cipher->block_bytes, 400);
        random_bytes(key, sizeof key);
        random_bytes(iv, sizeof iv);
        random_bytes(in, n);
        if (ctr && i % 3 == 0)                       /* near a carry */
            memset(iv + random_below(16), 0xff, 16); /* iv has room for more than its 16 bytes */
        uint64_t block = cipher->seekable && i % 2 ? some_block(cipher) : 0;
        memcpy(peer_iv, iv, sizeof iv);
        if (ctr)
            add_to_counter(peer_iv, 8 * (unsigned)cipher->block_bytes, 0, 0, block);
        if (peer_xor(cipher->name, key, key_bytes, peer_iv, iv_bytes, ctr ? 0 : block, theirs, in, n) != 0)
            continue;
        start(s, t, key, key_bytes, iv, iv_bytes, cipher->layout);
        if (block != 0)
            CHECK_OK(runnel_stream_seek(s, block * cipher->block_bytes));
        size_t cut = random_below(n + 1);
        memcpy(ours, in, n);
        CHECK_OK(runnel_stream_encrypt(s, ours, ours, cut));
        CHECK_OK(runnel_stream_encrypt(s, ours + cut, in + cut, n - cut));
        CHECK_BYTES(ours, theirs, n, "%s differs: key of %zu, IV of %zu, block %llu, %zu bytes", peer_name(), key_bytes,
                    iv_bytes, (unsigned long long)block, n);
        if (kind_of(cipher) == DIRECTIONAL) {
            CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, 0));
            CHECK_OK(runnel_stream_decrypt(s, ours, theirs, n));
            CHECK_BYTES(ours, in, n, "%s's message of %zu bytes, decrypted", peer_name(), n);
        }
        compared++;
    }
    free_context(s);
    printf("%s and %s/%s: %lu messages\n", peer_name(), cipher->name, t->kernel->name, compared);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (argc > 2)
        messages = strtoul(argv[2], NULL, 10);
    if (for_targets(ANY, argv[1], NULL, compare) == 0)
        return 2;
    if (compared == 0) {
        printf("%s does not have %s\n", peer_name(), argv[1]);
        return 77;
    }
    return 0;
}
