# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keystream XOR on data in a GPU's memory: runnel_gpu, which the extra `runnel[gpu]` brings."""

from ._products import brought_by

with brought_by("gpu", "runnel_gpu"):
    from runnel_gpu import DeviceError, GPUKernel, Stream, kernels, new

__all__ = ["DeviceError", "GPUKernel", "Stream", "kernels", "new"]
