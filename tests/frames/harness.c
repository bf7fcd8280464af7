/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The firmware's frames on the host, for test_firmware_frames.py: storage whose power fails at any write, and calls with
 * plain arguments. It is one file with what it tests, so that the nonce can be seen. */
#include "../../examples/firmware/frame.c"
#include "../../examples/firmware/storage.c"

#include <setjmp.h>

enum { POWER_FAILED = -100 };

static struct {
    uint8_t bytes[STORAGE_BYTES];
    long writes, cut;       /* cut: the write that fails, 0: none */
    int left;               /* what that cell then holds */
    int worn_from, worn_to; /* cells that take no value any more */
    jmp_buf failure;
} storage;

static frame_settings settings;
static frame_node node;

uint8_t storage_read(uint16_t at)
{
    return storage.bytes[at];
}

void storage_write(uint16_t at, uint8_t value)
{
    if (++storage.writes == storage.cut) {
        storage.bytes[at] = (uint8_t)storage.left;
        longjmp(storage.failure, 1);
    }
    if (at < storage.worn_from || at >= storage.worn_to)
        storage.bytes[at] = value;
}

uint8_t *harness_storage(void)
{
    return storage.bytes;
}

long harness_writes(void)
{
    return storage.writes;
}

void harness_cut(long write, int left)
{
    storage.writes = 0;
    storage.cut = write;
    storage.left = left;
}

void harness_wear(int from, int to)
{
    storage.worn_from = from;
    storage.worn_to = to;
}

void harness_settings(const uint8_t *key, int pan, int level, int key_index)
{
    memcpy(settings.key, key, sizeof settings.key);
    settings.pan = (uint16_t)pan;
    settings.level = (frame_level)level;
    settings.key_index = (uint8_t)key_index;
    settings.peer_count = 0;
}

/* peer: its place in the list, which grows; -1: the node itself. */
void harness_address(int peer, int short_address, const uint8_t *extended_address)
{
    frame_address *a = peer < 0 ? &settings.self : &settings.peers[peer];
    if (peer >= settings.peer_count)
        settings.peer_count = (uint8_t)(peer + 1);
    a->short_address = (uint16_t)short_address;
    memcpy(a->extended_address, extended_address, 8);
}

/* RAM holds nothing of use after a reset. */
int harness_start(void)
{
    memset(&node, 0xa5, sizeof node);
    return setjmp(storage.failure) ? POWER_FAILED : (int)frame_start(&node, &settings);
}

int harness_seal(uint8_t *frame, int destination, const uint8_t *payload, int bytes)
{
    return setjmp(storage.failure) ? POWER_FAILED
                                   : frame_seal(&node, frame, (uint16_t)destination, payload, (size_t)bytes);
}

int harness_open(const uint8_t *frame, int bytes, uint8_t *payload, uint8_t *peer)
{
    return setjmp(storage.failure) ? POWER_FAILED : frame_open(&node, frame, (size_t)bytes, payload, peer);
}

/* The MIC of header and text under the node's key, with a nonce as frames have it; text is encrypted in place. */
int harness_protect(const uint8_t *extended_address, uint32_t value, int level, const uint8_t *header,
                    int header_length, uint8_t *text, int bytes, uint8_t *mic, int mic_length)
{
    frame_address source = {0};
    uint8_t nonce[NONCE];
    memcpy(source.extended_address, extended_address, 8);
    make_nonce(nonce, &source, value, (uint8_t)level);
    return runnel_aes_ccm_seal(&node.aead, nonce, NONCE, header, (size_t)header_length, text, text, (size_t)bytes, mic,
                               (size_t)mic_length);
}
