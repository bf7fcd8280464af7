# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Rules that every source file keeps: its licence, and what it may include."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

FOLDERS = (
    "src",
    "include",
    "python",
    "store",
    "gpu",
    "lab",
    "bench",
    "tests",
    "tools",
    "cmake",
    "integrations",
    "packaging",
    ".ci",
)


def source_files() -> list[Path]:
    files = [ROOT / "CMakeLists.txt", ROOT / "Makefile"]
    for folder in FOLDERS:
        files += (path for path in (ROOT / folder).rglob("*") if path.is_file())
    return [path for path in files if "__pycache__" not in path.parts]


@pytest.mark.every_cipher
def test_every_source_file_names_its_licence():
    suffixes = {".c", ".h", ".cc", ".cpp", ".S", ".py", ".pyi", ".cmake", ".sh", ".rs"}
    missing = []
    for path in source_files():
        head = path.read_bytes()[:400]
        if path.suffix in suffixes or path.name in ("CMakeLists.txt", "Makefile") or head.startswith(b"#!"):
            first_lines = b"\n".join(head.splitlines()[:2])
            if b"SPDX-License-Identifier: Apache-2.0 OR MIT" not in first_lines:
                missing.append(str(path.relative_to(ROOT)))
    assert not missing


@pytest.mark.every_cipher
def test_no_file_includes_another_ciphers():
    place = ROOT / "include" / "runnel"
    generic = {str(path.relative_to(place)) for path in place.rglob("*.h")} - {"runnel.h"}
    wrong = []
    shared = tuple(ROOT / "src" / name for name in ("core", "arch", "modes", "historic/f_fcsr.h"))
    for path in (f for parent in ("src", "include") for f in (ROOT / parent).rglob("*.*")):
        if path.suffix in (".c", ".h", ".S", ".inc"):
            place = path.relative_to(ROOT)
            cipher = ROOT.joinpath(*place.parts[:3]) if place.parts[1] in ("ciphers", "historic", "macs") else None
            composed = place.parts[1] in ("aead", "modes") or "srtp" in (
                place.parts[1],
                place.stem,
            )  # of ciphers and MACs
            for kind, name in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)', path.read_text(), re.MULTILINE):
                if kind == '"':
                    target = path.parent / name if (path.parent / name).exists() else ROOT / "src" / name
                    allowed = (
                        name in ("folders.inc", "aeads.inc", "macs.inc")
                        or composed
                        or (path.stem.startswith("gcm") and name.startswith("macs/ghash/"))
                        or any(s == target or s in target.parents for s in shared)
                        or (cipher is not None and cipher in target.parents)
                        or (cipher == ROOT / "src" / "macs" / "aes_cmac" and name in ("aes.h", "ciphers/aes/kernels.h"))
                    )  # it is made of AES
                else:
                    allowed = (
                        not name.startswith("runnel/")
                        or composed
                        or name.removeprefix("runnel/") in generic
                        or (cipher is not None and name == f"runnel/{cipher.name}.h")
                    )
                if not allowed:
                    wrong.append(f"{place}: {name}")
    assert not wrong


@pytest.mark.every_cipher
def test_the_core_knows_no_mode_above_it():
    """Counter mode is its own; what kernels have for the others is behind a pointer that it does not follow."""
    modes = [folder.name for folder in (ROOT / "src" / "modes").iterdir() if folder.is_dir()]
    assert {"cfb", "gcm", "ccm", "siv"} <= set(modes)
    named = re.compile(rf"(?:\b|_)(?:{'|'.join(modes)})(?:\b|_)", re.IGNORECASE)
    knows = []
    for path in sorted((ROOT / "src" / "core").iterdir()):
        text = path.read_text()
        knows += [f"{path.name}: {line.strip()}" for line in text.splitlines() if named.search(line)]
        knows += [f"{path.name}: {name}" for name in re.findall(r'#include "(modes/[^"]+)"', text)]
    assert knows == []
