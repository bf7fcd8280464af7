# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Select tests: with --cipher and --kernel those that a change in one folder of src/ can break.

A test is about what its parameters name: a cipher, MAC, AEAD or kernel, or a file in a folder of src/. Where they do not
say, `@pytest.mark.of("aes")` does. `@pytest.mark.every_cipher` is for a test that takes all ciphers at once: it always
runs, and narrows itself by what this module tells it."""

from __future__ import annotations

import difflib
import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
sys.path.insert(0, str(ROOT / "tools"))
import inventory

PARENTS = ("ciphers", "historic", "macs", "aead", "modes")
AEAD_VECTORS = SRC.parent / "tests" / "vectors" / "aead"
SUITE_SCALE = 40


class UnknownName(Exception):
    """The message suggests a name that there is."""


@dataclass(frozen=True)
class Choice:
    """A selection of ciphers and kernels."""

    names: frozenset[str]
    """Ciphers (raw blocks too: aes-128-ecb), MACs and AEADs."""
    folders: frozenset[Path]
    """Where these are."""
    kernels: frozenset[str]
    """Empty: all."""

    def takes(self, names: Iterable[str], kernels: Iterable[str] = ()) -> bool:
        """Tell whether one of the names was chosen, and one of the kernels, if these are what a test is about."""
        kernels = set(kernels)
        return bool(self.names & set(names)) and (not self.kernels or not kernels or bool(self.kernels & kernels))


_current: Choice | None = None
_scale = SUITE_SCALE
_campaign = False


def begin(choice: Choice | None, scale: int, campaign: bool) -> None:
    """conftest.py calls this before anything is collected."""
    global _current, _scale, _campaign
    _current, _scale, _campaign = choice, scale, campaign


def current() -> Choice | None:
    """Return the selection; None: everything."""
    return _current


def scale() -> int:
    """Return the divisor of the C programs' repetitions: 1 in `make campaign`."""
    return _scale


def campaign() -> bool:
    """Tell whether the long versions of the tests were asked for, too."""
    return _campaign


def one_in(share: int, values: Iterable) -> list:
    """Return, for parametrize, every so many of the values, evenly spread; the others are for `make campaign`."""
    listed = [each if hasattr(each, "marks") else pytest.param(each) for each in values]
    return [
        each if i % share == 0 else pytest.param(*each.values, id=each.id, marks=[*each.marks, pytest.mark.campaign])
        for i, each in enumerate(listed)
    ]


def takes(name: str, kernel: str | None = None) -> bool:
    """Tell whether the cipher, MAC or AEAD was asked for, and the kernel."""
    return _current is None or _current.takes((name,), () if kernel is None else (kernel,))


def takes_file(path: Path) -> bool:
    """Tell whether the file is in a folder that was asked for."""
    return _current is None or any(folder in path.resolve().parents for folder in _current.folders)


def arguments() -> list[str]:
    """Options of the C programs for what was asked for, as far as they have them: one name, one kernel."""
    if _current is None:
        return []
    names = _current.names & _c_names()
    return [
        *(["--cipher", *names] if len(names) == 1 else []),
        *(["--kernel", *_current.kernels] if len(_current.kernels) == 1 else []),
    ]


# --- names and folders -----------------------------------------------------------------------------------------------


@cache
def names_by_folder() -> dict[Path, frozenset[str]]:
    """Return the names in the folders of src/, by the vectors in each."""
    found = {}
    for parent in PARENTS:
        for folder in sorted((SRC / parent).glob("*")):
            if (folder / f"{folder.name}.c").exists():
                text = (folder / "vectors.txt").read_text() if (folder / "vectors.txt").exists() else ""
                names = set(re.findall(r"^(?:cipher|mac|aead): (\S+)", text, re.MULTILINE))
                names |= {name.replace("-ctr", "-ecb") for name in names if name.endswith("-ctr")}
                if parent in ("aead", "modes"):
                    names |= {name for name in _aeads() if _mode(name) == folder.name}
                elif (folder / "aead.c").exists():  # a block cipher in modes
                    names |= {name for name in _aeads() if name.partition("-")[0] == folder.name}
                found[folder] = frozenset(names or {folder.name.replace("_", "-")})
    return found


@cache
def family(cipher: str) -> str:
    """Return the folder that the cipher is in."""
    return next(folder.name for folder, names in names_by_folder().items() if cipher in names)


@cache
def historic(cipher: str | Path) -> bool:
    """Tell whether the cipher, or the one of the file, is broken or withdrawn."""
    folders = [folder for folder in names_by_folder() if folder.parent.name == "historic"]
    if isinstance(cipher, Path):
        return any(folder in cipher.resolve().parents for folder in folders)
    return any(cipher in names_by_folder()[folder] for folder in folders)


@cache
def aeads_of(file: str) -> frozenset[str]:
    """Return the AEADs that a file of vectors is about."""
    data = json.loads((AEAD_VECTORS / f"{file}.json").read_text())
    cipher, mode = data["cipher"].lower(), data["mode"].lower()
    if mode == "aead":
        return frozenset({cipher})
    keys = 2 if mode == "siv" else 1  # in one
    bits = {4 * len(vector["key"]) // keys for vector in data["vectors"] if vector["result"] != "invalid"}
    return frozenset(f"seed-{mode}" if cipher == "seed-128" else f"{cipher}-{each}-{mode}" for each in bits)


@cache
def _aeads() -> frozenset[str]:
    return frozenset(name for file in AEAD_VECTORS.glob("*.json") for name in aeads_of(file.stem))


def _mode(name: str) -> str:
    """Return the folder of src/aead or src/modes that the code of an AEAD is in."""
    folders = [
        folder.name
        for parent in ("aead", "modes")
        for folder in (SRC / parent).iterdir()
        if folder.name.replace("_", "") in name.replace("-", "")
    ]
    return max(folders, key=len)


@cache
def _c_names() -> frozenset[str]:
    """Those that a C program knows as --cipher: no raw blocks."""
    return frozenset(
        name
        for folder, names in names_by_folder().items()
        if folder.parent.name in ("ciphers", "historic")
        for name in names - _aeads()
        if not name.endswith("-ecb")
    )


@cache
def _text(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.glob("*.[ch]")))


@cache
def kernels_of(folder: Path) -> frozenset[str]:
    """Return the kernels for this processor and all others."""
    listed = [kernel.name for kernel in inventory.load(ROOT).of(str(folder.relative_to(SRC))) if not kernel.batch]
    return frozenset(listed) or frozenset({"portable"})


def users_of(folder: Path) -> set[Path]:
    """Return the folders of MACs and AEADs whose files include a header of this one, directly or not."""
    name = re.escape(folder.name)
    include = re.compile(rf'^\s*#\s*include\s*["<](?:(?:\S*/)?{name}\.h|(?:\S*/)?{name}/\S+)[">]', re.MULTILINE)
    users = {
        other
        for other in names_by_folder()
        if other != folder and other.parent.name in ("macs", "aead", "modes") and include.search(_text(other))
    }
    return users.union(*(users_of(user) for user in users))


def choose(ciphers: Iterable[str], kernels: Iterable[str]) -> Choice | None:
    """Choose from the options. A folder's name stands for all that is in it and for what is built on it; any other for
    itself. Raises UnknownName."""
    ciphers, kernels = list(ciphers), frozenset(kernels)
    if not ciphers and not kernels:
        return None
    everything = names_by_folder()
    names: set[str] = set()
    folders: set[Path] = set()
    for asked in ciphers:
        if whole := [f for f in everything if f.name.replace("_", "-") == asked.replace("_", "-")]:
            with_users = set(whole).union(*(users_of(folder) for folder in whole))
            folders |= with_users
            names.update(*(everything[folder] for folder in with_users))
        elif homes := [folder for folder, those in everything.items() if asked in those]:
            folders.update(homes)
            names.add(asked)
            names |= {asked.replace("-ctr", "-ecb")}
        else:
            known = {name for those in everything.values() for name in those} | {f.name for f in everything}
            raise UnknownName(_unknown("cipher, MAC or AEAD", asked, known))
    if not ciphers:
        folders = {folder for folder in everything if kernels & kernels_of(folder)}
        names.update(*(everything[folder] for folder in folders))
    known = set().union(*(kernels_of(folder) for folder in folders or everything))
    for kernel in kernels - known:
        of = f"kernel of {', '.join(ciphers)}" if ciphers else "kernel"
        raise UnknownName(_unknown(of, kernel, known))
    return Choice(frozenset(names), frozenset(folders), kernels)


def _unknown(what: str, asked: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(asked.lower(), sorted(known), 3, 0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(sorted(known))}"
    return f"no {what} is called {asked}: {hint}"


# --- tests -----------------------------------------------------------------------------------------------------------


@cache
def _known_names() -> frozenset[str]:
    return frozenset(name for names in names_by_folder().values() for name in names)


def about(item) -> tuple[set[str], set[Path], set[str]]:
    """Return the names, the folders and the kernels that a test is about."""
    names, folders, kernels = set(), set(), set()

    def add(word: str) -> None:
        whole = {folder for folder in names_by_folder() if folder.name == word}
        if not whole and word not in _known_names():
            raise UnknownName(_unknown("cipher, MAC or AEAD", word, _known_names()))
        folders.update(whole)
        names.update([] if whole else [word])

    for mark in item.iter_markers("of"):
        for word in mark.args:
            add(word)
    for argument, value in item.callspec.params.items() if hasattr(item, "callspec") else ():
        if isinstance(value, Path):
            folders.update(folder for folder in names_by_folder() if folder in value.parents)
        elif hasattr(value, "cipher") and hasattr(value, "name"):  # a kernel of c_programs
            names.add(value.cipher)
            kernels.add(value.name)
        elif argument == "algorithm":  # as OpenSSL calls it
            names.add(value.lower())
        elif argument == "kernel":
            kernels.add(str(value).replace("_", "-"))
        elif isinstance(value, str) and (value in _known_names() or argument == "cipher"):
            names.add(value) if value in _known_names() else add(value)
    return names, folders, kernels


def keeps(item) -> bool:
    """Tell whether the test is for what was asked for."""
    if not _campaign and item.get_closest_marker("campaign"):
        return False
    if _current is None or item.get_closest_marker("every_cipher"):
        return True
    names, folders, kernels = about(item)
    return _current.takes(names, kernels) or (
        bool(_current.folders & folders) and _current.takes(_current.names, kernels)
    )
