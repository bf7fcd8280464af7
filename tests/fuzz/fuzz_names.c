/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names: whatever text is looked up as a cipher, an AEAD, a layout or a list of CPU features is found
 * under just its own name or not at all; numbers past the end and unknown errors give what the headers say. */
#include "fuzz.h"

#include <runnel/aead.h>
#include <runnel/mac.h>

enum { LONGEST = 200 };

/* The words of a list by another way than strcspn: is each of them a feature's name? */
static size_t unknown_at(const char *list, size_t *bytes)
{
    if (strcmp(list, "all") == 0 || strcmp(list, "none") == 0)
        return SIZE_MAX;
    for (size_t at = 0, end; list[at] != '\0'; at = end + (list[end] == ',')) {
        int known = 0;
        for (end = at; list[end] != ',' && list[end] != '\0'; end++)
            ;
        for (unsigned bit = 0; bit < 32; bit++) {
            const char *const name = runnel_cpu_name((uint32_t)1 << bit);
            known |= name != NULL && strlen(name) == end - at && strncmp(name, list + at, end - at) == 0;
        }
        if (!known && end > at) {
            *bytes = end - at;
            return at;
        }
    }
    return SIZE_MAX;
}

static void check_list(const char *list)
{
    size_t bytes = 12345, wanted = 12345;
    const size_t at = unknown_at(list, &wanted);
    const char *const found = runnel_cpu_unknown(list, &bytes);
    CHECK(found == (at == SIZE_MAX ? NULL : list + at) && bytes == wanted, "\"%s\": %s of %zu bytes, not at %zu", list,
          found != NULL ? found : "nothing", bytes, at);
    CHECK(runnel_cpu_unknown(list, NULL) == found, "\"%s\" without a length", list);
}

/* RUNNEL_CPU is read when the features are first asked for: in a process of its own, test_cli_options.py has that. */
static void check_names(const char *text)
{
    static const runnel_cipher *ciphers[256]; /* finding one by its number takes long */
    static const runnel_aead *aeads[256];
    for (size_t i = 0; ciphers[0] == NULL && i < 255; i++) {
        ciphers[254 - i] = runnel_cipher_at(254 - i);
        aeads[254 - i] = runnel_aead_at(254 - i);
    }
    const runnel_cipher *same = NULL;
    const runnel_aead *own = NULL;
    for (size_t i = 0; ciphers[i] != NULL; i++)
        same = strcmp(ciphers[i]->name, text) == 0 ? ciphers[i] : same;
    for (size_t i = 0; aeads[i] != NULL; i++)
        own = strcmp(aeads[i]->name, text) == 0 ? aeads[i] : own;
    CHECK(runnel_cipher_find(text) == same, "cipher \"%s\"", text);
    CHECK(runnel_aead_find(text) == own, "AEAD \"%s\"", text);
    const int layout = runnel_layout_find(text);
    CHECK(layout == RUNNEL_ERR_LAYOUT || strcmp(runnel_layout_name(layout), text) == 0, "layout \"%s\"", text);
}

static void check_numbers(choices *c)
{
    const size_t index = (size_t)choose(c, choose_bit(c) ? 8 : 1) % 5000;
    const int number = (int)(int32_t)choose(c, 4), small = (int)choose_below(c, 64) - 32;
    runnel_kernel_info info;
    const runnel_cipher *const cipher = runnel_cipher_at(index % 8);
    if (cipher != NULL)
        CHECK(runnel_cipher_kernel(cipher, index >> 3, &info) == RUNNEL_ERR_KERNEL || info.name != NULL, "kernel");
    CHECK_RESULT(runnel_cipher_kernel(NULL, index, &info), RUNNEL_ERR_NULL);
    const runnel_mac *const mac = runnel_mac_at(index % 8);
    runnel_mac_info about;
    if (mac != NULL) {
        CHECK_OK(runnel_mac_describe(mac, &about));
        runnel_mac_wipe(mac, NULL);
        CHECK(runnel_mac_find(about.name) == mac, "MAC %s", about.name);
        CHECK(runnel_mac_kernel_at(mac, index >> 3, &info) == RUNNEL_ERR_KERNEL || info.name != NULL, "kernel");
    }
    CHECK_RESULT(runnel_mac_describe(NULL, &about), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_mac_kernel_at(NULL, index, &info), RUNNEL_ERR_NULL);
    CHECK(runnel_aead_at(index % 4 + runnel_aead_count()) == NULL, "AEAD %zu", index);
    CHECK(runnel_error_text(number) != NULL && runnel_error_text(small) != NULL, "no text for %d or %d", number, small);
    CHECK((runnel_layout_name(number) == NULL) == (number < 0 || number >= RUNNEL_LAYOUTS), "layout %d", number);
    const char *const text = runnel_error_text(small);
    CHECK(strchr(text, '\n') == NULL && text[0] != '\0' && text[strlen(text) - 1] != '.', "text \"%s\"", text);
    for (int error = RUNNEL_ERR_REPLAY - 1; error <= 1; error++)
        CHECK(strlen(runnel_error_text(error)) > 0, "no text for %d", error);
    const char *const feature = runnel_cpu_name((uint32_t)number);
    CHECK(feature == NULL || (number & (number - 1)) == 0, "feature %x", (unsigned)number);
}

static void run(choices *c)
{
    char text[LONGEST + 1];
    check_numbers(c);
    const size_t n = choose_text(c, (uint8_t *)text, LONGEST);
    text[n] = '\0';
    check_list(text);
    check_names(text);
    for (char *word = strtok(text, ","); word != NULL; word = strtok(NULL, ","))
        check_names(word);
    CHECK(runnel_cipher_find(NULL) == NULL && runnel_aead_find(NULL) == NULL, "NULL has a name");
}

const fuzz_target fuzz_names = {"names", run};
