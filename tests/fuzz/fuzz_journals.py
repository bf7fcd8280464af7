# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fuzz everything that `runnel store` and `runnel report` read back: journals, lists of names, URLs, figures. Each is
understood or refused in one line; names come back as they were written."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from unittest import mock

import click
from runnel.errors import Error
from runnel.inputs import Inputs
from runnel_lab.commands import report
from runnel_store import urls
from runnel_store.manifest import Manifest, Outcome, read_names, write_names
from runnel_store.resume import Journal

from fuzz.python_checks import Choices, damaged, result_or_line

_FOLDER = tempfile.TemporaryDirectory(prefix="runnel-fuzz-")
_FIELDS: tuple[dict[str, type], ...] = ({"part": int, "sealed": str, "etag": str}, {"done": str, "check": str}, {})
_VERSION = 1
"""Of the lines; each kind of journal has its own."""


def _journal(choices: Choices) -> None:
    fields = _FIELDS[choices.below(len(_FIELDS))]
    journal = Journal(_FOLDER.name, "fuzz", str(os.getpid()))
    data = choices.rest()
    if data[:1] < b"\x20":  # one that was written, damaged
        lines = [
            {"version": _VERSION, "upload": "u"},
            {"part": 1, "sealed": "00", "etag": "e", "done": "n", "check": "00"},
            {"part": 2},
        ]
        data = damaged(Choices(data), "".join(json.dumps(line) + "\n" for line in lines).encode())
    Path(journal.path).write_bytes(data)
    with journal, mock.patch("os.fsync"):  # which takes a hundred times as long as all else
        lines = result_or_line(lambda: journal.read(_VERSION, **fields), Error) or []
        for line in lines[1:]:
            assert all(isinstance(line[name], kind) for name, kind in fields.items())
        assert not lines or lines[0]["version"] == _VERSION
        if not lines:
            journal.begin(_VERSION, {"upload": "x"})
        journal.append({"part": 3, "sealed": "00", "etag": "f", "done": "n", "check": "00"})
        again = journal.read(_VERSION, **fields)
        assert again[-1]["part"] == 3 and len(again) >= 2, "a line that was appended is not read"
        journal.remove()


def _names(choices: Choices) -> None:
    data = choices.rest()
    names = result_or_line(lambda: read_names(data, "names"), ValueError)
    if names is not None:
        assert read_names(write_names(sorted(names)), "names") == names


def _written_names(choices: Choices) -> None:
    names = {part.decode("utf-8", "surrogateescape") for part in choices.rest().split(b"\0")}
    assert read_names(write_names(sorted(names)), "names") == names
    manifest = Manifest()
    for name in sorted(names):
        manifest.add(Outcome(name, ("done", "skipped", "failed")[len(name) % 3], len(name), "x"))
    assert manifest.counts.done + manifest.counts.skipped + manifest.counts.failed == len(names)


def _url(choices: Choices) -> None:
    text = choices.rest().decode("utf-8", "surrogateescape")
    location = result_or_line(lambda: urls.parse(text), ValueError) if text.isprintable() else None
    if location is not None:
        assert location.scheme in ("file", *urls.BUCKETS, *urls.WEB) and str(location) == text
        assert location.same_as(location)


def _figures(choices: Choices) -> None:
    file = os.path.join(_FOLDER.name, f"figures-{os.getpid()}")
    Path(file).write_bytes(choices.rest())

    def shown() -> str:
        try:
            return report._page_of(Inputs(), file)
        except click.ClickException as error:
            raise Error(error.message) from None

    parsed = result_or_line(shown, Error)
    assert parsed is None or parsed.startswith("<!doctype html>")


def one(data: bytes) -> None:
    choices = Choices(data)
    how = choices.below(8)
    (_journal, _journal, _journal, _names, _written_names, _url, _figures, _figures)[how](choices)
