# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every command that writes a file, and the functions of the package that do, each with a folder to work in.

A writer says which files it makes or replaces, and how one is told that is new and complete.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import runnel
from cli_program import accepted
from runnel.sealed.cobblestone import Cobblestone
from runnel.sealed.keyset import Key
from sealed_files import ONE_OF_EACH, unseal

PLAINTEXT = bytes(range(256)) * 41 + b"end"
LONG = bytes(range(251)) * 21000  # in parts, where objects are cut
OLD = b"what was there before\n"
AAD = b"for Ann"
WORDS = b"correct horse battery staple"
MACHINE = {"cpu": "none", "clock_ghz": 1, "clock_ghz_highest": 2, "compiler": "", "flags": "", "features": []}

Check = Callable[[bytes], bool]


@dataclass(frozen=True)
class Writer:
    """One command line, or Python code, run in a folder that `prepare` has filled."""

    name: str
    what: list[str] | str
    complete: dict[str, Check]
    """For each file that it writes, whether that is what it should have become."""
    replaces: bool = False
    """The files exist before, and are replaced."""
    stdout: str = ""
    """The file that its standard output is, which is written as it comes: no promise but the exit status."""
    status: int = 0
    """Its status when all went well."""
    slow: bool = False
    """It derives a key from a passphrase, which takes most of a second."""


def is_text(wanted: bytes) -> Check:
    return lambda data: data == wanted


def opens(folder: Path, key: str, plaintext: bytes = PLAINTEXT, aad: bytes = b"") -> Check:
    keyset = runnel.Keyset.load(folder / key)

    def check(data: bytes) -> bool:
        try:
            return unseal(keyset, data, aad) == plaintext
        except runnel.Error:
            return False

    return check


def is_keyset(data: bytes) -> bool:
    try:
        runnel.Keyset.from_json(data)
    except (runnel.Error, ValueError):
        return False
    return True


def is_locked_keyset(data: bytes) -> bool:
    try:
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            runnel.Keyset.load(file.name, passphrase=runnel.Passphrase(WORDS))
    except (runnel.Error, ValueError):
        return False
    return True


def is_locked_file(data: bytes) -> bool:
    out = io.BytesIO()
    try:
        runnel.decrypt_stream(io.BytesIO(data), out, runnel.Passphrase(WORDS))
    except runnel.Error:
        return False
    return out.getvalue() == PLAINTEXT


def is_page(data: bytes) -> bool:
    return data.startswith(b"<!doctype html>") and data.endswith(b"</html>\n")


def is_manifest(data: bytes) -> bool:
    """Whole lines; of a command that was interrupted the counts, the last of them, are missing."""
    try:
        return all(isinstance(json.loads(line), dict) for line in data.splitlines()) and data[-1:] in (b"\n", b"")
    except ValueError:
        return False


def is_names(data: bytes) -> bool:
    try:
        return all(isinstance(json.loads(line), str) for line in data.splitlines()) and data[-1:] == b"\n"
    except ValueError:
        return False


def is_rows(data: bytes) -> bool:
    try:
        return bool(json.loads(data)["rows"])
    except (ValueError, KeyError):
        return False


def prepare(folder: Path) -> None:
    """Write the files that the writers read."""
    (folder / "plain").write_bytes(PLAINTEXT)
    (folder / "long").write_bytes(LONG)
    (folder / "raw").write_bytes(bytes(range(32)))
    (folder / "words").write_bytes(WORDS)
    for name in ONE_OF_EACH:
        accepted("keygen", "--template", name, folder / f"{name}.json")
        accepted("encrypt", "--key", folder / f"{name}.json", folder / "plain", folder / f"{name}.sealed")
    accepted("key", "import", folder / "raw", folder / "cobblestone.json")
    old, new = (Key.new(Cobblestone(16), bytes([n]) * 16) for n in (1, 2))
    (folder / "old.json").write_bytes(runnel.Keyset(old, (old,)).to_bytes())
    (folder / "both.json").write_bytes(runnel.Keyset(new, (new, old)).to_bytes())
    (folder / "new.json").write_bytes(runnel.Keyset(new, (new,)).to_bytes())
    (folder / "figures.json").write_text(json.dumps({"rows": [], "machine": MACHINE}))
    for place in ("in", "in/a", "in/b", "turned", "turned/a", "spoilt"):
        (folder / place).mkdir()
    for name in ("in/a/1", "in/a/2", "in/b/3"):
        (folder / name).write_bytes(PLAINTEXT)
    (folder / "spoilt" / "damaged").write_bytes(b"no object of ours")
    accepted("encrypt", "--key", folder / "old.json", folder / "plain", folder / "turned" / "a" / "1")
    accepted("encrypt", "--key", folder / "old.json", folder / "plain", folder / "turned.sealed")
    (folder / "state").mkdir()


_WRITER_OF_PACKAGE = """
import runnel
keyset = runnel.Keyset.load({key!r})
with runnel.open_encrypted("out", "wb", keyset, force={force}) as out:
    for n in range(0, {size}, 1000):
        out.write(open("plain", "rb").read()[n:n + 1000])
"""
_FSSPEC = """
import fsspec, os, runnel
from runnel_store.fsspec import SealedFileSystem
keyset = runnel.Keyset.load({key!r})
system = SealedFileSystem(fsspec.filesystem("file"), keyset)
with system.open(os.getcwd() + "/out", "wb") as out:
    out.write(open("plain", "rb").read())
"""
_LAB = """
from pathlib import Path
from runnel_lab import results
results.write(Path("out"), {"target": "t"}, [{"cipher": "c", "kernel": "k"}])
"""


def writers(folder: Path) -> list[Writer]:
    """Return all writers for a folder that prepare() has filled; a copy of it will do to run them."""
    found = []
    raw = ["xor", "--cipher", "salsa20", "--key", "00" * 16, "--iv", "00" * 8]
    keystream = runnel.xor("salsa20", bytes(16), bytes(8), PLAINTEXT)
    for force in ([], ["--force"]):
        replaces = bool(force)

        def add(name: str, what: list[str] | str, check: Check, replaces: bool = replaces) -> None:
            found.append(Writer(name + (", replacing" if replaces else ""), what, {"out": check}, replaces))

        for key in ONE_OF_EACH:
            file = f"{key}.json"
            words = ["--quiet", "--key", file, *force]
            add(f"encrypt {key}", ["encrypt", *words, "plain", "out"], opens(folder, file))
            add(f"decrypt {key}", ["decrypt", *words, f"{key}.sealed", "out"], is_text(PLAINTEXT))
        file = f"{ONE_OF_EACH[-1]}.json"
        sealed = f"{ONE_OF_EACH[-1]}.sealed"
        words = ["--quiet", "--key", file, *force]
        add("encrypt a long file", ["encrypt", *words, "long", "out"], opens(folder, file, LONG))
        add(
            "encrypt with associated data",
            ["encrypt", *words, "--aad", AAD.decode(), "plain", "out"],
            opens(folder, file, aad=AAD),
        )
        add("decrypt a range", ["decrypt", *words, "--range", "10:3000", sealed, "out"], is_text(PLAINTEXT[10:3000]))
        add("xor", [*raw, *force, "plain", "out"], is_text(keystream))
        add("report", ["report", "--figures", "figures.json", *force, "out"], is_page)
        store = ["--quiet", "--key", file, *force, "--state", "state"]
        add("store encrypt", ["store", "encrypt", *store, "plain", "file://{folder}/out"], opens(folder, file))
        add(
            "store encrypt in parts",
            ["store", "encrypt", *store, "--part", "5M", "--threads", "2", "long", "out"],
            opens(folder, file, LONG),
        )
        add("store decrypt", ["store", "decrypt", *store, sealed, "out"], is_text(PLAINTEXT))
        add(
            "open_encrypted",
            _WRITER_OF_PACKAGE.format(key=file, force=replaces, size=len(PLAINTEXT)),
            opens(folder, file),
        )
    add("results of the lab", _LAB, is_rows, True)
    for replaces in (False, True):
        name = "fsspec, replacing" if replaces else "fsspec"
        found.append(Writer(name, _FSSPEC.format(key=file), {"out": opens(folder, file)}, replaces))
    found += [
        Writer("keygen", ["keygen", "out"], {"out": is_keyset}),
        Writer("keygen for Tink", ["keygen", "--template", ONE_OF_EACH[0], "out"], {"out": is_keyset}),
        Writer(
            "keygen with a passphrase",
            ["keygen", "--passphrase-file", "words", "out"],
            {"out": is_locked_keyset},
            slow=True,
        ),
        Writer("key export", ["key", "export", "cobblestone.json", "out"], {"out": is_text(bytes(range(32)))}),
        Writer("key import", ["key", "import", "raw", "out"], {"out": is_keyset}),
        Writer(
            "store encrypt a folder",
            ["store", "encrypt", "-q", "--key", file, "--state", "state/new", "--manifest", "manifest", "in/", "made/"],
            {
                "made/a/1": opens(folder, file),
                "made/a/2": opens(folder, file),
                "made/b/3": opens(folder, file),
                "manifest": is_manifest,
            },
        ),
        Writer(
            "store rotate",
            ["store", "rotate", "-q", "--key", "both.json", "--state", "state", "turned.sealed"],
            {"turned.sealed": opens(folder, "new.json")},
            True,
        ),
        Writer(
            "store rotate a folder",
            ["store", "rotate", "-q", "--key", "both.json", "--manifest", "manifest", "turned/"],
            {"turned/a/1": opens(folder, "new.json"), "manifest": is_manifest},
            True,
        ),
        Writer(
            "store verify, with a damaged object",
            ["store", "verify", "-q", "--key", "both.json", "--failures", "failures", "spoilt/"],
            {"failures": is_names},
            True,
            status=3,
        ),
        Writer("encrypt to the standard output", ["encrypt", "-q", "--key", file, "plain", "-"], {}, stdout="out"),
        Writer("decrypt to the standard output", ["decrypt", "-q", "--key", file, sealed, "-"], {}, stdout="out"),
        Writer("keygen to the standard output", ["keygen", "-"], {}, stdout="out"),
        Writer("choose to a file", ["choose", "--device", "atmega328p", "--json"], {}, stdout="out"),
        Writer("store cat to a file", ["store", "cat", "--key", file, sealed], {}, stdout="out"),
        Writer("keystream to a file", ["keystream", *raw[1:], "--bytes", "9999"], {}, stdout="out"),
        Writer("store ls to a file", ["store", "ls", "in/"], {}, stdout="out"),
        Writer("ciphers to a file", ["ciphers"], {}, stdout="out"),
        Writer(
            "a locked file",
            ["encrypt", "-q", "--passphrase-file", "words", "plain", "out"],
            {"out": is_locked_file},
            slow=True,
        ),
    ]
    return found


def begin(writer: Writer, folder: Path) -> dict[str, bytes | None]:
    """Lets the files exist that the writer replaces; returns what there is under all of its names."""
    for name in writer.complete:
        if writer.replaces and not (folder / name).exists():
            (folder / name).write_bytes(OLD)
    return contents(writer, folder)


def contents(writer: Writer, folder: Path) -> dict[str, bytes | None]:
    return {name: (folder / name).read_bytes() if (folder / name).is_file() else None for name in writer.complete}


def words_of(writer: Writer, folder: Path) -> list[str] | str:
    """Return its command line in this folder."""
    if isinstance(writer.what, str):
        return writer.what
    return [word.replace("{folder}", os.fspath(folder)) for word in writer.what]
