/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A TCG plugin for QEMU's user mode that watches a program between the marks of lab/mark.h, on arm (A32 and Thumb),
 * aarch64, riscv32, riscv64 and x86_64. The marks themselves are not counted.
 *
 *     cc -O2 -shared -fPIC -o plugin.so qemu_plugin.c
 *     qemu-arm -plugin ./plugin.so,marks=FILE,trace=FILE,hash=FILE program
 *
 * Each argument may be left out; all files are text and get for every pair of marks:
 *
 * marks: one line, "cycles instructions loads stores stack", with "-" for cycles and stack, which QEMU does not know.
 * An instruction whose condition fails counts as executed. Loads and stores are accesses to memory as QEMU makes them:
 * one for each register of a pair or a list, two for a vector of 128 bits.
 *
 * trace: a line "begin", one line for each instruction in the order of execution, and a line "end". An instruction is
 * its address in hexadecimal; its first line in the file has a second word: its bytes, as they lie in memory.
 *
 * hash: one line, two hexadecimal numbers: a hash of the addresses of all instructions in order, and one of the
 * addresses of all loads and stores. Code that runs in constant time gives the same line whatever its secrets.
 *
 * QEMU 7.2 exports these functions, but Debian ships no header for them; declared here is what is used, of version 1 of
 * the plugin interface. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef struct qemu_info_t {
    const char *target_name;
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
} qemu_info_t;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_RW = 3 };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, void (*cb)(unsigned vcpu, void *data),
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, enum qemu_plugin_op op, void *p,
                                                uint64_t immediate);
typedef void on_access_function(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, on_access_function *cb,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

int qemu_plugin_version = 1;

typedef struct mark {
    const char *machine;
    size_t size;
    uint8_t bytes[2][7]; /* begin, end */
} mark;

static const mark all_marks[] = {
    {"arm", 4, {{0x41, 0xf0, 0x20, 0xe3}, {0x42, 0xf0, 0x20, 0xe3}}}, /* A32 */
    {"arm", 4, {{0xaf, 0xf3, 0x41, 0x80}, {0xaf, 0xf3, 0x42, 0x80}}}, /* Thumb */
    {"arm", 2, {{0xdb, 0x46}, {0xe4, 0x46}}},                         /* Thumb of Armv6-M: mov r11, r11; mov r12, r12 */
    {"aarch64", 4, {{0x3f, 0x28, 0x03, 0xd5}, {0x5f, 0x28, 0x03, 0xd5}}},
    {"riscv32", 4, {{0x13, 0x20, 0x10, 0x00}, {0x13, 0x20, 0x20, 0x00}}},
    {"riscv64", 4, {{0x13, 0x20, 0x10, 0x00}, {0x13, 0x20, 0x20, 0x00}}},
    {"x86_64", 7, {{0x0f, 0x1f, 0x80, 0x41, 0x42, 0x41, 0x4c}, {0x0f, 0x1f, 0x80, 0x42, 0x42, 0x41, 0x4c}}},
};

static const char *machine;
static FILE *marks, *trace, *hash;

/* counted runs on all the time, since an addition in translated code cannot ask where it is. */
static uint64_t counted, counted_at_begin;
static uint64_t loads, stores, instructions_hash, accesses_hash;
static bool between;

/* An instruction of the trace. QEMU may translate a place again, so that places are kept apart from translations. */
#define PLACES (1u << 20)

typedef struct place {
    uint64_t address;
    uint8_t bytes[16];
    uint8_t size; /* 0: free */
    bool written;
} place;

static place places[PLACES];

static uint64_t mixed(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15;
    return h ^ h >> 29;
}

/* Returns NULL if the table is full. */
static place *place_of(uint64_t address, const void *bytes, size_t size)
{
    uint64_t at = mixed(0, address);
    for (uint32_t tries = 0; tries < PLACES; tries++) {
        place *p = &places[(at + tries) % PLACES];
        if (p->size == 0) {
            p->address = address;
            p->size = (uint8_t)size;
            memcpy(p->bytes, bytes, size);
        }
        if (p->address == address)
            return p;
    }
    return NULL;
}

static void on_begin(unsigned vcpu, void *data)
{
    (void)vcpu, (void)data;
    counted_at_begin = counted;
    loads = stores = instructions_hash = accesses_hash = 0;
    between = true;
    if (trace != NULL)
        fputs("begin\n", trace);
}

/* Everything is flushed, since the program may end without the plugin's knowledge. */
static void on_end(unsigned vcpu, void *data)
{
    (void)vcpu, (void)data;
    if (!between)
        return;
    between = false;
    if (marks != NULL) {
        fprintf(marks, "- %" PRIu64 " %" PRIu64 " %" PRIu64 " -\n", counted - counted_at_begin, loads, stores);
        fflush(marks);
    }
    if (trace != NULL) {
        fputs("end\n", trace);
        fflush(trace);
    }
    if (hash != NULL) {
        fprintf(hash, "%016" PRIx64 " %016" PRIx64 "\n", instructions_hash, accesses_hash);
        fflush(hash);
    }
}

static void on_instruction(unsigned vcpu, void *data)
{
    (void)vcpu;
    place *p = data;
    if (!between)
        return;
    instructions_hash = mixed(instructions_hash, p->address);
    if (trace == NULL)
        return;
    fprintf(trace, "%" PRIx64, p->address);
    if (!p->written) {
        p->written = true;
        fputc(' ', trace);
        for (unsigned i = 0; i < p->size; i++)
            fprintf(trace, "%02x", p->bytes[i]);
    }
    fputc('\n', trace);
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)vcpu, (void)data;
    if (!between)
        return;
    bool is_store = qemu_plugin_mem_is_store(info);
    if (is_store)
        stores++;
    else
        loads++;
    accesses_hash = mixed(accesses_hash, address << 1 | is_store);
}

/* Returns 0 for the mark that begins, 1 for the one that ends, and -1 for all other instructions. */
static int mark_of(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof all_marks / sizeof all_marks[0]; i++)
        if (all_marks[i].size == size && strcmp(all_marks[i].machine, machine) == 0)
            for (int end = 0; end < 2; end++)
                if (memcmp(bytes, all_marks[i].bytes[end], size) == 0)
                    return end;
    return -1;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t n = qemu_plugin_tb_n_insns(tb);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const uint8_t *bytes = qemu_plugin_insn_data(insn);
        size_t size = qemu_plugin_insn_size(insn);
        int mark = mark_of(bytes, size);
        if (mark >= 0) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, mark == 0 ? on_begin : on_end, QEMU_PLUGIN_CB_NO_REGS, NULL);
            continue;
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &counted, 1);
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
        if (trace == NULL && hash == NULL)
            continue;
        place *p = place_of(qemu_plugin_insn_vaddr(insn), bytes, size);
        if (p == NULL) {
            fputs("qemu_plugin: too many instructions for a trace\n", stderr);
            _Exit(1);
        }
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction, QEMU_PLUGIN_CB_NO_REGS, p);
    }
}

/* Opens the file if the argument is "name=path". */
static bool opened(FILE **file, const char *name, const char *argument)
{
    size_t n = strlen(name);
    if (strncmp(argument, name, n) != 0 || argument[n] != '=')
        return false;
    *file = fopen(argument + n + 1, "w");
    return *file != NULL;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    size_t known = 0;
    for (; known < sizeof all_marks / sizeof all_marks[0]; known++)
        if (strcmp(all_marks[known].machine, info->target_name) == 0)
            break;
    if (known == sizeof all_marks / sizeof all_marks[0]) {
        fprintf(stderr, "qemu_plugin: no marks are known for %s\n", info->target_name);
        return 1;
    }
    machine = all_marks[known].machine;
    for (int i = 0; i < argc; i++)
        if (!opened(&marks, "marks", argv[i]) && !opened(&trace, "trace", argv[i]) && !opened(&hash, "hash", argv[i])) {
            fprintf(stderr, "qemu_plugin: %s: cannot be opened, or is no argument\n", argv[i]);
            return 1;
        }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    return 0;
}
