# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is remembered on this machine, in files beside the user's other state.

Journal: the progress of a command that was killed, which the same command continues. Its first line is the plan: what is
read, what it was, where it goes, the upload, the header with the salt; then there are lines for each part (Commitments) or,
of a prefix, for each object (Notes). Nothing in it is secret. It is locked while its process lives, and removed when all is
done.

Generations: the highest generation of each prefix's catalog that was seen. It is what a store cannot put back: an older state
of a whole prefix, catalog included, is authentic.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import json
import os
import re
import threading
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

from runnel.errors import Error
from runnel.output import make_folders, sync_folder
from runnel.sealed.keyset import Key, Keyset
from runnel.transfer import naming, read_whole, write_all

from runnel_store.parts import Entry, Part, fingerprint, key_of
from runnel_store.readers import Listed
from runnel_store.stores import ChangedError

_PLAN = re.compile(r"[0-9a-f]{32}\.plan")


def state_folder() -> str:
    """Return the default folder for plans. Empty: there is no home to keep them in, as in some containers."""
    home = os.path.expanduser("~")
    base = os.environ.get("XDG_STATE_HOME") or (os.path.isabs(home) and os.path.join(home, ".local", "state"))
    return os.path.join(base, "runnel", "store") if base else ""


def is_plan(path: str, folder: str) -> bool:
    """Return whether a file is a plan in this state folder, if there is one: it may lie among the objects of a prefix, and is
    none of them."""
    where, name = os.path.split(path)
    return bool(folder) and _PLAN.fullmatch(name) is not None and os.path.realpath(where) == os.path.realpath(folder)


class Journal:
    """The lines of one work, found by what the work is: verb, source and target."""

    def __init__(self, folder: str, *what: str) -> None:
        name = hashlib.sha256("\0".join(what).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self.path = os.path.join(folder, f"{name}.plan")
        self._folder = folder
        self._fd = -1
        self._writing = threading.Lock()
        self._syncing = threading.Lock()
        self._written = self._synced = 0
        """Lines that this process has added, and how many of them are on disk."""
        self._lost: OSError | None = None

    def exists(self) -> bool:
        return bool(self._folder) and os.path.exists(self.path)

    def __enter__(self) -> Journal:
        if not self._folder:
            raise Error("no folder for the plan: neither XDG_STATE_HOME nor HOME is set; name one with --state")
        make_folders(self._folder, 0o700)
        while True:
            self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._close()
                raise Error(f"{self.path}: another process is doing the same work") from None
            except OSError as error:  # as some file systems of networks have no locks
                self._close()
                message = f"cannot be locked ({error.strerror}); name a folder on another file system with --state"
                raise OSError(error.errno, message, self.path) from None
            try:
                if os.path.samestat(os.stat(self.path), os.fstat(self._fd)):
                    return self
            except FileNotFoundError:
                pass
            self._close()  # the one that had it has just removed it

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._fd >= 0 and not os.fstat(self._fd).st_size:
            os.unlink(self.path)  # nothing was begun
        self._close()

    def _close(self) -> None:
        """Close the file. A thread that is late adds no line after this: neither to the plan, which another run may be using,
        nor to a file that has got the same number of descriptor."""
        with self._syncing, self._writing:
            fd, self._fd = self._fd, -1
            if fd >= 0:
                os.close(fd)

    def read(self, version: int, **fields: type) -> list[dict[str, Any]]:
        """Return its lines, as far as they are whole: the last may have been cut. version: of the first line, as begin got
        it. fields: what each of the others has."""
        with open(self.path, "rb") as file:
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        os.ftruncate(self._fd, len(whole))
        try:
            lines: list[dict[str, Any]] = [json.loads(line) for line in whole.splitlines()]
            if lines and lines[0]["version"] != version:
                raise Error(f"{self.path}: a plan of another version of Runnel; --restart starts over")
            if not all(isinstance(line[name], kind) for line in lines[1:] for name, kind in fields.items()):
                raise ValueError
        except (ValueError, LookupError, TypeError, RecursionError):
            raise self.damaged() from None
        return lines

    def damaged(self) -> Error:
        return Error(f"{self.path}: not a plan, or damaged; --restart starts over")

    def upload(self) -> str | None:
        """Return the upload that its first line names, whichever version wrote it and whatever became of the other lines."""
        with open(self.path, "rb") as file:
            line = file.readline()
        try:
            plan = json.loads(line)
        except (ValueError, RecursionError):
            return None
        upload = plan.get("upload") if isinstance(plan, dict) else None
        return upload if isinstance(upload, str) and upload else None

    def begin(self, version: int, plan: dict[str, Any]) -> None:
        """Write the first line, on disk before anything is sent."""
        with naming(self.path):
            os.ftruncate(self._fd, 0)
            self.append({"version": version, **plan}, durable=True)
            sync_folder(self._folder)

    def append(self, line: dict[str, Any], *, durable: bool = False) -> None:
        """Add a line, from any thread. durable: it is on disk when this returns, with whatever lines other threads have added
        meanwhile. Raises OSError; after an error of the disk for every further line that is to be durable, too, because the
        system tells of such an error only once."""
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        with self._writing, naming(self.path):
            end = os.fstat(self._fd).st_size
            try:
                write_all(lambda rest: os.write(self._fd, rest), self.path, memoryview(data))
            except BaseException:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._fd, end)
                raise
            self._written += 1
            number = self._written
        if durable:
            with self._syncing, naming(self.path):
                self._sync(number)

    def _sync(self, number: int) -> None:
        """Have so many lines on disk."""
        if self._lost is not None:
            raise OSError(self._lost.errno, self._lost.strerror)
        if self._synced < number:
            written = self._written
            try:
                os.fsync(self._fd)
            except OSError as error:
                self._lost = error
                raise
            self._synced = written

    def remove(self) -> None:
        """Remove the plan: all is done, or given up."""
        os.unlink(self.path)
        self._close()


# The parts of an upload


class Commitments:
    """The commitments in the journal of an upload. For any thread of the process that has the journal, but not for two
    at the same part."""

    def __init__(self, journal: Journal, source: str) -> None:
        self._journal = journal
        self._source = source
        self._by_part: dict[int, bytes] = {}
        self.sent: dict[int, str] = {}
        """ETags of the parts that the store has, by their numbers."""

    def add_noted(self, lines: Iterable[dict[str, Any]], parts: int) -> None:
        """Add what earlier runs recorded of parts number 1 to parts. Raises Error: no run of ours can have."""
        try:
            for line in lines:
                number, commitment = line["part"], bytes.fromhex(line["sealed"])
                if not 1 <= number <= parts or self._by_part.setdefault(number, commitment) != commitment:
                    raise ValueError
                if line["etag"]:
                    self.sent[number] = line["etag"]
        except ValueError:
            raise self._journal.damaged() from None

    def commit(self, part: Part, commitment: bytes) -> None:
        """Record a part's commitment durably: after this, the part may be sent. Raises ChangedError if an earlier one of the
        same part differs: the part must not be sent."""
        earlier = self._by_part.get(part.number)
        if earlier is None:
            self._journal.append({"part": part.number, "sealed": commitment.hex(), "etag": ""}, durable=True)
            self._by_part[part.number] = commitment
        elif not hmac.compare_digest(earlier, commitment):
            raise self.changed()

    def note_sent(self, part: Part, etag: str) -> None:
        """Record that the store has a part."""
        commitment = self._by_part.get(part.number, b"")  # parts of plaintext have no commitments
        self._journal.append({"part": part.number, "sealed": commitment.hex(), "etag": etag})
        self.sent[part.number] = etag

    def check_covers(self, there: Iterable[int]) -> None:
        """Raise Error if the store has a part that no commitment was recorded of: the journal is older than the upload."""
        for number in there:
            if number not in self._by_part:
                raise Error(
                    f"{self._journal.path}: says nothing of part {number}, which the store has, as if an older state of this "
                    "file had been restored; --restart starts over"
                )

    def changed(self) -> ChangedError:
        return ChangedError(
            f"{self._source}: it was changed after its upload had begun, which {self._journal.path} keeps; "
            "--restart starts over"
        )


# The objects of a prefix


_NOTES_VERSION = 2


class Notes:
    """plan: what is done, in which no other work may have part. keyset: any of its keys will do that the work was begun
    with. Nobody else can add to the notes; who removes some has their objects done again."""

    def __init__(self, journal: Journal, plan: dict[str, str], keyset: Keyset, aad: bytes) -> None:
        self._journal = journal
        self._plan = plan
        self._keyset = keyset
        self._aad = aad
        self._secret = b""

    def begin(self) -> None:
        plan = {**self._plan, "begun": os.urandom(16).hex()}
        key = self._keyset.primary
        self._journal.begin(_NOTES_VERSION, {**plan, "check": fingerprint(key, _json_of(plan), self._aad).hex()})
        self._begun(plan, key)

    def _begun(self, plan: dict[str, str], key: Key) -> None:
        self._secret = fingerprint(key, _json_of(plan) + b" lines", self._aad)

    def read(self) -> list[dict[str, Any]] | None:
        """Return the notes in order; None: nothing was begun. Raises Error: they are not ours."""
        lines = self._journal.read(_NOTES_VERSION, done=str, check=str)
        if not lines:
            return None
        plan = {name: value for name, value in lines[0].items() if name not in ("version", "check")}
        key = key_of(self._keyset, _bytes_of_hex(lines[0].get("check")), _json_of(plan), self._aad)
        if key is not None and plan == {**self._plan, "begun": plan.get("begun")}:
            self._begun(plan, key)
            if all(hmac.compare_digest(self._check(line), _bytes_of_hex(line["check"])) for line in lines[1:]):
                return lines[1:]
        raise Error(
            f"{self._plan['target']}: a part of it was made with another key or other associated data, or "
            f"{self._journal.path} was changed; --restart starts over"
        )

    def add(self, source: Listed, etag: str, entry: Entry | None = None, listed: Entry | None = None) -> None:
        """Note that an object was made of this one, its ETag, and, where a catalog needs it, which sealed object that is and
        which version the catalog listed."""
        line = {"done": source.name, "id": [source.size, source.etag], "made": _plain_etag(etag)}
        self._append(line if listed is None else {**line, "listed": _fields(listed)}, entry)

    def announce(self, name: str, entry: Entry, listed: Entry) -> None:
        """Note, on disk, that this version is about to replace an object. listed: the version in the catalog. Any thread may
        do so."""
        self._append({"done": name, "listed": _fields(listed)}, entry, durable=True)

    def _append(self, line: dict[str, Any], entry: Entry | None, *, durable: bool = False) -> None:
        if entry is not None:
            line["sealed"] = _fields(entry)
        self._journal.append({**line, "check": self._check(line).hex()}, durable=durable)

    def _check(self, line: dict[str, Any]) -> bytes:
        fields = {name: value for name, value in line.items() if name != "check"}
        return hmac.digest(self._secret, _json_of(fields), "sha256")[:16]


def still_there(lines: list[dict[str, Any]], listed: Iterable[Listed]) -> dict[str, dict[str, Any]]:
    """Return the last note of each object whose target is still what was noted, by their names."""
    notes = {line["done"]: line for line in lines}
    return {
        each.name: notes[each.name]
        for each in listed
        if each.name in notes and each.etag is not None and notes[each.name]["made"] == _plain_etag(each.etag)
    }


def noted_entry(line: dict[str, Any]) -> Entry | None:
    """Return the sealed object that a note is about, if it says which."""
    return _entry(line["sealed"]) if "sealed" in line else None


def noted_listed(line: dict[str, Any]) -> Entry | None:
    """Return the version that the catalog listed when a note was made, if it listed one."""
    return _entry(line["listed"]) if "listed" in line else None


def announcements(lines: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Entry, Entry]]:
    """Yield (name, version, the version that the catalog listed then) of what was announced."""
    for line in lines:
        if "listed" in line:
            yield line["done"], _entry(line["sealed"]), _entry(line["listed"])


def _fields(entry: Entry) -> list[Any]:
    return [entry.size, entry.header.hex()]


def _entry(fields: list[Any]) -> Entry:
    size, header = fields
    return Entry(size, bytes.fromhex(header))


def _plain_etag(etag: str) -> str:
    """Return an ETag without quotes: not every store has them in its lists."""
    return etag.removeprefix("W/").strip('"')


def _json_of(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, sort_keys=True).encode()


def _bytes_of_hex(text: object) -> bytes:
    try:
        return bytes.fromhex(str(text))
    except ValueError:
        return b""


# The generations of catalogs


_GENERATION = re.compile(r"[0-9a-f]{32}\.generation")


def is_generation(path: str, folder: str) -> bool:
    """Return whether a file remembers a generation in this state folder, if there is one: it may lie among the objects of a
    prefix, and is none of them."""
    where, name = os.path.split(path)
    return (
        bool(folder) and _GENERATION.fullmatch(name) is not None and os.path.realpath(where) == os.path.realpath(folder)
    )


class Generations:
    """Of one prefix. folder: of the state; empty: there is none, and nothing is remembered."""

    def __init__(self, folder: str, prefix: str) -> None:
        name = hashlib.sha256(prefix.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._folder = folder
        self._prefix = prefix
        self.path = os.path.join(folder, f"{name}.generation")

    def seen(self) -> int:
        """Return the highest generation that was seen; 0: none. Raises Error: the file is damaged."""
        if not self._folder:
            return 0
        try:
            with open(self.path, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH)
                return self._read(file.read())
        except FileNotFoundError:
            return 0

    def remember(self, generation: int) -> None:
        """Write the generation down, unless a higher one is there."""
        if not self._folder:
            return
        make_folders(self._folder, 0o700)
        with (
            naming(self.path),
            open(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b", 0) as file,
        ):
            fcntl.flock(file, fcntl.LOCK_EX)
            text = read_whole(file, self.path)
            if self._read(text) >= generation:
                return
            line = json.dumps({"prefix": self._prefix, "generation": generation}).encode() + b"\n"
            os.pwrite(file.fileno(), line, 0)
            os.ftruncate(file.fileno(), len(line))
            os.fsync(file.fileno())
            if not text:  # it may be new
                sync_folder(self._folder)

    def _read(self, text: bytes) -> int:
        if not text:  # made by a command that was killed before it could write
            return 0
        try:
            generation = json.loads(text)["generation"]
            if type(generation) is int and generation > 0:
                return generation
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
        raise Error(f"{self.path}: damaged; remove it if you know the catalog's generation, and give --generation")
