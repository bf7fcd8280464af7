#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the newest releases of libraries, for `runnel speed` to measure beside the system's: OpenSSL, libsodium and
RustCrypto, each from the source that crates carry, which newest_releases/Cargo.lock pins with their hashes; libgcrypt
from the source that Debian carries, whose hashes are here.

    bench/build_newest.py [FOLDER]

FOLDER is where they go, build/bench/newest by default. Each is built apart from the others; what cannot be built is
named, is removed from FOLDER, and makes the status 1.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CRATES = ROOT / "bench" / "newest_releases"
OLDEST = (1, 89)
"""The cargo that reads all of the crates: `rust-version` in Cargo.toml."""


class Library(NamedTuple):
    name: str
    member: str
    """Of the workspace."""
    file: str
    """The file that the measuring program opens."""
    archive: str | None = None
    """The library that the crate builds, to be linked into the file; None: the member is a shared object itself."""
    environment: tuple[tuple[str, str], ...] = ()


LIBRARIES = (
    Library("OpenSSL", "newest-openssl", "libcrypto.so", "libcrypto.a"),
    Library("libsodium", "newest-libsodium", "libsodium.so", "libsodium.a", (("SODIUM_DISABLE_PIE", "1"),)),
    Library("RustCrypto", "newest-rustcrypto", "rustcrypto.so"),
)


class Source(NamedTuple):
    name: str
    urls: tuple[str, ...]
    """Where it is, or was while it was the newest."""
    sha256: str
    options: tuple[str, ...] = ()
    """For configure, beside those for a static library."""
    folders: tuple[str, ...] = ("",)
    """Its output."""


DEBIAN = "https://deb.debian.org/debian/pool/main/libg"
GNUPG = "https://gnupg.org/ftp/gcrypt"
GPG_ERROR = Source(
    "libgpg-error",
    (f"{DEBIAN}/libgpg-error/libgpg-error_1.61.orig.tar.bz2", f"{GNUPG}/libgpg-error/libgpg-error-1.61.tar.bz2"),
    "7a85413f2bc354f4f8aa832b718af122e48965e9e0eb9012ee659c13c6385c93",
    ("--disable-tests", "--disable-nls", "--disable-languages"),
)
LIBGCRYPT = Source(
    "libgcrypt",
    (f"{DEBIAN}/libgcrypt20/libgcrypt20_1.12.4.orig.tar.bz2", f"{GNUPG}/libgcrypt/libgcrypt-1.12.4.tar.bz2"),
    "d77f68f48879510e79a2f65977ccc68981781ea0923e5bdffac2a193ea3d660e",
    folders=("compat", "mpi", "cipher", "random", "src"),
)


class NotBuiltError(Exception):
    """Says why in one line."""


def call(*command: str | Path, environment: Sequence[tuple[str, str]] = ()) -> str:
    """Runs a command and returns what it wrote. The last lines on stderr say why it failed."""
    try:
        done = subprocess.run(command, text=True, capture_output=True, env={**os.environ, **dict(environment)})
    except OSError as error:
        raise NotBuiltError(f"{command[0]}: {error.strerror}") from error
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        error = next((line for line in lines if line.startswith("error")), lines[-1] if lines else "no message")
        raise NotBuiltError(f"{Path(command[0]).name}: {error}")
    return done.stdout


def check_cargo() -> None:
    version = call("cargo", "--version")
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        raise NotBuiltError(f"{version.strip()} is too old: {wanted} or newer, such as Debian's cargo-web, is needed")


def build(library: Library, folder: Path) -> None:
    target = ("CARGO_TARGET_DIR", os.environ.get("CARGO_TARGET_DIR") or str(folder.parent.parent / "newest-releases"))
    command = [
        "cargo",
        "build",
        "--release",
        "--locked",
        "--manifest-path",
        CRATES / "Cargo.toml",
        "-p",
        library.member,
    ]
    messages = [
        json.loads(line)
        for line in call(
            *command,
            "--message-format=json",
            f"-j{min(2, os.cpu_count() or 1)}",
            environment=(target, *library.environment),
        ).splitlines()
    ]
    new_file = folder / f"{library.file}.new"
    if library.archive is None:
        shutil.copyfile(shared_object(messages), new_file)
    else:
        whole = ("-Wl,--whole-archive", find(messages, library.archive), "-Wl,--no-whole-archive")
        call("cc", "-shared", "-o", new_file, *whole, "-Wl,-Bsymbolic", "-Wl,-z,text", "-ldl", "-lpthread")
    new_file.rename(folder / library.file)


def shared_object(messages: Sequence[dict]) -> str:
    files = [file for message in messages for file in message.get("filenames", ()) if file.endswith(".so")]
    if not files:
        raise NotBuiltError("cargo: no shared object among what was built")
    return files[-1]


def find(messages: Sequence[dict], archive: str) -> Path:
    """Returns the archive that a build script has put into a folder that it names."""
    for message in messages:
        for path in message.get("linked_paths", ()):
            if (found := Path(path.removeprefix("native=")) / archive).exists():
                return found
    raise NotBuiltError(f"cargo: no {archive} among what was built")


def fetched(source: Source, folder: Path) -> Path:
    """Returns the folder with the source."""
    for url in source.urls:
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                data = answer.read()
        except (urllib.error.URLError, OSError):
            continue
        if hashlib.sha256(data).hexdigest() == source.sha256:
            break
    else:
        raise NotBuiltError(f"{source.name}: the source with the hash {source.sha256[:12]}… is at none of its places")
    archive = folder / "source.tar"
    archive.write_bytes(data)
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir() and path.name.startswith(source.name))


def install(source: Source, folder: Path, prefix: Path) -> Path:
    """Builds a static library, and returns the folder of what was built."""
    tree = fetched(source, folder)
    static = ("--quiet", "--disable-shared", "--enable-static", "--with-pic", "--disable-doc", f"--prefix={prefix}")
    search = (("PKG_CONFIG_LIBDIR", str(prefix / "lib/pkgconfig")), ("PATH", f"{prefix}/bin:{os.environ['PATH']}"))
    call("sh", "-c", 'cd "$0" && ./configure "$@"', tree, *static, *source.options, environment=search)
    for part in source.folders:
        call("make", "-s", "-C", tree / part, f"-j{min(2, os.cpu_count() or 1)}", environment=search)
    return tree


def build_libgcrypt(folder: Path) -> None:
    """Build one file with libgpg-error in it, beside which the system's libgcrypt stays what it is."""
    with tempfile.TemporaryDirectory() as scratch:
        places = [Path(scratch, name) for name in ("error", "gcrypt", "prefix")]
        for place in places:
            place.mkdir()
        error = install(GPG_ERROR, places[0], places[2])
        call("make", "-s", "-C", error, "install")
        tree = install(LIBGCRYPT, places[1], places[2])
        whole = ("-Wl,--whole-archive", tree / "src/.libs/libgcrypt.a", "-Wl,--no-whole-archive")
        new = folder / "libgcrypt.so.new"
        call("cc", "-shared", "-o", new, *whole, places[2] / "lib/libgpg-error.a", "-Wl,-Bsymbolic", "-Wl,-z,text")
        new.rename(folder / "libgcrypt.so")


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "bench" / "newest").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    missing = 0
    for name, file, how in (*((each.name, each.file, each) for each in LIBRARIES), ("libgcrypt", "libgcrypt.so", None)):
        try:
            if how is not None:
                check_cargo()
            print(f"{name}: building", flush=True)
            build_libgcrypt(folder) if how is None else build(how, folder)
        except NotBuiltError as why:
            (folder / file).unlink(missing_ok=True)
            print(f"{name}: NOT BUILT, and not measured: {why}", flush=True)
            missing += 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
