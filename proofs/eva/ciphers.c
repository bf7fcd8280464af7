/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ciphers.h"
#include "modes/fused.h"

static void set_schedule(void *state, const uint8_t *key, size_t key_bytes)
{
    reads(key, key_bytes);
    WRITES(state, SCHEDULE);
}

static void set_schedules(void *const *states, const uint8_t *const *keys, size_t key_bytes)
{
    for (size_t k = 0; k < RUNNEL_KEY_LANES; k++)
        set_schedule(states[k], keys[k], key_bytes);
}

static void key_and_zero(void *state, const uint8_t *key, size_t key_bytes, uint8_t *zero)
{
    set_schedule(state, key, key_bytes);
    WRITES(zero, 16);
}

static void xor_(uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (in != NULL)
        reads(in, bytes);
    WRITES(out, bytes);
}

static void count(const void *state, void *prefix, const uint8_t *block, size_t size)
{
    reads(state, SCHEDULE);
    reads(block, size);
    if (prefix != NULL) {
        reads(prefix, 8);
        WRITES(prefix, PREFIX);
    }
}

static int short_packet(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t bytes,
                        uint8_t *leftover)
{
    count(state, NULL, block, 16);
    /*@ assert 1 <= bytes <= PACKET; */
    xor_(out, in, bytes);
    if (bytes % 16 > 0)
        WRITES(leftover, 16);
    return RUNNEL_OK;
}

static void nonce(const void *state, void *prefix, const uint8_t *block)
{
    count(state, prefix, block, 8);
}

static uint32_t prefix_used(const void *prefix)
{
    reads(prefix, 8);
    return PREFIX;
}

/* A block cipher's kernels, for blocks of `size` bytes: one with every function, one whose counter moves in runs of 256
 * blocks, and one with encryption alone. */
#define BLOCK_CIPHER(size)                                                                                             \
    static void encrypt_##size(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)                     \
    {                                                                                                                  \
        reads(state, SCHEDULE);                                                                                        \
        reads(in, nblocks *size);                                                                                      \
        WRITES(out, nblocks *size);                                                                                    \
    }                                                                                                                  \
    static void ctr32_##size(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,   \
                             size_t nblocks)                                                                           \
    {                                                                                                                  \
        count(state, prefix, block, size);                                                                             \
        xor_(out, in, nblocks *size);                                                                                  \
    }                                                                                                                  \
    static void tail_##size(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,    \
                            size_t nblocks, size_t tail, uint8_t *leftover)                                            \
    {                                                                                                                  \
        count(state, prefix, block, size);                                                                             \
        xor_(out, in, nblocks *size + tail);                                                                           \
        WRITES(leftover, size);                                                                                        \
    }                                                                                                                  \
    static void feedback_##size(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks)     \
    {                                                                                                                  \
        reads(state, SCHEDULE);                                                                                        \
        reads(last, size);                                                                                             \
        xor_(out, in, nblocks *size);                                                                                  \
        WRITES(last, size);                                                                                            \
    }                                                                                                                  \
    static const runnel_fused_functions fused_##size = {.cfb = feedback_##size, .cfb_decrypt = feedback_##size};       \
    const runnel_kernel full_##size = {.name = "full",                                                                 \
                                       .kind = RUNNEL_KIND_BLOCK,                                                      \
                                       .timing = RUNNEL_CONSTANT_TIME,                                                 \
                                       .cpu = FEATURE,                                                                 \
                                       .key = set_schedule,                                                            \
                                       .keys = set_schedules,                                                          \
                                       .block = {.encrypt_blocks = encrypt_##size,                                     \
                                                 .ctr32 = ctr32_##size,                                                \
                                                 .ctr32_left = size == 16 ? ctr32_##size : NULL,                       \
                                                 .ctr32_little = ctr32_##size,                                         \
                                                 .ctr32_tail = tail_##size,                                            \
                                                 .packet = size == 16 ? short_packet : NULL,                           \
                                                 .packet_bytes = size == 16 ? PACKET : 0,                              \
                                                 .nonce = nonce,                                                       \
                                                 .prefix_used = prefix_used,                                           \
                                                 .decrypt_key = set_schedule,                                          \
                                                 .decrypt_blocks = encrypt_##size,                                     \
                                                 .key_and_zero = size == 16 ? key_and_zero : NULL,                     \
                                                 .fused = &fused_##size}};                                             \
    const runnel_kernel runs_##size = {                                                                                \
        .name = "runs",                                                                                                \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_CONSTANT_TIME,                                                                                \
        .run_bits = 8,                                                                                                 \
        .key = set_schedule,                                                                                           \
        .block = {.encrypt_blocks = encrypt_##size, .ctr32 = ctr32_##size, .ctr32_tail = tail_##size}};                \
    const runnel_kernel plain_##size = {.name = "plain",                                                               \
                                        .kind = RUNNEL_KIND_BLOCK,                                                     \
                                        .timing = RUNNEL_SECRET_INDEXED,                                               \
                                        .key = set_schedule,                                                           \
                                        .block = {.encrypt_blocks = encrypt_##size}};                                  \
    runnel_kernel_list kernels_##size = {RUNNEL_HEAD_OF(&full_##size), RUNNEL_HEAD_OF(&runs_##size),                   \
                                         RUNNEL_HEAD_OF(&plain_##size), NULL}

#define CTR_CIPHER(size, key, all_layouts)                                                                             \
    {.name = "ctr",                                                                                                    \
     .family = "ctr",                                                                                                  \
     .mode = RUNNEL_MODE_CTR,                                                                                          \
     .seekable = 1,                                                                                                    \
     .layout = size == 16 ? RUNNEL_BE128 : RUNNEL_BE64,                                                                \
     .layouts = all_layouts,                                                                                           \
     .key_bytes = {key, key, 1},                                                                                       \
     .iv_bytes = {size, size, 1},                                                                                      \
     .block_bytes = size,                                                                                              \
     .context_bytes = sizeof(ctr_context),                                                                             \
     .state_offset = offsetof(ctr_context, schedule),                                                                  \
     .prefix_offset = offsetof(ctr_context, prefix),                                                                   \
     .kernels = kernels_##size}

#define CFB_CIPHER(size)                                                                                               \
    {.name = "cfb",                                                                                                    \
     .family = "cfb",                                                                                                  \
     .mode = RUNNEL_MODE_CFB,                                                                                          \
     .key_bytes = {16, 16, 1},                                                                                         \
     .iv_bytes = {size, size, 1},                                                                                      \
     .block_bytes = size,                                                                                              \
     .context_bytes = sizeof(cfb_context),                                                                             \
     .state_offset = offsetof(cfb_context, schedule),                                                                  \
     .directions = &runnel_cfb,                                                                                        \
     .kernels = kernels_##size}

BLOCK_CIPHER(16);
BLOCK_CIPHER(8);

const runnel_cipher ctr_16 = CTR_CIPHER(16, 16, RUNNEL_LAYOUTS_16 | 1 << RUNNEL_BE32_LEFT);
const runnel_cipher ctr_8 = CTR_CIPHER(8, 24, RUNNEL_LAYOUTS_8);
const runnel_cipher cfb_16 = CFB_CIPHER(16), cfb_8 = CFB_CIPHER(8);
runnel_cipher_list ctr_family = {&ctr_16, &ctr_8, NULL};

static void stream_key(void *state, const uint8_t *key, size_t key_bytes)
{
    reads(key, key_bytes);
    WRITES(state, STREAM_STATE);
}

static void stream_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    reads(state, STREAM_STATE);
    reads(iv, iv_bytes);
    WRITES(state, STREAM_STATE);
}

static void stream_xor(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    /*@ assert nblocks >= 1; */
    reads(state, STREAM_STATE);
    xor_(out, in, nblocks * STREAM_BLOCK);
    WRITES(state, STREAM_STATE);
}

static void stream_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                        uint8_t *leftover)
{
    (void)index;
    /*@ assert nblocks >= 1 && 1 <= tail < STREAM_BLOCK; */
    reads(state, STREAM_STATE);
    xor_(out, in, nblocks * STREAM_BLOCK + tail);
    WRITES(leftover, STREAM_BLOCK);
    WRITES(state, STREAM_STATE);
}

static void lanes_iv(void *const *states, const uint8_t *const *ivs, size_t iv_bytes)
{
    for (size_t k = 0; k < LANES; k++)
        stream_iv(states[k], ivs[k], iv_bytes);
}

static void lanes_xor(void *const *states, uint64_t index, uint8_t *const *out, const uint8_t *const *in,
                      size_t nblocks)
{
    for (size_t k = 0; k < LANES; k++)
        stream_xor(states[k], index, out[k], in[k], nblocks);
}

static const runnel_batch lanes = {.cpu = FEATURE,
                                   .lanes = LANES,
                                   .in_step = 1,
                                   .min_streams_iv = 2,
                                   .min_streams_xor = 1,
                                   .iv = lanes_iv,
                                   .xor_blocks = lanes_xor};

const runnel_kernel stream_kernel = {.name = "stream",
                                     .kind = RUNNEL_KIND_STREAM,
                                     .key = stream_key,
                                     .stream = {.iv = stream_iv, .xor_blocks = stream_xor}};
const runnel_kernel lanes_kernel = {.name = "lanes",
                                    .kind = RUNNEL_KIND_STREAM,
                                    .key = stream_key,
                                    .stream = {.iv = stream_iv, .xor_blocks = stream_xor, .xor_tail = stream_tail},
                                    .batch = &lanes};
static runnel_kernel_list stream_kernels = {RUNNEL_HEAD_OF(&stream_kernel), NULL},
                          lanes_kernels = {RUNNEL_HEAD_OF(&lanes_kernel), NULL};

const runnel_cipher ahead_cipher = {.name = "ahead",
                                    .mode = RUNNEL_MODE_STREAM,
                                    .seekable = 1,
                                    .key_bytes = {16, 32, 8},
                                    .iv_bytes = {8, 8, 1},
                                    .block_bytes = STREAM_BLOCK,
                                    .ahead_bytes = AHEAD,
                                    .blocks = MOST_BLOCKS,
                                    .context_bytes = sizeof(stream_context),
                                    .state_offset = offsetof(stream_context, state),
                                    .kernels = stream_kernels};
const runnel_cipher lanes_cipher = {.name = "lanes",
                                    .mode = RUNNEL_MODE_STREAM,
                                    .key_bytes = {16, 16, 1},
                                    .iv_bytes = {16, 16, 1},
                                    .iv_as_key = 1,
                                    .block_bytes = STREAM_BLOCK,
                                    .context_bytes = sizeof(plain_context),
                                    .state_offset = offsetof(plain_context, state),
                                    .variant_offset = offsetof(plain_context, state),
                                    .kernels = lanes_kernels};

/* Without a limit of its own a message ends here, which no machine reaches: counting on would wrap. */
static const uint64_t unreached = (uint64_t)1 << 63;

void any_message(runnel_stream *s, const runnel_cipher *cipher, const runnel_kernel *kernel, int layout,
                 size_t leftover)
{
    uint8_t key[32], iv[16];
    ANY_BYTES(key);
    ANY_BYTES(iv);
    cpu_features = FEATURE;
    int error = runnel_cipher_key(cipher, s, key, cipher->key_bytes.first, kernel->name);
    /*@ assert error == RUNNEL_OK; */
    error = runnel_stream_iv(s, iv, cipher->iv_bytes.first, layout);
    /*@ assert error == RUNNEL_OK; */
    if (cipher->mode != RUNNEL_MODE_CFB)
        WRITES((uint8_t *)(s + 1), cipher->state_offset - sizeof *s - (cipher->mode == RUNNEL_MODE_CTR ? 16 : 0));
    s->leftover = (uint16_t)leftover;
    s->block = ANY((leftover + cipher->block_bytes - 1) / cipher->block_bytes, s->blocks != 0 ? s->blocks : unreached);
}

void check_message_state(const runnel_stream *s)
{
    /*@ assert s->leftover < s->cipher->block_bytes + s->cipher->ahead_bytes; */
    /*@ assert s->blocks == 0 || s->block <= s->blocks; */
    (void)s;
}
