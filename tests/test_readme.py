# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The examples in README.md work as pasted."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))


def example(language: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1, f"README.md has {len(blocks)} examples in {language}"
    return blocks[0]


def test_table_says_of_ciphers_what_they_say_of_themselves():
    printed = subprocess.run(
        [sys.executable, ROOT / "tools" / "cipher_table.py"], check=True, capture_output=True, text=True
    )
    table = re.search(
        r"<!-- ciphers: begin -->\n(.*?)<!-- ciphers: end -->", (ROOT / "README.md").read_text(), re.DOTALL
    )[1]
    assert len(table.splitlines()) > 5
    stale = set(table.splitlines()) - set(printed.stdout.splitlines())
    assert not stale, "run tools/cipher_table.py --write"


def test_shell(tmp_path):
    (tmp_path / "photos.tar").write_bytes(os.urandom(3_000_000))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-eu"],
        input=example("sh"),
        text=True,
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, "PATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "\n1000\n" in f"\n{done.stdout}"
    assert (tmp_path / "raw").stat().st_size == 3_000_000


def test_python(tmp_path):
    subprocess.run([sys.executable, "-c", example("python")], cwd=tmp_path, check=True)


def test_c(tmp_path):
    (tmp_path / "example.c").write_text(example("c"))
    prefix = tmp_path / "prefix"
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
    env = {
        **os.environ,
        "PKG_CONFIG_PATH": str(next(prefix.glob("**/pkgconfig"))),
        "LD_LIBRARY_PATH": str(next(prefix.glob("**/librunnel.so")).parent),
    }
    command = re.search(r"`(cc example\.c .*)`", (ROOT / "README.md").read_text())[1]
    subprocess.run(["sh", "-c", f"{command} -Wall -Wextra -Werror -o example"], cwd=tmp_path, check=True, env=env)
    subprocess.run([tmp_path / "example"], check=True, env=env)
