# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A plugin of pytest for a Python for which some packages are not made: RUNNEL_ABSENT_PACKAGES=cryptography. They can be
imported, and what calls something of theirs is skipped."""

import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

NAMES = set(filter(None, os.environ.get("RUNNEL_ABSENT_PACKAGES", "").split(",")))


class _Kind(type):
    def __call__(cls, *arguments, **named):
        pytest.skip(f"{', '.join(sorted(NAMES))}: not made for this Python")

    def __getattr__(cls, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent


class Absent(Exception, metaclass=_Kind):
    """Whatever is asked of an absent package: also an exception that may be caught."""


class _Module(ModuleType):
    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent


class _Finder(MetaPathFinder, Loader):
    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] in NAMES else None

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module) -> None:
        pass


sys.meta_path.insert(0, _Finder())
