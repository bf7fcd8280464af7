# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An option that takes one value and is given twice is refused, in every command; what may be repeated still may."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from cli_program import accepted, commands, listing, output_of, refused, runnel

ROOT = Path(__file__).resolve().parent.parent
RAW = ("keystream", "--cipher", "chacha20", "--iv", "00" * 12, "--key-hex", "00" * 32, "--bytes", 4, "--hex")


def _words_and_options():
    for command, words in commands():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                yield " ".join(words[1:]), parameter


OPTIONS = list(_words_and_options())
ONE_VALUE = [(words, each) for words, each in OPTIONS if not each.is_flag and not each.multiple]
PAIRS = [(words, each) for words, each in OPTIONS if each.is_flag and each.secondary_opts]


@pytest.mark.parametrize("words, option", ONE_VALUE, ids=lambda each: getattr(each, "name", each))
def test_one_value_is_given_once(words, option):
    for spelling in option.opts:
        line = refused(*words.split(), spelling, "1", spelling, "1", status=2)
        assert line == f"option '{spelling}' is given twice (see {f'runnel {words}'.strip()} --help)"
    if len(option.opts) > 1:
        one, other = option.opts
        line = refused(*words.split(), one, "1", other, "1", status=2)
        assert line.startswith(f"options '{one}' and '{other}' are the same one, which is given twice (")


@pytest.mark.parametrize("words, option", PAIRS, ids=lambda each: getattr(each, "name", each))
def test_a_flag_and_its_opposite(words, option):
    yes, no = option.opts[0], option.secondary_opts[0]
    for given in ((yes, no), (no, yes), (no, yes, no)):
        line = refused(*words.split(), *given, status=2)
        assert line == f"options '{yes}' and '{no}' cannot be used together (see runnel {words} --help)"
    for given in ((yes, yes), (no, no)):
        output_of(*words.split(), *given)


def test_all_commands_were_walked():
    """Also those of groups within the program, and of a package that adds its own."""
    walked = {words for words, _ in ONE_VALUE}
    assert {"encrypt", "xor", "key export", "store encrypt", "store cat", "choose", "lab behind"} <= walked
    assert len(ONE_VALUE) > 80 and PAIRS


@pytest.mark.parametrize(
    "given, named",
    [
        (("--aad", "a", "--aad", "b"), "option '--aad' is given twice"),
        (("--aad=a", "--aad=a"), "option '--aad' is given twice"),
        (("--aad", "", "--aad", ""), "option '--aad' is given twice"),
        (("-k", "other"), "options '-k' and '--key' are the same one"),
        (("-kother",), "options '-k' and '--key' are the same one"),
        (("-qfkother",), "options '-k' and '--key' are the same one"),
        (("--range", "0:1", "--range", "1:2"), "option '--range' is given twice"),
        (("--passphrase-file", "a", "--passphrase-file", "b"), "option '--passphrase-file' is given twice"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_none_of_two_values_is_taken_silently(tmp_path, monkeypatch, given, named):
    monkeypatch.chdir(tmp_path)
    for keyfile in ("key", "other"):
        accepted("keygen", keyfile)
    (tmp_path / "plain").write_bytes(b"text")
    accepted("encrypt", "--key", "key", "plain", "sealed")
    before = listing(tmp_path)
    done = runnel("decrypt", "--key", "key", *given, "sealed", "out", status=2)
    assert done.stderr.decode().startswith(f"runnel: {named}")
    assert listing(tmp_path) == before


def test_what_may_be_secret_is_not_shown():
    assert "00" not in refused("keystream", "--key-hex", "00" * 16, "--key-hex", "00" * 16, status=2)


def test_what_looks_like_the_option_is_none(tmp_path, monkeypatch):
    """A value, or an argument after --, with an option's name."""
    monkeypatch.chdir(tmp_path)
    accepted("keygen", "key")
    (tmp_path / "--aad").write_bytes(b"text")
    accepted("encrypt", "--key", "key", "--aad", "--aad", "--", "--aad", "sealed")
    assert output_of("decrypt", "--key", "key", "--aad", "--aad", "sealed", "-") == b"text"


def test_what_may_be_repeated(tmp_path, monkeypatch):
    """Flags, and options that collect values."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").mkdir()
    for name in ("a.csv", "b.txt", "c.bin"):
        (tmp_path / "old" / name).write_bytes(b"")
    listed = output_of("store", "ls", "--json", "--json", "--include", "*.csv", "--include", "*.txt", "old/")
    assert [name in listed for name in (b"a.csv", b"b.txt", b"c.bin")] == [True, True, False]
    assert output_of(*RAW, "--force", "--hex", "-f") == output_of(*RAW)


def test_the_old_name_of_an_option_counts():
    layout = ("keystream", "--cipher", "aes-128-ctr", "--iv", "00" * 16, "--key-hex", "00" * 16, "--bytes", 1, "--hex")
    assert "--counter is the old name of --layout" in refused(
        *layout, "--counter", "be32", "--layout", "le32", status=2
    )


@pytest.mark.parametrize(
    "program, option",
    [
        ("tools/amalgamate", "-o"),
        ("tools/demo.py", "--seconds"),
        ("packaging/build", "--output"),
        ("packaging/build", "--jobs"),
        ("packaging/reproduce", "--build"),
        ("packaging/release gather", "--artefacts"),
    ],
)
def test_programs_of_the_source_refuse_it_too(tmp_path, program, option):
    name, *words = program.split()
    command = [sys.executable, ROOT / name, *words, option, "1", option, "2", "x"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "is given twice" in done.stderr.splitlines()[-1], done.stderr
    assert listing(tmp_path) == []


def test_completion_is_not_disturbed(monkeypatch, capfd):
    monkeypatch.setenv("_RUNNEL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "runnel keystream --cipher aes --cipher salsa20-")
    monkeypatch.setenv("COMP_CWORD", "5")
    accepted()
    assert "plain,salsa20-12" in capfd.readouterr().out
