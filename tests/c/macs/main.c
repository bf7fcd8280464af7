/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-macs vectors FILE… | properties SEED | tags | batch-tags | list | secrets NAME…
 * Every MAC of the library, from the registry.
 *   vectors      known answers, in the format of macs/README.md, in one piece, in random pieces and at odd addresses
 *   properties   random messages: pieces, the next message under the same key, copies, verification, errors, wiping
 *   tags         lines of "name key message tag_bytes" (hexadecimal, - for nothing); answers with tags, for comparison
 *   list         names, with the first and the last length of keys and tags
 *   batch-tags   the same for lines of hmac-sha-256 whose keys are equal to the one before: a batch of each such row
 *   secrets      key and message marked secret (see secrets.h); the tool that watches gives its own status. What
 *                verify returns is public, nothing before
 * Status 0, 1 if something is wrong, 2 if a file cannot be understood, 78 if no tool watches. */
#include "macs.h"

const runnel_mac *now;

const runnel_mac *find(const char *name)
{
    const runnel_mac *found = runnel_mac_find(name);
    if (found != NULL)
        return found;
    fprintf(stderr, "no MAC %s\n", name);
    exit(2);
}

static runnel_mac_context *context(void)
{
    static _Alignas(64) uint8_t memory[LONGEST_CONTEXT];
    memset(memory, 0, sizeof memory);
    return (runnel_mac_context *)memory;
}

/* The tag by pieces of random lengths, from an odd address. */
static void tag_by_pieces(runnel_mac_context *m, const uint8_t *data, size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    static uint8_t shifted[LONGEST_MESSAGE + 16];
    const size_t shift = random_below(16);
    if (bytes > 0)
        memcpy(shifted + shift, data, bytes);
    for (size_t at = 0, n; at < bytes; at += n) {
        n = random_below(3) == 0 ? random_below(200) : random_below(20);
        n = n < bytes - at ? n : bytes - at;
        CHECK(runnel_mac_update(now, m, n > 0 ? shifted + shift + at : NULL, n) == RUNNEL_OK);
    }
    CHECK(runnel_mac_tag(now, m, tag, tag_bytes) == RUNNEL_OK);
}

static void check_tag(const uint8_t *key, size_t key_bytes, const uint8_t *data, size_t bytes, const uint8_t *expected,
                      size_t tag_bytes)
{
    runnel_mac_context *m = context();
    uint8_t tag[RUNNEL_MAC_TAG_MAX];
    CHECK(runnel_mac_once(now, m, tag, tag_bytes, data, bytes, key, key_bytes) == RUNNEL_OK);
    CHECK(memcmp(tag, expected, tag_bytes) == 0);
    CHECK(m->keyed == 0);
    CHECK(runnel_mac_key(now, m, key, key_bytes) == RUNNEL_OK);
    for (int i = 0; i < 10; i++) {
        if (i > 0 && now->single_use)
            CHECK(runnel_mac_key(now, m, key, key_bytes) == RUNNEL_OK);
        tag_by_pieces(m, data, bytes, tag, tag_bytes);
        CHECK(memcmp(tag, expected, tag_bytes) == 0);
    }
}

/* ---- vectors ---- */

static void run_file(const char *path)
{
    static char line[3 * LONGEST_MESSAGE];
    static uint8_t key[LONGEST_KEY], message[LONGEST_MESSAGE], tag[RUNNEL_MAC_TAG_MAX];
    size_t key_bytes = 0, bytes = 0;
    unsigned count = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        char *value = strchr(line, ':');
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (value == NULL) {
            fprintf(stderr, "%s: no field: %.60s\n", path, line);
            exit(2);
        }
        *value++ = '\0';
        value += strspn(value, " ");
        if (strcmp(line, "mac") == 0) {
            now = find(value);
        } else if (strcmp(line, "key") == 0) {
            key_bytes = from_hex(value, key, sizeof key);
        } else if (strcmp(line, "message") == 0) {
            bytes = from_hex(value, message, sizeof message);
        } else if (strcmp(line, "tag") == 0) {
            const size_t tag_bytes = from_hex(value, tag, sizeof tag);
            check_tag(key, key_bytes, message, bytes, tag, tag_bytes);
            count++;
        } else if (strcmp(line, "name") != 0 && strcmp(line, "source") != 0) {
            fprintf(stderr, "%s: unknown field %s\n", path, line);
            exit(2);
        }
    }
    fclose(file);
    if (count == 0)
        exit(2);
    printf("%s: %u vectors\n", now->name, count);
}

/* ---- properties ---- */

static void check_errors(void)
{
    runnel_mac_context *m = context(), *const none = NULL;
    uint8_t key[65] = {1}, tag[RUNNEL_MAC_TAG_MAX + 1];
    const size_t key_bytes = now->key_bytes.last == UINT16_MAX ? 32 : now->key_bytes.first;
    const size_t last = now->tag_bytes.last;
    CHECK(runnel_mac_update(now, m, key, 1) == RUNNEL_ERR_STATE);
    CHECK(runnel_mac_tag(now, m, tag, last) == RUNNEL_ERR_STATE);
    CHECK(runnel_mac_verify(now, m, tag, last) == RUNNEL_ERR_STATE);
    CHECK(runnel_mac_key(now, none, key, key_bytes) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_key(now, m, NULL, key_bytes) == RUNNEL_ERR_NULL);
    if (now->key_bytes.last != UINT16_MAX) {
        CHECK(runnel_mac_key(now, m, key, now->key_bytes.first - 1u) == RUNNEL_ERR_KEY_LENGTH);
        CHECK(runnel_mac_key(now, m, key, now->key_bytes.last + 1u) == RUNNEL_ERR_KEY_LENGTH);
    }
    CHECK(runnel_mac_tag(now, m, tag, last) == RUNNEL_ERR_STATE);
    CHECK(runnel_mac_key(now, m, key, key_bytes) == RUNNEL_OK);
    CHECK(runnel_mac_update(now, m, key, 5) == RUNNEL_OK);
    runnel_mac_context *const before = malloc(now->context_bytes);
    memcpy(before, m, now->context_bytes);
    CHECK(runnel_mac_update(now, none, key, 1) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_update(now, m, NULL, 1) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_tag(now, none, tag, last) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_tag(now, m, NULL, last) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_verify(now, m, NULL, last) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_tag(now, m, tag, now->tag_bytes.first - 1u) == RUNNEL_ERR_TAG_LENGTH);
    CHECK(runnel_mac_tag(now, m, tag, last + 1) == RUNNEL_ERR_TAG_LENGTH);
    CHECK(runnel_mac_verify(now, m, tag, 0) == RUNNEL_ERR_TAG_LENGTH);
    CHECK(runnel_mac_update(now, m, NULL, 0) == RUNNEL_OK);
    CHECK(memcmp(before, m, now->context_bytes) == 0);
    free(before);
    CHECK(runnel_mac_tag(now, m, tag, last) == RUNNEL_OK);
    CHECK(runnel_mac_tag(now, m, tag, last) == (now->single_use ? RUNNEL_ERR_STATE : RUNNEL_OK));
}

static size_t random_length(const runnel_lengths *l)
{
    return runnel_lengths_at(l, random_below(runnel_lengths_count(l)));
}

static void check_random(void)
{
    static uint8_t message[LONGEST_MESSAGE], key[200];
    uint8_t tag[RUNNEL_MAC_TAG_MAX], again[RUNNEL_MAC_TAG_MAX];
    const int any_key = now->key_bytes.last == UINT16_MAX;
    const size_t bytes = random_below(4) == 0 ? random_below(1000) : random_below(200);
    const size_t key_bytes = any_key ? random_below(sizeof key) : random_length(&now->key_bytes);
    const size_t tag_bytes = random_length(&now->tag_bytes);
    runnel_mac_context *m = context();
    random_bytes(key, key_bytes);
    random_bytes(message, bytes);
    CHECK(runnel_mac_key(now, m, key, key_bytes) == RUNNEL_OK);
    tag_by_pieces(m, message, bytes, tag, now->tag_bytes.last);
    check_tag(key, key_bytes, message, bytes, tag, tag_bytes); /* also: a short tag is the beginning of the long one */

    CHECK(runnel_mac_key(now, m, key, key_bytes) == RUNNEL_OK);
    const size_t half = bytes > 0 ? random_below((uint32_t)bytes) : 0;
    CHECK(runnel_mac_update(now, m, message, half) == RUNNEL_OK);
    static _Alignas(64) uint8_t copy[LONGEST_CONTEXT];
    memcpy(copy, m, now->context_bytes);
    CHECK(runnel_mac_update(now, m, message + half, bytes - half) == RUNNEL_OK);
    CHECK(runnel_mac_verify(now, m, tag, tag_bytes) == RUNNEL_OK);
    runnel_mac_context *const other = (runnel_mac_context *)copy;
    CHECK(runnel_mac_update(now, other, message + half, bytes - half) == RUNNEL_OK);
    memcpy(again, tag, sizeof tag);
    again[random_below((uint32_t)tag_bytes)] ^= (uint8_t)(1 << random_below(8));
    CHECK(runnel_mac_verify(now, other, again, tag_bytes) == RUNNEL_ERR_TAG);

    if (bytes > 0) { /* another message, another tag */
        message[random_below((uint32_t)bytes)] ^= (uint8_t)(1 << random_below(8));
        m = context();
        CHECK(runnel_mac_once(now, m, again, now->tag_bytes.last, message, bytes, key, key_bytes) == RUNNEL_OK);
        CHECK(memcmp(tag, again, now->tag_bytes.last) != 0);
        for (size_t i = 0; i < now->context_bytes; i++)
            CHECK(((uint8_t *)m)[i] == 0);
    }
}

/* The functions of a family's own header, with the length of a tag. */
#define FAMILY(name, tag_length)                                                                                       \
    do {                                                                                                               \
        runnel_##name c;                                                                                               \
        uint8_t tag[tag_length], other[tag_length];                                                                    \
        CHECK(runnel_##name##_key(&c, key, key_bytes) == RUNNEL_OK);                                                   \
        CHECK(runnel_##name##_update(&c, message, sizeof message) == RUNNEL_OK);                                       \
        CHECK(runnel_##name##_tag(&c, tag, sizeof tag) == RUNNEL_OK);                                                  \
        CHECK(runnel_##name##_once(other, sizeof other, message, sizeof message, key, key_bytes) == RUNNEL_OK);        \
        CHECK(memcmp(tag, other, sizeof tag) == 0);                                                                    \
        CHECK(runnel_##name##_key(&c, key, key_bytes) == RUNNEL_OK);                                                   \
        CHECK(runnel_##name##_update(&c, message, sizeof message) == RUNNEL_OK);                                       \
        CHECK(runnel_##name##_verify(&c, tag, sizeof tag) == RUNNEL_OK);                                               \
        runnel_##name##_wipe(&c);                                                                                      \
        for (size_t i = 0; i < sizeof c; i++)                                                                          \
            CHECK(((uint8_t *)&c)[i] == 0);                                                                            \
        CHECK(runnel_##name##_key(NULL, key, key_bytes) == RUNNEL_ERR_NULL);                                           \
        runnel_##name##_wipe(NULL);                                                                                    \
    } while (0)

static void check_families(void)
{
    static const uint8_t key[32] = {3}, message[77] = {5};
    size_t key_bytes = 32;
    now = find("poly1305");
    FAMILY(poly1305, 16);
    now = find("aes-cmac");
    FAMILY(aes_cmac, 8);
    now = find("hmac-sha-256");
    FAMILY(hmac_sha_256, 32);
    now = find("hmac-sha-1");
    FAMILY(hmac_sha_1, 20);
    key_bytes = 16;
    now = find("ghash");
    FAMILY(ghash, 16);
    now = find("siphash");
    FAMILY(siphash, 8);
    now = find("siphash-128");
    FAMILY(siphash_128, 16);
}

#if RUNNEL_HOSTED
/* A message in long pieces, each with other features of the CPU: a kernel continues where another has stopped. */
static void check_features(void)
{
    static uint8_t message[LONGEST_MESSAGE], key[32];
    uint8_t expected[RUNNEL_MAC_TAG_MAX], tag[RUNNEL_MAC_TAG_MAX];
    const size_t key_bytes = now->key_bytes.last == UINT16_MAX ? sizeof key : random_length(&now->key_bytes);
    const size_t bytes = LONGEST_MESSAGE - random_below(100), tag_bytes = now->tag_bytes.last;
    runnel_mac_context *m = context();
    random_bytes(key, key_bytes);
    random_bytes(message, bytes);
    runnel_cpu_mask(0);
    CHECK(runnel_mac_once(now, m, expected, tag_bytes, message, bytes, key, key_bytes) == RUNNEL_OK);
    runnel_cpu_mask(random_below(1 << 16));
    CHECK(runnel_mac_key(now, m, key, key_bytes) == RUNNEL_OK);
    for (size_t at = 0, n; at < bytes; at += n) {
        n = random_below(1200);
        n = n < bytes - at ? n : bytes - at;
        runnel_cpu_mask(random_below(2) ? UINT32_MAX : random_below(1 << 16));
        CHECK(runnel_mac_update(now, m, message + at, n) == RUNNEL_OK);
    }
    CHECK(runnel_mac_tag(now, m, tag, tag_bytes) == RUNNEL_OK);
    CHECK(memcmp(tag, expected, tag_bytes) == 0);
    runnel_cpu_mask(UINT32_MAX);
}

#endif

#if RUNNEL_HOSTED
/* Checks what the registry says of `now`, its number `number`, on this CPU and on one without features. */
static void check_registry(size_t number)
{
    runnel_mac_info about;
    runnel_kernel_info kernel;
    CHECK(number == 0 || strcmp(runnel_mac_at(number - 1)->name, now->name) < 0);
    CHECK(runnel_mac_find(now->name) == now);
    CHECK(runnel_mac_find("no MAC") == NULL && runnel_mac_find(NULL) == NULL);
    CHECK(runnel_mac_describe(NULL, &about) == RUNNEL_ERR_NULL && runnel_mac_describe(now, NULL) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_describe(now, &about) == RUNNEL_OK);
    CHECK(about.name == now->name && about.context_bytes == now->context_bytes);
    CHECK(about.single_use == (strcmp(now->name, "poly1305") == 0));
    CHECK(about.component == (strcmp(now->name, "ghash") == 0));
    CHECK(runnel_mac_kernel_at(NULL, 0, &kernel) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_kernel_at(now, 0, NULL) == RUNNEL_ERR_NULL);
    CHECK(runnel_mac_kernel_at(now, 99, &kernel) == RUNNEL_ERR_KERNEL);
    for (int masked = 0; masked < 2; masked++) {
        runnel_cpu_mask(masked ? 0 : UINT32_MAX);
        unsigned chosen = 0, available = 0;
        for (size_t i = 0; runnel_mac_kernel_at(now, i, &kernel) == RUNNEL_OK; i++) {
            CHECK(kernel.name != NULL && kernel.citation != NULL && kernel.lanes >= 1);
            CHECK(kernel.available == ((kernel.cpu & ~runnel_cpu()) == 0));
            CHECK(!kernel.chosen || (kernel.available && chosen == 0));
            chosen += kernel.chosen;
            available += kernel.available;
        }
        CHECK((chosen == 1) == (available > 0));
    }
    runnel_cpu_mask(UINT32_MAX);
}
#endif

static void properties(uint64_t seed)
{
    check_families();
    for (size_t number = 0; (now = runnel_mac_at(number)) != NULL; number++) {
        seed_random(seed);
        CHECK(now->context_bytes <= LONGEST_CONTEXT);
        check_errors();
        for (int i = 0; i < 300; i++)
            check_random();
#if RUNNEL_HOSTED
        check_registry(number);
        for (int i = 0; i < 100; i++)
            check_features();
#endif
        printf("%s: 300 messages\n", now->name);
    }
#if RUNNEL_HOSTED
    check_batches();
#endif
}

/* ---- comparison ---- */

static void answer_tags(void)
{
    static char line[4 * LONGEST_MESSAGE], name[32], key_text[2 * LONGEST_KEY + 1], text[2 * LONGEST_MESSAGE + 1];
    static uint8_t key[LONGEST_KEY], message[LONGEST_MESSAGE], tag[RUNNEL_MAC_TAG_MAX];
    unsigned tag_bytes;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "%31s %8192s %8192s %u", name, key_text, text, &tag_bytes) != 4)
            exit(2);
        now = find(name);
        const size_t key_bytes = from_hex(key_text, key, sizeof key), bytes = from_hex(text, message, sizeof message);
        CHECK(runnel_mac_once(now, context(), tag, tag_bytes, message, bytes, key, key_bytes) == RUNNEL_OK);
        for (unsigned i = 0; i < tag_bytes; i++)
            printf("%02x", tag[i]);
        printf("\n");
    }
}

#ifdef RUNNEL_TEST_SECRETS
static int secrets(void)
{
    static uint8_t key[32], message[300], tag[RUNNEL_MAC_TAG_MAX];
    const size_t key_bytes = now->key_bytes.last < sizeof key ? now->key_bytes.last : sizeof key;
    const unsigned before = reports();
    runnel_mac_context *m = context();
    if (!watched())
        return 78;
    random_bytes(key, sizeof key);
    random_bytes(message, sizeof message);
    make_secret(key, sizeof key);
    make_secret(message, sizeof message);
    CHECK(runnel_mac_key(now, m, key, key_bytes) == RUNNEL_OK);
    CHECK(runnel_mac_update(now, m, message, 100) == RUNNEL_OK);
    CHECK(runnel_mac_update(now, m, message + 100, 200) == RUNNEL_OK);
    CHECK(runnel_mac_tag(now, m, tag, now->tag_bytes.last) == RUNNEL_OK);
    CHECK(is_secret(tag, now->tag_bytes.last));
    for (int wrong = 0; wrong < 2; wrong++) {
        tag[5] ^= (uint8_t)wrong;
        CHECK(runnel_mac_key(now, m, key, key_bytes) == RUNNEL_OK);
        CHECK(runnel_mac_update(now, m, message, 300) == RUNNEL_OK);
        int result = runnel_mac_verify(now, m, tag, now->tag_bytes.last);
        CHECK(is_secret_carry(&result, sizeof result));
        make_public(&result, sizeof result);
        CHECK(result == (wrong ? RUNNEL_ERR_TAG : RUNNEL_OK));
    }
    make_public(m, now->context_bytes);
#if RUNNEL_HOSTED
    if (strcmp(now->name, "hmac-sha-256") == 0)
        batch_of_secrets(key, message);
#endif
    printf("%s: %u branches or addresses depend on secrets\n", now->name, reports() - before);
    return 0;
}
#endif

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "vectors") == 0 && argc > 2) {
        for (int i = 2; i < argc; i++)
            run_file(argv[i]);
    } else if (strcmp(what, "properties") == 0 && argc == 3) {
        properties(strtoull(argv[2], NULL, 0));
    } else if (strcmp(what, "tags") == 0) {
        answer_tags();
#if RUNNEL_HOSTED
    } else if (strcmp(what, "batch-tags") == 0) {
        answer_batch_tags();
#endif
    } else if (strcmp(what, "list") == 0) {
        const runnel_mac *mac;
        for (size_t i = 0; (mac = runnel_mac_at(i)) != NULL; i++)
            printf("%s %u %u %u %u\n", mac->name, mac->key_bytes.first, mac->key_bytes.last, mac->tag_bytes.first,
                   mac->tag_bytes.last);
#ifdef RUNNEL_TEST_SECRETS
    } else if (strcmp(what, "secrets") == 0 && argc > 2) {
        int status = 0;
        for (int i = 2; i < argc && status == 0; i++) {
            now = find(argv[i]);
            status = secrets();
        }
        return status;
#endif
    } else {
        return 2;
    }
    return 0;
}
