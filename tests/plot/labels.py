"""Prints what the charts of a results file must say, from its cells alone: lines STEM<TAB>LABEL, of each chart that the
file can feed but for samples. Files of one round.

labels.py RESULTS.csv            all that plot.sh --only=. draws
labels.py --compare A.csv B.csv  comparisons
"""
import csv
import math
import sys


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [r for r in csv.DictReader(file) if r["status"] == "ok" and r["time_median_s"] and
                not r.get("slowdown_pct") and not r.get("runs_as")]


def number(cell):
    return float(cell) if cell else None


def rate_text(x):
    if x >= 99.95:
        return f"{x:,.0f}"
    return f"{x:.1f}" if x >= 9.995 else f"{x:.2g}"


def factor(x):
    if x == 1:
        return "1×"
    if x >= 99.95:
        return f"{x:,.0f}×"
    return (f"{x:.1f}" if x >= 9.995 else f"{x:.2f}" if x >= 0.0995 else f"{x:.2g}") + "×"


def rate(row):
    return float(row["flops"] or row["bytes"]) / float(row["time_median_s"]) / 1e9


def ladders(rows):
    for r in rows:
        if r["mode"].startswith("e2e"):
            continue
        share = 100 * float(r["floor_s"]) / float(r["time_median_s"])
        text = f"{share:.0f}" if share >= 9.95 else f"{share:.2g}"
        yield f"ladder-{r['op']}-{r['workload']}", f"{rate_text(rate(r))} ({text} %)"


def speedups(rows):
    for r in rows:
        yield f"speedup-{r['op']}-{r['workload']}-{r['mode']}", f">{r['variant']}"


def overview(rows):
    found = {(r["op"], r["workload"], r["mode"], r["backend"]) for r in rows}
    both = {key[:2] for key in found if {(*key[:3], "cpu"), (*key[:3], "cuda")} <= found}
    if len(both) >= 2:
        for op, workload in both:
            yield "overview", f">{op}/{workload}<"


def rooflines(rows):
    for backend in ("cpu", "cuda"):
        for mode in {r["mode"] for r in rows if not r["mode"].startswith("e2e")}:
            mine = [r for r in rows if r["backend"] == backend and r["mode"] == mode]
            memory = [float(r["bytes"]) / float(r["floor_s"]) for r in mine if r["ceiling"] in ("read", "copy", "fma")]
            fma = [float(r["flops"]) / float(r["floor_s"]) for r in mine if r["ceiling"] == "fma"]
            counted = [r for r in mine if r["flops"]]
            if not counted or not memory + fma:
                continue
            stem = f"roofline-{backend}-{mode}"
            if memory:
                yield stem, f"memory or cache {max(memory) / 1e9:,.0f} GB/s"
            if fma:
                yield stem, f"FP32 FMA {max(fma) / 1e9:,.0f} GFLOP/s"
            for r in counted:
                yield stem, f"{r['variant']}<"  # behind its number, where there are many
                yield stem, f">{r['workload']}<"


def size(row):
    part = [int(x) for x in row["shape"].split("x")]
    if row["op"] == "matmul":
        return part[0] if len(set(part)) == 1 and len(part) == 3 else None
    return math.prod(part)


def two_digits(x):
    return f"{float(f'{x:.2g}'):,.0f}"


def crossover(rows, sizes, mode):
    """The sentence's end, from the best rungs at each size."""
    ratios = []
    for n in sizes:
        times = {b: [float(r["time_median_s"]) for r in rows if size(r) == n and r["backend"] == b and r["mode"] == m
                     and r["precision"] != "tf32"] for b, m in (("cpu", "hot"), ("cuda", mode))}
        if times["cpu"] and times["cuda"]:
            ratios.append((n, min(times["cpu"]) / min(times["cuda"])))
    if not ratios:
        return None
    for (n0, r0), (n1, r1) in zip(ratios, ratios[1:]):
        if (r0 < 1) != (r1 < 1):
            at = math.exp(math.log(n0) + (math.log(n1) - math.log(n0)) * math.log(r0) / (math.log(r0) - math.log(r1)))
            word = "faster" if r1 >= 1 else "slower"
            return f"is {word} from about {two_digits(at)} on ({factor(r0)} at {n0:,}, {factor(r1)} at {n1:,})"
    n, r = ratios[-1]
    return f"is faster at every size, {factor(r)} at {n:,}" if r >= 1 else f"is slower at every size, {factor(r)} as fast at {n:,}"


def sweeps(rows):
    for op in ("matmul", "grayscale"):
        mine = [r for r in rows if r["op"] == op and size(r)]
        sizes = sorted({size(r) for r in mine})
        if len(sizes) < 3:
            continue
        for mode in ("hot", "e2e"):
            text = crossover(mine, sizes, mode)
            if text:
                yield f"sweep-{op}", text
        for r in mine:
            if r["mode"] == "hot":
                yield f"sweep-{op}", f">{r['variant']}<"
            if r["mode"] == "e2e":
                yield f"sweep-{op}", f">{r['variant']}, with transfers<"


def transfers(rows):
    best = {}
    for r in rows:
        if r["mode"].startswith("e2e") and r["backend"] == "cuda" and r["precision"] != "tf32":
            key = (r["op"], r["workload"], r["mode"])
            if key not in best or float(r["time_median_s"]) < float(best[key]["time_median_s"]):
                best[key] = r
    for (op, workload, mode), r in best.items():
        parts = [float(r[c]) for c in ("upload_s", "kernel_s", "download_s")]
        whole = max(float(r["time_median_s"]), sum(parts))
        yield "transfers", f">{op}/{workload}, {mode}<"
        for part in parts:
            if part / whole >= 0.0701:
                yield "transfers", f">{100 * part / whole:.0f} %<"


def compare(a, b):
    before = {r["name"]: r for r in a}
    for r in b:
        if r["name"] in before:
            ratio = rate(r) / rate(before[r["name"]])
            stem = f"compare-{r['op']}-{r['workload']}-{r['mode']}"
            yield stem, f">{ratio:.3f}×<" if 0.1 <= ratio < 10 else f">{factor(ratio)}<"
            yield stem, f">{rate_text(rate(r))}<"
            yield stem, f">{rate_text(rate(before[r['name']]))}<"


def main():
    if sys.argv[1] == "--compare":
        lines = compare(read(sys.argv[2]), read(sys.argv[3]))
    else:
        rows = read(sys.argv[1])
        lines = [*ladders(rows), *speedups(rows), *overview(rows), *rooflines(rows), *sweeps(rows), *transfers(rows)]
    for stem, label in lines:
        print(f"{stem}\t{label}")


main()
