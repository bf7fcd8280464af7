#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the site: build/site, of documents, headers, docstrings and results that are kept. `make site` calls it.

build/site-venv/bin/python site/build.py [--no-wasm] [FOLDER]
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "packaging"), str(ROOT / "packaging" / "javascript")]
import chooser_page
import headers
import papers_pages
import taken_documents
from pygments.formatters import HtmlFormatter
from runnel_lab import pictures
from runnel_lab.choose import rules
from sphinx.cmd.build import main as sphinx

FAMILIES = ("aes_ctr", "aes_gcm", "chacha20_poly1305", "salsa20")
"""Algorithms that "My browser" measures."""


def build(folder: Path, with_wasm: bool = True) -> None:
    """Makes all of it. Raises SystemExit where Sphinx complains: a page without a place, a link that leads nowhere."""
    work = folder.with_name(folder.name + "-pages")
    for each in (folder, work):
        shutil.rmtree(each, ignore_errors=True)
    pages = work / "pages"
    taken_documents.collect(pages, folder / "source")
    for place, generated in (("papers", papers_pages.pages()), ("reference/c", headers.pages())):
        (pages / place).mkdir(parents=True, exist_ok=True)
        for name, text in generated:
            (pages / place / f"{name}.md").write_text(text)
    status = sphinx(
        [
            "-q",
            "-W",
            "--keep-going",
            "-b",
            "html",
            "-c",
            str(HERE),
            "-d",
            str(work / "doctrees"),
            str(pages),
            str(folder),
        ]
    )
    if status:
        raise SystemExit("Sphinx complained")
    tidy(folder)
    styles(folder / "_static")
    choose(folder / "choose", work, with_wasm)


def tidy(folder: Path) -> None:
    """Take away what the content policy forbids and what screen readers stumble on: styles in attributes, and captions that
    claim to be headings of no level. Code and tables may scroll, which the keyboard can reach."""
    for page in folder.rglob("*.html"):
        text = re.sub(r' style="[^"]*"| role="heading"', "", page.read_text()).replace("<pre>", '<pre tabindex="0">')
        text = re.sub(
            r'<table class="docutils.*?</table>', r'<div class="scroll" tabindex="0">\g<0></div>', text, flags=re.DOTALL
        )
        page.write_text(text)


def styles(static: Path) -> None:
    """Return the charts' colours, and those of code for light and dark."""
    with (static / "runnel.css").open("a") as file:
        file.write(pictures.STYLE)
    rules_of = {"light": "xcode", "dark": "github-dark"}
    css = "/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n"
    for scheme, style in rules_of.items():
        text = HtmlFormatter(style=style).get_style_defs(".highlight")
        css += f"@media (prefers-color-scheme: {scheme}) {{\n{text}\n}}\n"
    (static / "code.css").write_text(css)


def choose(folder: Path, work: Path, with_wasm: bool) -> None:
    folder.mkdir()
    data = rules.load()
    text = rules.FILE.read_text()
    (folder / "index.html").write_text(chooser_page.page(data))
    (folder / "cipher-data.json").write_text(text)
    script = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    (folder / "cipher-data.js").write_text(f"window.cipherData = {script};\n")
    for file in [*sorted(HERE.glob("choose/*.js")), *sorted(HERE.glob("choose/*.css"))]:
        shutil.copy(file, folder)
    if with_wasm:
        import wasm

        wasm.make_package(folder / "wasm", work / "wasm", FAMILIES)


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the site.")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "site")
    parser.add_argument("--no-wasm", action="store_true", help="without what My browser measures")
    options = parser.parse_args()
    build(options.folder.resolve(), not options.no_wasm)
    print(f"{options.folder}: {sum(1 for _ in options.folder.rglob('*.html'))} pages")


if __name__ == "__main__":
    main()
