# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modules that a command imports: start-up is most of the time of a short command, and bench/start_up.py measures it."""

import subprocess
import sys

import pytest
import runnel
from cli_program import accepted

SCRIPT = """
import sys
before = set(sys.modules)
from runnel.cli import main
try:
    main(sys.argv[1:])
finally:
    print("\\n".join(sys.modules.keys() - before), file=sys.stderr)
"""
# Modules that other commands and formats need, and those that are expensive in Python's library.
UNUSED = {
    *(
        "_hashlib",
        "argparse",
        "asyncio",
        "base64",
        "click",
        "concurrent",
        "cryptography",
        "dataclasses",
        "difflib",
        "email",
        "enum",
    ),
    *("hashlib", "heapq", "http", "importlib", "inspect", "json", "logging"),
    *("multiprocessing", "pathlib", "queue", "re", "shutil", "signal", "subprocess", "tempfile", "termios"),
    *("textwrap", "threading", "typing", "urllib", "warnings"),
    *("runnel._aead", "runnel._ciphers", "runnel._macs", "runnel.store", "runnel_store", "runnel_lab"),
    *(f"runnel.cli.{name}" for name in ("group", "options", "passphrase", "sealed", "values")),
    *(f"runnel.sealed.{name}" for name in ("formats.tink", "open_files", "passphrase")),
}
MODULES_MAX = 60


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    accepted("keygen", "key")
    (tmp_path / "plain").write_bytes(bytes(1024))
    accepted("encrypt", "-k", "key", "plain", "sealed")
    accepted("keygen", "--template", "age", "ann")
    (tmp_path / "team").write_text(runnel.Identities.load("ann").recipients[0])
    accepted("encrypt", "-R", "team", "plain", "sealed-for-ann")
    return tmp_path


def imported_by(*arguments: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], check=True, capture_output=True, text=True)
    return set(done.stderr.split())


def among(imported: set[str], packages: set[str]) -> set[str]:
    return {name for name in imported if any(f"{name}.".startswith(f"{each}.") for each in packages)}


@pytest.mark.parametrize("verb, source", [("encrypt", "plain"), ("decrypt", "sealed")])
def test_nothing_is_imported_that_is_not_used(folder, verb, source):
    imported = imported_by(verb, "-k", "key", source, "out")
    assert {"runnel.sealed.engine", "runnel.sealed.formats.cobblestone"} <= imported
    assert not among(imported, UNUSED)
    assert len(imported) <= MODULES_MAX


@pytest.mark.parametrize("words", ["encrypt -R team plain out", "decrypt -i ann sealed-for-ann out"])
def test_for_age_only_x25519_is_taken_from_the_package_cryptography(folder, words):
    imported = imported_by(*words.split())
    assert "runnel.sealed.formats.age" in imported and not among(imported, UNUSED - {"cryptography"})
    assert among(imported, {"cryptography"}) <= {
        *("cryptography", "cryptography.__about__", "cryptography.hazmat", "cryptography.hazmat.bindings"),
        "cryptography.hazmat.bindings._rust",
    }
