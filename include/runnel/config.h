/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Build-time knobs. Firmware that compiles the sources sets them on the compiler's command line, the same for all of its
 * files. An installed copy of this file has the values that the library was built with, because they change the size of
 * the contexts, and a compiler that is given others stops here. */
#ifndef RUNNEL_CONFIG_H
#define RUNNEL_CONFIG_H

/*BUILD-VALUES*/

/* RUNNEL_HOSTED: 1 where there is an operating system (getenv, run-time CPU detection), 0 on bare metal. */
#ifndef RUNNEL_HOSTED
#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32) || defined(__unix__)
#define RUNNEL_HOSTED 1
#else
#define RUNNEL_HOSTED 0
#endif
#endif

/* RUNNEL_PREFIX: 1 keeps prefix tables inside the contexts of the ciphers that profit from them (on hosts 4 to
 * 9 KiB; in firmware what the kernel needs), 0 leaves them out. Default: 1 on hosts, 0 elsewhere. */
#ifndef RUNNEL_PREFIX
#define RUNNEL_PREFIX RUNNEL_HOSTED
#endif

/* RUNNEL_<FOLDER>_KERNEL, for instance RUNNEL_AES_KERNEL=avr_sram: the one kernel of a folder that is linked, by its
 * name with _ for -. Without it all that the architecture can run are linked, and key set-up chooses. */

/* RUNNEL_TEXTS: 1 keeps the texts of ciphers and kernels (names, titles, citations), 0 leaves them NULL. Default: 1 on
 * hosts. */
#ifndef RUNNEL_TEXTS
#define RUNNEL_TEXTS RUNNEL_HOSTED
#endif

/* RUNNEL_IN_FLASH: qualifies what AVR reads from flash and has no copy of in SRAM. The compiler supports it in its GNU dialects
 * (-std=gnu11, which is its default); all files of a program are compiled in one dialect. */
#ifndef RUNNEL_IN_FLASH
#if defined(__FLASH) && !defined(__STRICT_ANSI__)
#define RUNNEL_IN_FLASH __flash
#else
#define RUNNEL_IN_FLASH
#endif
#endif

/* RUNNEL_DECRYPT: 1 links raw decryption with the kernels that support it, for runnel_<family>_blocks_decrypt; no mode of
 * the library needs it. Default: 1 on hosts. */
#ifndef RUNNEL_DECRYPT
#define RUNNEL_DECRYPT RUNNEL_HOSTED
#endif

/* RUNNEL_COUNT_BITS: width of the block count of a message, 64 or 32. With 32 a message ends, as an error, after
 * 2^32 - 1 blocks; only HMAC's, 256 GiB long, does not: its tag would be that of another length. Default: 64 on hosts,
 * 32 elsewhere. */
#ifndef RUNNEL_COUNT_BITS
#if RUNNEL_HOSTED
#define RUNNEL_COUNT_BITS 64
#else
#define RUNNEL_COUNT_BITS 32
#endif
#endif

/* RUNNEL_STACK_BYTES: how far below its caller _wipe clears the stack, see <runnel/stream.h>; 0: not at all. No function
 * of the library goes deeper than the default on hosts. Default: 12288 on hosts, 0 elsewhere. */
#ifndef RUNNEL_STACK_BYTES
#define RUNNEL_STACK_BYTES (RUNNEL_HOSTED ? 12288 : 0)
#endif

/* RUNNEL_ALIGN: what the address of a context must be a multiple of, and what the types ask of a compiler. On hosts no
 * more than malloc promises, so that a context may lie in any memory from it and be copied from there to anywhere. */
#if defined(__AVR__)
#define RUNNEL_NATURAL_ALIGN 1
#elif RUNNEL_HOSTED && (defined(__LP64__) || defined(_WIN64) || defined(__x86_64__))
#define RUNNEL_NATURAL_ALIGN 16
#else
#define RUNNEL_NATURAL_ALIGN 8
#endif
#ifndef RUNNEL_ALIGN
#define RUNNEL_ALIGN RUNNEL_NATURAL_ALIGN
#endif

/* Width of the words in which some ciphers keep their bits: that of the processor's registers, even where pointers are
 * narrower, as in x32. */
#if defined(__LP64__) || defined(_WIN64) || defined(__x86_64__) || defined(__aarch64__) || defined(__mips64)
#define RUNNEL_WORD_BITS 64
#else
#define RUNNEL_WORD_BITS 32
#endif

/* The alignment of that address, where the choice is the caller's (aligned_alloc, _Alignas): then no vector of a
 * table in it crosses a cache line. Only speed depends on it: otherwise HC-128 takes an eighth longer on x86-64. */
#if RUNNEL_HOSTED && RUNNEL_ALIGN < 64
#define RUNNEL_RECOMMENDED_ALIGN 64
#else
#define RUNNEL_RECOMMENDED_ALIGN RUNNEL_ALIGN
#endif

#if defined(__cplusplus)
#define RUNNEL_ALIGNED alignas(RUNNEL_ALIGN)
#else
#define RUNNEL_ALIGNED _Alignas(RUNNEL_ALIGN)
#endif

/* Padding after the first `bytes` bytes of a context: the next member begins on a cache line if the context does. */
#if RUNNEL_RECOMMENDED_ALIGN > RUNNEL_ALIGN
#define RUNNEL_TO_LINE(bytes) uint8_t to_line[RUNNEL_RECOMMENDED_ALIGN - (bytes) % RUNNEL_RECOMMENDED_ALIGN];
#else
#define RUNNEL_TO_LINE(bytes)
#endif

#if defined(__GNUC__)
#define RUNNEL_API __attribute__((visibility("default")))
#define RUNNEL_MUST_CHECK __attribute__((warn_unused_result))
#else
#define RUNNEL_API
#define RUNNEL_MUST_CHECK
#endif

#endif
