# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The interface that a program linked with the shared library relies on: its SONAME, its symbols, sizes and
alignments of public structs, values of public constants. packaging/abi/<processor>.txt has them as they were last
agreed to; VERSIONING.md says what may change in which version. The historic ciphers, which promise nothing, are left
out."""

from __future__ import annotations

import argparse
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from amalgamation import ROOT, closure, folders, header, text_of

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ENUM = re.compile(r"\benum\b[^{;]*(\{[^}]*\})")

HEAD = """\
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Written by `python tools/abi.py --write`; VERSIONING.md says what may change in which version.
# soname NAME, symbol NAME, struct NAME bytes alignment, constant NAME value.
"""


def record(machine: str = platform.machine()) -> Path:
    return ROOT / "packaging" / "abi" / f"{machine}.txt"


def now(build: Path, compiler: str = "cc") -> list[str]:
    """Returns the lines for the shared library in a build folder. Raises CalledProcessError."""
    library = build / "librunnel.so"
    dynamic = _output_of("readelf", "-d", library)
    soname = re.search(r"SONAME.*\[(.*)\]", dynamic)
    assert soname is not None
    current = [folder for path, folder in folders().items() if path.parent.name != "historic"]
    past = " ".join(text_of(f.header) for path, f in folders().items() if path.parent.name == "historic")
    historic = set(re.findall(r"\w+", _COMMENT.sub("", past)))
    text = header(closure(folder.path for folder in current), "")
    # Every struct is a type of the same name.
    structs = sorted(set(re.findall(r"^\}[^;\n]*?\b(runnel_\w+);$", text, re.MULTILINE)))
    constants = set(_enumerators(text))
    # Names of the library's own structs, which no other may have.
    symbols = {line.split()[-1] for line in _output_of("nm", "-D", "--defined-only", library).splitlines()}
    only_historic = {name for name in symbols & historic if not re.search(rf"\b{name}\b", text)}
    return [
        f"soname {soname[1]}",
        *(f"symbol {name}" for name in sorted(symbols - only_historic)),
        *_sizes(structs, sorted(constants), text, compiler),
    ]


def _enumerators(text: str) -> list[str]:
    return re.findall(r"(?<=[{,\s])RUNNEL_[A-Z0-9_]+(?=\s*[=,}])", "".join(_ENUM.findall(_COMMENT.sub("", text))))


def _output_of(*command: str | Path) -> str:
    return subprocess.run(list(map(str, command)), text=True, capture_output=True, check=True).stdout


def _sizes(structs: list[str], constants: list[str], text: str, compiler: str) -> list[str]:
    lines = ['#include "runnel.h"', "#include <stdio.h>", "int main(void)", "{"]
    for name in structs:
        lines.append(f'printf("struct {name} %zu %zu\\n", sizeof({name}), _Alignof({name}));')
    lines += [f'printf("constant {name} %lld\\n", (long long){name});' for name in constants]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "runnel.h").write_text(text)
        (Path(folder) / "abi.c").write_text("\n".join([*lines, "}\n"]))
        program = Path(folder) / "abi"
        _output_of(compiler, "-std=c11", "-o", program, Path(folder) / "abi.c")
        return _output_of(program).splitlines()


def compare(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """Returns what breaks programs (taken away or changed), and what is new."""
    before, after = ({tuple(line.split()[:2]): line for line in lines} for lines in (old, new))
    if old[:1] != new[:1]:  # another name: nothing that is linked with the old one loads it
        return [], [line for line in new if line not in old]
    broken = [f"{line}, now {after.get(key, 'gone')}" for key, line in before.items() if after.get(key) != line]
    return broken, [line for key, line in after.items() if key not in before]


def recorded(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="where librunnel.so is; default: build")
    parser.add_argument("--write", action="store_true", help="record what is new; otherwise compare")
    parser.add_argument(
        "--break", action="store_true", dest="breaking", help="with --write: record what breaks programs too"
    )
    options = parser.parse_args()
    lines = now(options.build)
    file = record()
    broken, new = compare(recorded(file), lines) if file.exists() else ([], lines)
    if broken and not (options.write and options.breaking):
        print("\n".join(broken))
        print("This breaks programs: VERSIONING.md says in which version it may. Then: --write --break")
        return 1
    if options.write:
        file.write_text(HEAD + "\n".join(lines) + "\n")
    elif new:
        print("\n".join(new))
        print("This is new. Record it: python tools/abi.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
