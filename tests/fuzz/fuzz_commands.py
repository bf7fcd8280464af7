# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Command lines: any command with any of its options, whose values are names of files, the values that other programs
stumble over, and the input's own text. Each ends with a status that the help knows and, unless it is 0, one line. No file
is lost: what the command was not told to write is as it was, and so is everything that it reads, whatever its output is
called; no temporary file is left."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import runnel
from cli_program import commands, standard_files
from runnel.cli.command import run
from sealed_files import unseal

from fuzz.python_checks import Choices

_SHARED = Path("/dev/shm")  # where nothing waits for a disk
_FOLDER = tempfile.TemporaryDirectory(prefix="runnel-fuzz-", dir=_SHARED if os.access(_SHARED, os.W_OK) else None)
_TREE = Path(_FOLDER.name) / "around" / "tree"
_PLAIN = {"plain": b"plain text" * 30, "d/one": b"1", "d/two": b"2" * 200}
_SEALED = {"sealed": "plain", "e/three": "d/one", "e/four": "d/two"}
_FILES = ["key", "other", "raw", "names", *_PLAIN, *_SEALED, "link", "hard"]
_PLACES = ["d/", "e/", "new", "new/", "d", ".", "..", "", "a\nb", "x" * 300, "/dev/null", "/dev/null/x", "-"]
_NUMBERS = ["0", "1", "5", "100", "-1", "3.5", "1K", "5M", "1T", "nan", "inf", "-inf", "1e300", "0x10", "9" * 23]
_VALUES: dict[str, list[str]] = {
    "file": [*_FILES, *_PLACES],
    "url": [*_FILES, *_PLACES, "s3://", "s3:///x", "gs://", "az://", "http://[", "ftp://x/y", "memory://x", "file://"],
    "name": ["chacha20", "aes-128-ctr", "aes-128-cfb", "rc4", "aes-128-gcm", "portable", "be128", "le64", "ChaCha", "py",
             "cobblestone-128", "AES128_GCM_HKDF_4KB", "x86-64", "seed-armv8"],
    "hex": ["00" * 16, "00" * 12, "00" * 8, "", "0", "zz", "é"],
    "range": [":", "5:", ":5", "3:9", ":-1", "9:3", "1:2:3", "1K:"],
    "text": ["RUNNEL_FUZZ_KEY", "@plain", "@key", "@", "@/nonexistent", "*", "[", "t*", "%s", "\x01", "é", "\udcff", "--"],
}  # fmt: skip
"""Values of each type of option. Numbers stand for all others."""
_USUAL = {"keyfile": "key", "key": "raw", "cipher": "chacha20", "iv": "00" * 12, "count": "100"}
"""Mostly given, and mostly so."""
_LEFT_OUT = ("speed", "report", "selftest", "lab ")
"""Commands that measure or compute for seconds, and the lab's, whose files the target tables reads."""
_NOT_GIVEN = {"help", "wanted", "passphrase_file", "passphrase_env", "kms_command", "ray", "threads"}
"""Options that ask at a terminal, take long on purpose, or start processes."""
_WRITTEN = {"target", "manifest", "failures", "state"}
"""Parameters whose file is written, or might be."""
_OUTPUT_MOST = 1 << 20
_MENTIONED = ("", "@", f"file://{_TREE}/")
"""Options that may stand before names of files."""


_COMMANDS = {
    name: command
    for name, command in sorted((" ".join(words[1:]), command) for command, words in commands())
    if not isinstance(command, click.Group) and not name.startswith(_LEFT_OUT)
}


def _inputs() -> dict[str, bytes]:
    """Return the tree's files."""
    key, other = (runnel.Keyset.generate("cobblestone-128") for _ in range(2))
    files = {
        "key": key.to_bytes(),
        "other": other.to_bytes(),
        "raw": b"00" * 32,
        "names": b'"one"\n"three"\n',
        **_PLAIN,
    }
    for name, plain in _SEALED.items():
        out = io.BytesIO()
        runnel.encrypt_stream(io.BytesIO(files[plain]), out, key)
        files[name] = out.getvalue()
    return files


_CONTENT = _inputs()
_KEYSET = runnel.Keyset.from_json(_CONTENT["key"])


def _plant() -> None:
    """Write the tree as it is at first."""
    shutil.rmtree(_TREE.parent, ignore_errors=True)
    for name, data in _CONTENT.items():
        (_TREE / name).parent.mkdir(parents=True, exist_ok=True)
        (_TREE / name).write_bytes(data)
    (_TREE / "link").symlink_to("plain")
    os.link(_TREE / "sealed", _TREE / "hard")


def _value(choices: Choices, parameter: click.Parameter) -> str:
    """Mostly one of the parameter's type."""
    if parameter.name in _USUAL and choices.below(4):
        return _USUAL[parameter.name]
    if isinstance(parameter.type, click.Choice) and choices.below(4):
        return str(parameter.type.choices[choices.below(len(parameter.type.choices))])
    kind = choices.below(8)
    if kind == 0:  # without / it is no place outside the tree, and no URL of a host
        text = choices.text(choices.below(40)).decode(errors="surrogateescape")
        return text.replace("/", "_").replace("\0", "_")
    values = _VALUES.get(parameter.type.name, _NUMBERS)
    if kind == 1:
        values = [value for each in (*_VALUES.values(), _NUMBERS) for value in each]
    value = values[choices.below(len(values))]
    return _MENTIONED[choices.below(3)] + value if kind == 2 and value in _FILES else value


def _files(value: str) -> set[Path]:
    """Return the files of the tree that a value names, by whatever name: one, or all of a folder."""
    before = next(each for each in ("file://", "@", "") if value.startswith(each))
    place = Path(os.path.realpath(_TREE / value.removeprefix(before)))
    return {path for path in (_TREE / name for name in _CONTENT) if path == place or path.is_relative_to(place)}


@contextlib.contextmanager
def _in_the_tree() -> Iterator[None]:
    """Run the command in the tree: the input is empty, and no output is endless."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with (
        open(os.devnull, "rb") as nothing,
        open(_TREE.parent / "stdout", "wb") as out,
        standard_files(nothing, out),
        contextlib.chdir(_TREE),
    ):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as Python has it; fuzzers end there
        resource.setrlimit(resource.RLIMIT_FSIZE, (_OUTPUT_MOST, limits[1]))
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                sys.stdout.flush()
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def _is_rotated(place: str, now: bytes | None) -> bool:
    """Return whether a sealed file still has its plaintext."""
    try:
        return now is not None and unseal(_KEYSET, now) == _CONTENT[_SEALED[place]]
    except (KeyError, runnel.AuthenticationError):
        return False


def one(data: bytes) -> None:
    choices = Choices(data)
    name = list(_COMMANDS)[choices.below(len(_COMMANDS))]
    arguments, read, written = name.split(), list[str](), list[str]()
    for parameter in _COMMANDS[name].params:
        given = choices.below(16) > 0 if parameter.required or parameter.name in _USUAL else choices.below(8) == 0
        if parameter.name in _NOT_GIVEN or not given:
            continue
        if isinstance(parameter, click.Option):
            names = [*parameter.opts, *parameter.secondary_opts]
            arguments.append(names[choices.below(len(names))])
            if parameter.is_flag:
                continue
        value = _value(choices, parameter)
        arguments.append(value)
        if parameter.name in _WRITTEN:
            written.append(value)
        elif parameter.type.name in ("file", "url") or (parameter.name == "aad" and value.startswith("@")):
            read.append(value)
    _plant()
    os.environ["RUNNEL_FUZZ_KEY"] = _CONTENT["key"].decode()
    os.environ["XDG_STATE_HOME"] = str(_TREE.parent / "state")
    writes = set[Path]().union(*map(_files, written)) - set[Path]().union(*map(_files, read))
    with _in_the_tree(), open(os.devnull, "w") as quiet, contextlib.redirect_stderr(quiet):
        status, line = run(arguments)
    assert status in (0, 1, 2, 3), f"{arguments}: status {status}"
    assert bool(status) == bool(line), f"{arguments}: status {status}, {line!r}"
    for place, content in _CONTENT.items():
        path = _TREE / place
        now = path.read_bytes() if path.exists() else None
        if now != content and path not in writes:
            assert name == "store rotate" and _is_rotated(place, now), f"{arguments}: {place} is lost"
    left = [path for path in _TREE.rglob("*.tmp") if path.name.startswith(".")]
    assert not left, f"{arguments}: left {left[0].name}"
