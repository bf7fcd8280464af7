# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A Blob service in this process, as far as our clients need one: whole blobs, ranges, conditions, blocks, copies, lists.

It believes every signature; what it answers was compared with Azurite 3.35.
"""

from __future__ import annotations

import base64
import email.utils
import hashlib
import re
import threading
from collections.abc import Callable, Iterable
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from store_server import Request

MODIFIED = email.utils.formatdate(1_700_000_000, usegmt=True)


class BlobRequest(Request):
    @property
    def part(self) -> int | None:
        found = parse_qs(self.query).get("blockid")
        return int(base64.b64decode(found[0])[-5:]) if found else None

    @property
    def completes(self) -> bool:
        return self.method == "PUT" and "comp=blocklist" in self.query


class Blobs:
    """The service; blobs and blocks that no list has named yet, by container and name."""

    request = BlobRequest

    def __init__(self) -> None:
        self.blobs: dict[str, tuple[bytes, str, dict[str, str]]] = {}
        self.blocks: dict[str, dict[str, bytes]] = {}
        self.pending = 0
        """So many times the next copy is asked for before it is made; until then it is empty."""
        self._copy: tuple[str, str] | None = None
        self._lock = threading.Lock()
        self._number = 0

    def __call__(self, environ: dict, start_response: Callable) -> Iterable[bytes]:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(length) if length else b""
        query = {name: values[0] for name, values in parse_qs(environ.get("QUERY_STRING", "")).items()}
        with self._lock:
            status, headers, answer = self._answer(environ, environ["PATH_INFO"], query, body)
        headers = {"Content-Length": str(len(answer)), "Last-Modified": MODIFIED, **headers}
        start_response(f"{status} .", list(headers.items()))
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [answer]

    def _answer(
        self, environ: dict, path: str, query: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        method, what = environ["REQUEST_METHOD"], query.get("comp")
        if what == "list":
            return 200, {}, self._list(path.strip("/"), query.get("prefix", ""))
        if what == "batch":  # as deletions come
            return (
                202,
                {"Content-Type": "multipart/mixed; boundary=b"},
                self._delete(re.findall(rb"^DELETE (\S+) ", body, re.M)),
            )
        if what == "block":
            self.blocks.setdefault(path, {})[query["blockid"]] = body
            return 201, {}, b""
        if method == "PUT":
            return self._put(environ, path, what, body)
        if what == "blocklist":
            names = self.blocks.get(path, {})
            if not names and path not in self.blobs:
                return 404, {"x-ms-error-code": "BlobNotFound"}, b""
            blocks = (f"<Block><Name>{name}</Name><Size>{len(data)}</Size></Block>" for name, data in names.items())
            return 200, {}, f"<BlockList><UncommittedBlocks>{''.join(blocks)}</UncommittedBlocks></BlockList>".encode()
        if path not in self.blobs:
            return 404, {"x-ms-error-code": "BlobNotFound"}, b""
        if self._copy is not None and path == self._copy[1]:
            self._continue_copy(*self._copy)
        return self._get(environ, *self.blobs[path])

    def _put(self, environ: dict, path: str, what: str | None, body: bytes) -> tuple[int, dict[str, str], bytes]:
        there = self.blobs.get(path)
        if environ.get("HTTP_IF_NONE_MATCH") == "*" and there:
            return 409, {"x-ms-error-code": "BlobAlreadyExists"}, b""
        if "HTTP_IF_MATCH" in environ and (there is None or there[1] != environ["HTTP_IF_MATCH"]):
            return 412, {"x-ms-error-code": "ConditionNotMet"}, b""
        source = environ.get("HTTP_X_MS_COPY_SOURCE")
        if source and self._copy is not None and self._copy[1] == path:
            return 409, {"x-ms-error-code": "PendingCopyOperation"}, b""
        if what == "blocklist":
            blocks = self.blocks.pop(path, {})
            wanted = [each.text or "" for each in ElementTree.fromstring(body)]
            if not all(name in blocks for name in wanted):
                self.blocks[path] = blocks
                return 400, {"x-ms-error-code": "InvalidBlockList"}, b""
            body = b"".join(blocks[name] for name in wanted)
        elif source:
            name = unquote(urlsplit(source).path)
            self._copy = (name, path) if self.pending else None
            body = b"" if self.pending else self.blobs[name][0]
        self._number += 1
        etag = f'"0x{self._number:X}"'
        kept = {k[5:].replace("_", "-").lower(): v for k, v in environ.items() if k.startswith("HTTP_X_MS_META_")}
        self.blobs[path] = body, etag, kept
        digest = base64.b64encode(hashlib.md5(body).digest()).decode()
        extra = {"x-ms-copy-status": "pending" if self._copy else "success"} if source else {"Content-MD5": digest}
        return (202 if source else 201), {"ETag": etag, **extra}, b""

    def _continue_copy(self, source: str, target: str) -> None:
        self.pending -= 1
        if not self.pending:
            self._copy = None
            self.blobs[target] = (self.blobs[source][0], *self.blobs[target][1:])

    def _get(self, environ: dict, data: bytes, etag: str, kept: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        if environ.get("HTTP_IF_MATCH", etag) != etag:
            return 412, {"x-ms-error-code": "ConditionNotMet"}, b""
        headers = {"ETag": etag, **kept}
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", environ.get("HTTP_X_MS_RANGE") or environ.get("HTTP_RANGE") or "")
        if environ["REQUEST_METHOD"] == "HEAD" or not asked:
            return 200, {**headers, "Content-Length": str(len(data))}, data
        first, last = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
        if first > last:
            return 416, {"x-ms-error-code": "InvalidRange"}, b""
        return 206, {**headers, "Content-Range": f"bytes {first}-{last}/{len(data)}"}, data[first : last + 1]

    def _delete(self, paths: list[bytes]) -> bytes:
        for path in paths:
            self.blobs.pop(unquote(path.decode()), None)
        answers = (
            f"--b\r\nContent-Type: application/http\r\nContent-ID: {n}\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n\r\n"
            for n in range(len(paths))
        )
        return ("".join(answers) + "--b--\r\n").encode()

    def _list(self, container: str, prefix: str) -> bytes:
        start = f"/{container}/"
        blobs = "".join(
            f"<Blob><Name>{escape(path.removeprefix(start))}</Name><Properties><Last-Modified>{MODIFIED}</Last-Modified>"
            f"<Content-Length>{len(data)}</Content-Length><Content-Type>application/octet-stream</Content-Type><Etag>{escape(etag)}</Etag></Properties></Blob>"
            for path, (data, etag, _) in sorted(self.blobs.items())
            if path.startswith(start + prefix)
        )
        return f"<EnumerationResults><Blobs>{blobs}</Blobs><NextMarker/></EnumerationResults>".encode()
