# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package built otherwise, python_packages.py: faults that are planted are reported there. The campaign's part
platforms runs the package's own tests in these builds."""

import shutil

import mutation
import pytest
import python_packages
from c_programs import ROOT, break_once

pytestmark = pytest.mark.builds

TOO_SHORT = """
import runnel
stream = runnel.new("aes-128-ctr", bytes(16), bytes(16))
try:
    stream.xor_into(bytes(100), bytearray(50))
except runnel.OutputLengthError:
    print("refused")
"""


def test_asan_sees_what_python_is_given(tmp_path):
    """The library, compiled with ASan, writes behind a bytearray if the extension module does not look at its length."""
    package = python_packages.under_asan()
    assert package.run("-c", TOO_SHORT).stdout == "refused\n"
    shutil.copytree(package.place / "runnel", tmp_path / "packages" / "runnel")
    shutil.copytree(ROOT / "python" / "native", tmp_path / "python" / "native")
    source = "python/native/stream.c"
    break_once(tmp_path / source, "if (out.len < in.len)", "if (out.len < 0)")
    module = tmp_path / "packages" / "runnel" / "_native.abi3.so"
    module.unlink()
    mutation.linked(tmp_path, package.build, mutation.NATIVE, [source], module)
    done = package.run("-c", TOO_SHORT, place=tmp_path / "packages")
    assert done.returncode != 0 and "AddressSanitizer: heap-buffer-overflow" in done.stdout, done.stdout[-3000:]
