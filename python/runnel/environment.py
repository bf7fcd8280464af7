# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Secrets in variables of the environment: read, and removed so that no program that is started inherits them."""

from __future__ import annotations

import os

from runnel.errors import KeysetError

_NAME_MAX = 40


def secret_in(variable: str, *, keep: bool = False) -> str:
    """Return the text of a variable. keep: leave it there, for workers that are started and read it themselves.

    Raises KeysetError: there is no such variable. No message has its text."""
    text = os.environ.get(variable) if keep else os.environ.pop(variable, None)
    if text is None:
        name = variable if _like_a_name(variable) else "of the name that was given; a name is wanted, not the secret"
        raise KeysetError(f"the environment has no variable {name}")
    return text


def shown(variable: str) -> str:
    """Return what messages call a variable."""
    return f"${variable}" if _like_a_name(variable) else "the variable that was given"


def _like_a_name(variable: str) -> bool:
    """Return whether the text may be shown: it may be the secret itself, given as "$KEY" where a name is wanted."""
    usual = variable.isascii() and variable.isidentifier() and variable.isupper() and len(variable) <= _NAME_MAX
    return usual and not set(variable) <= set("0123456789ABCDEF")
