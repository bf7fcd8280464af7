/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What every counter layout means: where it counts, how it carries, where it wraps. Kernels see runs in which only one
 * 32-bit word moves, without a carry out of it. */
#include "ctr.h"

#include "arch/common/bytes.h"
#include "driver.h"
#include "arch/common/wipe.h"

/* Where in the block the counter field is. */
enum { LAST, LAST_16, FROM_OFFSET }; /* LAST has 32 bits at least; LAST_16 has 16 */

typedef RUNNEL_IN_FLASH struct layout {
    const char *name;
    uint8_t bits; /* width of the counter field */
    uint8_t place;
    uint8_t offset;
    uint8_t little; /* 1: little-endian */
} layout;

static const layout layouts[RUNNEL_LAYOUTS] = {
    [RUNNEL_LAYOUT_DEFAULT] = {RUNNEL_TEXT("default"), 0, 0, 0, 0},
    [RUNNEL_BE128] = {RUNNEL_TEXT("be128"), 128, LAST, 0, 0},
    [RUNNEL_BE64] = {RUNNEL_TEXT("be64"), 64, LAST, 0, 0},
    [RUNNEL_BE32] = {RUNNEL_TEXT("be32"), 32, LAST, 0, 0},
    [RUNNEL_BE16] = {RUNNEL_TEXT("be16"), 16, LAST_16, 0, 0},
    [RUNNEL_LE128] = {RUNNEL_TEXT("le128"), 128, FROM_OFFSET, 0, 1},
    [RUNNEL_LE64] = {RUNNEL_TEXT("le64"), 64, FROM_OFFSET, 0, 1},
    [RUNNEL_LE32] = {RUNNEL_TEXT("le32"), 32, FROM_OFFSET, 0, 1},
    [RUNNEL_BE32_LEFT] = {RUNNEL_TEXT("be32-left"), 32, FROM_OFFSET, 4, 0},
};

const char *runnel_layout_name(int number)
{
    return number >= 0 && number < RUNNEL_LAYOUTS ? layouts[number].name : NULL;
}

int runnel_layout_find(const char *name)
{
    if (name != NULL && RUNNEL_TEXTS)
        for (int i = 0; i < RUNNEL_LAYOUTS; i++)
            if (strcmp(layouts[i].name, name) == 0)
                return i;
    return RUNNEL_ERR_LAYOUT;
}

runnel_count runnel_ctr_blocks(int number)
{
    unsigned bits = layouts[number].bits;
#if RUNNEL_COUNT_BITS == 32
    return bits < 32 ? (runnel_count)1 << bits : UINT32_MAX; /* as below, without 64-bit shifts */
#else
    return runnel_narrow_count(bits < 64 ? (uint64_t)1 << bits : 0);
#endif
}

/* Adds n to the counter field at p. */
#if RUNNEL_AVR /* byte by byte, and none that does not change */
static RUNNEL_AVR_NOINLINE void add_to_field(uint8_t *p, const layout *l, runnel_count n)
{
    const uint8_t bytes = l->bits / 8;
    const int8_t step = l->little ? 1 : -1;
    p += l->little ? 0 : bytes - 1;
    for (uint8_t i = 0; i < bytes && n != 0; i++, p += step) {
        const uint16_t sum = (uint16_t)(*p + (uint8_t)n);
        *p = (uint8_t)sum;
        n = (n >> 8) + (sum >> 8);
    }
}
#else
/* Adds n to the low half of x. A field of 32 bits is written with the rest of its half of the block: kernels load it by
 * halves, and there is no store-forwarding to a wider load. */
static inline uint64_t add_to_low_half(uint64_t x, runnel_count n)
{
    return (x >> 32 << 32) | (uint32_t)(x + n);
}

static void add_to_field(uint8_t *p, const layout *l, runnel_count n)
{
    if (l->little) {
        const uint64_t old = runnel_load64le(p), low = old + n;
        runnel_store64le(p, l->bits == 32 ? add_to_low_half(old, n) : low);
        if (l->bits == 128)
            runnel_store64le(p + 8, runnel_load64le(p + 8) + (low < n));
        return;
    }
    uint8_t *low_half = p + l->bits / 8 - 8;
    switch (l->bits) {
    case 16:
        n += (runnel_count)p[0] << 8 | p[1];
        p[0] = (uint8_t)(n >> 8);
        p[1] = (uint8_t)n;
        break;
    case 32:
        runnel_store64be_at_once(p - 4, add_to_low_half(runnel_load64be(p - 4), n));
        break;
    default: {
        uint64_t low = runnel_load64be(low_half) + n;
        runnel_store64be(low_half, low);
        if (l->bits == 128)
            runnel_store64be(p, runnel_load64be(p) + (low < n));
        break;
    }
    }
}
#endif

/* The bits of the counter word that move in a run. */
static inline uint32_t run_mask(const runnel_kernel *kernel)
{
#if RUNNEL_AVR
    (void)kernel;
    return UINT32_MAX;
#else
    return UINT32_MAX >> (-(unsigned)kernel->run_bits & 31); /* 0: all 32 */
#endif
}

/* Returns how many blocks follow this one before the low word of the field wraps, which has 32 bits, or 16 in be16. */
static uint32_t blocks_before_wrap(const uint8_t *p, const layout *l)
{
    if (l->bits == 16)
        return 0xffff - ((uint32_t)p[0] << 8 | p[1]);
#if RUNNEL_NOT_AVR /* where kernels count in no little-endian field */
    if (l->little)
        return UINT32_MAX - runnel_load32le(p);
#endif
    return UINT32_MAX - runnel_load32be(p + l->bits / 8 - 4);
}

/* Writes n counter blocks from `block` on, whose counter is `field`; `block` is then the one after them. */
static void count_blocks(uint8_t *to, uint8_t *block, size_t block_bytes, uint8_t *field, const layout *l, size_t n)
{
#if RUNNEL_HOSTED
    if (l->little) {
        uint64_t low = runnel_load64le(block), high = block_bytes > 8 ? runnel_load64le(block + 8) : 0;
        for (; n > 0; n--, to += block_bytes) {
            runnel_store64le(to, low);
            if (block_bytes > 8)
                runnel_store64le(to + 8, high);
            low = l->bits == 32 ? add_to_low_half(low, 1) : low + 1;
            high += l->bits == 128 && low == 0;
        }
        runnel_store64le(block, low);
        if (block_bytes > 8)
            runnel_store64le(block + 8, high);
        return;
    }
#endif
    for (; n > 0; n--, to += block_bytes) {
        memcpy(to, block, block_bytes);
        add_to_field(field, l, 1);
    }
}

/* Makes counter blocks and has them encrypted: for kernels without a function for the counter's place. */
static void xor_by_blocks(const runnel_kernel *kernel, const void *state, uint8_t *block, size_t block_bytes,
                          uint8_t *field, const layout *l, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint8_t buffer[RUNNEL_BUFFERED_BLOCKS * 16];
    size_t most = 0;
    while (nblocks > 0) {
        size_t n = nblocks < RUNNEL_BUFFERED_BLOCKS ? nblocks : RUNNEL_BUFFERED_BLOCKS;
        count_blocks(buffer, block, block_bytes, field, l, n);
        kernel->block.encrypt_blocks(state, buffer, buffer, n);
        runnel_xor_bytes(out, in, buffer, n * block_bytes);
        out += n * block_bytes;
        if (in != NULL)
            in += n * block_bytes;
        nblocks -= n;
        if (n > most)
            most = n;
    }
    runnel_wipe(buffer, most * block_bytes);
}

/* Returns the kernel's function for the counter's place, or NULL. */
static inline runnel_ctr_function *function_for(const runnel_kernel *kernel, const layout *l)
{
    if (l->place != FROM_OFFSET)
        return kernel->block.ctr32;
#if RUNNEL_NOT_AVR
    if (l->little)
        return kernel->block.ctr32_little;
#endif
    return l->offset != 0 ? kernel->block.ctr32_left : NULL; /* be32-left */
}

/* From any block number, through any wrap. Apart, so that short messages do not save registers for it. */
static RUNNEL_NOINLINE void xor_from(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in,
                                     size_t nblocks)
{
    const runnel_cipher *cipher = context->stream.cipher;
    const runnel_kernel *kernel = context->stream.kernel;
    const layout *l = &layouts[context->stream.layout];
    const size_t block_bytes = cipher->block_bytes;
    const void *state = (const uint8_t *)context + cipher->state_offset;
    void *prefix = cipher->prefix_offset ? (uint8_t *)context + cipher->prefix_offset : NULL;

    uint8_t block[16];
    memcpy(block, context->first, sizeof block);
    uint8_t *field = block + (l->place != FROM_OFFSET ? block_bytes - l->bits / 8u : l->offset);
    add_to_field(field, l, index);

    runnel_ctr_function *const ctr32 = function_for(kernel, l);
    if (ctr32 == NULL) {
        xor_by_blocks(kernel, state, block, block_bytes, field, l, out, in, nblocks);
        return;
    }
    const uint32_t mask = run_mask(kernel);
    for (;;) {
        const uint32_t more = blocks_before_wrap(field, l) & mask;
        size_t n = nblocks - 1 <= more ? nblocks : (size_t)more + 1;
        ctr32(state, prefix, block, out, in, n);
        nblocks -= n;
        if (nblocks == 0)
            return;
        add_to_field(field, l, (runnel_count)n);
        out += n * block_bytes;
        if (in != NULL)
            in += n * block_bytes;
    }
}

#if SIZE_MAX > 0xffff
/* Returns 1 if a counter word stays in its run for nblocks blocks. */
static inline int stays_in_run(const runnel_kernel *kernel, uint32_t word, size_t nblocks)
{
    uint32_t more = ~word;
    if (kernel->run_bits != 0) /* without a run, masking all bits would only take time */
        more &= run_mask(kernel);
    return nblocks - 1 <= more;
}
#endif

/* Returns the kernel's function that makes the first nblocks blocks of the message in one call, or NULL. It may return
 * NULL although there is one, where finding out costs more. */
static inline runnel_ctr_function *function_alone(const runnel_cipher *cipher, const runnel_kernel *kernel,
                                                  const layout *l, const uint8_t *first, size_t nblocks)
{
    if (l->place == LAST) {
        const uint8_t *word = first + cipher->block_bytes - 4;
#if SIZE_MAX <= 0xffff /* fewer blocks than the low half counts */
        (void)nblocks;
        return (word[0] & word[1]) != 0xff ? kernel->block.ctr32 : NULL;
#else
        return stays_in_run(kernel, runnel_load32be(word), nblocks) ? kernel->block.ctr32 : NULL;
#endif
    }
#if RUNNEL_HOSTED
    if (l->little && stays_in_run(kernel, runnel_load32le(first), nblocks))
        return kernel->block.ctr32_little;
#endif
    return NULL;
}

void runnel_ctr_xor_blocks(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in,
                           size_t nblocks)
{
    const runnel_cipher *cipher = context->stream.cipher;
    const runnel_kernel *kernel = context->stream.kernel;
    const layout *l = &layouts[context->stream.layout];

    /* A message of one run needs no copy of its first block, which would be a third of the time of 16 bytes. */
    runnel_ctr_function *const alone = index == 0 ? function_alone(cipher, kernel, l, context->first, nblocks) : NULL;
    if (alone != NULL)
        alone((const uint8_t *)context + cipher->state_offset,
              cipher->prefix_offset ? (uint8_t *)context + cipher->prefix_offset : NULL, context->first, out, in,
              nblocks);
    else
        xor_from(context, index, out, in, nblocks);
}

#if RUNNEL_TAILS
int runnel_ctr_xor_tail(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in, size_t nblocks,
                        size_t tail, uint8_t *leftover)
{
    const runnel_cipher *cipher = context->stream.cipher;
    const runnel_kernel *kernel = context->stream.kernel;
    const layout *l = &layouts[context->stream.layout];
    if (l->place == FROM_OFFSET)
        return 0;
    uint8_t block[16];
    memcpy(block, context->first, sizeof block);
    uint8_t *counter = block + cipher->block_bytes - l->bits / 8u;
    add_to_field(counter, l, index);
    if (nblocks > (blocks_before_wrap(counter, l) & run_mask(kernel)))
        return 0;
    kernel->block.ctr32_tail((const uint8_t *)context + cipher->state_offset,
                             cipher->prefix_offset ? (uint8_t *)context + cipher->prefix_offset : NULL, block, out, in,
                             nblocks, tail, leftover);
    return 1;
}
#endif
