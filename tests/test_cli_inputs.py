# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No file that a command reads can be its output, whatever either is called and wherever the output goes."""

import ast
import io
import os
from pathlib import Path

import pytest
import runnel as package
from cli_program import accepted, listing, refused
from runnel.sealed import files
from runnel.sealed.keyset import Keyset

ROOT = Path(__file__).resolve().parent.parent
XOR = ("xor", "--cipher", "salsa20", "--iv", "00" * 8)
MESSAGE = "output and input are the same file"


@pytest.fixture
def folder(tmp_path):
    accepted("keygen", "--template", "AES128_CTR_HMAC_SHA256_4KB", tmp_path / "key")
    (tmp_path / "raw").write_text("5a" * 16)
    (tmp_path / "aad").write_bytes(b"associated")
    (tmp_path / "plain").write_bytes(b"plain" * 2000)
    accepted("encrypt", "--key", tmp_path / "key", "--aad", "associated", tmp_path / "plain", tmp_path / "sealed")
    return tmp_path


def commands(**named):
    """(the command without its output, the names of the files that it reads); named: other names for these files."""
    name = {each: str(named.get(each, each)) for each in ("key", "raw", "aad", "plain", "sealed")}
    for verb, source in (("encrypt", "plain"), ("decrypt", "sealed")):
        command = [verb, "--key", name["key"], "--aad", f"@{name['aad']}", name[source]]
        yield command, ("key", "aad", source)
    yield [*XOR, "--key", f"@{name['raw']}", name["plain"]], ("raw", "plain")


def spellings(folder, name):
    """Other names of a file, and one that is a descriptor's, which is kept open meanwhile."""
    os.link(folder / name, folder / "hard")
    (folder / "soft").symlink_to(name)
    (folder / "far").symlink_to(folder / "soft")
    yield from (name, f"./{name}", f"../{folder.name}/{name}", folder / name, "hard", "soft", "far")
    for flags in (os.O_RDONLY, os.O_RDWR | os.O_APPEND):
        fd = os.open(folder / name, flags)
        yield from (f"/dev/fd/{fd}", f"/proc/self/fd/{fd}", f"/proc/{os.getpid()}/fd/{fd}")
        os.close(fd)
    for other in ("hard", "soft", "far"):
        os.unlink(folder / other)


def contents(folder):
    return {name: (folder / name).read_bytes() for name in ("key", "raw", "aad", "plain", "sealed")}


@pytest.mark.parametrize("read", ["key", "raw", "aad", "plain", "sealed"])
def test_a_file_that_is_read_is_not_replaced(folder, monkeypatch, read):
    monkeypatch.chdir(folder)
    before = contents(folder)
    tried = 0
    for other in spellings(folder, read):
        for output, named in ((other, {}), (read, {read: other}), ("hard", {read: other})):
            for command, reads in commands(**named):
                if read in reads:
                    assert MESSAGE in refused(*command, "--force", "--", output), (command, output)
                    assert contents(folder) == before
                    tried += 1
    assert tried >= 3 * 13 and sorted(before) == [name for name in listing(folder) if name not in ("hard", "soft")]


def test_from_python(folder):
    keyset = Keyset.from_json((folder / "key").read_text())
    os.link(folder / "plain", folder / "hard")
    before = contents(folder)
    for target in ("plain", "hard"):
        with pytest.raises(ValueError, match=MESSAGE):
            files.encrypt_file(folder / "plain", folder / target, keyset, force=True)
    for source, work in (("plain", files.encrypt_stream), ("sealed", files.decrypt_stream)):
        for mode in ("ab", "r+b"):
            with (
                open(folder / source, "rb") as reader,
                open(folder / source, mode) as writer,
                pytest.raises(ValueError, match=MESSAGE),
            ):
                work(reader, writer, keyset)
    assert contents(folder) == before
    memory = io.BytesIO()
    files.encrypt_stream(io.BytesIO(b"text"), memory, keyset)
    with open("/dev/null", "rb") as reader, open("/dev/null", "wb") as writer:
        files.encrypt_stream(reader, writer, keyset)


def opens(module: ast.Module) -> int:
    """Count the calls in a module that open a file, except those of inputs and ciphers, whose open() is another."""
    found = 0
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Attribute(attr="open", value=receiver)):
                name = ast.unparse(receiver).partition("(")[0].rpartition(".")[2]
                found += name.strip("_") not in ("inputs", "cipher")
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                found += name in OPENING
    return found


OPENING = {"open", "fdopen", "FileIO", "File", "open_file", "read_text", "read_bytes"}


def test_a_new_command_cannot_forget_it():
    """The commands open files in one place only, which remembers them, and no output is made without what it holds."""
    from runnel.output import OutputFile

    with pytest.raises(TypeError, match="inputs"):
        OutputFile("name")
    installed = Path(package.__file__).parent
    modules = [path for folder in ("cli", "sealed") for path in (installed / folder).rglob("*.py")]
    counts = {str(file.relative_to(installed)): opens(ast.parse(file.read_text())) for file in modules}
    assert {file: count for file, count in counts.items() if count} == {
        "cli/__init__.py": 1,  # /dev/null, for a standard stream that is closed
        "cli/standard.py": 1,  # the same
        "cli/streams.py": 1,  # standard input, which is remembered already
        "cli/passphrase.py": 1,  # the terminal
        "sealed/age/stanzas.py": 1,  # a message of an AEAD
        "sealed/files.py": 2,  # an EncryptedReader's file: nothing is written; and the output, by its descriptor
    }
