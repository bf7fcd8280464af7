# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The firmware's frames and counters on the host: the standard's own examples, frames of every kind against those of
pyca/cryptography, and a loss of power at every write of the storage with anything left in the cell."""

from __future__ import annotations

import ctypes
import itertools
import os
import random
import re
import shlex
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from frames import conversation
from frames.boards import talk

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR") or ROOT / "build")
POWER_FAILED = -100
STORAGE, COUNTER, SLOT = 320, 64, 8


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    shared_object = tmp_path_factory.mktemp("frames") / "frames.so"
    include = [f"-I{ROOT / folder}" for folder in ("include", "src", "src/ciphers/aes", "examples/firmware")]
    command = ["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-fsanitize=undefined"]
    command += ["-fno-sanitize-recover=all", "-static-libubsan", "-shared", "-fPIC", *include]
    subprocess.run(
        [*command, ROOT / "tests" / "frames" / "harness.c", BUILD / "librunnel.a", "-o", shared_object], check=True
    )
    loaded = ctypes.CDLL(str(shared_object))
    loaded.harness_storage.restype = ctypes.POINTER(ctypes.c_uint8 * STORAGE)
    loaded.harness_writes.restype = ctypes.c_long
    return loaded


class Board:
    """One node and its storage, which starts blank."""

    def __init__(self, library, side: talk.Side | None = None, level: int = 6) -> None:
        self.c = library
        self.side = side or talk.coordinator()
        self.storage = library.harness_storage().contents
        self.restore(b"\xff" * STORAGE)
        library.harness_cut(ctypes.c_long(0), 0)
        library.harness_wear(0, 0)
        library.harness_settings(self.side.key, self.side.pan, level, self.side.key_index)
        friend = conversation.second()
        for place, one in ((-1, self.side.other), (0, self.side.own), (1, friend.own)):
            library.harness_address(place, one.short, one.extended)
        self.error = self.start()

    def restore(self, content: bytes) -> None:
        ctypes.memmove(self.storage, content, STORAGE)

    def kept(self) -> bytes:
        return bytes(self.storage)

    def start(self) -> int:
        return self.c.harness_start()

    def seal(self, payload: bytes, to: int = 1) -> bytes | int:
        frame = ctypes.create_string_buffer(b"\x5a" * 127, 127)
        length = self.c.harness_seal(frame, to, payload, len(payload))
        if POWER_FAILED < length < 0:
            assert frame.raw == b"\x5a" * 127
        return length if length < 0 else frame.raw[:length]

    def open(self, frame: bytes) -> bytes | int:
        payload, peer = ctypes.create_string_buffer(b"\x5a" * 107, 107), ctypes.c_uint8()
        length = self.c.harness_open(frame, len(frame), payload, ctypes.byref(peer))
        if POWER_FAILED < length < 0:
            assert set(payload.raw) <= {0x5A, 0}, "something of a refused payload was released"
        return length if length < 0 else payload.raw[:length]

    def cut(self, write: int, left: int) -> None:
        self.c.harness_cut(ctypes.c_long(write), left)


def because(reason: str) -> int:
    return -conversation.NUMBER[reason]


def number(frame: bytes) -> int:
    return int.from_bytes(frame[10:14], "little")


# IEEE 802.15.4-2006, C.2.1 and C.2.3: level, header, text, what becomes of text and MIC.
PUBLISHED = [
    (2, "08d0842143010000000048deac020500000055cf000051525354", "", "223bc1ec841ab553"),
    (6, "2bdc842143020000000048deacffff010000000048deac060500000001", "ce", "d84fde529061f9c6f1"),
]
PUBLISHED_KEY, PUBLISHED_SOURCE = bytes(range(0xC0, 0xD0)), bytes.fromhex("acde480000000001")


@pytest.mark.parametrize("level, header, text, protected", PUBLISHED)
def test_the_standards_examples(library, level, header, text, protected):
    header, text = bytes.fromhex(header), bytes.fromhex(text)
    nonce = PUBLISHED_SOURCE + bytes([0, 0, 0, 5, level])
    assert AESCCM(PUBLISHED_KEY, tag_length=8).encrypt(nonce, text, header).hex() == protected
    assert Board(library, replace(talk.coordinator(), key=PUBLISHED_KEY)).error == 0
    out, mic = ctypes.create_string_buffer(text, max(1, len(text))), ctypes.create_string_buffer(8)
    done = library.harness_protect(PUBLISHED_SOURCE, 5, level, header, len(header), out, len(text), mic, 8)
    assert (done, (out.raw[: len(text)] + mic.raw).hex()) == (0, protected)


def test_checksum():
    assert talk.checksum(b"123456789") == (0x2189).to_bytes(2, "little")  # CRC-16/KERMIT's published check


DAMAGED = [
    b"",
    b"{",
    b"[]",
    b"\xff",
    b"{}",
    b'{"sent": 1}',
    b'{"sent": 1, "other": 2}',
    b'{"sent": 1, "received": -1}',
    b'{"sent": true, "received": 1}',
    b'{"sent": 1.0, "received": 1}',
    b'{"sent": 4294967296, "received": 1}',
]


def run_talk(*arguments: str) -> tuple[int, str]:
    """Status and last line of talk.py."""
    done = subprocess.run([sys.executable, talk.__file__, *arguments], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr.splitlines()[-1]


def test_what_cannot_be_sent_gets_one_line(tmp_path):
    counters = tmp_path / "counters"
    arguments = ("--counters", str(counters), "--run", "cat", "short", "x" * 110)
    assert run_talk(*arguments) == (2, "talk.py: error: a text of 110 bytes is too long: a frame has room for 103")
    assert not counters.exists(), "nothing was sent"
    twice = ("--counters", str(tmp_path / "other"))
    assert run_talk(*twice, *arguments[:4], "x") == (2, "talk.py: error: argument --counters: is given twice")
    assert run_talk("--baud", "9600", "--baud=9600", "x") == (2, "talk.py: error: argument --baud: is given twice")
    new = ("--counters", str(counters), "--new", "x")
    assert run_talk("--port", "/dev/none", *new) == (1, "talk.py: /dev/none: No such file or directory")
    assert run_talk("--port", os.devnull, *new)[0] == 1
    assert run_talk("--port", "/dev/none", "--baud", "5", *new) == (2, "talk.py: error: no serial port has 5 baud")
    assert run_talk("--run", "cat 'x", "x") == (2, "talk.py: error: --run: No closing quotation")
    assert run_talk("--run", "", "x") == (2, "talk.py: error: --run names no command")
    for damaged in DAMAGED:
        counters.write_bytes(damaged)
        assert run_talk(*arguments[:4], "x") == (1, f"talk.py: {counters}: these are no counters")
    assert run_talk("--run", "no-such-program", "x") == (1, "talk.py: no-such-program: No such file or directory")
    assert run_talk("--run", "sh -c 'echo what; cat > /dev/null'", "x") == (1, "talk.py: the node says 7768")


def test_a_port_is_never_talked_to_from_counters_that_start_again(tmp_path):
    """Each run would otherwise seal under the nonces of the run before."""
    counters = tmp_path / "counters"
    port = ("--port", os.devnull)
    assert run_talk(*port, "x") == (
        2,
        "talk.py: error: --port needs --counters: under one key no counter may be sent twice",
    )
    missing = run_talk(*port, "--counters", str(counters), "x")
    assert missing == (1, f"talk.py: {counters}: no such file; --new makes it, once, with a new key")
    counters.write_text('{"sent": 7, "received": 7}')
    again = run_talk(*port, "--counters", str(counters), "--new", "x")
    assert again == (1, f"talk.py: {counters}: exists already; --new is for a new key")
    assert run_talk("--run", "cat", "--new", "x")[0] == 2
    assert counters.read_text() == '{"sent": 7, "received": 7}'


NODE = f"""
import sys
sys.path.insert(0, {str(ROOT / "examples" / "firmware")!r})
import talk

first = talk.coordinator()
log = open(sys.argv[1], "a", buffering=1)
answered = int(sys.argv[2])
while isinstance(frame := talk.from_line(talk.ReadAll(sys.stdin.buffer.raw)), bytes) and len(frame) > 14:
    log.write(f"{{int.from_bytes(frame[10:14], 'little')}}\\n")
    node = talk.Side(first.key, first.pan, first.other, first.own, sent=answered)
    answered += 1
    sys.stdout.buffer.write(talk.on_line(node.seal(b"heard\\0\\0")))
    sys.stdout.buffer.flush()
"""


def node_in(folder: Path, answered: int = 0) -> tuple[str, str]:
    """--run and a node that notes the counter of each frame that it receives, and whose own next counter is `answered`."""
    (folder / "node.py").write_text(NODE)
    return "--run", shlex.join([sys.executable, str(folder / "node.py"), str(folder / "log"), str(answered)])


def received_by(folder: Path) -> list[int]:
    log = folder / "log"
    return [int(line) for line in log.read_text().split()] if log.exists() else []


def test_no_counter_comes_twice_however_talk_is_killed(tmp_path):
    counters = tmp_path / "counters"
    started = time.monotonic()
    arguments = ("--counters", str(counters), *["text"] * 40)
    done = subprocess.run(
        [sys.executable, talk.__file__, *node_in(tmp_path), *arguments], capture_output=True, text=True
    )
    seconds = time.monotonic() - started
    assert (done.returncode, done.stderr) == (0, "") and received_by(tmp_path) == list(range(40))
    printed = re.findall(r"\(frame (\d+), ", done.stdout)
    assert printed == [str(n) for n in range(40)]
    for _ in range(10):
        command = [sys.executable, talk.__file__, *node_in(tmp_path, len(received_by(tmp_path))), *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(random.uniform(0, seconds))
            process.kill()
            out = process.communicate()[0]
        printed += re.findall(r"\(frame (\d+), ", out)
    sent = received_by(tmp_path)
    assert len(set(sent)) == len(sent) and len(set(printed)) == len(printed)


def test_an_answer_that_was_taken_is_not_taken_again_by_the_next_run(tmp_path):
    arguments = ("--counters", str(tmp_path / "counters"))
    command = [sys.executable, talk.__file__, *node_in(tmp_path, 5), *arguments]
    first, second = (subprocess.run([*command, "x"], capture_output=True, text=True) for _ in range(2))
    assert (first.returncode, first.stdout) == (0, "heard (frame 5, refused 0)\n")
    assert (second.returncode, second.stdout) == (1, "an answer that is not the node's: replay\n")


def test_an_answer_is_not_used_before_its_counter_is_on_disk(tmp_path, monkeypatch, capsys):
    """Whoever ends the program between the two could send the answer to the next run again."""
    kept = talk.Counters(tmp_path / "counters")

    class Node:
        line = b""

        def write(self, line):
            node = talk.Side(side.key, side.pan, side.other, side.own)
            self.line = talk.on_line(node.seal(b"heard\0\0"))

        def read(self, n):
            found, self.line = self.line[:n], self.line[n:]
            return found

    side, node = talk.coordinator(), Node()
    monkeypatch.setattr(talk, "describe_answer", lambda *_: pytest.fail("used") if kept.received != 1 else "used")
    assert talk.converse([b"x"], side, kept, node, node)
    kept.close()
    assert capsys.readouterr().out == "used\n"


def test_two_programs_do_not_use_the_same_counters(tmp_path):
    first = talk.Counters(tmp_path / "counters")
    with pytest.raises(talk.CounterError, match="another program is using these counters"):
        talk.Counters(tmp_path / "counters")
    first.close()
    talk.Counters(tmp_path / "counters").close()


def test_counters_that_cannot_be_written_send_nothing(tmp_path):
    """The folder where the new file would be is taken by another one."""
    (tmp_path / "counters.new").mkdir()
    found = run_talk(*node_in(tmp_path), "--counters", str(tmp_path / "counters"), "x")
    assert found == (1, f"talk.py: {tmp_path / 'counters'}: Is a directory")
    assert received_by(tmp_path) == []


def test_the_last_counter_is_the_end(tmp_path):
    counters = tmp_path / "counters"
    arguments = (*node_in(tmp_path), "--counters", str(counters), "x")
    counters.write_text('{"sent": 4294967294, "received": 0}')
    assert subprocess.run([sys.executable, talk.__file__, *arguments]).returncode == 0
    assert run_talk(*arguments) == (1, "talk.py: all counters have been used: take a new key")
    assert received_by(tmp_path) == [0xFFFFFFFE]


def test_an_answer_may_end_in_the_middle_of_a_letter():
    side = replace(talk.coordinator(), received=4)
    assert talk.describe_answer("é".encode()[:1] + b"\x02\x01", side) == "\ufffd (frame 3, refused 258)"


@pytest.mark.parametrize("level", [5, 6, 7])
@pytest.mark.parametrize("key_index", [0, 1, 255])
def test_frames_are_those_of_pyca(library, level, key_index):
    side = replace(talk.coordinator(), level=level, key_index=key_index)
    board, node = Board(library, side, level), replace(side, own=side.other, other=side.own)
    assert board.error == 0
    room = 127 - 14 - (key_index > 0) - 2 ** (level - 3) - 2
    for n in range(room + 1):
        payload = bytes((7 * n + i) % 256 for i in range(n))
        sealed = board.seal(payload)
        assert sealed == node.seal(payload) and side.open(sealed) == payload
        frame = side.seal(payload)
        assert board.open(frame) == payload and board.open(frame) == because("replay")
    assert board.seal(bytes(room + 1)) == because("length")
    frame = side.seal(b"bits")
    for bit in range(8 * (len(frame) - 2)):
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        assert board.open(conversation.resealed(bytes(damaged))) in range(-10, 0)
    assert board.open(frame) == b"bits"


def test_settings_that_cannot_be(library):
    assert Board(library, level=4).error == Board(library, level=8).error == because("settings")


class Loop:
    """A board of the simulators' tests."""

    def __init__(self, library) -> None:
        self.board = Board(library)
        self.refused = 0

    def reset(self) -> None:
        assert self.board.start() == 0
        self.refused = 0

    def exchange(self, frames):
        return [self.answer(frame) for frame in frames]

    def answer(self, frame):
        payload = self.board.open(frame)
        if isinstance(payload, int):
            self.refused += 1
            return -payload
        to = int.from_bytes(frame[7:9], "little")
        return self.board.seal(payload[: conversation.ROOM - 2] + self.refused.to_bytes(2, "little"), to)


def test_the_conversation_of_the_boards(library):
    conversation.check(Loop(library), every_bit=True)


def test_counters_end(library):
    board = Board(library)
    for near in (0xFFFFFFFE, 0xFFFFFFFF):
        slot = near.to_bytes(4, "little")
        board.restore((slot + bytes(255 - b for b in slot)) * 2 + board.kept()[16:])
        assert board.start() == 0
        if near < 0xFFFFFFFF:
            assert number(board.seal(b"the last")) == near
            assert board.start() == 0 and board.seal(b"none") == because("counter")
        before = board.kept()
        assert board.seal(b"none") == because("counter") == board.seal(b"none")
        assert board.kept() == before
    assert board.start() == 0 and board.seal(b"none") == because("counter")


def test_the_storage_is_written_once_for_many_frames(library):
    board = Board(library)
    board.cut(0, 0)
    for _ in range(2560):
        assert isinstance(board.seal(b""), bytes)
    assert library.harness_writes() == 10 * SLOT
    board.cut(0, 0)
    for _ in range(1600):
        assert board.open(board.side.seal(b"")) == b""
    assert library.harness_writes() == 100 * SLOT


def test_worn_and_damaged_slots(library):
    """A cell that takes no value costs its slot; all of them, the counter. A newest slot that is lost is skipped."""
    board = Board(library)
    frames = {number(board.seal(b"")) for _ in range(700)}
    library.harness_wear(0, 5 * SLOT + 1)
    for _ in range(20):
        assert board.start() == 0
        one = number(board.seal(b""))
        assert one not in frames
        frames.add(one)
    library.harness_wear(0, COUNTER)
    assert board.start() == 0 and board.seal(b"") == because("storage") == board.seal(b"")
    library.harness_wear(0, 0)
    for bit, count in itertools.product(range(8 * COUNTER), (1, 1000)):
        board = Board(library)
        last = max(number(board.seal(b"")) for _ in range(count))
        board.storage[bit // 8] ^= 1 << bit % 8
        assert board.start() == 0 and number(board.seal(b"")) > last


@pytest.mark.parametrize(
    "content", [bytes(COUNTER), b"\x01" + bytes(COUNTER - 1), bytes(range(COUNTER))], ids=["zeros", "one", "any"]
)
def test_storage_of_which_nothing_is_valid(library, content):
    board = Board(library)
    blank = b"\xff" * COUNTER
    for before in (content + 4 * blank, blank + content + 3 * blank):
        board.restore(before)
        assert board.start() == because("storage")


@pytest.mark.parametrize("left", range(0, 256, 5))
def test_a_write_that_is_cut_short_leaves_no_wrong_limit(library, left):
    """The slot is the old one, the new one or none, over a carry too."""

    def slot(limit: int) -> bytes:
        stored = limit.to_bytes(4, "little")
        return stored + bytes(255 - b for b in stored)

    limits = [0xFEF0 + 256 * n for n in range(8)]
    for write in range(1, 9):
        board = Board(library)
        board.restore(b"".join(map(slot, limits)) + board.kept()[64:])
        assert board.start() == 0
        board.cut(write, left)
        assert board.seal(b"") == POWER_FAILED
        found = board.kept()[:SLOT]
        assert board.kept()[SLOT:COUNTER] == b"".join(map(slot, limits[1:]))
        valid = all(a ^ b == 255 for a, b in zip(found[:4], found[4:], strict=True))
        assert not valid or found in (slot(limits[0]), slot(limits[-1] + 256))


def life(board: Board, sealed: set[int], opened: list[bytes]) -> None:
    """Run a start and a few frames, until the power fails. What it used must be new."""
    if board.start() == POWER_FAILED:
        return
    for one in opened[-2:]:
        assert board.open(one) in (because("replay"), POWER_FAILED)
    for n in range(3):
        frame = board.seal(b"node")
        if frame == POWER_FAILED:
            return
        assert isinstance(frame, bytes) and number(frame) not in sealed
        sealed.add(number(frame))
        taken = board.side.seal(b"%d" % n)
        opened.append(taken)  # also where the power fails: then it was perhaps taken
        payload = board.open(taken)
        if payload == POWER_FAILED:
            opened.pop()
            return
        assert payload == b"%d" % n


def snapshots(library):
    """Storage that is blank, that is about to be written, and that has been written many times; with what was used."""
    for frames in (0, 255, 256 * 7 - 1):
        board = Board(library)
        if frames == 0:
            board.restore(b"\xff" * STORAGE)
        sealed = {number(board.seal(b"")) for _ in range(frames)}
        opened = [board.side.seal(b"") for _ in range(frames // 16)]
        for one in opened:
            assert board.open(one) == b""
        # The counters continue where they are, as if the first life began here: a start would skip to the limit.
        yield board, board.kept(), sealed, opened


def test_no_counter_comes_twice_wherever_the_power_fails(library):
    """At each write of a start and of some frames, whatever is left in the cell; then at a write of the life after it."""
    tried = 0
    for board, kept, sealed, opened in snapshots(library):
        first = board.side.sent + 64
        board.cut(0, 0)
        board.side.sent = first
        life(board, set(sealed), list(opened))
        writes = library.harness_writes()
        for write in range(1, writes + 1):
            for left in range(0, 256, 1 if write <= 16 else 15):
                board.restore(kept)
                used, taken = set(sealed), list(opened)
                for step, cut in enumerate((write, 1 + left % 24, 0)):
                    board.side.sent = first + 64 * step
                    board.cut(cut, left)
                    life(board, used, taken)
                assert len(used) >= len(sealed) + 3
                tried += 1
    assert tried > 3000
