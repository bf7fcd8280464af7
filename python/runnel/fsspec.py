# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sealed files for whatever takes a file system of fsspec: runnel_store.fsspec, which the extra `runnel[fsspec]` brings."""

from ._products import brought_by

with brought_by("fsspec", "runnel_store"):
    from runnel_store.fsspec import KeyPlace as KeyPlace
    from runnel_store.fsspec import SealedFileSystem as SealedFileSystem
