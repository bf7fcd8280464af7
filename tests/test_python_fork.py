# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A fork while another thread imports what the package loads late: the child can use all of it."""

from __future__ import annotations

import subprocess
import sys

import pytest
import runnel

# The import of sys.argv[1] takes half a second, in which there is the time to fork.
SLOW = """
import importlib.util, os, signal, sys, threading, time
import runnel, runnel._names, runnel_store.stores

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name != sys.argv[1]:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module
        def slowly(module):
            begun.set()
            time.sleep(0.5)
            execute(module)
        spec.loader.exec_module = slowly
        return spec

begun = threading.Event()
sys.meta_path.insert(0, Slow())
use = eval("lambda: " + sys.argv[2])
thread = threading.Thread(target=use)
thread.start()
assert begun.wait(20), "it had been imported before"

def child():
    signal.alarm(60)  # which ends one that waits for ever
    use()
"""
FORK = """
number = os.fork()
if number == 0:
    child()
    os._exit(0)
status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
"""
MULTIPROCESSING = """
import multiprocessing
process = multiprocessing.get_context("fork").Process(target=child)
process.start()
process.join()
status = process.exitcode
"""
END = """
thread.join()
use()  # here it works on
print("the child", "waits for ever" if status == -signal.SIGALRM else f"ended with {status}")
"""
STORE = "runnel_store.stores.need('obstore', 'store')"
USES = {
    **{name: (f"runnel.{module}", f"runnel.{name}") for name, module in runnel._LATER.items()},
    "NonceCounter.save": ("json", "runnel.NonceCounter().save()"),
    "NonceCounter.restore": ("json", 'runnel.NonceCounter.restore(\'{"fixed": "", "nonce_bytes": 12, "number": 1}\')'),
    "a name that is not known": ("difflib", "runnel._names.closest('aes-128-crt', runnel.ciphers())"),
    "a library of the store": ("obstore", STORE),
}


def after(fork: str, module: str, use: str) -> str:
    done = subprocess.run(
        [sys.executable, "-Wignore", "-c", SLOW + fork + END, module, use], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", USES)
def test_a_fork_waits_for_an_import_of_another_thread(name):
    assert after(FORK, *USES[name]) == "the child ended with 0\n"


@pytest.mark.parametrize("name", ["Keyset", "encrypt_file"])
def test_a_process_of_multiprocessing_too(name):
    assert after(MULTIPROCESSING, *USES[name]) == "the child ended with 0\n"


def test_an_import_may_fork():
    """The thread that forks within an import has the lock already, and its child continues with the import."""
    code = """
import os, sys
import runnel.imports

class Forking:
    def find_spec(self, name, path=None, target=None):
        if name == "runnel.sealed.keyset":
            sys.meta_path.remove(self)
            numbers.append(os.fork())

numbers = []
sys.meta_path.insert(0, Forking())
runnel.Keyset.generate()
if numbers[0]:
    status = os.waitpid(numbers[0], 0)[1]
    assert os.fork() or os._exit(bool(runnel.Keyset.generate() is None))
    print(status, os.wait()[1])
"""
    done = subprocess.run([sys.executable, "-Wignore", "-c", code], capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("0 0\n", "")


def test_a_fork_does_not_wait_for_ever_for_an_import_that_waits_for_it(monkeypatch):
    """As where another library holds, while this one forks, a lock that the import needs."""
    code = """
import os, threading
from runnel import imports
imports._FORK_WAITS = 0.2
begun, end = threading.Event(), threading.Event()
def work():
    with imports._lock:
        begun.set()
        end.wait()
thread = threading.Thread(target=work)
thread.start()
begun.wait()
number = os.fork()
if number == 0:
    import runnel
    runnel.Keyset
    os._exit(os.fork() and os.wait()[1])  # a child of the child as well
end.set()
thread.join()
import runnel
runnel.Keyset
print(os.waitpid(number, 0)[1], imports._forking)
"""
    done = subprocess.run([sys.executable, "-Wignore", "-c", code], capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("0 set()\n", "")


def test_threads_that_use_every_name_while_others_fork():
    """Real imports, at whatever moment the fork meets them."""
    code = """
import os, random, signal, sys, threading, time
import runnel
names = sys.argv[1:]
def use():
    for name in random.sample(names, len(names)):
        getattr(runnel, name)
threads = [threading.Thread(target=use) for _ in range(3)]
numbers = []
for thread in threads:
    thread.start()
busy = True
while busy:
    busy = any(thread.is_alive() for thread in threads)
    number = os.fork()
    if number == 0:
        signal.alarm(60)
        use()
        os._exit(0)
    numbers.append(number)
    time.sleep(random.uniform(0, 0.02))
print({os.waitpid(number, 0)[1] for number in numbers})
"""
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-Wignore", "-c", code, *runnel._LATER], capture_output=True, text=True, timeout=100
        )
        assert (done.stdout, done.stderr) == ("{0}\n", "")


def test_no_module_asks_for_what_is_loaded_late_while_it_is_loaded():
    """It would wait, with its own import unfinished, for the thread that imports what is asked for, and that for it."""
    code = """
import importlib, pkgutil
import runnel
late = runnel.__getattr__
def asked(name):
    if name in runnel._LATER:
        print(name)
    return late(name)
runnel.__getattr__ = asked
for each in pkgutil.walk_packages(runnel.__path__, "runnel."):
    if each.name != "runnel.__main__":
        try:
            importlib.import_module(each.name)
        except Exception as error:
            assert "not installed" in str(error) or "No module named" in str(error), error
"""
    done = subprocess.run([sys.executable, "-Wignore", "-c", code], capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("", "")
