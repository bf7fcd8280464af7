/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "core.h"

#include <stdbool.h>
#include <string.h>

enum {
    OP_LOAD = 0x03,
    OP_FENCE = 0x0f,
    OP_IMMEDIATE = 0x13,
    OP_AUIPC = 0x17,
    OP_STORE = 0x23,
    OP_REGISTER = 0x33,
    OP_LUI = 0x37,
    OP_BRANCH = 0x63,
    OP_JALR = 0x67,
    OP_JAL = 0x6f,
    OP_SYSTEM = 0x73
};

enum { ECALL = 0x00000073, WFI = 0x10500073, MARK_MASK = 0x000fffff, MARK = 0x00002013 };

/* Bits high to low of the instruction, and the same as a signed number at bit `at` of the result. */
static uint32_t bits(uint32_t i, unsigned high, unsigned low)
{
    return i >> low & (UINT32_MAX >> (31 - (high - low)));
}

static uint32_t sign(uint32_t i, unsigned at)
{
    return i >> 31 ? UINT32_MAX << at : 0;
}

static uint32_t immediate_i(uint32_t i)
{
    return sign(i, 11) | bits(i, 30, 20);
}

static uint32_t immediate_s(uint32_t i)
{
    return sign(i, 11) | bits(i, 30, 25) << 5 | bits(i, 11, 7);
}

static uint32_t immediate_b(uint32_t i)
{
    return sign(i, 12) | bits(i, 7, 7) << 11 | bits(i, 30, 25) << 5 | bits(i, 11, 8) << 1;
}

static uint32_t immediate_j(uint32_t i)
{
    return sign(i, 20) | bits(i, 19, 12) << 12 | bits(i, 20, 20) << 11 | bits(i, 30, 21) << 1;
}

static uint32_t shift_right_signed(uint32_t a, unsigned n)
{
    return n == 0 ? a : a >> n | (a >> 31 ? UINT32_MAX << (32 - n) : 0);
}

/* The operations that exist with a register and with an immediate. */
static uint32_t alu(unsigned funct3, bool alternative, uint32_t a, uint32_t b)
{
    switch (funct3) {
    case 0:
        return alternative ? a - b : a + b;
    case 1:
        return a << (b & 31);
    case 2:
        return (int32_t)a < (int32_t)b;
    case 3:
        return a < b;
    case 4:
        return a ^ b;
    case 5:
        return alternative ? shift_right_signed(a, b & 31) : a >> (b & 31);
    case 6:
        return a | b;
    default:
        return a & b;
    }
}

static uint32_t multiply_or_divide(unsigned funct3, uint32_t a, uint32_t b)
{
    const int64_t sa = (int32_t)a, sb = (int32_t)b;
    switch (funct3) {
    case 0:
        return a * b;
    case 1:
        return (uint32_t)((uint64_t)(sa * sb) >> 32);
    case 2:
        return (uint32_t)((uint64_t)(sa * (int64_t)b) >> 32);
    case 3:
        return (uint32_t)((uint64_t)a * b >> 32);
    case 4:
        return b == 0 ? UINT32_MAX : (uint32_t)(sa / sb);
    case 5:
        return b == 0 ? UINT32_MAX : a / b;
    case 6:
        return b == 0 ? a : (uint32_t)(sa % sb);
    default:
        return b == 0 ? a : a % b;
    }
}

static bool branch_taken(unsigned funct3, uint32_t a, uint32_t b)
{
    const bool less = (funct3 & 2) ? a < b : (int32_t)a < (int32_t)b;
    const bool holds = (funct3 & 4) ? less : a == b;
    return holds != (bool)(funct3 & 1);
}

static bool load(const rv32_core *core, unsigned funct3, uint32_t address, uint32_t *value)
{
    const uint32_t bytes = 1u << (funct3 & 3);
    const uint8_t *p = rv32_image_at(core->image, address, bytes, 0);
    if (p == NULL || address % bytes != 0)
        return false;
    if (p == core->image->port)
        core->image->receive();
    uint32_t v = 0;
    for (uint32_t i = 0; i < bytes; i++)
        v |= (uint32_t)p[i] << 8 * i;
    if (funct3 == 0)
        v = (uint32_t)(int8_t)v;
    else if (funct3 == 1)
        v = (uint32_t)(int16_t)v;
    *value = v;
    return true;
}

static bool store(const rv32_core *core, unsigned funct3, uint32_t address, uint32_t value)
{
    const uint32_t bytes = 1u << funct3;
    uint8_t *p = rv32_image_at(core->image, address, bytes, 1);
    if (p == NULL || address % bytes != 0)
        return false;
    for (uint32_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
    return true;
}

rv32_outcome rv32_step(rv32_core *core, rv32_retired *retired)
{
    uint32_t i;
    if (!load(core, 2, core->pc, &i))
        return RV32_FAULT;
    const unsigned rd = bits(i, 11, 7), rs1 = bits(i, 19, 15), rs2 = bits(i, 24, 20);
    const unsigned funct3 = bits(i, 14, 12), funct7 = bits(i, 31, 25);
    const uint32_t a = core->x[rs1], b = core->x[rs2];
    uint32_t result = 0, next = core->pc + 4;
    *retired = (rv32_retired){.kind = RV32_ALU, .rd = rd, .rs1 = rs1, .pc = core->pc};

    switch (i & 0x7f) {
    case OP_LUI:
        retired->rs1 = 0;
        result = i & 0xfffff000;
        break;
    case OP_AUIPC:
        retired->rs1 = 0;
        result = core->pc + (i & 0xfffff000);
        break;
    case OP_IMMEDIATE:
        if ((i & MARK_MASK) == MARK) {
            core->pc = next;
            retired->rd = i >> 20;
            return RV32_MARK;
        }
        if ((funct3 == 1 && funct7 != 0) || (funct3 == 5 && (funct7 & ~0x20u) != 0))
            return RV32_ILLEGAL;
        result = alu(funct3, funct3 == 5 && funct7 != 0, a, immediate_i(i));
        break;
    case OP_REGISTER:
        retired->rs2 = rs2;
        if (funct7 == 1) {
            retired->kind = funct3 < 4 ? RV32_MULTIPLY : RV32_DIVIDE;
            result = multiply_or_divide(funct3, a, b);
        } else if (funct7 == 0 || (funct7 == 0x20 && (funct3 == 0 || funct3 == 5))) {
            result = alu(funct3, funct7 != 0, a, b);
        } else {
            return RV32_ILLEGAL;
        }
        break;
    case OP_LOAD:
        if (funct3 == 3 || funct3 > 5)
            return RV32_ILLEGAL;
        retired->kind = funct3 == 2 ? RV32_LOAD_WORD : RV32_LOAD_NARROW;
        if (!load(core, funct3, a + immediate_i(i), &result))
            return RV32_FAULT;
        break;
    case OP_STORE:
        if (funct3 > 2)
            return RV32_ILLEGAL;
        retired->kind = RV32_STORE;
        retired->rd = 0;
        retired->rs2 = rs2;
        if (!store(core, funct3, a + immediate_s(i), b))
            return RV32_FAULT;
        break;
    case OP_BRANCH:
        if (funct3 == 2 || funct3 == 3)
            return RV32_ILLEGAL;
        retired->kind = RV32_BRANCH;
        retired->rd = 0;
        retired->rs2 = rs2;
        if (branch_taken(funct3, a, b))
            next = core->pc + immediate_b(i);
        break;
    case OP_JAL:
        retired->kind = RV32_JUMP;
        retired->rs1 = 0;
        result = next;
        next = core->pc + immediate_j(i);
        break;
    case OP_JALR:
        if (funct3 != 0)
            return RV32_ILLEGAL;
        retired->kind = RV32_JUMP_REGISTER;
        result = next;
        next = (a + immediate_i(i)) & ~1u;
        break;
    case OP_FENCE:
        retired->rd = retired->rs1 = 0;
        break;
    case OP_SYSTEM:
        if (i == WFI)
            return RV32_WAIT;
        if (i != ECALL)
            return RV32_ILLEGAL;
        retired->next_pc = core->pc = next;
        return RV32_ECALL;
    default:
        return RV32_ILLEGAL;
    }

    if (retired->rd != 0)
        core->x[retired->rd] = result;
    retired->next_pc = core->pc = next;
    return RV32_DONE;
}
