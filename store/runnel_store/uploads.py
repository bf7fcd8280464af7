# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Uploads of parts. Nothing has the target's name before all of them are there, and nothing is replaced unasked."""

from __future__ import annotations

import base64
import contextlib
import datetime
import errno
import functools
import hashlib
import os
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote, unquote, urlsplit
from xml.etree import ElementTree

from runnel.errors import Error
from runnel.sealed.io import PositionalSink
from runnel.threads import run_interruptible, run_with_timeout

from runnel_store.readers import exists, reader_of
from runnel_store.stores import (
    ChangedError,
    TransientError,
    format_error,
    need,
    retried,
    s3_client,
    store_of,
    translate_errors,
)
from runnel_store.urls import Location

if TYPE_CHECKING:
    from typing_extensions import Buffer


PARTS_MAX = 10_000
"""S3's limit, since December 2025 also of its longest object; other stores say so when theirs are less."""
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


# Azure's block blobs: obstore has no requests for single blocks, but signs URLs with whatever credentials it has found; three
# requests on such URLs are all that is needed (Put Block, Get Block List, Put Block List of the Blob service's REST API).

_SIGNED_SECONDS = 2 * 3600
_SENT_BYTES = 16 << 10
_MARK = "x-ms-meta-runnel"
"""Metadata of a blob: the upload that made it."""


@dataclass(frozen=True)
class AzureUpload:
    """Blocks that any process may send, in any order, and again. Until a list names them they belong to no blob, and the
    store forgets them a week after the last one; the first half of their names says which upload they are of."""

    target: Location
    upload: str

    @classmethod
    def begin(cls, target: Location) -> AzureUpload:
        return cls(target, os.urandom(8).hex())

    def put(self, number: int, position: int, data: bytearray) -> str:
        self._send("PUT", f"comp=block&blockid={quote(self._block(number), safe='')}", data)
        return str(len(data))

    def parts(self) -> dict[int, tuple[str, int]] | None:
        """List the parts as S3Upload does; a block has no ETag, but its bytes follow from the plan, and its length is
        known."""
        found: dict[int, tuple[str, int]] = {}
        try:
            answer = retried(lambda: self._send("GET", "comp=blocklist&blocklisttype=uncommitted"))
        except FileNotFoundError:
            return None
        for block in self._blocks(answer.data):
            name = base64.b64decode(block.findtext("Name") or "").decode("latin-1")
            size = block.findtext("Size") or ""
            if name.startswith(self.upload):
                found[int(name[len(self.upload) :])] = (size, int(size))
        return found or None

    def _blocks(self, data: bytes) -> Iterator[ElementTree.Element]:
        try:
            found = ElementTree.fromstring(data)
        except ElementTree.ParseError:
            found = None
        if found is None or found.tag != "BlockList":  # a proxy's page, perhaps
            raise Error(f"{self.target}: unexpected answer of the store to a request for its blocks")
        return found.iter("Block")

    def complete(self, etags: dict[int, str], force: bool, replaced: str | None = None) -> str | None:
        condition = {} if force else {"If-None-Match": "*"}
        if replaced is not None:
            condition = {"If-Match": replaced}
        names = "".join(f"<Latest>{self._block(number)}</Latest>" for number in sorted(etags))
        blocks = f'<?xml version="1.0" encoding="utf-8"?><BlockList>{names}</BlockList>'.encode()
        try:
            answer = retried(lambda: self._send("PUT", "comp=blocklist", blocks, {_MARK: self.upload, **condition}))
        except ChangedError:
            if self.completed(etags):  # by a request whose answer was lost
                return None
            if "If-None-Match" in condition:
                raise already(self.target) from None
            raise
        etag: str | None = answer.headers.get("ETag")
        return etag

    def completed(self, etags: dict[int, str]) -> bool:
        """Return whether this upload made the target."""
        with contextlib.suppress(FileNotFoundError):
            headers: dict[str, str] = retried(lambda: self._send("HEAD", "")).headers
            return headers.get(_MARK) == self.upload
        return False

    def abort(self) -> None:
        """Do nothing: the store forgets blocks that are not committed, and until then they do no harm."""

    def _block(self, number: int) -> str:
        return base64.b64encode(f"{self.upload}{number:05d}".encode()).decode()

    def _send(self, method: str, query: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        with translate_errors(self.target.text):
            signed = _signed(
                self.target, "PUT" if method == "PUT" else "GET", int(time.time()) // (_SIGNED_SECONDS // 2)
            )
            url = f"{signed}&{query}" if query else signed
            if body is not None:
                headers = {"Content-Length": str(len(body)), **(headers or {})}
                body = _pieces(body)
            answer = _pool(url).request(method, url, body=body, headers=headers, redirect=False)
            if answer.status >= 300:
                code = answer.headers.get("x-ms-error-code", answer.reason)
                raise RuntimeError(f"the store answers {code}, status code: {answer.status}")
            return answer


def _pieces(data: bytes | bytearray) -> list[memoryview]:
    # All that is sent in one call has to be gone within the time for a connection, which is too short for a long block.
    view = memoryview(data)
    return [view[at : at + _SENT_BYTES] for at in range(0, len(view), _SENT_BYTES)]


def can_resume(target: Location) -> bool:
    """Return whether URLs can be signed: not with a SAS token for credentials, and obstore's signature is that of
    another name where the name has characters that a URL escapes."""
    if quote(target.key, safe="/~") != target.key:
        return False
    try:
        _signed(target, "PUT", int(time.time()) // (_SIGNED_SECONDS // 2))
    except Exception:  # obstore's, of whatever kind
        return False
    return True


@functools.lru_cache(64)
def _signed(target: Location, method: str, period: int) -> str:
    """Return a URL that is good for this period and the next."""
    validity = datetime.timedelta(seconds=_SIGNED_SECONDS)
    url: str = need("obstore", "store").sign(store_of(target), method, target.key, validity)
    return url


def _pool(url: str) -> Any:
    parts = urlsplit(url)
    proxies = urllib.request.getproxies()
    proxy = None if urllib.request.proxy_bypass(parts.hostname or "") else proxies.get(parts.scheme)
    return _pool_of(proxy)


@functools.cache
def _pool_of(proxy: str | None) -> Any:
    urllib3 = need("urllib3", "store")
    options = {"maxsize": 64, "timeout": urllib3.Timeout(connect=10, read=60), "retries": False}
    if not proxy:
        return urllib3.PoolManager(**options)
    # urllib3 takes neither a user from the URL nor a URL without a scheme, as obstore does, and its errors show all of it.
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        user, at, place = parts.netloc.rpartition("@")
        if at:
            user = unquote(user if ":" in user else f"{user}:")
            options["proxy_headers"] = {"Proxy-Authorization": f"Basic {base64.b64encode(user.encode()).decode()}"}
        return urllib3.ProxyManager(f"{parts.scheme}://{place}", **options)
    except ValueError:
        raise Error("the environment's proxy: not an http or https URL with a host") from None


def kind_of_upload(target: Location) -> type[S3Upload] | type[AzureUpload] | None:
    """Return how to send parts that another process can continue; None: there is no way."""
    if target.scheme == "s3":
        return S3Upload
    if target.scheme == "az" and can_resume(target):
        return AzureUpload
    return None


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
