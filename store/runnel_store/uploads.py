# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Uploads of parts. Nothing has the target's name before all of them are there, and nothing is replaced unasked."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from runnel.errors import Error
from runnel.sealed.io import PositionalSink

from runnel_store.errors import ChangedError, TransientError, format_error, retried, translate_errors
from runnel_store.needs import need
from runnel_store.plan import PARTS_MAX
from runnel_store.readers import exists, reader_of, s3_client, store_of
from runnel_store.urls import Location
from runnel_store.waiting import run_interruptible, run_with_timeout

if TYPE_CHECKING:
    from typing_extensions import Buffer


_PIECE_BYTES = 8 << 20
_PIECES_AT_ONCE = 12
_PIECES_BYTES = 1 << 30
_COPY_SECONDS = 600.0
_COPY_PAUSE_SECONDS = 1.0
_SALTED_BYTES = 24
"""All formats have their salt, or most of it, in so many bytes, and no object is shorter."""


def check_target(target: Location, force: bool) -> None:
    """Raise FileExistsError before anything is read; the store refuses once more at the end. Raises Error for a name that
    botocore would write, and obstore not read."""
    exists(replace(target, scheme="memory", bucket=""))  # asks nobody
    if not force and exists(target):
        raise already(target)


def already(target: Location) -> FileExistsError:
    return FileExistsError(errno.EEXIST, "already exists (use --force to replace it)", target.text)


class MultipartUpload(Protocol):
    """An upload whose parts any process may send, in any order, and again."""

    @property
    def upload(self) -> str:
        """Return the store's name for it."""
        ...

    def put(self, number: int, position: int, data: bytearray) -> str:
        """Send a part; return its ETag."""
        ...

    def parts(self) -> dict[int, tuple[str, int]] | None:
        """Return (ETag, bytes) of the parts that the store has, by their numbers; None: the upload no longer exists."""
        ...

    def complete(self, etags: dict[int, str], force: bool, replaced: str | None = None) -> str | None:
        """Make the object of the parts, under its final name; return its ETag, if that is known. replaced: the ETag of
        the one object that it may replace."""
        ...

    def completed(self, etags: dict[int, str]) -> bool:
        """Return whether this upload made the target, as far as that can be told."""
        ...

    def abort(self) -> None:
        """Abort the upload: its parts are no longer needed."""
        ...


@dataclass(frozen=True)
class S3Upload:
    """S3's multipart upload."""

    target: Location
    upload: str

    @classmethod
    def begin(cls, target: Location) -> S3Upload:
        with translate_errors(target.text):
            answer = s3_client().create_multipart_upload(Bucket=target.bucket, Key=target.key)
        return cls(target, answer["UploadId"])

    @property
    def _names(self) -> dict[str, str]:
        return {"Bucket": self.target.bucket, "Key": self.target.key, "UploadId": self.upload}

    def put(self, number: int, position: int, data: bytearray) -> str:
        with translate_errors(self.target.text):
            answer = s3_client().upload_part(**self._names, PartNumber=number, Body=data)
        etag: str = answer["ETag"]
        return etag

    def parts(self) -> dict[int, tuple[str, int]] | None:
        found: dict[int, tuple[str, int]] = {}
        try:
            with translate_errors(self.target.text):
                for page in s3_client().get_paginator("list_parts").paginate(**self._names):
                    for part in page.get("Parts", ()):
                        found[part["PartNumber"]] = (part["ETag"], part["Size"])
        except FileNotFoundError:
            return None
        return found

    def complete(self, etags: dict[int, str], force: bool, replaced: str | None = None) -> str | None:
        condition = {} if force else {"IfNoneMatch": "*"}
        if replaced is not None:
            condition = {"IfMatch": replaced}
        parts = [{"PartNumber": number, "ETag": etags[number]} for number in sorted(etags)]
        try:
            with translate_errors(self.target.text):
                answer = s3_client().complete_multipart_upload(
                    **self._names, MultipartUpload={"Parts": parts}, **condition
                )
        except (ChangedError, FileNotFoundError) as error:  # the object is another one, or the upload is over
            if self.completed(etags):  # by an attempt whose answer was lost
                return _etag_of(self.target)
            if isinstance(error, ChangedError) and "IfNoneMatch" in condition:
                raise already(self.target) from None
            raise
        etag: str | None = answer.get("ETag")
        return etag

    def completed(self, etags: dict[int, str]) -> bool:
        try:
            digests = b"".join(bytes.fromhex(etags[number].strip('"')) for number in sorted(etags))
        except ValueError:  # a store whose ETags are no MD5s
            return False
        expected = f'"{hashlib.md5(digests, usedforsecurity=False).hexdigest()}-{len(etags)}"'
        with contextlib.suppress(FileNotFoundError):
            return _etag_of(self.target) == expected
        return False

    def abort(self) -> None:
        with contextlib.suppress(FileNotFoundError), translate_errors(self.target.text):
            s3_client().abort_multipart_upload(**self._names)


class FileUpload:
    """A local file under its temporary name, written at positions.

    Its descriptor is its own: a thread that is still at a part after another's error must not find the next file there.
    """

    def __init__(self, fd: int, name: str) -> None:
        self._fd = os.dup(fd)
        self._sink = PositionalSink(self._fd, name)

    def __del__(self) -> None:
        os.close(self._fd)

    def put(self, number: int, position: int, data: bytearray) -> str:
        self._sink.write_at([memoryview(data)], position)
        return ""


def _etag_of(target: Location) -> str | None:
    identity = reader_of(target).identity()
    return None if identity is None else str(identity[1])


def put_whole(target: Location, data: Buffer, force: bool, replaced: str | None = None) -> str | None:
    """Put an object in one request, which is as atomic as the store; return its ETag. replaced: as in complete."""
    mode: Any = "overwrite" if force else "create"
    if replaced is not None:
        mode = {"e_tag": replaced}
    try:
        with translate_errors(target.text):
            store = store_of(target, sent=memoryview(data).nbytes)
            obstore = need("obstore", "store")
            answer = run_interruptible(lambda: obstore.put(store, target.key, data, mode=mode, use_multipart=False))
    except FileExistsError:
        raise already(target) from None
    etag: str | None = answer.get("e_tag")
    return etag


def put_sealed(target: Location, data: bytearray, force: bool, replaced: str | None = None) -> str | None:
    """Put bytes that are those of no other object, because they begin with a salt. Where these are there already,
    this has put them there: obstore sends them again where the store fails, which may have taken them."""
    try:
        return put_whole(target, data, force, replaced)
    except (FileExistsError, ChangedError):
        with contextlib.suppress(Error, OSError):
            found = reader_of(target, first=_SALTED_BYTES)
            # Of what somebody else has sealed, no more than the salt is read.
            if found.size == len(data) and all(found.read(0, n) == data[:n] for n in (_SALTED_BYTES, len(data))):
                return _etag_of(target)
        raise


def put_stream(
    target: Location, pieces: Iterable[Buffer], size: int, force: bool, check: Callable[[], None], header: bytes = b""
) -> str | None:
    """Put an object of pieces in order, size bytes, for stores whose multipart uploads no other process can continue
    with: written under another name, which the store then changes. check: called just before that. header: what no
    other object begins with. Returns its ETag."""
    obstore = need("obstore", "store")
    chunk_bytes = max(_PIECE_BYTES, -(-size // PARTS_MAX))  # obstore sends what comes in pieces of one length
    store = store_of(target, sent=chunk_bytes)
    at_once = max(1, min(_PIECES_AT_ONCE, _PIECES_BYTES // chunk_bytes))
    temporary = f"{target.key}.{os.urandom(6).hex()}.tmp"
    needed = False  # by a copy that is still being made, perhaps over what the pieces were made of
    completed = False
    stopped = threading.Event()

    def send() -> None:
        with (
            translate_errors(target.text),
            obstore.open_writer(store, temporary, buffer_size=chunk_bytes, max_concurrency=at_once) as writer,
        ):
            for piece in pieces:
                if stopped.is_set():
                    raise Error("stopped")  # so that the writer gives up what it has sent
                writer.write(memoryview(piece))

    try:
        run_interruptible(send, stopped.set)
        check()
        needed = target.scheme == "az"  # which may answer before it has made its copy
        try:
            with translate_errors(target.text):
                run_interruptible(lambda: obstore.copy(store, temporary, target.key, overwrite=force))
        except TransientError:
            raise
        except (Error, OSError) as error:
            exists_already = isinstance(error, FileExistsError)
            if exists_already and force:  # asked again, Azure says so of the copy that it is making
                raise TransientError(f"{target}: a copy to it is being made") from None
            needed = False  # it was refused
            if not exists_already:
                raise
            if not _begins_with(target, header, size):  # as what an attempt has made whose answer was lost
                raise already(target) from None
        etag = _copied(target, size)
        needed, completed = False, True
        return etag
    except (Error, OSError) as error:
        if not needed:
            raise
        raise Error(
            f"{format_error(error, target.text)}; the store may still be copying it from {temporary}: remove that when it "
            "is done"
        ) from None
    finally:
        if not needed:
            run_with_timeout(lambda: obstore.delete(store, temporary), patient=completed)  # there may be none


def _begins_with(target: Location, header: bytes, size: int) -> bool:
    with contextlib.suppress(Error, OSError):
        found = reader_of(target)
        return bool(header) and found.size == size and bytes(found.read(0, len(header))) == header
    return False


def _copied(target: Location, size: int) -> str | None:
    """Wait until the copy has its bytes; return its ETag."""
    obstore, store = need("obstore", "store"), store_of(target)
    until = time.monotonic() + _COPY_SECONDS

    def head() -> Any:
        with translate_errors(target.text):
            return run_interruptible(lambda: obstore.head(store, target.key))

    while True:
        meta = retried(head)
        if meta["size"] == size:
            etag: str | None = meta.get("e_tag")
            return etag
        if time.monotonic() > until:
            raise TransientError(f"{target}: has not all its bytes yet")
        time.sleep(_COPY_PAUSE_SECONDS)
