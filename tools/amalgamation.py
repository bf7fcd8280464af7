# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes one C file, one header and one assembly file of the library's source, for tools/amalgamate.

A file of the source is a **unit**: what it names at file scope, nobody else sees. In one translation unit these names
would meet, so each gets the unit's name in front of it (`load` in ciphers/lea/x86/avx2.c is `lea_x86_avx2_load`), and the
macros of a unit are undefined at its end. Headers are of three kinds: the **public** ones are runnel.h; the **shared**
ones, whose names begin with runnel_ and which mean the same wherever they are included, come once, before all units;
**templates**, which ask something of the file that includes them, are repeated in each unit."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

import c_source
import public_headers as written_out

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
GENERATED = ("folders.inc", "macs.inc", "aeads.inc")
OURS = re.compile(r"_*runnel_", re.IGNORECASE)
LICENCE = re.compile(r"\A/\* SPDX-License-Identifier: Apache-2\.0 OR MIT \*/\n")


@functools.cache
def text_of(path: Path) -> str:
    return LICENCE.sub("", written_out.text_of(path))


@functools.cache
def lines_of(path: Path) -> tuple[str, ...]:
    return c_source.lines_of(text_of(path))


# --- what is where ---------------------------------------------------------------------------------------------------


def of_papers(path: Path) -> bool:
    """Whether a file of the source is a paper's kernel's, wherever the source lies."""
    return "papers" in path.relative_to(SRC).parts


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
        """Folders whose headers its files include, the modes that it is used in among them."""
        found: set[Path] = set()
        for file in self.path.rglob("*"):
            if file.suffix in (".c", ".h", ".S", ".inc") and not of_papers(file):
                for name in included(file):
                    target = resolve(name, file)
                    if target is not None and SRC in target.parents and folder_of(target) in folder_paths():
                        found.add(folder_of(target))
        return found - {self.path}


def folder_of(path: Path) -> Path:
    return SRC.joinpath(*path.relative_to(SRC).parts[:2])


@functools.cache
def folder_paths() -> tuple[Path, ...]:
    """All folders of src/ that have a C file of their own name."""
    found = [p for parent in ("ciphers", "macs", "modes", "aead", "historic") for p in sorted((SRC / parent).iterdir())]
    return tuple(path for path in found if (path / f"{path.name}.c").exists())


@functools.cache
def folders() -> dict[Path, Folder]:
    return {path: Folder(path) for path in folder_paths()}


def included(path: Path) -> list[str]:
    rests = [part[1] for line in lines_of(path) if (part := c_source.directive(line)) and part[0] == "include"]
    return [rest[1:-1] for rest in rests]


@functools.cache
def public_headers() -> dict[str, Path]:
    """By the name after runnel/."""
    place = ROOT / "include" / "runnel"
    result = {str(path.relative_to(place)): path for path in sorted(place.rglob("*.h"))}
    return result | {folder.header.name: folder.header for folder in folders().values() if folder.header.exists()}


@functools.cache
def resolve(name: str, includer: Path) -> Path | None:
    """The file that an #include means, as the build's compilers find it; None: the system's, or written by the build."""
    if name in GENERATED:
        return None
    if name.startswith("runnel/"):
        return public_headers()[name.removeprefix("runnel/")]
    for place in (includer.parent, SRC):
        if (place / name).is_file():
            return (place / name).resolve()
    return public_headers().get(name)


# --- kinds of headers ------------------------------------------------------------------------------------------------


@functools.cache
def guard(path: Path) -> str | None:
    """The macro that keeps a header from being read twice."""
    found = re.search(r"^#ifndef (\w+_H)\n#define \1\n", text_of(path), re.MULTILINE)
    return found[1] if found else None


@functools.cache
def comes_once(path: Path) -> bool:
    """Whether the guard is around all of a header, so that including it again adds nothing."""
    depths: list[int] = []
    depth = 0
    for name, rest in map_directives(path):
        if name in ("if", "ifdef", "ifndef"):
            if depth == 0 and (name, rest) != ("ifndef", guard(path)):
                return False
            depth += 1
        elif name == "endif":
            depth -= 1
        depths.append(depth)
    return guard(path) is not None and depths.index(0) == len(depths) - 1 and text_of(path).endswith("\n#endif\n")


@functools.cache
def kept_macros(path: Path) -> frozenset[str]:
    """Macros that a file, with all that it includes by the way, defines and does not undefine."""
    kept: set[str] = set()
    for line in lines_of(path):
        part = c_source.directive(line)
        if part is None:
            continue
        if part[0] == "define":
            kept.add(re.match(r"\w+", part[1])[0])  # type: ignore[index]
        elif part[0] == "undef":
            kept.discard(part[1])
        elif part[0] == "include":
            target = resolve(part[1][1:-1], path)
            if target is not None and target not in public() and not is_shared(target):
                kept |= kept_macros(target)
                if target.suffix == ".inc":
                    kept -= {rest for name, rest in map_directives(target) if name == "undef"}
    return frozenset(kept - {guard(path)})


def map_directives(path: Path) -> list[tuple[str, str]]:
    return [part for line in lines_of(path) if (part := c_source.directive(line))]


@functools.cache
def public() -> frozenset[Path]:
    return frozenset(public_headers().values())


@functools.cache
def scope(path: Path) -> c_source.Scope:
    return c_source.Scope(text_of(path))


@functools.cache
def all_files() -> tuple[Path, ...]:
    files = sorted(file for file in SRC.rglob("*") if file.suffix in (".c", ".h", ".inc"))
    return tuple(file for file in files if not of_papers(file))


@functools.cache
def all_macros() -> frozenset[str]:
    return frozenset(name for file in all_files() for name in c_source.macros(text_of(file)))


@functools.cache
def known_macros(path: Path) -> frozenset[str]:
    """Macros of a file and of all that it includes."""
    found = set(c_source.macros(text_of(path)))
    for name in included(path):
        target = resolve(name, path)
        if target is not None:
            found |= known_macros(target)
    return frozenset(found)


def sites(path: Path) -> list[tuple[str, tuple[str, ...] | None]]:
    """What a file includes, each with the conditions that it is under; None: such as cannot be said apart from here."""
    found: list[tuple[str, tuple[str, ...] | None]] = []
    stack: list[str | None] = []
    for line in lines_of(path):
        name, rest = c_source.directive(line) or ("", "")
        if name in ("if", "ifdef", "ifndef"):
            whole = rest in (guard(path), "__ASSEMBLER__") and name == "ifndef"
            stack.append(
                "" if whole else {"if": f"({rest})", "ifdef": f"defined({rest})"}.get(name, f"!defined({rest})")
            )
        elif name in ("else", "elif"):
            stack[-1] = None
        elif name == "endif":
            stack.pop()
        elif name == "include":
            said = [each for each in stack if each is not None]
            found.append((rest[1:-1], tuple(filter(None, said)) if len(said) == len(stack) else None))
    return found


@functools.cache
def conditions() -> dict[Path, frozenset[str | None]]:
    """Of each header that C files include, under which conditions they do: "" for always, None for what is not said."""
    found: dict[Path, set[str | None]] = {}
    todo: list[tuple[Path, tuple[str, ...] | None]] = [(file, ()) for file in all_files() if file.suffix == ".c"]
    while todo:
        path, above = todo.pop()
        for name, here in sites(path):
            target = resolve(name, path)
            if target is None or target in public():
                continue
            under = None if above is None or here is None else tuple(dict.fromkeys(above + here))
            said = None if under is None else " && ".join(under)
            now = found.setdefault(target, set())
            if said not in now and "" not in now:
                now.add(said)
                todo.append((target, under))
    return {path: frozenset(said) for path, said in found.items()}


def condition(path: Path) -> str | None:
    """For #if, around a shared header; "" where some file includes it always, None where nobody can say when."""
    said = conditions().get(path, frozenset({None}))
    return "" if "" in said else None if None in said else " || ".join(sorted(filter(None, said)))


@functools.cache
def asked(path: Path) -> frozenset[str]:
    """Words in capitals that a header uses and does not define itself."""
    defined = c_source.macros(text_of(path))
    used = {word for body in defined.values() for word in body}
    for line in lines_of(path):
        part = c_source.directive(line)
        if part is None or part[0] != "define":
            used.update(c_source.words(line))
    return frozenset(word for word in used if word.isupper() and word not in defined and not OURS.match(word))


def calls_of_includers(path: Path) -> bool:
    """Whether a header calls functions whose names begin as its folder's do, and which nothing that it includes has."""
    known = names_in(path)
    called = re.findall(rf"\b({folder_of(path).name}_\w+)\(", text_of(path))
    return any(name not in known for name in called)


@functools.cache
def names_in(path: Path) -> frozenset[str]:
    """Declared by a file or by what it includes, macros too."""
    found = scope(path).declared | set(c_source.macros(text_of(path)))
    for name in included(path):
        target = resolve(name, path)
        if target is not None:
            found |= names_in(target)
    return frozenset(found)


@functools.cache
def is_shared(path: Path) -> bool:
    """A header that means the same wherever it is included."""
    if path.suffix != ".h" or guard(path) is None or path in public() or condition(path) is None:
        return False
    if (said := condition(path)) and any(not OURS.match(w) and w != "defined" for w in c_source.words(said)):
        return False  # under a condition of the includer's
    own = re.compile(rf"_*runnel_|{folder_of(path).name}_", re.IGNORECASE)
    names = scope(path).internal | scope(path).external | kept_macros(path)
    if any(not own.match(name) for name in names):
        return False
    if asked(path) & all_macros() - known_macros(path):
        return False
    if calls_of_includers(path):
        return False
    if not {SRC / "core", SRC / "modes"} & {*path.parents} and Outside([path]).statics:
        return False  # what includes it, names them
    return all(
        target in public() or guard(target) is None or is_shared(target)
        for name in included(path)
        if (target := resolve(name, path)) is not None
    )


# --- one translation unit --------------------------------------------------------------------------------------------


def unit_name(path: Path) -> str:
    """Of a source: aes_x86_aesni for src/ciphers/aes/x86/aesni.c, aes for src/ciphers/aes/aes.c."""
    parts = list(path.relative_to(SRC).with_suffix("").parts)
    if parts[0] != "core":
        del parts[0]
    if len(parts) > 1 and parts[-1] == parts[-2]:
        parts.pop()
    return "_".join(parts)


@functools.cache
def never_renamed() -> frozenset[str]:
    """Names of folders and families, from which macros paste names together: as statics they are there once."""
    named = {name for folder in folders().values() if folder.families for name in (folder.name, *folder.families)}
    types = {name for path in public() for name in scope(path).internal}
    return frozenset(named | types | {name for name in all_macros() if OURS.match(name)})


def made_by_macros(text: str) -> set[str]:
    """Names at file scope that macros of a unit declare: their own, pasted ones, and those that they are given."""
    names: set[str] = set()
    for macro, parameters, body in c_source.macro_bodies(text):
        if re.fullmatch(rf"\w+\({macro}\)", body.strip()):  # its own name, with a width pasted to it
            names |= {word for word in c_source.words(text) if re.fullmatch(rf"{macro}\d*", word)}
        if re.search(r"\bstatic\b|(?<!NO)INLINE\b", body):
            found = c_source.Scope(re.sub(r"\w+\s*##\s*\w+|##", " ", body)).internal
            names |= found - set(parameters)
            for index, parameter in enumerate(parameters):
                if parameter in found:
                    names |= c_source.arguments(text, macro, index)
            for begin in set(re.findall(r"\b([a-z]\w*)\s*##", body)) - set(parameters):
                names |= {word for word in c_source.words(text) if word.startswith(begin)}
    return names


class Writer:
    """Collects the text of the C file."""

    def __init__(self, lists: dict[str, str]) -> None:
        self.lists = lists
        self.shared: list[Path] = []
        self.conditions: list[str] = []  # that the text is under, here in the unit
        self.put_in: dict[Path, list[str]] = {}  # templates that come once, under which conditions they are there

    def require(self, path: Path) -> None:
        """Puts a shared header, after those that it includes, into the list."""
        if path in self.shared:
            return
        for name in included(path):
            target = resolve(name, path)
            if target is not None and target not in public() and target.suffix == ".h" and target != path:
                self.require(target)
        if path not in self.shared:
            self.shared.append(path)

    def expanded(self, path: Path) -> str:
        """The text of a file with templates and lists put in, and without what comes once for all."""
        result: list[str] = []
        depth = 0
        skipping = 0
        for line in lines_of(path):
            part = c_source.directive(line)
            name, rest = part or ("", "")
            if name in ("if", "ifdef", "ifndef"):
                depth += 1
                self.conditions.append("" if name == "ifndef" and rest == guard(path) else f"{name} {rest}")
            elif name in ("else", "elif"):
                self.conditions[-1] += f" {name} {rest}"
            if skipping:
                skipping = 0 if name == "endif" and depth == skipping else skipping
            elif name == "ifdef" and rest == "__ASSEMBLER__":
                skipping = depth
            elif name == "include" and rest.startswith(('"', "<runnel/")):
                result.append(self._included(rest[1:-1], path))
            elif name == "include":
                result.append("" if rest in HOISTED else f"{VISIBLE}{line}{HIDDEN_AGAIN}")
            else:
                result.append(line)
            if name == "endif":
                depth -= 1
                self.conditions.pop()
        return "".join(result)

    def _included(self, name: str, path: Path) -> str:
        if name in self.lists:
            return self.lists[name]
        target = resolve(name, path)
        assert target is not None, f"{path} includes {name}, which is nowhere"
        if target in public():
            return ""
        if is_shared(target):
            self.require(target)
            return ""
        if comes_once(target):
            here = [condition for condition in self.conditions if condition]
            before = self.put_in.setdefault(target, here)
            if before is not here and here[: len(before)] == before:
                return ""
        return self.expanded(target)

    def unit(self, path: Path) -> str:
        self.put_in.clear()
        text = self.expanded(path)
        name = unit_name(path)
        own = c_source.Scope(text)
        names = own.internal | {word for word in own.external if not OURS.match(word)}
        names |= made_by_macros(text)
        outside = macros_of_shared(tuple(self.shared))
        names -= never_renamed()
        kept = names & outside.words - c_source.members(text) | outside.statics & reached(text, outside)
        new = {word: f"{name}_{word}" for word in names - kept}
        lines = [f"#define {word} {name}_{word}\n" for word in sorted(kept)]
        undefined = sorted((set(c_source.macros(text)) - outside.kept) | kept)
        text = c_source.renamed(text, new).strip("\n") + "\n"
        if "#pragma GCC target" in text:
            text = "".join((OTHER_THAN_CLANG.format("push"), text, OTHER_THAN_CLANG.format("pop")))
        head = f"\n/* ---- {path.relative_to(SRC)} ---- */\n\n"
        return head + "".join(lines) + text + "".join(f"#undef {word}\n" for word in undefined)


def with_lists(path: Path) -> str:
    """The text of a header with what it includes that has no guard: kernels.inc."""
    parts = [text_of(path)]
    for name in included(path):
        target = resolve(name, path)
        if target is not None and guard(target) is None:
            parts.append(with_lists(target))
    return "\n".join(parts)


class Outside:
    """What macros of shared headers say that a unit must see: words of it that they use, statics that they make."""

    def __init__(self, headers: Iterable[Path]) -> None:
        self.kept: set[str] = set()
        self.bodies: dict[str, set[str]] = {}
        self.statics_of: dict[str, set[str]] = {}
        for header in headers:
            self.kept |= c_source.kept_macros(with_lists(header))
            for name, _, body in c_source.macro_bodies(with_lists(header)):
                self.bodies.setdefault(name, set()).update(c_source.plain_words(body))
                made = set(re.findall(r"\bstatic\b[^;={(#]*?\b(\w+)\s*(?:\(|=|\[)", body))
                self.statics_of.setdefault(name, set()).update(made - c_source.KEYWORDS - set(_ours(made)))
        self.words = {word for words in self.bodies.values() for word in words if not OURS.match(word)}
        self.statics = {word for words in self.statics_of.values() for word in words}


def _ours(names: Iterable[str]) -> list[str]:
    return [word for word in names if OURS.match(word)]


@functools.cache
def macros_of_shared(headers: tuple[Path, ...]) -> Outside:
    return Outside([*public(), *headers])


def reached(text: str, outside: Outside) -> set[str]:
    """Statics that the macros make which a text names, or which these name."""
    found = {word for word in c_source.words(text) if word in outside.bodies}
    todo = list(found)
    while todo:
        for word in outside.bodies[todo.pop()] & outside.bodies.keys() - found:
            found.add(word)
            todo.append(word)
    return {word for name in found for word in outside.statics_of[name]}


# --- the three files -------------------------------------------------------------------------------------------------


def closure(chosen: Iterable[Path]) -> list[Folder]:
    """The folders and all that they need, in the order of folders()."""
    wanted: set[Path] = set()
    todo = list(chosen)
    while todo:
        path = todo.pop()
        if path not in wanted:
            wanted.add(path)
            todo += folders()[path].needs
    return [folder for path, folder in folders().items() if path in wanted]


def generated_lists(chosen: list[Folder]) -> dict[str, str]:
    """The lists of folders that CMakeLists.txt writes otherwise."""
    ciphers = [folder for folder in chosen if folder.parent in ("ciphers", "historic")]
    macs = [folder for folder in chosen if folder.parent == "macs"]
    aeads = [folder for folder in chosen if (folder.path / "aead.c").exists()]
    aeads += [folder for folder in chosen if folder.parent in ("aead", "modes") and folder.header.exists()]
    return {
        "folders.inc": "".join(f"RUNNEL_FOLDER({folder.name})\n" for folder in ciphers),
        "macs.inc": "".join(f"RUNNEL_MAC({folder.name})\n" for folder in macs),
        "aeads.inc": "".join(f"RUNNEL_AEAD({folder.name})\n" for folder in aeads),
    }


def sources(chosen: list[Folder], suffix: str) -> list[Path]:
    core = sorted((SRC / "core").glob(f"*{suffix}"))
    return core + [file for folder in chosen for file in folder.sources if file.suffix == suffix]


def header(chosen: list[Folder], title: str) -> str:
    done: list[Path] = []
    parts: list[str] = []

    def add(path: Path) -> None:
        if path in done:
            return
        done.append(path)
        lines: list[str] = []
        for line in lines_of(path):
            part = c_source.directive(line)
            if part and part[0] == "include":
                target = resolve(part[1][1:-1], path)
                if target in public():
                    add(target)
                    continue
                if target is not None:
                    line = text_of(target)
            lines.append(line)
        parts.append("".join(lines))

    for name in ("cipher.h", "cpu.h", "ranges.h", "stream.h", "aead.h", "mac.h"):
        add(public_headers()[name])
    for folder in chosen:
        if folder.header.exists():
            add(folder.header)
    body = "\n".join(parts).replace("/*BUILD-VALUES*/\n\n", "")
    return f"{title}#ifndef RUNNEL_SINGLE_H\n#define RUNNEL_SINGLE_H\n\n{KNOBS}\n{body}\n#endif\n"


def shared_text(path: Path, writer: Writer) -> str:
    text = writer.expanded(path)
    if said := condition(path):
        text = f"#if {said}\n{text.strip()}\n#endif\n"
    return f"\n/* ---- {path.relative_to(SRC)} ---- */\n\n{text}"


def c_file(chosen: list[Folder], title: str) -> str:
    writer = Writer(generated_lists(chosen))
    paths = sources(chosen, ".c")
    names = [unit_name(path) for path in paths]
    assert len(set(names)) == len(names)
    for path in paths:  # once for the shared headers, whose macros every unit must know
        writer.expanded(path)
    units = [writer.unit(path) for path in paths]
    shared = [shared_text(path, writer) for path in writer.shared]
    return title + C_HEAD + "".join(shared) + "".join(units) + C_TAIL


KNOBS = """\
/* Knobs, which are described where config.h begins, may be set in a file of this name beside this one. */
#if defined(__has_include)
#if __has_include("runnel_config.h")
#include "runnel_config.h"
#endif
#endif
"""
OTHER_THAN_CLANG = "#if !defined(__clang__)\n#pragma GCC {}_options\n#endif\n"
HOISTED = ("<stddef.h>", "<stdint.h>", "<string.h>")
# What other headers of the system declare, is not the library's.
VISIBLE = "#pragma GCC visibility push(default)\n"
HIDDEN_AGAIN = "#pragma GCC visibility pop\n"
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
