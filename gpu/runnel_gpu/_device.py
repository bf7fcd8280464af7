# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A GPU, its memory and its launches, through cuda.core."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from runnel.imports import imported

from ._compile import EXTRA, cubin
from ._kernels import GPUKernel
from ._memory import View, look
from .errors import DeviceError

THREADS = 128
"""Threads of a block, as in cuda/machine.cuh."""


class Memory(Protocol):
    address: int

    def free(self) -> None: ...


class Device(Protocol):
    """The device functions that a stream needs. Launches and their effects are in order."""

    number: int

    def allocate(self, size: int) -> Memory: ...
    def view(self, data: Any) -> View: ...
    def launch(self, kernel: GPUKernel | None, name: str, warps: int, *arguments: Any) -> None: ...
    def finish(self) -> None: ...


def driver() -> None:
    """Raise DeviceError if there is no driver, or no device: cuda.core is not asked before."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise DeviceError("no NVIDIA driver on this machine (libcuda.so.1)") from None
    count = ctypes.c_int(0)
    status = library.cuInit(0) or library.cuDeviceGetCount(ctypes.byref(count))
    if status != 0 or count.value == 0:
        raise DeviceError(f"no NVIDIA GPU on this machine (the driver's status is {status})")


@contextmanager
def _reported(device: str) -> Iterator[None]:
    """Turn errors of cuda.core into ours, in a line that begins with the device."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ != "CUDAError":
            raise
        raise DeviceError(f"{device}: {str(error).partition(chr(10))[0]}") from error


class _Memory:
    def __init__(self, buffer: Any, stream: Any) -> None:
        self._buffer, self._stream = buffer, stream
        self.address = int(buffer.handle)

    def free(self) -> None:
        self._buffer.close(self._stream)


class CUDADevice:
    """A device, with one CUDA stream on which everything runs: its default one, unless another is given."""

    def __init__(self, number: int | None, stream: Any) -> None:
        driver()
        try:
            core = imported("cuda.core")
            self._view = imported("cuda.core.utils").StridedMemoryView
        except ImportError as error:
            raise DeviceError(f"cannot use GPUs ({error}): {EXTRA}") from None
        self._core = core
        with _reported("the current device" if number is None else f"device {number}"):
            self._device = core.Device(number)
            self._device.set_current()
            self.number = int(self._device.device_id)
            self._stream = self._device.default_stream if stream is None else self._device.create_stream(stream)
        self._kernels: dict[tuple[Any, str], tuple[Any, int]] = {}

    @contextmanager
    def _current(self) -> Iterator[None]:
        """Make the device the calling thread's, and turn its errors into ours."""
        with _reported(f"device {self.number}"):
            self._device.set_current()
            yield

    def allocate(self, size: int) -> _Memory:
        with self._current():
            return _Memory(self._device.allocate(size, stream=self._stream), self._stream)

    def view(self, data: Any) -> View:
        look(data)
        try:
            with self._current():
                found = self._view.from_any_interface(data, stream_ptr=int(self._stream.handle))
            dtype = found.dtype
        except BufferError as error:
            raise TypeError(f"{type(data).__name__}: {error}") from None
        except NotImplementedError as error:
            raise TypeError(f"elements of an unknown type ({error}): give a view of them as uint8") from None
        return View(
            found.ptr,
            found.is_device_accessible,
            found.device_id,
            tuple(found.shape),
            None if found.strides is None else tuple(found.strides),
            dtype.itemsize,
            dtype.kind,
            found.readonly,
        )

    def _kernel(self, kernel: GPUKernel | None, name: str) -> tuple[Any, int]:
        key = (kernel, name)
        if key not in self._kernels:
            source, defines = (kernel.source, kernel.defines) if kernel else ("bytes.cu", ())
            code = self._core.ObjectCode.from_cubin(cubin(source, defines, f"sm_{self._device.arch}"), name=source)
            found = code.get_kernel(name)
            resident = found.occupancy.max_active_blocks_per_multiprocessor(THREADS, 0)
            self._kernels[key] = found, max(resident, 1) * self._device.properties.multiprocessor_count
        return self._kernels[key]

    def launch(self, kernel: GPUKernel | None, name: str, warps: int, *arguments: Any) -> None:
        with self._current():
            function, most = self._kernel(kernel, name)
            blocks = min(most, -(-warps // (THREADS // 32)))
            config = self._core.LaunchConfig(grid=blocks, block=THREADS)
            self._core.launch(self._stream, config, function, *arguments)

    def finish(self) -> None:
        with self._current():
            self._stream.sync()
