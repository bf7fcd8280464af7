/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-speed-openssl MODULES SECONDS CIPHER...: measures ciphers of the provider, whose module is in the folder MODULES,
 * beside OpenSSL's own, through EVP: messages, each under a new IV and as AEADs with a tag, and one message that continues in
 * pieces. All cells are visited in turn for so many seconds; the shortest time counts. Prints a line of JSON for each:
 * cipher, operation, bytes, and nanoseconds of a call of OpenSSL's own and of Runnel's. */
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"

enum { MOST = 16384, SIZES = 6, WHOSE = 2, WINDOW_NS = 60000, WINDOWS = 3 };
static const size_t sizes[SIZES] = {16, 64, 256, 1024, 8192, 16384};
static const char *const properties[WHOSE] = {"provider=default", "provider=runnel"};

typedef struct side {
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *context;
    double ns; /* result */
} side;

typedef struct cell {
    const char *name;
    int in_pieces; /* 0: messages */
    size_t bytes;
    side sides[WHOSE];
} cell;

static uint8_t in[MOST], out[MOST], iv[16];

static void need(int done, const char *what, const char *name)
{
    if (done)
        return;
    fprintf(stderr, "%s: %s failed\n", name, what);
    exit(1);
}

static int mode_of(const side *s)
{
    return EVP_CIPHER_get_mode(s->cipher);
}

static int message(const side *s, size_t bytes)
{
    int n;
    uint8_t tag[16];
    iv[11]++;
    int done = EVP_EncryptInit_ex2(s->context, NULL, NULL, iv, NULL);
    if (mode_of(s) == EVP_CIPH_CCM_MODE)
        done &= EVP_EncryptUpdate(s->context, NULL, &n, NULL, (int)bytes);
    done &= EVP_EncryptUpdate(s->context, out, &n, in, (int)bytes);
    if (!(EVP_CIPHER_get_flags(s->cipher) & EVP_CIPH_FLAG_AEAD_CIPHER))
        return done;
    done &= EVP_EncryptFinal_ex(s->context, out, &n);
    return done & EVP_CIPHER_CTX_ctrl(s->context, EVP_CTRL_AEAD_GET_TAG,
                                      sizeof tag - 4 * (mode_of(s) == EVP_CIPH_CCM_MODE), tag);
}

static int piece(const side *s, size_t bytes)
{
    int n;
    return EVP_EncryptUpdate(s->context, out, &n, in, (int)bytes);
}

static double window(const cell *c, const side *s, unsigned calls)
{
    int done = 1;
    if (c->in_pieces)
        done = EVP_EncryptInit_ex2(s->context, NULL, NULL, iv, NULL) && piece(s, c->bytes);
    const double start = clock_ns();
    if (c->in_pieces)
        for (unsigned i = 0; i < calls; i++)
            done &= piece(s, c->bytes);
    else
        for (unsigned i = 0; i < calls; i++)
            done &= message(s, c->bytes);
    const double ns = (clock_ns() - start) / calls;
    need(done, "a call", c->name);
    return ns;
}

static void visit(const cell *c, side *s)
{
    double first = window(c, s, 4);
    const unsigned calls = first < WINDOW_NS ? 1 + (unsigned)(WINDOW_NS / first) : 1;
    for (int i = 0; i < WINDOWS; i++) {
        const double ns = window(c, s, calls);
        if (s->ns == 0 || ns < s->ns)
            s->ns = ns;
    }
}

static side open_side(const char *name, const char *whose)
{
    static const uint8_t key[32] = {1, 2, 3};
    side s = {EVP_CIPHER_fetch(NULL, name, whose), EVP_CIPHER_CTX_new(), 0};
    need(s.cipher != NULL, whose, name);
    int done = EVP_EncryptInit_ex2(s.context, s.cipher, NULL, NULL, NULL);
    if (mode_of(&s) == EVP_CIPH_CCM_MODE) {
        done &= EVP_CIPHER_CTX_ctrl(s.context, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL);
        done &= EVP_CIPHER_CTX_ctrl(s.context, EVP_CTRL_AEAD_SET_TAG, 12, NULL);
    }
    done &= EVP_EncryptInit_ex2(s.context, NULL, key, iv, NULL);
    need(done, "key set-up", name);
    return s;
}

int main(int argc, char **argv)
{
    need(argc >= 4, "MODULES SECONDS CIPHER...", argv[0]);
    need(OSSL_PROVIDER_set_default_search_path(NULL, argv[1]), "the folder", argv[1]);
    need(OSSL_PROVIDER_load(NULL, "default") != NULL && OSSL_PROVIDER_load(NULL, "runnel") != NULL, "loading", argv[1]);
    const double seconds = atof(argv[2]);
    cell *cells = calloc((size_t)(argc - 3) * 2 * SIZES, sizeof *cells);
    size_t count = 0;
    need(cells != NULL, "memory", argv[0]);
    for (int i = 3; i < argc; i++)
        for (int in_pieces = 0; in_pieces < 2; in_pieces++)
            for (int size = 0; size < SIZES; size++) {
                cell *c = &cells[count];
                *c = (cell){.name = argv[i], .in_pieces = in_pieces, .bytes = sizes[size]};
                for (int whose = 0; whose < WHOSE; whose++)
                    c->sides[whose] = open_side(argv[i], properties[whose]);
                if (in_pieces && mode_of(&c->sides[0]) == EVP_CIPH_CCM_MODE) /* whose text comes in one call */
                    break;
                count++;
            }
    const double end = clock_ns() + seconds * 1e9;
    do
        for (size_t i = 0; i < count; i++)
            for (int whose = 0; whose < WHOSE; whose++)
                visit(&cells[i], &cells[i].sides[whose]);
    while (clock_ns() < end);
    for (const cell *c = cells; c != cells + count; c++)
        printf("{\"cipher\": \"%s\", \"operation\": \"%s\", \"bytes\": %zu, \"openssl\": %.2f, \"runnel\": %.2f}\n",
               c->name, c->in_pieces ? "piece" : "message", c->bytes, c->sides[0].ns, c->sides[1].ns);
    return 0;
}
