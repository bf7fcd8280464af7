# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs under test are to hear the signals that are sent to them, also where the tests themselves run in the
background or under nohup and have inherited that these are ignored."""
import signal

for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
