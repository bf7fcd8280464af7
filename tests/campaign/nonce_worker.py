# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One process of several that share a keyset, whose threads share one counter, kept in a file as docs/python.md has it.

nonce_worker.py KEYSET COUNTER USED THREADS AHEAD: each nonce is noted in USED before it seals a packet. AHEAD is how many
nonces the file is ahead of those in use; 0 is what the document warns of.
"""

from __future__ import annotations

import io
import os
import re
import sys
import threading
from pathlib import Path

import runnel

ROOT = Path(__file__).resolve().parent.parent.parent
COUNT = 40
"""Nonces that are taken before the file is written again."""


def recipe() -> dict[str, object]:
    """Return the functions reserved and keep of docs/python.md."""
    text = (ROOT / "docs" / "python.md").read_text()
    found = re.search(r"```python\n(import os\nimport runnel\n\n\ndef reserved.*?)\nkeep\(\"nonces", text, re.DOTALL)
    assert found is not None, "docs/python.md no longer says how a counter is kept in a file"
    names: dict[str, object] = {}
    exec(found[1], names)
    return names


def main() -> None:
    keyset_file, counter, used, threads, ahead = *sys.argv[1:4], int(sys.argv[4]), int(sys.argv[5])
    keyset = runnel.Keyset.load(keyset_file)
    reserved = recipe()["reserved"]
    log = os.open(used, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sealer_key = bytes(16)
    failed: list[BaseException] = []
    turn = threading.Lock()
    nonces, left = None, 0

    def take() -> bytes:
        nonlocal nonces, left
        with turn:
            if not left:
                nonces, left = reserved(counter, ahead), COUNT  # type: ignore[operator]
            left -= 1
            assert nonces is not None
            return next(nonces)

    def work() -> None:
        sealer = runnel.aead("aes-128-gcm", sealer_key)
        text = os.urandom(3000)
        try:
            for _ in range(10**9):
                nonce = take()
                os.write(log, nonce.hex().encode() + b"\n")
                assert sealer.open(nonce, sealer.seal(nonce, text)) == text
                middle, out = io.BytesIO(), io.BytesIO()
                runnel.encrypt_stream(io.BytesIO(text), middle, keyset, threads=1)
                runnel.decrypt_stream(io.BytesIO(middle.getvalue()), out, keyset, threads=1)
                assert out.getvalue() == text
        except BaseException as error:
            failed.append(error)
            os.write(2, f"{error!r}\n".encode())
            os._exit(1)

    for _ in range(threads):
        threading.Thread(target=work, daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
