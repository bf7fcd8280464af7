# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A run over a prefix that has a catalog: what each object has to be before it is used, and the catalog after the run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from runnel.errors import AuthenticationError, Error
from runnel.sealed.keyset import Keyset

from runnel_store import catalog
from runnel_store.catalog import Catalog, Entry, Stored
from runnel_store.errors import ChangedError
from runnel_store.generations import Generations
from runnel_store.urls import Location

Use = Literal["check", "update", "add", "renew"]
"""check: objects have to be those of the catalog. update: and are written to it as they are after the run. add: what the run
makes is written to it; there need not have been one. renew: what the run finds is all that is in it."""
_ATTEMPTS = 5


@dataclass(frozen=True)
class Wanted:
    """Names the catalog that is accepted, and its use."""

    use: Use
    generation: int = 0
    """The least."""
    moved_from: Location | None = None
    """The prefix that the catalog is about, where all was moved or copied from there."""


class Catalogued:
    """The catalog of one run. Any thread may call expected; the rest is for one thread."""

    def __init__(self, prefix: Location, keyset: Keyset, aad: bytes, state: str, wanted: Wanted) -> None:
        """Read the catalog. Raises AuthenticationError: no such catalog, or one that is older than one that was seen."""
        self._prefix = prefix
        self._place = prefix.below(catalog.NAME)
        self._keyset = keyset
        self._aad = aad
        self._wanted = wanted
        self.checks = wanted.use in ("check", "update")
        self._generations = Generations(state, prefix.folder)
        self._generation_min = max(wanted.generation, self._generations.seen())
        self._stored = self._read()
        self._written: dict[str, Entry] = {}
        self._announced: dict[str, list[Entry]] = {}
        self._found: set[str] = set()
        if self.generation is not None and wanted.use != "renew":
            self._generations.remember(self.generation)

    @property
    def generation(self) -> int | None:
        """Return the generation of the catalog that was read, or that was written since; None: there is none."""
        return None if self._stored.catalog is None else self._stored.catalog.generation

    def announced(self, versions: Iterable[tuple[str, Entry, Entry]]) -> None:
        """Accept versions of objects that an earlier run, which did not finish, was about to make. versions: (name, version,
        the version that the catalog listed then). If it lists another one now, a later command has replaced the object, and
        the version that was announced is an older one."""
        for name, entry, listed in versions:
            if self.listed(name) == listed:
                self._announced.setdefault(name, []).append(entry)

    def found(self, name: str) -> None:
        """Note that the prefix has an object of this name."""
        if self.checks:
            self._found.add(name)

    def listed(self, name: str) -> Entry | None:
        """Return the version of an object that the catalog lists; None: it lists none, or is renewed whatever it lists."""
        stored = self._stored.catalog
        return None if stored is None or self._wanted.use == "renew" else stored.entries.get(name)

    def expected(self, name: str) -> frozenset[Entry] | None:
        """Return the versions that an object may have which is there already; None: any. Raises AuthenticationError: it is
        checked, and not in the catalog."""
        entry = self.listed(name)
        if entry is None:
            if not self.checks:
                return None
            raise AuthenticationError(f"{self._prefix.below(name)}: not listed in the catalog")
        return frozenset((entry, *self._announced.get(name, ())))

    def missing(self) -> Iterable[tuple[str, AuthenticationError]]:
        """Yield (name, error) of each object that the catalog lists and the prefix does not have."""
        if self.checks:
            assert self._stored.catalog is not None
            for name in self._stored.catalog.entries:
                if name not in self._found:
                    yield (name, AuthenticationError(f"{self._prefix.below(name)}: listed in the catalog, but missing"))

    def written(self, name: str, entry: Entry) -> None:
        """Note which version of an object there is after the run."""
        self._written[name] = entry

    def save(self, *, complete: bool) -> None:
        """Write the catalog, if it is to be written and has changed. complete: nothing failed, as renewing wants it.
        Raises AuthenticationError as __init__; Error, OSError."""
        if self._wanted.use == "check" or (self._wanted.use == "renew" and not complete):
            return
        for _ in range(_ATTEMPTS):
            next_catalog = self._next()
            if next_catalog is None:
                return
            try:
                catalog.write(self._prefix, next_catalog, self._keyset, self._aad, self._stored)
            except (ChangedError, FileExistsError):  # another command has written it: its objects are listed too
                self._stored = self._read()
                continue
            self._stored = Stored(next_catalog, self._keyset.primary, None)
            self._generations.remember(next_catalog.generation)
            return
        raise ChangedError(f"{self._place}: other commands keep changing it; give this command again")

    def _next(self) -> Catalog | None:
        """Return the catalog that is to be written; None: the one that is there needs no change."""
        before = self._stored.catalog
        listed = {} if before is None or self._wanted.use == "renew" else before.entries
        entries = {**listed, **self._written}
        if self._wanted.use != "renew":
            unchanged = {} if before is None else before.entries
            sealed_so = before is None or (
                self._stored.key == self._keyset.primary and before.prefix == self._prefix.folder
            )
            if entries == unchanged and sealed_so:
                return None
        return Catalog(self._prefix.folder, max(self._generation_min, self.generation or 0) + 1, entries)

    def _read(self) -> Stored:
        if self._wanted.use == "renew":
            try:
                return catalog.read(self._prefix, self._keyset, self._aad)
            except Error:  # of another key, or damaged: a new one takes its place
                return catalog.unread(self._prefix)
        stored = catalog.read(self._prefix, self._keyset, self._aad)
        if stored.catalog is None:
            if self.checks or self._generation_min:
                seen = f", and generation {self._generation_min} was seen" if self._generation_min else ""
                raise AuthenticationError(f"{self._place}: no catalog found{seen} (rotate --new-catalog writes one)")
            return stored
        prefix = (self._wanted.moved_from or self._prefix).folder
        if stored.catalog.prefix != prefix:
            raise AuthenticationError(f"{self._place}: catalog of {stored.catalog.prefix}, not of {prefix}")
        if stored.catalog.generation < self._generation_min:
            raise AuthenticationError(
                f"{self._place}: its generation is {stored.catalog.generation}, and {self._generation_min} was seen: the "
                "prefix, or its catalog, is not in its newest state"
            )
        return stored
