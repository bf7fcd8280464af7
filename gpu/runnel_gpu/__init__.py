# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keystream XOR in place on data that are in a GPU's memory: AES and ARIA in counter mode, ChaCha20.

    >>> from runnel import gpu
    >>> with gpu.new("aes-128-ctr", key, iv) as stream:  # doctest: +SKIP
    ...     stream.xor(tensor)  # a PyTorch tensor, a CuPy array, whatever has __dlpack__ or __cuda_array_interface__

It needs the extra `runnel[gpu]`, which brings NVIDIA's run-time compiler, and a driver. Bytes, positions, counter layouts and
limits are those of runnel.new(). What is encrypted is not authenticated. docs/gpu.md says for whom this pays: not for data
that must cross to the device first.
"""

from ._kernels import GPUKernel, kernels
from ._stream import Stream, new
from .errors import DeviceError

__all__ = ["DeviceError", "GPUKernel", "Stream", "kernels", "new"]
