"""What became of each test: a plugin for pytest that writes it down, and a command that compares two such files.

As a plugin it appends to the file named by $OUTCOMES, as soon as it is known, and leaves out tests that stand there. So when
a test ends the process, the next run goes on behind it: that test has started and nothing else.

As a command, `outcomes.py ORIGINAL OURS` counts both and lists what differs; its exit code says whether anything does.
"""

import os
import sys
from collections import Counter

# From good to bad; a test's outcome is the worst of its set-up, call and clean-up.
OUTCOMES = ["skipped", "xfailed", "xpassed", "passed", "failed", "error", "ended the process"]


def read(path):
    """The last word on each test of a file."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("\t", 1)[::-1] for line in file)


def write(outcome, test):
    with open(os.environ["OUTCOMES"], "a", encoding="utf-8") as file:
        file.write(f"{outcome}\t{test}\n")


def outcome_of(report):
    expected_to_fail = hasattr(report, "wasxfail")
    if report.skipped:
        return "xfailed" if expected_to_fail else "skipped"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    if report.when == "call":
        return "xpassed" if expected_to_fail else "passed"
    return None


worst = {}


def pytest_collection_modifyitems(items):
    known = read(os.environ["OUTCOMES"])
    items[:] = [item for item in items if item.nodeid not in known]


def pytest_collectreport(report):
    if report.failed:
        write("error", report.nodeid)


def pytest_runtest_logstart(nodeid):
    write("ended the process", nodeid)


def pytest_runtest_logreport(report):
    outcome = outcome_of(report)
    if outcome:
        worst[report.nodeid] = max(outcome, worst.get(report.nodeid, outcome), key=OUTCOMES.index)


def pytest_runtest_logfinish(nodeid):
    write(worst.pop(nodeid), nodeid)


def pytest_sessionfinish():
    open(os.environ["OUTCOMES"] + ".complete", "w").close()


def compare(original, ours):
    for name, outcomes in ("original", original), ("ours", ours):
        count = Counter(outcomes.values())
        print(f"{name + ':':10}" + ", ".join(f"{count[outcome]} {outcome}" for outcome in OUTCOMES if count[outcome]))
    missing = "not run"
    differing = [
        (original.get(test, missing), ours.get(test, missing), test)
        for test in sorted(original | ours)
        if original.get(test) != ours.get(test)
    ]
    for before, after, test in differing:
        print(f"  {before} -> {after}: {test}")
    return bool(original) and not differing


if __name__ == "__main__":
    sys.exit(not compare(read(sys.argv[1]), read(sys.argv[2])))
