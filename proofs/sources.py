# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copies of the library's C with changes in them: faults that a proof must notice, and notes to Frama-C."""

import contextlib
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ["core", "arch", "srtp"]  # and include/, which a change names as it is
LINKED = ["aead", "macs", "modes", "ciphers"]

# File below src, what stands there once, and what takes its place.
Change = tuple[str, str, str]


@contextlib.contextmanager
def changed_sources(changes: Iterable[Change]) -> Iterator[Path]:
    """Yields the folder of a copy of src."""
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder).resolve() / "src"
        for name in COPIED:
            shutil.copytree(ROOT / "src" / name, sources / name)
        shutil.copytree(ROOT / "include", sources / "include")
        for name in LINKED:
            (sources / name).symlink_to(ROOT / "src" / name)
        headers = sources / "headers" / "runnel"  # as the build lays them out
        headers.mkdir(parents=True)
        for header in (ROOT / "src").glob("[cm]*s/*/*.h"):
            if header.stem == header.parent.name:
                (headers / header.name).symlink_to(header)
        for file, old, new in changes:
            text = (sources / file).read_text()
            if text.count(old) != 1:
                sys.exit(f"proofs: src/{file} has {text.count(old)} times: {old}")
            (sources / file).write_text(text.replace(old, new))
        yield sources


def preprocessor(sources: Path) -> str:
    """Returns the options for Frama-C's preprocessor, to which vector types and alignment are unknown."""
    folders = [sources / "include", sources / "headers", sources, ROOT / "proofs"]
    return " ".join(
        [*(f"-I{shlex.quote(str(each))}" for each in folders), "-w -mno-sse -DRUNNEL_NO_X86 '-D_Alignas(x)='"]
    )
