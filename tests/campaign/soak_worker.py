# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One process under mixed load, which says after each round what it holds: memory, handles, threads.

soak_worker.py SECONDS ROUNDS SEED [bytes|objects|handle|thread …]: at least so many seconds and rounds; the rest is what
it leaks on purpose. Every round does the same, with other data.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from xml.etree import ElementTree

import runnel
from runnel.cli.command import run
from runnel_store import objects
from runnel_store.objects import Options
from runnel_store.urls import parse

TEMPLATES = ("AES128_CTR_HMAC_SHA256_4KB", "AES128_GCM_HKDF_4KB", "cobblestone-128")
KEYSETS = {name: runnel.Keyset.generate(name) for name in TEMPLATES}
_LONGEST = 200_000
_C = ctypes.CDLL(None)
_C.fdopen.restype = ctypes.c_void_p
_C.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
_C.fclose.argtypes = [ctypes.c_void_p]


class WrongError(Exception):
    """The result differs from the input."""


def check(good: bool, what: str) -> None:
    if not good:
        raise WrongError(what)


def refused(kind: type[Exception] | tuple[type[Exception], ...], call, *arguments, **options) -> None:
    try:
        call(*arguments, **options)
    except kind:
        return
    raise WrongError(f"{call} took {arguments!r:.100}")


def files(folder: Path, data: bytes) -> int:
    plain, sealed, again = folder / "plain", folder / "sealed", folder / "again"
    plain.write_bytes(data)
    for keyset in KEYSETS.values():
        runnel.encrypt_file(plain, sealed, keyset, aad=b"a", force=True)
        runnel.decrypt_file(sealed, again, keyset, aad=b"a", force=True, threads=random.randint(1, 4))
        check(again.read_bytes() == data, "a file")
        with runnel.open_encrypted(sealed, "wb", keyset, force=True) as out:
            for at in range(0, len(data), 30_000):
                out.write(data[at : at + 30_000])
        with runnel.open_encrypted(sealed, "rb", keyset) as reader:
            at = random.randrange(len(data))
            reader.seek(at)
            check(reader.read(5000) == data[at : at + 5000], "a part of a file")
        middle = io.BytesIO()
        runnel.encrypt_stream(io.BytesIO(data), middle, keyset)
        out2 = io.BytesIO()
        runnel.decrypt_stream(io.BytesIO(middle.getvalue()), out2, keyset)
        check(out2.getvalue() == data, "a stream")
        damaged = bytearray(sealed.read_bytes())
        damaged[-1] ^= 1
        sealed.write_bytes(damaged)
        refused(runnel.AuthenticationError, runnel.decrypt_file, sealed, again, keyset, force=True)
        refused(FileExistsError, runnel.encrypt_file, plain, sealed, keyset)
        with contextlib.suppress(RuntimeError), runnel.open_encrypted(folder / "never", "wb", keyset) as out:
            out.write(data[:1000])
            raise RuntimeError
    check(not (folder / "never").exists(), "a file that was given up")
    return 9 * len(KEYSETS)


def packets(data: bytes) -> int:
    done = 0
    for name, facts in runnel.aeads().items():
        sealer = runnel.aead(name, os.urandom(facts.key_bytes))
        nonces = [number.to_bytes(facts.nonce_bytes, "big") for number in range(9)]
        message = data[: random.randrange(2000)]
        sealed = sealer.seal(nonces[8], message, b"aad")
        check(sealer.open(nonces[8], sealed, b"aad") == message, f"a packet under {name}")
        refused(runnel.AuthenticationError, sealer.open, nonces[8], sealed, b"other")
        several = [data[:n] for n in (0, 1, 100, 1000, 17, 300, 64, 1500)]
        batch = sealer.seal_batch(nonces[:8], several)
        check(sealer.open_batch(nonces[:8], batch) == several, f"packets under {name}")
        done += 19
    for name, facts in runnel.macs().items():
        key = os.urandom((facts.key_bytes or (32,))[-1])
        tag = runnel.mac(name, key, data[:999]).tag()
        runnel.mac(name, key, data[:999]).verify(tag)
        refused(runnel.AuthenticationError, runnel.mac(name, key, data[:998]).verify, tag)
        done += 3
    return done


def streams(data: bytes) -> int:
    done = 0
    for name, cipher in runnel.ciphers().items():
        key, iv = os.urandom(cipher.key_bytes[-1]), os.urandom(max(cipher.iv_bytes, default=0))
        if cipher.iv_as_key:
            iv = os.urandom(len(key))
        try:
            stream = runnel.new(name, key, iv)
        except runnel.Error:
            continue
        ahead = bytearray(data[:5000])
        stream.encrypt_into(ahead, ahead)
        other = runnel.new(name, key, iv)
        view = memoryview(ahead)
        other.decrypt_into(view[:1234], view[:1234])
        other.decrypt_into(view[1234:], view[1234:])
        check(ahead == data[:5000], f"{name} there and back")
        stream.wipe()
        refused(runnel.KeyLengthError, runnel.new, name, key + b"0" * 60, iv)
        done += 4
    return done


def threads(data: bytes) -> int:
    wrong: list[object] = []

    def work(keyset: runnel.Keyset) -> None:
        middle, out = io.BytesIO(), io.BytesIO()
        runnel.encrypt_stream(io.BytesIO(data), middle, keyset)
        runnel.decrypt_stream(io.BytesIO(middle.getvalue()), out, keyset)
        if out.getvalue() != data:
            wrong.append(keyset)

    started = [threading.Thread(target=work, args=(keyset,)) for keyset in KEYSETS.values() for _ in range(3)]
    for each in started:
        each.start()
    child = os.fork()  # while they are at work
    if child == 0:
        status = 1
        with contextlib.suppress(BaseException):
            work(KEYSETS[TEMPLATES[-1]])
            status = len(wrong)
        os._exit(status)
    for each in started:
        each.join()
    check(not wrong, "a stream in a thread")
    check(os.waitpid(child, 0)[1] == 0, "a stream in a process that was forked meanwhile")
    return len(started) + 1


def commands(folder: Path) -> int:
    """Run the command line in this process: what it leaves behind stays."""
    key, sealed, again = (str(folder / name) for name in ("key.json", "sealed", "again"))
    plain = str(folder / "plain")
    for name in (key, str(folder / "raw")):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
    state = ["--state", str(folder / "state")]
    lines = [
        (0, ["keygen", key]),
        (0, ["encrypt", "-q", "-k", key, "-f", plain, sealed]),
        (0, ["decrypt", "-q", "-k", key, "-f", sealed, again]),
        (3, ["decrypt", "-q", "-k", key, "-f", "--aad", "x", sealed, again]),
        (1, ["encrypt", "-q", "-k", key, plain, sealed]),
        (2, ["encrypt", "--nonsense"]),
        (0, ["xor", "-q", "-f", "--cipher", "chacha20", "--key", "00" * 32, "--iv", "00" * 12, plain, again]),
        (0, ["store", "encrypt", "-q", "-k", key, "-f", *state, plain, sealed]),
        (0, ["store", "verify", "-q", "-k", key, sealed]),
        (0, ["store", "rotate", "-q", "-k", key, "-f", sealed]),
        (0, ["store", "decrypt", "-q", "-k", key, "-f", *state, sealed, again]),
    ]
    for status, line in lines:
        found, message = run(line)
        check(found == status, f"{line[0]} {line[1]}: {found} {message}")
    return len(lines)


def stores(folder: Path) -> int:
    keyset = KEYSETS[TEMPLATES[-1]]
    options = Options(force=True, state=str(folder / "state"))
    plain, sealed = parse(str(folder / "plain")), parse("memory://bucket/sealed")
    objects.encrypt(plain, sealed, keyset, options)
    check(
        b"".join(bytes(piece) for piece in objects.cat(sealed, keyset, options)) == (folder / "plain").read_bytes(),
        "an object",
    )
    return 2


def processes(folder: Path) -> int:
    """Run the command as users start it."""
    key, plain, sealed, again = (str(folder / name) for name in ("key.json", "plain", "sealed", "again"))
    for words in (["encrypt", "-q", "-k", key, "-f", plain, sealed], ["decrypt", "-q", "-k", key, "-f", sealed, again]):
        subprocess.run([sys.executable, "-m", "runnel", *words], check=True)
    check(Path(again).read_bytes() == Path(plain).read_bytes(), "a file, by the command")
    return 2


def allocated() -> int:
    """Return the bytes that malloc has given out and not got back, in all its arenas; in each thread's cache they count as
    given."""
    with tempfile.TemporaryFile() as file:
        out = _C.fdopen(os.dup(file.fileno()), b"w")
        _C.malloc_info(0, out)
        _C.fclose(out)
        file.seek(0)
        report = ElementTree.parse(file).getroot()
    sizes = {(each.tag, each.get("type")): int(each.attrib["size"]) for each in report if each.get("size")}
    free = sizes["total", "fast"] + sizes["total", "rest"]
    return sizes["system", "current"] - free + sizes["total", "mmap"]


def held() -> dict[str, int]:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "resident": pages * os.sysconf("SC_PAGE_SIZE"),
        "allocated": allocated(),
        "objects": sys.getallocatedblocks(),
        "handles": len(os.listdir("/proc/self/fd")) - 1,
        "threads": len(os.listdir("/proc/self/task")),
    }


def main() -> None:
    seconds, rounds, seed, *leaks = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]
    random.seed(seed)
    ended = time.monotonic() + seconds
    kept: list[object] = []
    number = 0
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        while time.monotonic() < ended or number < rounds:
            data = random.randbytes(random.randint(5001, _LONGEST))
            done = files(folder, data) + packets(data) + streams(data) + threads(data[:50_000])
            done += commands(folder) + stores(folder)
            if number % 50 == 10:
                done += processes(folder)
            if "bytes" in leaks:
                kept.append(random.randbytes(100_000))
            if "objects" in leaks:
                kept.extend(bytes(100) for _ in range(1000))
            if "handle" in leaks:
                kept.append(open(os.devnull, "rb"))
            if "thread" in leaks:
                threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
            del data
            gc.collect()
            number += 1
            print(json.dumps({"round": number, "done": done, **held()}), flush=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # not held up by threads that were leaked on purpose
