/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Message authentication codes: checks, and the cutting of messages into blocks. */
#include "driver.h"
#include "mac.h"

enum {
    MAC_MOST_STACK = RUNNEL_HOSTED ? 8192 : 2048
}; /* no MAC uses more, AES's portable kernel and batches included */

static uint8_t *mac_waiting(runnel_mac_context *m)
{
    return (uint8_t *)(m + 1);
}

int runnel_mac_set_key(const runnel_mac *kind, runnel_mac_context *m, const uint8_t *key, size_t key_bytes)
{
    if (m == NULL || (key == NULL && key_bytes > 0))
        return RUNNEL_ERR_NULL;
    if (kind->key_bytes.last != UINT16_MAX && !runnel_has_length(&kind->key_bytes, key_bytes))
        return RUNNEL_ERR_KEY_LENGTH;
    const int error = kind->key(m, key, key_bytes);
    if (!error) {
        m->keyed = 1;
        m->filled = 0;
    }
    return error;
}

int runnel_mac_add(const runnel_mac *kind, runnel_mac_context *m, const uint8_t *data, size_t bytes)
{
    if (m == NULL || (data == NULL && bytes > 0))
        return RUNNEL_ERR_NULL;
    if (!m->keyed)
        return RUNNEL_ERR_STATE;
    const uint8_t block = kind->block_bytes, held = kind->holds_last;
    if (m->filled > 0) {
        const size_t room = (size_t)block - m->filled, n = bytes < room ? bytes : room;
        if (n > 0)
            memcpy(mac_waiting(m) + m->filled, data, n);
        m->filled = (uint8_t)(m->filled + n);
        bytes -= n;
        if (m->filled < block || bytes < held)
            return RUNNEL_OK;
        data += n;
        kind->absorb(m, mac_waiting(m), 1);
        m->filled = 0;
    }
    if (bytes >= (size_t)block + held) {
        const size_t n = runnel_whole_blocks(bytes - held, block);
        kind->absorb(m, data, n);
        data += n * block;
        bytes -= n * block;
    }
    if (bytes > 0)
        memcpy(mac_waiting(m), data, bytes);
    m->filled = (uint8_t)bytes;
    return RUNNEL_OK;
}

/* The longest tag; the context is ready for the next message, or for the next key. */
static void mac_finish(const runnel_mac *kind, runnel_mac_context *m, uint8_t *longest)
{
    const size_t bytes = m->filled;
    m->filled = 0;
    kind->finish(m, mac_waiting(m), bytes, longest);
    if (kind->single_use)
        runnel_wipe(m, kind->context_bytes);
}

static int mac_check(const runnel_mac *kind, const runnel_mac_context *m, const uint8_t *tag, size_t tag_bytes)
{
    if (m == NULL || tag == NULL)
        return RUNNEL_ERR_NULL;
    if (!m->keyed)
        return RUNNEL_ERR_STATE;
    return runnel_has_length(&kind->tag_bytes, tag_bytes) ? RUNNEL_OK : RUNNEL_ERR_TAG_LENGTH;
}

int runnel_mac_make_tag(const runnel_mac *kind, runnel_mac_context *m, uint8_t *tag, size_t tag_bytes)
{
    const int error = mac_check(kind, m, tag, tag_bytes);
    if (error)
        return error;
    uint8_t longest[RUNNEL_MAC_TAG_MAX];
    mac_finish(kind, m, longest);
    runnel_copy_tag(tag, longest, tag_bytes);
    runnel_wipe(longest, sizeof longest);
    return RUNNEL_OK;
}

int runnel_mac_check_tag(const runnel_mac *kind, runnel_mac_context *m, const uint8_t *tag, size_t tag_bytes)
{
    const int error = mac_check(kind, m, tag, tag_bytes);
    if (error)
        return error;
    uint8_t longest[RUNNEL_MAC_TAG_MAX];
    mac_finish(kind, m, longest);
    const int result = runnel_compare_tag(longest, tag, tag_bytes);
    runnel_wipe(longest, sizeof longest);
    return result;
}

int runnel_mac_once(const runnel_mac *kind, runnel_mac_context *m, uint8_t *tag, size_t tag_bytes, const uint8_t *data,
                    size_t bytes, const uint8_t *key, size_t key_bytes)
{
    int error = runnel_mac_set_key(kind, m, key, key_bytes);
    if (error)
        return error;
    error = runnel_mac_add(kind, m, data, bytes);
    if (!error)
        error = runnel_mac_make_tag(kind, m, tag, tag_bytes);
    runnel_mac_wipe_bytes(m, kind->context_bytes);
    return error;
}

void runnel_mac_wipe_bytes(runnel_mac_context *m, size_t context_bytes)
{
    if (m == NULL)
        return;
    runnel_wipe(m, context_bytes);
    runnel_wipe_stack(RUNNEL_STACK_BYTES < MAC_MOST_STACK ? RUNNEL_STACK_BYTES : MAC_MOST_STACK);
}
