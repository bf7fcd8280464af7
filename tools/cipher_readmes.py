#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables in the README of each cipher and MAC: what it says of itself, its kernels on every processor, and the figures
of results/ and lab/results.

.venv/bin/python tools/cipher_readmes.py [--write | --check]
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
import cipher_table
import generated
import kernel_list
import lab_figures
import lab_table
import runnel
import tables
from generated import ROOT, Place
from runnel import speed

FOLDERS = sorted(readme.parent for readme in (ROOT / "src").glob("*/*/README.md"))
CHOICE = """\
The first that the processor can run is the default; where there is an operating system, the first constant-time one. The
others run when they are named."""
SHAPE = ["What it is", "Kernels", "Notes", "Figures"]
"""The sections of a README."""
COLUMNS = ("key set-up", "IV set-up", "128 bytes", "a byte of them", "a byte of many", "ROM", "RAM static", "stack")
MAC_COLUMNS = tuple(name for name in COLUMNS if name != "IV set-up")
INTRO = """\
Of the functions that a user calls, so that the driver is in them. What each kind of figure is worth is in
[docs/timing-models.md](../../../docs/timing-models.md); a byte of many is one of a long message going on; ROM and RAM are
what the cipher adds to an empty program. `make tables` writes this from [results/](../../../results) and
[lab/results/](../../../lab/results)."""
CORES = {"cortex-a55": "A55", "cortex-a57": "A57", "neoverse-n1": "N1", "neoverse-v2": "V2"}


load = functools.cache(tables.load)


def bare(name: str) -> str:
    return name.replace("-", "").replace("_", "")


@functools.cache
def measured() -> list[str]:
    """Returns all names in lab/results, MACs included."""
    return sorted({row["cipher"] for file in lab_figures.targets() for row in lab_figures.rows(file)})


def belongs(name: str) -> Path | None:
    """Returns the folder of a cipher, MAC or AEAD: the one whose name its own begins with, or of a generic AEAD ends with."""
    found = [folder for folder in FOLDERS if bare(name).startswith(bare(folder.name))]
    found += [folder for folder in FOLDERS if folder.parent.name == "aead" and name.endswith(f"-{folder.name}")]
    return max(found, key=lambda folder: (folder.parent.name == "aead", len(folder.name)), default=None)


def ciphers(folder: Path) -> list[runnel.Cipher]:
    return [cipher for cipher in runnel.ciphers().values() if belongs(cipher.name) == folder]


def about(folder: Path) -> str:
    return cipher_table.table(ciphers(folder))


def kernels(folder: Path) -> str:
    if not (folder / "kernels.inc").exists():
        return f"One implementation: [`{folder.name}.c`]({folder.name}.c)."
    rows = []
    for kernel in kernel_list.kernels(folder):
        link = f"[`{kernel.name}`]({kernel.file.relative_to(folder)})"
        needs = ", ".join([kernel.processor, *map(spelled, kernel.features)]) + (
            "; with the papers" if kernel.paper else ""
        )
        rows.append([link, needs, kernel.timing, kernel.citation])
    header = ["kernel", "processor", "timing class", "technique, and where it comes from"]
    table = generated.table(header, rows, left=len(header))
    return table if len(rows) == 1 else f"{CHOICE}\n\n{table}"


def spelled(feature: str) -> str:
    return feature.upper().replace("AVX512", "AVX-512")


def figures(folder: Path) -> str:
    names = [name for name in measured() if belongs(name) == folder and not name.endswith(("-cfb", "-ecb"))]
    parts = [*on_x86(folder), *batch(folder), *(on_target(target, names) for target in lab_figures.targets())]
    if peers := lab_table.beside_peers(names):
        parts += ["**Beside others**, on the same rulers ([docs/performance.md](../../../docs/performance.md)).", peers]
    return "\n\n".join([INTRO, *filter(None, parts)])


def on_x86(folder: Path) -> Iterable[str]:
    """Yields our default kernel beside the libraries, on the machine measured last that has this cipher."""
    for results in tables.newest_first():
        result = load(results / "speed.json")
        rows = []
        for cipher in ciphers(folder):
            comparison = speed.comparisons(result).get(cipher.name)
            for (implementation, kernel), cells in comparison.cells.items() if comparison else ():
                if implementation != "runnel" or cells is comparison.ours:
                    name = f"**`{kernel}`**" if implementation == "runnel" else implementation
                    values = [speed.figure(cells[cell]) if cell in cells else "" for cell in speed.COLUMNS]
                    rows.append([cipher.name, name, *values])
        if rows:
            machine = result["machine"]
            yield generated.wrapped(
                f"**x86-64**: {machine['cpu']} ({machine['cpu_id']}); cycles a byte of a message under a new IV, and of "
                f"64 KiB more of one stream; cycles for a key and for an IV; measured {machine['date']}. [All kernels]"
                f"(../../../results/{results.name}/speed.md)."
            )
            yield generated.table(["cipher", "kernel or library", *speed.COLUMNS.values()], rows, left=2)
            return


def batch(folder: Path) -> Iterable[str]:
    """Yields what several streams at once gain, on the machine measured last that has this cipher."""
    for results in tables.newest_first():
        if not (results / "batch.json").exists():
            continue
        result = load(results / "batch.json")
        streams = max(row["bytes"] for row in result["rows"] if row["operation"] == "message") // 16384
        names = {cipher.name for cipher in ciphers(folder)}
        rows = [row for row in tables.batch_rows(result, streams) if row[0] in names]
        if rows:
            machine = result["machine"]
            yield generated.wrapped(
                f"**{streams} streams at once** and one by one, of 128 bytes and of 16 KiB each: cycles a byte; cycles for "
                f"one IV. {machine['cpu']} ({machine['cpu_id']}), measured {machine['date']}."
            )
            columns = [word for size in ("128 B", "16 KiB", "IV") for word in (size, "at once", "gain")]
            yield generated.table(["cipher", "kernel", *columns], rows, left=2)
            return


def on_target(target: Path, names: list[str]) -> str:
    """Returns one simulated processor's table; this host's is the one above."""
    if target.stem == "host":
        return ""
    found = lab_figures.longest(lab_figures.rows(target, names))
    found.sort(key=lambda row: (names.index(row["cipher"]), lab_figures.rank(row)))
    if not found:
        return ""
    mac = all(row["iv_bits"] == 0 and "iv" not in row.get("figures", {}) for row in found)
    columns = ["cipher", "kernel", *(MAC_COLUMNS if mac else COLUMNS)]
    cores = [core for core in CORES if any(core in row.get("mca", {}).get("cycles", {}) for row in found)]
    rows = [[*lab_figures.cells(row, columns), *(by_mca(row, core) for core in cores)] for row in found]
    caption = lab_figures.caption(target, found)
    if cores:
        caption += " On the right cycles a byte of 1 KiB by llvm-mca, which ranks and does not measure."
    return generated.wrapped(caption) + "\n\n" + generated.table([*columns, *map(CORES.get, cores)], rows, left=2)


def by_mca(row: dict, core: str) -> str:
    cycles = row.get("mca", {}).get("cycles", {}).get(core)
    return "" if cycles is None else f"{cycles / row['mca']['bytes']:,.1f}"


def places() -> list[Place]:
    found = []
    for folder in FOLDERS:
        readme = folder / "README.md"
        if ciphers(folder):
            found.append(Place(readme, "about", functools.partial(about, folder)))
        for marker, text in (("kernels", kernels), ("figures", figures)):
            found.append(Place(readme, marker, functools.partial(text, folder)))
    return found


PLACES = places()


if __name__ == "__main__":
    generated.main(PLACES, "The tables in the README of each cipher and MAC.")
