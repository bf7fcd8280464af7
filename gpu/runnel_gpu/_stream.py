# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A keystream under one key and IV, for data on a device."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from ctypes import c_uint32, c_uint64
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import runnel
from runnel.errors import LimitError

from ._device import CUDADevice, Device, Memory
from ._kernels import GPUKernel, find
from ._memory import check
from ._plan import SCRATCH_GROUPS, Piece, Run, pieces

if TYPE_CHECKING:
    from typing_extensions import Buffer

STATE_BYTES = 16384
TABLE_BYTES = 32768
_MOST = (1 << 64) - 1


def _words(data: bytes, count: int) -> list[c_uint32]:
    padded = data.ljust(4 * count, b"\0")
    return [c_uint32(int.from_bytes(padded[4 * i : 4 * i + 4], "little")) for i in range(count)]


def new(
    cipher: str,
    key: Buffer,
    iv: Buffer,
    *,
    layout: str | None = None,
    kernel: str | None = None,
    device: int | None = None,
    stream: Any = None,
) -> Stream:
    """Return the keystream of a key and an IV, at position 0, on a device.

    cipher, key, iv, layout: as for runnel.new(). kernel: one of runnel.gpu.kernels(); None: the cipher's constant-time
    one. device: its number; None: the current one. stream: a CUDA stream (an object with __cuda_stream__, as PyTorch's and
    CuPy's have) that everything is put on; None: the device's default stream, which those libraries use too.

    The first use of a kernel in a process compiles it, which takes seconds.

    Raises as runnel.new(), and DeviceError.
    """
    chosen = find(cipher, kernel)
    host = runnel.new(cipher, key, iv, layout=layout)
    try:
        return Stream(CUDADevice(device, stream), chosen, host, bytes(key), bytes(iv))
    except BaseException:
        host.wipe()
        raise


class Stream:
    """A keystream on a device; new() makes it. Threads may share it, but should know in which order they come.

    The expanded key and the tables made of key and IV are in the device's memory until wipe(), which overwrites them, or
    until the object is no longer used. The key is also in memory of the library on the host, for checks, and is overwritten
    there too.
    """

    def __init__(self, device: Device, kernel: GPUKernel, host: runnel.Stream, key: bytes, iv: bytes) -> None:
        self._device, self._kernel, self._host, self._iv = device, kernel, host, iv
        self._key_bytes = len(key)
        self._lock = threading.Lock()
        self._run: Run | None = None
        self._scratch: Memory | None = None
        self._scratch_bytes = 0
        self._scratch_is_zero = True
        self._wiped = False
        self._state = device.allocate(STATE_BYTES)
        self._tables = device.allocate(TABLE_BYTES)
        device.launch(kernel, "set_key", 1, self._state.address, *_words(key, 8))

    @property
    def cipher(self) -> str:
        return self._host.cipher

    @property
    def kernel(self) -> str:
        return self._kernel.name

    @property
    def layout(self) -> str | None:
        return self._host.layout

    def xor(self, data: Any) -> None:
        """XOR the next bytes of the keystream to data, in place: encryption and decryption alike.

        data: a C-contiguous array of any numeric type on the stream's device, with __dlpack__ or
        __cuda_array_interface__, that can be written. The call returns when the work is queued on the CUDA stream, as such
        libraries' own operations do. Data that do not lie at a multiple of 16 bytes relative to a block of the keystream
        take more memory traffic and up to 16 MiB beside them.

        Raises LimitError before anything is changed; TypeError or ValueError for data of another kind; DeviceError.
        If the device fails, the position has moved on: no keystream is used twice.
        """
        with self._lock:
            position = self._host.tell()
            address, length = check(self._device.view(data), self._device.number)
            self._host_check(position, length)
            for piece in pieces(self._kernel, self._iv, self.layout, position, length, address):
                self._make(piece, address)

    def _host_check(self, position: int, length: int) -> None:
        end = min(position + self._host.left(), _MOST)
        if position + length > end:
            error = LimitError(
                f"{self.cipher}: position {position} + {length} bytes runs past the end of the keystream at {end}"
            )
            error.cipher, error.position, error.end = self.cipher, position, end
            raise error
        self._host.seek(position + length)

    def _make(self, piece: Piece, address: int) -> None:
        run, launch = piece.run, self._device.launch
        if self._run is None or run[:3] != self._run[:3]:
            self._run = None  # until they are made: a launch may fail
            tables = (self._tables.address, self._state.address, *_words(run.block, 4))
            launch(self._kernel, "set_tables", 1, *tables, c_uint32(run.word), c_uint32(run.little))
            self._run = run
        target = address + piece.offset
        if not piece.in_place:
            target = self._zeros(piece.groups * self._kernel.group_bytes)
        arguments = (target, self._state.address, self._tables.address, c_uint32(piece.counter), c_uint32(piece.groups))
        launch(self._kernel, "xor_groups", piece.groups, *arguments)
        if not piece.in_place:
            part = (address + piece.offset, target + piece.skip, c_uint64(piece.bytes))
            launch(None, "xor_bytes", -(-piece.bytes // 128), *part)
            self._clear(target, piece.groups * self._kernel.group_bytes)
            self._scratch_is_zero = True

    def _zeros(self, size: int) -> int:
        """Return zeroed memory, which is zeroed again after use: by the caller, or here after a call that failed."""
        if self._scratch is not None and not self._scratch_is_zero:
            self._clear(self._scratch.address, self._scratch_bytes)
            self._scratch_is_zero = True
        if self._scratch is None or self._scratch_bytes < size:
            one = self._kernel.group_bytes
            room = one if size <= one else SCRATCH_GROUPS * one
            larger = self._device.allocate(room)  # first, since it may fail
            smaller, self._scratch_is_zero = self._scratch, False
            self._scratch, self._scratch_bytes = larger, room
            if smaller is not None:
                smaller.free()
            self._clear(larger.address, room)
        self._scratch_is_zero = False
        return self._scratch.address

    def _clear(self, address: int, size: int) -> None:
        self._device.launch(None, "clear", -(-size // 512), address, c_uint64(size // 16))

    def seek(self, position: int, /) -> None:
        """Move to a position, in bytes from the IV. Raises LimitError beyond the end; the end itself is allowed."""
        with self._lock:
            self._host.seek(position)

    def tell(self) -> int:
        """Return the position in bytes from the IV."""
        return self._host.tell()

    def left(self) -> int:
        """Return how many bytes may still be asked for, 2^64 - 1 for all numbers beyond that."""
        return self._host.left()

    def reset(self, iv: Buffer, layout: str | None = None) -> None:
        """Begin the keystream of another IV under the same key. Raises as new()."""
        with self._lock:
            runnel.new(self.cipher, bytes(self._key_bytes), iv, layout=layout)  # refuses before anything is changed
            # Before the position: a signal's exception may come between the two, and the old IV is not to begin again.
            self._iv, self._run = bytes(iv), None
            self._host.reset(iv, layout)

    def wipe(self) -> None:
        """Overwrite all that is on the device and wait for it; afterwards only wipe() may be called."""
        with self._lock:
            if self._wiped:
                return
            self._host.wipe()
            for memory, size in self._memory():
                self._clear(memory.address, size)
            self._device.finish()
            self._wiped = True  # not before: a second call does what the first did not
            for memory, _ in self._memory():
                memory.free()

    def _memory(self) -> Iterator[tuple[Memory, int]]:
        yield self._state, STATE_BYTES
        yield self._tables, TABLE_BYTES
        if self._scratch is not None:
            yield self._scratch, self._scratch_bytes

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.wipe()

    def __del__(self) -> None:
        if hasattr(self, "_tables"):  # not where the constructor failed
            with contextlib.suppress(Exception):
                self.wipe()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a keystream is not copied: its bytes would be used twice")
