#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures `runnel store` against an S3 on this machine: what the store alone takes, and with encryption, at 1 and 2 threads.

.venv/bin/python bench/store.py [--build FOLDER] [--mib N] [--runs N] [--ray] [--json]

The store is versitygw, files on this disk, built into FOLDER where Go can; else moto, in memory, whose own time is most of
what is measured. Client and store share the processors, so that these are lower bounds. Minima of several runs.

With --ray (make bench-store-ray) instead: `verify` of a file on this disk by one and by two workers of a Ray cluster, without
what the first part takes, which is the workers' start.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from runnel.sealed.keyset import Key, Keyset
from runnel_store import many, objects, readers
from runnel_store.executors import concurrently
from runnel_store.manifest import Manifest
from runnel_store.objects import Options
from runnel_store.parts import seal
from runnel_store.plan import PART_BYTES
from runnel_store.uploads import S3Upload
from runnel_store.urls import parse
from runnel_store.work import KeyPlace

VERSITYGW = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"
KEYS = {"AWS_ACCESS_KEY_ID": "bench", "AWS_SECRET_ACCESS_KEY": "bench-secret", "AWS_REGION": "us-east-1"}
BUCKET = "bench"
SMALL, SMALL_BYTES = 1000, 10_000


def versitygw(folder: Path) -> Path | None:
    """Build the program with Go where that is possible, and return it."""
    program = folder / "versitygw"
    if not program.exists() and shutil.which("go"):
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            ["go", "install", VERSITYGW], env={**os.environ, "GOBIN": str(folder.resolve())}, check=False
        )
        if done.returncode:
            return None
    return program if program.exists() else None


@contextlib.contextmanager
def served(folder: Path | None) -> Iterator[str]:
    """Run a store and yield its name; the environment points to it meanwhile."""
    program = versitygw(folder) if folder else None
    os.environ.update(KEYS)
    if program is None:
        from moto.server import ThreadedMotoServer

        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        host, port = server.get_host_and_port()
        os.environ["AWS_ENDPOINT_URL"] = f"http://{host}:{port}"
        yield "moto"
        server.stop()
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as data:
        root = {"ROOT_ACCESS_KEY": KEYS["AWS_ACCESS_KEY_ID"], "ROOT_SECRET_KEY": KEYS["AWS_SECRET_ACCESS_KEY"]}
        command = [str(program), "--port", f"127.0.0.1:{port}", "--quiet", "posix", data]
        process = subprocess.Popen(command, env={**os.environ, **root}, stdout=subprocess.DEVNULL)
        try:
            for _ in range(100):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.1)
            yield "versitygw"
        finally:
            process.terminate()
            process.wait()


def best(runs: int, call: Callable[[], object]) -> float:
    """Seconds of the fastest run."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def put_only(target: str, count: int, data: bytearray, threads: int) -> None:
    """Measure the store's time for the same parts, made beforehand."""
    upload = S3Upload.begin(parse(target))
    etags = dict(concurrently(threads, lambda n: upload.put(n, 0, data), range(1, count + 1)))
    upload.complete(etags, True)


def get_only(source: str, threads: int) -> None:
    reader = readers.reader_of(parse(source))
    ranges = [(at, min(at + PART_BYTES, reader.size)) for at in range(0, reader.size, PART_BYTES)]
    for _ in concurrently(threads, lambda each: reader.read(*each), ranges):
        pass


def seal_only(key: Key, count: int, data: bytearray, threads: int) -> None:
    keys, segments = key.new_file(b""), key.parameters.segments(PART_BYTES)

    def one(number: int) -> bytearray:
        return seal(keys, 0, segments, PART_BYTES, lambda low, high: memoryview(data)[low:high])

    for _ in concurrently(threads, one, range(count)):
        pass


def long_object(keyset: Keyset, mib: int, runs: int, threads: int, folder: str) -> dict[str, float]:
    """Seconds of each."""
    source, target = parse(f"{folder}/source"), parse(f"s3://{BUCKET}/sealed")
    options = Options(threads=threads, force=True, state=f"{folder}/state")
    data = bytearray(os.urandom(PART_BYTES))
    count = max(1, mib * 2**20 // PART_BYTES)
    return {
        "CPU alone, seal": best(runs, lambda: seal_only(keyset.primary, count, data, threads)),
        "store alone, put": best(runs, lambda: put_only(f"s3://{BUCKET}/raw", count, data, threads)),
        "encrypt": best(runs, lambda: objects.encrypt(source, target, keyset, options)),
        "store alone, get": best(runs, lambda: get_only(str(target), threads)),
        "verify": best(runs, lambda: objects.verify(target, keyset, options)),
    }


def small_objects(keyset: Keyset, runs: int, folder: str) -> dict[str, float]:
    """Seconds for all of them."""
    small = Path(folder) / "small"
    small.mkdir()
    for n in range(SMALL):
        (small / str(n)).write_bytes(bytes(SMALL_BYTES))
    options = Options(force=True, state=f"{folder}/state")
    target = parse(f"s3://{BUCKET}/small/")
    key, plaintext = keyset.primary, bytes(SMALL_BYTES)
    segments = key.parameters.segments(SMALL_BYTES)

    def in_memory() -> None:
        for _ in range(SMALL):
            seal(key.new_file(b""), 0, segments, SMALL_BYTES, lambda low, high: plaintext[low:high])

    def to_the_store() -> None:
        many.run("encrypt", parse(f"{small}/"), target, keyset, options, many.Selection(), Manifest())

    return {"sealed in memory, 1 thread": best(runs, in_memory), "to the store": best(runs, to_the_store)}


def by_ray(mib: int, runs: int) -> dict[str, object]:
    """MB/s of each format by so many workers, and how many times as fast two are."""
    import ray

    part = 4 * PART_BYTES
    result: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        sizes = {"one": part // 2, "all": mib << 20}
        for name, size in sizes.items():
            with open(f"{folder}/{name}", "wb") as file:
                file.truncate(size)
        for workers in (1, 2):
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
            for template in ("cobblestone-256", "AES256_CTR_HMAC_SHA256_4KB"):
                path = f"{folder}/{template}.json"
                if workers == 1:
                    Keyset.generate(template).save(path)
                keyset = Keyset.load(path)
                options = Options(force=True, part_bytes=part, ray="local", place=KeyPlace(path=path))
                seconds = {}
                for name in sizes:
                    sealed = parse(f"{folder}/{name}.{template}")
                    if workers == 1:
                        objects.encrypt(parse(f"{folder}/{name}"), sealed, keyset, Options(force=True))
                    seconds[name] = best(runs, functools.partial(objects.verify, sealed, keyset, options))
                rate = (sizes["all"] - sizes["one"]) / 1e6 / (seconds["all"] - seconds["one"])
                result.setdefault(template, {})[f"{workers} workers"] = round(rate)
            ray.shutdown()
    for row in result.values():
        row["times"] = round(row["2 workers"] / row["1 workers"], 2)
    return {"Ray, MB/s": result}


def measured(mib: int, runs: int) -> dict[str, object]:
    keyset = Keyset.generate()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "source").write_bytes(os.urandom(1 << 20) * mib)
        seconds = {threads: long_object(keyset, mib, runs, threads, folder) for threads in (1, 2)}
        small = small_objects(keyset, runs, folder)
    return {
        "MB/s": {
            n: {what: round(mib * 2**20 / 1e6 / took) for what, took in row.items()} for n, row in seconds.items()
        },
        f"objects/s of {SMALL_BYTES} bytes": {what: round(SMALL / took) for what, took in small.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help="where versitygw is, or is built to; without it the store is moto")
    parser.add_argument("--mib", type=int, default=256)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--ray", action="store_true", help="measure Ray's workers instead")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    if given.ray:
        print(json.dumps({"load before": round(load, 1), "MiB": given.mib, **by_ray(given.mib, given.runs)}, indent=1))
        return
    with served(given.build) as store:
        readers.s3_client().create_bucket(Bucket=BUCKET)
        result = {"store": store, "load before": round(load, 1), "MiB": given.mib, **measured(given.mib, given.runs)}
    json.dump(result, sys.stdout, indent=None if given.json else 1)
    print()


if __name__ == "__main__":
    main()
