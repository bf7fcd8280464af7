# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels beside the reference kernel, and beside independent libraries, on random messages.

--only "chacha20,.* beside openssl" takes those alone whose names fit."""

import functools
import re

import c_programs
import runnel
import selection
from test_c_peers import AEADS, PAIRS, available

from campaign import programs
from campaign.work import Work

GOALS = ("G8", "G9")

UNLIMITED = 1 << 40


def items() -> list[tuple[str, ...]]:
    """Return the subjects that take turns: ciphers, and ciphers and AEADs beside a library that is installed."""
    beside = [*PAIRS, *((aead, peer) for peer, aeads in AEADS.items() for aead in aeads)]
    peers = [pair for pair in beside if available(pair[1])]
    ciphers = [(cipher,) for cipher in c_programs.ciphers()]
    # A cipher after every two peers: as much of the time for each of the two.
    return [item for n, pair in enumerate(peers) for item in (pair, *ciphers[n // 2 : n // 2 + 1] * (n % 2))] + ciphers[
        len(peers) // 2 :
    ]


def enough(recorded: programs.Recorded, item: tuple[str, ...]) -> bool:
    """Tell whether its family has the blocks that each is wished to have, beside the reference kernel or beside libraries;
    AEADs, whose blocks are not counted, and pairs with models, which are slow, have the messages."""
    if item[0] in runnel.aeads() or item[1:] == ("models",):
        return recorded.enough(" beside ".join(item), "messages")
    family = selection.family(item[0])
    mark = " beside " if len(item) == 2 else "/"
    counted = (
        count
        for (what, unit), count in recorded.counts().items()
        if unit == "blocks" and mark in what and selection.family(re.split(" |/", what)[0]) == family
    )
    return sum(counted) >= programs.goals()["family_blocks"]


def run(work: Work) -> None:
    """Run families by turns: one that has enough leaves its turns to the others, so that fast ones do not wait for slow
    ones."""
    kernels = [each for each in c_programs.kernels() if each.available and not each.reference]
    work.expect(map(str, kernels), "blocks")
    work.expect((f"{item[0]} beside {item[1]}" for item in items() if len(item) == 2), "messages")
    recorded = programs.Recorded(work, "blocks")
    wanted = [item for item in items() if work.wanted(" beside ".join(item))]
    turns = programs.in_turn(work, wanted, enough=functools.partial(enough, recorded))
    for item, seconds, seed in turns:
        if len(item) == 1:
            programs.count(work, programs.call(work, "runnel-blocks", item[0], seconds, seed))
            continue
        name, peer = item
        of_a_kernel = seconds / (16 if name in runnel.aeads() else 4)  # there are many
        for _, number, unit in programs.call(work, f"runnel-peer-{peer}", name, UNLIMITED, of_a_kernel, seed):
            work.add(f"{name} beside {peer}", number, unit)
