# SPDX-License-Identifier: Apache-2.0 OR MIT
"""x86-64 vector instructions as functions of words. Lanes of 128 bits are independent where Intel says so."""

from __future__ import annotations

from collections.abc import Callable

from ...machine import Machine, entry_at
from ...refusal import SecretError
from ...specifications import aes
from ...words import (
    ZERO,
    Word,
    constant,
    cut,
    join,
    lanes,
    rotated_left,
    shifted_left,
    shifted_right,
    value_of,
    width,
    zero_extended,
)

Binary = Callable[[Machine, Word, Word], Word]
Unary = Callable[[Machine, Word], Word]
WithNumber = Callable[[Machine, Word, int], Word]
BinaryWithNumber = Callable[[Machine, Word, Word, int], Word]

BITS = {"b": 8, "w": 16, "d": 32, "q": 64}


def lanewise(bits: int, function: Binary) -> Binary:
    """Return the function of all lanes of so many bits."""
    return lambda m, x, y: join(function(m, a, b) for a, b in zip(lanes(x, bits), lanes(y, bits)))


def each_lane(bits: int, function: Unary) -> Unary:
    """Return the function of all lanes of so many bits."""
    return lambda m, x: join(function(m, a) for a in lanes(x, bits))


# ---- bytes through tables and matrices


def shuffle_bytes(m: Machine, x: Word, control: Word) -> Word:
    """PSHUFB of one lane."""
    source = lanes(x, 8)
    result = []
    for index in lanes(control, 8):
        at = value_of(index)
        if at is not None:
            result.append(ZERO * 8 if at & 128 else source[at & 15])
        else:
            result.append(look_up(m, source, cut(index, 0, 4), cut(index, 7, 1)))
    return join(result)


def look_up(m: Machine, source: list[Word], index: Word, off: Word = ZERO) -> Word:
    """Return the entry of a table at a secret index; zeros where `off` is 1."""
    entries = [value_of(each) for each in source]
    if all(entry is not None for entry in entries):
        table = b"".join((entry or 0).to_bytes(width(source[0]) // 8, "little") for entry in entries)
        return m.words.table(index + off, table + bytes(len(table)), width(source[0]))
    found = entry_at(m, source, index)
    return m.words.and_(found, m.words.not_(off) * width(found))


def _planes(x: Word, step: int) -> list[Word]:
    view = memoryview(x).cast("I")
    return [view[i::step].tobytes() for i in range(step)]


def _from_planes(planes: list[Word]) -> Word:
    octets = bytearray(sum(len(plane) for plane in planes))
    view = memoryview(octets).cast("I")
    for i, plane in enumerate(planes):
        view[i :: len(planes)] = memoryview(plane).cast("I")
    return bytes(octets)


def affine(m: Machine, x: Word, matrix: Word, number: int) -> Word:
    """GF2P8AFFINEQB: each byte times its quadword's matrix, plus a constant."""
    matrices = lanes(matrix, 64)
    if len(set(matrices)) > 1:
        return join(affine(m, a, b, number) for a, b in zip(lanes(x, 64), matrices))
    rows = value_of(matrices[0])
    if rows is None:
        raise SecretError("the matrix of an affine map is a secret")
    planes = _planes(x, 8)
    bits = []
    for i in range(8):
        row = rows >> 8 * (7 - i) & 255
        total = constant(-(number >> i & 1), width(planes[0]))
        for j in range(8):
            if row >> j & 1:
                total = m.words.xor(total, planes[j])
        bits.append(total)
    return _from_planes(bits)


INVERSES = bytes(next((y for y in range(256) if aes.times(x, y) == 1), 0) for x in range(256))


def affine_of_inverse(m: Machine, x: Word, matrix: Word, number: int) -> Word:
    """GF2P8AFFINEINVQB: the same of the inverses in GF(2^8)."""
    return affine(m, join(m.words.table(each, INVERSES, 8) for each in lanes(x, 8)), matrix, number)


# ---- AES


def _round(m: Machine, x: Word, key: Word, last: bool) -> Word:
    w = m.words
    state = aes.shift_rows([w.table(each, aes.S_BOX, 8) for each in lanes(x, 8)])
    return w.xor(join(state if last else aes.mix_columns(w, state)), key)


def _inverse_round(m: Machine, x: Word, key: Word, last: bool) -> Word:
    w = m.words
    state = [w.table(each, aes.INVERSE_S_BOX, 8) for each in aes.inverse_shift_rows(lanes(x, 8))]
    return w.xor(join(state if last else aes.inverse_mix_columns(w, state)), key)


def key_assist(m: Machine, x: Word, number: int) -> Word:
    """AESKEYGENASSIST."""
    result = []
    for word in (cut(x, 32, 32), cut(x, 96, 32)):
        replaced = join(m.words.table(each, aes.S_BOX, 8) for each in lanes(word, 8))
        turned = rotated_left(replaced, 24)
        result += [replaced, m.words.xor(turned, constant(number, 32))]
    return join(result)


# ---- moving lanes


def unpack(bits: int, high: bool) -> Binary:
    """PUNPCKL… and PUNPCKH… of one lane of 128 bits."""

    def unpacked(m: Machine, x: Word, y: Word) -> Word:
        a, b = lanes(x, bits), lanes(y, bits)
        half = len(a) // 2
        start = half if high else 0
        return join(part for i in range(start, start + half) for part in (a[i], b[i]))

    return unpacked


def pack_unsigned_words(m: Machine, x: Word, y: Word) -> Word:
    """PACKUSWB of one lane, for words that are known to fit."""
    result = []
    for each in lanes(x + y, 16):
        if cut(each, 8, 8) != ZERO * 8:
            raise SecretError("PACKUSWB of words that may be too large")
        result.append(cut(each, 0, 8))
    return join(result)


def shuffle_words(bits: int, first: int = 0) -> WithNumber:
    """PSHUFD, PSHUFLW and PSHUFHW of one lane, VPERMQ of half a register: four parts from one on are chosen."""

    def shuffled(m: Machine, x: Word, number: int) -> Word:
        parts = lanes(x, bits)
        chosen = [parts[first + (number >> 2 * i & 3)] for i in range(4)]
        return join(parts[:first] + chosen + parts[first + 4 :])

    return shuffled


def shuffle_of_two(m: Machine, x: Word, y: Word, number: int) -> Word:
    """SHUFPS of one lane."""
    a, b = lanes(x, 32), lanes(y, 32)
    return join([a[number & 3], a[number >> 2 & 3], b[number >> 4 & 3], b[number >> 6 & 3]])


def shuffle_lanes(m: Machine, x: Word, y: Word, number: int) -> Word:
    """VSHUFI32X4 and VSHUFI64X2."""
    a, b = lanes(x, 128), lanes(y, 128)
    bits = 2 if len(a) == 4 else 1
    half = len(a) // 2
    return join((a if i < half else b)[number >> bits * i & (len(a) - 1)] for i in range(len(a)))


def permute_halves(m: Machine, x: Word, y: Word, number: int) -> Word:
    """VPERM2I128."""
    parts = lanes(x + y, 128)
    return join(ZERO * 128 if number >> (4 * i + 3) & 1 else parts[number >> 4 * i & 3] for i in range(2))


def permute(bits: int) -> Binary:
    """VPERMD and its like: parts of the second word, where the first one says."""

    def permuted(m: Machine, index: Word, x: Word) -> Word:
        parts = lanes(x, bits)
        mask = len(parts) - 1
        return join(parts[m.concrete(each[: 4 * mask.bit_length()], "a permutation")] for each in lanes(index, bits))

    return permuted


def permute_two(bits: int, m: Machine, index: Word, low: Word, high: Word) -> Word:
    """VPERMT2… and VPERMI2…: parts of two words."""
    parts = lanes(low + high, bits)
    count = (len(parts) - 1).bit_length()
    result = []
    for each in lanes(index, bits):
        at = value_of(cut(each, 0, count))
        result.append(look_up(m, parts, cut(each, 0, count)) if at is None else parts[at])
    return join(result)


def align_bytes(m: Machine, x: Word, y: Word, number: int) -> Word:
    """PALIGNR of one lane."""
    return zero_extended(cut(y + x, 8 * number, 128), 128)


def align_parts(bits: int) -> BinaryWithNumber:
    """VALIGND and VALIGNQ."""
    return lambda m, x, y, number: cut(y + x, bits * (number & (width(x) // bits - 1)), width(x))


# ---- arithmetic


def shift(kind: str) -> Binary:
    """Return a shift or rotation of one lane by a lane of known bits."""

    def shifted(m: Machine, x: Word, count_word: Word) -> Word:
        count = m.concrete(count_word, "a shift count")
        if kind == "rol":
            return rotated_left(x, count)
        if kind == "ror":
            return rotated_left(x, -count)
        if kind == "sll":
            return shifted_left(x, count)
        return shifted_right(x, count, x[-4:] if kind == "sra" else ZERO)

    return shifted


def minimum(m: Machine, x: Word, y: Word) -> Word:
    """Return the smaller of two numbers without signs."""
    return m.words.mux(m.words.less(x, y), x, y)


def maximum(m: Machine, x: Word, y: Word) -> Word:
    """Return the larger of two numbers without signs."""
    return m.words.mux(m.words.less(x, y), y, x)


def spread(bit: Word, bits: int) -> Word:
    """Return a bit as a mask."""
    return bit * bits


def compare(relation: str, signed: bool) -> Binary:
    """Return the bit that says whether a relation holds."""

    def compared(m: Machine, x: Word, y: Word) -> Word:
        w = m.words
        less = w.signed_less if signed else w.less
        if relation in ("eq", "neq"):
            result = w.equal(x, y)
        elif relation in ("lt", "nlt"):
            result = less(x, y)
        elif relation in ("gt", "le", "nle"):
            result = less(y, x)
            return w.not_(result) if relation == "le" else result
        else:
            raise SecretError(f"comparison {relation}")
        return w.not_(result) if relation.startswith("n") else result

    return compared


def ternary_logic(m: Machine, x: Word, y: Word, z: Word, number: int) -> Word:
    """VPTERNLOG…: any function of three bits, as a polynomial."""
    coefficients = [number >> i & 1 for i in range(8)]
    for step in (1, 2, 4):
        for i in range(8):
            if i & step:
                coefficients[i] ^= coefficients[i ^ step]
    w = m.words
    total = constant(-coefficients[0], width(x))
    for i in range(1, 8):
        if coefficients[i]:
            factors = [word for bit, word in ((4, x), (2, y), (1, z)) if i & bit]
            term = factors[0]
            for factor in factors[1:]:
                term = w.and_(term, factor)
            total = w.xor(total, term)
    return total


def blend(bits: int) -> BinaryWithNumber:
    """VPBLENDD and its like: parts of the second word where the number has ones."""
    return lambda m, x, y, number: join(
        b if number >> (i % 8) & 1 else a for i, (a, b) in enumerate(zip(lanes(x, bits), lanes(y, bits)))
    )


def blend_by_signs(m: Machine, x: Word, y: Word, mask: Word) -> Word:
    """PBLENDVB: bytes of the second word where the mask's bytes have their highest bit."""
    return join(m.words.mux(c[-4:], b, a) for a, b, c in zip(lanes(x, 8), lanes(y, 8), lanes(mask, 8)))


def insert_single(m: Machine, x: Word, y: Word, number: int) -> Word:
    """INSERTPS."""
    parts = lanes(x, 32)
    parts[number >> 4 & 3] = lanes(y, 32)[number >> 6 & 3] if width(y) == 128 else y
    return join(ZERO * 32 if number >> i & 1 else part for i, part in enumerate(parts))


def carryless(m: Machine, x: Word, y: Word, number: int) -> Word:
    """PCLMULQDQ of one lane."""
    return m.words.carryless_multiply(lanes(x, 64)[number & 1], lanes(y, 64)[number >> 4 & 1])


def signs(bits: int) -> Unary:
    """VPMOV…2M: the highest bit of each lane."""
    return lambda m, x: join(each[-4:] for each in lanes(x, bits))


def common_bits(m: Machine, x: Word, y: Word, bits: int, none: bool) -> Word:
    """VPTESTM…: which lanes have a one in common; VPTESTNM…: which have none."""
    empty = [m.words.equal(each, ZERO * bits) for each in lanes(m.words.and_(x, y), bits)]
    return join(empty if none else [m.words.not_(each) for each in empty])


# ---- by mnemonic, without the v of VEX and EVEX

BINARIES: dict[str, Binary] = {
    "aesenc": lanewise(128, lambda m, x, y: _round(m, x, y, False)),
    "aesenclast": lanewise(128, lambda m, x, y: _round(m, x, y, True)),
    "aesdec": lanewise(128, lambda m, x, y: _inverse_round(m, x, y, False)),
    "aesdeclast": lanewise(128, lambda m, x, y: _inverse_round(m, x, y, True)),
    "pshufb": lanewise(128, shuffle_bytes),
    "packuswb": lanewise(128, pack_unsigned_words),
    "movss": lambda m, x, y: cut(y, 0, 32) + cut(x, 32, 96),
    "movsd": lambda m, x, y: cut(y, 0, 64) + cut(x, 64, 64),
    "movlhps": lambda m, x, y: cut(x, 0, 64) + cut(y, 0, 64),
    "movhlps": lambda m, x, y: cut(y, 64, 64) + cut(x, 64, 64),
    "pmuludq": lanewise(
        64, lambda m, x, y: m.words.multiply(zero_extended(cut(x, 0, 32), 64), zero_extended(cut(y, 0, 32), 64))
    ),
    "pmulld": lanewise(32, lambda m, x, y: m.words.multiply(x, y)),
    "pmullw": lanewise(16, lambda m, x, y: m.words.multiply(x, y)),
    "unpcklps": lanewise(128, unpack(32, False)),
    "unpckhps": lanewise(128, unpack(32, True)),
    "unpcklpd": lanewise(128, unpack(64, False)),
    "unpckhpd": lanewise(128, unpack(64, True)),
}
for _name in ("pxor", "pxord", "pxorq", "xorps", "xorpd"):
    BINARIES[_name] = lambda m, x, y: m.words.xor(x, y)
for _name in ("pand", "pandd", "pandq", "andps", "andpd"):
    BINARIES[_name] = lambda m, x, y: m.words.and_(x, y)
for _name in ("por", "pord", "porq", "orps", "orpd"):
    BINARIES[_name] = lambda m, x, y: m.words.or_(x, y)
for _name in ("pandn", "pandnd", "pandnq", "andnps", "andnpd"):
    BINARIES[_name] = lambda m, x, y: m.words.and_(m.words.not_(x), y)
for _letter, _bits in BITS.items():
    BINARIES[f"padd{_letter}"] = lanewise(_bits, lambda m, x, y: m.words.add(x, y))
    BINARIES[f"psub{_letter}"] = lanewise(_bits, lambda m, x, y: m.words.subtract(x, y))
    BINARIES[f"pminu{_letter}"] = lanewise(_bits, minimum)
    BINARIES[f"pmaxu{_letter}"] = lanewise(_bits, maximum)
    for _relation in ("eq", "gt"):
        _compared = compare(_relation, True)
        BINARIES[f"pcmp{_relation}{_letter}"] = lanewise(
            _bits,
            lambda m, x, y, f=_compared: spread(f(m, x, y), width(x)),  # type: ignore[misc]
        )
    BINARIES[f"perm{_letter}"] = permute(_bits)
for _low, _high in (("b", "w"), ("w", "d"), ("d", "q"), ("q", "dq")):
    BINARIES[f"punpckl{_low}{_high}"] = lanewise(128, unpack(BITS[_low], False))
    BINARIES[f"punpckh{_low}{_high}"] = lanewise(128, unpack(BITS[_low], True))
for _kind in ("sll", "srl", "sra", "rol", "ror"):
    for _letter in "wdq":
        BINARIES[f"p{_kind}v{_letter}"] = lanewise(BITS[_letter], shift(_kind))

UNARIES: dict[str, Unary] = {
    "aesimc": lambda m, x: join(aes.inverse_mix_columns(m.words, lanes(x, 8))),
    "movddup": each_lane(128, lambda m, x: cut(x, 0, 64) * 2),
    "pabsd": each_lane(32, lambda m, x: m.words.mux(x[-4:], m.words.subtract(constant(0, 32), x), x)),
}

WITH_NUMBER: dict[str, WithNumber] = {"aeskeygenassist": key_assist}
for _name, _bits, _first, _lane in (
    ("pshufd", 32, 0, 128),
    ("pshuflw", 16, 0, 128),
    ("pshufhw", 16, 4, 128),
    ("permq", 64, 0, 256),
    ("permpd", 64, 0, 256),
):
    _function = shuffle_words(_bits, _first)
    WITH_NUMBER[_name] = lambda m, x, number, f=_function, n=_lane: join(  # type: ignore[misc]
        f(m, each, number) for each in lanes(x, n)
    )


def _by_number(kind: str, bits: int) -> WithNumber:
    shifted = shift(kind)
    return lambda m, x, number: join(shifted(m, each, constant(number, 64)) for each in lanes(x, bits))


for _kind in ("sll", "srl", "sra", "rol", "ror"):
    for _letter in "wdq":
        WITH_NUMBER[f"p{_kind}{_letter}"] = _by_number(_kind, BITS[_letter])
WITH_NUMBER["pslldq"] = lambda m, x, number: join(shifted_left(each, 8 * number) for each in lanes(x, 128))
WITH_NUMBER["psrldq"] = lambda m, x, number: join(shifted_right(each, 8 * number) for each in lanes(x, 128))

BINARIES_WITH_NUMBER: dict[str, BinaryWithNumber] = {
    "palignr": lambda m, x, y, number: join(align_bytes(m, a, b, number) for a, b in zip(lanes(x, 128), lanes(y, 128))),
    "alignd": align_parts(32),
    "alignq": align_parts(64),
    "shufps": lambda m, x, y, number: join(
        shuffle_of_two(m, a, b, number) for a, b in zip(lanes(x, 128), lanes(y, 128))
    ),
    "shufpd": lambda m, x, y, number: join(
        lanes(part, 64)[number >> i & 1]
        for i, part in enumerate(part for a, b in zip(lanes(x, 128), lanes(y, 128)) for part in (a, b))
    ),
    "shufi32x4": shuffle_lanes,
    "shufi64x2": shuffle_lanes,
    "perm2i128": permute_halves,
    "perm2f128": permute_halves,
    "pblendd": blend(32),
    "pblendw": blend(16),
    "gf2p8affineqb": affine,
    "gf2p8affineinvqb": affine_of_inverse,
    "pclmulqdq": lambda m, x, y, number: join(carryless(m, a, b, number) for a, b in zip(lanes(x, 128), lanes(y, 128))),
    "insertps": insert_single,
}

TERNARIES: dict[str, Callable[[Machine, Word, Word, Word], Word]] = {"pblendvb": blend_by_signs}
