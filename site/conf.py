# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sphinx's settings; build.py calls it, on pages that it has collected."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
project = "Runnel"
version = release = (HERE.parent / "VERSION").read_text().strip()
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
html_theme = "runnel"
html_theme_path = ["theme"]  # from here: the path of a checkout would be in .buildinfo
html_title = "Runnel"
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # it would load pages by script, which a file may not
html_domain_indices = False
html_permalinks_icon = "¶"
html_extra_path = []
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
pygments_style = "default"
highlight_language = "none"
suppress_warnings = ["myst.header", "misc.highlighting_failure", "toc.not_included"]
nitpicky = False
