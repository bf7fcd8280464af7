/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products of forms, and sums with carries. */
#include "domain.h"

enum { SHORT = 140 }; /* atoms */

/* Returns where the product of two forms is, in product_result, or SIZE_MAX. */
static size_t known_product(const domain *d, uint64_t key)
{
    size_t place = SIZE_MAX;
    const uint32_t row = index_next(&d->product_index, key, &place);
    return row == UINT32_MAX ? SIZE_MAX : row;
}

static uint64_t product_key(literal x, literal y)
{
    return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

static void set_product(domain *d, uint64_t key, literal result)
{
    size_t room = d->product_room;
    d->product_groups = domain_grow(d->product_groups, &room, d->product_count, sizeof *d->product_groups);
    d->product_result = domain_grow(d->product_result, &d->product_room, d->product_count, sizeof *d->product_result);
    d->product_groups[d->product_count] = (uint32_t)d->group_count;
    d->product_result[d->product_count] = result;
    index_add(&d->product_index, key, (uint32_t)d->product_count++);
}

void domain_note_product(domain *d, literal x, literal y, literal product)
{
    if (x < 2 || y < 2 || x >> 1 == y >> 1)
        return;
    const literal f = x & ~1U, g = y & ~1U;
    const uint64_t key = product_key(f, g);
    if (known_product(d, key) != SIZE_MAX)
        return;
    if (y & 1)
        product = domain_xor(d, product, f);
    if (x & 1)
        product = domain_xor(d, product, g);
    set_product(d, key, product ^ (x & y & 1));
}

literal domain_and(domain *d, literal x, literal y)
{
    if (x < 2 || y < 2)
        return x == 0 || y == 0 ? 0 : x == 1 ? y : x;
    if (x >> 1 == y >> 1)
        return x == y ? x : 0;
    const literal f = x & ~1U, g = y & ~1U;
    const uint64_t key = product_key(f, g);
    const size_t known = known_product(d, key);
    literal product;
    if (known != SIZE_MAX) {
        /* It may have been computed before there was a group for it: in a lane that nobody asked for, say. */
        if (d->product_groups[known] != d->group_count && domain_and_in_group(d, f, g, &product))
            d->product_result[known] = product;
        d->product_groups[known] = (uint32_t)d->group_count;
        product = domain_standing(d, d->product_result[known]);
    } else {
        const int in_group = domain_and_in_group(d, f, g, &product);
        if (!in_group)
            product = domain_atom(d, (atom){.kind = ATOM_PRODUCT, .a = f < g ? f : g, .b = f < g ? g : f});
        set_product(d, key, product);
        if (!in_group) { /* f(f + g) and g(f + g) are sums of it */
            const literal sum = domain_xor(d, f, g);
            domain_note_product(d, f, sum, domain_xor(d, product, f));
            domain_note_product(d, g, sum, domain_xor(d, product, g));
        }
    }
    /* (f + i)(g + j) = fg + jf + ig + ij */
    if (y & 1)
        product = domain_xor(d, product, f);
    if (x & 1)
        product = domain_xor(d, product, g);
    return product ^ (x & y & 1);
}

literal domain_mux(domain *d, literal c, literal yes, literal no)
{
    if (c < 2)
        return c ? yes : no;
    return domain_xor(d, no, domain_and(d, c, domain_xor(d, yes, no)));
}

/* Tells whether a form has a carry in it, so that its XOR with others is the sum of an addition and of nothing else. */
static int has_carry(const domain *d, literal x)
{
    const form *f = &d->forms[x >> 1];
    for (uint32_t i = 0; i < f->count; i++) {
        const atom *a = &d->atoms[d->pool[f->at + i]];
        if (a->kind == ATOM_PRODUCT || a->kind == ATOM_MONOMIAL || a->kind == ATOM_CARRY ||
            (a->kind == ATOM_NAME && a->b))
            return 1;
    }
    return 0;
}

static int is_one_of(literal x, literal a, literal b, literal c)
{
    return x >> 1 == a >> 1 || x >> 1 == b >> 1 || x >> 1 == c >> 1;
}

static struct adder *known_adder(const domain *d, uint64_t key, literal x, literal y, literal c)
{
    size_t place = SIZE_MAX;
    for (uint32_t i; (i = index_next(&d->adder_index, key, &place)) != UINT32_MAX;) {
        struct adder *a = &d->adders[i];
        if (a->x == x && a->y == y && a->carry == c)
            return a;
    }
    return NULL;
}

static void note_adder(domain *d, uint64_t key, struct adder made)
{
    d->adders = domain_grow(d->adders, &d->adder_room, d->adder_count, sizeof *d->adders);
    d->adders[d->adder_count] = made;
    index_add(&d->adder_index, key, (uint32_t)d->adder_count++);
}

static uint64_t adder_key(literal x, literal y, literal c)
{
    return product_key(x, y) ^ (uint64_t)c * 0x9e3779b97f4a7c15;
}

/* The carry of three different forms as an atom: the same in any order, and of three complements the complement. */
static literal own_carry(domain *d, literal x, literal y, literal z)
{
    literal of[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        for (int k = i + 1; k < 3; k++)
            if (of[k] < of[i]) {
                const literal swapped = of[i];
                of[i] = of[k];
                of[k] = swapped;
            }
    const literal sign = of[0] & 1;
    for (int i = 0; i < 3; i++)
        of[i] ^= sign;
    const uint64_t key = adder_key(of[0], of[1], of[2]);
    const struct adder *known = known_adder(d, key, of[0], of[1], of[2]);
    if (known != NULL)
        return known->next ^ sign;
    const literal carry = domain_atom(d, (atom){.kind = ATOM_CARRY, .a = (uint32_t)d->adder_count});
    note_adder(d, key, (struct adder){of[0], of[1], of[2], 0, carry});
    return carry ^ sign;
}

/* The carry of three bits is xy + c(x + y). Bit-sliced code may write it otherwise: (x + c)(y + c) + c, or with the places
 * of the three exchanged; what these products are in terms of the carry is noted here, so that all ways lead to it. */
static literal full_adder(domain *d, literal x, literal y, literal *carry)
{
    if (x > y) {
        const literal z = x;
        x = y;
        y = z;
    }
    const literal c = *carry;
    const uint64_t key = adder_key(x, y, c);
    const struct adder *known = d->own_carries ? NULL : known_adder(d, key, x, y, c);
    if (known != NULL) {
        *carry = known->next;
        return known->sum;
    }
    const literal half = domain_xor(d, x, y), x_c = domain_xor(d, x, c), y_c = domain_xor(d, y, c);
    literal sum = domain_xor(d, half, c), next;
    if (d->own_carries && c > 1 && half > 1 && x_c > 1 && y_c > 1 && x > 1 && y > 1) {
        *carry = own_carry(d, x, y, c);
        return has_carry(d, c) && !is_one_of(sum, x, y, c) ? domain_name(d, sum, 0) : sum;
    }
    if (c > 1 && half > 1 && x > 1 && y > 1)
        next = domain_xor(d, domain_and(d, x_c, y_c), c);
    else
        next = domain_xor(d, domain_and(d, x, y), domain_and(d, c, half));
    const int by_number = d->short_sums && d->group_count > 1 && (x < 2 || y < 2) &&
                          (d->forms[next >> 1].count < SHORT || domain_is_in_group(d, next));
    if (c > 1 && half > 1 && !by_number) {
        /* A form that code can make without an addition keeps its atoms: named, it would be another in a longer XOR. */
        if (!d->long_sums && has_carry(d, c) && !is_one_of(sum, x, y, c))
            sum = domain_name(d, sum, 0);
        if (!is_one_of(next, x, y, c))
            next = domain_name(d, next, 1);
        domain_note_product(d, x_c, y_c, domain_xor(d, next, c));
        domain_note_product(d, x_c, half, domain_xor(d, next, x));
        domain_note_product(d, y_c, half, domain_xor(d, next, y));
        domain_note_product(d, c, half, domain_xor(d, next, domain_and(d, x, y)));
        note_adder(d, key, (struct adder){x, y, c, sum, next});
    }
    *carry = next;
    return sum;
}

void domain_add(domain *d, literal *sum, const literal *x, const literal *y, unsigned n, literal *carry)
{
    literal carries[WORD_BITS + 1] = {*carry};
    for (unsigned i = 0; i < n; i++) {
        sum[i] = full_adder(d, x[i], y[i], carry);
        if (i < WORD_BITS)
            carries[i + 1] = *carry;
    }
    if (d->look_ahead != 0 && n <= WORD_BITS)
        domain_note_look_ahead(d, x, y, carries, n);
}
