# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Readers of ranges: objects of a store, and local files. Each notices a change since it was opened."""

from __future__ import annotations

import datetime
import functools
import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from runnel.errors import Error
from runnel.output import is_temporary
from runnel.sizes import known_size_of_file
from runnel.transfer import naming

from runnel_store.errors import ChangedError, TransientError, retried, status_of, translate_errors
from runnel_store.needs import need
from runnel_store.urls import WEB, Location
from runnel_store.waiting import run_interruptible

if TYPE_CHECKING:
    from typing_extensions import Buffer

FIRST_BYTES = 32 << 10
"""Bytes that the first request for an object asks for: a header, and small objects as a whole."""

_CONNECT_SECONDS = 10
_SILENT_SECONDS = 60
"""So long a store may say nothing while it is read, however long the answer is."""
_ANSWER_SECONDS = 120
"""So long a request may take that sends something, and what it sends is added."""
_SENT_TOGETHER = 32  # small objects
_SENT_BYTES_A_SECOND = 125_000
"""A megabit: what the slowest network takes of all that is sent together."""
_NO_LIMIT = "365d"  # obstore's own, where none is given, is 30 s

Identity = tuple[str | int, ...]
"""Attributes that change when the bytes do: of a file size, times and inode, of an object size and ETag."""


class Reader(Protocol):
    name: str
    size: int
    in_blocks: bool
    """Reading many small ranges costs no more than one large one."""

    def read(self, start: int, end: int) -> Buffer:
        """Return exactly these bytes. Raises ChangedError: they are another object's by now."""
        ...

    def identity(self) -> Identity | None:
        """Return the object's identity; None: nothing tells whether the object has changed."""
        ...

    def check(self, *, authenticated: bool = False) -> None:
        """Raise ChangedError where the object is not any more what it was. authenticated: what was read of it has been
        verified, so that a change of its bytes would be noticed without this."""
        ...


class Listed(NamedTuple):
    """An object below a prefix."""

    name: str
    size: int
    modified: float
    etag: str | None


def reader_of(location: Location, identity: Identity | None = None, first: int = FIRST_BYTES) -> Reader:
    """Return a reader. identity: what the object must still be. first: how much of an object the first request asks for."""
    if location.is_prefix:
        raise IsADirectoryError(21, "is a prefix, not an object", location.text)
    reader: Reader = LocalFile(location) if location.local else StoredObject(location, first)
    if identity is not None and reader.identity() != identity:
        raise ChangedError(f"{location}: changed since the work began")
    return reader


class LocalFile:
    """A file. Its descriptor is open as long as anything reads it: a thread that is late must not find another file there."""

    in_blocks = True
    fd = -1

    def __init__(self, location: Location) -> None:
        self.name, self._path = location.text, location.key
        self.fd = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe would wait for its writer
        self._seen = status = os.fstat(self.fd)
        if not stat.S_ISREG(status.st_mode):
            raise Error(f"{self.name}: not a regular file")
        self._identity = _identity(status)
        self.size = known_size_of_file(self.fd, self.name)
        os.set_blocking(self.fd, True)

    def __del__(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)

    def identity(self) -> Identity:
        return self._identity

    def check(self, *, authenticated: bool = False) -> None:
        before = self._seen
        now = os.fstat(self.fd)
        if _identity(now) == _identity(before):
            return
        if not (authenticated and _lost_a_name(before, now)):
            raise ChangedError(f"{self.name}: the file was changed while it was read")
        self._seen = now

    def check_place(self) -> None:
        """Raise ChangedError where its name is another file's by now, or nobody's: it would be lost if it were replaced."""
        try:
            if os.path.samestat(os.stat(self._path), os.fstat(self.fd)):
                return
        except FileNotFoundError:
            pass
        raise ChangedError(f"{self.name}: it was replaced while it was read")

    def read(self, start: int, end: int) -> bytes:
        pieces: list[bytes] = []
        with naming(self.name):
            while start < end:
                piece = os.pread(self.fd, end - start, start)
                if not piece:
                    raise ChangedError(f"{self.name}: the file was truncated while it was read")
                pieces.append(piece)
                start += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _identity(status: os.stat_result) -> Identity:
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)


def _lost_a_name(before: os.stat_result, now: os.stat_result) -> bool:
    """Return whether one of the file's names was removed or given to another file, as by rotate, and nothing else that can be
    seen: that sets st_ctime, as a change of the bytes does whose st_mtime was then set back."""

    def rest(status: os.stat_result) -> tuple[int, ...]:
        return (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)

    return now.st_nlink < before.st_nlink and rest(now) == rest(before)


class StoredObject:
    """An object. Its first bytes come with its size and ETag, in one request, which later ones insist on."""

    in_blocks = False

    def __init__(self, location: Location, first: int = FIRST_BYTES) -> None:
        self.name = location.text
        self._obstore = need("obstore", "store")
        self._store = store_of(location)
        self._key = location.key
        self._first, meta = retried(lambda: self._begin(first))
        self.size: int = meta["size"]
        etag = meta.get("e_tag")
        self._etag: str | None = None if etag is None or etag.startswith("W/") else etag
        self._options: dict[str, Any] = {} if self._etag is None else {"if_match": self._etag}
        self._seen = (self.size, etag, meta["last_modified"])

    def _begin(self, first: int) -> tuple[memoryview, dict[str, Any]]:
        with translate_errors(self.name):
            try:
                return self._get({"range": (0, first)})
            except Exception as error:
                if status_of(error) != 416:  # whose digits a name may have too, or a time in the error's text
                    raise
            meta = self._head()  # no range of an empty object can be had
            if meta["size"]:
                raise TransientError(f"{self.name}: the store does not support range requests")
            return memoryview(b""), meta

    def _get(self, options: dict[str, Any]) -> tuple[memoryview, dict[str, Any]]:
        def whole() -> tuple[memoryview, dict[str, Any]]:
            got = self._obstore.get(self._store, self._key, options=options)
            return memoryview(got.bytes()), got.meta

        return run_interruptible(whole)

    def _head(self) -> dict[str, Any]:
        return run_interruptible(lambda: self._obstore.head(self._store, self._key))

    def identity(self) -> Identity | None:
        return None if self._etag is None else (self.size, self._etag)

    def looks_like(self, other: StoredObject) -> bool:
        """Return whether the two may be one object with two names."""
        return self._seen == other._seen

    def check(self, *, authenticated: bool = False) -> None:
        if len(self._first) == self.size:
            return  # all of it came at once
        with translate_errors(self.name):
            meta = self._head()
        if (meta["size"], meta.get("e_tag"), meta["last_modified"]) != self._seen:
            raise ChangedError(f"{self.name}: the object was changed while it was read")

    def read(self, start: int, end: int) -> Buffer:
        if end <= len(self._first):
            return self._first[start:end]
        return retried(lambda: self._read(start, end)) if start < end else b""

    def _read(self, start: int, end: int) -> Buffer:
        with translate_errors(self.name):
            data, meta = self._get({"range": (start, end), **self._options})
        if self._etag is not None and meta.get("e_tag") not in (None, self._etag):  # not every store knows If-Match
            raise ChangedError(f"{self.name}: the object was changed while it was read")
        if len(data) != end - start:
            raise TransientError(f"{self.name}: the store sent {len(data)} of {end - start} bytes")
        return data


@functools.cache
def _session() -> Any:
    return need("botocore.session", "store").get_session()


def _credentials() -> dict[str, Any]:
    """Return the credentials that botocore finds: environment, profiles, roles, instance metadata."""
    with translate_errors("s3"):
        found = _session().get_credentials()
        if found is None:
            raise PermissionError(13, "no credentials for the store: see the AWS CLI's `aws configure`", "s3")
        frozen = found.get_frozen_credentials()
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=5)
    return {
        "access_key_id": frozen.access_key,
        "secret_access_key": frozen.secret_key,
        "token": frozen.token,
        "expires_at": soon if frozen.token else None,
    }


def s3_settings() -> tuple[str | None, str]:
    """Return (endpoint, region) of the environment or the profile, for both libraries alike: botocore looks into the profile,
    obstore does not. Raises Error, without the endpoint, which may have a password in it."""
    session = _session()
    region = session.get_config_variable("region") or "us-east-1"
    if not re.fullmatch(r"[A-Za-z0-9-]+", region):
        raise Error("the region of S3 has other characters than letters, digits and hyphens")
    if session.get_config_variable("ignore_configured_endpoint_urls"):
        return None, region
    profile = session.get_scoped_config()
    service = session.full_config.get("services", {}).get(profile.get("services"), {}).get("s3", {})
    for where, endpoint in (
        ("AWS_ENDPOINT_URL_S3", os.environ.get("AWS_ENDPOINT_URL_S3")),
        ("AWS_ENDPOINT_URL", os.environ.get("AWS_ENDPOINT_URL")),
        ("AWS_ENDPOINT", os.environ.get("AWS_ENDPOINT")),
        ("endpoint_url of S3 in the AWS profile", service.get("endpoint_url") if isinstance(service, dict) else None),
        ("endpoint_url in the AWS profile", profile.get("endpoint_url")),
    ):
        if endpoint:
            _check_endpoint(where, endpoint)
            return endpoint, region
    return None, region


def _check_endpoint(where: str, endpoint: str) -> None:
    try:
        parts = urlsplit(endpoint)
        right = parts.scheme in WEB and parts.hostname and (parts.port is None or parts.port > 0)
        plain = parts.username is None and not parts.query and not parts.fragment and endpoint.isprintable()
    except ValueError:  # a port that is none, half an address
        right = plain = False
    if not right or not plain or " " in endpoint:
        raise Error(f"{where}: not an http or https URL with a host, and without a user or a query")


def _azure_endpoint() -> str:
    """Return the endpoint of the environment, as obstore takes it. Raises Error, without the endpoint, of which
    obstore would show all."""
    names = ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT", "AZURITE_BLOB_STORAGE_URL")
    given = [(name, endpoint) for name in names if (endpoint := os.environ.get(name))]
    for name, endpoint in given:
        _check_endpoint(name, endpoint)
    return given[0][1] if given else ""


@functools.cache
def s3_client() -> Any:
    """Return botocore's client, for multipart uploads whose parts several processes send."""
    endpoint, region = s3_settings()
    config = need("botocore.config", "store").Config(
        retries={"mode": "standard", "max_attempts": 5},
        max_pool_connections=64,
        connect_timeout=10,
        read_timeout=60,
        s3={"addressing_style": "path"} if endpoint else {},
    )
    with translate_errors("s3"):
        return _session().create_client("s3", endpoint_url=endpoint, region_name=region, config=config)


def _client(seconds: int) -> dict[str, Any]:
    """Return obstore's limits of time. What it sends has one for all of it: its other limit, of silence, would count
    sending as silence too."""
    if seconds:
        return {"connect_timeout": f"{_CONNECT_SECONDS}s", "timeout": f"{seconds}s"}
    return {
        "connect_timeout": f"{_CONNECT_SECONDS}s",
        "read_timeout": f"{round(1000 * _SILENT_SECONDS)}ms",
        "timeout": _NO_LIMIT,
    }


def _seconds_to_send(count: int) -> int:
    """Return how long a request with so many bytes may take, beside others; of few different lengths, since each has its own
    connections."""
    most = 1 << max(20, (count - 1).bit_length())
    return _ANSWER_SECONDS + _SENT_TOGETHER * most // _SENT_BYTES_A_SECOND


@functools.cache
def _store(scheme: str, bucket: str, seconds: int) -> Any:
    """Return obstore's store. seconds: how long a request may take; 0: as long as data arrives."""
    stores = need("obstore.store", "store")
    limits = _client(seconds)
    retries = {"max_retries": 5, "retry_timeout": datetime.timedelta(seconds=60)}
    with translate_errors(f"{scheme}://{bucket}"):
        if scheme == "s3":
            endpoint, region = s3_settings()
            options: dict[str, Any] = {"region": region, "retry_config": retries, "client_options": limits}
            if endpoint is None and any(name.startswith("AWS_ENDPOINT") for name in os.environ):
                endpoint = f"https://s3.{region}.amazonaws.com"  # those are to be ignored, which obstore does not know
            if endpoint is not None:
                options["endpoint"] = endpoint
                options["client_options"] = {"allow_http": endpoint.startswith("http:"), **limits}
            return stores.S3Store(bucket, credential_provider=_credentials, **options)
        if scheme == "gs":
            return stores.GCSStore(bucket, retry_config=retries, client_options=limits)
        if scheme == "az":
            client = {"allow_http": _azure_endpoint().startswith("http:"), **limits}
            return stores.AzureStore(bucket, retry_config=retries, client_options=client)
        if scheme in WEB:
            return stores.HTTPStore.from_url(
                bucket, retry_config=retries, client_options={"allow_http": True, **limits}
            )
        return stores.MemoryStore()


def store_of(location: Location, sent: int = 0) -> Any:
    """Return obstore's store for a location, one for each bucket in a process. sent: how many bytes a request will send."""
    seconds = _seconds_to_send(sent) if sent and location.scheme != "memory" else 0
    return _store(location.scheme, location.bucket, seconds)


LeftOut = Callable[[str, str], None]
"""Told the name of what is no object, and why."""


def listing(location: Location, left_out: LeftOut = lambda name, why: None) -> Iterator[Listed]:
    """Return the objects below a prefix, as they are listed."""
    if location.local:
        yield from _files(location.key, left_out)
        return
    if location.scheme in WEB:
        raise Error(f"{location}: a web server cannot be listed; name an object")
    if location.scheme == "s3":
        yield from _in_s3(location)
        return
    yield from _by_obstore(location)


def _by_obstore(location: Location) -> Iterator[Listed]:
    """List with obstore, which leaves out the / at the end of a name, as of the empty objects that consoles make for
    folders. Such a name is one that has come before, since the names are in order, or nobody's."""
    obstore = need("obstore", "store")
    prefix = location.key
    before: list[str] = []  # names that the present one begins with
    with translate_errors(location.text):
        chunks = obstore.list(store_of(location), prefix.rstrip("/") or None, chunk_size=1000)
        while (chunk := run_interruptible(lambda: next(chunks, None))) is not None:
            for meta in chunk:
                if not meta["path"].startswith(prefix):
                    continue
                name = meta["path"][len(prefix) :]
                while before and not name.startswith(before[-1]):
                    before.pop()
                if name in before[-1:] or (not meta["size"] and not exists(location.below(name))):
                    name += "/"
                else:
                    before.append(name)
                yield Listed(name, meta["size"], meta["last_modified"].timestamp(), meta.get("e_tag"))


def _in_s3(location: Location) -> Iterator[Listed]:
    """List with botocore: obstore's lists end at a name that it does not take, such as a//b, which should fail alone."""
    need("obstore", "store")
    start = len(location.key)
    with translate_errors(location.text):
        pages = s3_client().get_paginator("list_objects_v2").paginate(Bucket=location.bucket, Prefix=location.key)
        for page in pages:
            for each in page.get("Contents", ()):
                modified = each["LastModified"].timestamp()
                yield Listed(each["Key"][start:], each["Size"], modified, each.get("ETag"))


def _files(folder: str, left_out: LeftOut) -> Iterator[Listed]:
    def failed(error: OSError) -> None:
        raise error

    for where, folders, names in os.walk(folder, onerror=failed):
        folders.sort()
        for name in folders:
            if os.path.islink(path := os.path.join(where, name)):
                left_out(os.path.relpath(path, folder), "a link to a folder, which is not followed")
        for name in sorted(each for each in names if not is_temporary(each)):
            path = os.path.join(where, name)
            try:
                status = os.stat(path)
            except OSError:  # a link that leads nowhere fails when it is read, and alone
                yield Listed(os.path.relpath(path, folder), 0, 0.0, None)
                continue
            if stat.S_ISREG(status.st_mode):
                yield Listed(os.path.relpath(path, folder), status.st_size, status.st_mtime, marks(status))
            else:
                left_out(os.path.relpath(path, folder), "not a regular file")


def marks(status: os.stat_result) -> str:
    """Return the identity of a file, in the place of an ETag."""
    return f"{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_ino}"


def exists(location: Location) -> bool:
    if location.local:
        return os.path.lexists(location.key)
    try:
        with translate_errors(location.text):
            obstore, store = need("obstore", "store"), store_of(location)
            run_interruptible(lambda: obstore.head(store, location.key))
    except FileNotFoundError:
        return False
    return True
