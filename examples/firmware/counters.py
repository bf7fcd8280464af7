# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The counters of one side, in a file that is never behind what was sent and taken, also after a crash or a power cut.

A counter that is sent twice under one key gives both payloads away; one that is taken twice is a replay."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import BinaryIO

LAST = 0xFFFFFFFE
"""The last counter that may be used: IEEE 802.15.4 asks for a new key when the next one would be 0xffffffff."""


class CounterError(Exception):
    pass


class Counters:
    """The next counters that may be sent and taken. A lock beside the file keeps a second program from using the same ones
    until close, or until this program ends."""

    def __init__(self, path: Path, *, new: bool | None = None) -> None:
        """new: True where the key is new, so that both counters start at 0 and there must be no such file; False where there
        must be one; None takes either. Raises CounterError, OSError."""
        self.path = path.resolve()
        self.sent = self.received = 0
        self._lock = self._locked()
        try:
            text = self.path.read_text()
        except FileNotFoundError:
            if new is False:
                raise CounterError(f"{path}: no such file; --new makes it, once, with a new key") from None
        except ValueError:
            raise CounterError(f"{path}: these are no counters") from None
        else:
            if new:
                raise CounterError(f"{path}: exists already; --new is for a new key") from None
            self.sent, self.received = self._parsed(path, text)

    def close(self) -> None:
        self._lock.close()

    def keep(self, sent: int, received: int) -> None:
        """Write the counters. Returns when they are on disk: only then may a frame go out, or an answer be used.
        Raises OSError; then the file has the counters of before, or these."""
        unfinished = Path(f"{self.path}.new")
        try:
            with open(unfinished, "w", encoding="ascii") as file:
                json.dump({"sent": sent, "received": received}, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, self.path)
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)  # without it the old file may be back after a power cut
            finally:
                os.close(folder)
        except OSError as why:
            raise OSError(why.errno, why.strerror, str(self.path)) from None
        self.sent, self.received = sent, received

    def _locked(self) -> BinaryIO:
        lock = open(f"{self.path}.lock", "wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise CounterError(f"{self.path}: another program is using these counters") from None
        return lock

    @staticmethod
    def _parsed(path: Path, text: str) -> tuple[int, int]:
        try:
            found = json.loads(text)
            counters = found["sent"], found["received"]
        except (ValueError, TypeError, LookupError, RecursionError):
            counters = ()
        if len(counters) != 2 or not all(type(each) is int and 0 <= each <= LAST + 1 for each in counters):
            raise CounterError(f"{path}: these are no counters")
        return counters
