# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No header of the library needs itself: not by files that include each other in a circle, nor, for the headers that are
written once for several vector widths, by names that only another includer defines."""

import functools
import os
import re
import subprocess
from pathlib import Path

import pytest
import selection
from c_programs import ROOT

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
TREES = ("src", "include")


def included(root: Path) -> dict[str, list[str]]:
    """Return for each file what it includes of the same trees, by paths from their root."""
    files = {
        str(file.relative_to(root)): file.read_text()
        for tree in TREES
        for file in (root / tree).rglob("*")
        if file.suffix in (".c", ".h", ".S", ".inc")
    }
    # <runnel/aes.h> is src/ciphers/aes/aes.h
    public = {os.path.basename(file): file for file in files if re.fullmatch(r"src/\w+/(\w+)/\1\.h", file)}
    found: dict[str, list[str]] = {}
    for file, text in files.items():
        places = (os.path.dirname(file), *TREES)
        named = [[os.path.normpath(f"{place}/{name}") for place in places] for name in INCLUDE.findall(text)]
        named = [[*paths, public.get(os.path.basename(paths[-1]), "")] for paths in named]
        found[file] = [meant for paths in named if (meant := next((path for path in paths if path in files), ""))]
    return found


def circles(root: Path) -> list[list[str]]:
    """Return each path of files that comes back to its first."""
    graph = included(root)
    found: list[list[str]] = []
    done: set[str] = set()

    def follow(file: str, path: list[str]) -> None:
        if file in path:
            found.append([*path[path.index(file) :], file])
        elif file not in done:
            for name in graph[file]:
                follow(name, [*path, file])
            done.add(file)

    for file in graph:
        follow(file, [])
    return found


def test_no_files_include_each_other_in_a_circle():
    assert circles(ROOT) == []


def test_most_includes_are_followed():
    """Or there would be no circle to be found."""
    graph = included(ROOT)
    assert "src/ciphers/aes/x86/rounds.h" in graph["src/ciphers/aes/x86/group.h"]
    assert "include/runnel/cipher.h" in graph["src/core/kernel.h"]
    assert "src/ciphers/aes/aes.h" in graph["src/ciphers/aes/kernels.h"]


@pytest.mark.parametrize("names", [["a.h"], ["a.h", "b.h"], ["a.h", "deep/b.h", "c.h"]], ids=len)
def test_a_circle_is_seen(tmp_path, names):
    (tmp_path / "include").mkdir()
    for name, following in zip(names, [*names[1:], names[0]], strict=True):
        file = tmp_path / "src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'#ifndef GUARD\n#  include "{following}"\n#endif\n')
    (tmp_path / "src" / "main.c").write_text('#include "a.h"\n')
    paths = [f"src/{name}" for name in names]
    (found,) = circles(tmp_path)
    assert sorted(found[1:]) == sorted(paths) and found[0] == found[-1]


# Headers of kernels that are written once for several widths. What each asks of its includer is what the files of kernels
# that include it begin with: TARGET, VECTOR_ and the name of what TARGET has, and the vectors of a width; nothing else.
FOLDERS = (
    *(f"src/ciphers/{name}/x86" for name in ("aes", "aria", "chacha20", "hight", "lea", "salsa20", "seed")),
    "src/macs/ghash/x86",
)
ASKED_FOR = re.compile(r'^#define (?:TARGET|VECTOR_\w+).*\n|^#include "arch/x86/blocks_\d+\.h"\n', re.MULTILINE)


def beginning(text: str) -> str:
    """Return what a kernel's file has before its headers of several widths."""
    return "".join(ASKED_FOR.findall(text))


def compiled_with(file: str) -> set[str]:
    """Return the headers that a file is compiled with, from the root: conditions of the preprocessor decide."""
    command = ["gcc", "-std=c11", "-MM", "-I", "src", "-I", "include", file]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return {os.path.normpath(name) for name in names if name.endswith(".h")}


HEADERS = [str(file.relative_to(ROOT)) for folder in FOLDERS for file in sorted((ROOT / folder).glob("*.h"))]


@functools.cache
def beginnings() -> dict[str, list[str]]:
    """Return for each header of the folders the beginnings of the files that include it; of those that differ in TARGET
    alone, the one with the most features."""
    found: dict[str, dict[str, str]] = {header: {} for header in HEADERS}
    files = [str(file.relative_to(ROOT)) for folder in FOLDERS for file in sorted((ROOT / folder).glob("*.c"))]
    for file in files:
        text = beginning((ROOT / file).read_text())
        rest = text.partition("\n")[2]
        for header in found.keys() & compiled_with(file):
            found[header][rest] = max(found[header].get(rest, ""), text, key=len)
    return {header: list(texts.values()) for header, texts in found.items()}


def refused(text: str, *folders: Path) -> str:
    """Return the compiler's messages about a file."""
    places = [ROOT / "src", ROOT / "include", *folders]
    command = ["gcc", "-std=c11", "-fsyntax-only", *(word for place in places for word in ("-I", str(place)))]
    return subprocess.run([*command, "-x", "c", "-"], input=text, capture_output=True, text=True).stderr


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the headers are for x86-64")
@pytest.mark.parametrize("header", selection.one_in(3, HEADERS))
def test_a_header_includes_what_it_uses(header):
    """As the last of its kernels begins; in the campaign as each of them does."""
    texts = sorted(beginnings()[header])
    assert texts, "no kernel includes it"
    for text in texts if selection.campaign() else texts[-1:]:
        assert refused(f'{text}#include "{header.removeprefix("src/")}"\n') == "", text


def test_kernels_begin_with_their_target_and_vectors():
    """Or a header would be compiled with less than its kernels have."""
    found = {text for texts in beginnings().values() for text in texts}
    assert {bits for text in found for bits in re.findall(r"blocks_(\d+)\.h", text)} == {"128", "256", "512"}
    assert any("VECTOR_GFNI" in text and "VECTOR_AVX512" not in text for text in found)
    assert any("VECTOR_GFNI" in text and "VECTOR_AVX512" in text for text in found)
    assert all(text.startswith("#define TARGET RUNNEL_TARGET(") for text in found if text)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the headers are for x86-64")
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_header_that_needs_another_is_seen(tmp_path, folder):
    """Each with a name that another of its includers would have to define."""
    texts = {text for header, texts in beginnings().items() if os.path.dirname(header) == folder for text in texts}
    (tmp_path / "needy.h").write_text("TARGET static inline vector twice(vector v) { return missing(v); }\n")
    for text in filter(None, texts):
        assert "missing" in refused(f'{text}#include "needy.h"\n', tmp_path)
