#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The main job on real input, on one page: a file is encrypted, opened again, opened with Google's own Tink, refused when
one bit of it has changed; then how fast it is beside the libraries of this machine.

.venv/bin/python tools/demo.py [--seconds N] [FILE]

FILE is what is encrypted, /usr/share in one tar if none is named. Lines that begin with $ are commands: they can be pasted
into a shell, one after the other, in the source tree.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from arguments import Parser

FILES = Path("demo-files")
RUNNEL = ".venv/bin/runnel"
KEY, SEALED, OPENED = (FILES / name for name in ("key.json", "sealed", "opened"))
AAD = shlex.quote("the demo")
TEMPLATE = "AES256_CTR_HMAC_SHA256_1MB"
CIPHERS = ("aes-128-gcm", "chacha20-poly1305", "aes-128-ctr", "chacha20", "aria-128-ctr", "hc-128")
SECONDS = 12.0
NOT_AUTHENTIC = 3
NEXT = (
    ("README.md", "what it is and what it is for; the same in Python and C"),
    ("docs/command-line.md", "every command, with examples"),
    (f"{RUNNEL} --help", "the commands; --help behind each of them has an example"),
    (f"{RUNNEL} speed", "all ciphers and every figure of them, in a minute"),
    ("make install", "the C library, its headers and the manual page"),
)
LEAST_BYTES = 300_000_000


class Failed(Exception):
    """The demo shows something else than it should."""


def heading(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n{text}", flush=True)


def run(line: str, status: int = 0) -> float:
    """Prints a line for the shell, runs it, and returns the seconds it took."""
    print(f"  $ {line}", flush=True)
    start = time.monotonic()
    done = subprocess.run(line, shell=True, stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True, check=False)
    seconds = time.monotonic() - start
    for printed in done.stdout.splitlines():
        print(f"    {printed}", flush=True)
    if done.returncode != status:
        raise Failed(f"status {done.returncode}, not {status}: {line}")
    return seconds


def took(what: str, size: int, seconds: float) -> None:
    print(f"    {what} {size / 1e6:,.1f} MB in {seconds:.2f} s, {size / seconds / 1e9:.2f} GB/s", flush=True)


def plaintext(named: str | None) -> str:
    """Return the file to encrypt; without one, what the system's packages brought, in one tar."""
    if named is not None:
        return shlex.quote(named)
    plain = FILES / "plain.tar"
    for folder in ("usr/share", "usr/lib"):
        # some file may be unreadable
        run(f"tar -C / {'-rf' if plain.exists() else '-cf'} {plain} {folder} 2> demo-files/unreadable || true")
        if plain.stat().st_size >= LEAST_BYTES:
            break
    return str(plain)


def flip_a_bit(path: Path) -> None:
    """Flip a bit of the byte in the middle."""
    at = path.stat().st_size // 2
    with path.open("rb") as file:
        file.seek(at)
        byte = file.read(1)[0]
    run(f"printf '\\{byte ^ 1:03o}' | dd of={path} bs=1 seek={at} conv=notrunc status=none")


def demonstrate(named: str | None, seconds: float) -> None:
    heading(f"Encrypt a file, authenticated ({TEMPLATE} of Google's Tink)")
    run(f"mkdir {FILES}")
    plain = plaintext(named)
    size = os.path.getsize(named or plain)
    run(f"{RUNNEL} keygen --template {TEMPLATE} {KEY}")
    took("encrypted", size, run(f"{RUNNEL} encrypt --key {KEY} --aad {AAD} {plain} - > /dev/null"))
    took("encrypted and flushed to disk:", size, run(f"{RUNNEL} encrypt --key {KEY} --aad {AAD} {plain} {SEALED}"))

    heading("Open it again, with Runnel and with Tink itself")
    took("opened", size, run(f"{RUNNEL} decrypt --key {KEY} --aad {AAD} {SEALED} - > /dev/null"))
    run(f"{RUNNEL} decrypt --key {KEY} --aad {AAD} {SEALED} {OPENED} && cmp {plain} {OPENED}")
    print("    the same bytes")
    run(f".venv/bin/python tools/open_with_tink.py {KEY} {AAD} {SEALED} {plain}")

    heading("Change one bit, and it is refused")
    run(f"rm {OPENED}")
    flip_a_bit(SEALED)
    run(f"{RUNNEL} decrypt --key {KEY} --aad {AAD} {SEALED} {OPENED}", status=NOT_AUTHENTIC)
    if OPENED.exists():
        raise Failed("unverified plaintext was left behind")
    print(f"    refused, nothing written (status {NOT_AUTHENTIC})")

    heading("How fast the ciphers are here, beside the best library found")
    chosen = " ".join(f"--cipher {cipher}" for cipher in CIPHERS)
    run(f"{RUNNEL} speed --brief --quiet --seconds {seconds:g} {chosen}")

    heading("Where to go next")
    for place, what in NEXT:
        print(f"  {place.ljust(max(len(each) for each, _ in NEXT))}  {what}")


def lies_in(named: Path) -> tuple[Path, Path]:
    """Return the folder of a name, and that of the file which it leads to."""
    return named.parent.resolve(), named.resolve().parent


def complaint(named: str | None) -> str | None:
    """Return what keeps the demo from beginning."""
    if not os.path.exists(RUNNEL):
        return f"there is no {RUNNEL} here: run `make demo` in the source tree"
    if named is not None and not os.path.isfile(named):
        return f"{named}: no such file"
    if named is not None and any(FILES.resolve() in (each, *each.parents) for each in lies_in(Path(named))):
        return f"{named}: lies in {FILES}, which the demo makes anew and removes"
    return None


def main() -> int:
    parser = Parser(description="Show the main job on real input.")
    parser.add_argument("file", nargs="?", help="what is encrypted; /usr/share in one tar if none is named")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long to measure the ciphers")
    arguments = parser.parse_args()
    if (message := complaint(arguments.file)) is not None:
        print(f"demo: {message}", file=sys.stderr)
        return 1
    shutil.rmtree(FILES, ignore_errors=True)
    try:
        demonstrate(arguments.file, arguments.seconds)
    except Failed as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(FILES, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
