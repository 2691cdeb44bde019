"""How the errors of rungs are spread (tests/simulator/precision_errors): for each input a panel with a line per rung."""
import re

import table
import text
from failure import Failure
from frame import MARGIN, SMALL_SIZE, WIDTH, Chart

PANEL, HEAD, BELOW, LEFT = 92, 57, 42, 20  # pixels
# The colours of the lines, what they are, and how they are drawn: the same for the same products.
LINES = {
    "cublas": ("other", "cuBLAS in FP32", "solid"),
    "tiled": ("past", "FP32 multiply-adds", "solid"),
    "tf32": ("slower", "one product in TF32", "dotted"),
    "tf32x3": ("cuda", "three products in TF32", "dashed"),
    "fp16x3": ("faster", "three products in FP16", "dash-dotted"),
    "fp16x3_wgmma": ("sim", "three products in FP16", "dash-dotted"),
}
DASHES = {"solid": "solid", "dotted": "(2, 3)", "dashed": "(8, 4)", "dash-dotted": "(8, 3, 2, 3)"}
WHAT = "a file of tests/simulator/precision_errors.c"
HEADER = b"input,rung,rms,worst,"
CLASS = re.compile(r"below_2\^(-?[0-9]+)")


def technique(rung):
    return rung.removeprefix("sim_").removeprefix("cuda_")


def load(path):
    """{input: {rung: (rms, worst, {exponent: share of elements below 2^exponent and not below half of it})}}"""
    found = {}
    for line, row in table.rows(path, WHAT, ("input", "rung", "rms", "worst", "zero")):
        classes = {int(match[1]): table.number(path, line, name, cell) for name, cell in row.items() if (match := CLASS.fullmatch(name))}
        if technique(row["rung"]) not in LINES or not classes:
            raise Failure(f"{path}: line {line}: rung is '{text.clean(row['rung'])[:60]}'; expected {WHAT}")
        classes[min(classes)] += table.number(path, line, "zero", row["zero"])
        numbers = [table.positive(path, line, name, row[name]) for name in ("rms", "worst")]
        found.setdefault(text.clean(row["input"]), {})[row["rung"]] = (*numbers, classes)
    rungs = list(next(iter(found.values()), ()))
    if any(list(others) != rungs for others in found.values()):
        raise Failure(f"{path}: expected rows of the same rungs for each input")
    if not {"tiled", "tf32x3", "fp16x3"} <= {technique(rung) for rung in rungs}:
        raise Failure(f"{path}: expected rows of tiled, tf32x3 and fp16x3")
    return found


def draw(path):
    found = load(path)
    rungs = list(next(iter(found.values())))
    names, kinds = [technique(rung) for rung in rungs], [LINES[technique(rung)][0] for rung in rungs]
    exponents = sorted(next(iter(found.values()))[rungs[0]][2])
    where = "on the simulator, whose tensor cores truncate" if rungs[0].startswith("sim_") else "on a GPU"
    chart = Chart("precision", title_of(found),
                  f"Errors of matmul's elements in units of u |A||B|, u = 2^-24: how many have how large an error; {where}")
    for name, kind in zip(names, kinds):
        chart.header(f"{name}: {LINES[name][1]}, {LINES[name][2]}", kind)
    chart.footer("Each step is a factor of two. The leftmost has all smaller errors, and none at all. Where a line is hidden, another "
                 "has the same errors: a rung that cannot split an input uses multiply-adds.")
    most = max(share for of in found.values() for _, _, shares in of.values() for share in shares.values())
    chart.range("x", exponents[0] - 1, exponents[-1])
    chart.range("y", 0, 1.05 * most)
    chart.do("set multiplot")
    for p, (name, of) in enumerate(found.items(), 1):
        high = p * (PANEL + HEAD) - PANEL
        chart.area(left=MARGIN + LEFT, top=f"top + {high}", bottom=f"top + {high + PANEL}")
        told = "RMS " + ", ".join(f"{rung} {rms:.3g}" for rung, (rms, _, _) in zip(names, of.values()))
        lines = text.wrap(told, WIDTH - 2 * MARGIN - LEFT, SMALL_SIZE)
        chart.label(name, MARGIN + LEFT, f"top + {high - 9 - 17 * len(lines)}", font="STRONG")
        for i, line in enumerate(reversed(lines)):
            chart.label(line, MARGIN + LEFT, f"top + {high - 9 - 17 * i}", font="SMALL", color="FAINT")
        chart.ticks([(f"2^{{{e}}}".replace("-", "−") if p == len(found) else "", e) for e in exponents if e % 4 == 0])
        lines = [[*((e - 1, shares[e]) for e in exponents), (exponents[-1], 0)] for _, _, shares in of.values()]
        chart.plot(*((line, f"using 1:2 with fillsteps linecolor rgb color('{kind}') fillstyle solid 0.15 noborder")
                     for line, kind in zip(lines, kinds)),
                   *((line, f"using 1:2 with steps linecolor rgb color('{kind}') linewidth 2 dashtype {DASHES[LINES[rung][2]]}")
                     for line, rung, kind in zip(lines, names, kinds)))
        chart.do("unset label")
    chart.do("unset multiplot")
    return chart.finish(len(found) * (PANEL + HEAD), 0, BELOW)


def title_of(found):
    ratios = [of[rung][0] / next(of[other][0] for other in of if technique(other) == "tiled")
              for of in found.values() for rung in of if "x3" in rung]
    return f"Three products have {min(ratios):.2f} to {max(ratios):.2f} times the RMS error of FP32 multiply-adds"
