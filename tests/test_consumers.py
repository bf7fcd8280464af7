# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packaging: the library as others find, link and read it. RUNNEL_BUILD_DIR names the build directory, default build/."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from c_programs import BUILD, CLANG, build, jobs

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import public_headers

CONSUMERS = ROOT / "tests" / "consumers"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*command: str | Path, **options) -> str:
    done = subprocess.run(
        [str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options
    )
    if done.returncode != 0:
        pytest.fail(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-8000:]}", pytrace=False)
    return done.stdout


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Give a folder that make fills once a test run, also with several workers."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with open(shared / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = shared / name
        if not (folder / ".done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / ".done").touch()
    return folder


def install(build: Path, prefix: Path) -> None:
    run("cmake", "--install", build, "--prefix", prefix)


@pytest.fixture(scope="module")
def moved(tmp_path_factory) -> Path:
    """Install the library and return its prefix, moved to another folder after it was installed."""

    def make(folder: Path) -> None:
        install(BUILD, folder / "first")
        (folder / "first").rename(folder / "moved here")

    return once(tmp_path_factory, "installed", make) / "moved here"


@pytest.fixture(scope="module")
def embedding(tmp_path_factory) -> Path:
    """Build a project that has the library as a part, without memory for prefix tables, and without optimisation. It has a
    unity build, and errors for warnings that the library does without."""

    def make(folder: Path) -> None:
        options = [f"-DRUNNEL_SOURCE={ROOT}", "-DRUNNEL_PREFIX=0", "-DRUNNEL_INSTALL=ON", "-DCMAKE_BUILD_TYPE=Debug"]
        options += ["-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_C_FLAGS=-g0 -Wconversion -Wsign-conversion -Werror"]
        run("cmake", "-S", CONSUMERS / "cmake", "-B", folder, *options)
        run("cmake", "--build", folder, "-j", str(jobs()))

    return once(tmp_path_factory, "embedding", make)


@pytest.fixture(scope="module")
def without_prefix_tables(embedding) -> Path:
    """Return the prefix where the library of that project was installed."""
    install(embedding / "runnel", embedding / "prefix")
    return embedding / "prefix"


def library_folder(prefix: Path) -> Path:
    return next(prefix.glob("**/librunnel.a")).parent


def programs_pass(build: Path) -> None:
    output = run("ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error")
    assert "100% tests passed" in output


# --- as a dependency -------------------------------------------------------------------------------------------------


def test_find_package(moved, tmp_path):
    run("cmake", "-S", CONSUMERS / "cmake", "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={moved}")
    assert str(moved) in (tmp_path / "CMakeCache.txt").read_text()
    run("cmake", "--build", tmp_path)
    programs_pass(tmp_path)


def test_add_subdirectory_configures_the_library_only(tmp_path):
    run("cmake", "-S", CONSUMERS / "cmake", "-B", tmp_path, f"-DRUNNEL_SOURCE={ROOT}")
    assert {entry.name for entry in (tmp_path / "runnel").iterdir()}.isdisjoint({"tests", "bench", "python"})


PARENT = """\
cmake_minimum_required(VERSION 3.21)
project(parent LANGUAGES CXX)
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_subdirectory("{source}" runnel)
foreach(name CMAKE_BUILD_TYPE CMAKE_C_STANDARD CMAKE_C_EXTENSIONS BUILD_SHARED_LIBS BUILD_TESTING CMAKE_UNITY_BUILD)
  message("${{name}}=${{${{name}}}}")
endforeach()
get_directory_property(targets BUILDSYSTEM_TARGETS)
get_directory_property(options COMPILE_OPTIONS)
get_directory_property(tests DIRECTORY "{source}" TESTS)
message("own: ${{targets}} ${{options}} ${{tests}}")
install(FILES CMakeLists.txt DESTINATION of-the-parent)
"""


@pytest.fixture(scope="module")
def parent(tmp_path_factory) -> Path:
    """Configure a project with the library in it, and return what it writes into configure.txt."""

    def make(folder: Path) -> None:
        (folder / "CMakeLists.txt").write_text(PARENT.format(source=ROOT))
        output = run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja")
        (folder / "configure.txt").write_text(output)

    return once(tmp_path_factory, "parent", make)


def test_a_parent_keeps_its_settings(parent):
    settings = dict(
        line.split("=", 1) for line in re.findall(r"^\w+=.*$", (parent / "configure.txt").read_text(), re.M)
    )
    assert settings.pop("CMAKE_UNITY_BUILD") == "ON"
    assert set(settings.values()) == {""}
    assert re.search(r"^own: +$", (parent / "configure.txt").read_text(), re.MULTILINE)


def test_the_files_of_a_parent_with_a_unity_build_are_compiled_one_by_one(parent):
    compiled = json.loads((parent / "build" / "compile_commands.json").read_text())
    assert len(compiled) > 100
    assert all(Path(entry["file"]).is_relative_to(ROOT) for entry in compiled)


def test_a_parent_installs_nothing_of_the_library(parent, tmp_path):
    """It would have to be built first. RUNNEL_INSTALL=ON has it installed, as `without_prefix_tables` is."""
    install(parent / "build", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["of-the-parent"]


@pytest.mark.builds
@pytest.mark.campaign
def test_add_subdirectory(embedding):
    programs_pass(embedding)
    assert {entry.name for entry in (embedding / "runnel").iterdir()}.isdisjoint({"tests", "bench", "python"})


def test_pkg_config(moved, tmp_path):
    environment = os.environ | {"PKG_CONFIG_PATH": str(library_folder(moved) / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "runnel", env=environment)
    assert "first" not in flags, "the place it was first installed to is written in"
    version = run("pkg-config", "--modversion", "runnel", env=environment).strip()
    assert version == (ROOT / "VERSION").read_text().split()[0]
    plain = moved.parent / "moved-without-blanks"
    if not plain.exists():
        plain.symlink_to(moved, target_is_directory=True)
    environment["PKG_CONFIG_PATH"] = str(library_folder(plain) / "pkgconfig")
    run("make", "-f", CONSUMERS / "pkg-config" / "Makefile", cwd=tmp_path, env=environment)
    run(tmp_path / "shared")
    run(tmp_path / "static")
    assert "librunnel.so" in run("readelf", "-d", tmp_path / "shared")
    assert "librunnel.so" not in run("readelf", "-d", tmp_path / "static")


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    """Return a source of one MAC, which compiles in no time."""
    folder = tmp_path_factory.mktemp("small")
    run(ROOT / "tools" / "amalgamate", "-o", folder, "siphash")
    return folder


@pytest.mark.parametrize(
    "library, headers", [("lib/here", "include/there"), ("lib", "{}/of headers"), ("{}/libraries", "{}/headers")]
)
def test_folders_of_a_distribution(small, tmp_path, library, headers):
    """Others below the prefix, or absolute paths, as Nix and Guix give them."""
    library, headers = library.format(tmp_path), headers.format(tmp_path)
    project = 'cmake_minimum_required(VERSION 3.21)\nproject(all LANGUAGES C ASM)\nadd_subdirectory("{}" runnel)\n'
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "CMakeLists.txt").write_text(project.format(ROOT))
    folders = [f"-DCMAKE_INSTALL_LIBDIR={library}", f"-DCMAKE_INSTALL_INCLUDEDIR={headers}"]
    options = [f"-DRUNNEL_SINGLE_FILE={small}", f"-DCMAKE_INSTALL_PREFIX={tmp_path / 'prefix'}", "-DRUNNEL_INSTALL=ON"]
    options += folders
    run("cmake", "-S", tmp_path / "all", "-B", tmp_path / "build", "-DCMAKE_BUILD_TYPE=Debug", *options)
    run("cmake", "--build", tmp_path / "build")
    run("cmake", "--install", tmp_path / "build")
    pc = tmp_path / "prefix" / library / "pkgconfig"  # an absolute path takes the place of the prefix
    environment = os.environ | {"PKG_CONFIG_PATH": str(pc), "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1"}
    for variable, folder in (("libdir", library), ("includedir", headers)):
        reported = run("pkg-config", f"--variable={variable}", "runnel", env=environment).strip().replace("\\", "")
        assert Path(reported).resolve() == tmp_path / "prefix" / folder
    user = tmp_path / "user"
    user.mkdir()
    (user / "main.c").write_text(
        "#include <runnel/siphash.h>\nint main(void)\n{\n    runnel_siphash c;\n"
        "    return runnel_siphash_key(&c, (const uint8_t[16]){0}, 16);\n}\n"
    )
    (user / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(user LANGUAGES C)\nfind_package(runnel REQUIRED)\n"
        "add_executable(user main.c)\ntarget_link_libraries(user runnel::runnel)\n"
    )
    found = f"-Drunnel_DIR={pc.parent / 'cmake' / 'runnel'}"
    run("cmake", "-S", user, "-B", user / "build", found)
    run("cmake", "--build", user / "build")
    run(user / "build" / "user")


# Warnings that a project may turn on for its own files; to a compiler, headers found by -I are such.
PICKY = ["-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wundef", "-Wcast-align", "-Wcast-qual"]
PICKY_CXX = ["-Wold-style-cast", "-Wzero-as-null-pointer-constant", "-Wextra-semi"]  # casts: only clang, in extern "C"
STANDARDS = [
    *(("c++", standard, [*PICKY_CXX, "-Wuseless-cast"]) for standard in ("c++11", "c++17", "c++20")),
    *(("clang++-19", standard, PICKY_CXX) for standard in ("c++11", "c++20")),
    *(("cc", "c11", []), ("clang-19", "gnu17", [])),
]


@pytest.mark.parametrize("compiler, standard, more", STANDARDS)
def test_each_header_by_itself(moved, tmp_path, compiler, standard, more):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    headers = sorted((moved / "include" / "runnel").glob("*.h"))
    ciphers = {folder.name for folder in (ROOT / "src" / "ciphers").iterdir() if (folder / f"{folder.name}.c").exists()}
    assert {header.stem for header in headers} >= ciphers | {"runnel", "cipher", "stream", "verbs", "cpu", "config"}
    suffix = "cc" if more else "c"
    sources = []
    for header in headers:
        source = tmp_path / f"{header.stem}.{suffix}"
        source.write_text(f"#include <runnel/{header.name}>\n#include <runnel/{header.name}>\nextern int nothing;\n")
        sources.append(source)
    run(compiler, f"-std={standard}", *STRICT, *PICKY, *more, "-fsyntax-only", f"-I{moved}/include", *sources)


# --- knobs and compilers ---------------------------------------------------------------------------------------------


FIXED = re.compile(r"^#if defined\((RUNNEL_\w+)\) && \1 != (.*)$", re.MULTILINE)
UNSET = re.compile(r"^#ifdef (RUNNEL_\w+)\n#error", re.MULTILINE)


def config(prefix: Path) -> str:
    return (prefix / "include" / "runnel" / "config.h").read_text()


def sizes(prefix: Path, folder: Path, *options: str) -> str:
    """Compile and run a program with these options. Return the families whose descriptors say another size of the context
    than the headers have, or what the compiler printed."""
    headers = (prefix / "include" / "runnel").glob("*.h")
    contexts = sorted(
        {name for header in headers for name in re.findall(r"^\} runnel_(\w+);", header.read_text(), re.M)}
    )
    rows = "".join(f'    check("{name}", sizeof(runnel_{name}));\n' for name in contexts)
    loops = "".join(
        f"    for (const runnel_{kind} *c; (c = runnel_{kind}_at(i)) != NULL; i++)\n"
        "        if (strcmp(c->family, name) == 0 && ++known && c->context_bytes != bytes)\n"
        '            wrong++, printf("%s ", c->name);\n'
        "    i = 0;\n"
        for kind in ("cipher", "aead")
    )
    (folder / "sizes.c").write_text(
        "#include <runnel/runnel.h>\n#include <stdio.h>\n#include <string.h>\nstatic int known, wrong;\n"
        f"static void check(const char *name, size_t bytes)\n{{\n    size_t i = 0;\n{loops}}}\n"
        f"int main(void)\n{{\n{rows}    return known < 30 || wrong;\n}}\n"
    )
    command = ["cc", "-std=c11", *STRICT, *options, f"-I{prefix}/include", folder / "sizes.c", "-o", folder / "sizes"]
    done = subprocess.run([*command, library_folder(prefix) / "librunnel.a"], text=True, capture_output=True)
    if done.returncode == 0:
        done = subprocess.run([folder / "sizes"], text=True, capture_output=True)
    return done.stdout + done.stderr if done.returncode else ""


def test_contexts_are_as_large_as_the_library_says(moved, tmp_path):
    assert sizes(moved, tmp_path) == ""


def test_every_knob_is_fixed_in_installed_headers(moved):
    """All macros that a header of the source takes from the command line, and those that name a kernel."""
    headers = [*(ROOT / "include" / "runnel").glob("*.h"), *(ROOT / "src").glob("*/*/*.h")]
    named = [path for path in headers if path.parent.name in ("runnel", path.stem)]
    knobs = {name for path in named for name in re.findall(r"^#ifndef (RUNNEL_\w+)$", path.read_text(), re.MULTILINE)}
    knobs = {name for name in knobs if not name.endswith("_H")} - {"RUNNEL_IN_FLASH"}  # no number
    knobs |= {f"RUNNEL_{path.parent.name.upper()}_KERNEL" for path in (ROOT / "src").glob("*/*/kernels.inc")}
    text = config(moved)
    assert len(knobs) > 40
    assert {name for name, _ in FIXED.findall(text)} | set(UNSET.findall(text)) == knobs


@pytest.mark.parametrize("compiler", ["cc", "c++"])
def test_another_value_than_the_librarys_is_refused(moved, tmp_path, compiler):
    text = config(moved)
    (tmp_path / "user.c").write_text("#include <runnel/aes.h>\n")
    command = [compiler, "-fsyntax-only", f"-I{moved}/include", tmp_path / "user.c"]
    for knob, value in FIXED.findall(text):
        run(*command, f"-D{knob}={value}")
        done = subprocess.run([*command, f"-D{knob}={value}+1"], text=True, capture_output=True)
        assert done.returncode != 0 and f'#error "the library was built with {knob}={value}"' in done.stderr
    for knob in UNSET.findall(text):
        done = subprocess.run([*command, f"-D{knob}=2"], text=True, capture_output=True)
        assert done.returncode != 0 and f'#error "the library was built without {knob}"' in done.stderr


@pytest.mark.parametrize("option", ["-DRUNNEL_PREFIX=0", "-DRUNNEL_HOSTED=0", "-DRUNNEL_COUNT_BITS=32"])
def test_no_program_is_built_with_contexts_of_other_sizes(moved, tmp_path, option):
    assert "#error" in sizes(moved, tmp_path, option)


def test_headers_are_the_same_for_all_processors_of_a_distribution(moved, tmp_path):
    """Debian has one /usr/include for libraries of several."""
    if shutil.which("i686-linux-gnu-gcc") is None:
        pytest.skip("i686-linux-gnu-gcc is not installed")
    options = [f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'i686-linux-gnu.cmake'}", "-DRUNNEL_HISTORIC=ON"]
    run("cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DRUNNEL_HARDEN=OFF", *options)
    assert (tmp_path / "generated" / "runnel" / "config.h").read_text() == config(moved)


def test_knobs_on_the_compilers_command_line_are_those_of_the_headers(tmp_path):
    """And one that CMake did not see stops the library's build."""
    knobs = "-DRUNNEL_STACK_BYTES=4096 -DRUNNEL_COUNT_BITS=32"
    run("cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DRUNNEL_HARDEN=OFF", f"-DCMAKE_C_FLAGS={knobs}")
    fixed = dict(FIXED.findall((tmp_path / "generated" / "runnel" / "config.h").read_text()))
    assert fixed["RUNNEL_STACK_BYTES"] == "4096" and fixed["RUNNEL_COUNT_BITS"] == "32"
    command = ["cc", "-fsyntax-only", f"-I{tmp_path}/generated", f"-I{ROOT}/include", f"-I{ROOT}/src"]
    run(*command, *knobs.split(), ROOT / "src" / "core" / "error.c")
    done = subprocess.run([*command, "-DRUNNEL_COUNT_BITS=64", ROOT / "src" / "core" / "error.c"], capture_output=True)
    assert done.returncode != 0 and b'#error "the library was built with RUNNEL_COUNT_BITS=32"' in done.stderr


@pytest.mark.builds
@pytest.mark.campaign
def test_installed_headers_say_how_the_library_was_built(moved, without_prefix_tables, tmp_path):
    assert dict(FIXED.findall(config(without_prefix_tables)))["RUNNEL_PREFIX"] == "0"
    assert dict(FIXED.findall(config(moved)))["RUNNEL_PREFIX"] == "1"
    assert sizes(without_prefix_tables, tmp_path) == ""


def compile_and_run(prefix: Path, folder: Path, *options: str) -> None:
    run(
        "cc",
        "-std=c11",
        *STRICT,
        *options,
        f"-I{prefix}/include",
        CONSUMERS / "program.c",
        "-o",
        folder / "program",
        library_folder(prefix) / "librunnel.a",
    )
    run(folder / "program")


@pytest.mark.builds
@pytest.mark.campaign
def test_without_prefix_tables_the_bytes_are_right(without_prefix_tables, tmp_path):
    compile_and_run(without_prefix_tables, tmp_path)


@pytest.mark.builds
@pytest.mark.campaign
def test_clang_builds_without_warnings(tmp_path):
    if not shutil.which("clang-19"):
        pytest.skip("clang-19 is not installed")
    tests = build(BUILD / "clang", *CLANG, target="runnel-secrets")  # the build that valgrind watches
    run("cmake", "--build", tests.parent, "--target", "runnel_static", "runnel_shared")
    install(tests.parent, tmp_path / "prefix")
    compile_and_run(tmp_path / "prefix", tmp_path)


# --- what is in the libraries ----------------------------------------------------------------------------------------


def test_exported_symbols_begin_with_runnel(moved):
    lines = run("nm", "-D", "--defined-only", library_folder(moved) / "librunnel.so").splitlines()
    names = {line.split()[-1] for line in lines}
    assert len(names) > 50
    assert not {name for name in names if not name.startswith("runnel_")}


def test_static_symbols_begin_with_runnel(moved):
    lines = run("nm", "-g", "--defined-only", library_folder(moved) / "librunnel.a").splitlines()
    names = {line.split()[-1] for line in lines if len(line.split()) == 3}
    assert len(names) > 50
    assert not {name for name in names if not name.startswith("runnel_")}


def test_no_writable_data_but_the_cpu_feature_word(moved):
    table = run("objdump", "-t", library_folder(moved) / "librunnel.a")
    writable = re.compile(r"^\S+ .{7} (\*COM\*|\.t?(?:data|bss)\S*)\t(\S+) +(?:\.hidden )?(\S+)$", re.MULTILINE)
    found = {
        name
        for section, size, name in writable.findall(table)
        if int(size, 16) > 0 and not section.startswith(".data.rel.ro")
    }
    assert found == {"cpu_features"}


def test_installed_headers_have_the_prototypes_written_out(moved):
    """As the tools read them, and each function is named in the source's header too, where grep finds it."""
    seen = 0
    for source in sorted((ROOT / "src").glob("*/*/*.h")):
        installed = moved / "include" / "runnel" / source.name
        if source.stem == source.parent.name and installed.exists():
            text = installed.read_text()
            assert text == public_headers.text_of(source) and "RUNNEL_FAMILY" not in text
            declared = set(re.findall(r"\b(runnel_\w+)\([^)]*\);", text))
            assert declared <= set(re.findall(r"\w+", source.read_text())), source
            seen += len(declared)
    assert seen > 600
