# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The short way of encrypt and decrypt without click means what click means, and leaves to it what it does not know."""

import click
import pytest
from cli_program import accepted, commands, refused
from runnel.cli import quick
from runnel.cli.command import run
from runnel.sealed.age import bech32

ANN, BOB = (bech32.encode("age", bytes([each]) * 32) for each in (9, 10))
COMMANDS = {words[-1]: command for command, words in commands() if words[1:] in (["encrypt"], ["decrypt"])}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    accepted("keygen", "key")
    for name in ("--in", "in"):
        (tmp_path / name).write_bytes(b"text")
    return tmp_path


@pytest.mark.parametrize("verb", COMMANDS)
def test_its_options_are_those_of_click(verb):
    options = {name: each for each in COMMANDS[verb].params for name in each.opts if isinstance(each, click.Option)}
    for name, value in (quick.VALUES | quick.REPEATED[verb] | quick.FLAGS).items():
        assert options[name].name == value and options[name].is_flag == (name in quick.FLAGS)
        assert options[name].default in ("", None, False) or not options[name].required
        assert options[name].multiple or name not in quick.REPEATED[verb]
    assert [each.name for each in COMMANDS[verb].params if isinstance(each, click.Argument)] == ["source", "target"]


@pytest.mark.parametrize(
    "words, meaning",
    [
        ("-k key in out", ("key", {}, "", False, False, "in", "out")),
        ("in out --key key", ("key", {}, "", False, False, "in", "out")),
        ("-f --key=key -q --aad --in in out", ("key", {}, "--in", True, True, "in", "out")),
        ("--key key --aad=a=b --force --quiet - -", ("key", {}, "a=b", True, True, "-", "-")),
        ("-k - --aad - -- --in -out", ("-", {}, "-", False, False, "--in", "-out")),
        (f"-r {ANN} in out", (None, {"recipient": [ANN]}, "", False, False, "in", "out")),
        (
            f"-R key --recipient={BOB} -r {ANN} --recipients-file=in -q in -",
            (None, {"recipients_file": ["key", "in"], "recipient": [BOB, ANN]}, "", False, True, "in", "-"),
        ),
    ],
)
def test_what_it_understands_click_understands_too(folder, words, meaning):
    given = words.split()
    assert tuple(vars(quick.parsed(["encrypt", *given])).values())[1:] == meaning
    with COMMANDS["encrypt"].make_context("encrypt", given) as context:
        found = context.params
    people = {name: list(found[name]) for name in set(quick.REPEATED["encrypt"].values()) if found[name]}
    one_each = [found[name] for name in ("aad", "force", "quiet", "source", "target")]
    assert (found["keyfile"], people, *one_each) == meaning


def test_identities_are_understood(folder):
    line = quick.parsed(["decrypt", "-i", "key", "--identity=in", "in", "out"])
    assert line.people == {"identity": ["key", "in"]} and line.keyfile is None
    assert quick.parsed(["encrypt", "-i", "key", "in", "out"]) is None
    assert quick.parsed(["decrypt", "-r", ANN, "in", "out"]) is None


@pytest.mark.parametrize(
    "words",
    [
        *("", "in out", "-k key in", "-k key in out more", "-k", "-k key -k key in out", "-k key --key key in out"),
        *("-kkey in out", "-fq -k key in out", "-k nowhere in out", "-k key --range 0:1 in out", "-k key --help"),
        *(
            "-k key --aad @ in out",
            "-k - - out",
            "-k key --aad @- - out",
            "-k key --passphrase in out",
            "-k key --fo in out",
        ),
        *(
            f"-r {ANN} -k key in out",
            f"-r {ANN} --aad a in out",
            f"-r {ANN}x in out",
            "-R nowhere in out",
            "-R - in out",
        ),
        *(f"-a -r {ANN} in out", f"-r{ANN} in out", "-r", "--age in out", "-k key -R key in out"),
        *("-k key --force=1 in out", "-k key --name a in out", "-k={} in out", "--aad a --aad b -k key in out"),
    ],
)
def test_what_it_leaves_to_click(folder, words):
    assert quick.parsed(["encrypt", *words.split(" ")]) is None


def test_other_commands_are_left_to_click(folder):
    assert quick.parsed([]) is quick.parsed(["keygen", "-k", "key", "in", "out"]) is None
    assert quick.parsed(["encrypt", "-k", "key", "", "out"]) is None


def test_a_bug_is_no_line(folder, monkeypatch):
    """An exception that has no meaning for the user stays one."""

    def broken(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr("runnel.sealed.files.Job.encrypt", broken)
    with pytest.raises(ZeroDivisionError):
        run(["encrypt", "-k", "key", "in", "out"])
    assert refused("decrypt", "-k", "key", "in", "out", status=3).startswith("in: truncated")
