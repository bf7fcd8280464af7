# SPDX-License-Identifier: Apache-2.0 OR MIT
"""check.py MODULE: reads the module's descriptions as Zephyr's tools do, and prints the sample's configuration as options
of CMake, one a line. Status 1 with a line for what is wrong."""

import os
import sys
from pathlib import Path

import kconfiglib
import yaml

module = Path(sys.argv[1])
described = yaml.safe_load((module / "zephyr" / "module.yml").read_text())
build = described["build"]
for what in (module / build["cmake"] / "CMakeLists.txt", module / build["kconfig"]):
    if not what.is_file():
        sys.exit(f"module.yml names {what}, which is not there")
for sample in described["samples"]:
    for file in (module / sample).rglob("sample.yaml"):
        yaml.safe_load(file.read_text())["tests"]

os.environ["CONFIG_"] = "CONFIG_"
configuration = kconfiglib.Kconfig(str(module / build["kconfig"]), warn_to_stderr=False)
configuration.load_config(str(module / "samples" / "sensor" / "prj.conf"))
if configuration.warnings:
    sys.exit("\n".join(configuration.warnings))
for symbol in configuration.unique_defined_syms:
    print(f"-DCONFIG_{symbol.name}={symbol.str_value}")
