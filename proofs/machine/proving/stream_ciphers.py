# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of the kernels of ChaCha20 and Salsa20: key and nonce set-up, and keystream at any index."""

from __future__ import annotations

from functools import lru_cache

from .contract import Part, Prover
from .extent import Extent
from .induction import Work
from .linear import LinearWords
from .processors.base import Argument
from .refusal import Refusal
from .specifications import chacha20, salsa20
from .words import Word, constant, cut, join, zero_extended

BLOCK = 64

BLOCKS_MOST = 33
"""Two strides of the widest kernel and a block."""


TAILS = (1, 7, 16, 31, 33, 48, 63)
"""After one block."""


class StreamProver(Prover):
    """Proves a kernel that makes blocks of keystream from an index."""

    block_bytes = BLOCK

    def parts(self, key_sizes: tuple[int, ...]) -> list[Part]:
        """Return what there is to prove for keys of these sizes."""
        rounds = (20,) if self.subject.folder == "chacha20" else (20, 12, 8)
        return [Part(size, "xor_blocks", r) for size in key_sizes for r in rounds]

    @property
    def index_bits(self) -> int:
        """Return the width of the index of a block."""
        return 32 if self.subject.folder == "chacha20" else 64

    def keystream(self, key: Word, index: Word, nonce: Word, rounds: int) -> Word:
        """Return a block of the specification's keystream."""
        if self.subject.folder == "chacha20":
            return join(chacha20.block(self.words, key, index, nonce))
        return join(salsa20.block(self.words, key, index, nonce, rounds))

    def inputs(self, part: Part) -> tuple[Word, Word, str]:
        """Return a key, a nonce, and what proofs say of them."""
        key, nonce = self.words.fresh(8 * part.key_bytes), self.words.fresh(128 - self.index_bits)
        return (
            key,
            nonce,
            f"{8 * part.key_bytes}-bit key" + ("" if self.subject.folder == "chacha20" else f", {part.rounds} rounds"),
        )

    def endless(self, part: Part) -> Work:
        """Set a key up, and return keystream as a call of any number of blocks."""
        key, nonce, about = self.inputs(part)
        self.set_up(key, nonce, part.rounds)
        w = self.words
        index = zero_extended(w.fresh(self.index_bits), 64)  # whose end does not wrap
        if isinstance(w, LinearWords) and self.processor.pointer_bytes == 8:
            w.index_is(index)

        def at(before: int) -> Word:
            return w.add(index, constant(before, 64))

        @lru_cache(None)
        def block(i: int) -> Word:
            return self.keystream(key, cut(at(i), 0, self.index_bits), nonce, part.rounds)

        def arguments(before: int, out: Argument, source: Argument, count: Argument) -> list[Argument]:
            return [Argument(self.state.base), Argument(at(before), 8), out, source, count]

        return Work("xor_blocks", about, BLOCK, block, None, arguments)

    def prove(self, part: Part, extent: Extent) -> None:
        """Prove all functions for keys of one size and a number of rounds."""
        rounds = part.rounds
        counts = tuple(n for n in extent.ctr_counts if n <= BLOCKS_MOST)
        w, state = self.words, self.state.base
        key, nonce, about = self.inputs(part)
        data = w.fresh(8 * BLOCK * (max(counts) + 1))
        try:
            self.set_up(key, nonce, rounds)
        except Refusal as refusal:
            self.findings.refusals.append(f"set-up, {about}: {type(refusal).__name__}: {refusal}")
            return

        @lru_cache(None)
        def block(index: int) -> Word:
            return self.keystream(key, constant(index, self.index_bits), nonce, rounds)

        def run(start: int, n: int, in_place: bool) -> None:
            self.compare(
                "xor_blocks",
                f"{about}, {n} blocks from {start}{', in place' if in_place else ''}",
                n * BLOCK,
                lambda: w.xor(cut(data, 0, 512 * n), join(block(start + i) for i in range(n))),
                lambda out, source: [Argument(state), Argument(start, 8), *map(Argument, (out, source, n))],
                data=cut(data, 0, 512 * n),
                in_place=in_place,
                offset=n % 16,
            )

        for n in counts:
            run(5, n, False)
        run(5, counts[-1], True)
        if self.subject.folder != "chacha20":  # whose index has 32 bits
            for n in counts[:6]:
                run(2**32 - 2, n, False)
        most = counts[-1]
        self.compare(
            "xor_blocks",
            f"{about}, {most} blocks, keystream",
            most * BLOCK,
            lambda: join(block(5 + i) for i in range(most)),
            lambda out, source: [Argument(state), Argument(5, 8), Argument(out), Argument(0), Argument(most)],
        )
        if self.function("xor_tail"):
            self.tails(
                "xor_tail",
                about,
                [Argument(state), Argument(5, 8)],
                lambda i: block(5 + i),
                data,
                [(n, tail) for n in counts for tail in (TAILS if n == 1 else sorted({1 + n % 63, 63}))],
            )

    def set_up(self, key: Word, nonce: Word, rounds: int) -> None:
        """Have the kernel set up a key and a nonce."""
        self.fresh_state()
        if self.subject.folder == "salsa20":
            self.state.fill(constant(rounds, 8), 64)
        region = self.constant_region("key", key)
        self.state.writable = True
        self.call("key", [Argument(self.state.base), Argument(region.base), Argument(region.size)])
        iv = self.constant_region("nonce", nonce)
        self.call("iv", [Argument(self.state.base), Argument(iv.base), Argument(iv.size)])
        for each in (region, iv):
            self.processor.machine.memory.remove(each)
