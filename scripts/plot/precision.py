"""How the errors of rungs are spread (results/precision/errors.csv): for each input a panel with a line per rung."""
import re

import table
import text
from failure import Failure
from frame import MARGIN, Chart, columns

PANEL, HEAD, BELOW, LEFT = 92, 40, 42, 20  # pixels
# The colours of the lines, and what they are.
LINES = {
    "cublas": ("other", "cuBLAS in FP32"),
    "tiled": ("past", "FP32 multiply-adds"),
    "tf32": ("slower", "one product in TF32"),
    "tf32_wgmma": ("inconclusive", "one product in TF32"),  # a former rung, of which results/h200/precision.csv has rows
    "tf32x3": ("cuda", "three products in TF32"),
    "fp16x3": ("faster", "three products in FP16"),
    "fp16x3_wgmma": ("sim", "three products in FP16"),
}
WHAT = "a file of tests/simulator/precision_errors.c"
CLASS = re.compile(r"below_2\^(-?[0-9]+)")

TEMPLATE = r"""
set xrange [from : to]
set yrange [0 : most]
set multiplot
do for [p = 1:panels] {
    set tmargin at screen Y(top + (p - 1) * (panel + room) + room)
    set bmargin at screen Y(top + p * (panel + room))
    set label panel_head[p] at screen X(left), Y(top + (p - 1) * (panel + room) + room - 26) left noenhanced font STRONG \
        textcolor rgb INK
    set label panel_note[p] at screen X(left), Y(top + (p - 1) * (panel + room) + room - 9) left noenhanced font SMALL \
        textcolor rgb FAINT
    set grid xtics linetype 1 linecolor rgb GRID linewidth 1
    set xtics ()
    do for [i = 1:ticks] { set xtics add ((p == panels ? tick_text[i] : '') tick_at[i]) }
    data = sprintf("$lines%d", p)
    plot for [i = 1:lines] data using 1:(column(i + 1)) with fillsteps linecolor rgb color(line_kind[i]) fillstyle solid 0.15 noborder, \
        for [i = 1:lines] data using 1:(column(i + 1)) with steps linecolor rgb color(line_kind[i]) linewidth 2
    unset label
}
unset multiplot
"""


def is_file(path):
    return table.first_line(path).startswith(b"input,rung,rms,worst,")


def share(path, line, name, cell):
    try:
        found = float(cell)
    except ValueError:
        found = -1
    if not 0 <= found <= 1:
        raise Failure(f"{path}: line {line}: {name} is '{text.clean(cell)[:60]}'; expected a share from 0 to 1")
    return found


def technique(rung):
    return rung.removeprefix("sim_").removeprefix("cuda_")


def load(path):
    """{input: {rung: (rms, worst, {exponent: share of elements below 2^exponent and not below half of it})}}"""
    found = {}
    for line, row in table.rows(path, WHAT, ("input", "rung", "rms", "worst", "zero")):
        classes = {int(match[1]): share(path, line, name, cell) for name, cell in row.items() if (match := CLASS.fullmatch(name))}
        if technique(row["rung"]) not in LINES or not classes:
            raise Failure(f"{path}: line {line}: rung is '{text.clean(row['rung'])[:60]}'; expected {WHAT}")
        classes[min(classes)] += share(path, line, "zero", row["zero"])
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
    chart = Chart("precision", "precision", title_of(found),
                  f"Errors of matmul's elements in units of u |A||B|, u = 2^-24: how many have how large an error; {where}")
    for name, kind in zip(names, kinds):
        chart.header(f"{name}: {LINES[name][1]}", kind)
    chart.footer("Each step is a factor of two. The leftmost has all smaller errors, and none at all. Where a line is hidden, another "
                 "has the same errors: a rung that cannot split an input uses multiply-adds.")
    values = {f"lines{p}": [(e - 1, *(of[rung][2][e] for rung in rungs)) for e in exponents] + [(exponents[-1], *[0] * len(rungs))]
              for p, of in enumerate(found.values(), 1)}
    most = max(share for block in values.values() for line in block for share in line[1:])
    ticks = [(f"2^{{{e}}}".replace("-", "−"), e) for e in exponents if e % 2 == 0]
    notes = ["RMS " + ", ".join(f"{name} {of[rung][0]:.3g}" for name, rung in zip(names, rungs)) for of in found.values()]
    return chart.draw(TEMPLATE, len(found) * (PANEL + HEAD), 0, BELOW, panels=len(found), panel=PANEL, room=HEAD,
                      left=MARGIN + LEFT, panel_head=list(found), panel_note=notes, lines=len(rungs),
                      line_kind=kinds, **{"from": exponents[0] - 1, "to": exponents[-1], "most": 1.05 * most},
                      **columns(ticks, "ticks", "tick_text", "tick_at"), **values)


def title_of(found):
    ratios = [of[rung][0] / next(of[other][0] for other in of if technique(other) == "tiled")
              for of in found.values() for rung in of if "x3" in rung]
    return f"Three products have {min(ratios):.2f} to {max(ratios):.2f} times the RMS error of FP32 multiply-adds"
