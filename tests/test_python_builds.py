# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package built otherwise, python_packages.py: faults that are planted are reported there. The campaign's part
platforms runs the package's own tests in these builds."""

import dataclasses
import shutil
import sys
from pathlib import Path

import mutation
import pytest
import python_packages
from c_programs import REPORTED, ROOT, break_once

sys.path.insert(0, str(ROOT / "packaging"))
import artefacts

pytestmark = pytest.mark.builds

TOO_SHORT = """
import runnel
stream = runnel.new("aes-128-ctr", bytes(16), bytes(16))
try:
    stream.xor_into(bytes(100), bytearray(50))
except runnel.OutputLengthError:
    print("refused")
"""


def broken(package: python_packages.Package, folder: Path, source: str, old: str, new: str) -> Path:
    """The folder with a copy of the package, in whose extension module a text of its C was changed."""
    shutil.copytree(package.place / "runnel", folder / "packages" / "runnel")
    shutil.copytree(ROOT / "python" / "native", folder / "python" / "native")
    break_once(folder / source, old, new)
    (module,) = (folder / "packages" / "runnel").glob("_native.*.so")
    module.unlink()
    mutation.linked(folder, package.build, f"python/{module.name}", [source], module)
    return folder / "packages"


def test_asan_sees_what_python_is_given(tmp_path):
    """The library, compiled with ASan, writes behind a bytearray if the extension module does not look at its length."""
    package = python_packages.under_asan()
    assert package.run("-c", TOO_SHORT).stdout == "refused\n"
    change = ("python/native/stream.c", "if (out.len < in.len)", "if (out.len < 0)")
    done = package.run("-c", TOO_SHORT, place=broken(package, tmp_path, *change))
    assert done.returncode != 0 and "AddressSanitizer: heap-buffer-overflow" in done.stdout, done.stdout[-3000:]


KEY_OF = """
import ctypes
import runnel
new = ctypes.CDLL(None).{}
new.restype = ctypes.c_void_p
key = (ctypes.c_char * 16).from_address(new({}))
runnel.new("aes-128-ctr", key, bytes(16), kernel="ttable").xor(b"abc")
"""


def test_valgrind_sees_into_the_extension_module():
    """Addresses in tables that depend on a key that nobody has written."""
    package = python_packages.under_valgrind()
    assert package.run("-c", KEY_OF.format("calloc", "1, 16")).stdout == ""
    done = package.run("-c", KEY_OF.format("malloc", "16"))
    assert done.returncode == REPORTED and "Use of uninitialised value" in done.stdout, done.stdout[-3000:]


@pytest.fixture(scope="module")
def free_threaded() -> python_packages.Package:
    try:
        return python_packages.without_the_global_lock()
    except artefacts.Missing as why:
        pytest.skip(str(why))


@pytest.mark.campaign
def test_the_global_lock_stays_off(free_threaded, tmp_path):
    """If the extension module did not say that it can do without, Python would turn it on."""
    assert python_packages.lock_is_off(free_threaded)
    slot = "{Py_mod_gil, Py_MOD_GIL_NOT_USED},"
    place = broken(free_threaded, tmp_path, "python/native/module.c", slot, "")
    assert "'on'" not in free_threaded.run("-c", "import sys; print(sys._is_gil_enabled())", place=place).stdout
    done = free_threaded.run("-c", "import runnel, sys; print(sys._is_gil_enabled())", place=place)
    assert done.stdout.endswith("True\n"), done.stdout


# Methods without the lock of their object, each with the test of threads that sees it.
UNLOCKED = [
    (
        "stream.c",
        "NATIVE_LOCKED_ONE(stream_keystream)",
        "#define locked_stream_keystream stream_keystream",
        "short_calls_keep",
    ),
    (
        "mac.c",
        "NATIVE_LOCKED_ONE(mac_update)",
        "#define locked_mac_update mac_update",
        "wait_for_each_other and authenticator",
    ),
    ("aead.c", "NATIVE_LOCKED_WORDS(seal)", "#define locked_seal seal", "wait_for_each_other and sealer"),
    (
        "segments.c",
        "NATIVE_LOCK_BOTH(args[0], args[1]);",
        "NATIVE_LOCK_BOTH(args[3], args[3]);",
        "wait_for_each_other and segments",
    ),
]


@pytest.mark.campaign
@pytest.mark.parametrize("file, old, new, seen", UNLOCKED, ids=[each[0] for each in UNLOCKED])
def test_a_method_without_its_lock_is_seen(free_threaded, tmp_path, file, old, new, seen):
    source = f"python/native/{file}"
    copy = broken(free_threaded, tmp_path, source, old, new)
    asked = ("tests/test_python_threads.py", "-k", seen)
    assert free_threaded.tests(*asked)[2] == ""
    package = dataclasses.replace(free_threaded, place=copy)
    assert any(package.tests(*asked)[2] for _ in range(20))
