# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package built otherwise, python_packages.py: faults that are planted are reported there. The campaign's part
platforms runs the package's own tests in these builds."""

import dataclasses
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import python_packages
from c_programs import REPORTED, ROOT
from mutation import built, syntax

sys.path.insert(0, str(ROOT / "packaging"))
import artefacts

pytestmark = [
    pytest.mark.builds,
    pytest.mark.campaign,
]  # two builds of library and package, for faults that are planted

TOO_SHORT = """
import runnel
stream = runnel.new("aes-128-ctr", bytes(16), bytes(16))
try:
    stream.xor_into(bytes(100), bytearray(50))
except runnel.OutputLengthError:
    print("refused")
"""


Change = Callable[[bytes], bytes]


def broken(package: python_packages.Package, folder: Path, source: str, change: Change) -> Path:
    """Build a copy of the package, in whose extension module a file of its C was changed."""
    shutil.copytree(package.place / "runnel", folder / "packages" / "runnel")
    shutil.copytree(ROOT / "python" / "native", folder / "python" / "native")
    (folder / source).write_bytes(change((folder / source).read_bytes()))
    (module,) = (folder / "packages" / "runnel").glob("_native.*.so")
    module.unlink()
    built.linked(folder, package.build, f"python/{module.name}", [source], module)
    return folder / "packages"


def patch(function: str, old: str, new: str) -> Change:
    """Return the change of a pattern's only place in a function."""
    return lambda text: syntax.patched(text, syntax.c(), function, old, new)


def test_asan_sees_what_python_is_given(tmp_path):
    """The library, compiled with ASan, writes behind a bytearray if the extension module does not look at its length."""
    package = python_packages.under_asan()
    assert package.run("-c", TOO_SHORT).stdout == "refused\n"
    place = broken(package, tmp_path, "python/native/stream.c", patch("run_into", "$out.len < $in.len", "$out.len < 0"))
    done = package.run("-c", TOO_SHORT, place=place)
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


def test_the_global_lock_stays_off(free_threaded, tmp_path):
    """If the extension module did not say that it can do without, Python would turn it on."""
    assert python_packages.lock_is_off(free_threaded)
    slot = patch("slots", "{Py_mod_gil, Py_MOD_GIL_NOT_USED}", "{Py_mod_gil, Py_MOD_GIL_USED}")
    place = broken(free_threaded, tmp_path, "python/native/module.c", slot)
    assert "'on'" not in free_threaded.run("-c", "import sys; print(sys._is_gil_enabled())", place=place).stdout
    done = free_threaded.run("-c", "import runnel, sys; print(sys._is_gil_enabled())", place=place)
    assert done.stdout.endswith("True\n"), done.stdout


def unlocked(text: bytes) -> bytes:
    """Return a file of the extension module whose methods do not lock their objects."""
    included = [*re.finditer(rb"^#include .*\n", text, re.MULTILINE)][-1].end()
    return text[:included] + UNLOCKED + text[included:]


UNLOCKED = b"""
#undef NATIVE_LOCK
#undef NATIVE_UNLOCK
#undef NATIVE_LOCK_BOTH
#undef NATIVE_UNLOCK_BOTH
#define NATIVE_LOCK(object) {
#define NATIVE_UNLOCK }
#define NATIVE_LOCK_BOTH(one, other) {
#define NATIVE_UNLOCK_BOTH }
"""
# Files, each with the test of threads that sees that its methods have no lock.
THREADS = {
    "stream.c": "short_calls_keep",
    "mac.c": "wait_for_each_other and authenticator",
    "aead.c": "wait_for_each_other and sealer",
    "segments.c": "wait_for_each_other and segments",
}


@pytest.mark.parametrize("file, seen", THREADS.items(), ids=THREADS)
def test_a_method_without_its_lock_is_seen(free_threaded, tmp_path, file, seen):
    copy = broken(free_threaded, tmp_path, f"python/native/{file}", unlocked)
    asked = ("tests/test_python_threads.py", "-k", seen)
    assert free_threaded.tests(*asked)[2] == ""
    package = dataclasses.replace(free_threaded, place=copy)
    assert any(package.tests(*asked)[2] for _ in range(20))
