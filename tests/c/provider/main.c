/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-provider MODULES TEST [CIPHER]: runs a test of the provider whose module lies in that folder. */
#include "provider.h"

#include <ctype.h>

OSSL_LIB_CTX *ours, *theirs;
context_with_runnel own;
const char *modules;

context_with_runnel with_runnel(void)
{
    context_with_runnel c = {OSSL_LIB_CTX_new(), {NULL, NULL}};
    CHECK(c.library != NULL && OSSL_PROVIDER_set_default_search_path(c.library, modules) == 1, "library context");
    const char *const configuration = getenv("RUNNEL_PROVIDER_CONFIGURATION");
    if (configuration != NULL) {
        CHECK(OSSL_LIB_CTX_load_config(c.library, configuration) == 1, "%s", configuration);
        return c;
    }
    c.held[0] = OSSL_PROVIDER_load(c.library, "runnel");
    c.held[1] = OSSL_PROVIDER_load(c.library, "default");
    if (c.held[0] == NULL || c.held[1] == NULL) {
        ERR_print_errors_fp(stdout);
        fail(__FILE__, __LINE__, "the provider cannot be loaded from %s", modules);
    }
    return c;
}

void leave(context_with_runnel *c)
{
    for (int i = 0; i < 2; i++)
        if (c->held[i] != NULL)
            CHECK(OSSL_PROVIDER_unload(c->held[i]) == 1, "unload");
    OSSL_LIB_CTX_free(c->library);
    memset(c, 0, sizeof *c);
}

int set_tag(EVP_CIPHER_CTX *c, const uint8_t *tag, size_t bytes)
{
    return EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, (int)bytes, (void *)(uintptr_t)tag);
}

int get_tag(EVP_CIPHER_CTX *c, uint8_t *tag, size_t bytes)
{
    return EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, (int)bytes, tag);
}

int last_error_is(const char *text)
{
    const char *const found = ERR_reason_error_string(ERR_peek_last_error());
    return found != NULL && strcmp(found, text) == 0;
}

static provided find(const char *name)
{
    provided p = {.name = name};
    CHECK(strlen(name) < sizeof p.library_name, "%s", name);
    for (size_t i = 0; name[i] != 0; i++)
        p.library_name[i] = (char)tolower((unsigned char)name[i]);
    p.cipher = EVP_CIPHER_fetch(ours, name, "provider=runnel");
    CHECK(p.cipher != NULL, "the provider has no %s", name);
    ERR_set_mark();
    p.peer = EVP_CIPHER_fetch(theirs, name, NULL);
    ERR_pop_to_mark();
    p.key_bytes = (size_t)EVP_CIPHER_get_key_length(p.cipher);
    p.mode = EVP_CIPHER_get_mode(p.cipher);
    if (p.peer != NULL) { /* what programs ask before they have a context */
        CHECK(p.mode == EVP_CIPHER_get_mode(p.peer), "mode");
        CHECK((int)p.key_bytes == EVP_CIPHER_get_key_length(p.peer), "key length");
        CHECK(EVP_CIPHER_get_iv_length(p.cipher) == EVP_CIPHER_get_iv_length(p.peer), "IV length");
        CHECK(EVP_CIPHER_get_block_size(p.cipher) == EVP_CIPHER_get_block_size(p.peer), "block size");
        CHECK(EVP_CIPHER_get_nid(p.cipher) == EVP_CIPHER_get_nid(p.peer), "number");
        const unsigned long flags = EVP_CIPH_FLAG_AEAD_CIPHER | EVP_CIPH_CUSTOM_IV;
        CHECK((EVP_CIPHER_get_flags(p.cipher) & flags) == (EVP_CIPHER_get_flags(p.peer) & flags), "flags");
    }
    return p;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*of_cipher)(const provided *p);
        void (*alone)(void);
    } tests[] = {
        {"keystream", test_keystream, NULL},      {"keystream-machine", test_keystream_machine, NULL},
        {"counter", test_chacha20_counter, NULL}, {"aead", test_aead, NULL},
        {"aead-errors", test_aead_errors, NULL},  {"aead-machine", test_aead_machine, NULL},
        {"records", test_records, NULL},          {"loads", NULL, test_loads},
        {"threads", NULL, test_threads},          {"direct", test_direct, NULL},
        {"parameters", test_parameters, NULL},    {"once", test_once, NULL},
        {"differences", test_differences, NULL},
    };
    if (argc < 3)
        return 2;
    modules = argv[1];
    doing = argv[2];
    const char *const seed = getenv("RUNNEL_TEST_SEED");
    seed_random(seed != NULL ? strtoull(seed, NULL, 10) : 1);
    own = with_runnel();
    ours = own.library;
    theirs = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *const standard = OSSL_PROVIDER_load(theirs, "default");
    CHECK(theirs != NULL && standard != NULL, "the default provider");
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strcmp(tests[i].name, argv[2]) == 0) {
            if (tests[i].alone != NULL) {
                tests[i].alone();
            } else {
                if (argc < 4)
                    return 2;
                const provided p = find(argv[3]);
                tests[i].of_cipher(&p);
                EVP_CIPHER_free(p.cipher);
                EVP_CIPHER_free(p.peer);
            }
            leave(&own);
            OSSL_PROVIDER_unload(standard);
            OSSL_LIB_CTX_free(theirs);
            printf("%s: %llu checks\n", argv[2], (unsigned long long)checks);
            return 0;
        }
    return 2;
}
