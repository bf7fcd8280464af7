# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel speed`: this machine, our ciphers beside the libraries found on it.

The program runnel-speed measures; here its rows get the machine's description and become a table.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
import runnel
from runnel.columns import columns

SHIMS = os.path.join(sys.prefix, "lib", "runnel")
"""Where `make` puts the engine, and what opens libraries in C++ for it; RUNNEL_SPEED_SHIMS names another folder for these."""
_PACKAGED = os.path.join(os.path.dirname(__file__), "runnel-speed")
ENGINE = _PACKAGED if os.path.exists(_PACKAGED) else os.path.join(SHIMS, "runnel-speed")
OPERATIONS = ("key", "iv", "message", "stream", "new-key")
SECONDS = 45.0
SECONDS_PER_CIPHER = 6.0
FULL = 6.0
"""A full measurement takes so many times as long: it has so many times the cells."""
QUICK = 3.0
"""--quick measures for a third of the time."""

Row = dict[str, Any]
Result = dict[str, Any]
Cell = tuple[str, int]
"""A measurement: the operation and its bytes."""

COLUMNS: dict[Cell, str] = {
    ("message", 16): "16 B",
    ("message", 128): "128 B",
    ("message", 1024): "1 KiB",
    ("message", 16384): "16 KiB",
    ("stream", 65536): "stream",
    ("key", 0): "key",
    ("iv", 0): "IV",
}
"""A usual measurement's rows of a cipher."""
SIZES = (16, 64, 128, 256, 1024, 1500, 4096, 16384, 65536)
"""A full one's rows of ciphers and AEADs, in each of the modes."""
MODES = {"message": "new IV", "stream": "continued", "new-key": "new key"}
"""A message under a new IV, so many bytes more of one stream, a message under a new key and a new IV."""
CELLS: tuple[Cell, ...] = (("key", 0), ("iv", 0), *((mode, size) for mode in MODES for size in SIZES))
"""All that is measured, in the order of tables."""


def size_name(size: int) -> str:
    return f"{size // 1024} KiB" if size % 1024 == 0 else f"{size:,} B"


class UsageError(ValueError):
    """The engine refuses its arguments: an unknown cipher, kernel or operation."""


class MeasuringError(RuntimeError):
    """The engine is missing, or failed; above all where a library's bytes are not ours."""


def measure(
    ciphers: Sequence[str] = (),
    *,
    kernel: str | None = None,
    all_kernels: bool = False,
    operations: Sequence[str] = (),
    full: bool = False,
    batch: int | None = None,
    seconds: float | None = None,
    progress: bool = False,
    environment: Mapping[str, str] | None = None,
    engine: str = ENGINE,
) -> Result:
    """Measure; return {"machine": {…}, "rows": […]}.

    ciphers: names, of AEADs too; none for all ciphers. kernel: ours by name; all_kernels: also those that are not chosen
    by default.
    operations: of OPERATIONS, none for all; "new-key" if it is asked for, or with full.
    full: SIZES in all MODES, of the kernels that run by default and of the libraries.
    batch: instead, 2 to 8 streams of ours, one by one and at once.
    seconds: about how long it takes; None fits it to the number of ciphers.
    progress: a bar on stderr. environment: variables to add for the engine, as RUNNEL_CPU. Raises UsageError,
    MeasuringError.
    """
    if seconds is None:
        seconds = default_seconds(ciphers, full)
    command = [engine, "--seconds", str(seconds)]
    for name in ciphers:
        command += ["--cipher", name]
    for operation in operations:
        command += ["--operation", operation]
    if kernel is not None:
        command += ["--kernel", kernel]
    if all_kernels:
        command += ["--all-kernels"]
    if full:
        command += ["--full"]
    if batch is not None:
        command += ["--batch", str(batch)]
    surroundings = {"RUNNEL_SPEED_SHIMS": SHIMS, **os.environ, **(environment or {})}
    result: Result = json.loads(_run(command, seconds if progress else None, surroundings))
    result["machine"] = {**machine(), **result["machine"]}
    return result


def default_seconds(ciphers: Sequence[str] = (), full: bool = False) -> float:
    """Return how long measure takes if it is not told."""
    usual = min(SECONDS, SECONDS_PER_CIPHER * len(ciphers)) if ciphers else SECONDS
    return usual * FULL if full else usual


def _run(command: Sequence[str], expected: float | None, environment: Mapping[str, str]) -> str:
    """Return what the command writes; expected: the seconds it takes, for a progress bar, or None for no bar."""
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True, encoding="utf-8"
        )
    except OSError as error:
        raise MeasuringError(f"{command[0]}: {error.strerror}") from error
    with process:
        try:
            out, complaint = _communicate(process, expected)
        except BaseException:
            process.kill()
            raise
    if process.returncode == 2:
        raise UsageError(complaint.strip().removeprefix("runnel-speed: "))
    if process.returncode:
        raise MeasuringError(complaint.strip().removeprefix("runnel-speed: ") or f"status {process.returncode}")
    return out


def _communicate(process: subprocess.Popen[str], expected: float | None) -> tuple[str, str]:
    if expected is None:
        return process.communicate()
    start, shown = time.monotonic(), 0
    with click.progressbar(length=1000, label="measuring", file=sys.stderr, show_eta=False) as bar:
        while True:
            try:
                output = process.communicate(timeout=0.2)
            except subprocess.TimeoutExpired:
                due = min(999, int(1000 * (time.monotonic() - start) / max(expected, 0.1)))
                bar.update(due - shown)
                shown = due
            else:
                bar.update(1000 - shown)
                return output


def machine() -> dict[str, Any]:
    """Describe this machine: processor, system, date. What is not known is left out."""
    cpu = _cpuinfo()
    flags = set(cpu.get("flags", cpu.get("Features", "")).split())
    numbers = [f"{word} {cpu[name]}" for word, name in _CPU_NUMBERS.items() if name in cpu]
    try:
        system = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        system = ""
    found = {
        "cpu": cpu.get("model name", platform.processor()),
        "cpu_id": " ".join([cpu.get("vendor_id", ""), *numbers]).strip(),
        "cpu_flags": sorted(flag for flag in flags if re.fullmatch(_CPU_FLAGS, flag)),
        "cores": os.cpu_count(),
        "virtual": "hypervisor" in flags,
        "architecture": platform.machine(),
        "os": system,
        "kernel": f"{platform.system()} {platform.release()}",
        "date": datetime.date.today().isoformat(),
    }
    return {name: value for name, value in found.items() if value not in ("", None, [])}


def slug(machine: Mapping[str, Any]) -> str:
    """Return a name for a machine's folder of results."""
    words = re.sub(r"\(.*?\)|@.*|stepping \w+", " ", f"{machine.get('cpu', '')} {machine.get('cpu_id', '')}")
    words = re.sub(r"AuthenticAMD|GenuineIntel", " ", words)
    return "-".join(re.findall(r"[a-z0-9]+", words.lower())) or str(machine.get("architecture", "unknown"))


_CPU_NUMBERS = {"family": "cpu family", "model": "model", "stepping": "stepping"}
_CPU_FLAGS = r"aes|ssse3|sse4_1|avx|avx2|avx512\w*|gfni|vaes|vpclmulqdq|sha_ni|asimd|sha2|sve\w*"


def _cpuinfo() -> dict[str, str]:
    """Return the first processor of /proc/cpuinfo."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            first = file.read().split("\n\n")[0]
    except OSError:
        return {}
    pairs = (line.partition(":") for line in first.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


class Comparison:
    """The rows of one cipher, arranged: implementations down, what was measured across."""

    def __init__(self, cipher: str, rows: Iterable[Row], newest: Iterable[str] = ()) -> None:
        self.cipher = cipher
        self.newest = tuple(newest)
        """How the names of libraries begin that are newer than the system's."""
        self.cells: dict[tuple[str, str], dict[Cell, Row]] = {}
        """By (implementation, kernel). Our chosen kernel comes first, as the engine gives it."""
        for row in rows:
            cells = self.cells.setdefault((row["implementation"], row["kernel"]), {})
            cells[row["operation"], row["bytes"]] = row

    @property
    def ours(self) -> dict[Cell, Row]:
        """Return the rows of the kernel that runs by default."""
        return next(iter(self.cells.values()))

    def peers(self, newest: bool | None = None) -> Iterator[tuple[str, dict[Cell, Row]]]:
        """Yield the libraries, or of them only the system's (False) or the newest (True)."""
        for (name, _), cells in self.cells.items():
            if name != "runnel" and newest in (None, self.is_newest(name)):
                yield name, cells

    def is_newest(self, name: str) -> bool:
        return any(name == each or name.startswith(f"{each} ") for each in self.newest)

    def best_peer(self, cell: Cell, newest: bool | None = None, named: str = "") -> tuple[str, Row] | None:
        """Return the fastest library at one thing, with its row, or None if there is none. newest: as for peers; named: how
        its name begins, for a library may be there twice, the system's and a newer one."""
        rows = [(name, cells[cell]) for name, cells in self.peers(newest) if cell in cells and name.startswith(named)]
        return min(rows, key=lambda pair: float(pair[1]["cycles"])) if rows else None

    def ratio(self, cell: Cell, peer: str = "", newest: bool | None = None) -> float | None:
        """Return how many times as fast we are as the fastest of the libraries whose names begin with peer: of all of them,
        if it is empty."""
        best = self.best_peer(cell, newest, peer)
        return float(best[1]["cycles"]) / float(self.ours[cell]["cycles"]) if best and cell in self.ours else None


def comparisons(result: Result) -> dict[str, Comparison]:
    """Return the comparisons by cipher."""
    rows: dict[str, list[Row]] = {}
    for row in result["rows"]:
        rows.setdefault(row["cipher"], []).append(row)
    newest = result["machine"].get("newest", ())
    return {name: Comparison(name, of_cipher, newest) for name, of_cipher in rows.items()}


def figure(row: Row) -> str:
    """Return cycles per byte, or the cycles of a set-up, with three significant digits where they mean something."""
    if row["bytes"] == 0:
        return f"{row['cycles']:.0f}"
    value = float(row["cycles_per_byte"])
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def describe(about: Mapping[str, Any]) -> str:
    """Return the machine and the build in one sentence."""
    parts = [f"{about.get('cpu', 'unknown processor')} ({about.get('cpu_id', about.get('architecture', ''))})"]
    parts += [f"{about['clock_ghz']:.2f} GHz under load, wandering up to {about['clock_ghz_highest']:.2f}"]
    parts += ["a virtual machine"] if about.get("virtual") else []
    parts += [str(about[name]) for name in ("os", "kernel") if name in about]
    parts += [f"our build: {about['compiler']} {about['flags']}"]
    parts += [f"kernels may use {' '.join(about['features']) or 'nothing special'}"]
    return "; ".join(parts)


LEGEND = """\
Cycles per byte for a message of so many bytes under a new IV, and for 64 KiB more of one stream; cycles for setting a
key and an IV. GB/s: messages of 16 KiB at the median clock. The last line: how many times as fast as the best library
runnel's first line is."""


FULL_LEGEND = """\
Cycles per byte: of a message under a new IV, of so many bytes more of one stream or message, of a message under a new
key and a new IV. Cycles for setting a key and an IV. The lines "times the best": how many times as fast as the best
library runnel's first line is."""


def table(result: Result) -> str:
    """Return the table for a terminal."""
    found = {(row["operation"], row["bytes"]) for row in result["rows"]}
    measured = [cell for cell in COLUMNS if cell in found]
    lines = [*textwrap.wrap(describe(result["machine"]), 118), "", *LEGEND.splitlines()]
    for comparison in comparisons(result).values():
        lines += ["", _line(comparison.cipher, [COLUMNS[cell] for cell in measured] + ["GB/s"])]
        for (implementation, kernel), cells in comparison.cells.items():
            figures = [figure(cells[cell]) if cell in cells else "" for cell in measured]
            speed = cells.get(("message", 16384))
            lines.append(_line(f"  {implementation} {kernel}", [*figures, f"{speed['gb_per_s']:.2f}" if speed else ""]))
        ratios = [comparison.ratio(cell) for cell in measured]
        if any(ratios):
            lines.append(_line("  times the best", [f"{ratio:.2f}" if ratio else "" for ratio in ratios]))
    return "\n".join(lines)


def full_table(result: Result) -> str:
    """Return the table for a terminal of what measure(full=True) gave: for each cipher and mode all sizes."""
    lines = [*textwrap.wrap(describe(result["machine"]), 118), "", *FULL_LEGEND.splitlines()]
    for comparison in comparisons(result).values():
        lines += ["", comparison.cipher]
        for title, cells in groups(comparison):
            lines.append(_line(f" {title}", (size_name(size) if size else COLUMNS[what, 0] for what, size in cells)))
            for (implementation, kernel), rows in comparison.cells.items():
                figures = [figure(rows[cell]) if cell in rows else "" for cell in cells]
                if any(figures):
                    lines.append(_line(f"  {implementation} {kernel}", figures))
            ratios = [comparison.ratio(cell) for cell in cells]
            if any(ratios):
                lines.append(_line("  times the best", [f"{ratio:.2f}" if ratio else "" for ratio in ratios]))
    return "\n".join(lines)


def groups(comparison: Comparison) -> Iterator[tuple[str, list[Cell]]]:
    """Yield each mode of which something was measured with its cells, and at last setting a key and an IV."""
    found = comparison.ours
    for mode, title in MODES.items():
        if cells := [cell for cell in CELLS if cell[0] == mode and cell in found]:
            yield title, cells
    if cells := [cell for cell in CELLS if cell[1] == 0 and cell in found]:
        yield "set-up", cells


BATCH_LEGEND = """\
{batch} streams of one cipher, one by one and at once, and how many times as fast that is. Cycles per byte of packets of
128 bytes and of messages of 16 KiB, each under a new IV; cycles for setting one IV. Ciphers without functions for
several streams take them one by one all the same."""


def batch_table(result: Result, batch: int) -> str:
    """Return the table for a terminal of what measure(batch=…) gave."""
    measured = {("message", 128 * batch): "128 B", ("message", 16384 * batch): "16 KiB", ("iv", 0): "IV"}
    lines = [*textwrap.wrap(describe(result["machine"]), 118), "", *BATCH_LEGEND.format(batch=batch).splitlines(), ""]
    lines.append(_line("", (word for name in measured.values() for word in (name, "at once", "gain"))))
    for comparison in comparisons(result).values():
        kernels: dict[str, list[dict[Cell, Row]]] = {}
        for (_, kernel), cells in comparison.cells.items():
            kernels.setdefault(kernel, []).append(cells)
        for kernel, (single, at_once) in kernels.items():
            words = []
            for cell in measured:
                pair = [cells[cell] for cells in (single, at_once) if cell in cells]
                each = [{**row, "cycles": row["cycles"] / (1 if row["bytes"] else batch)} for row in pair]
                gain = f"{pair[0]['cycles'] / pair[1]['cycles']:.2f}" if pair else ""
                words += [*map(figure, each), gain] if pair else ["", "", ""]
            lines.append(_line(f"{comparison.cipher} {kernel}", words))
    return "\n".join(lines)


_BAR_CHARACTERS = 30
_SUMMED_UP = ("message", 16384)


def summary(result: Result, *, blocks: bool = True) -> str:
    """Return a chart for a terminal: a bar for each cipher, and the best library. Recommended ciphers come first, then
    legacy and broken ones, of each the fastest first. blocks: whether the bars may be of block characters; otherwise
    they are of #. Empty where no messages of 16 KiB were measured."""
    compared = [each for each in comparisons(result).values() if _SUMMED_UP in each.ours]
    if not compared:
        return ""
    known = {name: cipher.status for name, cipher in runnel.ciphers().items()}
    known |= {name: aead.status for name, aead in runnel.aeads().items()}
    groups: dict[str, list[Comparison]] = {"recommended": [], "legacy": [], "broken": []}
    for each in sorted(compared, key=_gb_per_s, reverse=True):
        groups[known.get(each.cipher, "legacy")].append(each)
    most = max(map(_gb_per_s, compared))
    rows = [["", "", "GB/s", "times", "the best library here"]]
    for status, group in groups.items():
        rows += [[status, "", "", "", ""]] if group else []
        for each in group:
            best, ratio = each.best_peer(_SUMMED_UP), each.ratio(_SUMMED_UP)
            ours, bar = _gb_per_s(each), _bar(_gb_per_s(each) / most, blocks)
            theirs = [f"{ratio:.2f}", f"{best[0]}, {ours / ratio:.2f} GB/s"] if best and ratio else ["", "none here"]
            rows.append([f"  {each.cipher}", bar, f"{ours:.2f}", *theirs])
    return "Messages of 16 KiB, a new IV for each, on one core:\n" + columns(rows, right=(2, 3))


def _gb_per_s(compared: Comparison) -> float:
    return float(compared.ours[_SUMMED_UP]["gb_per_s"])


def _bar(part: float, blocks: bool) -> str:
    eighths = max(1, round(part * _BAR_CHARACTERS * 8))
    if not blocks:
        return "#" * max(1, round(eighths / 8))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def _line(first: str, cells: Iterable[str]) -> str:
    return (f"{first:<32}" + "".join(f"{cell:>9}" for cell in cells)).rstrip()
