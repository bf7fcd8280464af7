# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Documents, headers, docstrings and the command line's help keep the rules on words in tools/prose.toml, and the linter sees
what breaks them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import prose


def test_prose_keeps_the_rules():
    read = prose.files()
    assert {path.suffix for path in read} == set(prose.READ) and len(read) > 100
    assert [str(each) for path in read for each in prose.lint(path)] == []


PLANTED = {
    "said": "The file is of the said format.",
    "goes on": "The stream\ngoes on behind it.",
    "have it": "No other libraries have it.",
    "by hand": "Figures are copied by hand.",
    "byte more": "The packet has a byte more.",
    "judged": "Wheels are judged by auditwheel.",
    "alone": "It depends on the key alone.",
    "together": "It makes both together.",
    "what there is": "The command lists what there is.",
    "What is": "What is measured is written down.",
    "whoever": "It is open to whoever asks.",
    "thereof": "The key, or parts thereof.",
    "added bonus": "Speed is an added bonus.",
}


@pytest.mark.parametrize("words", PLANTED)
def test_a_planted_sentence_is_found(words):
    [found] = prose.findings(f"# A title\n\n{PLANTED[words]}\n", ".md")
    assert " ".join(found.words.split()) == words and found.line >= 3


def test_code_and_questions_are_left_out():
    text = '`said`, [a](said.md), "said"\n\n```\nsaid\n```\n\n    said\n\nWhat is an AEAD? It stands alone.\n'
    assert list(prose.findings(text, ".md")) == []


def test_comments_docstrings_and_help_are_read(tmp_path):
    header, module = tmp_path / "a.h", tmp_path / "a.py"
    header.write_text("int said;\n/* One line,\n * then the said one. */\n")
    module.write_text(
        'def shown():\n    """Tell what was said."""\n    option(help="As said.")\n\n\ndef _hidden():\n    """Said."""\n'
    )
    assert [found.line for found in prose.lint(header)] == [3]
    assert [found.line for found in prose.lint(module)] == [2, 2, 3]


def test_the_command_ends_with_status_1(tmp_path):
    (tmp_path / "a.md").write_text("As said.\n")
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "prose.py", tmp_path / "a.md"], capture_output=True, text=True
    )
    assert done.returncode == 1 and done.stdout.startswith(f"{tmp_path}/a.md:1: 'said': ")
