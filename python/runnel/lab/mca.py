# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What llvm-mca makes of a trace: cycles that rank two kernels on one core, and are no measurement.

The instructions that one call really executed, in their order, go to llvm-mca as one long block, once. It knows the
core's units and latencies, but no cache, no misprediction, and no fusion of instructions."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import LabError, session
from .objects import run_tool
from .targets import Target

DISASSEMBLER, ANALYSER = "llvm-mc-19", "llvm-mca-19"

# With more instructions than this, 128 bytes stand for the long message: the analysis takes longer than the run.
LONGEST = 100_000


@dataclass(frozen=True)
class Machine:
    """How a target's trace is read: the processor that is simulated, so that the C library does not choose code that the
    analysed cores cannot run, its triple, and LLVM's names of the cores."""

    simulated: str
    triple: str
    cores: tuple[str, ...]


# LLVM reads code for apple-m2 with its model of Cyclone, Apple's first core of this architecture.
MACHINES = {
    "aarch64": Machine("cortex-a72", "aarch64", ("cortex-a55", "cortex-a57", "cortex-a72", "neoverse-n1", "apple-m2"))
}


def available(target: Target) -> bool:
    return target.name in MACHINES and all(map(shutil.which, (DISASSEMBLER, ANALYSER)))


def ranking(target: Target, runner: Path, elf: Path, script: Sequence[session.Call]) -> dict[str, Any] | None:
    """Runs the script once more with a trace, and gives {"tool", "label", "bytes", "cycles": {core: cycles}} for its long
    message, or for the packet. None: nothing is known of the target's cores, or LLVM's tools are missing."""
    if not available(target):
        return None
    machine = MACHINES[target.name]
    with tempfile.TemporaryDirectory() as scratch:
        trace = Path(scratch) / "trace"
        words = [target.command[0], "-cpu", machine.simulated, *target.command[1:]]
        traced = replace(target, command=[w.replace("marks={marks}", f"marks={{marks}},trace={trace}") for w in words])
        session.run(traced, runner, elf, list(script))
        calls, encodings = read_trace(trace)
    by_label = dict(zip((c.label for c in script if c.measured), calls))
    label = "long" if len(by_label["long"]) <= LONGEST else "packet"
    texts = disassemble(machine.triple, encodings)
    program = "\n".join(texts[address] for address in by_label[label]) + "\n"
    version = re.search(r"version (\S+)", run_tool([ANALYSER, "--version"]))
    return {
        "tool": f"llvm-mca {version[1] if version else ''}".strip(),
        "label": label,
        "bytes": next(c.output for c in script if c.label == label),
        "cycles": {core: analyse(machine.triple, core, program) for core in machine.cores},
    }


def read_trace(file: Path) -> tuple[list[list[str]], dict[str, str]]:
    """Returns the addresses that each pair of marks saw, and the bytes at each address."""
    calls: list[list[str]] = []
    encodings: dict[str, str] = {}
    with file.open() as lines:
        for line in lines:
            address, *encoding = line.split()
            if address == "begin":
                calls.append([])
            elif address != "end":
                calls[-1].append(address)
                if encoding:
                    encodings[address] = encoding[0]
    return calls, encodings


def disassemble(triple: str, encodings: dict[str, str]) -> dict[str, str]:
    """Returns the text of each instruction by its address. Where jumps go does not matter: the trace says it."""
    text = "\n".join(" ".join(f"0x{byte:02x}" for byte in bytes.fromhex(e)) for e in encodings.values())
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "bytes"
        file.write_text(text + "\n")
        said = run_tool([DISASSEMBLER, "--disassemble", f"-triple={triple}", "-mattr=+all", str(file)])
    texts = [line.strip() for line in said.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    if len(texts) != len(encodings):
        raise LabError(f"{DISASSEMBLER} reads {len(texts)} of {len(encodings)} instructions of the trace")
    return dict(zip(encodings, texts))


def analyse(triple: str, core: str, program: str) -> int:
    """Returns llvm-mca's cycles. A call is charged one cycle, not the hundred of llvm-mca's default: what it calls is in
    the trace."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "trace.s"
        file.write_text(program)
        said = run_tool(
            [
                ANALYSER,
                f"-mtriple={triple}",
                f"-mcpu={core}",
                "-iterations=1",
                "-call-latency=1",
                "-instruction-info=0",
                "-resource-pressure=0",
                str(file),
            ]
        )
    found = re.search(r"^Total Cycles:\s+(\d+)$", said, re.MULTILINE)
    if found is None:
        raise LabError(f"{ANALYSER} for {core} gives no cycles")
    return int(found[1])
