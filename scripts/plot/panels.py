"""Rows of dots with their names to the left and their values to the right, in panels side by side."""
import axis
import text
from dots import Dots
from frame import MARGIN, TEXT_SIZE, WIDTH

ROW, ABOVE, BELOW, GAP = 24, 46, 46, 14  # pixels
NAME_MOST = 250


class Panel(Dots):
    def __init__(self, head, note=""):
        super().__init__("x", ring=1.35, dot=0.8, line=1.6)
        self.head, self.note = text.clean(head), text.clean(note)
        self.bad, self.values = [], []
        self.reach = []  # what must be in view
        self.below = []  # what Chart.plot() draws below the dots
        self.even = False  # whether a line stands at 1

    def dot(self, place, x, low, high, kind, value, ringed=False, filled=True):
        self.add(place, x, low, high, kind, ringed, filled)
        self.reach += [x for x in self.dots[-1][1:4] if x is not None]
        self.values.append((place, value, "INK"))

    def cross(self, place, word):
        self.bad.append(place)
        self.values.append((place, word, "ALARM"))

    def compare(self):
        """Values are ratios, for which 1 is in view."""
        self.even = True
        self.reach.append(1)


def draw(chart, names, panels, axis_title, unit="", notes=(), note_head="", headings=(), shared=False, row=ROW, above=ABOVE):
    """Draws them, and finishes the chart. `headings`: those of the names that have no dot; `shared`: one scale for all panels."""
    mono = max(text.pixels(name, TEXT_SIZE, mono=True) for name in names if name not in headings)
    note_width = max((text.pixels(note, 12) + 14 for note in [*notes, note_head] if note), default=0)
    left = MARGIN + min(mono, NAME_MOST) + 12 + note_width
    value_width = max((text.pixels(value, TEXT_SIZE) for panel in panels for _, value, _ in panel.values), default=0) + 14
    each = (WIDTH - MARGIN - left + GAP) / len(panels)
    width = int(each - value_width - GAP)
    heights = [f"top + {(i + 0.5) * row}" for i in range(len(names))]
    draw_names(chart, names, headings, heights)
    for note, y in [*zip(notes, heights), (note_head, "top - 10")]:
        chart.label(note, int(left - 14), y, "right", "SMALL", "FAINT")
    chart.do("set logscale x", "set multiplot")
    chart.range("y", len(names) + 0.5, 0.5)
    for i, (panel, reach) in enumerate(zip(panels, ranges_of(panels, shared))):
        x = int(left + i * each)
        chart.area(x, x + width)
        chart.label(text.shorten(panel.head, each - 10, TEXT_SIZE, bold=True), x, "top - 28", font="STRONG")
        chart.label(text.shorten(panel.note, each - 10, 12), x, "top - 10", font="SMALL", color="FAINT")
        chart.label(axis_title, x + width // 2, "bottom + 36", "center", "SMALL", "FAINT")
        for place, value, color in panel.values:
            chart.label(value, x + width + 8, f"top + {(place - 0.5) * row}", color=color)
        plot(chart, panel, width, unit, *reach)
    chart.do("unset multiplot")
    return chart.finish(len(names) * row, above, BELOW)


def draw_names(chart, names, headings, heights):
    for i, (name, y) in enumerate(zip(names, heights), 1):
        if name in headings:
            chart.label(name, MARGIN, y, font="STRONG")
        else:
            chart.label(text.squeeze(name, NAME_MOST, TEXT_SIZE, mono=True), MARGIN, y, font="CODE")
            chart.do(f"set arrow from graph 0, first {i} to graph 1, first {i} nohead back linecolor rgb GRID linewidth 1")


def ranges_of(panels, shared):
    """From where to where each reaches, in decades."""
    ranges = [text.decades(*panel.reach) for panel in panels]
    if shared:
        ranges = [(min(low for low, _ in ranges), max(high for _, high in ranges))] * len(panels)
    return [(low - 0.05 * max(high - low, 0.4), high + 0.05 * max(high - low, 0.4)) for low, high in ranges]


def plot(chart, panel, width, unit, low, high):
    chart.ticks(axis.ticks(low, high, width, unit))
    chart.range("x", 10.0 ** low, 10.0 ** high)
    if panel.even:
        chart.do("set arrow 1000 from 1, graph 0 to 1, graph 1 nohead back linecolor rgb INK linewidth 1.2")
    panel.crosses = [(place, 10.0 ** (low + 0.04 * (high - low))) for place in panel.bad]
    chart.plot(*panel.below, *panel.series())
    chart.do("unset label")
