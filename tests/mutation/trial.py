# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One fault tried: made in a copy of its file, compiled, and shown to the tests that have to see it."""

from __future__ import annotations

import functools
import glob
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import CodeType

import c_programs
import runnel
from c_programs import BUILD, ROOT

from mutation import built, reached

LONGEST = 600.0  # seconds of a run over code as it is


class Verdict(Enum):
    """The verdict on a fault."""

    SEEN = "seen"
    SURVIVED = "not seen"
    SAME = "compiled to the same code"
    EQUIVALENT = "equivalent"
    NO_PROGRAM = "no program"


@dataclass(frozen=True)
class Result:
    verdict: Verdict
    by: str = ""
    """The first run that saw it, or why it is no program."""
    took: dict[str, float] = field(default_factory=dict, compare=False)
    """Where nothing saw it, the seconds of each run."""


@dataclass(frozen=True)
class Checks:
    """The runs that have to see faults of a file; areas.toml says what the parts mean."""

    runs: tuple[str, ...]
    programs: tuple[str, ...] = ()
    compile: tuple[str, ...] = ()


class NotStarted(Exception):
    """A test cannot be run: what it says."""


@dataclass(frozen=True)
class Kind:
    """How a file is compiled: a target of a build directory."""

    home: Path
    target: str


def kinds_of(path: str, tests: Checks) -> list[Kind]:
    """Return what a file is part of; none: it is Python."""
    if built.is_python(path):
        return []
    if path.startswith("python/native/"):
        return [Kind(BUILD / "wheel", built.NATIVE)]
    if path.startswith("integrations/openssl/"):
        return [Kind(BUILD, built.PROVIDER)]
    words = (word for run in tests.runs for word in shlex.split(run) if "=" not in word)
    programs = tests.programs or [word for word in words if word.startswith("runnel-")]
    return [Kind(BUILD, f"tests/{program}") for program in dict.fromkeys(programs)]


Change = Callable[[bytes], bytes]
"""The function that plants the fault in the text of the file."""


@dataclass
class Trial:
    """A fault in a file, in an empty folder of its own; without a change the code as it is."""

    folder: Path
    path: str
    tests: Checks
    change: Change | None = None
    first: tuple[str, ...] = ()
    """Tests of pytest that are tried before the runs."""
    reached: Path | None = None
    """Where it is written which tests reach which functions of the package: reached.py."""

    def result(self, limits: dict[str, float] | None = None) -> Result:
        """Try what becomes of it; limits: the seconds that each run may take, after which the fault counts as seen."""
        took = {}
        try:
            self._break()
            if self.change is not None and self._same():
                return Result(Verdict.SAME)
            if self.first and (by := self._by_pytest([*self.first], max((limits or {}).values(), default=LONGEST))):
                return Result(Verdict.SEEN, by)
            for run in self.tests.runs:
                began = time.monotonic()
                if by := self._seen(run, (limits or {}).get(run, LONGEST)):
                    return Result(Verdict.SEEN, by)
                took[run] = time.monotonic() - began
        except built.DoesNotCompile as why:
            return Result(Verdict.NO_PROGRAM, str(why))
        return Result(Verdict.SURVIVED, took=took)

    def _break(self) -> None:
        if self._in_a_package():
            self.packages = built.packages(self.folder, self.path)
        self.kinds = kinds_of(self.path, self.tests)
        if not self.kinds:
            place = self.packages / Path(*Path(self.path).parts[1:])
        else:
            shutil.copytree(ROOT / Path(self.path).parent, self.folder / Path(self.path).parent)
            place = self.folder / self.path
        if self.change is not None:
            place.unlink()
            place.write_bytes(self.change((ROOT / self.path).read_bytes()))
        self.place = place
        self.objects: dict[tuple[str, ...], Path] = {}
        self.linked: set[Path] = set()

    def _in_a_package(self) -> bool:
        return built.is_python(self.path) or self.path.startswith("python/native/")

    # --- compiled ------------------------------------------------------------------------------------------------------

    def _same(self) -> bool:
        """Tell whether it compiles to the same as the code without the fault."""
        if not self.kinds:
            try:
                ours = compile(self.place.read_bytes(), "x", "exec")
            except (SyntaxError, ValueError) as why:
                raise built.DoesNotCompile(str(why)) from None
            return _same_code(ours, compile((ROOT / self.path).read_bytes(), "x", "exec"))
        return all(
            object_file.read_bytes() == _unbroken(kind, source, self.path)
            for kind in self.kinds
            for source, object_file in self._objects(kind).items()
        )

    def _objects(self, kind: Kind) -> dict[str, Path]:
        """Return the objects that are compiled anew for a target; two programs of the same object share it."""
        found = {}
        for source in built.sources_of(kind.home, kind.target, self.path, self.tests.compile):
            how = built.build_of(kind.home, kind.target).command(source)
            if how not in self.objects:
                self.objects[how] = built.compiled(self.folder, kind.home, kind.target, source)
            found[source] = self.objects[how]
        return found

    def _link(self, kind: Kind, out: Path) -> None:
        if out not in self.linked:
            out.unlink(missing_ok=True)
            built.link(kind.home, kind.target, self._objects(kind), out)
            self.linked.add(out)

    # --- shown to tests ------------------------------------------------------------------------------------------------

    def _seen(self, run: str, limit: float) -> str:
        variables, words = {}, shlex.split(run)
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            variables[name] = value
        if words[0].partition("::")[0].endswith(".py"):
            return self._by_pytest(words, limit)
        program = self.folder / words[0]
        self._link(Kind(BUILD, f"tests/{words[0]}"), program)
        text = None
        if "<" in words:
            text = _vectors(*words[words.index("<") + 1 :])
            words = words[: words.index("<")]
        arguments = [name for word in words[1:] for name in (sorted(glob.glob(word, root_dir=ROOT)) or [word])]
        status, output = _status([program, *arguments], built.environment(**variables), limit, text)
        if status == 77 and self.change is None:
            raise NotStarted(f"{run}: {output}")
        return "" if status == 0 else f"{run}{' (it did not end)' if status is None else ''}"

    def _by_pytest(self, arguments: list[str], limit: float) -> str:
        variables = {"RUNNEL_TESTS_CHANGED": str(self.folder)}
        if self._in_a_package():
            for kind in self.kinds:
                self._link(kind, self.packages / "runnel" / Path(runnel._native.__file__).name)
            variables["PYTHONPATH"] = f"{self.packages}:{ROOT / 'tests'}"
        else:
            copy = built.shadow(self.folder, [kind.target for kind in self.kinds])
            for kind in self.kinds:
                self._link(kind, copy / kind.target)
            variables["RUNNEL_BUILD_DIR"] = str(copy)
            for target in ("runnel_tests", "runnel-provider", "runnel_static"):
                variables[f"RUNNEL_TESTS_BUILT_{copy.name}_{target}"] = "1"
        plugin = ["-p", "mutation.reached"] if self.reached else []
        if self.reached:
            variables[reached.WHERE] = str(self.reached)
        pytest = [sys.executable, "-m", "pytest", *plugin, "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
        status, output = _status([*pytest, *arguments], built.environment(**variables), limit)
        if status == 0:
            return ""
        found = re.search(r"^(?:FAILED|ERROR) ((?:\w+/)?tests/\S+)", output, re.MULTILINE)
        if found:
            return found[1]
        if self.change is not None and (status is None or status < 0 or status in (1, 2, 3, 4)):
            return f"pytest {' '.join(arguments)}"
        raise NotStarted(f"pytest {' '.join(arguments)}: status {status}\n{output[-3000:]}")


def _status(
    command: list[str | Path], environment: dict[str, str], limit: float, text: str | None = None
) -> tuple[int | None, str]:
    """Run a command and return its status and output; None: it took too long."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            input=text,
            text=True,
            timeout=limit,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


@functools.cache
def _vectors(*names: str) -> str:
    from test_c_aeads import lines_of

    read = (json.loads((ROOT / "tests/vectors/aead" / f"{name}.json").read_text()) for name in names)
    return "\n".join(line for data in read for line in lines_of(data)) + "\n"


@functools.cache
def _unbroken(kind: Kind, source: str, path: str) -> bytes:
    """Compile the object of a source as it is, where copies are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / Path(path).parent, Path(folder) / Path(path).parent)
        return built.compiled(Path(folder), kind.home, kind.target, source).read_bytes()


def _same_code(ours: CodeType, theirs: CodeType) -> bool:
    """Compare all but the lines that it stands on."""
    parts = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount", "co_exceptiontable")
    return (
        all(getattr(ours, part) == getattr(theirs, part) for part in parts)
        and len(ours.co_consts) == len(theirs.co_consts)
        and all(
            _same_code(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else (type(a), a) == (type(b), b)
            for a, b in zip(ours.co_consts, theirs.co_consts)
        )
    )


def tried(
    path: str,
    tests: Checks,
    change: Change | None,
    limits: dict[str, float] | None = None,
    first: tuple[str, ...] = (),
    reached: Path | None = None,
) -> Result:
    """Try what becomes of a fault in a file; the rest as Trial says."""
    for kind in kinds_of(path, tests):
        c_programs.build(BUILD)
        if kind.target == built.PROVIDER:
            c_programs.build(BUILD, target="runnel-provider")
    with tempfile.TemporaryDirectory() as folder:
        return Trial(Path(folder), path, tests, change, first, reached).result(limits)
