/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Boolean functions in a canonical form.
 *
 * A literal is a form or its complement. A form is an XOR of atoms, kept once: two literals are equal exactly if they are
 * the same number. An atom is an input; a product of two forms; a monomial or an output of a group, which is a set of at
 * most eight forms over which every function is kept as a polynomial, whatever circuit or table it comes from; a name for a
 * longer form, which keeps the forms behind additions short; or a carry of three forms, where carries are not products.
 * Everything is exact: hashes only find candidates. */
#ifndef RUNNEL_PROOFS_DOMAIN_H
#define RUNNEL_PROOFS_DOMAIN_H

#include <stddef.h>
#include <stdint.h>

/* Twice the number of a form, plus 1 for its complement. 0 and 1 are the constants. */
typedef uint32_t literal;

enum { UNDEFINED = UINT32_MAX }; /* no literal: what nobody has written yet */

enum atom_kind { ATOM_INPUT, ATOM_PRODUCT, ATOM_MONOMIAL, ATOM_OUTPUT, ATOM_NAME, ATOM_CARRY };

typedef struct atom {
    uint32_t kind;
    uint32_t group; /* of a monomial or an output, from 1; 0 for others */
    uint32_t a,
        b; /* product: its factors; monomial: its variables as a mask; output: its number; name: its form's literal, and 1
            * for a carry; carry: its number in domain.adders */
} atom;

typedef struct form {
    uint64_t hash; /* XOR of the hashes of its atoms: linear, as forms are */
    size_t at;     /* its atoms in domain.pool, in ascending order */
    uint32_t count;
    uint32_t view; /* number of its truth table in domain.views; 0: not tried, VIEW_NONE: it has none */
    literal alias; /* what stands for it: itself, or a name */
} form;

enum { VIEW_NONE = UINT32_MAX, VARIABLES = 8, ROWS = 1 << VARIABLES, WORD_BITS = 64 };

/* A function of eight variables: its value for each of the 256 inputs, or the coefficients of its polynomial. */
typedef struct table {
    uint64_t word[ROWS / 64];
} table;

/* A form as a function over a group. */
typedef struct view {
    uint32_t group;
    table truth;
} view;

typedef struct output {
    table truth;
    literal name;     /* the atom */
    table polynomial; /* of a sum of outputs, with the pivots of all others eliminated */
    table combined;   /* which outputs that is the sum of */
    uint32_t pivot;   /* a monomial of it that has no atom: sums of outputs stand for it */
} output;

typedef struct group {
    uint32_t variables;
    literal variable[VARIABLES]; /* never complemented, linearly independent */
    uint32_t leading[VARIABLES]; /* of a basis of their sums: the last atom of each, which no other of them has */
    uint8_t basis[VARIABLES];    /* of which variables each is the sum */
    literal basis_form[VARIABLES];
    uint32_t monomial[ROWS]; /* the atom plus 1, or 0 */
    uint32_t outputs;
    output *row;
} group;

/* Open addressing from 64-bit keys to rows of 32 bits; several rows may have one key. */
typedef struct index {
    uint64_t *key;
    uint32_t *row;
    size_t mask, used;
} index_table;

typedef struct domain {
    atom *atoms;
    size_t atom_count, atom_room;
    form *forms;
    size_t form_count, form_room;
    uint32_t *pool;
    size_t pool_used, pool_room;
    view *views;
    size_t view_count, view_room;
    group **groups;
    size_t group_count, group_room;
    index_table form_index, product_index, leading_index;
    literal *product_result;
    uint32_t *product_groups; /* how many groups there were when the product was last looked for in one */
    size_t product_count, product_room;
    index_table
        adder_index; /* additions of three bits, which stay what they were even where products are found in a group later */
    struct adder {
        literal x, y, carry, sum, next;
    } *adders;
    size_t adder_count, adder_room;
    struct {
        literal a, b, result;
    } *xor_cache;
    uint32_t *scratch;
    size_t scratch_room;
    uint32_t longest;
    int short_sums; /* sums of a group's function and a number stay what they are: ciphers without additions index tables by them */
    int own_carries; /* a carry of three bits is an atom: ciphers whose code makes carries in no other way than by adding */
    int long_sums;       /* sums get no names: bit-sliced code XORs their parts one by one to other words */
    unsigned look_ahead; /* carries of so many bits are made without one in, and joined by products; 0: they are not */
} domain;

domain *domain_new(void);
void domain_free(domain *d);

/* forms.c */
literal domain_input(domain *d);
literal domain_xor(domain *d, literal x, literal y);
literal domain_atom(domain *d, atom a);
literal domain_form(domain *d, const uint32_t *atoms, size_t count); /* of atoms in ascending order */
literal domain_name(domain *d, literal x, int carry);                /* an atom that from now on stands for the form */
uint64_t domain_atom_hash(uint32_t number);
void *domain_grow(void *array, size_t *room, size_t used, size_t size);
void index_add(index_table *t, uint64_t key, uint32_t row);
/* The first row of a key from *place on, which starts at SIZE_MAX; UINT32_MAX: no more. */
uint32_t index_next(const index_table *t, uint64_t key, size_t *place);

/* Returns the current representative of a form, which may have been named since. */
static inline literal domain_standing(const domain *d, literal x)
{
    return d->forms[x >> 1].alias ^ (x & 1);
}

/* products.c */
literal domain_and(domain *d, literal x, literal y);
literal domain_mux(domain *d, literal c, literal yes, literal no);
/* Notes (x + i)(y + j) for the complements of two factors, if their product is not known yet. */
void domain_note_product(domain *d, literal x, literal y, literal product);
/* The sum of two words of n bits and a carry, in whose place the one out of it comes. */
void domain_add(domain *d, literal *sum, const literal *x, const literal *y, unsigned n, literal *carry);

/* look_ahead.c */
/* Notes the products by which code joins the carries of groups of d->look_ahead bits: carry has n + 1 of them. */
void domain_note_look_ahead(domain *d, const literal *x, const literal *y, const literal *carry, unsigned n);

/* groups.c */
/* The function that entries of `width` bits, little-endian, are of an index of n bits; 0 if no group of eight variables can
 * hold it. Its outputs become atoms. */
int domain_look_up(domain *d, literal *out, const literal *index, unsigned n, const uint8_t *entries, unsigned width);
/* The product of two forms over a common group; 0 if they have none. */
int domain_and_in_group(domain *d, literal x, literal y, literal *out);
/* Tells whether a form is a function over the latest group that has a part in it. */
int domain_is_in_group(domain *d, literal x);

/* simulate.c */
/* The values of literals for 64 * words inputs: values has `words` words for each input in the order of their making. */
void domain_simulate(domain *d, const literal *wanted, size_t count, const uint64_t *values, size_t words,
                     uint64_t *out);
/* How many of the products and carries that the domain has noted are wrong for such values: 0, or a lemma is no lemma. */
size_t domain_wrong_notes(domain *d, const uint64_t *values, size_t words);

#endif
