/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Phelix: the descriptor, the portable kernel, and both directions. The kernel has key and IV set-up only; the words
 * of a message go through encrypt and decrypt below, because the plaintext is fed back. */
#include "core/define.h"
#include "kernels.h"

#include "arch/common/bytes.h"
#include "core/driver.h"

#if RUNNEL_AVR
#include "arch/avr/rotate.h"
#define ROTL(v, n) RUNNEL_ROTL32_MACRO(v, n)
#else
#define ROTL(v, n) runnel_rotl32(v, n)
#endif

enum { PHELIX_WORD = 4 };

/* The function H of the specification. */
static RUNNEL_AVR_NOINLINE void phelix_half_block(uint32_t z[5], uint32_t u, uint32_t w)
{
    uint32_t z0 = z[0], z1 = z[1], z2 = z[2], z3 = z[3], z4 = z[4];
    z0 += z3 ^ u, z3 = ROTL(z3, 15);
    z1 += z4, z4 = ROTL(z4, 25);
    z2 ^= z0, z0 = ROTL(z0, 9);
    z3 ^= z1, z1 = ROTL(z1, 10);
    z4 += z2, z2 = ROTL(z2, 17);
    z0 ^= z3 + w, z3 = ROTL(z3, 30);
    z1 ^= z4, z4 = ROTL(z4, 13);
    z2 += z0, z0 = ROTL(z0, 20);
    z3 += z1, z1 = ROTL(z1, 11);
    z4 ^= z2, z2 = ROTL(z2, 5);
    z[0] = z0, z[1] = z1, z[2] = z2, z[3] = z3, z[4] = z4;
}

/* The first half of block i gives the keystream, the second takes the plaintext in. */
static inline uint32_t phelix_keystream(runnel_phelix_state *s, uint8_t i)
{
    phelix_half_block(s->active, 0, s->key[i % 8]);
    return s->active[4] + s->old[i % 4];
}

static inline void phelix_feed(runnel_phelix_state *s, uint8_t i, uint32_t counter, uint32_t plain)
{
    phelix_half_block(s->active, plain, s->mixed[i % 8] + counter);
    s->old[i % 4] = s->active[4];
}

/* Returns the term that word number `block` of a message adds: the number of its block, of which 8 precede the message,
 * and in every fourth block that number's bits from 31 on. */
static inline uint32_t phelix_counter_of(runnel_count block)
{
    const uint32_t low = (uint32_t)block + 8, high = (uint32_t)(block >> 16 >> 16) + (low < 8);
    return low % 4 == 3 ? low + (high << 1 | low >> 31) : low;
}

static void phelix_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_phelix_state *s = state;
    s->key_bytes = (uint8_t)key_bytes;
    for (size_t i = 0; i < 8; i++) {
        uint8_t word[4] = {0};
        if (4 * i < key_bytes)
            memcpy(word, key + 4 * i, key_bytes - 4 * i < 4 ? key_bytes - 4 * i : 4);
        s->key[i] = runnel_load32le(word);
    }
    uint32_t *z = s->active;
    for (unsigned round = 0; round < 8; round++) {
        const uint32_t *from = s->key + round % 2 * 4;
        uint32_t *to = s->key + 4 - round % 2 * 4;
        memcpy(z, from, 4 * sizeof z[0]);
        z[4] = (uint32_t)key_bytes + 64;
        phelix_half_block(z, 0, 0);
        phelix_half_block(z, 0, 0);
        for (unsigned i = 0; i < 4; i++)
            to[i] ^= z[i];
    }
}

static void phelix_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_phelix_state *s = state;
    (void)iv_bytes;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t nonce = runnel_load32le(iv + 4 * i);
        s->mixed[i] = s->key[4 + i] + nonce;
        s->mixed[4 + i] = s->key[i] + i - nonce;
        s->active[i] = s->key[3 + i] ^ nonce;
        s->old[i] = 0;
    }
    s->active[4] = s->key[7];
    const uint32_t lengths = 4 * (uint32_t)s->key_bytes + 256 * (uint32_t)s->tag_bits;
    s->mixed[1] += lengths;
    s->mixed[5] += lengths;
    for (uint8_t i = 0; i < 8; i++) {
        phelix_keystream(s, i);
        phelix_feed(s, i, i, 0);
    }
}

/* Finishes a partial word. Returns how many bytes that took. */
static size_t phelix_within_word(runnel_stream *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    uint8_t *word = runnel_leftover_array(c), *next = word + PHELIX_WORD - c->leftover;
    const size_t n = bytes < c->leftover ? bytes : c->leftover;
    for (size_t i = 0; i < n; i++) {
        const uint8_t given = in[i], made = (uint8_t)(given ^ next[i]);
        next[i] = decrypt ? made : given;
        out[i] = made;
    }
    c->leftover = (uint16_t)(c->leftover - n);
    if (n > 0 && c->leftover == 0)
        phelix_feed(runnel_state_of(c), (uint8_t)(c->block - 1), phelix_counter_of(c->block - 1),
                    runnel_load32le(word));
    return n;
}

static inline void phelix_crypt(runnel_stream *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    const size_t begun = phelix_within_word(c, out, in, bytes, decrypt);
    out += begun;
    in += begun;
    bytes -= begun;
    runnel_phelix_state *s = runnel_state_of(c);
    for (; bytes >= PHELIX_WORD; bytes -= PHELIX_WORD, in += PHELIX_WORD, out += PHELIX_WORD, c->block++) {
        const uint32_t given = runnel_load32le(in), made = given ^ phelix_keystream(s, (uint8_t)c->block);
        runnel_store32le(out, made);
        phelix_feed(s, (uint8_t)c->block, phelix_counter_of(c->block), decrypt ? made : given);
    }
    if (bytes > 0) {
        runnel_store32le(runnel_leftover_array(c), phelix_keystream(s, (uint8_t)c->block));
        c->leftover = PHELIX_WORD;
        c->block++;
        phelix_within_word(c, out, in, bytes, decrypt);
    }
}

static void phelix_encrypt(runnel_stream *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    phelix_crypt(c, out, in, bytes, 0);
}

static void phelix_decrypt(runnel_stream *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    phelix_crypt(c, out, in, bytes, 1);
}

static const runnel_directions phelix_directions = {phelix_encrypt, phelix_decrypt};

const runnel_kernel runnel_phelix_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("the specification"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = phelix_set_key,
    .stream = {.iv = phelix_set_iv},
};

static runnel_kernel_list phelix_kernels = {
#ifdef RUNNEL_PHELIX_KERNEL
    RUNNEL_LIST_ONLY(phelix, RUNNEL_PHELIX_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_phelix_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_phelix_##name)
#include "kernels.inc"
#endif
    NULL,
};

#define PHELIX(bits, name_, family_, title_)                                                                           \
    {                                                                                                                  \
        .name = RUNNEL_TEXT(name_), .family = RUNNEL_TEXT(family_), .title = RUNNEL_TEXT(title_),                      \
        .source = RUNNEL_TEXT("Whiting, Schneier, Lucks, Muller: Phelix, eSTREAM, 2005, without the tag"),             \
        .remark = RUNNEL_TEXT("the key is found if IVs are used twice (Wu, Preneel 2007), against its claim"),         \
        .mode = RUNNEL_MODE_STREAM, .status = RUNNEL_BROKEN, .key_bytes = {0, 32, 1}, .iv_bytes = {16, 16, 1},         \
        .block_bytes = PHELIX_WORD,                                                                                    \
        .blocks = UINT64_MAX / PHELIX_WORD, .context_bytes = sizeof(runnel_phelix),                                    \
        .state_offset = offsetof(runnel_phelix, state), .variant = (bits) % 128,                                       \
        .variant_offset = offsetof(runnel_phelix, state.tag_bits), .directions = &phelix_directions,                   \
        .kernels = phelix_kernels,                                                                                     \
    }

static const runnel_cipher phelix = PHELIX(128, "phelix", "phelix", "Phelix");
static const runnel_cipher phelix_96 = PHELIX(96, "phelix-96", "phelix_96", "Phelix for tags of 96 bits");
static const runnel_cipher phelix_64 = PHELIX(64, "phelix-64", "phelix_64", "Phelix for tags of 64 bits");

/* An array for each family, so that firmware links one of them. */
static runnel_cipher_list phelix_of_128_bits = {&phelix, NULL};
static runnel_cipher_list phelix_of_96_bits = {&phelix_96, NULL};
static runnel_cipher_list phelix_of_64_bits = {&phelix_64, NULL};
runnel_cipher_list runnel_phelix_ciphers = {&phelix, &phelix_96, &phelix_64, NULL};

RUNNEL_DEFINE_DIRECTIONAL_VERBS(phelix, phelix_of_128_bits)
RUNNEL_DEFINE_DIRECTIONAL_VERBS(phelix_96, phelix_of_96_bits)
RUNNEL_DEFINE_DIRECTIONAL_VERBS(phelix_64, phelix_of_64_bits)
