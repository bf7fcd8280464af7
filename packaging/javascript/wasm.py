# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The WebAssembly module, by clang and its linker alone: no C library, no imports, no JavaScript of a tool. And the npm
package around it, as a folder and packed."""

from __future__ import annotations

import base64
import gzip
import io
import json
import shutil
import tarfile
from collections.abc import Iterable
from pathlib import Path

from artefacts import ROOT, call

HERE = Path(__file__).resolve().parent
COMPILER, LINKER = "clang-19", "wasm-ld-19"
# The knobs of a host: there is memory, and kernels with tables are used only when asked for.
OPTIONS = (
    "--target=wasm32",
    "-mbulk-memory",
    "-DRUNNEL_HOSTED=1",
    *("-std=c11", "-O2", "-ffreestanding", "-Wall", "-Wextra", "-Werror"),
)
VECTORS = ("-msimd128",)
STACK = 65536
EXPORTS = (
    *("cipher_at", "cipher_find", "cipher_key", "aead_at", "aead_find", "aead_key", "aead_kernel"),
    *("aead_seal", "aead_open", "aead_wipe", "stream_iv", "stream_xor", "stream_encrypt", "stream_decrypt"),
    *("stream_seek", "stream_tell", "stream_left", "stream_kernel", "stream_wipe"),
    *("error_text", "layout_find", "layout_name"),
)
FILES = (
    *("index.js", "node.js", "inline.js", "index.d.ts", "inline.d.ts", "README.md"),
    *("load.js", "api.js", "module.js", "bytes.js", "heap.js", "errors.js"),
)


def compile_module(work: Path, families: Iterable[str], module: Path, vectors: Iterable[str] = VECTORS) -> None:
    """work: for the single file and objects."""
    call(ROOT / "tools" / "amalgamate", "-o", work, *families)
    objects = []
    for source in (work / "runnel.c", HERE / "module" / "module.c"):
        objects.append(work / f"{source.stem}.o")
        call(COMPILER, *OPTIONS, *vectors, f"-I{HERE / 'module'}", f"-I{work}", "-c", source, "-o", objects[-1])
    # The stack lies lowest, so that one that is too deep ends the program and overwrites nothing.
    exported = [f"--export=runnel_{name}" for name in EXPORTS] + ["--export=__heap_base"]
    call(
        LINKER,
        "--no-entry",
        "--stack-first",
        "-z",
        f"stack-size={STACK}",
        "--strip-all",
        *exported,
        *objects,
        "-o",
        module,
    )


def make_package(folder: Path, work: Path, families: Iterable[str]) -> None:
    """Fills a folder with what the npm package has."""
    folder.mkdir(parents=True)
    work.mkdir(parents=True, exist_ok=True)
    compile_module(work, families, folder / "runnel.wasm")
    (folder / "runnel.wasm.js").write_text(in_script((folder / "runnel.wasm").read_bytes()))
    for name in FILES:
        shutil.copy(HERE / name, folder)
    for licence in sorted((ROOT / "LICENSES").iterdir()):
        shutil.copy(licence, folder / f"LICENSE-{licence.stem}")
    manifest = json.loads((HERE / "package.json").read_text())
    manifest["version"] = (ROOT / "VERSION").read_text().strip()
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")


def in_script(module: bytes) -> str:
    """Return the source text of a script that exports a module's bytes in Base64, as `text`."""
    licence = "// SPDX-License-Identifier: Apache-2.0 OR MIT"
    return f'{licence}\nexport const text =\n  "{base64.b64encode(module).decode()}";\n'


def pack(folder: Path, file: Path) -> None:
    """Pack the folder as npm does: everything under package/, of no date and no owner."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(folder.iterdir()):
            info = tarfile.TarInfo(f"package/{path.name}")
            info.size, info.mode, info.mtime = path.stat().st_size, 0o644, 499162500
            tar.addfile(info, io.BytesIO(path.read_bytes()))
    file.write_bytes(gzip.compress(buffer.getvalue(), mtime=0))
