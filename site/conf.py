# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sphinx's settings; build.py calls it, on pages that it has collected."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
project = "Runnel"
version = release = (HERE.parent / "VERSION").read_text().strip()
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "sphinx_design"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
html_theme = "furo"
html_theme_options = {"top_of_page_buttons": []}
html_static_path = ["static"]
html_css_files = ["runnel.css", "charts.css"]
html_favicon = "static/runnel.svg"
html_title = f"Runnel {version}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # it would load pages by script, which a file may not
html_domain_indices = False
html_permalinks_icon = "¶"
html_extra_path = []
copybutton_exclude = ".linenos, .gp, .go"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
pygments_style = "xcode"
pygments_dark_style = "github-dark"
highlight_language = "none"
suppress_warnings = ["myst.header", "misc.highlighting_failure", "toc.not_included"]
nitpicky = False
