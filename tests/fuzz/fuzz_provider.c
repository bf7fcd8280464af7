/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The OpenSSL provider through EVP: names that are fetched, contexts that are keyed, used, copied and reset in any order,
 * and arrays of parameters of any name, type and size. A copied context continues just as the original does; what comes out of
 * a message in order is what the library makes of it, and opens again; nothing is written outside what EVP was told. */
#include "fuzz.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <ctype.h>
#include <unistd.h>

#include <runnel/aead.h>

#ifdef __clang__ /* which otherwise asks for a declaration */
#pragma clang diagnostic ignored "-Wmissing-variable-declarations"
#endif

OSSL_provider_init_fn OSSL_provider_init;

/* In place of the system's: a copied context then draws the same IV. */
int getentropy(void *out, size_t bytes)
{
    memset(out, 0x77, bytes);
    return 0;
}

enum { MOST = 1200, MOST_PARAM = 140, PARAMS = 4, STEPS = 40, KEY = 64, IV = 160 };

/* The context, and perhaps a copy of it that takes the same calls. */
typedef struct machine {
    choices *c;
    const char *name;
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *s[2];
    int seals;
} machine;

static OSSL_LIB_CTX *library;
static EVP_CIPHER *ciphers[128];
static size_t cipher_count;

static void collect(EVP_CIPHER *cipher, void *unused)
{
    (void)unused;
    if (cipher_count < sizeof ciphers / sizeof *ciphers && EVP_CIPHER_up_ref(cipher) == 1)
        ciphers[cipher_count++] = cipher;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(EVP_CIPHER_get0_name(*(EVP_CIPHER *const *)a), EVP_CIPHER_get0_name(*(EVP_CIPHER *const *)b));
}

static void load(void)
{
    if (library != NULL)
        return;
    library = OSSL_LIB_CTX_new();
    CHECK(OSSL_PROVIDER_add_builtin(library, "runnel", OSSL_provider_init) == 1, "built-in provider");
    CHECK(OSSL_PROVIDER_load(library, "runnel") != NULL, "the provider is not loaded");
    EVP_CIPHER_do_all_provided(library, collect, NULL);
    CHECK(cipher_count > 20, "only %zu ciphers", cipher_count);
    qsort(ciphers, cipher_count, sizeof *ciphers, by_name);
}

/* ---- calls on both ---- */

static int both(const machine *m)
{
    return m->s[1] != NULL;
}

static void check_same(const machine *m, const char *what, int first, int second)
{
    CHECK((first == 1) == (second == 1), "%s: %s gives %d, the copy %d", m->name, what, first, second);
}

static void step_init(machine *m)
{
    uint8_t key[KEY], iv[IV];
    const unsigned how = (unsigned)choose(m->c, 1);
    choose_random(m->c, key, sizeof key);
    choose_iv(m->c, iv, sizeof iv);
    const int direction = how & 4 ? -1 : (int)(how >> 3 & 1);
    int result[2] = {0};
    for (int i = 0; i < 1 + both(m); i++)
        result[i] = EVP_CipherInit_ex2(m->s[i], how & 0x40 ? m->cipher : NULL, how & 1 ? key : NULL,
                                       how & 2 ? iv : NULL, direction, NULL);
    if (both(m))
        check_same(m, "init", result[0], result[1]);
    if (direction >= 0)
        m->seals = direction;
}

static void step_update(machine *m)
{
    static uint8_t in[MOST + 16], out[2][MOST + 64];
    const size_t n = choose_length(m->c, MOST);
    const unsigned how = (unsigned)choose(m->c, 1);
    int done[2] = {-1, -1}, result[2] = {0};
    choose_random(m->c, in, n);
    const int none = how < 50, whole = how >= 240, no_input = how == 239;
    for (int i = 0; i < 1 + both(m); i++) {
        memset(out[i], 0x5a, sizeof out[i]);
        memcpy(out[i], in, n); /* records are worked on in place */
        if (whole)
            result[i] = EVP_Cipher(m->s[i], none ? NULL : out[i], no_input ? NULL : how & 1 ? out[i] : in, (unsigned)n);
        else
            result[i] = EVP_CipherUpdate(m->s[i], none ? NULL : out[i], &done[i],
                                         no_input           ? NULL
                                         : how & 1 && !none ? out[i]
                                                            : in,
                                         (int)n);
        for (size_t k = n; k < sizeof out[i]; k++)
            CHECK(out[i][k] == 0x5a, "%s: byte %zu behind %zu is written", m->name, k - n, n);
        CHECK(done[i] <= (int)n, "%s: %d bytes of %zu", m->name, done[i], n);
    }
    if (!both(m))
        return;
    check_same(m, "update", result[0] > 0, result[1] > 0);
    CHECK(result[0] <= 0 || done[0] == done[1], "%s: %d bytes and %d", m->name, done[0], done[1]);
    if (result[0] > 0)
        CHECK_BYTES(out[0], out[1], n, "%s: what the copy makes of %zu bytes", m->name, n);
}

static void step_final(machine *m)
{
    uint8_t out[2][32];
    int done[2] = {-1, -1}, result[2] = {0};
    for (int i = 0; i < 1 + both(m); i++)
        result[i] = EVP_CipherFinal_ex(m->s[i], out[i], &done[i]);
    if (both(m))
        check_same(m, "final", result[0], result[1]);
    CHECK(result[0] != 1 || done[0] == 0, "%s: final writes %d bytes", m->name, done[0]);
}

static void step_copy(machine *m)
{
    EVP_CIPHER_CTX *const copy = EVP_CIPHER_CTX_new();
    CHECK(copy != NULL && EVP_CIPHER_CTX_copy(copy, m->s[0]) == 1, "%s: copy", m->name);
    if (choose_bit(m->c)) { /* the original goes */
        EVP_CIPHER_CTX *const old = m->s[0];
        m->s[0] = copy;
        EVP_CIPHER_CTX_free(old);
        EVP_CIPHER_CTX_free(m->s[1]);
        m->s[1] = NULL;
    } else {
        EVP_CIPHER_CTX_free(m->s[1]);
        m->s[1] = copy;
    }
}

/* The controls that programs use, and others. */
static void step_control(machine *m)
{
    static const int types[] = {EVP_CTRL_AEAD_SET_IVLEN,    EVP_CTRL_AEAD_GET_TAG, EVP_CTRL_AEAD_SET_TAG,
                                EVP_CTRL_AEAD_SET_IV_FIXED, EVP_CTRL_GCM_IV_GEN,   EVP_CTRL_GCM_SET_IV_INV,
                                EVP_CTRL_AEAD_TLS1_AAD,     EVP_CTRL_GET_IVLEN,    EVP_CTRL_CCM_SET_L,
                                EVP_CTRL_AEAD_SET_MAC_KEY,  EVP_CTRL_COPY,         EVP_CTRL_INIT};
    uint8_t data[2][256];
    const int type = types[choose_below(m->c, sizeof types / sizeof *types)], count = (int)choose(m->c, 1) % 140 - 1;
    choose_random(m->c, data[0], sizeof data[0]);
    memcpy(data[1], data[0], sizeof data[0]);
    const int null = choose(m->c, 1) < 20;
    if (type == EVP_CTRL_AEAD_TLS1_AAD && null) /* which OpenSSL's own layer reads */
        return;
    int result[2] = {0};
    if (type == EVP_CTRL_COPY || type == EVP_CTRL_INIT) /* not for programs */
        return;
    for (int i = 0; i < 1 + both(m); i++)
        result[i] = EVP_CIPHER_CTX_ctrl(m->s[i], type, count, null ? NULL : data[i]);
    if (both(m))
        check_same(m, "a control", result[0] > 0, result[1] > 0);
}

/* ---- parameters ---- */

static const char *const keys[] = {OSSL_CIPHER_PARAM_KEYLEN,
                                   OSSL_CIPHER_PARAM_IVLEN,
                                   OSSL_CIPHER_PARAM_NUM,
                                   OSSL_CIPHER_PARAM_IV,
                                   OSSL_CIPHER_PARAM_UPDATED_IV,
                                   OSSL_CIPHER_PARAM_AEAD_TAG,
                                   OSSL_CIPHER_PARAM_AEAD_TAGLEN,
                                   OSSL_CIPHER_PARAM_AEAD_TLS1_AAD,
                                   OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD,
                                   OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN,
                                   OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED,
                                   OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV,
                                   OSSL_CIPHER_PARAM_MODE,
                                   OSSL_CIPHER_PARAM_BLOCK_SIZE,
                                   OSSL_CIPHER_PARAM_AEAD,
                                   OSSL_CIPHER_PARAM_PADDING,
                                   "no-such-parameter",
                                   ""};

/* An array of parameters as the input says, the same twice, each with memory of just its size. */
typedef struct array {
    OSSL_PARAM params[2][PARAMS + 1];
    uint8_t *data[2][PARAMS];
    size_t count;
} array;

static void make_array(machine *m, array *a)
{
    static const unsigned types[] = {OSSL_PARAM_OCTET_STRING,
                                     OSSL_PARAM_UNSIGNED_INTEGER,
                                     OSSL_PARAM_INTEGER,
                                     OSSL_PARAM_UTF8_STRING,
                                     OSSL_PARAM_OCTET_PTR,
                                     OSSL_PARAM_UTF8_PTR,
                                     0,
                                     77};
    a->count = choose_below(m->c, PARAMS + 1);
    for (size_t k = 0; k < a->count; k++) {
        const char *const key = keys[choose_below(m->c, sizeof keys / sizeof *keys)];
        const unsigned how = (unsigned)choose(m->c, 1), type = types[how < 160 ? how % 3 : how % 8];
        static const uint8_t sizes[] = {4, 8, 12, 13, 16, 1, 0, 128};
        const size_t which = choose(m->c, 1), bytes = which < 160 ? sizes[which % 8] : which % MOST_PARAM;
        uint8_t content[MOST_PARAM + 8] = {0};
        choose_iv(m->c, content, MOST_PARAM);
        if (type == OSSL_PARAM_UNSIGNED_INTEGER || type == OSSL_PARAM_INTEGER) /* mostly a small number */
            memset(content + 1, how & 1 ? 0 : content[1], sizeof content - 1);
        const int is_pointer = type == OSSL_PARAM_OCTET_PTR || type == OSSL_PARAM_UTF8_PTR;
        for (int i = 0; i < 2; i++) {
            a->data[i][k] = malloc(is_pointer ? sizeof(void *) : bytes + (bytes == 0));
            if (is_pointer)
                memset(a->data[i][k], 0, sizeof(void *));
            else
                memcpy(a->data[i][k], content, bytes);
            a->params[i][k] = (OSSL_PARAM){key, type, how == 200 ? NULL : a->data[i][k],
                                           is_pointer ? sizeof(void *) : bytes, OSSL_PARAM_UNMODIFIED};
        }
    }
    a->params[0][a->count] = a->params[1][a->count] = OSSL_PARAM_construct_end();
}

static void free_array(array *a)
{
    for (size_t k = 0; k < a->count; k++) {
        free(a->data[0][k]);
        free(a->data[1][k]);
    }
}

static void step_set(machine *m)
{
    array a;
    int result[2] = {0};
    make_array(m, &a);
    for (int i = 0; i < 1 + both(m); i++)
        result[i] = EVP_CIPHER_CTX_set_params(m->s[i], a.params[i]);
    if (both(m))
        check_same(m, "set_params", result[0], result[1]);
    free_array(&a);
}

static void step_get(machine *m)
{
    array a;
    int result[2] = {0};
    make_array(m, &a);
    for (size_t k = 0; k < a.count; k++) /* an IV that is to be made needs room for it, as in OpenSSL */
        if (strcmp(a.params[0][k].key, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN) == 0 && a.params[0][k].data_size == 0) {
            free_array(&a);
            return;
        }
    for (int i = 0; i < 1 + both(m); i++)
        result[i] = EVP_CIPHER_CTX_get_params(m->s[i], a.params[i]);
    if (both(m))
        check_same(m, "get_params", result[0], result[1]);
    for (size_t k = 0; both(m) && result[0] == 1 && k < a.count; k++) {
        const OSSL_PARAM *const p = &a.params[0][k], *const q = &a.params[1][k];
        CHECK(p->return_size == q->return_size, "%s: sizes of %s", m->name, p->key);
        if (p->return_size != OSSL_PARAM_UNMODIFIED && p->data != NULL &&
            (p->data_type == OSSL_PARAM_OCTET_STRING || p->data_type == OSSL_PARAM_UNSIGNED_INTEGER))
            CHECK_BYTES(p->data, q->data, p->return_size < p->data_size ? p->return_size : p->data_size, "%s of %s",
                        p->key, m->name);
    }
    if (a.count > 0 && choose_bit(m->c))
        (void)EVP_CIPHER_get_params(m->cipher, a.params[0]);
    free_array(&a);
}

/* ---- a message in order ---- */

/* Sealed in pieces, it is what the library seals in one call; opened in other pieces it comes back, and not with a tag of
 * which a bit was changed. */
static void authenticated(machine *m, const runnel_aead *aead)
{
    static uint8_t text[MOST], sealed[MOST], made[MOST], back[MOST], aad[300];
    uint8_t key[KEY], iv[16], tag[16], wanted[16];
    int n, mode = EVP_CIPHER_get_mode(m->cipher), ccm = mode == EVP_CIPH_CCM_MODE, siv = mode == 0x10005;
    const size_t bytes = choose_length(m->c, MOST), aad_bytes = choose_length(m->c, sizeof aad),
                 cut = choose_length(m->c, MOST);
    const size_t first = ccm || siv || cut > bytes ? bytes : cut;
    const unsigned bit = (unsigned)choose(m->c, 2), wrong = bit & 1;
    const size_t iv_bytes = (size_t)EVP_CIPHER_get_iv_length(m->cipher);
    choose_random(m->c, key, sizeof key);
    choose_iv(m->c, iv, sizeof iv);
    choose_random(m->c, text, bytes);
    choose_random(m->c, aad, aad_bytes);
    void *const own = aligned_alloc(LINE, (aead->context_bytes + LINE - 1) / LINE * LINE);
    memset(own, 0, aead->context_bytes);
    CHECK_OK(runnel_aead_key(aead, own, key, aead->key_bytes, NULL));
    CHECK_OK(runnel_aead_seal(own, iv, iv_bytes, aad, aad_bytes, sealed, text, bytes, wanted, sizeof wanted));
    free(own);
    for (int opening = 0; opening < 2; opening++) {
        EVP_CIPHER_CTX *const s = EVP_CIPHER_CTX_new();
        const uint8_t *const in = opening ? sealed : text;
        uint8_t *const out = opening ? back : made;
        CHECK(EVP_CipherInit_ex2(s, m->cipher, NULL, NULL, !opening, NULL) == 1, "cipher");
        if (ccm)
            CHECK(EVP_CIPHER_CTX_ctrl(s, EVP_CTRL_AEAD_SET_IVLEN, (int)iv_bytes, NULL) == 1, "IV length");
        memcpy(tag, wanted, sizeof tag);
        if (opening)
            tag[bit / 8 % 16] ^= (uint8_t)(wrong << bit / 2 % 8);
        if (ccm || opening)
            CHECK(EVP_CIPHER_CTX_ctrl(s, EVP_CTRL_AEAD_SET_TAG, 16, opening ? tag : NULL) == 1, "tag");
        CHECK(EVP_CipherInit_ex2(s, NULL, key, iv, !opening, NULL) == 1, "key and IV");
        if (ccm)
            CHECK(EVP_CipherUpdate(s, NULL, &n, NULL, (int)bytes) == 1, "length");
        if (aad_bytes > 0)
            CHECK(EVP_CipherUpdate(s, NULL, &n, aad, (int)aad_bytes) == 1, "associated data");
        int ok = first == 0 || EVP_CipherUpdate(s, out, &n, in, (int)first) == 1;
        ok = ok && (first == bytes || EVP_CipherUpdate(s, out + first, &n, in + first, (int)(bytes - first)) == 1);
        ok = ok && EVP_CipherFinal_ex(s, out, &n) == 1;
        CHECK(ok == !(opening && wrong), "%s: %s %zu bytes gives %d", m->name, opening ? "opening" : "sealing", bytes,
              ok);
        if (ok)
            CHECK_BYTES(out, opening ? text : sealed, bytes, "%s: %s", m->name, opening ? "opening" : "sealing");
        if (!opening) {
            CHECK(EVP_CIPHER_CTX_ctrl(s, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1, "tag");
            CHECK_BYTES(tag, wanted, 16, "%s: tag", m->name);
        }
        EVP_CIPHER_CTX_free(s);
    }
}

static void keystream(machine *m, const runnel_cipher *cipher)
{
    static uint8_t wanted[4 * MOST], out[4 * MOST];
    uint8_t key[KEY], iv[32];
    size_t done = 0;
    choose_random(m->c, key, sizeof key);
    choose_iv(m->c, iv, sizeof iv);
    const size_t iv_bytes = (size_t)EVP_CIPHER_get_iv_length(m->cipher);
    const uint8_t *nonce = iv;
    runnel_stream *const own = new_context(cipher);
    CHECK_OK(runnel_cipher_key(cipher, own, key, (size_t)EVP_CIPHER_get_key_length(m->cipher), NULL));
    if (iv_bytes != cipher->iv_bytes.last && strcmp(cipher->name, "chacha20") == 0) { /* a counter comes first */
        memset(iv, 0, 4);
        nonce = iv + 4;
    }
    CHECK_OK(runnel_stream_iv(own, nonce, nonce == iv ? iv_bytes : iv_bytes - 4, 0));
    memset(wanted, 0, sizeof wanted);
    CHECK_OK(runnel_stream_xor(own, wanted, NULL, sizeof wanted));
    EVP_CIPHER_CTX *s = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex2(s, m->cipher, key, iv, choose_bit(m->c), NULL) == 1, "%s: init", m->name);
    memset(out, 0, sizeof out);
    for (unsigned i = 0; i < 12; i++) {
        const size_t n = choose_length(m->c, MOST);
        int got = -1;
        if (n > sizeof out - done)
            break;
        CHECK(EVP_CipherUpdate(s, out + done, &got, out + done, (int)n) == 1 && got == (int)n, "%s: update", m->name);
        done += n;
        if (choose(m->c, 1) < 40) {
            EVP_CIPHER_CTX *const copy = EVP_CIPHER_CTX_new();
            CHECK(EVP_CIPHER_CTX_copy(copy, s) == 1, "%s: copy", m->name);
            EVP_CIPHER_CTX_free(s);
            s = copy;
        }
    }
    CHECK_BYTES(out, wanted, done, "%s: keystream", m->name);
    EVP_CIPHER_CTX_free(s);
    free_context(own);
}

static void in_order(machine *m)
{
    char name[64] = "";
    for (size_t i = 0; m->name[i] != '\0' && i < sizeof name - 1; i++)
        name[i] = (char)tolower((unsigned char)m->name[i]);
    const runnel_aead *const aead = runnel_aead_find(name);
    const runnel_cipher *const cipher = runnel_cipher_find(name);
    CHECK(aead != NULL || cipher != NULL, "the library has no %s", name);
    if (aead != NULL)
        authenticated(m, aead);
    else
        keystream(m, cipher);
}

static void fetch(machine *m)
{
    char name[100];
    name[choose_text(m->c, (uint8_t *)name, sizeof name - 1)] = '\0';
    EVP_CIPHER *const cipher = EVP_CIPHER_fetch(library, name, choose_bit(m->c) ? "provider=runnel" : name);
    if (cipher != NULL)
        CHECK(EVP_CIPHER_get_mode(cipher) >= 0 && EVP_CIPHER_get0_provider(cipher) != NULL, "%s", name);
    EVP_CIPHER_free(cipher);
}

static void run(choices *c)
{
    static void (*const steps[])(machine *) = {step_update, step_update, step_update,  step_init,
                                               step_init,   step_final,  step_copy,    step_control,
                                               step_set,    step_get,    step_control, step_update};
    load();
    machine m = {.c = c, .cipher = ciphers[choose_below(c, cipher_count)]};
    m.name = EVP_CIPHER_get0_name(m.cipher);
    const unsigned what = (unsigned)choose(c, 1);
    if (what < 60)
        in_order(&m);
    else if (what < 64)
        fetch(&m);
    m.s[0] = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex2(m.s[0], m.cipher, NULL, NULL, (int)(what & 1), NULL) == 1, "%s", m.name);
    for (unsigned i = 0; c->left > 0 && i < STEPS; i++)
        steps[choose_below(c, sizeof steps / sizeof *steps)](&m);
    EVP_CIPHER_CTX_free(m.s[0]);
    EVP_CIPHER_CTX_free(m.s[1]);
    ERR_clear_error();
}

const fuzz_target fuzz_provider = {"provider", run};
