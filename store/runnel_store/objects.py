# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One object: encrypted, decrypted, verified, read in part, rotated to another key; an upload that was killed, resumed."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from runnel.errors import AuthenticationError, Error
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.sealed.keyset import Key, Keyset
from runnel.threads import in_order

from runnel_store.executors import Executor, Options, Threads, threads_for
from runnel_store.journal import Commitments, Journal
from runnel_store.parts import Cut, Entry, Plaintext, Verb, Work, Worker, cut, fingerprint, key_of, open_object
from runnel_store.readers import LocalFile, Reader, StoredObject, exists, marks, reader_of
from runnel_store.uploads import (
    AzureUpload,
    FileUpload,
    MultipartUpload,
    S3Upload,
    already,
    check_target,
    kind_of_upload,
    put_sealed,
    put_stream,
    put_whole,
)
from runnel_store.urls import WEB, Location

if TYPE_CHECKING:
    from typing_extensions import Buffer

_PLAN_VERSION = 3
_JOURNAL_VERBS: dict[Verb, str] = {"encrypt": "seal", "decrypt": "open", "rotate": "reseal"}
"""The verbs in the plans of uploads, which later versions continue: as the first one wrote them."""
CAT_BYTES = 4 << 20
"""Parts of what goes to the standard output: it waits for the first of them."""


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
    job = _Job("encrypt", source, target, keyset, options)
    job.check_ends()
    if job.reader.identity() is None:
        raise Error(f"{source}: the server gives no ETag, by which a change would be noticed; copy it first")
    return job.write()


def decrypt(source: Location, target: Location, keyset: Keyset, options: Options) -> Made:
    """Decrypt source as target, which appears when all of it is verified."""
    job = _Job("decrypt", source, target, keyset, options)
    job.check_ends()
    job.open()
    return job.write()


def rotate(source: Location, keyset: Keyset, options: Options) -> Made:
    """Encrypt an object anew under the primary key, in its place, unless it is under that key already and bound as it is to
    be."""
    job = _Job("rotate", source, source, keyset, options)
    opened = job.open()
    rightly_bound = opened.opening.aad == options.associated_data
    if opened.key.key_id == keyset.primary.key_id and rightly_bound and not options.force:
        with job.discarding_stale_upload():  # of what was killed when the store had completed its object
            options.done(opened.size)
        return Made(opened.size, None, opened.entry, changed=False)
    job.options = replace(options, force=True)
    return job.write()


def verify(source: Location, keyset: Keyset, options: Options) -> int:
    """Read source and verify all of it; return the bytes of plaintext. Raises AuthenticationError."""
    job = _Job("verify", source, source, keyset, options)
    opened = job.open()
    job.prepare()
    job.do_all(Worker(job.work, keyset, job.reader))
    opened.check_unchanged()
    return opened.size


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
    opened = open_expected(reader, keyset, options, verify_end=check_end)
    if start > opened.size:
        raise Error(f"{source}: the range begins at {start}, beyond the {opened.size} bytes of plaintext")
    end = opened.size if end is None else min(end, opened.size)
    if start == end:
        return
    first, after = opened.segments_in(start, end)
    step = max(1, CAT_BYTES // opened.parameters.segment_bytes)
    pieces = [(low, min(low + step, after)) for low in range(first, after, step)]

    def piece(segments: tuple[int, int]) -> Buffer:
        low, high = opened.plaintext_of(*segments)
        return opened.read(max(start, low), min(end, high))

    if len(pieces) == 1:
        yield piece(pieces[0])
    else:
        yield from in_order(threads_for(CAT_BYTES, options.threads), piece, pieces)
    if first == 0 and end == opened.size and len(pieces) > 1:
        opened.check_unchanged()


def open_expected(reader: Reader, keyset: Keyset, options: Options, *, verify_end: bool = True) -> Plaintext:
    """Return the sealed object, if it is one of those that are expected. Raises AuthenticationError."""
    opened = _open_bound(reader, keyset, options, verify_end)
    if not options.expects(opened.entry):
        raise AuthenticationError(f"{reader.name}: not the version that the catalog lists")
    return opened


def _open_bound(reader: Reader, keyset: Keyset, options: Options, verify_end: bool) -> Plaintext:
    """Return what open_object does; where a name is wanted, an error says what else may be wrong."""
    try:
        return open_object(reader, keyset, options.associated_data, verify_end=verify_end)
    except AuthenticationError as error:
        if options.name is None:
            raise
        message = str(error)
    try:
        unbound = open_object(reader, keyset, options.aad, verify_end=verify_end)
    except AuthenticationError:
        raise AuthenticationError(f"{message}, or bound to a name other than {options.name!r}") from None
    if options.accept_unbound:
        return unbound
    raise AuthenticationError(f"{reader.name}: not bound to a name, expected {options.name!r}")


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


class _Job:
    """One object on its way from a source to a target, which a rotation has in its source's place.

    work and parts, which prepare makes, say what is done, and come from the journal where an upload is resumed.
    """

    work: Work
    parts: Cut

    def __init__(self, verb: Verb, source: Location, target: Location, keyset: Keyset, options: Options) -> None:
        self.verb: Verb = verb
        self.source = source
        self.target = target
        self.keyset = keyset
        self.options = options
        self._reader: Reader | None = None
        self._opened: Plaintext | None = None

    @property
    def reader(self) -> Reader:
        """Return the source, opened, and counted among the files that are read."""
        if self._reader is None:
            self._reader = reader_of(self.source, first=self.options.first_bytes)
            if isinstance(self._reader, LocalFile):
                self.options.inputs.remember(self._reader.fd, self._reader.name)
        return self._reader

    def open(self) -> Plaintext:
        """Open the source, which is sealed. Raises AuthenticationError."""
        self._opened = open_expected(self.reader, self.keyset, self.options)
        return self._opened

    def check_ends(self) -> None:
        """Raise whatever can be refused before the source is read."""
        source, target, options = self.source, self.target, self.options
        if source.same_as(target):
            raise ValueError(f"{target}: output and input are the same: {source}")
        if target.scheme in WEB:
            raise Error(f"{target}: http:// and https:// are read-only")
        if target.is_prefix:
            raise IsADirectoryError(errno.EISDIR, "is a prefix, not an object", target.text)
        reader = self.reader
        if options.force and isinstance(reader, StoredObject) and reader.size and not target.local and exists(target):
            other = reader_of(target)
            if isinstance(other, StoredObject) and reader.looks_like(other):
                raise ValueError(f"{target}: output and input are the same: {source}")
        # A local file says it itself, when it is begun, and so does a store, of what it gets in one request.
        in_parts = not target.local and reader.size > options.part_bytes
        if in_parts and (options.restart or not self._journal().exists()):
            check_target(target, options.force)

    def prepare(self) -> None:
        """Plan the work and its parts."""
        opened, options = self._opened, self.options
        size = self.reader.size if opened is None else opened.size
        opening = None if opened is None else opened.opening
        self.work = Work(self.verb, self.source, self.reader.identity(), size, options.associated_data, opening)
        segments = 0
        if opened is not None and self.verb in ("decrypt", "verify"):
            p, segments = opened.parameters, opened.segments
        else:
            key = self.keyset.primary
            p = key.parameters
            self._take_header(p.new_file(key.secret, self.work.aad).header)
        plain = self.verb == "decrypt"
        self.parameters = p
        self.parts = cut(p, size, options.part_bytes, segments=segments, plain=plain, name=self.source.text)

    def write(self) -> Made:
        """Write the target, as the target's kind allows: a file, one request, a multipart upload, a stream."""
        self.prepare()
        if self.verb != "decrypt":
            self._announce()
        if self.target.local:
            return self._write_file()
        if self.parts.parts > 1 and (kind := kind_of_upload(self.target)) is not None:
            return self._upload(kind)
        with self.discarding_stale_upload():
            return self._made(self._put() if self.parts.parts == 1 else self._stream())

    def do_all(self, worker: Worker) -> None:
        for done in self._executor().each(worker, self.parts):
            self.options.done(done.plaintext_bytes)

    def _executor(self) -> Executor:
        return self.options.executor(self.parts.per_part * self.parameters.segment_bytes)

    def _made(self, etag: str | None) -> Made:
        made_of = self._opened.entry if self._opened is not None and self.verb == "decrypt" else self._entry()
        return Made(self.work.size, etag, made_of)

    def _entry(self) -> Entry:
        """Return which version of the object this work makes."""
        return Entry(self.parameters.sealed_bytes(self.work.size), self.work.header)

    def _announce(self) -> None:
        if self.options.begun is not None:
            self.options.begun(self._entry())

    def _take_header(self, header: bytes) -> None:
        """Give the object that is made this header."""
        key_fingerprint = fingerprint(self.keyset.primary, header, self.work.aad)
        self.work = replace(self.work, header=header, key_fingerprint=key_fingerprint)

    def _replaced(self) -> str | None:
        """Return the ETag of the one object that a rotation may replace."""
        if self.verb != "rotate" or not isinstance(self.reader, StoredObject):
            return None
        identity = self.reader.identity()
        return None if identity is None else str(identity[1])

    def _write_file(self) -> Made:
        target, options, rotates = self.target, self.options, self.verb == "rotate"
        if options.ray is not None:
            raise ValueError(f"{target}: --ray writes to object stores, not to files")
        inputs = Inputs() if rotates else _ProtectedFiles(options.inputs, options.written)
        with OutputFile(target.key, inputs=inputs, force=options.force, leftovers=options.leftovers) as out:
            worker = Worker(self.work, self.keyset, self.reader, FileUpload(out.fileno(), target.text))
            self.do_all(worker)
            worker.check_unchanged()
            if isinstance(self.reader, LocalFile) and rotates:
                self.reader.check_place()
            out.commit()
            if rotates:  # it stands where the input stood
                options.inputs.remember(out.fileno(), target.text)
            status = os.fstat(out.fileno())
            if options.force and not rotates:  # without force nothing is replaced
                options.written[status.st_dev, status.st_ino] = target.text
            return self._made(marks(status))

    def _put(self) -> str | None:
        worker = Worker(self.work, self.keyset, self.reader)
        data = worker.make(self.parts.part(1))
        worker.check_unchanged()
        put = put_whole if self.verb == "decrypt" else put_sealed
        etag = put(self.target, data, self.options.force, self._replaced())
        self.options.done(self.work.size)
        return etag

    def _stream(self) -> str | None:
        worker = Worker(self.work, self.keyset, self.reader)
        executor = self._executor()
        if not isinstance(executor, Threads):
            but = "; no URL of this one can be signed" if self.target.scheme == "az" else ""
            raise ValueError(
                f"{self.target}: --ray writes to s3:// and az://, whose uploads many machines can share{but}"
            )

        def pieces() -> Iterator[Buffer]:
            for piece in in_order(executor.count, worker.make, self.parts):
                yield piece
                self.options.done(len(piece))
            worker.check_unchanged()

        size = self.work.size if self.verb == "decrypt" else self._entry().size
        return put_stream(self.target, pieces(), size, self.options.force, worker.check_unchanged, self.work.header)

    # An upload in parts, and the journal by which a later command resumes it

    def _journal(self) -> Journal:
        return Journal(self.options.state, _JOURNAL_VERBS[self.verb], _absolute(self.source), _absolute(self.target))

    @contextlib.contextmanager
    def discarding_stale_upload(self) -> Iterator[None]:
        """Abort the upload that a killed command had begun, when the body, which needs none, succeeds."""
        journal = self._journal()
        if self.target.local or not journal.exists():
            yield
            return
        with journal:
            yield
            self._abort_upload(journal)
            journal.remove()

    def _upload(self, kind: type[S3Upload] | type[AzureUpload]) -> Made:
        """Make a multipart upload, or complete the one that a killed command has left, whose header the object then has."""
        target, options = self.target, self.options
        with self._journal() as journal:
            resumed = self._resume_upload(kind, journal)
            if resumed is None:
                upload, noted = self._begin_upload(kind, journal)
            else:
                upload, noted = resumed
                self._announce()
            if not upload.upload:  # completed, before the command was killed
                options.done(self.work.size)
                journal.remove()
                return self._made(None)
            try:
                worker = self._send_parts(upload, noted)
            except AuthenticationError:  # there is nothing to continue, and plaintext is not left behind
                with contextlib.suppress(Error, OSError):
                    upload.abort()
                    journal.remove()
                raise
            worker.check_unchanged()
            if not options.force and exists(target) and not upload.completed(noted.sent):  # some stores do not look
                raise already(target)
            etag = upload.complete(noted.sent, options.force, self._replaced())
            journal.remove()
            return self._made(etag)

    def _begin_upload(
        self, kind: type[S3Upload] | type[AzureUpload], journal: Journal
    ) -> tuple[MultipartUpload, Commitments]:
        check_target(self.target, self.options.force)
        upload = kind.begin(self.target)
        try:
            journal.begin(_PLAN_VERSION, self._plan(upload))
        except BaseException:  # as on a full disk: nobody else knows of the upload
            with contextlib.suppress(Error, OSError):
                upload.abort()
            raise
        return upload, Commitments(journal, self.source.text)

    def _send_parts(self, upload: MultipartUpload, noted: Commitments) -> Worker:
        """Send the parts that the store does not have."""
        # Nothing that could be trusted tells whether plaintext is what it was, so all of it is read and compared again. A
        # sealed object is what it was if its header is.
        again = self.verb == "encrypt"
        there = set(noted.sent)
        for number in () if again else there:
            part = self.parts.part(number)
            low, high = self.parameters.plaintext_range(part.first, part.after, self.work.size)
            self.options.done(high - low)
        worker = Worker(self.work, self.keyset, self.reader, upload, noted if self.work.header else None)
        rest = [part for part in self.parts if again or part.number not in there]
        for done in self._executor().each(worker, rest) if rest else ():
            if done.part.number not in there:
                noted.note_sent(done.part, done.etag)
            self.options.done(done.plaintext_bytes)
        return worker

    def _plan(self, upload: MultipartUpload) -> dict[str, Any]:
        work = self.work
        plan: dict[str, Any] = {
            "verb": _JOURNAL_VERBS[self.verb],
            "source": str(self.source),
            "identity": work.identity,
            "target": str(self.target),
            "upload": upload.upload,
            "size": work.size,
            "segments": self.parts.segments,
            "per_part": self.parts.per_part,
            "header": work.header.hex(),
            "opened": work.opening.header.hex() if work.opening else "",
        }
        return plan | {"check": self._mac_of(plan)}

    def _mac_of(self, plan: dict[str, Any]) -> str:
        """Return what only the holder of the key could write below this plan for this work: a header may not meet another
        source."""
        key: Key | None = self.keyset.primary
        opening, aad = self.work.opening, self.work.aad
        if self.verb == "decrypt" and opening is not None:
            key = key_of(self.keyset, opening.key_fingerprint, opening.header, aad)
        assert key is not None  # it has just opened the source
        fields = {name: value for name, value in plan.items() if name not in ("version", "check")}
        fields["places"] = [_absolute(self.source), _absolute(self.target)]  # a plan says how they were spelled
        return fingerprint(key, json.dumps(fields, sort_keys=True).encode(), aad).hex()

    def _resume_upload(
        self, kind: type[S3Upload] | type[AzureUpload], journal: Journal
    ) -> tuple[MultipartUpload, Commitments] | None:
        """Return the upload that the plan and the store know, to continue it; None: there is none."""
        if self.options.restart:
            self._abort_upload(journal)
            return None
        lines = journal.read(_PLAN_VERSION, part=int, sealed=str, etag=str)
        if not lines:
            return None
        plan, work, target = lines[0], self.work, self.target
        if plan.get("check") != self._mac_of(plan):
            raise Error(
                f"{target}: its upload was begun with another key or other associated data, or {journal.path} was changed; "
                "--restart starts over"
            )
        upload = kind(target, plan["upload"])
        identity = None if work.identity is None else list(work.identity)
        opened = work.opening.header.hex() if work.opening else ""
        unchanged = (plan["identity"], plan["opened"], plan["size"]) == (identity, opened, work.size)
        new = self.work, self.parts
        if self.verb != "decrypt":
            self._take_header(bytes.fromhex(plan["header"]))
        self.parts = Cut(plan["segments"], plan["per_part"])
        noted = Commitments(journal, self.source.text)
        noted.add_noted(lines[1:], self.parts.parts)
        there = upload.parts()
        complete = there is None and len(noted.sent) == self.parts.parts
        if self.verb == "encrypt":  # another command may have replaced it since in the catalog
            complete = complete and self.options.expects(self._entry())
        # A source that was rotated in its place is another one now.
        if complete and (unchanged or self.verb == "rotate") and self._is_there(upload, noted.sent):
            return kind(target, ""), noted
        if not unchanged:
            raise noted.changed()
        if there is None:
            self.work, self.parts = new  # the upload has been given up; a new one gets a new header
            return None
        if self.work.header:
            noted.check_covers(there)
        noted.sent = {number: etag for number, etag in noted.sent.items() if there.get(number, ("",))[0] == etag}
        return upload, noted

    def _is_there(self, upload: MultipartUpload, etags: dict[int, str]) -> bool:
        """Return whether the target is what this work's upload made."""
        if not exists(self.target):
            return False
        header = self.work.header
        if header:
            found = reader_of(self.target)
            return found.size == self._entry().size and bytes(found.read(0, len(header))) == header
        return upload.completed(etags)

    def _abort_upload(self, journal: Journal) -> None:
        """Abort the upload: nobody else knows of it, and it costs storage as long as it exists."""
        upload, kind = journal.upload(), kind_of_upload(self.target)
        if upload is not None and kind is not None:
            kind(self.target, upload).abort()


def _absolute(location: Location) -> str:
    return os.path.realpath(location.key) if location.local else f"{location.scheme}://{location.bucket}/{location.key}"
