# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One object: encrypted, decrypted, verified, read in part, sealed under another key."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from runnel.errors import AuthenticationError, Error
from runnel.inputs import Inputs
from runnel.output import Leftovers, OutputFile
from runnel.sealed.binding import bound
from runnel.sealed.keyset import Key, Keyset
from runnel.sealed.parameters import Parameters
from runnel.sealed.place import KeyPlace

from runnel_store.azure import AzureUpload, can_resume
from runnel_store.catalog import Entry
from runnel_store.commitments import Commitments
from runnel_store.executors import Executor, Threads, available, in_order, threads_for
from runnel_store.fingerprints import fingerprint, key_of
from runnel_store.opened import Opened, open_sealed
from runnel_store.parts import plaintext_range
from runnel_store.plan import PART_BYTES, Cut, cut
from runnel_store.readers import FIRST_BYTES, LocalFile, Reader, StoredObject, exists, marks, reader_of
from runnel_store.resume import Journal, state_folder
from runnel_store.uploads import (
    FileUpload,
    MultipartUpload,
    S3Upload,
    already,
    check_target,
    put_sealed,
    put_stream,
    put_whole,
)
from runnel_store.urls import WEB, Location
from runnel_store.work import Verb, Work, Worker

if TYPE_CHECKING:
    from typing_extensions import Buffer

Progress = Callable[[int], None]
_PLAN_VERSION = 3
CAT_BYTES = 4 << 20
"""Parts of what goes to the standard output: it waits for the first of them."""


@dataclass(frozen=True)
class Options:
    """Options that do not change the bytes of the result."""

    aad: bytes = b""
    name: str | None = None
    """The name that the object is bound to; None: to no name."""
    bind_names: bool = False
    """Bind each object below a prefix to its name there."""
    accept_unbound: bool = False
    """rotate: also objects that are bound to no name, which are then bound to theirs."""
    expected: frozenset[Entry] | None = None
    """The versions that a sealed object may have that is read, or that an earlier run has made; None: any."""
    begun: Callable[[Entry], None] | None = None
    """Told which sealed object will be made, before the store gets any of it."""
    force: bool = False
    part_bytes: int = PART_BYTES
    threads: int | None = None
    ray: str | None = None
    place: KeyPlace | None = None
    """Where Ray's workers find the key."""
    state: str = field(default_factory=state_folder)
    resumed: bool = False
    """An earlier run over this prefix was killed: objects that it finished are no errors."""
    restart: bool = False
    """Give up what a killed command had done."""
    first_bytes: int = FIRST_BYTES
    """Bytes that the first request for an object asks for: all of small ones."""
    progress: Progress | None = None
    inputs: Inputs = field(default_factory=Inputs)
    """Files that are read, and therefore never written."""
    leftovers: Leftovers = field(default_factory=Leftovers)
    written: dict[tuple[int, int], str] = field(default_factory=dict)
    """Files that were made, by device and inode."""

    @property
    def associated_data(self) -> bytes:
        """Return the object's associated data: aad, and its name if it is bound to that."""
        return self.aad if self.name is None else bound(self.aad, self.name)

    def below(self, name: str) -> Options:
        """Return the options for the object of this name below a prefix."""
        return replace(self, name=name) if self.bind_names else self

    def expects(self, entry: Entry) -> bool:
        return self.expected is None or entry in self.expected

    def executor(self, part_bytes: int) -> Executor:
        return available(self.ray, self.place, part_bytes, self.threads)

    def done(self, count: int) -> None:
        if self.progress is not None:
            self.progress(count)


class Made(NamedTuple):
    """The result for an object."""

    bytes: int
    """Of the plaintext."""
    etag: str | None
    """As a listing will have it; None: not known."""
    entry: Entry
    """Of the sealed object: what was made, or what it was made of."""
    changed: bool = True
    """False: it was so already."""


def encrypt(source: Location, target: Location, keyset: Keyset, options: Options) -> Made:
    """Encrypt source as target with the keyset's primary key."""
    reader = _source("seal", source, target, options)
    if reader.identity() is None:
        raise Error(f"{source}: the server gives no ETag, by which a change would be noticed; copy it first")
    return _write("seal", source, target, reader, reader, None, keyset, options)


def decrypt(source: Location, target: Location, keyset: Keyset, options: Options) -> Made:
    """Decrypt source as target, which appears when all of it is verified."""
    reader = _source("open", source, target, options)
    opened = opened_as_expected(reader, keyset, options)
    return _write("open", source, target, reader, opened, opened, keyset, options)


def verify(source: Location, keyset: Keyset, options: Options) -> int:
    """Read source and verify all of it; return the bytes of plaintext. Raises AuthenticationError."""
    reader = _reader(source, options)
    opened = opened_as_expected(reader, keyset, options)
    work = Work("verify", source, reader.identity(), opened.size, options.associated_data, opened.opening)
    parts = cut(opened.keys.parameters, opened.size, options.part_bytes, segments=opened.segments, name=source.text)
    _do_all(Worker(work, keyset, reader), parts, options)
    opened.check()
    return opened.size


def rotate(source: Location, keyset: Keyset, options: Options) -> Made:
    """Encrypt an object anew under the primary key, in its place, unless it is under that key already and bound as it is to
    be."""
    reader = _reader(source, options)
    opened = opened_as_expected(reader, keyset, options)
    rightly_bound = opened.opening.aad == options.associated_data
    if opened.key.key_id == keyset.primary.key_id and rightly_bound and not options.force:
        with discard_stale_upload(
            "reseal", source, source, options
        ):  # of what was killed when the store had completed its object
            options.done(opened.size)
        return Made(opened.size, None, entry_of(opened), changed=False)
    options = replace(options, force=True)
    return _write("reseal", source, source, reader, opened, opened, keyset, options)


def cat(
    source: Location,
    keyset: Keyset,
    options: Options,
    start: int = 0,
    end: int | None = None,
    *,
    check_end: bool = True,
) -> Iterator[Buffer]:
    """Yield the plaintext from start to end, in order, each piece verified. check_end: verify the object's last segment too,
    which shows whether the object has been cut."""
    reader = reader_of(source, first=options.first_bytes)
    opened = opened_as_expected(reader, keyset, options, end=check_end)
    if start > opened.size:
        raise Error(f"{source}: the range begins at {start}, beyond the {opened.size} bytes of plaintext")
    end = opened.size if end is None else min(end, opened.size)
    if start == end:
        return
    p = opened.keys.parameters
    first, after = opened.segments_in(start, end)
    step = max(1, CAT_BYTES // p.segment_bytes)
    pieces = [(low, min(low + step, after)) for low in range(first, after, step)]

    def piece(segments: tuple[int, int]) -> Buffer:
        low, high = p.plaintext_at(segments[0]), p.plaintext_at(segments[1])
        return opened.read(max(start, low), min(end, high))

    if len(pieces) == 1:
        yield piece(pieces[0])
    else:
        yield from in_order(threads_for(CAT_BYTES, options.threads), piece, pieces)
    if first == 0 and end == opened.size and len(pieces) > 1:
        opened.check()


def entry_of(opened: Opened) -> Entry:
    return Entry(opened.reader.size, opened.keys.header)


def opened_as_expected(reader: Reader, keyset: Keyset, options: Options, *, end: bool = True) -> Opened:
    """Return the sealed object, if it is one of those that are expected. Raises AuthenticationError."""
    found = _found(reader, keyset, options, end)
    if not options.expects(entry_of(found)):
        raise AuthenticationError(f"{reader.name}: not the version that the catalog lists")
    return found


def _found(reader: Reader, keyset: Keyset, options: Options, end: bool) -> Opened:
    """Return what open_sealed does; where a name is wanted, an error says what else may be wrong."""
    try:
        return open_sealed(reader, keyset, options.associated_data, end=end)
    except AuthenticationError as error:
        if options.name is None:
            raise
        message = str(error)
    try:
        unbound = open_sealed(reader, keyset, options.aad, end=end)
    except AuthenticationError:
        raise AuthenticationError(f"{message}, or bound to a name other than {options.name!r}") from None
    if options.accept_unbound:
        return unbound
    raise AuthenticationError(f"{reader.name}: not bound to a name, expected {options.name!r}")


def _reader(source: Location, options: Options) -> Reader:
    """Return the source, opened, and counted among the files that are read."""
    reader = reader_of(source, first=options.first_bytes)
    if isinstance(reader, LocalFile):
        options.inputs.remember(reader.fd, reader.name)
    return reader


def _source(verb: Verb, source: Location, target: Location, options: Options) -> Reader:
    """Return the source, opened, after whatever can be refused before."""
    if source.same_as(target):
        raise ValueError(f"{target}: output and input are the same: {source}")
    if target.scheme in WEB:
        raise Error(f"{target}: http:// and https:// are read-only")
    if target.is_prefix:
        raise IsADirectoryError(errno.EISDIR, "is a prefix, not an object", target.text)
    reader = _reader(source, options)
    if options.force and isinstance(reader, StoredObject) and reader.size and not target.local and exists(target):
        other = reader_of(target)
        if isinstance(other, StoredObject) and reader.looks_like(other):
            raise ValueError(f"{target}: output and input are the same: {source}")
    # A local file says it itself, when it is begun, and so does a store, of what it gets in one request.
    in_parts = not target.local and reader.size > options.part_bytes
    if in_parts and (options.restart or not _journal(verb, source, target, options).exists()):
        check_target(target, options.force)
    return reader


def _journal(verb: Verb, source: Location, target: Location, options: Options) -> Journal:
    return Journal(options.state, verb, _absolute(source), _absolute(target))


def _write(
    verb: Verb,
    source: Location,
    target: Location,
    reader: Reader,
    plain: Reader,
    opened: Opened | None,
    keyset: Keyset,
    options: Options,
) -> Made:
    """Write the target, as the target's kind allows: a file, one request, a multipart upload, a stream."""

    def outcome(etag: str | None, header: bytes) -> Made:
        entry = entry_of(opened) if verb == "open" and opened else Entry(p.sealed_bytes(plain.size), header)
        return Made(plain.size, etag, entry)

    key = keyset.primary
    aad = options.associated_data
    work = Work(verb, source, reader.identity(), plain.size, aad, opened.opening if opened else None)
    p: Parameters = opened.keys.parameters if verb == "open" and opened else key.parameters
    if verb != "open":
        work = _with_header(work, key, p.new_file(key.secret, aad).header)
        _announce(work, p, options)
    segments = opened.segments if verb == "open" and opened else 0
    parts = cut(p, plain.size, options.part_bytes, segments=segments, plain=verb == "open", name=source.text)
    replaced = _etag(reader) if verb == "reseal" else None
    if target.local:
        if options.ray is not None:
            raise ValueError(f"{target}: --ray writes to object stores, not to files")
        inputs = Inputs() if verb == "reseal" else _ProtectedFiles(options.inputs, options.written)
        with OutputFile(target.key, inputs=inputs, force=options.force, leftovers=options.leftovers) as out:
            upload = FileUpload(out.fileno(), target.text)
            worker = Worker(work, keyset, reader, upload)
            _do_all(worker, parts, options)
            worker.check()
            if isinstance(reader, LocalFile) and verb == "reseal":
                reader.check_place()
            out.commit()
            if verb == "reseal":  # it stands where the input stood
                options.inputs.remember(out.fileno(), target.text)
            status = os.fstat(out.fileno())
            if options.force and verb != "reseal":  # without force nothing is replaced
                options.written[status.st_dev, status.st_ino] = target.text
            return outcome(marks(status), work.header)
    elif parts.parts > 1 and (kind := _kind(target)) is not None:
        return outcome(*_upload(kind, work, target, reader, keyset, parts, p, options, replaced))
    else:
        with discard_stale_upload(verb, source, target, options):
            if parts.parts == 1:
                return outcome(_put(work, target, reader, keyset, parts, options, replaced), work.header)
            return outcome(_stream(work, target, reader, keyset, parts, options), work.header)


class _ProtectedFiles(Inputs):
    """Files that no output may replace: those read, and those that the same run has made of another object, which has
    the same name on a disk that takes A for a."""

    def __init__(self, inputs: Inputs, written: dict[tuple[int, int], str]) -> None:
        self._inputs = inputs
        self._written = written

    def check(self, output: os.stat_result, name: str) -> None:
        self._inputs.check(output, name)
        if (other := self._written.get((output.st_dev, output.st_ino))) is not None:
            raise ValueError(f"{name}: is the file {other}, which this command has just made")


@contextlib.contextmanager
def discard_stale_upload(verb: Verb, source: Location, target: Location, options: Options) -> Iterator[None]:
    """Abort the upload that a killed command had begun, when the body, which needs none, succeeds."""
    journal = _journal(verb, source, target, options)
    if target.local or not journal.exists():
        yield
        return
    with journal:
        yield
        _abort_upload(journal, target)
        journal.remove()


def _with_header(work: Work, key: Any, header: bytes) -> Work:
    check = fingerprint(key, header, work.aad)
    return replace(work, header=header, check=check)


def _announce(work: Work, p: Parameters, options: Options) -> None:
    if options.begun is not None:
        options.begun(Entry(p.sealed_bytes(work.size), work.header))


def _etag(reader: Reader) -> str | None:
    identity = reader.identity()
    return str(identity[1]) if isinstance(reader, StoredObject) and identity is not None else None


def _part_bytes(worker: Worker, parts: Cut) -> int:
    return parts.per_part * worker.keys.parameters.segment_bytes


def _do_all(worker: Worker, parts: Cut, options: Options) -> None:
    for done in options.executor(_part_bytes(worker, parts)).each(worker, parts):
        options.done(done.plaintext_bytes)


def _put(
    work: Work, target: Location, reader: Reader, keyset: Keyset, parts: Cut, options: Options, replaced: str | None
) -> str | None:
    worker = Worker(work, keyset, reader)
    data = worker.make(parts.part(1))
    worker.check()
    put = put_whole if work.verb == "open" else put_sealed
    etag = put(target, data, options.force, replaced)
    options.done(work.size)
    return etag


def _stream(work: Work, target: Location, reader: Reader, keyset: Keyset, parts: Cut, options: Options) -> str | None:
    worker = Worker(work, keyset, reader)
    executor = options.executor(_part_bytes(worker, parts))
    if not isinstance(executor, Threads):
        but = "; no URL of this one can be signed" if target.scheme == "az" else ""
        raise ValueError(f"{target}: --ray writes to s3:// and az://, whose uploads many machines can share{but}")

    def pieces() -> Iterator[Buffer]:
        for piece in in_order(executor.count, worker.make, parts):
            yield piece
            options.done(len(piece))
        worker.check()

    size = work.size if work.verb == "open" else worker.keys.parameters.sealed_bytes(work.size)
    return put_stream(target, pieces(), size, options.force, worker.check, work.header)


def _kind(target: Location) -> type[S3Upload] | type[AzureUpload] | None:
    """Return how to send parts that another process can continue; None: there is no way."""
    if target.scheme == "s3":
        return S3Upload
    if target.scheme == "az" and can_resume(target):
        return AzureUpload
    return None


def _upload(
    kind: type[S3Upload] | type[AzureUpload],
    work: Work,
    target: Location,
    reader: Reader,
    keyset: Keyset,
    parts: Cut,
    p: Parameters,
    options: Options,
    replaced: str | None,
) -> tuple[str | None, bytes]:
    """Make a multipart upload, or complete the one that a killed command has left. Return its ETag, and its header, which
    may be that of the killed command."""
    with _journal(work.verb, work.source, target, options) as journal:
        begun = resume_upload(kind, journal, work, target, parts, p, keyset, options)
        if begun is None:
            check_target(target, options.force)
            upload: MultipartUpload = kind.begin(target)
            try:
                journal.begin(_PLAN_VERSION, _plan(work, target, upload, parts, keyset))
            except BaseException:  # as on a full disk: nobody else knows of the upload
                with contextlib.suppress(Error, OSError):
                    upload.abort()
                raise
            noted = Commitments(journal, work.source.text)
        else:
            work, upload, parts, noted = begun
            _announce(work, p, options)
        if not upload.upload:  # completed, before the command was killed
            options.done(work.size)
            journal.remove()
            return None, work.header
        # Nothing that could be trusted tells whether plaintext is what it was, so all of it is read and compared again. A
        # sealed object is what it was if its header is.
        again = work.verb == "seal"
        there = set(noted.sent)
        for number in () if again else there:
            part = parts.part(number)
            low, high = plaintext_range(p, part.first, part.after, work.size)
            options.done(high - low)
        worker = Worker(work, keyset, reader, upload, noted if work.header else None)
        try:
            rest = [part for part in parts if again or part.number not in there]
            for done in options.executor(_part_bytes(worker, parts)).each(worker, rest) if rest else ():
                if done.part.number not in there:
                    noted.note_sent(done.part, done.etag)
                options.done(done.plaintext_bytes)
        except AuthenticationError:  # there is nothing to continue, and plaintext is not left behind
            with contextlib.suppress(Error, OSError):
                upload.abort()
                journal.remove()
            raise
        worker.check()
        if not options.force and exists(target) and not upload.completed(noted.sent):  # some stores do not look
            raise already(target)
        etag = upload.complete(noted.sent, options.force, replaced)
        journal.remove()
        return etag, work.header


def _absolute(location: Location) -> str:
    return os.path.realpath(location.key) if location.local else f"{location.scheme}://{location.bucket}/{location.key}"


def _plan(work: Work, target: Location, upload: MultipartUpload, parts: Cut, keyset: Keyset) -> dict[str, Any]:
    plan: dict[str, Any] = {
        "verb": work.verb,
        "source": str(work.source),
        "identity": work.identity,
        "target": str(target),
        "upload": upload.upload,
        "size": work.size,
        "segments": parts.segments,
        "per_part": parts.per_part,
        "header": work.header.hex(),
        "opened": work.opening.header.hex() if work.opening else "",
    }
    return plan | {"check": _check_of(plan, work, target, keyset)}


def _check_of(plan: dict[str, Any], work: Work, target: Location, keyset: Keyset) -> str:
    """Return what only the holder of the key could write below this plan for this work: a header may not meet another
    source."""
    key: Key | None = keyset.primary
    if work.verb == "open" and work.opening is not None:
        key = key_of(keyset, work.opening.check, work.opening.header, work.aad)
    assert key is not None  # it has just opened the source
    fields = {name: value for name, value in plan.items() if name not in ("version", "check")}
    fields["places"] = [_absolute(work.source), _absolute(target)]  # a plan says how they were spelled
    return fingerprint(key, json.dumps(fields, sort_keys=True).encode(), work.aad).hex()


def resume_upload(
    kind: type[S3Upload] | type[AzureUpload],
    journal: Journal,
    work: Work,
    target: Location,
    parts: Cut,
    p: Parameters,
    keyset: Keyset,
    options: Options,
) -> tuple[Work, MultipartUpload, Cut, Commitments] | None:
    """Return the upload that the plan and the store know, to continue it; None: there is none, so that all begins anew."""
    if options.restart:
        _abort_upload(journal, target)
        return None
    lines = journal.read(_PLAN_VERSION, part=int, sealed=str, etag=str)
    if not lines:
        return None
    plan = lines[0]
    if plan.get("check") != _check_of(plan, work, target, keyset):
        raise Error(
            f"{target}: its upload was begun with another key or other associated data, or {journal.path} was changed; "
            "--restart starts over"
        )
    upload = kind(target, plan["upload"])
    identity = None if work.identity is None else list(work.identity)
    opened = work.opening.header.hex() if work.opening else ""
    unchanged = (plan["identity"], plan["opened"], plan["size"]) == (identity, opened, work.size)
    if work.verb != "open":
        work = _with_header(work, keyset.primary, bytes.fromhex(plan["header"]))
    parts = Cut(plan["segments"], plan["per_part"])
    noted = Commitments(journal, work.source.text)
    noted.add_noted(lines[1:], parts.parts)
    there = upload.parts()
    complete = there is None and len(noted.sent) == parts.parts
    if work.verb == "seal":  # another command may have replaced it since in the catalog
        complete = complete and options.expects(Entry(p.sealed_bytes(work.size), work.header))
    if complete and (unchanged or work.verb == "reseal") and _is_there(upload, target, work, p, noted.sent):
        return work, kind(target, ""), parts, noted  # a source that was sealed anew in its place is another one now
    if not unchanged:
        raise noted.changed()
    if there is None:
        return None  # the upload has been given up; a new one gets a new header
    if work.header:
        noted.check_covers(there)
    noted.sent = {number: etag for number, etag in noted.sent.items() if there.get(number, ("",))[0] == etag}
    return work, upload, parts, noted


def _is_there(upload: MultipartUpload, target: Location, work: Work, p: Parameters, etags: dict[int, str]) -> bool:
    """Return whether the target is what this work's upload made."""
    if not exists(target):
        return False
    if work.header:
        found = reader_of(target)
        return found.size == p.sealed_bytes(work.size) and bytes(found.read(0, len(work.header))) == work.header
    return upload.completed(etags)


def _abort_upload(journal: Journal, target: Location) -> None:
    """Abort the upload: nobody else knows of it, and it costs storage as long as it exists."""
    upload, kind = journal.upload(), _kind(target)
    if upload is not None and kind is not None:
        kind(target, upload).abort()
