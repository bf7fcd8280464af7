/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The end of the longest text of an AEAD whose cipher counts blocks, with counts of 32 or 64 bits: built with ENDS_HEADER and
 * ENDS_FAMILY ("aes.h", aes_ccm), ENDS_NONCE, ENDS_KEY and ENDS_BLOCK (bytes). The end is reached by moving both counts,
 * of text and of blocks. The last block of text has keystream of its own; what goes beyond is an error that changes
 * nothing. Status 0, or 1 with a line that says what is wrong. */
#include ENDS_HEADER

#include <stdio.h>
#include <string.h>

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, ENDS_FAMILY, verb)
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("line %d: %s\n", __LINE__, #condition);                                                             \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

static VERB() context, before;

int main(void)
{
    static const uint8_t key[ENDS_KEY] = {1}, nonce[ENDS_NONCE] = {2}, zeros[5 * ENDS_BLOCK];
    uint8_t start[3 * ENDS_BLOCK], end[2 * ENDS_BLOCK] = {0}, tag[16];
    runnel_aead_context *const head = (void *)&context;
    CHECK(VERB(_key)(&context, key, sizeof key) == RUNNEL_OK);
    runnel_stream *const stream = (void *)((uint8_t *)head + head->aead->cipher_offset);
    CHECK(VERB(_start)(&context, nonce, sizeof nonce, 16) == RUNNEL_OK);
    const uint64_t most = head->text_total;
    if (head->aead->lengths_first)
        CHECK(VERB(_lengths)(&context, 0, most) == RUNNEL_OK);
    CHECK(VERB(_encrypt)(&context, start, zeros, sizeof start) == RUNNEL_OK);

    const size_t last = (size_t)((most - 1) % ENDS_BLOCK) + 1;
    head->text_bytes = most - last;
    stream->block = (runnel_count)(head->text_bytes / ENDS_BLOCK + 1); /* 0 is for the tag or the tag's key */
    CHECK(stream->block == head->text_bytes / ENDS_BLOCK + 1);
    memcpy(&before, &context, sizeof before);
    CHECK(VERB(_encrypt)(&context, end, zeros, last + 1) == RUNNEL_ERR_LIMIT);
    CHECK(memcmp(&before, &context, sizeof before) == 0 && memcmp(end, zeros, sizeof end) == 0);
    CHECK(VERB(_encrypt)(&context, end, zeros, last) == RUNNEL_OK);
    for (size_t i = 0; i < sizeof start; i += ENDS_BLOCK)
        CHECK(memcmp(end, start + i, last) != 0);
    CHECK(memcmp(end, zeros, last) != 0);
    memcpy(&before, &context, sizeof before);
    CHECK(VERB(_encrypt)(&context, end, zeros, 1) == RUNNEL_ERR_LIMIT);
    CHECK(memcmp(&before, &context, sizeof before) == 0);
    CHECK(VERB(_tag)(&context, tag, sizeof tag) == RUNNEL_OK);
    return 0;
}
