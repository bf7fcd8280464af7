# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Collects the site's pages: those of site/pages, and documents of the repository, whose links then lead to pages of the site
or, for source files, to copies of these."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import figures
import papers_pages
from figures import comparisons

ROOT = Path(__file__).resolve().parent.parent
TAKEN = {
    "docs/python.md": "guide/python.md",
    "docs/command-line.md": "reference/command-line.md",
    "docs/file-formats.md": "guide/file-formats.md",
    "docs/scale.md": "guide/object-stores.md",
    "docs/openssl.md": "guide/provider.md",
    "docs/aegis.md": "guide/aegis.md",
    "docs/gpu.md": "guide/gpu.md",
    "docs/srtp.md": "guide/srtp.md",
    "docs/packages.md": "guide/packages.md",
    "docs/ciphers.md": "reference/ciphers.md",
    "src/aead/README.md": "reference/aeads.md",
    "src/macs/README.md": "reference/macs.md",
    "docs/performance.md": "guide/performance.md",
    "docs/timing-models.md": "lab/timing-models.md",
    "docs/adding-a-cipher.md": "lab/adding-a-cipher.md",
    "docs/adding-a-kernel.md": "lab/adding-a-kernel.md",
    "docs/packets-on-the-node.md": "lab/packets-on-the-node.md",
    "lab/README.md": "lab/README.md",
    "examples/firmware/README.md": "guide/firmware-example.md",
    "packaging/javascript/README.md": "guide/javascript.md",
    "SECURITY.md": "security/policy.md",
    "docs/reliability.md": "security/reliability.md",
    "docs/incidents.md": "security/incidents.md",
    "VERSIONING.md": "security/versioning.md",
    "CHANGELOG.md": "security/changelog.md",
    "CONTRIBUTING.md": "lab/contributing.md",
    "ARCHITECTURE.md": "lab/architecture.md",
    "docs/decisions.md": "lab/decisions.md",
}
"""Where each lies on the site; one that the repository does not have is passed over."""

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
GENERATED = {"chart": comparisons.chart, "papers": papers_pages.cards}
"""What stands on our own pages where a comment says "generated:" and its name."""
_GENERATED = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)
_FENCE = re.compile(r"(^```.*?^```[ ]*$)", re.MULTILINE | re.DOTALL)


def collect(pages: Path, files: Path) -> None:
    """Put all Markdown under `pages`, and the source files that it links to under `files`."""
    for page in sorted((ROOT / "site" / "pages").rglob("*.md")):
        place = page.relative_to(ROOT / "site" / "pages")
        _write(pages / place, filled(page.read_text()))
    for source, place in TAKEN.items():
        if (ROOT / source).exists():
            _write(pages / place, rewritten((ROOT / source).read_text(), source, place, files, pages))
    found = list(figures.pages())
    for page in found:
        readme = ROOT / page.folder / "README.md"
        head = f"# {page.title}" if page.folder == "docs" else readme.read_text()
        place = f"figures/{page.name}.md"
        text = rewritten(f"{head}\n\n{page.text}\n", f"{page.folder}/README.md", place, files, pages)
        _write(pages / place, text)
    _write(pages / "figures" / "index.md", figures.index(found))


def filled(text: str) -> str:
    return _GENERATED.sub(lambda match: GENERATED[match[1]](), text)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def rewritten(text: str, source: str, place: str, files: Path, pages: Path) -> str:
    """Return the Markdown with links that hold on the site; code stays as it is."""
    recorded = figures.places()

    def link(match: re.Match[str]) -> str:
        picture, words, target = match.groups()
        path, hash_, anchor = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return match[0]
        wanted = os.path.normpath(os.path.join(os.path.dirname(source), path))
        if there := TAKEN.get(wanted) or recorded.get(wanted):
            return f"{picture}[{words}]({_from(place, there)}{hash_}{anchor})"
        if picture:
            shutil.copy(ROOT / wanted, (pages / place).parent)
            return f"![{words}]({Path(wanted).name})"
        if (ROOT / wanted).is_file():
            copy = files / (wanted + ".txt")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / wanted, copy)
            return f'<a href="{_from(place, "source/" + wanted)}.txt">{_plain(words)}</a>'
        return words if words.startswith("`") else f"{words} (`{wanted}`)"

    (pages / place).parent.mkdir(parents=True, exist_ok=True)
    parts = _FENCE.split(text)
    return "".join(part if n % 2 else _LINK.sub(link, part) for n, part in enumerate(parts))


def _plain(words: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", words.replace("&", "&amp;").replace("<", "&lt;"))


def _from(place: str, target: str) -> str:
    return os.path.relpath(target, os.path.dirname(place) or ".")
