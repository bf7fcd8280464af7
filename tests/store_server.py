# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An S3 in this process: moto's, behind something that counts requests and makes chosen ones fail."""

from __future__ import annotations

import contextlib
import io
import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

logging.getLogger("werkzeug").setLevel(logging.ERROR)

Fault = Callable[["Request"], object]
"""Called before a request is answered. Returns None (no fault), a status such as "500", "drop", "cut" (half of the body),
"cut after" (no answer, but done), "500 after" (that answer, but done), "slow" (a twentieth of the body every 50 ms) or
seconds."""


class Request:
    def __init__(self, environ: dict) -> None:
        self.environ = environ
        self.method = environ["REQUEST_METHOD"]
        self.path = environ["PATH_INFO"]
        self.query = environ.get("QUERY_STRING", "")
        self.range = environ.get("HTTP_RANGE")
        self.if_match = environ.get("HTTP_IF_MATCH")

    @property
    def part(self) -> int | None:
        found = re.search(r"partNumber=(\d+)", self.query)
        return int(found[1]) if found and self.method == "PUT" else None

    @property
    def completes(self) -> bool:
        return self.method == "POST" and "uploadId=" in self.query

    def __repr__(self) -> str:
        return f"{self.method} {self.path}?{self.query} {self.range}"


class Server:
    """app: moto's, if none is given."""

    def __init__(self, app: Callable | None = None) -> None:
        self._app = app or DomainDispatcherApplication(create_backend_app)
        self._request = getattr(app, "request", Request)
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.requests: list[Request] = []
        self.fault: Fault | None = None
        self._lock = threading.Lock()
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test-secret",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.url,
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def close(self) -> None:
        self._server.shutdown()

    @contextlib.contextmanager
    def failing(self, fault: Fault) -> Iterator[None]:
        self.fault = fault
        try:
            yield
        finally:
            self.fault = None

    @contextlib.contextmanager
    def counting(self) -> Iterator[list[Request]]:
        seen: list[Request] = []
        before = len(self.requests)
        yield seen
        seen += self.requests[before:]

    def _answer(self, environ: dict, start_response: Callable) -> Iterable[bytes]:
        request = self._request(environ)
        with self._lock:
            self.requests.append(request)
        if request.completes:  # all of it is here, whatever the fault does to who sent it
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            environ["wsgi.input"] = io.BytesIO(body)
        fault = self.fault
        what = fault(request) if fault is not None else None  # which may itself send requests
        if isinstance(what, float):
            time.sleep(what)
        elif isinstance(what, str) and what.isdigit():
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            return _refusal(what, start_response)
        elif what == "drop":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            raise ConnectionError("dropped on purpose")
        elif what == "500 after":
            b"".join(self._app(environ, lambda *_: None))
            return _refusal("500", start_response)
        answer = self._app(environ, start_response)
        if what == "cut after":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            raise ConnectionError("dropped on purpose, after all was done")
        if what == "cut":
            whole = b"".join(answer)
            return iter([whole[: len(whole) // 2]])
        return _slowly(b"".join(answer)) if what == "slow" else answer


def _refusal(status: str, start_response: Callable) -> Iterable[bytes]:
    start_response(f"{status} On purpose", [("Content-Type", "application/xml")])
    return [b"<Error><Code>OnPurpose</Code></Error>"]


def _slowly(body: bytes) -> Iterator[bytes]:
    step = len(body) // 20 + 1
    for at in range(0, len(body), step):
        time.sleep(0.05)
        yield body[at : at + step]


class Bottomless:
    """Takes multipart uploads of any length and keeps nothing but their number of bytes."""

    def __init__(self) -> None:
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.bytes: dict[int, int] = {}
        self.completed = False
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()

    def _answer(self, environ: dict, start_response: Callable) -> Iterable[bytes]:
        request = Request(environ)
        left = length = int(environ.get("CONTENT_LENGTH") or 0)
        while left:
            left -= len(environ["wsgi.input"].read(min(left, 1 << 16)))
        body, headers = b"", [("ETag", '"0"')]
        if request.part is not None:
            self.bytes[request.part] = length
        elif request.completes:
            self.completed = True
            body = b"<CompleteMultipartUploadResult><ETag>&quot;0&quot;</ETag></CompleteMultipartUploadResult>"
        elif request.method == "POST":
            body = b"<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
        else:
            start_response("404 Not Found", [("Content-Length", "0")])
            return [b""]
        start_response("200 OK", [*headers, ("Content-Length", str(len(body)))])
        return [body]


def times(count: int, matches: Callable[[Request], bool], what: object) -> Fault:
    """Make the first count requests that match fail so."""
    left = list(range(count))

    def fault(request: Request) -> object:
        if matches(request):
            with contextlib.suppress(IndexError):  # a list's pop is atomic
                left.pop()
                return what
        return None

    return fault
