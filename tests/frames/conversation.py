# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The answers and refusals of a firmware node, byte for byte, whatever board it runs on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from frames.boards import Answer, Board, talk

NUMBER = {reason: number for number, reason in talk.REASONS.items()}
ROOM = 127 - 14 - 8 - 2
SENT_RESERVE, RECEIVED_RESERVE = 256, 16


def second() -> talk.Side:
    side = talk.coordinator()
    return replace(side, own=talk.Address(2, side.own.extended[:-1] + b"\x02"))


def resealed(frame: bytes) -> bytes:
    """Return the frame with the checksum of what is there now, so that only the MIC can tell."""
    return frame[:-2] + talk.checksum(frame[:-2])


@dataclass
class Script:
    """Frames, and the answer to each: its bytes, a reason, or None for any reason."""

    sent: int = 0  # the node's next counter
    frames: list[bytes] = field(default_factory=list)
    expected: list[Answer | None] = field(default_factory=list)
    refused: int = 0
    answered: int = 0

    def accepted(self, side: talk.Side, frame: bytes, payload: bytes) -> None:
        node = talk.Side(side.key, side.pan, side.other, side.own, sent=self.sent, sequence=self.answered)
        self.frames.append(frame)
        self.expected.append(node.seal(payload[: ROOM - 2] + self.refused.to_bytes(2, "little")))
        self.sent += 1
        self.answered += 1

    def refuse(self, frame: bytes, reason: str | None = None) -> None:
        self.frames.append(frame)
        self.expected.append(None if reason is None else NUMBER[reason])
        self.refused += 1

    def check(self, board: Board) -> None:
        found = board.exchange(self.frames)
        assert len(found) == len(self.expected)
        for number, (one, wanted) in enumerate(zip(found, self.expected, strict=True)):
            if wanted is None:
                assert isinstance(one, int), f"frame {number} was accepted"
            else:
                assert one == wanted, f"frame {number}: {one} and not {wanted}"


def converse(script: Script, side: talk.Side, *, every_bit: bool) -> list[bytes]:
    """Appends all that a node must take or refuse after its start. Returns the frames that it took."""
    taken: list[bytes] = []

    def say(payload: bytes, frame: bytes | None = None) -> None:
        taken.append(side.seal(payload) if frame is None else frame)
        script.accepted(side, taken[-1], payload)

    for n in (0, 1, 15, 16, 17, 40, ROOM):
        say(bytes(range(n)))

    frame = side.seal(b"flip")
    bits = range(8 * (len(frame) - 2))
    for bit in bits if every_bit else bits[::5]:
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        script.refuse(resealed(bytes(damaged)))
    script.refuse(frame[:-3] + bytes([frame[-3] ^ 1]) + frame[-2:], "checksum")
    for n in range(3, len(frame)) if every_bit else (3, 9, 15, 16, 24, 26):  # what is left of a truncated one
        script.refuse(resealed(frame[:n]), "length" if n < 14 + 8 + 2 else "MIC")
    for n in (0, 1, 2):
        script.refuse(frame[:n], "length")
    script.refuse(resealed(frame[:-2] + b"\0" + frame[-2:]), "MIC")
    for n in (128, 200, 255):
        script.refuse(frame + bytes(n - len(frame)), "length")
    say(b"flip", frame)  # nothing of this moved its counter
    for one in taken:
        script.refuse(one, "replay")

    def other(reason: str, **changes) -> None:
        script.refuse(replace(side, **changes).seal(b"no"), reason)

    other("address", pan=0x4322)
    other("address", other=replace(side.other, short=8))
    other("source", own=replace(side.own, short=3))
    other("MIC", own=replace(side.own, extended=bytes(8)))
    other("MIC", key=bytes(16))
    other("level", level=5)
    other("key", key_index=1)
    for level in range(5):
        header = side.header(side.sent, level=level)
        script.refuse(resealed(header + b"no" + bytes(10)), "level")
    for control in (
        0x9841,
        0x984B,
        0x9809,
        0x8849,
        0xDC49,
        0x9A49,
    ):  # unsecured, a command, two PANs, 2003, long, reserved
        header = side.header(side.sent, control=control)
        script.refuse(side.protect(header, b"no", side.sent), "format")

    header = side.header(side.sent)
    script.refuse(side.protect(header[:9] + bytes([header[9] | 0x20]) + header[10:], b"no", side.sent), "format")

    strong = replace(side, level=7)
    say(b"more than asked for", strong.seal(b"more than asked for"))
    side.sent += 1
    marked = side.protect(side.header(side.sent, control=0x9879), b"pending, acknowledge", side.sent)
    say(b"pending, acknowledge", marked)
    side.sent += 1

    friend = second()
    for payload in (b"me too", b"again"):
        script.accepted(friend, friend.seal(payload), payload)
        say(b"and me")
    ahead = replace(friend, sent=1_000_000).seal(b"ahead")
    script.accepted(friend, ahead, b"ahead")
    script.refuse(friend.seal(b"late"), "replay")
    script.refuse(replace(friend, sent=0xFFFFFFFF).seal(b"end"), "counter")
    last = replace(friend, sent=0xFFFFFFFE).seal(b"last")
    script.accepted(friend, last, b"last")
    script.refuse(last, "replay")
    script.refuse(replace(friend, sent=0xFFFFFFFF).seal(b"end"), "counter")
    return taken


def after_a_reset(side: talk.Side, taken: list[bytes]) -> Script:
    """Check that the node continues behind all counters that it may have used; nothing that it took is taken again."""
    script = Script(sent=SENT_RESERVE)
    for one in taken:
        script.refuse(one, "replay")
    side.sent += RECEIVED_RESERVE
    script.accepted(side, side.seal(b"back"), b"back")
    return script


def check(board: Board, *, every_bit: bool) -> None:
    side, script = talk.coordinator(), Script()
    taken = converse(script, side, every_bit=every_bit)
    script.check(board)
    board.reset()
    after_a_reset(side, taken).check(board)
