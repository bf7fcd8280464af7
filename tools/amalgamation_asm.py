# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The assembly of tools/amalgamate: all .S files in one, which are for different processors and never meet; those of one
processor do. Their local labels get the unit's name, their macros are purged and their C macros undefined at the end of
each. What begins every file of a processor (arch/<processor>/asm.h) comes once."""

from __future__ import annotations

import re
from pathlib import Path

import c_source
from amalgamation import KNOBS, SRC, included, lines_of, resolve, unit_name

# ARMv7-A comes last: it selects an architecture, and its names for registers stay.
PROCESSORS = ("x86", "aarch64", "avr", "rv32", "thumb2", "armv7")
FRAMES = {"rv64": "rv32"}  # which takes another's asm.h


def asm_file(paths: list[Path], title: str) -> str:
    done: set[Path] = set()
    parts = [title, KNOBS, _begin(SRC / "arch" / "common" / "asm.h", done)]
    for processor in PROCESSORS:
        units = [path for path in paths if _frame(path) == processor]
        if not units:
            continue
        frame = SRC / "arch" / processor / "asm.h"
        parts.append(_begin(frame, done))
        parts += [_unit(path, done) for path in units]
        parts.append(_purged(_expanded(frame, done - {frame})))
    assert {_frame(path) for path in paths} <= set(PROCESSORS)
    return "".join(parts)


def _frame(path: Path) -> str:
    """Returns the processor whose asm.h the file begins with."""
    return FRAMES.get(path.parent.name, path.parent.name)


def _begin(path: Path, done: set[Path]) -> str:
    """What comes once: a header, and what it includes and is not in `done` yet."""
    text = _expanded(path, done)
    done.add(path)
    for name in included(path):
        target = resolve(name, path)
        if target is not None and target not in done:
            done |= {target, *(found for each in included(target) if (found := resolve(each, target)))}
    return f"\n/* ---- {path.relative_to(SRC)} ---- */\n\n{text.strip()}\n"


def _unit(path: Path, done: set[Path]) -> str:
    text = _expanded(path, done)
    text = re.sub(r"(?<![\w.])\.L(?=[\w\\])", f".L{unit_name(path)}_", text)
    undefined = "".join(f"#undef {name}\n" for name in sorted(c_source.macros(text)))
    return f"\n/* ---- {path.relative_to(SRC)} ---- */\n\n{text.strip()}\n{_purged(text)}{undefined}"


def _expanded(path: Path, done: set[Path]) -> str:
    """The text with all that it includes, except the files in `done`, and without what is for C."""
    result: list[str] = []
    depth = 0
    for_c: int | None = None
    for line in lines_of(path):
        name, rest = c_source.directive(line) or ("", "")
        if name in ("if", "ifdef", "ifndef"):
            depth += 1
            if for_c is None and (name, rest) == ("ifndef", "__ASSEMBLER__"):
                for_c = depth
        if for_c is None:
            if name == "include" and (target := resolve(rest[1:-1], path)) is not None:
                if target not in done:
                    result.append(_expanded(target, done))
            else:
                result.append(line)
        if name == "endif":
            if depth == for_c:
                for_c = None
            depth -= 1
    return "".join(result)


def _purged(text: str) -> str:
    """Lines that purge the text's macros, each under the conditions under which it is defined."""
    found: list[str] = []
    stack: list[str] = []
    inside = 0
    for line in c_source.lines_of(text):
        name, rest = c_source.directive(line) or ("", "")
        if name in ("if", "ifdef", "ifndef"):
            guard = name == "ifndef" and rest.endswith(("_H", "_INC"))
            stack.append("1" if guard else {"if": rest, "ifdef": f"defined({rest})"}.get(name, f"!defined({rest})"))
        elif name == "else":
            stack[-1] = f"!({stack[-1]})"
        elif name == "elif":
            stack[-1] = f"!({stack[-1]}) && ({rest})"
        elif name == "endif":
            stack.pop()
        elif match := re.match(r"\s*\.(?:macro\s+(\w+)|altmacro)", line):
            inside += match[1] is not None
            if inside == 1 or match[1] is None:
                condition = " && ".join(f"({each})" for each in stack if each != "1") or "1"
                end = f".purgem {match[1]}" if match[1] else ".noaltmacro"
                found.append(f"#if {condition}\n    {end}\n#endif\n")
        elif re.match(r"\s*\.endm\b", line):
            inside -= 1
    return "".join(found)
