# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The wheel that is installed: one file for Python 3.11 and every later version, and nothing in it that belies that."""

import importlib.metadata
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import runnel
from abi3info import DATAS, FUNCTIONS
from abi3info.models import PyVersion, Symbol
from runnel import _native

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = Path(_native.__file__)


def symbols(*options: str) -> set[str]:
    listing = subprocess.run(["nm", "-D", *options, LIBRARY], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in listing.splitlines()}


def test_tag_and_file_name():
    wheel = importlib.metadata.distribution("runnel").read_text("WHEEL")
    assert re.findall(r"^Tag: (.*)$", wheel, re.MULTILINE) == ["cp311-abi3-linux_x86_64"]
    assert LIBRARY.name == "_native.abi3.so"


def outside_the_limited_api(names: set[str]) -> set[str]:
    known = {symbol.name: entry for table in (FUNCTIONS, DATAS) for symbol, entry in table.items()}
    return {
        name
        for name in names
        if name.startswith(("Py", "_Py")) and (name not in known or known[name].added > PyVersion(3, 11))
    }


def test_only_the_limited_api_of_3_11():
    assert len(DATAS) > 20
    assert Symbol("PyObject_GetBuffer") in FUNCTIONS
    used = symbols("--undefined-only")
    assert "PyObject_GetBuffer" in used
    assert outside_the_limited_api(used) == set()


def test_that_check_finds_what_is_outside():
    names = {"PyUnicode_AsUTF8", "PyList_GetItemRef", "_PyLong_Sign", "PyBytes_AsString"}
    assert outside_the_limited_api(names) == {"PyUnicode_AsUTF8", "PyList_GetItemRef", "_PyLong_Sign"}


def test_exports_one_name():
    assert symbols("--defined-only") == {"PyInit__native"}


def test_library_is_linked_in():
    needed = subprocess.run(["readelf", "-d", LIBRARY], check=True, capture_output=True, text=True).stdout
    assert "librunnel" not in needed


def test_what_is_in_it_does_not_depend_on_where_it_was_built():
    """Nothing in the wheel is made only where some other library's headers are."""
    listed = {str(file) for file in importlib.metadata.files("runnel")}
    compiled = {name for name in listed if name.startswith("runnel/") and not name.endswith((".py", ".pyi", ".pyc"))}
    assert compiled >= {"runnel/_native.abi3.so", "runnel/known_answers.txt"}
    assert not [name for name in listed if name.endswith(".so") and name != "runnel/_native.abi3.so"]


def test_its_build_looks_for_no_other_library(tmp_path):
    """Check CMake's own list of installed files, and that no search may change it."""
    subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", tmp_path, "-DSKBUILD=2"], check=True, capture_output=True)
    installed = {
        Path(file).name
        for script in tmp_path.rglob("cmake_install.cmake")
        for file in re.findall(r'FILES "([^"]+)"', script.read_text())
    }
    assert installed == {"_native.abi3.so", "known_answers.txt"}
    would = subprocess.run(
        ["ninja", "-C", tmp_path, "-t", "commands", "_native"], check=True, capture_output=True, text=True
    ).stdout
    assert " -c " in would and "rabbit.c" in would, "without a library that is there already its source is compiled"
    cache = (tmp_path / "CMakeCache.txt").read_text()
    assert not re.search(r"cryptopp|botan", cache, re.IGNORECASE)


def test_one_version():
    version = (ROOT / "VERSION").read_text().strip()
    assert runnel.__version__ == _native.__version__ == importlib.metadata.version("runnel") == version


def test_typed_package_is_complete():
    installed = Path(runnel.__file__).parent
    for source in (ROOT / "python" / "runnel").glob("*.py*"):
        assert (installed / source.name).is_file(), source.name
    assert (installed / "py.typed").is_file()


def mypy(*arguments: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_stubs_agree_with_the_module(tmp_path):
    assert "Success" in mypy("mypy.stubtest", "runnel._native", cwd=tmp_path)


def test_a_typed_program(tmp_path):
    (tmp_path / "example.py").write_text(
        textwrap.dedent("""
        import array, mmap, pathlib
        import runnel

        stream: runnel.Stream = runnel.new("aes-128-ctr", bytes(16), bytearray(16), layout="be32", kernel=None)
        sealed: bytes = stream.xor(array.array("I", [1, 2])) + stream.keystream(5)
        count: int = stream.xor_into(memoryview(sealed), mmap.mmap(-1, 100))
        many: list[bytes] = stream.xor_packets([bytes(16)], (p for p in [b"a"]))
        count += stream.xor_packets_into(bytes(16), b"abc", bytearray(3), 3) + stream.tell() + stream.left()
        stream.reset(bytes(16), layout="be64")
        stream.seek(5)
        with runnel.new("rabbit", bytes(16), b"") as other:
            other.wipe()
        once: bytes = runnel.xor("salsa20", bytes(32), bytes(8), b"data", offset=4, allow_broken=False)
        for cipher in runnel.ciphers().values():
            lengths: tuple[int, ...] = cipher.key_bytes
            kernels: list[str] = [kernel.name for kernel in cipher.kernels if kernel.available]
        facts: runnel.Cipher = runnel.cipher("RABBIT")
        sealed = runnel.xor_packets("aes-128-ctr", bytes(16), (b for b in [bytes(16)]), [bytearray(5)], layout="be32")[0]
        with runnel.mac("aes-cmac", bytes(16), sealed, tag_bytes=8) as authenticator:
            authenticator.update(memoryview(sealed))
            tag: bytes = authenticator.tag()
        singles: list[str] = [name for name, mac in runnel.macs().items() if mac.single_use]
        keyset: runnel.Keyset = runnel.Keyset.generate("cobblestone-128")
        keyset.save(pathlib.Path("key"))
        keyset.save("locked", passphrase=runnel.Passphrase("secret"))
        runnel.encrypt_file("key", "wrapped", runnel.Passphrase(b"secret"))
        with runnel.open_encrypted(pathlib.Path("sealed"), "wb", runnel.Keyset.load("key"), aad=b"a") as out:
            length: int = out.write(array.array("I", [1, 2])) + out.tell()
        with runnel.open_encrypted("sealed", "rb", keyset, aad=b"a") as reader:
            length = reader.seek(1) + reader.readinto(bytearray(5)) + reader.size
        runnel.decrypt_file("sealed", "plain", keyset, aad=b"a", start=1, end=3, progress=lambda count: None)
        runnel.encrypt_file("plain", pathlib.Path("again"), keyset, force=True, threads=2)
        with open("again", "rb") as again, open("opened", "wb") as opened:
            runnel.decrypt_stream(again, opened, keyset)
        try:
            stream.xor(b"abc")
        except runnel.LimitError as error:
            left: int = error.end - error.position
        except runnel.Error as error:
            name: str | None = error.cipher
    """)
    )
    assert mypy("mypy", "--strict", "example.py", cwd=tmp_path).startswith("Success")
    subprocess.run([sys.executable, "example.py"], cwd=tmp_path, check=True)


WRONG = """\
runnel.new('aes-128-ctr', 'key', b'')
runnel.xor('rabbit', b'', b'', 5)
runnel.new('aes-128-ctr', b'', b'', 'be32')
runnel.new('aes-128-ctr', b'', b'', counter='be32')
class Mine(runnel.Stream): ...
a: str = runnel.ciphers()
b: bytes = runnel.mac('siphash', bytes(16))
runnel.open_encrypted('name', 'r', runnel.Keyset.generate())
runnel.open_encrypted('name', 'rb', runnel.Keyset.generate(), force=True)
runnel.encrypt_file(runnel.Keyset.generate(), 'source', 'target')
runnel.encrypt_file('source', 'target', runnel.Keyset.generate(), aad='text')
runnel.nonsense
"""


def test_a_wrongly_typed_program(tmp_path):
    """Every line is refused."""
    (tmp_path / "example.py").write_text(f"import runnel\n{WRONG}")
    output = mypy("mypy", "--strict", "example.py", cwd=tmp_path)
    refused = {int(number) for number in re.findall(r"^example\.py:([0-9]+): error", output, re.MULTILINE)}
    assert refused == set(range(2, 2 + WRONG.count("\n"))), output


def with_cpu(text, script, *options):
    return subprocess.run(
        [sys.executable, *options, "-c", f"import runnel\n{script}"],
        capture_output=True,
        text=True,
        env={**os.environ, "RUNNEL_CPU": text},
    )


def test_an_unknown_cpu_feature():
    """The package says so once, when the first kernel is chosen, and continues with what it knows."""
    script = "runnel.new('aes-128-ctr', bytes(16), bytes(16))"
    done = with_cpu(
        "none,nonsense",
        f"print({script}.kernel, runnel.cpu_unknown()); {script}\nrunnel.xor('aes-128-ctr', bytes(16), bytes(16), b'')",
    )
    assert (done.returncode, done.stdout) == (0, "portable none\n")
    assert done.stderr.count("RuntimeWarning") == 1
    assert "RUNNEL_CPU: unknown CPU feature 'none'; known are ssse3, aes, avx2" in done.stderr
    done = with_cpu("nonsense", script, "-W", "error")
    assert done.returncode == 1 and "RuntimeWarning: RUNNEL_CPU: unknown CPU feature 'nonsense'" in done.stderr
    for text in ("", "all", "none", "aes", "neon,aes"):  # neon: known, wherever
        done = with_cpu(text, f"assert runnel.cpu_unknown() is None; {script}")
        assert (done.returncode, done.stderr) == (0, "")
    assert with_cpu("nonsense", "pass").stderr == ""
    assert {"aes", "neon"} <= set(runnel.cpu_names()) and set(runnel.cpu_features()) <= set(runnel.cpu_names())


def test_cpu_override():
    script = "import runnel; print(runnel.cpu_features(), runnel.new('aes-128-ctr', bytes(16), bytes(16)).kernel)"
    environment = {**os.environ, "RUNNEL_CPU": "none"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "() portable\n"
    script = (
        "import runnel\nfor k in runnel.ciphers()['aes-128-ctr'].kernels:\n if k.cpu:\n  try:\n"
        "   runnel.new('aes-128-ctr', bytes(16), bytes(16), kernel=k.name)\n"
        "  except runnel.KernelError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    lines = [
        f"aes-128-ctr: kernel '{k.name}' needs CPU features that are absent or masked by RUNNEL_CPU: {', '.join(k.cpu)}"
        for k in runnel.ciphers()["aes-128-ctr"].kernels
        if k.cpu
    ]
    assert done.stdout.splitlines() == lines
    assert lines
