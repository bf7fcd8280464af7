/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F-FCSR-16: the descriptor and the kernel. */
#include "f_fcsr_16.h"

#include "arch/common/bytes.h"
#include "historic/f_fcsr.h"
#include "core/define.h"
#include "arch/common/wipe.h"

enum { F_FCSR_16_BLOCK = 16, F_FCSR_16_HALF = 16, F_FCSR_16_REGISTER = 32 };

/* Returns the output word. */
static RUNNEL_AVR_NOINLINE uint16_t f_fcsr_16_next_output(runnel_f_fcsr_16_state *s)
{
    const runnel_f_fcsr_cells fed = runnel_f_fcsr_fed(s->m);
    runnel_f_fcsr_filter filter = {0, 0};
    runnel_f_fcsr_clock_word(s->m, s->c, 0, 0x390002c6, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 1, 0xefb55a6e, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 2, 0xbaf08f39, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 3, 0x2102f996, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 4, 0xc8c9cedb, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 5, 0x780caa2e, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 6, 0xad4f7e66, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 7, 0xcb5e129f, fed, &filter);
    return runnel_f_fcsr_fold16(&filter);
}

static void f_fcsr_16_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    memcpy(((runnel_f_fcsr_16_state *)state)->key, key, key_bytes);
}

static void f_fcsr_16_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_f_fcsr_16_state *s = state;
    uint8_t refill[F_FCSR_16_REGISTER];
    (void)iv_bytes;
    for (unsigned i = 0; i < 4; i++) {
        s->m[i] = runnel_load32be(s->key + F_FCSR_16_HALF - 4 - 4 * i);
        s->m[4 + i] = runnel_load32be(iv + F_FCSR_16_HALF - 4 - 4 * i);
    }
    s->m[8] = 0;
    memset(s->c, 0, sizeof s->c);
    for (unsigned i = 0; i < F_FCSR_16_REGISTER; i += 2) {
        const uint16_t word = f_fcsr_16_next_output(s);
        refill[i] = (uint8_t)word;
        refill[i + 1] = (uint8_t)(word >> 8);
    }
    for (unsigned i = 0; i < 8; i++)
        s->m[i] = runnel_load32le(refill + 4 * i);
    memset(s->c, 0, sizeof s->c);
    for (unsigned clocks = 8 * F_FCSR_16_REGISTER + 2; clocks > 0; clocks--)
        (void)f_fcsr_16_next_output(s);
    runnel_wipe(refill, sizeof refill);
}

static void f_fcsr_16_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_f_fcsr_16_state *s = state;
    (void)index;
    for (size_t words = F_FCSR_16_BLOCK / 2 * nblocks; words > 0; words--) {
        const uint16_t keystream = f_fcsr_16_next_output(s);
        uint8_t low = (uint8_t)keystream, high = (uint8_t)(keystream >> 8);
        if (in != NULL) {
            low ^= *in++;
            high ^= *in++;
        }
        *out++ = low;
        *out++ = high;
    }
}

const runnel_kernel runnel_f_fcsr_16_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("the designers' update of a whole register, by words"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = f_fcsr_16_set_key,
    .stream = {.iv = f_fcsr_16_set_iv, .xor_blocks = f_fcsr_16_xor_blocks},
};

static runnel_kernel_list f_fcsr_16_kernels = {
#ifdef RUNNEL_F_FCSR_16_KERNEL
    RUNNEL_LIST_ONLY(f_fcsr_16, RUNNEL_F_FCSR_16_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_f_fcsr_16_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_f_fcsr_16_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher f_fcsr_16 = {
    .name = RUNNEL_TEXT("f-fcsr-16"),
    .family = RUNNEL_TEXT("f_fcsr_16"),
    .title = RUNNEL_TEXT("F-FCSR-16"),
    .source = RUNNEL_TEXT("Arnault, Berger, Lauradoux: eSTREAM, version 2"),
    .remark = RUNNEL_TEXT("state recovered from keystream as for F-FCSR-H (Hell and Johansson 2008); withdrawn"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_BROKEN,
    .key_bytes = {F_FCSR_16_HALF, F_FCSR_16_HALF, 1},
    .iv_bytes = {F_FCSR_16_HALF, F_FCSR_16_HALF, 1},
    .block_bytes = F_FCSR_16_BLOCK,
    .context_bytes = sizeof(runnel_f_fcsr_16),
    .state_offset = offsetof(runnel_f_fcsr_16, state),
    .kernels = f_fcsr_16_kernels,
};

runnel_cipher_list runnel_f_fcsr_16_ciphers = {&f_fcsr_16, NULL};

RUNNEL_DEFINE_STREAM_VERBS(f_fcsr_16, runnel_f_fcsr_16_ciphers)
