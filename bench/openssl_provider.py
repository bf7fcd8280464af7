# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The OpenSSL provider beside OpenSSL's own ciphers, in two ways.

    .venv/bin/python bench/openssl_provider.py [--rounds 3] [--seconds 60] [--write]

`openssl speed -evp` runs with each in turn, round after round; it counts the seconds of the processor, and the best round
counts. bench/openssl/speed.c has both in one process, in turn: messages under an IV each, and one message in pieces; the
shortest time counts. Needs build/provider/runnel.so (`make provider`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import tables
from runnel_lab import speed
from tables import generated

MODULE = generated.ROOT / "build" / "provider" / "runnel.so"
CONFIGURATION = generated.ROOT / "integrations" / "openssl" / "runnel.cnf"
SIZES = (16, 64, 256, 1024, 8192, 16384)
CIPHERS = (
    *("aes-128-ctr", "aes-256-ctr", "aes-128-gcm", "aes-256-gcm", "aes-128-ccm"),
    *("aria-128-ctr", "aria-128-gcm", "aria-128-ccm", "chacha20", "chacha20-poly1305"),
)


def gb_per_s(cipher: str, configuration: Path | str) -> list[float]:
    """Run `openssl speed` once and return GB/s for each of SIZES."""
    done = subprocess.run(
        ["openssl", "speed", "-mr", "-seconds", "1", "-evp", cipher],
        env=os.environ | {"OPENSSL_CONF": str(configuration)},
        capture_output=True,
        text=True,
        check=True,
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("+F:"))
    return [float(figure) / 1e9 for figure in line.split(":")[3:]]


def measure(rounds: int) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        ours = Path(folder) / "runnel.cnf"
        ours.write_text(f"{CONFIGURATION.read_text()}\n[runnel_sect]\nmodule = {MODULE}\n")
        rows = []
        for cipher in CIPHERS:
            best = {"openssl": [0.0] * len(SIZES), "runnel": [0.0] * len(SIZES)}
            for _ in range(rounds):
                for name, configuration in (("openssl", os.devnull), ("runnel", ours)):
                    best[name] = [max(pair) for pair in zip(best[name], gb_per_s(cipher, configuration))]
            rows.append({"cipher": cipher} | {name: [round(f, 4) for f in figures] for name, figures in best.items()})
        return rows


def calls(seconds: float) -> list[dict[str, Any]]:
    """Nanoseconds of a call of both, for each cipher, operation and size."""
    build = MODULE.parent.parent
    subprocess.run(
        ["cmake", "--build", build, "--target", "runnel-speed-openssl"], check=True, stdout=subprocess.DEVNULL
    )
    done = subprocess.run(
        [build / "bench" / "runnel-speed-openssl", MODULE.parent, str(seconds), *CIPHERS],
        env=os.environ | {"OPENSSL_CONF": os.devnull},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def calls_table(cells: list[Mapping[str, Any]]) -> str:
    """Return how many times as fast as OpenSSL's own a message is, and the next piece of one."""
    ratios: dict[str, dict[tuple[str, int], str]] = {}
    for cell in cells:
        ratio = f"{cell['openssl'] / cell['runnel']:.2f}"
        ratios.setdefault(cell["cipher"], {})[cell["operation"], cell["bytes"]] = ratio
    lines = [
        [f"`{cipher}`", what, *(of_cipher[operation, size] for size in SIZES)]
        for cipher, of_cipher in ratios.items()
        for operation, what in (("message", "a message"), ("piece", "a piece"))
        if (operation, SIZES[0]) in of_cipher
    ]
    return generated.table(["times OpenSSL's own", "", *(f"{size} B" for size in SIZES)], lines)


def table(rows: list[Mapping[str, Any]]) -> str:
    """Return how many times as fast as OpenSSL's own each is, and both at the largest size."""
    lines = []
    for row in rows:
        ratios = [f"{ours / theirs:.2f}" for ours, theirs in zip(row["runnel"], row["openssl"])]
        lines.append([f"`{row['cipher']}`", *ratios, f"{row['openssl'][-1]:.2f}", f"{row['runnel'][-1]:.2f}"])
    header = ["times OpenSSL's own", *(f"{size} B" for size in SIZES), "OpenSSL, GB/s", "Runnel, GB/s"]
    return generated.table(header, lines)


def compiler() -> str:
    """Return the compiler of the module."""
    cache = (generated.ROOT / "build" / "CMakeCache.txt").read_text()
    program = next(line.split("=", 1)[1] for line in cache.splitlines() if line.startswith("CMAKE_C_COMPILER:"))
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return version.replace("cc (Debian", "gcc (Debian")


def text() -> str:
    result = tables.load(tables.newest("openssl_provider.json"))
    machine = result["machine"]
    intro = (
        f"{machine['cpu']} ({machine['cpu_id']}), {result['openssl']}, {machine['compiler']}, {machine['date']}: "
        f"`openssl speed -evp`, both in turn, the best of {result['rounds']} rounds; GB/s for 16 KiB. "
        "These are programs one after the other: other work on the machine moves a figure by a tenth."
    )
    more = (
        "Surer is the shortest time of a call, both in turn in one process: a message under an IV of its own, with its "
        "tag where there is one, and the next piece of a message that continues."
    )
    parts = [generated.wrapped(intro), table(result["rows"]), generated.wrapped(more), calls_table(result["calls"])]
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often (default: %(default)s, two minutes each)")
    parser.add_argument("--seconds", type=float, default=60, help="for all calls (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="keep the figures in results/<machine>/ too")
    options = parser.parse_args()
    if not MODULE.exists():
        sys.exit(f"{MODULE}: not there; run `make provider`")
    version = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True).stdout.split()
    cells = calls(options.seconds)
    rows = measure(options.rounds)
    machine = speed.machine() | {"compiler": compiler()}
    result = {
        "machine": machine,
        "openssl": " ".join(version[:2]),
        "rounds": options.rounds,
        "rows": rows,
        "calls": cells,
    }
    shown = f"{tables.machine_line(machine)}; {result['openssl']}\n{table(rows)}\n\n{calls_table(cells)}"
    print(shown)
    if options.write:
        tables.keep("openssl_provider", result, shown)


if __name__ == "__main__":
    main()
