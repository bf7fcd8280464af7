/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CryptMT version 3: the descriptor and the kernel. The first 156 vectors come from the booter and become the Mersenne
 * twister's state where they stand. They are made as the message needs them, so that a short message does not pay for
 * all of them. */
#include "cryptmt.h"

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "core/define.h"
#include "arch/common/lookup.h"
#include "arch/common/wipe.h"

enum { CRYPTMT_BLOCK = 16, CRYPTMT_VECTORS = 156, CRYPTMT_TAP = 108 };

typedef runnel_cryptmt_vector cryptmt_vector;

/* v >> n for n of 8 to 15, whole bytes first, because compilers for AVR shift bit by bit. */
static inline uint32_t cryptmt_shifted(uint32_t v, unsigned n)
{
#if defined(__AVR__)
    v >>= 8;
    RUNNEL_VALUE_BARRIER(v);
    return v >> (n - 8);
#else
    return v >> n;
#endif
}

static inline void cryptmt_load(cryptmt_vector *v, const uint8_t *p)
{
    for (unsigned j = 0; j < 4; j++)
        v->lane[j] = runnel_load32le(p + 4 * j);
}

static inline uint32_t cryptmt_accumulate(uint32_t x, uint32_t m)
{
    return (2 * m + 1) * x + m;
}

/* A step of a booter of `booter` vectors, of which x[0] is the oldest: x[0] becomes its output, and x[booter] the
 * newest vector. */
static RUNNEL_AVR_NOINLINE void cryptmt_boot(cryptmt_vector *x, unsigned booter, cryptmt_vector *accumulator)
{
    const uint32_t *const before = x[booter - 2].lane, *const last = x[booter - 1].lane;
    uint32_t *const a = accumulator->lane, *const new = x[booter].lane;
    const uint32_t x0 = x->lane[0] += before[0], x1 = x->lane[1] += before[1];
    const uint32_t x2 = x->lane[2] += before[2], x3 = x->lane[3] += before[3];
    const uint32_t m0 = last[3] ^ cryptmt_shifted(last[0], 11), m1 = last[2] ^ cryptmt_shifted(last[1], 11);
    const uint32_t m2 = last[0] ^ cryptmt_shifted(last[2], 11), m3 = last[1] ^ cryptmt_shifted(last[3], 11);
    const uint32_t a0 = cryptmt_accumulate(a[0], m0), a1 = cryptmt_accumulate(a[1], m1);
    const uint32_t a2 = cryptmt_accumulate(a[2], m2), a3 = cryptmt_accumulate(a[3], m3);
    a[0] = a0, a[1] = a1, a[2] = a2, a[3] = a3;
    new[0] = (x3 ^ cryptmt_shifted(x0, 13)) - a0;
    new[1] = (x0 ^ cryptmt_shifted(x1, 13)) - a1;
    new[2] = (x1 ^ cryptmt_shifted(x2, 13)) - a2;
    new[3] = (x2 ^ cryptmt_shifted(x3, 13)) - a3;
}

/* A step of the Mersenne twister; the new vector takes the oldest one's place. */
static RUNNEL_AVR_NOINLINE void cryptmt_twist(cryptmt_vector *oldest, const cryptmt_vector *tap,
                                              const cryptmt_vector *newest)
{
    const uint32_t *const a = oldest->lane, *const b = tap->lane, *const c = newest->lane;
    /* tap as two numbers of 64 bits, each shifted right by 3 */
    const uint32_t s0 = b[0] >> 3 | (uint32_t)(uint8_t)(b[1] << 5) << 24, s1 = b[1] >> 3;
    const uint32_t s2 = b[2] >> 3 | (uint32_t)(uint8_t)(b[3] << 5) << 24, s3 = b[3] >> 3;
    const cryptmt_vector new = {{
        a[1] ^ b[1] ^ s0 ^ (c[0] & 0xffdfafdf),
        a[2] ^ b[3] ^ s1 ^ (c[1] & 0xf5dabfff),
        a[3] ^ b[0] ^ s2 ^ (c[2] & 0xffdbffff),
        a[0] ^ b[2] ^ s3 ^ (c[3] & 0xef7bffff),
    }};
    *oldest = new;
}

/* Returns the next vector. */
static inline const cryptmt_vector *cryptmt_generate(runnel_cryptmt_state *s)
{
    if (s->booter != 0) {
        if (s->next < CRYPTMT_VECTORS) {
            cryptmt_boot(s->v + s->next, s->booter, &s->accumulator);
            return s->v + s->next++;
        }
        s->booter = 0;
        s->next = 0;
        s->v[0].lane[3] = 0x4d734e48; /* so that the state is never all zeros */
        cryptmt_twist(s->v, s->v + CRYPTMT_TAP, s->v + CRYPTMT_VECTORS - 1);
        s->next = 1; /* this vector is skipped */
    }
    const unsigned now = s->next, tap = now < CRYPTMT_VECTORS - CRYPTMT_TAP ? now + CRYPTMT_TAP
                                                                            : now - (CRYPTMT_VECTORS - CRYPTMT_TAP);
    cryptmt_twist(s->v + now, s->v + tap, s->v + (now > 0 ? now - 1 : CRYPTMT_VECTORS - 1));
    s->next = (uint8_t)(now + 1 < CRYPTMT_VECTORS ? now + 1 : 0);
    return s->v + now;
}

/* Passes a vector through the filter; what comes out is in the low 16 bits of each lane of out. */
static RUNNEL_AVR_NOINLINE void cryptmt_filter(cryptmt_vector *f, const cryptmt_vector *y, cryptmt_vector *out)
{
    const uint32_t f0 = f->lane[0], f1 = f->lane[1], f2 = f->lane[2], f3 = f->lane[3];
    const uint32_t s0 = cryptmt_accumulate(y->lane[0], f0 ^ f1 >> 1), s1 = cryptmt_accumulate(y->lane[1], f1 ^ f2 >> 1);
    const uint32_t s2 = cryptmt_accumulate(y->lane[2], f2 ^ f3 >> 1), s3 = cryptmt_accumulate(y->lane[3], f3 ^ f0 >> 1);
    f->lane[0] = s0, f->lane[1] = s1, f->lane[2] = s2, f->lane[3] = s3;
    out->lane[0] = s0 ^ s0 >> 16, out->lane[1] = s1 ^ s1 >> 16;
    out->lane[2] = s2 ^ s2 >> 16, out->lane[3] = s3 ^ s3 >> 16;
}

static void cryptmt_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_cryptmt_state *s = state;
    memcpy(s->key, key, key_bytes);
    s->key_blocks = (uint8_t)(key_bytes / 16);
}

static void cryptmt_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    static const uint32_t constants[4] RUNNEL_FLASH = {314159, 265358, 979323, 846264};
    runnel_cryptmt_state *s = state;
    const unsigned iv_blocks = (unsigned)iv_bytes / 16, blocks = iv_blocks + s->key_blocks, booter = 2 * blocks;
    for (unsigned i = 0; i < iv_blocks; i++)
        cryptmt_load(s->v + i, iv + 16 * i);
    for (unsigned i = 0; i < s->key_blocks; i++)
        cryptmt_load(s->v + iv_blocks + i, s->key + 16 * i);
    memcpy(s->v + blocks, s->v, blocks * sizeof(cryptmt_vector));
    s->accumulator = s->v[iv_blocks / 4 * 4];
    for (unsigned j = 0; j < 4; j++) {
        s->v[booter - 1].lane[j] += runnel_flash32(constants + j);
        s->accumulator.lane[j] |= 1;
    }
    for (unsigned t = 0; t < booter + 2; t++)
        cryptmt_boot(s->v + t, booter, &s->accumulator);
    s->filter = s->v[2 * booter + 1];
    memmove(s->v, s->v + booter + 2, booter * sizeof(cryptmt_vector));
    s->booter = (uint8_t)booter;
    s->next = 0;
}

static void cryptmt_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_cryptmt_state *s = state;
    (void)index;
    for (; nblocks > 0; nblocks--) {
        cryptmt_vector low, high;
        cryptmt_filter(&s->filter, cryptmt_generate(s), &low);
        cryptmt_filter(&s->filter, cryptmt_generate(s), &high);
        for (unsigned j = 0; j < 4; j++)
            runnel_xor32le(out, in, j, (low.lane[j] & 0xffff) | high.lane[j] << 16);
        out += CRYPTMT_BLOCK;
        if (in != NULL)
            in += CRYPTMT_BLOCK;
    }
}

const runnel_kernel runnel_cryptmt_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("the designers' vectors, lane by lane; booted as needed"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = cryptmt_set_key,
    .stream = {.iv = cryptmt_set_iv, .xor_blocks = cryptmt_xor_blocks},
};

static runnel_kernel_list cryptmt_kernels = {
#ifdef RUNNEL_CRYPTMT_KERNEL
    RUNNEL_LIST_ONLY(cryptmt, RUNNEL_CRYPTMT_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_cryptmt_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_cryptmt_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher cryptmt = {
    .name = RUNNEL_TEXT("cryptmt"),
    .family = RUNNEL_TEXT("cryptmt"),
    .title = RUNNEL_TEXT("CryptMT version 3"),
    .source = RUNNEL_TEXT("Matsumoto, Saito, Nishimura, Hagita: eSTREAM, phase 3"),
    .remark = RUNNEL_TEXT("unbroken but hardly studied since 2008; its designers say: free for non-commercial use"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .key_bytes = {16, RUNNEL_CRYPTMT_KEY_BITS / 8, 16},
    .iv_bytes = {16, RUNNEL_CRYPTMT_IV_BITS / 8, 16},
    .block_bytes = CRYPTMT_BLOCK,
    .context_bytes = sizeof(runnel_cryptmt),
    .state_offset = offsetof(runnel_cryptmt, state),
    .kernels = cryptmt_kernels,
};

runnel_cipher_list runnel_cryptmt_ciphers = {&cryptmt, NULL};

RUNNEL_DEFINE_STREAM_VERBS(cryptmt, runnel_cryptmt_ciphers)
