/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program with libcrypto linked in, whose configuration loads Runnel's module: it loads the legacy provider and unloads
 * it again, before or after Runnel has reported an error, prints the errors' text, and ends. */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>

/* The error is that there is no key. */
static void print_error(void)
{
    uint8_t text[16] = {0};
    int done;
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "LEA-128-GCM", NULL);
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    if (EVP_EncryptInit_ex2(c, cipher, NULL, NULL, NULL) == 1 && EVP_EncryptUpdate(c, text, &done, text, 16) != 1)
        puts(ERR_reason_error_string(ERR_peek_error()));
    ERR_clear_error();
    EVP_CIPHER_CTX_free(c);
    EVP_CIPHER_free(cipher);
}

int main(int argc, char **argv)
{
    OSSL_PROVIDER *legacy = NULL;
    for (const char *step = argc > 1 ? argv[1] : ""; *step != 0; step++)
        switch (*step) {
        case 'l':
            legacy = OSSL_PROVIDER_load(NULL, "legacy");
            if (legacy == NULL)
                return 1;
            break;
        case 'u':
            if (OSSL_PROVIDER_unload(legacy) != 1)
                return 1;
            break;
        default:
            print_error();
        }
    return 0;
}
