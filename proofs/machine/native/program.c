/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Executes single instructions on states that come over the channel, under QEMU's user mode. First it says where operands
 * in memory lie and where instructions are put. Then it reads orders, each followed by its states, and writes these back. */
#include <string.h>

#include "channel.h"
#include "state.h"

enum { CODE = 16 };

/* The slots lie in memory that may be written and executed; the second one is Thumb's. */
void forms_run(void);
void forms_run_thumb(void);
extern unsigned char forms_slot[], forms_slot_thumb[], forms_state[];

typedef struct order {
    uint32_t code_bytes, thumb, count;
    uint8_t code[CODE];
} order;

int main(void)
{
    const uint64_t places[] = {(uintptr_t)forms_state + STATE, (uintptr_t)forms_slot, (uintptr_t)forms_slot_thumb};
    lab_write((const uint8_t *)places, sizeof places);
    unsigned char nothing[2][CODE];
    memcpy(nothing[0], forms_slot, CODE);
    memcpy(nothing[1], forms_slot_thumb, CODE);
    for (;;) {
        order o;
        lab_read((uint8_t *)&o, sizeof o);
        unsigned char *slot = o.thumb ? forms_slot_thumb : forms_slot;
        memcpy(slot, nothing[o.thumb], CODE);
        memcpy(slot, o.code, o.code_bytes);
        __builtin___clear_cache((char *)slot, (char *)slot + CODE);
        for (; o.count > 0; o.count--) {
            lab_read(forms_state, STATE + MEMORY);
            if (o.thumb)
                forms_run_thumb();
            else
                forms_run();
            lab_write(forms_state, STATE + MEMORY);
        }
    }
}
