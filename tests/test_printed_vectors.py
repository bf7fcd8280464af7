# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Examples as standards and papers print them, where their order of bytes or bits is not the library's: the order is stated
wherever the cipher is described, and the command in its README has the printed bytes in ours."""

import itertools
import re
import shlex
from pathlib import Path

import pytest
from cli_program import output_of

ROOT = Path(__file__).resolve().parent.parent
READMES = sorted(ROOT.glob("src/*/*/README.md"))


def reversed_bytes(text: str) -> str:
    return bytes.fromhex(text)[::-1].hex()


def reversed_words(text: str) -> str:
    return "".join(map(reversed_bytes, text.split()))


def reversed_bits(text: str) -> str:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in bytes.fromhex(text)).hex()


PRINTED = {
    # cipher: (folder, to our order, description, key, IV, keystream), the last three as printed
    "hight-ctr": (
        "hight",
        reversed_bytes,
        "reverse what ISO prints",
        "28dbc3bc49ffd87dcfa509b11d422be7",
        "b41e6be2eba84a14",
        "cc047a75209c1fc6",
    ),
    "rabbit": (
        "rabbit",
        reversed_bytes,
        "reverse what the RFC prints",
        "912813292e3d36fe3bfc62f1dc51c3ac",
        "",
        "3d2df3c83ef627a1e97fc38487e2519c",
    ),
    "grain-128": (
        "grain128",
        reversed_bits,
        "reverse the bits of each byte that they print",
        "0123456789abcdef123456789abcdef0",
        "0123456789abcdef12345678",
        "db032aff3788498b57cb894fffb6bb96",
    ),
    "hc-128": (
        "hc128",
        reversed_words,
        "reverse the bytes of each word that it prints",
        "00000000 00000000 00000000 00000000",
        "00000000 00000000 00000000 00000000",
        "73150082 3bfd03a0 fb2fd77f aa63af0e",
    ),
}


def commands(readme: Path) -> list[tuple[str, str]]:
    """(command, what it prints) of the README's examples."""
    blocks = re.findall(r"^```console\n(.*?)^```$", readme.read_text(), re.MULTILINE | re.DOTALL)
    return [pair for block in blocks for pair in re.findall(r"^\$ (.*)\n([^$].*)$", block, re.MULTILINE)]


EXAMPLES = [(readme.parent.name, *each) for readme in READMES for each in commands(readme)]


@pytest.mark.parametrize("folder, command, printed", EXAMPLES, ids=lambda text: text.split()[0][:20])
def test_examples_in_readmes_run(folder, command, printed):
    program, *arguments = shlex.split(command)
    assert program == "runnel" and output_of(*arguments).decode() == printed + "\n"


@pytest.mark.parametrize("name", PRINTED)
def test_the_printed_bytes_are_those_of_the_command(name):
    folder, ours, _, key, iv, keystream = PRINTED[name]
    text = next(readme for readme in READMES if readme.parent.name == folder).read_text()
    for printed in filter(None, (key, iv, keystream)):
        assert f"`{printed}`" in text or not int(printed.replace(" ", ""), 16), "the README shows what is printed"
    [(_, command, _)] = [each for each in EXAMPLES if each[0] == folder]
    arguments = shlex.split(command)
    given = dict(itertools.pairwise(arguments))
    assert (given["--cipher"], given["--key-hex"], given["--iv"]) == (name, ours(key), ours(iv))
    assert output_of(*arguments[1:]).decode() == ours(keystream) + "\n"


@pytest.mark.parametrize("name", PRINTED)
def test_the_order_is_stated_where_the_cipher_is_described(name):
    description = PRINTED[name][2]
    assert description in output_of("ciphers", name).decode()
    row = next(line for line in (ROOT / "docs/ciphers.md").read_text().splitlines() if line.startswith(f"| `{name}` "))
    assert description in row


def test_feedback_mode_says_it_too():
    assert "reverse what ISO prints" in output_of("ciphers", "hight-cfb").decode()
