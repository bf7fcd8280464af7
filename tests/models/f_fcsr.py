# SPDX-License-Identifier: Apache-2.0 OR MIT
"""F-FCSR-H in both versions and F-FCSR-16 (Arnault, Berger and Lauradoux), cell by cell: each adds its neighbour, its carry
and the bit that leaves the register."""

H = 0xAE985DFF26619FC58623DC8AAF46D5903DD4254E
SIXTEEN = 0xCB5E129FAD4F7E66780CAA2EC8C9CEDB2102F996BAF08F39EFB55A6E390002C6


class Generator:
    def __init__(self, cells: int, d: int, width: int, key: bytes, iv: bytes):
        """width: of an output in bits."""
        self.cells, self.width = cells, width
        self.d = [d >> i & 1 for i in range(cells)]
        start = int.from_bytes(key, "big") + (int.from_bytes(iv, "big") << cells // 2)
        self.load([start >> i & 1 for i in range(cells)])

    def load(self, m: list[int]) -> None:
        self.m, self.c = m, [0] * self.cells

    def clock(self) -> None:
        leaving, next_cells = self.m[0], [*self.m[1:], 0]
        sums = [
            following + (carry + leaving if tap else 0)
            for following, carry, tap in zip(next_cells, self.c, self.d, strict=True)
        ]
        self.m = [total & 1 for total in sums]
        self.c = [total >> 1 for total in sums]

    def output(self) -> list[int]:
        bits_out = [0] * self.width
        for i, tap in enumerate(self.d):
            bits_out[i % self.width] ^= tap & self.m[i]
        return bits_out

    def refill(self) -> None:
        """Set up as version 2 does."""
        cells: list[int] = []
        for _ in range(self.cells // self.width):
            self.clock()
            cells += self.output()
        self.load(cells)
        for _ in range(self.cells + 2):
            self.clock()

    def keystream(self, count: int) -> bytes:
        stream = b""
        while len(stream) < count:
            self.clock()
            word = sum(bit << i for i, bit in enumerate(self.output()))
            stream += word.to_bytes(self.width // 8, "little")
        return stream[:count]


def h_version_1(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(160, H, 8, key[:10], iv[:10])
    for _ in range(160):
        generator.clock()
    return generator.keystream(count)


def h(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(160, H, 8, key, iv)
    generator.refill()
    return generator.keystream(count)


def sixteen(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(256, SIXTEEN, 16, key, iv)
    generator.refill()
    return generator.keystream(count)
