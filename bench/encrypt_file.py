# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures `runnel encrypt` and `runnel decrypt` of a file beside Google's tink package fed pieces of 1 MiB.

    .venv/bin/python bench/encrypt_file.py [--mib N] [--runs N] [--template NAME] [--memory DIR] [--disk DIR]
                                      [--json] [--write]

Runs alternate and the medians are compared. Runnel's time is that of the whole process, from its start to its end;
Tink's is that of its streams alone, without Python's start and the import, and as a whole process for comparison.
Then the processor time of each stage in one thread, in every format, and the same file on a disk with and without fsync.
The format beside Tink is AES-CTR-HMAC; all formats are beside more programs in file_formats.py.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import runnel
from runnel import output
from runnel.sealed.blocks import Block, segments_in_a_block
from runnel.sealed.ctr_hmac import CtrHmac
from runnel.sealed.formats import TEMPLATES
from runnel_lab import speed

sys.path.insert(0, str(Path(__file__).parent))
import tables

PIECE = 1 << 20
COMPARABLE = [name for name, parameters in TEMPLATES.items() if isinstance(parameters, CtrHmac)]


def peer(keyset: str, verb: str, source: str, target: str) -> None:
    """Start a process of its own: Tink's package does the work and prints the seconds that it took."""
    import tink as google
    from tink import cleartext_keyset_handle, streaming_aead

    streaming_aead.register()
    primitive = cleartext_keyset_handle.read(google.JsonKeysetReader(Path(keyset).read_text())).primitive(
        streaming_aead.StreamingAead
    )
    started = time.perf_counter()
    if verb == "encrypt":
        reader, writer = open(source, "rb"), primitive.new_encrypting_stream(open(target, "wb"), b"")
    else:
        reader, writer = primitive.new_decrypting_stream(open(source, "rb"), b""), open(target, "wb")
    with reader, writer:
        while piece := reader.read(PIECE):
            writer.write(piece)
    print(time.perf_counter() - started)


def without_fsync(keyset: str, source: str, target: str) -> None:
    """Start a process of its own: Runnel without waiting for the disk."""
    output.os.fsync = lambda fd: None
    started = time.perf_counter()
    runnel.encrypt_file(source, target, runnel.Keyset.load(keyset))
    print(time.perf_counter() - started)


def timed(command: list[str | Path], target: Path) -> tuple[float, float]:
    """(seconds of the whole process, seconds that it printed or the same)"""
    target.unlink(missing_ok=True)
    started = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    whole = time.perf_counter() - started
    return whole, float(done.stdout or whole)


def compare(folder: Path, keyset: Path, runs: int, mib: int) -> dict[str, Any]:
    """Both verbs, both programs, in turn."""
    here = [sys.executable, __file__]
    ours = [sys.executable, "-m", "runnel"]
    plain, sealed, out = folder / "plain", folder / "sealed", folder / "out"
    subprocess.run([*ours, "encrypt", "--quiet", "--force", "--key", keyset, plain, sealed], check=True)
    result: dict[str, Any] = {}
    for verb, source in (("encrypt", plain), ("decrypt", sealed)):
        seconds: dict[str, list[float]] = {"runnel": [], "tink": [], "tink_process": []}
        for turn in range(runs + 1):
            whole, _ = timed([*ours, verb, "--quiet", "--key", keyset, source, out], out)
            peer_whole, peer_inner = timed([*here, "--peer", keyset, verb, source, out], out)
            if turn:  # the first turn warms the memory
                for name, value in (("runnel", whole), ("tink", peer_inner), ("tink_process", peer_whole)):
                    seconds[name].append(value)
        medians = {name: statistics.median(values) for name, values in seconds.items()}
        result[verb] = {
            "seconds": medians,
            "runs": seconds,
            "gb_per_s": {name: mib * PIECE / 1e9 / value for name, value in medians.items()},
            "ratio": medians["tink"] / medians["runnel"],
            "ratio_of_processes": medians["tink_process"] / medians["runnel"],
        }
    out.unlink()
    return result


def stages(folder: Path, template: str, mib: int) -> dict[str, float]:
    """Processor nanoseconds a byte for each stage in one thread, the least of all blocks as the engine makes them."""
    keys = runnel.Keyset.generate(template).primary.new_file(b"")
    p = keys.parameters
    per_block = max(segments_in_a_block(p), p.segments_at_once)
    segments = Block(p, per_block).whole(1)
    cipher = keys.cipher()
    least: dict[str, float] = {}
    clock = time.thread_time
    source, target = (
        os.open(folder / "plain", os.O_RDONLY),
        os.open(folder / "out", os.O_RDWR | os.O_CREAT | os.O_TRUNC),
    )
    for start in range(1, p.segments(mib * PIECE) - per_block, per_block):
        at = clock()

        def took(stage: str) -> None:
            nonlocal at
            seconds = clock() - at
            least[stage] = min(least.get(stage, seconds), seconds)
            at = clock()

        os.preadv(source, segments.bodies, p.plaintext_at(start))
        took("read")
        cipher.seal(segments, start, False)
        took("seal")
        os.pwritev(target, segments.sealed, p.sealed_at(start))
        took("write")
        cipher.open(segments, start, False)
        took("open")
    os.close(source)
    os.close(target)
    (folder / "out").unlink()
    return {name: 1e9 * seconds / (per_block * p.rest_bytes) for name, seconds in least.items()}


def on_disk(folder: Path, keyset: Path, runs: int) -> dict[str, float]:
    here = [sys.executable, __file__]
    plain, out = folder / "plain", folder / "out"
    commands: dict[str, list[str | Path]] = {
        "with_fsync": [sys.executable, "-m", "runnel", "encrypt", "--quiet", "--key", keyset, plain, out],
        "without_fsync": [*here, "--without-fsync", keyset, plain, out],
        "tink": [*here, "--peer", keyset, "encrypt", plain, out],
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            os.sync()
            seconds[name].append(timed(command, out)[0])
    out.unlink()
    return {name: statistics.median(values) for name, values in seconds.items()}


def make_plaintext(path: Path, mib: int) -> None:
    with open(path, "wb") as file:
        for _ in range(mib):
            file.write(os.urandom(PIECE))


def in_folder(parent: str, mib: int, work: Callable[[Path], Any]) -> Any:
    with tempfile.TemporaryDirectory(dir=parent) as name:
        make_plaintext(Path(name) / "plain", mib)
        return work(Path(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=1024, help="length of the file")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--template", default="AES256_CTR_HMAC_SHA256_1MB", choices=COMPARABLE)
    parser.add_argument("--memory", default="/dev/shm", help="a folder in memory")
    parser.add_argument("--disk", help="a folder on a disk; without it the disk is left out")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="keep the figures in results/<machine>/ too")
    given = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        keyset = runnel.Keyset.generate(given.template)
        key_file = Path(name) / "key.json"
        key_file.write_text(keyset.to_json())

        def memory(folder: Path) -> dict[str, Any]:
            return {
                **compare(folder, key_file, given.runs, given.mib),
                "stages_ns_per_byte": {name: stages(folder, name, given.mib) for name in TEMPLATES},
            }

        result = {
            "machine": speed.machine(),
            "template": given.template,
            "mib": given.mib,
            **in_folder(given.memory, given.mib, memory),
        }
        if given.disk:
            result["disk_seconds"] = in_folder(
                given.disk, given.mib, lambda folder: on_disk(folder, key_file, min(3, given.runs))
            )
    print(json.dumps(result, indent=1) if given.json else table(result))
    if given.write:
        tables.keep("encrypt_file", result, table(result))


def table(result: dict[str, Any]) -> str:
    about = result["machine"]
    lines = [
        tables.machine_line(about),
        f"{about['cores']} cores; {result['mib']} MiB, {result['template']}, in memory",
    ]
    for verb in ("encrypt", "decrypt"):
        row = result[verb]
        s, g = row["seconds"], row["gb_per_s"]
        lines.append(
            f"{verb}: runnel {s['runnel']:.3f} s ({g['runnel']:.2f} GB/s), "
            f"tink {s['tink']:.3f} s ({g['tink']:.2f} GB/s): "
            f"{row['ratio']:.2f}x; process beside process {row['ratio_of_processes']:.2f}x"
        )
    lines.append("stages in one thread, processor ns/B:")
    for name, stages_of in result["stages_ns_per_byte"].items():
        lines.append(f"  {name}: " + ", ".join(f"{stage} {ns:.3f}" for stage, ns in stages_of.items()))
    if "disk_seconds" in result:
        lines.append(
            "on disk: " + ", ".join(f"{name.replace('_', ' ')} {v:.2f} s" for name, v in result["disk_seconds"].items())
        )
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        peer(*sys.argv[2:])
    elif sys.argv[1:2] == ["--without-fsync"]:
        without_fsync(*sys.argv[2:])
    else:
        main()
