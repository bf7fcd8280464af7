# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The contract between core and kernels (src/core/kernel.h) is compiled against every kernel: a function of another type, a
kernel of another kind in a list, or a descriptor that no row of kernels.inc has declared does not get through."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import selection
from c_programs import BUILD, ROOT, build

SRC = ROOT / "src"
KINDS = {
    "runnel_kernel": "core/kernel.h",
    "runnel_batch": "core/kernel.h",
    "runnel_ghash_kernel": "macs/ghash/kernels.h",
    "runnel_poly1305_kernel": "macs/poly1305/kernels.h",
    "runnel_sha_256_kernel": "macs/hmac_sha_256/kernels.h",
    "runnel_hmac_sha_1_kernel": "macs/hmac_sha_1/kernels.h",
    "runnel_hmac_sha_1_lanes": "macs/hmac_sha_1/kernels.h",
    "runnel_siphash_kernel": "macs/siphash/kernels.h",
    "runnel_aegis_kernel": "aead/aegis/kernels.h",
    "runnel_ascon_kernel": "aead/ascon/kernels.h",
    "runnel_ascon_batch": "aead/ascon/kernels.h",
    "runnel_chacha20_poly1305_fused": "aead/chacha20_poly1305/kernels.h",
}
"""Every type of kernel, by where it is defined."""
PARTS = {"block": "runnel_block_functions", "stream": "runnel_stream_functions"}
"""Members of a cipher's kernel besides functions of its own."""


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    build(BUILD, target="runnel_static")


def command_for(source: str) -> list[str]:
    """Return how the build compiles a file of the library, without the file and what is made of it."""
    object_file = f"CMakeFiles/runnel_objects.dir/src/{source}.o"
    done = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", object_file], capture_output=True, text=True, check=True
    )
    words = shlex.split(done.stdout.splitlines()[-1])
    words = words[
        next(i for i, word in enumerate(words) if re.search(r"cc|clang", Path(word).name) and word[-5:] != "cache") :
    ]
    for option in ("-o", "-MT", "-MF", "-c"):
        at = words.index(option)
        del words[at : at + 2]
    return [*(word for word in words if word != "-MD"), "-fsyntax-only", f"-I{(SRC / source).parent}"]


def errors(text: str, like: str = "core/choose.c") -> str:
    """Compile a text as the build compiles a file; return what the compiler says if it refuses."""
    done = subprocess.run([*command_for(like), "-xc", "-"], input=text, cwd=BUILD, text=True, capture_output=True)
    return done.stderr if done.returncode else ""


def functions(kind: str, header: str) -> list[str]:
    """Return the members of a struct that are pointers to functions."""
    text = re.sub(r"/\*.*?\*/", "", (SRC / header).read_text(), flags=re.DOTALL)
    body = re.search(rf"struct {kind} {{(.*?)^}}", text, re.DOTALL | re.MULTILINE)[1]
    return re.findall(r"\(\*(\w+)\)\(", body) + re.findall(r"runnel_ctr_function \*(\w+);", body)


def members() -> list[tuple[str, str, str]]:
    """Return every such member of every kind: type, header, and how a descriptor names it."""
    found = [(kind, header, f".{name} =") for kind, header in KINDS.items() for name in functions(kind, header)]
    for part, kind in PARTS.items():
        found += [("runnel_kernel", "core/kernel.h", f".{part}.{name} =") for name in functions(kind, "core/kernel.h")]
    return found


def test_all_kinds_are_known():
    """A struct that begins with the head is a kind of kernel."""
    found = {
        kind: str(file.relative_to(SRC))
        for file in SRC.rglob("*.h")
        for kind in re.findall(r"struct (\w+) {\n    RUNNEL_KERNEL_HEAD\b", file.read_text())
    }
    assert {kind: found[kind] for kind in found if kind != "runnel_kernel_head"} == KINDS


@pytest.mark.parametrize("kind, header", KINDS.items())
def test_the_head_comes_first(kind, header):
    facts = ("name", "citation", "cpu", "timing", "lanes")
    same = "".join(
        f'_Static_assert(offsetof({kind}, {fact}) == offsetof(runnel_kernel_head, {fact}), "{fact}");\n'
        for fact in facts
    )
    includes = f'#include <stddef.h>\n#include "core/kernel.h"\n#include "{header}"\n'

    assert errors(includes + same, like_for(header)) == ""
    assert "static assertion failed" in errors(includes + same.replace("cpu)", "timing)", 1), like_for(header))


def like_for(header: str) -> str:
    """Return a file that is compiled where the header's own includes are found."""
    return "core/choose.c" if header.startswith("core/") else f"{Path(header).parent}/{Path(header).parent.name}.c"


@pytest.mark.parametrize("kind, header, member", members())
def test_a_function_of_another_type_does_not_compile(kind, header, member):
    start = f'#include "core/describe.h"\n#include "{header}"\n'
    start += f"float wrong(float x);\nextern const {kind} k;\nconst {kind} k = "
    assert errors(f"{start}{{{member} NULL}};\n", like_for(header)) == ""
    assert "incompatible" in errors(f"{start}{{{member} wrong}};\n", like_for(header))


def test_a_real_kernel_with_another_prototype_does_not_compile():
    source = "ciphers/trivium/trivium.c"
    text = (SRC / source).read_text()
    assert errors(text, source) == ""
    changed = re.sub(
        r"(static void \w*xor_blocks\(.*?)size_t nblocks\)", r"\1uint16_t nblocks)", text, count=1, flags=re.DOTALL
    )
    assert changed != text
    assert "incompatible" in errors(changed, source)


def test_a_list_takes_kernels_of_its_kind_only():
    start = '#include "core/define.h"\n#include "macs/ghash/kernels.h"\n'
    start += "extern runnel_kernel_list list;\nrunnel_kernel_list list = {"
    listed = "{}RUNNEL_LIST(1, {}, runnel_ghash_portable) NULL}};\n"
    assert errors(listed.format(start, "runnel_ghash_kernel"), "macs/ghash/ghash.c") == ""
    assert "_Generic" in errors(listed.format(start, "runnel_kernel"), "macs/ghash/ghash.c")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("clang-19") is None, reason="gcc 12 has no such warning")
def test_every_kernel_is_declared_by_its_row():
    """A kernel is then defined and declared in the lists with one type. A cipher with one kernel lists it where it is. Every
    fifth file that defines one; in the campaign all."""
    defines = re.compile(r"^const runnel_\w+ (runnel_\w+) = {", re.MULTILINE)
    words = [word for word in command_for("core/choose.c")[1:] if not word.startswith(("-W", "-f"))]
    seen = 0
    found = {file: set(defines.findall(file.read_text())) for file in sorted(SRC.rglob("*.c"))}
    rows = [(file, names) for file, names in found.items() if names]
    for file, names in rows if selection.campaign() else rows[::5]:
        source = str(file.relative_to(SRC))
        command = ["clang-19", *words, f"-I{file.parent}", "-fsyntax-only", "-Wmissing-variable-declarations", file]
        errors = subprocess.run(command, cwd=BUILD, text=True, capture_output=True).stderr
        assert "error:" not in errors, errors
        undeclared = names & set(re.findall(r"non-static variable '(\w+)'", errors))
        own = f"runnel_{file.parent.name}_portable" if file.stem == file.parent.name else None
        assert undeclared <= {own}, source
        seen += len(names)
    assert seen > (100 if selection.campaign() else 20)


def test_the_contract_is_nothing_else():
    text = (SRC / "core" / "kernel.h").read_text()
    assert not re.search(
        r"^(static|RUNNEL_INLINE)|_Alignas|\.\w+ = ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), re.MULTILINE
    )
