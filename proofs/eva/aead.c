/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEADs: whole messages, batches, and messages in pieces, with keystream made ahead and without. */
#include "any.h"

#include "core/ahead.h"

enum { KEY = 16, NONCE = 12, STATE = 24, SMALL = 96, MOST_TEXT = 2000, MOST_AAD = 64 };

typedef struct context {
    runnel_aead_context head;
    uint8_t state[STATE];
    runnel_keystream ahead;
} context;

static int set_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key, const char *kernel)
{
    reads(key, aead->key_bytes);
    if (kernel != NULL)
        return RUNNEL_ERR_KERNEL;
    WRITES(((context *)c)->state, STATE);
    return RUNNEL_OK;
}

static const char *kernel_of(const runnel_aead_context *c)
{
    (void)c;
    return "any";
}

static void step(runnel_aead_context *c)
{
    reads(((context *)c)->state, STATE);
    WRITES(((context *)c)->state, STATE);
}

static void start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes)
{
    reads(nonce, nonce_bytes);
    step(c);
}

static void add(runnel_aead_context *c, const uint8_t *aad, size_t bytes)
{
    /*@ assert bytes >= 1; */
    reads(aad, bytes);
    step(c);
}

static void crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    (void)decrypt;
    /*@ assert bytes >= 1; */
    reads(in, bytes);
    WRITES(out, bytes);
    step(c);
}

static void write_tag(runnel_aead_context *c, uint8_t *tag)
{
    step(c);
    WRITES(tag, RUNNEL_AEAD_LONGEST_TAG);
}

static void keystream(runnel_aead_context *c, uint8_t *out, size_t bytes)
{
    /*@ assert bytes % 64 == 0 && c->text_bytes % 64 == 0; */
    WRITES(out, bytes);
    step(c);
}

static void absorb(runnel_aead_context *c, const uint8_t *ciphertext, size_t bytes)
{
    reads(ciphertext, bytes);
    step(c);
}

static const runnel_aead_mode with_ahead = {.key = set_key,
                                            .kernel = kernel_of,
                                            .start = start,
                                            .lengths = step,
                                            .aad = add,
                                            .text = step,
                                            .crypt = crypt,
                                            .tag = write_tag,
                                            .keystream = keystream,
                                            .absorb = absorb,
                                            .small = SMALL};
static const runnel_aead_mode without = {
    .key = set_key, .kernel = kernel_of, .start = start, .aad = add, .text = step, .crypt = crypt, .tag = write_tag};

#define COMMON                                                                                                         \
    .multipart = 1, .nonce_min = NONCE, .nonce_max = NONCE, .tag_set = RUNNEL_TAG(8) | RUNNEL_TAG(16),                 \
    .key_bytes = KEY, .plaintext_max = MOST_TEXT, .aad_max = MOST_AAD, .context_bytes = sizeof(context)
static const runnel_aead ahead_aead = {COMMON, .ahead_offset = offsetof(context, ahead), .mode = &with_ahead};
static const runnel_aead plain_aead = {COMMON, .lengths_first = 1, .mode = &without};
static runnel_aead_list aeads = {&ahead_aead, NULL};
static uint8_t key[KEY], nonce[16], aad[MOST_AAD], tag[17];

static void set(const runnel_aead *aead, context *c)
{
    const int error = runnel_aead_key(aead, &c->head, key, KEY, NULL);
    /*@ assert error == RUNNEL_OK; */
    (void)error;
}

static void forget(void)
{
    FORGET_OUTPUT();
    ANY_BYTES(tag);
}

/* Right and wrong lengths of everything. */
static void whole(const runnel_aead *aead, size_t nonce_bytes, size_t aad_bytes, size_t bytes, size_t tag_bytes,
                  int way)
{
    context c;
    uint8_t *const at = tag + sizeof tag - tag_bytes;
    set(aead, &c);
    (void)runnel_aead_seal(&c.head, nonce + 16 - nonce_bytes, nonce_bytes, aad + MOST_AAD - aad_bytes, aad_bytes,
                           OUT(bytes), IN(way, bytes), bytes, at, tag_bytes);
    (void)runnel_aead_open(&c.head, nonce + 16 - nonce_bytes, nonce_bytes, aad + MOST_AAD - aad_bytes, aad_bytes,
                           OUT(bytes), IN(way, bytes), bytes, at, tag_bytes);
    /*@ assert c.head.stage == 0; */
    forget();
}

/* Each packet that is opened may be forged or not, which doubles the cases: few are opened. */
static void batches(const runnel_aead *aead, size_t count, int opened)
{
    static uint8_t tags[2 * RUNNEL_AEAD_BATCH][16];
    runnel_aead_packet packets[2 * RUNNEL_AEAD_BATCH];
    context c;
    set(aead, &c);
    ANY_BYTES(tags);
    for (size_t i = 0; i < count; i++)
        packets[i] = (runnel_aead_packet){.nonce = nonce,
                                          .aad = aad,
                                          .in = IN(APART, i),
                                          .out = OUT(i),
                                          .tag = tags[i],
                                          .nonce_bytes = NONCE,
                                          .aad_bytes = i % 3,
                                          .bytes = i,
                                          .tag_bytes = i % 2 != 0 ? 8 : 16};
    (void)runnel_aead_seal_batch(&c.head, packets, count);
    if (opened)
        (void)runnel_aead_open_batch(&c.head, packets, count);
    if (count > 0) {
        packets[count - 1].tag_bytes = 7;
        const int error = runnel_aead_open_batch(&c.head, packets, count);
        /*@ assert error != RUNNEL_OK; */
        (void)error;
    }
    ANY_BYTES(tags);
    forget();
}

/* A piece, with the message where the pieces before it may have left it. */
static void piece(const runnel_aead *aead, size_t used, size_t made, size_t before, uint64_t text_bytes, size_t bytes,
                  int decrypt)
{
    context c;
    set(aead, &c);
    int error = runnel_aead_start(&c.head, nonce, NONCE, 16);
    /*@ assert error == RUNNEL_OK; */
    c.head.stage = decrypt ? 3 : 2;
    c.head.text_bytes = text_bytes;
    c.ahead.left = (uint16_t)(made - used);
    c.ahead.made = (uint16_t)(made > 0 ? made : before);
    WRITES(c.ahead.bytes + sizeof c.ahead.bytes - made, made);
    error = (decrypt ? runnel_aead_decrypt : runnel_aead_encrypt)(&c.head, OUT(bytes), IN(IN_PLACE, bytes), bytes);
    /*@ assert error == RUNNEL_OK || error == RUNNEL_ERR_LIMIT; */
    /*@ assert c.ahead.left <= c.ahead.made <= 1024; */
    /*@ assert c.head.text_bytes <= c.head.text_total; */
    if (decrypt)
        (void)runnel_aead_verify(&c.head, tag, 16);
    else
        (void)runnel_aead_tag(&c.head, tag, 16);
    forget();
}

/* Steps in any order. */
static void orders(const runnel_aead *aead)
{
    for (int announced = 0; announced < 3; announced++)
        for (size_t aad_bytes = 0; aad_bytes <= MOST_AAD + 1; aad_bytes += 13)
            for (size_t bytes = 0; bytes <= 17; bytes += 17)
                for (int decrypt = 0; decrypt < 2; decrypt++) {
                    context c;
                    set(aead, &c);
                    (void)runnel_aead_start(&c.head, nonce, NONCE, 16);
                    if (announced > 0)
                        (void)runnel_aead_lengths(&c.head, aad_bytes, announced == 1 ? bytes : MOST_TEXT + 1u);
                    (void)runnel_aead_aad(&c.head, aad + MOST_AAD - aad_bytes % (MOST_AAD + 1),
                                          aad_bytes % (MOST_AAD + 1));
                    (void)(decrypt ? runnel_aead_decrypt : runnel_aead_encrypt)(&c.head, OUT(bytes), IN(APART, bytes),
                                                                                bytes);
                    (void)runnel_aead_encrypt(&c.head, OUT(bytes), IN(APART, bytes), bytes);
                    (void)runnel_aead_aad(&c.head, aad, 1);
                    (void)runnel_aead_tag(&c.head, tag, 16);
                    (void)runnel_aead_verify(&c.head, tag, 16);
                    (void)runnel_aead_tag(&c.head, tag, 16);
                    runnel_aead_wipe(&c.head);
                    forget();
                }
}

static void nothing(const runnel_aead *aead)
{
    context c;
    c.head.aead = NULL;
    (void)runnel_aead_seal(NULL, nonce, NONCE, aad, 0, OUT(1), IN(APART, 1), 1, tag, 16);
    (void)runnel_aead_seal(&c.head, nonce, NONCE, aad, 0, OUT(1), IN(APART, 1), 1, tag, 16);
    (void)runnel_aead_start(&c.head, nonce, NONCE, 16);
    (void)runnel_aead_lengths(NULL, 0, 0);
    (void)runnel_aead_lengths(&c.head, 0, 0);
    (void)runnel_aead_aad(&c.head, aad, 1);
    (void)runnel_aead_encrypt(&c.head, OUT(1), IN(APART, 1), 1);
    (void)runnel_aead_tag(&c.head, tag, 16);
    (void)runnel_aead_verify(NULL, tag, 16);
    (void)runnel_aead_seal_batch(NULL, NULL, 0);
    (void)runnel_aead_seal_batch(&c.head, NULL, 0);
    (void)runnel_aead_kernel(&c.head);
    runnel_aead_wipe(&c.head);
    (void)runnel_aead_key(NULL, &c.head, key, KEY, NULL);
    (void)runnel_aead_key(aead, &c.head, key, KEY - 1, NULL);
    (void)runnel_aead_key(aead, &c.head, key, KEY, "none");
    /*@ assert c.head.aead == \null; */
    (void)runnel_aead_family_key(aeads, &c.head, key, KEY - 1, NULL);
    (void)runnel_aead_family_key(aeads, &c.head, key, KEY, NULL);
    (void)runnel_aead_kernel(&c.head);
    (void)runnel_aead_seal(&c.head, NULL, NONCE, aad, 0, OUT(1), IN(APART, 1), 1, tag, 16);
    (void)runnel_aead_seal(&c.head, nonce, NONCE, NULL, 1, OUT(1), IN(APART, 1), 1, tag, 16);
    (void)runnel_aead_seal(&c.head, nonce, NONCE, aad, 1, OUT(1), NULL, 1, tag, 16);
    (void)runnel_aead_seal(&c.head, nonce, NONCE, aad, 1, OUT(1), IN(APART, 1), 1, NULL, 16);
    (void)runnel_aead_seal(&c.head, nonce, NONCE, aad, MOST_AAD + 1, OUT(1), IN(APART, 1), 1, tag, 16);
    (void)runnel_aead_seal(&c.head, nonce, NONCE, aad, 1, OUT(1), IN(APART, 1), MOST_TEXT + 1, tag, 16);
    (void)runnel_aead_seal(&c.head, nonce, NONCE, OUT(1), 1, OUT(1), IN(APART, 1), 1, tag, 16);
    (void)runnel_aead_takes_nonce(aead, NONCE);
    (void)runnel_aead_takes_tag(aead, 16);
}

int main(void)
{
    const runnel_aead *const both[] = {&ahead_aead, &plain_aead};
    const size_t most = IN_SHORT ? 2 : 17;
    ANY_BYTES(key);
    ANY_BYTES(nonce);
    ANY_BYTES(aad);
    ANY_BYTES(in_buffer);
    forget();
    for (int i = 0; i < 2; i++) {
        nothing(both[i]);
        orders(both[i]);
        for (size_t bytes = 0; bytes <= most; bytes++)
            for (int way = 0; way < WAYS; way++)
                whole(both[i], NONCE, bytes, bytes, 16, way);
        for (size_t nonce_bytes = 11; nonce_bytes <= 13; nonce_bytes++)
            for (size_t tag_bytes = 0; tag_bytes <= 17; tag_bytes += 4)
                whole(both[i], nonce_bytes, 1, 1, tag_bytes, APART);
        for (size_t count = 0; count <= 3; count++)
            batches(both[i], count, 1);
        batches(both[i], RUNNEL_AEAD_BATCH + 2, 0);
    }
    /* `before` doubles from 256 to 1024; the message continues for long after it, or ends with it. */
    for (size_t before = 256; before <= (IN_SHORT ? 256 : 1024); before *= 2)
        for (size_t used = 0; used < before; used += before / 4 - 1)
            for (size_t bytes = 0; bytes <= SMALL + 3; bytes += 33)
                for (int decrypt = 0; decrypt < 2; decrypt++) {
                    piece(&ahead_aead, used, before, before, 64 + used, bytes, decrypt);
                    piece(&ahead_aead, used, before, before, MOST_TEXT - (before - used), bytes, decrypt);
                }
    for (uint64_t text_bytes = 0; text_bytes <= 65; text_bytes += 13)
        for (size_t bytes = 0; bytes <= SMALL + 1; bytes += SMALL / 4 + 1)
            piece(&ahead_aead, 0, 0, 0, text_bytes, bytes, 0);
    Frama_C_show_each_all_done();
    return 0;
}
