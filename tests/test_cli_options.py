# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Values of options: names of files, sizes, and what is typed on a terminal. More is in tests/cli."""

import click
import pytest
from cli_program import commands, refused
from runnel.cli.values import FileName, KeyOrFileName, size_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the current folder, with a key in a file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").write_text("000102030405060708090a0b0c0d0e0f")
    return tmp_path


@pytest.mark.parametrize("command", ["encrypt", "decrypt", "keygen", "xor", "store encrypt", "store ls", "key export"])
def test_an_empty_name_is_no_file(folder, command):
    """A script's variable that is not set: `--only ""` must not mean all objects."""
    words = command.split()
    for parameter in next(each for each, name in commands() if name[1:] == words).params:
        if isinstance(parameter.type, FileName) and not isinstance(parameter.type, KeyOrFileName):
            given = [parameter.opts[0], ""] if isinstance(parameter, click.Option) else ["", ""]
            assert "empty file name" in refused(*words, *given, status=2)


SIZES = {
    "0": 0,
    "4096": 4096,
    "1K": 1 << 10,
    "1k": 1 << 10,
    "3KiB": 3 << 10,
    "64M": 64 << 20,
    "2G": 2 << 30,
    "1T": 1 << 40,
    "0" * 5000 + "7k": 7 << 10,
    "9" * 60: 10**60 - 1,
    "9" * 5000: 10**60,
}
NO_SIZES = ("", "K", "1 K", "1KB", "1.5K", "-1", "+1", "1e3", "0x10", "٣")


@pytest.mark.parametrize(
    "text, size", [*SIZES.items(), *((text, None) for text in NO_SIZES)], ids=lambda each: str(each)[:9]
)
def test_sizes(text, size):
    assert size_of(text) == size
