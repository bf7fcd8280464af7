# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a key fixes of the files that are written with it: lengths, positions, hashes; and the templates for new keys."""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes

from runnel.errors import AuthenticationError, KeysetError

PREFIX_BYTES = 7
SEGMENTS_MAX = 1 << 32

DIGESTS: dict[str, type[hashes.HashAlgorithm]] = {"SHA1": hashes.SHA1, "SHA256": hashes.SHA256, "SHA512": hashes.SHA512}


@dataclass(frozen=True)
class Parameters:
    """What a key fixes of the files written with it. All lengths in bytes."""

    segment_bytes: int  # of a whole segment on disk, tag included, and the header too in the first
    derived_key_bytes: int  # 16 or 32: AES-128 or AES-256
    hkdf_hash: str = "SHA256"  # or SHA1, SHA512
    hmac_hash: str = "SHA256"
    tag_bytes: int = 32

    def __post_init__(self) -> None:
        if self.derived_key_bytes not in (16, 32):
            raise KeysetError(f"the derived key size is {self.derived_key_bytes} bytes, not 16 or 32")
        for name in (self.hkdf_hash, self.hmac_hash):
            if name not in DIGESTS:
                raise KeysetError(f"the hash is {name}, not SHA1, SHA256 or SHA512")
        largest = DIGESTS[self.hmac_hash]().digest_size
        if not 10 <= self.tag_bytes <= largest:
            raise KeysetError(f"the tag size is {self.tag_bytes} bytes, not 10 to {largest} ({self.hmac_hash})")
        if not self.header_bytes + self.tag_bytes < self.segment_bytes < 1 << 31:
            least = self.header_bytes + self.tag_bytes + 1
            raise KeysetError(f"the segment size is {self.segment_bytes} bytes, not {least} to {2**31 - 1}")

    @property
    def header_bytes(self) -> int:
        return 1 + self.derived_key_bytes + PREFIX_BYTES

    @property
    def first_bytes(self) -> int:
        """Plaintext bytes in the first segment when it is full."""
        return self.segment_bytes - self.header_bytes - self.tag_bytes

    @property
    def rest_bytes(self) -> int:
        """Plaintext bytes in any later segment when it is full."""
        return self.segment_bytes - self.tag_bytes

    def capacity(self, index: int) -> int:
        """Plaintext bytes in segment number index (from 0) when it is full."""
        return self.rest_bytes if index else self.first_bytes

    def segments(self, plaintext_bytes: int) -> int:
        """The number of segments that a plaintext makes. At least 1."""
        return 1 + max(0, -((self.first_bytes - plaintext_bytes) // self.rest_bytes))

    def sealed_bytes(self, plaintext_bytes: int) -> int:
        """The length of the file that a plaintext makes."""
        return self.header_bytes + plaintext_bytes + self.segments(plaintext_bytes) * self.tag_bytes

    def opened(self, sealed_bytes: int) -> tuple[int, int]:
        """(number of segments, plaintext bytes) of a file of this length. Raises AuthenticationError: no such length."""
        count = max(1, -(-sealed_bytes // self.segment_bytes))
        last = sealed_bytes - (count - 1) * self.segment_bytes - (self.header_bytes if count == 1 else 0)
        if last < self.tag_bytes:
            raise AuthenticationError(
                f"cut: {sealed_bytes} bytes end inside {'the header or ' if count == 1 else ''}a tag"
            )
        return count, sealed_bytes - self.header_bytes - count * self.tag_bytes

    def segment_of(self, position: int) -> int:
        """The number of the segment that holds the plaintext byte at this position."""
        return 0 if position < self.first_bytes else 1 + (position - self.first_bytes) // self.rest_bytes

    def plaintext_at(self, index: int) -> int:
        """The plaintext position at which segment number index begins."""
        return 0 if index == 0 else self.first_bytes + (index - 1) * self.rest_bytes

    def sealed_at(self, index: int) -> int:
        """The file position at which the ciphertext of segment number index begins."""
        return index * self.segment_bytes if index else self.header_bytes


TEMPLATES = {
    "AES128_CTR_HMAC_SHA256_4KB": Parameters(4096, 16),
    "AES128_CTR_HMAC_SHA256_1MB": Parameters(1 << 20, 16),
    "AES256_CTR_HMAC_SHA256_4KB": Parameters(4096, 32),
    "AES256_CTR_HMAC_SHA256_1MB": Parameters(1 << 20, 32),
}
DEFAULT_TEMPLATE = "AES256_CTR_HMAC_SHA256_1MB"
