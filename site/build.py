#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the site: build/site, of documents, headers, docstrings and results that are kept. `make site` calls it.

build/site-venv/bin/python site/build.py [--no-wasm] [FOLDER]
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "packaging"), str(ROOT / "packaging" / "javascript")]
import chooser_page
import headers
import papers_pages
import policy
import taken_documents
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
    data = rules.load()
    chooser = [("index", chooser_page.page(data))]
    for place, generated in (("papers", papers_pages.pages()), ("reference/c", headers.pages()), ("choose", chooser)):
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
    (folder / "_static" / "charts.css").write_text(pictures.SITE_STYLE)
    choose(folder / "choose", data, work, with_wasm)
    policy.apply(folder)


def choose(folder: Path, data: rules.Data, work: Path, with_wasm: bool) -> None:
    """Put the chooser's data and scripts beside its page."""
    (folder / "cipher-data.json").write_text(rules.FILE.read_text())
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
