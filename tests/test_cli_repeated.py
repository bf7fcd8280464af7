# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An option that takes one value and is given twice is refused, in every command; what may be repeated still may."""

from pathlib import Path

import click
import pytest
from cli_program import commands, output_of, refused

ROOT = Path(__file__).resolve().parent.parent


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
        assert line == f"option '{spelling}' is given more than once (see {f'runnel {words}'.strip()} --help)"
    if len(option.opts) > 1:
        one, other = option.opts
        line = refused(*words.split(), one, "1", other, "1", status=2)
        assert line.startswith(f"options '{one}' and '{other}' are the same one, given more than once (")


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
