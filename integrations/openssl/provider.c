/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The provider itself: its description for OpenSSL's core, and errors. */
#include "provider.h"

#include <stdarg.h>
#include <stdlib.h>

/* ---- errors ---- */

static void set_error(const provider_context *p, uint32_t reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    p->vset_error(p->core, reason, format, arguments);
    va_end(arguments);
}

int provider_fail(const provider_context *p, int reason, const char *function)
{
    if (p->new_error != NULL && p->set_error_debug != NULL && p->vset_error != NULL) {
        p->new_error(p->core);
        p->set_error_debug(p->core, "runnel", 0, function);
        set_error(p, (uint32_t)reason, NULL);
    }
    return 0;
}

/* Texts by number: the library's, and those of the provider's own reasons. */
static void fill_reasons(provider_context *p)
{
    static const OSSL_ITEM own[] = {
        {REASON_ROOM, (void *)"the output buffer is too small"},
        {REASON_NO_TAG, (void *)"there is no tag"},
        {REASON_RECORD, (void *)"not a TLS record, or one out of turn"},
        {REASON_PARAMETER, (void *)"a parameter has the wrong type or size"},
        {REASON_RANDOM, (void *)"the system gives no random bytes"},
        {REASON_MEMORY, (void *)"out of memory"},
    };
    enum { COUNT = sizeof own / sizeof *own };
    OSSL_ITEM *next = p->reasons;
    for (int error = RUNNEL_ERR_NULL; error >= RUNNEL_ERR_ONE_SHOT; error--, next++) {
        next->id = (unsigned)(FIRST_REASON - error);
        next->ptr = (void *)(uintptr_t)runnel_error_text(error);
    }
    memcpy(next, own, sizeof own);
    _Static_assert(-RUNNEL_ERR_ONE_SHOT + COUNT < sizeof p->reasons / sizeof *p->reasons, "the last one stays zero");
}

/* ---- memory ---- */

static size_t whole_lines(size_t bytes)
{
    return (bytes + RUNNEL_RECOMMENDED_ALIGN - 1) / RUNNEL_RECOMMENDED_ALIGN * RUNNEL_RECOMMENDED_ALIGN;
}

static void *allocate(const provider_context *p, size_t bytes)
{
    void *memory = aligned_alloc(RUNNEL_RECOMMENDED_ALIGN, whole_lines(bytes));
    if (memory == NULL)
        provider_fail(p, REASON_MEMORY, __func__);
    return memory;
}

void *provider_allocate(const provider_context *p, size_t head_bytes, size_t context_bytes, size_t zeros)
{
    void *memory = allocate(p, head_bytes + context_bytes);
    if (memory != NULL)
        memset(memory, 0, head_bytes + zeros);
    return memory;
}

void *provider_duplicate(const provider_context *p, const void *old, size_t head_bytes, size_t context_bytes)
{
    void *memory = allocate(p, head_bytes + context_bytes);
    if (memory != NULL)
        memcpy(memory, old, head_bytes + context_bytes);
    return memory;
}

/* ---- what the core asks ---- */

static const OSSL_PARAM *gettable_params(void *provider)
{
    static const OSSL_PARAM known[] = {
        {OSSL_PROV_PARAM_NAME, OSSL_PARAM_UTF8_PTR, NULL, 0, 0},
        {OSSL_PROV_PARAM_VERSION, OSSL_PARAM_UTF8_PTR, NULL, 0, 0},
        {OSSL_PROV_PARAM_BUILDINFO, OSSL_PARAM_UTF8_PTR, NULL, 0, 0},
        {OSSL_PROV_PARAM_STATUS, OSSL_PARAM_INTEGER, NULL, sizeof(int), 0},
        {NULL, 0, NULL, 0, 0},
    };
    (void)provider;
    return known;
}

static int set_text(OSSL_PARAM *p, const char *text)
{
    if (p->data_type != OSSL_PARAM_UTF8_PTR)
        return 0;
    p->return_size = strlen(text);
    if (p->data != NULL)
        memcpy(p->data, &text, sizeof text);
    return 1;
}

static int get_params(void *provider, OSSL_PARAM params[])
{
    (void)provider;
    for (OSSL_PARAM *p = params; p->key != NULL; p++) {
        int done = 1;
        if (param_is(p, OSSL_PROV_PARAM_NAME))
            done = set_text(p, "Runnel");
        else if (param_is(p, OSSL_PROV_PARAM_VERSION) || param_is(p, OSSL_PROV_PARAM_BUILDINFO))
            done = set_text(p, RUNNEL_PROVIDER_VERSION);
        else if (param_is(p, OSSL_PROV_PARAM_STATUS))
            done = param_set_size(p, 1);
        if (!done)
            return 0;
    }
    return 1;
}

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_cache)
{
    const provider_context *p = provider;
    *no_cache = 0;
    return operation == OSSL_OP_CIPHER ? provider_ciphers(p->short_keys) : NULL;
}

static const OSSL_ITEM *reasons(void *provider)
{
    const provider_context *p = provider;
    return p->reasons;
}

static const OSSL_DISPATCH functions[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))free},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
    {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))reasons},
    {0, NULL},
};

/* The provider's section of the configuration file says `short-keys = yes`. */
static int asks_for_short_keys(const OSSL_CORE_HANDLE *core, OSSL_FUNC_core_get_params_fn *core_get_params)
{
    const char *value = NULL;
    OSSL_PARAM asked[] = {{"short-keys", OSSL_PARAM_UTF8_PTR, &value, 0, 0}, {NULL, 0, NULL, 0, 0}};
    return core_get_params != NULL && core_get_params(core, asked) && value != NULL && strcmp(value, "yes") == 0;
}

RUNNEL_API OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                       void **provider)
{
    OSSL_FUNC_core_get_params_fn *core_get_params = NULL;
    provider_context *p = calloc(1, sizeof *p);
    if (p == NULL)
        return 0;
    p->core = handle;
    for (; in->function_id != 0; in++)
        switch (in->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS:
            core_get_params = OSSL_FUNC_core_get_params(in);
            break;
        case OSSL_FUNC_CORE_NEW_ERROR:
            p->new_error = OSSL_FUNC_core_new_error(in);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            p->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            p->vset_error = OSSL_FUNC_core_vset_error(in);
            break;
        default:
            break;
        }
    fill_reasons(p);
    p->short_keys = asks_for_short_keys(handle, core_get_params);
    *provider = p;
    *out = functions;
    return 1;
}
