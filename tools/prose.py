#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Lints the prose of documents, public headers, docstrings and the command line's help.

.venv/bin/python tools/prose.py [FILE...]

proselint does the work, with the project's rules in tools/prose.toml beside some of its own. Code, links' targets and
quotations are left out. Prints a line for each finding; exits with status 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from proselint.checks import __register__ as builtin
from proselint.registry.checks import Check
from proselint.registry.checks.engine import Fancy
from proselint.registry.checks.types import ExistenceSimple

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "tools" / "prose.toml"

NOT_PROSE = {
    ".md": r"^```.*?^```|\[[^\]]*\]\([^)]*\.toml\)|<!--.*?-->|^ {4}.*?$|`[^`]+`|\]\([^)]*\)|<[^>]+>|\"[^\"\n]*\"",
    ".h": r"\"[^\"\n]*\"",
    ".py": r"^>>> .*?$|^    .*?$|`[^`]+`|\"[^\"\n]*\"|\b\w+\(.*?\)",
}


class Finding(NamedTuple):
    """Words in a file that break a rule."""

    file: str
    line: int
    words: str
    rule: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {' '.join(self.words.split())!r}: {self.rule}"


@cache
def settings() -> dict:
    return tomllib.loads(RULES.read_text(encoding="utf-8"))


@cache
def checks() -> tuple[Check, ...]:
    """Return the project's rules, and those of proselint that prose.toml names."""
    ours = tuple(
        Check(ExistenceSimple(rule["words"].replace(" ", r"\s+")), Fancy(), "runnel", rule["instead"])
        for rule in settings()["rule"]
    )
    chosen = settings()["proselint"]
    return ours + tuple(check for check in builtin if any(map(check.matches_partial, chosen)))


def blanked(text: str, pattern: str) -> str:
    """Return the text with what matches exchanged for signs that no rule knows, so that every line keeps its number."""
    return re.sub(pattern, lambda found: re.sub(r"\S", "#", found[0]), text, flags=re.MULTILINE | re.DOTALL)


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the comments of a C header, each with the number of its first line."""
    text = path.read_text(encoding="utf-8")
    for found in re.finditer(r"/\*.*?\*/", text, re.DOTALL):
        yield text.count("\n", 0, found.start()) + 1, re.sub(r"^ \*", "  ", found[0], flags=re.MULTILINE)


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of a Python file that are public, and what --help prints, with the number of their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text and not getattr(node, "name", "").startswith("_"):
                yield node.body[0].lineno, text
        elif isinstance(node, ast.keyword) and node.arg in ("help", "epilog", "short_help"):
            for part in ast.walk(node.value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.lineno, part.value


def whole(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the text of a document."""
    yield 1, path.read_text(encoding="utf-8")


READ: dict[str, Callable[[Path], Iterator[tuple[int, str]]]] = {".md": whole, ".h": comments, ".py": docstrings}


def findings(text: str, kind: str, name: str = "text", first_line: int = 1) -> Iterator[Finding]:
    """Yield what breaks a rule in a text; kind is the suffix of the file that it is from."""
    prose = f"\n{blanked(text, NOT_PROSE[kind])}\n"
    for check in checks():
        for result in check.check_with_flags(prose):
            start, end = result.span
            line = prose.count("\n", 1, start + len(prose[start:end]) - len(prose[start:end].lstrip()))
            yield Finding(name, first_line + line, prose[start:end], result.message)


def lint(path: Path) -> list[Finding]:
    """Return what breaks a rule in a file, in the order of its lines."""
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
    texts = READ[path.suffix](path)
    return sorted(each for line, text in texts for each in findings(text, path.suffix, name, line))


def files() -> list[Path]:
    """Return the files of the checkout that are for readers, as prose.toml lists them."""
    kept = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *settings()["files"]],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")[:-1]
    return [ROOT / name for name in kept if (ROOT / name).is_file()]


def main() -> int:
    """Print the findings in the files named, or in all."""
    found = [each for path in map(Path, sys.argv[1:] or files()) for each in lint(path.resolve())]
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
