# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SRTP packets beside libsrtp's own: libsrtp as it is, libsrtp with our types, the library itself and its batches.

    .venv/bin/python bench/srtp.py [--rounds 400] [--write]

The best of all rounds counts, with the ways in turn in one process (bench/srtp/packets.c, which this builds; it needs
libsrtp's headers, `make srtp`).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import openssl_provider
import tables
from runnel_lab import speed
from tables import generated

BUILD = generated.ROOT / "build"
WAYS = ("stock", "types", "native", "batch")


def measure(rounds: int) -> list[dict[str, Any]]:
    """Rows of ns a packet, by profile, direction and payload."""
    subprocess.run(["cmake", "--build", BUILD, "--target", "runnel-bench-srtp"], check=True, stdout=subprocess.DEVNULL)
    program = BUILD / "integrations" / "srtp" / "runnel-bench-srtp"
    done = subprocess.run([program, str(rounds)], check=True, text=True, capture_output=True).stdout
    rows: dict[tuple[str, str, int], dict[str, Any]] = {}
    for profile, way, direction, payload, ns in map(str.split, done.splitlines()):
        key = (profile, direction, int(payload))
        row = rows.setdefault(key, {"profile": profile, "direction": direction, "bytes": key[2]})
        row[way] = float(ns)
    return list(rows.values())


def stream_bytes() -> dict[str, int]:
    """Return the bytes of a native context for RTP or RTCP, by profile; of our types by libsrtp's names."""
    program = BUILD / "tests" / "runnel-srtp"
    subprocess.run(["cmake", "--build", BUILD, "--target", "runnel-srtp"], check=True, stdout=subprocess.DEVNULL)
    listed = subprocess.run([program, "list"], check=True, text=True, capture_output=True).stdout
    return {line.split()[0]: int(line.split()[-1]) for line in listed.splitlines()}


def cell(row: Mapping[str, Any], way: str) -> str:
    if way not in row:
        return ""
    ns = f"{row[way]:,.0f}"
    return ns if way == "stock" or "stock" not in row else f"{ns} ({row['stock'] / row[way]:.1f})"


def table(rows: list[Mapping[str, Any]], direction: str = "protect") -> str:
    """ns a packet, and how many times as fast as libsrtp's own."""
    lines = [
        [f"`{row['profile']}`", f"{row['bytes']:,}", *(cell(row, way) for way in WAYS)]
        for row in rows
        if row["direction"] == direction
    ]
    return generated.table(["profile", "payload, B", "libsrtp", "with our types", "native", "in batches"], lines)


def text() -> str:
    result = tables.load(tables.newest("srtp.json"))
    machine = result["machine"]
    intro = (
        f"{machine['cpu']} ({machine['cpu_id']}), libsrtp {result['libsrtp']}, {machine['compiler']}, {machine['date']}: "
        f"to protect a packet, in ns, and in brackets how many times as fast as libsrtp; 32 streams in turn, the best of "
        f"{result['rounds']} rounds. To unprotect takes about as long."
    )
    return generated.wrapped(intro) + "\n\n" + table(result["rows"])


def sizes() -> str:
    """Return the bytes of a stream's context, for each profile."""
    groups: dict[int, list[str]] = {}
    for profile, size in tables.load(tables.newest("srtp.json"))["stream_bytes"].items():
        groups.setdefault(size, []).append(f"`{profile}`")
    lines = [[", ".join(names), f"{size:,}"] for size, names in sorted(groups.items())]
    return generated.table(["profiles", "bytes of a context"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=400, help="how often (default: %(default)s, a minute)")
    parser.add_argument("--write", action="store_true", help="keep the figures in results/<machine>/ too")
    options = parser.parse_args()
    version = subprocess.run(["pkg-config", "--modversion", "libsrtp2"], capture_output=True, text=True, check=True)
    result = {
        "machine": speed.machine() | {"compiler": openssl_provider.compiler()},
        "libsrtp": version.stdout.strip(),
        "rounds": options.rounds,
        "stream_bytes": stream_bytes(),
        "rows": measure(options.rounds),
    }
    shown = f"{tables.machine_line(result['machine'])}; libsrtp {result['libsrtp']}\n{table(result['rows'])}"
    print(shown)
    if options.write:
        tables.keep("srtp", result, shown)


if __name__ == "__main__":
    main()
