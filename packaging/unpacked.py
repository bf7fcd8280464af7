# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Debian's packages of any architecture in a folder, not installed: the machine's own package lists and architectures stay
as they are."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from artefacts import CACHE, Failed, Missing, call

PLACE = CACHE / "unpacked"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
MIRROR = "http://deb.debian.org/debian"
ARCHITECTURES = ("amd64", "arm64")
SUITES = ("bookworm", "trixie")
"""The first is what is meant where no suite is named."""


def _apt(*arguments: str, cwd: Path) -> str:
    """apt-get with lists and settings of its own, which hold what Debian's key has signed."""
    state = PLACE / "apt"
    for folder in ("lists/partial", "cache/archives/partial", "empty"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    (state / "sources.list").write_text(
        "".join(
            f"{kind} [signed-by={KEYRING}] {MIRROR} {suite} main\n" for suite in SUITES for kind in ("deb", "deb-src")
        )
    )
    settings = {
        "Dir::State": state,
        "Dir::State::lists": state / "lists",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": state / "cache",
        "Dir::Etc::sourcelist": state / "sources.list",
        "Dir::Etc::sourceparts": state / "empty",
        "APT::Default-Release": SUITES[0],
        "APT::Sandbox::User": "root",  # the folders are not apt's own user's
    }
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    options += [word for name in ARCHITECTURES for word in ("-o", f"APT::Architectures::={name}")]
    return call("apt-get", "-q", *options, *arguments, cwd=cwd)


def _update() -> None:
    if not (PLACE / "apt" / "updated").exists():
        _apt("update", cwd=PLACE)
        (PLACE / "apt" / "updated").touch()


def check(archive: Path, sha256: str) -> None:
    """Raises Failed where an archive is another one than was pinned."""
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if sha256 and found != sha256:
        raise Failed(f"{archive.name} has the SHA-256 {found}, not {sha256}")


def _once(name: str, *command: str, sha256: str = "") -> Path:
    """Return a folder with the contents of what this command of apt-get downloads; of a source package the upstream archive's
    hash may be pinned. Raises Missing, Failed."""
    PLACE.mkdir(parents=True, exist_ok=True)
    folder = PLACE / name
    with open(PLACE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mark = folder / ".made-of"
        if mark.exists() and mark.read_text() == " ".join(command):
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "files").mkdir(parents=True)
        if not shutil.which("apt-get"):
            raise Missing("no apt-get, which brings Debian's packages of other architectures")
        try:
            _update()
            try:
                _apt(*command, cwd=folder / "files")
            except Failed:  # the lists may be older than what the mirror still has
                (PLACE / "apt" / "updated").unlink()
                _update()
                _apt(*command, cwd=folder / "files")
        except Failed as why:
            raise Missing(f"apt-get brings no {command[-1]}: {str(why).splitlines()[-1]}") from None
        for package in (folder / "files").glob("*.deb"):
            call("dpkg", "-x", package, folder)
            package.unlink()
        if (folder / "usr" / "lib").exists() and not (folder / "lib").exists():
            (folder / "lib").symlink_to("usr/lib")  # as every system has it since Debian 12
        for archive in (folder / "files").glob("*.orig.tar.*[!c]"):  # and not its signature, .asc
            check(archive, sha256)
            call("tar", "-xf", archive, "-C", folder, "--strip-components=1")
        mark.write_text(" ".join(command))
        return folder


def packages(name: str, architecture: str, names: Iterable[str], suite: str = SUITES[0]) -> Path:
    """Returns a folder that has the files of these packages for amd64 or arm64, without what these depend on; it is made
    once under this name. Raises Missing where apt-get or the mirror does not answer."""
    wanted = [f"{each}:{architecture}/{suite}" for each in names]
    return _once(f"{name}-{architecture}", "download", *wanted)


def source(name: str, suite: str = "", sha256: str = "") -> Path:
    """Returns a folder that has a source package's upstream files unpacked, by default of the first suite; with a hash the
    archive must be that one. Raises Missing, Failed."""
    wanted = f"{name}/{suite}" if suite else name
    return _once(f"{name}-source", "source", "--download-only", wanted, sha256=sha256)
