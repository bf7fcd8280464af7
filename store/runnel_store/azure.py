# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Uploads to Azure's block blobs that another process can continue.

obstore has no requests for single blocks, but signs URLs with whatever credentials it has found; three requests on such URLs
are all that is needed (Put Block, Get Block List, Put Block List of the Blob service's REST API).
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import functools
import os
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote, urlsplit
from xml.etree import ElementTree

from runnel.errors import Error

from runnel_store.errors import ChangedError, retried, translate_errors
from runnel_store.needs import need
from runnel_store.readers import store_of
from runnel_store.uploads import already
from runnel_store.urls import Location

_SIGNED_SECONDS = 2 * 3600
_PIECE_BYTES = 16 << 10
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
    return [view[at : at + _PIECE_BYTES] for at in range(0, len(view), _PIECE_BYTES)]


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
