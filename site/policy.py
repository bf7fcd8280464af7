# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes pages that hold under `default-src 'self'`: inline scripts and styles, Furo's and others', become files, and every
page states the policy. Adds what screen readers and the keyboard need."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

POLICY = "default-src 'self'"
WITH_WASM = f"{POLICY}; script-src 'self' 'wasm-unsafe-eval'"
"""Of the chooser, which measures a WebAssembly module."""

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_COLUMN = re.compile(r'(<col\b[^>]*?) style="[^"]*"')
_ATTRIBUTE = re.compile(r'<([a-z][\w-]*)((?:\s[^<>]*?)?)\sstyle="([^"]*)"([^<>]*)>')
_DATA_URL = re.compile(r"""url\((["']?)data:.*?\1\)""")


def apply(folder: Path) -> None:
    """Change all pages and style sheets under `folder` in place."""
    static = folder / "_static"
    classes: dict[str, str] = {}
    for page in sorted(folder.rglob("*.html")):
        up = os.path.relpath(static, page.parent)
        page.write_text(
            _page(page.read_text(), static, up, WITH_WASM if page.parent.name == "choose" else POLICY, classes)
        )
    rules = "".join(f".{name}{{{style}}}\n" for style, name in sorted(classes.items()))
    _write(static / "attributes.css", rules)
    for sheet in static.rglob("*.css"):
        sheet.write_text(_without_data_urls(sheet.read_text()))


def _page(text: str, static: Path, up: str, policy: str, classes: dict[str, str]) -> str:
    def script(match: re.Match[str]) -> str:
        return f'<script src="{up}/{_kept(static, match[1], "js")}"></script>'

    def style(match: re.Match[str]) -> str:
        return f'<link rel="stylesheet" href="{up}/{_kept(static, match[1], "css")}">'

    def attribute(match: re.Match[str]) -> str:
        tag, before, rule, after = match.groups()
        name = classes.setdefault(rule, f"style-{_digest(rule)}")
        rest, found = re.subn(r'\sclass="', f' class="{name} ', before + after, count=1)
        return f"<{tag}{rest}>" if found else f'<{tag} class="{name}"{rest}>'

    text = _STYLE.sub(style, _SCRIPT.sub(script, _COLUMN.sub(r"\1", text)))
    text = _ATTRIBUTE.sub(attribute, text)
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    text = re.sub(r'<meta charset="utf-8" ?/?>', head, text, count=1)
    text = text.replace("</head>", f'<link rel="stylesheet" href="{up}/attributes.css"></head>', 1)
    return _accessible(text)


NAMES = {
    '<aside class="sidebar-drawer">': "Contents",
    '<aside class="toc-drawer': "On this page",
    '<div class="content-icon-container">': "Light or dark",
}
"""Parts of Furo's pages that screen readers list, by name."""


def _accessible(text: str) -> str:
    """Let the keyboard scroll code and tables, name the parts of a page and the page of the search, and take away captions'
    claim to be headings of no level."""
    text = text.replace(' role="heading"', "").replace("<pre>", '<pre tabindex="0">')
    text = text.replace(
        '<div id="search-results"></div>', '<h1>Search</h1>\n<div id="search-results" role="status"></div>'
    )
    for beginning, name in NAMES.items():
        tag, _, rest = beginning.partition(" ")
        role = 'role="navigation" ' if tag == "<div" else ""
        text = text.replace(beginning, f'{tag} {role}aria-label="{name}" {rest}', 1)
    return re.sub(r'<div class="table-wrapper\b[^"]*"', r'\g<0> tabindex="0"', text)


def _without_data_urls(text: str) -> str:
    """Take away pictures that are written into a style sheet, which the policy forbids. A mask cannot be a file either: a
    page that is a file may not read it."""
    return _DATA_URL.sub("none", text)


def _kept(static: Path, text: str, suffix: str) -> str:
    """Write a text to a file that is named by it; return the name."""
    name = f"inline-{_digest(text)}.{suffix}"
    _write(static / name, text.strip() + "\n")
    return name


def _write(file: Path, text: str) -> None:
    if not file.exists():
        file.write_text(text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
