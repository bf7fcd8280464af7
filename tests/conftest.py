# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs under test are to hear the signals that are sent to them, also where the tests themselves run in the
background or under nohup and have inherited that these are ignored."""
import atexit
import os
import shutil
import signal
import tempfile

for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

# The measured programs' objects are shared by all workers; the first process makes the folder, and removes it.
if "RUNNEL_LAB_OBJECTS" not in os.environ:
    OBJECTS = tempfile.mkdtemp(prefix="runnel-objects-")
    os.environ["RUNNEL_LAB_OBJECTS"] = OBJECTS
    atexit.register(shutil.rmtree, OBJECTS, ignore_errors=True)
