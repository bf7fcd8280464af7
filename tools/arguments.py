# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command lines of programs that come with the source: as argparse has them, but an option that takes one value and
is given twice is an error."""

from __future__ import annotations

import argparse
from typing import Any


class Parser(argparse.ArgumentParser):
    """argparse lets the last of two values count, and drops the first without a word."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for action in (None, "store"):
            self.register("action", action, _StoreOnce)


class _StoreOnce(argparse.Action):
    _given_in: argparse.Namespace | None = None

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        if option is not None and self._given_in is namespace:
            raise argparse.ArgumentError(self, "is given twice")
        self._given_in = namespace
        setattr(namespace, self.dest, values)
