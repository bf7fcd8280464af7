/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Descriptors of the folders of macs/. core/mac.c does the rest for all of them: every check, and cutting the
 * message into blocks. */
#ifndef RUNNEL_CORE_MAC_H
#define RUNNEL_CORE_MAC_H

#include <runnel/mac.h>

#include "arch/common/bytes.h"
#include "describe.h"
#include "tag.h"
#include "arch/common/wipe.h"

/* A context is a runnel_mac_context, block_bytes bytes for what waits, and whatever the functions keep. */
struct runnel_mac {
    const char *name;
    runnel_lengths key_bytes; /* last 65535: no limit */
    runnel_lengths tag_bytes; /* up to RUNNEL_MAC_TAG_MAX */
    uint16_t context_bytes;
    uint8_t block_bytes;
    uint8_t holds_last; /* 1: the last block waits for finish, even if it is whole */
    uint8_t single_use; /* 1: a key is for one message */
#if RUNNEL_HOSTED
    uint8_t component; /* 1: only a part of another algorithm */
#endif
    int (*key)(void *context, const uint8_t *key, size_t key_bytes); /* starts a message too; RUNNEL_OK or an error */
    void (*absorb)(void *context, const uint8_t *data, size_t nblocks); /* nblocks >= 1 */
    /* Writes the longest tag of what was absorbed and of the bytes that wait; then starts a message. */
    void (*finish)(void *context, const uint8_t *rest, size_t bytes, uint8_t tag[RUNNEL_MAC_TAG_MAX]);
#if RUNNEL_HOSTED
    const runnel_kernel_head *const *kernels; /* NULL: none to choose from */
    const runnel_cipher *const *ciphers;      /* instead, the cipher inside and its siblings, which have the kernels */
#endif
};

/* Those of a folder; ends with NULL. */
typedef const runnel_mac *const RUNNEL_IN_FLASH runnel_mac_list[];

/* Copies the beginning of a tag that has just been written in words: loads of more than a word would wait until all those
 * stores have left the processor, which on x86 takes as long as hashing half a block. */
static inline void runnel_copy_tag(uint8_t *to, const uint8_t *tag, size_t bytes)
{
    size_t i = 0;
    for (; i + 4 <= bytes; i += 4)
        memcpy(to + i, tag + i, 4);
    for (; i < bytes; i++)
        to[i] = tag[i];
}

/* Implementations of the verbs. Those of the same names in <runnel/mac.h> call these, which no call of the library
 * itself reaches through the linker's table. */
int runnel_mac_set_key(const runnel_mac *kind, runnel_mac_context *m, const uint8_t *key, size_t key_bytes);
int runnel_mac_add(const runnel_mac *kind, runnel_mac_context *m, const uint8_t *data, size_t bytes);
int runnel_mac_make_tag(const runnel_mac *kind, runnel_mac_context *m, uint8_t *tag, size_t tag_bytes);
int runnel_mac_check_tag(const runnel_mac *kind, runnel_mac_context *m, const uint8_t *tag, size_t tag_bytes);
int runnel_mac_once(const runnel_mac *kind, runnel_mac_context *m, uint8_t *tag, size_t tag_bytes, const uint8_t *data,
                    size_t bytes, const uint8_t *key, size_t key_bytes);
/* As runnel_mac_wipe, of a context whose size the caller knows. */
void runnel_mac_wipe_bytes(runnel_mac_context *m, size_t context_bytes);

/* Defines the functions that <runnel/mac.h> declares. */
#define RUNNEL_DEFINE_MAC_VERBS(name, kind)                                                                            \
    int runnel_##name##_key(runnel_##name *c, const uint8_t *key, size_t key_bytes)                                    \
    {                                                                                                                  \
        return runnel_mac_set_key(kind, (runnel_mac_context *)c, key, key_bytes);                                      \
    }                                                                                                                  \
    int runnel_##name##_update(runnel_##name *c, const uint8_t *data, size_t bytes)                                    \
    {                                                                                                                  \
        return runnel_mac_add(kind, (runnel_mac_context *)c, data, bytes);                                             \
    }                                                                                                                  \
    int runnel_##name##_tag(runnel_##name *c, uint8_t *tag, size_t tag_bytes)                                          \
    {                                                                                                                  \
        return runnel_mac_make_tag(kind, (runnel_mac_context *)c, tag, tag_bytes);                                     \
    }                                                                                                                  \
    int runnel_##name##_verify(runnel_##name *c, const uint8_t *tag, size_t tag_bytes)                                 \
    {                                                                                                                  \
        return runnel_mac_check_tag(kind, (runnel_mac_context *)c, tag, tag_bytes);                                    \
    }                                                                                                                  \
    int runnel_##name##_once(uint8_t *tag, size_t tag_bytes, const uint8_t *data, size_t bytes, const uint8_t *key,    \
                             size_t key_bytes)                                                                         \
    {                                                                                                                  \
        runnel_##name c;                                                                                               \
        return runnel_mac_once(kind, (runnel_mac_context *)&c, tag, tag_bytes, data, bytes, key, key_bytes);           \
    }                                                                                                                  \
    void runnel_##name##_wipe(runnel_##name *c)                                                                        \
    {                                                                                                                  \
        runnel_mac_wipe_bytes((runnel_mac_context *)c, sizeof *c);                                                     \
    }

#endif
