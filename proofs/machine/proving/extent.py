# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How much is proved of a kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .building import Subject


@dataclass(frozen=True)
class Extent:
    """The numbers of blocks that are proved: in raw encryption, in counter mode or as keystream."""

    counts: tuple[int, ...]
    ctr_counts: tuple[int, ...]
    key_bytes: tuple[int, ...] | None = None
    """None: all that the cipher has."""

    def within(self, stride: int) -> Extent:
        """Return what there is to prove of a kernel that makes so many blocks at once: up to two strides and a block."""
        most = 2 * stride + 1

        def cut(counts: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(sorted({*(n for n in counts if n <= most), min(most, counts[-1])}))

        return replace(self, counts=cut(self.counts), ctr_counts=cut(self.ctr_counts))


QUICK = Extent((1, 3), (1, 2, 5), None)
WIDE = Extent((1, 2, 3, 4, 5, 8, 9, 17, 33), (1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 41, 65))
MIDDLE = Extent((1, 2, 3, 5, 9), (1, 2, 3, 5, 8, 9, 17))
SMALL = Extent((1, 2, 3, 5), (1, 2, 3, 5, 9))
TINY = Extent((1, 2, 3), (1, 2, 3, 5))
SHORT = Extent((1, 9), (1, 33))
"""For many builds of one kernel: a single block, and two strides of most of them."""


FEW_AT_ONCE = ("portable", "table", "ttable")
"""Kernels of all processors that make at most four blocks side by side, except for those that slice sixteen."""
SLICED = Extent((1, 2, 17), (1, 16, 33))


def extent_of(subject: Subject) -> Extent:
    """Return how much is proved of a kernel."""
    if subject.kernel == "portable" and subject.folder in ("aria", "seed"):
        return SLICED
    if subject.kernel in FEW_AT_ONCE or subject.kernel.startswith("thumb2"):
        return SMALL
    if subject.target == "host":
        return WIDE
    if subject.target in ("aarch64", "armv7"):
        return MIDDLE
    return TINY if subject.target == "avr" else SMALL
