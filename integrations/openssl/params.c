/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Parameters of OpenSSL: a name, a type, and memory of the program's that is read or filled in. */
#include "provider.h"

int param_get_size(const OSSL_PARAM *p, size_t *value)
{
    if (p->data == NULL || (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER))
        return 0;
    const int is_signed = p->data_type == OSSL_PARAM_INTEGER;
    uint64_t wide = 0;
    if (p->data_size == sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, p->data, sizeof word);
        if (is_signed && word > INT32_MAX)
            return 0;
        wide = word;
    } else if (p->data_size == sizeof(uint64_t)) {
        memcpy(&wide, p->data, sizeof wide);
        if (is_signed && wide > INT64_MAX)
            return 0;
    } else {
        return 0;
    }
    *value = (size_t)wide;
    return *value == wide;
}

int param_set_size(OSSL_PARAM *p, size_t value)
{
    if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER)
        return 0;
    p->return_size = sizeof(size_t);
    if (p->data == NULL) /* the program asks how large it is */
        return 1;
    if (p->data_size == sizeof(uint32_t)) {
        const uint32_t word = (uint32_t)value;
        if (value > INT32_MAX)
            return 0;
        memcpy(p->data, &word, sizeof word);
    } else if (p->data_size == sizeof(uint64_t)) {
        const uint64_t word = value;
        memcpy(p->data, &word, sizeof word);
    } else {
        return 0;
    }
    p->return_size = p->data_size;
    return 1;
}

int param_set_bytes(OSSL_PARAM *p, const uint8_t *bytes, size_t count)
{
    p->return_size = count;
    if (p->data_type == OSSL_PARAM_OCTET_PTR) {
        if (p->data != NULL)
            memcpy(p->data, &bytes, sizeof bytes);
        return 1;
    }
    if (p->data_type != OSSL_PARAM_OCTET_STRING || (p->data != NULL && p->data_size < count))
        return 0;
    if (p->data != NULL && count > 0)
        memcpy(p->data, bytes, count);
    return 1;
}
