# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds each artefact and the site twice, elsewhere and under other circumstances, and compares all bytes that are shipped.

It takes what it takes for an artefact that has begun; the next one is only begun while there is time, first those that the
fewest recorded runs have found equal. Where tools are missing the artefact counts as not built."""

import importlib.util
import shutil
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType

from c_programs import ROOT

from campaign import programs
from campaign.work import Work

GOALS = ("G28",)


def program() -> ModuleType:
    """packaging/reproduce, which has no suffix."""
    path = ROOT / "packaging" / "reproduce"
    spec = importlib.util.spec_from_loader("reproduce", SourceFileLoader("reproduce", str(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["reproduce"] = module  # where dataclasses look their annotations up
    spec.loader.exec_module(module)
    return module


def run(work: Work) -> None:
    reproduce = program()
    names = list(reproduce.compared())
    work.expect(names, "files")
    for name in programs.Recorded(work, "reproducible").seldom_first(names, lambda name: [name]):
        if not work.left():
            return
        shutil.rmtree(work.folder / name, ignore_errors=True)
        try:
            count, different = reproduce.reproduce(name, work.folder)
        except reproduce.Missing as why:
            print(f"  {name}: not built: {why}")
            work.add(f"{name}: not built, tools are missing", 1, "artefacts")
        except reproduce.Failed as why:
            work.finding(f"{name} cannot be built: {str(why).splitlines()[0]}")
        else:
            work.add(name, count, "files", len(different))
            for each in different:
                work.finding(f"{name}: {each} differs between two builds")
