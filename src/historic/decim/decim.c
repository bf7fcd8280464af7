/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* DECIM v2: the descriptor and the kernel. The register does not move: new cells are appended to it in memory, eight
 * at a time, and taps read bytes at their positions. How many bits the decimation outputs is secret, so nothing
 * branches on it: missing bits are masked out, and the end of the buffer is a bit that moves, not a shift count. */
#include "decim.h"

#include "arch/avr/copy.h"
#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "core/define.h"
#include "arch/common/lookup.h"
#include "arch/common/wipe.h"

enum {
    DECIM_BLOCK = 16,
    DECIM_REGISTER = 24,
    DECIM_SET_UP = 768 / 8,
    /* Groups of four clocks that fill the buffer. Always this many are run, so that the number needed stays secret;
     * they are too few with probability 2^-97. */
    DECIM_FEWEST_GROUPS = 16,
    DECIM_MOST_GROUPS = 64,
    DECIM_CHUNK =
        DECIM_MOST_GROUPS / 2, /* at most so many bytes are appended before the register moves back to the start */
};

/* The two bytes of which the lower one holds the cell; shifted down by cell % 8, their low byte is the eight cells from
 * that one on. */
static inline uint16_t decim_at(const uint8_t *x, unsigned cell)
{
    return (uint16_t)(x[cell / 8] | (unsigned)x[cell / 8 + 1] << 8);
}

static inline uint8_t decim_window(const uint8_t *x, unsigned cell)
{
    return (uint8_t)(decim_at(x, cell) >> cell % 8);
}

/* The sum of all feedback taps but 187, for eight clocks. */
static inline uint8_t decim_most_feedback(const uint8_t *x)
{
    return (uint8_t)((x[0 / 8] ^ x[176 / 8]) ^ (decim_at(x, 98) ^ decim_at(x, 146)) >> 2 ^
                     (decim_at(x, 3) ^ decim_at(x, 115)) >> 3 ^
                     (decim_at(x, 4) ^ decim_at(x, 36) ^ decim_at(x, 60)) >> 4 ^
                     (decim_at(x, 37) ^ decim_at(x, 61)) >> 5 ^ (decim_at(x, 23) ^ decim_at(x, 175)) >> 7);
}

/* Counts the inputs of the filter that are 1, modulo 4, for eight clocks. */
typedef struct decim_ones {
    uint8_t bit0, bit1;
} decim_ones;

static inline void decim_add(decim_ones *n, uint8_t input)
{
    n->bit1 ^= n->bit0 & input;
    n->bit0 ^= input;
}

/* Counts all inputs except 186 and 191, which do not exist yet when the first of the eight clocks begins. */
static inline decim_ones decim_count_most(const uint8_t *x)
{
    decim_ones n = {x[104 / 8], 0};
    decim_add(&n, x[144 / 8]);
    decim_add(&n, decim_window(x, 65));
    decim_add(&n, decim_window(x, 162));
    decim_add(&n, decim_window(x, 178));
    decim_add(&n, decim_window(x, 28));
    decim_add(&n, decim_window(x, 172));
    decim_add(&n, decim_window(x, 13));
    decim_add(&n, decim_window(x, 45));
    decim_add(&n, decim_window(x, 54));
    decim_add(&n, decim_window(x, 111));
    return n;
}

/* Eight clocks of set-up: appends x[24]. The filter's value goes into the register, so cell by cell. */
static RUNNEL_AVR_NOINLINE void decim_append_filtered(uint8_t *x)
{
    uint8_t feedback = decim_most_feedback(x), top = x[23]; /* cells 184 to 191 of each clock */
    decim_ones n = decim_count_most(x);
    for (unsigned i = 0; i < 8; i++) {
        decim_ones all = n;
        decim_add(&all, top >> 2);
        decim_add(&all, top >> 7);
        const uint8_t cell = feedback ^ (top >> 3) ^ all.bit0 ^ all.bit1;
        top = (uint8_t)(top >> 1 | cell << 7);
        feedback >>= 1;
        n.bit0 >>= 1;
        n.bit1 >>= 1;
    }
    x[24] = top;
}

/* Eight clocks: appends x[24] and returns the bits that go into the decimation, the first one lowest. */
static RUNNEL_AVR_NOINLINE uint8_t decim_append(uint8_t *x)
{
    uint8_t cells = (uint8_t)(decim_most_feedback(x) ^ x[23] >> 3);
    cells ^= (uint8_t)(cells << 5); /* tap 187 of the last three clocks sees the first three new cells */
    x[24] = cells;
    decim_ones n = decim_count_most(x);
    decim_add(&n, decim_window(x, 186));
    decim_add(&n, decim_window(x, 191));
    return n.bit0 ^ n.bit1 ^ decim_window(x, 1);
}

/* Feeds the low four bits to the decimation, and its output to the buffer; drops what does not fit. */
static RUNNEL_AVR_NOINLINE void decim_feed(runnel_decim_output *o, uint8_t bits)
{
    uint8_t given = 0, place = 1; /* the bits, and the position of the next: two at most */
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t bit = bits & 1, differs = bit ^ o->target;
        const uint8_t gives = (uint8_t)((o->idle | differs) ^ 1), mask = (uint8_t)(0 - gives);
        given |= (uint8_t)(place & mask & (0 - (o->target ^ o->seen)));
        place = (uint8_t)(place + (place & mask));
        o->target ^= differs & o->idle;
        o->seen = (uint8_t)((o->seen | differs) & (o->idle ^ 1));
        o->idle = gives;
        bits >>= 1;
    }
    const uint32_t end = o->end, next = end << 1;
    const uint32_t one = 0u - (uint32_t)(place >> 1 & 1), two = 0u - (uint32_t)(place >> 2);
    o->buffer |= (end & (0u - (uint32_t)(given & 1))) | (next & (0u - (uint32_t)(given >> 1)));
    o->end = (end & ~(one | two)) | (next & one) | (next << 1 & two);
}

/* Takes the oldest bit out of the buffer; 0 if it is empty. */
static inline uint8_t decim_take(runnel_decim_output *o)
{
    const uint8_t bit = (uint8_t)(o->buffer & 1);
    o->buffer >>= 1;
    o->end = o->end >> 1 | (o->end & 1) | (runnel_equal_mask(o->end, 0) & 0x80000000u);
    return bit;
}

static void decim_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    RUNNEL_COPY(((runnel_decim_state *)state)->key, key, sizeof((runnel_decim_state *)state)->key);
}

/* Runs until the buffer is full and leaves the register as it was at that moment. */
static void decim_fill(runnel_decim_state *s, uint8_t *x)
{
    uint8_t groups = 0, bits = 0;
    s->output = (runnel_decim_output){.buffer = 0, .end = 1, .idle = 1, .target = 0, .seen = 0};
    for (unsigned group = 0; group < DECIM_MOST_GROUPS; group++) {
        bits = group % 2 == 0 ? decim_append(x + group / 2) : (uint8_t)(bits >> 4);
        const uint32_t full = runnel_value_barrier32(runnel_equal_mask(s->output.end, 0));
        const uint8_t done = (uint8_t)full;
        runnel_decim_output next = s->output;
        decim_feed(&next, bits);
        groups = (uint8_t)(groups + (1 & ~done));
        s->output.buffer ^= (s->output.buffer ^ next.buffer) & ~full;
        s->output.end ^= (s->output.end ^ next.end) & ~full;
        s->output.idle ^= (uint8_t)((s->output.idle ^ next.idle) & ~done);
        s->output.target ^= (uint8_t)((s->output.target ^ next.target) & ~done);
        s->output.seen ^= (uint8_t)((s->output.seen ^ next.seen) & ~done);
    }
    memset(s->cells, 0, DECIM_REGISTER);
    for (uint8_t group = DECIM_FEWEST_GROUPS; group <= DECIM_MOST_GROUPS; group++) {
        const uint8_t here = (uint8_t)runnel_value_barrier32(runnel_equal_mask(group, groups));
        const uint8_t *const from = x + group / 2;
        if (group % 2 == 0)
            for (unsigned i = 0; i < DECIM_REGISTER; i++)
                s->cells[i] |= here & from[i];
        else
            for (unsigned i = 0; i < DECIM_REGISTER; i++)
                s->cells[i] |= (uint8_t)(here & (from[i] >> 4 | from[i + 1] << 4));
    }
}

static void decim_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_decim_state *s = state;
    uint8_t x[DECIM_REGISTER + DECIM_CHUNK], v[8] = {0};
    memcpy(v, iv, iv_bytes);
    memcpy(x, s->key, 10);
    for (unsigned i = 0; i < 8; i++)
        x[10 + i] = s->key[i] ^ v[i];
    for (unsigned i = 0; i < 2; i++)
        x[18 + i] = s->key[8 + i] ^ v[i] ^ v[2 + i] ^ v[4 + i] ^ v[6 + i];
    for (unsigned i = 0; i < 4; i++)
        x[20 + i] = (uint8_t)~(v[i] ^ v[4 + i]);
    for (unsigned done = 0; done < DECIM_SET_UP; done += DECIM_CHUNK) {
        for (unsigned i = 0; i < DECIM_CHUNK; i++)
            decim_append_filtered(x + i);
        memmove(x, x + DECIM_CHUNK, DECIM_REGISTER);
    }
    decim_fill(s, x);
    runnel_wipe(x, sizeof x);
}

static void decim_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_decim_state *s = state;
    uint8_t x[DECIM_REGISTER + DECIM_CHUNK];
    (void)index;
    memcpy(x, s->cells, DECIM_REGISTER);
    for (size_t chunks = nblocks * DECIM_BLOCK / (DECIM_CHUNK / 4); chunks > 0; chunks--) {
        for (unsigned i = 0; i < DECIM_CHUNK;) {
            uint8_t keystream = 0;
            for (unsigned end = i + 4; i < end; i++) { /* two bits of keystream */
                const uint8_t bits = decim_append(x + i);
                decim_feed(&s->output, bits);
                keystream = (uint8_t)(keystream >> 1 | decim_take(&s->output) << 7);
                decim_feed(&s->output, bits >> 4);
                keystream = (uint8_t)(keystream >> 1 | decim_take(&s->output) << 7);
            }
            *out++ = in == NULL ? keystream : (uint8_t)(keystream ^ *in++);
        }
        memmove(x, x + DECIM_CHUNK, DECIM_REGISTER);
    }
    memcpy(s->cells, x, DECIM_REGISTER);
    runnel_wipe(x, sizeof x);
}

const runnel_kernel runnel_decim_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("eight clocks at once; decimation and buffer by masks"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = decim_set_key,
    .stream = {.iv = decim_set_iv, .xor_blocks = decim_xor_blocks},
};

static runnel_kernel_list decim_kernels = {
#ifdef RUNNEL_DECIM_KERNEL
    RUNNEL_LIST_ONLY(decim, RUNNEL_DECIM_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_decim_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_decim_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher decim = {
    .name = RUNNEL_TEXT("decim"),
    .family = RUNNEL_TEXT("decim"),
    .title = RUNNEL_TEXT("DECIM v2"),
    .source = RUNNEL_TEXT("eSTREAM, phase 3; ISO/IEC 18033-4:2005/Amd 1:2009"),
    .remark = RUNNEL_TEXT("80-bit key: too short for new use; a patent application of 2004 was named for it"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .key_bytes = {10, 10, 1},
    .iv_bytes = {4, 8, 4},
    .block_bytes = DECIM_BLOCK,
    .context_bytes = sizeof(runnel_decim),
    .state_offset = offsetof(runnel_decim, state),
    .kernels = decim_kernels,
};

runnel_cipher_list runnel_decim_ciphers = {&decim, NULL};

RUNNEL_DEFINE_STREAM_VERBS(decim, runnel_decim_ciphers)
