# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C reference: a page for each public header, of its comments and declarations as they stand."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from public_headers import text_of

_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_FUNCTION = re.compile(r"^RUNNEL_API\s+((?:[^;/]|/(?!\*))*?\b(runnel_\w+)\([^;]*?\));", re.DOTALL | re.MULTILINE)
_NOISE = re.compile(r"\b(RUNNEL_API|RUNNEL_MUST_CHECK|RUNNEL_IN_FLASH)\b\s*")


def public() -> list[Path]:
    """Returns the headers that are installed: those of include/, and one of each folder of the library."""
    own = [
        path
        for folder in ("ciphers", "macs", "aead", "modes")
        for path in sorted((ROOT / "src" / folder).glob("*/*.h"))
        if path.stem == path.parent.name
    ]
    return [*sorted((ROOT / "include" / "runnel").glob("*.h")), *own]


def pages() -> Iterator[tuple[str, str]]:
    """Yields the name and the Markdown of each page, the list of them first."""
    headers = public()
    rows = "\n".join(f"- [`<runnel/{header.name}>`]({header.stem}.md): {_first(header)}" for header in headers)
    toc = "\n".join(header.stem for header in headers)
    yield (
        "index",
        "# C\n\nMade of the headers. [`<runnel/verbs.h>`](verbs.md) says what the functions of every cipher do, "
        f"[`<runnel/aead.h>`](aead.md) what those of every AEAD do; [the guide](../../guide/c.md) begins at the "
        f"beginning.\n\n{rows}\n\n"
        f"```{{toctree}}\n:hidden:\n{toc}\n```\n",
    )
    for header in headers:
        yield header.stem, page(header)


def _first(header: Path) -> str:
    text = _head(text_of(header))
    return re.split(r"(?<=[a-z\)])[.:](?:\s|$)", text.replace("\n", " "), maxsplit=1)[0].strip() + "."


def _head(text: str) -> str:
    """Return the comment that says what the header is for: the second one, behind the licence."""
    found = _COMMENT.findall(text)
    return _words(found[1]) if len(found) > 1 else ""


def _words(comment: str) -> str:
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    return "\n".join(lines).strip()


def page(header: Path) -> str:
    text = text_of(header)
    parts = [f"# `<runnel/{header.name}>`", "```text\n" + _head(text) + "\n```", "## Functions"]
    functions = list(_functions(text))
    if not functions:
        parts.pop()
    for name, signature, comment in functions:
        parts += [f"### `{name}`", f"```c\n{signature}\n```", f"```text\n{comment}\n```" if comment else ""]
    parts += ["## The header", "```c\n" + text.rstrip() + "\n```"]
    return "\n\n".join(filter(None, parts)) + "\n"


def _functions(text: str) -> Iterator[tuple[str, str, str]]:
    """Name, declaration and comment of each function; a comment stands for all declarations right behind it."""
    comment = ""
    last = 0
    for match in _FUNCTION.finditer(text):
        between = text[last : match.start()]
        found = _COMMENT.findall(between)
        if found and not between[between.rindex("*/") + 2 :].strip():
            comment = _words(found[-1])
        elif between.strip():
            comment = ""
        last = match.end()
        yield match[2], re.sub(r"\s+", " ", _NOISE.sub("", match[1])) + ";", comment
