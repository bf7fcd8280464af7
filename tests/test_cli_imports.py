# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modules that a command imports: start-up is most of the time of a short command, and bench/start_up.py measures it."""

import subprocess
import sys

import pytest
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
    *(f"runnel.sealed.{name}" for name in ("ctr_hmac", "files", "gcm_hkdf", "passphrase", "reader", "tink", "writer")),
}
MODULES_MAX = 68


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    accepted("keygen", "key")
    (tmp_path / "plain").write_bytes(bytes(1024))
    accepted("encrypt", "-k", "key", "plain", "sealed")
    return tmp_path


@pytest.mark.parametrize("verb, source", [("encrypt", "plain"), ("decrypt", "sealed")])
def test_nothing_is_imported_that_is_not_used(folder, verb, source):
    command = [sys.executable, "-c", SCRIPT, verb, "-k", "key", source, "out"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    imported = set(done.stderr.split())
    assert {"runnel.sealed.engine", "runnel.sealed.cobblestone"} <= imported
    assert not {name for name in imported if any(f"{name}.".startswith(f"{each}.") for each in UNUSED)}
    assert len(imported) <= MODULES_MAX
