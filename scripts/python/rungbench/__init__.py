"""rungbench from Python: run() gives its rows as records, judge() those of a function of yours, gate() its verdicts. The
programs are in the wheel.

    import rungbench
    rows = rungbench.run("--suite=smoke", "--backend=cpu")
    fastest = min((row for row in rows if row["status"] == "ok"), key=lambda row: row["time_median_s"])
    rows = rungbench.judge(mine.softmax, "softmax", {"m": 4096, "n": 1000})
    verdict = rungbench.gate("base.csv", "new.csv")   # results of Google Benchmark, pytest-benchmark, ... are read too

Charts need gnuplot, and the module jinja2: `rungbench plot FILE.csv`, from the shell.
"""
import contextlib
import csv
import inspect
import os
import subprocess
import sys
import tempfile
from pathlib import Path

INSTALLED = Path(__file__).parent / "installed"
WRONG, INCONCLUSIVE, SKIPPED = 1, 3, 77  # exit statuses that come with results (docs/design.md)
TEXTS = "_rev", "_revision", "_version", "workload", "shape", "host", "affinity", "sitting"  # ends of columns that may look like numbers


class Error(Exception):
    """What the program says where it has no results."""


def program(name="rungbench"):
    """Where it is."""
    return os.fspath(INSTALLED / "bin" / name)


def run(*flags):
    """Runs rungbench with these flags. A list of its rows, wrong and skipped ones too: dicts by the names of the columns, with
    numbers where a column has them, and None where it is empty."""
    return _ask("rungbench", "--out", ["--progress=off", *flags], (0, WRONG, SKIPPED))[1]


def judge(function, op, sizes, *flags):
    """Judges a function of Python as a kernel of the operation, at these sizes ({"m": 4096, "n": 1000}) or at each of several, in
    cold. It is read anew from its file, by the process that runs it. Rows as in run(): of this function alone unless a flag
    chooses, as in judge(..., "--filter=/(kernel_.*|cuda_.*)/"). docs/python.md says what a function may be."""
    name, path = getattr(function, "__name__", repr(function)), None
    with contextlib.suppress(TypeError):
        path = inspect.getsourcefile(inspect.unwrap(function))
    if not path or not os.path.exists(path) or not name.isidentifier():
        raise Error(f"{name}: expected a function that a file defines, by a name")
    if "RUNGBENCH_PLAYER" in os.environ:
        raise Error("judge() runs as its own file is read; expected it under if __name__ == '__main__'")
    sizes = [sizes] if isinstance(sizes, dict) else sizes
    written = (",".join(f"{key}={value}" for key, value in size.items()) for size in sizes)
    return run(f"--kernel={path}", f"--launch={name}", f"--op={op}", "--suite=none", "--modes=cold",
               *(f"--size={op}:{size}" for size in written),
               *(() if any(flag.startswith("--filter") for flag in flags) else ("--filter=/kernel_",)), *flags)


def gate(base, new, *flags):
    """Compares two files of results. (exit status: 0 cleared, 1 slower, 3 inconclusive, 77 all skipped; list of rows as in run())"""
    return _ask("rungbench-gate", "--csv", [*flags, base, new], (0, WRONG, INCONCLUSIVE, SKIPPED))


def _ask(name, flag, arguments, expected):
    """(exit status, rows of the file that this flag names)"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        said = subprocess.run([program(name), f"{flag}={path}", *map(os.fspath, arguments)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace", check=False,
                              env=_environment())
        if said.returncode not in expected:
            raise Error((said.stderr.strip().splitlines() or [f"{name} ended with {said.returncode}"])[-1])
        if not path.exists():
            return said.returncode, []
        with open(path, newline="", encoding="utf-8") as file:
            return said.returncode, [{column: _value(column, cell) for column, cell in row.items()} for row in csv.DictReader(file)]


def _environment():
    """In which the programs use this Python, and its packages."""
    return {"RUNGBENCH_PYTHON": sys.executable, **os.environ}


def _value(column, cell):
    if cell == "":
        return None
    for number in () if column.endswith(TEXTS) else (int, float):
        with contextlib.suppress(ValueError):
            return number(cell)
    return cell


def main():
    """The commands: this process becomes the program."""
    name = os.path.basename(sys.argv[0])
    os.execve(program(name), [name, *sys.argv[1:]], _environment())
