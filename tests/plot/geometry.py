"""Holds where things stand in a chart against the cells of its file: geometry.py KIND CHART.svg RESULTS.csv [SECOND.csv]

ladder and roofline (files of one mode), sweep, transfers, compare. Axes are read off their tick labels.
"""
import csv
import math
import re
import sys

GROUP = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)"[^>]*text-anchor="(\w+)"')
TEXT = re.compile(r"<text>(?:<tspan[^>]*>)?([^<]*)")
DOT = re.compile(r"xlink:href='#gpPt6' transform='translate\(([-\d.]+),([-\d.]+)\)[^']*' color='rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)'")
BOX = re.compile(r"<polygon fill = 'rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)'[^>]*points = '([^']*)'")
CPU, CUDA, GREY, LIGHT, REST = (230, 159, 0), (0, 114, 178), (154, 154, 154), (196, 196, 196), (238, 238, 238)
COLOR = {"cpu": CPU, "cuda": CUDA}
UNIT = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [r for r in csv.DictReader(file) if r["status"] == "ok" and r["time_median_s"] and not r.get("runs_as")]


def value(text):
    match = re.fullmatch(r"([\d,.]+)(?: (ns|µs|ms|s))?", text)
    return float(match[1].replace(",", "")) * UNIT.get(match[2], 1) if match else None


def ticks(svg, anchor):
    """value -> pixel of the labels of an axis: x below (in the middle), y on the left (at the end)."""
    found, place = {}, None
    for line in svg.splitlines():
        place = GROUP.search(line) or place
        text = TEXT.search(line)
        if text and place and place[3] == anchor and value(text[1]) is not None:
            found[value(text[1])] = float(place[1] if anchor == "middle" else place[2]) - (0 if anchor == "middle" else 4.3)
    return found


def scale(marks):
    """The pixel of a number, on a logarithmic axis."""
    (a, x), (b, y) = min(marks.items()), max(marks.items())
    return lambda v: x + (y - x) * math.log(v / a) / math.log(b / a)


def rate(row):
    return float(row["flops"] or row["bytes"]) / float(row["time_median_s"]) / 1e9


def near(expected, found, tolerance, what):
    expected, found = sorted(expected), sorted(found)
    if len(expected) != len(found) or any(abs(a - b) > tolerance for e, f in zip(expected, found) for a, b in zip(e, f)):
        sys.exit(f"{what}: expected {expected[:4]} ..., found {found[:4]} ... ({len(expected)} and {len(found)})")
    print(f"{what}: {len(found)}")


def dots(svg):
    return [(float(x), float(y), *map(int, color)) for x, y, *color in DOT.findall(svg)]


def upright(svg, dashes):
    """Where lines with such dashes stand."""
    return {(float(x),) for path in re.findall(f"stroke-dasharray='{dashes}'  d='([^']*)'", svg) for x in re.findall(r"[ML]([\d.]+),", path)}


def boxes(svg):
    for *color, points in BOX.findall(svg):
        xs, ys = zip(*(map(float, p.split(",")) for p in points.split()))
        if min(xs) > 30:  # what stands at the margin explains a colour
            yield tuple(map(int, color)), min(xs), max(xs)


def size(row):
    part = [int(x) for x in row["shape"].split("x")]
    return part[0] if row["op"] == "matmul" else math.prod(part)


def main():
    kind, chart, *files = sys.argv[1:]
    with open(chart, encoding="utf-8") as file:
        svg = file.read()
    stem = chart.rsplit("/", 1)[-1][:-4]
    rows = rows_of(files[0])
    if kind == "ladder":
        x = scale(ticks(svg, "middle"))
        mine = [r for r in rows if f"ladder-{r['op']}-{r['workload']}" == stem]
        near([(x(rate(r)), *COLOR[r["backend"]]) for r in mine], [(d[0], *d[2:]) for d in dots(svg)], 1.5, stem)
        ceilings = {round(x(rate(dict(r, time_median_s=r["floor_s"])))) for r in mine}
        near([(c,) for c in ceilings], {(round(p[0]),) for p in upright(svg, "10.0,6.0")}, 1.5, "ceilings")
        libraries = [(x(rate(r)),) for r in mine if r["variant"] in ("openblas", "cublas")]
        near(libraries, upright(svg, "2.0,4.0"), 1.5, "libraries")
    elif kind == "roofline":
        x, y = scale(ticks(svg, "middle")), scale(ticks(svg, "end"))
        mine = [r for r in rows if r["flops"] and f"roofline-{r['backend']}-{r['mode']}" == stem]
        near([(x(float(r["flops"]) / float(r["bytes"])), y(rate(r))) for r in mine], [d[:2] for d in dots(svg)], 1.5, stem)
    elif kind == "sweep":
        x, y = scale(ticks(svg, "middle")), scale(ticks(svg, "end"))
        mine = [r for r in rows if f"sweep-{r['op']}" == stem and r["mode"] in ("hot", "e2e")]
        near([(x(size(r)), y(float(r["time_median_s"]))) for r in mine], [d[:2] for d in dots(svg)], 1.5, stem)
    elif kind == "compare":
        x = scale(ticks(svg, "middle"))
        found = list(boxes(svg))
        for path, colors in ((files[0], (GREY, GREY)), (files[1], (CPU, CUDA))):
            mine = [r for r in rows_of(path) if f"compare-{r['op']}-{r['workload']}-{r['mode']}" == stem and r["backend"] in COLOR]
            near([(x(rate(r)), *colors[r["backend"] == "cuda"]) for r in mine],
                 [(b[2], *b[0]) for b in found if b[0] in colors], 1.5, f"{stem} {path}")
    elif kind == "transfers":
        best = {}
        for r in rows:
            key = (r["op"], r["workload"], r["mode"])
            if r["mode"].startswith("e2e") and (key not in best or float(r["time_median_s"]) < float(best[key]["time_median_s"])):
                best[key] = r
        left = min(b[1] for b in boxes(svg) if b[0] == REST)
        whole = max(b[2] for b in boxes(svg) if b[0] == REST) - left
        for column, color in (("upload_s", GREY), ("kernel_s", CUDA), ("download_s", LIGHT)):
            shares = []
            for r in best.values():
                parts = [float(r[c]) for c in ("upload_s", "kernel_s", "download_s")]
                shares.append((float(r[column]) / max(float(r["time_median_s"]), sum(parts)) * whole,))
            near(shares, [(b[2] - b[1],) for b in boxes(svg) if b[0] == color], 1.5, column)


main()
