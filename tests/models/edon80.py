# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Edon80 (2005): eighty Latin squares, one symbol at a time."""

SQUARES = (
    ((0, 2, 1, 3), (2, 1, 3, 0), (1, 3, 0, 2), (3, 0, 2, 1)),
    ((1, 3, 0, 2), (0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)),
    ((2, 1, 0, 3), (1, 2, 3, 0), (3, 0, 2, 1), (0, 3, 1, 2)),
    ((3, 2, 1, 0), (1, 0, 3, 2), (0, 3, 2, 1), (2, 1, 0, 3)),
)


def symbols(data: bytes) -> list[int]:
    return [byte >> shift & 3 for byte in data for shift in (6, 4, 2, 0)]


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    k = symbols(key)
    squares = [SQUARES[k[i % 40]] for i in range(80)]
    leaders = [*k, *symbols(iv), 3, 2, 1, 0, 0, 1, 2, 3]
    a = list(leaders)
    for n in range(79, -1, -1):
        x = leaders[n]
        for i in range(80):
            x = a[i] = squares[n][x][a[i]]
    output = []
    for t in range(8 * count):
        x = t % 4
        for i in range(80):
            x = a[i] = squares[i][a[i]][x]
        if t % 2 == 1:
            output.append(x)
    return bytes(
        output[i] << 6 | output[i + 1] << 4 | output[i + 2] << 2 | output[i + 3] for i in range(0, len(output), 4)
    )
