# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Break the OpenSSL provider on purpose, one published bug of other libraries at a time, and see its tests go red."""

import os
import shutil
import subprocess

import pytest
import selection
from c_programs import BUILD, ROOT, break_once, build
from openssl_program import HOME

pytestmark = pytest.mark.slow

OBJECTS = BUILD / "integrations" / "openssl" / "CMakeFiles" / "runnel_provider_objects.dir"
# name: (test, cipher, file, text that is there exactly once, what replaces it)
MUTANTS = {
    "a cipher does nothing": (
        *("keystream", "salsa20", "stream.c"),
        *("    if (c->iv_state == IV_NONE)\n", "    memmove(out, in, bytes);\n    if (1)\n        return RUNNEL_OK;\n"),
    ),
    "the IV's length is said to be 0": (
        *("keystream", "aes-128-ctr", "algorithms.c"),
        *("done = param_set_size(p, a->iv_bytes);", "done = param_set_size(p, 0);"),
    ),
    "the one-shot call forgets the IV": (
        *("aead", "aes-128-gcm", "aead.c"),
        *(
            "    const aead_context *c = context;\n    return in",
            "    aead_context *c = context;\n    memset(c->iv, 0, 16);\n    return in",
        ),
    ),
    "an empty message needs no tag": (
        *("aead", "aes-128-gcm-siv", "siv.c"),
        *("    return text(c, NULL, NULL, 0);", "    return c->encrypts ? text(c, NULL, NULL, 0) : 1;"),
    ),
    "the tag is not compared": (
        *("aead", "chacha20-poly1305", "aead.c"),
        *("return runnel_aead_verify(library_aead(c), c->tag, c->tag_bytes) == RUNNEL_OK;", "return 1;"),
    ),
    "a tag of no bytes is taken": (
        *("aead-errors", "aes-128-gcm", "aead.c"),
        *("if (bytes == 0 || bytes > LONGEST_TAG ||", "if (bytes > LONGEST_TAG ||"),
    ),
    "a copy shares its original's memory": (
        *("aead", "aes-128-gcm-siv", "siv.c"),
        *("    if (c->aad == NULL)\n        return 1;", "    if (1)\n        return 1;"),
    ),
}


def survives(folder, test: str, cipher: str, file: str, change: tuple[str, str] | None) -> bool:
    """Links a module of which one file is changed, and tells whether that test of it is green."""
    programs = build(BUILD, target="runnel-provider")
    sources = folder / "openssl"
    shutil.copytree(HOME, sources)
    if change is not None:
        break_once(sources / file, *change)
    others = [path for path in OBJECTS.glob("*.o") if path.name != f"{file}.o"]
    assert len(others) > 5
    command = ["cc", "-std=c11", "-O1", "-w", "-fPIC", "-shared", '-DRUNNEL_PROVIDER_VERSION="0"']
    command += [f"-I{BUILD / 'generated'}", f"-I{ROOT / 'include'}", sources / file, *others]
    command += [BUILD / "plain" / "librunnel.a", f"-Wl,--version-script={HOME / 'exports.map'}"]
    subprocess.run([*map(str, command), "-o", str(folder / "runnel.so")], check=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENSSL_", "RUNNEL_CPU"))}
    asked = [programs / "runnel-provider", folder, test, cipher]
    return subprocess.run(asked, env=kept, capture_output=True, timeout=60).returncode == 0


@pytest.mark.parametrize("mutant", selection.one_in(3, MUTANTS))
def test_mutant_is_killed(mutant, tmp_path):
    test, cipher, file, *change = MUTANTS[mutant]
    assert not survives(tmp_path, test, cipher, file, tuple(change)), f"no test notices that {mutant}"


def test_the_unbroken_module_survives(tmp_path):
    assert survives(tmp_path, "aead-errors", "aes-128-gcm", "aead.c", None)
