/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEADs: sealing, opening, batches and messages in pieces, in any order, on one context of any AEAD and kernel. What comes
 * out is compared with the portable kernels' in one call; a wrong tag gives zeros, any other error leaves output and
 * context as they were, and a message in pieces keeps to the order that <runnel/aead.h> says. */
#include "fuzz.h"

#include "core/aead.h"

#include <runnel/aead.h>

enum { MOST = 3000, MOST_AAD = 600, LONGEST_NONCE = 300, CANARY = 16, PACKETS = 12, STEPS = 40, TAG = RUNNEL_AEAD_TAG_MAX };
enum { IDLE, STARTED, ENCRYPTING, DECRYPTING };

typedef struct message {
    uint8_t nonce[LONGEST_NONCE], aad[MOST_AAD], text[MOST], sealed[MOST], tag[TAG];
    size_t nonce_bytes, aad_bytes, bytes, tag_bytes;
} message;

typedef struct machine {
    choices *c;
    const runnel_aead *aead;
    const char *kernel;
    uint32_t features;
    runnel_aead_context *s, *reference;
    uint8_t *before;
    int keyed, stage, has_lengths;
    uint8_t key[64];
    message m; /* in pieces: what has come so far */
    uint64_t aad_total, text_total;
} machine;

static uint8_t memory[MOST + 2 * CANARY], kept[sizeof memory];

static unsigned one_of(int error)
{
    return 1u << -error;
}

static void check_error(const machine *m, const char *what, int result, unsigned may)
{
    may = may != 0 ? may : one_of(RUNNEL_OK);
    CHECK(may >> -result & 1, "%s/%s: %s gives %d, may be %x", m->aead->name, m->kernel, what, result, may);
}

static runnel_aead_context *new_aead(const runnel_aead *aead)
{
    void *memory_of = NULL;
    const size_t bytes = (aead->context_bytes + LINE - 1) / LINE * LINE;
    if (posix_memalign(&memory_of, LINE, bytes) != 0)
        fail(__FILE__, __LINE__, "out of memory");
    return memset(memory_of, 0, bytes);
}

static void keep(machine *m)
{
    memcpy(m->before, m->s, m->aead->context_bytes);
    memcpy(kept, memory, sizeof kept);
}

static void check_unchanged(const machine *m, const char *what)
{
    CHECK_BYTES(memory, kept, sizeof memory, "%s: memory after an error of %s", m->aead->name, what);
    CHECK_BYTES(m->s, m->before, m->aead->context_bytes, "%s/%s: context after an error of %s", m->aead->name,
                m->kernel, what);
}

/* By portable code, in one call. */
static void reference_seal(machine *m, message *k)
{
    runnel_cpu_mask(0);
    CHECK_OK(runnel_aead_seal(m->reference, k->nonce, k->nonce_bytes, k->aad, k->aad_bytes, k->sealed, k->text,
                              k->bytes, k->tag, k->tag_bytes));
    runnel_cpu_mask(m->features);
}

/* ---- messages ---- */

static size_t choose_nonce_bytes(machine *m)
{
    const size_t which = choose(m->c, 1), least = m->aead->nonce_min;
    const size_t most = m->aead->nonce_max < LONGEST_NONCE ? m->aead->nonce_max : LONGEST_NONCE;
    if (which < 128)
        return m->aead->nonce_default;
    return which < 250 ? least + which % (most - least + 1) : (which - 250) * 7;
}

static size_t choose_tag_bytes(machine *m)
{
    const size_t which = choose(m->c, 1);
    return which < 128 ? m->aead->tag_default : which % (TAG + 3);
}

/* Returns the errors that lengths of nonce and tag may give. */
static unsigned choose_head(machine *m, message *k)
{
    unsigned may = 0;
    k->nonce_bytes = choose_nonce_bytes(m);
    k->tag_bytes = choose_tag_bytes(m);
    choose_iv(m->c, k->nonce, sizeof k->nonce);
    if (!m->keyed)
        may |= one_of(RUNNEL_ERR_STATE);
    if (k->nonce_bytes < m->aead->nonce_min || k->nonce_bytes > m->aead->nonce_max)
        may |= one_of(RUNNEL_ERR_IV_LENGTH);
    if (k->tag_bytes == 0 || k->tag_bytes > TAG || !(m->aead->tag_set >> k->tag_bytes % 32 & 1))
        may |= one_of(RUNNEL_ERR_TAG_LENGTH);
    return may;
}

static unsigned choose_message(machine *m, message *k)
{
    const unsigned may = choose_head(m, k);
    k->aad_bytes = choose_length(m->c, MOST_AAD);
    k->bytes = choose_length(m->c, MOST);
    choose_random(m->c, k->aad, k->aad_bytes);
    choose_random(m->c, k->text, k->bytes);
    return may;
}

static void step_key(machine *m)
{
    const unsigned how = (unsigned)choose(m->c, 1);
    const size_t bytes = how < 240 ? m->aead->key_bytes : (how - 240) * 5;
    const char *name = how % 32 != 31 ? m->kernel : "no such kernel";
    uint8_t key[80];
    choose_random(m->c, key, sizeof key);
    keep(m);
    const int result = runnel_aead_key(m->aead, m->s, how % 32 == 30 ? NULL : key, bytes, name);
    unsigned may = 0;
    if (how % 32 == 30 && bytes > 0)
        may |= one_of(RUNNEL_ERR_NULL);
    if (bytes != m->aead->key_bytes)
        may |= one_of(RUNNEL_ERR_KEY_LENGTH);
    if (how % 32 == 31)
        may |= one_of(RUNNEL_ERR_KERNEL);
    check_error(m, "key", result, may);
    if (result != RUNNEL_OK) {
        check_unchanged(m, "key");
        return;
    }
    memcpy(m->key, key, sizeof m->key);
    m->keyed = 1;
    m->stage = IDLE;
    runnel_cpu_mask(0);
    CHECK_OK(runnel_aead_key(m->aead, m->reference, key, bytes, NULL));
    runnel_cpu_mask(m->features);
    CHECK(strcmp(runnel_aead_kernel(m->s), m->kernel) == 0, "kernel");
}

static void step_seal(machine *m)
{
    static message k;
    uint8_t tag[TAG + 4];
    unsigned may = choose_message(m, &k);
    const unsigned how = (unsigned)choose(m->c, 1);
    uint8_t *out = memory + CANARY + how % 16;
    const uint8_t *in = how & 16 ? out : k.text, *aad = k.aad;
    memset(memory, 0x5a, sizeof memory);
    memset(tag, 0x5a, sizeof tag);
    if (k.bytes + 48 > sizeof memory)
        k.bytes = sizeof memory - 48;
    if (how & 16)
        memcpy(out, k.text, k.bytes);
    if (how >= 248 && k.bytes > 8) {
        if (how == 248)
            in = out + 3;
        else if (how == 249)
            aad = out + k.bytes - 1;
        may |= (how == 248 || (how == 249 && k.aad_bytes > 0)) ? one_of(RUNNEL_ERR_OVERLAP) : 0;
        if (how == 250) {
            out = NULL;
            may |= one_of(RUNNEL_ERR_NULL);
        }
    }
    keep(m);
    const int result =
        runnel_aead_seal(m->s, k.nonce, k.nonce_bytes, aad, k.aad_bytes, out, in, k.bytes, tag, k.tag_bytes);
    check_error(m, "seal", result, may);
    if (result != RUNNEL_OK) {
        check_unchanged(m, "seal");
        return;
    }
    m->stage = IDLE;
    reference_seal(m, &k);
    memcpy(kept + (out - memory), k.sealed, k.bytes);
    CHECK_BYTES(memory, kept, sizeof memory, "%s/%s: sealing %zu bytes", m->aead->name, m->kernel, k.bytes);
    CHECK_BYTES(tag, k.tag, k.tag_bytes, "%s/%s: tag of %zu bytes", m->aead->name, m->kernel, k.bytes);
    CHECK(k.tag_bytes > TAG || tag[k.tag_bytes] == 0x5a, "written behind the tag");
}

/* Changes one thing, if the input says so. Returns whether the message is not authentic any more. */
static int spoil(machine *m, message *k)
{
    const unsigned how = (unsigned)choose(m->c, 1), bit = (unsigned)choose(m->c, 2);
    uint8_t *const places[] = {k->tag, k->sealed, k->aad, k->nonce};
    const size_t lengths[] = {k->tag_bytes, k->bytes, k->aad_bytes, k->nonce_bytes}, bytes = lengths[how % 4];
    if (how < 100 || bytes == 0)
        return 0;
    places[how % 4][bit / 8 % bytes] ^= (uint8_t)(1 << bit % 8);
    return 1;
}

static void step_open(machine *m)
{
    static message k;
    unsigned may = choose_message(m, &k);
    if (may == 0)
        reference_seal(m, &k);
    const int wrong = spoil(m, &k);
    const unsigned how = (unsigned)choose(m->c, 1);
    uint8_t *const out = memory + CANARY + how % 16;
    if (k.bytes + 48 > sizeof memory)
        return;
    memset(memory, 0x5a, sizeof memory);
    if (how & 16)
        memcpy(out, k.sealed, k.bytes);
    keep(m);
    const int result = runnel_aead_open(m->s, k.nonce, k.nonce_bytes, k.aad, k.aad_bytes, out,
                                        how & 16 ? out : k.sealed, k.bytes, k.tag, k.tag_bytes);
    /* With tags of few bytes a forgery succeeds now and then. */
    if (may == 0 && wrong)
        may = one_of(RUNNEL_ERR_TAG) | (k.tag_bytes < 8 ? one_of(RUNNEL_OK) : 0);
    check_error(m, "open", result, may);
    if (result != RUNNEL_OK && result != RUNNEL_ERR_TAG) {
        check_unchanged(m, "open");
        return;
    }
    m->stage = IDLE;
    if (result == RUNNEL_ERR_TAG)
        memset(kept + (out - memory), 0, k.bytes);
    else if (!wrong)
        memcpy(kept + (out - memory), k.text, k.bytes);
    else
        memcpy(kept + (out - memory), out, k.bytes);
    CHECK_BYTES(memory, kept, sizeof memory, "%s/%s: opening %zu bytes gives %d", m->aead->name, m->kernel, k.bytes,
                result);
}

static void step_batch(machine *m)
{
    static message k[PACKETS];
    static uint8_t out[PACKETS][MOST], tags[PACKETS][TAG];
    runnel_aead_packet packets[PACKETS];
    int wrong[PACKETS], any = 0, results[2];
    unsigned may = 0;
    const size_t count = 1 + choose_below(m->c, PACKETS);
    const int in_place = choose_bit(m->c), opening = choose_bit(m->c);
    for (size_t i = 0; i < count; i++) {
        const unsigned mine = choose_message(m, &k[i]);
        k[i].bytes %= 700;
        may |= mine;
        if (mine == 0)
            reference_seal(m, &k[i]);
        memcpy(tags[i], k[i].tag, sizeof tags[i]);
        wrong[i] = opening && spoil(m, &k[i]);
        if (!opening)
            memset(tags[i], 0, sizeof tags[i]);
        memcpy(out[i], opening ? k[i].sealed : k[i].text, k[i].bytes);
        packets[i] = (runnel_aead_packet){k[i].nonce,
                                          k[i].aad,
                                          in_place  ? out[i]
                                          : opening ? k[i].sealed
                                                    : k[i].text,
                                          out[i],
                                          opening ? k[i].tag : tags[i],
                                          k[i].nonce_bytes,
                                          k[i].aad_bytes,
                                          k[i].bytes,
                                          k[i].tag_bytes,
                                          99};
        any |= wrong[i];
    }
    keep(m);
    results[0] = (opening ? runnel_aead_open_batch : runnel_aead_seal_batch)(m->s, packets, count);
    if (may != 0) {
        check_error(m, "batch", results[0], may);
        check_unchanged(m, "batch");
        return;
    }
    m->stage = IDLE;
    CHECK(any || results[0] == RUNNEL_OK, "%s: batch gives %d", m->aead->name, results[0]);
    for (size_t i = 0; i < count; i++) {
        static const uint8_t zeros[MOST];
        if (wrong[i] && k[i].tag_bytes < 8 && packets[i].result == RUNNEL_OK)
            continue;
        CHECK(packets[i].result == (wrong[i] ? RUNNEL_ERR_TAG : RUNNEL_OK), "%s: packet %zu gives %d", m->aead->name, i,
              packets[i].result);
        CHECK_BYTES(out[i],
                    wrong[i]  ? zeros
                    : opening ? k[i].text
                              : k[i].sealed,
                    k[i].bytes, "%s/%s: packet %zu of %zu", m->aead->name, m->kernel, i, count);
        if (!opening)
            CHECK_BYTES(tags[i], k[i].tag, k[i].tag_bytes, "%s: tag %zu", m->aead->name, i);
    }
}

/* ---- in pieces ---- */

static void step_start(machine *m)
{
    static message k;
    unsigned may = choose_head(m, &k);
    if (!m->aead->multipart)
        may |= one_of(RUNNEL_ERR_ONE_SHOT);
    keep(m);
    const int result = runnel_aead_start(m->s, k.nonce, k.nonce_bytes, k.tag_bytes);
    check_error(m, "start", result, may);
    if (result != RUNNEL_OK) {
        check_unchanged(m, "start");
        return;
    }
    memcpy(&m->m, &k, sizeof k);
    m->m.aad_bytes = m->m.bytes = 0;
    m->stage = STARTED;
    m->has_lengths = 0;
    m->aad_total = m->aead->aad_max;
    m->text_total = runnel_aead_plaintext_max(m->aead, k.nonce_bytes);
}

/* Checks before every call of a message in pieces. */
static unsigned errors_of_stage(const machine *m)
{
    return !m->keyed || m->stage == IDLE || (m->aead->lengths_first && !m->has_lengths) ? one_of(RUNNEL_ERR_STATE) : 0;
}

static void step_lengths(machine *m)
{
    const uint64_t aad = choose(m->c, 1) < 250 ? choose_length(m->c, MOST_AAD) : choose(m->c, 8);
    const uint64_t text = choose(m->c, 1) < 250 ? choose_length(m->c, MOST) : choose(m->c, 8);
    unsigned may = 0;
    if (!m->keyed || m->stage != STARTED || m->has_lengths || m->m.aad_bytes > 0)
        may |= one_of(RUNNEL_ERR_STATE);
    else if (aad > m->aad_total || text > m->text_total)
        may |= one_of(RUNNEL_ERR_LIMIT);
    keep(m);
    const int result = runnel_aead_lengths(m->s, aad, text);
    check_error(m, "lengths", result, may);
    if (result != RUNNEL_OK) {
        check_unchanged(m, "lengths");
        return;
    }
    m->has_lengths = 1;
    m->aad_total = aad;
    m->text_total = text;
}

static void step_aad(machine *m)
{
    uint8_t aad[MOST_AAD];
    const size_t n = choose_length(m->c, MOST_AAD);
    choose_random(m->c, aad, n);
    unsigned may = errors_of_stage(m);
    if (m->stage != STARTED)
        may |= one_of(RUNNEL_ERR_STATE);
    if (may == 0 && n > m->aad_total - m->m.aad_bytes)
        may |= one_of(RUNNEL_ERR_LIMIT);
    if (may == 0 && n > sizeof m->m.aad - m->m.aad_bytes)
        return;
    keep(m);
    const int result = runnel_aead_aad(m->s, aad, n);
    check_error(m, "aad", result, may);
    if (result != RUNNEL_OK) {
        check_unchanged(m, "aad");
        return;
    }
    memcpy(m->m.aad + m->m.aad_bytes, aad, n);
    m->m.aad_bytes += n;
}

/* A piece of text. What comes out is looked at when the message ends. */
static void step_crypt(machine *m)
{
    const int decrypt = m->stage == DECRYPTING || (m->stage != ENCRYPTING && choose_bit(m->c));
    const int turned = choose(m->c, 1) == 255;
    const size_t n = choose_length(m->c, MOST - 64);
    const int stage = decrypt ? DECRYPTING : ENCRYPTING, place = (int)choose(m->c, 1);
    uint8_t in[MOST], *const out = memory + CANARY + place % 16;
    choose_random(m->c, in, n);
    memset(memory, 0x5a, sizeof memory);
    memcpy(out, in, n);
    unsigned may = errors_of_stage(m);
    if (turned && (m->stage == ENCRYPTING || m->stage == DECRYPTING))
        may |= one_of(RUNNEL_ERR_STATE);
    if (m->stage == STARTED && m->has_lengths && m->m.aad_bytes != m->aad_total)
        may |= one_of(RUNNEL_ERR_STATE);
    if (n > m->text_total - m->m.bytes && m->stage != IDLE)
        may |= one_of(RUNNEL_ERR_LIMIT);
    if (may == 0 && n > sizeof m->m.text - m->m.bytes)
        return;
    keep(m);
    const int result =
        (decrypt != turned ? runnel_aead_decrypt : runnel_aead_encrypt)(m->s, out, place & 16 ? out : in, n);
    check_error(m, "a piece", result, may);
    if (result != RUNNEL_OK) {
        check_unchanged(m, "a piece");
        return;
    }
    m->stage = turned ? ENCRYPTING + DECRYPTING - stage : stage;
    /* Both are kept: what was text and what was ciphertext. */
    memcpy((m->stage == DECRYPTING ? m->m.sealed : m->m.text) + m->m.bytes, in, n);
    memcpy((m->stage == DECRYPTING ? m->m.text : m->m.sealed) + m->m.bytes, out, n);
    CHECK(out[-1] == 0x5a && out[n] == 0x5a, "written outside a piece");
    m->m.bytes += n;
}

static void step_end(machine *m)
{
    static message k;
    const int verify = m->stage == DECRYPTING || (m->stage == STARTED && choose_bit(m->c));
    const int turned = choose(m->c, 1) == 255, wrong = choose_bit(m->c);
    const size_t tag_bytes = choose(m->c, 1) < 240 ? m->m.tag_bytes : choose_below(m->c, TAG + 1);
    uint8_t tag[TAG + 1];
    unsigned may = errors_of_stage(m);
    if (m->stage == STARTED && m->has_lengths && m->m.aad_bytes != m->aad_total)
        may |= one_of(RUNNEL_ERR_STATE);
    if (m->has_lengths && m->m.bytes != m->text_total)
        may |= one_of(RUNNEL_ERR_STATE);
    if (turned && (m->stage == ENCRYPTING || m->stage == DECRYPTING))
        may |= one_of(RUNNEL_ERR_STATE);
    if (m->stage != IDLE && tag_bytes != m->m.tag_bytes)
        may |= one_of(RUNNEL_ERR_TAG_LENGTH);
    memset(tag, 0x5a, sizeof tag);
    if (may == 0) {
        memcpy(&k, &m->m, sizeof k);
        reference_seal(m, &k);
        CHECK_BYTES(m->m.sealed, k.sealed, k.bytes, "%s/%s: %zu bytes in pieces", m->aead->name, m->kernel, k.bytes);
        if (verify != turned)
            memcpy(tag, k.tag, tag_bytes);
        if (verify != turned && wrong && tag_bytes > 0)
            tag[tag_bytes - 1] ^= 1;
    }
    keep(m);
    const int result =
        verify != turned ? runnel_aead_verify(m->s, tag, tag_bytes) : runnel_aead_tag(m->s, tag, tag_bytes);
    if (may == 0 && verify != turned && wrong && tag_bytes > 0)
        may = one_of(RUNNEL_ERR_TAG);
    check_error(m, "the end", result, may);
    if (result != RUNNEL_OK && result != RUNNEL_ERR_TAG) {
        check_unchanged(m, "the end");
        return;
    }
    if (verify == turned)
        CHECK_BYTES(tag, k.tag, tag_bytes, "%s/%s: tag of %zu bytes in pieces", m->aead->name, m->kernel, k.bytes);
    CHECK(tag[TAG] == 0x5a, "written behind the tag");
    m->stage = IDLE;
}

/* ---- contexts ---- */

static void step_wipe(machine *m)
{
    runnel_aead_wipe(m->s);
    for (size_t i = 0; m->keyed && i < m->aead->context_bytes; i++)
        CHECK(((const uint8_t *)m->s)[i] == 0, "%s: byte %zu of a wiped context", m->aead->name, i);
    m->keyed = m->stage = 0;
}

static void step_move(machine *m)
{
    runnel_aead_context *const there = new_aead(m->aead);
    memcpy(there, m->s, m->aead->context_bytes);
    memset(m->s, 0xa5, m->aead->context_bytes);
    free(m->s);
    m->s = there;
}

static void step(machine *m)
{
    const unsigned what = (unsigned)choose(m->c, 1) % 32;
    if (what < 4)
        step_seal(m);
    else if (what < 9)
        step_open(m);
    else if (what < 11)
        step_batch(m);
    else if (what < 14)
        step_start(m);
    else if (what < 16)
        step_lengths(m);
    else if (what < 18)
        step_aad(m);
    else if (what < 24)
        step_crypt(m);
    else if (what < 28)
        step_end(m);
    else if (what < 30)
        step_key(m);
    else if (what == 30)
        step_move(m);
    else
        step_wipe(m);
}

/* Calls that make no sense with this AEAD, whatever the input says; a key is set. */
static void check_nonsense(machine *m)
{
    static const uint8_t zeros[LONGEST_NONCE];
    uint8_t out[16] = {0}, tag[TAG] = {0};
    const size_t nonce_bytes = m->aead->nonce_default, tag_bytes = m->aead->tag_default;
    const uint64_t most = runnel_aead_plaintext_max(m->aead, nonce_bytes);
    runnel_aead_context *const s = m->reference;
    CHECK(runnel_aead_takes_nonce(m->aead, nonce_bytes) && runnel_aead_takes_tag(m->aead, tag_bytes), "usual lengths");
    CHECK(!runnel_aead_takes_tag(m->aead, 99), "a tag of 99 bytes");
    CHECK_RESULT(runnel_aead_key(NULL, s, zeros, m->aead->key_bytes, NULL), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_aead_seal(NULL, zeros, nonce_bytes, NULL, 0, out, out, 1, tag, tag_bytes), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_aead_seal(s, NULL, nonce_bytes, NULL, 0, out, out, 1, tag, tag_bytes), RUNNEL_ERR_NULL);
    if (most < SIZE_MAX)
        CHECK_RESULT(runnel_aead_seal(s, zeros, nonce_bytes, NULL, 0, out, out, (size_t)most + 1, tag, tag_bytes),
                     RUNNEL_ERR_LIMIT);
    CHECK_RESULT(runnel_aead_seal_batch(NULL, NULL, 0), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_aead_open_batch(s, NULL, 1), RUNNEL_ERR_NULL);
    CHECK_OK(runnel_aead_open_batch(s, NULL, 0));
    CHECK_RESULT(runnel_aead_lengths(NULL, 0, 0), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_aead_aad(NULL, out, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_aead_tag(NULL, tag, tag_bytes), RUNNEL_ERR_NULL);
    CHECK(runnel_aead_kernel(NULL) == NULL, "the kernel of NULL");
    CHECK_RESULT(runnel_aead_kernel_at(m->aead, 0, NULL), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_aead_family_key((runnel_aead_list){m->aead, NULL}, s, zeros, m->aead->key_bytes + 1, NULL),
                 RUNNEL_ERR_KEY_LENGTH);
    runnel_aead_wipe(NULL);
    if (m->aead->multipart) {
        CHECK_OK(runnel_aead_start(s, zeros, nonce_bytes, tag_bytes));
        CHECK_OK(runnel_aead_lengths(s, 0, 3));
        CHECK_RESULT(runnel_aead_aad(s, NULL, 1), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_aead_encrypt(s, NULL, out, 1), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_aead_encrypt(s, out, out + 1, 3), RUNNEL_ERR_OVERLAP);
        CHECK_RESULT(runnel_aead_tag(s, NULL, tag_bytes), RUNNEL_ERR_NULL);
        CHECK_OK(runnel_aead_encrypt(s, out, out, 3));
        CHECK_RESULT(runnel_aead_verify(s, tag, tag_bytes), RUNNEL_ERR_STATE);
    }
}

static void run(choices *c)
{
    runnel_kernel_info info, usable[64];
    size_t kernels = 0;
    static const uint32_t hidden[] = {0, RUNNEL_CPU_AVX512, RUNNEL_CPU_VCLMUL | RUNNEL_CPU_AVX512 | RUNNEL_CPU_VAES,
                                      RUNNEL_CPU_CLMUL | RUNNEL_CPU_VCLMUL, UINT32_MAX};
    static const runnel_aead *aeads[256];
    static size_t count;
    while (count < runnel_aead_count()) {
        aeads[count] = runnel_aead_at(count);
        count++;
    }
    machine *m = calloc(1, sizeof *m);
    m->c = c;
    static uint8_t checked[256];
    const size_t which = choose_below(c, count);
    m->aead = aeads[which];
    m->features = ~hidden[choose_below(c, sizeof hidden / sizeof *hidden)];
    runnel_cpu_mask(m->features);
    for (size_t i = 0; runnel_aead_kernel_at(m->aead, i, &info) == RUNNEL_OK; i++)
        if (info.available)
            usable[kernels++] = info;
    m->kernel = usable[choose_below(c, kernels)].name;
    m->s = new_aead(m->aead);
    m->reference = new_aead(m->aead);
    m->before = malloc(m->aead->context_bytes);
    step_key(m);
    if (m->keyed && !checked[which]++)
        check_nonsense(m);
    for (unsigned i = 0; c->left > 0 && i < STEPS; i++)
        step(m);
    runnel_cpu_mask(UINT32_MAX);
    free(m->before);
    free(m->s);
    free(m->reference);
    free(m);
}

const fuzz_target fuzz_aeads = {"aeads", run};
