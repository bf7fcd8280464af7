/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* No order of calls seals twice under one IV, or under one that has opened a message, unless the program itself gives
 * the same IV again. Random calls seal zeros, so that what comes out is keystream: none of it may come a second time.
 * Here no IV is given twice, the key is always the same one, and a copy takes the place of its original. */
#define _DEFAULT_SOURCE /* syscall */
#include "provider.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 400, STEPS = 60, PIECE = 48, WINDOW = 8, HEADER = 13, MOST = STEPS * 2 * PIECE };

typedef struct keystream {
    uint64_t window;
    size_t at; /* its place in the order of calls */
    int sealed;
} keystream;

typedef struct seen {
    EVP_CIPHER_CTX *c;
    uint8_t key[32];
    uint64_t record;         /* the number of the next one */
    uint8_t number_of_iv[8]; /* the one that gave the IV itself */
    int direction;
    size_t count;
    keystream all[MOST];
} seen;

static uint64_t sealed_in_all;
static int no_entropy;

/* Takes the place of the C library's, for the module too. */
int getentropy(void *buffer, size_t bytes)
{
    return no_entropy || syscall(SYS_getrandom, buffer, bytes, 0) != (long)bytes ? -1 : 0;
}

static int by_window(const void *a, const void *b)
{
    const keystream *const x = a, *const y = b;
    if (x->window != y->window)
        return x->window < y->window ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

/* Every eight bytes, wherever they begin. */
static void note(seen *s, const uint8_t *bytes, int count)
{
    for (int i = 0; i + WINDOW <= count && s->count < MOST; i++) {
        keystream *const k = &s->all[s->count];
        memcpy(&k->window, bytes + i, WINDOW);
        k->at = s->count++;
        k->sealed = s->direction == SEAL;
    }
    sealed_in_all += s->direction == SEAL;
}

static void check(seen *s, const provided *p, unsigned round)
{
    qsort(s->all, s->count, sizeof *s->all, by_window);
    for (size_t i = 1; i < s->count; i++)
        CHECK(s->all[i].window != s->all[i - 1].window || !s->all[i].sealed, "%s: sealed under a used IV, round %u",
              p->name, round);
}

static void random_init(seen *s)
{
    uint8_t iv[128];
    random_bytes(iv, sizeof iv);
    const int with_key = random_below(4) == 0, with_iv = random_below(3) != 0;
    if (random_below(4) == 0)
        s->direction = !s->direction;
    (void)EVP_CipherInit_ex2(s->c, NULL, with_key ? s->key : NULL, with_iv ? iv : NULL, s->direction, NULL);
}

static void random_text(seen *s, const provided *p)
{
    uint8_t zeros[PIECE] = {0}, out[PIECE], tag[16] = {0}, aad[100] = {0};
    const int bytes = WINDOW + (int)random_below(PIECE - WINDOW + 1);
    int done;
    const int ccm = p->mode == EVP_CIPH_CCM_MODE;
    if (in_one_call(p) && s->direction == OPEN) /* what is not authentic, which this is, gives no text */
        (void)set_tag(s->c, tag, ccm ? 12 : 16);
    if (ccm && random_below(2)) {
        (void)EVP_CipherUpdate(s->c, NULL, &done, NULL, bytes);
        if (random_below(2))
            (void)EVP_CipherUpdate(s->c, NULL, &done, aad, random_below(2) ? 32 : (int)sizeof aad);
    }
    if (EVP_CipherUpdate(s->c, out, &done, zeros, bytes) != 1)
        return;
    note(s, out, done);
}

static void random_record(seen *s, const provided *p)
{
    enum { TAG = 16 };
    const int explicit_iv = p->mode == EVP_CIPH_GCM_MODE || p->mode == EVP_CIPH_CCM_MODE;
    const size_t before = explicit_iv ? 8 : 0, tag = p->mode == EVP_CIPH_CCM_MODE ? 12 : TAG;
    const size_t all = before + PIECE + tag;
    uint8_t header[HEADER] = {[8] = 23, [9] = 3, [10] = 3}, buffer[8 + PIECE + TAG] = {0}, iv[16] = {0};
    int done;
    for (int i = 0; i < 8; i++)
        header[i] = (uint8_t)(s->record >> (56 - 8 * i));
    if (p->mode == EVP_CIPH_CCM_MODE && random_below(2) && EVP_CIPHER_CTX_get_iv_length(s->c) == 12 &&
        EVP_CIPHER_CTX_get_updated_iv(s->c, iv, sizeof iv) == 1 && memcmp(s->number_of_iv, iv + 4, 8) != 0) {
        memcpy(header, iv + 4, 8);
        memcpy(s->number_of_iv, header, 8);
    }
    header[12] = (uint8_t)(s->direction == SEAL ? before + PIECE : all);
    if (EVP_CIPHER_CTX_ctrl(s->c, EVP_CTRL_AEAD_TLS1_AAD, HEADER, header) > 0 &&
        EVP_CipherUpdate(s->c, buffer, &done, buffer, (int)all) == 1) {
        note(s, buffer + before, PIECE);
        s->record++;
    }
}

static void random_counting(seen *s)
{
    uint8_t iv[128];
    random_bytes(iv, sizeof iv);
    switch (random_below(5)) {
    case 0:
        (void)EVP_CIPHER_CTX_ctrl(s->c, EVP_CTRL_AEAD_SET_IV_FIXED, -1, iv);
        break;
    case 1:
        (void)EVP_CIPHER_CTX_ctrl(s->c, EVP_CTRL_AEAD_SET_IV_FIXED, random_below(2) ? 4 : 12, iv);
        break;
    case 2:
        (void)EVP_CIPHER_CTX_ctrl(s->c, EVP_CTRL_GCM_SET_IV_INV, 8, iv);
        break;
    default:
        (void)EVP_CIPHER_CTX_ctrl(s->c, EVP_CTRL_GCM_IV_GEN, 8, iv);
    }
}

static void hand_over(seen *s)
{
    EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
    CHECK(EVP_CIPHER_CTX_copy(copy, s->c) == 1, "copy");
    EVP_CIPHER_CTX_free(s->c);
    s->c = copy;
}

static void random_call(seen *s, const provided *p)
{
    uint8_t out[128];
    int done;
    switch (random_below(12)) {
    case 0:
    case 1:
        random_init(s);
        break;
    case 2:
    case 3:
        random_counting(s);
        break;
    case 4:
        random_record(s, p);
        break;
    case 5:
        (void)EVP_CipherFinal_ex(s->c, out, &done);
        break;
    case 6:
        (void)EVP_CipherUpdate(s->c, NULL, &done, s->key, (int)random_below(sizeof s->key));
        break;
    case 7:
        (void)EVP_CIPHER_CTX_ctrl(s->c, EVP_CTRL_AEAD_SET_IVLEN, random_below(2) ? 12 : 8 + (int)random_below(9), NULL);
        break;
    case 8:
        (void)get_tag(s->c, out, p->mode == EVP_CIPH_CCM_MODE ? 12 : 16);
        break;
    case 9:
        (void)EVP_CIPHER_CTX_get_updated_iv(s->c, out, sizeof out);
        hand_over(s);
        break;
    default:
        random_text(s, p);
    }
}

/* Seals zeros; returns 1 if all went well. */
static int seals(EVP_CIPHER_CTX *c, uint8_t out[16])
{
    int done;
    memset(out, 0, 16);
    return EVP_EncryptUpdate(c, out, &done, out, 16) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1;
}

/* Seals without asking for the next IV, and then asks for it; returns 1 if it is there. */
static int next_after_message(EVP_CIPHER *cipher, int direction, const uint8_t *iv, uint8_t out[2][16])
{
    uint8_t key[32] = {1}, made[12];
    int done;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex2(c, cipher, key, NULL, direction, NULL) == 1, "init");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_IV_FIXED, -1, (void *)(uintptr_t)iv) == 1, "an IV that counts");
    if (direction == SEAL)
        CHECK(seals(c, out[0]), "a message");
    else
        CHECK(EVP_DecryptUpdate(c, out[0], &done, out[1], 16) == 1, "a message");
    ERR_clear_error();
    const int there = EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_IV_GEN, 12, made) == 1;
    if (there && direction == SEAL) {
        CHECK(seals(c, out[1]), "the next message");
    } else if (!there) {
        CHECK(last_error_is(runnel_error_text(RUNNEL_ERR_STATE)), "why not");
        CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_IV_FIXED, -1, (void *)(uintptr_t)(iv + 1)) == 1, "another IV");
        CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_IV_GEN, 12, made) == 1 && seals(c, out[1]), "its message");
        CHECK_BYTES(made, iv + 1, 12, "its IV");
    }
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
    return there;
}

static void counting(const provided *p)
{
    uint8_t iv[13], out[2][16] = {{0}};
    random_bytes(iv, sizeof iv);
    CHECK(!next_after_message(p->cipher, SEAL, iv, out), "the next IV, which a message has used up");
    CHECK(memcmp(out[0], out[1], 16) != 0, "a keystream of its own");
    CHECK(next_after_message(p->cipher, OPEN, iv, out), "opening is another matter");
    if (p->peer != NULL) {
        CHECK(next_after_message(p->peer, SEAL, iv, out), "OpenSSL continues");
        CHECK_BYTES(out[1], out[0], 16, "with the same keystream");
    }
}

/* Where the system gives no random bytes for the rest of the IV, that of the IV before is not taken instead. */
static void no_end_of_the_iv(const provided *p)
{
    uint8_t key[32] = {1}, iv[12] = {2}, out[16], made[12];
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, iv, NULL) == 1 && seals(c, out), "a message");
    no_entropy = 1;
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IV_FIXED, 4, iv) != 1, "a fixed part");
    no_entropy = 0;
    CHECK(last_error_is("the system gives no random bytes"), "why not");
    CHECK(!seals(c, out), "a message under the IV before");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_IV_GEN, 12, made) != 1, "which is not the next one either");
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
}

/* The other side has sealed all of a message of which this one has opened a piece, or only seen associated data. */
static void opened_halfway(const provided *p, int has_text)
{
    uint8_t key[32] = {1}, iv[16] = {2}, out[16] = {0};
    int done;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_DecryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "init");
    CHECK(EVP_DecryptUpdate(c, has_text ? out : NULL, &done, out, 16) == 1, "a piece");
    CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, NULL, NULL) == 1, "to seal");
    ERR_clear_error();
    CHECK(!seals(c, out), "%s: the rest of a message that is being opened", p->name);
    CHECK(last_error_is(runnel_error_text(RUNNEL_ERR_STATE)), "why not");
    EVP_CIPHER_CTX_free(c);
}

/* Record 0 of ChaCha20-Poly1305 has the IV itself as its nonce: it is one or the other, a message or records. */
static void record_or_message(const provided *p)
{
    enum { TEXT = 16, TAG = 16 };
    uint8_t key[32] = {1}, iv[12] = {2}, out[16], buffer[TEXT + TAG], header[HEADER] = {[12] = TEXT};
    int done;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    for (int record_first = 0; record_first < 2; record_first++) {
        memset(buffer, 0, sizeof buffer);
        CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "init");
        if (!record_first)
            CHECK(seals(c, out), "a message");
        CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_TLS1_AAD, HEADER, header) == TAG, "header");
        ERR_clear_error();
        CHECK((EVP_EncryptUpdate(c, buffer, &done, buffer, sizeof buffer) == 1) == record_first, "record");
        if (record_first)
            CHECK(!seals(c, out), "a message");
        CHECK(last_error_is(runnel_error_text(RUNNEL_ERR_STATE)), "why not");
    }
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
}

void test_once(const provided *p)
{
    if (p->mode == EVP_CIPH_GCM_MODE) {
        counting(p);
        no_end_of_the_iv(p);
    }
    for (int has_text = 0; has_text < 2 && !in_one_call(p); has_text++)
        opened_halfway(p, has_text);
    if (strcmp(p->library_name, "chacha20-poly1305") == 0)
        record_or_message(p);
    seen *const s = malloc(sizeof *s);
    CHECK(s != NULL, "memory");
    for (unsigned round = 0; round < ROUNDS; round++) {
        memset(s, 0, sizeof *s);
        random_bytes(s->key, sizeof s->key);
        s->c = EVP_CIPHER_CTX_new();
        s->direction = (int)random_below(2);
        CHECK(EVP_CipherInit_ex2(s->c, p->cipher, random_below(2) ? s->key : NULL, NULL, s->direction, NULL) == 1,
              "init");
        if (p->mode == EVP_CIPH_CCM_MODE)
            CHECK(EVP_CIPHER_CTX_ctrl(s->c, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) == 1, "IV length");
        for (unsigned step = 0; step < STEPS; step++)
            random_call(s, p);
        EVP_CIPHER_CTX_free(s->c);
        ERR_clear_error();
        check(s, p, round);
    }
    free(s);
    CHECK(sealed_in_all > ROUNDS, "only %llu texts sealed", (unsigned long long)sealed_in_all);
}
