"""What tests of scripts/plot.sh have in common: running it, made-up results, and reading the SVG that it leaves."""
import csv
import html
import math
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import unittest
from pathlib import Path

ROOT = Path(os.environ["SOURCE_DIR"])
PLOT = ROOT / "scripts/plot.sh"
DATA = ROOT / "tests/plot"
sys.path.insert(0, str(ROOT / "scripts/plot"))
import forked
import gnuplot
import main
import table

MEASURED = ROOT / "results/h200-x1"
SVG_ONLY = {"PATH": f"{DATA}/svg_only:{os.environ['PATH']}"}
with open(MEASURED / "network.csv", newline="", encoding="utf-8") as measured:
    COLUMNS = [*next(csv.reader(measured)), "failure"]


def rows_of(path):
    with table.unpack(path, "rt", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, dict.fromkeys([*COLUMNS, *rows[0]]) if rows and "schema" in rows[0] else rows[0].keys())
        out.writeheader()
        out.writerows(rows)
    return path


def row(variant, seconds, mode="hot", op="matmul", workload="w", shape="64x64x64", backend="cpu", spread=0.01, **more):
    """A row of made-up results, whose samples lie within `spread` of the median; None: it has no quartiles."""
    cells = dict.fromkeys(COLUMNS, "") | {
        "schema": 1, "name": f"{op}/{workload}/{variant}/{mode}", "op": op, "workload": workload, "shape": shape, "variant": variant,
        "backend": backend, "precision": "fp32", "mode": mode, "status": "ok", "host": "h", "device": f"a {backend}", "git_rev": "r",
        "timestamp": "2026-01-02T03:04:05Z", "sitting": "s", "round": 0, "samples": 100, "iterations": 100, "time_min_s": seconds,
        "time_median_s": seconds, "tick_s": 1e-9, "seed": 42, "bytes": 1e6, "flops": 1e8, "baseline": "cpu_scalar", "launch_bound": "no"}
    if seconds and spread is not None:
        low, high = seconds * (1 - spread), seconds * (1 + spread)
        cells |= {"time_q1_s": low, "time_q3_s": high, "time_ci_low_s": low, "time_ci_high_s": high}
    if seconds:
        cells |= {"floor_s": seconds / 2, "ceiling": "read"}
    return cells | more


def failed(variant, mode="hot", why="wrong: C[17,3] is nan", **more):
    return row(variant, "", mode, **{"status": "failed", "reason": why, "failure": "wrong" if "wrong" in why else "", "samples": 0, **more})


class Svg:
    """texts: (x, y, anchor, font size, family, text); marks: (gnuplot's point, x, y, colour)."""
    PLACE = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)( rotate)?[^"]*"[^>]*font-family="([^"]*)"[^>]*font-size="([\d.]+)"'
                       r'[^>]*text-anchor="(\w+)"')
    MARK = re.compile(r"xlink:href='#gpPt(\d+)' transform='translate\(([-\d.]+),([-\d.]+)\)[^']*' color='rgb\(([^)]*)\)'")

    def __init__(self, path):
        self.path = Path(path)
        self.source = self.path.read_text(encoding="utf-8")
        self.size = tuple(map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', self.source).groups()))
        self.title = html.unescape(re.search("<title>(.*)</title>", self.source)[1])
        self.desc = html.unescape(re.search("<desc>(.*)</desc>", self.source)[1])
        self.texts, self.upright, place = [], [], None
        for line in self.source.splitlines():
            place = self.PLACE.search(line) or place
            said = re.search("<text[^>]*>(.*)</text>", line)
            if said and place:
                plain = html.unescape(re.sub("<[^>]*>", "", said[1]))
                self.texts.append((float(place[1]), float(place[2]), place[6], float(place[5]), place[4], plain))
                self.upright.append(bool(place[3]))
        self.marks = [(int(point), float(x), float(y), tuple(int(c) for c in color.split(",")))
                      for point, x, y, color in self.MARK.findall(self.source)]

    def said(self):
        """All texts, those on several lines as one."""
        return " ".join(text[5] for text in self.texts)

    def strokes(self, color="", dashes=""):
        """(x, y, x, y) of each straight stroke of lines in this colour, or with these dashes."""
        style = f"stroke='{color}'  d=" if color else f"stroke-dasharray='{dashes}'  d="
        for path in self.source.split(style)[1:]:
            last = None
            for letter_, x, y in re.findall(r"([ML])([-\d.]+),([-\d.]+)", path.split("'")[1]):
                if letter_ == "L":
                    yield (*last, float(x), float(y))
                last = float(x), float(y)

    def boxes(self):
        """(colour, left, right, middle) of each."""
        for color, points in re.findall(r"<polygon fill = 'rgb\(([^)]*)\)'[^>]*points = '([^']*)'", self.source):
            xs, ys = zip(*(map(float, point.split(",")) for point in points.split()))
            yield tuple(int(c) for c in color.split(",")), min(xs), max(xs), (min(ys) + max(ys)) / 2

    def row_of(self, name):
        """How high a row's name stands, in the middle of its letters."""
        return self.rows_of(name)[0]

    def rows_of(self, name):
        return [y - 4.3 for _, y, _, _, _, text in self.texts if text == name]

    def axis(self, anchor="middle", between=(0, math.inf)):
        """The pixel of a number, from the labels of a logarithmic axis that stand between these heights; y for anchor end."""
        found = {}
        for x, y, where, _, _, text in self.texts:
            if where == anchor and (value := number(text)) and between[0] <= y <= between[1]:
                found[value] = x if anchor == "middle" else y - 4
        (a, x), (b, y) = min(found.items()), max(found.items())
        return lambda v: x + (y - x) * math.log(v / a) / math.log(b / a)

    def faults(self):
        """Texts that cover each other or leave the picture."""
        boxes = []
        for (x, y, anchor, size, family, text), upright in zip(self.texts, self.upright):
            if text.strip() and upright:
                boxes.append((x - 0.7 * size, y - size * sum(map(letter, text)), x, y, text))
            elif text.strip():
                wide = size * sum(0.6 if "Mono" in family else letter(c) for c in text)
                left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
                boxes.append((left, y - 0.7 * size, left + wide, y, text))
        for i, a in enumerate(boxes):
            if a[0] < -1 or a[1] < -1 or a[2] > self.size[0] + 1 or a[3] > self.size[1] + 1:
                yield f"{self.path.name}: '{a[4]}' leaves the picture"
            for b in boxes[:i]:
                if min(a[2], b[2]) - max(a[0], b[0]) > 1.5 and min(a[3], b[3]) - max(a[1], b[1]) > 1.5:
                    yield f"{self.path.name}: '{a[4]}' covers '{b[4]}'"


def letter(c):
    """How wide it is in DejaVu Sans, roughly, in parts of the font's size."""
    if unicodedata.east_asian_width(c) in "WF":
        return 1.0
    return 0.33 if c in "ijl.,:;|'()[] /" else 0.41 if c in "ftr-" else 0.85 if c in "mwMW%" else 0.6


def number(text):
    """The value of an axis label, a rate or a duration; None if it is none."""
    match = re.fullmatch(r"([\d,.]+)([kMGT]?)(?: (ns|µs|ms|s)|×)?", text)
    unit = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    return float(match[1].replace(",", "")) * unit.get(match[2], 1) * unit.get(match[3], 1) if match else None


class PlotCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_plot(self, *arguments, plot=PLOT, shell='exec "$@"', **more):
        return subprocess.run(["bash", "-c", shell, "bash", plot, *arguments], cwd=self.folder, capture_output=True, text=True,
                              errors="replace", timeout=120, stdin=subprocess.DEVNULL, check=False, **more)

    def call_plot(self, *arguments, **environment):
        return forked.call("plot.sh", main.main, self.folder, arguments, environment)

    def fake(self, *script):
        """The environment in which gnuplot is this one."""
        fake = self.folder / "fake"
        fake.mkdir(exist_ok=True)
        (fake / "gnuplot").write_text("\n".join(("#!/bin/sh", *script, "")))
        (fake / "gnuplot").chmod(0o755)
        return {"PATH": f"{fake}:{os.environ['PATH']}"}

    def draw(self, *files, only=".", out="out", png=False):
        """The charts by name; all have to be whole and legible. PNGs, which take most of the time, are drawn only if they are asked for."""
        done = self.call_plot(*([f"--only={only}"] if only else []), *files, out, **({} if png else SVG_ONLY))
        self.assertEqual((done.returncode, done.stdout.count("\n")), (0, 1), done.stderr)
        charts = {path.stem: Svg(path) for path in (self.folder / out).glob("*.svg")}
        for stem, svg in charts.items():
            self.assertEqual(list(svg.faults()), [])
            self.assertLessEqual(svg.size[0], 440)  # a phone's
            self.assertTrue(svg.source.startswith("<?xml") and svg.source.endswith("</svg>\n"), stem)
            if not stem.endswith("-dark"):
                self.assertEqual([t[5] for t in svg.texts], [t[5] for t in charts[stem + "-dark"].texts])
                self.assertTrue((self.folder / out / f"{stem}.png").read_bytes().endswith(b"IEND\xaeB`\x82"), stem)
        return {stem: svg for stem, svg in charts.items() if not stem.endswith("-dark")}

    def assert_refused(self, done, status, *said):
        """One line, nothing on stdout, nothing left behind."""
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Aplot\.sh: [^\n]*\n\Z")
        for text in said:
            self.assertIn(text, done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def refuse_rows(self, rows, *said, status=2):
        """As those of a file."""
        self.assert_refused(self.call_plot(write(self.folder / "made.csv", rows), "out"), status, *said)

    def assert_kinds(self, charts, kinds, least):
        """Each is of one of these kinds, of which there are so many at least."""
        drawn = {stem.split("-")[0] for stem in charts}
        self.assertLessEqual(drawn, kinds)
        self.assertGreaterEqual(len(drawn), least)

    def assert_near(self, expected, found, within=1.5):
        self.assertEqual(len(expected), len(found), (expected, found))
        for e, f in zip(sorted(expected), sorted(found)):
            for a, b in zip(e, f):
                self.assertAlmostEqual(a, b, delta=within, msg=f"{e} and {f}")


def rgb(kind):
    return tuple(bytes.fromhex(gnuplot.LIGHT[kind][1:]))


CPU, CUDA = rgb("cpu"), rgb("cuda")
KINDS = {path.stem for path in (ROOT / "scripts/plot/charts").glob("[a-z]*.py")}
INK = "rgb( 26,  26,  26)"
VERMILION = (0xD5, 0x5E, 0x00)
FILLED, HOLLOW, CROSS = {4, 6}, {3, 5}, 1  # square and circle, as the SVG numbers them


def marks(svg, points, left=30):
    """Without those of the legend."""
    return [m for m in svg.marks if m[0] in points and m[1] > left]


def compare(case, a, b, only="."):
    return next(iter(case.draw("--compare", a, b, only=only).values()))
