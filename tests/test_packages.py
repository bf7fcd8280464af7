# SPDX-License-Identifier: Apache-2.0 OR MIT
"""packaging/build, and that docs/packages.md has the artefacts that are there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import runnel
from c_programs import BUILD
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, ChaCha20Poly1305

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
TOY = """\
from artefacts import Artefact, Failed, Missing

def build(folder):
    assert not list(folder.iterdir())
    (folder / "made").write_text("bytes")
    return "a compiler 1.0"

def run(folder):
    {run}

ARTEFACTS = [Artefact("toy", "a toy", build, run, needs={needs})]
"""


def packed_by(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """packaging/build as it is, among the artefacts of a folder."""
    for name in ("build", "artefacts.py"):
        target = folder / "packaging" / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((PACKAGING / name).read_bytes())
    (folder / "tools").mkdir(exist_ok=True)
    for name in ("arguments.py", "generated.py"):
        (folder / "tools" / name).write_bytes((ROOT / "tools" / name).read_bytes())
    command = [sys.executable, str(folder / "packaging" / "build"), *arguments]
    return subprocess.run(command, text=True, capture_output=True, cwd=folder)


def recorded(folder: Path) -> dict:
    return json.loads((folder / "results" / "packages.json").read_text())


def toy(folder: Path, run: str = "return 'this machine'", needs: str = "()") -> None:
    (folder / "packaging" / "toy").mkdir(parents=True, exist_ok=True)
    (folder / "packaging" / "toy" / "artefact.py").write_text(TOY.format(run=run, needs=needs))


def test_an_artefact_is_built_run_and_written_down(tmp_path):
    toy(tmp_path, "return (folder / 'made').read_text()")
    done = packed_by(tmp_path, "--write")
    assert done.returncode == 0, done.stderr
    row = "| `toy` | a toy | a compiler 1.0 | bytes |"
    assert row in done.stdout
    assert recorded(tmp_path) == {"toy": {"what": "a toy", "built": "a compiler 1.0", "ran": "bytes"}}


def test_the_readme_names_every_folder():
    text = (PACKAGING / "README.md").read_text()
    folders = {path.name for path in PACKAGING.iterdir() if path.is_dir() and not path.name.startswith(("_", "."))}
    assert folders == set(re.findall(r"\[[\w-]+\]\(([\w-]+)\)", text.partition("\n## ")[0]))
    sys.path.insert(0, str(PACKAGING))
    import trial

    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    assert f"for this machine and {words[len(trial.PROCESSORS)]} other processors" in text


def test_results_of_other_artefacts_stay(tmp_path):
    toy(tmp_path, "return 'here'")
    other = tmp_path / "packaging" / "other" / "artefact.py"
    other.parent.mkdir()
    other.write_text(TOY.format(run="return 'there'", needs="()").replace('"toy", "a toy"', '"other", "another"'))
    assert packed_by(tmp_path, "--write").returncode == 0
    toy(tmp_path, "return 'elsewhere'")
    assert packed_by(tmp_path, "--write", "toy").returncode == 0
    rows = {name: (row["what"], row["ran"]) for name, row in recorded(tmp_path).items()}
    assert rows == {"other": ("another", "there"), "toy": ("a toy", "elsewhere")}


@pytest.mark.parametrize(
    "run, needs, cell",
    [
        ("raise Missing('no board')", "()", "not run: no board"),
        ("return 'here'", "('no-such-program',)", "not built: no no-such-program (tools/install-packages packages)"),
    ],
)
def test_what_is_missing_is_reported_and_costs_the_status(tmp_path, run, needs, cell):
    toy(tmp_path, run, needs)
    done = packed_by(tmp_path)
    assert done.returncode == 1 and cell in done.stdout
    assert packed_by(tmp_path, "--allow-missing").returncode == 0


@pytest.mark.parametrize(
    ("recipe", "cell"),
    [
        ("@touch $$(echo .venv/lib/python3*/site-packages)/pytest.py $@", "tested"),
        ("@echo no network >&2; exit 1", "not run: the tests' environment: make .venv/.test (make"),
    ],
    ids=["installed", "out of reach"],
)
def test_after_plain_make_the_tests_tools_are_installed(tmp_path, recipe, cell):
    """As `make` leaves it, the environment has no pytest; what cannot be installed is reported in a line."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    changelog = tmp_path / "packaging" / "debian" / "debian" / "changelog"  # what is called gets its date
    changelog.parent.mkdir(parents=True)
    changelog.write_bytes((ROOT / changelog.relative_to(tmp_path)).read_bytes())
    (tmp_path / "Makefile").write_text(f".venv/.test:\n\t{recipe}\n")
    toy(tmp_path, "from artefacts import pytest; pytest('tests'); return 'tested'")
    done = packed_by(tmp_path)
    assert cell in done.stdout and done.stderr == ""
    assert done.returncode == (cell != "tested")


def test_a_folder_of_somebody_elses_is_not_emptied(tmp_path):
    """Only one that has just artefacts is used again."""
    toy(tmp_path)
    theirs, ours = tmp_path / "theirs", tmp_path / "ours" / "deep"
    (theirs / "toy").mkdir(parents=True)
    (theirs / "toy" / "source.c").write_text("the work of a year")
    done = packed_by(tmp_path, "--output", str(theirs))
    assert done.returncode == 2 and f"{theirs} has other files" in done.stderr
    assert (theirs / "toy" / "source.c").exists()
    for _ in range(2):
        assert packed_by(tmp_path, "--output", str(ours)).returncode == 0
    assert (ours / "toy" / "made").exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_so_many_at_once_as_are_asked_for(tmp_path, jobs):
    """Each of two leaves a file and looks for the other's; the table has them in their order all the same."""
    look = """mine, other = (folder.parent.parent / name for name in sorted(("toy", "other"), key=folder.name.__ne__))
    mine.touch()
    for _ in range(MOST):
        if other.exists(): return "with the other"
        __import__("time").sleep(0.1)
    return "alone\"""".replace("MOST", "300" if jobs > 1 else "1")
    toy(tmp_path, look)
    other = tmp_path / "packaging" / "other" / "artefact.py"
    other.parent.mkdir()
    other.write_text(TOY.format(run=look, needs="()").replace('"toy", "a toy"', '"other", "another"'))
    done = packed_by(tmp_path, "--jobs", str(jobs))
    assert done.returncode == 0, done.stderr
    rows = [line.split(" | ")[3] for line in done.stdout.splitlines() if line.startswith("| `")]
    assert rows == [["alone |", "with the other |"], ["with the other |"] * 2][jobs - 1]


@pytest.mark.parametrize("run", ["raise Failed('status 3')", "assert 1 == 2, 'status 3'"])
def test_a_failure_is_told_and_never_written_down(tmp_path, run):
    toy(tmp_path, run)
    done = packed_by(tmp_path, "--allow-missing", "--write")
    assert done.returncode == 1 and "toy: status 3" in done.stderr
    assert not (tmp_path / "results" / "packages.json").exists()


def test_what_an_artefact_may_ask_the_environments(tmp_path, monkeypatch):
    """Versions of Python packages; the library's own tests, which pass, fail, or are missing."""
    sys.path.insert(0, str(PACKAGING))
    import artefacts

    packages = artefacts.installed(Path(sys.executable).parent, "pytest", "cryptography")
    assert re.fullmatch(r"pytest [\d.]+, cryptography [\d.]+", packages)
    monkeypatch.setattr(artefacts, "ROOT", tmp_path)
    with pytest.raises(artefacts.Missing, match=r"make all \.venv/\.test"):
        artefacts.pytest("test_toy.py")
    (tmp_path / "Makefile").write_text(".venv/.test:\n\t@touch $@\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    (tmp_path / "test_toy.py").write_text("import os\n\ndef test():\n    assert os.environ['TOY'] == 'yes'\n")
    assert "1 passed" in artefacts.pytest("test_toy.py", env={"TOY": "yes"})
    with pytest.raises(artefacts.Failed, match="1 failed"):
        artefacts.pytest("test_toy.py", env={"TOY": "no"})


def test_an_unknown_name_gets_a_suggestion(tmp_path):
    toy(tmp_path)
    done = packed_by(tmp_path, "toi")
    assert done.returncode == 2 and "no artefact 'toi'; is it toy?" in done.stderr


def test_the_document_has_a_row_for_each_artefact():
    listed = subprocess.run([PACKAGING / "build", "--list"], text=True, capture_output=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines()]
    rows = re.findall(r"^\| `(\S+)` \|", (ROOT / "docs" / "packages.md").read_text(), re.MULTILINE)
    assert rows == names
    assert set(recorded(ROOT)) <= set(names) and "failed" not in json.dumps(recorded(ROOT))


def test_each_artefact_is_built_and_linked_in_every_run():
    """As far as that takes seconds, by a test that `make test` runs."""
    sys.path.insert(0, str(PACKAGING))
    import artefacts

    named = {artefact.name: artefact.tried_by for artefact in artefacts.all_artefacts()}
    assert all(named.values()), [name for name, test in named.items() if not test]
    tests = sorted({f"tests/{test.partition('[')[0]}" for test in named.values()})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *tests]
    listed = subprocess.run(command, text=True, capture_output=True, cwd=ROOT).stdout.splitlines()
    for name, test in named.items():
        assert any(f"{line}[".startswith(f"tests/{test}[") for line in listed), f"{name}: make test has no {test}"


def test_the_driver_can_be_run():
    assert os.access(PACKAGING / "build", os.X_OK)


# --- what is in the packages -----------------------------------------------------------------------------------------

KEY, HEADER, READING = b"sixteen bytes...", b"node 7", b"21.5 C, 48 %"
DEVICE = bytes.fromhex("00124b00060db56f")


def module(name: str):
    """packaging/NAME/artefact.py, as packaging/build loads it."""
    sys.path.insert(0, str(PACKAGING))
    import artefacts

    artefacts.all_artefacts()
    return sys.modules[f"artefact_{name.replace('-', '_')}"]


@pytest.fixture
def few(monkeypatch):
    """Packages of the single file get the family that their examples use, and no more to compile."""

    def packed_with(family: str, name: str):
        found = module(name)
        monkeypatch.setattr(sys.modules["firmware"], "FAMILIES", (family,))
        return found

    return packed_with


def test_the_arduino_library_is_built_for_its_board(few, tmp_path):
    arduino = few("aes_ccm", "arduino")
    if not arduino.CORE.is_dir():
        pytest.skip("arduino-core-avr is not installed")
    arduino.build(tmp_path)
    assert arduino.run(tmp_path)


# The sample's configuration, which Zephyr's tools read, is given as CMake's options here.
def zephyr_options(folder: Path) -> list[str]:
    settings = (folder / "runnel" / "samples" / "sensor" / "prj.conf").read_text().split()
    places = [f"-DMODULE={folder / 'runnel'}", f"-DAPPLICATION={folder / 'runnel' / 'samples' / 'sensor'}"]
    return [*places, *(f"-D{setting}" for setting in settings)]


@pytest.mark.parametrize("ecosystem", ["esp-idf", "zephyr"])
def test_the_example_is_built_by_the_packages_files(few, tmp_path, ecosystem):
    package = few("aes_ccm", ecosystem)
    package.pack(ecosystem, tmp_path / "runnel")
    options = zephyr_options(tmp_path) if ecosystem == "zephyr" else [f"-DCOMPONENT={tmp_path / 'runnel'}"]
    options.append("-DCMAKE_C_FLAGS=-O0 -DRUNNEL_NO_X86")  # as these systems have it, and compiled in seconds
    assert package.example_with_stubs(ecosystem, tmp_path, *options) == package.EXPECTED


def test_the_platformio_example_is_built_with_what_is_packed(few, tmp_path):
    platformio = few("ascon_aead128", "platformio")
    platformio.pack("platformio", tmp_path)
    sources = [*(tmp_path / "src").glob("*.[cS]"), tmp_path / "examples" / "sensor" / "src" / "main.c"]
    platformio.call("cc", "-O0", f"-I{tmp_path / 'src'}", *sources, "-o", tmp_path / "program")
    assert platformio.call(tmp_path / "program") == platformio.EXPECTED


def test_what_examples_print_is_what_others_compute():
    sealed = AESCCM(KEY, tag_length=8).encrypt(DEVICE + b"\0" + (1).to_bytes(4, "big"), READING, HEADER).hex()
    printed = f"{sealed}\n{READING.decode()}\n"
    assert module("zephyr").EXPECTED == module("esp-idf").EXPECTED == printed
    assert f"{sealed[:24]}\n{sealed[24:]}\n".upper() == module("arduino").EXPECTED
    ascon = runnel.aead("ascon-aead128", KEY).seal(DEVICE + bytes(7) + b"\1", READING, HEADER).hex()
    assert f"{ascon}\n{READING.decode()}\n" == module("platformio").EXPECTED


BOARD = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define __AVR__ 1
#define HEX 16
static const char *file;
static int left;   // bytes that are written before the power fails
static bool erases; // a write erases all of its bytes first, as flash does
static void eeprom_read_block(void *to, const void *from, size_t n)
{
    memset(to, 0xff, n);
    if (FILE *f = fopen(file, "rb")) {
        fseek(f, (long)(size_t)from, SEEK_SET);
        fread(to, 1, n, f);
        fclose(f);
    }
}
static void eeprom_update_block(const void *from, void *to, size_t n)
{
    FILE *f = fopen(file, "r+b");
    if (!f)
        f = fopen(file, "w+b");
    for (size_t i = 0; erases && i < n; i++) {
        fseek(f, (long)((size_t)to + i), SEEK_SET);
        fputc(0xff, f);
    }
    fseek(f, (long)(size_t)to, SEEK_SET);
    for (size_t i = 0; i < n; i++) {
        if (left-- == 0)
            exit(0);
        fputc(((const uint8_t *)from)[i], f);
    }
    fclose(f);
}
struct {
    void begin(int) {}
    template <class... T> void print(T...) {}
    template <class... T> void println(T...) {}
    void println(const char *text)
    {
        if (*text && !strchr(text, ','))
            exit(1);
    }
} Serial;
static void delay(int) {}
typedef int runnel_aes_ccm;
enum { RUNNEL_OK };
template <class... T> int runnel_aes_ccm_key(T...) { return 0; }
template <class... T> int runnel_aes_ccm_open(T...) { return 0; }
template <class... T> int runnel_aes_ccm_seal(void *, const uint8_t *nonce, T...)
{
    printf("%u\\n", (unsigned)nonce[9] << 24 | nonce[10] << 16 | nonce[11] << 8 | nonce[12]);
    return 0;
}
"""
LOOPS = """
int main(int, char **argv)
{
    file = argv[1];
    left = atoi(argv[2]);
    erases = atoi(argv[3]);
    setup();
    for (int i = 0; i < 300; i++)
        loop();
}
"""


@pytest.mark.parametrize("erases", [False, True])
def test_the_sketch_never_uses_a_number_twice(tmp_path, erases):
    """Its own code, over an EEPROM that is a file, or a flash: the power fails at each byte that is written, again and
    again."""
    text = (PACKAGING / "arduino" / "examples" / "Sensor" / "Sensor.ino").read_text()
    (tmp_path / "sketch.cc").write_text(BOARD + re.sub(r"#include <.*>", "", text) + LOOPS)
    subprocess.run(["c++", "-O1", "-w", "-o", tmp_path / "sketch", tmp_path / "sketch.cc"], check=True)

    def numbers(eeprom: str, fails: int) -> list[int]:
        command = [tmp_path / "sketch", tmp_path / eeprom, str(fails), str(int(erases))]
        return list(map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()))

    used = [number for fails in (*range(30), *range(30), 99) for number in numbers("cut", fails)]
    assert len(used) > 1000 and used == sorted(set(used))
    assert numbers("whole", 99) == [*range(1, 301)] and numbers("whole", 99) == [*range(513, 813)]


def test_what_the_sensor_prints_is_what_others_compute():
    key, nonce = b"sixteen bytes...and sixteen more", DEVICE + bytes([0, 0, 0, 1]) + bytes(4)
    lines = [
        "aes_ccm " + AESCCM(key[:16], tag_length=8).encrypt(nonce[:13], READING, HEADER).hex(),
        "ascon_aead128 " + runnel.aead("ascon-aead128", key[:16]).seal(nonce, READING, HEADER).hex(),
        "chacha20_poly1305 " + ChaCha20Poly1305(key).encrypt(nonce[:12], READING, HEADER).hex(),
        "all opened, all copies refused",
        "done",
    ]
    assert (PACKAGING / "sensor" / "expected.txt").read_text().splitlines() == lines


def test_arduino_properties():
    """The fields that the IDE and the library manager ask for, one a line."""
    text = (PACKAGING / "arduino" / "library.properties").read_text()
    fields = dict(line.split("=", 1) for line in text.splitlines())
    wanted = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "architectures"}
    assert wanted <= fields.keys() and all(fields[name].strip() for name in wanted)
    assert fields["category"] == "Data Processing" and re.fullmatch(r"[A-Za-z0-9][\w .-]{0,62}", fields["name"])
    assert fields["includes"] == "runnel.h"


def test_platformio_manifest():
    manifest = json.loads((PACKAGING / "platformio" / "library.json").read_text())
    assert manifest["license"] == "Apache-2.0 OR MIT" and manifest["headers"] == "runnel.h"
    for example in manifest["examples"]:
        for file in example["files"]:
            assert (PACKAGING / "platformio" / example["base"] / file).is_file()


def test_zephyr_module_names_what_is_there():
    text = (PACKAGING / "zephyr" / "zephyr" / "module.yml").read_text()
    assert "cmake: ." in text and "kconfig: Kconfig" in text
    defined = set(re.findall(r"^config (\w+)$", (PACKAGING / "zephyr" / "Kconfig").read_text(), re.MULTILINE))
    used = set(re.findall(r"CONFIG_(\w+)", (PACKAGING / "zephyr" / "CMakeLists.txt").read_text()))
    used |= set(re.findall(r"CONFIG_(\w+)", (PACKAGING / "zephyr" / "samples" / "sensor" / "prj.conf").read_text()))
    assert used == defined


@pytest.mark.parametrize("example", ["zephyr/samples/sensor/src/main.c", "platformio/examples/sensor/src/main.c"])
def test_examples_compile_without_a_warning(tmp_path, example):
    """With the library's own headers."""
    strict = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
    includes = [f"-I{BUILD / 'generated'}", f"-I{BUILD / 'generated' / 'runnel'}", f"-I{ROOT / 'include'}"]
    includes.append(f"-I{ROOT / 'include' / 'runnel'}")
    done = subprocess.run(["cc", *strict, *includes, PACKAGING / example], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
