/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Groups: functions of at most eight forms, kept by their truth tables.
 *
 * The 256 monomials of eight variables are a basis of all functions of them, so that a function is one XOR of monomials
 * however it is computed. The outputs of an S-box replace as many monomials in that basis, which makes what follows an
 * S-box short: eight atoms instead of a thousand. */
#include "domain.h"

#include <stdlib.h>
#include <string.h>

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

/* Returns which variables of a group add up to a form, 0 if none do. */
static unsigned mask_in(domain *d, uint32_t number, literal x)
{
    size_t place = SIZE_MAX;
    for (uint32_t i; (i = index_next(&d->span_index, d->forms[x >> 1].hash, &place)) != UINT32_MAX;)
        if (d->span_group[i] == number && sum_of(d, d->groups[number], d->span_mask[i]) == (x & ~1U))
            return d->span_mask[i];
    return 0;
}

/* Finds a form as a function over one group: what is not a monomial or an output of it must be a sum of variables. */
static int view_over(domain *d, uint32_t number, literal x, table *truth)
{
    const form f = d->forms[x >> 1];
    group *g = d->groups[number];
    table polynomial = {{0}}, values = {{0}};
    uint64_t rest = f.hash;
    uint32_t rest_count = f.count;
    for (uint32_t i = 0; i < f.count; i++) {
        const uint32_t at = d->pool[f.at + i];
        const atom *a = &d->atoms[at];
        if (a->group != number)
            continue;
        rest ^= domain_atom_hash(at);
        rest_count--;
        if (a->kind == ATOM_MONOMIAL)
            flip(&polynomial, a->a);
        else
            add_table(&values, &g->truth[a->a]);
    }
    transform(&polynomial);
    add_table(&values, &polynomial);
    if (rest_count != 0) {
        size_t place = SIZE_MAX;
        unsigned mask = 0;
        for (uint32_t i; (i = index_next(&d->span_index, rest, &place)) != UINT32_MAX && mask == 0;)
            if (d->span_group[i] == number) {
                /* The sum of these variables and the rest must be nothing at all. */
                const literal sum = sum_of(d, g, d->span_mask[i]);
                const form s = d->forms[sum >> 1];
                if (s.count != rest_count)
                    continue;
                uint32_t same = 0, j = 0;
                for (uint32_t k = 0; k < f.count; k++) {
                    const uint32_t at = d->pool[d->forms[x >> 1].at + k];
                    if (d->atoms[at].group == number)
                        continue;
                    same += d->pool[s.at + j++] == at;
                }
                if (same == rest_count)
                    mask = d->span_mask[i];
            }
        if (mask == 0)
            return 0;
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

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Returns the form of a function over a group. */
static literal composed(domain *d, uint32_t number, table values)
{
    group *g = d->groups[number];
    transform(&values);
    uint32_t atoms[ROWS];
    size_t count = 0;
    literal result = 0;
    uint32_t combined = 0;
    for (uint32_t i = 0; i < g->outputs; i++)
        if (bit_of(&values, g->row[i].pivot)) {
            add_table(&values, &g->row[i].polynomial);
            combined ^= g->row[i].combined;
        }
    for (uint32_t i = 0; i < g->outputs; i++)
        if (combined >> i & 1)
            atoms[count++] = d->pool[d->forms[g->output_literal[i] >> 1].at];
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

int domain_and_in_group(domain *d, literal x, literal y, literal *out)
{
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
        for (uint32_t i; number == 0 && (i = index_next(&d->span_index, d->forms[x >> 1].hash, &place)) != UINT32_MAX;) {
            const uint32_t candidate = d->span_group[i];
            if (view_over(d, candidate, x, &first) && view_over(d, candidate, y, &second))
                number = candidate;
        }
    }
    if (number == 0)
        return 0;
    for (int i = 0; i < ROWS / 64; i++)
        first.word[i] &= second.word[i];
    *out = composed(d, number, first);
    return 1;
}

/* Makes a group of those among n forms that are linearly independent, or returns 0 if they are more than eight. */
static uint32_t new_group(domain *d, const literal *index, unsigned n)
{
    group *g = calloc(1, sizeof *g);
    if (g == NULL)
        abort();
    d->groups = domain_grow(d->groups, &d->group_room, d->group_count, sizeof *d->groups);
    const uint32_t number = (uint32_t)d->group_count++;
    d->groups[number] = g;
    uint32_t span = 1;
    for (unsigned i = 0; i < n; i++) {
        const literal x = index[i] & ~1U;
        if (x == 0 || mask_in(d, number, x) != 0)
            continue;
        if (g->variables == VARIABLES) { /* an unfinished group is in nobody's way: its span says nothing wrong */
            return 0;
        }
        g->variable[g->variables] = x;
        uint64_t hash[ROWS / 2];
        hash[0] = d->forms[x >> 1].hash;
        for (uint32_t m = 1; m < span; m++)
            hash[m] = hash[m & (m - 1)] ^ d->forms[g->variable[__builtin_ctz(m)] >> 1].hash;
        for (uint32_t m = 0; m < span; m++) {
            size_t room = d->span_room;
            d->span_mask = domain_grow(d->span_mask, &room, d->span_count, sizeof *d->span_mask);
            d->span_group = domain_grow(d->span_group, &d->span_room, d->span_count, sizeof *d->span_group);
            d->span_group[d->span_count] = number;
            d->span_mask[d->span_count] = (uint8_t)(m | span);
            index_add(&d->span_index, hash[m], (uint32_t)d->span_count++);
        }
        g->variables++;
        span *= 2;
    }
    return number;
}

/* Finds a group over which all n bits of an index are functions, and these. */
static uint32_t group_of(domain *d, const literal *index, unsigned n, table *truth)
{
    unsigned first = 0;
    while (first < n && index[first] < 2)
        first++;
    uint32_t tried[16], tries = 0;
    const view *own = own_view(d, index[first]);
    if (own != NULL)
        tried[tries++] = own->group;
    size_t place = SIZE_MAX;
    for (uint32_t i;
         tries < 16 && (i = index_next(&d->span_index, d->forms[index[first] >> 1].hash, &place)) != UINT32_MAX;)
        tried[tries++] = d->span_group[i];
    for (uint32_t t = 0; t < tries; t++) {
        unsigned i = 0;
        for (; i < n; i++)
            if (index[i] < 2)
                truth[i] = (table){{0}};
            else if (!view_over(d, tried[t], index[i], &truth[i]))
                break;
        if (i == n)
            return tried[t];
    }
    return 0;
}

/* Makes a function an output, unless outputs, variables and constants make it up already. */
static void seal_output(domain *d, uint32_t number, table values)
{
    group *g = d->groups[number];
    table polynomial = values;
    transform(&polynomial);
    uint32_t combined = 0;
    for (uint32_t i = 0; i < g->outputs; i++)
        if (bit_of(&polynomial, g->row[i].pivot)) {
            add_table(&polynomial, &g->row[i].polynomial);
            combined ^= g->row[i].combined;
        }
    unsigned pivot = ROWS;
    while (--pivot > 0)
        if (bit_of(&polynomial, pivot) && (pivot & (pivot - 1)) != 0)
            break;
    if (pivot == 0 || g->outputs == OUTPUTS_MOST)
        return;
    const uint32_t n = g->outputs;
    for (uint32_t i = 0; i < n; i++)
        if (bit_of(&g->row[i].polynomial, pivot)) {
            add_table(&g->row[i].polynomial, &polynomial);
            g->row[i].combined ^= combined ^ 1U << n;
        }
    g->truth[n] = values;
    g->output_literal[n] = domain_atom(d, (atom){.kind = ATOM_OUTPUT, .group = number, .a = n});
    g->row[n] = (output){polynomial, combined ^ 1U << n, pivot};
    g->outputs++;
}

int domain_look_up(domain *d, literal *out, const literal *index, unsigned n, const uint8_t *entries, unsigned width,
                   int seal)
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
            if ((number = new_group(d, index, n)) == 0)
                return 0;
            for (unsigned i = 0; i < n; i++)
                truth[i] = sum_of_variables(index[i] > 1 ? mask_in(d, number, index[i]) : 0);
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
        if (seal)
            seal_output(d, number, values);
        out[b] = composed(d, number, values);
    }
    return 1;
}
