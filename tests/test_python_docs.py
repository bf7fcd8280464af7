# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documentation of the Python API works as it stands: every block of docs/python.md, and the examples in
docstrings. Every name that is exported is in it."""

import doctest
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import runnel
from cli_program import accepted
from runnel import _aead, _ciphers
from runnel.sealed import files
from runnel.sealed.cobblestone import Cobblestone
from runnel.sealed.formats import DEFAULT_TEMPLATE, TEMPLATES

PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text()
HEADED = re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
BLOCKS = {
    heading + (f" {number}" if number else ""): block
    for heading, text in HEADED
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "photos.tar").write_bytes(os.urandom(200_000))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_block_is_seen():
    assert len(BLOCKS) == PAGE.count("```python\n") >= 7
    assert PAGE.count("```") == 2 * len(BLOCKS)


@pytest.mark.parametrize("name", BLOCKS)
def test_block(name, folder, capsys):
    exec(compile(BLOCKS[name], name, "exec"), {"__name__": "example"})
    expected = re.findall(r"print\(.*\)  # (.*)", BLOCKS[name])
    printed = capsys.readouterr().out
    for line in expected:
        assert line.removesuffix(" …") in printed


def test_the_blocks_of_the_formats(folder):
    """A key as docs/file-formats.md describes it opens a file without this package, and a file that is bound to a name as
    described there is opened by name."""
    text = (Path(__file__).parents[1] / "docs" / "file-formats.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "file-formats.md", "exec"), {"__name__": "example"})
    [command] = re.findall(r"`runnel (decrypt .*? --name .*?)`", text)
    accepted(*command.split())
    assert Path("photos").read_bytes() == Path("photos.tar").read_bytes()


def test_the_templates_are_in_the_page_of_the_formats():
    text = (Path(__file__).parents[1] / "docs" / "file-formats.md").read_text()
    for template, parameters in TEMPLATES.items():
        assert template.replace("AES128", "AES256").replace("_4KB", "_1MB") in text
        assert not isinstance(parameters, Cobblestone) or parameters.type_url.rpartition("_AES")[0] in text
    assert f"`{DEFAULT_TEMPLATE}`, the default" in text


def test_no_block_leaves_what_it_says_it_does_not(folder):
    for name in ("Files", "Files, piece by piece"):
        exec(compile(BLOCKS[name], name, "exec"), {"__name__": "example"})
    assert sorted(os.listdir()) == ["lines.sealed", "part", "photos-again.tar", "photos.sealed", "photos.tar"]
    assert Path("part").read_bytes() == Path("photos.tar").read_bytes()[1000:2000]


@pytest.mark.parametrize(("module", "examples"), [(runnel, 13), (_ciphers, 3), (_aead, 2), (files, 8)])
def test_examples_in_docstrings(module, examples, folder):
    failed, tried = doctest.testmod(module, extraglobs={"runnel": runnel})
    assert failed == 0 and tried >= examples


def test_every_exported_name_has_a_docstring_and_is_on_the_page():
    for name in runnel.__all__:
        thing = getattr(runnel, name)
        if name not in ("__version__", "Error") and not name.startswith("cpu_"):
            assert re.search(rf"\b{name}\b", PAGE), name
        if callable(thing):
            assert thing.__doc__, name
        if inspect.isclass(thing):
            for verb, method in vars(thing).items():
                if (
                    inspect.isfunction(method)
                    and not verb.startswith("_")
                    and verb not in dir(__import__("io").RawIOBase)
                ):
                    assert method.__doc__, f"{name}.{verb}"


def test_the_package_loads_openssl_only_for_what_needs_it():
    script = """
        import sys, runnel
        assert {"encrypt_file", "Keyset"} <= set(dir(runnel)) >= set(runnel.__all__)
        runnel.xor("rabbit", bytes(16), b"", b"data")
        assert "_hashlib" not in sys.modules
        runnel.Keyset.generate().primary.new_file(b"")
        assert "_hashlib" not in sys.modules
        runnel.Keyset.generate("AES128_GCM_HKDF_4KB").primary.new_file(b"")
        assert "_hashlib" in sys.modules
        try:
            runnel.keyset
        except AttributeError as error:
            assert "no attribute 'keyset'" in str(error)
    """
    subprocess.run([sys.executable, "-c", inspect.cleandoc(script)], check=True)
