# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The zig compiler as CMake and configure scripts take it: a folder with cc, c++, ar, ranlib and rc for each target."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from artefacts import CACHE, HERE, call, environment

TOOLCHAIN = HERE / "zig" / "toolchain.cmake"


@dataclass(frozen=True)
class Target:
    triple: str
    """As zig takes it: `aarch64-linux-gnu.2.17`."""
    system: str
    """CMake's word: `Linux`, `Darwin`, `Windows`."""
    processor: str
    """The system's own word: `aarch64`, `arm64`, `AMD64`."""
    flags: tuple[str, ...] = ()
    """Further ones of every call of the compiler."""

    def options(self) -> list[str]:
        """Return the options for CMake."""
        return [
            f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}",
            f"-DRUNNEL_ZIG_SYSTEM={self.system}",
            f"-DRUNNEL_ZIG_PROCESSOR={self.processor}",
            f"-DRUNNEL_ZIG_TOOLS={self.tools()}",
        ]

    def tools(self, name: str = "") -> Path:
        """Return the folder of the programs, which has this name where one target has several sets of flags. Raises
        Missing."""
        flags = " ".join(("-target", self.triple, *self.flags))
        folder = CACHE / "zig" / "-".join(filter(None, (self.triple, name)))
        folder.mkdir(parents=True, exist_ok=True)
        cache = CACHE / "zig" / "cache"
        programs = {"cc": f"cc {flags}", "c++": f"c++ {flags}"} | {each: each for each in ("ar", "ranlib", "rc")}
        for program_name, words in programs.items():
            text = (
                "#!/bin/sh\n"
                # Asked for its folders of headers it names this machine's, which Python's build would then add.
                'test "$*" != "-E -v -" || exit 1\n'
                f"export ZIG_GLOBAL_CACHE_DIR='{cache}' ZIG_LOCAL_CACHE_DIR='{cache}'\n"
                f"exec '{_zig()}' {words} \"$@\"\n"
            )
            program = folder / program_name
            if not program.exists() or program.read_text() != text:
                program.write_text(text)
                program.chmod(0o755)
        return folder


def _zig() -> Path:
    return next(environment("zig").parent.glob("lib/python*/site-packages/ziglang/zig"))


def version() -> str:
    return f"zig {call(_zig(), 'version').strip()}"
