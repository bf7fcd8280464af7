/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MACs: keys, messages in pieces, tags and verification in any order on one context of any MAC, with CPU features hidden.
 * The tag is that of the message in one call by portable code; an error leaves context and tag as they were. */
#include "fuzz.h"

#include <runnel/runnel.h>

#include "core/mac.h"

enum { LONGEST = 6000, MOST_KEY = 300, CONTEXT = 4096, STEPS = 40, KINDS = 32, BATCH = 20 };

typedef struct machine {
    choices *c;
    const runnel_mac *kind;
    runnel_mac_context *m, *reference;
    uint8_t before[CONTEXT], key[MOST_KEY], message[LONGEST];
    size_t key_bytes, bytes;
    int keyed;
} machine;

static void check_error(machine *m, const char *what, int result, unsigned may)
{
    may = may != 0 ? may : one_of(RUNNEL_OK);
    CHECK(may >> -result & 1, "%s: %s gives %d, may be %x", m->kind->name, what, result, may);
    if (result != RUNNEL_OK && result != RUNNEL_ERR_TAG)
        CHECK_BYTES(m->m, m->before, m->kind->context_bytes, "%s: context after an error of %s", m->kind->name, what);
}

static int takes(const runnel_lengths *lengths, size_t bytes)
{
    return lengths->last == UINT16_MAX || is_among(lengths, bytes);
}

static size_t length_of(choices *c, const runnel_lengths *lengths, size_t most)
{
    const size_t which = choose(c, 1);
    if (lengths->last == UINT16_MAX)
        return choose_length(c, most);
    return which < 240 ? runnel_lengths_at(lengths, (unsigned)which % runnel_lengths_count(lengths)) : which - 240;
}

static void step_key(machine *m)
{
    uint8_t key[MOST_KEY];
    const size_t bytes = length_of(m->c, &m->kind->key_bytes, MOST_KEY);
    const int null = choose(m->c, 1) == 255 && bytes > 0;
    choose_random(m->c, key, sizeof key);
    memcpy(m->before, m->m, m->kind->context_bytes);
    const int result = runnel_mac_key(m->kind, m->m, null ? NULL : key, bytes);
    unsigned may = null ? one_of(RUNNEL_ERR_NULL) : 0;
    if (!takes(&m->kind->key_bytes, bytes))
        may |= one_of(RUNNEL_ERR_KEY_LENGTH);
    check_error(m, "key", result, may);
    if (result != RUNNEL_OK)
        return;
    memcpy(m->key, key, sizeof key);
    m->key_bytes = bytes;
    m->bytes = 0;
    m->keyed = 1;
}

static void step_update(machine *m)
{
    static uint8_t piece[LONGEST + 16];
    const size_t n = choose_length(m->c, LONGEST), shift = choose_below(m->c, 16);
    const int null = choose(m->c, 1) == 255;
    if (n > sizeof m->message - m->bytes)
        return;
    choose_random(m->c, piece + shift, n);
    memcpy(m->before, m->m, m->kind->context_bytes);
    const int result = runnel_mac_update(m->kind, m->m, null ? NULL : piece + shift, n);
    unsigned may = null && n > 0 ? one_of(RUNNEL_ERR_NULL) : 0;
    if (!m->keyed)
        may |= one_of(RUNNEL_ERR_STATE);
    check_error(m, "update", result, may);
    if (result != RUNNEL_OK || n == 0)
        return;
    memcpy(m->message + m->bytes, piece + shift, n);
    m->bytes += n;
}

static void step_end(machine *m)
{
    uint8_t tag[RUNNEL_MAC_TAG_MAX + 8], wanted[RUNNEL_MAC_TAG_MAX + 8];
    const size_t bytes = length_of(m->c, &m->kind->tag_bytes, RUNNEL_MAC_TAG_MAX);
    const int verify = choose_bit(m->c), wrong = choose_bit(m->c), fits = is_among(&m->kind->tag_bytes, bytes);
    memset(tag, 0x5a, sizeof tag);
    memset(wanted, 0x5a, sizeof wanted);
    unsigned may = 0;
    if (!m->keyed)
        may |= one_of(RUNNEL_ERR_STATE);
    if (!fits)
        may |= one_of(RUNNEL_ERR_TAG_LENGTH);
    if (may == 0) {
        runnel_cpu_mask(0);
        CHECK_OK(runnel_mac_once(m->kind, m->reference, wanted, bytes, m->message, m->bytes, m->key, m->key_bytes));
        runnel_cpu_mask(UINT32_MAX);
        for (size_t i = 0; i < m->kind->context_bytes; i++)
            CHECK(((const uint8_t *)m->reference)[i] == 0, "%s: byte %zu after once", m->kind->name, i);
        if (verify)
            memcpy(tag, wanted, bytes);
        if (verify && wrong)
            tag[bytes / 2] ^= 4;
    }
    memcpy(m->before, m->m, m->kind->context_bytes);
    const int result =
        (verify ? runnel_mac_verify(m->kind, m->m, tag, bytes) : runnel_mac_tag(m->kind, m->m, tag, bytes));
    if (may == 0 && verify && wrong)
        may = one_of(RUNNEL_ERR_TAG);
    check_error(m, "tag", result, may);
    if (!verify)
        CHECK_BYTES(tag, wanted, sizeof tag, "%s: tag of %zu bytes", m->kind->name, m->bytes);
    if (result == RUNNEL_OK || result == RUNNEL_ERR_TAG) {
        m->bytes = 0;
        m->keyed = !m->kind->single_use;
    }
}

/* Messages of one key at once, which HMAC-SHA-256 has. */
static void step_batch(machine *m)
{
    static uint8_t data[3000], key[MOST_KEY];
    uint8_t tags[BATCH][32], wanted[32];
    runnel_hmac_sha_256 c;
    runnel_hmac_sha_256_message messages[BATCH];
    const size_t count = choose_below(m->c, BATCH + 1), key_bytes = choose_length(m->c, MOST_KEY);
    const size_t bad = choose_below(m->c, 2 * BATCH);
    const size_t tag_bytes = 16 + choose_below(m->c, 17);
    memset(&c, 0, sizeof c);
    choose_random(m->c, data, sizeof data);
    choose_random(m->c, key, sizeof key);
    CHECK_RESULT(runnel_hmac_sha_256_tag_batch(&c, messages, 0), RUNNEL_ERR_STATE);
    CHECK_OK(runnel_hmac_sha_256_key(&c, key, key_bytes));
    for (size_t i = 0; i < count; i++)
        messages[i] = (runnel_hmac_sha_256_message){
            .data = data + i, .tag = tags[i], .bytes = choose_length(m->c, 2900), .tag_bytes = tag_bytes};
    runnel_cpu_mask((uint32_t)choose(m->c, 2));
    CHECK_OK(runnel_hmac_sha_256_tag_batch(&c, messages, count));
    for (size_t i = 0; i < count; i++) {
        CHECK_OK(runnel_hmac_sha_256_once(wanted, tag_bytes, data + i, messages[i].bytes, key, key_bytes));
        CHECK_BYTES(tags[i], wanted, tag_bytes, "hmac-sha-256: message %zu of %zu", i, count);
    }
    if (bad < count)
        tags[bad][tag_bytes - 1] ^= 128;
    CHECK_RESULT(runnel_hmac_sha_256_verify_batch(&c, messages, count), bad < count ? RUNNEL_ERR_TAG : RUNNEL_OK);
    for (size_t i = 0; i < count; i++)
        CHECK_RESULT(messages[i].result, i == bad ? RUNNEL_ERR_TAG : RUNNEL_OK);
    runnel_cpu_mask(UINT32_MAX);
}

static void step_wipe(machine *m)
{
    runnel_mac_wipe(m->kind, m->m);
    for (size_t i = 0; i < m->kind->context_bytes; i++)
        CHECK(((const uint8_t *)m->m)[i] == 0, "%s: byte %zu of a wiped context", m->kind->name, i);
    m->keyed = 0;
}

static void step(machine *m)
{
    const unsigned what = (unsigned)choose(m->c, 1) % 16;
    runnel_cpu_mask(what == 15 ? (uint32_t)choose(m->c, 2) : UINT32_MAX);
    if (what < 7 || what == 15)
        step_update(m);
    else if (what < 11)
        step_end(m);
    else if (what < 13)
        step_key(m);
    else if (what == 13)
        step_batch(m);
    else
        step_wipe(m);
}

static void run(choices *c)
{
    const runnel_mac *kinds[KINDS];
    size_t count = 0;
    for (const runnel_mac *each; count < KINDS && (each = runnel_mac_at(count)) != NULL;)
        kinds[count++] = each;
    machine *m = calloc(1, sizeof *m);
    m->c = c;
    m->kind = kinds[choose_below(c, count)];
    CHECK(m->kind->context_bytes <= CONTEXT, "%s has a larger context", m->kind->name);
    m->m = aligned_alloc(LINE, CONTEXT);
    m->reference = aligned_alloc(LINE, CONTEXT);
    memset(m->m, 0, CONTEXT);
    memset(m->reference, 0, CONTEXT);
    for (unsigned i = 0; c->left > 0 && i < STEPS; i++)
        step(m);
    runnel_cpu_mask(UINT32_MAX);
    free(m->m);
    free(m->reference);
    free(m);
}

const fuzz_target fuzz_macs = {"macs", run};
