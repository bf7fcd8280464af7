# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measured programs, built by ninja: one build.ninja for a call, the objects of a target in one folder that is kept.

The library's files go into an archive, and the linker takes what a program needs and drops the sections that it does not.
A file is told only those macros that it or a header of its own mentions, so that most files are compiled once for all
kernels; the compiler runs in the tree, with relative paths, through ccache where there is one."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from runnel.threads import usable_processors

from runnel_lab import DoesNotFit, LabError
from runnel_lab.building.tools import TOO_LARGE, sizes, telling
from runnel_lab.targets import Target

PROCESSORS = {
    "avr": {"avr"},
    "riscv": {"rv32", "rv64"},
    "arm": {"armv7", "thumb1", "thumb2"},
    "aarch64": {"aarch64"},
    "x86_64": {"x86"},
    "wasm": {"wasm"},
}
"""Folders of files for one processor alone, by how the compiler's name of its machine begins."""

_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`']?(\w+)")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A measured program: files of lab/ that are told everything, and folders of src/ that the linker may take from."""

    main: tuple[str, ...] = ("bench.c",)
    definitions: tuple[str, ...] = ()
    """BENCH_… and COMPOSE_…, for the files of lab/ alone."""
    knobs: tuple[str, ...] = ()
    """RUNNEL_…, for the library too."""
    folders: tuple[str, ...] = ()
    """Of src/, the one whose header is included first; none: the empty program, whose size is taken off all others."""
    without: tuple[Path, ...] = ()
    """Files of kernels that are not chosen, which need not be compiled; those that the program cannot be linked without are."""


@dataclass(frozen=True)
class Built:
    """The result of building a program. archived: the library's objects that the linker chose from."""

    elf: Path
    main: Path
    archived: tuple[Path, ...]
    error: LabError | None = None

    @property
    def linked(self) -> Path:
        """Return the program. Raises what kept it from being built."""
        if self.error is not None:
            raise self.error
        return self.elf


def build(target: Target, programs: Sequence[Program]) -> list[Built]:
    """Compile and link the programs, as far as they are not up to date. One that fails carries its error: DoesNotFit in the
    linker's words, or a LabError with the compiler's first line."""
    folder = _folder(target)
    text = _Manifest(target, folder)
    built = [text.add(program) for program in programs]
    if all(each.elf in _done for each in built):
        return [_done[each.elf] for each in built]
    with _locked(folder):
        manifest = folder / f"{os.getpid()}.ninja"
        manifest.write_text(text.text())
        try:
            failures = _run(target.tree, manifest)
        finally:
            manifest.unlink()
    checked = [_with_failure(target, each, failures) for each in built]
    if again := [n for n, each in enumerate(checked) if programs[n].without and "undefined" in str(each.error)]:
        missing = [_UNDEFINED.findall(failures[str(built[n].elf)]) for n in again]
        for n, each in zip(again, build(target, [_with(programs[n], names) for n, names in zip(again, missing)])):
            checked[n] = each
    _done.update((each.elf, last) for each, last in zip(built, checked))
    return checked


def _with(program: Program, names: Sequence[str]) -> Program:
    """Return the program with those files of other kernels that undefined names begin like; with all if there are none."""
    words = {f"_{name}_" for name in names}
    kept = tuple(file for file in program.without if not any(f"_{file.stem}_" in word for word in words))
    return replace(program, without=kept if kept != program.without else ())


_done: dict[Path, Built] = {}
"""Programs that this process has built: sources do not change under it."""


def compiler(target: Target) -> list[str]:
    """Return the compiler with the flags of every program."""
    flags = ["-ffunction-sections", "-fdata-sections", "-Wall", "-Wextra"]
    return [target.compiler, "-std=c11", *target.expand(target.flags), *flags]


def includes(tree: Path, *folders: Path) -> list[str]:
    return [word for folder in (tree / "include", tree / "src", *folders) for word in ("-I", str(folder))]


class _Manifest:
    """The edges of a build.ninja, by what they make."""

    def __init__(self, target: Target, folder: Path) -> None:
        self.target, self.tree, self.folder = target, target.tree, folder
        self.command = _shell(compiler(target))
        self.edges: dict[Path, str] = {}

    def text(self) -> str:
        launcher = "ccache " if shutil.which("ccache") else ""
        return f"""builddir = {self.folder}
rule compile
  command = {launcher}{self.command} $flags -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule archive
  command = rm -f $out && {self.target.binutils}ar qcsT $out @$out.rsp
  rspfile = $out.rsp
  rspfile_content = $in
rule link
  command = {self.command} $in -Wl,--gc-sections $flags -Wl,-Map=$out.map -o $out
""" + "".join(self.edges.values())

    def add(self, program: Program) -> Built:
        folders = tuple(self.tree / "src" / name for name in program.folders)
        places = [self.tree / "lab", self.tree / "include", self.tree / "src", *folders]
        words = [*program.definitions, *program.knobs, *self._includes(places)]
        first = [self._edge("compile", ".o", [self.tree / "lab" / name], words) for name in program.main]
        room = [word for word in program.definitions if word.startswith(ROOM)] + ["-Ilab"]
        first += [self._edge("compile", ".o", [self.target.folder / name], room) for name in self.target.sources]
        files = self._library(program, folders)
        archived = [self._edge("compile", ".o", [file], self._words(file, program, folders)) for file in files]
        archives = [self._edge("archive", ".a", archived)] if archived else []
        elf = self._edge("link", ".elf", [*first, *archives], self.target.expand(self.target.link))
        return Built(elf, first[0], tuple(archived))

    def _library(self, program: Program, folders: tuple[Path, ...]) -> list[Path]:
        source = self.tree / "src"
        core = [file for file in _sources(source / "core") if file.name != "registry.c"]
        core += _sources(source / "modes" / "cfb")  # which every block cipher has in its list
        left_out = _others(self.target)
        own = [file for folder in folders for file in _sources(folder) if not left_out.intersection(file.parts)]
        return [*core, *(file for file in own if file not in program.without)] if folders else []

    def _words(self, file: Path, program: Program, folders: tuple[Path, ...]) -> list[str]:
        """Return the macros and folders that make a difference to a file of the library."""
        in_order = sorted(folders, key=lambda folder: not file.is_relative_to(folder))
        order = (self.tree / "include", self.tree / "src", *in_order)
        names, used = _mentions(file, order)
        knobs = [word for word in program.knobs if word[2:].partition("=")[0] in names]
        return [*knobs, *self._includes([place for place in order if place in used])]

    def _includes(self, places: Sequence[Path]) -> list[str]:
        return [f"-I{self._path(place)}" for place in places]

    def _edge(self, rule: str, suffix: str, inputs: Sequence[Path], words: Sequence[str] = ()) -> Path:
        """Add an edge; the name of what it makes says by a hash what it is made of, the compiler's version included."""
        paths, flags = list(map(self._path, inputs)), _shell(words)
        parts = (str(self.tree), self.target.compiler_version, self.command, rule, *paths, flags)
        stem = inputs[0].stem if rule == "compile" else rule
        output = self.folder / f"{stem}-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:20]}{suffix}"
        scripts = [Path(script) for option, script in pairwise(words) if option == "-T"]  # of the linker
        aside = f" | {' '.join(_escaped(self._path(file)) for file in scripts)}" if scripts else ""
        build = f"build {_escaped(self._path(output))}: {rule} {' '.join(map(_escaped, paths))}{aside}"
        self.edges[output] = f"{build}\n  flags = {flags}\n"
        return output

    def _path(self, path: Path) -> str:
        """Return a path of the tree relative to it, so that ccache knows the same text in other trees."""
        path = Path(os.path.normpath(path))
        return str(path.relative_to(self.tree) if path.is_relative_to(self.tree) else path)


ROOM = ("-DBENCH_BUFFER", "-DBENCH_ARGUMENT", "-DBENCH_PAINT")


def _shell(words: Sequence[str]) -> str:
    """Quote words for the shell, and for ninja."""
    return shlex.join(words).replace("$", "$$")


def _escaped(path: str) -> str:
    return re.sub(r"([$ :])", r"$\1", path)


def _folder(target: Target) -> Path:
    base = os.environ.get("RUNNEL_BUILD_DIR") or target.tree / "build"
    folder = Path(base).resolve() / "lab" / target.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(f"{folder}: {error.strerror}") from None
    return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """ninja's log is not for several at a time."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(tree: Path, manifest: Path) -> dict[str, str]:
    """Run ninja; return the messages about each file that could not be built."""
    done = subprocess.run(
        ["ninja", "--quiet", "-j", str(usable_processors()), "-k", "0", "-C", str(tree), "-f", str(manifest)],
        text=True,
        errors="replace",
        capture_output=True,
    )
    if done.returncode == 0:
        return {}
    failures: dict[str, str] = {}
    for part in re.split(r"^FAILED: ", done.stdout, flags=re.MULTILINE)[1:]:
        files, _, message = part.partition("\n")
        message = message.partition("\n")[2]  # without the command
        failures |= {str(tree / file): message for file in files.split()}
    if not failures:
        lines = (done.stderr + done.stdout).strip().splitlines()
        raise LabError(next((line for line in lines if "error" in line), lines[-1] if lines else "ninja failed"))
    return failures


def _with_failure(target: Target, built: Built, failures: dict[str, str]) -> Built:
    message = next((failures[str(f)] for f in (built.main, *built.archived, built.elf) if str(f) in failures), None)
    if message is None:
        taken = sizes(target, built.elf).ram if target.ram is not None else 0
        if target.ram is None or taken <= target.ram:
            return built
        return replace(built, error=DoesNotFit(f"{taken} bytes of static RAM, the target has {target.ram}"))
    line = telling(message)
    if TOO_LARGE.search(line):
        line = re.sub(r"link-\w+", "bench", re.sub(r"\S*/", "", line))  # the same wherever it was built
        return replace(built, error=DoesNotFit(_too_large(target, line)))
    return replace(built, error=LabError(line))


def _too_large(target: Target, message: str) -> str:
    """Return the linker's words and, where it only names the address that is too high, by how much it is."""
    found = re.search(r"address (0x[0-9a-f]+) .*is not within region .data.", message)
    if found is None or target.ram is None or target.ram_at is None:
        return message
    return f"{message}, {int(found[1], 16) - target.ram_at - target.ram} bytes too many"


@lru_cache
def _sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.[cS]"))


@lru_cache
def _others(target: Target) -> set[str]:
    """Return the folders of other processors; none if the compiler's machine is not known."""
    own = next((names for begin, names in PROCESSORS.items() if target.machine_of_compiler.startswith(begin)), None)
    return set().union(*PROCESSORS.values()) - own if own else set()


@lru_cache(None)
def _mentions(file: Path, places: tuple[Path, ...]) -> tuple[set[str], set[Path]]:
    """Return the words of a file and of all headers that it may include, and the folders where those were found."""
    seen, names, used = {file}, set[str](), set[Path]()
    pending = [file]
    while pending:
        words, included = _read(current := pending.pop())
        names |= words
        for name in included:
            for place in (current.parent, *places):
                if (found := _normal(place, name)).is_file():
                    if place != current.parent:
                        used.add(place)
                    if found not in seen:
                        seen.add(found)
                        pending.append(found)
                    break
    return names, used


@lru_cache(None)
def _normal(place: Path, name: str) -> Path:
    return Path(os.path.normpath(place / name))


@lru_cache(None)
def _read(file: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    text = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8", errors="replace"), flags=re.DOTALL)
    return frozenset(re.findall(r"\bRUNNEL_[A-Z0-9_]+", text)), tuple(_INCLUDE.findall(text))
