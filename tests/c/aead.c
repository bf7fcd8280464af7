/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-aeads list | vectors | properties SEED [NAME] | seal | secrets NAME KERNEL…
 * Every AEAD of the library, from its registry, through every kernel that this CPU runs, and each of them with every kernel
 * of what it is made of: CPU features are hidden one after the other.
 *   list         name, kernel, the features it needs or -, timing class, 1 if this CPU runs it
 *   vectors      lines of "name key nonce aad text ciphertext tag valid" on the standard input, hexadecimal, - for nothing,
 *                valid 1 or 0; in one call, in place, at odd addresses, in pieces, several at once
 *   properties   random messages, all ways against each other; errors, limits, copies, wiping
 *   seal         lines of "name key nonce aad text tag_bytes"; answers with ciphertext and tag, for comparison
 *   secrets      key, associated data, text and tag marked secret (see secrets.h), nonce and lengths public
 * Status 0, 1 if something is wrong, 2 if a line cannot be understood, 78 if no tool watches. */
#include <stdio.h>
#include <stdlib.h>

#include <runnel/runnel.h>

#include "core/aead.h"
#ifdef RUNNEL_TEST_SECRETS
#include "secrets.h"
#endif

enum { CONTEXT = 1 << 15, MOST = 1 << 17, PACKETS = 40 };

static const runnel_aead *now;
static const char *kernel_now;
static const char *about = "";

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s/%s %s: not so: %s\n", __FILE__, __LINE__, now->name,                            \
                    kernel_now != NULL ? kernel_now : "-", about, #condition);                                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) * n >> 31);
}

static void random_bytes(uint8_t *p, size_t n)
{
    while (n-- > 0)
        *p++ = (uint8_t)random_below(256);
}

static int all_zeros(const uint8_t *p, size_t n)
{
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= p[i];
    return any == 0;
}

static _Alignas(64) uint8_t memory[2][CONTEXT + 64];

/* Contexts lie where malloc might put them, and no better. */
static runnel_aead_context *context(unsigned number)
{
    memset(memory[number], 0, sizeof memory[number]);
    return (runnel_aead_context *)(void *)(memory[number] + RUNNEL_ALIGN);
}

/* What is hidden of the CPU, so that other kernels of GHASH and of Poly1305 run. */
static const uint32_t hidden[] = {0, RUNNEL_CPU_AVX512, RUNNEL_CPU_VCLMUL | RUNNEL_CPU_AVX512 | RUNNEL_CPU_VAES,
                                  RUNNEL_CPU_CLMUL | RUNNEL_CPU_VCLMUL, UINT32_MAX};
enum { WAYS = sizeof hidden / sizeof hidden[0] };

typedef struct message {
    uint8_t key[64], nonce[1024], tag[16];
    uint8_t *aad, *text, *sealed;
    size_t nonce_bytes, aad_bytes, bytes, tag_bytes;
} message;

static uint8_t buffer_aad[MOST], buffer_text[MOST], buffer_sealed[MOST], scratch[MOST + 64], other_aad[MOST + 64];

/* ---- one message in every way ---- */

static void check_one_shot(runnel_aead_context *c, const message *m)
{
    uint8_t tag[17], wrong[16];
    const size_t shift = random_below(16);
    uint8_t *out = scratch + shift;
    tag[m->tag_bytes] = 0xa5;
    memset(out, 0xa5, m->bytes + 1);
    CHECK(runnel_aead_seal(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, m->text, m->bytes, tag,
                           m->tag_bytes) == RUNNEL_OK);
    CHECK(memcmp(out, m->sealed, m->bytes) == 0 && memcmp(tag, m->tag, m->tag_bytes) == 0);
    CHECK(out[m->bytes] == 0xa5 && tag[m->tag_bytes] == 0xa5);
    /* elsewhere */
    memset(out, 0xa5, m->bytes + 1);
    CHECK(runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, m->sealed, m->bytes, tag,
                           m->tag_bytes) == RUNNEL_OK);
    CHECK(memcmp(out, m->text, m->bytes) == 0 && out[m->bytes] == 0xa5);
    memcpy(out, m->sealed, m->bytes);
    /* in place */
    CHECK(runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, out, m->bytes, tag, m->tag_bytes) ==
          RUNNEL_OK);
    CHECK(memcmp(out, m->text, m->bytes) == 0 && out[m->bytes] == 0xa5);
    CHECK(runnel_aead_seal(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, out, m->bytes, tag, m->tag_bytes) ==
          RUNNEL_OK);
    CHECK(memcmp(out, m->sealed, m->bytes) == 0 && memcmp(tag, m->tag, m->tag_bytes) == 0 && out[m->bytes] == 0xa5);
    /* one bit of the tag */
    memcpy(wrong, m->tag, m->tag_bytes);
    wrong[random_below((uint32_t)m->tag_bytes)] ^= (uint8_t)(1 << random_below(8));
    memset(out, 0xa5, m->bytes + 1);
    CHECK(runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, out, m->sealed, m->bytes, wrong,
                           m->tag_bytes) == RUNNEL_ERR_TAG);
    CHECK(all_zeros(out, m->bytes) && out[m->bytes] == 0xa5);
}

static const uint32_t piece_most[] = {1, 17, 40, 300, 2000, 5000};

/* 0 to `most` bytes of what is left, with most == 0 of any length. */
static size_t random_piece(size_t left, uint32_t most)
{
    const size_t n = random_below((most > 0 ? most : piece_most[random_below(6)]) + 1);
    return n < left ? n : left;
}

/* In pieces, from odd addresses, now and then by a copy of the context elsewhere. */
static void check_pieces(runnel_aead_context *first, const message *m, int decrypt)
{
    runnel_aead_context *c = first;
    uint8_t tag[16];
    uint8_t *out = scratch + random_below(16), *aad = other_aad + random_below(16);
    const uint8_t *in = decrypt ? m->sealed : m->text;
    memcpy(aad, m->aad, m->aad_bytes);
    memcpy(out, in, m->bytes);
    CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
    const int says = now->lengths_first || random_below(2);
    if (says)
        CHECK(runnel_aead_lengths(c, m->aad_bytes, m->bytes) == RUNNEL_OK);
    for (size_t at = 0, n; at < m->aad_bytes; at += n) {
        n = random_piece(m->aad_bytes - at, 0);
        CHECK(runnel_aead_aad(c, n > 0 ? aad + at : NULL, n) == RUNNEL_OK);
    }
    const int in_place = random_below(2) == 0;
    const uint32_t most = random_below(2) ? piece_most[1 + random_below(3)] : 0; /* all small, or of all sizes */
    for (size_t at = 0, n; at < m->bytes; at += n) {
        n = random_piece(m->bytes - at, most);
        const uint8_t *from = in_place ? out + at : in + at;
        CHECK((decrypt ? runnel_aead_decrypt : runnel_aead_encrypt)(c, out + at, from, n) == RUNNEL_OK);
        if (random_below(8) == 0) {
            runnel_aead_context *copy = c == first ? context(1) : first;
            memcpy(copy, c, now->context_bytes);
            c = copy;
        }
    }
    CHECK(memcmp(out, decrypt ? m->text : m->sealed, m->bytes) == 0);
    if (decrypt) {
        CHECK(runnel_aead_verify(c, m->tag, m->tag_bytes) == RUNNEL_OK);
    } else {
        CHECK(runnel_aead_tag(c, tag, m->tag_bytes) == RUNNEL_OK);
        CHECK(memcmp(tag, m->tag, m->tag_bytes) == 0);
    }
    if (c != first)
        memcpy(first, c, now->context_bytes);
}

static void check_wrong_pieces(runnel_aead_context *c, const message *m)
{
    uint8_t wrong[16];
    memcpy(wrong, m->tag, m->tag_bytes);
    wrong[random_below((uint32_t)m->tag_bytes)] ^= (uint8_t)(1 << random_below(8));
    CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_lengths(c, m->aad_bytes, m->bytes) == RUNNEL_OK);
    CHECK(runnel_aead_aad(c, m->aad, m->aad_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_decrypt(c, scratch, m->sealed, m->bytes) == RUNNEL_OK);
    CHECK(runnel_aead_verify(c, wrong, m->tag_bytes) == RUNNEL_ERR_TAG);
}

/* Its key is for one message, and gone with it. */
static void check_no_key_of_poly1305(const runnel_aead_context *c)
{
    if (strcmp(now->name, "chacha20-poly1305") == 0)
        CHECK(all_zeros((const uint8_t *)&((const runnel_chacha20_poly1305 *)(const void *)c)->mac,
                        sizeof(runnel_poly1305)));
}

/* Halves, which are long enough for kernels that make powers of a key. */
static void check_large_pieces(runnel_aead_context *c, const message *m)
{
    const size_t half = m->bytes / 2;
    uint8_t tag[16];
    CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_aad(c, m->aad, m->aad_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_encrypt(c, scratch, m->text, half) == RUNNEL_OK);
    CHECK(runnel_aead_encrypt(c, scratch + half, m->text + half, m->bytes - half) == RUNNEL_OK);
    CHECK(runnel_aead_tag(c, tag, m->tag_bytes) == RUNNEL_OK);
    CHECK(memcmp(scratch, m->sealed, m->bytes) == 0 && memcmp(tag, m->tag, m->tag_bytes) == 0);
}

/* A message that does not end, under another nonce, and then one in pieces. */
static void check_after_unfinished(runnel_aead_context *c, const message *m)
{
    uint8_t nonce[sizeof m->nonce];
    memcpy(nonce, m->nonce, m->nonce_bytes);
    nonce[0] ^= 1;
    CHECK(runnel_aead_start(c, nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
    CHECK(runnel_aead_encrypt(c, scratch, m->text, 1500) == RUNNEL_OK);
    check_large_pieces(c, m);
    check_no_key_of_poly1305(c);
}

static int is_in_context(const runnel_aead_context *c, const uint8_t *bytes, size_t count)
{
    return memmem(c, now->context_bytes, bytes, count) != NULL;
}

/* Keystream that was made ahead of small pieces is gone when the message has ended, and when another one starts or another
 * key is set in its midst; the next message is right. */
static void check_ahead(runnel_aead_context *c, const void *with)
{
    const message *m = with;
    enum { PIECE = 20, USED = 700, UNUSED = 760, SOME = 24 };
    uint8_t keystream[SOME], other[SOME], tag[16];
    for (int i = 0; i < SOME; i++)
        keystream[i] = m->text[UNUSED + i] ^ m->sealed[UNUSED + i];
    for (int way = 0; way < 3; way++) {
        CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
        if (now->lengths_first)
            CHECK(runnel_aead_lengths(c, m->aad_bytes, way == 0 ? USED : m->bytes) == RUNNEL_OK);
        CHECK(runnel_aead_aad(c, m->aad, m->aad_bytes) == RUNNEL_OK);
        for (size_t at = 0; at < USED; at += PIECE)
            CHECK(runnel_aead_encrypt(c, scratch + at, m->text + at, PIECE) == RUNNEL_OK);
        CHECK(memcmp(scratch, m->sealed, USED) == 0);
        if (now->ahead_offset != 0)
            CHECK(is_in_context(c, keystream, SOME));
        if (way == 0) {
            CHECK(runnel_aead_tag(c, tag, m->tag_bytes) == RUNNEL_OK);
            check_no_key_of_poly1305(c);
        } else if (way == 1) {
            CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_OK);
            if (now->ahead_offset != 0)
                CHECK(runnel_aead_encrypt(c, other, m->text, SOME) == RUNNEL_OK &&
                      runnel_aead_encrypt(c, other, m->text + SOME, SOME) == RUNNEL_OK &&
                      memcmp(other, m->sealed + SOME, SOME) == 0);
        } else {
            CHECK(runnel_aead_key(now, c, m->key, now->key_bytes, kernel_now) == RUNNEL_OK);
        }
        CHECK(!is_in_context(c, keystream, SOME));
    }
    if (!now->lengths_first)
        check_after_unfinished(c, m);
    memset(c, 0xa5, now->context_bytes); /* and what lay in the context's memory before the key does not count */
    CHECK(runnel_aead_key(now, c, m->key, now->key_bytes, kernel_now) == RUNNEL_OK);
    check_pieces(c, m, 0);
}

static void check_message(runnel_aead_context *c, const message *m)
{
    check_one_shot(c, m);
    if (now->multipart) {
        check_pieces(c, m, 0);
        check_pieces(c, m, 1);
        check_wrong_pieces(c, m);
    } else {
        CHECK(runnel_aead_start(c, m->nonce, m->nonce_bytes, m->tag_bytes) == RUNNEL_ERR_ONE_SHOT);
    }
    runnel_aead_packet packets[3];
    uint8_t *out = scratch, tags[3][16];
    if (m->bytes > MOST / 3)
        return;
    for (int i = 0; i < 3; i++) {
        packets[i] = (runnel_aead_packet){m->nonce,       m->aad,       m->text,  out,          tags[i],
                                          m->nonce_bytes, m->aad_bytes, m->bytes, m->tag_bytes, 1};
        out += m->bytes;
    }
    CHECK(runnel_aead_seal_batch(c, packets, 3) == RUNNEL_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(memcmp(packets[i].out, m->sealed, m->bytes) == 0 && memcmp(tags[i], m->tag, m->tag_bytes) == 0);
        CHECK(packets[i].result == RUNNEL_OK);
        packets[i].in = packets[i].out;
    }
    tags[1][0] ^= 1;
    CHECK(runnel_aead_open_batch(c, packets, 3) == RUNNEL_ERR_TAG);
    CHECK(memcmp(packets[0].out, m->text, m->bytes) == 0 && packets[0].result == RUNNEL_OK);
    CHECK(all_zeros(packets[1].out, m->bytes) && packets[1].result == RUNNEL_ERR_TAG);
    CHECK(memcmp(packets[2].out, m->text, m->bytes) == 0 && packets[2].result == RUNNEL_OK);
}

/* Calls f with a keyed context for each kernel and each way to hide features. Returns how often. */
static unsigned for_every_kernel(const uint8_t *key, void (*f)(runnel_aead_context *c, const void *), const void *with)
{
    runnel_kernel_info info;
    unsigned count = 0;
    for (size_t i = 0; runnel_aead_kernel_at(now, i, &info) == RUNNEL_OK; i++)
        for (int way = 0; way < WAYS; way++) {
            runnel_cpu_mask(~hidden[way]);
            runnel_aead_context *c = context(0);
            kernel_now = info.name;
            const int error = runnel_aead_key(now, c, key, now->key_bytes, info.name);
            if (error == RUNNEL_ERR_KERNEL)
                continue;
            CHECK(error == RUNNEL_OK && strcmp(runnel_aead_kernel(c), info.name) == 0);
            f(c, with);
            count++;
        }
    runnel_cpu_mask(UINT32_MAX);
    CHECK(count > 0);
    return count;
}

/* ---- vectors ---- */

static size_t from_hex(const char *text, uint8_t *out, size_t most)
{
    static const char digits[] = "0123456789abcdef";
    size_t n = 0;
    if (strcmp(text, "-") == 0)
        return 0;
    for (; text[0] != '\0' && text[1] != '\0'; text += 2, n++) {
        const char *high = strchr(digits, text[0]), *low = strchr(digits, text[1]);
        if (high == NULL || low == NULL || n == most) {
            fprintf(stderr, "not hexadecimal, or too long: %.40s\n", text);
            exit(2);
        }
        out[n] = (uint8_t)((high - digits) << 4 | (low - digits));
    }
    return n;
}

static const runnel_aead *find(const char *name)
{
    const runnel_aead *found = runnel_aead_find(name);
    if (found == NULL) {
        fprintf(stderr, "no AEAD %s\n", name);
        exit(2);
    }
    return found;
}

static void check_valid(runnel_aead_context *c, const void *with)
{
    check_message(c, with);
}

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

static void run_vectors(void)
{
    enum { LINE = 8 * MOST, FIELDS = 8 };
    char *line = malloc(LINE), *fields[FIELDS];
    unsigned valid = 0, invalid = 0;
    message m = {.aad = buffer_aad, .text = buffer_text, .sealed = buffer_sealed};
    while (fgets(line, LINE, stdin) != NULL) {
        int count = 0;
        for (char *word = strtok(line, " \n"); word != NULL && count < FIELDS; word = strtok(NULL, " \n"))
            fields[count++] = word;
        if (count != FIELDS)
            exit(2);
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
            for_every_kernel(m.key, check_valid, &m);
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

/* ---- properties ---- */

static size_t random_nonce_bytes(void)
{
    if (random_below(3) > 0)
        return now->nonce_usual;
    const size_t most = now->nonce_most == UINT16_MAX ? 100 : now->nonce_most;
    return now->nonce_least + random_below((uint32_t)(most - now->nonce_least + 1));
}

static size_t random_tag_bytes(void)
{
    for (;;) {
        const size_t n = random_below(17);
        if (runnel_aead_takes_tag(now, n))
            return n;
    }
}

static size_t random_length(void)
{
    static const uint32_t most[] = {1, 20, 70, 300, 1100, 5000};
    return random_below(most[random_below(6)] + 1);
}

/* Ciphertext and tag by the portable kernel, in one call. */
static void seal_plainly(message *m)
{
    runnel_cpu_mask(0);
    runnel_aead_context *c = context(0);
    kernel_now = "the default without CPU features";
    CHECK(runnel_aead_key(now, c, m->key, now->key_bytes, NULL) == RUNNEL_OK);
    CHECK(runnel_aead_seal(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, m->sealed, m->text, m->bytes, m->tag,
                           m->tag_bytes) == RUNNEL_OK);
    runnel_cpu_mask(UINT32_MAX);
}

static void random_message(message *m)
{
    random_bytes(m->key, sizeof m->key);
    m->nonce_bytes = random_nonce_bytes();
    m->tag_bytes = random_tag_bytes();
    m->aad_bytes = random_below(2) ? random_below(30) : random_length();
    m->bytes = random_below(12) == 0 ? 9000 + random_below(9000) : random_length();
    random_bytes(m->nonce, m->nonce_bytes);
    random_bytes(m->aad, m->aad_bytes);
    random_bytes(m->text, m->bytes);
    seal_plainly(m);
}

/* A bit of anything that changes makes it another message; and so does a tag of another length, if it is short. */
static void check_forgeries(runnel_aead_context *c, const void *with)
{
    const message *m = with;
    uint8_t *const parts[] = {(uint8_t *)m->nonce, m->aad, m->sealed, (uint8_t *)m->tag};
    const size_t lengths[] = {m->nonce_bytes, m->aad_bytes, m->bytes, m->tag_bytes};
    for (int i = 0; i < 4; i++) {
        if (lengths[i] == 0)
            continue;
        uint8_t *byte = parts[i] + random_below((uint32_t)lengths[i]), bit = (uint8_t)(1 << random_below(8));
        *byte ^= bit;
        memset(scratch, 0xa5, m->bytes);
        CHECK(runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, scratch, m->sealed, m->bytes, m->tag,
                               m->tag_bytes) == RUNNEL_ERR_TAG);
        CHECK(all_zeros(scratch, m->bytes));
        *byte ^= bit;
    }
}

/* Many messages under one key: nonces that count, so that what kernels keep between messages is used. */
static void check_sequence(runnel_aead_context *c, const void *with)
{
    static message m = {.aad = buffer_aad, .text = buffer_text, .sealed = buffer_sealed};
    static uint8_t again[MOST];
    const message *base = with;
    m.nonce_bytes = now->nonce_usual;
    random_bytes(m.nonce, m.nonce_bytes);
    for (int i = 0; i < 8; i++) {
        uint8_t tag[16], other_tag[16];
        m.nonce[m.nonce_bytes - 1 - (i % 4 == 3 ? m.nonce_bytes - 1 : 0)]++;
        m.bytes = i % 3 == 0 ? random_below(400) : i % 3 == 1 ? random_below(3000) : random_below(20000);
        CHECK(runnel_aead_seal(c, m.nonce, m.nonce_bytes, NULL, 0, scratch, base->text, m.bytes, tag, now->tag_usual) ==
              RUNNEL_OK);
        const uint32_t mask = runnel_cpu();
        runnel_cpu_mask(0);
        runnel_aead_context *other = context(1);
        CHECK(runnel_aead_key(now, other, base->key, now->key_bytes, NULL) == RUNNEL_OK);
        CHECK(runnel_aead_seal(other, m.nonce, m.nonce_bytes, NULL, 0, again, base->text, m.bytes, other_tag,
                               now->tag_usual) == RUNNEL_OK);
        runnel_cpu_mask(mask);
        CHECK(memcmp(scratch, again, m.bytes) == 0 && memcmp(tag, other_tag, now->tag_usual) == 0);
        CHECK(runnel_aead_open(c, m.nonce, m.nonce_bytes, NULL, 0, scratch, scratch, m.bytes, tag, now->tag_usual) ==
              RUNNEL_OK);
        CHECK(memcmp(scratch, base->text, m.bytes) == 0);
    }
}

/* Seals messages around every number of blocks that kernels take at a time, each followed by its tag. Returns how many
 * bytes they have, together. */
static size_t seal_boundaries(runnel_aead_context *c, const message *m, uint8_t *out)
{
    static const int beside[] = {-17, -1, 0, 1, 16, -1};
    uint8_t nonce[64] = {0};
    const size_t t = now->tag_usual;
    size_t used = 0;
    for (size_t around = 64; around <= 4096; around += around < 1024 ? 64 : 1024)
        for (int i = 0; i < 6; i++, used += t) {
            const size_t bytes = around + (size_t)beside[i];
            /* GCM's counter begins anywhere if the nonce is long. */
            const size_t n = i == 5 && runnel_aead_takes_nonce(now, 40) ? 40 : now->nonce_usual;
            nonce[i]++;
            CHECK(runnel_aead_seal(c, nonce, n, m->aad, around / 64, out + used, m->text, bytes, out + used + bytes,
                                   t) == RUNNEL_OK);
            CHECK(runnel_aead_open(c, nonce, n, m->aad, around / 64, scratch, out + used, bytes, out + used + bytes,
                                   t) == RUNNEL_OK);
            CHECK(memcmp(scratch, m->text, bytes) == 0);
            used += bytes;
        }
    return used;
}

static uint8_t boundaries[MOST], other_boundaries[MOST];

static void check_boundaries(runnel_aead_context *c, const void *with)
{
    const size_t bytes = seal_boundaries(c, with, other_boundaries);
    CHECK(memcmp(boundaries, other_boundaries, bytes) == 0);
}

/* Packets of all lengths at once are what they are alone. */
static void check_batch(runnel_aead_context *c, const void *with)
{
    static runnel_aead_packet packets[PACKETS];
    static uint8_t tags[PACKETS][16], nonces[PACKETS][128], out[MOST], wrong[PACKETS];
    const message *base = with;
    const size_t count = 1 + random_below(PACKETS);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        runnel_aead_packet *p = &packets[i];
        p->nonce_bytes = random_nonce_bytes();
        p->tag_bytes = random_tag_bytes();
        p->bytes = random_below(4) == 0 ? 0 : random_below(1600);
        p->aad_bytes = random_below(3) == 0 ? 0 : random_below(60);
        p->nonce = nonces[i];
        p->tag = tags[i];
        p->aad = base->aad + random_below(50);
        p->in = base->text + random_below(3000);
        p->out = out + used;
        used += p->bytes;
        random_bytes(nonces[i], p->nonce_bytes);
    }
    CHECK(used <= sizeof out);
    CHECK(runnel_aead_seal_batch(c, packets, count) == RUNNEL_OK);
    int any = 0;
    for (size_t i = 0; i < count; i++) {
        runnel_aead_packet *p = &packets[i];
        uint8_t tag[16];
        CHECK(runnel_aead_seal(c, p->nonce, p->nonce_bytes, p->aad, p->aad_bytes, scratch, p->in, p->bytes, tag,
                               p->tag_bytes) == RUNNEL_OK);
        CHECK(memcmp(scratch, p->out, p->bytes) == 0 && memcmp(tag, p->tag, p->tag_bytes) == 0);
        wrong[i] = random_below(5) == 0;
        any |= wrong[i];
        tags[i][0] ^= wrong[i];
        p->in = p->out;
    }
    CHECK(runnel_aead_open_batch(c, packets, count) == (any ? RUNNEL_ERR_TAG : RUNNEL_OK));
    for (size_t i = 0; i < count; i++) {
        runnel_aead_packet *p = &packets[i];
        CHECK(p->result == (wrong[i] ? RUNNEL_ERR_TAG : RUNNEL_OK));
        tags[i][0] ^= wrong[i];
        if (wrong[i]) {
            CHECK(all_zeros(p->out, p->bytes));
            continue;
        }
        uint8_t tag[16]; /* sealed again, it is the same ciphertext */
        CHECK(runnel_aead_seal(c, p->nonce, p->nonce_bytes, p->aad, p->aad_bytes, scratch, p->out, p->bytes, tag,
                               p->tag_bytes) == RUNNEL_OK);
        CHECK(memcmp(tag, tags[i], p->tag_bytes) == 0);
    }
}

#define UNCHANGED(call, error)                                                                                         \
    do {                                                                                                               \
        CHECK((call) == (error));                                                                                      \
        CHECK(memcmp(before, c, now->context_bytes) == 0);                                                             \
        CHECK(out[0] == 0xa5 && out[47] == 0xa5 && tag[0] == 0xa5);                                                    \
    } while (0)

static void check_errors(void)
{
    static uint8_t before[CONTEXT];
    uint8_t key[64] = {1}, nonce[128] = {2}, aad[32] = {3}, in[64] = {4}, out[64], tag[17], other_tag[16];
    const size_t n = now->nonce_usual, t = now->tag_usual;
    runnel_aead_context *c = context(0), *const none = NULL;
    kernel_now = NULL;
    memset(out, 0xa5, sizeof out);
    memset(tag, 0xa5, sizeof tag);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_start(c, nonce, n, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_lengths(c, 0, 0), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_encrypt(c, out, in, 48), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_seal_batch(c, NULL, 0), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_key(now, c, NULL, now->key_bytes, NULL), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_key(now, none, key, now->key_bytes, NULL), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_key(NULL, c, key, now->key_bytes, NULL), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_key(now, c, key, now->key_bytes - 1u, NULL), RUNNEL_ERR_KEY_LENGTH);
    UNCHANGED(runnel_aead_key(now, c, key, now->key_bytes, "none"), RUNNEL_ERR_KERNEL);
    CHECK(runnel_aead_key(now, c, key, now->key_bytes, NULL) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_seal(none, nonce, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, NULL, n, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, NULL, 32, out, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, NULL, in, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, NULL, 48, tag, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, in, 48, NULL, t), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, out, in, 48, NULL, t), RUNNEL_ERR_NULL);
    if (now->nonce_least > 0)
        UNCHANGED(runnel_aead_seal(c, nonce, now->nonce_least - 1u, aad, 32, out, in, 48, tag, t),
                  RUNNEL_ERR_IV_LENGTH);
    if (now->nonce_most != UINT16_MAX) {
        UNCHANGED(runnel_aead_seal(c, nonce, now->nonce_most + 1u, aad, 32, out, in, 48, tag, t), RUNNEL_ERR_IV_LENGTH);
        if (now->multipart)
            UNCHANGED(runnel_aead_start(c, nonce, now->nonce_most + 1u, t), RUNNEL_ERR_IV_LENGTH);
    }
    for (size_t i = 0; i <= 17; i++)
        if (!runnel_aead_takes_tag(now, i)) {
            UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, in, 48, tag, i), RUNNEL_ERR_TAG_LENGTH);
            UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, out, in, 48, tag, i), RUNNEL_ERR_TAG_LENGTH);
        }
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, out + 1, 48, tag, t), RUNNEL_ERR_OVERLAP);
    UNCHANGED(runnel_aead_seal(c, nonce, n, out + 8, 32, out, in, 48, tag, t), RUNNEL_ERR_OVERLAP);
    UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, in, 48, out + 40, t), RUNNEL_ERR_OVERLAP);
    UNCHANGED(runnel_aead_open(c, nonce, n, aad, 32, out, in, 48, out + 47, t), RUNNEL_ERR_OVERLAP);
    const uint64_t most = runnel_aead_text_most(now, n);
    CHECK(most <= now->text_most);
    if (most < SIZE_MAX / 2) /* only looked at, not read */
        UNCHANGED(runnel_aead_seal(c, nonce, n, aad, 32, out, out, (size_t)most + 1, tag, t), RUNNEL_ERR_LIMIT);
    if (now->aad_most < SIZE_MAX / 2)
        UNCHANGED(runnel_aead_seal(c, nonce, n, aad, (size_t)now->aad_most + 1, out, in, 48, tag, t), RUNNEL_ERR_LIMIT);
    const uint64_t shortest = runnel_aead_text_most(now, now->nonce_most); /* of CCM 65,535 */
    CHECK(now->nonce_most != 13 || shortest == 65535);
    if (shortest < MOST) {
        UNCHANGED(runnel_aead_seal(c, nonce, now->nonce_most, aad, 32, out, out, (size_t)shortest + 1, tag, t),
                  RUNNEL_ERR_LIMIT);
        CHECK(runnel_aead_seal(c, nonce, now->nonce_most, NULL, 0, scratch, buffer_text, (size_t)shortest, other_tag,
                               t) == RUNNEL_OK);
        memcpy(before, c, now->context_bytes);
    }
    runnel_aead_packet packets[2] = {{nonce, aad, in, out, tag, n, 32, 24, t, 77},
                                     {nonce, aad, in, out + 24, tag, n, 32, 24, 0, 77}};
    UNCHANGED(runnel_aead_seal_batch(c, packets, 2), RUNNEL_ERR_TAG_LENGTH);
    UNCHANGED(runnel_aead_open_batch(c, packets, 2), RUNNEL_ERR_TAG_LENGTH);
    CHECK(packets[0].result == 77 && packets[1].result == 77);
    UNCHANGED(runnel_aead_seal_batch(c, NULL, 1), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_seal_batch(c, NULL, 0), RUNNEL_OK);

    if (!now->multipart)
        return;
    UNCHANGED(runnel_aead_aad(c, aad, 1), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_tag(c, tag, t), RUNNEL_ERR_STATE);
    CHECK(runnel_aead_start(c, nonce, n, t) == RUNNEL_OK);
    if (now->lengths_first) {
        memcpy(before, c, now->context_bytes);
        UNCHANGED(runnel_aead_aad(c, aad, 1), RUNNEL_ERR_STATE);
        UNCHANGED(runnel_aead_encrypt(c, out, in, 1), RUNNEL_ERR_STATE);
        UNCHANGED(runnel_aead_tag(c, tag, t), RUNNEL_ERR_STATE);
    }
    if (now->text_most < UINT64_MAX) {
        memcpy(before, c, now->context_bytes);
        UNCHANGED(runnel_aead_lengths(c, 0, now->text_most + 1), RUNNEL_ERR_LIMIT);
    }
    CHECK(runnel_aead_lengths(c, 20, 40) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_lengths(c, 20, 40), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_aad(c, aad, 21), RUNNEL_ERR_LIMIT);
    UNCHANGED(runnel_aead_aad(c, NULL, 20), RUNNEL_ERR_NULL);
    UNCHANGED(runnel_aead_encrypt(c, out, in, 1), RUNNEL_ERR_STATE); /* before all associated data */
    CHECK(runnel_aead_aad(c, aad, 20) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_encrypt(c, out, in, 41), RUNNEL_ERR_LIMIT);
    UNCHANGED(runnel_aead_encrypt(c, out, out + 1, 40), RUNNEL_ERR_OVERLAP);
    UNCHANGED(runnel_aead_decrypt(c, NULL, in, 40), RUNNEL_ERR_NULL);
    CHECK(runnel_aead_encrypt(c, scratch, in, 39) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_tag(c, tag, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_decrypt(c, out, in, 1), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_aad(c, aad, 1), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_encrypt(c, out, in, 2), RUNNEL_ERR_LIMIT);
    CHECK(runnel_aead_encrypt(c, scratch, in, 1) == RUNNEL_OK);
    memcpy(before, c, now->context_bytes);
    UNCHANGED(runnel_aead_verify(c, tag, t), RUNNEL_ERR_STATE);
    UNCHANGED(runnel_aead_tag(c, tag, t - 1), RUNNEL_ERR_TAG_LENGTH);
    UNCHANGED(runnel_aead_tag(c, NULL, t), RUNNEL_ERR_NULL);
    CHECK(runnel_aead_tag(c, tag, t) == RUNNEL_OK);
    CHECK(runnel_aead_tag(c, tag, t) == RUNNEL_ERR_STATE);
    /* No byte beyond the longest message: its end is reached by moving the counts. */
    if (!now->lengths_first && now->text_most < UINT64_MAX) {
        CHECK(runnel_aead_start(c, nonce, n, t) == RUNNEL_OK);
        CHECK(runnel_aead_encrypt(c, scratch, in, 1) == RUNNEL_OK);
        c->text_bytes = now->text_most - 8;
        memset(tag, 0xa5, sizeof tag);
        memcpy(before, c, now->context_bytes);
        UNCHANGED(runnel_aead_encrypt(c, out, in, 9), RUNNEL_ERR_LIMIT);
    }
}

static void check_wipe(void)
{
    uint8_t key[64] = {9}, nonce[32] = {1}, tag[16];
    runnel_aead_context *c = context(0);
    runnel_aead_wipe(NULL);
    runnel_aead_wipe(c);
    CHECK(runnel_aead_kernel(c) == NULL && runnel_aead_kernel(NULL) == NULL);
    CHECK(runnel_aead_key(now, c, key, now->key_bytes, NULL) == RUNNEL_OK);
    CHECK(runnel_aead_seal(c, nonce, now->nonce_usual, NULL, 0, scratch, buffer_text, 9000, tag, now->tag_usual) ==
          RUNNEL_OK);
    runnel_aead_wipe(c);
    CHECK(all_zeros((const uint8_t *)c, now->context_bytes));
}

static void check_descriptor(void)
{
    CHECK(now->context_bytes <= CONTEXT && now->key_bytes <= 64 && now->nonce_usual <= 64);
    CHECK(now->name != NULL && now->family != NULL && now->title != NULL && now->source != NULL);
    CHECK(now->nonce_reuse != NULL && now->tag_usual <= 16 && (now->tag_set >> now->tag_usual & 1));
    CHECK(now->tag_set >> (now->tag_usual + 1) == 0 && now->nonce_least <= now->nonce_usual);
    CHECK(now->nonce_usual <= now->nonce_most && (now->nonce_least > 0 || now->tag_first));
}

static void properties(uint64_t seed, const char *only)
{
    static message m = {.aad = buffer_aad, .text = buffer_text, .sealed = buffer_sealed};
    const size_t count = runnel_aead_count();
    for (size_t i = 0; i < count; i++) {
        now = runnel_aead_at(i);
        CHECK(runnel_aead_find(now->name) == now);
        if (only != NULL && strcmp(only, now->name) != 0)
            continue;
        random_state = seed + i;
        check_descriptor();
        check_errors();
        check_wipe();
        for (int round = 0; round < 4; round++) {
            random_message(&m);
            for_every_kernel(m.key, check_valid, &m);
            for_every_kernel(m.key, check_forgeries, &m);
        }
        random_bytes(m.text, 30000);
        random_bytes(m.aad, 1000);
        if (now->multipart) {
            m.aad_bytes = 20;
            m.bytes = 5000;
            seal_plainly(&m);
            for_every_kernel(m.key, check_ahead, &m);
        }
        m.aad_bytes = 1000;
        for_every_kernel(m.key, check_batch, &m);
        for_every_kernel(m.key, check_sequence, &m);
        runnel_cpu_mask(0);
        runnel_aead_context *c = context(0);
        CHECK(runnel_aead_key(now, c, m.key, now->key_bytes, NULL) == RUNNEL_OK);
        CHECK(seal_boundaries(c, &m, boundaries) <= sizeof boundaries);
        for_every_kernel(m.key, check_boundaries, &m);
        printf("%s: ok\n", now->name);
    }
    if (runnel_aead_at(count) != NULL || runnel_aead_find("none") != NULL || runnel_aead_find(NULL) != NULL)
        exit(1);
}

/* ---- comparison ---- */

static void answer(void)
{
    enum { LINE = 8 * MOST, FIELDS = 6 };
    char *line = malloc(LINE), *fields[FIELDS];
    static uint8_t key[64], nonce[1024], tag[16];
    while (fgets(line, LINE, stdin) != NULL) {
        int count = 0;
        for (char *word = strtok(line, " \n"); word != NULL && count < FIELDS; word = strtok(NULL, " \n"))
            fields[count++] = word;
        if (count != FIELDS)
            exit(2);
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

static void list(void)
{
    runnel_kernel_info info;
    for (size_t i = 0; i < runnel_aead_count(); i++)
        for (size_t k = 0; runnel_aead_kernel_at(runnel_aead_at(i), k, &info) == RUNNEL_OK; k++) {
            printf("%s %s ", runnel_aead_at(i)->name, info.name);
            const char *between = "";
            for (uint32_t bit = 1; bit != 0 && runnel_cpu_name(bit) != NULL; bit <<= 1)
                if (info.cpu & bit) {
                    printf("%s%s", between, runnel_cpu_name(bit));
                    between = ",";
                }
            printf("%s %s %d\n", info.cpu ? "" : "-",
                   info.timing == RUNNEL_CONSTANT_TIME ? "constant-time" : "secret-indexed", info.available);
        }
}

#ifdef RUNNEL_TEST_SECRETS
/* Seals and opens, in one call, in pieces and as a batch. The result of opening is public, nothing before. */
static int secrets(const char *kernel)
{
    static uint8_t key[64], aad[64], text[1300], nonce[64], tag[16], opened[1300];
    static const size_t lengths[] = {0, 1, 16, 40, 130, 513, 1300};
    const unsigned before = reports();
    const size_t n = now->nonce_usual, t = now->tag_usual;
    runnel_aead_context *c = context(0);
    if (!watched())
        return 78;
    random_bytes(key, sizeof key);
    random_bytes(aad, sizeof aad);
    random_bytes(text, sizeof text);
    make_secret(key, sizeof key);
    make_secret(aad, sizeof aad);
    make_secret(text, sizeof text);
    kernel_now = kernel;
    if (runnel_aead_key(now, c, key, now->key_bytes, kernel) == RUNNEL_ERR_KERNEL)
        return 77;
    int result = RUNNEL_OK;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t bytes = lengths[i], some = bytes / 3;
        nonce[0]++;
        result |= runnel_aead_seal(c, nonce, n, aad, i * 9, scratch, text, bytes, tag, t);
        CHECK(is_secret(tag, t) && (bytes == 0 || is_secret(scratch, bytes)));
        result |= runnel_aead_open(c, nonce, n, aad, i * 9, opened, scratch, bytes, tag, t);
        tag[3] ^= 1;
        const int refused = runnel_aead_open(c, nonce, n, aad, i * 9, opened, scratch, bytes, tag, t);
        tag[3] ^= 1;
        CHECK(refused == RUNNEL_ERR_TAG);
        runnel_aead_packet packets[2] = {{nonce, aad, scratch, opened, tag, n, i * 9, bytes, t, 0},
                                         {nonce, aad, scratch, opened, tag, n, i * 9, bytes, t, 0}};
        result |= runnel_aead_open_batch(c, packets, bytes > 0 ? 1 : 2);
        enum { SEVERAL = 5 }; /* of different lengths, then opened in place */
        static uint8_t sealed[SEVERAL][1300], tags[SEVERAL][16];
        runnel_aead_packet several[SEVERAL];
        for (size_t k = 0; k < SEVERAL; k++)
            several[k] = (runnel_aead_packet){nonce, aad, text, sealed[k], tags[k], n, i * k, bytes / (k + 1), t, 0};
        result |= runnel_aead_seal_batch(c, several, SEVERAL);
        for (size_t k = 0; k < SEVERAL; k++) {
            CHECK(is_secret(tags[k], t));
            several[k].in = several[k].out;
        }
        result |= runnel_aead_open_batch(c, several, SEVERAL);
        if (!now->multipart)
            continue;
        result |= runnel_aead_start(c, nonce, n, t) | runnel_aead_lengths(c, i * 9, bytes);
        result |= runnel_aead_aad(c, aad, i * 9) | runnel_aead_decrypt(c, opened, scratch, some);
        result |= runnel_aead_decrypt(c, opened + some, scratch + some, bytes - some);
        int verified = runnel_aead_verify(c, tag, t);
        make_public(&verified, sizeof verified);
        result |= verified;
    }
    CHECK(result == RUNNEL_OK);
    runnel_aead_wipe(c);
    printf("%s/%s: %u branches or addresses depend on secrets\n", now->name, kernel, reports() - before);
    return 0;
}
#endif

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    runnel_cpu_mask(UINT32_MAX);
    if (strcmp(what, "list") == 0) {
        list();
    } else if (strcmp(what, "vectors") == 0) {
        run_vectors();
    } else if (strcmp(what, "properties") == 0 && count > 2) {
        properties(strtoull(arguments[2], NULL, 10), count > 3 ? arguments[3] : NULL);
    } else if (strcmp(what, "seal") == 0) {
        answer();
#ifdef RUNNEL_TEST_SECRETS
    } else if (strcmp(what, "secrets") == 0) {
        for (int i = 2; i + 1 < count; i += 2) {
            now = find(arguments[i]);
            const int status = secrets(arguments[i + 1]);
            if (status != 0 && !(status == 77 && count > 4))
                return status;
        }
#endif
    } else {
        fprintf(stderr, "what is to be done?\n");
        return 2;
    }
    return 0;
}
