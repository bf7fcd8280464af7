# SPDX-License-Identifier: Apache-2.0 OR MIT
"""llvm-mca's estimate of a trace: cycles that rank two kernels on one core, and are no measurement.

The instructions that one call really executed, in their order, go to llvm-mca as one long block, once. It knows the
core's units and latencies, but no cache, no misprediction, and no fusion of instructions."""

from __future__ import annotations

import bisect
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from runnel_lab import LabError
from runnel_lab.building.tools import run_tool
from runnel_lab.running import session
from runnel_lab.targets import Target

DISASSEMBLER, ANALYSER = "llvm-mc-19", "llvm-mca-19"

# Ranked by messages of 1 KiB, of every kernel alike. Longer traces are left out: their analysis takes longer than
# the run.
BYTES, LABELS, LONGEST = 1024, ("long", "left"), 90_000


def available(target: Target, cipher: str) -> bool:
    wanted = target.mca is not None and (not target.mca.ciphers or cipher in target.mca.ciphers)
    return wanted and all(map(shutil.which, (DISASSEMBLER, ANALYSER)))


def ranking(target: Target, runner: Path, elf: Path, script: Sequence[session.Call]) -> dict[str, Any]:
    """Runs the script once more with a trace, and gives {"tool", "label", "bytes", "cycles": {core: cycles}} for a message of
    1 KiB, and the same under "left" where the layout be32-left has one. Only where the tools are available."""
    machine = target.mca
    assert machine is not None
    with tempfile.TemporaryDirectory() as scratch:
        trace = Path(scratch) / "trace"
        words = [target.command[0], *_as(machine.simulated, target.command[1:])]
        traced = replace(target, command=[w.replace("marks={marks}", f"marks={{marks}},trace={trace}") for w in words])
        session.run(traced, runner, elf, list(script))
        calls, encodings = read_trace(trace)
    by_label = dict(zip((c.label for c in script if c.measured), calls))
    arm = _in_arm_state(target, elf, encodings) if machine.triple.startswith("thumb") else set()
    texts = disassemble(machine.triple, {a: e for a, e in encodings.items() if a not in arm})
    texts |= {a: f".arm\n{x}\n.thumb" for a, x in disassemble("armv7", {a: encodings[a] for a in arm}).items()}
    version = re.search(r"version (\S+)", run_tool([ANALYSER, "--version"]))
    found: dict[str, Any] = {"tool": f"llvm-mca {version[1] if version else ''}".strip()}
    for label in LABELS:
        if 0 < len(by_label.get(label, ())) <= LONGEST:
            program = "\n".join(texts[address] for address in by_label[label]) + "\n"
            cycles = {core: analyse(machine.triple, cpu, program) for core, cpu in machine.cores.items()}
            ranked = {"label": label, "bytes": next(c.output for c in script if c.label == label), "cycles": cycles}
            found |= ranked if label == "long" else {label: ranked}
    return found


def _as(processor: str, words: Sequence[str]) -> list[str]:
    """Return the command's words with another processor."""
    without = [w for i, w in enumerate(words) if w != "-cpu" and (i == 0 or words[i - 1] != "-cpu")]
    return ["-cpu", processor, *without]


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


def _in_arm_state(target: Target, elf: Path, encodings: dict[str, str]) -> set[str]:
    """Returns the addresses that hold A32 code, by the linker's mapping symbols: parts of the C library do."""
    lines = run_tool([target.binutils + "nm", "--special-syms", "-n", str(elf)]).splitlines()
    states = [(int(w[0], 16), w[2]) for w in map(str.split, lines) if len(w) == 3 and re.match(r"\$[atd]\b", w[2])]
    starts = [address for address, _ in states]
    return {a for a in encodings if (at := bisect.bisect(starts, int(a, 16))) and states[at - 1][1].startswith("$a")}


def _instruction(triple: str, encoding: str) -> bytes:
    """Return the bytes of one instruction: before the end of a page QEMU 7.2 gives a Thumb instruction together with bytes of
    the next."""
    code = bytes.fromhex(encoding)
    return code[: 2 if triple.startswith("thumb") and code[1] < 0xE8 else 4]


def disassemble(triple: str, encodings: dict[str, str]) -> dict[str, str]:
    """Returns the text of each instruction by its address. Where jumps go does not matter: the trace says it."""
    if not encodings:
        return {}
    text = "\n".join(" ".join(f"0x{byte:02x}" for byte in _instruction(triple, e)) for e in encodings.values())
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "bytes"
        file.write_text(text + "\n")
        output = run_tool(
            [DISASSEMBLER, "--disassemble", f"-triple={triple}", f"-mattr={_features(triple)}", str(file)]
        )
    texts = [line.strip() for line in output.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    if len(texts) != len(encodings):
        raise LabError(f"{DISASSEMBLER} reads {len(texts)} of {len(encodings)} instructions of the trace")
    return dict(zip(encodings, texts))


def _features(triple: str) -> str:
    return "+all" if triple == "aarch64" else "+neon,+vfp3"


def analyse(triple: str, core: str, program: str) -> int:
    """Returns llvm-mca's cycles. A call is charged one cycle, not the hundred of llvm-mca's default: what it calls is in
    the trace. Of what has no entry in the model, IT, nothing is charged."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "trace.s"
        file.write_text(program)
        output = run_tool(
            [
                ANALYSER,
                f"-mtriple={triple}",
                f"-mcpu={core}",
                *(["-mattr=+aes"] if triple == "aarch64" else ["-mattr=+neon"]),
                *([] if triple == "aarch64" else ["-skip-unsupported-instructions=lack-sched"]),
                "-iterations=1",
                "-call-latency=1",
                "-instruction-info=0",
                "-resource-pressure=0",
                str(file),
            ]
        )
    found = re.search(r"^Total Cycles:\s+(\d+)$", output, re.MULTILINE)
    if found is None:
        raise LabError(f"{ANALYSER} for {core} gives no cycles")
    return int(found[1])
