# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Test the promise of docs/adding-a-cipher.md and docs/adding-a-kernel.md: a cipher is a folder, a kernel a file and
a line."""

import shutil
import subprocess
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include "toy.h"
#include <runnel/cipher.h>

int main(void)
{
    static uint8_t key[16] = {7}, iv[16], out[100];
    const runnel_cipher *cipher = runnel_cipher_find("toy");
    if (cipher == NULL)
        return 1;
    runnel_kernel_info info;
    for (size_t i = 0; runnel_cipher_kernel(cipher, i, &info) == RUNNEL_OK; i++) {
        runnel_toy c;
        if (runnel_toy_key_kernel(&c, key, sizeof key, info.name) || runnel_toy_iv(&c, iv, sizeof iv) ||
            runnel_toy_seek(&c, 3) || runnel_toy_xor(&c, out, NULL, sizeof out))
            return 2;
        for (size_t k = 0; k < sizeof out; k++)
            if (out[k] != ((k + 3) ^ ((k + 3) % 16 == 0 ? 7 : 0)))
                return 3;
        printf("%s %d\n", info.name, info.chosen);
    }
    return 0;
}
"""

KERNEL = """
#include "ciphers/toy/kernels.h"

const runnel_kernel runnel_toy_second = {
    .name = RUNNEL_TEXT("second"),
    .citation = RUNNEL_TEXT("none"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_toy_set_key,
    .stream = {.iv = runnel_toy_set_iv, .xor_blocks = runnel_toy_xor_blocks},
};
"""


def kernels(tree: Path) -> str:
    """Return the kernels of the only cipher of a tree's, and whether each is chosen, as the library's registry has them. The
    list of folders is what CMakeLists.txt writes."""
    build(BUILD, target="runnel_static")
    (tree / "program.c").write_text(PROGRAM)
    (tree / "folders.inc").write_text("RUNNEL_FOLDER(toy)\n")
    toy = tree / "src" / "ciphers" / "toy"
    sources = [tree / "program.c", *toy.rglob("*.c"), ROOT / "src" / "core" / "registry.c", BUILD / "librunnel.a"]
    folders = [tree, tree / "src", toy, ROOT / "src", BUILD / "generated", ROOT / "include", ROOT / "src" / "core"]
    includes = [word for folder in folders for word in ("-I", folder)]
    warnings = ["-Wall", "-Wextra", "-Wmissing-prototypes", "-Werror"]
    subprocess.run(["cc", "-std=c11", *warnings, *includes, *sources, "-o", tree / "program"], check=True)
    return subprocess.run([tree / "program"], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def tree(tmp_path) -> Path:
    shutil.copytree(ROOT / "tests" / "toy", tmp_path / "src" / "ciphers" / "toy")
    return tmp_path


def test_a_cipher_is_a_folder(tree):
    assert kernels(tree) == "portable 1\n"


def test_a_kernel_is_a_file_and_a_line(tree):
    toy = tree / "src" / "ciphers" / "toy"
    (toy / "second.c").write_text(KERNEL)
    rows = (toy / "kernels.inc").read_text()
    (toy / "kernels.inc").write_text(rows.replace("KERNEL(", "KERNEL(RUNNEL_ANYWHERE, second)\nKERNEL(", 1))
    assert kernels(tree) == "second 1\nportable 0\n"
