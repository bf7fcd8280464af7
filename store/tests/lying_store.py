# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A small S3 and web server that lies about ETags, sizes, parts and listings, as it is told to."""

from __future__ import annotations

import hashlib
import itertools
import re
import threading
from collections.abc import Callable, Iterable
from urllib.parse import parse_qs, quote, unquote
from xml.sax.saxutils import escape

import pytest
from store_server import Server

_DATE = "Thu, 01 Jan 2026 00:00:00 GMT"
_ISO = "2026-01-01T00:00:00.000Z"


class LyingStore:
    """A WSGI application. Objects and uploads are open to tests; the switches below say what it lies about."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        """By path, as /bucket/key."""
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.received: list[tuple[str, int, bytes]] = []
        """(upload, number, bytes) of all parts that were ever sent, whatever became of them."""
        self.same_etag: set[str] = set()
        """Paths whose ETag stays the same, whatever their bytes."""
        self.size: dict[str, int] = {}
        """Claimed lengths of the objects at these paths."""
        self.forgotten: set[int] = set()
        """Parts that are not in the list of an upload's parts, though they were sent."""
        self.invented: dict[int, bytes] = {}
        """Parts that are in the list, whose bytes nobody sent."""
        self.part_etags: dict[int, str] = {}
        """Claimed ETags of these parts."""
        self.no_upload = False
        """There is no such upload, whichever is meant."""
        self.after_part: Callable[[int], object] = lambda number: None
        """Called when a part is there, before the answer."""
        self.listed: Callable[[list[tuple[str, int, str]]], list[tuple[str, int, str]]] = lambda entries: entries
        """The entries of a listing, (key, size, ETag), given the truth."""
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def etag(self, path: str) -> str:
        if path in self.same_etag:
            return '"the same"'
        return f'"{hashlib.md5(self.objects[path], usedforsecurity=False).hexdigest()}"'

    def __call__(self, environ: dict, start_response: Callable) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"].encode("latin-1").decode()
        query = {name: values[0] for name, values in parse_qs(environ["QUERY_STRING"], True).items()}
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        with self._lock:
            status, headers, answer = self._answer(method, path, query, body, environ)
        headers.setdefault("Content-Length", str(len(answer)))
        start_response(status, list(headers.items()))
        return [b"" if method == "HEAD" else answer]

    def _answer(
        self, method: str, path: str, query: dict[str, str], body: bytes, environ: dict
    ) -> tuple[str, dict[str, str], bytes]:
        upload = query.get("uploadId")
        if upload is not None and method != "PUT" and (self.no_upload or upload not in self.uploads):
            return _error("404 Not Found", "NoSuchUpload")
        if "partNumber" in query:
            number = int(query["partNumber"])
            self.received.append((upload or "", number, body))
            self.uploads.setdefault(upload or "", {})[number] = body
            self.after_part(number)
            return "200 OK", {"ETag": self._part_etag(number, body)}, b""
        if method == "POST" and "uploads" in query:
            upload = f"upload-{next(self._numbers)}"
            self.uploads[upload] = {}
            return _xml("InitiateMultipartUploadResult", f"<UploadId>{upload}</UploadId>")
        if upload is not None:
            return self._of_upload(method, path, upload, body)
        if query.get("list-type") == "2":
            return self._list(path, query.get("prefix", ""))
        if method == "PUT":
            if path.count("/") == 1:
                return "200 OK", {}, b""  # a bucket
            if environ.get("HTTP_IF_NONE_MATCH") == "*" and path in self.objects:
                return _error("412 Precondition Failed", "PreconditionFailed")
            self.objects[path] = body
            return "200 OK", {"ETag": self.etag(path)}, b""
        if method == "DELETE":
            self.objects.pop(path, None)
            return "204 No Content", {}, b""
        return self._read(method, path, environ.get("HTTP_RANGE"))

    def _part_etag(self, number: int, body: bytes) -> str:
        return self.part_etags.get(number, f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"')

    def _of_upload(self, method: str, path: str, upload: str, body: bytes) -> tuple[str, dict[str, str], bytes]:
        parts = self.uploads[upload]
        if method == "GET":
            there = {number: data for number, data in parts.items() if number not in self.forgotten} | self.invented
            listed = "".join(
                f"<Part><PartNumber>{number}</PartNumber><LastModified>{_ISO}</LastModified>"
                f"<ETag>{escape(self._part_etag(number, data))}</ETag><Size>{len(data)}</Size></Part>"
                for number, data in sorted(there.items())
            )
            return _xml("ListPartsResult", f"<IsTruncated>false</IsTruncated>{listed}")
        del self.uploads[upload]
        if method == "DELETE":
            return "204 No Content", {}, b""
        numbers = [int(number) for number in re.findall(rb"<PartNumber>(\d+)", body)]
        self.objects[path] = b"".join((parts | self.invented)[number] for number in numbers)
        return _xml("CompleteMultipartUploadResult", f"<ETag>{escape(self.etag(path))}</ETag>")

    def _list(self, path: str, prefix: str) -> tuple[str, dict[str, str], bytes]:
        bucket = path.rstrip("/") + "/"
        truth = [
            (each[len(bucket) :], len(data), self.etag(each))
            for each, data in sorted(self.objects.items())
            if each.startswith(bucket + prefix)
        ]
        listed = "".join(
            f"<Contents><Key>{quote(key)}</Key><LastModified>{_ISO}</LastModified><ETag>{escape(etag)}</ETag>"
            f"<Size>{size}</Size><StorageClass>STANDARD</StorageClass></Contents>"
            for key, size, etag in self.listed(truth)
        )
        name = unquote(bucket.strip("/"))
        return _xml(
            "ListBucketResult",
            f"<Name>{name}</Name><Prefix>{quote(prefix)}</Prefix><EncodingType>url</EncodingType>"
            f"<IsTruncated>false</IsTruncated>{listed}",
        )

    def _read(self, method: str, path: str, wanted: str | None) -> tuple[str, dict[str, str], bytes]:
        """Whatever If-Match says."""
        if path not in self.objects:
            return _error("404 Not Found", "NoSuchKey")
        data = self.objects[path]
        size = self.size.get(path, len(data))
        headers = {"ETag": self.etag(path), "Last-Modified": _DATE, "Accept-Ranges": "bytes"}
        if method == "HEAD":
            return "200 OK", {**headers, "Content-Length": str(size)}, b""
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", wanted or "")
        if not found:
            return "200 OK", headers, data
        start, end = int(found[1]), min(int(found[2]) + 1, size)
        if start >= size:
            return _error("416 Range Not Satisfiable", "InvalidRange")
        answer = (data + bytes(max(0, size - len(data))))[start:end]
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
        return "206 Partial Content", headers, answer


@pytest.fixture
def liar():
    return LyingStore()


@pytest.fixture
def server(liar):
    """Run a lying server in the place of the server in store_objects."""
    created = Server(liar)
    yield created
    created.close()


def _xml(name: str, content: str) -> tuple[str, dict[str, str], bytes]:
    text = f'<?xml version="1.0"?><{name}>{content}</{name}>'
    return "200 OK", {"Content-Type": "application/xml"}, text.encode()


def _error(status: str, code: str) -> tuple[str, dict[str, str], bytes]:
    text = f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{code}</Message></Error>'
    return status, {"Content-Type": "application/xml"}, text.encode()


def check_no_part_twice(liar: LyingStore, sealed: bool = True) -> None:
    """Under one header, of which each upload has one, a part was only ever sent with the same bytes."""
    sent: dict[tuple[str, int], bytes] = {}
    for upload, number, data in liar.received:
        assert sent.setdefault((upload, number), data) == data, f"part {number} of {upload}: two texts, one keystream"
    assert sent
    if sealed:
        salts = [data[:24] for (_, number), data in sent.items() if number == 1]
        assert len(set(salts)) == len(salts), "two uploads with one salt"
