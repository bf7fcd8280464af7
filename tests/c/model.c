/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "model.h"

void layout_field(int layout, size_t block_bytes, unsigned *bits, unsigned *offset, unsigned *little)
{
    const char *name = runnel_layout_name(layout);
    *bits = (unsigned)strtoul(name + 2, NULL, 10);
    *little = name[0] == 'l';
    *offset = *little ? 0 : (unsigned)block_bytes - *bits / 8;
    if (strstr(name, "-left") != NULL)
        *offset = 4;
}

void add_to_counter(uint8_t *block, unsigned bits, unsigned offset, unsigned little, uint64_t n)
{
    unsigned bytes = bits / 8, carry = 0;
    for (unsigned i = 0; i < bytes; i++) {
        uint8_t *p = block + offset + (little ? i : bytes - 1 - i);
        unsigned sum = *p + (i < 8 ? (unsigned)(n >> 8 * i & 0xff) : 0) + carry;
        *p = (uint8_t)sum;
        carry = sum >> 8;
    }
}

uint64_t model_period(const runnel_cipher *cipher, int layout)
{
    if (layout == 0)
        return cipher->blocks;
    unsigned bits, offset, little;
    layout_field(layout, cipher->block_bytes, &bits, &offset, &little);
    return bits < 64 ? (uint64_t)1 << bits : 0;
}

void model_init(naive *m, const runnel_cipher *cipher)
{
    memset(m, 0, sizeof *m);
    m->cipher = cipher;
    m->kernel = reference_kernel(cipher);
    m->context = (uint8_t *)new_context(cipher);
}

void model_free(naive *m)
{
    free_context((runnel_stream *)(void *)m->context);
    free(m->made);
}

static void *state_of(naive *m)
{
    return m->context + m->cipher->state_offset;
}

void model_key(naive *m, const uint8_t *key, size_t key_bytes)
{
    if (m->cipher->variant_offset)
        m->context[m->cipher->variant_offset] = m->cipher->variant;
    m->kernel->key(state_of(m), key, key_bytes);
}

void model_iv(naive *m, const uint8_t *iv, size_t iv_bytes, int layout)
{
    if (m->cipher->mode == RUNNEL_MODE_CTR) {
        memcpy(m->iv, iv, iv_bytes);
        layout_field(layout != 0 ? layout : m->cipher->layout, m->cipher->block_bytes, &m->bits, &m->offset,
                     &m->little);
    } else {
        m->kernel->stream.iv(state_of(m), iv, iv_bytes);
    }
    m->made_bytes = 0;
}

/* The keystream of a cipher that cannot seek, made in order and kept. */
static const uint8_t *made_until(naive *m, size_t bytes)
{
    const size_t block_bytes = m->cipher->block_bytes;
    if (bytes > m->room) {
        m->room = (2 * bytes + block_bytes) / block_bytes * block_bytes;
        m->made = realloc(m->made, m->room);
        if (m->made == NULL)
            fail(__FILE__, __LINE__, "out of memory");
    }
    for (; m->made_bytes < bytes; m->made_bytes += block_bytes)
        m->kernel->stream.xor_blocks(state_of(m), m->made_bytes / block_bytes, m->made + m->made_bytes, NULL, 1);
    return m->made;
}

void model_keystream(naive *m, uint64_t block, size_t skip, uint8_t *out, size_t bytes)
{
    const size_t block_bytes = m->cipher->block_bytes;
    if (bytes == 0)
        return;
    if (m->cipher->layout == 0 && !m->cipher->seekable) {
        size_t from = (size_t)block * block_bytes + skip;
        memcpy(out, made_until(m, from + bytes) + from, bytes);
        return;
    }
    while (bytes > 0) {
        uint8_t buffer[32 * 16], one[512], *made = one;
        size_t blocks = 1;
        if (m->cipher->mode == RUNNEL_MODE_CTR) {
            made = buffer;
            blocks = (skip + bytes + block_bytes - 1) / block_bytes;
            if (blocks > sizeof buffer / 16)
                blocks = sizeof buffer / 16;
            for (size_t i = 0; i < blocks; i++) {
                memcpy(buffer + i * block_bytes, m->iv, block_bytes);
                add_to_counter(buffer + i * block_bytes, m->bits, m->offset, m->little, block + i);
            }
            m->kernel->block.encrypt_blocks(state_of(m), buffer, buffer, blocks);
        } else {
            m->kernel->stream.xor_blocks(state_of(m), block, one, NULL, 1);
        }
        size_t n = blocks * block_bytes - skip;
        if (n > bytes)
            n = bytes;
        memcpy(out, made + skip, n);
        out += n;
        bytes -= n;
        block += blocks;
        skip = 0;
    }
}

void model_keystream_at(naive *m, uint64_t position, uint8_t *out, size_t bytes)
{
    model_keystream(m, position / m->cipher->block_bytes, (size_t)(position % m->cipher->block_bytes), out, bytes);
}
