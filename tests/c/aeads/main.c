/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-aeads list | facts | vectors | properties SEED [NAME] | seal | secrets NAME KERNEL…
 * Every AEAD of the library, from its registry, through every kernel that this CPU runs, and each of them with every kernel
 * of what it is made of: CPU features are hidden one after the other.
 *   list         name, kernel, the features it needs or -, timing class, 1 if this CPU runs it
 *   facts        name, bytes of a key, bytes of the shortest, the default and the longest nonce, lengths of tags as bits,
 *                bytes of the longest text and of the longest associated data, messages under one key
 *   vectors      lines of "name key nonce aad text ciphertext tag valid" on the standard input, hexadecimal, - for nothing,
 *                valid 1 or 0; in one call, in place, at odd addresses, in pieces, several at once
 *   properties   random messages, all ways against each other; errors, limits, copies, wiping
 *   seal         lines of "name key nonce aad text tag_bytes"; answers with ciphertext and tag, for comparison
 *   secrets      key, associated data, text and tag marked secret (see secrets.h), nonce and lengths public
 * Status 0, 1 if something is wrong, 2 if a line cannot be understood, 78 if no tool watches. */
#include <inttypes.h>

#include "aeads.h"

static void list(void)
{
    runnel_kernel_info info;
    for (size_t i = 0; i < runnel_aead_count(); i++)
        for (size_t k = 0; runnel_aead_kernel_at(runnel_aead_at(i), k, &info) == RUNNEL_OK; k++) {
            printf("%s %s ", runnel_aead_at(i)->name, info.name);
            const char *between = "";
            for (uint32_t bit = 1; bit != 0 && runnel_cpu_name(bit) != NULL; bit <<= 1)
                if (info.cpu & bit) {
                    printf("%s%s", between, runnel_cpu_name(bit));
                    between = ",";
                }
            printf("%s %s %d\n", info.cpu ? "" : "-",
                   info.timing == RUNNEL_CONSTANT_TIME ? "constant-time" : "secret-indexed", info.available);
        }
}

static void facts(void)
{
    for (size_t i = 0; i < runnel_aead_count(); i++) {
        const runnel_aead *a = runnel_aead_at(i);
        printf("%s %u %u %u %u %lu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", a->name, (unsigned)a->key_bytes,
               (unsigned)a->nonce_min, (unsigned)a->nonce_default, (unsigned)a->nonce_max, (unsigned long)a->tag_set,
               a->plaintext_max, a->aad_max, a->messages);
    }
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    runnel_cpu_mask(UINT32_MAX);
    if (strcmp(what, "list") == 0) {
        list();
    } else if (strcmp(what, "facts") == 0) {
        facts();
    } else if (strcmp(what, "vectors") == 0) {
        run_vectors();
    } else if (strcmp(what, "properties") == 0 && count > 2) {
        properties(strtoull(arguments[2], NULL, 10), count > 3 ? arguments[3] : NULL);
    } else if (strcmp(what, "seal") == 0) {
        answer();
#ifdef RUNNEL_TEST_SECRETS
    } else if (strcmp(what, "secrets") == 0) {
        for (int i = 2; i + 1 < count; i += 2) {
            now = find(arguments[i]);
            const int status = secrets(arguments[i + 1]);
            if (status != 0 && !(status == 77 && count > 4))
                return status;
        }
#endif
    } else {
        fprintf(stderr, "what is to be done?\n");
        return 2;
    }
    return 0;
}
