# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs of a block cipher's kernel: key set-up, both directions, counter mode with every kind of call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

from .contract import Part, Prover, counter_block
from .extent import Extent
from .induction import Work
from .processors.base import Argument
from .refusal import Refusal
from .specifications import aes, aria, hight, lea, seed
from .words import Word, constant, cut, join, lanes

SPECIFICATIONS: dict[str, ModuleType] = {"aes": aes, "aria": aria, "seed": seed, "lea": lea, "hight": hight}


@dataclass(frozen=True)
class Layout:
    """The position of the counter in a kernel's blocks."""

    function: str
    at: int
    """The counter's first byte, from the block's end if negative."""
    order: str


LAYOUTS = (Layout("ctr32", -4, "big"), Layout("ctr32_left", 4, "big"), Layout("ctr32_little", 0, "little"))


Cipher = Callable[[Word], Word]

S_BOX_CIPHERS = ("aes", "aria", "seed")


class BlockProver(Prover):
    """Proves a block cipher's kernel."""

    @property
    def look_ahead(self) -> int:
        """Return for how many blocks more the specification is computed. Kernels that work on several blocks side by side
        compute blocks that nobody asked for; over S-boxes that are known before, these cost little. As many at most lie
        before the first, where a kernel's groups are aligned in the run."""
        if self.subject.folder not in S_BOX_CIPHERS:
            return 0
        return 16 if self.subject.folder == "aria" or self.slices_seed else 8

    @property
    def slices_seed(self) -> bool:
        """Tell whether the kernel makes sixteen blocks of SEED at once, the first of them a call's first."""
        return (self.subject.folder, self.subject.kernel) == ("seed", "portable")

    def parts(self, key_sizes: tuple[int, ...]) -> list[Part]:
        """Return what there is to prove for keys of these sizes."""
        allowed = self.ask("key_sizes")
        counted = [layout.function for layout in LAYOUTS]
        parts = []
        for size in key_sizes:
            if allowed and not allowed >> size // 8 & 1:
                continue
            for name in ["encrypt_blocks", *counted, "ctr32_tail", "decrypt_blocks"]:
                if self.function(name):
                    parts.append(Part(size, name))
                    if name in counted and self.ask("prefix_bytes"):
                        parts.append(Part(size, name, prefix=True))
        return parts

    def prove(self, part: Part, extent: Extent) -> None:
        """Prove one function for keys of one size."""
        name, about = part.function, f"{8 * part.key_bytes}-bit key"
        self.block_bytes = self.subject.facts.block_bytes
        self.run_bits = self.ask("run_bits") or 32
        key, encrypted, decrypted = self.ciphers(part)
        set_up = "decrypt_key" if name == "decrypt_blocks" else "key"
        try:
            self.set_key(key, set_up)
        except Refusal as refusal:
            self.findings.refusals.append(f"{set_up}, {about}: {type(refusal).__name__}: {refusal}")
            return
        if name == "ctr32_tail":
            self.counted_tails(about, encrypted, extent.ctr_counts)
        elif name.startswith("ctr"):
            layout = next(each for each in LAYOUTS if each.function == name)
            self.counter_mode(layout, about, encrypted, extent.ctr_counts, part.prefix)
        else:
            self.raw(name, about, decrypted if name == "decrypt_blocks" else encrypted, extent.counts)

    def ciphers(self, part: Part) -> tuple[Word, Cipher, Cipher]:
        """Return a key, and the specification's encryption and decryption of a block with it."""
        w, specification = self.words, SPECIFICATIONS[self.subject.folder]
        key = w.fresh(8 * part.key_bytes)
        schedule = specification.expand_key(w, lanes(key, 8))

        @lru_cache(None)
        def encrypted(block: Word) -> Word:
            return join(specification.encrypt(w, schedule, lanes(block, 8)))

        @lru_cache(None)
        def decrypted(block: Word) -> Word:
            return join(specification.decrypt(w, schedule, lanes(block, 8)))

        return key, encrypted, decrypted

    def endless(self, part: Part) -> Work:
        """Set a key up, and return raw blocks or counter mode as a call of any number of blocks."""
        w, size, name = self.words, self.subject.facts.block_bytes, part.function
        about = f"{8 * part.key_bytes}-bit key"
        key, encrypted, decrypted = self.ciphers(part)
        encrypted(constant(0, 8 * size))  # in lanes without a block
        self.set_key(key, "decrypt_key" if name == "decrypt_blocks" else "key")
        state = Argument(self.state.base)
        if not name.startswith("ctr"):
            decrypting = name == "decrypt_blocks"
            return Work(
                name,
                about,
                size,
                None,
                decrypted if decrypting else encrypted,
                lambda before, out, source, count: [state, out, source, count],
            )
        layout = next(each for each in LAYOUTS if each.function == name)
        nonce, start = w.fresh(8 * size), w.fresh(32)
        block = self.constant_region("block", nonce, offset=5)
        prefix = Argument(self.new_prefix() if part.prefix else 0)

        def counted(before: int) -> Word:
            return counter_block(nonce, layout.at % size, w.add(start, constant(before, 32)), layout.order)

        def arguments(before: int, out: Argument, source: Argument, count: Argument) -> list[Argument]:
            block.fill(counted(before))
            return [state, prefix, Argument(block.base), out, source, count]

        return Work(name, about, size, lambda i: encrypted(counted(i)), None, arguments)

    def raw(self, name: str, about: str, wanted: Callable[[Word], Word], counts: tuple[int, ...]) -> None:
        """Prove raw encryption or decryption."""
        size = self.subject.facts.block_bytes
        inputs = [self.words.fresh(8 * size) for _ in range(max(counts))]
        state = self.state.base
        wanted(constant(0, 8 * size))  # in lanes without a block

        def run(n: int, in_place: bool) -> None:
            self.idle_lanes(wanted, inputs[:n])
            self.compare(
                name,
                f"{about}, {n} blocks{', in place' if in_place else ''}",
                n * size,
                lambda: join(wanted(block) for block in inputs[:n]),
                lambda out, source: [Argument(state), Argument(out), Argument(source), Argument(n)],
                data=join(inputs[:n]),
                in_place=in_place,
                offset=n % 16,
            )

        for n in counts:
            run(n, False)
        run(counts[-1], True)

    def idle_lanes(self, wanted: Callable[[Word], Word], blocks: list[Word]) -> None:
        """Compute what a sliced kernel makes of lanes that have no block: their words are what it unpacked last, the last
        word of each block that these lanes had before."""
        if self.slices_seed:
            for block in blocks[: len(blocks) - len(blocks) % 16]:
                wanted(cut(wanted(block), 96, 32) * 4)

    def new_prefix(self) -> int:
        """Return the address of prefix tables as key set-up leaves them."""
        size = self.ask("prefix_bytes")
        prefix = self.processor.region("prefix", size)
        prefix.fill(bytes(32 * 8) + self.words.fresh(8 * (size - 8)))
        return prefix.base

    def counter_mode(
        self, layout: Layout, about: str, encrypted: Callable[[Word], Word], counts: tuple[int, ...], with_prefix: bool
    ) -> None:
        """Prove one function of counter mode, from different counters: without prefix tables, or with empty and full ones."""
        w, size, state = self.words, self.subject.facts.block_bytes, self.state.base
        nonce = w.fresh(8 * size)
        data = w.fresh(8 * size * max(counts))
        at = layout.at % size
        end = 1 << self.run_bits

        def run(
            start: int, n: int, prefix: int, kind: str, fixed: Word, in_place: bool = False, plain: bool = True
        ) -> None:
            block = self.constant_region("block", counter_block(fixed, at, start, layout.order), offset=n % 8)

            def want() -> Word:
                before = start % self.look_ahead if self.look_ahead and not self.slices_seed else 0
                numbers = range(start - before, start + n + self.look_ahead)
                blocks = [encrypted(counter_block(fixed, at, number, layout.order)) for number in numbers]
                stream = join(blocks[before : before + n])
                return w.xor(cut(data, 0, 8 * size * n), stream) if plain else stream

            self.compare(
                layout.function,
                f"{about}, {n} blocks from {start:#x}{kind}",
                n * size,
                want,
                lambda out, source: [
                    Argument(state),
                    Argument(prefix),
                    Argument(block.base),
                    Argument(out),
                    Argument(source),
                    Argument(n),
                ],
                data=cut(data, 0, 8 * size * n) if plain else None,
                in_place=in_place,
                offset=(5 * n) % 16,
            )
            self.processor.machine.memory.remove(block)

        def within(start: int, n: int) -> int:
            """Return a counter near `start` from which n blocks stay in a run."""
            over = start % end + n - end
            return start - over if over > 0 else start

        most = min(counts[-1], end)
        if not with_prefix:
            for n in counts:
                run(3, n, 0, ", no prefix", nonce)
                run(2**32 - n, n, 0, ", no prefix, to the run's end", nonce)
            run(within(0x100 - most // 2, most), most, 0, ", no prefix, in place", nonce, in_place=True)
            run(7, most, 0, ", no prefix, keystream", nonce, plain=False)
            return
        prefix = self.new_prefix()
        nonce = with_public_bytes(nonce, 0x51)
        for n in counts:
            run(0, n, prefix, ", prefix", nonce)
            run(end - n, n, prefix, ", prefix, to the run's end", nonce)
        for start in (1, 0xFE, 0x100 - most // 2, 0x1FF, 0x10000 - most // 2, 0xFFFFFF, 2**32 - most - 1):
            run(within(start, most), most, prefix, ", prefix used before", nonce)
        other = with_public_bytes(w.fresh(8 * size), 0xA2)
        run(0x10, most, prefix, ", prefix of another nonce", other)
        if self.function("nonce"):
            self.nonce(layout, prefix, nonce)
            run(0x20, most, prefix, ", prefix by nonce", nonce)

    def nonce(self, layout: Layout, prefix: int, fixed: Word) -> None:
        """Call the function that fills prefix tables ahead."""
        block = self.constant_region("block", counter_block(fixed, layout.at % 16, 0x20, layout.order))
        self.call("nonce", [Argument(self.state.base), Argument(prefix), Argument(block.base)])
        self.processor.machine.memory.remove(block)

    def counted_tails(self, about: str, encrypted: Callable[[Word], Word], counts: tuple[int, ...]) -> None:
        """Prove counter mode with a tail: every one after a block, some after more."""
        w, size, start = self.words, self.block_bytes, 0xFA
        nonce = w.fresh(8 * size)
        block = self.constant_region("block", counter_block(nonce, size - 4, start, "big"))
        self.tails(
            "ctr32_tail",
            about,
            [Argument(self.state.base), Argument(0), Argument(block.base)],
            lambda i: encrypted(counter_block(nonce, size - 4, start + i, "big")),
            w.fresh(8 * size * (max(counts) + 1)),
            [
                (n, tail)
                for n in counts
                for tail in (range(1, size) if n == 1 else sorted({1, size - 1, n % size} - {0}))
            ],
        )


def with_public_bytes(nonce: Word, first: int) -> Word:
    """Return a nonce with known bytes where prefix tables depend on it: kernels compare these, since nonces are public."""
    parts = lanes(nonce, 8)
    for place in (0, 5, 10, 15):
        parts[place] = constant(first + place, 8)
    return join(parts)
