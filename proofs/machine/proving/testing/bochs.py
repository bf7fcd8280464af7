# SPDX-License-Identifier: Apache-2.0 OR MIT
"""x86-64 in Bochs, which has AVX-512, GFNI and the AES instructions on vectors: a program of ours (native/bare.c) is the ROM
from which its PC starts, and executes what it finds on its disk."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import weakref
from pathlib import Path

import numpy as np
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from runnel_lab.building.tools import run_tool

from ..refusal import Refusal

NATIVE = Path(__file__).resolve().parents[2] / "native"
NAME = "Bochs"
PROGRAM = "bochs-bin"
SECTOR, STATE, MEMORY, SLOT = 512, 2304, 512, 32
STEP = 3072
"""Bytes of the disk for a state, whole sectors."""
DONE, STATES = SECTOR, 2 * SECTOR
"""Where the disk has the number of the last order that was executed, and the states."""
CYLINDERS, HEADS, SECTORS = 8, 16, 63
AT_ONCE = 1024
"""States that fit onto the disk."""
SECONDS = 300
"""After which an order counts as lost."""

LINKED_AT, RESET_AT, ZEROS_AT = 0x10000, 0x1FFF0, 0x20000
FREESTANDING = (
    "-Os", "-ffreestanding", "-fno-pie", "-fno-stack-protector", "-fcf-protection=none", "-fno-asynchronous-unwind-tables",
    "-mno-red-zone", "-mgeneral-regs-only", "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=none",
    f"-Wl,-Ttext={LINKED_AT:#x},--section-start=.reset={RESET_AT:#x},-Tbss={ZEROS_AT:#x},-e,{LINKED_AT:#x}",
)  # fmt: skip
CONFIGURATION = f"""
display_library: term
cpu: model=corei7_icelake_u, ips=1000000, reset_on_triple_fault=0
memory: guest=4, host=4
romimage: file=rom, address=0xffff0000
ata0-master: type=disk, path=disk, mode=flat, cylinders={CYLINDERS}, heads={HEADS}, spt={SECTORS}
log: log
panic: action=fatal
"""


def is_there() -> bool:
    """Tell whether Bochs is installed, with the display that needs no screen."""
    return shutil.which(PROGRAM) is not None and any(Path("/usr/lib").glob("*/bochs/plugins/libbx_term_gui.so"))


class Bochs:
    """A PC that executes single instructions."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        at = Path(self.folder.name)
        elf = at / "elf"
        files = [str(NATIVE / name) for name in ("bare.S", "bare.c", "x86_64.S")]
        run_tool(["cc", *FREESTANDING, *files, "-o", str(elf)])
        run_tool(["objcopy", "-O", "binary", "-R", ".note*", str(elf), str(at / "rom")])
        with elf.open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".symtab")
            assert isinstance(symbols, SymbolTableSection)
            places = {symbol.name: int(symbol["st_value"]) for symbol in symbols.iter_symbols()}
        self.slot, self.memory = places["forms_slot"], places["forms_state"] + STATE
        (at / "bochsrc").write_text(CONFIGURATION, encoding="ascii")
        (at / "commands").write_text("c\n", encoding="ascii")  # Debian's stops before the first instruction
        self.orders = 0
        self.start()

    def start(self) -> None:
        """Start it with an empty disk."""
        at = Path(self.folder.name)
        (at / "disk.lock").unlink(missing_ok=True)
        self.disk = os.open(at / "disk", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        os.truncate(self.disk, CYLINDERS * HEADS * SECTORS * SECTOR)
        self.process = subprocess.Popen(
            [PROGRAM, "-q", "-f", "bochsrc", "-rc", "commands"],
            cwd=at,
            env={**os.environ, "TERM": "vt100"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.end = weakref.finalize(self, _end, self.process, self.disk)

    def run(self, code: bytes, states: np.ndarray) -> np.ndarray:
        """Return the states after the instruction. Refused if the emulator stops, as it does at a fault."""
        parts = [self.some(code, states[at : at + AT_ONCE]) for at in range(0, len(states), AT_ONCE)]
        return np.concatenate(parts)

    def some(self, code: bytes, states: np.ndarray) -> np.ndarray:
        """Return the states after the instruction, at most AT_ONCE. The emulator waits for its disk in a loop, and is stopped
        where there is nothing to wait for."""
        self.orders += 1
        padded = np.zeros((len(states), STEP), np.uint8)
        padded[:, : STATE + MEMORY] = states
        os.pwrite(self.disk, padded.tobytes(), STATES)
        os.pwrite(self.disk, struct.pack(f"<3I{SLOT}s", self.orders, len(states), len(code), code), 0)
        self.process.send_signal(signal.SIGCONT)
        limit = time.monotonic() + SECONDS
        while os.pread(self.disk, 4, DONE) != struct.pack("<I", self.orders):
            if self.process.poll() is not None or time.monotonic() > limit:
                self.close()
                self.start()
                raise Refusal("the emulator stopped")
            time.sleep(0.001)
        self.process.send_signal(signal.SIGSTOP)
        after = np.frombuffer(os.pread(self.disk, len(states) * STEP, STATES), np.uint8)
        return after.reshape(len(states), STEP)[:, : STATE + MEMORY]

    def close(self) -> None:
        """End it."""
        self.end()


def _end(process: subprocess.Popen[bytes], disk: int) -> None:
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    os.close(disk)
