# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every block of site/pages runs: Python and shell in a folder of their own, C compiled against the library that was built.
The figures in the papers' pages are those of the lab, and pictures have words for what they show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from runnel_lab import pictures
from runnel_lab.choose import rules
from test_site_rules import headers

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))
PAGES = sorted((ROOT / "site" / "pages").rglob("*.md"))
sys.path.insert(0, str(ROOT / "site"))
import chooser_page
import papers_pages
import policy
import taken_documents
from headers import page as header_page
from headers import public


def blocks(language: str) -> dict[str, str]:
    found = {}
    for page in PAGES:
        texts = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        for number, text in enumerate(texts):
            found[f"{page.stem} {number}"] = text
    return found


PEERS = {"sodium.h": "-lsodium", "mbedtls/": "-lmbedcrypto"}
"""Of the libraries that a page compares ours with: what a program links that includes their headers."""

PYTHON, C, SHELL = (blocks(language) for language in ("python", "c", "sh"))


def test_every_block_is_one_that_runs():
    for page in PAGES:
        languages = re.findall(r"^```(\S+)", page.read_text(), re.MULTILINE)
        assert set(languages) <= {"python", "c", "sh", "{toctree}", "{eval-rst}"}, page
    assert len(PYTHON) >= 8 and len(C) >= 3 and len(SHELL) >= 6


@pytest.mark.parametrize("name", PYTHON)
def test_python(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(PYTHON[name], name, "exec"), {"__name__": "example"})


@pytest.mark.parametrize("name", C)
def test_c(name, tmp_path):
    (tmp_path / "example.c").write_text(C[name])
    includes = [f"-I{BUILD / 'generated'}", f"-I{ROOT / 'include'}", *headers(tmp_path)]
    command = [
        "cc",
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        *includes,
        "example.c",
        BUILD / "librunnel.a",
        *(library for header, library in PEERS.items() if f"#include <{header}" in C[name]),
        "-o",
        "example",
    ]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "example"], check=True, capture_output=True)


@pytest.mark.parametrize("name", SHELL)
def test_shell(name, tmp_path):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}"}
    environment["RUNNEL_SOURCE"] = str(ROOT)
    done = subprocess.run(
        ["sh", "-eu"], input=SHELL[name], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_all_guides_are_in_the_contents():
    """Everything that is taken or written has a place; what is listed is there."""
    index = (ROOT / "site" / "pages" / "index.md").read_text()
    listed = set(
        re.findall(
            r"^(?:[^\n<]*<)?((?:guide|reference|lab|security|papers)/[\w/-]+|install|migrating)>?$", index, re.MULTILINE
        )
    )
    there = {str(page.relative_to(ROOT / "site" / "pages"))[:-3] for page in PAGES} - {"index"}
    there |= {place[:-3] for source, place in taken_documents.TAKEN.items() if (ROOT / source).exists()}
    assert there <= listed and listed - there <= {"papers/index", "reference/c/index"}


def test_links_of_documents_lead_to_pages_or_copies(tmp_path):
    text = taken_documents.rewritten(
        "[a](python.md#packets) [b](../src/core/counter.c) [c](../src) [d](https://example.org)\n```sh\n[e](python.md)\n```\n",
        "docs/openssl.md",
        "guide/provider.md",
        tmp_path / "files",
        tmp_path / "pages",
    )
    assert "[a](python.md#packets)" in text and "[d](https://example.org)" in text and "```sh\n[e](python.md)" in text
    assert '<a href="../source/src/core/counter.c.txt">b</a>' in text and "c (`src`)" in text
    assert (tmp_path / "files" / "src" / "core" / "counter.c.txt").read_text() == (
        ROOT / "src" / "core" / "counter.c"
    ).read_text()


def test_a_papers_page_has_its_question_figures_and_pictures():
    pages = dict(papers_pages.pages())
    lines = papers_pages.comparison.rows(ROOT, "fixslicing-rv32")
    page = pages["fixslicing-rv32"]
    assert page.count("<svg") == 4
    for line in lines:
        if line["paper"] is not None and line["ours"] is not None:
            assert f'<td class="number">{papers_pages.pictures_figure(line["ours"])}</td>' in page
    both = [x for x in lines if None not in (x["paper"], x["ours"])]
    more = [x for x in both if (x["ours"] > x["paper"]) == (x["unit"] == "%")]
    assert f"Ours is the better in {len(more)} of {len(both)} figures" in page
    del pages["index"]
    cards = papers_pages.cards()
    for name, text in pages.items():
        about = papers_pages.papers.describe(ROOT, name)
        assert (
            about.question.endswith("?") and f"**The question.** {about.question}" in text and about.question in cards
        )
        assert f"    runnel lab reproduce {name}\n" in text and text.count("<svg") >= 3
        assert "## What holds\n" in text and about.holds in text
        notes = [note for _, of_title in papers_pages.verdicts(about.notes) for note in of_title]
        assert len(notes) == len(about.notes) and all(f"- {note}" in text for note in notes)


def test_notes_on_papers_stand_under_their_headings():
    notes = [
        "Holds: a.",
        "Does not hold by itself: b.",
        "Left out in the paper: c.",
        "Ours does better: d.",
        "Literal: e.",
    ]
    assert dict(papers_pages.verdicts(notes)) == {
        "What holds": ["A."],
        "What does not hold, or is open": ["Does not hold by itself: b.", "Left out in the paper: c."],
        "What ours does better": ["D."],
        "Besides": ["Literal: e."],
    }


def test_every_question_of_the_chooser_is_in_a_group():
    data = rules.load()
    page = chooser_page.page(data)
    assert page.count("<fieldset>") == len(data["rules"]["groups"]) == 3
    for asked in data["rules"]["questions"]:
        of_group = page.partition(f"<legend>{data['rules']['groups'][asked['group']]}</legend>")[2].partition(
            "</fieldset>"
        )[0]
        assert f'id="{asked["name"]}"' in of_group


def test_pages_hold_under_their_policy(tmp_path):
    """Inline scripts and styles become files, each once; what a style sheet has as data goes."""
    (tmp_path / "_static").mkdir()
    (tmp_path / "choose").mkdir()
    (tmp_path / "_static" / "theme.css").write_text(
        """a{--icon:url('data:image/svg+xml,<svg viewBox="0 0 1 1"/>')}b{c:url(d.svg)}"""
    )
    text = (
        '<html><head><meta charset="utf-8"><style>a{}</style></head><body><script>one();</script>'
        '<p style="color: red" class="x">b</p><col style="width: 9%"><i style="color: red">c</i></body></html>'
    )
    for place in ("a.html", "choose/b.html"):
        (tmp_path / place).write_text(text)
    policy.apply(tmp_path)
    assert (tmp_path / "_static" / "theme.css").read_text() == "a{--icon:none}b{c:url(d.svg)}"
    (name,) = (path.name for path in (tmp_path / "_static").glob("inline-*.js"))
    (sheet,) = (path.name for path in (tmp_path / "_static").glob("inline-*.css"))
    (rule,) = (tmp_path / "_static" / "attributes.css").read_text().splitlines()
    marked = rule[1:].partition("{")[0]
    assert rule == f".{marked}{{color: red}}"
    for place, up, wasm in (("a.html", "", ""), ("choose/b.html", "../", "; script-src 'self' 'wasm-unsafe-eval'")):
        page = (tmp_path / place).read_text()
        assert f'<meta http-equiv="Content-Security-Policy" content="default-src \'self\'{wasm}">' in page
        assert f'<script src="{up}_static/{name}"></script>' in page and f'href="{up}_static/{sheet}"' in page
        assert f'<p class="{marked} x">b</p><col><i class="{marked}">c</i>' in page and "style=" not in page


def test_pictures_say_in_words_what_they_show():
    points = [("a", 1, 10), ("b", 2, 5), ("c", 3, 7), ("d", 2, 9)]
    assert [name for name, _, _ in pictures.pareto(points)] == ["a", "b"]
    for picture in (
        pictures.scatter("what <it> shows", points, "x", "y"),
        pictures.lines("what <it> shows", [pictures.Series("a", [(1, 1), (10, 5)])], "x", "y"),
        pictures.bars("what <it> shows", [pictures.Bar("row", [("ours", 2.0, "2")])], "note"),
    ):
        assert 'role="img" aria-label="what &lt;it&gt; shows"' in picture and "style" not in picture
    assert "<style>" in pictures.standalone(picture) and "xmlns" in pictures.standalone(picture)


def test_the_c_reference_has_every_function_with_its_comment():
    names = {header.name for header in public()}
    assert {"runnel.h", "aead.h", "aes.h", "chacha20.h", "poly1305.h", "ascon.h"} <= names
    aead = next(header for header in public() if header.name == "aead.h")
    page = header_page(aead)
    for name in re.findall(r"RUNNEL_API[^;]*?\b(runnel_\w+)\(", aead.read_text()):
        assert f"### `{name}`" in page, name
    _, _, verify = page.partition("### `runnel_aead_verify`")
    assert "compares its tag, in constant time" in verify.partition("###")[0]
