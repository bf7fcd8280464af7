# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Commitments to the bytes of each part of an upload, on disk before any of it is sent.

A resumed upload keeps its header, and with it keys and nonces, so a part that was sent may only be sent again with the same
bytes: other plaintext under the same keystream would give both away. Whoever supplies the source also supplies its ETag, its
size and its times, so none of these can show that it is the same. A commitment does: a MAC over the tags of the part's
segments. Two plaintexts of one segment with the same tag would be a forgery of the format.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from runnel.errors import Error
from runnel.sealed.parameters import Parameters

from runnel_store.errors import ChangedError
from runnel_store.plan import Part
from runnel_store.resume import Journal

if TYPE_CHECKING:
    from typing_extensions import Buffer


def commitment(secret: bytes, p: Parameters, part: Part, sealed: Buffer) -> bytes:
    """Return the MAC of a sealed part (32 bytes). sealed: the part as it lies in the object, the header included in the
    first."""
    data = memoryview(sealed)
    mac = hmac.new(secret, b"%d %d " % (part.number, len(data)), "sha256")
    begin = p.sealed_at(part.first) if part.first else 0
    ends = [p.sealed_at(index) - begin for index in range(part.first + 1, part.after)]
    for end in (*ends, len(data)):
        mac.update(data[end - p.tag_bytes : end])
    return mac.digest()


class Commitments:
    """The commitments in the journal of an upload. For any thread of the process that has the journal, but not for two
    at the same part."""

    def __init__(self, journal: Journal, source: str) -> None:
        self._journal = journal
        self._source = source
        self._by_part: dict[int, bytes] = {}
        self.sent: dict[int, str] = {}
        """ETags of the parts that the store has, by their numbers."""

    def add_noted(self, lines: Iterable[dict[str, Any]], parts: int) -> None:
        """Add what earlier runs recorded of parts number 1 to parts. Raises Error: no run of ours can have."""
        try:
            for line in lines:
                number, commitment = line["part"], bytes.fromhex(line["sealed"])
                if not 1 <= number <= parts or self._by_part.setdefault(number, commitment) != commitment:
                    raise ValueError
                if line["etag"]:
                    self.sent[number] = line["etag"]
        except ValueError:
            raise self._journal.damaged() from None

    def commit(self, part: Part, commitment: bytes) -> None:
        """Record a part's commitment durably: after this, the part may be sent. Raises ChangedError if an earlier one of the
        same part differs: the part must not be sent."""
        earlier = self._by_part.get(part.number)
        if earlier is None:
            self._journal.append({"part": part.number, "sealed": commitment.hex(), "etag": ""}, durable=True)
            self._by_part[part.number] = commitment
        elif not hmac.compare_digest(earlier, commitment):
            raise self.changed()

    def note_sent(self, part: Part, etag: str) -> None:
        """Record that the store has a part."""
        commitment = self._by_part.get(part.number, b"")  # parts of plaintext have no commitments
        self._journal.append({"part": part.number, "sealed": commitment.hex(), "etag": etag})
        self.sent[part.number] = etag

    def check_covers(self, there: Iterable[int]) -> None:
        """Raise Error if the store has a part that no commitment was recorded of: the journal is older than the upload."""
        for number in there:
            if number not in self._by_part:
                raise Error(
                    f"{self._journal.path}: says nothing of part {number}, which the store has, as if an older state of this "
                    "file had been restored; --restart starts over"
                )

    def changed(self) -> ChangedError:
        return ChangedError(
            f"{self._source}: it was changed after its upload had begun, which {self._journal.path} keeps; "
            "--restart starts over"
        )
