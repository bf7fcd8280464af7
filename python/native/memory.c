/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory: aligned and wiped for contexts, quickly there for large results. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

runnel_stream *native_context_new(const runnel_cipher *cipher)
{
    const size_t line = RUNNEL_RECOMMENDED_ALIGN, bytes = (cipher->context_bytes + line - 1) / line * line;
    runnel_stream *context = aligned_alloc(line, bytes);
    if (context != NULL)
        memset(context, 0, sizeof *context);
    return context;
}

void native_context_free(runnel_stream *context)
{
    runnel_stream_wipe(context);
    free(context);
}

/* Fresh memory costs a page fault for each 4 KiB, which takes several times as long as the fastest ciphers need for
 * them. From two huge pages on, ask for huge pages where they are whole: memory outside the result is not touched. */
static void advise(char *memory, size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const uintptr_t huge = (uintptr_t)1 << 21;
    if (bytes < 2 * huge)
        return;
    uintptr_t start = ((uintptr_t)memory + huge - 1) & ~(huge - 1), end = ((uintptr_t)memory + bytes) & ~(huge - 1);
    if (start < end)
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE); /* only advice: failing is no error */
#else
    (void)memory;
    (void)bytes;
#endif
}

PyObject *native_result_new(Py_ssize_t bytes)
{
    PyObject *result = PyBytes_FromStringAndSize(NULL, bytes);
    if (result != NULL)
        advise(PyBytes_AsString(result), (size_t)bytes);
    return result;
}
