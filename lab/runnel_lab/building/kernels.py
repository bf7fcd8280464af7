# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which kernels there are for a target: the rows of all kernels.inc, through the target's preprocessor at once."""

from __future__ import annotations

import re
import subprocess
from functools import lru_cache
from pathlib import Path

from runnel_lab import LabError
from runnel_lab.subjects import Cipher, folder_of
from runnel_lab.targets import Target


def kernels(target: Target, cipher: Cipher) -> list[str]:
    """Return the names of the kernels that exist for the target and are measured there."""
    folder = folder_of(target.tree, cipher)
    names = kernels_in(target, folder)
    return [name for name in names if not target.kernels or f"{folder.name}/{name}" in target.kernels]


def kernels_in(target: Target, folder: Path) -> list[str]:
    """Return the same of any folder that has a list, whatever the target measures."""
    compiler = (target.compiler, *(flag for flag in target.expand(target.flags) if not flag.startswith("-DLAB_")))
    return _listed(target.tree, compiler).get(folder, [])


@lru_cache
def _listed(tree: Path, compiler: tuple[str, ...]) -> dict[Path, list[str]]:
    """Return the kernels of every folder of src/: a row says where it exists by a macro that is 1 there."""
    folders = sorted(file.parent for file in (tree / "src").glob("*/*/kernels.inc"))
    lines = ['#include "core/define.h"']
    for number, folder in enumerate(folders):
        if (folder / "kernels.h").exists():  # which may define such macros
            lines.append(f'#include "{folder.relative_to(tree / "src")}/kernels.h"')
        lines += ["#undef KERNEL", "#undef PAPER", "#undef BATCH", "#define BATCH(on, name)"]
        lines += [f"#define {kind}(on, name) listed {number} on name" for kind in ("KERNEL", "PAPER")]
        lines.append(f'#include "{folder / "kernels.inc"}"')
    places = [tree / "include", tree / "src", *folders]
    command = [*compiler, "-std=c11", "-w", "-E", "-P", *(f"-I{place}" for place in places)]
    try:
        done = subprocess.run([*command, "-x", "c", "-"], input="\n".join(lines) + "\n", text=True, capture_output=True)
    except OSError as error:
        raise LabError(f"{compiler[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise LabError(f"{compiler[0]}: {done.stderr.strip().splitlines()[0]}")
    found: dict[Path, list[str]] = {folder: [] for folder in folders}
    for number, name in re.findall(r"\blisted (\d+) 1 (\w+)", done.stdout):
        found[folders[int(number)]].append(name.replace("_", "-"))
    return {folder: sorted(names) for folder, names in found.items()}
