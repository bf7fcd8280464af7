/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-vectors [--kernel NAME] [--cipher NAME] [--most BYTES] FILE…
 * Runs every vector of files in the format of tests/vectors/README.md through every kernel that this CPU can run: in
 * one call, in random pieces and in place at random alignments, and from random positions; with --most without what lies
 * beyond so many bytes of a keystream. Prints the number of vectors
 * for each cipher and kernel. Status 0 if all agree, 1 if one does not or a file has none, 2 if a file cannot be
 * understood. */
#include "harness.h"
#include "hex.h"

typedef struct vector {
    char *source, *cipher_name, *name;
    const runnel_cipher *cipher;
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    size_t key_bytes, iv_bytes;
    int has_key, has_iv, layout, ecb;
    uint64_t offset;
    uint8_t *input, *output;
    size_t input_bytes, output_bytes;
    struct {
        uint64_t offset;
        uint8_t *bytes;
        size_t count;
    } keystream[64];
    size_t keystreams;
    size_t digest_of;
    uint8_t digest[64];
} vector;

static const char *file_name;
static uint64_t beyond = UINT64_MAX; /* --most */
static unsigned line_number;
static unsigned long vectors_of_file;

_Noreturn static void bad_file(const char *what, const char *value)
{
    fprintf(stderr, "%s:%u: %s: %.60s\n", file_name, line_number, what, value);
    exit(2);
}

/* Returns memory with the bytes that the text spells. */
static uint8_t *from_hex(const char *text, size_t *bytes)
{
    size_t n = strlen(text) / 2;
    uint8_t *out = malloc(n + 1);
    for (size_t i = 0; i < n; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            bad_file("not hexadecimal", text);
        out[i] = (uint8_t)(high << 4 | low);
    }
    if (strlen(text) % 2)
        bad_file("half a byte", text);
    *bytes = n;
    return out;
}

static void short_hex(const char *text, uint8_t *out, size_t most, size_t *bytes)
{
    uint8_t *p = from_hex(text, bytes);
    if (*bytes > most)
        bad_file("too long", text);
    memcpy(out, p, *bytes);
    free(p);
}

static void set_text(char **where, const char *value)
{
    free(*where);
    *where = strdup(value);
}

static void read_field(vector *v, const char *field, const char *value)
{
    size_t n;
    if (strcmp(field, "source") == 0) {
        set_text(&v->source, value);
    } else if (strcmp(field, "cipher") == 0) {
        set_text(&v->cipher_name, value);
        v->cipher = runnel_cipher_find(value);
        if (v->cipher == NULL)
            bad_file("no such cipher in this build", value);
    } else if (strcmp(field, "name") == 0) {
        set_text(&v->name, value);
    } else if (strcmp(field, "key") == 0) {
        short_hex(value, v->key, sizeof v->key, &v->key_bytes);
        v->has_key = 1;
    } else if (strcmp(field, "iv") == 0) {
        short_hex(value, v->iv, sizeof v->iv, &v->iv_bytes);
        v->has_iv = 1;
    } else if (strcmp(field, "layout") == 0) {
        v->ecb = strcmp(value, "ecb") == 0;
        v->layout = v->ecb ? 0 : runnel_layout_find(value);
        if (v->layout < 0)
            bad_file("no such layout", value);
    } else if (strcmp(field, "offset") == 0) {
        v->offset = strtoull(value, NULL, 10);
    } else if (strcmp(field, "input") == 0) {
        if (strncmp(value, "zeros ", 6) == 0) {
            v->input_bytes = strtoull(value + 6, NULL, 10);
            v->input = calloc(v->input_bytes + 1, 1);
        } else {
            v->input = from_hex(value, &v->input_bytes);
        }
    } else if (strcmp(field, "output") == 0) {
        v->output = from_hex(value, &v->output_bytes);
    } else if (strcmp(field, "keystream") == 0 || strcmp(field, "digest") == 0) {
        char *hex;
        uint64_t number = strtoull(value, &hex, 10);
        if (*hex++ != ' ')
            bad_file("no number before the bytes", value);
        if (*field == 'd') {
            v->digest_of = number;
            short_hex(hex, v->digest, sizeof v->digest, &n);
            if (n != 64 || number % 64)
                bad_file("not a digest", value);
            if (number > beyond)
                v->digest_of = 0;
        } else {
            if (v->keystreams == 64)
                bad_file("too many keystreams", value);
            v->keystream[v->keystreams].offset = number;
            v->keystream[v->keystreams].bytes = from_hex(hex, &v->keystream[v->keystreams].count);
            if (number < beyond)
                v->keystreams++;
            else
                free(v->keystream[v->keystreams].bytes);
        }
    } else {
        bad_file("no such field", field);
    }
}

static void clear(vector *v)
{
    for (size_t i = 0; i < v->keystreams; i++)
        free(v->keystream[i].bytes);
    free(v->input);
    free(v->output);
    vector next = {.source = v->source, .cipher_name = v->cipher_name, .name = v->name, .cipher = v->cipher};
    *v = next;
}

static void go_to(runnel_stream *s, uint64_t position)
{
    static uint8_t nowhere[65536];
    if (s->cipher->seekable) {
        CHECK_OK(runnel_stream_seek(s, position));
        return;
    }
    while (position > 0) {
        size_t n = position < sizeof nowhere ? (size_t)position : sizeof nowhere;
        CHECK_OK(runnel_stream_xor(s, nowhere, NULL, n));
        position -= n;
    }
}

/* XORs in random pieces, in place. */
static void in_pieces(runnel_stream *s, uint8_t *p, size_t bytes)
{
    size_t most = 1 + random_below(bytes < 300 || random_below(2) ? bytes + 1 : 200);
    while (bytes > 0) {
        size_t n = random_below(most + 1);
        n = n < bytes ? n : bytes;
        CHECK_OK(runnel_stream_xor(s, p, p, n));
        p += n;
        bytes -= n;
    }
}

static void run_message(runnel_stream *s, const target *t, const vector *v)
{
    const size_t n = v->input_bytes;
    uint8_t *memory = malloc(n + 64 + 16), *p;
    start(s, t, v->key, v->key_bytes, v->iv, v->iv_bytes, v->layout);
    go_to(s, v->offset);
    CHECK_OK(runnel_stream_xor(s, memory + 1, v->input, n));
    CHECK_BYTES(memory + 1, v->output, n, "%s: in one call", v->name);

    for (int again = 0; again < 2; again++) {
        p = memory + random_below(64);
        memcpy(p, v->input, n);
        CHECK_OK(runnel_stream_iv(s, v->iv, v->iv_bytes, v->layout));
        go_to(s, v->offset);
        in_pieces(s, p, n);
        CHECK_BYTES(p, v->output, n, "%s: in pieces, in place", v->name);
    }

    size_t from = random_below(n + 1); /* and back, from some position on */
    p = memory + random_below(64);
    CHECK_OK(runnel_stream_iv(s, v->iv, v->iv_bytes, v->layout));
    go_to(s, v->offset + from);
    memcpy(p, v->output + from, n - from);
    in_pieces(s, p, n - from);
    CHECK_BYTES(p, v->input + from, n - from, "%s: back, from byte %zu", v->name, from);
    free(memory);
}

/* Returns how much keystream the vector covers. */
static size_t keystream_bytes(const vector *v)
{
    size_t most = v->digest_of;
    for (size_t i = 0; i < v->keystreams; i++) {
        size_t end = (size_t)v->keystream[i].offset + v->keystream[i].count;
        most = end > most ? end : most;
    }
    return most;
}

static void run_keystream(runnel_stream *s, const target *t, const vector *v)
{
    start(s, t, v->key, v->key_bytes, v->iv, v->iv_bytes, v->layout);
    const size_t most = keystream_bytes(v);
    uint8_t *stream = calloc(most + 1, 1);
    in_pieces(s, stream, most);
    for (size_t i = 0; i < v->keystreams; i++) {
        const size_t offset = (size_t)v->keystream[i].offset, n = v->keystream[i].count;
        CHECK_BYTES(stream + offset, v->keystream[i].bytes, n, "%s: keystream at %zu", v->name, offset);
        uint8_t *there = malloc(n + 1);
        CHECK_OK(runnel_stream_iv(s, v->iv, v->iv_bytes, v->layout));
        go_to(s, offset);
        CHECK_OK(runnel_stream_xor(s, there, NULL, n));
        CHECK_BYTES(there, v->keystream[i].bytes, n, "%s: keystream sought at %zu", v->name, offset);
        free(there);
    }
    if (v->digest_of > 0) {
        uint8_t digest[64] = {0};
        for (size_t i = 0; i < v->digest_of; i++)
            digest[i % 64] ^= stream[i];
        CHECK_BYTES(digest, v->digest, 64, "%s: digest of %zu bytes", v->name, v->digest_of);
        CHECK_OK(runnel_stream_iv(s, v->iv, v->iv_bytes, v->layout)); /* all in one call */
        CHECK_OK(runnel_stream_xor(s, stream, NULL, v->digest_of));
        for (size_t i = 0; i < v->digest_of; i++)
            digest[i % 64] ^= stream[i];
        for (size_t i = 0; i < 64; i++)
            CHECK(digest[i] == 0, "%s: digest in one call", v->name);
    }
    free(stream);
}

typedef int (*verb)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);

/* Encrypts or decrypts in random pieces, in place. */
static void directed_pieces(runnel_stream *s, verb call, uint8_t *p, size_t bytes)
{
    const size_t most = random_below(2) ? bytes : 200;
    for (size_t done = 0, piece; done < bytes; done += piece) {
        piece = 1 + random_below(most < bytes - done ? most : bytes - done);
        CHECK_OK(call(s, p + done, p + done, piece));
    }
}

/* In pieces, in place, both ways. */
static void run_directional(runnel_stream *s, const target *t, const vector *v)
{
    const size_t n = v->input_bytes;
    uint8_t *memory = malloc(n + 64);
    start(s, t, v->key, v->key_bytes, v->iv, v->iv_bytes, 0);
    CHECK_OK(runnel_stream_encrypt(s, memory + 1, v->input, n));
    CHECK_BYTES(memory + 1, v->output, n, "%s: in one call", v->name);
    for (int decrypt = 0; decrypt < 2; decrypt++) {
        uint8_t *p = memory + random_below(64);
        memcpy(p, decrypt ? v->output : v->input, n);
        CHECK_OK(runnel_stream_iv(s, v->iv, v->iv_bytes, 0));
        directed_pieces(s, decrypt ? runnel_stream_decrypt : runnel_stream_encrypt, p, n);
        CHECK_BYTES(p, decrypt ? v->input : v->output, n, "%s: in pieces, in place, %s", v->name,
                    decrypt ? "back" : "forth");
    }
    free(memory);
}

/* Where encryption and decryption differ, keystream is what zeros are encrypted to. Once it is checked it serves as the
 * output of a message. */
static void run_zeros(runnel_stream *s, const target *t, const vector *v)
{
    const size_t most = keystream_bytes(v);
    uint8_t *zeros = calloc(most + 1, 1), *output = calloc(most + 1, 1), digest[64] = {0};
    start(s, t, v->key, v->key_bytes, v->iv, v->iv_bytes, 0);
    CHECK_OK(runnel_stream_encrypt(s, output, zeros, most));
    for (size_t i = 0; i < v->keystreams; i++)
        CHECK_BYTES(output + v->keystream[i].offset, v->keystream[i].bytes, v->keystream[i].count, "%s: zeros at %zu",
                    v->name, (size_t)v->keystream[i].offset);
    for (size_t i = 0; i < v->digest_of; i++)
        digest[i % 64] ^= output[i];
    if (v->digest_of > 0)
        CHECK_BYTES(digest, v->digest, 64, "%s: digest of %zu bytes of zeros", v->name, v->digest_of);
    vector message = *v;
    message.input = zeros;
    message.output = output;
    message.input_bytes = message.output_bytes = most;
    run_directional(s, t, &message);
    free(zeros);
    free(output);
}

/* Raw blocks: by the kernel's own functions, in groups; and as keystream under an IV that is the block. */
static void run_blocks(runnel_stream *s, const target *t, const vector *v)
{
    const size_t block_bytes = t->cipher->block_bytes, blocks = v->input_bytes / block_bytes;
    uint8_t *memory = malloc(v->input_bytes + 16), *p = memory + random_below(16);
    CHECK_OK(runnel_cipher_key(t->cipher, s, v->key, v->key_bytes, t->kernel->name));
    const void *state = (const uint8_t *)s + t->cipher->state_offset;
    t->kernel->block.encrypt_blocks(state, p, v->input, blocks);
    CHECK_BYTES(p, v->output, v->input_bytes, "%s: all blocks at once", v->name);
    memcpy(p, v->input, v->input_bytes);
    for (size_t done = 0, n; done < blocks; done += n) {
        n = 1 + random_below(blocks - done);
        t->kernel->block.encrypt_blocks(state, p + done * block_bytes, p + done * block_bytes, n);
    }
    CHECK_BYTES(p, v->output, v->input_bytes, "%s: blocks in groups, in place", v->name);
    for (size_t b = 0; b < blocks; b++) {
        CHECK_OK(runnel_stream_iv(s, v->input + b * block_bytes, block_bytes, 0));
        CHECK_OK(runnel_stream_xor(s, p, NULL, block_bytes));
        CHECK_BYTES(p, v->output + b * block_bytes, block_bytes, "%s: block %zu as keystream", v->name, b);
    }
    if (t->kernel->block.decrypt_blocks != NULL) {
        uint8_t *state_memory = (uint8_t *)s + t->cipher->state_offset;
        t->kernel->block.decrypt_key(state_memory, v->key, v->key_bytes);
        t->kernel->block.decrypt_blocks(state_memory, p, v->output, blocks);
        CHECK_BYTES(p, v->input, v->input_bytes, "%s: blocks decrypted", v->name);
    }
    free(memory);
}

/* Tallies, printed at the end. */
enum { MOST_TARGETS = 1000 };
static struct {
    target t;
    unsigned long vectors;
} tallies[MOST_TARGETS];

static void count(const target *t)
{
    size_t i = 0;
    while (tallies[i].t.cipher != NULL && (tallies[i].t.cipher != t->cipher || tallies[i].t.kernel != t->kernel))
        i++;
    tallies[i].t = *t;
    tallies[i].vectors++;
}

static const char *only_kernel, *only_cipher;

static void run(const vector *v)
{
    if (v->cipher == NULL || v->source == NULL || v->name == NULL || !v->has_key || (!v->has_iv && !v->ecb) ||
        v->input_bytes != v->output_bytes || (v->input == NULL && v->keystreams == 0 && v->digest_of == 0))
        bad_file("the vector before this line lacks something", v->name != NULL ? v->name : "");
    if (only_cipher != NULL && strcmp(only_cipher, v->cipher->name) != 0)
        return;
    for (const runnel_kernel_head *const *k = v->cipher->kernels; *k != NULL; k++) {
        const target t = {v->cipher, runnel_kernel_of(*k)};
        if (!runnel_cipher_has(v->cipher, t.kernel) || !runnel_kernel_available(*k) ||
            (only_kernel != NULL && strcmp(only_kernel, (*k)->name) != 0))
            continue;
        static char text[200];
        snprintf(text, sizeof text, "%s/%s (%s)", v->cipher->name, (*k)->name, v->source);
        doing = text;
        runnel_stream *s = new_context(v->cipher);
        if (v->ecb)
            run_blocks(s, &t, v);
        else if (v->input != NULL)
            (kind_of(v->cipher) == DIRECTIONAL ? run_directional : run_message)(s, &t, v);
        if (v->keystreams > 0 || v->digest_of > 0)
            (kind_of(v->cipher) == DIRECTIONAL ? run_zeros : run_keystream)(s, &t, v);
        free_context(s);
        count(&t);
        vectors_of_file++;
    }
}

/* Returns the length of the next line, or -1 at the end; Windows has no getline. */
static long read_line(char **line, size_t *room, FILE *f)
{
    size_t used = 0;
    for (;;) {
        if (*room - used < 2) {
            *room = 2 * *room + 4096;
            *line = realloc(*line, *room);
            if (*line == NULL)
                fail(__FILE__, __LINE__, "out of memory");
        }
        if (fgets(*line + used, (int)(*room - used), f) == NULL)
            return used > 0 ? (long)used : -1;
        used += strlen(*line + used);
        if ((*line)[used - 1] == '\n')
            return (long)used;
    }
}

static void read_file(const char *name)
{
    FILE *f = fopen(name, "r");
    if (f == NULL) {
        perror(name);
        exit(2);
    }
    file_name = name;
    line_number = 0;
    vectors_of_file = 0;
    vector v;
    memset(&v, 0, sizeof v);
    char *line = NULL;
    size_t room = 0;
    int pending = 0;
    for (;;) {
        long n = read_line(&line, &room, f);
        line_number++;
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == ' '))
            line[--n] = '\0';
        if (n <= 0) { /* an empty line, or the end */
            if (pending)
                run(&v);
            clear(&v);
            pending = 0;
            if (n < 0)
                break;
            continue;
        }
        if (*line == '#')
            continue;
        char *value = strchr(line, ':');
        if (value == NULL)
            bad_file("not a field", line);
        *value++ = '\0';
        value += *value == ' ';
        read_field(&v, line, value);
        pending |= strcmp(line, "source") != 0 && strcmp(line, "cipher") != 0;
    }
    free(line);
    free(v.source);
    free(v.cipher_name);
    free(v.name);
    fclose(f);
    if (vectors_of_file == 0) {
        fprintf(stderr, "%s: no vector was run\n", name);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--kernel") == 0 && i + 1 < argc)
            only_kernel = argv[++i];
        else if (strcmp(argv[i], "--cipher") == 0 && i + 1 < argc)
            only_cipher = argv[++i];
        else if (strcmp(argv[i], "--most") == 0 && i + 1 < argc)
            beyond = strtoull(argv[++i], NULL, 10);
        else {
            read_file(argv[i]);
            files++;
        }
    }
    for (size_t i = 0; tallies[i].t.cipher != NULL; i++)
        printf("%s/%s: %lu vectors\n", tallies[i].t.cipher->name, tallies[i].t.kernel->name, tallies[i].vectors);
    return files > 0 ? 0 : 2;
}
