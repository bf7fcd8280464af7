# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The site's tables of all that is recorded in results/ and lab/results: a page for each cipher and each machine, and one for
each kind of comparison. The documents of the repository have a few cells of these by hand, and links."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tools")]


class Page(NamedTuple):
    name: str
    title: str
    text: str
    """Markdown, without the title if `folder` has a README: the text then follows that."""
    folder: str = "docs"
    """The folder of the repository that links are relative to."""


@functools.cache
def folders() -> tuple[Path, ...]:
    """Return the folders of all ciphers and MACs."""
    return tuple(sorted(readme.parent for readme in (ROOT / "src").glob("*/*/README.md")))


def places() -> dict[str, str]:
    """Return where what is recorded, and what the READMEs of ciphers say, lies on the site, by its path in the repository."""
    found = {f"{folder.relative_to(ROOT)}/README.md": f"figures/{folder.name}.md" for folder in folders()}
    for speed in sorted((ROOT / "results").glob("*/speed.json")):
        found[str(speed.relative_to(ROOT))] = f"figures/speed-{speed.parent.name}.md"
    return found


def link(path: str, folder: str) -> str:
    """Return a path of the repository as a page in `folder` has to write it."""
    return os.path.relpath(path, folder)


def pages() -> Iterator[Page]:
    from figures import charts, ciphers, comparisons, lab_tables, packets, proofs, reliability

    for module in (charts, comparisons, lab_tables, packets, proofs, reliability, ciphers):
        yield from module.pages()


def index(found: list[Page]) -> str:
    """Return the page that lists the others."""
    links = "\n".join(f"- [{page.title}]({page.name}.md)" for page in found)
    contents = "\n".join(page.name for page in found)
    return (
        "# Figures\n\nAll that is recorded, as tables: speed on x86-64 beside other libraries, every kernel on other "
        "processors, what was tried to find faults. Each page says how its figures came about; [performance]"
        "(../guide/performance.md) has the few that decide which cipher to take.\n\n"
        f"{links}\n\n```{{toctree}}\n:hidden:\n{contents}\n```\n"
    )
