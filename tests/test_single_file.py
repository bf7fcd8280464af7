# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library as one C file, one header and one assembly file (tools/amalgamate): names, warnings, the C suite against it,
and three families on other processors. `make packages` runs all of the C suite, for gcc and clang."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import runnel
from c_programs import BUILD, ROOT, build, check
from test_c_aeads import NAMES as AEADS
from test_c_aeads import lines_of
from test_vectors import FILES, collection, tally

sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "tools")]
import artefacts
import trial
from public_headers import text_of

pytestmark = pytest.mark.slow

THREE = ("aes_ccm", "ascon_aead128", "chacha20_poly1305")


def amalgamate(*arguments: str | Path, **options) -> subprocess.CompletedProcess:
    return subprocess.run([ROOT / "tools" / "amalgamate", *arguments], text=True, capture_output=True, **options)


@pytest.fixture(scope="module")
def three(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("three")
    assert amalgamate("-o", folder, *THREE).returncode == 0
    return folder


@pytest.mark.every_cipher
@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_all_families_without_a_warning(tmp_path, compiler):
    """With every kernel of this processor. What is linked with it, and its bytes: the campaign and `make packages`."""
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    assert amalgamate("-o", tmp_path, "all", "historic").returncode == 0
    artefacts.call(compiler, "-std=c11", *trial.STRICT, "-fsyntax-only", tmp_path / "runnel.c")


@pytest.mark.every_cipher
@pytest.mark.campaign
def test_every_test_program_links():
    """In the code that takes the least time to make."""
    folder = BUILD / "single-linked"
    assert amalgamate("-o", folder / "source", "all", "historic").returncode == 0
    compiler = shutil.which("clang-19") or "cc"  # half the time of gcc
    quick = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O0", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
    programs = build(folder, f"-DRUNNEL_SINGLE_FILE={folder / 'source'}", f"-DCMAKE_C_COMPILER={compiler}", *quick)
    assert {"runnel-properties", "runnel-residue", "runnel-peer-models"} <= {path.name for path in programs.iterdir()}


# --- the command -----------------------------------------------------------------------------------------------------


def test_kernels_that_a_configuration_offers_are_in_it(three):
    """Zephyr's Kconfig names kernels of AES, each of which the one name of RUNNEL_AES_KERNEL may be."""
    [file] = (ROOT / "packaging").glob("*/Kconfig*")
    text = file.read_text().partition("config RUNNEL_AES_KERNEL")[2]
    offered = set(re.findall(r"\b[a-z]+\d*_[a-z0-9_]+", text))
    assert len(offered) >= 4
    kernels = set(
        re.findall(r"^const runnel_kernel runnel_aes_(\w+) =", (three / "runnel.c").read_text(), re.MULTILINE)
    )
    assert offered <= kernels


@pytest.mark.parametrize(
    "wrong, message", [("aes_gmc", "no family 'aes_gmc'; is it aes_gcm?"), ("xyzzy", "no family 'xyzzy'; see --list")]
)
def test_an_unknown_family_gets_a_line_and_status_2(tmp_path, wrong, message):
    done = amalgamate("-o", tmp_path, "aes_ctr", wrong)
    assert done.returncode == 2 and done.stderr.splitlines()[-1].endswith(message)
    assert not list(tmp_path.iterdir())


def test_nothing_asked_for_is_an_error(tmp_path):
    assert amalgamate(cwd=tmp_path).returncode == 2 and not list(tmp_path.iterdir())


def test_the_list_has_every_family():
    listed = {line.split()[0] for line in amalgamate("--list").stdout.splitlines()}
    headers = [*(ROOT / "src").glob("*/*/*.h")]
    declared = {
        name for file in headers for name in re.findall(r"int runnel_(\w+)_(?:iv|seal|update)\(", text_of(file))
    }
    assert len(declared) > 40 and declared <= listed


@pytest.mark.of("siphash")
def test_the_files_come_here_and_twice_the_same(tmp_path):
    assert amalgamate("siphash", cwd=tmp_path).returncode == 0
    first = {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()}
    assert first.keys() == {"runnel.c", "runnel.h", "runnel_asm.S"}
    assert amalgamate("siphash", cwd=tmp_path).returncode == 0
    assert first == {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()}


# --- some families ---------------------------------------------------------------------------------------------------


def symbols(*objects: Path) -> set[str]:
    done = subprocess.run(["nm", "-g", "--defined-only", *objects], text=True, capture_output=True, check=True)
    return {line.split()[-1] for line in done.stdout.splitlines() if len(line.split()) == 3}


@pytest.mark.of("siphash")
def test_only_what_was_asked_for_is_in_it(tmp_path):
    """No cipher and no AEAD: the lists of the registry are empty."""
    assert amalgamate("-o", tmp_path, "siphash").returncode == 0
    done = artefacts.call("cc", "-std=c11", "-O0", *trial.STRICT, "-c", tmp_path / "runnel.c", cwd=tmp_path)
    assert done == ""
    names = symbols(tmp_path / "runnel.o")
    assert "runnel_siphash_once" in names or "runnel_siphash_update" in names
    assert all(name.startswith("runnel_") for name in names) and not [name for name in names if "_aes_" in name]
    (tmp_path / "none.c").write_text(
        '#include "runnel.h"\nint main(void)\n{\n    return runnel_cipher_at(0) != NULL || runnel_aead_at(0) != NULL ||\n'
        '           runnel_aead_count() != 0 || runnel_cipher_find("aes-128-ctr") != NULL;\n}\n'
    )
    artefacts.call("cc", "none.c", "runnel.o", "-o", "none", cwd=tmp_path)
    artefacts.call(tmp_path / "none")


@pytest.fixture(scope="module")
def objects(three) -> list[Path]:
    """Compile the three families for this machine, by the compiler that takes half the time of gcc."""
    compiler = shutil.which("clang-19") or "cc"
    options = ["-std=c11", "-O0", "-fPIC", *trial.STRICT]
    artefacts.call(compiler, *options, "-c", three / "runnel.c", three / "runnel_asm.S", cwd=three)
    return [three / "runnel.o", three / "runnel_asm.o"]


@pytest.mark.of("aes")
def test_three_families_run_here(three, objects, tmp_path):
    sources = [trial.SENSOR / name for name in ("sensor.c", "board.c")]
    artefacts.call("cc", "-std=c11", f"-I{three}", *sources, *objects, "-o", tmp_path / "sensor")
    trial.assert_expected(artefacts.call(tmp_path / "sensor"))


@pytest.mark.of("aes")
@pytest.mark.campaign
def test_three_families_without_a_warning_of_gccs_optimizer(three, tmp_path):
    trial.compile_sensor(three, ["gcc", "-std=c11"], tmp_path / "sensor", "-O1")
    trial.assert_expected(artefacts.call(tmp_path / "sensor"))


@pytest.mark.of("aes")
def test_knobs_come_from_a_file_beside_the_header(three, tmp_path):
    (tmp_path / "size.c").write_text(
        '#include "runnel.h"\n#include <stdio.h>\nint main(void)\n{\n    printf("%zu", sizeof(runnel_aes_ctr));\n}\n'
    )
    shutil.copy(three / "runnel.h", tmp_path)

    def size() -> int:
        artefacts.call("cc", "-std=c11", *trial.STRICT, tmp_path / "size.c", "-o", tmp_path / "size")
        return int(artefacts.call(tmp_path / "size"))

    before = size()
    (tmp_path / "runnel_config.h").write_text("#define RUNNEL_AES_KEY_BITS 128\n#define RUNNEL_PREFIX 0\n")
    assert size() < before / 2
    assert '#include "runnel_config.h"' in (three / "runnel_asm.S").read_text()


@pytest.mark.of("aes")
@pytest.mark.campaign
@pytest.mark.parametrize("kernel", ["portable", "aesni"])
def test_a_named_kernel_is_the_one_that_is_linked(tmp_path, kernel):
    """The other kernels' files compile beside it, whose tables in the context are larger or smaller."""
    if kernel == "aesni" and not {"aes", "ssse3"} <= set(runnel.cpu_features()):
        pytest.skip("this processor has no AES instructions")
    assert amalgamate("-o", tmp_path, "aes_gcm").returncode == 0
    (tmp_path / "seal.c").write_text(
        '#include "runnel.h"\n#include <stdio.h>\nint main(void)\n{\n    static runnel_aes_gcm c;\n'
        "    static uint8_t key[16], nonce[12], text[9000], tag[16];\n"
        "    if (runnel_aes_gcm_key(&c, key, 16) != RUNNEL_OK ||\n"
        "        runnel_aes_gcm_seal(&c, nonce, 12, NULL, 0, text, text, sizeof text, tag, 16) != RUNNEL_OK)\n"
        '        return 1;\n    printf("%s ", runnel_aead_kernel(&c.head));\n    for (int i = 0; i < 16; i++)\n'
        '        printf("%02x", (unsigned)tag[i]);\n}\n'
    )
    compiler = shutil.which("clang-19") or "cc"
    named = [compiler, "-std=c11", "-O0", f"-DRUNNEL_AES_KERNEL={kernel}"]
    artefacts.call(*named, *trial.STRICT, "seal.c", "runnel.c", "runnel_asm.S", "-o", "seal", cwd=tmp_path)
    tag = runnel.aead("aes-128-gcm", bytes(16)).seal(bytes(12), bytes(9000))[-16:]
    assert artefacts.call(tmp_path / "seal") == f"{kernel} {tag.hex()}"


@pytest.mark.of("aes")
def test_internal_names_are_not_exported(three, objects, tmp_path):
    library = tmp_path / "librunnel.so"
    artefacts.call("cc", "-shared", *objects, "-Wl,-z,defs", "-o", library)
    done = subprocess.run(["nm", "-D", "--defined-only", library], text=True, capture_output=True, check=True)
    exported = {line.split()[-1] for line in done.stdout.splitlines()}
    declared = set(re.findall(r"\brunnel_\w+", (three / "runnel.h").read_text()))
    assert len(exported) > 100 and exported <= declared


@pytest.mark.lab
@pytest.mark.of("aes")
@pytest.mark.parametrize("name", trial.PROCESSORS)
def test_three_families_on(three, tmp_path, name):
    processor = trial.PROCESSORS[name]
    for tool in processor.needs:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    trial.compile_sensor(three, processor.compiler, tmp_path / "sensor.elf", "-O1")
    trial.assert_expected(trial.output_of(processor, tmp_path / "sensor.elf"))


@pytest.mark.of("aes")
@pytest.mark.parametrize("target", ["aarch64-linux-gnu", "arm-linux-gnueabihf -march=armv7-a -mfpu=neon", "riscv32"])
def test_clang_assembles_it_for(three, tmp_path, target):
    if not shutil.which("clang-19"):
        pytest.skip("clang-19 is not installed")
    output = tmp_path / "runnel_asm.o"
    artefacts.call("clang-19", *f"--target={target}".split(), "-c", three / "runnel_asm.S", "-o", output)
    assert len(symbols(output)) > 3


# --- copies in one program -------------------------------------------------------------------------------------------

TWO = """#include "one.h"
#include "two.h"
#include <stdio.h>
static void print(const uint8_t *bytes)
{
    for (int i = 0; i < 16; i++)
        printf("%02x", (unsigned)bytes[i]);
}
int main(void)
{
    static const uint8_t key[16], iv[16];
    static two_aes_ccm c;
    uint8_t stream[16], sealed[16], tag[16], mac[16];
    if (one_aes_ctr_once(stream, NULL, 16, key, 16, iv, 16, ONE_BE128) != ONE_OK ||
        two_aes_ccm_key(&c, key, 16) != TWO_OK ||
        two_aes_ccm_seal(&c, iv, 12, NULL, 0, sealed, stream, 16, tag, 16) != TWO_OK ||
        two_siphash_128_once(mac, 16, sealed, 16, key, 16) != TWO_OK)
        return 1;
    print(stream);
    print(tag);
    print(mac);
    return 0;
}
"""


def expected_of_two() -> str:
    stream = runnel.new("aes-128-ctr", bytes(16), bytes(16)).encrypt(bytes(16))
    sealed = runnel.aead("aes-128-ccm", bytes(16)).seal(bytes(12), stream)
    return stream.hex() + sealed[16:].hex() + runnel.mac("siphash-128", bytes(16), sealed[:16]).tag().hex()


@pytest.fixture(scope="module")
def two(tmp_path_factory) -> Path:
    """Different families, with all of the core and of AES in both."""
    folder = tmp_path_factory.mktemp("two")
    for name, families in (("one", ("aes_ctr", "ascon_aead128")), ("two", ("aes_ccm", "siphash"))):
        assert amalgamate("--prefix", name, "-o", folder, *families).returncode == 0
    (folder / "main.c").write_text(TWO)
    return folder


def test_a_prefix_is_in_the_place_of_the_librarys_name(two, tmp_path):
    assert {path.name for path in two.iterdir()} == {
        f"{n}{end}" for n in ("one", "two") for end in (".h", ".c", "_asm.S")
    } | {"main.c"}
    for name in ("one", "two"):
        text = "".join((two / f"{name}{end}").read_text() for end in (".h", ".c", "_asm.S"))
        assert re.findall(r"\w*runnel_\w*|RUNNEL_\w*", text) == [] and f"{name}_config.h" in text


def linked(folder: Path, output: Path, *compiler: str) -> Path:
    files = [folder / f"{name}{end}" for name in ("one", "two") for end in (".c", "_asm.S")]
    artefacts.call(*compiler, *trial.STRICT, folder / "main.c", *files, "-o", output)
    return output


@pytest.mark.of("aes")
@pytest.mark.campaign  # test_two_copies_with_assembly does so in every run
def test_two_copies_link_and_run_in_one_program(two, tmp_path):
    output = artefacts.call(linked(two, tmp_path / "both", shutil.which("clang-19") or "cc", "-std=c11", "-O0"))
    assert output == expected_of_two()


@pytest.mark.lab
@pytest.mark.of("aes")
@pytest.mark.parametrize("name", ["aarch64", pytest.param("armv7", marks=pytest.mark.campaign)])
def test_two_copies_with_assembly(two, tmp_path, name):
    processor = trial.PROCESSORS[name]
    for tool in processor.needs:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    linked(two, tmp_path / "both", *processor.compiler, "-O1")
    assert trial.output_of(processor, tmp_path / "both") == expected_of_two()


@pytest.mark.parametrize("wrong", ["Mine", "2", "my-lib", ""])
def test_a_prefix_that_begins_no_name_is_an_error(tmp_path, wrong):
    done = amalgamate("--prefix", wrong, "-o", tmp_path / "new", "siphash")
    assert done.returncode == 2 and "--prefix" in done.stderr.splitlines()[-1] and not (tmp_path / "new").exists()


# --- all of it -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def single() -> Path:
    """Return the test programs, with the single file in the place of the library."""
    folder = BUILD / "single"
    assert amalgamate("-o", folder / "source", "all", "historic").returncode == 0
    options = [f"-DRUNNEL_SINGLE_FILE={folder / 'source'}", "-DCMAKE_C_COMPILER=cc"]
    return build(folder, *options, target="runnel_cross_tests")


@pytest.mark.builds
@pytest.mark.campaign
@pytest.mark.every_cipher
def test_vectors_and_properties_of_all(single):
    """All ciphers, kernels, MACs and AEADs; random tests have few repetitions."""
    assert all(tally(check("runnel-vectors", *FILES, folder=single)).values())
    kernels = [line.split()[:2] for line in check("runnel-properties", "list", folder=single).splitlines()]
    checked = re.findall(
        r"^(\S+)/(\S+): \d+ checks$", check("runnel-properties", "all", "--scale", "2000", folder=single), re.M
    )
    assert len(kernels) > 100 and {tuple(each) for each in kernels} >= set(checked) > {("aes-128-ctr", "portable")}
    for file in sorted((ROOT / "src" / "macs").glob("*/vectors.txt")):
        assert "vectors" in check("runnel-macs", "vectors", file, folder=single)
    assert len(check("runnel-aeads", "properties", "1", folder=single).splitlines()) == len(AEADS)


@pytest.mark.builds
@pytest.mark.campaign
@pytest.mark.every_cipher
def test_vectors_of_all_aeads(single):
    for name in collection.AEAD:
        data = json.loads((ROOT / "tests" / "vectors" / "aead" / f"{name}.json").read_text())
        lines = lines_of(data)
        done = subprocess.run(
            [single / "runnel-aeads", "vectors"], input="\n".join(lines) + "\n", text=True, capture_output=True
        )
        assert done.returncode == 0 and "valid" in done.stdout, done.stderr


@pytest.mark.builds
@pytest.mark.campaign
@pytest.mark.every_cipher
def test_it_has_the_kernels_of_the_library(single):
    ours = check("runnel-properties", "list", folder=build(BUILD)).splitlines()
    papers = {file.stem.replace("_", "-") for file in (ROOT / "src").glob("*/*/papers/*.c")}
    expected = [line for line in ours if line.split()[1] not in papers]
    assert check("runnel-properties", "list", folder=single).splitlines() == expected
