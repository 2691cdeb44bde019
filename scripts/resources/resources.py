"""What kernels take of a GPU, behind scripts/resources.sh.

resources.py FILE.csv prints how many rows it has, and which nvcc they are of. resources.py RECORDED.csv PRESENT.csv prints a line
for each row that differs. Exit status: 0 the same or better; 1 more of something, or something that vanished; 2 no such file."""
from collections import Counter

import table
import text
from failure import Failure, end_with

WHAT = "a file that scripts/resources.sh --record wrote"
COLUMNS = "rung kernel arch registers static_shared_bytes stack_bytes spill_store_bytes spill_load_bytes compiler".split()
FIGURES = COLUMNS[3:-1]


def load(path):
    """{(rung, kernel, arch): row}"""
    found, first = {}, {}
    for line, row in table.rows(path, WHAT, COLUMNS):
        where = f"{path}: line {line}"
        row = {name: text.clean(cell) for name, cell in row.items()}
        for name in FIGURES:
            if not row[name].isdecimal():
                raise Failure(f"{where}: {name} is '{row[name][:60]}'; expected a number")
        key = row["rung"], row["kernel"], row["arch"]
        if key in found:
            raise Failure(f"{where}: {' '.join(key)} stands there twice; expected each once, under a name of its own")
        first = first or row
        if row["compiler"] != first["compiler"]:
            raise Failure(f"{where}: is nvcc {row['compiler']}'s, above it are those of {first['compiler']}; expected one compiler's")
        found[key] = row
    if not found:
        raise Failure(f"{path}: a header, but no row; expected {WHAT}")
    return found


def changed(was, now):
    """(what is worse, what is better)"""
    worse, better = [], []
    for name in FIGURES:
        said = f"{name} was {was[name]}, is {now[name]}"
        if int(now[name]) > int(was[name]):
            worse.append(f"{said} (limit {was[name]})")
        elif now[name] != was[name]:
            better.append(said)
    return worse, better


def differences(recorded, present):
    """{line: whether it says FAILED}; an architecture that came or went is one line."""
    before, after = (Counter(arch for _, _, arch in rows) for rows in (recorded, present))
    found = {}
    for key in recorded | present:
        name, arch = " ".join(key), key[2]
        if key not in present:
            gone = f"{name}: was there" if arch in after else f"architecture {arch}: was there for {before[arch]} kernels"
            found[f"FAILED: {gone}, has vanished"] = True
        elif key not in recorded:
            figures = "registers {registers}, spill_store_bytes {spill_store_bytes}".format(**present[key])
            found[f"new: {name}: {figures}" if arch in before else f"new: architecture {arch}"] = False
        else:
            worse, better = changed(recorded[key], present[key])
            if worse or better:
                found[f"{'FAILED' if worse else 'changed'}: {name}: {'; '.join(worse + better)}"] = bool(worse)
    return found


def main(paths):
    tables = [load(path) for path in paths]
    if len(tables) == 1:
        print(len(tables[0]), next(iter(tables[0].values()))["compiler"])
        return 0
    found = differences(*tables)
    print(*found, sep="\n", end="\n" if found else "")
    return int(any(found.values()))


if __name__ == "__main__":
    end_with("resources.sh", main)
