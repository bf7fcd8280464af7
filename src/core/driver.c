/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The verbs, once for all ciphers: position, left-over bytes, limits, and what is checked before the first byte. */
#include "arch/common/bytes.h"
#include "driver.h"
#include "keystream_buffer.h"
#include "arch/common/wipe.h"

#if RUNNEL_AVR
#define CHOOSE_KERNEL runnel_find_kernel
#else
#define CHOOSE_KERNEL runnel_choose_kernel
#endif

/* For a key of the cipher's length. */
RUNNEL_INLINE int driver_set_key(const runnel_cipher *cipher, runnel_stream *s, const uint8_t *key, size_t key_bytes,
                                 const char *kernel_name)
{
    const runnel_kernel *kernel = CHOOSE_KERNEL(cipher, key_bytes, kernel_name);
    if (kernel == NULL)
        return RUNNEL_ERR_KERNEL;
    runnel_key_begins(s, cipher, kernel, key_bytes);
    kernel->key((uint8_t *)s + cipher->state_offset, key, key_bytes);
    return RUNNEL_OK;
}

int runnel_cipher_key(const runnel_cipher *cipher, runnel_stream *s, const uint8_t *key, size_t key_bytes,
                      const char *kernel_name)
{
    if (cipher == NULL || s == NULL || (key == NULL && key_bytes > 0))
        return RUNNEL_ERR_NULL;
    if (!runnel_has_length(&cipher->key_bytes, key_bytes))
        return RUNNEL_ERR_KEY_LENGTH;
    return driver_set_key(cipher, s, key, key_bytes, kernel_name);
}

int runnel_family_key(runnel_cipher_list ciphers, runnel_stream *s, const uint8_t *key, size_t key_bytes,
                      const char *kernel)
{
    while (*ciphers != NULL && !runnel_has_length(&(*ciphers)->key_bytes, key_bytes))
        ciphers++;
    if (*ciphers == NULL)
        return RUNNEL_ERR_KEY_LENGTH;
    if (s == NULL || (key == NULL && key_bytes > 0))
        return RUNNEL_ERR_NULL;
    return driver_set_key(*ciphers, s, key, key_bytes, kernel);
}

#if RUNNEL_HOSTED
int runnel_family_begin(runnel_cipher_list ciphers, runnel_stream *s, size_t key_bytes, const char *kernel_name)
{
    while (*ciphers != NULL && !runnel_has_length(&(*ciphers)->key_bytes, key_bytes))
        ciphers++;
    if (*ciphers == NULL)
        return RUNNEL_ERR_KEY_LENGTH;
    const runnel_kernel *kernel = CHOOSE_KERNEL(*ciphers, key_bytes, kernel_name);
    if (kernel == NULL)
        return RUNNEL_ERR_KERNEL;
    runnel_key_begins(s, *ciphers, kernel, key_bytes);
    return RUNNEL_OK;
}
#endif

/* Bytes of the context written since key set-up. The prefix tables come last in it. */
static size_t driver_used_bytes(runnel_stream *s)
{
    const size_t prefix_offset = s->cipher->prefix_offset;
    if (prefix_offset == 0)
        return s->cipher->context_bytes;
    if (s->kernel->block.prefix_used == NULL)
        return prefix_offset + 8;
    return prefix_offset + s->kernel->block.prefix_used((uint8_t *)s + prefix_offset);
}

static size_t driver_stack_of(const runnel_kernel *kernel)
{
#if RUNNEL_HOSTED
    if (kernel->stack_bytes != 0)
        return kernel->stack_bytes;
#endif
    (void)kernel;
    return RUNNEL_STACK_BYTES;
}

int runnel_family_once(runnel_cipher_list ciphers, runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes,
                       const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes, int layout,
                       runnel_verb verb)
{
    int error = runnel_family_key(ciphers, s, key, key_bytes, NULL);
    if (error)
        return error;
    error = runnel_stream_iv(s, iv, iv_bytes, layout);
    if (!error)
        error = verb(s, out, in, bytes);
    const size_t stack_bytes = driver_stack_of(s->kernel);
    runnel_wipe(s, driver_used_bytes(s));
    runnel_wipe_stack(stack_bytes);
    return error;
}

int runnel_stream_iv(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout)
{
    const int error = runnel_check_iv(s, iv, iv_bytes, &layout);
    if (error)
        return error;
    runnel_begin(s, iv, iv_bytes, layout, NULL);
    return RUNNEL_OK;
}

/* Apart on AVR, where block numbers of 64 bits need a frame that counter mode does without. */
static RUNNEL_AVR_NOINLINE void driver_xor_stream_blocks(runnel_stream *s, runnel_count index, uint8_t *out,
                                                         const uint8_t *in, size_t nblocks)
{
    s->kernel->stream.xor_blocks(runnel_state_of(s), index, out, in, nblocks);
}

/* out = in XOR nblocks blocks of keystream; moves the position. On hosts counter mode does not come here. */
static inline void driver_xor_blocks(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_count index = s->block;
    s->block = index + (runnel_count)nblocks;
#if !RUNNEL_TAILS
    if (s->kernel->kind == RUNNEL_KIND_BLOCK) {
        runnel_counter_xor_blocks((runnel_ctr_head *)s, index, out, in, nblocks);
        return;
    }
#endif
    driver_xor_stream_blocks(s, index, out, in, nblocks);
}

#if RUNNEL_TAILS
/* Counter mode, from a block's start on. */
static inline int driver_xor_counter(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    runnel_ctr_head *const head = (runnel_ctr_head *)s;
    return runnel_counter_xor(head, s->block, out, in, bytes);
}

/* nblocks blocks and a tail shorter than one, if the kernel makes both at once; else returns 0. */
static inline int driver_xor_tail(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail)
{
    if (s->kernel->stream.xor_tail == NULL)
        return 0;
    s->kernel->stream.xor_tail(runnel_state_of(s), s->block, out, in, nblocks, tail, runnel_leftover_array(s));
    s->block += nblocks + 1;
    s->leftover = (uint16_t)(s->cipher->block_bytes - tail);
    return 1;
}
#endif

/* Writes the next block of keystream. */
static inline void driver_make_block(runnel_stream *s, uint8_t *out)
{
#if RUNNEL_TAILS
    if (s->kernel->kind == RUNNEL_KIND_BLOCK) {
        (void)driver_xor_counter(s, out, NULL, s->cipher->block_bytes);
        return;
    }
#endif
    driver_xor_blocks(s, out, NULL, 1);
}

/* Whole blocks, and a tail of which the block's rest is left over, from a block's start on. */
static RUNNEL_COLD int driver_xor_stream(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const size_t block_bytes = s->cipher->block_bytes;
    size_t nblocks = runnel_whole_blocks(bytes, block_bytes);
    if (nblocks > 0) {
#if RUNNEL_TAILS
        const size_t tail = bytes - nblocks * block_bytes;
        if (tail > 0 && driver_xor_tail(s, out, in, nblocks, tail))
            return RUNNEL_OK;
#endif
        driver_xor_blocks(s, out, in, nblocks);
        bytes -= nblocks * block_bytes;
        if (bytes == 0)
            return RUNNEL_OK;
        out += nblocks * block_bytes;
        in = runnel_advance(in, nblocks * block_bytes);
    }
    if (bytes > 0) {
        uint8_t *array = runnel_leftover_array(s);
        driver_xor_blocks(s, array, NULL, 1);
        runnel_xor_bytes(out, in, array, bytes);
        s->leftover = (uint16_t)(block_bytes - bytes);
    }
    return RUNNEL_OK;
}

static inline int driver_xor_from_block(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
#if RUNNEL_TAILS
    if (s->kernel->kind == RUNNEL_KIND_BLOCK)
        return driver_xor_counter(s, out, in, bytes);
#endif
    return driver_xor_stream(s, out, in, bytes);
}

/* Uses left-over keystream, of which there is some. Returns how many bytes. */
static inline size_t driver_take_leftover(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const size_t n = bytes < s->leftover ? bytes : s->leftover;
    runnel_keystream_take(runnel_leftover_array(s) + s->cipher->block_bytes, &s->leftover, out, in, n,
                          RUNNEL_USED_STAYS);
    return n;
}

#if RUNNEL_HOSTED
static RUNNEL_COLD int driver_xor_after_leftover(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const size_t n = driver_take_leftover(s, out, in, bytes);
    return bytes > n ? driver_xor_from_block(s, out + n, runnel_advance(in, n), bytes - n) : RUNNEL_OK;
}
#endif

/* runnel_stream_xor after its checks. Always RUNNEL_OK: then it is the caller's last call, and costs no frame. */
RUNNEL_SHARED_ON_HOSTS int runnel_xor_message(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (s->leftover > 0) {
#if RUNNEL_HOSTED
        return driver_xor_after_leftover(s, out, in, bytes);
#else
        const size_t n = driver_take_leftover(s, out, in, bytes);
        out += n;
        in = runnel_advance(in, n);
        bytes -= n;
#endif
    }
    return driver_xor_from_block(s, out, in, bytes);
}

#if RUNNEL_HOSTED
/* The next short piece of a stream, of more than what is left over. The first one may be all there is and is made alone; for
 * those after it keystream is made ahead. Returns 0, and has done nothing, where there is not so much keystream. */
static RUNNEL_NOINLINE int driver_xor_piece(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const size_t block_bytes = s->cipher->block_bytes, n = s->leftover;
    const size_t made = runnel_keystream_to_make(s->made_ahead, bytes - n, s->cipher->ahead_bytes + block_bytes),
                 nblocks = runnel_whole_blocks(made, block_bytes);
    if (s->made_ahead == 0 || (s->blocks != 0 && s->blocks - s->block < nblocks)) {
        s->made_ahead = 1;
        return 0;
    }
    uint8_t *end = runnel_leftover_array(s) + block_bytes;
    runnel_keystream_take(end, &s->leftover, out, in, n, RUNNEL_USED_STAYS);
    driver_xor_blocks(s, runnel_keystream_fill(end, &s->leftover, &s->made_ahead, made), NULL, nblocks);
    runnel_keystream_take(end, &s->leftover, out + n, runnel_advance(in, n), bytes - n, RUNNEL_USED_STAYS);
    return 1;
}
#endif

int runnel_stream_xor(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (s == NULL)
        return RUNNEL_ERR_NULL;
    if (s->stage != RUNNEL_IV_SET)
        return RUNNEL_ERR_STATE;
    if (s->cipher->directions != NULL)
        return RUNNEL_ERR_DIRECTION;
    if (bytes == 0)
        return RUNNEL_OK;
    const int error = runnel_check_call(s, out, in, bytes);
    if (error)
        return error;
#if RUNNEL_HOSTED
    if (s->cipher->ahead_bytes > 0 && bytes > s->leftover && bytes - s->leftover <= RUNNEL_SHORT_PIECE &&
        driver_xor_piece(s, out, in, bytes))
        return RUNNEL_OK;
#endif
    return runnel_xor_message(s, out, in, bytes);
}

int runnel_stream_seek(runnel_stream *s, uint64_t position)
{
    if (s == NULL)
        return RUNNEL_ERR_NULL;
    if (s->stage != RUNNEL_IV_SET)
        return RUNNEL_ERR_STATE;
    if (!s->cipher->seekable)
        return RUNNEL_ERR_SEEK;
    const size_t block_bytes = s->cipher->block_bytes;
    uint64_t block = position / block_bytes;
    size_t used = (size_t)(position % block_bytes);
    if (s->blocks != 0 && (block > s->blocks || (block == s->blocks && used > 0)))
        return RUNNEL_ERR_LIMIT;
    s->block = (runnel_count)block;
    s->leftover = 0;
#if RUNNEL_HOSTED
    s->made_ahead = 0; /* short reads here and there are no pieces of one stream */
#endif
    if (used > 0) {
        driver_make_block(s, runnel_leftover_array(s));
        s->leftover = (uint16_t)(block_bytes - used);
    }
    return RUNNEL_OK;
}

/* Returns blocks * block_bytes + more, or UINT64_MAX. */
static uint64_t driver_saturated_bytes(uint64_t blocks, uint64_t block_bytes, uint64_t more)
{
    if (blocks > (UINT64_MAX - more) / block_bytes)
        return UINT64_MAX;
    return blocks * block_bytes + more;
}

uint64_t runnel_stream_tell(const runnel_stream *s)
{
    if (s == NULL || s->stage != RUNNEL_IV_SET)
        return 0;
    const uint64_t block_bytes = s->cipher->block_bytes;
#if RUNNEL_HOSTED
    const uint64_t unused = (s->leftover + block_bytes - 1) / block_bytes; /* blocks, the last one in part */
    return driver_saturated_bytes(s->block - unused, block_bytes, unused * block_bytes - s->leftover);
#else
    if (s->leftover > 0)
        return driver_saturated_bytes(s->block - 1, block_bytes, block_bytes - s->leftover);
    return driver_saturated_bytes(s->block, block_bytes, 0);
#endif
}

uint64_t runnel_stream_left(const runnel_stream *s)
{
    if (s == NULL || s->stage != RUNNEL_IV_SET)
        return 0;
    if (s->blocks == 0)
        return UINT64_MAX;
    return driver_saturated_bytes(s->blocks - s->block, s->cipher->block_bytes, s->leftover);
}

const char *runnel_stream_kernel(const runnel_stream *s)
{
    return s != NULL && s->stage != RUNNEL_NOTHING_SET ? s->kernel->name : NULL;
}

void runnel_stream_wipe(runnel_stream *s)
{
    if (s != NULL && s->stage != RUNNEL_NOTHING_SET) {
        runnel_wipe(s, s->cipher->context_bytes); /* all of it: tables of an earlier key may be there still */
        runnel_wipe_stack(RUNNEL_STACK_BYTES);
    }
}
