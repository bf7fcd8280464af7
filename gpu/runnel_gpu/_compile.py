# SPDX-License-Identifier: Apache-2.0 OR MIT
"""NVIDIA's run-time compiler, from the package nvidia-cuda-nvrtc. It needs neither a device nor a driver."""

from __future__ import annotations

from functools import cache
from typing import Any

from runnel.imports import imported

from ._kernels import source
from .errors import DeviceError

EXTRA = "pip install 'runnel[gpu]' brings what GPUs need"


def _nvrtc() -> Any:
    try:
        return imported("cuda.bindings.nvrtc")
    except ImportError as error:
        raise DeviceError(f"no compiler for GPUs ({error}): {EXTRA}") from None


@cache
def cubin(name: str, defines: tuple[str, ...], architecture: str) -> bytes:
    """Return the machine code of a file of cuda/ for an architecture such as 'sm_90'."""
    nvrtc = _nvrtc()

    def call(function: str, *arguments: Any) -> Any:
        try:
            status, *found = getattr(nvrtc, function)(*arguments)
        except RuntimeError as error:  # the library is not there
            raise DeviceError(f"no compiler for GPUs ({error}): {EXTRA}") from None
        if int(status) != 0:
            raise DeviceError(f"{name}: {function} failed for {architecture}: {status.name}{log()}")
        return found[0] if found else None

    def log() -> str:
        if program is None:
            return ""
        _, size = nvrtc.nvrtcGetProgramLogSize(program)
        text = bytes(size)
        nvrtc.nvrtcGetProgramLog(program, text)
        return "; " + text.rstrip(b"\0").decode().partition("\n")[0] if size > 1 else ""

    program = None
    program = call("nvrtcCreateProgram", source(name).encode(), name.encode(), 0, [], [])
    options = [f"--gpu-architecture={architecture}", "--std=c++17", *(f"-D{define}" for define in defines)]
    call("nvrtcCompileProgram", program, len(options), [option.encode() for option in options])
    code = bytes(call("nvrtcGetCUBINSize", program))
    call("nvrtcGetCUBIN", program, code)
    nvrtc.nvrtcDestroyProgram(program)
    return code
