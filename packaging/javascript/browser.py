# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Load a page in Chromium without a window, from a server on loopback, and return what it answers."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROGRAM = "chromium"
# No sandbox: Chromium has none for root, which a container's user often is; the page is our own.
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of a folder; an answer is a POST."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}
    server: Server

    def do_POST(self) -> None:
        self.server.answer = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self.server.answered.set()

    def log_message(self, *_: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    answer = b""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.answered = threading.Event()


def visit(folder: Path, page: str, seconds: float = 120) -> dict[str, Any]:
    """Open a page of a folder, which is served, and return what it posted: `outputs`, and the browser's name, `agent`. A URL
    of another server is a page too, and finds in ?answer= where to post. Raises RuntimeError with what went wrong."""
    with Server(folder) as server, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        here = f"http://127.0.0.1:{server.server_address[1]}/"
        url = f"{page}?answer={here}answer" if page.startswith("http:") else here + page
        browser = subprocess.Popen(
            [PROGRAM, *OPTIONS, f"--user-data-dir={profile}", url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            in_time = server.answered.wait(seconds)
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    if not in_time:
        raise RuntimeError(f"no answer from the page for {seconds:.0f} s")
    answer = json.loads(server.answer)
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer


def ask(package: Path, query: str = "", seconds: float = 120) -> dict[str, Any]:
    """Visit try/page.html with the package in a folder beside it, as it is and not bundled."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(package, folder / "package")
        shutil.copytree(HERE / "try", folder / "try")
        return visit(folder, f"try/page.html{query}", seconds)
