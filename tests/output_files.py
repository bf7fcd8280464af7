# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared by tests of outputs."""

import os
import stat

from runnel.inputs import Inputs
from runnel.output import OutputFile


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def write(path, data=b"new", **options):
    with OutputFile(path, inputs=Inputs(), **options) as out:
        os.write(out.fileno(), data)
        out.commit()
