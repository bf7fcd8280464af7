# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LEX version 2 (Biryukov, 2008) over an AES that is FIPS 197 byte by byte."""

ROWS = range(4)


def multiply(a: int, b: int) -> int:
    """Multiply in GF(2^8)."""
    product = 0
    for i in range(8):
        product ^= (b >> i & 1) * a << i
    for i in range(14, 7, -1):
        product ^= (product >> i & 1) * 0x11B << (i - 8)
    return product


def substituted(a: int) -> int:
    inverse = next((b for b in range(256) if multiply(a, b) == 1), 0)
    turned = [(inverse << n | inverse >> (8 - n)) & 255 for n in range(5)]
    return turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ 0x63


S = [substituted(a) for a in range(256)]
TWICE, THRICE = [multiply(2, a) for a in range(256)], [multiply(3, a) for a in range(256)]


def expanded(key: bytes) -> list[bytes]:
    columns = [key[i : i + 4] for i in range(0, 16, 4)]
    constant = 1
    for i in range(4, 44):
        last = columns[-1]
        if i % 4 == 0:
            last = bytes([S[last[1]] ^ constant, S[last[2]], S[last[3]], S[last[0]]])
            constant = multiply(2, constant)
        columns.append(bytes(a ^ b for a, b in zip(columns[i - 4], last, strict=True)))
    return [b"".join(columns[i : i + 4]) for i in range(0, 44, 4)]


def substitute_and_shift(state: bytes) -> bytes:
    return bytes(S[state[4 * ((column + row) % 4) + row]] for column in range(4) for row in ROWS)


def mixed(state: bytes) -> bytes:
    output = []
    for i in range(0, 16, 4):
        a = state[i : i + 4]
        output += [TWICE[a[r]] ^ THRICE[a[(r + 1) % 4]] ^ a[(r + 2) % 4] ^ a[(r + 3) % 4] for r in ROWS]
    return bytes(output)


def added(state: bytes, key: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(state, key, strict=True))


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    keys = expanded(key)
    state = added(bytes(iv[4 * column + 3 - row] for column in range(4) for row in ROWS), keys[0])
    for n in range(1, 10):
        state = added(mixed(substitute_and_shift(state)), keys[n])
    state = added(substitute_and_shift(state), keys[10])
    output: list[int] = []
    n = 0
    while len(output) < count:
        n = n % 10 + 1
        state = added(mixed(substitute_and_shift(state)), keys[n])
        output += [state[i] for i in ((10, 2, 8, 0) if n % 2 else (11, 3, 9, 1))]
    return bytes(output[:count])
