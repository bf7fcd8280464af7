# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The calls of the extension itself: segments of AES-CTR-HMAC in one call of C, and sealers with arguments of any length.
Segments open to what was sealed, up to the first that was changed; an error leaves memory as it was."""

from __future__ import annotations

import runnel
from runnel import _native

from fuzz.python_checks import Choices, result_or_line

_IV = 16
_AEADS = sorted(each["name"] for each in _native.aeads())
_ERRORS = (runnel.Error, ValueError, TypeError, OverflowError, BufferError)


def _row(choices: Choices) -> None:
    tag = 16 + choices.below(17)
    first, whole = (_IV + tag + choices.number(1) - choices.below(3) for _ in range(2))
    length = choices.number(2) % 4000
    stream = _native.new("aes-256-ctr", choices.bytes(32), bytes(_IV))
    mac = _native.mac("hmac-sha-256", choices.bytes(32), tag_bytes=tag)
    least = _IV + tag
    first_length = min(first, length)
    rest = length - first_length
    count = (length > 0) + (-(-rest // whole) if whole > 0 else 0)
    lacking = choices.below(8) == 0
    ivs = choices.bytes(_IV * count + lacking)
    plain = choices.bytes(length)
    memory = bytearray(plain)
    sealed = result_or_line(lambda: _native._seal_segments(stream, mac, ivs, memory, first, whole), *_ERRORS)
    last = rest % whole if whole > 0 else 0
    fits = first >= least and whole >= least and not lacking
    fits = fits and (length == 0 or first_length >= least) and (last == 0 or last >= least)
    assert (sealed == count) if fits else sealed is None, f"sealing gives {sealed}"
    if not fits:
        assert memory == plain, "an error changes memory"
        return
    changed = bytearray(memory)
    where = choices.number(2) % length if length and choices.below(2) else None
    if where is not None:
        changed[where] ^= 1 << choices.below(8)
    opened = _native._open_segments(stream, mac, ivs, memory if where is None else changed, first, whole)
    if where is None:
        assert opened == count
        starts = [0, *range(first, length, whole)] if length else []
        for index, start in enumerate(starts):
            end = starts[index + 1] if index + 1 < len(starts) else length
            assert memory[start + _IV : end - tag] == plain[start + _IV : end - tag], f"segment {index}"
    else:
        index = 0 if where < first else 1 + (where - first) // whole
        start = 0 if index == 0 else first + (index - 1) * whole
        # The IV in the memory is not what counts, but that in ivs.
        assert opened == (count if where - start < _IV else index), f"a change at {where} is found in segment {opened}"


def _overlapping(choices: Choices) -> None:
    memory = bytearray(choices.bytes(400))
    before = bytes(memory)
    stream = _native.new("aes-128-ctr", choices.bytes(16), bytes(_IV))
    mac = _native.mac("hmac-sha-256", choices.bytes(32), tag_bytes=16)
    ivs = memoryview(memory)[choices.below(200) :][: _IV * choices.below(6)]
    numbers = [choices.number(8) - 2**63 if choices.below(4) == 0 else choices.number(1) for _ in range(2)]
    call = _native._open_segments if choices.below(2) else _native._seal_segments
    done = result_or_line(lambda: call(stream, mac, ivs, memory, *numbers), *_ERRORS)
    assert done is None or not ivs, "memory that overlaps is worked on"
    assert memory == before


def _sealer(choices: Choices) -> None:
    name = _AEADS[choices.below(len(_AEADS))]
    sealer = result_or_line(lambda: _native.aead(name, choices.bytes(choices.below(72))), *_ERRORS)
    if sealer is None:
        return
    nonce, text, aad = (choices.bytes(choices.number(1) % most) for most in (40, 200, 50))
    sealed = result_or_line(lambda: sealer.seal(nonce, text, aad), *_ERRORS)
    if sealed is None:
        return
    assert sealer.open(nonce, sealed, aad) == text
    spoiled = bytearray(sealed)
    if spoiled:
        spoiled[choices.number(2) % len(spoiled)] ^= 1 << choices.below(8)
        assert result_or_line(lambda: sealer.open(nonce, spoiled, aad), *_ERRORS) is None, "a forgery opens"


def one(data: bytes) -> None:
    choices = Choices(data)
    (_row, _row, _overlapping, _sealer)[choices.below(4)](choices)
