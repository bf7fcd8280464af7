# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page for those who come from another library: both sides of every row run, and give the same bytes. Its blocks run in
test_site_pages.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parent.parent / "site" / "pages" / "migrating.md"
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## From ", PAGE.read_text(), flags=re.MULTILINE)[1:]}
TABLES = {
    name: re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", part, re.MULTILINE)
    for name, part in SECTIONS.items()
    if "\n| --- |" in part
}


def value(code: str, names: dict) -> object:
    """Run statements that semicolons part, and return the value of the last."""
    *before, last = code.split("; ")
    for statement in before:
        exec(statement, names)
    return eval(last, names)


def test_every_library_has_ten_lines():
    assert [name.partition(" on ")[0] for name in SECTIONS] == [
        "pyca/cryptography",
        "PyCryptodome",
        "Tink",
        "libsodium",
        "mbedTLS",
        "age",
        "`openssl enc`",
        "rclone crypt",
    ]
    assert all(len(rows) >= 10 for rows in TABLES.values()) and len(TABLES) == 3
    for name in ("libsodium", "mbedTLS on micro-controllers"):
        code = SECTIONS[name].partition("```c\n")[2]
        prefix = "(?:crypto|sodium)_" if name == "libsodium" else "mbedtls_"
        assert len(set(re.findall(rf"\b{prefix}\w+(?=\()", code))) >= 10
        assert len(set(re.findall(r"\brunnel_\w+(?=\()", code))) >= 10
    for name, program in (("age", "age"), ("`openssl enc`", "openssl"), ("rclone crypt", "rclone")):
        code = SECTIONS[name].partition("```sh\n")[2].partition("```")[0]
        assert len(re.findall(rf"\b{program}(?:-keygen)? ", code)) >= 10 <= len(re.findall(r"\brunnel ", code))


@pytest.mark.parametrize("name", TABLES)
def test_both_sides_of_a_row_give_the_same_bytes(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "example"}
    exec(re.search(r"^```python\n(.*?)^```$", SECTIONS[name], re.MULTILINE | re.DOTALL)[1], names)
    compared = 0
    for there, here in TABLES[name]:
        theirs, ours = value(there, names), value(here, names)
        if isinstance(theirs, bytes):
            assert theirs == ours, there
            compared += 1
    assert compared >= 2
