/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A round of Ascon on five vectors of 64-bit words, for one message or several. To be defined before: TARGET, VECTOR, and on
 * 64-bit lanes REPEAT(word), XOR, XOR3, XNOR3, SELECT(a, b, c) = a ^ (~b & c), and ROTATE(x, n) to the right. */
typedef struct ascon_state {
    VECTOR x0, x1, x2, x3, x4;
} ascon_state;

TARGET RUNNEL_INLINE void ascon_one_round(ascon_state *s, unsigned i)
{
    const VECTOR s0 = XOR(s->x0, s->x4), s1 = s->x1, s3 = s->x3, s4 = XOR(s->x4, s->x3);
    const VECTOR s2 = XOR3(s->x2, s->x1, REPEAT((long long)(0xf0 - 0x0f * i)));
    const VECTOR t4 = SELECT(s4, s0, s1), t2 = SELECT(s2, s3, s4);
    const VECTOR u0 = SELECT(s0, s1, s2), t0 = XOR(u0, t4);
    const VECTOR t1 = XOR(SELECT(s1, s2, s3), u0), t3 = XOR(SELECT(s3, s4, s0), t2);
    s->x0 = XOR3(t0, ROTATE(t0, 19), ROTATE(t0, 28));
    s->x1 = XOR3(t1, ROTATE(t1, 61), ROTATE(t1, 39));
    s->x2 = XNOR3(t2, ROTATE(t2, 1), ROTATE(t2, 6)); /* the S-box ends with the complement of t2 */
    s->x3 = XOR3(t3, ROTATE(t3, 10), ROTATE(t3, 17));
    s->x4 = XOR3(t4, ROTATE(t4, 7), ROTATE(t4, 41));
}
