# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The power cut at every call of every command that writes: old file or new file, and what was reported done stays.

The calls of a run are logged, and the disk is rebuilt as it may be after a cut behind each of them: see power.py. A counter
of nonces kept as docs/python.md has it never goes back to a number that was in use."""

import json
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import c_programs
import runnel

from campaign.disk import Call, Host, copied
from campaign.power import Disk, State
from campaign.work import Work
from campaign.writers import Writer, begin, contents, prepare, words_of, writers

GOALS = ("G25",)

AHEAD = 100
_COUNTER = """
import sys
sys.path.insert(0, {tests!r})
from campaign.nonce_worker import recipe
names = recipe()
for number in range(3):
    nonces = names["reserved"]("nonces.json", {ahead})
    with open(f"used-{{nonces.number}}", "x"):
        pass
"""
"""A file used-N is made when numbers from N on may be in use."""


def run(work: Work) -> None:
    c_programs.build(work.build)
    chance = random.Random(work.seed)
    base = work.folder / "base"
    if not base.exists():
        base.mkdir()
        prepare(base)
    ended = work.folder / "position"
    first = int(ended.read_text()) if ended.exists() else 0
    todo: list[Writer | None] = [*(each for each in writers(base) if each.complete and each.durable), None]
    with Host(work.build) as host:
        number = first
        while work.left():
            writer = todo[number % len(todo)]
            states, complaints = counter(host, chance) if writer is None else cut(host, base, writer, chance)
            work.add("states of a disk after a cut", states, "states", len(complaints))
            work.add("runs whose calls were logged", 1, "runs")
            for complaint in complaints[:3]:
                work.finding(complaint)
            number += 1
            ended.write_text(str(number % len(todo)))


def cut(
    host: Host, base: Path, writer: Writer, chance: random.Random, torn: int = 8, without: Sequence[str] = ()
) -> tuple[int, list[str]]:
    """Cuts the power behind each call of a run; returns how many states the disk may have, and what was wrong in them.
    without: calls that are taken out of the log, each a word such as 'sync of a folder', as if nobody had made them."""
    with copied(base) as folder:
        before = begin(writer, folder)
        disk = Disk(folder)
        done = host.run(folder, words_of(writer, folder), log=True)
        after = contents(writer, folder)
        calls = _left(done.calls, folder, without)
    if done.status != writer.status:
        return 0, [f"{writer.name}: status {done.status}, {done.stderr!r}"]
    count, complaints = 0, []
    for at in range(len(calls) + 1):
        if at:
            disk.follow(calls[at - 1])
        where = f"{writer.name}, cut after call {at} ({calls[at - 1].what})" if at else f"{writer.name}, cut at once"
        for state in disk.states(chance, torn):
            count += 1
            complaints += [f"{where}: {each}" for each in _wrong(state, before, after, at == len(calls))]
    return count, list(dict.fromkeys(complaints))


def _left(calls: list[Call], folder: Path, without: Sequence[str]) -> list[Call]:
    root = os.path.realpath(folder)
    folders = {root, *(os.path.join(root, place) for place, *_ in os.walk(root))}

    def name(call: Call) -> str:
        return f"sync of a {'folder' if call.path in folders else 'file'}" if call.what == "sync" else call.what

    return [call for call in calls if name(call) not in without]


def _wrong(state: State, before: dict[str, bytes | None], after: dict[str, bytes | None], ended: bool) -> Iterator[str]:
    for name, new in after.items():
        found = state.get(name)
        if found != new and (ended or found != before[name]):
            what = "gone" if found is None else f"{len(found)} bytes"
            yield (
                f"{name} is neither the old file nor the new one: {what}"
                if not ended
                else f"{name} is not the new file"
            )
    for name, data in state.items():
        if not name.endswith(".plan"):
            continue
        # What a plan calls done is not done again: it has to be there. A line that was cut is dropped by who reads it.
        for line in data[: data.rfind(b"\n") + 1].splitlines():
            try:
                finished = json.loads(line).get("done")
            except ValueError:
                continue  # Runnel refuses such a plan
            target = f"made/{finished}"
            if finished and target in state and state[target] != after[target]:
                yield f"{name} calls {finished} done, which is not complete"


def counter(host: Host, chance: random.Random, torn: int = 8, without: Sequence[str] = ()) -> tuple[int, list[str]]:
    """The same for a counter of nonces in a file, which must be beyond all that are in use."""
    with tempfile.TemporaryDirectory(prefix="power-") as name:
        folder = Path(name).resolve()
        (folder / "nonces.json").write_text(runnel.NonceCounter(b"node").save())
        disk = Disk(folder)
        tests = str(Path(__file__).resolve().parent.parent.parent)
        done = host.run(folder, _COUNTER.format(tests=tests, ahead=AHEAD), log=True)
        calls = _left(done.calls, folder, without)
    if done.status:
        return 0, [f"a counter of nonces: status {done.status}, {done.stderr!r}"]
    count, complaints, used = 0, [], -AHEAD
    for call in calls:
        disk.follow(call)
        if call.what == "create" and "/used-" in call.path:
            used = int(call.path.rpartition("-")[2])
        for state in disk.states(chance, torn):
            count += 1
            try:
                number = runnel.NonceCounter.restore(state["nonces.json"].decode()).number
            except (KeyError, ValueError):
                complaints.append(
                    f"a counter of nonces, cut after {call.what}: its file is {state.get('nonces.json')!r}"
                )
                continue
            if number < used + AHEAD:
                complaints.append(f"a counter of nonces, cut after {call.what}: {number}, and {used} was in use")
    if used <= 0:
        complaints.append("a counter of nonces: nothing was used")
    return count, list(dict.fromkeys(complaints))
