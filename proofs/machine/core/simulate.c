/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The values of literals for given inputs, 64 at a time: how instructions are compared with processors. */
#include "domain.h"

#include <stdlib.h>
#include <string.h>

typedef struct run {
    const domain *d;
    const uint64_t *inputs; /* for each atom, of an input */
    uint64_t *value;        /* of each atom */
} run;

static uint64_t of_literal(const run *r, literal x)
{
    const form *f = &r->d->forms[x >> 1];
    uint64_t sum = x & 1 ? ~(uint64_t)0 : 0;
    for (uint32_t i = 0; i < f->count; i++)
        sum ^= r->value[r->d->pool[f->at + i]];
    return sum;
}

/* A name's own form: of_literal of it would be the name. */
static uint64_t of_atom(const run *r, const atom *a)
{
    const group *g = r->d->groups[a->group];
    uint64_t result = 0, variable[VARIABLES], of[3];
    const struct adder *sum;
    switch (a->kind) {
    case ATOM_PRODUCT:
        return of_literal(r, a->a) & of_literal(r, a->b);
    case ATOM_MONOMIAL:
        result = ~(uint64_t)0;
        for (unsigned i = 0; i < VARIABLES; i++)
            if (a->a >> i & 1)
                result &= of_literal(r, g->variable[i]);
        return result;
    case ATOM_OUTPUT:
        for (unsigned i = 0; i < g->variables; i++)
            variable[i] = of_literal(r, g->variable[i]);
        for (unsigned lane = 0; lane < 64; lane++) {
            unsigned row = 0;
            for (unsigned i = 0; i < g->variables; i++)
                row |= (unsigned)(variable[i] >> lane & 1) << i;
            result |= (g->row[a->a].truth.word[row / 64] >> row % 64 & 1) << lane;
        }
        return result;
    case ATOM_CARRY:
        sum = &r->d->adders[a->a];
        of[0] = of_literal(r, sum->x);
        of[1] = of_literal(r, sum->y);
        of[2] = of_literal(r, sum->carry);
        return (of[0] & of[1]) | (of[2] & (of[0] | of[1]));
    default:
        return of_literal(r, a->a);
    }
}

/* Evaluates word w of all inputs, in the memory of run r. */
static run evaluated(run r, const uint64_t *values, size_t words, size_t w)
{
    size_t input = 0;
    for (size_t i = 0; i < r.d->atom_count; i++)
        r.value[i] = r.d->atoms[i].kind == ATOM_INPUT ? values[input++ * words + w] : of_atom(&r, &r.d->atoms[i]);
    return r;
}

static run new_run(const domain *d)
{
    run r = {.d = d, .value = calloc(d->atom_count + 1, sizeof *r.value)};
    if (r.value == NULL)
        abort();
    return r;
}

void domain_simulate(domain *d, const literal *wanted, size_t count, const uint64_t *values, size_t words,
                     uint64_t *out)
{
    run r = new_run(d);
    for (size_t w = 0; w < words; w++) {
        r = evaluated(r, values, words, w);
        for (size_t i = 0; i < count; i++)
            out[i * words + w] = of_literal(&r, wanted[i]);
    }
    free(r.value);
}

size_t domain_wrong_notes(domain *d, const uint64_t *values, size_t words)
{
    const index_table *t = &d->product_index;
    run r = new_run(d);
    size_t wrong = 0;
    for (size_t w = 0; w < words; w++) {
        r = evaluated(r, values, words, w);
        for (size_t i = 0; t->row != NULL && i <= t->mask; i++) {
            if (t->row[i] == UINT32_MAX)
                continue;
            const literal x = (literal)(t->key[i] >> 32), y = (literal)t->key[i];
            wrong += (of_literal(&r, x) & of_literal(&r, y)) != of_literal(&r, d->product_result[t->row[i]]);
        }
        for (size_t i = 0; i < d->adder_count; i++) {
            const struct adder *a = &d->adders[i];
            const uint64_t x = of_literal(&r, a->x), y = of_literal(&r, a->y), c = of_literal(&r, a->carry);
            wrong += ((x & y) | (c & (x | y))) != of_literal(&r, a->next);
        }
    }
    free(r.value);
    return wrong;
}
