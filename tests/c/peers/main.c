/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-peer-… NAME [MESSAGES [SECONDS SEED]]: random messages of a cipher or an AEAD through every kernel and through an
 * independent library; with SECONDS through the constant-time kernels, each at most so long, where messages of ciphers are
 * longer and their blocks are counted too. Status 1 if they differ, 77 if the library does not have it. */
#include <runnel/aead.h>

#include "long_run.h"
#include "model.h"
#include "peer.h"

enum { MOST = 1 << 16, USUALLY_MOST = 4500 };

static unsigned long messages = 10000, compared;
static double seconds, until; /* 0: without a limit */

static int within_limits(unsigned long done)
{
    return done < messages && (seconds == 0 || done == 0 || now() < until);
}

/* A long run has the constant-time kernels alone. */
static int takes_part(int timing)
{
    until = now() + seconds;
    return seconds == 0 || timing == RUNNEL_CONSTANT_TIME;
}

/* A block number that the carry of a counter makes interesting. */
static uint64_t some_block(const runnel_cipher *cipher)
{
    uint64_t most = cipher->blocks != 0 ? cipher->blocks : UINT64_MAX / cipher->block_bytes;
    uint64_t block = random_below(2) ? ((uint64_t)1 << (8 * random_below(8))) - random_below(40) : random64();
    return block % (most - MOST); /* MOST bytes have fewer blocks than that */
}

static void compare(const target *t)
{
    static uint8_t in[MOST], ours[MOST], theirs[MOST];
    const runnel_cipher *cipher = t->cipher;
    const int ctr = cipher->layout != 0;
    if (!takes_part(t->kernel->timing))
        return;
    const size_t most = seconds != 0 ? MOST : USUALLY_MOST;
    unsigned long long blocks = 0;
    runnel_stream *s = new_context(cipher);
    compared = 0;
    for (unsigned long i = 0; within_limits(i); i++) {
        uint8_t key[LONGEST_KEY], iv[LONGEST_IV], peer_iv[LONGEST_IV];
        const pair lengths = random_pair(cipher);
        const size_t key_bytes = lengths.key_bytes, iv_bytes = lengths.iv_bytes;
        const size_t n =
            i % (seconds != 0 ? 8 : 32) == 0 ? random_below(most + 1) : random_length(cipher->block_bytes, 400);
        random_bytes(key, sizeof key);
        random_bytes(iv, sizeof iv);
        random_bytes(in, n < USUALLY_MOST ? n : USUALLY_MOST); /* the rest of a long one stays from earlier messages */
        if (ctr && i % 3 == 0)                                 /* near a carry */
            memset(iv + random_below(16), 0xff, 16);           /* iv has room for more than its 16 bytes */
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
        blocks += n / cipher->block_bytes;
    }
    free_context(s);
    printf("%s and %s/%s: %lu messages\n", peer_name(), cipher->name, t->kernel->name, compared);
    if (seconds != 0)
        printf("%s and %s/%s: %llu blocks\n", peer_name(), cipher->name, t->kernel->name, blocks);
}

/* Sealed by both, opened by us: whole, as one of a batch and in place. */
static void compare_one(const runnel_aead *aead, runnel_aead_context *c)
{
    static uint8_t in[MOST], ours[MOST], theirs[MOST];
    uint8_t nonce[64], aad[300], key[64], our_tag[16], their_tag[16];
    const size_t most = aead->nonce_max > 30 ? 30 : aead->nonce_max;
    peer_message m = {key, nonce, aad, in, theirs, their_tag, aead->key_bytes, 0, 0, 0, aead->tag_default};
    m.nonce_bytes =
        random_below(2) ? aead->nonce_default : aead->nonce_min + random_below((uint32_t)(most - aead->nonce_min) + 1);
    if (random_below(2))
        do
            m.tag_bytes = random_below(17);
        while (!runnel_aead_takes_tag(aead, m.tag_bytes));
    m.aad_bytes = random_below(3) ? random_below(40) : random_below(sizeof aad);
    m.bytes = random_below(8) ? random_below(400) : random_below(USUALLY_MOST);
    random_bytes(key, sizeof key);
    random_bytes(nonce, sizeof nonce);
    random_bytes(aad, sizeof aad);
    random_bytes(in, m.bytes);
    if (peer_seal(aead->name, &m) != 0)
        return;
    doing = aead->name;
    CHECK_OK(runnel_aead_key(aead, c, key, aead->key_bytes, runnel_aead_kernel(c)));
    runnel_aead_packet packet = {nonce, aad, in, ours, our_tag, m.nonce_bytes, m.aad_bytes, m.bytes, m.tag_bytes, 0};
    if (random_below(2))
        CHECK_OK(runnel_aead_seal(c, nonce, m.nonce_bytes, aad, m.aad_bytes, ours, in, m.bytes, our_tag, m.tag_bytes));
    else
        CHECK_OK(runnel_aead_seal_batch(c, &packet, 1));
    CHECK_BYTES(ours, theirs, m.bytes, "%s differs: nonce of %zu, %zu and %zu bytes", peer_name(), m.nonce_bytes,
                m.aad_bytes, m.bytes);
    CHECK_BYTES(our_tag, their_tag, m.tag_bytes, "%s's tag differs: nonce of %zu, %zu and %zu bytes", peer_name(),
                m.nonce_bytes, m.aad_bytes, m.bytes);
    CHECK_OK(runnel_aead_open(c, nonce, m.nonce_bytes, aad, m.aad_bytes, ours, ours, m.bytes, their_tag, m.tag_bytes));
    CHECK_BYTES(ours, in, m.bytes, "%s's message of %zu bytes, opened", peer_name(), m.bytes);
    compared++;
}

static void compare_aead(const runnel_aead *aead)
{
    static const uint8_t key[64];
    runnel_kernel_info info;
    runnel_aead_context *c = aligned_alloc(64, (aead->context_bytes + 63u) / 64 * 64);
    CHECK(c != NULL, "out of memory");
    for (size_t i = 0; runnel_aead_kernel_at(aead, i, &info) == RUNNEL_OK; i++) {
        if (!info.available || !takes_part(info.timing))
            continue;
        CHECK_OK(runnel_aead_key(aead, c, key, aead->key_bytes, info.name));
        compared = 0;
        for (unsigned long n = 0; within_limits(n); n++)
            compare_one(aead, c);
        printf("%s and %s/%s: %lu messages\n", peer_name(), aead->name, info.name, compared);
    }
    free(c);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (argc > 2)
        messages = strtoul(argv[2], NULL, 10);
    if (argc > 4) {
        seconds = strtod(argv[3], NULL);
        seed_random(strtoull(argv[4], NULL, 0));
    }
    const runnel_aead *aead = runnel_aead_find(argv[1]);
    if (aead != NULL)
        compare_aead(aead);
    else if (for_targets(ANY, argv[1], NULL, compare) == 0)
        return 2;
    if (compared == 0) {
        printf("%s does not have %s\n", peer_name(), argv[1]);
        return 77;
    }
    return 0;
}
