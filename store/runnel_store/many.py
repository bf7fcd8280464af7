# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All objects below a prefix, and the result for each.

Small ones many at a time, each in one request; long ones one by one, each in parts. A Manifest has a line of JSON for each
object, the counts last, and the names of those that failed.
"""

from __future__ import annotations

import fnmatch
import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from typing import IO, Any

from runnel.errors import AuthenticationError, Error
from runnel.output import is_temporary, make_folders
from runnel.sealed.keyset import Keyset
from runnel.threads import concurrently

from runnel_store import catalog, objects
from runnel_store.catalog import Catalogued, Wanted, is_catalog
from runnel_store.executors import Options, max_threads, threads_for
from runnel_store.journal import (
    Journal,
    Notes,
    announcements,
    is_generation,
    is_plan,
    noted_entry,
    noted_listed,
    still_there,
)
from runnel_store.objects import Made
from runnel_store.parts import Entry, Verb
from runnel_store.readers import LeftOut, Listed, listing, reader_of
from runnel_store.stores import format_error
from runnel_store.urls import Location

A_CATALOG = f"{catalog.NAME} is the name of catalogs, which are no objects of a prefix"
SMALL_THREADS = 32
"""Small objects wait for the store nearly all the time."""


# Results


@dataclass(frozen=True)
class Outcome:
    name: str
    status: str
    """done, skipped (nothing was to do), failed or left_out (no object: a link to a folder, a pipe, a plan)."""
    bytes: int = 0
    """Of the plaintext, where something was done."""
    error: str | None = None
    authentic: bool = True
    etag: str | None = None
    """Of what was made."""
    entry: Entry | None = None
    """The sealed object that there is now, for a catalog."""


@dataclass
class Counts:
    done: int = 0
    skipped: int = 0
    failed: int = 0
    left_out: int = 0
    bytes: int = 0
    unauthentic: int = 0


class Manifest:
    """Counts, and writes lines where they are wanted."""

    def __init__(self, lines: IO[str] | None = None) -> None:
        self.counts = Counts()
        self.failures: list[str] = []
        self.awaited: set[str] = set()
        """Names that were asked for and not come to yet."""
        self._first: str | None = None
        self._lines = lines
        self.finished = False
        """True if all objects were reached."""

    def add(self, outcome: Outcome) -> None:
        self.awaited.discard(outcome.name)
        counts = self.counts
        setattr(counts, outcome.status, getattr(counts, outcome.status) + 1)
        counts.bytes += outcome.bytes
        counts.unauthentic += not outcome.authentic
        if outcome.status == "failed":
            self.failures.append(outcome.name)
            self._first = self._first or outcome.error
        if self._lines is not None:
            line = {
                key: value
                for key, value in asdict(outcome).items()
                if value is not None and key not in ("authentic", "etag", "entry")
            }
            self._lines.write(json.dumps(line) + "\n")

    def finish(self, generation: int | None = None) -> None:
        """Write the counts. generation: of the prefix's catalog, if it was read or written."""
        self.finished = True
        if self._lines is not None:
            last = {"counts": asdict(self.counts)} | ({} if generation is None else {"generation": generation})
            self._lines.write(json.dumps(last) + "\n")
            self._lines.flush()

    def raise_failures(self) -> None:
        """Raise one error for all of them: AuthenticationError where any did not authenticate."""
        if self.failures:
            total = self.counts.done + self.counts.skipped + self.counts.failed
            kind = AuthenticationError if self.counts.unauthentic else Error
            raise kind(f"{len(self.failures)} of {total} objects failed; the first: {self._first}")


def write_names(names: list[str]) -> bytes:
    """Write one JSON string a line, as a name may hold anything."""
    return "".join(json.dumps(name) + "\n" for name in names).encode()


def read_names(data: bytes, where: str) -> set[str]:
    """Read the names. Raises ValueError."""
    names: set[str] = set()
    for number, line in enumerate(data.splitlines(), 1):
        try:
            name = json.loads(line)
        except (ValueError, RecursionError):
            name = None
        if not isinstance(name, str):
            raise ValueError(f"{where}: line {number} is not a name as --failures writes it, a JSON string")
        names.add(name)
    return names


# Which objects


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


# All of them


class Job:
    """The selected objects below a prefix. target: where they go, if the verb has one."""

    def __init__(
        self,
        verb: Verb,
        source: Location,
        target: Location | None,
        keyset: Keyset,
        options: Options,
        selection: Selection = Selection(),  # it does not change
    ) -> None:
        self.verb = verb
        self.source = source
        self.target = target
        self.selection = selection
        self._keyset = keyset
        self._options = options
        self._catalogued: Catalogued | None = None
        self._notes: Notes | None = None
        self._before: dict[str, dict[str, Any]] = {}
        """What an earlier run noted of objects that are still there."""
        self._unmet: set[str] = set()
        """Names that it noted, and that so far are no part of this run."""
        self._folder = target.folder if target is not None and target.local else ""
        self._through_links: dict[str, str] = {}

    def run(
        self, manifest: Manifest, report: Callable[[Manifest], None] = lambda _: None, wanted: Wanted | None = None
    ) -> None:
        """Process the objects, whatever fails; the manifest has all of them. report: called after each object. wanted: the
        catalog of the sealed objects, if one is to be checked or written."""
        if self.target is not None:
            _refuse_nested(self.source, self.target)
        if wanted is not None:
            sealed = self.target if self.verb == "encrypt" and self.target is not None else self.source
            self._catalogued = Catalogued(sealed, self._keyset, self._options, wanted)
        if self.verb == "encrypt":  # what another key has sealed is not what is wanted
            self._keyset = Keyset(self._keyset.primary, (self._keyset.primary,))
        with ExitStack() as stack:
            journal = self._resume(stack)
            found = self._process(manifest, report)
            if self._catalogued is not None:
                self._catalogued.save(complete=not manifest.failures)
            manifest.finish(None if self._catalogued is None else self._catalogued.generation)
            if journal is not None and not manifest.failures and not self._unmet:
                journal.remove()
        manifest.raise_failures()
        selection = self.selection
        if not found and selection.only is None:  # a name with a typing error, as a rule
            filtered = selection.include or selection.exclude
            raise Error(f"{self.source}: no {'matching ' if filtered else ''}object below it")

    def _resume(self, stack: ExitStack) -> Journal | None:
        """Return the journal of a run that has one, with what an earlier run noted."""
        source, target, catalogued = self.source, self.target, self._catalogued
        if target is None and (self.verb != "rotate" or catalogued is None):
            return None
        names = (source.folder, source.folder if target is None else target.folder)
        journal = stack.enter_context(Journal(self._options.state, f"{self.verb} all", *names))
        plan = {"verb": self.verb, "source": names[0], "target": names[1]}
        if self._options.bind_names:
            plan["bound"] = "names"
        self._notes = Notes(journal, plan, self._keyset, self._options.aad)
        noted = None if self._options.restart else self._notes.read()
        if noted is None:
            noted = []
            self._notes.begin()
        elif target is not None:
            self._before = still_there(noted, _all_below(target))
            self._options = replace(self._options, resumed=True)
        elif catalogued is not None:
            catalogued.announced(announcements(noted))
        self._unmet = set() if self.selection.takes_all else {line["done"] for line in noted}
        return journal

    def _process(self, manifest: Manifest, report: Callable[[Manifest], None]) -> int:
        """Process all objects; return how many there are."""
        selection, options, catalogued = self.selection, self._options, self._catalogued
        long: list[Listed] = []
        missing = {name: "no such object" for name in selection.only or () if selection.takes(name)}
        manifest.awaited = set(missing)
        found = 0

        def leave_out(name: str, why: str) -> None:
            if name in missing:
                missing[name] = why
            elif why == A_CATALOG and self.verb == "encrypt":  # nobody would find what it has
                error = f"{self.source.below(name)}: {why}; leave it out with --exclude"
                manifest.add(Outcome(name, "failed", error=error))
            else:
                manifest.add(Outcome(name, "left_out", error=why))

        def small() -> Iterator[Listed]:
            nonlocal found
            for each in selected(self.source, selection, options.state, leave_out):
                found += 1
                missing.pop(each.name, None)
                if catalogued is not None:
                    catalogued.found(each.name)
                if each.size > options.part_bytes:
                    long.append(each)
                else:
                    yield each

        def note(each: Listed, outcome: Outcome) -> None:
            manifest.add(outcome)
            self._note(each, outcome)
            report(manifest)

        threads = max_threads(options.part_bytes, options.threads or max(SMALL_THREADS, threads_for(1)))
        for each, outcome in concurrently(threads, self._do_small, small()):
            note(each, outcome)
        for each in long:
            note(each, self._do_long(each))
        for name, error in () if catalogued is None else catalogued.missing():
            if selection.takes(name):
                missing.pop(name, None)
                manifest.add(Outcome(name, "failed", error=str(error), authentic=False))
        for name, why in sorted(missing.items()):  # asked for by name: an error, whatever they are
            manifest.add(Outcome(name, "failed", error=f"{self.source.below(name)}: {why}"))
        return found

    def _note(self, each: Listed, outcome: Outcome) -> None:
        """Note what became of an object, for a later run and for the catalog."""
        self._unmet.discard(each.name)
        catalogued = self._catalogued
        if self._notes is not None and self.target is not None and outcome.etag is not None:
            if catalogued is None:
                self._notes.add(each, outcome.etag)
            else:
                self._notes.add(each, outcome.etag, outcome.entry, catalogued.listed(each.name))
        if catalogued is not None and outcome.entry is not None:
            catalogued.written(each.name, outcome.entry)

    # One of them, in any thread

    def _do_small(self, each: Listed) -> Outcome:
        # One thread and one request each: there are many of them at a time.
        return self._outcome(each, replace(self._options, threads=1, ray=None, first_bytes=max(1, each.size)))

    def _do_long(self, each: Listed) -> Outcome:
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
        if self.verb != "rotate" or notes is None or listed is None:
            return options
        return replace(options, begun=lambda entry: notes.announce(name, entry, listed))

    def _done(self, each: Listed, options: Options) -> Outcome:
        source = self.source.below(each.name)
        if self.verb == "verify":
            return Outcome(each.name, "done", objects.verify(source, self._keyset, options))
        if self.verb == "rotate":
            rotated = objects.rotate(source, self._keyset, options)
            if not rotated.changed:
                return Outcome(each.name, "skipped", entry=rotated.entry)
            return Outcome(each.name, "done", rotated.bytes, entry=rotated.entry)
        assert self.target is not None
        target = self.target.below(each.name)
        if target.local:
            _make_folder(self.target, each.name)
            self._check_links(target, each.name)
        call = objects.encrypt if self.verb == "encrypt" else objects.decrypt
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
        assert self.target is not None
        real = os.path.realpath(target.key)
        if real == os.path.join(self._folder, *name.split("/")):
            return
        among = [each for each in (self.source, self.target) if each.local and real.startswith(each.folder)]
        if among:
            raise ValueError(f"{target}: leads by a link to {real}, which lies in {among[0]}")
        if self._through_links.setdefault(real, name) != name:
            raise ValueError(f"{target}: leads by a link to {real}, as another object does")

    def _done_before(self, source: Location, target: Location, options: Options) -> Made | None:
        """Return what was made, if a command made the target that was killed before it could note that; else None."""
        plain, sealed = (source, target) if self.verb == "encrypt" else (target, source)
        try:
            opened = objects.open_expected(reader_of(sealed), self._keyset, options)
        except AuthenticationError:
            return None
        wanted = reader_of(plain)
        step = options.part_bytes
        same = opened.size == wanted.size and all(
            memoryview(opened.read(at, min(at + step, opened.size)))
            == memoryview(wanted.read(at, min(at + step, opened.size)))
            for at in range(0, opened.size, step)
        )
        return Made(opened.size, None, opened.entry) if same else None


def _make_folder(target: Location, name: str) -> None:
    """Make the folder of a new file below the target, and nowhere else, whatever names a store lists."""
    parts = name.split("/")
    if os.path.isabs(name) or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{target.text}: {name!r} is not the name of a file below it")
    if is_temporary(parts[-1]):
        raise ValueError(f"{target.text}: {name!r} is reserved for temporary files")
    make_folders(os.path.join(target.key, *parts[:-1]))
