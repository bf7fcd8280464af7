# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Common to the packages for firmware: the single file of the families that firmware asks for, and licences."""

from __future__ import annotations

import shutil
from pathlib import Path

from artefacts import HERE, ROOT, call
from trial import amalgamate

FAMILIES = ("aes", "ascon", "chacha20_poly1305", "aes_cmac", "siphash")
VERSION = (ROOT / "VERSION").read_text().split()[0]


def pack(ecosystem: str, folder: Path, source: str = "src") -> None:
    """Fills a folder with the files of packaging/<ecosystem>, the library in `source`, and the licences. VERSION in a
    description is the library's."""
    shutil.copytree(HERE / ecosystem, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*NOT_PACKED))
    amalgamate(folder / source, FAMILIES)
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copytree(ROOT / "LICENSES", folder / "LICENSES", dirs_exist_ok=True)
    for name in DESCRIPTIONS:
        if (description := folder / name).exists():
            description.write_text(description.read_text().replace("@VERSION@", VERSION))


def example_with_stubs(ecosystem: str, folder: Path, *options: str) -> str:
    """Return the output of the package's example, built for this machine by its own CMake files against the stubs of
    the ecosystem's functions in packaging/<ecosystem>/stubs. options are CMake's."""
    build = folder / "build"
    call("cmake", "-S", HERE / ecosystem / "stubs", "-B", build, "-G", "Ninja", *options)
    call("cmake", "--build", build)
    return call(build / "app")


NOT_PACKED = ("*.py", "requirements.*", "platform", "stubs", "__pycache__")
DESCRIPTIONS = ("library.json", "library.properties", "idf_component.yml")
