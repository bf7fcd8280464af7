# SPDX-License-Identifier: Apache-2.0 OR MIT
"""MICKEY-128 2.0 (Babbage and Dodd, 2006), stage by stage."""

from models import bits


def stages(*masks: int) -> list[int]:
    """Return the stages of masks of 32 bits, the first with the stages 0 to 31."""
    return [mask >> i & 1 for mask in masks for i in range(32)]


R_TAPS = stages(0x42114D31, 0xF3EC4C59, 0x9C679626, 0x803BBE32, 0x375253AF)
COMP0 = stages(0x5DD6F25E, 0x79260955, 0x79007062, 0x37AFD931, 0x0FBE06BE)
COMP1 = stages(0x7D191F30, 0xFEB63C98, 0x7C00C3E0, 0x6660E345, 0x7FF45BB5)
FB = (
    stages(0xC43C1FAF, 0x0E2FA322, 0x66E54D81, 0xD4544B91, 0x83630BC1),
    stages(0x9BF477AB, 0x70798C90, 0x6F9A18B6, 0x6C4B7EE7, 0x11A780EF),
)


def clock_r(r: list[int], input_bit: int, control: int) -> list[int]:
    feedback = r[159] ^ input_bit
    return [before ^ (control & here) ^ (feedback & tap) for before, here, tap in zip([0, *r], r, R_TAPS, strict=False)]


def clock_s(s: list[int], input_bit: int, control: int) -> list[int]:
    feedback = s[159] ^ input_bit
    middle = [s[i - 1] ^ (s[i] ^ COMP0[i]) & (s[i + 1] ^ COMP1[i]) for i in range(1, 159)]
    return [h ^ (feedback & mask) for h, mask in zip([0, *middle, s[158]], FB[control], strict=True)]


class Generator:
    def __init__(self, key: bytes, iv: bytes):
        self.r, self.s = [0] * 160, [0] * 160
        for bit in [*bits.high_first(iv), *bits.high_first(key), *[0] * 160]:
            self.clock(bit, mixing=True)

    def clock(self, bit: int = 0, mixing: bool = False) -> int:
        r, s = self.r, self.s
        self.r = clock_r(r, bit ^ s[80] if mixing else bit, s[54] ^ r[106])
        self.s = clock_s(s, bit, s[106] ^ r[53])
        return r[0] ^ s[0]


def keystream(key: bytes, iv: bytes, count: int) -> bytes:
    generator = Generator(key, iv)
    return bits.pack_high_first(generator.clock() for _ in range(8 * count))
