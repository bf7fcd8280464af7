/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Prints what this build's library says of itself, as JSON: ciphers, AEADs and MACs with their kernels. tools/inventory.py
 * adds what only the sources know. */
#include <stdio.h>

#include <runnel/runnel.h>

#include "core/aead.h"
#include "core/mac.h"

static void text(const char *name, const char *value)
{
    printf("\"%s\": ", name);
    if (value == NULL) {
        printf("null");
        return;
    }
    putchar('"');
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\')
            putchar('\\');
        putchar(*value);
    }
    putchar('"');
}

static void lengths(const char *name, const runnel_lengths *l)
{
    printf("\"%s\": {\"first\": %u, \"last\": %u, \"step\": %u}", name, l->first, l->last, l->step);
}

static const char *status_of(int status)
{
    static const char *const names[] = {"recommended", "legacy", "broken"};
    return names[status];
}

static void features(uint32_t cpu)
{
    const char *separator = "";
    printf("\"features\": [");
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if (cpu & bit) {
            printf("%s\"%s\"", separator, runnel_cpu_name(bit));
            separator = ", ";
        }
    printf("]");
}

/* lanes: what the kernel has, whether or not this CPU can run them. */
static void kernel(const char **separator, const runnel_kernel_info *info, unsigned lanes)
{
    printf("%s{", *separator);
    text("name", info->name);
    printf(", ");
    text("citation", info->citation);
    printf(", ");
    features(info->cpu);
    printf(", ");
    text("timing", info->timing == RUNNEL_CONSTANT_TIME ? "constant-time" : "secret-indexed");
    printf(", \"lanes\": %u}", lanes);
    *separator = ", ";
}

/* Every kernel of the list, whatever the length of its keys. */
static void cipher_kernels(const runnel_kernel_head *const *list)
{
    const char *separator = "";
    printf("\"kernels\": [");
    for (; *list != NULL; list++) {
        const runnel_kernel *k = runnel_kernel_of(*list);
        runnel_kernel_info info;
        runnel_describe_kernel(*list, 0, 1, &info);
        kernel(&separator, &info, runnel_lanes_of(k->batch != NULL ? RUNNEL_HEAD_OF(k->batch) : *list));
    }
    printf("]}");
}

static void ciphers(void)
{
    static const char *const modes[] = {"stream", "ctr", "cfb"};
    const runnel_cipher *c;
    for (size_t i = 0; (c = runnel_cipher_at(i)) != NULL; i++) {
        printf("%s{", i == 0 ? "" : ",\n");
        text("name", c->name);
        printf(", ");
        text("family", c->family);
        printf(", ");
        text("title", c->title);
        printf(", ");
        text("source", c->source);
        printf(", ");
        text("remark", c->remark);
        printf(", ");
        text("mode", modes[c->mode]);
        printf(", ");
        text("status", status_of(c->status));
        printf(", \"seekable\": %s, ", c->seekable ? "true" : "false");
        lengths("key_bytes", &c->key_bytes);
        printf(", ");
        lengths("iv_bytes", &c->iv_bytes);
        printf(", \"block_bytes\": %u, ", c->block_bytes);
        cipher_kernels(c->kernels);
    }
}

static void aeads(void)
{
    const runnel_aead *a;
    for (size_t i = 0; (a = runnel_aead_at(i)) != NULL; i++) {
        printf("%s{", i == 0 ? "" : ",\n");
        text("name", a->name);
        printf(", ");
        text("family", a->family);
        printf(", ");
        text("title", a->title);
        printf(", ");
        text("source", a->source);
        printf(", ");
        text("remark", a->remark);
        printf(", ");
        text("status", status_of(a->status));
        printf(", \"key_bytes\": %u, ", a->key_bytes);
        text("cipher", a->ciphers != NULL ? a->ciphers[0]->family : NULL);
        printf(", \"kernels\": [");
        const char *separator = "";
        runnel_kernel_info info;
        for (size_t k = 0; a->ciphers == NULL && runnel_aead_kernel_at(a, k, &info) == RUNNEL_OK; k++)
            kernel(&separator, &info, 1); /* several messages at once have kernels of their own */
        printf("]}");
    }
}

static void macs(void)
{
    const runnel_mac *m;
    runnel_mac_info about;
    for (size_t i = 0; (m = runnel_mac_at(i)) != NULL && runnel_mac_describe(m, &about) == RUNNEL_OK; i++) {
        printf("%s{", i == 0 ? "" : ",\n");
        text("name", about.name);
        printf(", ");
        lengths("key_bytes", &about.key_bytes);
        printf(", ");
        lengths("tag_bytes", &about.tag_bytes);
        printf(", \"block_bytes\": %u, \"single_use\": %s, \"component\": %s, ", about.block_bytes,
               about.single_use ? "true" : "false", about.component ? "true" : "false");
        text("cipher", m->ciphers != NULL ? m->ciphers[0]->family : NULL);
        printf(", \"kernels\": [");
        const char *separator = "";
        runnel_kernel_info info;
        for (size_t k = 0; m->kernels != NULL && runnel_mac_kernel_at(m, k, &info) == RUNNEL_OK; k++)
            kernel(&separator, &info, info.lanes);
        printf("]}");
    }
}

int main(void)
{
    printf("{\"ciphers\": [\n");
    ciphers();
    printf("],\n\"aeads\": [\n");
    aeads();
    printf("],\n\"macs\": [\n");
    macs();
    printf("]}\n");
    return 0;
}
