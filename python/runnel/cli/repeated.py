# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An option that takes one value and is given twice is an error: of two keys or ranges no one should be picked silently."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.parser import _OptionParser


def refuse_repeated(command: click.Command) -> click.Command:
    """Return the command; its options that take one value, and those of commands within it, refuse a second one.

    Whatever adds its commands to the group passes through here, so no command has to ask for it. A flag may be repeated,
    which changes nothing, but not with its opposite. Values that are defaults do not count. Options of a class of
    their own are left alone.
    """
    for parameter in command.params:
        if type(parameter) is click.Option and _has_one_value(parameter):
            parameter.__class__ = _GivenOnce
    if isinstance(command, click.Group):
        for each in command.commands.values():
            refuse_repeated(each)
    return command


def _has_one_value(option: click.Option) -> bool:
    if option.is_flag:
        return option.is_bool_flag and bool(option.secondary_opts)
    return not option.multiple and not option.count


class _GivenOnce(click.Option):
    """Lets the parser keep all values, each under the spelling that it was given with, which click's own overwrites."""

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        for spelling in self._spellings():
            if self.is_flag:
                parser.add_option(self, [spelling], spelling, action="append_const", const=spelling in self.opts)
            else:
                parser.add_option(self, [spelling], spelling, action="append", nargs=self.nargs)

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        given = {spelling: opts[spelling] for spelling in self._spellings() if spelling in opts}
        if not ctx.resilient_parsing:  # as the shell completes
            self._check(ctx, given)
        for values in given.values():
            opts = {**opts, str(self.name): values[-1]}
        return super().handle_parse_result(ctx, opts, args)

    def _spellings(self) -> list[str]:
        return [*self.opts, *self.secondary_opts]

    def _check(self, ctx: click.Context, given: Mapping[str, list[Any]]) -> None:
        names = " and ".join(repr(spelling) for spelling in given)
        if self.is_flag:
            if len({value for values in given.values() for value in values}) > 1:
                raise click.UsageError(f"options {names} cannot be used together", ctx)
        elif len(given) > 1:
            raise click.UsageError(f"options {names} are the same one, given more than once", ctx)
        elif any(len(values) > 1 for values in given.values()):
            raise click.UsageError(f"option {names} is given more than once", ctx)
