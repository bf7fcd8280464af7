#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measure which lines of src/core and src/srtp the fuzz targets in C reach with their inputs, by clang's counters.

tests/fuzz/coverage.py [FOLDER]: with the committed inputs, or with those that the campaign has kept in FOLDER
(build/campaign/fuzz). Prints the share of each file, and the lines that no input reaches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent)]

import c_programs

from fuzz import corpus

TARGETS = ("streams", "aeads", "macs", "names", "srtp", "frames")
"""Of the others the provider's and the extension's reach nothing more of these files."""


def _compile(folder: Path) -> Path:
    """Compile one file; the library's other objects are those of the build, without counters."""
    build = c_programs.BUILD
    (folder / "fuzz_targets.inc").write_text("".join(f"FUZZ_TARGET({name})\n" for name in TARGETS))
    generated = build / "generated"
    includes = [generated, generated / "runnel", ROOT / "src", ROOT / "include", ROOT / "tests" / "c", folder]
    includes += [ROOT / "src" / "ciphers" / "aes", ROOT / "examples" / "firmware"]
    common = [
        "clang-19",
        "-std=c11",
        "-O1",
        "-w",
        "-D_GNU_SOURCE",
        "-DRUNNEL_PAPERS=1",
        *(f"-I{path}" for path in includes),
    ]
    counted = [*(ROOT / "src" / "core").glob("*.c"), *(ROOT / "src" / "srtp").glob("*.c")]
    others = [HERE / "replay.c", HERE / "fuzz.c", *(HERE / f"fuzz_{name}.c" for name in TARGETS)]
    others += [*HERE.glob("stream_*.c"), *HERE.glob("aead_*.c")]
    others += [ROOT / "tests" / "c" / "harness.c", ROOT / "tests" / "c" / "model.c"]
    objects = []
    for source in [*counted, *others]:
        objects.append(folder / f"{source.parent.name}-{source.stem}.o")
        flags = ["-fprofile-instr-generate", "-fcoverage-mapping"] if source in counted else []
        subprocess.run([*common, *flags, "-c", source, "-o", objects[-1]], check=True)
    program = folder / "covered"
    link = ["clang-19", "-fprofile-instr-generate", *objects, build / "librunnel.a", "-o", program]
    subprocess.run(link, check=True)
    return program


def _inputs(kept: Path | None, target: str) -> list[bytes]:
    if kept is None or not (kept / target / "corpus").is_dir():
        return corpus.inputs(target)
    return [path.read_bytes() for path in sorted((kept / target / "corpus").iterdir())]


def _measure(folder: Path, kept: Path | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    program = _compile(folder)
    profiles = []
    for target in TARGETS:
        profiles.append(folder / f"{target}.profraw")
        given = b"".join(len(one).to_bytes(4, "big") + one for one in _inputs(kept, target))
        surroundings = {**os.environ, "LLVM_PROFILE_FILE": str(profiles[-1])}
        subprocess.run([program, target], input=given, env=surroundings, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["llvm-profdata-19", "merge", *profiles, "-o", folder / "all.profdata"], check=True)


def totals(folder: Path, kept: Path | None = None) -> dict[str, tuple[int, int]]:
    """(lines reached, lines) of src/core and of src/srtp. folder: for what is made here. kept: see above."""
    _measure(folder, kept)
    export = ["llvm-cov-19", "export", "-summary-only", folder / "covered", f"-instr-profile={folder / 'all.profdata'}"]
    text = subprocess.run(export, check=True, stdout=subprocess.PIPE, text=True).stdout
    sums: dict[str, tuple[int, int]] = {}
    for file in json.loads(text)["data"][0]["files"]:
        part = "/".join(Path(file["filename"]).resolve().relative_to(ROOT).parts[:2])
        reached, lines = sums.get(part, (0, 0))
        summary = file["summary"]["lines"]
        sums[part] = reached + summary["covered"], lines + summary["count"]
    return {part: (reached, lines) for part, (reached, lines) in sums.items() if lines}


def main() -> int:
    kept = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    folder = c_programs.BUILD / "fuzz-coverage"
    for part, (reached, lines) in totals(folder, kept).items():
        print(f"{part}: {reached} of {lines} lines, {100 * reached / lines:.1f} %")
    show = ["llvm-cov-19", "report", folder / "covered", f"-instr-profile={folder / 'all.profdata'}"]
    subprocess.run(show, check=True)
    show[1] = "show"
    text = subprocess.run(show, check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in text.splitlines():
        number, _, rest = line.partition("|")
        if rest.strip().startswith("0|") or line.startswith("/"):
            print(number.strip(), rest.strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
