/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEADs: sealing, opening, batches and messages in pieces, in any order, on one context of any AEAD and kernel. What comes
 * out is compared with the portable kernels' in one call; a wrong tag gives zeros, any other error leaves output and
 * context as they were, and a message in pieces keeps to the order that <runnel/aead.h> says. */
#include "aead_machine.h"

#include "core/aead.h"

enum { PACKETS = 12, STEPS = 40 };

uint8_t aead_memory[MOST + 2 * CANARY];
static uint8_t kept[sizeof aead_memory];

void aead_check_error(const machine *m, const char *what, int result, unsigned may)
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

void aead_keep(machine *m)
{
    memcpy(m->before, m->s, m->aead->context_bytes);
    memcpy(kept, aead_memory, sizeof kept);
}

void aead_check_unchanged(const machine *m, const char *what)
{
    CHECK_BYTES(aead_memory, kept, sizeof aead_memory, "%s: memory after an error of %s", m->aead->name, what);
    CHECK_BYTES(m->s, m->before, m->aead->context_bytes, "%s/%s: context after an error of %s", m->aead->name,
                m->kernel, what);
}

void aead_reference_seal(machine *m, message *k)
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

unsigned aead_choose_head(machine *m, message *k)
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
    const unsigned may = aead_choose_head(m, k);
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
    aead_keep(m);
    const int result = runnel_aead_key(m->aead, m->s, how % 32 == 30 ? NULL : key, bytes, name);
    unsigned may = 0;
    if (how % 32 == 30 && bytes > 0)
        may |= one_of(RUNNEL_ERR_NULL);
    if (bytes != m->aead->key_bytes)
        may |= one_of(RUNNEL_ERR_KEY_LENGTH);
    if (how % 32 == 31)
        may |= one_of(RUNNEL_ERR_KERNEL);
    aead_check_error(m, "key", result, may);
    if (result != RUNNEL_OK) {
        aead_check_unchanged(m, "key");
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
    uint8_t *out = aead_memory + CANARY + how % 16;
    const uint8_t *in = how & 16 ? out : k.text, *aad = k.aad;
    memset(aead_memory, 0x5a, sizeof aead_memory);
    memset(tag, 0x5a, sizeof tag);
    if (k.bytes + 48 > sizeof aead_memory)
        k.bytes = sizeof aead_memory - 48;
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
    aead_keep(m);
    const int result =
        runnel_aead_seal(m->s, k.nonce, k.nonce_bytes, aad, k.aad_bytes, out, in, k.bytes, tag, k.tag_bytes);
    aead_check_error(m, "seal", result, may);
    if (result != RUNNEL_OK) {
        aead_check_unchanged(m, "seal");
        return;
    }
    m->stage = IDLE;
    aead_reference_seal(m, &k);
    memcpy(kept + (out - aead_memory), k.sealed, k.bytes);
    CHECK_BYTES(aead_memory, kept, sizeof aead_memory, "%s/%s: sealing %zu bytes", m->aead->name, m->kernel, k.bytes);
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
        aead_reference_seal(m, &k);
    const int wrong = spoil(m, &k);
    const unsigned how = (unsigned)choose(m->c, 1);
    uint8_t *const out = aead_memory + CANARY + how % 16;
    if (k.bytes + 48 > sizeof aead_memory)
        return;
    memset(aead_memory, 0x5a, sizeof aead_memory);
    if (how & 16)
        memcpy(out, k.sealed, k.bytes);
    aead_keep(m);
    const int result = runnel_aead_open(m->s, k.nonce, k.nonce_bytes, k.aad, k.aad_bytes, out,
                                        how & 16 ? out : k.sealed, k.bytes, k.tag, k.tag_bytes);
    /* With tags of few bytes a forgery succeeds now and then. */
    if (may == 0 && wrong)
        may = one_of(RUNNEL_ERR_TAG) | (k.tag_bytes < 8 ? one_of(RUNNEL_OK) : 0);
    aead_check_error(m, "open", result, may);
    if (result != RUNNEL_OK && result != RUNNEL_ERR_TAG) {
        aead_check_unchanged(m, "open");
        return;
    }
    m->stage = IDLE;
    if (result == RUNNEL_ERR_TAG)
        memset(kept + (out - aead_memory), 0, k.bytes);
    else if (!wrong)
        memcpy(kept + (out - aead_memory), k.text, k.bytes);
    else
        memcpy(kept + (out - aead_memory), out, k.bytes);
    CHECK_BYTES(aead_memory, kept, sizeof aead_memory, "%s/%s: opening %zu bytes gives %d", m->aead->name, m->kernel,
                k.bytes, result);
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
            aead_reference_seal(m, &k[i]);
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
    aead_keep(m);
    results[0] = (opening ? runnel_aead_open_batch : runnel_aead_seal_batch)(m->s, packets, count);
    if (may != 0) {
        aead_check_error(m, "batch", results[0], may);
        aead_check_unchanged(m, "batch");
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
        aead_step_start(m);
    else if (what < 16)
        aead_step_lengths(m);
    else if (what < 18)
        aead_step_aad(m);
    else if (what < 24)
        aead_step_crypt(m);
    else if (what < 28)
        aead_step_end(m);
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
