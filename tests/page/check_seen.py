# Compares what probe.js saw of a page with the results of which it was made: check_seen.py DOM CSV wide|narrow
import json
import sys

from html_tree import Tree
from results_file import Results

dom_file, csv_file, screen = sys.argv[1:]
dom = Tree(open(dom_file, encoding="utf-8").read()).top
results = Results(csv_file)
seen = json.loads(dom.by_id("seen").text())
problems = []


def check(fine, text):
    if not fine:
        problems.append(text)


def key(name, column):
    """What a column is sorted by, from the results; None: empty. The golden file has a single round and no figures."""
    record = results.lines[name][0]
    text = {"Operation": "op", "Workload": "workload", "Rung": "variant", "Mode": "mode", "Backend": "backend"}.get(column)
    if text:
        return record[text]
    if column == "Line":
        return record["line"]
    if not results.usable(name):
        return None
    if column == "Time":
        return float(record["time_median_s"])
    if column == "Over cpu_scalar":
        return float(record["speedup"])
    if column == "Spread":
        if not record["time_q1_s"]:
            return None
        return (float(record["time_q3_s"]) - float(record["time_q1_s"])) / float(record["time_median_s"])
    if column == "Over best CPU":
        return results.median(results.best(*name[:2], name[3], "cpu")) / results.median(name)
    return None


def check_order(column, direction, names):
    keys = [key(tuple(name.split("/")), column) for name in names]
    check(len(names) == len(set(names)) == len(results.lines), f"{column}: rows are lost")
    full = [k for k in keys if k is not None]
    check(keys[:len(full)] == full, f"{column}, {direction}: empty cells are not last")
    pairs = list(zip(full, full[1:]))
    if column in ("Spread", "Over best CPU"): # recomputed: equal but for the last digit
        pairs = [(a, b) for a, b in pairs if abs(a - b) > 1e-8 * abs(a)]
    check(all(a <= b if direction == "ascending" else a >= b for a, b in pairs), f"{column}: not {direction}")


def expect(what, fits):
    names = {"/".join(name) for name in results.lines if fits(name)}
    got = seen["chosen"][what]
    check(sorted(got["names"]) == sorted(names), f"{what}: {len(got['names'])} rows; expected {len(names)}")
    check(got["said"] == f"{len(names)} of {len(results.lines)} rows", f"{what}: says {got['said']}")


check(not seen["errors"] and not seen["violations"], f"errors: {seen['errors']} {seen['violations']}")
check(seen["controls"] and len(seen["start"]["names"]) == len(results.lines), "no controls, or not all rows")
check(set(seen["buttons"]) == {"BUTTON0"}, f"headers for the keyboard: {seen['buttons']}")
for column, (up, down) in seen["sorted"].items():
    for direction, state in ("ascending", up), ("descending", down):
        check_order(column, direction, state["names"])
        check([s for s in state["said"] if s] == [direction], f"{column}: aria-sort is {state['said']}")
    at = list(seen["sorted"]).index(column)
    check(up["said"][at] == "ascending", f"{column}: another column says that it is sorted")
check(any(key(n, "Time") is None for n in results.lines), "the file has no empty cells")
expect("words cublas hot", lambda n: n[2] == "cublas" and n[3] == "hot")
expect("words HOT  cublas", lambda n: n[2] == "cublas" and n[3] == "hot")
expect("words failed", lambda n: results.status(n) == "failed")
expect("words no such row", lambda n: False)
expect("words ", lambda n: True)
expect("mnist", lambda n: n[1] == "mnist")
expect("op", lambda n: n[0] == "grayscale")
expect("workload", lambda n: n[1] == "puppy")
expect("backend", lambda n: n[1] == "puppy" and results.lines[n][0]["backend"] == "cuda")
expect("mode", lambda n: n[1] == "puppy" and results.lines[n][0]["backend"] == "cuda" and n[3] == "e2e")
expect("both", lambda n: n[1] == "puppy" and n[2] == "cuda_2d" and n[3] == "e2e")
expect("a link to a hidden row", lambda n: True)
expect("show all", lambda n: True)
closed, closed_on_paper, buttons_on_paper, closed_after, buttons_after = seen["closed"]
check(closed_on_paper == 0 and closed_after == closed > 0, f"folds closed before, on and after paper: {seen['closed']}")
check(buttons_on_paper == 0 and buttons_after == len(seen["buttons"]), f"buttons on and after paper: {seen['closed']}")
check(not seen["broken"], f"images that do not show: {seen['broken']}")
check(all(name.startswith("data:") for name in seen["resources"]), f"loads {seen['resources']}")
scroll, client, inner = seen["widths"]
check(scroll <= client <= inner, f"{scroll} pixels wide on a screen of {client}")
check((inner == 360) == (screen == "narrow"), f"a screen of {inner}")
check(seen["enlarged"][0] == seen["enlarged"][1], f"a chart enlarged to {seen['enlarged']}")
check(seen["reduced"] <= client and (screen == "wide" or seen["reduced"] < seen["enlarged"][1]), f"reduced to {seen['reduced']}")
print(*problems[:20], sep="\n")
sys.exit(1 if problems else 0)
