/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MACs: messages in two pieces, of a kind that absorbs whole blocks at once and of one that holds the last one back. */
#include "any.h"

#include "core/mac.h"

enum { BLOCK = 16, STATE = 24, TAG = 16 };

typedef struct context {
    runnel_mac_context head;
    uint8_t partial_block[BLOCK], state[STATE];
} context;

static int set_key(void *c, const uint8_t *key, size_t key_bytes)
{
    reads(key, key_bytes);
    WRITES(((context *)c)->state, STATE);
    return key_bytes == 17 ? RUNNEL_ERR_KERNEL : RUNNEL_OK;
}

static void absorb(void *c, const uint8_t *data, size_t nblocks)
{
    /*@ assert nblocks >= 1; */
    reads(data, nblocks * BLOCK);
    reads(((context *)c)->state, STATE);
    WRITES(((context *)c)->state, STATE);
}

static void finish(void *c, const uint8_t *rest, size_t bytes, uint8_t tag[RUNNEL_MAC_TAG_MAX])
{
    reads(rest, bytes);
    reads(((context *)c)->state, STATE);
    WRITES(tag, TAG);
}

static const runnel_mac kinds[] = {{.name = "any",
                                    .key_bytes = {0, UINT16_MAX, 1},
                                    .tag_bytes = {4, TAG, 4},
                                    .context_bytes = sizeof(context),
                                    .block_bytes = BLOCK,
                                    .key = set_key,
                                    .absorb = absorb,
                                    .finish = finish},
                                   {.name = "held",
                                    .key_bytes = {16, 16, 1},
                                    .tag_bytes = {TAG, TAG, 1},
                                    .context_bytes = sizeof(context),
                                    .block_bytes = BLOCK,
                                    .holds_last = 1,
                                    .single_use = 1,
                                    .key = set_key,
                                    .absorb = absorb,
                                    .finish = finish}};
enum { KINDS = sizeof kinds / sizeof kinds[0], LONGEST = 35 };
static uint8_t key[LONGEST], tag[LONGEST];

static void message(const runnel_mac *kind, size_t first, size_t second, size_t tag_bytes)
{
    context c;
    int error = runnel_mac_set_key(kind, &c.head, key, 16);
    /*@ assert error == RUNNEL_OK; */
    error = runnel_mac_add(kind, &c.head, IN(APART, first), first);
    /*@ assert error == RUNNEL_OK && c.head.filled <= BLOCK; */
    error = runnel_mac_add(kind, &c.head, IN(APART, second), second);
    /*@ assert error == RUNNEL_OK && c.head.filled <= BLOCK; */
    error = runnel_mac_check_tag(kind, &c.head, tag + LONGEST - tag_bytes, tag_bytes);
    /*@ assert error == RUNNEL_OK || error == RUNNEL_ERR_TAG || error == RUNNEL_ERR_TAG_LENGTH; */
    error = runnel_mac_make_tag(kind, &c.head, tag + LONGEST - tag_bytes, tag_bytes);
    /*@ assert error == RUNNEL_OK || error == RUNNEL_ERR_TAG_LENGTH || (kind->single_use && error == RUNNEL_ERR_STATE); */
    ANY_BYTES(tag);
}

int main(void)
{
    ANY_BYTES(key);
    ANY_BYTES(tag);
    ANY_BYTES(in_buffer);
    for (int k = 0; k < KINDS; k++) {
        for (size_t first = 0; first <= BLOCK + 1; first++)
            for (size_t second = 0; second <= (IN_SHORT ? 1 : LONGEST); second++)
                message(&kinds[k], first, second, TAG);
        for (size_t tag_bytes = 0; tag_bytes <= LONGEST; tag_bytes++)
            message(&kinds[k], 3, 0, tag_bytes);
        for (size_t key_bytes = 0; key_bytes <= LONGEST; key_bytes++) {
            context c;
            c.head.keyed = 0;
            (void)runnel_mac_add(&kinds[k], &c.head, NULL, 0);
            (void)runnel_mac_make_tag(&kinds[k], &c.head, tag, TAG);
            const int error = runnel_mac_set_key(&kinds[k], &c.head, key + LONGEST - key_bytes, key_bytes);
            /*@ assert error == RUNNEL_OK || c.head.keyed == 0; */
            (void)error;
            (void)runnel_mac_once(&kinds[k], &c.head, tag, TAG, IN(APART, 20), 20, key + LONGEST - key_bytes,
                                  key_bytes);
            ANY_BYTES(tag);
        }
        (void)runnel_mac_set_key(&kinds[k], NULL, key, 16);
        (void)runnel_mac_add(&kinds[k], NULL, key, 16);
        (void)runnel_mac_make_tag(&kinds[k], NULL, tag, TAG);
        (void)runnel_mac_check_tag(&kinds[k], NULL, tag, TAG);
        runnel_mac_wipe_bytes(NULL, sizeof(context));
    }
    Frama_C_show_each_all_done();
    return 0;
}
