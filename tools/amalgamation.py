# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes one C file, one header and one assembly file of the library's source, for tools/amalgamate.

Files are included in order. What keeps them apart in one translation unit is how the source names things:

- A header that means the same wherever it is included has a guard that begins with RUNNEL_, and comes once, before all
  units (a **unit** is a C or assembly file). Any other header is a template and is repeated wherever it is included.
- What a unit or a template names at file scope begins with the name of its folder (prefixes_of). A name that several units
  have gets the unit's in its place: lea_get_set is lea_x86_avx2_get_set in ciphers/lea/x86/avx2.c.
- Macros of a unit are undefined at its end."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import public_headers as written_out

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
KINDS = ("ciphers", "macs", "modes", "aead", "historic")
"""Folders of src/ with a folder for each cipher, MAC, mode or AEAD."""
VECTORS = ("blocks_128", "blocks_256", "blocks_512")
LICENCE = re.compile(r"\A/\* SPDX-License-Identifier: Apache-2\.0 OR MIT \*/\n")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">][^\n]*\n', re.MULTILINE)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
UNDEF = re.compile(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.MULTILINE)
GUARD = re.compile(r"^#ifndef (\w+)\n#define \1\n", re.MULTILINE)
FOR_C = re.compile(r"#ifndef __ASSEMBLER__$|#if .*!defined\(__ASSEMBLER__\)$")
FOR_ASSEMBLY = re.compile(r"#ifdef __ASSEMBLER__$")
NO_CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


@functools.cache
def text_of(path: Path) -> str:
    return LICENCE.sub("", written_out.text_of(path))


# --- what is where ---------------------------------------------------------------------------------------------------


def of_papers(path: Path) -> bool:
    """Tell whether a file of the source is a paper's kernel's, wherever the source lies."""
    return "papers" in path.relative_to(SRC).parts


def folder_of(path: Path) -> Path:
    return SRC.joinpath(*path.relative_to(SRC).parts[:2])


def prefixes_of(path: Path) -> tuple[str, ...]:
    """Return what names at file scope begin with: the folder of a cipher, MAC, mode or AEAD, otherwise the file; and the
    hash of an HMAC. Widths of vectors have their names in common."""
    if path.parent.name == "x86" and path.stem in VECTORS:
        return ("vector",)
    kind, *folders = path.relative_to(SRC).parts[:-1]
    name = folders[0] if folders and kind in KINDS else path.stem
    return (name, name.removeprefix("hmac_")) if name.startswith("hmac_") else (name,)


class Folder:
    """A cipher, MAC or AEAD of src/: its sources, and the families that its header declares."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        self.parent = path.parent.name
        self.header = path / f"{path.name}.h"
        sources = sorted(file for file in path.rglob("*") if file.suffix in (".c", ".S"))
        self.sources = [file for file in sources if not of_papers(file)]
        text = text_of(self.header) if self.header.exists() else ""
        self.families = [
            name
            for name in re.findall(r"\brunnel_(\w+?)_key\(", text)
            if f"runnel_{name};" in text or self.parent == "macs"
        ]

    @functools.cached_property
    def needs(self) -> set[Path]:
        """Return the folders whose headers its files include, the modes that it is used in among them."""
        found: set[Path] = set()
        for file in self.path.rglob("*"):
            if file.suffix in (".c", ".h", ".S", ".inc") and not of_papers(file):
                for name in INCLUDE.findall(text_of(file)):
                    target = resolve(name, file)
                    if target is not None and SRC in target.parents and folder_of(target) in folders():
                        found.add(folder_of(target))
        return found - {self.path}


@functools.cache
def folders() -> dict[Path, Folder]:
    """Return all folders of src/ that have a C file of their own name."""
    paths = [path for kind in KINDS for path in sorted((SRC / kind).iterdir())]
    return {path: Folder(path) for path in paths if (path / f"{path.name}.c").exists()}


def closure(chosen: Iterable[Path]) -> list[Folder]:
    """Return the folders and all that they need, in the order of folders()."""
    wanted: set[Path] = set()
    todo = list(chosen)
    while todo:
        path = todo.pop()
        if path not in wanted:
            wanted.add(path)
            todo += folders()[path].needs
    return [folder for path, folder in folders().items() if path in wanted]


@functools.cache
def public_headers() -> dict[str, Path]:
    """Return them by the name after runnel/."""
    place = ROOT / "include" / "runnel"
    result = {str(path.relative_to(place)): path for path in sorted(place.rglob("*.h"))}
    return result | {folder.header.name: folder.header for folder in folders().values() if folder.header.exists()}


@functools.cache
def resolve(name: str, includer: Path) -> Path | None:
    """Return the file that an #include means to the build's compilers; None: the system's, or written by the build."""
    if name.startswith("runnel/"):
        return public_headers()[name.removeprefix("runnel/")]
    for place in (includer.parent, SRC):
        if (place / name).is_file():
            return (place / name).resolve()
    return public_headers().get(name)


def sources(chosen: list[Folder], suffix: str) -> list[Path]:
    core = sorted((SRC / "core").glob(f"*{suffix}"))
    return core + [file for folder in chosen for file in folder.sources if file.suffix == suffix]


def lists_of(chosen: list[Folder]) -> dict[str, str]:
    """Return the lists of folders that CMakeLists.txt writes otherwise."""
    ciphers = [folder for folder in chosen if folder.parent in ("ciphers", "historic")]
    macs = [folder for folder in chosen if folder.parent == "macs"]
    aeads = [folder for folder in chosen if (folder.path / "aead.c").exists()]
    aeads += [folder for folder in chosen if folder.parent in ("aead", "modes") and folder.header.exists()]
    return {
        "folders.inc": "".join(f"RUNNEL_FOLDER({folder.name})\n" for folder in ciphers),
        "macs.inc": "".join(f"RUNNEL_MAC({folder.name})\n" for folder in macs),
        "aeads.inc": "".join(f"RUNNEL_AEAD({folder.name})\n" for folder in aeads),
    }


# --- including -------------------------------------------------------------------------------------------------------


def without(opening: re.Pattern[str], text: str) -> str:
    """Return the text without what is between lines that match and their #endif."""
    result: list[str] = []
    depth = 0  # of conditions, since `opening`
    for line in text.splitlines(keepends=True):
        if depth:
            depth += len(re.findall(r"^\s*#\s*if", line)) - len(re.findall(r"^\s*#\s*endif", line))
        elif opening.match(line):
            depth = 1
        else:
            result.append(line)
    return "".join(result)


class Includer:
    """Reads units with all that they include, and collects the headers that come once."""

    def __init__(self, lists: dict[str, str], language: str) -> None:
        self.lists = lists
        self.others = FOR_ASSEMBLY if language == "C" else FOR_C
        self.system = SEEN_OUTSIDE if language == "C" else "{}"
        self.elsewhere = public_headers().values() if language == "C" else ()
        self.shared: dict[Path, str] = {}
        self.begun: set[Path] = set()
        self.files: dict[Path, set[Path]] = {}
        """Of each file what is repeated in it, itself included."""

    def expanded(self, path: Path) -> str:
        """Return the text of a file with its templates and lists in it."""

        def included(match: re.Match[str]) -> str:
            if match[1] in self.lists:
                return self.lists[match[1]]
            target = resolve(match[1], path)
            if target is None:
                return self.system.format(match[0])
            if target in self.elsewhere:
                return ""
            guard = GUARD.search(text_of(target))
            if guard is None or not guard[1].startswith("RUNNEL_"):
                text = self.expanded(target)
                self.files[path] |= self.files[target]
                return text
            if target not in self.begun:
                self.begun.add(target)
                self.shared[target] = (
                    f"\n/* ---- {target.relative_to(ROOT)} ---- */\n\n{self.expanded(target).strip()}\n"
                )
            return ""

        self.files[path] = {path}
        return INCLUDE.sub(included, without(self.others, text_of(path)))


def unit_name(path: Path) -> str:
    """Return aes_x86_aesni for src/ciphers/aes/x86/aesni.c, aes for src/ciphers/aes/aes.c."""
    parts = list(path.relative_to(SRC).with_suffix("").parts)
    if parts[0] in KINDS:
        del parts[0]
    if len(parts) > 1 and parts[-1] == parts[-2]:
        parts.pop()
    return "_".join(parts)


def own_names(text: str, files: Iterable[Path]) -> set[str]:
    """Return the words that begin as names at file scope of these files do."""
    prefixes = "|".join(sorted({prefix for file in files for prefix in prefixes_of(file)}))
    own = re.compile(rf"(?:{prefixes})_(?!size$)|vector$", re.IGNORECASE)  # vector_size is the compilers'
    return {word for word in words(text) if own.match(word)}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", NO_CODE.sub(" ", text)))


def stem_of(name: str) -> str:
    """Return the name without the number at its end, which a macro may have pasted to it."""
    return name.rstrip("0123456789")


def renamed(text: str, names: set[str], path: Path) -> str:
    """Return the text with the unit's name in these names, except in comments and strings."""

    def one(match: re.Match[str]) -> str:
        name = match[0]
        return f"{unit_name(path)}_{name.removeprefix(f'{prefixes_of(path)[0]}_')}" if name in names else name

    return re.sub(rf"{NO_CODE.pattern}|\w+", one, text, flags=re.DOTALL)


def macros_of(text: str) -> set[str]:
    """Return the macros that it defines and never undefines."""
    return set(DEFINE.findall(text)) - set(UNDEF.findall(text))


def unit(path: Path, text: str, kept: Iterable[str]) -> str:
    """Return a unit and the end of its macros, except those that other units see too."""
    end = "".join(f"#undef {word}\n" for word in sorted(set(DEFINE.findall(text)) - set(kept)))
    return f"\n/* ---- {path.relative_to(ROOT)} ---- */\n\n{text.strip()}\n{end}"


# --- the three files -------------------------------------------------------------------------------------------------


def header(chosen: list[Folder], title: str) -> str:
    done: list[Path] = []

    def added(path: Path) -> str:
        def included(match: re.Match[str]) -> str:
            target = resolve(match[1], path)
            if target is None:
                return match[0]
            if target not in public_headers().values():
                return text_of(target)
            before.append("" if target in done else added(target))
            return ""

        done.append(path)
        before: list[str] = []
        text = INCLUDE.sub(included, text_of(path))
        return "".join(before) + text + "\n"

    first = [public_headers()[name] for name in ("cipher.h", "cpu.h", "ranges.h", "stream.h", "aead.h", "mac.h")]
    headers = first + [folder.header for folder in chosen if folder.header.exists()]
    body = "".join(added(path) for path in headers if path not in done).replace("/*BUILD-VALUES*/\n\n", "")
    return f"{title}#ifndef RUNNEL_SINGLE_H\n#define RUNNEL_SINGLE_H\n\n{KNOBS}\n{body}#endif\n"


def c_file(chosen: list[Folder], title: str) -> str:
    includer = Includer(lists_of(chosen), "C")
    units = {path: includer.expanded(path) for path in sources(chosen, ".c")}
    shared = header(chosen, "") + "".join(includer.shared.values())
    kept, common = macros_of(shared), words(shared)
    names = {path: own_names(text, includer.files[path]) - common for path, text in units.items()}
    times = Counter(stem for found in names.values() for stem in set(map(stem_of, found)))
    parts = [title, C_HEAD, *includer.shared.values()]
    for path, text in units.items():
        text = renamed(text, {name for name in names[path] if times[stem_of(name)] > 1}, path)
        if "#pragma GCC target" in text:
            text = OTHER_THAN_CLANG.format("push") + text + OTHER_THAN_CLANG.format("pop")
        parts.append(unit(path, text, kept))
    return "".join(parts) + C_TAIL


def asm_file(chosen: list[Folder], title: str) -> str:
    """Return all .S files in one. Those of different processors never meet; those of one do, so that their local labels and
    macros get the unit's name."""
    includer = Includer({}, "assembly")
    paths = sorted(
        sources(chosen, ".S"), key=lambda path: path.parent.name == "armv7"
    )  # whose names for registers stay
    units = {path: includer.expanded(path) for path in paths}
    kept = macros_of("".join(includer.shared.values()))
    parts = [title, KNOBS, *includer.shared.values()]
    for path, text in units.items():
        text = re.sub(r"(?<![\w.])\.L(?=[\w\\])", f".L{unit_name(path)}_", text)
        macros = set(re.findall(r"^\s*\.macro\s+(\w+)", text, re.MULTILINE))
        pasted = {stem for stem in map(stem_of, macros) if stem.endswith("_")}
        text = renamed(text, macros | pasted, path)
        parts.append(unit(path, text + "\n.noaltmacro" * (".altmacro" in text), kept))
    return "".join(parts)


KNOBS = """\
/* Knobs, which are described where config.h begins, may be set in a file of this name beside this one. */
#if defined(__has_include)
#if __has_include("runnel_config.h")
#include "runnel_config.h"
#endif
#endif
"""
OTHER_THAN_CLANG = "\n#if !defined(__clang__)\n#pragma GCC {}_options\n#endif\n"
# Names declared by headers of the system are not the library's.
SEEN_OUTSIDE = "#pragma GCC visibility push(default)\n{}#pragma GCC visibility pop\n"
C_HEAD = """\
#include "runnel.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What is declared from here on is the library's own; and there are functions that only some processors use. */
#pragma GCC visibility push(hidden)
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
"""
C_TAIL = """
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#pragma GCC visibility pop
"""
