# SPDX-License-Identifier: Apache-2.0 OR MIT
"""OpenSSL's own programs, with Runnel's provider or without, for the tests of integrations/openssl."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build, run, valgrind
from skips import UNPACKED

HOME = ROOT / "integrations" / "openssl"
SERVERS = f"nor unpacked in {UNPACKED}: tools/unpack-servers"


def rows() -> list[tuple[str, str]]:
    """Return the rows of algorithms.inc: kind and name, as the library has it and in small letters."""
    text = re.sub(r"SHORT\((.*)\)", r"\1", (HOME / "algorithms.inc").read_text())
    return [
        (kind, names.split(":")[0].lower())
        for kind, names in re.findall(r'^([A-Z]\w+)\(.*"(.+)"\)', text, re.MULTILINE)
    ]


KEYSTREAMS = [name for kind, name in rows() if kind in ("CTR", "STREAM", "CHACHA20")]
AEADS = [name for kind, name in rows() if kind not in ("CTR", "STREAM", "CHACHA20")]
SHORT = ["trivium"]
LONG = [name for name in KEYSTREAMS if name not in SHORT]
# OpenSSL 3.0 has these too.
SHARED = re.compile(r"(aes-\d+|aria-\d+)-(ctr|gcm|ccm)|chacha20|chacha20-poly1305")

# The tests of c/provider that take an algorithm, and those that each has.
OF_ALGORITHMS = {
    "keystream": LONG,
    "keystream-machine": [name for name in LONG if SHARED.fullmatch(name)],
    "aead": AEADS,
    "aead-errors": AEADS,
    "once": AEADS,
    "aead-machine": [name for name in AEADS if SHARED.fullmatch(name)],
    "differences": [name for name in [*LONG, *AEADS] if SHARED.fullmatch(name)],
    "records": [name for name in AEADS if SHARED.fullmatch(name)],
    "parameters": [*LONG, *AEADS],
    "direct": [*LONG, *AEADS],
}


def module() -> Path:
    return build(BUILD, target="runnel-provider").parent / "provider" / "runnel.so"


def under_valgrind(module: Path, test: str, algorithm: str) -> subprocess.CompletedProcess:
    """Run a test of c/provider with valgrind watching, all but `direct`, which has its own free(). valgrind sees what depends
    on memory that nobody has written, as MSan would with a libcrypto that is compiled for it."""
    folder = build(BUILD, target="runnel-provider")
    return run("runnel-provider", module.parent, test, algorithm, folder=folder, wrapper=valgrind())


def refusing_module() -> Path:
    """Build a module that refuses every key: what continues with it does without Runnel."""
    return build(BUILD, target="runnel-provider") / "refusing" / "runnel.so"


def configuration(folder: Path, of: Path, more: str = "", *, without: str = "") -> Path:
    """Write the documented configuration file for a module that is not installed."""
    text = (HOME / "runnel.cnf").read_text()
    assert without in text
    file = folder / f"{of.parent.name}{len(list(folder.glob('*.cnf')))}.cnf"
    file.write_text(f"{text.replace(without, '') if without else text}\n[runnel_sect]\nmodule = {of}\n{more}")
    return file


def environment(configured: Path | None) -> dict[str, str]:
    """None: OpenSSL without any configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENSSL_", "RUNNEL_CPU"))}
    return kept | {"OPENSSL_CONF": str(configured or os.devnull)}


def openssl(
    *arguments: str | Path, configured: Path | None = None, stdin: bytes = b"", fails: bool = False
) -> subprocess.CompletedProcess:
    done = subprocess.run(
        ["openssl", *map(str, arguments)], input=stdin, capture_output=True, env=environment(configured), timeout=60
    )
    assert (done.returncode != 0) == fails, f"{arguments}: {done.returncode}\n{done.stderr.decode()[-2000:]}"
    return done


def server_program(name: str) -> Path:
    """Return the path of a server, installed or unpacked; skip the test where there is none."""
    found = shutil.which(name, path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", str(UNPACKED / "usr" / "sbin")]))
    if found is None:
        pytest.skip(f"{name} is not installed ({SERVERS})")
    return Path(found).resolve()


def unpacked_environment(program: str | Path, preload: Path | None) -> dict[str, str]:
    """Return the environment of a program that is not installed; preload: a library to load first, if there is one."""
    if not Path(program).is_relative_to(UNPACKED.resolve()):
        return {}
    libraries = sorted({str(path.parent) for path in UNPACKED.resolve().glob("**/*.so*")})
    return {"LD_LIBRARY_PATH": os.pathsep.join(libraries)} | ({"LD_PRELOAD": str(preload)} if preload else {})


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(port: int, server: subprocess.Popen) -> None:
    for _ in range(1500):  # half a minute: nothing is late on a busy machine
        assert server.poll() is None, "the server has ended"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    pytest.fail("the server does not listen")


@contextlib.contextmanager
def serving(
    command: list[str | Path], port: int, folder: Path, configured: Path | None, preload: Path | None = None
) -> Iterator[subprocess.Popen]:
    """Run a server in a folder; its output goes to a file there."""
    with open(folder / "server.log", "wb") as log:
        server = subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            env=environment(configured) | unpacked_environment(command[0], preload),
            stdout=log,
            stderr=log,
            stdin=subprocess.PIPE,
        )
        try:
            wait_for(port, server)
            yield server
        finally:
            server.terminate()
            server.wait(10)


def certificate(folder: Path, *kind: str) -> tuple[Path, Path]:
    """Certificate and key for localhost; kind as `openssl req -newkey` takes it."""
    certified, key = folder / "server.pem", folder / "server.key"
    openssl(
        "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-config", "/dev/null", "-newkey", *kind,
        "-keyout", key, "-out", certified,
    )  # fmt: skip
    return certified, key
