# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measure a call from Python: runnel beside pyca/cryptography, and beside its own C library, in one process.

    .venv/bin/python bench/python_calls.py [--json] [--write] [--library build/librunnel.so]

Many short windows, all implementations in turn; a window repeats one call, loop included (about 10 ns a call). The
minimum is the cost of the code, the median what a busy machine makes of it; ratios are of minima. AES-128-CTR.
"""

import argparse
import ctypes
import itertools
import json
import platform
import statistics
import sys
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cryptography
import runnel
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from runnel_lab import speed

sys.path.insert(0, str(Path(__file__).parent))
import tables

ROOT = Path(__file__).resolve().parent.parent
CIPHER, KEY, IV = "aes-128-ctr", bytes(range(16)), bytes(16)
PACKETS, PACKET_BYTES = 1000, 160
PYCA = f"pyca/cryptography {cryptography.__version__}, {backend.openssl_version_text().split(' ', 2)[1]}"
OURS, C_LIBRARY = f"runnel {runnel.__version__}", "C library"
Call = Callable[[], object]


def c_call(library: Path, data: bytearray, out: bytearray) -> tuple[Call, Call]:
    """Returns runnel_stream_xor on the two buffers, and the same on no bytes: what calling it through ctypes costs."""
    c = ctypes.CDLL(str(library))
    c.runnel_cipher_find.restype = ctypes.c_void_p
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    c.runnel_cipher_key.argtypes = [pointer, pointer, ctypes.c_char_p, size, ctypes.c_char_p]
    c.runnel_stream_iv.argtypes = [pointer, ctypes.c_char_p, size, ctypes.c_int]
    c.runnel_stream_xor.argtypes = [pointer, pointer, pointer, size]
    memory = ctypes.create_string_buffer(runnel.ciphers()[CIPHER].context_bytes + 64)
    context = (ctypes.addressof(memory) + 63) & ~63
    if c.runnel_cipher_key(c.runnel_cipher_find(CIPHER.encode()), context, KEY, len(KEY), None):
        sys.exit(f"{library}: key set-up failed")
    if c.runnel_stream_iv(context, IV, len(IV), 0):
        sys.exit(f"{library}: IV set-up failed")
    views = [(ctypes.c_char * len(buffer)).from_buffer(buffer) for buffer in (data, out)]
    source, target = (ctypes.addressof(view) for view in views)
    xor, count = c.runnel_stream_xor, len(data)
    keep = (memory, views)
    return lambda keep=keep: xor(context, target, source, count), lambda keep=keep: xor(context, target, source, 0)


def windows(calls: dict[str, Call], rounds: int, seconds: float = 0.002) -> dict[str, list[float]]:
    """Returns for each call its seconds in each of `rounds` windows."""
    timers = {name: timeit.Timer("call()", globals={"call": call}) for name, call in calls.items()}
    counts = {name: max(1, int(seconds / max(timer.timeit(3) / 3, 1e-8))) for name, timer in timers.items()}
    found: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(rounds):
        for name, timer in timers.items():
            found[name].append(timer.timeit(counts[name]) / counts[name])
    return found


class Table:
    """Collects rows, one for each implementation of an operation."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.rows: list[dict[str, Any]] = []

    def measure(self, operation: str, size: int, calls: dict[str, Call], per_call: int = 1) -> None:
        found = windows(calls, self.rounds)
        if "ctypes" in found:  # is no implementation, only what to take off
            overhead = min(found.pop("ctypes"))
            found[C_LIBRARY] = [time - overhead for time in found[C_LIBRARY]]
        for name, times in found.items():
            nanoseconds = [t * 1e9 / per_call for t in times]
            best = min(nanoseconds)
            self.rows.append(
                {
                    "cipher": CIPHER,
                    "implementation": name,
                    "operation": operation,
                    "bytes": size,
                    "kernel": None if name == PYCA else runnel.new(CIPHER, KEY, IV).kernel,
                    "ns_min": round(best, 1),
                    "ns_median": round(statistics.median(nanoseconds), 1),
                    "gb_per_s": round(size / best, 3),
                }
            )

    def ratios(self) -> list[dict[str, Any]]:
        """Return how many times as fast as each other implementation runnel is."""
        ratios = []
        for (operation, size), group in itertools.groupby(self.rows, key=lambda row: (row["operation"], row["bytes"])):
            ours, *others = group
            ratios += [
                {
                    "operation": operation,
                    "bytes": size,
                    "peer": other["implementation"],
                    "ratio": round(other["ns_min"] / ours["ns_min"], 3),
                }
                for other in others
            ]
        return ratios


def measure_small(table: Table) -> None:
    stream, theirs = runnel.new(CIPHER, KEY, IV), Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor()
    data, out, longer_out = bytes(16), bytearray(16), bytearray(32)
    packets, ivs = [bytes(PACKET_BYTES) for _ in range(PACKETS)], [IV] * PACKETS
    joined, joined_ivs = bytearray(PACKET_BYTES * PACKETS), IV * PACKETS

    def one_by_one() -> list[bytes]:
        return [Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor().update(packet) for packet in packets[:100]]

    def reset_and_xor() -> bytes:
        stream.reset(IV)
        return stream.xor(packets[0])

    table.measure("xor", 16, {OURS: lambda: stream.xor(data), PYCA: lambda: theirs.update(data)})
    table.measure(
        "xor_into", 16, {OURS: lambda: stream.xor_into(data, out), PYCA: lambda: theirs.update_into(data, longer_out)}
    )
    table.measure(
        "new",
        0,
        {
            OURS: lambda: runnel.new(CIPHER, KEY, IV),
            PYCA: lambda: Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor(),
        },
    )
    table.measure(
        "one-shot xor",
        16,
        {
            OURS: lambda: runnel.xor(CIPHER, KEY, IV, data),
            PYCA: lambda: Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor().update(data),
        },
    )
    table.measure(
        "reset + xor",
        PACKET_BYTES,
        {OURS: reset_and_xor, PYCA: lambda: Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor().update(packets[0])},
    )
    table.measure(
        "xor_packets, per packet",
        PACKET_BYTES,
        {OURS: lambda: stream.xor_packets(ivs[:100], packets[:100]), PYCA: one_by_one},
        per_call=100,
    )
    table.measure(
        "xor_packets_into, per packet",
        PACKET_BYTES,
        {OURS: lambda: stream.xor_packets_into(joined_ivs, joined, joined, PACKET_BYTES)},
        per_call=PACKETS,
    )


def measure_long(table: Table, size: int, library: Path | None) -> None:
    stream, theirs = runnel.new(CIPHER, KEY, IV), Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor()
    data, out, longer_out = bytearray(size), bytearray(size), bytearray(size + 16)
    calls: dict[str, Call] = {
        OURS: lambda: stream.xor_into(data, out),
        PYCA: lambda: theirs.update_into(data, longer_out),
    }
    if library is not None:
        calls[C_LIBRARY], calls["ctypes"] = c_call(library, data, out)
    table.measure("xor_into", size, calls)
    table.measure("xor", size, {OURS: lambda: stream.xor(data), PYCA: lambda: theirs.update(data)})


def machine() -> dict[str, Any]:
    return {**speed.machine(), "features": " ".join(runnel.cpu_features()), "python": platform.python_version()}


def report(table: Table) -> str:
    lines = [f"{'operation':<29}{'bytes':>9}  {'implementation':<40}{'min':>12}{'median':>12}{'GB/s':>8}{'ratio':>7}"]
    ratios = {(r["operation"], r["bytes"], r["peer"]): r["ratio"] for r in table.ratios()}
    for row in table.rows:
        name, size = row["implementation"], row["bytes"]
        ratio = ratios.get((row["operation"], size, name))
        lines.append(
            f"{row['operation']:<29}{size:>9}  {name:<40}{row['ns_min']:>9,.0f} ns{row['ns_median']:>9,.0f} ns"
            f"{row['gb_per_s']:>8.2f}{'' if ratio is None else f'{ratio:.2f}x':>7}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print machine, rows and ratios as JSON")
    parser.add_argument("--write", action="store_true", help="keep the figures in results/<machine>/ too")
    parser.add_argument(
        "--library",
        type=Path,
        default=ROOT / "build" / "librunnel.so",
        help="the shared C library to compare with (default: %(default)s, if it is there)",
    )
    parser.add_argument("--rounds", type=int, default=60, help="windows for each figure (default: %(default)s)")
    options = parser.parse_args()
    library = options.library if options.library.exists() else None
    if library is None:
        print(f"{options.library}: not there, so no figures for C", file=sys.stderr)

    table = Table(options.rounds)
    measure_small(table)
    for size in (1 << 10, 1 << 14, 1 << 16, 1 << 20, 1 << 24):
        measure_long(table, size, library)
    result = {"machine": machine(), "rows": table.rows, "ratios": table.ratios()}
    text = f"{tables.machine_line(result['machine'])}; Python {platform.python_version()}\n{report(table)}"
    print(json.dumps(result, indent=1) if options.json else text)
    if options.write:
        tables.keep("python_calls", result, text)


if __name__ == "__main__":
    main()
