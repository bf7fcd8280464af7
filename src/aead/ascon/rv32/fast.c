/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128 for RV32I: the rounds and whole blocks in assembly, the state in the context as words of 64 bits. Words of 32
 * bits are loaded and stored at once where the message is aligned; where it is not, its blocks go through the stack. */
#include "aead/ascon/kernels.h"

#if RUNNEL_RV32

#include "arch/common/bytes.h"
#include "arch/common/wipe.h"

typedef uint64_t ascon_word;

typedef struct ascon_state {
    ascon_word x0, x1, x2, x3, x4;
} ascon_state;

/* fast_rounds.S */
void runnel_ascon_rv32_twelve(ascon_state *s);
void runnel_ascon_rv32_eight(ascon_state *s);
void runnel_ascon_rv32_encrypt(ascon_state *s, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_ascon_rv32_decrypt(ascon_state *s, uint8_t *out, const uint8_t *in, size_t nblocks);

static int ascon_is_aligned(const void *p)
{
    return (uintptr_t)p % 4 == 0;
}

static RUNNEL_NOINLINE ascon_word ascon_load_bytes(const uint8_t *p)
{
    if (!ascon_is_aligned(p))
        return runnel_load64le(p);
    const uint32_t *words = (const void *)p;
    return (ascon_word)words[1] << 32 | words[0];
}

static RUNNEL_NOINLINE void ascon_store_bytes(uint8_t *p, ascon_word w)
{
    if (!ascon_is_aligned(p)) {
        runnel_store64le(p, w);
        return;
    }
    uint32_t *words = (void *)p;
    words[0] = (uint32_t)w;
    words[1] = (uint32_t)(w >> 32);
}

#define TO_WORD(x) (x)
#define FROM_WORD(w) (w)
#define LOAD_BYTES(p) ascon_load_bytes(p)
#define STORE_BYTES(p, w) ascon_store_bytes(p, w)
#define XOR(a, b) ((a) ^ (b))
#define LOAD_WORD(p) (*(p))
#define STORE_WORD(p, w) (*(p) = (w))
#define STATE_IN_PLACE
#define OWN_ROUNDS
#define ascon_twelve_rounds runnel_ascon_rv32_twelve
#define ascon_eight_rounds runnel_ascon_rv32_eight

static void ascon_crypt_blocks(ascon_state *s, uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)
{
    void (*const blocks)(ascon_state *, uint8_t *, const uint8_t *, size_t) =
        decrypt ? runnel_ascon_rv32_decrypt : runnel_ascon_rv32_encrypt;
    if (nblocks == 0)
        return;
    if (ascon_is_aligned(out) && ascon_is_aligned(in)) {
        blocks(s, out, in, nblocks);
        return;
    }
    ascon_word text[2];
    for (; nblocks > 0; nblocks--, in += ASCON_RATE, out += ASCON_RATE) {
        text[0] = ascon_load_bytes(in);
        text[1] = ascon_load_bytes(in + 8);
        blocks(s, (uint8_t *)text, (const uint8_t *)text, 1);
        ascon_store_bytes(out, text[0]);
        ascon_store_bytes(out + 8, text[1]);
    }
    runnel_wipe(text, sizeof text);
}

#include "aead/ascon/sponge.h"

const runnel_ascon_kernel runnel_ascon_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("NIST SP 800-232 3.3; complements as in Keccak's implementations"),
    ASCON_FUNCTIONS,
};

#endif
