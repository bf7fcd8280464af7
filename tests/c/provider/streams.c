/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keystreams: counter mode and stream ciphers. */
#include "provider.h"

enum { MOST = 5000, ROUNDS = 300 };

/* The whole message in one call: by OpenSSL if it has the cipher, else by the library. */
static void reference(const provided *p, const uint8_t *key, const uint8_t *iv, uint8_t *out, const uint8_t *in,
                      size_t bytes)
{
    if (p->peer != NULL) {
        EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
        int done = 0;
        CHECK(EVP_EncryptInit_ex2(c, p->peer, key, iv, NULL) == 1, "init");
        CHECK(EVP_EncryptUpdate(c, out, &done, in, (int)bytes) == 1 && done == (int)bytes, "update");
        EVP_CIPHER_CTX_free(c);
        return;
    }
    const runnel_cipher *cipher = runnel_cipher_find(p->library_name);
    CHECK(cipher != NULL, "the library has no %s", p->library_name);
    runnel_stream *s = new_context(cipher);
    CHECK_OK(runnel_cipher_key(cipher, s, key, p->key_bytes, NULL));
    CHECK_OK(runnel_stream_iv(s, iv, (size_t)EVP_CIPHER_get_iv_length(p->cipher), 0));
    CHECK_OK(runnel_stream_xor(s, out, in, bytes));
    free_context(s);
}

/* Key and IV in one call or in two, in either order. */
static void set_up(EVP_CIPHER_CTX *c, const provided *p, const uint8_t *key, const uint8_t *iv)
{
    switch (random_below(4)) {
    case 0:
        CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "key and IV");
        break;
    case 1:
        CHECK(EVP_DecryptInit_ex2(c, p->cipher, key, NULL, NULL) == 1, "key");
        CHECK(EVP_DecryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "then IV");
        break;
    case 2:
        CHECK(EVP_EncryptInit_ex2(c, p->cipher, NULL, iv, NULL) == 1, "IV");
        CHECK(EVP_EncryptInit_ex2(c, NULL, key, NULL, NULL) == 1, "then key");
        break;
    default: /* a context that has served before */
        CHECK(EVP_EncryptInit_ex2(c, p->cipher, iv, key, NULL) == 1 || EVP_CIPHER_CTX_reset(c) == 1, "other key");
        CHECK(EVP_EncryptInit_ex2(c, EVP_CIPHER_CTX_get0_cipher(c) == NULL ? p->cipher : NULL, key, iv, NULL) == 1,
              "key and IV again");
    }
    CHECK(EVP_CIPHER_CTX_set_key_length(c, (int)p->key_bytes) == 1, "the key's length may be set to what it is");
    CHECK(EVP_CIPHER_CTX_set_key_length(c, (int)p->key_bytes + 1) != 1, "and to nothing else");
    ERR_clear_error();
}

static void in_pieces(const provided *p)
{
    uint8_t key[64], iv[64], in[MOST], wanted[MOST], got[MOST];
    const size_t bytes = random_length(64, MOST);
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    random_bytes(in, bytes);
    reference(p, key, iv, wanted, in, bytes);
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    set_up(c, p, key, iv);
    const int in_place = (int)random_below(2);
    memcpy(got, in, bytes);
    for (size_t at = 0; at < bytes || random_below(2);) {
        const size_t part = random_below(bytes - at + 1);
        int done = -1;
        if (random_below(4) == 0) { /* continue with a copy; what is left of the first must not matter */
            EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
            CHECK(EVP_CIPHER_CTX_copy(copy, c) == 1, "copy");
            uint8_t other[16] = {0};
            CHECK(EVP_CipherUpdate(c, other, &done, other, sizeof other) == 1, "the first continues by itself");
            EVP_CIPHER_CTX_free(c);
            c = copy;
        }
        if (random_below(2))
            CHECK(EVP_CipherUpdate(c, got + at, &done, in_place ? got + at : in + at, (int)part) == 1, "update");
        else
            CHECK((done = EVP_Cipher(c, got + at, in_place ? got + at : in + at, (unsigned)part)) >= 0, "EVP_Cipher");
        CHECK(done == (int)part, "length %d, not %zu", done, part);
        at += part;
    }
    int done = -1;
    CHECK(EVP_CipherFinal_ex(c, got + bytes, &done) == 1 && done == 0, "final");
    CHECK_BYTES(got, wanted, bytes, "%s, %zu bytes", p->name, bytes);
    EVP_CIPHER_CTX_free(c);
}

/* Programs that use a keystream byte by byte, or go from small pieces to large ones; and two messages of one context. */
static void small_pieces(const provided *p)
{
    enum { BYTES = 3000 };
    uint8_t key[64], iv[64], in[BYTES], wanted[BYTES], got[BYTES];
    random_bytes(key, sizeof key);
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, NULL, NULL) == 1, "key");
    for (unsigned message = 0; message < 2; message++) {
        random_bytes(iv, sizeof iv);
        random_bytes(in, sizeof in);
        reference(p, key, iv, wanted, in, BYTES);
        CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "IV");
        const size_t most = 1 + random_below(40), bytes = message == 0 ? random_below(BYTES) : BYTES;
        for (size_t at = 0, part; at < bytes; at += part) {
            part = random_below(20) == 0 ? 1 + random_below(700) : 1 + random_below(most);
            part = part < bytes - at ? part : bytes - at;
            int done;
            CHECK(EVP_EncryptUpdate(c, got + at, &done, in + at, (int)part) == 1, "update");
        }
        CHECK_BYTES(got, wanted, bytes, "%s in small pieces", p->name);
    }
    EVP_CIPHER_CTX_free(c);
}

static void errors(const provided *p)
{
    uint8_t key[64] = {1}, iv[64] = {2}, out[64] = {0};
    int done = 0;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(c, p->cipher, NULL, NULL, NULL) == 1, "neither key nor IV");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) != 1, "no key");
    CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "IV");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) != 1, "still no key");
    CHECK(last_error_is(runnel_error_text(RUNNEL_ERR_STATE)), "an error with its text");
    CHECK(EVP_EncryptInit_ex2(c, NULL, key, NULL, NULL) == 1, "key");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) == 1, "key and IV");
    CHECK(EVP_EncryptUpdate(c, out + 1, &done, out, 16) != 1, "overlap");
    CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, NULL, NULL) == 1, "new context, key only");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 16) != 1, "no IV");
    size_t bytes = 99;
    OSSL_PARAM wrong[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &bytes), OSSL_PARAM_construct_end()};
    CHECK(EVP_CIPHER_CTX_set_params(c, wrong) != 1, "an IV length that it does not have");
    OSSL_PARAM unknown[] = {OSSL_PARAM_construct_size_t("nothing of ours", &bytes), OSSL_PARAM_construct_end()};
    CHECK(EVP_CIPHER_CTX_set_params(c, unknown) == 1, "a parameter of others");
    for (size_t i = 0; i < sizeof out; i++)
        CHECK(i < 16 || out[i] == 0, "failing calls write nothing");
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
}

/* A key without an IV, the same key perhaps: what counts continues, and the others want an IV first. */
static void same_key_again(const provided *p)
{
    uint8_t key[64] = {1}, iv[64] = {2}, first[64] = {0}, again[64] = {0};
    const uint8_t zeros[64] = {0};
    int done = 0;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(c, p->cipher, NULL, iv, NULL) == 1, "IV");
    CHECK(EVP_EncryptInit_ex2(c, NULL, key, NULL, NULL) == 1, "key for an unused IV");
    CHECK(EVP_EncryptUpdate(c, first, &done, zeros, sizeof first) == 1, "keystream");
    CHECK(EVP_EncryptInit_ex2(c, NULL, key, NULL, NULL) == 1, "the same key");
    if (p->mode == EVP_CIPH_CTR_MODE || strcmp(p->library_name, "chacha20") == 0) {
        CHECK(EVP_EncryptUpdate(c, again, &done, zeros, sizeof again) == 1, "on with the counter");
        for (size_t i = 0; i < sizeof again; i += 16)
            for (size_t j = 0; j < sizeof first; j += 16)
                CHECK(memcmp(again + i, first + j, 16) != 0, "%s: no keystream twice", p->name);
    } else {
        ERR_clear_error();
        CHECK(EVP_EncryptUpdate(c, again, &done, zeros, sizeof again) != 1, "%s: no keystream twice", p->name);
        CHECK(last_error_is(runnel_error_text(RUNNEL_ERR_STATE)), "why not");
        CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, iv, NULL) == 1, "an IV");
        CHECK(EVP_EncryptUpdate(c, again, &done, zeros, sizeof again) == 1, "keystream");
        CHECK_BYTES(again, first, sizeof first, "%s under a new IV", p->name);
    }
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
}

/* The functions that OpenSSL deprecates, and programs still call, ask for a pointer, and write there. */
static void pointer_to_the_iv(const provided *p)
{
    uint8_t key[64] = {1}, iv[64] = {2}, out[64] = {0}, copy[16], wanted[64];
    const uint8_t zeros[64] = {0};
    int done;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "init");
    CHECK(EVP_EncryptUpdate(c, out, &done, out, 33) == 1, "keystream");
    const size_t bytes = (size_t)EVP_CIPHER_get_iv_length(p->cipher);
    uint8_t *answer = NULL;
    OSSL_PARAM asked[] = {OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_UPDATED_IV, (void **)&answer, bytes),
                          OSSL_PARAM_construct_end()};
    CHECK(EVP_CIPHER_CTX_get_params(c, asked) == 1 && answer != NULL, "a pointer");
    CHECK(EVP_CIPHER_CTX_get_updated_iv(c, copy, sizeof copy) == 1, "a copy");
    CHECK_BYTES(answer, copy, bytes, "%s: the IV it points to", p->name);
    CHECK(EVP_EncryptUpdate(c, out, &done, zeros, 50) == 1, "on with it");
    memcpy(out, answer, bytes); /* before the question for a copy is another one */
    CHECK(EVP_CIPHER_CTX_get_updated_iv(c, copy, sizeof copy) == 1, "a copy");
    CHECK_BYTES(out, copy, bytes, "%s: the IV it points to now", p->name);
    for (int round = 0; round < 2; round++) { /* what is written there is the IV of what follows */
        memset(iv, 0x55 + round, sizeof iv);
        reference(p, key, iv, wanted, zeros, sizeof wanted);
        memcpy(answer, iv, bytes);
        if (round)
            CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, NULL, NULL) == 1, "nothing set anew");
        else
            CHECK(EVP_CIPHER_CTX_get_updated_iv(c, copy, sizeof copy) == 1 && memcmp(copy, iv, bytes) == 0,
                  "as written");
        CHECK(EVP_EncryptUpdate(c, out, &done, zeros, sizeof out) == 1, "keystream");
        CHECK_BYTES(out, wanted, sizeof out, "%s under an IV that was written", p->name);
    }
    EVP_CIPHER_CTX_free(c);
}

/* NUM says which byte of the last block comes next. There is no block of other bytes than a block has. */
static void places_in_a_block(const provided *p)
{
    enum { BYTES = 80 };
    uint8_t key[64], iv[64], in[BYTES] = {0}, wanted[BYTES], got[BYTES];
    const unsigned block = (unsigned)EVP_CIPHER_get_iv_length(p->cipher);
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    reference(p, key, iv, wanted, in, sizeof in);
    for (unsigned used = 1; used < block; used++) {
        EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
        int done;
        CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "init");
        CHECK(EVP_EncryptUpdate(c, got, &done, in, (int)(2 * block + 7)) == 1, "up to byte 7 of block 2");
        CHECK(EVP_CIPHER_CTX_set_num(c, (int)used) == 1, "byte %u of it", used);
        CHECK(EVP_EncryptUpdate(c, got, &done, in, (int)block) == 1, "on from there");
        CHECK_BYTES(got, wanted + 2 * block + used, block, "%s from byte %u", p->name, used);
        for (unsigned wrong = block; wrong != 0; wrong = 2 * wrong + 1) {
            ERR_clear_error();
            OSSL_PARAM set[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &wrong), OSSL_PARAM_construct_end()};
            CHECK(EVP_CIPHER_CTX_set_params(c, set) != 1, "byte %u of a block", wrong);
            CHECK(last_error_is(runnel_error_text(RUNNEL_ERR_SEEK)), "why not");
            if (wrong > UINT32_MAX / 2)
                break;
        }
        CHECK(EVP_EncryptUpdate(c, got, &done, in, (int)block) == 1, "on as if nothing had been");
        CHECK_BYTES(got, wanted + 3 * block + used, block, "%s after errors", p->name);
        EVP_CIPHER_CTX_free(c);
    }
    ERR_clear_error();
}

void test_keystream(const provided *p)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        in_pieces(p);
        small_pieces(p);
    }
    errors(p);
    same_key_again(p);
    pointer_to_the_iv(p);
    if (p->mode == EVP_CIPH_CTR_MODE)
        places_in_a_block(p);
}

/* ---- the same calls on both sides ---- */

typedef struct sides {
    EVP_CIPHER_CTX *c[2]; /* ours, theirs */
} sides;

static int on_both(const sides *s, const uint8_t *key, const uint8_t *iv)
{
    const int result = EVP_CipherInit_ex2(s->c[0], NULL, key, iv, 1, NULL);
    CHECK(result == EVP_CipherInit_ex2(s->c[1], NULL, key, iv, 1, NULL), "init");
    return result;
}

static void same_state(const sides *s, const provided *p)
{
    uint8_t iv[2][16] = {{0}};
    unsigned num[2] = {0};
    for (int i = 0; i < 2; i++) {
        OSSL_PARAM asked[] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, iv[i], 16),
                              OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &num[i]), OSSL_PARAM_construct_end()};
        CHECK(EVP_CIPHER_CTX_get_params(s->c[i], asked) == 1, "state of side %d", i);
    }
    if (p->mode != EVP_CIPH_CTR_MODE) /* OpenSSL's ChaCha20 does not tell */
        return;
    CHECK_BYTES(iv[0], iv[1], 16, "updated IV");
    CHECK(num[0] == num[1], "num is %u, not %u", num[0], num[1]);
    CHECK(EVP_CIPHER_CTX_get_original_iv(s->c[0], iv[0], 16) == EVP_CIPHER_CTX_get_original_iv(s->c[1], iv[1], 16),
          "IV");
    CHECK_BYTES(iv[0], iv[1], 16, "original IV");
}

static void update_both(const sides *s)
{
    uint8_t in[700], out[2][700];
    const size_t bytes = random_below(2) ? random_below(40) : random_length(16, sizeof in);
    random_bytes(in, bytes);
    int done[2] = {0};
    for (int i = 0; i < 2; i++)
        CHECK(EVP_CipherUpdate(s->c[i], out[i], &done[i], in, (int)bytes) == 1, "update of side %d", i);
    CHECK(done[0] == done[1], "length");
    CHECK_BYTES(out[0], out[1], bytes, "bytes");
}

static void copy_both(sides *s)
{
    for (int i = 0; i < 2; i++) {
        EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
        CHECK(EVP_CIPHER_CTX_copy(copy, s->c[i]) == 1, "copy");
        EVP_CIPHER_CTX_free(s->c[i]);
        s->c[i] = copy;
    }
}

static void set_num_both(const sides *s)
{
    unsigned num = 0; /* OpenSSL's drops what is left of the block */
    OSSL_PARAM set[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, &num), OSSL_PARAM_construct_end()};
    for (int i = 0; i < 2; i++)
        CHECK(EVP_CIPHER_CTX_set_params(s->c[i], set) == 1, "num");
}

void test_keystream_machine(const provided *p)
{
    CHECK(p->peer != NULL, "OpenSSL has no %s", p->name);
    for (unsigned round = 0; round < ROUNDS; round++) {
        sides s = {{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_new()}};
        uint8_t key[32], iv[16];
        random_bytes(key, sizeof key);
        random_bytes(iv, sizeof iv);
        if (random_below(2))
            memset(iv + random_below(8), 0xff, 8); /* carries */
        CHECK(EVP_CipherInit_ex2(s.c[0], p->cipher, NULL, NULL, 1, NULL) == 1, "ours");
        CHECK(EVP_CipherInit_ex2(s.c[1], p->peer, NULL, NULL, 1, NULL) == 1, "theirs");
        on_both(&s, random_below(2) ? key : NULL, iv);
        on_both(&s, key, random_below(2) ? iv : NULL);
        for (unsigned step = 0; step < 40; step++) {
            switch (random_below(15)) {
            case 0:
                random_bytes(key, sizeof key); /* within a block OpenSSL's versions of ChaCha20 differ */
                on_both(&s, key, p->mode == EVP_CIPH_CTR_MODE ? NULL : iv);
                break;
            case 1:
                random_bytes(iv, sizeof iv);
                on_both(&s, NULL, iv);
                break;
            case 2:
                on_both(&s, NULL, NULL);
                break;
            case 3:
                copy_both(&s);
                break;
            case 4:
                if (p->mode == EVP_CIPH_CTR_MODE)
                    set_num_both(&s);
                break;
            default:
                update_both(&s);
            }
            same_state(&s, p);
        }
        EVP_CIPHER_CTX_free(s.c[0]);
        EVP_CIPHER_CTX_free(s.c[1]);
    }
}

/* ---- ChaCha20's counter of 64 bits ---- */

void test_chacha20_counter(const provided *p)
{
    static const uint64_t starts[] = {0, 1, 0xfffffffeu, 0xffffffffu, 0x1fffffffdu, UINT64_MAX - 1, UINT64_MAX};
    uint8_t in[1024], wanted[1024], got[1024], key[32], iv[16];
    random_bytes(in, sizeof in);
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    for (size_t i = 0; i < 4 * sizeof starts / sizeof *starts; i++) {
        const uint64_t start = starts[i / 4] - i % 4;
        for (unsigned byte = 0; byte < 8; byte++)
            iv[byte] = (uint8_t)(start >> 8 * byte);
        reference(p, key, iv, wanted, in, sizeof in);
        EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
        CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "init");
        const size_t most = 1 + random_below(200);
        for (size_t at = 0, part; at < sizeof in; at += part) {
            part = 1 + random_below(most < sizeof in - at ? most : sizeof in - at);
            int done = 0;
            CHECK(EVP_EncryptUpdate(c, got + at, &done, in + at, (int)part) == 1 && done == (int)part, "update");
        }
        CHECK_BYTES(got, wanted, sizeof in, "from block %llx", (unsigned long long)start);
        uint8_t updated[16];
        uint64_t now = 0;
        CHECK(EVP_CIPHER_CTX_get_updated_iv(c, updated, sizeof updated) == 1, "updated IV");
        for (unsigned byte = 8; byte-- > 0;)
            now = now << 8 | updated[byte];
        CHECK(now == start + sizeof in / 64 && memcmp(updated + 8, iv + 8, 8) == 0, "updated IV");
        EVP_CIPHER_CTX_free(c);
    }
}
