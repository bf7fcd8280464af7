/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F-FCSR-H: the descriptors of both versions and their one kernel. They differ in IV set-up: version 1 clocks 160
 * times; version 2 makes a new register of 20 bytes of output first, and then clocks 162 times. */
#include "f_fcsr_h.h"

#include "arch/common/bytes.h"
#include "historic/f_fcsr.h"
#include "core/define.h"
#include "arch/common/wipe.h"

enum { F_FCSR_H_BLOCK = 16, F_FCSR_H_HALF = 10, F_FCSR_H_REGISTER = 20 };

/* Returns the output byte. */
static RUNNEL_AVR_NOINLINE uint8_t f_fcsr_h_next_output(runnel_f_fcsr_h_state *s)
{
    const runnel_f_fcsr_cells fed = runnel_f_fcsr_fed(s->m);
    runnel_f_fcsr_filter filter = {0, 0};
    runnel_f_fcsr_clock_word(s->m, s->c, 0, 0x3dd4254e, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 1, 0xaf46d590, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 2, 0x8623dc8a, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 3, 0x26619fc5, fed, &filter);
    runnel_f_fcsr_clock_word(s->m, s->c, 4, 0xae985dff, fed, &filter);
    return runnel_f_fcsr_fold8(&filter);
}

static void f_fcsr_h_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    memcpy(((runnel_f_fcsr_h_state *)state)->key, key, F_FCSR_H_HALF);
}

static void f_fcsr_h_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_f_fcsr_h_state *s = state;
    uint8_t start[F_FCSR_H_REGISTER]; /* highest byte first */
    (void)iv_bytes;
    memcpy(start, iv, F_FCSR_H_HALF);
    memcpy(start + F_FCSR_H_HALF, s->key, F_FCSR_H_HALF);
    memset(s->c, 0, sizeof s->c);
    for (unsigned i = 0; i < 5; i++)
        s->m[i] = runnel_load32be(start + F_FCSR_H_REGISTER - 4 - 4 * i);
    s->m[5] = 0;
    unsigned clocks = 8 * F_FCSR_H_REGISTER;
    if (s->version == 2) {
        for (unsigned i = 0; i < F_FCSR_H_REGISTER; i++)
            start[i] = f_fcsr_h_next_output(s);
        memset(s->c, 0, sizeof s->c);
        for (unsigned i = 0; i < 5; i++)
            s->m[i] = runnel_load32le(start + 4 * i);
        clocks += 2;
    }
    for (; clocks > 0; clocks--)
        (void)f_fcsr_h_next_output(s);
    runnel_wipe(start, sizeof start);
}

static void f_fcsr_h_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_f_fcsr_h_state *s = state;
    (void)index;
    for (size_t bytes = F_FCSR_H_BLOCK * nblocks; bytes > 0; bytes--) {
        const uint8_t keystream = f_fcsr_h_next_output(s);
        *out++ = in == NULL ? keystream : (uint8_t)(keystream ^ *in++);
    }
}

const runnel_kernel runnel_f_fcsr_h_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("the designers' update of a whole register, by words"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = f_fcsr_h_set_key,
    .stream = {.iv = f_fcsr_h_set_iv, .xor_blocks = f_fcsr_h_xor_blocks},
};

static runnel_kernel_list f_fcsr_h_kernels = {
#ifdef RUNNEL_F_FCSR_H_KERNEL
    RUNNEL_LIST_ONLY(f_fcsr_h, RUNNEL_F_FCSR_H_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_f_fcsr_h_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_f_fcsr_h_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher f_fcsr_h_version2 = {
    .name = RUNNEL_TEXT("f-fcsr-h"),
    .family = RUNNEL_TEXT("f_fcsr_h"),
    .title = RUNNEL_TEXT("F-FCSR-H, version 2"),
    .source = RUNNEL_TEXT("Arnault, Berger, Lauradoux: eSTREAM, version 2"),
    .remark = RUNNEL_TEXT("state recovered from some megabytes of keystream (Hell and Johansson 2008); withdrawn"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_BROKEN,
    .variant = 2,
    .variant_offset = offsetof(runnel_f_fcsr_h, state.version),
    .key_bytes = {F_FCSR_H_HALF, F_FCSR_H_HALF, 1},
    .iv_bytes = {F_FCSR_H_HALF, F_FCSR_H_HALF, 1},
    .block_bytes = F_FCSR_H_BLOCK,
    .context_bytes = sizeof(runnel_f_fcsr_h),
    .state_offset = offsetof(runnel_f_fcsr_h, state),
    .kernels = f_fcsr_h_kernels,
};

static const runnel_cipher f_fcsr_h_version1 = {
    .name = RUNNEL_TEXT("f-fcsr-h-v1"),
    .family = RUNNEL_TEXT("f_fcsr_h_v1"),
    .title = RUNNEL_TEXT("F-FCSR-H, version 1"),
    .source = RUNNEL_TEXT("Arnault, Berger, Lauradoux: eSTREAM, version 1"),
    .remark = RUNNEL_TEXT("as version 2, and its IV set-up gives away the key; reads only 10 bytes of key and IV"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_BROKEN,
    .variant = 1,
    .variant_offset = offsetof(runnel_f_fcsr_h, state.version),
    .key_bytes = {F_FCSR_H_HALF, 16, 6},
    .iv_bytes = {F_FCSR_H_HALF, 16, 6},
    .block_bytes = F_FCSR_H_BLOCK,
    .context_bytes = sizeof(runnel_f_fcsr_h),
    .state_offset = offsetof(runnel_f_fcsr_h, state),
    .kernels = f_fcsr_h_kernels,
};

runnel_cipher_list runnel_f_fcsr_h_ciphers = {&f_fcsr_h_version2, &f_fcsr_h_version1, NULL};
static runnel_cipher_list f_fcsr_h_only_version2 = {&f_fcsr_h_version2, NULL};
static runnel_cipher_list f_fcsr_h_only_version1 = {&f_fcsr_h_version1, NULL};

RUNNEL_DEFINE_STREAM_VERBS(f_fcsr_h, f_fcsr_h_only_version2)
RUNNEL_DEFINE_STREAM_VERBS(f_fcsr_h_v1, f_fcsr_h_only_version1)
