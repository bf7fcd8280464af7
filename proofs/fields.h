/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The counter field at p is the old one plus n, modulo 2 to its width: for every value, and for every layout except be16. */

/* A sum of two numbers below the modulus, modulo it. */
/*@ logic integer wrapped(integer sum, integer modulus) = sum < modulus ? sum : sum - modulus;
    logic integer two_32 = 0x100000000;
    logic integer two_64 = 0x10000000000000000;
    lemma carry: \forall uint64_t low, high, n; \let sum = wrapped(low + n, two_64);
      sum + wrapped(high + (sum < n ? 1 : 0), two_64) * two_64 == wrapped(low + high * two_64 + n, two_64 * two_64);
    predicate is_layout(runnel_layout *l) = \valid_read(l) && (l->little == 0 || l->little == 1) &&
      (l->bits == 32 || l->bits == 64 || l->bits == 128); */

/*@ requires is_layout(l);
    requires \valid(p + (-8 .. 15)) && \separated(p + (-8 .. 15), l);
    behavior le32:
      assumes l->little == 1 && l->bits == 32;
      ensures le64(p) == \old(le64(p)) / two_32 * two_32 + (\old(le64(p)) + n) % two_32;
      assigns p[0 .. 7];
    behavior le64:
      assumes l->little == 1 && l->bits == 64;
      ensures le64(p) == wrapped(\old(le64(p)) + n, two_64);
      assigns p[0 .. 7];
    behavior le128:
      assumes l->little == 1 && l->bits == 128;
      ensures le64(p) == wrapped(\old(le64(p)) + n, two_64);
      ensures le64(p + 8) == wrapped(\old(le64(p + 8)) + (wrapped(\old(le64(p)) + n, two_64) < n ? 1 : 0), two_64);
      assigns p[0 .. 15];
    behavior be32:
      assumes l->little == 0 && l->bits == 32;
      ensures be64(p - 4) == \old(be64(p - 4)) / two_32 * two_32 + (\old(be64(p - 4)) + n) % two_32;
      assigns p[-4 .. 3];
    behavior be64:
      assumes l->little == 0 && l->bits == 64;
      ensures be64(p) == wrapped(\old(be64(p)) + n, two_64);
      assigns p[0 .. 7];
    behavior be128:
      assumes l->little == 0 && l->bits == 128;
      ensures be64(p + 8) == wrapped(\old(be64(p + 8)) + n, two_64);
      ensures be64(p) == wrapped(\old(be64(p)) + (wrapped(\old(be64(p + 8)) + n, two_64) < n ? 1 : 0), two_64);
      assigns p[0 .. 15];
    complete behaviors;
    disjoint behaviors; */
static void counter_add_to_field(uint8_t *p, const runnel_layout *l, runnel_count n);
