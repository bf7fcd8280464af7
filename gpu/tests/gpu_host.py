# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A stand-in for a GPU: the kernels' own source, compiled for this processor, over memory of this process."""

from __future__ import annotations

import ctypes
import subprocess
from functools import cache
from pathlib import Path

from c_programs import ROOT
from runnel import _native
from runnel_gpu import _kernels, _stream
from runnel_gpu._memory import View

CUDA = ROOT / "gpu" / "runnel_gpu" / "cuda"
BLOCKS = 3
"""The most blocks of threads that are at work: some groups then meet one that is warm."""


class Data:
    """Bytes at an address that is `shift` more than a multiple of 64, with guards around."""

    def __init__(self, content: bytes, shift: int = 0) -> None:
        self.memory = (ctypes.c_uint8 * (len(content) + 256))()
        self.length = len(content)
        self.address = -(-(ctypes.addressof(self.memory) + 64) // 64) * 64 + shift
        self.guards = b"\xa5" * len(self.memory)
        ctypes.memmove(self.memory, self.guards, len(self.guards))
        ctypes.memmove(self.address, content, len(content))
        self.strides: tuple[int, ...] | None = None
        self.on_device, self.device, self.kind, self.readonly = True, 0, "u", False

    def __bytes__(self) -> bytes:
        at = self.address - ctypes.addressof(self.memory)
        whole = bytes(self.memory)
        assert not whole[:at].strip(b"\xa5") and not whole[at + self.length :].strip(b"\xa5"), "bytes around the data"
        return whole[at : at + self.length]


class Memory:
    def __init__(self, size: int) -> None:
        self.size, self.freed = size, False
        self.memory = (ctypes.c_uint8 * (size + 16))()
        self.address = -(-ctypes.addressof(self.memory) // 16) * 16
        ctypes.memset(self.address, 0xEE, size)

    def __bytes__(self) -> bytes:
        return ctypes.string_at(self.address, self.size)

    def free(self) -> None:
        self.freed = True


class Host:
    """A runnel_gpu._device.Device."""

    number = 0

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.memories: list[Memory] = []
        self.launches: list[str] = []

    def allocate(self, size: int) -> Memory:
        self.memories.append(Memory(size))
        return self.memories[-1]

    def view(self, data: Data) -> View:
        return View(
            data.address, data.on_device, data.device, (data.length,), data.strides, 1, data.kind, data.readonly
        )

    def launch(self, kernel: _kernels.GPUKernel | None, name: str, warps: int, *arguments: object) -> None:
        self.launches.append(name)
        library = program(self.folder, *((kernel.source, kernel.defines) if kernel else ("bytes.cu", ())))
        blocks = min(BLOCKS, -(-warps // 4))
        ctypes.c_uint32.in_dll(library, "block_count").value = blocks
        passed = [ctypes.c_void_p(each) if isinstance(each, int) else each for each in arguments]
        for block in range(blocks):
            ctypes.c_uint32.in_dll(library, "block_index").value = block
            getattr(library, name)(*passed)

    def finish(self) -> None:
        self.launches.append("finish")


@cache
def program(folder: Path, source: str, defines: tuple[str, ...]) -> ctypes.CDLL:
    target = folder / f"{source}-{'-'.join(defines)}.so"
    options = [
        "-std=c11",
        "-O1",
        "-fPIC",
        "-shared",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-function",
        f"-I{CUDA}",
    ]
    subprocess.run(
        [
            "gcc",
            *options,
            f'-DPROGRAM="{source}"',
            *(f"-D{define}" for define in defines),
            ROOT / "gpu/tests/host.c",
            "-o",
            target,
        ],
        check=True,
    )
    return ctypes.CDLL(str(target))


def stream(
    folder: Path, cipher: str, key: bytes, iv: bytes, layout: str | None = None, kernel: str | None = None
) -> tuple[_stream.Stream, Host]:
    """Return a stream as runnel.gpu.new() does, on a Host."""
    host = Host(folder)
    chosen = _kernels.find(cipher, kernel)
    return _stream.Stream(host, chosen, _native.new(cipher, key, iv, layout=layout), key, iv), host
