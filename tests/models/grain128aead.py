# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Grain-128AEADv2 (the finalist of NIST's lightweight cryptography, 2021), a clock at a time."""

from models import bits


class Generator:
    def __init__(self, key: bytes, nonce: bytes):
        k = bits.low_first(key)
        self.b = list(k)
        self.s = [*bits.low_first(nonce), *[1] * 31, 0]
        for _ in range(320):
            y = self.clock()
            self.add(y, y)
        for t in range(64):
            y = self.clock()
            self.add(y ^ k[64 + t], y ^ k[t])
        self.a = [self.clock() for _ in range(64)]
        self.r = [self.clock() for _ in range(64)]

    def clock(self) -> int:
        b, s = self.b, self.s
        h = b[12] & s[8] ^ s[13] & s[20] ^ b[95] & s[42] ^ s[60] & s[79] ^ b[12] & b[95] & s[94]
        y = h ^ s[93] ^ b[2] ^ b[15] ^ b[36] ^ b[45] ^ b[64] ^ b[73] ^ b[89]
        f = s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96]
        g = s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96] ^ b[3] & b[67] ^ b[11] & b[13] ^ b[17] & b[18]
        g ^= b[27] & b[59] ^ b[40] & b[48] ^ b[61] & b[65] ^ b[68] & b[84]
        g ^= b[88] & b[92] & b[93] & b[95] ^ b[22] & b[24] & b[25] ^ b[70] & b[78] & b[82]
        self.b, self.s = [*b[1:], g], [*s[1:], f]
        return y

    def add(self, to_lfsr: int, to_nfsr: int) -> None:
        """Add to the newest bits."""
        self.s[127] ^= to_lfsr
        self.b[127] ^= to_nfsr

    def take(self, bit: int) -> int:
        """Returns the bit encrypted, and authenticates it."""
        z = self.clock()
        if bit:
            self.accumulate()
        self.r = [*self.r[1:], self.clock()]
        return bit ^ z

    def accumulate(self) -> None:
        self.a = [i ^ j for i, j in zip(self.a, self.r, strict=True)]


def length(n: int) -> bytes:
    """Return the length as DER has it."""
    if n < 128:
        return bytes([n])
    text = n.to_bytes((n.bit_length() + 7) // 8, "big")
    return bytes([0x80 + len(text)]) + text


def seal(key: bytes, nonce: bytes, aad: bytes, text: bytes) -> tuple[bytes, bytes]:
    generator = Generator(key, nonce)
    for bit in bits.low_first(length(len(aad)) + aad):
        generator.take(bit)
    ciphertext_bits = [generator.take(bit) for bit in bits.low_first(text)]
    generator.accumulate()
    return bits.pack_low_first(ciphertext_bits), bits.pack_low_first(generator.a)
