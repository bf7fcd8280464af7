# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Options about the catalog of a prefix, and what they ask for together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from runnel_store import many
from runnel_store.catalogued import Use, Wanted
from runnel_store.cli.url import Url

CATALOG_OPTIONS = ("catalog", "new_catalog", "generation", "catalog_of")
_USES: dict[many.Verb, Use] = {"encrypt": "add", "decrypt": "check", "verify": "check", "rotate": "update"}


def catalog_options(text: str) -> Callable[[Any], Any]:
    """Return a decorator that adds --catalog, of which text is the help, and what says more about the catalog."""

    def decorate(function: Any) -> Any:
        for decorator in (
            click.option(
                "--catalog-of",
                type=Url(),
                metavar="URL",
                help="The prefix that the catalog is about, where all of it was copied or moved from there.",
            ),
            click.option(
                "--generation",
                type=click.IntRange(1),
                metavar="N",
                help="Refuse a catalog whose generation is less than N, as one is refused anyway whose generation is less "
                "than one that was seen on this machine.",
            ),
            click.option("--catalog", is_flag=True, help=f"Below a prefix: {text}"),
        ):
            function = decorator(function)
        return function

    return decorate


check_options = catalog_options(
    "check each object, and that none is missing, by the catalog that encrypt --catalog has written there."
)
new_catalog_option = click.option(
    "--new-catalog",
    is_flag=True,
    help="Below a prefix: write a catalog of what is there now, whatever an earlier one lists.",
)


def wanted(verb: many.Verb, values: dict[str, Any]) -> Wanted | None:
    """Return which catalog is wanted, if any is: each of these options wants one. Raises UsageError."""
    if not any(map(values.get, CATALOG_OPTIONS)):
        return None
    renew = values.get("new_catalog", False)
    if renew:
        for name in ("catalog", "generation", "catalog_of", "include", "exclude", "only"):
            if values.get(name):
                raise click.UsageError(
                    f"--new-catalog and --{name.replace('_', '-')} cannot be used together", click.get_current_context()
                )
    return Wanted("renew" if renew else _USES[verb], values.get("generation") or 0, values.get("catalog_of"))
