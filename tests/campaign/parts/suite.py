# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Everything that `make test` samples: more compilers and kernels, forty times the repetitions, Ray.

It takes what it takes, whatever the hours; a run that was stopped begins anew."""

import os
import re
import subprocess
import sys

from c_programs import ROOT

from campaign.work import Work

GOALS = ("G3", "G4", "G5", "G7", "G8", "G13", "G14", "G16", "G20", "G21", "G26")

# Runs of pytest, in order; the first is everything that is marked.
ASKED = (
    ("-m", "campaign", "--ignore-glob", "store/tests/test_store_ray*.py"),
    ("tests/test_c_properties.py", "tests/test_srtp.py", "tests/test_c_cross.py", "tests/test_includes.py"),
)


def run(work: Work) -> None:
    environment = {**os.environ, "RUNNEL_TEST_SEED": str(work.seed), "RUNNEL_BUILD_DIR": str(work.build)}
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "--campaign"]
    for asked in ASKED:
        done = subprocess.run(
            [*pytest, *asked], cwd=ROOT, env=environment, check=False, stdout=subprocess.PIPE, text=True
        )
        print(done.stdout)
        passed = re.search(r"(\d+) passed", done.stdout)
        failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        work.add("tests", int(passed.group(1)) if passed else 0, "tests", len(failed))
        for name in failed:
            work.finding(f"{name} fails with RUNNEL_TEST_SEED={work.seed}")
        if done.returncode and not failed:
            work.finding(f"pytest {' '.join(asked)} ended with status {done.returncode}")
    done = subprocess.run(["make", "--no-print-directory", "test-ray"], cwd=ROOT, check=False)
    if done.returncode:
        work.finding("make test-ray fails")
