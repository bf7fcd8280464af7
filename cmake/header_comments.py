# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads the comments and declarations of a public header. The manual pages and the site's C reference are made from them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_FUNCTION = re.compile(r"^RUNNEL_API\s+((?:[^;/]|/(?!\*))*?\b(runnel_\w+)\([^;]*?\));", re.DOTALL | re.MULTILINE)
_NOISE = re.compile(r"\b(RUNNEL_API|RUNNEL_MUST_CHECK|RUNNEL_IN_FLASH)\b\s*")


def head(text: str) -> str:
    """Return the comment that says what the header is for: the second one, behind the licence."""
    found = _COMMENT.findall(text)
    return _words(found[1]) if len(found) > 1 else ""


def functions(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, declaration and comment of each function; a comment stands for all declarations right behind it."""
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


def _words(comment: str) -> str:
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    return "\n".join(lines).strip()
