# SPDX-License-Identifier: Apache-2.0 OR MIT
"""DECIM v2 (2006), a clock at a time; what ABSG reads is kept until it makes a bit."""

from models import bits

FEEDBACK = (0, 3, 4, 23, 36, 37, 60, 61, 98, 115, 146, 175, 176, 187)
FILTER = (13, 28, 45, 54, 65, 104, 111, 144, 162, 172, 178, 186, 191)
ROOM = 32


def absg(read: list[int]) -> int | None:
    """Return the bit that these bits make: b b makes b, b and opposite bits and b the opposite. None: more are needed."""
    if len(read) < 2 or read[-1] != read[0]:
        return None
    return read[0] if len(read) == 2 else 1 - read[0]


class Generator:
    def __init__(self, key: bytes, iv: bytes):
        k, v = bits.low_first(key), bits.low_first(iv.ljust(8, b"\0"))
        self.x = [
            *(k[i] for i in range(80)),
            *(k[i - 80] ^ v[i - 80] for i in range(80, 144)),
            *(k[i - 80] ^ v[i - 144] ^ v[i - 128] ^ v[i - 112] ^ v[i - 96] for i in range(144, 160)),
            *(v[i - 160] ^ v[i - 128] ^ 1 for i in range(160, 192)),
        ]
        for _ in range(4 * 192):
            self.step(self.filtered())
        self.read: list[int] = []
        self.queue: list[int] = []
        while len(self.queue) < ROOM:
            self.four_clocks()

    def filtered(self) -> int:
        return 1 if sum(self.x[i] for i in FILTER) % 4 in (1, 2) else 0

    def step(self, added: int = 0) -> None:
        new = sum(self.x[i] for i in FEEDBACK) % 2
        self.x = [*self.x[1:], new ^ added]

    def four_clocks(self) -> None:
        for _ in range(4):
            self.read.append(self.filtered() ^ self.x[1])
            self.step()
            bits_out = absg(self.read)
            if bits_out is not None:
                self.read = []
                if len(self.queue) < ROOM:
                    self.queue.append(bits_out)

    def bit(self) -> int:
        self.four_clocks()
        while not self.queue:
            self.four_clocks()
        return self.queue.pop(0)


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(key, iv)
    return bits.pack_low_first(generator.bit() for _ in range(8 * count))
