"""A plane with two logarithmic axes: lines, dots with whiskers, and texts that keep clear of each other."""
import math

import axis
import text
from dots import Dots, tell_hollow
from frame import MARGIN, SMALL_SIZE, WIDTH

HEIGHT, LINE, ABOVE, BELOW = 360, 15, 30, 48  # pixels
LEFT = MARGIN + 54


class Plane(Dots):
    """`right`: pixels beside the plane for its texts. Ranges are fixed by fix(), then texts may be placed."""

    def __init__(self, right=0, height=HEIGHT):
        super().__init__("y", ring=1.3, dot=0.7, line=1.4)
        self.width = WIDTH - MARGIN - LEFT - int(right)
        self.height = height
        self.right = WIDTH - MARGIN  # where texts end at most
        self.texts = []
        self.columns = {}  # names of places along the axis, which stand upright above it
        self.kept_free = []  # (x, x, y): level lines that no text may cross
        self._xs, self._ys = [], []

    def reach(self, x, *ys):
        self._xs.append(x)
        self._ys += [y for y in ys if y]

    def dot(self, x, y, low, high, kind, ringed=False):
        self.add(x, y, low, high, kind, ringed)
        self.reach(x, y, low, high)

    def fix(self):
        def padded(values, share):
            low, high = text.decades(*values)
            pad = max(high - low, 0.5) * share
            return low - pad, high + pad
        self.x_range, self.y_range = padded(self._xs, 0.05), padded(self._ys, 0.09)

    def bottom(self):
        """Where crosses stand, which have no place on the axis upward."""
        return 10.0 ** (self.y_range[0] + 0.03 * (self.y_range[1] - self.y_range[0]))

    def at(self, x, y):
        """Pixels from the left edge of the chart, and from the upper edge of the plane."""
        (left, right), (low, high) = self.x_range, self.y_range
        return (LEFT + (math.log10(x) - left) / (right - left) * self.width,
                (high - math.log10(y)) / (high - low) * self.height)

    def write(self, said, x, y, bad=False, beside=False):
        """A text near a place, or in the column beside the plane, where it covers nothing; far away if need be."""
        from_x, from_y = self.at(x, y)
        wide = text.pixels(said, SMALL_SIZE)
        for step in range(250):
            place_y = from_y + (step + 1) // 2 * (4 if step % 2 else -4)
            for place_x in (LEFT + self.width + 18,) if beside else (from_x + 12, from_x - 12 - wide, from_x + 30, from_x - 30 - wide):
                to_x = place_x - 3 if place_x > from_x else place_x + wide + 3
                if self._is_free(place_x, place_x + wide, place_y) and self._is_clear((from_x, from_y), (to_x, place_y)):
                    self.texts.append((said, place_x, place_x + wide, place_y, (from_x, from_y, to_x), "ALARM" if bad else "INK"))
                    return

    def _is_free(self, left, right, y):
        texts = (t[1:4] for t in self.texts)
        dots = ((x - 6, x + 6, y) for x, y in (self.at(dot[0], dot[1]) for dot in self.dots))
        lines = ((self.at(a, y)[0], *self.at(b, y)) for a, b, y in self.kept_free)
        return LEFT <= left and right <= self.right and 6 <= y <= self.height - 6 and not any(
            abs(y - at) < LINE and left < end and start < right for start, end, at in (*texts, *dots, *lines))

    def _is_clear(self, start, end):
        """Whether a line between these goes past all dots but the one that it starts from."""
        length = math.dist(start, end)
        for x, y in (self.at(dot[0], dot[1]) for dot in self.dots):
            along = ((x - start[0]) * (end[0] - start[0]) + (y - start[1]) * (end[1] - start[1])) / length
            across = abs((x - start[0]) * (end[1] - start[1]) - (y - start[1]) * (end[0] - start[0])) / length
            if across < 5 and 2 < along < length and math.dist(start, (x, y)) > 2:
                return False
        return True

    def draw(self, chart, x_title, y_title, y_unit="", below=(), shaded=()):
        """Draws it, and finishes the chart. `below`: what Chart.plot() draws below the dots; `shaded`: [(x, x)], stripes."""
        tell_hollow(chart, [self])
        chart.area(LEFT, LEFT + self.width)
        chart.do("set logscale xy")
        chart.range("x", *(10.0 ** end for end in self.x_range))
        chart.range("y", *(10.0 ** end for end in self.y_range))
        chart.ticks(axis.ticks(*self.x_range, self.width))
        chart.ticks(axis.ticks(*self.y_range, self.height, y_unit, gap=26), "y")
        above = self._name_columns(chart)
        chart.label(y_title, MARGIN, f"top - {above - ABOVE + 14}", font="SMALL", color="FAINT")
        chart.label(x_title, LEFT + self.width // 2, "bottom + 38", "center", "SMALL", "FAINT")
        for said, x, _, y, (from_x, from_y, to_x), color in self.texts:
            chart.label(said, x, f"top + {y}", font="SMALL", color=color)
            chart.do(f"set arrow from screen X({from_x}), Y(top + {from_y}) to screen X({to_x}), Y(top + {y}) nohead "
                     "linecolor rgb FAINT linewidth 0.5")
        for a, b in shaded:
            chart.do(f"set object rectangle from {a}, graph 0 to {b}, graph 1 behind fillcolor rgb GRID fillstyle solid 0.6 noborder")
        chart.plot(*below, *self.series())
        return chart.finish(self.height, above, BELOW)

    def _name_columns(self, chart):
        """What they take above the plane. Where there is no room for all, neighbours share a name."""
        columns = sorted((self.at(x, 1)[0], name) for name, x in self.columns.items())
        each = -(-len(columns) * LINE // self.width) or 1
        shown = [(some[0][0], text.listed([name for _, name in some], 1)) for some in (columns[i:i + each] for i in range(0, len(columns), each))]
        place, last = 0, LEFT + self.width - (len(shown) - 1) * LINE
        for i, (x, name) in enumerate(shown):
            place = min(max(x, place + LINE), last + i * LINE)
            chart.label(name, place, "top - 14", font="SMALL", upright=True)
            chart.do(f"set arrow from screen X({place}), Y(top - 10) to screen X({x}), Y(top) nohead linecolor rgb FAINT linewidth 0.5")
        return ABOVE + max((text.pixels(name, SMALL_SIZE) for _, name in shown), default=0)
