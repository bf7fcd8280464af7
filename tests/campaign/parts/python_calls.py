# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls from Python, right ones and wrong ones, after which no memory and no reference is left."""

import gc
import io
import itertools
import random
import sys
from collections.abc import Callable
from pathlib import Path

import runnel
from runnel import decrypt_stream, encrypt_stream
from sealed_files import SMALL, keyset_of

from campaign.work import Work

GOALS = ("G24",)

ROUND = 50_000
"""Calls between two looks at the memory."""

BLOCKS = 300
"""So many more of Python's blocks of memory than after the first round, and one more in each round, are a leak. The
interpreter's own stores fill more and more slowly: they took 303 blocks in 40 million calls, most of them in the first."""

RESIDENT = 4 << 20
"""So many more bytes that the system counts are one too: eighty a call."""

Calls = list[Callable[[], object]]


def refused(call: Callable[[], object]) -> None:
    try:
        call()
    except (runnel.Error, ValueError, TypeError, OverflowError, BufferError):
        return
    raise AssertionError("a wrong call was accepted")


def files(keyset: runnel.Keyset, data: bytes) -> None:
    kept, again = io.BytesIO(), io.BytesIO()
    encrypt_stream(io.BytesIO(data), kept, keyset, threads=1)
    decrypt_stream(io.BytesIO(kept.getvalue()), again, keyset, threads=1)
    assert again.getvalue() == data


def streams(rng: random.Random, data: bytes, out: bytearray) -> Calls:
    stream = runnel.new("chacha20", bytes(32), bytes(12))
    packets = [data[:50], data[:70]]
    return [
        lambda: runnel.new("aes-128-ctr", data[:16], data[:16], layout=rng.choice(["be128", "be32", "le64", None])),
        lambda: runnel.new_batch("rabbit", [data[:16]] * 3, [data[:8]] * 3),
        lambda: runnel.xor("salsa20", data[:32], data[:8], data, offset=rng.randrange(1 << 40)),
        lambda: runnel.xor("seed-ctr", data[:16], data[:16], memoryview(data)[::-1].tobytes()),
        lambda: stream.xor(memoryview(data)[: rng.randrange(600)]),
        lambda: stream.xor_into(data, out),
        lambda: stream.keystream(rng.randrange(300)),
        lambda: stream.seek(rng.randrange(1 << 30)),
        lambda: stream.reset(data[:12]),
        lambda: stream.xor_packets([data[:12]] * 2, packets),
        lambda: (stream.tell(), stream.left(), stream.kernel, stream.cipher, stream.layout),
        lambda: refused(lambda: runnel.new("chacha20", bytes(31), bytes(12))),
        lambda: refused(lambda: runnel.new("chacha20", bytes(32), bytes(13), layout="no layout")),
        lambda: refused(lambda: runnel.new("no cipher", b"", b"")),
        lambda: refused(lambda: stream.xor("text")),  # type: ignore[arg-type]
        lambda: refused(lambda: stream.xor_into(data, out[1:])),
        lambda: refused(lambda: stream.xor_into(memoryview(out)[1:], memoryview(out)[:-1])),
        lambda: refused(lambda: stream.seek(-1)),
        lambda: refused(lambda: stream.xor_packets([b"", 3], packets)),  # type: ignore[list-item]
    ]


def authenticated(rng: random.Random, data: bytes, out: bytearray) -> Calls:
    aead = runnel.aead("aes-128-gcm", bytes(16))
    text = data[:100]
    sealed = aead.seal(bytes(12), text, b"more")
    tag = runnel.mac("poly1305", data[:32], data).tag()

    def mac() -> None:
        one = runnel.mac("poly1305", data[:32])
        one.update(data)
        one.verify(tag)

    return [
        lambda: runnel.aead("chacha20-poly1305", bytes(32)).seal(None, text),
        lambda: aead.seal(bytes(12), data[: rng.randrange(600)], b"x"),
        lambda: aead.open(bytes(12), sealed, b"more"),
        lambda: aead.seal_into(bytes(12), text, memoryview(out)[:116], b"more"),
        lambda: aead.open_into(bytes(12), sealed, memoryview(out)[:100], b"more"),
        lambda: aead.open_batch([bytes(12)] * 2, aead.seal_batch([bytes(12)] * 2, [text, data])),
        lambda: aead.open_batch([bytes(12)] * 2, [sealed, sealed], [b"more", b"less"]),
        mac,
        lambda: refused(lambda: aead.open(bytes(12), sealed, b"less")),
        lambda: refused(lambda: aead.seal(b"", b"", b"")),
        lambda: refused(lambda: aead.seal(bytes(12), text, 3)),  # type: ignore[arg-type]
        lambda: refused(lambda: aead.seal_batch([bytes(12), 3], [text, text])),  # type: ignore[list-item]
        lambda: refused(lambda: runnel.aead("aes-128-gcm", b"short")),
        lambda: refused(lambda: runnel.mac("poly1305", data[:32], data).verify(bytes(16))),
    ]


def calls(seed: int) -> tuple[Calls, list[int]]:
    """Kinds of calls, with how often each comes."""
    rng = random.Random(seed)
    data, out = rng.randbytes(600), bytearray(600)
    keysets = [keyset_of(parameters) for parameters in SMALL.values()]
    often = [*streams(rng, data, out), *authenticated(rng, data, out)]
    seldom: Calls = [lambda: files(rng.choice(keysets), data)]
    return often + seldom, [200] * len(often) + [1]


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def watch(work: Work, kinds: Calls, weights: list[int], round_calls: int = ROUND) -> None:
    """Rounds of random calls until the time is up; after the first, which fills caches, memory may not grow."""
    rng = random.Random(work.seed)
    first: tuple[int, int] | None = None
    grown = 0
    for rounds in itertools.count():
        if first is not None and not work.left():
            return
        for call in rng.choices(kinds, weights, k=round_calls):
            call()
        work.add("calls", round_calls, "calls")
        gc.collect()
        now = sys.getallocatedblocks(), resident()
        first = first or now
        # Twice in a row: an interpreter may hold something for a moment.
        grown = grown + 1 if now[0] > first[0] + BLOCKS + rounds or now[1] > first[1] + RESIDENT else 0
        if grown == 2:
            work.finding(f"{now[0] - first[0]} blocks and {now[1] - first[1]} bytes more, seed {work.seed}")
            work.figures[-1].found += 1
            return


def run(work: Work) -> None:
    watch(work, *calls(work.seed))
