# SPDX-License-Identifier: Apache-2.0 OR MIT
"""For the tests of all products. Refuses files without a test, checks the skips of a full run (skips.py), selects
tests by cipher and kernel (selection.py), leaves some to other targets (left_to.py), and says what each part of a run cost
(costs.py).

Programs under test are to hear the signals that are sent to them, also where the tests themselves run in the background
or under nohup and have inherited that these are ignored."""

import signal
from pathlib import Path

import costs
import left_to
import pytest
import selection
import skips

for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def everything_was_asked_for(config) -> bool:
    """Tell whether no test was deselected by an option, a path or a name: all folders of tests, or the whole tree."""
    asked = {Path(config.invocation_params.dir, argument).resolve() for argument in config.args}
    narrowing = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "stepwise", "collectonly", "maxfail")
    narrowing += ("cipher", "kernel", "campaign")
    everything = {config.rootpath / folder for folder in config.getini("testpaths")}
    return (config.rootpath in asked or everything <= asked) and not any(
        config.getoption(name, None) for name in narrowing
    )


class Judge:
    """Sees every report, those of other workers too."""

    def __init__(self) -> None:
        self.skipped: dict[str, str] = {}
        self.complaints: list[str] = []

    def pytest_runtest_logreport(self, report) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.skipped[report.nodeid] = report.longrepr[2].removeprefix("Skipped: ")

    def pytest_sessionfinish(self, session, exitstatus) -> None:
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            self.complaints = skips.complaints(self.skipped)
            if self.complaints:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter) -> None:
        if self.complaints:
            terminalreporter.section("less was proved than should be", red=True)
            for line in self.complaints:
                terminalreporter.line(line)


def pytest_addoption(parser) -> None:
    group = parser.getgroup("runnel", "what a change can break")
    group.addoption(
        "--cipher", action="append", default=[], metavar="NAME", help="a folder of src/ciphers, historic, macs or aead"
    )
    group.addoption("--kernel", action="append", default=[], metavar="NAME", help="tests of one kernel only")
    group.addoption(
        "--scale", type=int, help=f"divides the repetitions of random tests in C; {selection.SUITE_SCALE} if not given"
    )
    group.addoption("--costs", metavar="FILE", help="write what each test cost, as JSON")
    group.addoption(
        "--campaign", action="store_true", help="also the tests that are marked campaign, and all repetitions"
    )


def pytest_configure(config) -> None:
    """Register the check of skips: with several workers, in the process that started them."""
    try:
        choice = selection.choose(config.getoption("cipher"), config.getoption("kernel"))
    except selection.UnknownName as why:
        raise pytest.UsageError(str(why)) from None
    campaign = config.getoption("campaign")
    selection.begin(choice, config.getoption("scale") or (1 if campaign else selection.SUITE_SCALE), campaign)
    left = left_to.LeftTo(config)
    config.pluginmanager.register(left)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(costs.Table(config))
        if everything_was_asked_for(config):
            config.pluginmanager.register(Judge())
    config.pluginmanager.register(costs.Meter(config))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Fail a file of tests that has none."""
    report = yield
    if isinstance(collector, pytest.Module) and report.passed and not report.result:
        report.outcome, report.longrepr = "failed", f"{collector.nodeid} has no test"
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item) -> None:
    """Fail a test that gets no parameters, which pytest would skip; with --cipher or --kernel there may be none."""
    empty = [mark for mark in item.iter_markers("skip") if "got empty parameter set" in mark.kwargs.get("reason", "")]
    if empty and selection.current() is None:
        pytest.fail(f"{item.nodeid} has no parameters", pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items) -> None:
    for item in items:
        if item.path.name.startswith(("test_lab_", "test_firmware_")):
            item.add_marker("lab")
    dropped = [item for item in items if not selection.keeps(item)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if selection.keeps(item)]
