/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-secrets run|first CIPHER KERNEL [CIPHER KERNEL …] | leak branch|index|clean
 * Runs kernels with the key and the message marked secret (see secrets.h), and the IV too where it is not the counter;
 * the tool in use reports a branch or an address that depends on them and gives the program its own exit status.
 * `first` goes on with the next kernel once something was reported: counting all of it takes minutes.
 * `leak` runs a kernel of the test's own that leaks on purpose, to see that the tool sees it. 0: nothing was reported;
 * 77: this CPU cannot run any of the kernels; 78: no tool is watching. A line for each kernel that ran tells how much was
 * reported. */
#include "harness.h"
#include "secrets.h"

enum { MOST = 9000 };

/* A toy cipher, only here: XOR with bytes of the key, by a rule that keeps the secret or gives it away. */
typedef struct toy_state {
    uint8_t key[16], table[256];
} toy_state;
typedef struct toy_context {
    runnel_stream stream;
    uint8_t leftover[16];
    RUNNEL_ALIGNED toy_state state;
} toy_context;

static void toy_key(void *state, const uint8_t *key, size_t key_bytes)
{
    toy_state *s = state;
    memcpy(s->key, key, key_bytes);
    for (unsigned i = 0; i < 256; i++)
        s->table[i] = (uint8_t)(i * 7 + 1);
}

static void toy_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    (void)state;
    (void)iv;
    (void)iv_bytes;
}

static inline void toy_blocks(toy_state *s, uint8_t *out, const uint8_t *in, size_t nblocks, int leak)
{
    for (size_t i = 0; i < 16 * nblocks; i++) {
        uint8_t k = s->key[i % 16];
        if (leak == 1) {
            volatile uint8_t chosen = 0x1d; /* a branch, and not a conditional move */
            if (k & 0x80)
                chosen = (uint8_t)(chosen + i);
            k ^= chosen;
        } else if (leak == 2) {
            k = *(volatile uint8_t *)&s->table[k];
        }
        out[i] = (uint8_t)(in != NULL ? in[i] ^ k : k);
    }
}

#define TOY(name_, leak)                                                                                               \
    static void toy_##name_(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)              \
    {                                                                                                                  \
        (void)index;                                                                                                   \
        toy_blocks(state, out, in, nblocks, leak);                                                                     \
    }                                                                                                                  \
    static const runnel_kernel toy_kernel_##name_ = {.name = #name_,                                                   \
                                                     .citation = "the test's own",                                     \
                                                     .timing = RUNNEL_CONSTANT_TIME,                                   \
                                                     .kind = RUNNEL_KIND_STREAM,                                       \
                                                     .key = toy_key,                                                   \
                                                     .stream = {.iv = toy_iv, .xor_blocks = toy_##name_}};

TOY(clean, 0)
TOY(branch, 1)
TOY(index, 2)

static runnel_kernel_list toy_kernels = {&toy_kernel_clean, &toy_kernel_branch, &toy_kernel_index, NULL};
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
    if (!runnel_kernel_available(t.kernel)) {
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
    if (!watched())
        return 78;
    if (argc == 3 && strcmp(argv[1], "leak") == 0) {
        const target t = {&toy, kernel_of(&toy, argv[2])};
        if (t.kernel == NULL)
            return 2;
        doing = argv[2];
        watch(&t, 16, 16, 0);
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
