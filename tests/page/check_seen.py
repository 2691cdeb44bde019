# Compares what probe.js saw with what rungbench says of the results: check_seen.py DOM SUMMARY WIDTH light|dark
import json
import re
import sys

from html_tree import Tree

dom_file, summary_file, width, colors = sys.argv[1:]
seen = json.loads(Tree(open(dom_file, encoding="utf-8").read()).top.by_id("seen").text())
rows = {f"row-{n}": row for n, row in enumerate(json.load(open(summary_file, encoding="utf-8"))["rows"], 1)}
problems = []


def check(fine, text):
    if not fine:
        problems.append(text)


def expect(what, fits):
    ids, said = seen["chosen"][what]
    check(sorted(ids) == sorted(name for name in rows if fits(rows[name])), f"{what}: {ids}")
    check(not what.startswith("words") or said == f"{len(ids)} of {len(rows)} rows", f"{what}: says {said}")


def check_order(column, direction, state):
    full = [key for key in state["keys"] if key]
    check(sorted(state["ids"]) == sorted(rows) and state["keys"][:len(full)] == full, f"{column}: rows lost, or empty cells not last")
    check(state["said"][int(column)] == direction and sum(map(bool, state["said"])) == 1, f"{column}: aria-sort {state['said']}")
    if column in "03456789": # the other texts are compared by the rules of a language
        keys = full if column == "0" else list(map(float, full))
        check(keys == sorted(keys, reverse=direction == "descending"), f"{column}, {direction}: {keys}")


def speedup(row, rung):
    """(ratio, low, high) as rungbench would say with this baseline, or None."""
    same = [each for each in rows.values() if "time_median_s" in each and each["status"] == "ok" and each["variant"] == rung and
            (each["op"], each["workload"]) == (row["op"], row["workload"])]
    base = next((each for each in same if each["mode"] == row["mode"]), None) or \
        next((each for each in same if each["backend"] == "cpu" and each["mode"] == row.get("best_cpu_mode")), None)
    if row["status"] != "ok" or "time_median_s" not in row or not base or base["precision"] != row["precision"]:
        return None
    spread = "low_s" in base and "low_s" in row and base is not row
    return base["time_median_s"] / row["time_median_s"], *((base["low_s"] / row["high_s"], base["high_s"] / row["low_s"]) if spread else ())


def check_baseline(rung, state):
    ids, texts, values, heading = state
    check(heading == f"Over {rung}", f"{rung}: the column is called {heading}")
    for name, text, value in zip(ids, texts, values):
        expected = speedup(rows[name], rung)
        check(bool(value) == bool(expected) and (not value or abs(float(value) / expected[0] - 1) < 1e-9), f"{rung}: {name} {value}")
        if expected and len(expected) == 3:
            near = [abs(float(part.replace(",", "")) / x - 1) < 0.06 for part, x in zip(text[1].split("–"), expected[1:])]
            check(near == [True, True], f"{rung}: {name} spreads {text}, expected {expected}")
        for row, library in zip([rows[name]], [seen["library"][ids.index(name)]]):
            if expected and row.get("library_rung") == rung and "over_library" in row:
                check(text[0] == library[0] and (len(expected) < 3 or text == library), f"{rung}: {text} here, {library} by plot.sh")


check(not seen["errors"], f"errors: {seen['errors']}")
check(set(seen["tabs"]) == {0} and seen["titles"] == 0, f"controls, and headers for the keyboard: {seen['tabs']}")
check(seen["reachable"][:1] in ([], [0]) and seen["reachable"].count(0) <= 1, f"rows for the keyboard: {seen['reachable']}")
for column, states in seen["sorted"].items():
    for direction, state in zip(("ascending", "descending"), states):
        check_order(column, direction, state)
for words in "words cublas cold", "words COLD  cublas":
    expect(words, lambda row: "cublas" in row["variant"] and row["mode"] == "cold")
expect("words wrong", lambda row: row.get("wrong"))
expect("words no such row", lambda row: False)
expect("words sgemm tf32 DISABLED", lambda row: row["variant"] == "cublas")
for what in "words ", "link":
    expect(what, lambda row: True)
for column in "op", "workload", "mode", "backend":
    expect(column, lambda row, column=column: row[column] == seen["chosen"][column][1])
copied, count = seen["copied"]
lines = copied.splitlines()
check(len(lines) == count + 2 and all("cold" in line for line in lines[2:]), f"copied {copied[:300]}")
check({len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {13}, f"a Markdown table of {lines[0]}")
check(seen["measured"] == seen["restored"] != [], "the baseline of the file is not restored")
for rung, state in seen["divided"].items():
    if rung:
        check_baseline(rung, state)
first, ids, known, second, further, tab = seen["focus"]
check([first, second, tab] == [*ids[:2], 0], f"the arrow leads from {first} to {second}")
for name, text in (first, known), (second, further), seen["pointed"][:2]:
    check(text.startswith("/".join(rows[name][part] for part in ("op", "workload", "variant", "mode"))), f"{name}: {text}")
check(seen["pointed"][2:] == [1, 0, 0, 0] and not seen["broken"], "details not shown, or for too long, or images that do not show")
check(all(name.startswith("data:") for name in seen["resources"]), f"loads {seen['resources']}")
inner, client, scroll, main = seen["widths"]
check(inner == int(width) and scroll <= client and main > 0.97 * client, f"{scroll} of {client} pixels, {main} of them used")
check(not seen["cut"], f"cut: {seen['cut'][:5]}")
check(seen["dark"] == (colors == "dark") and seen["contrast"][0] >= 4.5, f"dark {seen['dark']}, contrast {seen['contrast']}")
print(*problems[:20], sep="\n")
sys.exit(1 if problems else 0)
