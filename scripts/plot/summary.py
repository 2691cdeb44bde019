"""What the program says of a results file: `rungbench --summarize=FILE.csv`, which decides all that charts and page show."""
import json
import os
import stat
import subprocess
from pathlib import Path

import text
from failure import Failure

SIZE_MOST = 64 << 20  # bytes
ROWS_MOST, CHARTS_MOST = 6000, 500  # what two processors draw in minutes
ROOT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("RUNGBENCH_WORK", ROOT))  # where results lie, says scripts/common.sh


def check_file(path, what="a results file of rungbench"):
    """Refuses what is no regular file of at most SIZE_MOST."""
    name = os.fspath(path)
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        raise Failure(f"{name}: no such file; expected {what}") from None
    except (OSError, ValueError) as error:
        raise Failure(f"{name}: {getattr(error, 'strerror', error)}; expected {what}") from None
    if stat.S_ISDIR(status.st_mode):
        raise Failure(f"{name}: is a folder; expected {what}")
    if not stat.S_ISREG(status.st_mode):
        raise Failure(f"{name}: is no regular file; expected {what}")
    if status.st_size > SIZE_MOST:
        raise Failure(f"{name}: {status.st_size / 1e6:,.0f} MB; expected {what} of at most {SIZE_MOST >> 20} MiB")
    if not os.access(path, os.R_OK):
        raise Failure(f"{name}: cannot be read; expected {what}")


def check_work(path, rows, charts=1):
    """Refuses more than is drawn in time."""
    if rows > ROWS_MOST or charts > CHARTS_MOST:
        raise Failure(f"{os.fspath(path)}: {os.path.getsize(path) / 1e6:,.1f} MB, {text.count(rows, 'row')} for {text.count(charts, 'chart')}; "
                      f"expected at most {ROWS_MOST:,} rows for {CHARTS_MOST} charts")


def built(name="rungbench"):
    """That program in build/, which is built if it is not there."""
    path = ROOT / "build" / name
    if not path.exists():
        with subprocess.Popen(["bash", "-c", 'source "$1/scripts/common.sh" && build build', "rungbench", ROOT]) as build:
            try:
                build.wait()
            except BaseException:
                build.terminate()  # and with it what it has started
                raise
        if build.returncode:
            raise Failure(f"{path}: cannot be built, which reads results; {name.upper().replace('-', '_')}=PROGRAM names another")
    return os.fspath(path)


def program():
    return os.environ.get("RUNGBENCH") or built()


def ask(flag, value, given=b"", shown=None):
    """What the program prints; it refuses in its own words, with the flag that was shown to the user."""
    try:
        said = subprocess.run([program(), f"{flag}={value}"], input=given, capture_output=True, check=False)
    except OSError as error:
        raise Failure(f"{program()}: {error.strerror}; expected the program rungbench") from None
    if not said.returncode:
        return said.stdout
    if said.returncode == 77:
        raise Failure(f"{value}: no row has a time", 77)
    lines = said.stderr.decode(errors="replace").strip().splitlines() or [f"{value}: rungbench ended with {said.returncode}"]
    raise Failure(lines[-1].removeprefix(f"{os.path.basename(program())}: ").replace(f"{flag}=", f"{shown or flag}=", 1))


def matching(flag, pattern, names):
    """Those of the names in which the regular expression of this flag is found, as rungbench finds it."""
    said = ask("--match", pattern, os.fsencode("\n".join(names)), shown=flag)
    return set(os.fsdecode(said).split("\n"))


def load(path, of_several=False):
    """Of several runs beside each other it has `runs`; who does not expect them refuses them."""
    check_file(path)
    name = os.fspath(path)
    said = ask("--summarize", name)
    try:
        summary = json.loads(said)
        summary["rows"], summary["workloads" if "runs" not in summary else "runs"]
    except (ValueError, KeyError, TypeError):
        raise Failure(f"{program()}: does not summarise {name}; expected a rungbench as young as this script") from None
    if "runs" in summary and not of_several:
        raise Failure(f"{name}: rows of {len(summary['runs'])} runs; expected one (rungbench --merge shows several)")
    return summary


def meanings(summary):
    """What each mark means."""
    return {mark["mark"]: mark["about"] for mark in summary["marks"]}


def load_to_draw(path, of_several=False):
    """The same, if it can be drawn: of each workload a ladder, and a chart per mode; of several runs one."""
    found = load(path, of_several)
    if "runs" not in found:
        check_work(path, len(found["rows"]), sum(1 + len(workload["headlines"]) for workload in found["workloads"]))
    return found
