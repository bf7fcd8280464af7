# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C reference: a page for each public header, of its comments and declarations as they stand."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "cmake"), str(ROOT / "tools")]
from header_comments import functions, head
from public_headers import text_of


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
    text = head(text_of(header))
    return re.split(r"(?<=[a-z\)])[.:](?:\s|$)", text.replace("\n", " "), maxsplit=1)[0].strip() + "."


def page(header: Path) -> str:
    text = text_of(header)
    parts = [f"# `<runnel/{header.name}>`", "```text\n" + head(text) + "\n```", "## Functions"]
    listed = list(functions(text))
    if not listed:
        parts.pop()
    for name, signature, comment in listed:
        parts += [f"### `{name}`", f"```c\n{signature}\n```", f"```text\n{comment}\n```" if comment else ""]
    parts += ["## The header", "```c\n" + text.rstrip() + "\n```"]
    return "\n\n".join(filter(None, parts)) + "\n"
