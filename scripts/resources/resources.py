"""What kernels take of a GPU, behind scripts/resources.sh.

resources.py FILE.csv prints how many rows it has, and which nvcc they are of. resources.py RECORDED.csv PRESENT.csv prints a line
for each row that differs. Exit status: 0 the same or better; 1 more spills, a larger stack, less occupancy, or something that
vanished; 2 no such file."""
from collections import Counter

import table
import text
from failure import Failure, end_with

WHAT = "a file that scripts/resources.sh --record wrote"
COLUMNS = ("rung kernel arch block dynamic_shared_bytes registers static_shared_bytes stack_bytes spill_store_bytes spill_load_bytes "
           "occupancy_pct compiler").split()
FIGURES = COLUMNS[3:-1]
OF_A_LAUNCH = "dynamic_shared_bytes", "occupancy_pct"
MORE_IS_WORSE = "stack_bytes", "spill_store_bytes", "spill_load_bytes"


def load(path):
    """{(rung, kernel, arch): row}"""
    found, first = {}, {}
    for line, row in table.rows(path, WHAT, COLUMNS):
        where = f"{path}: line {line}"
        row = {name: text.clean(cell) for name, cell in row.items()}
        for name in FIGURES[1:]:
            if row[name] or name not in OF_A_LAUNCH:
                table.number(path, line, name, row[name], 0, 1e12, "a number")
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


def is_worse(name, was, now):
    """Occupancy that is unknown counts as none."""
    if name == "occupancy_pct":
        return float(now or 0) < float(was or 0)
    return name in MORE_IS_WORSE and int(now) > int(was)


def changed(was, now):
    """(what is worse, what else is different)"""
    worse, other = [], []
    for name in FIGURES:
        if was[name] != now[name]:
            said = f"{name} was {was[name] or 'unknown'}, is {now[name] or 'unknown'}"
            if is_worse(name, was[name], now[name]):
                worse.append(f"{said} (limit {was[name]})")
            else:
                other.append(said)
    return worse, other


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
            figures = "{occupancy_pct}, spill_store_bytes {spill_store_bytes}, registers {registers}".format(**present[key])
            found[f"new: {name}: occupancy_pct {figures}" if arch in before else f"new: architecture {arch}"] = False
        else:
            worse, other = changed(recorded[key], present[key])
            if worse or other:
                found[f"{'FAILED' if worse else 'changed'}: {name}: {'; '.join(worse + other)}"] = bool(worse)
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
