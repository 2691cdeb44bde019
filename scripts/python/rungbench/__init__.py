"""rungbench from Python: run() gives its rows as records, gate() its verdicts. The programs are in the wheel.

    import rungbench
    rows = rungbench.run("--suite=smoke", "--backend=cpu")
    fastest = min((row for row in rows if row["status"] == "ok"), key=lambda row: row["time_median_s"])
    verdict = rungbench.gate("base.csv", "new.csv")   # results of Google Benchmark, pytest-benchmark, ... are read too

Charts need gnuplot, and the module jinja2: `rungbench plot FILE.csv`, from the shell.
"""
import contextlib
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

INSTALLED = Path(__file__).parent / "installed"
WRONG, INCONCLUSIVE, SKIPPED = 1, 3, 77  # exit statuses that come with results (docs/design.md)


class Error(Exception):
    """What the program says where it has no results."""


def program(name="rungbench"):
    """Where it is."""
    return os.fspath(INSTALLED / "bin" / name)


def run(*flags):
    """Runs rungbench with these flags. A list of its rows, wrong and skipped ones too: dicts by the names of the columns, with
    numbers where a column has them, and None where it is empty."""
    return _ask("rungbench", "--out", ["--progress=off", *flags], (0, WRONG, SKIPPED))[1]


def gate(base, new, *flags):
    """Compares two files of results. (exit status: 0 cleared, 1 slower, 3 inconclusive, 77 all skipped; list of rows as in run())"""
    return _ask("rungbench-gate", "--csv", [*flags, base, new], (0, WRONG, INCONCLUSIVE, SKIPPED))


def _ask(name, flag, arguments, expected):
    """(exit status, rows of the file that this flag names)"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        said = subprocess.run([program(name), f"{flag}={path}", *map(os.fspath, arguments)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        if said.returncode not in expected:
            raise Error((said.stderr.strip().splitlines() or [f"{name} ended with {said.returncode}"])[-1])
        if not path.exists():
            return said.returncode, []
        with open(path, newline="", encoding="utf-8") as file:
            return said.returncode, [{column: _value(cell) for column, cell in row.items()} for row in csv.DictReader(file)]


def _value(cell):
    if cell == "":
        return None
    for number in int, float:
        with contextlib.suppress(ValueError):
            return number(cell)
    return cell


def main():
    """The commands: this process becomes the program."""
    name = os.path.basename(sys.argv[0])
    os.execv(program(name), [name, *sys.argv[1:]])
