#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The other side of the firmware beside this file: seals a text in an IEEE 802.15.4 frame, sends it to the node and opens
the answer. Its frames are written anew from the standard, over the CCM of pyca/cryptography; nothing of Runnel is in them.

    talk.py --port DEVICE --counters FILE [--new] TEXT ...
    talk.py --run COMMAND [--counters FILE] TEXT ...

DEVICE: the node's serial port, 38400 baud for the AVR and 115200 for the others (--baud). COMMAND: a simulator, whose
standard input and output are the port. FILE keeps both counters from call to call, on disk before a frame is sent: a
counter that is used twice under one key gives both texts away. --new makes it, once for each key. Only a simulator that
forgets its own counters between runs may do without."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import termios
import tty
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from counters import LAST, CounterError, Counters
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

DELIMITER, REFUSED = 0xA7, 0x15
LONGEST, CHECKSUM = 127, 2  # bytes, of a frame and of what ends it
# As frame.h numbers them.
REASONS = {
    1: "length",
    2: "checksum",
    3: "format",
    4: "address",
    5: "source",
    6: "level",
    7: "key",
    8: "replay",
    9: "MIC",
    10: "counter",
    11: "storage",
    12: "settings",
}
REPLAY = 8
SKIPPED = 16  # counters that a node may refuse after a reset
DATA_FRAME = 0x9849  # data, secured, one PAN, short addresses, as of 2006


class FrameError(Exception):
    pass


def checksum(data: bytes) -> bytes:
    """CRC-16 of ITU-T, lowest bit first."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc.to_bytes(2, "little")


@dataclass
class Address:
    short: int
    extended: bytes


@dataclass
class Side:
    """One of two that talk. The counters are the next ones that may be sent and taken."""

    key: bytes
    pan: int
    own: Address
    other: Address
    level: int = 6
    key_index: int = 0
    sent: int = 0
    received: int = 0
    sequence: int = 0
    refused: list[str] = field(default_factory=list)

    def header(self, counter: int, *, control: int = DATA_FRAME, level: int | None = None) -> bytes:
        security = (self.level if level is None else level) | (8 if self.key_index else 0)
        return (
            control.to_bytes(2, "little")
            + bytes([self.sequence & 0xFF])
            + b"".join(n.to_bytes(2, "little") for n in (self.pan, self.other.short, self.own.short))
            + bytes([security])
            + counter.to_bytes(4, "little")
            + (bytes([self.key_index]) if self.key_index else b"")
        )

    def protect(self, header: bytes, payload: bytes, counter: int) -> bytes:
        level = header[9] & 7
        nonce = self.own.extended + counter.to_bytes(4, "big") + bytes([level])
        body = header + AESCCM(self.key, tag_length=2 ** (level - 3)).encrypt(nonce, payload, header)
        return body + checksum(body)

    @property
    def room(self) -> int:
        """Return the bytes of the longest payload."""
        return LONGEST - len(self.header(0)) - 2 ** (self.level - 3) - CHECKSUM

    def seal(self, payload: bytes) -> bytes:
        if len(payload) > self.room:
            raise FrameError(f"{len(payload)} bytes are too long: a frame has room for {self.room}")
        counter, self.sent = self.sent, self.sent + 1
        frame = self.protect(self.header(counter), payload, counter)
        self.sequence += 1
        return frame

    def open(self, frame: bytes) -> bytes:
        """Returns the payload of a frame from the other side, whose every byte is as the standard has it."""
        at = 15 if self.key_index else 14
        if checksum(frame[:-2]) != frame[-2:]:
            raise FrameError("checksum")
        counter = int.from_bytes(frame[10:14], "little")
        mirror = Side(self.key, self.pan, self.other, self.own, self.level, self.key_index, sequence=frame[2])
        if frame[:at] != mirror.header(counter):
            raise FrameError("header")
        if counter < self.received:
            raise FrameError("replay")
        if counter > LAST:
            raise FrameError("counter")
        nonce = self.other.extended + frame[10:14][::-1] + bytes([self.level])
        try:
            payload = AESCCM(self.key, tag_length=2 ** (self.level - 3)).decrypt(nonce, frame[at:-2], frame[:at])
        except InvalidTag:
            raise FrameError("MIC") from None
        self.received = counter + 1
        return payload


def coordinator(**changes) -> Side:
    """Return the first peer of main.c."""
    vendor = bytes.fromhex("00124b00060db5")
    return Side(
        key=bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"),
        pan=0x4321,
        own=Address(1, vendor + b"\x01"),
        other=Address(7, vendor + b"\x6f"),
        **changes,
    )


def on_line(frame: bytes) -> bytes:
    """Return a frame as the physical layer sends it."""
    return bytes([DELIMITER, len(frame)]) + frame


def from_line(line: BinaryIO) -> bytes | int | None:
    """Returns the next frame, the number of the reason for which one was refused, or at the end None."""
    start = line.read(2)
    if len(start) < 2:
        return None
    if start[0] == REFUSED:
        return start[1]
    if start[0] != DELIMITER:
        raise FrameError(f"the node says {start.hex()}")
    return line.read(start[1])


def serial_port(device: str, baud: int) -> tuple[BinaryIO, BinaryIO]:
    descriptor = os.open(device, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(descriptor)
    settings = termios.tcgetattr(descriptor)
    settings[2] |= termios.CLOCAL | termios.CREAD
    settings[4] = settings[5] = getattr(termios, f"B{baud}")
    termios.tcsetattr(descriptor, termios.TCSAFLUSH, settings)
    return os.fdopen(descriptor, "rb", buffering=0), os.fdopen(os.dup(descriptor), "wb", buffering=0)


class ReadAll:
    """A port hands out what has come; a frame needs all of it."""

    def __init__(self, port: BinaryIO) -> None:
        self.port = port

    def read(self, n: int) -> bytes:
        found = b""
        while len(found) < n and (more := self.port.read(n - len(found))):
            found += more
        return found


def describe_answer(payload: bytes, side: Side) -> str:
    """Describe an answer in words. The node cuts a payload that leaves no room for its reading, and may cut a letter in
    two."""
    text, refused = payload[:-2].decode(errors="replace"), int.from_bytes(payload[-2:], "little")
    return f"{text} (frame {side.received - 1}, refused {refused})"


def keep(counters: Counters | None, side: Side) -> None:
    if counters:
        counters.keep(side.sent, side.received)


def converse(texts: list[bytes], side: Side, counters: Counters | None, inward: BinaryIO, outward: BinaryIO) -> bool:
    """Sends every text and prints what comes back. Returns whether all were answered. Raises FrameError for what is no
    answer at all, and when all counters have been used."""
    answered = True
    for text in texts:
        for _ in range(2):
            if side.sent > LAST:
                raise FrameError("all counters have been used: take a new key")
            frame = side.seal(text)
            keep(counters, side)  # before the frame goes out: a counter is used once, whatever happens
            outward.write(on_line(frame))
            answer = from_line(ReadAll(inward))
            if answer != REPLAY:
                break
            side.sent = min(side.sent + SKIPPED, LAST + 1)
        if not isinstance(answer, bytes):
            answered = False
            print("no answer" if answer is None else f"refused: {REASONS.get(answer, answer)}")
            continue
        try:
            payload = side.open(answer)
            keep(counters, side)  # before the answer is used: it is taken once, whatever happens
            print(describe_answer(payload, side))
        except FrameError as why:
            answered = False
            print(f"an answer that is not the node's: {why}")
    keep(counters, side)
    return answered


def talk(asked: argparse.Namespace, side: Side, counters: Counters | None, texts: list[bytes]) -> bool:
    """Over the port, or over the simulator's standard streams."""
    if asked.port:
        return converse(texts, side, counters, *serial_port(asked.port, asked.baud))
    board = subprocess.Popen(asked.run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    try:
        return converse(texts, side, counters, board.stdout, board.stdin)
    finally:
        board.stdin.close()
        try:
            board.wait(2)
        except subprocess.TimeoutExpired:
            board.kill()


class Once(argparse.Action):
    """An option that is given once: argparse lets the last of two files of counters count, and says nothing."""

    given = False

    def __call__(
        self, parser: argparse.ArgumentParser, asked: argparse.Namespace, value: object, option: str | None = None
    ) -> None:
        if self.given:
            raise argparse.ArgumentError(self, "is given twice")
        self.given = True
        setattr(asked, self.dest, value)


def main() -> int:
    parser = argparse.ArgumentParser(description="Talks to the firmware in secured frames.")
    parser.register("action", None, Once)
    parser.add_argument("--counters", type=Path, metavar="FILE", help="keeps the counters; --port needs it")
    parser.add_argument("--new", action="store_true", help="FILE is new, as the key is: its counters start at 0")
    parser.add_argument("--port", metavar="DEVICE")
    parser.add_argument("--baud", type=int, default=38400)
    parser.add_argument("--run", metavar="COMMAND", help="a simulator in place of a port")
    parser.add_argument("text", nargs="+")
    asked = parser.parse_args()
    if (asked.port is None) == (asked.run is None):
        parser.error("either --port or --run")
    if asked.port is not None and asked.counters is None:
        parser.error("--port needs --counters: under one key no counter may be sent twice")
    if asked.new and asked.counters is None:
        parser.error("--new makes the file of --counters, which is missing")
    if not hasattr(termios, f"B{asked.baud}"):
        parser.error(f"no serial port has {asked.baud} baud")
    if asked.run is not None:
        try:
            asked.run = shlex.split(asked.run)
        except ValueError as why:
            parser.error(f"--run: {why}")
        if not asked.run:
            parser.error("--run names no command")
    side, counters = coordinator(), None
    texts = [os.fsencode(text) for text in asked.text]
    for text in texts:  # before any is sent
        if len(text) > side.room:
            parser.error(f"a text of {len(text)} bytes is too long: a frame has room for {side.room}")
    try:
        if asked.counters is not None:
            new = True if asked.new else False if asked.port is not None else None
            counters = Counters(asked.counters, new=new)
            side.sent, side.received = counters.sent, counters.received
        return int(not talk(asked, side, counters, texts))
    except (FrameError, CounterError) as why:
        print(f"talk.py: {why}", file=sys.stderr)
    except (OSError, termios.error) as why:
        where = getattr(why, "filename", None) or asked.port or asked.run
        print(f"talk.py: {where}: {why.args[1]}", file=sys.stderr)
    finally:
        if counters is not None:
            counters.close()
    return 1


if __name__ == "__main__":
    sys.exit(main())
