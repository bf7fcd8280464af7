# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Changed messages of every AEAD through every kernel, and changed files of every format: all are refused."""

import random
import tempfile
from pathlib import Path

import runnel
from sealed_files import SMALL, every_way_to_open, keyset_of, seal

from campaign import programs
from campaign.work import Work

GOALS = ("F2", "F5")

FILES = 1000
"""Changed files of one turn."""


def forged(rng: random.Random, sealed: bytes, other: bytes, segment: int) -> bytes:
    """Return the file after one random change; other is another file under the same key."""
    data = bytearray(sealed)
    at = rng.randrange(len(data))
    length = rng.randint(1, 2 * segment)
    count = len(data) // segment
    change = rng.randrange(8)
    if change == 0:
        data[at] ^= 1 << rng.randrange(8)
    elif change == 1:
        del data[at:]
    elif change == 2:
        del data[at : at + length]
    elif change == 3:
        data[at:at] = rng.randbytes(length)
    elif change == 4:
        data += rng.choice([bytes(length), rng.randbytes(length), data[-length:]])
    elif change == 5:
        data[at : at + length] = other[at : at + length]
    elif change == 6 and count > 1:  # two segments change places
        a, b = (slice(n * segment, (n + 1) * segment) for n in rng.sample(range(count), 2))
        data[a], data[b] = data[b], data[a]
    elif change == 7 and count > 1:  # one comes twice, or is left out
        n = rng.randrange(count) * segment
        data[n : n + segment] = rng.choice([b"", 2 * data[n : n + segment]])
    return bytes(data)


def files(work: Work, name: str, seed: int, count: int) -> None:
    rng = random.Random(seed)
    random.seed(seed)  # for the keys
    with tempfile.TemporaryDirectory(dir=work.folder) as folder:
        keyset, aad = keyset_of(SMALL[name]), rng.randbytes(rng.randrange(20))
        texts = [rng.randbytes(rng.randrange(400)) for _ in range(2)]
        good, other = (seal(keyset, text, aad) for text in texts)
        for number in range(count):
            bad = forged(rng, good, other, SMALL[name].segment_bytes)
            if bad in (good, other):
                continue
            way = rng.choice(every_way_to_open(keyset, bad, aad, Path(folder)))
            released = None
            try:
                released = way()
            except runnel.AuthenticationError:
                pass
            except Exception as error:
                work.finding(f"file {number} in {name} of seed {seed} raises {error!r}, not AuthenticationError")
            work.add(f"files in {name}", 1, "forgeries", int(released is not None))
            if released is not None:
                work.finding(f"forged file {number} in {name} of seed {seed} opens")
        if any(way() != texts[0] for way in every_way_to_open(keyset, good, aad, Path(folder))):
            work.finding(f"the file in {name} of seed {seed} does not open")


def run(work: Work) -> None:
    """Always what has had the smallest part of what the goals ask for: some AEADs are a hundred times as slow as others."""
    seeds = random.Random(work.seed)
    seconds = min(10, max(0.02, work.seconds / 100))
    figures = {**{name: name for name in runnel.aeads()}, **{name: f"files in {name}" for name in SMALL}}
    work.expect(figures.values(), "forgeries")
    recorded = programs.Recorded(work, "forgeries")
    while True:
        name = min(figures, key=lambda name: recorded.share(figures[name], "forgeries"))
        if name in SMALL:
            files(work, name, seeds.getrandbits(63), FILES if work.seconds >= 60 else 10)
        else:
            programs.count(work, programs.call(work, "runnel-forgeries", name, seconds, seeds.getrandbits(63)))
        if work.left() == 0:
            return
