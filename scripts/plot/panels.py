"""Rows of dots with their names to the left and their values to the right, in panels one below the other."""
import axis
import text
from dots import Dots, tell_hollow
from frame import MARGIN, SMALL_SIZE, TEXT_SIZE, WIDTH

ROW, HEAD, BELOW = 24, 20, 46  # pixels; rows with notes have half as much again
NAME_MOST = 185


class Panel(Dots):
    """Its rows are named by row() and heading(), from above; `places` are [(text, place)] along an axis that is not logarithmic."""

    def __init__(self, axis_title, head="", note="", unit="", places=()):
        super().__init__("x", ring=1.2, dot=0.7, line=1.6)
        self.axis_title, self.unit, self.places = axis_title, unit, places
        self.heads = [(text.clean(said), font, color) for said, font, color in ((head, "STRONG", "INK"), (note, "SMALL", "FAINT")) if said]
        self.names = []  # (name, font of gnuplot, note)
        self.bad, self.values = [], []
        self.reach = [place for _, place in places]  # what must be in view
        self.below = []  # what Chart.plot() draws below the dots
        self.even = False  # whether a line stands at 1

    def heading(self, what):
        self.names.append((what, "STRONG", ""))

    def row(self, name, note=""):
        """Its place, from 1. The note stands below the name."""
        self.names.append((name, "CODE", note))
        return len(self.names)

    def dot(self, place, x, low, high, kind, value, ringed=False):
        self.add(place, x, low, high, kind, ringed)
        self.reach += [x for x in self.dots[-1][1:4] if x is not None]
        self.values.append((place, value, "INK"))

    def cross(self, place, word):
        self.bad.append(place)
        self.values.append((place, word, "ALARM"))

    def compare(self):
        """Values are ratios, for which 1 is in view."""
        self.even = True
        self.reach.append(1)

    def range(self):
        """From where to where it reaches, in decades if it is logarithmic."""
        low, high = (min(self.reach), max(self.reach)) if self.places else text.decades(*self.reach)
        room = 0.05 * max(high - low, 0.4)
        return low - room, high + room


def draw(chart, panels, shared=False):
    """Draws them, and finishes the chart. `shared`: one scale for all panels."""
    names = [(name, note) for panel in panels for name, font, note in panel.names if font == "CODE"]
    row = ROW * 3 // 2 if any(note for _, note in names) else ROW
    widths = [max(text.pixels(name, TEXT_SIZE, mono=True), text.pixels(note, SMALL_SIZE)) for name, note in names]
    left = int(MARGIN + min(max(widths), NAME_MOST) + 10)
    values = max((text.pixels(value, TEXT_SIZE) for panel in panels for _, value, _ in panel.values), default=0) + 12
    right = int(WIDTH - MARGIN - values)
    ranges = [panel.range() for panel in panels]
    if shared:
        ranges = [(min(low for low, _ in ranges), max(high for _, high in ranges))] * len(panels)
    tell_hollow(chart, panels)
    y = 0
    chart.do("set multiplot")
    for panel, reach in zip(panels, ranges):
        for i, (said, font, color) in enumerate(panel.heads):
            chart.label(text.shorten(said, WIDTH - 2 * MARGIN, TEXT_SIZE, bold=font == "STRONG"), MARGIN,
                        f"top + {y + (i + 0.5) * HEAD}", font=font, color=color)
        y += len(panel.heads) * HEAD
        plot(chart, panel, y, row, left, right, *reach)
        y += len(panel.names) * row + BELOW
    chart.do("unset multiplot")
    return chart.finish(y - BELOW, 8, BELOW)


def plot(chart, panel, y, row, left, right, low, high):
    bottom = y + len(panel.names) * row
    chart.area(left, right, f"top + {y}", f"top + {bottom}")
    for i, (name, font, note) in enumerate(panel.names, 1):
        middle = y + (i - 0.5) * row
        chart.label(text.squeeze(name, NAME_MOST, TEXT_SIZE, mono=font == "CODE"), MARGIN, f"top + {middle - 7 * bool(note)}", font=font)
        if note:
            chart.label(text.squeeze(note, NAME_MOST, SMALL_SIZE), MARGIN, f"top + {middle + 9}", font="SMALL", color="FAINT")
        if font == "CODE":
            chart.do(f"set arrow from graph 0, first {i} to graph 1, first {i} nohead back linecolor rgb GRID linewidth 1")
    for place, value, color in panel.values:
        chart.label(value, right + 8, f"top + {y + (place - 0.5) * row}", color=color)
    chart.label(panel.axis_title, (left + right) // 2, f"top + {bottom + 34}", "center", "SMALL", "FAINT")
    chart.range("y", len(panel.names) + 0.5, 0.5)
    at = low + 0.04 * (high - low)
    panel.crosses = [(place, at if panel.places else 10.0 ** at) for place in panel.bad]
    if panel.places:
        chart.ticks(panel.places)
        chart.range("x", low, high)
    else:
        chart.do("set logscale x")
        chart.ticks(axis.ticks(low, high, right - left, panel.unit))
        chart.range("x", 10.0 ** low, 10.0 ** high)
    if panel.even:
        chart.do("set arrow from 1, graph 0 to 1, graph 1 nohead back linecolor rgb INK linewidth 1.2")
    chart.plot(*panel.below, *panel.series())
    chart.do("unset label", "unset arrow")
