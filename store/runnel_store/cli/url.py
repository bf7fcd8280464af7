# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The URL of an object or a prefix, as the store commands take it."""

from __future__ import annotations

from typing import Any

import click
from runnel_store import urls
from runnel_store.urls import Location


class Url(click.ParamType):  # type: ignore[type-arg]  # as in values.py
    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Location:
        try:
            location = value if isinstance(value, Location) else urls.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if location.scheme == "memory":
            self.fail(f"{value}: memory:// does not outlive this command", param, ctx)
        return location
