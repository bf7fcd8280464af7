/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* State that a kernel must preserve. By the System V ABI for x86-64: rbx, rbp, r12 to r15, rsp, a clear direction
 * flag, the control words of SSE and x87, and upper halves of vector registers that are clear. By those for ARM (their
 * calls are in abi_arm.S): r4 to r11, or x19 to x29; sp; d8 to d15. */
#include "properties.h"

#include <stddef.h>

typedef void (*any_function)(void);

#if RUNNEL_X86_64
#include <cpuid.h>

typedef struct abi_after {
    uint64_t rbx, rbp, r12, r13, r14, r15, rsp, flags; /* 0 to 56 */
    uint32_t mxcsr, fpucw;                             /* 64, 68 */
    uint64_t xinuse;                                   /* 72: what XGETBV(1) says, if has_xinuse */
    uint64_t rsp_before;                               /* 80 */
    uint32_t mxcsr_before, fpucw_before;               /* 88, 92 */
    uint64_t has_avx, has_xinuse;                      /* 96, 104 */
    uint8_t upper[16 * 16];                            /* 112: bits 128 to 255 of ymm0 to ymm15, if has_avx */
} abi_after;

_Static_assert(offsetof(abi_after, upper) == 112, "the offsets in the assembly below");

/* Calls function with six arguments, registers full of sentinels, and notes what it left. */
void abi_trampoline(any_function function, const uintptr_t *arguments, abi_after *after);
void abi_clean(void);
void abi_corrupt_rbx(void);
void abi_corrupt_rbp(void);
void abi_corrupt_r12(void);
void abi_corrupt_r13(void);
void abi_corrupt_r14(void);
void abi_corrupt_r15(void);
void abi_corrupt_rsp(void);
void abi_corrupt_direction(void);
void abi_corrupt_mxcsr(void);
void abi_corrupt_x87(void);
void abi_corrupt_upper(void);

#define SENTINEL(n) (0x5afe00c0ffee0000u + (n))

__attribute__((visibility("hidden"))) abi_after *abi_after_pointer;

#define CORRUPTER(name, body) ".globl abi_" name "\nabi_" name ":\n" body "\nret\n"
#define EXTRACT(n) "vextractf128 [r11 + 112 + 16 * " #n "], ymm" #n ", 1\n"

__asm__(".text\n"
        ".intel_syntax noprefix\n"
        ".globl abi_trampoline\n"
        "abi_trampoline:\n"
        "push rbx\n push rbp\n push r12\n push r13\n push r14\n push r15\n push rdx\n"
        "mov [rip + abi_after_pointer], rdx\n"
        "mov [rdx + 80], rsp\n"
        "stmxcsr [rdx + 88]\n"
        "fnstcw [rdx + 92]\n"
        "mov rax, rdi\n"
        "mov r10, rsi\n"
        "cmp qword ptr [rdx + 96], 0\n"
        "je 1f\n"
        "vzeroall\n"
        "1:\n"
        "mov rdi, [r10]\n mov rsi, [r10 + 8]\n mov rdx, [r10 + 16]\n"
        "mov rcx, [r10 + 24]\n mov r8, [r10 + 32]\n mov r9, [r10 + 40]\n"
        "movabs rbx, 0x5afe00c0ffee0000\n"
        "lea rbp, [rbx + 1]\n lea r12, [rbx + 2]\n lea r13, [rbx + 3]\n lea r14, [rbx + 4]\n lea r15, [rbx + 5]\n"
        "call rax\n"
        "mov r11, [rip + abi_after_pointer]\n"
        "mov [r11], rbx\n mov [r11 + 8], rbp\n mov [r11 + 16], r12\n"
        "mov [r11 + 24], r13\n mov [r11 + 32], r14\n mov [r11 + 40], r15\n"
        "mov [r11 + 48], rsp\n"
        "mov rsp, [r11 + 80]\n"
        "pushfq\n"
        "pop qword ptr [r11 + 56]\n"
        "cld\n"
        "stmxcsr [r11 + 64]\n"
        "fnstcw [r11 + 68]\n"
        "ldmxcsr [r11 + 88]\n"
        "fldcw [r11 + 92]\n"
        "cmp qword ptr [r11 + 104], 0\n"
        "je 2f\n"
        "mov ecx, 1\n"
        "xgetbv\n"
        "mov [r11 + 72], eax\n"
        "2:\n"
        "cmp qword ptr [r11 + 96], 0\n"
        "je 3f\n"
        EXTRACT(0) EXTRACT(1) EXTRACT(2) EXTRACT(3) EXTRACT(4) EXTRACT(5) EXTRACT(6) EXTRACT(7)
        EXTRACT(8) EXTRACT(9) EXTRACT(10) EXTRACT(11) EXTRACT(12) EXTRACT(13) EXTRACT(14) EXTRACT(15)
        "vzeroupper\n"
        "3:\n"
        "pop rdx\n pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx\n"
        "ret\n"
        CORRUPTER("clean", "xor eax, eax\n xor r11, r11\n xorps xmm7, xmm7")
        CORRUPTER("corrupt_rbx", "inc rbx")
        CORRUPTER("corrupt_rbp", "inc rbp")
        CORRUPTER("corrupt_r12", "inc r12")
        CORRUPTER("corrupt_r13", "inc r13")
        CORRUPTER("corrupt_r14", "inc r14")
        CORRUPTER("corrupt_r15", "inc r15")
        CORRUPTER("corrupt_rsp", "pop r11\n sub rsp, 16\n push r11")
        CORRUPTER("corrupt_direction", "std")
        CORRUPTER("corrupt_mxcsr", "push 0x7f80\n ldmxcsr [rsp]\n pop r11")
        CORRUPTER("corrupt_x87", "push 0x0e7f\n fldcw [rsp]\n pop r11")
        CORRUPTER("corrupt_upper", "vcmpps ymm13, ymm13, ymm13, 15")
        ".att_syntax prefix\n");

static int has_avx(void)
{
    return (runnel_cpu() & RUNNEL_CPU_AVX2) != 0;
}

/* XGETBV with ecx = 1 tells which register state is in use (CPUID 13.1, bit 2 of eax). */
static int has_xinuse(void)
{
    uint32_t a, b, c, d;
    return has_avx() && __get_cpuid_count(13, 1, &a, &b, &c, &d) && (a >> 2 & 1);
}

/* Returns what the function did not keep, or NULL. */
static const char *broken(any_function function, const uintptr_t arguments[8])
{
    static abi_after after;
    memset(&after, 0, sizeof after);
    after.has_avx = (uint64_t)has_avx();
    after.has_xinuse = (uint64_t)has_xinuse();
    abi_trampoline(function, arguments, &after);
    if (after.rbx != SENTINEL(0))
        return "rbx";
    if (after.rbp != SENTINEL(1))
        return "rbp";
    if (after.r12 != SENTINEL(2))
        return "r12";
    if (after.r13 != SENTINEL(3))
        return "r13";
    if (after.r14 != SENTINEL(4))
        return "r14";
    if (after.r15 != SENTINEL(5))
        return "r15";
    if (after.rsp != after.rsp_before)
        return "rsp";
    if (after.flags & 0x400)
        return "the direction flag";
    if ((after.mxcsr & 0xffc0) != (after.mxcsr_before & 0xffc0)) /* the low six bits report exceptions */
        return "mxcsr";
    if (after.fpucw != after.fpucw_before)
        return "the x87 control word";
    if (after.has_xinuse && (after.xinuse & 0x44)) /* ymm and zmm upper halves */
        return "clear upper halves";
    for (unsigned i = 0; i < sizeof after.upper; i++)
        if (after.upper[i])
            return "clear upper halves";
    return NULL;
}

static const struct {
    any_function function;
    const char *what;
} corrupters[] = {
    {abi_clean, NULL},
    {abi_corrupt_rbx, "rbx"},
    {abi_corrupt_rbp, "rbp"},
    {abi_corrupt_r12, "r12"},
    {abi_corrupt_r13, "r13"},
    {abi_corrupt_r14, "r14"},
    {abi_corrupt_r15, "r15"},
    {abi_corrupt_rsp, "rsp"},
    {abi_corrupt_direction, "the direction flag"},
    {abi_corrupt_mxcsr, "mxcsr"},
    {abi_corrupt_x87, "the x87 control word"},
    {abi_corrupt_upper, "clear upper halves"},
};

/* No AVX, no upper halves to spoil. */
static int can_run(any_function corrupter)
{
    return corrupter != abi_corrupt_upper || has_avx();
}

static const char *remark(void)
{
    return has_xinuse() ? ", xgetbv(1) used" : ", xgetbv(1) missing";
}

#elif RUNNEL_AARCH64 || RUNNEL_ARMV7

#if RUNNEL_AARCH64
#define CORE(f) f(19) f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29)
#define CORE_NAME(n) "x" #n
#define CORE_REGISTERS 11
#define CORE_STEP 0x5afe00c0ffee0001u
#else
#define CORE(f) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11)
#define CORE_NAME(n) "r" #n
#define CORE_REGISTERS 8
#define CORE_STEP 0x5afe0ee1u
#endif
#define VECTOR(f) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define VECTOR_NAME(n) "d" #n
#define VECTOR_STEP 0x5afe00c0ffee0101u

/* abi_arm.S knows how it lies in memory. */
typedef struct abi_registers {
    uintptr_t core[CORE_REGISTERS], sp, sp_before;
    uint64_t vector[8];
} abi_registers;

#define AND_COMMA_CORE(n) CORE_NAME(n),
#define AND_COMMA_VECTOR(n) VECTOR_NAME(n),
static const char *const core_names[] = {CORE(AND_COMMA_CORE)};
static const char *const vector_names[] = {VECTOR(AND_COMMA_VECTOR)};

/* Calls function with these words as arguments and with these registers, and notes what it left in them. */
void abi_trampoline(any_function function, const uintptr_t words[8], abi_registers *registers);

static const char *broken(any_function function, const uintptr_t words[8])
{
    abi_registers r;
    memset(&r, 0, sizeof r);
    for (uintptr_t i = 0; i < CORE_REGISTERS; i++)
        r.core[i] = (i + 1) * CORE_STEP;
    for (uint64_t i = 0; i < 8; i++)
        r.vector[i] = (i + 1) * VECTOR_STEP;
    abi_trampoline(function, words, &r);
    for (uintptr_t i = 0; i < CORE_REGISTERS; i++)
        if (r.core[i] != (i + 1) * CORE_STEP)
            return core_names[i];
    for (uint64_t i = 0; i < 8; i++)
        if (r.vector[i] != (i + 1) * VECTOR_STEP)
            return vector_names[i];
    return r.sp == r.sp_before ? NULL : "sp";
}

void abi_clean(void);
void abi_corrupt_sp(void);
#define DECLARE_CORE(n) void abi_corrupt_core_##n(void);
#define DECLARE_VECTOR(n) void abi_corrupt_vector_##n(void);
CORE(DECLARE_CORE)
VECTOR(DECLARE_VECTOR)

#define CORE_CORRUPTER(n) {abi_corrupt_core_##n, CORE_NAME(n)},
#define VECTOR_CORRUPTER(n) {abi_corrupt_vector_##n, VECTOR_NAME(n)},
static const struct {
    any_function function;
    const char *what;
} corrupters[] = {{abi_clean, NULL}, {abi_corrupt_sp, "sp"}, CORE(CORE_CORRUPTER) VECTOR(VECTOR_CORRUPTER)};

static int can_run(any_function corrupter)
{
    return corrupter != NULL;
}

static const char *remark(void)
{
    return "";
}

#endif

#if RUNNEL_X86_64 || RUNNEL_AARCH64 || RUNNEL_ARMV7

/* A block's number among the words of arguments: 32-bit ARM passes it in r2 and r3. */
#if RUNNEL_ARMV7
#define WORDS_OF_INDEX(index) 0, (uintptr_t)(index), (uintptr_t)((index) >> 32)
#else
#define WORDS_OF_INDEX(index) index
#endif

static void keeps(any_function function, const char *name, const void *a, const void *b, const void *c, const void *d,
                  const void *e, size_t f)
{
    const uintptr_t arguments[8] = {(uintptr_t)a, (uintptr_t)b, (uintptr_t)c, (uintptr_t)d, (uintptr_t)e, f};
    const char *what = broken(function, arguments);
    CHECK(what == NULL, "%s does not keep %s", name, what);
}

void test_abi(const target *t)
{
    enum { BLOCKS = 600 };
    const runnel_cipher *cipher = t->cipher;
    const runnel_kernel *k = t->kernel;
    const size_t block_bytes = cipher->block_bytes;
    uint8_t *in = calloc(BLOCKS, block_bytes), *out = calloc(BLOCKS, block_bytes);
    message m = random_message(t);
    runnel_stream *s = new_context(cipher);
    start_message(s, t, &m);
    uint8_t *state = (uint8_t *)s + cipher->state_offset;
    void *prefix = cipher->prefix_offset ? (uint8_t *)s + cipher->prefix_offset : NULL;
    pair pairs[MOST_PAIRS];
    const size_t npairs = pairs_of(cipher, pairs);
    for (size_t i = 0; i < npairs; i++) {
        const uintptr_t arguments[8] = {(uintptr_t)state, (uintptr_t)m.key, pairs[i].key_bytes};
        const char *what = broken((any_function)k->key, arguments);
        CHECK(what == NULL, "key does not keep %s", what);
    }
    if (cipher->prefix_offset)
        memset(prefix, 0, 8);
    const int block = k->kind == RUNNEL_KIND_BLOCK;
    if (!block)
        for (size_t i = 0; i < npairs; i++) {
            const uintptr_t arguments[8] = {(uintptr_t)state, (uintptr_t)m.iv, pairs[i].iv_bytes};
            const char *what = broken((any_function)k->stream.iv, arguments);
            CHECK(what == NULL, "iv does not keep %s", what);
        }
    uint64_t index = 0;
    for (size_t n = 1; n <= BLOCKS; n = n < 80 ? n + 1 : n + 1 + random_below(60)) {
        for (int keystream = 0; keystream < 2; keystream++) {
            const uint8_t *from = keystream ? NULL : in;
            if (block && !keystream) {
                const uintptr_t arguments[8] = {(uintptr_t)state, (uintptr_t)out, (uintptr_t)in, n};
                const char *what = broken((any_function)k->block.encrypt_blocks, arguments);
                CHECK(what == NULL, "encrypt_blocks of %zu does not keep %s", n, what);
            }
            for (int little = 0; block && little < 2; little++) {
                runnel_ctr_function *const ctr32 = little ? k->block.ctr32_little : k->block.ctr32;
                if (ctr32 == NULL)
                    continue;
                uint8_t *const counter = little ? m.iv : m.iv + block_bytes - 4;
                uint8_t *const lowest = little ? counter : counter + 3, *const next = little ? counter + 1 : counter + 2;
                memset(counter, 0, 4);
                *lowest = (uint8_t)n;
                for (size_t done = 0, some; done < n; done += some) { /* a run at a time, as the core calls it */
                    some = n - done;
                    if (k->run_bits == 8 && some > 256u - *lowest)
                        some = 256u - *lowest;
                    keeps((any_function)ctr32, little ? "ctr32_little" : "ctr32", state, prefix, m.iv,
                          out + done * block_bytes, from == NULL ? NULL : from + done * block_bytes, some);
                    ++*next;
                    *lowest = 0;
                }
            }
            if (!block && k->stream.xor_blocks != NULL) {
                const uintptr_t arguments[8] = {(uintptr_t)state, WORDS_OF_INDEX(index), (uintptr_t)out,
                                                (uintptr_t)from, n};
                const char *what = broken((any_function)k->stream.xor_blocks, arguments);
                CHECK(what == NULL, "xor_blocks of %zu does not keep %s", n, what);
                index += n;
            }
        }
    }
    free_context(s);
    free(in);
    free(out);
}

/* The checker itself: it must report each function that breaks one rule, and only those. */
void test_abi_corrupters(void)
{
    const uintptr_t nothing[8] = {0};
    doing = "corrupters";
    for (size_t i = 0; i < sizeof corrupters / sizeof corrupters[0]; i++) {
        if (!can_run(corrupters[i].function))
            continue;
        const char *what = broken(corrupters[i].function, nothing);
        const char *planted = corrupters[i].what;
        CHECK((what == NULL) == (planted == NULL) && (what == NULL || strcmp(what, planted) == 0),
              "%s reported instead of %s", what ? what : "nothing", planted ? planted : "nothing");
    }
    printf("corrupters: %llu checks%s\n", (unsigned long long)checks, remark());
}

#else

void test_abi(const target *t)
{
    (void)t;
}

void test_abi_corrupters(void)
{
}

#endif
