/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Messages as lines on the standard input: vectors, and texts to be sealed. */
#include "aeads.h"

/* Refused, and nothing but zeros written: or nothing at all, if a length is the reason. */
static void check_invalid(runnel_aead_context *c, const void *with)
{
    const message *m = with;
    memset(scratch, 0xa5, m->bytes + 1);
    const int error = runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, scratch, m->sealed, m->bytes,
                                       m->tag, m->tag_bytes);
    CHECK(error == RUNNEL_ERR_TAG || error == RUNNEL_ERR_IV_LENGTH || error == RUNNEL_ERR_TAG_LENGTH);
    for (size_t i = 0; i < m->bytes; i++)
        CHECK(scratch[i] == (error == RUNNEL_ERR_TAG ? 0 : 0xa5));
    CHECK(scratch[m->bytes] == 0xa5);
}

enum { LINE = 8 * MOST };

/* The next line's words, or 0 at the end. Ends the program with status 2 if there are not so many. */
static int read_fields(char *line, char **fields, int wanted)
{
    int count = 0;
    if (fgets(line, LINE, stdin) == NULL)
        return 0;
    for (char *word = strtok(line, " \n"); word != NULL && count < wanted; word = strtok(NULL, " \n"))
        fields[count++] = word;
    if (count != wanted)
        exit(2);
    return 1;
}

void run_vectors(void)
{
    enum { FIELDS = 8 };
    char *line = malloc(LINE), *fields[FIELDS];
    unsigned valid = 0, invalid = 0;
    message m = {.aad = buffer_aad, .text = buffer_text, .sealed = buffer_sealed};
    while (read_fields(line, fields, FIELDS)) {
        now = find(fields[0]);
        about = fields[2];
        const size_t key_bytes = from_hex(fields[1], m.key, sizeof m.key);
        m.nonce_bytes = from_hex(fields[2], m.nonce, sizeof m.nonce);
        m.aad_bytes = from_hex(fields[3], m.aad, MOST);
        m.bytes = from_hex(fields[4], m.text, MOST);
        const size_t sealed_bytes = from_hex(fields[5], m.sealed, MOST);
        m.tag_bytes = from_hex(fields[6], m.tag, sizeof m.tag);
        CHECK(key_bytes == now->key_bytes);
        if (*fields[7] == '1') {
            CHECK(sealed_bytes == m.bytes);
            for_every_kernel(m.key, check_message, &m);
            valid++;
        } else {
            m.bytes = sealed_bytes;
            for_every_kernel(m.key, check_invalid, &m);
            invalid++;
        }
    }
    free(line);
    printf("%u valid, %u invalid\n", valid, invalid);
}

void answer(void)
{
    enum { FIELDS = 6 };
    char *line = malloc(LINE), *fields[FIELDS];
    static uint8_t key[64], nonce[1024], tag[RUNNEL_AEAD_TAG_MAX];
    while (read_fields(line, fields, FIELDS)) {
        now = find(fields[0]);
        const size_t key_bytes = from_hex(fields[1], key, sizeof key), n = from_hex(fields[2], nonce, sizeof nonce);
        const size_t aad_bytes = from_hex(fields[3], buffer_aad, MOST);
        const size_t bytes = from_hex(fields[4], buffer_text, MOST), tag_bytes = (size_t)atoi(fields[5]);
        runnel_aead_context *c = context(0);
        CHECK(runnel_aead_key(now, c, key, key_bytes, NULL) == RUNNEL_OK);
        CHECK(runnel_aead_seal(c, nonce, n, buffer_aad, aad_bytes, scratch, buffer_text, bytes, tag, tag_bytes) ==
              RUNNEL_OK);
        for (size_t i = 0; i < bytes; i++)
            printf("%02x", scratch[i]);
        printf(" ");
        for (size_t i = 0; i < tag_bytes; i++)
            printf("%02x", tag[i]);
        printf("\n");
    }
    free(line);
}
