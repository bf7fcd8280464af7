# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels for GPUs on a GPU: every byte against this processor's, then how fast they are in the device's memory.

    make .venv/.gpu
    .venv/bin/python bench/gpu.py [--gib 4] [--repeat 20] [--json FILE] [--kernel aes-128-ctr/bitsliced …]

A line a kernel: Tbit/s of data XORed with keystream in place, the best of the repetitions, timed by the device's events; and
bits for each cycle of a multiprocessor at the clock that the driver states, which compares devices. What differs is
reported, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import runnel
from runnel import gpu
from runnel_gpu._plan import SCRATCH_GROUPS

Make = Callable[[gpu.GPUKernel, bytes, bytes, str | None], gpu.Stream]
"""Returns the keystream of a key and an IV."""
Put = Callable[[bytes, int], Any]
"""Returns these bytes on the device, so many after a multiple of 16 bytes; bytes() of it are those there."""


def cases(kernel: gpu.GPUKernel) -> list[tuple[int, int, int]]:
    """Positions, lengths and alignments: within a group, at its ends, across several, more than are made beside the data."""
    size = kernel.group_bytes
    found = [(0, 1, 0), (0, size, 0), (1, size, 1), (0, size - 1, 15), (size - 1, 2, 7), (size - 16, 3 * size + 5, 0)]
    return [*found, (5 * size + 3, 40 * size, 3), (16, 700 * size, 0), (8, (SCRATCH_GROUPS + 1) * size, 0)]


def check(kernel: gpu.GPUKernel, make: Make, put: Put, most: int) -> int:
    """Return how many cases of at most so many bytes gave the library's bytes. Raises AssertionError for others."""
    known = runnel.cipher(kernel.cipher)
    rng = random.Random(f"{kernel.cipher} {kernel.name}")
    count = 0
    for layout in known.layouts or (None,):
        # Every counter wraps within the first blocks, or carries into all that it has.
        for iv in (rng.randbytes(known.iv_bytes[0]), bytes([0xFF]) * known.iv_bytes[0]):
            key = rng.randbytes(known.key_bytes[0])
            with make(kernel, key, iv, layout) as stream:
                for position, length, shift in cases(kernel):
                    stream.seek(0)
                    if length > most or position + length > stream.left():
                        continue
                    plain = rng.randbytes(length)
                    data = put(plain, shift)
                    stream.seek(position)
                    stream.xor(data)
                    want = runnel.xor(kernel.cipher, key, iv, plain, layout=layout, offset=position)
                    if bytes(data) != want:
                        raise AssertionError(f"layout {layout}, position {position}, {length} bytes, {shift} off 16")
                    count += 1
    return count


class OnDevice:
    """Bytes in the device's memory."""

    def __init__(self, driver: Any, content: bytes | int, shift: int = 0) -> None:
        self.base: Any = None
        self.driver, self.length = driver, content if isinstance(content, int) else len(content)
        self.base = self.call("cuMemAlloc", self.length + shift)
        self.address = int(self.base) + shift
        if isinstance(content, bytes):
            self.call("cuMemcpyHtoD", self.address, content, self.length)
        else:
            self.call("cuMemsetD8", self.address, 0, self.length)

    def call(self, name: str, *arguments: Any) -> Any:
        status, *found = getattr(self.driver, name)(*arguments)
        if int(status) != 0:
            raise gpu.DeviceError(f"{name}: {status.name}")
        return found[0] if found else None

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": (self.length,), "typestr": "|u1", "data": (self.address, False), "version": 3}

    def __bytes__(self) -> bytes:
        content = bytearray(self.length)
        self.call("cuCtxSynchronize")
        self.call("cuMemcpyDtoH", content, self.address, self.length)
        return bytes(content)

    def free(self) -> None:
        self.call("cuMemFree", self.base)
        self.base = None

    def __del__(self) -> None:
        if self.base is not None:
            self.free()


class Speed(NamedTuple):
    cipher: str
    kernel: str
    timing_class: str
    checked: int
    bytes: int
    seconds: float
    terabits_per_second: float
    bits_per_cycle: float
    """Of one multiprocessor."""


def measure(
    kernel: gpu.GPUKernel, driver: Any, size: int, repeat: int, cycles: float, make: Make
) -> tuple[float, float]:
    """Return the seconds of the fastest pass over so many bytes, and bits a cycle of a multiprocessor."""
    data = OnDevice(driver, size)
    known = runnel.cipher(kernel.cipher)
    begin, end = data.call("cuEventCreate", 0), data.call("cuEventCreate", 0)
    best = float("inf")
    with make(kernel, bytes(known.key_bytes[0]), bytes(known.iv_bytes[0]), None) as stream:
        for _ in range(repeat + 2):  # the first ones warm it
            stream.seek(0)
            data.call("cuEventRecord", begin, 1)  # 1: the default stream
            stream.xor(data)
            data.call("cuEventRecord", end, 1)
            data.call("cuEventSynchronize", end)
            best = min(best, data.call("cuEventElapsedTime", begin, end) / 1000)
    data.free()
    return best, 8 * size / best / cycles


def main() -> int:
    parser = argparse.ArgumentParser(description="The kernels for GPUs, checked and measured on a GPU.")
    parser.add_argument("--gib", type=float, default=4, help="GiB to encrypt, several times the device's caches")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--kernel", action="append", help="CIPHER/KERNEL, several times; otherwise all")
    parser.add_argument("--json", help="also write what was measured to this file")
    arguments = parser.parse_args()

    def make(kernel: gpu.GPUKernel, key: bytes, iv: bytes, layout: str | None) -> gpu.Stream:
        return gpu.new(kernel.cipher, key, iv, layout=layout, kernel=kernel.name)

    try:
        gpu.new("chacha20", bytes(32), bytes(12)).wipe()  # says what is missing
    except gpu.DeviceError as error:
        print(f"bench/gpu.py: {error}", file=sys.stderr)
        return 1
    from cuda import core
    from cuda.bindings import driver

    device = core.Device()
    properties = device.properties
    cycles = properties.multiprocessor_count * properties.clock_rate * 1000
    chosen = [
        each for each in gpu.kernels() if not arguments.kernel or f"{each.cipher}/{each.name}" in arguments.kernel
    ]
    if arguments.kernel and len(chosen) != len(set(arguments.kernel)):
        parser.error(f"kernels are {', '.join(f'{each.cipher}/{each.name}' for each in gpu.kernels())}")
    machine = {
        "device": device.name,
        "multiprocessors": properties.multiprocessor_count,
        "kilohertz": properties.clock_rate,
    }
    print(", ".join(f"{name} {value}" for name, value in machine.items()))
    size = int(arguments.gib * (1 << 30)) // 16384 * 16384
    rows, wrong = [], 0
    for kernel in chosen:
        name = f"{kernel.cipher:12} {kernel.name:9}"
        try:
            checked = check(kernel, make, lambda content, shift: OnDevice(driver, content, shift), 1 << 30)
        except AssertionError as error:
            print(f"{name} wrong bytes: {error}")
            wrong += 1
            continue
        seconds, bits = measure(kernel, driver, size, arguments.repeat, cycles, make)
        speed = 8 * size / seconds / 1e12
        rows.append(Speed(kernel.cipher, kernel.name, kernel.timing_class, checked, size, seconds, speed, bits))
        print(f"{name} {speed:6.2f} Tbit/s  {bits:6.2f} bits a cycle  {kernel.timing_class}, {checked} cases checked")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({**machine, "rows": [row._asdict() for row in rows]}, file, indent=1)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
