/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC-SHA-256 of several messages at once. */
#include "macs.h"

#if RUNNEL_HOSTED
#include "macs/hmac_sha_256/kernels.h"

enum { MANY = 40, AROUND = 8 };

typedef struct many {
    runnel_hmac_sha_256 c;
    runnel_hmac_sha_256_message m[MANY];
    uint8_t tags[MANY][RUNNEL_MAC_TAG_MAX + AROUND], right[MANY][RUNNEL_MAC_TAG_MAX];
    size_t count;
} many;

/* Messages of random lengths, each in memory of its own with nothing behind it, and their tags by single calls. */
static many *new_batch(size_t count)
{
    static const size_t lengths[] = {0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 1000};
    many *const b = calloc(1, sizeof *b);
    uint8_t key[100];
    const size_t key_bytes = random_below(sizeof key), equal = random_below(4) == 0 ? random_below(700) : SIZE_MAX;
    random_bytes(key, key_bytes);
    b->count = count;
    memset(b->tags, 0xa5, sizeof b->tags);
    CHECK(runnel_hmac_sha_256_key(&b->c, key, key_bytes) == RUNNEL_OK);
    for (size_t i = 0; i < count; i++) {
        const size_t some =
            random_below(2) ? lengths[random_below(sizeof lengths / sizeof *lengths)] : random_below(900);
        const size_t bytes = equal == SIZE_MAX ? some : equal;
        uint8_t *const data = malloc(bytes + (bytes == 0));
        random_bytes(data, bytes);
        CHECK(runnel_hmac_sha_256_once(b->right[i], 32, data, bytes, key, key_bytes) == RUNNEL_OK);
        b->m[i] = (runnel_hmac_sha_256_message){
            .data = data, .bytes = bytes, .tag = b->tags[i], .tag_bytes = 16 + random_below(17), .result = 7};
    }
    return b;
}

static void free_batch(many *b)
{
    for (size_t i = 0; i < b->count; i++)
        free((void *)(uintptr_t)b->m[i].data);
    free(b);
}

static void check_tags(many *b)
{
    runnel_hmac_sha_256 before;
    CHECK(runnel_hmac_sha_256_update(&b->c, b->right[0], random_below(32)) == RUNNEL_OK); /* in the middle of another */
    memcpy(&before, &b->c, sizeof before);
    CHECK(runnel_hmac_sha_256_tag_batch(&b->c, b->m, b->count) == RUNNEL_OK);
    for (size_t i = 0; i < b->count; i++) {
        CHECK(memcmp(b->tags[i], b->right[i], b->m[i].tag_bytes) == 0);
        for (size_t k = b->m[i].tag_bytes; k < sizeof b->tags[i]; k++)
            CHECK(b->tags[i][k] == 0xa5);
        CHECK(b->m[i].result == RUNNEL_OK);
        b->m[i].result = 7;
    }
    CHECK(runnel_hmac_sha_256_verify_batch(&b->c, b->m, b->count) == RUNNEL_OK);
    uint8_t wrong[MANY] = {0};
    int any = 0;
    for (size_t i = 0; i < b->count; i++) {
        CHECK(b->m[i].result == RUNNEL_OK);
        if (random_below(4) > 0)
            continue;
        b->tags[i][random_below((uint32_t)b->m[i].tag_bytes)] ^= (uint8_t)(1 << random_below(8));
        wrong[i] = 1;
        any = 1;
    }
    CHECK(runnel_hmac_sha_256_verify_batch(&b->c, b->m, b->count) == (any ? RUNNEL_ERR_TAG : RUNNEL_OK));
    for (size_t i = 0; i < b->count; i++)
        CHECK(b->m[i].result == (wrong[i] ? RUNNEL_ERR_TAG : RUNNEL_OK));
    CHECK(memcmp(&before, &b->c, sizeof before) == 0);
}

/* Checks that each error leaves unchanged every tag and result. */
static void check_batch_errors(void)
{
    many *const b = new_batch(5);
    runnel_hmac_sha_256 *const none = NULL, empty = {0};
    runnel_hmac_sha_256_message *const nothing = NULL, *const odd = &b->m[3], kept = *odd;
#define BOTH(c, m, count, error)                                                                                       \
    CHECK(runnel_hmac_sha_256_tag_batch(c, m, count) == (error));                                                      \
    CHECK(runnel_hmac_sha_256_verify_batch(c, m, count) == (error))
    BOTH(none, b->m, 5, RUNNEL_ERR_NULL);
    BOTH(&b->c, nothing, 1, RUNNEL_ERR_NULL);
    BOTH(&empty, b->m, 5, RUNNEL_ERR_STATE);
    BOTH(&b->c, nothing, 0, RUNNEL_OK);
    odd->tag_bytes = 15;
    BOTH(&b->c, b->m, 5, RUNNEL_ERR_TAG_LENGTH);
    odd->tag_bytes = 33;
    BOTH(&b->c, b->m, 5, RUNNEL_ERR_TAG_LENGTH);
    *odd = kept;
    odd->tag = NULL;
    BOTH(&b->c, b->m, 5, RUNNEL_ERR_NULL);
    *odd = kept;
    odd->data = NULL;
    odd->bytes = 1;
    BOTH(&b->c, b->m, 5, RUNNEL_ERR_NULL);
    for (size_t i = 0; i < 5; i++) {
        CHECK(b->m[i].result == 7);
        for (size_t k = 0; k < sizeof b->tags[i]; k++)
            CHECK(b->tags[i][k] == 0xa5);
    }
    odd->bytes = 0; /* NULL is allowed */
    CHECK(runnel_hmac_sha_256_tag_batch(&b->c, b->m, 5) == RUNNEL_OK);
    *odd = kept;
    free_batch(b);
#undef BOTH
}

static runnel_kernel_list kernels = {
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_sha_256_kernel, runnel_hmac_sha_256_##name)
#include "macs/hmac_sha_256/kernels.inc"
};

static const runnel_sha_256_kernel *kernel_at(size_t index)
{
    return (const void *)kernels[index];
}

void check_batches(void)
{
    enum { KERNELS = sizeof kernels / sizeof *kernels };
    now = find("hmac-sha-256");
    check_batch_errors();
    const uint32_t all = runnel_cpu();
    for (unsigned set = 0; set < 1u << KERNELS; set++) {
        uint32_t mask = 0;
        for (unsigned k = 0; k < KERNELS; k++)
            mask |= set >> k & 1 ? kernels[k]->cpu : 0;
        runnel_cpu_mask(mask);
        for (size_t count = 0; count <= RUNNEL_SHA_256_LANES_MOST; count++) {
            size_t k = 0;
            while (count < kernel_at(k)->worth || (kernels[k]->cpu & ~(all & mask)) != 0)
                if (++k == KERNELS)
                    break;
            CHECK(count == 0 || runnel_sha_256_kernel_for(count) == kernel_at(k));
            CHECK(count == 0 ||
                  (kernels[k]->lanes <= RUNNEL_SHA_256_LANES_MOST && kernel_at(k)->worth <= kernels[k]->lanes));
        }
        for (unsigned i = 0; i < 12; i++) {
            many *const b = new_batch(i < 6 ? random_below(MANY + 1) : random_below(RUNNEL_SHA_256_LANES_MOST + 3));
            check_tags(b);
            free_batch(b);
        }
    }
    runnel_cpu_mask(UINT32_MAX);
    for (unsigned k = 0; k < KERNELS; k++)
        if ((kernels[k]->cpu & ~all) == 0)
            printf("hmac-sha-256 %s: in batches\n", kernels[k]->name);
}
/* Answers a row of lines with one key, and forgets the messages. */
static void answer_row(const uint8_t *key, size_t key_bytes, runnel_hmac_sha_256_message *m, size_t count)
{
    runnel_hmac_sha_256 c;
    CHECK(runnel_hmac_sha_256_key(&c, key, key_bytes) == RUNNEL_OK);
    CHECK(runnel_hmac_sha_256_tag_batch(&c, m, count) == RUNNEL_OK);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < m[i].tag_bytes; k++)
            printf("%02x", m[i].tag[k]);
        printf("\n");
        free((void *)(uintptr_t)m[i].data);
    }
}

void answer_batch_tags(void)
{
    static char line[4 * LONGEST_MESSAGE], name[32], key_text[2 * LONGEST_KEY + 1], text[2 * LONGEST_MESSAGE + 1];
    static uint8_t key[LONGEST_KEY], last_key[LONGEST_KEY], tags[MANY][RUNNEL_MAC_TAG_MAX];
    runnel_hmac_sha_256_message m[MANY];
    size_t count = 0, last_bytes = 0;
    unsigned tag_bytes;
    now = find("hmac-sha-256");
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "%31s %8192s %8192s %u", name, key_text, text, &tag_bytes) != 4 || tag_bytes > 32)
            exit(2);
        const size_t key_bytes = from_hex(key_text, key, sizeof key);
        if (count == MANY || (count > 0 && (key_bytes != last_bytes || memcmp(key, last_key, key_bytes) != 0))) {
            answer_row(last_key, last_bytes, m, count);
            count = 0;
        }
        memcpy(last_key, key, key_bytes);
        last_bytes = key_bytes;
        uint8_t *const data = malloc(LONGEST_MESSAGE);
        const size_t bytes = from_hex(text, data, LONGEST_MESSAGE);
        m[count] =
            (runnel_hmac_sha_256_message){.data = data, .bytes = bytes, .tag = tags[count], .tag_bytes = tag_bytes};
        count++;
    }
    answer_row(last_key, last_bytes, m, count);
}
#ifdef RUNNEL_TEST_SECRETS
void batch_of_secrets(const uint8_t *key, const uint8_t *data)
{
    static uint8_t tags[20][32];
    runnel_hmac_sha_256_message m[20];
    runnel_hmac_sha_256 c;
    CHECK(runnel_hmac_sha_256_key(&c, key, 32) == RUNNEL_OK);
    for (size_t count = 1; count <= 20; count += 3) {
        for (size_t i = 0; i < count; i++)
            m[i] = (runnel_hmac_sha_256_message){.data = data + i, .bytes = 13 * i, .tag = tags[i], .tag_bytes = 32};
        CHECK(runnel_hmac_sha_256_tag_batch(&c, m, count) == RUNNEL_OK);
        CHECK(is_secret(tags[count - 1], 32));
        tags[count / 2][7] ^= 1;
        int error = runnel_hmac_sha_256_verify_batch(&c, m, count);
        CHECK(is_secret_carry(&error, sizeof error) && is_secret_carry(&m[0].result, sizeof m[0].result));
        make_public(&error, sizeof error);
        make_public(m, sizeof m);
        CHECK(error == RUNNEL_ERR_TAG && m[count / 2].result == RUNNEL_ERR_TAG);
    }
    make_public(&c, sizeof c);
}
#endif
#endif
