/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Carries that look ahead.
 *
 * Over the bits from i to j of an addition, the carry out is c[j] = G(i,j) + P(i,j) c[i]: P is the product of all x + y, and
 * G the carry out without one in. For a single bit that is the full adder, xy + (x + y)c; and if it holds from i to k and
 * from k to j, then from i to j with
 *
 *     P(i,j) = P(i,k) P(k,j)    and    G(i,j) = G(k,j) + P(k,j) G(i,k).
 *
 * GP = 0, since xy(x + y) = 0, and over two ranges G(k,j)P(k,j)P(i,k) + P(k,j)P(i,k)G(i,k) = 0: so that the sums above may be
 * written as ORs. Bit-sliced code makes the carries of short groups without a carry in, and joins them by these products;
 * what each is in terms of the addition's own carries is noted here. */
#include "domain.h"

enum { GROUPS = 8 };

typedef struct range {
    literal generated, passed;
} range;

/* Notes that a + bc is the same with OR. */
static void never_both(domain *d, literal generated, literal passed_on)
{
    domain_note_product(d, generated, passed_on, 0);
}

/* Goes through a group bit by bit, and returns what it is as a whole. */
static range over_bits(domain *d, const literal *x, const literal *y, const literal *carry, unsigned bits)
{
    range r = {.generated = 0, .passed = 1};
    for (unsigned i = 0; i < bits; i++) {
        const literal half = domain_xor(d, x[i], y[i]);
        r.generated = domain_xor(d, domain_and(d, x[i], y[i]), domain_and(d, half, r.generated));
        r.passed = domain_and(d, r.passed, half);
        domain_note_product(d, r.passed, carry[0], domain_xor(d, carry[i + 1], r.generated));
    }
    never_both(d, r.generated, r.passed);
    never_both(d, r.generated, domain_and(d, r.passed, carry[0]));
    return r;
}

void domain_note_look_ahead(domain *d, const literal *x, const literal *y, const literal *carry, unsigned n)
{
    const unsigned step = d->look_ahead, groups = n / step;
    range r[GROUPS][GROUPS + 1]; /* from a group on, up to another */
    if (n % step != 0 || groups > GROUPS)
        return;
    for (unsigned j = 1; j <= groups; j++) {
        r[j - 1][j] = over_bits(d, x + step * (j - 1), y + step * (j - 1), carry + step * (j - 1), step);
        for (unsigned i = j - 1; i-- > 0;) {
            /* Without a carry into the sum, those from its lowest bit on are the carries themselves. */
            const range low = r[i][j - 1], last = r[j - 1][j];
            range whole = {.passed = domain_and(d, low.passed, last.passed)};
            if (i == 0 && carry[0] == 0)
                whole.generated = carry[step * j];
            else
                whole.generated = domain_xor(d, last.generated, domain_and(d, last.passed, low.generated));
            r[i][j] = whole;
            for (unsigned k = i + 1; k < j; k++) {
                const literal on = domain_xor(d, whole.generated, r[k][j].generated);
                domain_note_product(d, r[i][k].passed, r[k][j].passed, whole.passed);
                domain_note_product(d, r[k][j].passed, r[i][k].generated, on);
                never_both(d, r[k][j].generated, on);
            }
            domain_note_product(d, whole.passed, carry[step * i], domain_xor(d, carry[step * j], whole.generated));
            never_both(d, whole.generated, whole.passed);
        }
    }
}
