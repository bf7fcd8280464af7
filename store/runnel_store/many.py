# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All objects below a prefix. Small ones many at a time, each in one request; long ones one by one, each in parts."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from runnel.errors import AuthenticationError, Error
from runnel.output import is_temporary, make_folders
from runnel.sealed.keyset import Keyset

from runnel_store import catalog, objects
from runnel_store.catalog import Entry, is_catalog
from runnel_store.catalogued import Catalogued, Wanted
from runnel_store.errors import format_error
from runnel_store.executors import concurrently, max_threads, threads_for
from runnel_store.generations import is_generation
from runnel_store.manifest import Manifest, Outcome
from runnel_store.notes import Notes, announcements, noted_entry, noted_listed, still_there
from runnel_store.objects import Made, Options
from runnel_store.readers import LeftOut, Listed, listing, reader_of
from runnel_store.resume import Journal, is_plan
from runnel_store.urls import Location

Verb = Literal["encrypt", "decrypt", "verify", "rotate"]
A_CATALOG = f"{catalog.NAME} is the name of catalogs, which are no objects of a prefix"
SMALL_THREADS = 32
"""Small objects wait for the store nearly all the time."""


@dataclass(frozen=True)
class Selection:
    """A selection of objects, by their names below the prefix."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    only: frozenset[str] | None = None

    def takes(self, name: str) -> bool:
        if self.only is not None and name not in self.only:
            return False
        if self.include and not any(fnmatch.fnmatchcase(name, each) for each in self.include):
            return False
        return not any(fnmatch.fnmatchcase(name, each) for each in self.exclude)

    @property
    def takes_all(self) -> bool:
        return not self.include and not self.exclude and self.only is None


def selected(
    source: Location, selection: Selection, state: str, left_out: LeftOut = lambda name, why: None
) -> Iterator[Listed]:
    """Yield the objects that are wanted. Empty ones whose names end with /, as consoles make them for folders, are
    none, nor are plans in the folder state. An object with bytes and the name of a folder is one, and fails alone."""
    for each in listing(source, lambda name, why: left_out(name, why) if selection.takes(name) else None):
        directory = not each.size and (not each.name or each.name.endswith("/"))
        if directory or not selection.takes(each.name):
            continue
        if is_catalog(each.name):
            left_out(each.name, A_CATALOG)
            continue
        path = os.path.join(source.key, each.name)
        if source.local and is_plan(path, state):
            left_out(each.name, "the plan of an unfinished command")
        elif source.local and is_generation(path, state):
            left_out(each.name, "what is remembered of a catalog")
        else:
            yield each


def run(
    verb: Verb,
    source: Location,
    target: Location | None,
    keyset: Keyset,
    options: Options,
    selection: Selection,
    manifest: Manifest,
    report: Callable[[Manifest], None] = lambda _: None,
    wanted: Wanted | None = None,
) -> None:
    """Process the selected objects, whatever fails; the manifest has all of them. told: called after each object.
    wanted: the catalog of the sealed objects, if one is to be checked or written."""
    if target is not None:
        _refuse_nested(source, target)
    catalogued = None
    if wanted is not None:
        sealed = target if verb == "encrypt" and target is not None else source
        catalogued = Catalogued(sealed, keyset, options.aad, options.state, wanted)
    if verb == "encrypt":  # what another key has sealed is not what is wanted
        keyset = Keyset(keyset.primary, (keyset.primary,))
    with ExitStack() as stack:
        journal = notes = None
        before: dict[str, dict[str, Any]] = {}
        unmet: set[str] = set()  # noted, and so far no part of this run
        if target is not None or (verb == "rotate" and catalogued is not None):
            names = (source.folder, source.folder if target is None else target.folder)
            journal = stack.enter_context(Journal(options.state, f"{verb} all", *names))
            plan = {"verb": verb, "source": names[0], "target": names[1]}
            if options.bind_names:
                plan["bound"] = "names"
            notes = Notes(journal, plan, keyset, options.aad)
            noted = None if options.restart else notes.read()
            if noted is None:
                noted = []
                notes.begin()
            elif target is not None:
                before = still_there(noted, _all_below(target))
                options = replace(options, resumed=True)
            elif catalogued is not None:
                catalogued.announced(announcements(noted))
            unmet = set() if selection.takes_all else {line["done"] for line in noted}
        one = _One(verb, source, target, keyset, options, before, catalogued, notes)
        long: list[Listed] = []
        missing = {name: "no such object" for name in selection.only or () if selection.takes(name)}
        manifest.awaited = set(missing)
        found = 0

        def leave_out(name: str, why: str) -> None:
            if name in missing:
                missing[name] = why
            elif why == A_CATALOG and verb == "encrypt":  # nobody would find what it has
                manifest.add(Outcome(name, "failed", error=f"{source.below(name)}: {why}; leave it out with --exclude"))
            else:
                manifest.add(Outcome(name, "left_out", error=why))

        def small() -> Iterator[Listed]:
            nonlocal found
            for each in selected(source, selection, options.state, leave_out):
                found += 1
                missing.pop(each.name, None)
                if catalogued is not None:
                    catalogued.found(each.name)
                if each.size > options.part_bytes:
                    long.append(each)
                else:
                    yield each

        def note(each: Listed, outcome: Outcome) -> None:
            unmet.discard(each.name)
            manifest.add(outcome)
            if notes is not None and target is not None and outcome.etag is not None:
                if catalogued is None:
                    notes.add(each, outcome.etag)
                else:
                    notes.add(each, outcome.etag, outcome.entry, catalogued.listed(each.name))
            if catalogued is not None and outcome.entry is not None:
                catalogued.written(each.name, outcome.entry)
            report(manifest)

        threads = max_threads(options.part_bytes, options.threads or max(SMALL_THREADS, threads_for(1)))
        for each, outcome in concurrently(threads, one.small, small()):
            note(each, outcome)
        for each in long:
            note(each, one.do(each))
        for name, error in () if catalogued is None else catalogued.missing():
            if selection.takes(name):
                missing.pop(name, None)
                manifest.add(Outcome(name, "failed", error=str(error), authentic=False))
        for name, why in sorted(missing.items()):  # asked for by name: an error, whatever they are
            manifest.add(Outcome(name, "failed", error=f"{source.below(name)}: {why}"))
        if catalogued is not None:
            catalogued.save(complete=not manifest.failures)
        manifest.finish(None if catalogued is None else catalogued.generation)
        if journal is not None and not manifest.failures and not unmet:
            journal.remove()
    manifest.raise_failures()
    if not found and selection.only is None:  # a name with a typing error, as a rule
        filtered = selection.include or selection.exclude
        raise Error(f"{source}: no {'matching ' if filtered else ''}object below it")


def _all_below(location: Location) -> Iterator[Listed]:
    with suppress(FileNotFoundError):  # no such folder
        yield from listing(location)


def _refuse_nested(source: Location, target: Location) -> None:
    """Refuse a prefix within the other, which would list what is being written."""
    a, b = source.folder, target.folder
    if a.startswith(b) or b.startswith(a):
        raise ValueError(f"{target}: output and input overlap: {source}")


def check_outside(path: str, *locations: Location) -> None:
    """Raise ValueError where a file lies below a local prefix: an object could be there, or it could be read as one."""
    for location in locations:
        if location.local and os.path.realpath(path).startswith(location.folder):
            raise ValueError(f"{path}: lies among the objects of {location}; name a file elsewhere")


class _One:
    """Does one object after another, from any thread, and tells what became of it."""

    def __init__(
        self,
        verb: Verb,
        source: Location,
        target: Location | None,
        keyset: Keyset,
        options: Options,
        before: dict[str, dict[str, Any]],
        catalogued: Catalogued | None,
        notes: Notes | None,
    ) -> None:
        self._verb = verb
        self._source = source
        self._target = target
        self._keyset = keyset
        self._options = options
        self._before = before
        self._catalogued = catalogued
        self._notes = notes
        self._folder = target.folder if target is not None and target.local else ""
        self._through_links: dict[str, str] = {}

    def small(self, each: Listed) -> Outcome:
        # One thread and one request each: there are many of them at a time.
        return self._outcome(each, replace(self._options, threads=1, ray=None, first_bytes=max(1, each.size)))

    def do(self, each: Listed) -> Outcome:
        return self._outcome(each, self._options)

    def _outcome(self, each: Listed, options: Options) -> Outcome:
        try:
            options = self._expecting(each.name, options.below(each.name))
            noted = self._before.get(each.name)
            if noted is not None and each.etag is not None and noted["id"] == [each.size, each.etag]:
                entry = noted_entry(noted)
                if self._catalogued is None or (
                    entry is not None and self._is_current(each.name, entry, noted, options)
                ):
                    return Outcome(each.name, "skipped", entry=entry)
            return self._done(each, options)
        except AuthenticationError as error:
            return Outcome(each.name, "failed", error=str(error), authentic=False)
        except (Error, OSError) as error:
            return Outcome(each.name, "failed", error=format_error(error, each.name))
        except ValueError as error:
            return Outcome(each.name, "failed", error=str(error))

    def _is_current(self, name: str, entry: Entry, noted: dict[str, Any], options: Options) -> bool:
        """Return whether an earlier run's result may count as done: no other command has replaced it since in the catalog."""
        assert self._catalogued is not None
        return options.expects(entry) or self._catalogued.listed(name) == noted_listed(noted)

    def _expecting(self, name: str, options: Options) -> Options:
        if self._catalogued is None:
            return options
        options = replace(options, expected=self._catalogued.expected(name))
        notes, listed = self._notes, self._catalogued.listed(name)
        if self._verb != "rotate" or notes is None or listed is None:
            return options
        return replace(options, begun=lambda entry: notes.announce(name, entry, listed))

    def _done(self, each: Listed, options: Options) -> Outcome:
        source = self._source.below(each.name)
        if self._verb == "verify":
            return Outcome(each.name, "done", objects.verify(source, self._keyset, options))
        if self._verb == "rotate":
            rotated = objects.rotate(source, self._keyset, options)
            if not rotated.changed:
                return Outcome(each.name, "skipped", entry=rotated.entry)
            return Outcome(each.name, "done", rotated.bytes, entry=rotated.entry)
        assert self._target is not None
        target = self._target.below(each.name)
        if target.local:
            _make_folder(self._target, each.name)
            self._check_links(target, each.name)
        call = objects.encrypt if self._verb == "encrypt" else objects.decrypt
        try:
            written = call(source, target, self._keyset, options)
            return Outcome(each.name, "done", written.bytes, etag=written.etag, entry=written.entry)
        except FileExistsError:
            done = self._done_before(source, target, options) if options.resumed else None
            if done is None:
                raise
            return Outcome(each.name, "done", done.bytes, entry=done.entry)

    def _check_links(self, target: Location, name: str) -> None:
        """Raise ValueError where links make the target a file that is read, or another object's."""
        assert self._target is not None
        real = os.path.realpath(target.key)
        if real == os.path.join(self._folder, *name.split("/")):
            return
        among = [each for each in (self._source, self._target) if each.local and real.startswith(each.folder)]
        if among:
            raise ValueError(f"{target}: leads by a link to {real}, which lies in {among[0]}")
        if self._through_links.setdefault(real, name) != name:
            raise ValueError(f"{target}: leads by a link to {real}, as another object does")

    def _done_before(self, source: Location, target: Location, options: Options) -> Made | None:
        """Return what was made, if a command made the target that was killed before it could note that; else None."""
        plain, sealed = (source, target) if self._verb == "encrypt" else (target, source)
        try:
            opened = objects.opened_as_expected(reader_of(sealed), self._keyset, options)
        except AuthenticationError:
            return None
        wanted = reader_of(plain)
        step = options.part_bytes
        same = opened.size == wanted.size and all(
            memoryview(opened.read(at, min(at + step, opened.size)))
            == memoryview(wanted.read(at, min(at + step, opened.size)))
            for at in range(0, opened.size, step)
        )
        return Made(opened.size, None, objects.entry_of(opened)) if same else None


def _make_folder(target: Location, name: str) -> None:
    """Make the folder of a new file below the target, and nowhere else, whatever names a store lists."""
    parts = name.split("/")
    if os.path.isabs(name) or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{target.text}: {name!r} is not the name of a file below it")
    if is_temporary(parts[-1]):
        raise ValueError(f"{target.text}: {name!r} is reserved for temporary files")
    make_folders(os.path.join(target.key, *parts[:-1]))
