# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pages of ciphers and MACs: the README, then what a cipher says of itself, its kernels on every processor, and the figures
of results/ and lab/results."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

import generated
import inventory
import runnel
import tables
from runnel.cli.listing import lengths_text
from runnel_lab import speed

from figures import ROOT, Page, folders, lab_rows, lab_tables, link

CHOICE = """\
The first that the processor can run is the default; where there is an operating system, the first constant-time one. The
others run when they are named."""
COLUMNS = (
    "key set-up",
    "IV set-up",
    "128 bytes",
    "a byte of them",
    "a byte, long message",
    "ROM",
    "RAM static",
    "stack",
)
MAC_COLUMNS = tuple(name for name in COLUMNS if name != "IV set-up")
INTRO = """\
Of the functions that a user calls, so that the driver is in them. What each kind of figure is worth is in
[timing models](../../../docs/timing-models.md); the byte of a long message is one of a message continued; ROM and RAM are
what the cipher adds to an empty program. `runnel speed` and `runnel lab show TARGET` print such figures."""
CORES = {"cortex-a55": "A55", "cortex-a57": "A57", "neoverse-n1": "N1", "neoverse-v2": "V2"}
ABOUT = ["name", "key (bytes)", "IV (bytes)", "seeks", "status", "what it is"]


def pages() -> Iterator[Page]:
    yield Page("ciphers", "Ciphers, by what they say of themselves", about(runnel.ciphers().values()))
    for folder in folders():
        title = (folder / "README.md").read_text(encoding="utf-8").partition("\n# ")[2].partition("\n")[0]
        parts = [about(ciphers(folder)) if ciphers(folder) else "", "## All kernels", kernels(folder)]
        parts += ["## All figures", figures(folder)]
        yield Page(folder.name, title, "\n\n".join(filter(None, parts)), str(folder.relative_to(ROOT)))


load = functools.cache(tables.load)


def bare(name: str) -> str:
    return name.replace("-", "").replace("_", "")


@functools.cache
def measured() -> list[str]:
    """Return all names in lab/results, MACs included."""
    return sorted({row["cipher"] for file in lab_rows.targets() for row in lab_rows.rows(file)})


@functools.cache
def belongs(name: str) -> Path | None:
    """Return the folder of a cipher or MAC: the one whose name its own begins with."""
    found = [folder for folder in folders() if bare(name).startswith(bare(folder.name))]
    return max(found, key=lambda folder: len(folder.name), default=None)


def ciphers(folder: Path) -> list[runnel.Cipher]:
    return [cipher for cipher in runnel.ciphers().values() if belongs(cipher.name) == folder]


def about(of: Iterable[runnel.Cipher]) -> str:
    rows = []
    for cipher in of:
        key, iv = (lengths_text(lengths) for lengths in (cipher.key_bytes, cipher.iv_bytes))
        what = f"{cipher.title} ({cipher.source})" + (f"; {cipher.remark}" if cipher.remark else "")
        rows.append([f"`{cipher.name}`", key, iv, "yes" if cipher.seekable else "no", cipher.status, what])
    return generated.table(ABOUT, rows, left=len(ABOUT))


def kernels(folder: Path) -> str:
    listed = inventory.load(ROOT).of(str(folder.relative_to(ROOT / "src")))
    if not listed:
        return f"One implementation: [`{folder.name}.c`]({folder.name}.c)."
    rows = []
    for kernel in listed:
        link = f"[`{kernel.name}`]({kernel.file.removeprefix(kernel.folder + '/')})"
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
    parts = [*on_x86(folder), *batch(folder), *(on_target(target, names) for target in lab_rows.targets())]
    if peers := lab_tables.beside_peers(names):
        parts += ["**Beside others**, on the same rulers.", peers]
    return "\n\n".join([INTRO, *filter(None, parts)])


def on_x86(folder: Path) -> Iterable[str]:
    """Yield our default kernel beside the libraries, on the machine measured last that has this cipher."""
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
                f"({link(f'results/{results.name}/speed.json', str(folder.relative_to(ROOT)))})."
            )
            yield generated.table(["cipher", "kernel or library", *speed.COLUMNS.values()], rows, left=2)
            return


def batch(folder: Path) -> Iterable[str]:
    """Yield what several streams at once gain, on the machine measured last that has this cipher."""
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
    """Return one simulated processor's table; this host's is the one above."""
    if target.stem == "host":
        return ""
    found = lab_rows.longest(lab_rows.rows(target, names))
    found.sort(key=lambda row: (names.index(row["cipher"]), lab_rows.rank(row)))
    if not found:
        return ""
    mac = all(row["iv_bits"] == 0 and "iv" not in row.get("figures", {}) for row in found)
    columns = ["cipher", "kernel", *(MAC_COLUMNS if mac else COLUMNS)]
    cores = [core for core in CORES if any(core in row.get("mca", {}).get("cycles", {}) for row in found)]
    rows = [[*lab_rows.cells(row, columns), *(by_mca(row, core) for core in cores)] for row in found]
    caption = lab_rows.caption(target, found)
    if cores:
        caption += " On the right cycles a byte of 1 KiB by llvm-mca, which ranks and does not measure."
    return generated.wrapped(caption) + "\n\n" + generated.table([*columns, *map(CORES.get, cores)], rows, left=2)


def by_mca(row: dict, core: str) -> str:
    cycles = row.get("mca", {}).get("cycles", {}).get(core)
    return "" if cycles is None else f"{cycles / row['mca']['bytes']:,.1f}"
