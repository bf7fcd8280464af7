# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The power cut at every call of every command that writes: old file or new file, and what was reported done stays.

The calls of a run are logged, and the disk is rebuilt as it may be after a cut behind each of them: see power.py. A counter
of nonces kept as docs/python.md has it never goes back to a number that was in use."""

import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import c_programs
import runnel
from runnel_store.resume import Journal

from campaign.disk import Call, Host, copied
from campaign.power import Disk, State
from campaign.work import Work
from campaign.writers import Writer, begin, contents, prepare, words_of, writers

GOALS = ("G25",)

Found = tuple[int, list[str]]
"""How many states the disk may have, and what was wrong in them."""
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


_VERSION = 1
_PLAN = {"verb": "seal", "upload": "u" * 100}
_PARTS = [{"part": number, "etag": f"etag {number} " + "e" * 50} for number in range(1, 30)]
_JOURNAL = f"""
from runnel_store.resume import Journal
with Journal("state/store", "seal", "source", "target") as journal:
    journal.begin({_VERSION}, {_PLAN!r})
    open("begun", "x").close()
    for line in {_PARTS!r}:
        journal.append(line)
"""
"""The plan of an upload, which has to be on disk before anything is sent."""


_TALK = """
import sys
sys.path.insert(0, {examples!r})
from pathlib import Path
import talk

side, counters = talk.coordinator(), talk.Counters(Path("my.counters"), new=True)

class Node:
    sent = 0
    line = b""
    def write(self, line):
        with open("sent-%d" % int.from_bytes(line[12:16], "little"), "x"):
            pass
        node = talk.Side(side.key, side.pan, side.other, side.own, sent=self.sent)
        self.line = talk.on_line(node.seal(b"heard"))
        self.sent += 1
    def read(self, n):
        found, self.line = self.line[:n], self.line[n:]
        return found

node = Node()
for _ in range(3):
    talk.converse([b"text"], side, counters, node, node)
    with open("taken-%d" % (side.received - 1), "x"):
        pass
"""
"""A file sent-N is made when a frame with this counter goes out, taken-N when an answer with it has been used."""


def run(work: Work) -> None:
    c_programs.build(work.build)
    chance = random.Random(work.seed)
    base = work.folder / "base"
    shutil.rmtree(base, ignore_errors=True)  # an earlier run's was written by other code
    base.mkdir()
    prepare(base)
    ended = work.folder / "position"
    first = int(ended.read_text()) if ended.exists() else 0
    todo: list[Writer | Callable[..., Found]] = [each for each in writers(base) if each.complete]
    todo += [counter, journal, firmware]
    with Host(work.build) as host:
        number = first
        while work.left():
            writer = todo[number % len(todo)]
            states, complaints = cut(host, base, writer, chance) if isinstance(writer, Writer) else writer(host, chance)
            work.add("states of a disk after a cut", states, "states", len(complaints))
            work.add("runs whose calls were logged", 1, "runs")
            for complaint in complaints[:3]:
                work.finding(complaint)
            number += 1
            ended.write_text(str(number % len(todo)))


def cut(
    host: Host, base: Path, writer: Writer, chance: random.Random, torn: int = 8, without: Sequence[str] = ()
) -> Found:
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
        # Parts that a plan calls done are not sent again: they have to be there. A reader drops a line that was cut.
        for line in data[: data.rfind(b"\n") + 1].splitlines():
            try:
                finished = json.loads(line).get("done")
            except ValueError:
                continue  # Runnel refuses such a plan
            target = f"made/{finished}"
            if finished and target in state and state[target] != after[target]:
                yield f"{name} calls {finished} done, which is not complete"


def counter(host: Host, chance: random.Random, torn: int = 8, without: Sequence[str] = ()) -> Found:
    """Check a counter of nonces in a file, which must be beyond all that are in use."""
    tests = str(Path(__file__).resolve().parent.parent.parent)
    files = {"nonces.json": runnel.NonceCounter(b"node").save().encode()}
    used = -AHEAD

    def wrong(state: State, written: str) -> str | None:
        nonlocal used
        if "used-" in written:
            used = max(used, int(written.rpartition("-")[2]))
        try:
            number = runnel.NonceCounter.restore(state["nonces.json"].decode()).number
        except (KeyError, ValueError):
            return f"the file of a counter is {state.get('nonces.json')!r}"
        return f"a counter is at {number}, and {used} was in use" if number < used + AHEAD else None

    return _cut_code(host, _COUNTER.format(tests=tests, ahead=AHEAD), files, wrong, chance, torn, without)


def firmware(host: Host, chance: random.Random, torn: int = 8, without: Sequence[str] = ()) -> Found:
    """Check the counters of the example firmware's other side: beyond all that were sent and taken."""
    examples = str(Path(__file__).resolve().parents[3] / "examples" / "firmware")
    used = {"sent": -1, "taken": -1}

    def wrong(state: State, written: str) -> str | None:
        what, _, number = os.path.basename(written).rpartition("-")
        if what in used:
            used[what] = int(number)
        try:
            found = json.loads(state.get("my.counters", b'{"sent": 0, "received": 0}'))
            ahead = found["sent"] > used["sent"] and found["received"] > used["taken"]
        except (ValueError, KeyError):
            return f"the file of the counters is {state.get('my.counters')!r}"
        return None if ahead else f"the counters are {found}, and {used} were in use"

    return _cut_code(host, _TALK.format(examples=examples), {}, wrong, chance, torn, without)


def journal(host: Host, chance: random.Random, torn: int = 8, without: Sequence[str] = ()) -> Found:
    """Check the plan of an upload: it is there when anything was sent, and says nothing that it was not told."""
    begun = False
    recorded = [{"version": _VERSION, **_PLAN}, *_PARTS]

    def wrong(state: State, written: str) -> str | None:
        nonlocal begun
        begun = begun or written.endswith("/begun")
        plans = [data for name, data in state.items() if name.endswith(".plan")]
        if not plans:
            return "a plan is gone" if begun else None
        with tempfile.TemporaryDirectory(prefix="power-") as name, Journal(name, "seal", "source", "target") as kept:
            Path(kept.path).write_bytes(plans[0])
            try:
                lines = kept.read(_VERSION, part=int, etag=str)
            except runnel.Error as error:  # it is refused: --restart starts over
                return None if begun and "--restart" in str(error) else f"before it was begun: {error}"
        if lines != recorded[: len(lines)]:
            return f"a plan says what it was not told: {lines[-1]}"
        return "a plan has lost its beginning" if begun and not lines else None

    return _cut_code(host, _JOURNAL, {}, wrong, chance, torn, without)


def _cut_code(
    host: Host,
    code: str,
    files: dict[str, bytes],
    wrong: Callable[[State, str], str | None],
    chance: random.Random,
    torn: int,
    without: Sequence[str],
) -> Found:
    """wrong: what is wrong in a state after a call, which has made the file of this name or ''."""
    with tempfile.TemporaryDirectory(prefix="power-") as name:
        folder = Path(name).resolve()
        for file, data in files.items():
            (folder / file).write_bytes(data)
        disk = Disk(folder)
        done = host.run(folder, code, log=True)
        calls = _left(done.calls, folder, without)
    count, complaints = 0, []
    if done.status:
        complaints.append(f"status {done.status}, {done.stderr!r}")
    for at, call in enumerate(calls, 1):
        disk.follow(call)
        for state in disk.states(chance, torn):
            count += 1
            if complaint := wrong(state, call.path if call.what == "create" else ""):
                complaints.append(f"cut after call {at} ({call.what}): {complaint}")
    return count, list(dict.fromkeys(complaints))
