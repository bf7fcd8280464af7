/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Groups: functions of at most eight forms, kept by their truth tables.
 *
 * The 256 monomials of eight variables are a basis of all functions of them, so that a function is one XOR of monomials
 * however it is computed. The outputs of an S-box replace as many monomials in that basis, which makes what follows an
 * S-box short: eight atoms instead of a thousand. */
#include "domain.h"

#include <stdlib.h>
#include <string.h>

enum { LONG = 6, OUTPUTS_OF_PRODUCTS = 96 };

static int bit_of(const table *t, unsigned i)
{
    return t->word[i / 64] >> i % 64 & 1;
}

static void flip(table *t, unsigned i)
{
    t->word[i / 64] ^= (uint64_t)1 << i % 64;
}

static void add_table(table *t, const table *other)
{
    for (int i = 0; i < ROWS / 64; i++)
        t->word[i] ^= other->word[i];
}

/* Between values and coefficients: its own inverse. */
static void transform(table *t)
{
    static const uint64_t low[6] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                    0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
    for (int i = 0; i < ROWS / 64; i++)
        for (int k = 0; k < 6; k++)
            t->word[i] ^= (t->word[i] & low[k]) << (1 << k);
    t->word[1] ^= t->word[0];
    t->word[3] ^= t->word[2];
    t->word[2] ^= t->word[0];
    t->word[3] ^= t->word[1];
}

/* The truth table of the sum of some variables. */
static table sum_of_variables(unsigned mask)
{
    table t = {{0}};
    for (unsigned i = 0; i < ROWS; i++)
        if (__builtin_parity(i & mask))
            flip(&t, i);
    return t;
}

static literal sum_of(domain *d, const group *g, unsigned mask)
{
    literal sum = 0;
    for (unsigned i = 0; i < g->variables; i++)
        if (mask >> i & 1)
            sum = domain_xor(d, sum, g->variable[i]);
    return sum;
}

static int has_atom(const domain *d, literal x, uint32_t atom)
{
    const form *f = &d->forms[x >> 1];
    size_t low = 0, high = f->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (d->pool[f->at + middle] < atom)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->count && d->pool[f->at + low] == atom;
}

static uint32_t last_atom(const domain *d, literal x)
{
    const form *f = &d->forms[x >> 1];
    return d->pool[f->at + f->count - 1];
}

/* Tells whether a form without the atoms of a group is the form x, which has none of them. */
static int same_without(const domain *d, const form *f, uint32_t number, literal x)
{
    const form s = d->forms[x >> 1];
    uint32_t j = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t at = d->pool[f->at + i];
        if (d->atoms[at].group == number)
            continue;
        if (j == s.count || d->pool[s.at + j++] != at)
            return 0;
    }
    return j == s.count;
}

/* Finds a form as a function over one group: what is not a monomial or an output of it must be a sum of variables. */
static int view_over(domain *d, uint32_t number, literal x, table *truth)
{
    const form f = d->forms[x >> 1];
    group *g = d->groups[number];
    table polynomial = {{0}}, values = {{0}};
    int own = 0;
    for (uint32_t i = 0; i < f.count; i++) {
        const atom *a = &d->atoms[d->pool[f.at + i]];
        if (a->group != number)
            continue;
        own = 1;
        if (a->kind == ATOM_MONOMIAL)
            flip(&polynomial, a->a);
        else
            add_table(&values, &g->row[a->a].truth);
    }
    unsigned mask = 0;
    for (unsigned i = 0; i < g->variables; i++)
        if (has_atom(d, x, g->leading[i]))
            mask ^= g->basis[i];
    if (mask == 0 && !own)
        return 0;
    const literal sum = sum_of(d, g, mask);
    if (!same_without(d, &f, number, sum))
        return 0;
    if (own) {
        transform(&polynomial);
        add_table(&values, &polynomial);
    }
    if (mask != 0) {
        const table linear = sum_of_variables(mask);
        add_table(&values, &linear);
    }
    *truth = values;
    return 1;
}

/* The form as a function over the latest group that has a part in it. */
static const view *own_view(domain *d, literal x)
{
    form *f = &d->forms[x >> 1];
    if (f->view == VIEW_NONE)
        return NULL;
    if (f->view != 0)
        return &d->views[f->view];
    uint32_t latest = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t g = d->atoms[d->pool[f->at + i]].group;
        if (g > latest)
            latest = g;
    }
    table truth;
    if (latest == 0 || !view_over(d, latest, x, &truth)) {
        d->forms[x >> 1].view = VIEW_NONE;
        return NULL;
    }
    d->views = domain_grow(d->views, &d->view_room, d->view_count, sizeof *d->views);
    d->views[d->view_count] = (view){latest, truth};
    d->forms[x >> 1].view = (uint32_t)d->view_count++;
    return &d->views[d->view_count - 1];
}

int domain_is_in_group(domain *d, literal x)
{
    return own_view(d, x) != NULL;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Eliminates the pivots of outputs from a polynomial; returns the outputs that stand for them. */
static table reduced(const group *g, table *polynomial)
{
    table combined = {{0}};
    for (uint32_t i = 0; i < g->outputs; i++)
        if (bit_of(polynomial, g->row[i].pivot)) {
            add_table(polynomial, &g->row[i].polynomial);
            add_table(&combined, &g->row[i].combined);
        }
    return combined;
}

/* Returns the form of a function over a group. */
static literal composed(domain *d, uint32_t number, table values)
{
    group *g = d->groups[number];
    transform(&values);
    uint32_t atoms[2 * ROWS];
    size_t count = 0;
    literal result = 0;
    const table combined = reduced(g, &values);
    for (uint32_t i = 0; i < g->outputs; i++)
        if (bit_of(&combined, i))
            atoms[count++] = d->pool[d->forms[g->row[i].name >> 1].at];
    for (unsigned i = 0; i < ROWS / 64; i++)
        for (uint64_t left = values.word[i]; left != 0; left &= left - 1) {
            const unsigned m = 64 * i + (unsigned)__builtin_ctzll(left);
            if (m == 0) {
                result ^= 1;
            } else if ((m & (m - 1)) == 0) {
                result = domain_xor(d, result, g->variable[__builtin_ctz(m)]);
            } else {
                if (g->monomial[m] == 0) {
                    const literal x = domain_atom(d, (atom){.kind = ATOM_MONOMIAL, .group = number, .a = m});
                    g->monomial[m] = d->pool[d->forms[x >> 1].at] + 1;
                }
                atoms[count++] = g->monomial[m] - 1;
            }
        }
    qsort(atoms, count, sizeof *atoms, ascending);
    return domain_xor(d, result, domain_form(d, atoms, count));
}

/* Makes a function an output, if it has a monomial that no form has yet: all forms are in terms of the same basis. */
static void seal_output(domain *d, uint32_t number, table values)
{
    group *g = d->groups[number];
    table polynomial = values;
    transform(&polynomial);
    table combined = reduced(g, &polynomial);
    unsigned pivot = ROWS;
    while (--pivot > 0)
        if (bit_of(&polynomial, pivot) && (pivot & (pivot - 1)) != 0 && g->monomial[pivot] == 0)
            break;
    const uint32_t n = g->outputs;
    if (pivot == 0 || n == ROWS)
        return;
    flip(&combined, n);
    for (uint32_t i = 0; i < n; i++)
        if (bit_of(&g->row[i].polynomial, pivot)) {
            add_table(&g->row[i].polynomial, &polynomial);
            add_table(&g->row[i].combined, &combined);
        }
    if (n % VARIABLES == 0 && (g->row = realloc(g->row, (n + VARIABLES) * sizeof *g->row)) == NULL)
        abort();
    g->row[n] = (output){values, domain_atom(d, (atom){.kind = ATOM_OUTPUT, .group = number, .a = n}), polynomial,
                         combined, pivot};
    g->outputs++;
}

static unsigned ones(const table *t)
{
    unsigned count = 0;
    for (int i = 0; i < ROWS / 64; i++)
        count += (unsigned)__builtin_popcountll(t->word[i]);
    return count;
}

/* The form of a product. What is long is made an output: the sums of such products, which a circuit of an S-box ends with,
 * are short then. */
static literal composed_product(domain *d, uint32_t number, table values)
{
    table polynomial = values;
    transform(&polynomial);
    const table combined = reduced(d->groups[number], &polynomial);
    if (ones(&polynomial) + ones(&combined) > LONG && d->groups[number]->outputs < OUTPUTS_OF_PRODUCTS)
        seal_output(d, number, values);
    return composed(d, number, values);
}

int domain_and_in_group(domain *d, literal x, literal y, literal *out)
{
    if (d->group_count == 1)
        return 0;
    const view *of_x = own_view(d, x);
    const view v = of_x ? *of_x : (view){0};
    const view *of_y = own_view(d, y);
    const view w = of_y ? *of_y : (view){0};
    table first, second;
    uint32_t number = 0;
    if (v.group != 0 && v.group == w.group) {
        number = v.group, first = v.truth, second = w.truth;
    } else if (v.group != 0 && view_over(d, v.group, y, &second)) {
        number = v.group, first = v.truth;
    } else if (w.group != 0 && view_over(d, w.group, x, &first)) {
        number = w.group, second = w.truth;
    } else { /* both are sums of variables of a group */
        size_t place = SIZE_MAX;
        for (uint32_t candidate;
             number == 0 && (candidate = index_next(&d->leading_index, last_atom(d, x), &place)) != UINT32_MAX;) {
            if (view_over(d, candidate, x, &first) && view_over(d, candidate, y, &second))
                number = candidate;
        }
    }
    if (number == 0)
        return 0;
    for (int i = 0; i < ROWS / 64; i++)
        first.word[i] &= second.word[i];
    *out = composed_product(d, number, first);
    return 1;
}

/* Makes a group of those among n forms that are linearly independent, and says of which of them each form is the sum; or
 * returns 0 if they are more than eight. */
static uint32_t new_group(domain *d, const literal *index, unsigned n, unsigned *masks)
{
    group *g = calloc(1, sizeof *g);
    if (g == NULL)
        abort();
    for (unsigned i = 0; i < n; i++) {
        literal rest = index[i] & ~1U;
        unsigned mask = 0;
        for (unsigned k = 0; k < g->variables && rest != 0; k++)
            if (has_atom(d, rest, g->leading[k])) {
                rest = domain_xor(d, rest, g->basis_form[k]);
                mask ^= g->basis[k];
            }
        masks[i] = mask;
        if (rest == 0)
            continue;
        const unsigned v = g->variables;
        if (v == VARIABLES) {
            free(g);
            return 0;
        }
        masks[i] = 1U << v;
        g->variable[v] = index[i] & ~1U;
        g->leading[v] = last_atom(d, rest);
        g->basis[v] = (uint8_t)(mask ^ 1U << v);
        g->basis_form[v] = rest;
        for (unsigned k = 0; k < v; k++)
            if (has_atom(d, g->basis_form[k], g->leading[v])) {
                g->basis_form[k] = domain_xor(d, g->basis_form[k], rest);
                g->basis[k] ^= g->basis[v];
            }
        g->variables++;
    }
    d->groups = domain_grow(d->groups, &d->group_room, d->group_count, sizeof *d->groups);
    const uint32_t number = (uint32_t)d->group_count++;
    d->groups[number] = g;
    for (unsigned i = 0; i < g->variables; i++)
        index_add(&d->leading_index, g->leading[i], number);
    return number;
}

/* Tells whether all n bits of an index are functions over one group, and which. */
static int all_over(domain *d, uint32_t number, const literal *index, unsigned n, table *truth)
{
    for (unsigned i = 0; i < n; i++)
        if (index[i] < 2)
            truth[i] = (table){{0}};
        else if (!view_over(d, number, index[i], &truth[i]))
            return 0;
    return 1;
}

/* Finds a group over which all n bits of an index are functions, and these. */
static uint32_t group_of(domain *d, const literal *index, unsigned n, table *truth)
{
    unsigned first = 0;
    while (first < n && index[first] < 2)
        first++;
    const view *own = own_view(d, index[first]);
    if (own != NULL) {
        const uint32_t number = own->group;
        if (all_over(d, number, index, n, truth))
            return number;
    }
    size_t place = SIZE_MAX;
    for (uint32_t candidate;
         (candidate = index_next(&d->leading_index, last_atom(d, index[first]), &place)) != UINT32_MAX;)
        if (all_over(d, candidate, index, n, truth))
            return candidate;
    return 0;
}

int domain_look_up(domain *d, literal *out, const literal *index, unsigned n, const uint8_t *entries, unsigned width)
{
    table truth[16];
    unsigned symbolic = 0, fixed = 0;
    if (n > 16)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        symbolic += index[i] > 1;
        fixed |= (index[i] == 1U) << i;
    }
    uint32_t number = 0;
    if (symbolic != 0) {
        if ((number = group_of(d, index, n, truth)) == 0) {
            unsigned masks[16];
            if ((number = new_group(d, index, n, masks)) == 0)
                return 0;
            for (unsigned i = 0; i < n; i++)
                truth[i] = sum_of_variables(masks[i]);
        }
    }
    uint32_t row[ROWS];
    for (unsigned v = 0; v < ROWS; v++) {
        row[v] = fixed;
        for (unsigned i = 0; i < n; i++)
            if (index[i] > 1)
                row[v] |= (uint32_t)(bit_of(&truth[i], v) ^ (int)(index[i] & 1)) << i;
    }
    for (unsigned b = 0; b < width; b++) {
        table values = {{0}};
        for (unsigned v = 0; v < ROWS; v++) {
            const size_t bit = (size_t)row[v] * width + b;
            if (entries[bit / 8] >> bit % 8 & 1)
                flip(&values, v);
        }
        if (symbolic == 0) {
            out[b] = (literal)bit_of(&values, 0);
            continue;
        }
        seal_output(d, number, values);
        out[b] = composed(d, number, values);
    }
    return 1;
}
