/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20: the descriptor, key and IV set-up, and the portable kernel. */
#include "arch/avr/copy.h"
#include "arch/common/salsa_state.h"
#include "core/define.h"
#include "kernels.h"

void runnel_salsa20_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_salsa20_state *s = state;
    const int long_key = key_bytes == 32;
    const uint8_t *second = long_key ? key + 16 : key;
    s->words[0] = RUNNEL_EXPA;
    s->words[5] = long_key ? RUNNEL_ND_3 : RUNNEL_ND_1;
    s->words[10] = long_key ? RUNNEL_2_BY : RUNNEL_6_BY;
    s->words[15] = RUNNEL_TE_K;
#if RUNNEL_AVR
    RUNNEL_COPY((uint8_t *)(s->words + 1), key, 16);
    RUNNEL_COPY((uint8_t *)(s->words + 11), second, 16);
#else
    for (unsigned i = 0; i < 4; i++) { /* not runnel_load_words twice: 232 bytes more on RV32 */
        s->words[1 + i] = runnel_load32le(key + 4 * i);
        s->words[11 + i] = runnel_load32le(second + 4 * i);
    }
#endif
    s->words[8] = s->words[9] = 0;
}

void runnel_salsa20_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_salsa20_state *s = state;
    (void)iv_bytes;
    runnel_load_words(s->words + 6, iv, 2);
}

static void salsa20_xor_block(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in)
{
    const uint32_t *w = s->words;
    const uint32_t low = (uint32_t)index, high = (uint32_t)(index >> 32);
    RUNNEL_SIXTEEN(w, low, high, w[12]);
    for (uint32_t round = 0; round < s->rounds; round += 2) {
        SALSA20_COLUMNS_01;
        SALSA20_COLUMNS_23;
        SALSA20_ROWS_01;
        SALSA20_ROWS_23;
    }
    RUNNEL_XOR_SIXTEEN(out, in, w, low, high, w[12]);
}

void runnel_salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, index++) {
        salsa20_xor_block(state, index, out, in);
        out += SALSA20_BLOCK;
        if (in != NULL)
            in += SALSA20_BLOCK;
    }
}

const runnel_kernel runnel_salsa20_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("Salsa20 specification (Bernstein 2005), 32-bit words"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = runnel_salsa20_xor_blocks},
};

static runnel_kernel_list salsa20_kernels = {
#ifdef RUNNEL_SALSA20_KERNEL
    RUNNEL_LIST_ONLY(salsa20, RUNNEL_SALSA20_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_salsa20_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_salsa20_##name)
#include "kernels.inc"
#endif
        NULL,
};

#define SALSA20(number, text_name, family_name, text_title, text_remark, its_status)                                   \
    {                                                                                                                  \
        .name = RUNNEL_TEXT(text_name),                                                                                \
        .family = RUNNEL_TEXT(family_name),                                                                            \
        .title = RUNNEL_TEXT(text_title),                                                                              \
        .source = RUNNEL_TEXT("Salsa20 specification (Bernstein 2005); eSTREAM portfolio"),                            \
        .remark = RUNNEL_TEXT(text_remark),                                                                            \
        .mode = RUNNEL_MODE_STREAM,                                                                                    \
        .status = its_status,                                                                                          \
        .seekable = 1,                                                                                                 \
        .key_bytes = {16, 32, 16},                                                                                     \
        .iv_bytes = {8, 8, 1},                                                                                         \
        .block_bytes = SALSA20_BLOCK,                                                                                  \
        RUNNEL_AHEAD(RUNNEL_AHEAD_BYTES).context_bytes = sizeof(runnel_salsa20),                                       \
        .state_offset = offsetof(runnel_salsa20, state),                                                               \
        .variant = number,                                                                                             \
        .variant_offset = offsetof(runnel_salsa20, state.rounds),                                                      \
        .kernels = salsa20_kernels,                                                                                    \
    }

static const runnel_cipher salsa20 = SALSA20(20, "salsa20", "salsa20", "Salsa20, 20 rounds",
                                             "the IV is too short to be random: count messages", RUNNEL_RECOMMENDED);
static const runnel_cipher salsa20_12 =
    SALSA20(12, "salsa20-12", "salsa20_12", "Salsa20/12",
            "the eSTREAM portfolio's choice; the IV is too short to be random", RUNNEL_RECOMMENDED);
static const runnel_cipher salsa20_8 = SALSA20(8, "salsa20-8", "salsa20_8", "Salsa20/8",
                                               "no margin: the best attack on 8 rounds takes 2^244 steps (Aumasson and "
                                               "others 2008, improved since)",
                                               RUNNEL_LEGACY);

/* An array for each family, so that firmware links one of them. */
static runnel_cipher_list salsa20_of_20_rounds = {&salsa20, NULL};
static runnel_cipher_list salsa20_of_12_rounds = {&salsa20_12, NULL};
static runnel_cipher_list salsa20_of_8_rounds = {&salsa20_8, NULL};
runnel_cipher_list runnel_salsa20_ciphers = {&salsa20, &salsa20_12, &salsa20_8, NULL};

RUNNEL_DEFINE_STREAM_VERBS(salsa20, salsa20_of_20_rounds)
RUNNEL_DEFINE_STREAM_VERBS(salsa20_12, salsa20_of_12_rounds)
RUNNEL_DEFINE_STREAM_VERBS(salsa20_8, salsa20_of_8_rounds)
