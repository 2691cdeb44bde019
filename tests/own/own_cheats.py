"""The rungs of tests/cheats/ as kernels of the user's own: all that must be rejected are, and honest ones are not.

Usage: own_cheats.py RUNGBENCH_CHEATS SOURCE_DIR all|some, in an empty folder.
"""
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

CHEAT = re.compile(r'CHEAT\((\w+), (\w+), (\w+), \w+, \w+, (\w+), "([^"]*)"')
CHEAT_KERNEL = re.compile(r'CHEAT_KERNEL\((\w+), (\w+), \w+, (\w+), "([^"]*)"')
HONEST = re.compile(r'HONEST\((\w+), (\w+), (\w+), \w+, 0,')
SOME = 40  # in a normal run, one cheat of so many is tried
BATCH = 12
TIMED = {"timed", "batched", "queued"}


def read_table(path):
    """(op, variant, backend, caught, reason) of the rungs that can run without a GPU."""
    for line in path.read_text().splitlines():
        if match := CHEAT.match(line):
            yield match.groups()
        elif match := CHEAT_KERNEL.match(line):
            op, name, caught, reason = match.groups()
            yield op, f"sim_{name}", "sim", caught, reason
        elif match := HONEST.match(line):
            yield *match.groups(), "never", ""


def find_file(root, op, variant, backend):
    name = variant.removeprefix(f"{backend}_")
    pattern = re.compile(rf"\b\w+\({name}[,)]|\b{op}_{variant}\(")
    folders = ["kernels", "sim"] if backend == "sim" else ["cpu"]
    for folder in folders:
        for path in sorted((root / "tests/cheats" / folder).glob("*.c*")):
            if pattern.search(path.read_text()):
                return path.relative_to(root)
    sys.exit(f"FAILED: {variant} is in no file")


def write_kernel(root, op, variant, backend):
    """A file as a user might bring it, that hides the cheat behind an include."""
    path = Path(f"{variant}.{'cu' if backend == 'sim' else 'c'}")
    path.write_text(
        '#define RUNGBENCH_MORE_RUNGS "tests/cheats/cheats.def"\n'
        f'#include "{find_file(root, op, variant, backend)}"\n'
        f"const char *{op}_own(const void *problem, void *stream)\n{{\n    return {op}_{variant}(problem, stream);\n}}\n"
    )
    return str(path)


def judge(rungbench, rungs, flags):
    """The rows of the rungs, by variant."""
    out = Path("rows.csv")
    out.unlink(missing_ok=True)
    run = subprocess.run(
        [rungbench, "--progress=off", "--simulate", f"--out={out}", *flags, *(f"--kernel={path}" for path in rungs)],
        capture_output=True, text=True, check=False)
    if not out.exists():
        sys.exit(f"FAILED: no results, status {run.returncode}: {run.stderr}")
    rows = {}
    for row in csv.DictReader(out.open(newline="")):
        rows.setdefault(row["variant"].removeprefix("kernel_"), []).append(row)
    return rows


def check(rows, rung, how):
    op, variant, _, caught, reason = rung
    own = rows.get(variant, [])
    if not own:
        return [f"{how}: {op}/{variant} has no row"]
    if caught == "never":
        return [f"{how}: {variant} is honest, but {row['status']}: {row['reason']}" for row in own if row["status"] != "ok"]
    return [f"{how}: {variant} is {row['status']}: {row['reason']!r}" for row in own
            if row["status"] != "failed" or not re.search(f"^not run: the rung ended|{reason}", row["reason"])]


def main():
    rungbench, root, amount = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    table = [rung for rung in read_table(root / "tests/cheats/cheats.def")
             if rung[2] in ("cpu", "sim") and rung[3] not in ("contained", "open", "hung")]
    if amount == "some":
        table = table[5::SOME]
    paths = {rung[1]: write_kernel(root, *rung[:3]) for rung in table}
    sizes = ["--suite=none", "--shape=40x300x28", "--image-size=33x65"]
    failures = []
    for how, wanted, flags in (
            ("verified", {"verified", "checked", "never"}, ["--verify", *sizes]),
            ("timed", TIMED, ["--modes=hot", "--min-time=0.005", *sizes])):
        rungs = [rung for rung in table if rung[3] in wanted]
        for op in sorted({rung[0] for rung in rungs}):
            of_op = [rung for rung in rungs if rung[0] == op]
            for first in range(0, len(of_op), BATCH):
                batch = of_op[first:first + BATCH]
                names = "|".join(f"kernel_{rung[1]}" for rung in batch)
                rows = judge(rungbench, [paths[rung[1]] for rung in batch], [*flags, f"--filter=/({names})/"])
                for rung in batch:
                    failures += check(rows, rung, how)
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{len(table)} rungs of tests/cheats/ as kernels of the user's own")
    sys.exit(1 if failures or not table else 0)


os.environ["XDG_CACHE_HOME"] = os.getcwd()
main()
