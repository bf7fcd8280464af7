# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures `runnel encrypt` and `decrypt` in every format beside other programs for files, all in one run.

    .venv/bin/python bench/file_formats.py [--mib N] [--runs N] [--memory DIR] [--cores 1,2] [--age PROGRAM]
                                          [--rclone PROGRAM] [--only EXPRESSION] [--json] [--write]

From file to file in memory. Programs take turns; the least wall time of all turns and the least processor time (of user
and system) count, because other work on the machine only adds. Runnel's, openssl's, rclone's and age's times are those
of whole processes; those of Python packages (pyca/cryptography, Tink) of their work alone, without Python's start. A
program that is not installed is left out. `openssl enc` does not authenticate: it shows what is left to win.
Last, Cobblestone in one thread and in memory only, without files.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import runnel
from runnel.sealed.blocks import Block, segments_in_a_block
from runnel.sealed.formats import TEMPLATES
from runnel.sealed.tink import TinkParameters
from runnel_lab import speed

sys.path.insert(0, str(Path(__file__).parent))
import encrypt_file
import headline
import tables
from tables import generated

PIECE = 1 << 20
VERBS = ("encrypt", "decrypt")


class Program(NamedTuple):
    name: str
    encrypt: list[str]
    decrypt: list[str]
    inner: bool = False  # it prints the seconds on the clock and of the processor that its work took
    suffix: str = ""  # that it appends to the name of what it encrypts


def programs(folder: Path, age: str | None, rclone: str | None) -> Iterator[Program]:
    """Yield every program with its command lines: from `plain` to `sealed`, from `sealed` to `opened`."""
    plain, sealed, opened = (str(folder / name) for name in ("plain", "sealed", "opened"))
    here = [sys.executable, __file__]
    for template, parameters in TEMPLATES.items():
        key = str(folder / f"{template}.key")
        runnel.Keyset.generate(template).save(key)
        ours = [sys.executable, "-m", "runnel"]
        yield Program(
            f"runnel {template}",
            [*ours, "encrypt", "-qk", key, plain, sealed],
            [*ours, "decrypt", "-qk", key, sealed, opened],
        )
        if isinstance(parameters, TinkParameters) and template.endswith("1MB") and "256_" in template:
            yield Program(
                f"Tink {template}",
                [*here, "--peer", "tink", key, "encrypt", plain, sealed],
                [*here, "--peer", "tink", key, "decrypt", sealed, opened],
                inner=True,
            )
        elif not isinstance(parameters, TinkParameters):
            yield Program(
                f"pyca {template}",
                [*here, "--peer", "pyca", key, "encrypt", plain, sealed],
                [*here, "--peer", "pyca", key, "decrypt", sealed, opened],
                inner=True,
            )
    if openssl := shutil.which("openssl"):
        version = first_line([openssl, "version"]).split()[1]
        words = [openssl, "enc", "-aes-256-ctr", "-K", "5a" * 32, "-iv", "00" * 16, "-bufsize", str(PIECE)]
        yield Program(
            f"openssl {version} enc -aes-256-ctr",
            [*words, "-in", plain, "-out", sealed],
            [*words, "-in", sealed, "-out", opened],
        )
    if age:
        version = first_line([age, "--version"]).removeprefix("v")
        identity = folder / "age.key"
        subprocess.run([f"{age}-keygen", "-o", identity], check=True, capture_output=True)
        recipient = subprocess.run([f"{age}-keygen", "-y", identity], check=True, capture_output=True, text=True)
        yield Program(
            f"age {version}",
            [age, "-r", recipient.stdout.strip(), "-o", sealed, plain],
            [age, "-d", "-i", str(identity), "-o", opened, sealed],
        )

    if rclone:
        version = first_line([rclone, "version"]).split()[1].removeprefix("v").removesuffix("-DEV")
        password = first_line([rclone, "obscure", "password"])
        words = [rclone, "copyto", "--config", os.devnull, "--ignore-times"]
        remote = f":crypt,remote='{folder}',password='{password}',filename_encryption=off:sealed"
        yield Program(f"rclone {version} crypt", [*words, plain, remote], [*words, remote, opened], suffix=".bin")


def first_line(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def peer(package: str, key: str, verb: str, source: str, target: str) -> None:
    """Start a process of its own: a Python package does the work, fed with pieces of 1 MiB, and prints its seconds."""
    work = encrypt_file.peer if package == "tink" else pyca
    began = time.process_time()
    work(key, verb, source, target)
    print(time.process_time() - began)


def pyca(key: str, verb: str, source: str, target: str) -> None:
    from cryptography import cobblestone

    primary = runnel.Keyset.load(key).primary
    kind = f"Cobblestone{8 * len(primary.secret)}{'Encryptor' if verb == 'encrypt' else 'Decryptor'}"
    out = bytearray(2 * PIECE)
    started = time.perf_counter()
    worker = getattr(cobblestone, kind)(primary.secret, b"")
    with open(source, "rb", buffering=0) as reader, open(target, "wb", buffering=0) as writer:
        piece = bytearray(PIECE)
        while count := reader.readinto(piece):
            writer.write(memoryview(out)[: worker.update_into(memoryview(piece)[:count], out)])
        writer.write(worker.finalize())
    print(time.perf_counter() - started)


def timed(program: Program, command: list[str], target: Path, cores: int) -> tuple[float, float]:
    """(seconds on the clock, seconds of processors)"""
    target.unlink(missing_ok=True)
    usable = sorted(os.sched_getaffinity(0))[:cores]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=lambda: os.sched_setaffinity(0, usable))
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{program.name}: status {process.returncode}")
    if program.inner:
        wall, processor = map(float, printed.split())
        return wall, processor
    return seconds, used.ru_utime + used.ru_stime


def measure(folder: Path, found: list[Program], cores: int, runs: int) -> dict[str, dict[str, list[float]]]:
    """{program: {verb: [least seconds on the clock, least seconds of processors]}}"""
    least: dict[str, dict[str, list[float]]] = {}
    for turn in range(runs + 1):
        for program in found:
            for verb, command, target in zip(VERBS, (program.encrypt, program.decrypt), ("sealed", "opened")):
                written = target + program.suffix if verb == "encrypt" else target
                pair = timed(program, command, folder / written, cores)
                if turn:  # the first turn warms the memory
                    best = least.setdefault(program.name, {}).setdefault(verb, list(pair))
                    best[:] = [min(one, other) for one, other in zip(best, pair)]
    return least


def in_memory(bits: int, runs: int) -> dict[str, float]:
    """GB/s of Cobblestone in one thread on 1 MiB again and again: ours as the engine calls it, and pyca's to new bytes
    and into a buffer, in turn."""
    from cryptography import cobblestone

    clock = time.perf_counter
    keyset = runnel.Keyset.generate(f"cobblestone-{bits}")
    secret, p = keyset.primary.secret, keyset.primary.parameters
    encryptor_of = getattr(cobblestone, f"Cobblestone{bits}Encryptor")
    decryptor_of = getattr(cobblestone, f"Cobblestone{bits}Decryptor")
    count = segments_in_a_block(p)
    segments = Block(p, count).whole(1)
    cipher = keyset.primary.new_file(b"").cipher()
    data, out = os.urandom(count * p.rest_bytes), bytearray(2 * PIECE)
    encryptor = encryptor_of(secret, b"")
    pieces = encryptor.update(data), encryptor.update(data)
    best: dict[str, float] = {}

    def timed_call(name: str, call: Callable[[], Any]) -> None:
        at = clock()
        call()
        best[name] = min(best.get(name, at), clock() - at)

    for _ in range(20 * runs):
        timed_call("runnel seal", lambda: cipher.seal(segments, 1, False))
        timed_call("runnel open", lambda: cipher.open(segments, 1, False))
        encryptor = encryptor_of(secret, b"")
        encryptor.update(data)
        timed_call("pyca seal", functools.partial(encryptor.update, data))
        timed_call("pyca seal into", functools.partial(encryptor.update_into, data, out))
        for name, arguments in (("update", ()), ("update_into", (out,))):
            decryptor = decryptor_of(secret, b"")
            decryptor.update(pieces[0])
            called = "pyca open into" if arguments else "pyca open"
            timed_call(called, functools.partial(getattr(decryptor, name), pieces[1], *arguments))
    return {name: len(data) / seconds / 1e9 for name, seconds in best.items()}


def table(result: dict[str, Any]) -> str:
    size = result["mib"] * PIECE
    about = result["machine"]
    lines = [tables.machine_line(about), f"{result['mib']} MiB from file to file in memory"]
    for cores, found in result["cores"].items():
        lines += ["", f"{cores} cores{'encrypt GB/s':>38}  processor ns/B{'decrypt GB/s':>18}  processor ns/B"]
        for name, verbs in found.items():
            cells = [f"{size / wall / 1e9:18.2f}  {cpu / size * 1e9:14.2f}" for wall, cpu in verbs.values()]
            lines.append(f"{name:36}{cells[0][5:]}{cells[1]}")
    lines += ["", "in memory, one thread, GB/s"]
    for template, speeds in result["in_memory"].items():
        lines.append(f"{template}: " + ", ".join(f"{name} {value:.2f}" for name, value in speeds.items()))
    return "\n".join(lines)


# Our rows in the site's table; the others have all their rows there.
SHOWN = ("cobblestone-256", "AES256_GCM_HKDF_1MB", "AES256_GCM_HKDF_4KB", "AES256_CTR_HMAC_SHA256_1MB")
NOTES = {
    "pyca": "Cobblestone alone, without Python's start",
    "Tink": "without Python's start",
    "openssl": "does not authenticate",
}


WHY = {
    "pyca": "its time is of Cobblestone alone: ours has the start of Python in it, see below",
    "openssl": "it does not authenticate, and no Python starts",
}


def documented(name: str) -> bool:
    program, _, template = name.partition(" ")
    return program not in ("runnel", "pyca", "Tink") or template in SHOWN


def faster(cores: dict[str, dict[str, Any]]) -> list[list[str]]:
    """Return a row for each format of ours and each program that is faster in something, the worst first: the programs of the
    same format, and those whose format is their own. Processor time counts on one core alone, as in the table."""
    rows = []
    for template in SHOWN:
        for name in filter(documented, next(iter(cores.values()))):
            program, _, of = name.partition(" ")
            if program == "runnel" or (program in ("pyca", "Tink") and of != template):
                continue
            lost = dict(filter(lambda cell: cell[1] < 1, times(cores, f"runnel {template}", name).items()))
            if lost:
                why = WHY.get(program) or ("within what repeats" if min(lost.values()) >= headline.REPEATS else None)
                losses = "; ".join(f"{what} {ratio:.2f}" for what, ratio in lost.items())
                rows.append((min(lost.values()), [f"`{template}`", losses, name, why or headline.NOT_EXPLAINED]))
    return [row for _, row in sorted(rows)]


def times(cores: dict[str, dict[str, Any]], ours: str, theirs: str) -> dict[str, float]:
    """Return how many times as fast ours is, by what was measured."""
    found = {}
    for number, (count, programs) in enumerate(cores.items()):
        for what, place in (("ns/B", 1), (f"GB/s, {cores_name(count)}", 0)):
            for verb in VERBS if number == 0 or place == 0 else ():
                found[f"{verb}, {what}"] = programs[theirs][verb][place] / programs[ours][verb][place]
    return found


def cores_name(count: str) -> str:
    return "one core" if count == "1" else f"{count} cores"


def document() -> str:
    """Return the tables of the newest machine that has figures, for the site: what is faster first."""
    path = tables.newest("file_formats.json")
    result = tables.load(path)
    machine, size = result["machine"], result["mib"] * PIECE
    counts = sorted(result["cores"], key=int)
    one, most = result["cores"][counts[0]], result["cores"][counts[-1]]
    age = next((name for name in one if name.startswith("age")), None)
    rows = []
    for name, verbs in one.items():
        if not documented(name):
            continue
        program, _, template = name.partition(" ")
        cells = [f"{verbs[verb][1] / size * 1e9:.2f}" for verb in VERBS]
        for of in (one, most):
            cells += [f"{size / of[name][verb][0] / 1e9:.2f}" for verb in VERBS]
        if age:
            cells += [f"{verbs[verb][1] / one[age][verb][1]:.2f}" for verb in VERBS]
        note = f" ({NOTES[program]})" if program in NOTES else ""
        rows.append([f"`{template}`" if program == "runnel" else f"{name}{note}", *cells])
    named = [cores_name(count) for count in (counts[0], counts[-1])]
    header = ["", *(f"{verb}, ns/B" for verb in VERBS), *(f"{verb}, GB/s, {c}" for c in named for verb in VERBS)]
    if age:
        header += [f"{verb}, of age's" for verb in VERBS]
    runs = f"the least of {result['runs']} runs" if result["runs"] > 1 else "measured once"
    intro = (
        f"{result['mib']} MiB from file to file in memory, {machine['cpu']} ({machine['cpu_id']}), {machine['date']}, "
        f"{runs}. First columns: processor time, of user and system, on one core; then the speed on the clock, which other "
        "work on the machine makes less; last, the processor time over age's. Runnel's includes the start of Python. All "
        f"figures: [file_formats.txt](../results/{path.parent.name}/file_formats.txt)."
    )
    memory = result["in_memory"]["cobblestone-256"]
    outro = (
        f"In one thread and without files Cobblestone-256 is sealed at {memory['runnel seal']:.1f} GB/s and opened at "
        f"{memory['runnel open']:.1f}; by pyca/cryptography at {memory['pyca seal']:.1f} and {memory['pyca open']:.1f} to "
        f"new bytes, at {memory['pyca seal into']:.1f} and {memory['pyca open into']:.1f} into a buffer."
    )
    lost = faster({count: result["cores"][count] for count in counts})
    first = "Where another program is faster, and how many times as fast ours is:"
    parts = (
        [first, generated.table(["", "what, and times", "program", "why"], lost, left=4), "All of them:"]
        if lost
        else []
    )
    return "\n\n".join([generated.wrapped(intro), *parts, generated.table(header, rows), generated.wrapped(outro)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=1024, help="length of the file")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--memory", default="/dev/shm", help="a folder in memory")
    parser.add_argument("--cores", default="1,2", help="how many the programs may use")
    parser.add_argument("--age", default=shutil.which("age"), help="the program age; age-keygen is beside it")
    parser.add_argument("--rclone", default=shutil.which("rclone"), help="the program rclone")
    parser.add_argument("--only", default="", help="a regular expression that is in the names of the programs to run")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="keep the figures in results/<machine>/ too")
    given = parser.parse_args()
    if given.only and given.write:
        parser.error(
            "--write keeps all programs, not those that --only names: it would drop what is recorded of the others"
        )
    with tempfile.TemporaryDirectory(dir=given.memory) as name:
        folder = Path(name)
        encrypt_file.make_plaintext(folder / "plain", given.mib)
        found = [
            program for program in programs(folder, given.age, given.rclone) if re.search(given.only, program.name)
        ]
        cores = {count: measure(folder, found, int(count), given.runs) for count in given.cores.split(",")}
    memory = {f"cobblestone-{bits}": in_memory(bits, given.runs) for bits in (128, 256)}
    result = {"machine": speed.machine(), "mib": given.mib, "runs": given.runs, "cores": cores, "in_memory": memory}
    print(json.dumps(result, indent=1) if given.json else table(result))
    if given.write:
        tables.keep("file_formats", result, table(result))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        peer(*sys.argv[2:])
    else:
        main()
