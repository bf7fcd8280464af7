# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Descriptions of the MACs."""

from typing import NamedTuple

from . import _native


class MAC(NamedTuple):
    """Describe a message authentication code."""

    name: str
    key_bytes: tuple[int, ...] | None
    """The lengths that a key may have, ascending; None: any."""
    tag_bytes: tuple[int, ...]
    """The lengths that a tag may have, ascending."""
    single_use: bool
    """A key is for one message only: a second one under it gives the key away."""


def macs() -> dict[str, MAC]:
    """Return the MACs of this build by name, in order of name."""
    found = {fields["name"]: MAC(**fields) for fields in _native.macs()}
    return dict(sorted(found.items()))
