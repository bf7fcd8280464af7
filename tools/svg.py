# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared by the pictures of the documents: a page of their own ground, light, or dark where the reader asks for that."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape


def page(
    width: int, height: int, title: str, colours: Mapping[str, tuple[str, str]], parts: list[str], style: str = ""
) -> str:
    """Returns a picture. title: in words what it shows; colours: by class the fill in light and in dark; parts: its
    elements; style: more rules for them."""
    light = "".join(f".{name}{{fill:{on_light}}}" for name, (on_light, _) in colours.items())
    dark = "".join(f".{name}{{fill:{on_dark}}}" for name, (_, on_dark) in colours.items())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-size="13"'
            ' font-family="system-ui, sans-serif">',
            "<!-- SPDX-License-Identifier: Apache-2.0 OR MIT -->",
            f"<title>{escape(title)}</title>",
            f"<style>.page{{fill:#fff}}text{{fill:#1f2328}}{light}.less{{font-weight:600}}{style}"
            f"@media(prefers-color-scheme:dark){{.page{{fill:#0d1117}}text{{fill:#e6edf3}}{dark}}}"
            "</style>",
            f'<rect class="page" width="{width}" height="{height}" rx="6"/>',
            *parts,
            "</svg>",
        ]
    )
