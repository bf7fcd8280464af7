# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which machine, domain and prover a kernel needs."""

from __future__ import annotations

from typing import Any

from .block_ciphers import BlockProver
from .building import Subject
from .contract import Prover
from .image import Image
from .processors.base import Processor
from .stream_ciphers import StreamProver
from .words import Words


def processor_for(words: Words, image: Image, before: Processor | None = None) -> Processor:
    """Return the processor that an image is for, with what another has decoded of it before."""
    if image.machine == "EM_X86_64":
        from .processors.x86.processor import X86

        return X86(words, image, before)
    if image.machine == "EM_RISCV":
        from .processors.riscv import Riscv

        return Riscv(words, image, before)
    if image.machine == "EM_AVR":
        from .processors.avr import Avr

        return Avr(words, image, before)
    if image.machine == "EM_AARCH64":
        from .processors.aarch64.processor import Aarch64

        return Aarch64(words, image, before)
    from .processors.arm.processor import Arm

    return Arm(words, image, before)


def options(subject: Subject) -> dict[str, Any]:
    """Return what domain a cipher needs. On AVR, words are added byte by byte: there numbers stay where they are."""
    return {
        "short_sums": subject.folder in ("aes", "aria"),
        "numbers_last": subject.folder == "seed" and subject.target != "avr" and subject.kernel != "portable",
        "own_carries": subject.folder in ("chacha20", "salsa20"),
        "long_sums": (subject.folder, subject.kernel) == ("hight", "rv32"),
        "number_after": (subject.folder, subject.kernel, subject.target) == ("seed", "table", "avr"),
        "look_ahead": 8 if (subject.folder, subject.kernel) == ("seed", "portable") else 0,
    }


def prover_for(subject: Subject) -> type[Prover]:
    """Return what proves a kernel of a cipher."""
    return BlockProver if subject.facts.block_bytes else StreamProver
