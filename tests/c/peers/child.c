/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A library of another language, in a program of its own that COMMAND starts. It writes a line with its name and version,
 * then answers each line with one. Bytes are x and hexadecimal digits:
 *   xor CIPHER KEY IV BLOCK INPUT                  OUTPUT
 *   seal AEAD KEY NONCE AAD INPUT TAG_BYTES        OUTPUT TAG
 * The answer is "no" where it does not have that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hex.h"
#include "peer.h"

static FILE *to, *from;
static pid_t child;
static char line[(2 << 16) + 200]; /* an answer: 2^16 bytes are the most that are asked, see main.c */

static void fail(const char *what)
{
    printf("%s: %s: %s", COMMAND, what, line);
    exit(1);
}

static void receive(void)
{
    line[0] = 0;
    if (fgets(line, sizeof line, from) == NULL || strchr(line, '\n') == NULL)
        fail("no answer");
}

/* Its cost is counted when it is waited for. */
static void end(void)
{
    fclose(to);
    fclose(from);
    waitpid(child, NULL, 0);
}

static void begin(void)
{
    int in[2], out[2];
    if (to != NULL)
        return;
    if (pipe(in) != 0 || pipe(out) != 0)
        fail("no pipe");
    child = fork();
    if (child == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execl("/bin/sh", "sh", "-c", "exec " COMMAND, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to = fdopen(in[1], "w");
    from = fdopen(out[0], "r");
    if (child < 0 || to == NULL || from == NULL)
        fail("not started");
    atexit(end);
}

const char *peer_name(void)
{
    static char name[60];
    if (name[0] == 0) {
        begin();
        receive();
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "\n"), line);
    }
    return name;
}

static void put_bytes(const uint8_t *bytes, size_t n)
{
    fputs(" x", to);
    for (size_t i = 0; i < n; i++) {
        fputc("0123456789abcdef"[bytes[i] >> 4], to);
        fputc("0123456789abcdef"[bytes[i] & 15], to);
    }
}

/* Returns what follows in the line. */
static const char *get_bytes(const char *text, uint8_t *bytes, size_t n)
{
    if (*text++ != 'x')
        fail("not bytes");
    for (size_t i = 0; i < n; i++, text += 2) {
        const int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);
        if (low < 0)
            fail("not hexadecimal");
        bytes[i] = (uint8_t)(high * 16 + low);
    }
    if (*text != ' ' && *text != '\n')
        fail("too many bytes");
    return text + 1;
}

static int has_answer(void)
{
    fputc('\n', to);
    if (fflush(to) != 0)
        fail("takes no line");
    receive();
    return strcmp(line, "no\n") != 0;
}

int peer_xor(const char *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
             uint64_t block, uint8_t *out, const uint8_t *in, size_t bytes)
{
    peer_name();
    fprintf(to, "xor %s", cipher);
    put_bytes(key, key_bytes);
    put_bytes(iv, iv_bytes);
    fprintf(to, " %llu", (unsigned long long)block);
    put_bytes(in, bytes);
    if (!has_answer())
        return -1;
    get_bytes(line, out, bytes);
    return 0;
}

int peer_seal(const char *aead, const peer_message *m)
{
    peer_name();
    fprintf(to, "seal %s", aead);
    put_bytes(m->key, m->key_bytes);
    put_bytes(m->nonce, m->nonce_bytes);
    put_bytes(m->aad, m->aad_bytes);
    put_bytes(m->in, m->bytes);
    fprintf(to, " %zu", m->tag_bytes);
    if (!has_answer())
        return -1;
    get_bytes(get_bytes(line, m->out, m->bytes), m->tag, m->tag_bytes);
    return 0;
}
