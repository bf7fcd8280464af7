/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Atoms, forms and their sums. */
#include "domain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { XOR_CACHE = 1 << 20 };

/* Makes room for one element more. Out of memory ends the proof, which is all that it could do. */
void *domain_grow(void *array, size_t *room, size_t used, size_t size)
{
    if (used < *room)
        return array;
    *room = *room ? 2 * *room : 1024;
    void *grown = realloc(array, *room * size);
    if (grown == NULL) {
        fputs("proofs/machine: out of memory\n", stderr);
        abort();
    }
    return grown;
}

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

uint64_t domain_atom_hash(uint32_t number)
{
    return mixed(number + 1);
}

void index_add(index_table *t, uint64_t key, uint32_t row)
{
    if (2 * (t->used + 1) > t->mask + (t->row != NULL)) {
        index_table wider = {.mask = t->row == NULL ? 4095 : 2 * t->mask + 1};
        wider.key = malloc((wider.mask + 1) * sizeof *wider.key);
        wider.row = malloc((wider.mask + 1) * sizeof *wider.row);
        if (wider.key == NULL || wider.row == NULL)
            abort();
        memset(wider.row, 0xff, (wider.mask + 1) * sizeof *wider.row);
        for (size_t i = 0; t->row != NULL && i <= t->mask; i++)
            if (t->row[i] != UINT32_MAX)
                index_add(&wider, t->key[i], t->row[i]);
        free(t->key);
        free(t->row);
        *t = wider;
    }
    size_t i = mixed(key) & t->mask;
    while (t->row[i] != UINT32_MAX)
        i = (i + 1) & t->mask;
    t->key[i] = key;
    t->row[i] = row;
    t->used++;
}

uint32_t index_next(const index_table *t, uint64_t key, size_t *place)
{
    if (t->row == NULL)
        return UINT32_MAX;
    size_t i = *place == SIZE_MAX ? mixed(key) & t->mask : (*place + 1) & t->mask;
    for (; t->row[i] != UINT32_MAX; i = (i + 1) & t->mask)
        if (t->key[i] == key) {
            *place = i;
            return t->row[i];
        }
    return UINT32_MAX;
}

domain *domain_new(void)
{
    domain *d = calloc(1, sizeof *d);
    if (d == NULL || (d->xor_cache = calloc(XOR_CACHE, sizeof *d->xor_cache)) == NULL)
        abort();
    domain_form(d, NULL, 0); /* number 0: the constants */
    d->views = domain_grow(NULL, &d->view_room, 0, sizeof *d->views);
    d->view_count = 1;
    d->groups = domain_grow(NULL, &d->group_room, 0, sizeof(group *));
    d->groups[0] = NULL;
    d->group_count = 1;
    return d;
}

void domain_free(domain *d)
{
    for (size_t i = 1; i < d->group_count; i++) {
        free(d->groups[i]->row);
        free(d->groups[i]);
    }
    void *owned[] = {d->atoms,
                     d->forms,
                     d->pool,
                     d->views,
                     d->groups,
                     d->form_index.key,
                     d->form_index.row,
                     d->product_index.key,
                     d->product_index.row,
                     d->leading_index.key,
                     d->leading_index.row,
                     d->product_result,
                     d->product_groups,
                     d->adder_index.key,
                     d->adder_index.row,
                     d->adders,
                     d->xor_cache,
                     d->scratch};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(d);
}

static literal interned(domain *d, const uint32_t *atoms, size_t count, uint64_t hash)
{
    size_t place = SIZE_MAX;
    for (uint32_t i; (i = index_next(&d->form_index, hash, &place)) != UINT32_MAX;) {
        const form *f = &d->forms[i];
        if (f->count == count && memcmp(d->pool + f->at, atoms, count * sizeof *atoms) == 0)
            return f->alias;
    }
    while (d->pool_used + count > d->pool_room)
        d->pool = domain_grow(d->pool, &d->pool_room, d->pool_room, sizeof *d->pool);
    d->forms = domain_grow(d->forms, &d->form_room, d->form_count, sizeof *d->forms);
    const uint32_t number = (uint32_t)d->form_count++;
    d->forms[number] = (form){.hash = hash, .at = d->pool_used, .count = (uint32_t)count, .alias = 2 * number};
    if (count != 0)
        memcpy(d->pool + d->pool_used, atoms, count * sizeof *atoms);
    d->pool_used += count;
    if (count > d->longest)
        d->longest = (uint32_t)count;
    index_add(&d->form_index, hash, number);
    return 2 * number;
}

literal domain_form(domain *d, const uint32_t *atoms, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash ^= domain_atom_hash(atoms[i]);
    return interned(d, atoms, count, hash);
}

literal domain_atom(domain *d, atom a)
{
    d->atoms = domain_grow(d->atoms, &d->atom_room, d->atom_count, sizeof *d->atoms);
    const uint32_t number = (uint32_t)d->atom_count++;
    d->atoms[number] = a;
    return interned(d, &number, 1, domain_atom_hash(number));
}

literal domain_input(domain *d)
{
    return domain_atom(d, (atom){.kind = ATOM_INPUT});
}

literal domain_name(domain *d, literal x, int carry)
{
    const uint32_t number = x >> 1;
    if (d->forms[number].count < 2)
        return x;
    const literal name = domain_atom(d, (atom){.kind = ATOM_NAME, .a = 2 * number, .b = carry != 0});
    d->forms[number].alias = name;
    return name ^ (x & 1);
}

literal domain_xor(domain *d, literal x, literal y)
{
    const literal sign = (x ^ y) & 1;
    x &= ~1U;
    y &= ~1U;
    if (x == 0 || y == 0 || x == y)
        return (x == y ? 0 : x | y) ^ sign;
    if (x > y) {
        const literal z = x;
        x = y;
        y = z;
    }
    const size_t cached = mixed((uint64_t)x << 32 | y) & (XOR_CACHE - 1);
    if (d->xor_cache[cached].a == x && d->xor_cache[cached].b == y)
        return domain_standing(d, d->xor_cache[cached].result) ^ sign;

    const form f = d->forms[x >> 1], g = d->forms[y >> 1];
    if (d->scratch_room < (size_t)f.count + g.count) {
        d->scratch_room = 2 * ((size_t)f.count + g.count);
        if ((d->scratch = realloc(d->scratch, d->scratch_room * sizeof *d->scratch)) == NULL)
            abort();
    }
    const uint32_t *p = d->pool + f.at, *q = d->pool + g.at, *const p_end = p + f.count, *const q_end = q + g.count;
    size_t n = 0;
    while (p < p_end && q < q_end) {
        if (*p == *q)
            p++, q++;
        else
            d->scratch[n++] = *p < *q ? *p++ : *q++;
    }
    while (p < p_end)
        d->scratch[n++] = *p++;
    while (q < q_end)
        d->scratch[n++] = *q++;
    const literal result = interned(d, d->scratch, n, f.hash ^ g.hash);
    d->xor_cache[cached].a = x;
    d->xor_cache[cached].b = y;
    d->xor_cache[cached].result = result;
    return result ^ sign;
}
