#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bugs that are planted one at a time, and the tests that have to see them. The lists are mutants/*.toml:

[tests.NAME]      what mutants of some files go through: `program` of the build directory, linked anew, with each of `runs`
                  and the AEAD vectors `vectors`, on a CPU with the features `cpu`; or `pytest`, its arguments
[[file]]          `path` of the file that is broken and its `tests`; of a header `compile`, what is compiled of it, or
                  `first_of`: sources and the CPU features they need, of which the first that runs here is taken
[[file.mutant]]   `name`, what it does wrong; `old`, a text that is there exactly once, and `new`; `by`: arguments of
                  pytest for those that see it, where the file's tests are many; `survives`: why no test can see it

A mutant whose text is no longer there is an error: it must follow the code. `python tests/mutation.py` writes
docs/reliability/mutants.md; with names of files or mutants it runs these."""

from __future__ import annotations

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import c_programs
import runnel
from c_programs import BUILD, ROOT, break_once
from skips import processor_has

LISTS = ROOT / "tests" / "mutants"
DOCUMENT = ROOT / "docs" / "reliability" / "mutants.md"
PROVIDER, NATIVE = "provider/runnel.so", "python/_native.abi3.so"
TIMEOUT = 600
NOT_TRIED = "not tried"
# The lists, as the campaign and the document name them.
GROUPS = {
    "core": "core",
    "aeads": "AEADs",
    "macs": "MACs",
    "kernels": "kernels",
    "srtp": "SRTP",
    "provider": "OpenSSL provider",
    "native": "C of the Python package",
    "sealed": "sealed files",
    "store": "stores",
    "package": "rest of the Python package",
}


@dataclass(frozen=True)
class Tests:
    """The tests that have to notice."""

    program: str = ""
    runs: tuple[tuple[str, ...], ...] = ()
    vectors: tuple[str, ...] = ()
    cpu: str = ""
    pytest: tuple[str, ...] = ()


@dataclass(frozen=True)
class File:
    """A file that is broken."""

    list: str
    path: str
    tests: Tests
    compile: tuple[str, ...]
    first_of: dict[str, list[str]] = field(hash=False)

    def sources(self) -> tuple[str, ...] | None:
        """Return the sources that are compiled; None: this CPU runs none of it."""
        if not self.first_of:
            return self.compile
        return next(((path,) for path, needed in self.first_of.items() if set(needed) <= processor_has()), None)


@dataclass(frozen=True)
class Mutant:
    file: File
    name: str
    old: str
    new: str
    by: str = ""
    survives: str = ""

    def __str__(self) -> str:
        return self.name


class Broken(Exception):
    """The mutant cannot be tried: it does not compile or load, or a test does not start."""


@functools.cache
def files() -> tuple[File, ...]:
    return tuple(file for file, _ in _read())


@functools.cache
def mutants() -> tuple[Mutant, ...]:
    return tuple(mutant for _, of_file in _read() for mutant in of_file)


@functools.cache
def _read() -> list[tuple[File, list[Mutant]]]:
    found = []
    for path in sorted(LISTS.glob("*.toml")):
        listed = tomllib.loads(path.read_text(encoding="utf-8"))
        tests = {name: _tests(given) for name, given in listed["tests"].items()}
        for given in listed["file"]:
            own = given.pop("mutant")
            name = given["path"]
            compiled = given.get("compile", [] if name.endswith((".h", ".py")) else [name])
            file = File(path.stem, name, tests[given["tests"]], tuple(compiled), given.get("first_of", {}))
            found.append((file, [Mutant(file, **each) for each in own]))
    return found


def _tests(given: dict) -> Tests:
    runs = tuple(tuple(run) for run in given.pop("runs", ()))
    return Tests(runs=runs, **{name: tuple(v) if isinstance(v, list) else v for name, v in given.items()})


# --- what is broken, built ---------------------------------------------------------------------------------------------


@functools.cache
def _commands(folder: Path, target: str) -> tuple[dict[str, list[str]], list[str], dict[str, str]]:
    """Return the commands that make a target in a build directory: how each source is compiled, how all is linked,
    what the objects that are linked were made of."""
    done = subprocess.run(
        ["ninja", "-C", folder, "-t", "commands", target], check=True, text=True, stdout=subprocess.PIPE
    )
    compiled: dict[str, list[str]] = {}
    objects = {}
    for words in map(shlex.split, done.stdout.splitlines()):
        if "-c" in words:
            source, made = words[words.index("-c") + 1], words[words.index("-o") + 1]
            compiled.setdefault(source, words)
            objects[made] = source
    line = done.stdout.splitlines()[-1].removeprefix(": && ").removesuffix(" && :")
    return compiled, shlex.split(line), objects


def _called(command: Iterable[str | Path], folder: Path) -> None:
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    done = subprocess.run([*command], cwd=folder, env=environment, text=True, capture_output=True)
    if done.returncode:
        raise Broken(done.stderr[-3000:])


def linked(folder: Path, home: Path, target: str, sources: Iterable[str], out: Path) -> None:
    """Links a target of the build directory home with sources compiled anew, from folder where they are there."""
    compiled, link, objects = _commands(home, target)
    ours = []
    for source in sources:
        copy = folder / source if (folder / source).exists() else ROOT / source
        words = list(compiled[str(ROOT / source)])
        made = folder / f"{source.replace('/', '_')}.o"
        words[words.index("-o") + 1], words[words.index("-c") + 1] = str(made), str(copy)
        for word in ("-MD", "-MT", "-MF", "-Werror"):
            if word in words:
                at = words.index(word)
                del words[at : at + (2 if word in ("-MT", "-MF") else 1)]
        first = next(i for i, word in enumerate(words) if word.startswith("-"))
        words[first:first] = [f"-I{folder / top}" for top in ("src", "include") if (folder / top).exists()]
        # -O1 takes half the time; gcc clears upper halves of registers at -O2 and above only.
        level = ["-O2"] if target == "tests/runnel-properties" and "/x86/" in source else ["-O1"]
        _called([*words, "-w", *level], home)
        ours.append(str(made))
    replaced = {str(ROOT / source) for source in sources}
    kept = [word for word in link if objects.get(word) not in replaced]
    at = kept.index("-o")
    kept[at + 1] = str(out)
    _called([*kept[: at + 2], *ours, *kept[at + 2 :]], home)


def _package(folder: Path) -> Path:
    """A copy of the installed package, with its compiled files: what is broken in it is compiled again, in it."""
    copy = folder / "packages" / "runnel"
    shutil.copytree(Path(runnel.__file__).parent, copy)
    return copy


def _shadow(folder: Path, target: str) -> Path:
    """A build directory that has all of the real one but the target, which is made in it."""
    shadow = folder / "build"
    (shadow / target).parent.mkdir(parents=True)
    for real, copy in ((BUILD, shadow), ((BUILD / target).parent, (shadow / target).parent)):
        for each in real.iterdir():
            if not (copy / each.name).exists() and each != BUILD / target:
                (copy / each.name).symlink_to(each)
    return shadow


def _broken_copy(folder: Path, file: File, change: tuple[str, str] | None) -> None:
    """The folder of a file as it is, where the change, if there is one, has been made."""
    shutil.copytree(ROOT / Path(file.path).parent, folder / Path(file.path).parent)
    if change is not None:
        break_once(folder / file.path, *change)


# --- tried -------------------------------------------------------------------------------------------------------------


def _status(
    command: Iterable[str | Path], environment: dict[str, str], text: str | None = None
) -> tuple[int | None, str]:
    """A command's status and output; None: it took too long."""
    try:
        done = subprocess.run(
            [*command],
            cwd=ROOT,
            env=environment,
            input=text,
            text=True,
            timeout=TIMEOUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def _environment(**more: str) -> dict[str, str]:
    dropped = ("RUNNEL_CPU", "PYTEST_", "RUNNEL_TESTS_BUILT_")
    return {name: value for name, value in os.environ.items() if not name.startswith(dropped)} | more


def _seen_by_program(program: Path, tests: Tests) -> str:
    runs: list[tuple[tuple[str, ...], str | None]] = [(run, None) for run in tests.runs]
    if tests.vectors:
        from test_c_aeads import lines_of

        read = (json.loads((ROOT / "tests/vectors/aead" / f"{name}.json").read_text()) for name in tests.vectors)
        runs.append((("vectors",), "\n".join(line for data in read for line in lines_of(data)) + "\n"))
    for run, text in runs:
        features = {"RUNNEL_CPU": tests.cpu} if tests.cpu else {}
        status, output = _status([program, *run], _environment(**features), text)
        if status == 77:
            raise Broken(f"{program.name} {' '.join(run)}: {output}")
        if status != 0:
            return " ".join((program.name, *run))
    return ""


def _seen_by_pytest(arguments: Iterable[str], **variables: str) -> str:
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    status, output = _status([*pytest, *arguments], _environment(**variables))
    if status == 0:
        return ""
    if status is None:
        return "a timeout"
    found = re.search(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", output, re.MULTILINE)
    if status == 1 and found:
        return found[1]
    if status < 0:
        return f"signal {-status}"
    raise Broken(f"pytest {' '.join(arguments)}: status {status}\n{output[-3000:]}")


def seen_by(folder: Path, file: File, change: tuple[str, str] | None, by: str = "") -> str:
    """Return the test that notices a change in a file, which is made in an empty folder; nothing: it survives. Raises
    Broken."""
    tests = file.tests
    arguments = shlex.split(by) if by else tests.pytest
    top = file.path.split("/")[:2]
    if top == ["python", "runnel"]:
        copy = _package(folder)
        if change is not None:
            break_once(copy / Path(file.path).relative_to("python/runnel"), *change)
        return _seen_by_pytest(arguments, PYTHONPATH=str(copy.parent))
    sources = file.sources()
    assert sources is not None, file.path
    _broken_copy(folder, file, change)
    if top == ["python", "native"]:
        copy = _package(folder)
        name = Path(runnel._native.__file__).name
        (copy / name).unlink()
        linked(folder, BUILD / "wheel", NATIVE, sources, copy / name)
        return _seen_by_pytest(arguments, PYTHONPATH=str(copy.parent))
    target = PROVIDER if top == ["integrations", "openssl"] else f"tests/{tests.program}"
    c_programs.build(BUILD)
    if not tests.pytest:
        linked(folder, BUILD, target, sources, folder / "program")
        return _seen_by_program(folder / "program", tests)
    c_programs.build(BUILD, target="runnel-provider")
    shadow = _shadow(folder, target)
    linked(folder, BUILD, target, sources, shadow / target)
    built = {f"RUNNEL_TESTS_BUILT_{shadow.name}_{each}": "1" for each in ("runnel_tests", "runnel-provider")}
    return _seen_by_pytest(arguments, RUNNEL_BUILD_DIR=str(shadow), **built)


def tried(mutant: Mutant) -> str:
    """Return the test that notices a mutant."""
    with tempfile.TemporaryDirectory() as folder:
        return seen_by(Path(folder), mutant.file, (mutant.old, mutant.new), mutant.by)


def all_tried(
    chosen: Iterable[Mutant], told: Callable[[Mutant, str, float], None], left: Callable[[], float] = lambda: 1.0
) -> None:
    """Tries mutants, on all processors, as long as there is time. told: what notices each, or "broken: …", and the
    seconds that it took."""

    def one(mutant: Mutant) -> tuple[Mutant, str, float]:
        began = time.monotonic()
        if not left():
            return mutant, NOT_TRIED, 0.0
        try:
            seen = tried(mutant)
        except (Broken, AssertionError) as why:
            seen = f"broken: {why}"
        return mutant, seen, time.monotonic() - began

    with ThreadPoolExecutor(c_programs.jobs()) as pool:
        for mutant, seen, seconds in pool.map(one, chosen):
            told(mutant, seen, seconds)


HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 OR MIT -->
# Mutants

A mutant is one bug that is planted in the code: a carry that is dropped, a limit that is off by one, a check or a wipe that
is left out. Tests that do not see it prove less than they seem to. The lists in [tests/mutants](../../tests/mutants) say of
each what is changed and which tests must see it; this page is made of them by `python tests/mutation.py`. `make test` tries
a tenth, `make campaign PART=mutants` all of them, and writes what became of them to
[results/reliability/mutants.json](../../results/reliability/mutants.json).

"""


def document() -> str:
    """docs/reliability/mutants.md."""
    lines = ["| | files | mutants | of them not seen |", "| --- | ---: | ---: | ---: |"]
    for name, title in GROUPS.items():
        own = [mutant for mutant in mutants() if mutant.file.list == name]
        unseen = sum(bool(mutant.survives) for mutant in own)
        lines.append(
            f"| [{title}](../../tests/mutants/{name}.toml) | {len({m.file.path for m in own})} | {len(own)} | {unseen} |"
        )
    survivors = [mutant for mutant in mutants() if mutant.survives]
    total = len(mutants())
    lines += [
        f"| together | {len({m.file.path for m in mutants()})} | {total} | {len(survivors)} |",
        "",
        "## Those that no test sees, and why",
        "",
        *([f"- {m.name} (`{m.file.path}`): {m.survives}." for m in survivors] or ["None."]),
    ]
    return HEAD + "\n".join(lines) + "\n"


def main() -> int:
    asked = sys.argv[1:]
    failed = False

    def told(mutant: Mutant, seen: str, seconds: float) -> None:
        nonlocal failed
        failed |= not seen or seen.startswith("broken")
        print(f"{seconds:5.1f}  {mutant.file.path}  {mutant.name}: {seen or 'SURVIVES'}", flush=True)

    if not asked:
        DOCUMENT.parent.mkdir(exist_ok=True)
        DOCUMENT.write_text(document(), encoding="utf-8")
        return 0
    words = [m for m in mutants() if any(a in (m.name, m.file.list) or a in m.file.path for a in asked)]
    all_tried(words, told)
    return failed


if __name__ == "__main__":
    sys.exit(main())
