# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The firmware's boards in their simulators: frames go in, answers come back, and what is stored outlives a reset."""

from __future__ import annotations

import io
import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from threading import Timer
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "firmware"
sys.path.insert(0, str(EXAMPLES))
import talk

LIMIT = 120  # seconds
POWER_FAILED = 3  # as avr/simulator.c ends
Answer = bytes | int  # a frame, or why one was refused


class Board(Protocol):
    def exchange(self, frames: list[bytes]) -> list[Answer]:
        """Sends frames, each after the answer to the one before. The first ones after a reset come to a node that starts."""

    def reset(self) -> None: ...


def make(example: Path, out: Path, *arguments: str) -> dict[str, tuple[int, int]]:
    """Returns ROM and RAM of each firmware."""
    done = subprocess.run(["make", "-s", "-C", example, f"OUT={out}", *arguments], capture_output=True, text=True)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr
    sizes = re.findall(r"^(\w+) +ROM +(\d+) bytes  RAM +(\d+) bytes$", done.stdout, re.MULTILINE)
    return {name: (int(rom), int(ram)) for name, rom, ram in sizes}


def answers(received: bytes) -> list[Answer]:
    """Split what was received into answers, with what is left of a frame that the end cut off, if its counter is there."""
    line, found = io.BytesIO(received), []
    while (one := talk.from_line(line)) is not None:
        if isinstance(one, int) or len(one) >= 14:
            found.append(one)
    return found


class Run:
    """A simulator that ends with its input and keeps what is stored in a file."""

    def __init__(self, *command: str | Path) -> None:
        self.command = command

    def exchange(self, frames: list[bytes], *, power_may_fail: bool = False) -> list[Answer]:
        sent = b"".join(map(talk.on_line, frames))
        done = subprocess.run(self.command, input=sent, capture_output=True, timeout=LIMIT)
        assert done.returncode in ((0, POWER_FAILED) if power_may_fail else (0,)), done.stderr
        return answers(done.stdout)

    def reset(self) -> None:
        """Reset the board; each run begins with one."""


class Qemu:
    """Its serial port on the standard streams, its resets by QMP."""

    def __init__(self, elf: Path, folder: Path) -> None:
        control = folder / f"{elf.stem}.qmp"
        command = ["qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "stdio"]
        command += ["-qmp", f"unix:{control},server=on,wait=off", "-kernel", str(elf)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.timer = Timer(LIMIT, self.process.kill)
        self.timer.start()
        self.line = talk.ReadAll(self.process.stdout)
        self.control = control
        self.socket: socket.socket | None = None

    def exchange(self, frames: list[bytes]) -> list[Answer]:
        found = []
        for frame in frames:
            self.process.stdin.write(talk.on_line(frame))
            one = talk.from_line(self.line)
            assert one is not None, "the board is gone"
            found.append(one)
        return found

    def reset(self) -> None:
        if self.socket is None:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(str(self.control))
            self.answers = self.socket.makefile("r")
            self.answers.readline()  # the greeting
            self.ask("qmp_capabilities")
        self.ask("system_reset", "RESET")

    def ask(self, command: str, event: str | None = None) -> None:
        self.socket.sendall(json.dumps({"execute": command}).encode())
        returned = happened = False
        while not (returned and (happened or event is None)):
            answer = json.loads(self.answers.readline())
            returned |= "return" in answer
            happened |= answer.get("event") == event

    def close(self) -> None:
        self.timer.cancel()
        self.process.kill()
        self.process.communicate()
        if self.socket is not None:
            self.answers.close()
            self.socket.close()
