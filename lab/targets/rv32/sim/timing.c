/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "timing.h"

#include <stdbool.h>
#include <string.h>

enum {
    LOAD_WORD_LATENCY = 2,
    LOAD_NARROW_LATENCY = 3,
    DIVIDE_LATENCY = 33, /* the longest: the core may stop earlier, which depends on the operands */
    MISPREDICTED = 3,    /* cycles lost */
    JUMP_FIRST_SEEN = 2
};

void rv32_timing_reset(rv32_timing *t, unsigned multiply_latency)
{
    memset(t, 0, sizeof *t);
    t->multiply_latency = multiply_latency;
}

static unsigned latency(const rv32_timing *t, rv32_class kind)
{
    switch (kind) {
    case RV32_LOAD_WORD:
        return LOAD_WORD_LATENCY;
    case RV32_LOAD_NARROW:
        return LOAD_NARROW_LATENCY;
    case RV32_MULTIPLY:
        return t->multiply_latency;
    case RV32_DIVIDE:
        return DIVIDE_LATENCY;
    default:
        return 1;
    }
}

static rv32_target *find_target(rv32_timing *t, uint32_t pc)
{
    t->lookups++;
    for (unsigned i = 0; i < RV32_BTB_ENTRIES; i++) {
        if (t->btb[i].pc == pc) {
            t->btb[i].used = t->lookups;
            return &t->btb[i];
        }
    }
    return NULL;
}

/* Enters a jump or a taken branch in place of the entry that was not used for longest. */
static void enter_target(rv32_timing *t, uint32_t pc, uint32_t target)
{
    rv32_target *oldest = &t->btb[0];
    for (unsigned i = 1; i < RV32_BTB_ENTRIES; i++)
        if (t->btb[i].used < oldest->used)
            oldest = &t->btb[i];
    *oldest = (rv32_target){.pc = pc, .target = target, .counter = 2, .used = t->lookups};
}

static unsigned branch_penalty(rv32_timing *t, const rv32_retired *i)
{
    const bool taken = i->next_pc != i->pc + 4;
    rv32_target *entry = find_target(t, i->pc);
    if (entry == NULL) {
        if (taken)
            enter_target(t, i->pc, i->next_pc);
        return taken ? MISPREDICTED : 0;
    }
    const bool predicted = entry->counter >= 2;
    if (taken && entry->counter < 3)
        entry->counter++;
    if (!taken && entry->counter > 0)
        entry->counter--;
    return taken == predicted ? 0 : MISPREDICTED;
}

static bool is_link(unsigned reg)
{
    return reg == 1 || reg == 5;
}

static void push_return(rv32_timing *t, uint32_t pc)
{
    memmove(t->returns + 1, t->returns, sizeof t->returns - sizeof t->returns[0]);
    t->returns[0] = pc;
}

static uint32_t pop_return(rv32_timing *t)
{
    const uint32_t pc = t->returns[0];
    memmove(t->returns, t->returns + 1, sizeof t->returns - sizeof t->returns[0]);
    t->returns[RV32_RETURN_STACK - 1] = 0;
    return pc;
}

static unsigned jump_penalty(rv32_timing *t, const rv32_retired *i)
{
    if (find_target(t, i->pc) != NULL)
        return 0;
    enter_target(t, i->pc, i->next_pc);
    return JUMP_FIRST_SEEN;
}

static unsigned jump_register_penalty(rv32_timing *t, const rv32_retired *i)
{
    if (is_link(i->rs1) && i->rd != i->rs1)
        return pop_return(t) == i->next_pc ? 0 : MISPREDICTED;
    rv32_target *entry = find_target(t, i->pc);
    if (entry == NULL) {
        enter_target(t, i->pc, i->next_pc);
        return MISPREDICTED;
    }
    if (entry->target == i->next_pc)
        return 0;
    entry->target = i->next_pc;
    return MISPREDICTED;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void rv32_timing_retire(rv32_timing *t, const rv32_retired *i)
{
    /* Reading a register waits for it, and so does writing it again. */
    const uint64_t issue = later(later(t->issue, t->ready[i->rd]), later(t->ready[i->rs1], t->ready[i->rs2]));
    if (i->rd != 0)
        t->ready[i->rd] = issue + latency(t, i->kind);
    t->issue = issue + 1;
    if (i->kind == RV32_BRANCH)
        t->issue += branch_penalty(t, i);
    else if (i->kind == RV32_JUMP)
        t->issue += jump_penalty(t, i);
    else if (i->kind == RV32_JUMP_REGISTER)
        t->issue += jump_register_penalty(t, i);
    if ((i->kind == RV32_JUMP || i->kind == RV32_JUMP_REGISTER) && is_link(i->rd))
        push_return(t, i->pc + 4);
}
