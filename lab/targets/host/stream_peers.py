#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other libraries' stream ciphers on this machine, as rows of results (JSON): what `runnel speed` measures beside ours,
in cycles of the core. Where a library sets key and IV in one call, or the IV with the message, the whole is in the
column where it is first done.

    stream_peers.py CIPHER,CIPHER,…"""

from __future__ import annotations

import json
import sys
from typing import Any

import runnel
from runnel_lab import speed
from runnel_lab.running import known_answers

SECONDS_PER_CIPHER = 3.0


def main() -> None:
    streams = set(known_answers.with_vectors()) | {"chacha20"}
    wanted = [name for name in sys.argv[1].split(",") if name in streams]
    if not wanted:
        print("[]")
        return
    measured = speed.measure(wanted, operations=("key", "iv", "message"), seconds=SECONDS_PER_CIPHER * len(wanted))
    hz = int(measured["machine"]["clock_ghz"] * 1e9)
    rows = []
    for cipher in wanted:
        found: dict[str, dict[tuple[str, int], float]] = {}
        for row in measured["rows"]:
            if row["cipher"] == cipher and row["implementation"] != "runnel":
                found.setdefault(row["implementation"], {})[row["operation"], row["bytes"]] = row["cycles"]
        rows += [peer(cipher, name, cycles, hz) for name, cycles in found.items() if ("message", 128) in cycles]
    json.dump(rows, sys.stdout, indent=1)


def peer(cipher: str, name: str, cycles: dict[tuple[str, int], float], hz: int) -> dict[str, Any]:
    iv = cycles.get(("iv", 0), 0.0)
    figures = {
        "key": {"cycles": cycles.get(("key", 0), 0.0)},
        "iv": {"cycles": iv},
        "packet": {"cycles": round(cycles["message", 128] - iv, 1), "bytes": 128},
    }
    if ("message", 16384) in cycles:
        figures["message_16384"] = {"cycles": round(cycles["message", 16384] - iv, 1), "bytes": 16384}
    key_bits, iv_bits = lengths(cipher)
    return {
        "cipher": cipher,
        "kernel": name,
        "key_bits": key_bits,
        "iv_bits": iv_bits,
        "peer": True,
        "hz": hz,
        "figures": figures,
    }


def lengths(cipher: str) -> tuple[int, int]:
    """Those that the program measures with: the longest, up to 256 bits."""
    about = runnel.ciphers()[cipher]
    return 8 * max(n for n in about.key_bytes if n <= 32), 8 * max(n for n in about.iv_bytes if n <= 32)


if __name__ == "__main__":
    main()
