/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-secrets run|first CIPHER KERNEL [CIPHER KERNEL …] | leaks | leak KIND…
 * Runs kernels with the key and the message marked secret (see secrets.h), and the IV too where it is not the counter;
 * the tool in use reports a branch or an address that depends on them and gives the program its own exit status.
 * `first` continues with the next kernel once something was reported: counting all of it takes minutes.
 * `leak` runs a kernel of the test's own that leaks on purpose, to see that the tool sees it; `leaks` lists the kinds, of
 * which `clean` is none. 0: nothing was reported;
 * 77: this CPU cannot run any of the kernels; 78: no tool is watching. A line for each kernel that ran tells how much was
 * reported. */
#include "harness.h"
#include "secrets.h"

enum { MOST = 9000 };

/* A toy cipher, only here: XOR with bytes of the key, by a rule that keeps the secret or gives it away, in one of the
 * ways in which real code has. What is volatile is so that the compiler leaves it as it is written. */
typedef struct toy_state {
    uint8_t key[16], table[256];
} toy_state;
typedef struct toy_context {
    runnel_stream stream;
    uint8_t leftover[16];
    RUNNEL_ALIGNED toy_state state;
} toy_context;

static volatile uint8_t sink;

/* A branch, and not a conditional move. */
static uint8_t by_branch(const toy_state *s, uint8_t k)
{
    (void)s;
    volatile uint8_t chosen = 0x1d;
    if (k & 0x80)
        chosen = (uint8_t)(chosen + 1);
    return k ^ chosen;
}

static uint8_t by_index(const toy_state *s, uint8_t k)
{
    return *(const volatile uint8_t *)&s->table[k];
}

static uint8_t by_store(const toy_state *s, uint8_t k)
{
    static volatile uint8_t counts[256]; /* what a sort by counting does */
    (void)s;
    counts[k] = 1;
    return (uint8_t)(k + counts[3]);
}

static uint8_t by_compare(const toy_state *s, uint8_t k)
{
    size_t i = 0;
    while (i < sizeof s->key && *(const volatile uint8_t *)&s->key[i] == (uint8_t)i)
        i++;
    return (uint8_t)(k + i);
}

static uint8_t by_loop(const toy_state *s, uint8_t k)
{
    (void)s;
    for (unsigned i = 0; i < k; i++)
        sink = (uint8_t)i;
    return k;
}

/* Enough cases for a table of jumps; with constants alone a compiler would shift one number by the secret instead. */
static uint8_t by_switch(const toy_state *s, uint8_t k)
{
    switch (k & 7) {
    case 0:
        sink = 3;
        break;
    case 1:
        sink = sink;
        break;
    case 2:
        sink = (uint8_t)(sink + 59);
        break;
    case 3:
        sink = (uint8_t)(sink ^ s->table[3]);
        break;
    case 4:
        sink = (uint8_t)(sink << 1);
        break;
    case 5:
        sink = (uint8_t)(sink * 5);
        break;
    case 6:
        sink = (uint8_t)(s->table[6] - sink);
        break;
    default:
        break;
    }
    return k;
}

static uint8_t by_pointer(const toy_state *s, uint8_t k)
{
    static uint8_t (*const volatile functions[])(const toy_state *, uint8_t) = {by_store, by_index};
    uint8_t (*chosen[2])(const toy_state *, uint8_t) = {functions[0], functions[1]};
    const uintptr_t mask = 0u - (uintptr_t)(k & 1); /* without a branch, and without an address from the secret */
    const uintptr_t both = ((uintptr_t)chosen[0] & ~mask) | ((uintptr_t)chosen[1] & mask);
    return ((uint8_t (*)(const toy_state *, uint8_t))both)(s, 0);
}

static uint8_t by_stack(const toy_state *s, uint8_t k)
{
    volatile uint8_t own[16] = {0};
    (void)s;
    own[k & 15] = 1;
    return own[3];
}

/* An end that is looked for, as in strlen. */
static uint8_t by_search(const toy_state *s, uint8_t k)
{
    const volatile uint8_t *p = s->key;
    while (*p != 0 && p < s->key + sizeof s->key)
        p++;
    return (uint8_t)(k + (p - s->key));
}

/* Rejection of what does not fit, as in a draw below a limit. */
static uint8_t by_rejection(const toy_state *s, uint8_t k)
{
    (void)s;
    while (k >= 200)
        k = (uint8_t)(k * 5 + 1);
    return k;
}

/* A product by shifts and additions that ends with the highest bit. */
static uint8_t by_early_end(const toy_state *s, uint8_t k)
{
    volatile uint8_t product = 0;
    (void)s;
    for (uint8_t left = k, addend = 7; left != 0; left >>= 1, addend = (uint8_t)(addend << 1))
        product = (uint8_t)(product + (addend & (0u - (left & 1u))));
    return product;
}

static uint8_t by_nothing(const toy_state *s, uint8_t k)
{
    (void)s;
    return k;
}

static void toy_key(void *state, const uint8_t *key, size_t key_bytes)
{
    toy_state *s = state;
    memcpy(s->key, key, key_bytes);
    for (unsigned i = 0; i < 256; i++)
        s->table[i] = (uint8_t)(i * 7 + 1);
}

static void toy_leaking_key(void *state, const uint8_t *key, size_t key_bytes)
{
    toy_key(state, key, key_bytes);
    sink = by_branch(state, key[0]);
}

static void toy_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    (void)state;
    (void)iv;
    (void)iv_bytes;
}

static inline void toy_blocks(toy_state *s, uint8_t *out, const uint8_t *in, size_t nblocks,
                              uint8_t (*rule)(const toy_state *, uint8_t))
{
    for (size_t i = 0; i < 16 * nblocks; i++) {
        const uint8_t k = (uint8_t)(rule(s, s->key[i % 16]) + s->key[i % 16]); /* stays as secret as the key */
        out[i] = (uint8_t)(in != NULL ? in[i] ^ k : k);
    }
}
/* Name, rule, key set-up. */
#define LEAKS(ROW)                                                                                                     \
    ROW(clean, by_nothing, toy_key)                                                                                    \
    ROW(branch, by_branch, toy_key)                                                                                    \
    ROW(index, by_index, toy_key)                                                                                      \
    ROW(store, by_store, toy_key)                                                                                      \
    ROW(compare, by_compare, toy_key)                                                                                  \
    ROW(loop, by_loop, toy_key)                                                                                        \
    ROW(switch, by_switch, toy_key)                                                                                    \
    ROW(pointer, by_pointer, toy_key)                                                                                  \
    ROW(stack, by_stack, toy_key)                                                                                      \
    ROW(search, by_search, toy_key)                                                                                    \
    ROW(rejection, by_rejection, toy_key)                                                                              \
    ROW(early_end, by_early_end, toy_key)                                                                              \
    ROW(key_setup, by_nothing, toy_leaking_key)

#define TOY(name_, rule, key_)                                                                                         \
    static void toy_##name_(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)              \
    {                                                                                                                  \
        (void)index;                                                                                                   \
        toy_blocks(state, out, in, nblocks, rule);                                                                     \
    }                                                                                                                  \
    static const runnel_kernel toy_kernel_##name_ = {.name = #name_,                                                   \
                                                     .citation = "the test's own",                                     \
                                                     .timing = RUNNEL_CONSTANT_TIME,                                   \
                                                     .kind = RUNNEL_KIND_STREAM,                                       \
                                                     .key = key_,                                                      \
                                                     .stream = {.iv = toy_iv, .xor_blocks = toy_##name_}};
LEAKS(TOY)

#define IN_LIST(name_, rule, key_) RUNNEL_HEAD_OF(&toy_kernel_##name_),
static runnel_kernel_list toy_kernels = {LEAKS(IN_LIST) NULL};
static const runnel_cipher toy = {.name = "toy",
                                  .title = "toy",
                                  .source = "the test's own",
                                  .seekable = 1,
                                  .key_bytes = {16, 16, 1},
                                  .iv_bytes = {16, 16, 1},
                                  .block_bytes = 16,
                                  .context_bytes = sizeof(toy_context),
                                  .state_offset = offsetof(toy_context, state),
                                  .kernels = toy_kernels};

/* Of the keystream, in 16 bytes: how many the tool still knows to be secret. MSan takes -x to be as secret as x in each
 * bit alone, and so loses some of what valgrind keeps. */
static unsigned tracked, blocks;
static int only_first; /* report */
static unsigned before;

static void note(const uint8_t *out, size_t bytes)
{
    for (size_t b = 0; b < bytes; b += 16)
        tracked += (unsigned)is_secret(out + b, bytes - b < 16 ? bytes - b : 16);
    CHECK(is_secret(out, bytes), "the tool lost track of the secret: nothing would be reported");
    blocks += (unsigned)(bytes + 15) / 16;
}

/* One message through all the calls of the library. Only what a caller may see is made public again. */
static void watch(const target *t, size_t key_bytes, size_t iv_bytes, int layout)
{
    static uint8_t in[MOST], out[MOST];
    static const size_t lengths[] = {1, 16, 40, 64, 130, 256, 512, 700, 1024, 2048, 4096, 5000, MOST};
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    runnel_stream *s = new_context(t->cipher);
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    random_bytes(in, sizeof in);
    make_secret(key, sizeof key);
    make_secret(in, sizeof in);
    if (t->cipher->layout == 0) /* in counter mode the IV is the counter, which is public */
        make_secret(iv, sizeof iv);
    CHECK_OK(runnel_cipher_key(t->cipher, s, key, key_bytes, t->kernel->name));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && !(only_first && reports() > before); i++) {
        CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, layout));
        if (kind_of(t->cipher) == DIRECTIONAL) {
            CHECK_OK(runnel_stream_encrypt(s, out, in, lengths[i]));
            note(out, lengths[i]);
            CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, layout));
            CHECK_OK(runnel_stream_decrypt(s, out, out, lengths[i] / 3));
            CHECK_OK(runnel_stream_decrypt(s, out, in, lengths[i]));
            note(out, lengths[i]);
            CHECK_OK(runnel_stream_encrypt_packet(s, iv, iv_bytes, layout, out, in, lengths[i]));
            note(out, lengths[i]);
            continue;
        }
        CHECK_OK(runnel_stream_xor(s, out, NULL, lengths[i]));
        note(out, lengths[i]);
        CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, layout));
        CHECK_OK(runnel_stream_xor(s, out, in, lengths[i]));
        CHECK_OK(runnel_stream_packet(s, iv, iv_bytes, layout, out, in, lengths[i]));
        note(out, lengths[i]);
        memcpy(out, in, lengths[i]);
        CHECK_OK(runnel_stream_iv(s, iv, iv_bytes, layout));
        CHECK_OK(runnel_stream_xor(s, out, out, lengths[i] / 3));
        CHECK_OK(runnel_stream_xor(s, out, NULL, lengths[i] - lengths[i] / 3));
        if (t->cipher->seekable) {
            CHECK_OK(runnel_stream_seek(s, lengths[i] * 7 + 3));
            CHECK_OK(runnel_stream_xor(s, out, in, lengths[i]));
        }
    }
    if (t->kernel->kind == RUNNEL_KIND_BLOCK && t->kernel->block.decrypt_blocks != NULL) {
        uint8_t *state = (uint8_t *)s + t->cipher->state_offset;
        t->kernel->block.decrypt_key(state, key, key_bytes);
        t->kernel->block.decrypt_blocks(state, out, in, 37);
        note(out, 37 * (size_t)t->cipher->block_bytes);
    }
    runnel_stream_wipe(s);
    make_public(s, t->cipher->context_bytes);
    free_context(s);
}

/* Several keys and streams at once, more than there are lanes, of several lengths. */
static void watch_batch(const target *t, size_t key_bytes, size_t iv_bytes)
{
    enum { STREAMS = 11, LENGTH = 400 };
    static uint8_t in[LENGTH], out[STREAMS][LENGTH];
    runnel_stream *s[STREAMS];
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV], *outs[STREAMS];
    const uint8_t *ins[STREAMS], *ivs[STREAMS], *keys[STREAMS];
    size_t bytes[STREAMS];
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    make_secret(key, sizeof key);
    if (t->cipher->layout == 0) /* as above */
        make_secret(iv, sizeof iv);
    make_secret(in, sizeof in);
    for (size_t i = 0; i < STREAMS; i++) {
        s[i] = new_context(t->cipher);
        keys[i] = key;
        outs[i] = out[i];
        ins[i] = i % 3 == 0 ? NULL : in;
        ivs[i] = iv;
        bytes[i] = LENGTH - 7 * i;
    }
    CHECK_OK(runnel_cipher_key_batch(t->cipher, s, keys, key_bytes, t->kernel->name, STREAMS));
    CHECK_OK(runnel_stream_iv_batch(s, ivs, iv_bytes, RUNNEL_LAYOUT_DEFAULT, STREAMS));
    CHECK_OK(runnel_stream_xor_batch(s, outs, ins, bytes, STREAMS));
    for (size_t i = 0; i < STREAMS; i++) {
        note(out[i], bytes[i]);
        make_public(s[i], t->cipher->context_bytes);
        free_context(s[i]);
    }
}

/* 0, 2 without such a kernel, 77 if it cannot run. */
static int run(const char *cipher, const char *kernel)
{
    target t = {runnel_cipher_find(cipher), NULL};
    if (t.cipher == NULL)
        return 2;
    t.kernel = kernel_of(t.cipher, kernel);
    if (t.kernel == NULL) {
        printf("this build has no %s: MSan cannot follow assembly\n", kernel);
        return 77;
    }
    if (!runnel_kernel_available(RUNNEL_HEAD_OF(t.kernel))) {
        printf("this CPU, as the tool shows it, cannot run %s\n", t.kernel->name);
        return 77;
    }
    doing = kernel;
    tracked = blocks = 0;
    before = reports();
    int layouts[RUNNEL_LAYOUTS];
    size_t count = layouts_of(t.cipher, layouts);
    pair pairs[MOST_PAIRS];
    const size_t npairs = pairs_of(t.cipher, pairs), step = (npairs + 3) / 4; /* four are enough: the tools are slow */
    for (size_t i = 0; i < npairs; i += step)
        for (size_t l = 0; l < count; l++)
            if (l == 0 || i == 0)
                if (!(only_first && reports() > before))
                    watch(&t, pairs[i].key_bytes, pairs[i].iv_bytes, layouts[l]);
    if (t.kernel->batch != NULL || (t.kernel->keys != NULL && kind_of(t.cipher) == KEYSTREAM))
        watch_batch(&t, pairs[0].key_bytes, pairs[0].iv_bytes);
    printf("%s/%s: %u branches or addresses depend on secrets, says " WATCHED_BY ", which tracks %.0f %%\n",
           t.cipher->name, t.kernel->name, reports() - before, blocks == 0 ? 0.0 : 100.0 * tracked / blocks);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "leaks") == 0) {
        for (size_t i = 0; toy_kernels[i] != NULL; i++)
            puts(toy_kernels[i]->name);
        return 0;
    }
    if (!watched())
        return 78;
    if (argc > 2 && strcmp(argv[1], "leak") == 0) {
        for (int i = 2; i < argc; i++) {
            const target t = {&toy, kernel_of(&toy, argv[i])};
            if (t.kernel == NULL)
                return 2;
            doing = argv[i];
            before = reports();
            watch(&t, 16, 16, 0);
            printf("%s: reported %u times\n", argv[i], reports() - before);
        }
        return 0;
    }
    only_first = argc > 1 && strcmp(argv[1], "first") == 0;
    if (argc < 4 || argc % 2 != 0 || (!only_first && strcmp(argv[1], "run") != 0))
        return 2;
    int status = 77;
    for (int i = 2; i < argc; i += 2) {
        const int result = run(argv[i], argv[i + 1]);
        if (result != 77)
            status = result;
        if (status == 2)
            break;
    }
    return status;
}
